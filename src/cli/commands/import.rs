//! `rosebill import`.

use std::path::PathBuf;

use serde::Serialize;

use super::new::create;
use crate::cli::context::stop_on_interrupt;
use crate::cli::progress::Progress;
use crate::cli::{Context, Status};
use crate::formats::{DefectKind, Format};
use crate::ops::import::{FileReport, ImportError, ImportOptions, ImportReport, import_into};
use crate::store::Book;

/// Arguments of `import`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill import edax.dat --book my.db\n\n\
    Each file comes in whole or not at all. Of a position that the book has already the better \
    search is kept: a proof before an estimate, then the deeper, then our own.")]
pub struct Arguments {
    /// Book files of any format that can be read
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Their format [default: seen from each file]: edax, edax-text, ntest, egaroucid, zebra,
    /// zebra-text, zebra-cmp, zebra-cmp-z, json
    #[arg(long)]
    format: Option<Format>,
    /// Skip bad records, with a list of them, instead of refusing their file
    #[arg(long)]
    lenient: bool,
}

#[derive(Serialize)]
struct FileJson {
    file: String,
    format: &'static str,
    records: u64,
    new: u64,
    replaced: u64,
    kept: u64,
    defects: Vec<DefectJson>,
}

#[derive(Serialize)]
struct DefectJson {
    kind: &'static str,
    count: u64,
}

impl From<&FileReport> for FileJson {
    fn from(report: &FileReport) -> Self {
        Self {
            file: report.file.display().to_string(),
            format: report.format.name(),
            records: report.records,
            new: report.new,
            replaced: report.replaced,
            kept: report.kept,
            defects: report
                .defects
                .counts()
                .map(|(kind, count)| DefectJson { kind: kind.name(), count })
                .collect(),
        }
    }
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let options = ImportOptions {
        format: arguments.format,
        lenient: arguments.lenient,
        asked: std::env::args().skip(1).collect::<Vec<_>>().join(" "),
        stop: stop_on_interrupt()?,
    };
    let existed = context.book_path().symlink_metadata().is_ok();
    let mut book = match existed {
        true => Book::open(context.book_path())?,
        false => create(context)?,
    };
    let mut progress = Progress::new(context.quiet);
    let mut report = ImportReport::default();
    let done = import_into(&mut book, &arguments.files, &options, &mut report, |now| {
        progress.show(|| format!("{}: {} {}", now.file.display(), now.stage.name(), now.done));
    });
    drop(progress);
    if done.is_err() && !existed && book.reader().counts()?.positions == 0 {
        // Nothing came in: the book that was made for it goes, too.
        book.remove()?;
        return ended(done, context);
    }
    if !existed {
        context.note(format_args!("made a new book: {}", context.book_path().display()));
    }
    print(&report, context)?;
    ended(done, context)
}

fn ended(done: Result<(), ImportError>, context: &Context) -> anyhow::Result<Status> {
    match done {
        Err(error @ ImportError::Stopped(_)) => {
            context.note(error);
            Ok(Status::Interrupted)
        }
        done => Ok(done.map(|()| Status::Done)?),
    }
}

/// Tells what came of each file.
pub(super) fn print(report: &ImportReport, context: &mut Context) -> anyhow::Result<()> {
    for file in &report.files {
        if context.output.is_json() {
            context.output.object(&FileJson::from(file))?;
            continue;
        }
        let title = file.format.title();
        context.output.line(format_args!(
            "{}: {title}, {} records: {} positions new, {} replaced, {} kept",
            file.file.display(),
            file.records,
            file.new,
            file.replaced,
            file.kept
        ))?;
        for (kind, count) in file.defects.counts() {
            context.output.line(format_args!("  {count:>8} {}", kind.text()))?;
        }
        for skipped in file.defects.listed() {
            if skipped.kind == DefectKind::BadRecord {
                context.output.line(format_args!("           {skipped}"))?;
            }
        }
    }
    Ok(())
}
