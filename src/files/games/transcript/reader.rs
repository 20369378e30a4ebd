//! Reads transcripts line by line: what a line says is in [`super::line`], which lines are one game in
//! [`super::joiner`]; columns of moves and drawn boards are put together before.

use std::io::{BufRead, Cursor};

use super::columns::Columns;
use super::drawn::{Drawn, Row};
use super::facts_of::has_names;
use super::joiner::Joiner;
use super::moves_of::playable_alone;
use super::spelling::unquoted;
use crate::files::charset::Charset;
use crate::files::games::draft::{Draft, Drafts, Refused};
use crate::files::lines::{Letters, Lines};
use crate::othello::board::Played;

/// What the games among lines are.
fn drafts_of(lines: &[&str]) -> impl Iterator<Item = Draft> {
    let text = Cursor::new(lines.join("\n"));
    let mut reader = TranscriptReader::new(Lines::new(text, Letters::In(Charset::Utf8)));
    std::iter::from_fn(move || reader.next_draft()).flatten()
}

/// Whether a game is among lines: so many of its moves can be played, or a few behind names or a board.
pub(in crate::files::games) fn hold_a_game(lines: &[&str], moves: usize) -> bool {
    const FEW: usize = 3;
    drafts_of(lines).any(|draft| {
        let has_names = draft.game.black.name.is_some() && draft.game.white.name.is_some();
        let is_told = has_names || draft.said.has_start();
        playable_alone(&draft) >= moves
            || is_told && draft.finish(false).is_ok_and(|(game, _)| game.moves.len() >= FEW)
    })
}

/// Whether most of the games among lines are none: short, and their first move cannot be played.
pub(in crate::files::games) fn are_foreign(lines: &[&str]) -> bool {
    const SHORT: usize = 4;
    let drafts: Vec<Draft> = drafts_of(lines).filter(|draft| !draft.entries.is_empty()).collect();
    let is_foreign = |draft: &&Draft| {
        let is_square = draft.entries.iter().all(|entry| matches!(entry.played, Played::Square(_)));
        let is_bare = !has_names(draft) && !draft.said.has_start();
        is_square && is_bare && draft.entries.len() <= SHORT && playable_alone(draft) == 0
    };
    2 * drafts.iter().filter(is_foreign).count() > drafts.len()
}

pub(in crate::files::games) struct TranscriptReader<R> {
    lines: Lines<R>,
    /// Moves in columns.
    columns: Columns,
    /// Rows of a board that is being drawn.
    drawn: Drawn,
    joiner: Joiner,
    is_over: bool,
}

impl<R: BufRead> TranscriptReader<R> {
    pub(in crate::files::games) fn new(lines: Lines<R>) -> Self {
        let (columns, drawn, joiner) = (Columns::default(), Drawn::default(), Joiner::default());
        Self { lines, columns, drawn, joiner, is_over: false }
    }

    /// Takes the next line, which may be one of columns, or a row of a board.
    fn take_line(&mut self, number: u64, line: &str) {
        let line = unquoted(line);
        if self.columns.take(number, line) {
            return;
        }
        for (number, line) in self.columns.end() {
            self.take_row(number, &line);
        }
        self.take_row(number, line);
    }

    fn take_row(&mut self, number: u64, line: &str) {
        match self.drawn.take(number, line) {
            Row::Taken => return,
            Row::Board(place, board, is_taken) => {
                self.joiner.take_board(place, &board);
                if is_taken {
                    return;
                }
            }
            Row::Lines(lines) => {
                lines.iter().for_each(|(number, line)| self.joiner.take(*number, line));
            }
        }
        self.joiner.take(number, line);
    }
}

impl<R: BufRead> Drafts for TranscriptReader<R> {
    fn has_words(&self) -> bool {
        self.joiner.has_words
    }

    fn next_draft(&mut self) -> Option<Result<Draft, Refused>> {
        loop {
            if let Some(game) = self.joiner.pop() {
                return Some(game);
            }
            if self.is_over {
                return None;
            }
            match self.lines.next() {
                Some(Ok(line)) => self.take_line(self.lines.number(), &line),
                end => {
                    // An empty line ends a board.
                    self.take_line(self.lines.number(), "");
                    self.joiner.end();
                    self.is_over = true;
                    if let Some(Err(refused)) = end {
                        self.joiner.put(Err(refused));
                    }
                }
            }
        }
    }
}
