//! Which openings a match is played from.

use crate::app::amounts::{whole, within};
use crate::faces::cli::context::Context;
use crate::faces::cli::output::fault;
use crate::faces::cli::progress::Progress;
use crate::files::counted::{counted, grouped};
use crate::lab::contest::{
    OpeningRequest, Pool, balanced_openings, played_openings, read_openings,
};
use crate::othello::board::Line;
use crate::othello::search::Stop;
use anyhow::{Context as _, bail};
use std::path::{Path, PathBuf};

/// The name of a list of XOT openings.
const XOT_LIST: &str = "xot.txt";

/// Plies of a game that are its opening.
const PLIES: u8 = 8;

/// Options that choose openings.
#[derive(clap::Args, Debug)]
pub(super) struct OpeningArguments {
    /// How many games a match has at most, rounded up to pairs
    #[arg(long = "limit", alias = "games", value_name = "GAMES", default_value_t = 400, value_parser = within::<u32>(1..))]
    games: u32,
    /// Where openings come from: balanced, xot (the list in xot.txt), wthor (the games of the book), or
    /// a file of positions or games
    #[arg(long, value_name = "FILE|xot|wthor|balanced", default_value = "balanced")]
    openings: PathBuf,
    /// Plies of a game that are its opening, with --openings wthor or a file [default: 8, and lines of
    /// a file with at most 30 plies whole]
    #[arg(long, value_name = "N", value_parser = within::<u8>(0..=50))]
    plies: Option<u8>,
    /// Another seed chooses other openings
    #[arg(long, default_value_t = 1, value_parser = whole)]
    seed: u64,
    /// Plies of the search that says whether an opening is balanced
    #[arg(long, default_value_t = 8, value_parser = within::<u8>(0..=60))]
    opening_depth: u8,
}

impl OpeningArguments {
    /// An option that these openings do not know would be without effect.
    pub(super) fn check_without_effect(&self) -> anyhow::Result<()> {
        if self.plies.is_some() && self.openings.as_os_str() == "balanced" {
            bail!("--plies needs --openings wthor or a file");
        }
        Ok(())
    }
}

/// The openings of a match.
pub(super) struct Chosen {
    pub lines: Vec<Line>,
    /// They are those of XOT.
    pub xot: bool,
    /// All of the file could be played from.
    pub whole: bool,
}

impl Chosen {
    const fn all(lines: Vec<Line>) -> Self {
        Self { lines, xot: false, whole: true }
    }
}

/// Finds or draws the openings that are asked for.
pub(super) fn choose(
    arguments: &OpeningArguments,
    context: &Context,
    stop: &Stop,
) -> anyhow::Result<Chosen> {
    let count = arguments.games.div_ceil(2) as usize;
    let seed = arguments.seed;
    let plies = usize::from(arguments.plies.unwrap_or(PLIES));
    let draw = |pool: &Pool, what: &str| {
        let lines = pool.draw(count, seed);
        let drawn = counted(lines.len() as u64, "opening");
        if lines.len() < pool.len() {
            let all = grouped(pool.len() as u64);
            context.note(format_args!("{drawn} drawn from {all} {what} (seed {seed})"));
        } else if lines.len() < count {
            let games = 2 * lines.len();
            context.note(format_args!("{drawn}, no more {what}: {games} games are played"));
        }
        lines
    };
    match arguments.openings.to_str() {
        Some("balanced") => {
            let depth = arguments.opening_depth;
            let mut progress = Progress::new(context.quiet);
            let request = OpeningRequest { count, seed, depth };
            let lines = balanced_openings(&request, stop, &mut |found| {
                progress.show(|| {
                    format!(
                        "{} of {}",
                        grouped(found.min(count) as u64),
                        counted(count as u64, "opening")
                    )
                });
            })?;
            drop(progress);
            if lines.len() < count && !stop.is_stopped() {
                let (found, games) = (counted(lines.len() as u64, "opening"), 2 * lines.len());
                context.note(format_args!("{found}, no more balanced: {games} games are played"));
            }
            Ok(Chosen::all(lines))
        }
        Some("xot") => {
            let list = xot_list(context)?;
            Ok(Chosen { xot: true, ..of_file(&list, arguments, plies, context, draw)? })
        }
        Some("wthor") => {
            let pool = played_openings(&context.read_book()?, plies)?;
            let games = counted(pool.added() as u64, "game");
            let lines = draw(&pool, &format!("positions after {plies} plies of {games}"));
            Ok(Chosen::all(lines))
        }
        _ => of_file(&arguments.openings, arguments, plies, context, draw),
    }
}

/// The XOT list of Matthias Berg, which is not ours to give away: in this folder, or beside the book.
fn xot_list(context: &Context) -> anyhow::Result<PathBuf> {
    let here = PathBuf::from(XOT_LIST);
    let beside = context.book_path().with_file_name(XOT_LIST);
    let found = [here, beside].into_iter().find(|list| list.is_file());
    found.with_context(|| {
        format!(
            "the XOT list of Matthias Berg is not part of rosebill: get it from \
             https://berg.earthlingz.de/xot/aboutxot.php; put it here as {XOT_LIST}, with the eight moves \
             of an opening on each line; '--openings balanced' needs no list"
        )
    })
}

fn of_file(
    path: &Path,
    arguments: &OpeningArguments,
    plies: usize,
    context: &Context,
    draw: impl Fn(&Pool, &str) -> Vec<Line>,
) -> anyhow::Result<Chosen> {
    let name = path.display();
    let file = read_openings(path, plies, arguments.plies.is_some())?;
    for found in &file.faults {
        fault(found);
    }
    let untold = file.refused - file.faults.len() as u64;
    if untold > 0 {
        fault(format_args!("{name}: {untold} more cannot be played from"));
    }
    if file.games > 0 {
        let games = counted(file.games, "game");
        context.note(format_args!("{name}: the first {plies} plies of {games}"));
    }
    let lines = draw(&file.pool, &format!("of {name}"));
    Ok(Chosen { whole: file.refused == 0, ..Chosen::all(lines) })
}
