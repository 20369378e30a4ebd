//! `rosebill convert`.

use std::path::PathBuf;

use anyhow::bail;

use super::complete::CompleteArguments;
use super::export::format_to_write;
use super::export_level::{ExportLevel, level_help};
use super::filter::FilterArguments;
use super::{export, import};
use crate::app::convert::{ConvertError, convert};
use crate::app::export::{ExportOptions, ExportTarget};
use crate::app::import::ImportOptions;
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::interrupt::stop_on_interrupt;
use crate::faces::cli::present_file::ForceArguments;
use crate::faces::cli::progress::Progress;
use crate::files::books::Format;

/// Arguments of `convert`.
#[derive(clap::Args, Debug)]
#[command(
    override_usage = "rosebill convert [OPTIONS] <IN>... <OUT>",
    after_help = "Example: rosebill convert edax.dat zebra.cmp.z book.book\n\n\
    Several files become one, as by import. Your own book is not touched. --move-loss and --line-loss \
    write fewer positions, as for export."
)]
pub struct Arguments {
    /// Book files of any format that can be read, and last the file to write; - is standard output
    #[arg(required = true, value_name = "IN|OUT")]
    files: Vec<PathBuf>,
    /// The format to write [default: from the ending of OUT]
    #[arg(long, alias = "to")]
    format: Option<Format>,
    /// The format of all files to read [default: seen from each file]
    #[arg(long, value_name = "FORMAT")]
    input_format: Option<Format>,
    /// Skip bad records, with a list of them, instead of refusing their file
    #[arg(long)]
    lenient: bool,
    #[arg(long, help = level_help("as for export"))]
    level: Option<ExportLevel>,
    #[command(flatten)]
    complete: CompleteArguments,
    #[command(flatten)]
    filter: FilterArguments,
    #[command(flatten)]
    replaced: ForceArguments,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    // Options may come between the two, so the parser takes all files for one list.
    let [files @ .., target] = arguments.files.as_slice() else {
        bail!("nothing to convert: give files to read, and last the file to write");
    };
    if files.is_empty() {
        bail!(
            "{}: to which file? Give files to read, and last the file to write",
            target.display()
        );
    }
    arguments.replaced.check(target, None)?;
    let format = format_to_write(arguments.format, target)?;
    let target = ExportTarget::of(target);
    let stop = stop_on_interrupt()?;
    let reading = ImportOptions {
        format: arguments.input_format,
        lenient: arguments.lenient,
        asked: "convert".to_owned(),
        stop: stop.clone(),
        ..ImportOptions::default()
    };
    let mut writing = ExportOptions {
        filter: arguments.filter.filter(),
        complete: arguments.complete.completion(context),
        stop,
        ..ExportOptions::now(format)
    };
    if let Some(level) = arguments.level {
        level.apply(&mut writing)?;
    }
    let mut progress = Progress::new(context.quiet);
    let done = convert(files, &target, &reading, &writing, |done| {
        progress.show_share("", done, None, "record");
    });
    drop(progress);
    let (taken, written) = match done {
        Err(ConvertError::Export(error)) => return export::failed(error, context),
        Err(ConvertError::Import(error)) => return import::failed(error, files, context),
        done => done?,
    };
    if target == ExportTarget::Stdout {
        taken.files.iter().flat_map(import::lines).for_each(|line| context.note(line));
    } else {
        import::print(&taken, context)?;
    }
    export::print(&target, format, &written, context)?;
    Ok(Status::Done)
}
