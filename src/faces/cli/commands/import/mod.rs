//! `rosebill import`.

mod rosebill_books;

use std::path::PathBuf;

use anyhow::bail;
use serde::Serialize;

use super::dry_run;
use crate::app::FileKind;
use crate::app::import::{FileReport, ImportError, ImportOptions, ImportReport, import_at};
use crate::app::json::object;
use crate::app::{FactReport, LessSure};
use crate::faces::cli::context::{BeginArguments, Context};
use crate::faces::cli::exit::Status;
use crate::faces::cli::output::tell;
use crate::faces::cli::progress::Progress;
use crate::faces::cli::wrong_file::{Takes, or_right_command};
use crate::files::books::{Format, WITHOUT_LEVELS};
use crate::files::counted::{counted, grouped};
use crate::othello::one_line::one_line;
use crate::othello::search::Level;

/// Arguments of `import`.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples: rosebill import edax.dat; rosebill import friend.db --dry-run\n\n\
    Each file is imported whole or not at all; --dry-run reports what would change. Of each position the deepest, \
    surest search of each move is kept, whatever the order of the files, and everything that is proven. \
    A move to a position that is less sure than the search above it is held until it is as sure \
    ('rosebill show' prints the command that makes it count): shallow searches never overrule a deep one. \
    'rosebill undo' undoes the import of all files.\n\n\
    Other rosebill books are imported all together or none, with their games and analyses; \
    'undo' leaves those games. The history of their growth (info --history) stays with them.\n\n\
    A table of facts, what others have proven, is a CSV file whose first line names its columns: \
    board or line, side, proven_lower and proven_upper, or proven_value. Example: rosebill import \
    proven.csv --book my.db. Facts add no positions; each takes effect once its position is in the \
    book. One that contradicts a proof of our own or an earlier fact is refused. The exit code is 3 \
    when a fact was refused or a piece of a file was skipped."
)]
pub struct Arguments {
    /// Books of rosebill and book files of any format that can be read; the first bad one ends the import, and those before it are kept
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[arg(long, help = format_help())]
    format: Option<Format>,
    /// Skip bad records and bad lines of facts, with a list of them, instead of refusing their file
    #[arg(long)]
    lenient: bool,
    /// Only report what would change
    #[arg(long, conflicts_with = "no_undo")]
    dry_run: bool,
    #[arg(long, help = format!(
        "The level of positions of old {WITHOUT_LEVELS}, which name none [default: none, values of 0 plies]"
    ))]
    level: Option<Level>,
    /// Do not save the book for 'undo' first
    #[arg(long)]
    no_undo: bool,
    #[command(flatten)]
    begin: BeginArguments,
}

fn format_help() -> String {
    let names = Format::names().replace(", csv", "");
    format!("Their format [default: seen from each file]: {names}; csv is a table of facts")
}

/// The most characters of the names of files that were not tried.
const MOST_TOLD: usize = 400;

fn file_json(report: &FileReport) -> impl Serialize + '_ {
    let defects = report.defects.counts().map(|(kind, count)| {
        let listed = report.defects.listed().iter();
        let told = listed.filter(|defect| kind.is_told() && defect.kind == kind);
        let told: Vec<String> = told.map(ToString::to_string).collect();
        // The first of them, of kinds of which each is worth a message.
        object! { kind: kind.name(), count, examples?: Some(told).filter(|told| !told.is_empty()) }
    });
    object! {
        file: report.file.display().to_string(),
        format: report.format.name(),
        records: report.records,
        new: report.new,
        replaced: report.replaced,
        kept: report.kept,
        less_sure: report.less_sure.count,
        facts?: report.facts.as_ref(),
        defects: defects.collect::<Vec<_>>(),
    }
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    if arguments.files.iter().any(|file| file.as_os_str() == "-") {
        bail!("name a file: a book is not read from standard input");
    }
    // Where nothing can be read, no book is made.
    if !arguments.dry_run && arguments.files.iter().any(|file| file.exists()) {
        context.begin_book(arguments.begin)?;
    }
    context.end_on_interrupt()?;
    let is_ours = |file: &&PathBuf| matches!(FileKind::of_file(file), Ok(FileKind::Book));
    let (ours, others): (Vec<_>, Vec<_>) = match arguments.format {
        Some(_) => (Vec::new(), arguments.files.clone()),
        None => arguments.files.iter().cloned().partition(|file| is_ours(&file)),
    };
    let mut status = Status::Done;
    if !ours.is_empty() {
        status = rosebill_books::run(&ours, arguments, context)?;
    }
    if !others.is_empty() {
        let imported = import_files(&others, arguments, context)?;
        status = if imported == Status::Done { status } else { imported };
    }
    Ok(status)
}

