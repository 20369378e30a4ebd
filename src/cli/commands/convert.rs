//! `rosebill convert`.

use std::path::PathBuf;

use anyhow::Context as _;

use super::filter::FilterArguments;
use super::{export, import};
use crate::cli::context::stop_on_interrupt;
use crate::cli::progress::Progress;
use crate::cli::{Context, Status};
use crate::formats::Format;
use crate::ops::convert::{ConvertError, convert};
use crate::ops::export::{ExportError, ExportOptions, ExportTarget};
use crate::ops::import::{ImportError, ImportOptions};
use crate::search::Level;

/// Arguments of `convert`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill convert edax.dat zebra.cmp.z book.book\n\n\
    Several files become one, as by import. Your own book is not touched.")]
pub struct Arguments {
    /// Book files of any format that can be read
    #[arg(required = true, value_name = "IN")]
    files: Vec<PathBuf>,
    /// The file to write; - is standard output
    #[arg(value_name = "OUT")]
    target: PathBuf,
    /// The format to write [default: from the ending of OUT]
    #[arg(long)]
    to: Option<Format>,
    /// The format of all files to read [default: seen from each file]
    #[arg(long)]
    format: Option<Format>,
    /// Skip bad records, with a list of them, instead of refusing their file
    #[arg(long)]
    lenient: bool,
    /// Edax, Egaroucid: the level of all records [default: the one that each was searched at]
    #[arg(long)]
    level: Option<Level>,
    #[command(flatten)]
    filter: FilterArguments,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let target = ExportTarget::of(&arguments.target);
    let format = arguments.to.or_else(|| Format::of_ending(&arguments.target));
    let format = format.with_context(|| {
        format!("{}: the ending names no format: give one with --to", target.name())
    })?;
    let stop = stop_on_interrupt()?;
    let reading = ImportOptions {
        format: arguments.format,
        lenient: arguments.lenient,
        asked: "convert".to_owned(),
        stop: stop.clone(),
    };
    let writing = ExportOptions {
        level: arguments.level,
        filter: arguments.filter.filter(),
        stop,
        ..ExportOptions::now(format)
    };
    let mut progress = Progress::new(context.quiet);
    let done = convert(&arguments.files, &target, &reading, &writing, |done| {
        progress.show(|| format!("{done} records"));
    });
    drop(progress);
    if let Err(
        error @ (ConvertError::Import(ImportError::Stopped(_))
        | ConvertError::Export(ExportError::Stopped(_))),
    ) = &done
    {
        context.note(error);
        return Ok(Status::Interrupted);
    }
    let (taken, written) = done?;
    if target == ExportTarget::Stdout {
        return Ok(Status::Done);
    }
    import::print(&taken, context)?;
    export::print(&target, format, &written, context)?;
    Ok(Status::Done)
}
