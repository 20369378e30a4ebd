//! A shown position for people.

use crate::app::games::{GameStats, Tally};
use crate::app::{
    Bounds, By, HeldMove, Judgement, MoveKind, ProvenHere, Shown, ShownMove, Sure, Trust, Values,
};
use crate::faces::cli::board::{last_move, painted_board};
use crate::faces::cli::context::Context;
use crate::faces::cli::hint::{line_of, not_in_book};
use crate::faces::cli::table::Table;
use crate::faces::cli::terminal::folded;
use crate::faces::figures::{signed, whole_percents};
use crate::faces::render::{
    Paint, Painted, move_name, name, others, passed, raise_command, searched, unsearched, worth,
};
use crate::files::counted::{counted, grouped};
use crate::files::games::Asked;
use crate::othello::board::{Line, Side, Square};
use crate::othello::search::{Chances, Selectivity};

/// Where the text beside the board begins.
const BESIDE: usize = 20;
/// Before an expected error.
const PLUS_MINUS: char = '\u{b1}';
/// How wide the titles beside the board are.
const TITLE: usize = 15;

/// What stands for the moves that led to a board that was set up.
const SET_UP: &str = "set-up board";

pub(super) struct Printed<'a> {
    pub(super) asked: &'a Asked,
    pub(super) shown: &'a Shown,
    /// The program that searched it.
    pub(super) source: Option<&'a str>,
    /// What facts say of it.
    pub(super) proven: &'a ProvenHere,
    pub(super) by: By,
    /// The line to it of which the book has all positions.
    pub(super) way: &'a Line,
    /// So many positions are missing to have it in the book.
    pub(super) missing: u32,
    /// What was played, where something was.
    pub(super) played: Option<&'a GameStats>,
}

/// Prints a position: its board, what is known of it, and its moves, the best first.
pub(super) fn print(printed: &Printed<'_>, context: &mut Context) -> anyhow::Result<()> {
    let &Printed { asked, shown, source, proven, by, way, missing, played } = printed;
    let valued: Vec<(&ShownMove, Values)> =
        shown.moves.iter().filter_map(|shown| Some((shown, shown.found.values?))).collect();
    let mut marks = last_move(asked);
    let best = valued.first().map(|(shown, _)| (shown.found.square, Paint::Best));
    marks.extend(best);
    let board = painted_board(shown.placed, &marks);
    let own = context.own_book();
    let output = &mut context.output;
    let room = output.width().map_or(usize::MAX, |width| width.saturating_sub(BESIDE).max(40));
    let beside: Vec<String> = beside(asked, shown, source, proven, played)
        .into_iter()
        .flat_map(|(text, indent)| folded(&text, ", ", indent, room))
        .collect();
    for row in 0..board.len().max(beside.len()) {
        let right = beside.get(row).filter(|right| !right.is_empty());
        output.painted(&match (board.get(row).cloned(), right) {
            (Some(left), Some(right)) => left.then(None, format!("   {right}")),
            (None, Some(right)) => format!("{:BESIDE$}{right}", "").into(),
            (left, None) => left.unwrap_or_default(),
        })?;
    }
    if !asked.is_from_the_start() {
        output.folded(&format!("board: {}", asked.line.whole_text()), " ", 2)?;
    }
    if !valued.is_empty() {
        output.line("")?;
        output.table(&Moves { valued: &valued, by, played }.table())?;
    }
    for (shown, _) in &valued {
        let Some(held) = &shown.held else { continue };
        let square = shown.found.square;
        output.folded(&held_text(square, held), ", ", 2)?;
        if held.raised_by.is_some() {
            let line = line_of("to make it count", &raise_command(way, square), &own);
            output.line(line)?;
        }
    }
    let unsearched = unsearched(shown);
    let mut covered = others(shown);
    covered.retain(|square| !unsearched.contains(square));
    let mut list = |title: &str, squares: &[Square]| match squares.is_empty() || !shown.in_book() {
        true => Ok(()),
        false => {
            let squares: Vec<String> = squares.iter().map(Square::to_string).collect();
            output.folded(&format!("{title}: {}", squares.join(" ")), " ", 2)
        }
    };
    if let Some(rest) = shown.view.as_ref().and_then(|view| view.node?.rest()) {
        list(&format!("other moves, worth {} or less", rest.score), &covered)?;
    }
    list("moves not searched yet", &unsearched)?;
    if let Some(played) = played {
        let is_valued = |square: Square| {
            played.of_move(square).is_some_and(|known| {
                valued.iter().any(|(shown, _)| {
                    played.of_move(shown.found.square).is_some_and(|other| other == known)
                })
            })
        };
        let also: Vec<String> = played
            .moves
            .iter()
            .filter(|known| !is_valued(known.square))
            .map(|known| format!("{} {}", known.square, known.tally.games))
            .collect();
        if !also.is_empty() {
            output.folded(&format!("also played (games): {}", also.join(", ")), ", ", 2)?;
        }
    }
    if !shown.best_play.is_empty() {
        let line = asked.line.then(&shown.best_play).whole_text();
        output.folded(&format!("best line: {}", parted(&line, shown.best_play.len())), " ", 2)?;
    }
    if !shown.in_book() && shown.final_score.is_none() {
        context.answer(&not_in_book(asked, missing))?;
    }
    Ok(())
}

