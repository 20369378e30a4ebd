//! Analysed games as text.

use std::io;

use crate::app::analysis::{AnalysedGame, AnalysedMove, Known, LossSum, Phase, SideSums, Turn};
use crate::app::error_to_expect;
use crate::faces::cli::context::Context;
use crate::faces::cli::output::Output;
use crate::faces::cli::table::Table;
use crate::faces::render::{Command, day, player_name as name, result};
use crate::files::counted::counted;
use crate::othello::board::Side;

/// How many of the costliest moves are named.
const WORST: usize = 3;

/// A game with all its moves.
pub(in crate::faces::cli::commands) fn print_game(
    analysed: &AnalysedGame,
    context: &mut Context,
) -> io::Result<()> {
    let output = &mut context.output;
    let title = title(analysed);
    if !title.is_empty() {
        output.line(title)?;
    }
    output.folded(&moves_text(analysed), " ", 0)?;
    output.line("")?;
    let mut table =
        Table::new(&["ply", "side", "move", "before", "best", "value", "loss", "known", "remarks"]);
    for played in &analysed.moves {
        table.row(row(analysed, played));
    }
    output.table(&table)?;
    output.line("")?;
    let mut table = Table::new(&["", "moves", "loss", "a move", "opening", "midgame", "endgame"]);
    for side in [Side::Black, Side::White] {
        table.row(sums_row(side, &analysed.sums(side)));
    }
    output.table(&table)?;
    output.line("")?;
    for line in facts(analysed) {
        output.folded(&line, " ", 2)?;
    }
    if let Some(other) = &analysed.last_game_at {
        let command = Command::new("games show").with([other.game.0.to_string()]);
        context.print_command("show it", &command)?;
    }
    Ok(())
}

/// Players, result, date and place.
fn title(analysed: &AnalysedGame) -> String {
    let game = &analysed.game;
    let mut parts = Vec::new();
    if game.black.name.is_some() || game.white.name.is_some() {
        let (black, white) = (name(&game.black), name(&game.white));
        parts.push(format!("{black} {} {white}", result(game)));
    } else if game.black_discs.is_some() {
        parts.push(result(game));
    }
    parts.push(day(game));
    parts.extend(game.event.clone());
    parts.retain(|part| !part.is_empty());
    let number = analysed.id.map_or(String::new(), |id| format!("game {}: ", id.0));
    format!("{number}{}", parts.join(", "))
}

/// The moves in tens, so that they can be folded and typed again.
fn moves_text(analysed: &AnalysedGame) -> String {
    let squares: Vec<String> =
        analysed.game.moves.iter().map(|square| square.to_string()).collect();
    let tens: Vec<String> = squares.chunks(10).map(<[String]>::concat).collect();
    let start = analysed.game.start;
    match analysed.game.is_from_the_start() {
        true => tens.join(" "),
        false => format!("{} {}", start.position.board_text(start.side), tens.join(" ")),
    }
}

fn row(analysed: &AnalysedGame, played: &AnalysedMove) -> [String; 9] {
    let mut cells = [
        played.ply.to_string(),
        played.side().name().to_owned(),
        played.square.to_string(),
        String::new(),
        String::new(),
        String::new(),
        String::new(),
        "not searched".to_owned(),
        remarks(analysed, played),
    ];
    if let Some(value) = played.value {
        let is_best = value.best == played.square;
        cells[3] = value.before.to_string();
        if !is_best {
            cells[4] = value.best.to_string();
            cells[6] = loss_text(value.loss().discs());
        }
        cells[5] = value.played.to_string();
        cells[7] = how_known(value.known);
    }
    cells
}

/// How a value is known: `book ±2.9`, `depth 12@73%`, `exact`.
pub(in crate::faces::cli::commands) fn how_known(known: Known) -> String {
    match known {
        Known::Book { error } => format!("book ±{:.1}", error_to_expect(error)),
        Known::Searched { depth, selectivity } if selectivity.is_full() => format!("depth {depth}"),
        Known::Searched { depth, selectivity } => {
            format!("depth {depth}@{}%", selectivity.percent())
        }
        Known::Exact => "exact".to_owned(),
    }
}

/// What is to be said of a move in words.
fn remarks(analysed: &AnalysedGame, played: &AnalysedMove) -> String {
    let mut parts: Vec<String> = played.name.map(str::to_owned).into_iter().collect();
    if let Some(turn) = played.value.and_then(|value| value.turn()) {
        parts.push(turn_text(turn));
    }
    if played.after_pass {
        parts.push(format!("{} passed", played.side().other()));
    }
    if played.is_forced() {
        parts.push("only move".to_owned());
    }
    if analysed.left_book_at == Some(played.ply) {
        parts.push("leaves the book".to_owned());
    }
    parts.join(", ")
}

