//! `rosebill prune`.

use crate::cli::place::Place;
use crate::cli::{Context, Status};
use crate::ops::snapshot::save_for_undo;
use crate::ops::{PruneOptions, plan_prune, prune};
use crate::store::Reader;

/// Arguments of `prune`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill prune --max-discs 30 --dry-run\n\n\
    The values of what stays do not change: a move that leads to a position that goes becomes the \
    rest of the position before it. 'rosebill undo' takes it back.")]
#[group(id = "what", required = true, multiple = true)]
pub struct Arguments {
    /// Keep positions with at most so many discs
    #[arg(long, value_name = "D", group = "what", value_parser = clap::value_parser!(u8).range(4..=64))]
    max_discs: Option<u8>,
    /// Keep positions whose guess is at most so many discs from even
    #[arg(long, value_name = "DISCS", group = "what", value_parser = super::grow::discs)]
    window: Option<i32>,
    /// Keep what is reached from this position
    #[arg(long, value_name = "POSITION", group = "what")]
    only: Option<Place>,
    /// Keep lines on which both sides together give away at most so many discs
    #[arg(long, value_name = "DISCS", group = "what", value_parser = super::grow::discs)]
    regret: Option<i32>,
    /// Keep moves that give away at most so many discs each
    #[arg(long, value_name = "DISCS", group = "what", value_parser = super::grow::discs)]
    deviate: Option<i32>,
    /// Keep the best lines only, as --regret 0
    #[arg(long, group = "what", conflicts_with = "regret")]
    best: bool,
    /// Only say what would go
    #[arg(long)]
    dry_run: bool,
    /// Do not save the book for 'undo' first
    #[arg(long)]
    no_undo: bool,
    /// Write the file anew afterwards, so that it shrinks
    #[arg(long)]
    compact: bool,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let options = PruneOptions {
        max_discs: arguments.max_discs,
        window: arguments.window,
        only: arguments.only.as_ref().map(|place| place.placed.position),
        regret: if arguments.best { Some(0) } else { arguments.regret },
        deviate: arguments.deviate,
    };
    let path = context.book_path();
    let kept = if arguments.dry_run {
        plan_prune(&Reader::open(&path)?, &options)?
    } else {
        let mut book = context.open_book()?;
        let kept = plan_prune(book.reader(), &options)?;
        if kept.staying() == 0 && kept.going() > 0 {
            anyhow::bail!("nothing would stay: the position that is kept is not in the book");
        }
        if kept.going() > 0 {
            if !arguments.no_undo {
                save_for_undo(book.reader())?;
            }
            prune(&mut book, &kept)?;
            if arguments.compact {
                book.compact()?;
            }
        }
        kept
    };
    let (stay, go) = (kept.staying(), kept.going());
    if context.output.is_json() {
        context.output.object(&serde_json::json!({
            "removed": go,
            "positions": stay,
            "dry_run": arguments.dry_run,
        }))?;
        return Ok(Status::Done);
    }
    if arguments.dry_run {
        context.output.line("discs        stay          go")?;
        for (discs, staying, count) in kept.by_layer().filter(|&(_, stay, all)| stay != all) {
            context
                .output
                .line(format_args!("{discs:>5} {staying:>11} {:>11}", count - staying))?;
        }
        context.output.line(format_args!("{go} positions would go, {stay} would stay"))?;
    } else {
        context.output.line(format_args!("{go} positions removed, {stay} stay"))?;
    }
    Ok(Status::Done)
}
