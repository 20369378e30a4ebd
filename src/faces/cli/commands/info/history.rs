//! `rosebill info --history`.

use std::ffi::OsString;
use std::time::Duration;

use crate::app::{PastPosition, PositionHistory, Reader, Values, history, missing_on};
use crate::faces::cli::context::Context;
use crate::faces::cli::duration::show_duration;
use crate::faces::cli::exit::Status;
use crate::faces::cli::graph::graph;
use crate::faces::cli::hint::{TRY, add_command};
use crate::faces::cli::place::Positions;
use crate::faces::cli::table::Table;
use crate::faces::figures::signed;
use crate::faces::render::json::history_json;
use crate::files::counted::{counted, grouped};
use crate::files::games::{Asked, opening_of_line};
use crate::othello::one_line::one_line;

use super::super::show::is_one;

/// New positions that growth is proposed for.
pub(super) const GROWN: u32 = 20;
/// Why none is proposed for what is proven.
const SOLVED: &str = "it is solved: growth finds no more here";
/// Rows of the table.
const LATEST: usize = 10;
/// The widest graph; where the output has no width it is as wide as a terminal usually is.
const WIDEST: usize = 120;
const USUAL: usize = 80;

pub(super) fn run(words: &[OsString], context: &mut Context) -> anyhow::Result<Status> {
    let positions = Positions::read(words, context)?;
    let book = context.read_book()?;
    let mut status = Status::Done;
    for (number, position) in positions.list.iter().enumerate() {
        let asked = &position.asked;
        let found = history(&book, asked.placed())?;
        if context.output.is_json() {
            let index = positions.index(position);
            context.output.object(&history_json(asked, index, &found))?;
        } else {
            if number > 0 {
                context.output.line("")?;
            }
            print(asked, &found, &book, context)?;
        }
        if found.valued().next().is_none() {
            status = Status::NotFound;
        }
    }
    Ok(positions.ended(status))
}

fn print(
    asked: &Asked,
    found: &PositionHistory,
    book: &Reader,
    context: &mut Context,
) -> anyhow::Result<()> {
    let name = opening_of_line(&asked.line).unwrap_or_default();
    let title = match asked.line.whole_text() {
        line if line.is_empty() => "the start".to_owned(),
        line => format!("{line}  {name}"),
    };
    context.output.folded(title.trim_end(), "  ", 2)?;
    let valued: Vec<(&PastPosition, Values)> = found.valued().collect();
    let [(first, from), .., (last, to)] = valued.as_slice() else {
        return tell_missing(asked, found, &valued, book, context);
    };
    let side = found.placed.side;
    let amount = Amount::of(&valued);
    let over = match amount {
        Amount::Positions => "positions in the book",
        Amount::Searches => "searches",
    };
    let caption = format!("guess for {side}, to move, by searches alone; over {over}");
    context.output.folded(&caption, " ", 2)?;
    context.output.line("")?;
    let width = context.output.width().unwrap_or(USUAL).min(WIDEST);
    let points: Vec<(u64, f64)> =
        valued.iter().map(|(point, values)| (amount.in_(point), values.guess.discs())).collect();
    for line in graph(&points, width) {
        context.output.line(line)?;
    }
    context.output.line("")?;
    context.output.table(&latest(&valued))?;
    context.output.line("")?;
    let text = format!(
        "{} at {}, {} at {}",
        from.guess,
        counted(first.positions, "position"),
        to.guess,
        counted(last.positions, "position"),
    );
    context.output.folded(&text, ", ", 2)?;
    context.output.folded(&lately(&valued, amount), ", ", 2)?;
    Ok(())
}

/// What the graph goes over.
#[derive(Clone, Copy)]
enum Amount {
    Positions,
    Searches,
}

impl Amount {
    /// Positions, unless the book hardly grew, which was then searched deeper, or was cut between.
    fn of(points: &[(&PastPosition, Values)]) -> Self {
        let positions =
            |point: Option<&(&PastPosition, Values)>| point.map_or(0, |(point, _)| point.positions);
        let (first, last) = (positions(points.first()), positions(points.last()));
        let was_cut = !points.is_sorted_by_key(|(point, _)| point.positions);
        let grew = last.saturating_sub(first).saturating_mul(20) >= last;
        if grew && !was_cut { Self::Positions } else { Self::Searches }
    }