/// `win to loss`; with a question mark where it is not proven.
fn turn_text(turn: Turn) -> String {
    let sure = if turn.proven { "" } else { "?" };
    format!("{} to {}{sure}", turn.from.word(), turn.to.word())
}

fn sums_row(side: Side, sums: &SideSums) -> [String; 7] {
    let mean = sums.all.mean().map_or_else(String::new, |mean| format!("{mean:.2}"));
    let phase = |phase| loss_text(sums.of(phase).discs());
    [
        side.name().to_owned(),
        sums.all.moves.to_string(),
        loss_text(sums.all.discs()),
        mean,
        phase(Phase::Opening),
        phase(Phase::Midgame),
        phase(Phase::Endgame),
    ]
}

/// Discs that are lost, as a column has them.
fn loss_text(discs: f64) -> String {
    format!("{discs:.2}")
}

/// Discs within a sentence: with as few decimals as they need, two at most.
fn discs(discs: f64) -> String {
    let text = format!("{discs:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The lines below the tables.
pub(super) fn facts(analysed: &AnalysedGame) -> Vec<String> {
    let mut lines = Vec::new();
    let worst: Vec<String> = analysed.worst(WORST).into_iter().map(worst_text).collect();
    if !worst.is_empty() {
        lines.push(format!("worst: {}", worst.join("; ")));
    }
    if let Some(ply) = analysed.left_book_at {
        lines.push(format!("left the book at move {ply}"));
    }
    match analysed.exact_from() {
        Some(1) => lines.push("all values are exact".to_owned()),
        Some(ply) => lines.push(format!("exact from move {ply} on")),
        None => {}
    }
    if !analysed.is_complete() {
        let left = analysed.moves.iter().filter(|played| played.value.is_none()).count();
        lines.push(format!("{} without a value", counted(left as u64, "move")));
    }
    // The command that shows it comes below.
    if let Some(other) = &analysed.last_game_at {
        let games = counted(other.games, "other game");
        let title = Some(&other.title).filter(|title| !title.is_empty());
        lines.push(format!(
            "last seen after move {} in {games}, the latest game {}{}",
            other.ply,
            other.game.0,
            title.map_or_else(String::new, |title| format!(": {title}"))
        ));
    }
    lines
}

/// `23. white b2 costs 8 (best g7)`.
fn worst_text(played: &AnalysedMove) -> String {
    let loss = played.loss().map_or(0.0, |loss| loss.discs());
    let best = played.value.map_or_else(String::new, |value| format!(" (best {})", value.best));
    format!("{}. {} {} costs {}{best}", played.ply, played.side(), played.square, discs(loss))
}

/// Where what does not fit on the line of a game goes on: below its players.
const BELOW: usize = 41;

/// Several games, a line each, and what they come to together.
#[derive(Default)]
pub(super) struct Totals {
    games: u64,
    black: LossSum,
    white: LossSum,
}

impl Totals {
    /// Prints a game as a line, with a head before the first.
    pub(super) fn print_line(
        &mut self,
        analysed: &AnalysedGame,
        output: &mut Output,
    ) -> io::Result<()> {
        if self.games == 0 {
            output.line("  game   black   white  worst            players")?;
        }
        self.games += 1;
        let [black, white] = [Side::Black, Side::White].map(|side| analysed.sums(side).all);
        self.black.join(black);
        self.white.join(white);
        let number = analysed.id.map_or(self.games, |id| u64::from(id.0));
        let worst = analysed.worst(1).first().map_or_else(String::new, |played| {
            let loss = played.loss().map_or(0.0, |loss| loss.discs());
            format!("{}. {} {}", played.ply, played.square, discs(-loss))
        });
        let title = title(&AnalysedGame { id: None, ..analysed.clone() });
        let line = format!(
            "{number:>6}  {:>6}  {:>6}  {worst:<15}  {title}",
            loss_text(black.discs()),
            loss_text(white.discs())
        );
        output.folded(line.trim_end(), " ", BELOW)
    }

    /// Prints what they come to together.
    pub(super) fn print(&self, output: &mut Output) -> io::Result<()> {
        if self.games < 2 {
            return Ok(());
        }
        let mean = |sum: LossSum| sum.mean().map_or_else(|| "-".to_owned(), |m| format!("{m:.2}"));
        output.line("")?;
        output.line(format_args!(
            "{}: a move costs black {} discs and white {}",
            counted(self.games, "game"),
            mean(self.black),
            mean(self.white)
        ))
    }
}