/// Imports files of other programs, one after the other.
fn import_files(
    files: &[PathBuf],
    arguments: &Arguments,
    context: &mut Context,
) -> anyhow::Result<Status> {
    let options = ImportOptions {
        format: arguments.format,
        lenient: arguments.lenient,
        dry_run: arguments.dry_run,
        level: arguments.level,
        undo: !arguments.no_undo,
        asked: context.asked().to_owned(),
        stop: context.book().stop,
    };
    let book = context.book();
    let mut progress = Progress::new(context.quiet);
    let mut report = ImportReport::default();
    let done = import_at(&book, files, &options, &mut report, |now| {
        let before = format!("{}: {} ", now.file.display(), now.stage.name());
        progress.show_share(&before, now.done, now.of, "record");
    });
    drop(progress);
    if report.is_new_book {
        context.note_new_book(0);
    }
    print(&report, context)?;
    if let Some(differs) = &report.would_change {
        dry_run::print(differs, context)?;
    }
    for refused in report.not_believed.iter().take(FactReport::EXAMPLES) {
        context.note(format_args!("not believed: {refused}"));
    }
    match done {
        Ok(()) if report.is_partial() => Ok(Status::Partly),
        Ok(()) => Ok(Status::Done),
        Err(error) => {
            // What came after a file that is bad was not looked at.
            let is_of_file = matches!(error, ImportError::Format(_));
            let after = files.get(report.files.len() + 1..).unwrap_or_default();
            match failed(error, files, context) {
                Err(error) if is_of_file && !after.is_empty() => {
                    context.failure(error.as_ref());
                    let names: Vec<_> =
                        after.iter().map(|file| file.display().to_string()).collect();
                    tell(format_args!("not tried: {}", one_line(&names.join(", "), MOST_TOLD)));
                    Ok(Status::Failed)
                }
                ended => ended,
            }
        }
    }
}

/// What an import that failed means for the exit code.
pub(super) fn failed(
    error: ImportError,
    files: &[PathBuf],
    context: &Context,
) -> anyhow::Result<Status> {
    match error {
        ImportError::Stopped(_) => {
            context.note(error);
            Ok(Status::Interrupted)
        }
        error @ ImportError::Format(_) => {
            let files = files.iter().map(PathBuf::as_path);
            Err(or_right_command(error.into(), Takes::OtherBooks, files))
        }
        error => Err(error.into()),
    }
}

/// Reports the result of each file.
pub(super) fn print(report: &ImportReport, context: &mut Context) -> anyhow::Result<()> {
    for file in &report.files {
        if context.output.is_json() {
            context.output.object(&file_json(file))?;
        } else {
            for line in lines(file) {
                context.summary(line)?;
            }
        }
    }
    Ok(())
}

/// The result of facts, for people.
pub(super) fn fact_lines(name: &str, facts: &FactReport) -> Vec<String> {
    let FactReport { stated, new, in_book, known, refused, examples } = facts;
    let mut lines = vec![format!(
        "{name}: {}: {} new ({} of positions of the book), {} known, {} refused",
        counted(*stated, "fact"),
        grouped(*new),
        grouped(*in_book),
        grouped(*known),
        grouped(*refused),
    )];
    lines.extend(examples.iter().map(|refused| format!("  refused: {refused}")));
    lines
}

/// What it means that less is proven of some positions; none where there are none.
pub(super) fn less_sure(values: LessSure) -> Option<String> {
    let LessSure { count, most } = values;
    (count > 0).then(|| {
        format!(
            "{} less sure than before, by {most} discs at most: other moves are best there now, which are not \
             searched as deep yet; 'grow' searches them first",
            counted(count, "value")
        )
    })
}

/// The result of a file, for people.
pub(super) fn lines(file: &FileReport) -> Vec<String> {
    let name = file.file.display();
    let FileReport { format, records, new, replaced, kept, facts, defects, .. } = file;
    let mut lines = Vec::new();
    if *format != Format::Csv {
        lines.push(format!(
            "{name}: {}, {}: {} new, {} replaced, {} kept",
            format.title(),
            counted(*records, "record"),
            counted(*new, "position"),
            grouped(*replaced),
            grouped(*kept),
        ));
    }
    lines.extend(less_sure(file.less_sure).map(|lost| format!("  {lost}")));
    if let Some(facts) = facts {
        lines.extend(fact_lines(&name.to_string(), facts));
    }
    for (kind, count) in defects.counts() {
        let text = kind.text();
        lines.push(match text.split_once(": ").filter(|_| !kind.is_of_the_file()) {
            Some((what, done)) => format!("  {what}: {} ({done})", grouped(count)),
            None => format!("  {text}"),
        });
        let told = defects.listed().iter().filter(|defect| kind.is_told() && defect.kind == kind);
        lines.extend(told.map(|defect| format!("    {defect}")));
    }
    lines
}
