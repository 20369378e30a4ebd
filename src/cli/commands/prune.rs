//! `rosebill prune`.

use std::path::PathBuf;

use anyhow::bail;

use crate::cli::place::Place;
use crate::cli::{Context, Status};
use crate::ops::snapshot::save_for_undo;
use crate::ops::{PruneOptions, Subtree, check_prune, prune, prune_to};
use crate::store::Reader;

/// Arguments of `prune`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill prune --max-discs 30 --dry-run\n\n\
    The guesses of what stays do not change, nor does who is proven to win: a move that leads to a \
    position that goes becomes the rest of the position before it. Where several such moves come \
    together, the rest keeps one score: a proven size that is not exact is lost, and the two \
    seeking values may move a little. 'rosebill undo' takes it back.")]
pub struct Arguments {
    /// Keep positions with at most so many discs
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u8).range(4..=64))]
    max_discs: Option<u8>,
    /// Keep positions whose guess is at most so many discs from even
    #[arg(long, value_name = "DISCS", value_parser = super::grow::discs)]
    window: Option<i32>,
    /// Keep what is reached from this position, and the way to it where it is given as a line
    #[arg(long, value_name = "POSITION")]
    only: Option<Place>,
    /// Keep lines on which both sides together give away at most so many discs
    #[arg(long, value_name = "DISCS", value_parser = super::grow::discs)]
    regret: Option<i32>,
    /// Keep moves that give away at most so many discs each
    #[arg(long, value_name = "DISCS", value_parser = super::grow::discs)]
    deviate: Option<i32>,
    /// Keep the best lines only, as --regret 0
    #[arg(long, conflicts_with = "regret")]
    best: bool,
    /// Only say what would go
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
        only: arguments.only.as_ref().map(subtree).transpose()?,
        regret: if arguments.best { Some(0) } else { arguments.regret },
        deviate: arguments.deviate,
        ..PruneOptions::default()
    };
    let path = context.book_path();
    if !arguments.says_what() {
        if !arguments.compact || arguments.dry_run {
            bail!(
                "say what is to stay: --max-discs, --window, --only, --regret, --deviate or --best \
                 (--compact alone shrinks the file)"
            );
        }
        let mut book = context.open_book()?;
        book.compact()?;
        let positions = book.reader().counts()?.positions;
        if context.output.is_json() {
            let object =
                serde_json::json!({ "removed": 0, "positions": positions, "dry_run": false });
            context.output.object(&object)?;
        } else {
            context.output.line(format_args!("0 positions removed, {positions} stay"))?;
        }
        return Ok(Status::Done);
    }
    let kept = if arguments.dry_run {
        check_prune(&Reader::open(&path)?, &options)?
    } else if let Some(target) = &arguments.to {
        prune_to(&Reader::open(&path)?, &options, target)?
    } else {
        let mut book = context.open_book()?;
        let kept = check_prune(book.reader(), &options)?;
        if kept.going() > 0 {
            if !arguments.no_undo {
                save_for_undo(book.reader())?;
            }
            prune(&mut book, &kept)?;
        }
        if arguments.compact {
            book.compact()?;
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

impl Arguments {
    const fn says_what(&self) -> bool {
        self.max_discs.is_some()
            || self.window.is_some()
            || self.only.is_some()
            || self.regret.is_some()
            || self.deviate.is_some()
            || self.best
    }
}

/// What is to be kept, and the way to it where it is given as a line.
fn subtree(place: &Place) -> anyhow::Result<Subtree> {
    if place.placed.position.is_over() {
        bail!("--only: the game is over there, and no line goes on");
    }
    Ok(match &place.line {
        Some(line) => Subtree::after(line),
        None => Subtree::at(place.placed.position),
    })
}
