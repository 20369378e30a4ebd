//! `rosebill discover draws`.

use std::ffi::OsString;

use crate::app::amounts::within;
use crate::app::{Reader, draw_tree, missing_on};
use crate::faces::cli::commands::lines::{LineTable, note_missing};
use crate::faces::cli::commands::show::bounds_text;
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::place::Positions;
use crate::faces::render::json::draw_json;
use crate::files::counted::counted;
use crate::files::games::Asked;

/// Arguments of `discover draws`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill discover draws tiger --limit 100\n\n\
    A draw is in reach where the win-seeking value is at most 0 and the draw-seeking value at least 0. The exit code \
    is 1 when there is none.")]
pub struct Arguments {
    /// A line such as f5 d6 c3, an opening's name, a board, or a file with one of them on each line (- for standard input) [default: the start]
    #[arg(value_name = "POSITION|FILE")]
    position: Vec<OsString>,
    /// How many positions
    #[arg(long, short = 'n', value_name = "N", default_value_t = 10, value_parser = within::<u32>(1..))]
    limit: u32,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let positions = Positions::read(&arguments.position, context)?;
    let book = context.read_book()?;
    positions.answer_each(
        context,
        |_| String::new(),
        |position, index, context| list(arguments, &position.asked, index, &book, context),
    )
}

/// Lists positions, the nearest first; false where there is none.
fn list(
    arguments: &Arguments,
    asked: &Asked,
    index: Option<usize>,
    book: &Reader,
    context: &mut Context,
) -> anyhow::Result<bool> {
    let book = book.snapshot()?;
    let tree = draw_tree(&*book, asked.placed(), arguments.limit as usize)?;
    if tree.positions == 0 {
        if asked.placed().position.can_move() && missing_on(&*book, &asked.line)? == 0 {
            context.note("no draw is in reach from this position");
        } else {
            note_missing(&book, asked, context)?;
        }
        return Ok(false);
    }
    if context.output.is_json() {
        for draw in &tree.first {
            context.output.object(&draw_json(asked, index, draw))?;
        }
        return Ok(true);
    }
    let values = tree.first.iter().map(|draw| (draw.values, draw.searched_values));
    let mut table = LineTable::new("moves", values, Some("proven"));
    for draw in &tree.first {
        let proven = bounds_text(draw.values.lower, draw.values.upper);
        let values = (draw.values, draw.searched_values);
        table.row(draw.moves.len().to_string().into(), values, Some(proven), asked, &draw.moves);
    }
    table.print(asked, context)?;
    context.output.folded(
        &format!(
            "{} from which a draw is in reach, {} of them proven draws",
            counted(tree.positions, "position"),
            tree.proven
        ),
        ", ",
        2,
    )?;
    Ok(true)
}
