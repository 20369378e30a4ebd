//! `rosebill show`.

use serde::Serialize;

use crate::board::{Bitboard, Key, Line, Side, Square};
use crate::cli::amounts::contempt;
use crate::cli::context::Context;
use crate::cli::exit::Status;
use crate::cli::json::{ChancesJson, PositionJson, ValuesJson};
use crate::cli::place::Place;
use crate::cli::source::source_text;
use crate::cli::table::Table;
use crate::games::{opening_name, opening_of_line};
use crate::ops::{BookMove, MoveKind, Searched};
use crate::ops::{By, ShowOptions, Shown, ShownMove, Trust, show};
use crate::render::board_lines;
use crate::score::Score;
use crate::search::Chances;

/// Arguments of `show`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill show f5d6c3\n\n\
    Values are discs for the side to move. The exit code is 1 when the position is not in the book.")]
pub struct Arguments {
    /// A line such as f5d6c3, or a board of 64 squares and the side to move [default: the start]
    #[arg(allow_hyphen_values = true, default_value = "", hide_default_value = true)]
    position: Place,
    /// What a draw is worth to the side to move, in discs, -100 to 100: orders the moves and leads
    /// the best line
    #[arg(long, value_name = "DISCS", allow_hyphen_values = true, value_parser = contempt)]
    contempt: Option<Score>,
    /// Follow best play to all its ends, however many, for the grade and what to remember
    #[arg(long)]
    all_ends: bool,
}

/// How far the values of a position can be trusted.
#[derive(Serialize)]
pub(super) struct TrustJson {
    grade: Option<char>,
    error: Option<f64>,
    remember: Option<u64>,
    other_remembers: Option<u64>,
}

impl From<Trust> for TrustJson {
    fn from(trust: Trust) -> Self {
        Self {
            grade: trust.grade.map(crate::ops::Grade::letter),
            error: trust.error.map(rounded),
            remember: trust.remember,
            other_remembers: trust.other_remembers,
        }
    }
}

fn rounded(error: f64) -> f64 {
    (error * 100.0).round() / 100.0
}

#[derive(Serialize)]
struct ShownJson {
    position: PositionJson,
    line: Option<String>,
    name: Option<&'static str>,
    in_book: bool,
    passed: bool,
    over: bool,
    score: Option<i8>,
    values: Option<ValuesJson>,
    chances: Option<ChancesJson>,
    depth: Option<u8>,
    selectivity: Option<u8>,
    source: Option<String>,
    #[serde(flatten)]
    trust: TrustJson,
    best_line: String,
    moves: Vec<MoveJson>,
    other_moves: Vec<String>,
}

#[derive(Serialize)]
struct MoveJson {
    #[serde(rename = "move")]
    square: String,
    in_book: bool,
    kind: &'static str,
    values: ValuesJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    worth: Option<f64>,
    chances: ChancesJson,
    error: Option<f64>,
    depth: Option<u8>,
    selectivity: Option<u8>,
    name: Option<&'static str>,
    games: u64,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let book = context.read_book()?;
    let book = book.snapshot()?;
    let place = &arguments.position;
    let mut options = ShowOptions::default();
    if let Some(draw) = arguments.contempt {
        options.by = By::Contempt(draw);
    }
    if arguments.all_ends {
        options.trust_limit = usize::MAX;
    }
    let shown = show(&*book, place.placed, &options)?;
    // After a pass the other side asks.
    let by = if shown.passed { options.by.for_opponent() } else { options.by };
    let source = match shown.view.as_ref().and_then(|view| view.node) {
        Some(node) => {
            let known = book.sources()?.into_iter().find(|known| known.id == node.searched.source);
            known.map(|known| source_text(&known.source))
        }
        None => None,
    };
    if context.output.is_json() {
        context.output.object(&as_json(place, &shown, source, by))?;
    } else {
        as_text(place, &shown, source.as_deref(), by, context)?;
    }
    let known = shown.in_book() || shown.final_score.is_some();
    Ok(if known { Status::Done } else { Status::NotFound })
}

fn name(place: &Place, shown: &Shown) -> Option<&'static str> {
    opening_name(Key::of(shown.placed.position))
        .or_else(|| place.line.as_ref().and_then(opening_of_line))
}

