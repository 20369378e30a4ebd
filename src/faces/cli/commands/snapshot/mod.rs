//! `rosebill snapshot`.

mod restore;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Subcommand;

use crate::app::book_beside;
use crate::app::export::ExportTarget;
use crate::app::snapshot::take_snapshot_to;
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::present_file::ForceArguments;
use crate::files::counted::{byte_size, counted};

/// Arguments of `snapshot`.
#[derive(clap::Args, Debug)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(
    after_help = "Examples: rosebill snapshot backup.snapshot; rosebill snapshot restore backup.snapshot\n\n\
    It works while the book grows and holds all positions that were committed. It holds no games: \
    'rosebill games export' writes those, and a copy of the book file holds both."
)]
pub struct Arguments {
    /// The file to write, or - for standard output
    #[arg(required = true)]
    file: Option<PathBuf>,
    #[command(flatten)]
    replaced: ForceArguments,
    #[command(subcommand)]
    command: Option<Snapshot>,
}

#[derive(Subcommand, Debug)]
enum Snapshot {
    /// Restore the book from a snapshot
    Restore(restore::Arguments),
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    if let Some(Snapshot::Restore(arguments)) = &arguments.command {
        return restore::run(arguments, context);
    }
    let file = arguments.file.as_deref().context("name the file to write")?;
    arguments.replaced.check(file, None)?;
    save(file, context)
}

fn save(path: &Path, context: &mut Context) -> anyhow::Result<Status> {
    context.end_on_interrupt()?;
    if let Some(book) = book_beside(path) {
        let file = path.display();
        bail!("cannot write {file}: a file of this name belongs to the book {}", book.display());
    }
    let reader = context.read_book()?;
    let target = ExportTarget::of(path);
    let busy = context.busy("writing the snapshot", Some(reader.counts()?.positions));
    let (positions, bytes) = take_snapshot_to(&reader, &target)?;
    drop(busy);
    let (games, analysed) = (reader.games().count()?, reader.analyses().count_moves()?);
    if context.output.is_json() && target != ExportTarget::Stdout {
        context.output.object(&serde_json::json!({
            "file": path.display().to_string(),
            "positions": positions,
            "bytes": bytes,
            "games_left_out": games,
            "analysed_moves_left_out": analysed,
        }))?;
    } else {
        let (positions, size) = (counted(positions, "position"), byte_size(bytes));
        let file = path.display();
        if target == ExportTarget::Stdout {
            context.note(format_args!("{positions} in {size}"));
        } else {
            context.summary(format_args!("{file}: {positions} in {size}"))?;
        }
        if games > 0 {
            let games = counted(games, "game");
            context.note(format_args!(
                "a snapshot holds no games: the {games} of the book are not in it"
            ));
        }
        if analysed > 0 {
            let moves = counted(analysed, "analyzed move");
            context.note(format_args!(
                "a snapshot holds no analyses: the {moves} of the book are not in it"
            ));
        }
    }
    Ok(Status::Done)
}
