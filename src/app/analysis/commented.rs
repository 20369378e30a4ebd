//! Analysed games as PGN with comments.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::app::output::{ExportTarget, Output};
use crate::files::games::commented_pgn;
use crate::othello::score::Score;

use super::analysed_game::AnalysedGame;
use super::analysed_move::AnalysedMove;

/// A PGN file of analysed games, which takes its name when it is complete.
pub(crate) struct CommentedPgn {
    output: Output,
    writer: BufWriter<File>,
}

impl CommentedPgn {
    /// Begins a file; `-` is standard output.
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        let output = Output::create(&ExportTarget::of(path))?;
        let writer = output.writer()?;
        Ok(Self { output, writer })
    }

    /// Writes a game. A move that costs something is followed by what it costs in discs and by the best
    /// move: `{-3.2; best d7}`.
    pub(crate) fn write(&mut self, analysed: &AnalysedGame) -> io::Result<()> {
        let comments: Vec<Option<String>> = analysed.moves.iter().map(comment).collect();
        self.writer.write_all(commented_pgn(&analysed.game, &comments).as_bytes())
    }

    /// Puts the file in its place.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.writer.flush()?;
        drop(self.writer);
        self.output.finish().map(|_| ())
    }
}

/// `-3.2; best d7`; none where the move costs nothing, or that is unknown.
fn comment(played: &AnalysedMove) -> Option<String> {
    let value = played.value.filter(|value| value.loss() > Score::ZERO)?;
    Some(format!("{}; best {}", -value.loss(), value.best))
}