fn as_json(place: &Place, shown: &Shown, source: Option<String>, by: By) -> ShownJson {
    let node = shown.view.as_ref().and_then(|view| view.node);
    ShownJson {
        position: shown.placed.into(),
        line: place.line.as_ref().map(Line::to_string),
        name: name(place, shown),
        in_book: shown.in_book(),
        passed: shown.passed,
        over: shown.final_score.is_some(),
        score: shown.final_score,
        values: node.map(|node| node.values.into()),
        chances: node.and_then(|_| shown.chances()).map(ChancesJson::from),
        depth: node.map(|node| node.searched.depth),
        selectivity: node.map(|node| node.searched.selectivity.percent()),
        source,
        trust: shown.trust.into(),
        best_line: join(&shown.best_play),
        moves: shown.moves.iter().filter_map(|shown| move_json(shown, by)).collect(),
        other_moves: others(shown),
    }
}

fn others(shown: &Shown) -> Vec<String> {
    let moves = shown.moves.iter().map(|shown| &shown.found);
    moves.filter(|found| found.values.is_none()).map(|found| found.square.to_string()).collect()
}

/// The column of what moves are worth with contempt; none when guesses decide.
fn worth(found: &BookMove, by: By) -> Option<Score> {
    match by {
        By::Contempt(_) => found.values.map(|values| by.value(values)),
        _ => None,
    }
}

fn move_json(shown: &ShownMove, by: By) -> Option<MoveJson> {
    let found = &shown.found;
    Some(MoveJson {
        square: found.square.to_string(),
        in_book: found.kind == MoveKind::Link,
        kind: kind_name(found.kind),
        values: found.values?.into(),
        worth: worth(found, by).map(Score::discs),
        chances: shown.chances()?.into(),
        error: shown.error.map(rounded),
        depth: found.searched.map(|searched| searched.depth),
        selectivity: found.searched.map(|searched| searched.selectivity.percent()),
        name: move_name(found),
        games: 0,
    })
}

/// Win, draw and loss in percent.
fn chances_text(chances: Chances) -> String {
    let percent = |chance: f64| format!("{:.0}", chance * 100.0);
    format!("{}/{}/{}", percent(chances.win), percent(chances.draw), percent(chances.loss))
}

fn move_name(found: &BookMove) -> Option<&'static str> {
    found.after.position().and_then(|position| opening_name(Key::of(position)))
}

const fn kind_name(kind: MoveKind) -> &'static str {
    match kind {
        MoveKind::Link => "book",
        MoveKind::Rest => "best other",
        MoveKind::Terminal => "ends the game",
        MoveKind::Unknown => "unknown",
    }
}

fn join(moves: &[Square]) -> String {
    moves.iter().map(ToString::to_string).collect()
}