/// A line whose last moves are set apart from those that were asked for.
pub(in crate::faces::cli::commands) fn parted(line: &str, last: usize) -> String {
    let (asked, played) = line.split_at(line.len().saturating_sub(2 * last));
    format!("{} {played}", asked.trim_end()).trim_start().to_owned()
}

/// The lines beside the board, each with the indent of what does not fit on it.
fn beside(
    asked: &Asked,
    shown: &Shown,
    source: Option<&str>,
    proven: &ProvenHere,
    played: Option<&GameStats>,
) -> Vec<(String, usize)> {
    let mut lines: Vec<(String, usize)> = Vec::new();
    let name = name(asked, shown);
    match (asked.is_from_the_start(), asked.line.is_empty()) {
        (true, true) => lines.push((name.unwrap_or("start position").to_owned(), 0)),
        (is_from_the_start, has_no_moves) => {
            let moves = match (is_from_the_start, has_no_moves) {
                (true, _) => asked.line.to_string(),
                (false, true) => SET_UP.to_owned(),
                (false, false) => format!("{SET_UP}, then {}", asked.line),
            };
            let text = format!("{moves}  {}", name.unwrap_or_default());
            lines.push((text.trim().to_owned(), 0));
        }
    }
    if passed(asked, shown) {
        lines.push((format!("{} must pass", shown.placed.side.other()), 0));
    }
    let side = shown.placed.side;
    if let Some(score) = shown.final_score {
        let (own, other) = (32 + score / 2, 32 - score / 2);
        let (black, white) = match side {
            Side::Black => (own, other),
            Side::White => (other, own),
        };
        lines.push((format!("game over: black {black}, white {white}"), 0));
    } else {
        lines.push((
            format!("{side} to move, {}", counted(shown.placed.position.empties(), "empty")),
            0,
        ));
    }
    if shown.in_book() {
        lines.push((String::new(), 0));
    }
    let mut add = |title: &str, text: &str| {
        if !text.is_empty() {
            lines.push((format!("{title:<TITLE$}{text}"), TITLE));
        }
    };
    if let Some(node) = shown.view.as_ref().and_then(|view| view.node) {
        let values = node.values;
        add("guess", &guess_text(values, shown.searched_values, proven));
        if !is_one(values) {
            add("draw-seeking", &values.draw_seeking.to_string());
            add("win-seeking", &values.win_seeking.to_string());
        }
        let chances = shown.chances().map(|chances| format!("{} %", chances_text(chances)));
        add("win/draw/loss", &chances.unwrap_or_default());
        add("proven", &bounds_text(values.lower, values.upper));
        add("set by hand", &shown.judgement.as_ref().map(judgement_text).unwrap_or_default());
        for (title, text) in trust_lines(&shown.trust, side) {
            add(title, &text);
        }
        let (depth, percent) = (node.searched.depth, node.searched.selectivity.percent());
        let by = source.map_or_else(String::new, |source| format!(", {source}"));
        add(
            "searched",
            &format!("{depth}@{percent}% ({}, selectivity {percent} %){by}", counted(depth, "ply")),
        );
    }
    if let Some(Bounds { lower, upper }) = proven.bounds {
        add("proven", &format!("{}, by {}", bounds_text(lower, upper), proven.by.join(" and ")));
    }
    if let Some(GameStats { tally, .. }) = played {
        let results = [tally.black, tally.draw, tally.white].map(|count| count as f64);
        let [black, draw, white] = whole_percents(results);
        let score = tally
            .mean_score()
            .map_or_else(String::new, |mean| format!(", score {}", signed(mean, 1)));
        add("games", &format!("{}, black {black}/{draw}/{white} %{score}", grouped(tally.games)));
    }
    lines
}

