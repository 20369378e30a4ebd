//! `rosebill undo`.

use crate::cli::context::Context;
use crate::cli::exit::Status;
use crate::counted::counted;
use crate::ops::{Reader, StoreError, undo};

/// Arguments of `undo`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill undo\n\n\
    Brings back the book as it was before the last import, prune, merge or restore; called again it \
    takes that back. What was grown in between is not in it. Games are not touched: they stay as \
    they are now, and 'rosebill games remove --source FILE' takes out what 'games import' took in. \
    What was saved of another book that had this name is neither brought back nor lost: it is set aside \
    beside the book, for when that one is back.")]
pub struct Arguments {}

/// How much a book holds of what is taken back.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Held {
    positions: u64,
    facts: u64,
}

impl Held {
    fn of(book: &Reader) -> Result<Self, StoreError> {
        Ok(Self { positions: book.counts()?.positions, facts: book.count_facts()? })
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

pub(super) fn run(_: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    context.end_on_interrupt()?;
    let mut book = context.book().open()?;
    let before = Held::of(book.reader())?;
    undo(&mut book)?;
    let now = Held::of(book.reader())?;
    if context.output.is_json() {
        let object = serde_json::json!({
            "positions": now.positions,
            "positions_before": before.positions,
            "facts": now.facts,
            "facts_before": before.facts,
        });
        context.output.object(&object)?;
    } else {
        context.summary(format_args!("{}, as before", now.text(before)))?;
        let before = match before.facts == now.facts {
            true => before.positions.to_string(),
            false => before.text(now),
        };
        context.note(format_args!(
            "until now it had {before}, with what was grown since: 'rosebill undo' brings them back"
        ));
    }
    Ok(Status::Done)
}
