//! `rosebill info`.

use serde::Serialize;

use crate::cli::context::Context;
use crate::cli::exit::Status;
use crate::cli::source::source_text;
use crate::ops::Run;

/// Arguments of `info`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill info --book my.db")]
pub struct Arguments {
    /// How many of the latest runs are listed
    #[arg(long, default_value_t = 10, value_name = "N")]
    runs: usize,
}

#[derive(Serialize)]
struct InfoJson {
    book: String,
    bytes: u64,
    positions: u64,
    incomplete: u64,
    fewest_discs: Option<u8>,
    most_discs: Option<u8>,
    sources: Vec<String>,
    runs: Vec<RunJson>,
}

#[derive(Serialize)]
struct RunJson {
    asked: String,
    started: String,
    ended: Option<String>,
    progress: String,
    result: Option<String>,
}

impl From<Run> for RunJson {
    fn from(run: Run) -> Self {
        let Run { asked, started, ended, progress, result, .. } = run;
        Self { asked, started, ended, progress, result }
    }
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let path = context.book_path();
    let book = context.read_book()?;
    let counts = book.counts()?;
    let mut runs = book.runs()?;
    let info = InfoJson {
        book: path.display().to_string(),
        bytes: std::fs::metadata(&path).map(|file| file.len()).unwrap_or_default(),
        positions: counts.positions,
        incomplete: counts.incomplete,
        fewest_discs: counts.layers.first().map(|&(discs, _)| discs),
        most_discs: counts.layers.last().map(|&(discs, _)| discs),
        sources: book.sources()?.iter().map(|known| source_text(&known.source)).collect(),
        runs: runs
            .split_off(runs.len().saturating_sub(arguments.runs))
            .into_iter()
            .map(RunJson::from)
            .collect(),
    };
    let output = &mut context.output;
    if output.is_json() {
        output.object(&info)?;
        return Ok(Status::Done);
    }
    output.line(format_args!("book        {}", info.book))?;
    output.line(format_args!("bytes       {}", info.bytes))?;
    output.line(format_args!("positions   {}", info.positions))?;
    if let (Some(fewest), Some(most)) = (info.fewest_discs, info.most_discs) {
        output.line(format_args!("discs       {fewest} to {most}"))?;
    }
    output.line(format_args!("search due  {}", info.incomplete))?;
    output.line("sources")?;
    for source in &info.sources {
        output.line(format_args!("  {source}"))?;
    }
    output.line("latest runs")?;
    for run in &info.runs {
        let result = match &run.result {
            Some(result) => format!("{}; {result}", run.progress),
            None => format!("{}; not ended", run.progress),
        };
        output.line(format_args!("  {}  {}  ({result})", run.started, run.asked))?;
    }
    Ok(Status::Done)
}