/// The guess; where facts make a difference, what searches alone say beside it, and whose facts.
fn guess_text(values: Values, searched: Option<Values>, proven: &ProvenHere) -> String {
    let guess = values.guess;
    let Some(searched) = searched else { return guess.to_string() };
    let with_facts = if values.is_exact() { "proven" } else { "with facts" };
    let by = proven.by.join(" and ");
    format!("{} searched, {guess} {with_facts}, by {by}", searched.guess)
}

/// Whether the three values are one, as they are where nothing is proven.
pub(in crate::faces::cli::commands) fn is_one(values: Values) -> bool {
    values.guess == values.draw_seeking && values.guess == values.win_seeking
}

/// The moves of a position that have a value, with what else their table shows.
struct Moves<'a> {
    valued: &'a [(&'a ShownMove, Values)],
    by: By,
    played: Option<&'a GameStats>,
}

/// A column of the table of moves; what is the same in all rows has none.
struct Column {
    title: &'static str,
    is_wanted: fn(&Moves<'_>) -> bool,
    cell: fn(&Moves<'_>, &ShownMove, Values) -> String,
}

const COLUMNS: [Column; 14] = [
    Column {
        title: "move",
        is_wanted: |_| true,
        cell: |_, shown, _| shown.found.square.to_string(),
    },
    Column { title: "guess", is_wanted: |_| true, cell: |_, _, values| values.guess.to_string() },
    Column {
        title: "by\nsearch",
        is_wanted: |moves| moves.any(|shown, _| shown.searched_values.is_some()),
        cell: |_, shown, values| shown.searched_values.unwrap_or(values).guess.to_string(),
    },
    Column {
        title: "draw-\nseeking",
        is_wanted: |moves| moves.any(|_, values| !is_one(values)),
        cell: |_, _, values| values.draw_seeking.to_string(),
    },
    Column {
        title: "win-\nseeking",
        is_wanted: |moves| moves.any(|_, values| !is_one(values)),
        cell: |_, _, values| values.win_seeking.to_string(),
    },
    Column {
        title: "worth",
        is_wanted: |moves| matches!(moves.by, By::Contempt(_)),
        cell: |moves, shown, _| text(worth(&shown.found, moves.by)),
    },
    Column {
        title: "w/d/l %",
        is_wanted: |_| true,
        cell: |_, shown, _| text(shown.chances().map(chances_text)),
    },
    Column {
        title: "sure\n(\u{b1})",
        is_wanted: |_| true,
        cell: |_, shown, _| text(shown.sure.map(|sure| sure.evidence)),
    },
    Column {
        title: "as\nply",
        is_wanted: |_| true,
        cell: |_, shown, _| text(shown.sure.map(|sure| sure.plies)),
    },
    Column {
        title: "searched",
        is_wanted: |_| true,
        cell: |_, shown, values| known_by(shown, values),
    },
    Column {
        title: "book",
        is_wanted: |moves| moves.any(|shown, _| book_word(shown) != "yes"),
        cell: |_, shown, _| book_word(shown).to_owned(),
    },
    Column {
        title: "games",
        is_wanted: |moves| moves.played.is_some(),
        cell: |moves, shown, _| grouped(moves.tally(shown).unwrap_or_default().games),
    },
    Column {
        title: "score\n(black)",
        is_wanted: |moves| moves.played.is_some(),
        cell: |moves, shown, _| {
            text(moves.tally(shown).and_then(|tally| Some(signed(tally.mean_score()?, 1))))
        },
    },
    Column {
        title: "name",
        is_wanted: |moves| moves.any(|shown, _| move_name(&shown.found).is_some()),
        cell: |_, shown, _| text(move_name(&shown.found)),
    },
];

/// Nothing where there is nothing.
fn text(known: Option<impl ToString>) -> String {
    known.map_or_else(String::new, |known| known.to_string())
}

impl Moves<'_> {
    fn any(&self, is_so: fn(&ShownMove, Values) -> bool) -> bool {
        self.valued.iter().any(|&(shown, values)| is_so(shown, values))
    }

    fn tally(&self, shown: &ShownMove) -> Option<Tally> {
        Some(self.played?.of_move(shown.found.square)?.tally)
    }

    fn table(&self) -> Table {
        let wanted = || COLUMNS.iter().filter(|column| (column.is_wanted)(self));
        let mut table = Table::new(&wanted().map(|column| column.title).collect::<Vec<_>>());
        let best = self.valued.iter().map(|&(_, values)| self.by.value(values)).max();
        for &(shown, values) in self.valued {
            // The move and its value are painted by what it gives away.
            let loss = best.map_or(0.0, |best| best.discs() - self.by.value(values).discs());
            let paint = Paint::of_loss(loss);
            table.row(wanted().map(|column| {
                let is_painted = ["move", "guess"].contains(&column.title);
                Painted::new(paint.filter(|_| is_painted), (column.cell)(self, shown, values))
            }));
        }
        table
    }
}

/// Whether a move leads to a position of the book.
fn book_word(shown: &ShownMove) -> &'static str {
    match shown.found.kind {
        MoveKind::Link => "yes",
        MoveKind::Held => MoveKind::Held.name(),
        MoveKind::Terminal => MoveKind::Terminal.name(),
        MoveKind::Rest => "no",
        MoveKind::Unknown => "no, searched now",
    }
}

