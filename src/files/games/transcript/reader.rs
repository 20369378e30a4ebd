//! Reads transcripts line by line: what a line says is in [`super::line`], which lines are one game in
//! [`super::joined`].

use std::io::BufRead;

use super::blocks::Blocks;
use super::comment::{COMMENT_MARKS, is_comment, is_numbering};
use super::drawn::{Drawn, Row, is_frame};
use super::joined::Open;
use super::line::{inside, read};
use super::prose::is_title;
use crate::files::fault::Place;
use crate::files::games::draft::{Draft, Drafts, Refused};
use crate::files::games::vocabulary::label_of;
use crate::files::lines::Lines;
use crate::othello::one_line::one_line;

/// Whether a word names a fact, or numbers, as a head of columns does.
fn is_label(word: &str) -> bool {
    label_of(word).is_some() || is_numbering(word)
}

/// Lines of words that are kept with a game, and characters of each.
const MOST_WORDS: usize = 10;
const MOST_TOLD: usize = 300;

pub(in crate::files::games) struct TranscriptReader<R> {
    lines: Lines<R>,
    /// The number of the line that is taken.
    number: u64,
    blocks: Blocks,
    /// The game of the last line, which the next one may belong to.
    open: Option<Open>,
    /// Rows of a board that is being drawn.
    drawn: Drawn,
    /// Lines of words since the last line of a game or the last empty one.
    words: Vec<String>,
    /// How many of them may be of the game above: no comments and no titles, nor what stands below such.
    words_below: usize,
    /// Whether words stand above the first game, none while there is no game.
    words_lead: Option<bool>,
    has_words: bool,
    is_over: bool,
}

impl<R: BufRead> TranscriptReader<R> {
    pub(in crate::files::games) fn new(lines: Lines<R>) -> Self {
        Self {
            lines,
            number: 0,
            blocks: Blocks::default(),
            open: None,
            drawn: Drawn::default(),
            words: Vec::new(),
            words_below: 0,
            words_lead: None,
            has_words: false,
            is_over: false,
        }
    }

    /// The next line belongs to no game before it, unless that is parted from it.
    fn close(&mut self) {
        self.open.take().into_iter().for_each(|open| self.blocks.push(open));
    }

    /// Takes the next line, which may be a row of a board.
    fn take_line(&mut self, number: u64, line: &str) {
        match self.drawn.take(number, line) {
            Row::Taken => {}
            Row::Board(place, board, is_taken) => {
                let mut draft = Draft::new(place);
                draft.say("start", &board);
                match &mut self.open {
                    // A diagram of the game so far parts nothing.
                    Some(open) if draft.said.shows_the_end_of(&open.draft().entries) => {
                        open.put_drawn();
                    }
                    _ => {
                        self.close();
                        let first = board.lines().next().unwrap_or_default();
                        self.open = Some(Open::new(draft, first));
                    }
                }
                if !is_taken {
                    self.take(number, line);
                }
            }
            Row::Lines(lines) => {
                lines.iter().for_each(|(number, line)| self.take(*number, line));
                self.take(number, line);
            }
        }
    }

    /// Keeps the words of a line for the game beside it, which may be the one above.
    fn keep_words(&mut self, line: &str, may_be_below: bool) {
        let says_more = !is_frame(line) && !line.split_whitespace().all(is_label);
        if self.words.len() < MOST_WORDS && line.contains(char::is_alphabetic) && says_more {
            let is_below = may_be_below && self.words_below == self.words.len() && !is_title(line);
            self.words_below += usize::from(is_below);
            self.words.push(one_line(line.trim(), MOST_TOLD));
        }
    }

    /// The words that wait, and how many of them may be of the game above.
    fn take_words(&mut self) -> (Vec<String>, usize) {
        (std::mem::take(&mut self.words), std::mem::take(&mut self.words_below))
    }

    /// Takes the games of a line.
    fn take(&mut self, number: u64, line: &str) {
        self.number = number;
        if self.open.as_mut().is_some_and(|open| open.takes_the_end(line)) {
            return;
        }
        let mut games = read(line, Place::Line(number));
        if !games.is_empty() {
            // Behind the first move; a whole line in braces is moves.
            let mut parts = line.split('{');
            let is_begun = parts.next().is_some_and(|before| !before.trim().is_empty());
            let inside = parts.filter(|_| is_begun).filter_map(|part| part.split_once('}'));
            inside.for_each(|(words, _)| self.keep_words(words, false));
        }
        let last = match games.pop() {
            // A comment parts nothing.
            None if !line.trim().is_empty()
                && (is_comment(inside(line)) || is_comment(line.trim())) =>
            {
                return self.keep_words(line.trim().trim_start_matches(COMMENT_MARKS), false);
            }
            None if !line.trim().is_empty() => {
                self.has_words = true;
                self.keep_words(line, true);
                self.open.iter_mut().for_each(Open::part);
                return if self.open.is_none() {
                    self.blocks.part()
                };
            }
            None => {
                let (mut words, _) = self.take_words();
                self.open.iter_mut().for_each(|open| open.say(std::mem::take(&mut words)));
                return self.close();
            }
            Some(last) => last,
        };
        let (mut words, below) = self.take_words();
        match (&mut self.open, last) {
            (Some(open), Ok(next)) if games.is_empty() && open.goes_on_with(&next, line) => {
                open.say(words);
                open.append(next, line);
            }
            (above, last) => {
                let is_below = above.as_ref().is_some_and(Open::ends_with_moves);
                let do_words_lead = *self.words_lead.get_or_insert(!words.is_empty());
                if let Some(above) = above.as_mut().filter(|_| !do_words_lead) {
                    above.say(words.drain(..below).collect());
                }
                self.close();
                games.into_iter().for_each(|game| self.blocks.put(game));
                match last {
                    Ok(draft) => {
                        let mut open = Open::new(draft, line);
                        open.say(words);
                        if is_below {
                            open.put_below();
                        }
                        if self.blocks.await_moves() {
                            open.name_above();
                        }
                        self.open = Some(open);
                    }
                    refused => self.blocks.put(refused),
                }
            }
        }
    }
}

impl<R: BufRead> Drafts for TranscriptReader<R> {
    fn has_words(&self) -> bool {
        self.has_words || self.blocks.has_words
    }

    fn next_draft(&mut self) -> Option<Result<Draft, Refused>> {
        loop {
            if let Some(game) = self.blocks.pop() {
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
                    self.is_over = true;
                    self.blocks.end();
                    if let Some(Err(refused)) = end {
                        self.blocks.put(Err(refused));
                    }
                }
            }
        }
    }
}
