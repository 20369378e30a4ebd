//! Lines of words beside games, which are kept with one of them.

use super::comment::is_numbering;
use super::drawn::is_frame;
use super::prose::{is_sentence, is_title};
use crate::files::games::vocabulary::label_of;
use crate::othello::one_line::one_line;

/// Lines of words that are kept with a game, and characters of each.
const MOST_WORDS: usize = 10;
const MOST_TOLD: usize = 300;

/// Lines of words since the last line of a game or the last empty one.
#[derive(Default)]
pub(super) struct Words {
    lines: Vec<String>,
    /// How many of them may be of the game above: no comments and no titles, nor what stands below such.
    below: usize,
    /// How many of them an empty line parts from what follows.
    apart: usize,
    /// Whether words stand right above the first game, none while there is no game.
    do_lead: Option<bool>,
}

impl Words {
    /// Keeps the words of a line for the game beside it, which may be the one above.
    pub(super) fn add(&mut self, line: &str, may_be_below: bool) {
        // Heads of columns are none.
        let is_label = |word: &str| label_of(word).is_some() || is_numbering(word);
        let says_more = !is_frame(line) && !line.split_whitespace().all(is_label);
        if self.lines.len() < MOST_WORDS && line.contains(char::is_alphabetic) && says_more {
            let is_below = may_be_below && self.below == self.lines.len() && !is_title(line);
            self.below += usize::from(is_below);
            self.lines.push(one_line(line.trim(), MOST_TOLD));
        }
    }

    /// Keeps comments in braces behind the first move; a whole line in braces is moves.
    pub(super) fn add_in_braces(&mut self, line: &str) {
        let mut parts = line.split('{');
        if parts.next().is_some_and(|before| !before.trim().is_empty()) {
            let inside = parts.filter_map(|part| part.split_once('}'));
            inside.for_each(|(words, _)| self.add(words, false));
        }
    }

    /// All of them, which are of one game.
    pub(super) fn all(&mut self) -> Vec<String> {
        self.below = 0;
        std::mem::take(&mut self.lines)
    }

    /// Those of the game above, if there is one and none lead, and those of the one below.
    pub(super) fn parted(&mut self, is_below_a_game: bool) -> (Vec<String>, Vec<String>) {
        let do_lead = *self.do_lead.get_or_insert(self.lines.len() > self.apart);
        let below = if is_below_a_game && !do_lead { self.below } else { 0 };
        let mut above = self.all();
        let behind = above.split_off(below);
        (above, behind)
    }

    /// Those that an empty line parts from what follows: they are of the game above, where none lead; titles, and all
    /// words where some lead, wait for the one below. Above the first game a title may be of all of them.
    pub(super) fn settled(&mut self, is_last: bool) -> Vec<String> {
        match self.do_lead {
            None => {
                self.lines.retain(|words| is_sentence(words));
                (self.below, self.apart) = (0, self.lines.len());
                Vec::new()
            }
            Some(true) if !is_last => Vec::new(),
            Some(_) => {
                let below = if is_last { self.lines.len() } else { self.below };
                let mut above = self.all();
                self.lines = above.split_off(below);
                above
            }
        }
    }
}