/// What is proven of a move, else how it was searched.
fn known_by(shown: &ShownMove, values: Values) -> String {
    match bounds_text(values.lower, values.upper) {
        exact if exact.starts_with("exactly") => "exact".to_owned(),
        proven if !proven.is_empty() => proven,
        _ => searched(shown)
            .map_or_else(String::new, |(depth, selectivity)| searched_text(depth, selectivity)),
    }
}

fn searched_text(depth: u8, selectivity: Selectivity) -> String {
    format!("{depth}@{}%", selectivity.percent())
}

/// Win, draw and loss in percent.
fn chances_text(chances: Chances) -> String {
    let [win, draw, loss] = whole_percents([chances.win, chances.draw, chances.loss]);
    format!("{win}/{draw}/{loss}")
}

/// How sure a value is, for people.
fn sure_text(sure: Sure) -> String {
    match sure.is_exact() {
        true => "exact".to_owned(),
        false => format!(
            "{PLUS_MINUS}{} discs, as a search of {}",
            sure.evidence,
            counted(sure.plies, "ply")
        ),
    }
}

/// Why a move to a position of the book does not count: what that is worth, and what the search says that is
/// surer.
fn held_text(square: Square, held: &HeldMove) -> String {
    let sure = held.sure.map_or_else(String::new, |sure| format!(", {}", sure_text(sure)));
    let (depth, selectivity) = (held.record.searched.depth, held.record.searched.selectivity);
    let at_most = if held.is_best { "" } else { " or less" };
    format!(
        "held: {square} leads to {}{sure}; the search here, {}, is surer ({PLUS_MINUS}{}) and says {}{at_most}",
        held.values.guess,
        searched_text(depth, selectivity),
        held.record_sure.evidence,
        held.record.rest.score
    )
}

/// What a person said, for people.
fn judgement_text(Judgement { score, day, author }: &Judgement) -> String {
    let by = if author.is_empty() { String::new() } else { format!(" by {author}") };
    format!("{score}{by}, {day}")
}

/// How far values can be trusted, for people, with titles; `side` is to move.
pub(in crate::faces::cli::commands) fn trust_lines(
    trust: &Trust,
    side: Side,
) -> Vec<(&'static str, String)> {
    let grade = trust.grade.map(|grade| format!("{}: {}", grade.letter(), grade.text()));
    let mut lines: Vec<(&str, String)> =
        grade.map(|grade| ("best play", grade)).into_iter().collect();
    lines.extend(trust.sure.map(|sure| ("sure", sure_text(sure))));
    let (black, white) = match side {
        Side::Black => (trust.to_learn, trust.other_to_learn),
        Side::White => (trust.other_to_learn, trust.to_learn),
    };
    let learned = black.zip(white);
    let learned = learned
        .map(|(black, white)| format!("black {black}, white {}", counted(white, "position")));
    lines.extend(learned.map(|learned| ("to learn", learned)));
    lines
}

/// Proven bounds for people.
pub(in crate::faces::cli::commands) fn bounds_text(lower: i8, upper: i8) -> String {
    match (lower, upper) {
        (-64, 64) => String::new(),
        (0, 0) => "draw".to_owned(),
        (lower, upper) if lower == upper => format!("exactly {lower:+}"),
        (2, 64) => "won".to_owned(),
        (-64, -2) => "lost".to_owned(),
        (0, 64) => "not lost".to_owned(),
        (-64, 0) => "not won".to_owned(),
        (lower, 64) => format!("{lower:+} or more"),
        (-64, upper) => format!("{upper:+} or less"),
        (lower, upper) => format!("{lower:+} to {upper:+}"),
    }
}
