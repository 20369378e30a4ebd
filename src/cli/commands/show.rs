//! `rosebill show`.

use serde::Serialize;

use crate::board::{Bitboard, Key, Line, Side, Square};
use crate::book::{BookMove, MoveKind, Searched};
use crate::cli::json::{ChancesJson, PositionJson, ValuesJson};
use crate::cli::place::Place;
use crate::cli::source::source_text;
use crate::cli::table::Table;
use crate::cli::{Context, Status};
use crate::games::{opening_name, opening_of_line};
use crate::ops::{Shown, move_chances, show};
use crate::render::board_lines;
use crate::search::Chances;
use crate::store::Reader;

/// Arguments of `show`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill show f5d6c3\n\n\
    Values are discs for the side to move. The exit code is 1 when the position is not in the book.")]
pub struct Arguments {
    /// A line such as f5d6c3, or a board of 64 squares and the side to move [default: the start]
    #[arg(allow_hyphen_values = true, default_value = "", hide_default_value = true)]
    position: Place,
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
    chances: ChancesJson,
    depth: Option<u8>,
    selectivity: Option<u8>,
    name: Option<&'static str>,
    games: u64,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let book = Reader::open(context.book_path())?;
    let book = book.snapshot()?;
    let place = &arguments.position;
    let shown = show(&*book, place.placed)?;
    let source = match shown.view.as_ref().and_then(|view| view.node) {
        Some(node) => {
            let known = book.sources()?.into_iter().find(|known| known.id == node.searched.source);
            known.map(|known| source_text(&known.source))
        }
        None => None,
    };
    if context.output.is_json() {
        context.output.object(&as_json(place, &shown, source))?;
    } else {
        as_text(place, &shown, source.as_deref(), context)?;
    }
    let known = shown.in_book() || shown.final_score.is_some();
    Ok(if known { Status::Done } else { Status::NotFound })
}

fn name(place: &Place, shown: &Shown) -> Option<&'static str> {
    opening_name(Key::of(shown.placed.position))
        .or_else(|| place.line.as_ref().and_then(opening_of_line))
}

fn as_json(place: &Place, shown: &Shown, source: Option<String>) -> ShownJson {
    let node = shown.view.as_ref().and_then(|view| view.node);
    let moves = shown.view.iter().flat_map(|view| &view.moves);
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
        best_line: join(&shown.best_play),
        moves: moves.clone().filter_map(move_json).collect(),
        other_moves: moves
            .filter(|found| found.values.is_none())
            .map(|found| found.square.to_string())
            .collect(),
    }
}

fn move_json(found: &BookMove) -> Option<MoveJson> {
    Some(MoveJson {
        square: found.square.to_string(),
        in_book: found.kind == MoveKind::Link,
        kind: kind_name(found.kind),
        values: found.values?.into(),
        chances: move_chances(found)?.into(),
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
    let valued = || view.moves.iter().filter_map(|found| Some((found, found.values?)));
    if valued().next().is_some() {
        output.line("")?;
        let mut table = Table::new(&[
            "move",
            "guess",
            "draw-seeking",
            "win-seeking",
            "w/d/l %",
            "proven",
            "searched",
            "",
            "name",
        ]);
        for (found, values) in valued() {
            table.row([
                found.square.to_string(),
                values.guess.to_string(),
                values.draw_seeking.to_string(),
                values.win_seeking.to_string(),
                move_chances(found).map_or_else(String::new, chances_text),
                bounds_text(values.lower, values.upper),
                found.searched.map_or_else(String::new, |searched| searched_text(searched, None)),
                kind_name(found.kind).to_owned(),
                move_name(found).unwrap_or_default().to_owned(),
            ]);
        }
        output.line(table)?;
    }
    let others: Vec<_> = view
        .moves
        .iter()
        .filter(|found| found.values.is_none())
        .map(|found| found.square.to_string())
        .collect();
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
