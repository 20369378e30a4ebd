//! `rosebill undo`.

use crate::app::amounts::at_least;
use crate::app::{Reader, StoreError, UndoEntry, redo, undo};
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::table::Table;
use crate::faces::render::Command;
use crate::faces::render::json::changes_json;
use crate::files::counted::{byte_size, counted, grouped};

/// Arguments of `undo`.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples: rosebill undo; rosebill undo --list; rosebill undo 7; rosebill undo --redo\n\n\
    Takes back the last change of the book's positions: growth, a learned game, 'edit set', 'edit remove', \
    'import', 'prune' or 'snapshot restore'. With a number, all changes down to and with the one of that number. --redo does the change again that \
    was taken back last; any new change ends that. What is kept for this is at most a quarter of the book, and at \
    least 64 MB: the oldest changes go first, and that is reported. Games are not touched: they stay as they are now, \
    and 'rosebill games remove --source FILE' removes what 'games import' added. What \
    'verify --recompute' and any command with --no-undo change cannot be taken back, nor the growth before it. The exit code \
    is 1 when there is nothing to take back."
)]
pub struct Arguments {
    /// The number of a change: it is taken back with all after it
    #[arg(value_name = "CHANGE", value_parser = at_least::<1, u64>)]
    change: Option<u64>,
    /// Do the change again that was taken back last
    #[arg(long, conflicts_with = "change")]
    redo: bool,
    /// Only list the changes that can be taken back or done again
    #[arg(long, conflicts_with_all = ["change", "redo"])]
    list: bool,
}

/// How much a book holds of what is taken back.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Held {
    positions: u64,
    facts: u64,
}

impl Held {
    fn of(book: &Reader) -> Result<Self, StoreError> {
        Ok(Self { positions: book.counts()?.positions, facts: book.facts().count()? })
    }

    /// `12 positions`, with the facts where they are not the same before and after.
    fn text(self, other: Self) -> String {
        let positions = counted(self.positions, "position");
        match self.facts == other.facts {
            true => positions.to_string(),
            false => format!("{positions} and {}", counted(self.facts, "fact")),
        }
    }
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    if arguments.list {
        return list(context);
    }
    context.end_on_interrupt()?;
    let mut book = context.book().open()?;
    let before = Held::of(book.reader())?;
    let turned = match arguments.redo {
        true => vec![redo(&mut book)?],
        false => undo(&mut book, arguments.change)?,
    };
    let now = Held::of(book.reader())?;
    if context.output.is_json() {
        let turned = turned.into_iter();
        let changes: Vec<UndoEntry> =
            turned.map(|entry| UndoEntry { is_undone: !entry.is_undone, ..entry }).collect();
        let object = serde_json::json!({
            "positions": now.positions,
            "positions_before": before.positions,
            "facts": now.facts,
            "facts_before": before.facts,
            "changes": changes,
        });
        context.output.object(&object)?;
        return Ok(Status::Done);
    }
    let Some(last) = turned.last() else { return Ok(Status::Done) };
    let which = if arguments.redo { "after" } else { "before" };
    let more = match turned.len() {
        1 => String::new(),
        count => format!(" and {} after it", counted(count as u64 - 1, "change")),
    };
    context.summary(format_args!(
        "{}, as {which} change {} ({}){more}",
        now.text(before),
        last.number,
        name(last)
    ))?;
    if !arguments.redo {
        let back = match (before == now, before.facts == now.facts) {
            (true, _) => "the change".to_owned(),
            (false, true) => format!("the {} it had until now", grouped(before.positions)),
            (false, false) => format!("the {} it had until now", before.text(now)),
        };
        // Each time brings one change back.
        let times = match turned.len() {
            1 => String::new(),
            count => format!(", {},", counted(count as u64, "time")),
        };
        context.note(format_args!("'undo --redo'{times} brings back {back}"));
        context.hint(&[Command::new("undo").with(["--redo"])]);
    }
    Ok(Status::Done)
}

/// What a change is called.
fn name(entry: &UndoEntry) -> &str {
    if entry.command.is_empty() { "of another program" } else { &entry.command }
}

fn list(context: &mut Context) -> anyhow::Result<Status> {
    let entries = context.read_book()?.undo_log().changes()?;
    let status = if entries.is_empty() { Status::NotFound } else { Status::Done };
    if context.output.is_json() {
        context.output.object(&changes_json(&entries))?;
        return Ok(status);
    }
    let table = |is_undone: bool| {
        let mut table = Table::new(&["change", "when", "positions", "size", "command"]);
        for entry in entries.iter().filter(|entry| entry.is_undone == is_undone) {
            let (before, after) = (entry.positions_before, entry.positions_after);
            table.row([
                entry.number.to_string(),
                entry.started.replace('T', " ").trim_end_matches('Z').to_owned(),
                match before == after {
                    true => grouped(after),
                    false => format!("{} to {}", grouped(before), grouped(after)),
                },
                byte_size(entry.bytes),
                name(entry).to_owned(),
            ]);
        }
        table
    };
    let count = |is_undone| entries.iter().filter(|entry| entry.is_undone == is_undone).count();
    if count(false) > 0 {
        context.output.line("can be undone, the oldest first; 'undo' takes back the last one:")?;
        context.output.table(&table(false))?;
    }
    if count(true) > 0 {
        context.output.line("undone; 'undo --redo' does the first one again:")?;
        context.output.table(&table(true))?;
    }
    if entries.is_empty() {
        context.note("nothing was changed that could be undone");
    }
    Ok(status)
}
