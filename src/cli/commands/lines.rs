//! `rosebill lines`.

use clap::ValueEnum;
use serde::Serialize;

use super::show::bounds_text;
use crate::board::{Line, Square};
use crate::cli::amounts::contempt;
use crate::cli::context::Context;
use crate::cli::exit::Status;
use crate::cli::json::ValuesJson;
use crate::cli::place::Place;
use crate::cli::table::Table;
use crate::games::opening_of_line;
use crate::ops::MoveKind;
use crate::ops::{BookLine, By, DrawPosition, Reader, draw_tree, lines};
use crate::score::Score;

/// Arguments of `lines`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill lines f5d6c3 --count 5 --by draw-seeking\n\n\
    Each line goes to another end, those with the smallest loss of both sides first. A line ends \
    with the first move out of the book. Values are discs for the side to move before the line.")]
pub struct Arguments {
    /// A line such as f5d6c3, or a board of 64 squares and the side to move [default: the start]
    #[arg(allow_hyphen_values = true, default_value = "", hide_default_value = true)]
    position: Place,
    /// How many lines
    #[arg(long, short = 'n', default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,
    /// The value that decides
    #[arg(long, value_enum, default_value_t = ByArgument::Guess)]
    by: ByArgument,
    /// What a draw is worth to the side to move, in discs, -100 to 100: this decides
    #[arg(
        long, value_name = "DISCS", allow_hyphen_values = true, value_parser = contempt,
        conflicts_with = "by"
    )]
    contempt: Option<Score>,
    /// Instead, list the positions from which a draw is proven or in reach (win-seeking at most 0,
    /// draw-seeking at least 0), the nearest first
    #[arg(long, conflicts_with_all = ["by", "contempt"])]
    draw_tree: bool,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum ByArgument {
    Guess,
    DrawSeeking,
    WinSeeking,
}

impl From<ByArgument> for By {
    fn from(by: ByArgument) -> Self {
        match by {
            ByArgument::Guess => Self::Guess,
            ByArgument::DrawSeeking => Self::DrawSeeking,
            ByArgument::WinSeeking => Self::WinSeeking,
        }
    }
}

#[derive(Serialize)]
struct LineJson {
    line: String,
    name: Option<&'static str>,
    regret: f64,
    own_regret: f64,
    other_regret: f64,
    values: ValuesJson,
    /// Whether the last move leads to a position of the book, too.
    in_book: bool,
    over: bool,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let book = context.read_book()?;
    let place = &arguments.position;
    if arguments.draw_tree {
        return list_draws(arguments, &book, context);
    }
    let by = arguments.contempt.map_or_else(|| arguments.by.into(), By::Contempt);
    let found = lines(&*book.snapshot()?, place.placed, arguments.count as usize, by)?;
    if found.is_empty() {
        context.note("this position is not in the book");
        return Ok(Status::NotFound);
    }
    if context.output.is_json() {
        for line in &found {
            context.output.object(&as_json(place, line))?;
        }
    } else {
        let mut table =
            Table::new(&["loss", "guess", "draw-seeking", "win-seeking", "line", "name"]);
        for line in &found {
            table.row([
                total(line).to_string().trim_start_matches('+').to_owned(),
                line.values.guess.to_string(),
                line.values.draw_seeking.to_string(),
                line.values.win_seeking.to_string(),
                moves_text(&line.moves),
                name(place, &line.moves).unwrap_or_default().to_owned(),
            ]);
        }
        context.output.line(table)?;
    }
    Ok(Status::Done)
}

fn total(line: &BookLine) -> crate::score::Score {
    let sum = line.own_regret.centidiscs().saturating_add(line.other_regret.centidiscs());
    crate::score::Score::from_centidiscs(sum)
}

fn moves_text(moves: &[Square]) -> String {
    moves.iter().map(ToString::to_string).collect()
}

/// The name of the last named position on the way, that of the moves before included.
fn name(place: &Place, moves: &[Square]) -> Option<&'static str> {
    let mut whole: Line = place.line.clone()?;
    for &square in moves {
        if !whole.push(square) {
            break;
        }
    }
    opening_of_line(&whole)
}

fn as_json(place: &Place, line: &BookLine) -> LineJson {
    LineJson {
        line: moves_text(&line.moves),
        name: name(place, &line.moves),
        regret: total(line).discs(),
        own_regret: line.own_regret.discs(),
        other_regret: line.other_regret.discs(),
        values: line.values.into(),
        in_book: line.end == MoveKind::Link,
        over: line.end == MoveKind::Terminal,
    }
}

#[derive(Serialize)]
struct DrawJson {
    line: String,
    name: Option<&'static str>,
    side: char,
    values: ValuesJson,
    proven: bool,
}

fn list_draws(
    arguments: &Arguments,
    book: &Reader,
    context: &mut Context,
) -> anyhow::Result<Status> {
    let place = &arguments.position;
    let tree = draw_tree(&*book.snapshot()?, place.placed, arguments.count as usize)?;
    if tree.positions == 0 {
        context.note("no draw is in reach from this position, or it is not in the book");
        return Ok(Status::NotFound);
    }
    let is_proven = |draw: &DrawPosition| (draw.values.lower, draw.values.upper) == (0, 0);
    if context.output.is_json() {
        for draw in &tree.first {
            context.output.object(&DrawJson {
                line: moves_text(&draw.moves),
                name: name(place, &draw.moves),
                side: draw.side.letter(),
                values: draw.values.into(),
                proven: is_proven(draw),
            })?;
        }
        return Ok(Status::Done);
    }
    let mut table =
        Table::new(&["moves", "guess", "draw-seeking", "win-seeking", "proven", "line", "name"]);
    for draw in &tree.first {
        table.row([
            draw.moves.len().to_string(),
            draw.values.guess.to_string(),
            draw.values.draw_seeking.to_string(),
            draw.values.win_seeking.to_string(),
            bounds_text(draw.values.lower, draw.values.upper),
            moves_text(&draw.moves),
            name(place, &draw.moves).unwrap_or_default().to_owned(),
        ]);
    }
    context.output.line(table)?;
    context.output.line(format_args!(
        "{} positions from which a draw is in reach, {} of them proven draws",
        tree.positions, tree.proven
    ))?;
    Ok(Status::Done)
}
