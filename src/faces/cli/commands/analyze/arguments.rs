//! What `rosebill analyze` takes.

use crate::app::amounts::{at_least, level, within};
use crate::app::analysis::DEFAULT_EXACT_FROM;
use crate::app::games::GameFilter;
use crate::faces::cli::duration::parse_duration;
use crate::faces::cli::present_file::ForceArguments;
use crate::othello::search::Level;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Arguments of `analyze`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples: rosebill analyze f5d6c3d3c4f4f6g5e3\n          \
    rosebill analyze club.pgn --pgn explained.pgn\n          \
    rosebill analyze --player aspenryd --years 2010- --html aspenryd.html\n\n\
    A loss is the value of the best move less that of the move played, both known equally well: both \
    from the book where it is at least as sure as the search, both searched alike, or both exact. \
    Values are discs for the side that moves. 'book ±0.7' is the error to expect of the value, as 'show' has it \
    ('error' in JSON is the standard error, 1.25 times that). What was searched is kept in the book, and not searched \
    again unless more is asked for. The exit code is 3 when a game could not be read.")]
pub struct Arguments {
    /// A game as moves such as f5 d6 c3, or files of games, or folders of them; - is standard input
    #[arg(value_name = "GAME|FILE|FOLDER")]
    pub(super) what: Vec<OsString>,
    /// Games of the database by their numbers, as 'games list' shows them; may be repeated
    #[arg(long, value_name = "NUMBER", conflicts_with = "what", value_parser = at_least::<0, u32>)]
    pub(super) game: Vec<u32>,
    /// All games of the database
    #[arg(long, conflicts_with_all = ["what", "game"])]
    pub(super) all: bool,
    /// How many games of the database are analyzed at most, the latest first
    #[arg(long, value_name = "GAMES", value_parser = at_least::<0, usize>, conflicts_with_all = ["what", "game"])]
    pub(super) limit: Option<usize>,
    /// Level of the searches, 1 to 60 [default: 12, or what the settings say]
    #[arg(long, value_parser = level)]
    pub(super) level: Option<Level>,
    /// Solve positions with this many empty squares or fewer
    #[arg(long, value_name = "EMPTIES", default_value_t = DEFAULT_EXACT_FROM, value_parser = within::<u8>(0..=60))]
    pub(super) exact_from: u8,
    /// The longest time for a game, such as 10s or 1m: its searches are cut short to fit in
    #[arg(long, value_parser = parse_duration)]
    pub(super) time: Option<Duration>,
    /// Positions searched at once [default: the setting, else all processors]
    #[arg(long, value_parser = within::<u16>(1..=1024))]
    pub(super) threads: Option<u16>,
    /// Write the games as PGN with values and best moves in comments; - is standard output
    #[arg(long, value_name = "FILE")]
    pub(super) pgn: Option<PathBuf>,
    /// Draw how the game went, as SVG; of several games those that follow as FILE-2.svg and so on
    #[arg(long, value_name = "FILE")]
    pub(super) svg: Option<PathBuf>,
    /// Write a page with board, moves and graph, which a browser opens from disk
    #[arg(long, value_name = "FILE")]
    pub(super) html: Option<PathBuf>,
    #[command(flatten)]
    pub(super) replaced: ForceArguments,
    /// Print every move of several games, too, as of a single one
    #[arg(long)]
    pub(super) moves: bool,
    #[command(flatten)]
    pub(super) filter: GameFilter,
}

impl Arguments {
    /// The files that are to be written.
    pub(super) fn targets(&self) -> impl Iterator<Item = &Path> {
        [&self.pgn, &self.svg, &self.html].into_iter().flatten().map(PathBuf::as_path)
    }

    /// The file that two options name; what one of them writes would be lost.
    pub(super) fn named_twice(&self) -> Option<&Path> {
        let mut numbered = self.targets().enumerate();
        let is_named_later =
            |&(at, path): &_| self.targets().skip(at + 1).any(|later| later == path);
        numbered.find(is_named_later).map(|(_, path)| path)
    }

    /// Whether one of the files is standard output.
    pub(super) fn prints_a_file(&self) -> bool {
        self.targets().any(|path| path.as_os_str() == "-")
    }
}
