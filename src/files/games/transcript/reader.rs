//! Reads transcripts line by line: what a line says is in [`super::line`], which lines are one game in
//! [`super::joined`].

use std::io::{BufRead, Cursor};

use super::blocks::Blocks;
use super::columns::Columns;
use super::comment::{COMMENT_MARKS, is_comment, is_numbering};
use super::drawn::{Drawn, Row, is_frame};
use super::joined::Open;
use super::line::{inside, read};
use super::parts::{has_names, playable_alone};
use super::prose::{is_sentence, is_title};
use super::spelling::unquoted;
use crate::files::charset::Charset;
use crate::files::fault::Place;
use crate::files::games::draft::{Draft, Drafts, Refused};
use crate::files::games::vocabulary::label_of;
use crate::files::lines::{Letters, Lines};
use crate::othello::board::Played;
use crate::othello::one_line::one_line;

/// Whether a word names a fact, or numbers, as a head of columns does.
fn is_label(word: &str) -> bool {
    label_of(word).is_some() || is_numbering(word)
}

/// Lines of words that are kept with a game, and characters of each.
const MOST_WORDS: usize = 10;
const MOST_TOLD: usize = 300;

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
    /// The number of the line that is taken.
    number: u64,
    blocks: Blocks,
    /// The game of the last line, which the next one may belong to.
    open: Option<Open>,
    /// Rows of a board that is being drawn.
    drawn: Drawn,
    /// Moves in columns.
    columns: Columns,
    /// Lines of words since the last line of a game or the last empty one.
    words: Vec<String>,
    /// How many of them may be of the game above: no comments and no titles, nor what stands below such.
    words_below: usize,
    /// How many of them an empty line parts from what follows.
    words_parted: usize,
    /// Whether words stand right above the first game, none while there is no game.
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
            columns: Columns::default(),
            words: Vec::new(),
            words_below: 0,
            words_parted: 0,
            words_lead: None,
            has_words: false,
            is_over: false,
        }
    }

    /// The next line belongs to no game before it, unless that is parted from it.
    fn close(&mut self) {
        self.open.take().into_iter().for_each(|open| self.blocks.push(open));
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
            Row::Taken => {}
            Row::Board(place, board, is_taken) => {
                let mut draft = Draft::new(place);
                draft.say("start", &board);
                match &mut self.open {
                    // A diagram of the game so far parts nothing.
                    Some(open) if draft.said.shows_the_end_of(&open.draft.entries) => {
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

    /// Ends what stands above, which words right below it belong to.
    fn take_an_empty_line(&mut self) {
        if self.open.is_none() {
            return self.settle_words(false);
        }
        let (mut words, _) = self.take_words();
        self.open.iter_mut().for_each(|open| open.words.append(&mut words));
        self.close();
    }

    /// Words that empty lines part from games are of the one above, where none lead; titles, and all words where some
    /// lead, wait for the one below. Above the first game a title may be of all of them.
    fn settle_words(&mut self, is_last: bool) {
        match self.words_lead {
            None => {
                self.words.retain(|words| is_sentence(words));
                (self.words_below, self.words_parted) = (0, self.words.len());
            }
            Some(true) if !is_last => {}
            Some(_) => {
                let (mut words, below) = self.take_words();
                if !is_last {
                    self.words = words.split_off(below);
                }
                self.blocks.say(words);
            }
        }
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
                return self.take_an_empty_line();
            }
            Some(last) => last,
        };
        let (mut words, below) = self.take_words();
        match (&mut self.open, last) {
            (Some(open), Ok(next)) if games.is_empty() && open.goes_on_with(&next, line) => {
                open.words.extend(words);
                open.append(next, line);
            }
            (above, last) => {
                let is_below = above.as_ref().is_some_and(Open::ends_with_moves);
                let do_words_lead = *self.words_lead.get_or_insert(words.len() > self.words_parted);
                if let Some(above) = above.as_mut().filter(|_| !do_words_lead) {
                    above.words.extend(words.drain(..below));
                }
                self.close();
                games.into_iter().for_each(|game| self.blocks.put(game));
                match last {
                    Ok(draft) => {
                        let mut open = Open::new(draft, line);
                        open.words.extend(words);
                        open.is_below = is_below;
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
                    self.settle_words(true);
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