fn as_text(
    place: &Place,
    shown: &Shown,
    source: Option<&str>,
    by: By,
    context: &mut Context,
) -> anyhow::Result<()> {
    let output = &mut context.output;
    let position = shown.placed.position;
    let marked: Bitboard = if shown.final_score.is_some() { 0 } else { position.legal_moves().0 };
    let mut beside = Vec::new();
    match (&place.line, name(place, shown)) {
        (Some(line), name) if line.is_empty() => {
            beside.push(name.unwrap_or("start position").to_owned());
        }
        (Some(line), Some(name)) => beside.push(format!("{line}  {name}")),
        (Some(line), None) => beside.push(line.to_string()),
        (None, name) => beside.extend(name.map(str::to_owned)),
    }
    if shown.passed {
        beside.push(format!("{} must pass", shown.placed.side.other()));
    }
    let empties = position.empties();
    if let Some(score) = shown.final_score {
        let (own, other) = (32 + score / 2, 32 - score / 2);
        let (black, white) = match shown.placed.side {
            Side::Black => (own, other),
            Side::White => (other, own),
        };
        beside.push(format!("game over: black {black}, white {white}"));
    } else {
        beside.push(format!("{} to move, {empties} empties", shown.placed.side));
    }
    if let Some(node) = shown.view.as_ref().and_then(|view| view.node) {
        let values = node.values;
        beside.push(String::new());
        beside.push(format!("guess         {}", values.guess));
        beside.push(format!("draw-seeking  {}", values.draw_seeking));
        beside.push(format!("win-seeking   {}", values.win_seeking));
        let chances = shown.chances().map_or_else(String::new, chances_text);
        beside.push(format!("w/d/l         {chances} %"));
        beside.push(format!("proven        {}", bounds_text(values.lower, values.upper)));
        beside.push(format!("searched      {}", searched_text(node.searched, source)));
        let side = shown.placed.side;
        beside.extend(trust_lines(&shown.trust, side));
    } else if shown.final_score.is_none() {
        beside.push("not in the book".to_owned());
    }
    let board = board_lines(shown.placed, marked);
    for row in 0..board.len().max(beside.len()) {
        let left = board.get(row).map_or("", String::as_str);
        let right = beside.get(row).map_or("", String::as_str);
        output.line(format!("{left:<17}   {right}").trim_end())?;
    }
    let Some(view) = &shown.view else { return Ok(()) };
    let valued = || shown.moves.iter().filter_map(|shown| Some((shown, shown.found.values?)));
    if valued().next().is_some() {
        output.line("")?;
        let mut table = Table::new(&[
            "move",
            "guess",
            "draw-seeking",
            "win-seeking",
            "w/d/l %",
            "error",
            "proven",
            "searched",
            "",
            "name",
        ]);
        for (shown, values) in valued() {
            let found = &shown.found;
            let name = move_name(found).unwrap_or_default();
            let name = match worth(found, by) {
                Some(worth) => format!("worth {worth}  {name}"),
                None => name.to_owned(),
            };
            table.row([
                found.square.to_string(),
                values.guess.to_string(),
                values.draw_seeking.to_string(),
                values.win_seeking.to_string(),
                shown.chances().map_or_else(String::new, chances_text),
                shown.error.map_or_else(String::new, |error| format!("{error:.2}")),
                bounds_text(values.lower, values.upper),
                found.searched.map_or_else(String::new, |searched| searched_text(searched, None)),
                kind_name(found.kind).to_owned(),
                name.trim_end().to_owned(),
            ]);
        }
        output.line(table)?;
    }
    let others = others(shown);
    if !others.is_empty() && shown.in_book() {
        let rest = view.node.and_then(|node| node.rest);
        let most = rest.map_or_else(
            || "not searched yet".to_owned(),
            |rest| format!("{} at the most", rest.score),
        );
        output.line(format_args!("other moves ({most}): {}", others.join(" ")))?;
    }
    if !shown.best_play.is_empty() {
        output.line(format_args!("best line: {}", join(&shown.best_play)))?;
    }
    Ok(())
}

/// How far values can be trusted, for people; `side` is to move.
pub(super) fn trust_lines(trust: &Trust, side: Side) -> Vec<String> {
    const MANY: &str = "many ends: see --all-ends";
    let grade = trust
        .grade
        .map_or_else(|| MANY.to_owned(), |grade| format!("{}, {}", grade.letter(), grade.text()));
    let mut lines = vec![format!("best play     {grade}")];
    if let Some(error) = trust.error {
        lines.push(format!("error         {error:.2} discs expected"));
    }
    let count = |count: Option<u64>| count.map_or_else(|| "many".to_owned(), |n| n.to_string());
    let (black, white) = match side {
        Side::Black => (trust.remember, trust.other_remembers),
        Side::White => (trust.other_remembers, trust.remember),
    };
    lines.push(format!("to remember   black {}, white {}", count(black), count(white)));
    lines
}

/// Proven bounds for people.
pub(super) fn bounds_text(lower: i8, upper: i8) -> String {
    match (lower, upper) {
        (-64, 64) => String::new(),
        (0, 0) => "draw".to_owned(),
        (lower, upper) if lower == upper => format!("exactly {lower:+}"),
        (2, 64) => "won".to_owned(),
        (-64, -2) => "lost".to_owned(),
        (lower, 64) => format!("{lower:+} or more"),
        (-64, upper) => format!("{upper:+} or less"),
        (lower, upper) => format!("{lower:+} to {upper:+}"),
    }
}

fn searched_text(searched: Searched, source: Option<&str>) -> String {
    let text = format!("{}@{}%", searched.depth, searched.selectivity.percent());
    match source {
        Some(source) => format!("{text}, {source}"),
        None => text,
    }
}
