//! `rosebill prune`.

use crate::app::amounts::{at_least, discs, within};
use crate::app::{PruneOptions, RegretLimits, Subtree, check_prune, compact, prune_book, prune_to};
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::losses::given;
use crate::faces::cli::table::Table;
use crate::files::counted::{counted, grouped};
use crate::files::games::Asked;
use anyhow::{Context as _, bail};
use std::path::PathBuf;

/// Arguments of `prune`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples: rosebill prune --max-discs 30 --dry-run\n          \
             rosebill prune --move-loss black:0,white:3 --dry-run\n\n\
    The smaller the losses, the fewer positions stay: of the 217,902 of the starter 1,289 with \
    --move-loss 0, 8,020 with black:0,white:3 (Black's best moves, and all of White's within 3 discs), \
    140,253 with 3. With --least-games a position stays that enough games \
    reach by different moves, though those before it go. All that is asked for must hold.\n\n\
    For moves that are cut off, the position before them keeps one record: the best of the moves that counted there and of its \
    own search, as deep as the shallowest of them. So the guesses of what stays do not change, nor do \
    proven wins; a proven size that is not exact may be lost, and the two seeking values may move a \
    little. Moves that were held leave nothing, and 'rosebill edit remove' keeps nothing of what it takes out. \
    This is about what was searched: what follows from proofs of others \
    below the cut is known again once growth comes there. 'rosebill undo' takes it back. Games stay as they are, and \
    come along into a new file (--to).")]
pub struct Arguments {
    /// Keep positions with at most this many discs
    #[arg(long, value_name = "D", value_parser = within::<u8>(4..=64))]
    max_discs: Option<u8>,
    /// Keep positions whose guess is at most this many discs from even
    #[arg(long, value_name = "DISCS", value_parser = discs)]
    window: Option<i32>,
    /// Keep what is reached from this position, and the way to it where it is given as a line
    #[arg(long, alias = "only", value_name = "POSITION")]
    from: Option<Asked>,
    /// Keep the start, and positions that this many games of the book reach
    #[arg(long, value_name = "N", value_parser = at_least::<1, u64>)]
    least_games: Option<u64>,
    #[command(flatten)]
    losses: RegretLimits,
    /// Only report what would be removed
    #[arg(long)]
    dry_run: bool,
    /// Do not save the book for 'undo' first
    #[arg(long)]
    no_undo: bool,
    /// Write the file anew afterwards, so that it shrinks; alone it does only that
    #[arg(long)]
    compact: bool,
    /// Write what stays into this new file, and leave the book as it is
    #[arg(long, value_name = "NEWFILE", conflicts_with_all = ["no_undo", "compact", "dry_run"])]
    to: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let options = PruneOptions {
        max_discs: arguments.max_discs,
        window: arguments.window,
        only: arguments.from.as_ref().map(subtree).transpose()?,
        limits: arguments.losses,
        least_games: arguments.least_games,
        min_level: None,
    };
    context.end_on_interrupt()?;
    let book = context.book();
    if !arguments.says_what() {
        if !arguments.compact || arguments.dry_run {
            bail!(
                "nothing to prune by: give --max-discs, --window, --from, --move-loss, --line-loss or \
                 --least-games (--compact alone shrinks the file)"
            );
        }
        let busy = context.busy("writing the book anew", None);
        let stay = compact(&mut book.open()?)?;
        drop(busy);
        return print(arguments, 0, stay, context);
    }
    let positions = book.read()?.count_positions()?;
    // What stays is chosen, the book is saved for 'undo', what goes is removed, values are found anew.
    let saves = !arguments.no_undo && arguments.to.is_none();
    let reads = if arguments.dry_run { 1 } else { 3 + u64::from(saves) };
    let busy = context.busy_reading("cutting the book down", Some(positions), reads);
    let kept = if arguments.dry_run {
        check_prune(&book.read()?, &options)?
    } else if let Some(target) = &arguments.to {
        prune_to(&book.read()?, &options, target)?
    } else {
        let mut book = book.open()?;
        let kept = prune_book(&mut book, &options, !arguments.no_undo)?;
        if arguments.compact
            && let Err(error) = compact(&mut book)
        {
            drop(busy);
            print(arguments, kept.going(), kept.staying(), context)?;
            return Err(error).context("pruned, but the file could not be made smaller");
        }
        kept
    };
    drop(busy);
    if arguments.dry_run && kept.going() > 0 && !context.output.is_json() {
        let mut table = Table::new(&["discs", "stay", "go"]);
        for (discs, staying, count) in kept.by_layer().filter(|&(_, stay, all)| stay != all) {
            table.row([discs.to_string(), grouped(staying), grouped(count - staying)]);
        }
        context.output.table(&table)?;
    }
    print(arguments, kept.going(), kept.staying(), context)
}

/// Reports what went and what stays. Into a new file nothing went: there the others are left out.
fn print(
    arguments: &Arguments,
    going: u64,
    staying: u64,
    context: &mut Context,
) -> anyhow::Result<Status> {
    if context.output.is_json() {
        let mut object = serde_json::json!({
            "removed": if arguments.to.is_some() { 0 } else { going },
            "positions": staying,
            "dry_run": arguments.dry_run,
        });
        if let Some(target) = &arguments.to {
            object["book"] = target.display().to_string().into();
            object["left_out"] = going.into();
        }
        context.output.object(&object)?;
        return Ok(Status::Done);
    }
    let gone = counted(going, "position");
    if let Some(target) = &arguments.to {
        let written = counted(staying, "position");
        context.summary(format_args!(
            "{}: {written}, {} left out",
            target.display(),
            grouped(going)
        ))?;
        context.summary(format_args!("{} is as it was", context.book_path().display()))?;
    } else if arguments.dry_run {
        context.output.line(format_args!("{gone} would go, {} would stay", grouped(staying)))?;
    } else {
        let stay = if staying == 1 { "stays" } else { "stay" };
        context.summary(format_args!("{gone} removed, {} {stay}", grouped(staying)))?;
    }
    Ok(Status::Done)
}

impl Arguments {
    fn says_what(&self) -> bool {
        self.max_discs.is_some()
            || self.window.is_some()
            || self.from.is_some()
            || self.least_games.is_some()
            || given(self.losses).iter().any(|&(_, given)| given)
    }
}

/// What is to be kept, and the way to it where it is given as a line.
fn subtree(asked: &Asked) -> anyhow::Result<Subtree> {
    if asked.placed().position.is_over() {
        bail!("--from: the game is over there, and no line goes on");
    }
    Ok(Subtree::after(&asked.line))
}