    const fn in_(self, point: &PastPosition) -> u64 {
        match self {
            Self::Positions => point.positions,
            Self::Searches => point.searches,
        }
    }
}

/// The latest checkpoints, the newest last.
fn latest(valued: &[(&PastPosition, Values)]) -> Table {
    let shown = valued.get(valued.len().saturating_sub(LATEST)..).unwrap_or_default();
    let seeking = shown.iter().any(|&(_, values)| !is_one(values));
    let mut titles = vec!["positions", "searches", "CPU", "guess", "moved"];
    if seeking {
        titles.extend(["draw-\nseeking", "win-\nseeking"]);
    }
    titles.push("taken");
    let mut table = Table::new(&titles);
    let before = valued.len() - shown.len();
    for (index, (point, values)) in shown.iter().enumerate() {
        let last = (before + index).checked_sub(1).and_then(|last| valued.get(last));
        let moved = last.map(|(_, last)| values.guess.discs() - last.guess.discs());
        let moved = moved.map(|moved| if moved == 0.0 { "0".into() } else { signed(moved, 2) });
        let mut cells = vec![
            grouped(point.positions),
            grouped(point.searches),
            time_text(point.milliseconds),
            values.guess.to_string(),
            moved.unwrap_or_default(),
        ];
        if seeking {
            cells.extend([values.draw_seeking.to_string(), values.win_seeking.to_string()]);
        }
        let day = |taken: &str| one_line(taken.split('T').next().unwrap_or(taken), 10);
        cells.push(point.taken.as_deref().map_or_else(|| "now".to_owned(), day));
        table.row(cells);
    }
    table
}

/// Processor time; that of less than a minute with its tenths.
fn time_text(milliseconds: u64) -> String {
    match milliseconds {
        0..60_000 => format!("{:.1}s", milliseconds as f64 / 1000.0),
        _ => show_duration(Duration::from_millis(milliseconds)),
    }
}

/// Whether more growth still changed anything.
fn lately(valued: &[(&PastPosition, Values)], amount: Amount) -> String {
    let most = valued.last().map_or(0, |(point, _)| amount.in_(point));
    // The value that held when half of it was done counts, too.
    let half = valued.iter().rposition(|(point, _)| amount.in_(point) <= most / 2);
    let lately = valued.get(half.unwrap_or_default()..).unwrap_or_default();
    let guesses = || lately.iter().map(|(_, values)| values.guess);
    let (Some(low), Some(high)) = (guesses().min(), guesses().max()) else { return String::new() };
    let since = match (half, amount) {
        (None, _) => "since the first checkpoint",
        (_, Amount::Positions) => "since the book had half as many positions",
        (_, Amount::Searches) => "since half of the searches were done",
    };
    match low == high {
        true => format!("{since}, it was {low} all the time"),
        false => format!("{since}, it was between {low} and {high}"),
    }
}

/// Says why there is nothing to draw, and what to do.
fn tell_missing(
    asked: &Asked,
    found: &PositionHistory,
    valued: &[(&PastPosition, Values)],
    book: &Reader,
    context: &mut Context,
) -> anyhow::Result<()> {
    let missing = if found.in_book { GROWN } else { missing_on(book, &asked.line)? };
    let command = add_command(asked, missing);
    let (why, command) = match (valued, command) {
        ([(point, values)], command) => {
            let positions = counted(point.positions, "position");
            let only = format!("one checkpoint so far: {} at {positions}", values.guess);
            match command.ok().filter(|_| !found.is_solved) {
                Some(command) => (only, Some(command)),
                None => (format!("{only}; {SOLVED}"), None),
            }
        }
        _ if found.placed.position.is_over() => {
            ("the game is over here: nothing is searched".to_owned(), None)
        }
        (_, Err(why)) => (why, None),
        _ if found.is_solved => (format!("no values are kept of this position; {SOLVED}"), None),
        (_, Ok(command)) if !found.in_book => ("not in the book".to_owned(), Some(command)),
        (_, Ok(command)) if book.history().points()?.is_empty() => {
            let why = "the book has no history yet; growth keeps it from now on";
            (why.to_owned(), Some(command))
        }
        (_, Ok(command)) => {
            let why = "no values are kept of this position: only of the first four moves, of \
                       named openings, and of where growth starts";
            (why.to_owned(), Some(command))
        }
    };
    context.output.folded(&why, " ", 2)?;
    if let Some(command) = command {
        context.print_command(TRY, &command)?;
    }
    Ok(())
}
