//! `rosebill edit remove`.

use anyhow::bail;

use crate::app::{Removed, remove_position, remove_source, removed_with};
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::render::Command;
use crate::files::counted::{counted, grouped};
use crate::files::games::Asked;

/// Arguments of `edit remove`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples: rosebill edit remove f5d6c3 --below\n          \
    rosebill edit remove --source bad-book.dat\n\n\
    When a position is removed, the search of the position before it values the move again; where that search \
    did not cover the move, a new one is due. Unlike 'prune', nothing is kept of what the position was worth. \
    'rosebill undo' takes it back. Games stay as they are.")]
pub struct Arguments {
    /// The position: a line of moves, an opening's name or a board
    #[arg(value_name = "POSITION", required_unless_present = "source", conflicts_with = "source")]
    position: Option<Asked>,
    /// Remove all that is only reached through it, too
    #[arg(long)]
    below: bool,
    /// Remove what came from one import: the name of its file, or of its program
    #[arg(long, value_name = "NAME", conflicts_with = "below")]
    source: Option<String>,
    /// Only report what would be removed
    #[arg(long)]
    dry_run: bool,
    /// Do not save the book for 'undo' first
    #[arg(long)]
    no_undo: bool,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    context.end_on_interrupt()?;
    let book = context.book();
    let undo = !arguments.no_undo;
    let removed = match (&arguments.position, &arguments.source) {
        (Some(asked), _) if arguments.dry_run => {
            let gone = removed_with(&book.read()?, asked.placed().position, arguments.below)?;
            Removed { positions: gone.len() as u64, ..Removed::default() }
        }
        (Some(asked), _) => {
            remove_position(&mut book.open()?, asked.placed().position, arguments.below, undo)?
        }
        (None, Some(source)) => remove_source(&mut book.open()?, source, undo, arguments.dry_run)?,
        (None, None) => bail!("say what is to be removed: a position, or --source NAME"),
    };
    let Removed { positions, changed, due, facts } = removed;
    if context.output.is_json() {
        context.output.object(&serde_json::json!({
            "removed": positions,
            "changed": changed,
            "facts": facts,
            "search_due": due,
            "dry_run": arguments.dry_run,
        }))?;
        return Ok(Status::Done);
    }
    let gone = counted(positions, "position");
    let changed = match changed {
        0 => String::new(),
        changed => format!(", {} changed", grouped(changed)),
    };
    let gone = match facts {
        0 => gone.to_string(),
        facts => format!("{gone} and {}", counted(facts, "fact")),
    };
    if arguments.dry_run {
        context.output.line(format_args!("{gone} would be removed{changed}"))?;
        return Ok(Status::Done);
    }
    context.summary(format_args!("{gone} removed{changed}"))?;
    if due > 0 {
        let each = if due == 1 { "it" } else { "them" };
        let due = counted(due, "search");
        context.note(format_args!("{due} due now: growth does {each} when it comes there"));
        context.hint(&[Command::new("grow")]);
    }
    Ok(Status::Done)
}
