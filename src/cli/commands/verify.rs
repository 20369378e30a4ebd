//! `rosebill verify`.

use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::cli::context::Context;
use crate::cli::exit::Status;
use crate::counted::counted;
use crate::ops::{SalvageReport, Violation, salvage_to};

/// Arguments of `verify`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill verify\n\n\
    The exit code is 1 when an invariant does not hold.")]
pub struct Arguments {
    /// Save what can be read of a damaged book into this new one
    ///
    /// What cannot be read is taken from the snapshot of before the last import, prune, merge or
    /// restore, if there is one.
    #[arg(long, value_name = "OUT")]
    salvage: Option<PathBuf>,
}

#[derive(Serialize)]
struct VerifyJson {
    positions: u64,
    incomplete: u64,
    violations: u64,
    first: Vec<ViolationJson>,
}

#[derive(Serialize)]
struct ViolationJson {
    invariant: String,
    board: Option<String>,
    what: String,
}

impl From<&Violation> for ViolationJson {
    fn from(violation: &Violation) -> Self {
        Self {
            invariant: violation.invariant.to_string(),
            board: violation.key.map(|key| format!("{:?}", key.position())),
            what: violation.what.clone(),
        }
    }
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    if let Some(out) = &arguments.salvage {
        return save(out, context);
    }
    let report = context.read_book()?.verify()?;
    let output = &mut context.output;
    if output.is_json() {
        output.object(&VerifyJson {
            positions: report.positions,
            incomplete: report.incomplete,
            violations: report.violations,
            first: report.first.iter().map(ViolationJson::from).collect(),
        })?;
    } else {
        for violation in &report.first {
            output.line(violation)?;
        }
        let due = match report.incomplete {
            0 => String::new(),
            due => format!(", {due} with moves that are not searched yet"),
        };
        output.line(format_args!(
            "{}, {}{due}",
            counted(report.positions, "position"),
            counted(report.violations, "violation")
        ))?;
    }
    Ok(if report.is_sound() { Status::Done } else { Status::NotFound })
}

fn save(out: &Path, context: &mut Context) -> anyhow::Result<Status> {
    let saved = salvage_to(&context.book_path(), out)?;
    let SalvageReport { positions, from_snapshot, lost_positions, pages, lost_pages, meaningless } =
        saved;
    if context.output.is_json() {
        context.output.object(&serde_json::json!({
            "positions": positions,
            "from_snapshot": from_snapshot,
            "lost_positions": lost_positions,
            "pages": pages,
            "lost_pages": lost_pages,
            "meaningless_rows": meaningless,
        }))?;
        return Ok(Status::Done);
    }
    let lost = match lost_positions {
        Some(lost) => format!("{lost} lost"),
        None => "nobody can know how many are lost".to_owned(),
    };
    context.output.line(format_args!(
        "{}: {} saved, {lost}; {lost_pages} of {} could not be read",
        out.display(),
        counted(positions, "position"),
        counted(pages, "page"),
    ))?;
    if from_snapshot > 0 {
        context.output.line(format_args!(
            "{from_snapshot} of them are from the snapshot of before the last great change"
        ))?;
    }
    if meaningless > 0 {
        context.output.line(format_args!(
            "{} could be read but meant nothing",
            counted(meaningless, "row")
        ))?;
    }
    Ok(Status::Done)
}
