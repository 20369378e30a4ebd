//! `rosebill info`.

mod by_discs;
mod history;

use crate::app::amounts::at_least;
use crate::app::{BookLine, Run, thin_lines};
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::hint::grow_command;
use crate::faces::render::source_text;
use crate::files::counted::{byte_size, grouped};
use crate::othello::board::Line;
use by_discs::note_empty;
use history::GROWN;
use serde::Serialize;
use std::ffi::OsString;

/// Arguments of `info`.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples: rosebill info --book my.db; rosebill info --by-discs; rosebill info --history f5 d6 c3\n\n\
    The book is thin where lines that lose little end soon: the commands that are printed grow it \
    there.\n\n\
    Growth keeps checkpoints in the book, up to 64: positions, searches, processor time, and values by \
    searches alone of the start, of all positions of the first four moves, of named openings and of \
    those that it started from. With --history they are drawn, over positions or, where those hardly \
    became more, over searches; each doubling is as wide. The exit code is 1 when there is nothing to \
    draw."
)]
pub struct Arguments {
    /// How many of the latest runs are listed
    #[arg(long, default_value_t = 10, value_name = "N", value_parser = at_least::<0, usize>)]
    runs: usize,
    /// How many of the thinnest places are listed
    #[arg(long, default_value_t = 5, value_name = "N", value_parser = at_least::<0, usize>)]
    thin: usize,
    /// Show figures by disc count, searches and sources instead
    #[arg(long, conflicts_with_all = ["runs", "thin", "history"])]
    by_discs: bool,
    /// Draw how the value of a position moved while the book grew: a line such as f5 d6 c3, an
    /// opening's name, a board, or a file of them [default: the start]
    #[arg(long, value_name = "POSITION|FILE", num_args = 0.., conflicts_with_all = ["runs", "thin"])]
    history: Option<Vec<OsString>>,
}

#[derive(Serialize)]
struct Info {
    book: String,
    bytes: u64,
    positions: u64,
    facts: u64,
    games: u64,
    search_due: u64,
    judgements: u64,
    fewest_discs: Option<u8>,
    most_discs: Option<u8>,
    sources: Vec<String>,
    thin: Vec<ThinLine>,
    runs: Vec<Run>,
}

/// A line that ends soon.
#[derive(Serialize)]
struct ThinLine {
    line: Line,
    /// Discs.
    regret: f64,
}

impl ThinLine {
    fn of(line: &BookLine) -> Self {
        let regret = (line.own_regret.discs() + line.other_regret.discs()).max(0.0);
        Self { line: Line::default().then(&line.moves), regret }
    }
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    if let Some(words) = &arguments.history {
        return history::run(words, context);
    }
    if arguments.by_discs {
        return by_discs::run(context);
    }
    let book = context.read_book()?;
    let path = book.path().to_owned();
    let counts = book.counts()?;
    let thin = thin_lines(&*book.snapshot()?, arguments.thin)?;
    let thin: Vec<ThinLine> = thin.iter().map(ThinLine::of).collect();
    let mut runs = book.runs()?;
    let [_, _, judgements] = book.count_held()?;
    let info = Info {
        book: path.display().to_string(),
        bytes: book.file_size()?,
        positions: counts.positions,
        facts: book.facts().count()?,
        games: book.games().count()?,
        search_due: counts.search_due,
        judgements,
        fewest_discs: counts.layers.first().map(|&(discs, _)| discs),
        most_discs: counts.layers.last().map(|&(discs, _)| discs),
        sources: book.sources()?.iter().map(|known| source_text(&known.source)).collect(),
        thin,
        runs: runs.split_off(runs.len().saturating_sub(arguments.runs)),
    };
    if context.output.is_json() {
        context.output.object(&info)?;
    } else {
        as_text(&info, context)?;
    }
    if info.positions == 0 {
        note_empty(context);
    }
    Ok(Status::Done)
}

fn as_text(info: &Info, context: &mut Context) -> anyhow::Result<()> {
    let output = &mut context.output;
    output.line(format_args!("book       {}", info.book))?;
    output.line(format_args!("size       {}", byte_size(info.bytes)))?;
    output.line(format_args!("positions  {}", grouped(info.positions)))?;
    if info.facts > 0 {
        output.line(format_args!("facts      {}", grouped(info.facts)))?;
    }
    if info.games > 0 {
        output.line(format_args!("games      {}", grouped(info.games)))?;
    }
    if let (Some(fewest), Some(most)) = (info.fewest_discs, info.most_discs) {
        output.line(format_args!("discs      {fewest} to {most}"))?;
    }
    output.line(format_args!(
        "to search  {} with moves that are not searched yet",
        grouped(info.search_due)
    ))?;
    if info.judgements > 0 {
        output.line(format_args!(
            "by hand    {} with a value that was set",
            grouped(info.judgements)
        ))?;
    }
    if !info.sources.is_empty() {
        output.line("\nsources")?;
    }
    for source in &info.sources {
        output.folded(&format!("  {source}"), ", ", 4)?;
    }
    if !info.thin.is_empty() {
        output.line("")?;
        output.folded(
            "thin: lines that end soon, the thinnest first (a disc given away counts as a move): what both \
             sides give away, and the command to grow",
            " ",
            2,
        )?;
        for ThinLine { line, regret } in &info.thin {
            context.print_command(&format!("{regret:.2}"), &grow_command(line, GROWN))?;
        }
    }
    let output = &mut context.output;
    if !info.runs.is_empty() {
        output.line("\nlatest runs")?;
    }
    for run in &info.runs {
        let result = run.result.as_deref().unwrap_or("not ended");
        output.folded(&format!("  {}  {}", run.started, run.command), " ", 4)?;
        output.folded(&format!("    {}; {result}", run.progress), ", ", 6)?;
    }
    Ok(())
}
