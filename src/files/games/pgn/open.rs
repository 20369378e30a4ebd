//! A game in PGN on its way: what its tags and moves have said, and whether the next line goes on with it.

use std::io::BufRead;

use super::ahead::Ahead;
use super::outcome::Told;
use super::tag::{begins_a_tag, tag};
use super::text::{begins_as_moves, is_prose, whole_result, word_end};
use super::words::{Words, of_variation};
use crate::files::fault::Place;
use crate::files::games::draft::{Draft, Refused};
use crate::files::games::refused::{Note, Why};
use crate::files::games::remarks::{Item, MOST_ITEMS, comment};
use crate::files::games::result_words::read_result;
use crate::othello::one_line::one_line;

/// Characters of an unreadable tag that are shown.
const MOST_TOLD: usize = 60;

/// Names of tags that are known again; those of which a header begins are among the first.
const MOST_NAMES: usize = 50;

/// Tags that only games of chess or bridge have.
const OF_OTHER_GAMES: [&str; 5] = ["ECO", "WhiteFideId", "BlackFideId", "Dealer", "Deal"];

/// Tags that name the game, and words for ours.
const OF_KIND: [&str; 4] = ["Variant", "GameType", "Game", "Event"];
const OTHELLO: [&str; 4] = ["othello", "reversi", "flipello", "flipp"];

/// Variations inside variations; what is deeper is left out.
const DEEPEST: usize = 200;

/// Unreadable tags of a game that are reported.
const MOST_NOTES: usize = 10;

/// A game as far as it has been read.
pub(super) struct Open {
    draft: Draft,
    /// A tag that only games of chess or bridge have, and whether another one says that it is ours.
    of_another_game: Option<String>,
    is_said_to_be_othello: bool,
    /// The last tag, when nothing closed it.
    cut: Option<(u64, String)>,
    names: Vec<String>,
    result: String,
    told: Told,
    /// Players, and what stands between them, where tags name none.
    above: Option<[String; 3]>,
    /// Whether an empty line followed the tags.
    pub(super) blank: bool,
    /// Whether an empty line follows what was read last.
    pub(super) gap: bool,
    has_moves: bool,
    /// Whether a comment stands behind tags.
    is_commented: bool,
    words: Words,
    /// Whether a comment is open.
    pub(super) in_comment: bool,
    /// Whether the end of the comment has been seen, in a line that has not been taken yet.
    is_closed: bool,
    /// Parentheses of variations that are open.
    depth: usize,
    /// What is in them, the innermost last; those that are too deep are in none.
    variations: Vec<Vec<Item>>,
    /// What the open comment has said so far.
    comment: String,
    /// The line of the comment or variation that was opened last, outside of all others.
    opened: u64,
}

impl Open {
    /// Nothing of a game yet, at this line.
    pub(super) fn at(line: u64) -> Self {
        Self {
            draft: Draft::new(Place::Line(line)),
            of_another_game: None,
            is_said_to_be_othello: false,
            cut: None,
            names: Vec::new(),
            result: String::new(),
            told: Told::default(),
            above: None,
            blank: false,
            gap: false,
            has_moves: false,
            is_commented: false,
            words: Words::default(),
            in_comment: false,
            is_closed: false,
            depth: 0,
            variations: Vec::new(),
            comment: String::new(),
            opened: line,
        }
    }

    /// Whether a line of tags begins another game: behind moves, or where a header begins anew.
    pub(super) fn ends_before(&self, tags: &str) -> bool {
        let again =
            || tag(tags).is_some_and(|(name, _, _)| self.names.iter().any(|known| known == name));
        self.has_moves || ((self.blank || self.is_commented) && again())
    }

    /// Whether moves or a result have been read, so that more tags are another game's.
    pub(super) const fn is_over(&self) -> bool {
        self.has_moves
    }

    /// Whether nothing of a game has come yet, and no comment is open.
    pub(super) fn is_between_games(&self) -> bool {
        !self.is_game() && !self.in_comment && self.depth == 0
    }

    /// Whether no move has come yet.
    pub(super) const fn awaits_moves(&self) -> bool {
        !self.has_moves && !self.in_comment && self.depth == 0
    }

    /// Takes the players of a line above the moves.
    pub(super) fn named_above(&mut self, names: [&str; 3]) {
        self.above = Some(names.map(str::to_owned));
    }

    /// Whether a line is text behind the moves of a game that nothing ends.
    pub(super) fn ends_before_prose(&self, text: &str) -> bool {
        let is_open = self.in_comment || self.depth > 0;
        self.gap
            && !is_open
            && !self.draft.entries.is_empty()
            && is_prose(text)
            && read_result(text).is_none()
    }

    /// Whether a line that begins like a tag is a part of a comment. Behind one that nothing closes come the
    /// games that follow.
    pub(super) fn is_comment<R: BufRead>(&mut self, line: &str, lines: &mut Ahead<R>) -> bool {
        if !self.in_comment {
            return false;
        }
        let is_tag = tag(line).is_some();
        self.is_closed |= is_tag && !self.is_closed && lines.closes_a_comment(line);
        self.is_closed || !is_tag
    }

    /// Whether there is more than comments, which may come between games.
    pub(super) fn is_game(&self) -> bool {
        (self.has_moves && !self.draft.entries.is_empty())
            || self.cut.is_some()
            || !self.names.is_empty()
    }

    /// Takes the tags of a line; returns the moves behind them.
    pub(super) fn tags<'a>(&mut self, mut text: &'a str, line: u64) -> Option<&'a str> {
        if !self.is_game() {
            (self.draft.place, self.in_comment, self.depth) = (Place::Line(line), false, 0);
            // Between games there are no variations; a comment is of the game below.
            self.draft.remarks.retain(|(_, item)| matches!(item, Item::Comment(_)));
            self.variations.clear();
            self.comment.clear();
        }
        self.drop_cut();
        while text.starts_with('[') {
            let Some((name, value, rest)) = tag(text) else {
                self.cut = Some((line, text.to_owned()));
                return None;
            };
            self.fact(name, &value);
            text = rest.trim_start();
        }
        Some(text).filter(|text| begins_as_moves(text))
    }

    fn fact(&mut self, name: &str, value: &str) {
        if OF_OTHER_GAMES.contains(&name) && self.of_another_game.is_none() {
            self.of_another_game = Some(name.to_owned());
        }
        // A site of games of all kinds may have the tags of others.
        self.is_said_to_be_othello |= OF_KIND.contains(&name)
            && OTHELLO.iter().any(|word| value.to_lowercase().contains(word));
        // It says that a start follows.
        if name != "SetUp" && !self.told.take(name, value) {
            if name == "Result" {
                value.trim().clone_into(&mut self.result);
            }
            self.draft.say(name, value);
        }
        if self.names.len() < MOST_NAMES {
            self.names.push(name.to_owned());
        }
    }

    /// A tag that nothing closes is only reported while more comes.
    fn drop_cut(&mut self) {
        if let Some((_, text)) = self.cut.take()
            && self.draft.notes.len() < MOST_NOTES
        {
            self.draft.notes.push(Note::Tag(one_line(&text, MOST_TOLD)));
        }
    }

    /// Takes the moves of a line; returns the text behind the result, which ends the game.
    pub(super) fn moves<'a>(&mut self, line: &'a str, number: u64) -> Option<&'a str> {
        self.drop_cut();
        self.is_commented |= !self.names.is_empty();
        self.gap = false;
        let mut rest = line;
        loop {
            if self.in_comment {
                let Some((text, behind)) = rest.split_once('}') else {
                    self.comment.push_str(rest);
                    self.comment.push(' ');
                    return None;
                };
                (self.in_comment, self.is_closed) = (false, false);
                self.comment.push_str(text);
                let text = std::mem::take(&mut self.comment);
                self.say(&text);
                rest = behind;
            }
            rest = rest.trim_start();
            let first = rest.chars().next()?;
            if self.depth == 0 {
                self.opened = number;
            }
            let after = |rest: &'a str| rest.get(first.len_utf8()..).unwrap_or_default();
            match first {
                ';' => {
                    self.say(after(rest));
                    return None;
                }
                '{' => self.in_comment = true,
                '(' => {
                    self.depth += 1;
                    if self.depth <= DEEPEST {
                        self.variations.push(Vec::new());
                    }
                }
                ')' => {
                    if self.depth <= DEEPEST
                        && let Some(items) = self.variations.pop()
                    {
                        self.add([Item::Variation(items)]);
                    }
                    self.depth = self.depth.saturating_sub(1);
                }
                _ => {
                    if self.depth == 0
                        && let Some(stated) = whole_result(rest)
                    {
                        self.has_moves = true;
                        self.draft.add_result(Some(stated));
                        return Some("");
                    }
                    // Files that were put together may have no line end between their games.
                    if self.depth == 0 && begins_a_tag(rest) {
                        return Some(rest);
                    }
                    let (word, behind) = rest.split_at(word_end(rest));
                    rest = behind;
                    if self.depth == 0 {
                        self.has_moves = true;
                        if self.words.take(word, &self.result, &mut self.draft) {
                            return Some(self.behind_result(rest));
                        }
                    } else {
                        self.add(of_variation(word));
                    }
                    continue;
                }
            }
            rest = after(rest);
        }
    }

    /// Adds what is said to the innermost variation, or to the game.
    fn add(&mut self, items: impl IntoIterator<Item = Item>) {
        for item in items {
            match self.variations.last_mut() {
                Some(open) if open.len() < MOST_ITEMS => open.push(item),
                Some(_) => {}
                None => self.draft.remark(item),
            }
        }
    }

    /// Adds a comment.
    pub(super) fn say(&mut self, text: &str) {
        match self.variations.is_empty() {
            true => self.draft.comment(text),
            false => self.add(comment(text).0),
        }
    }

    /// The text behind the result. Where that comes before all moves and words follow it, they are the moves of
    /// another game: draughts has numbers for squares.
    fn behind_result<'a>(&mut self, rest: &'a str) -> &'a str {
        let mut rest = rest;
        while let Some((comment, behind)) =
            rest.trim_start().strip_prefix('{').and_then(|text| text.split_once('}'))
        {
            self.say(comment);
            rest = behind;
        }
        let text = rest.trim_start();
        let is_other = self.draft.entries.is_empty()
            && !text.is_empty()
            && !text.starts_with(['{', '(', ';', '*', '['])
            && read_result(text).is_none();
        if !is_other {
            return rest;
        }
        let why = Why::content(text, "moves such as f5 before the result");
        self.draft.fault = self.draft.fault.take().or(Some(why));
        ""
    }

    /// The game, when no more of it comes.
    pub(super) fn close(mut self) -> Result<Draft, Refused> {
        if let Some((line, _)) = self.cut {
            return Err(Refused { place: Place::Line(line), why: Why::CutTag });
        }
        let unclosed = if self.depth > 0 { Some('(') } else { self.in_comment.then_some('{') };
        if let Some(bracket) = unclosed {
            // Moves of the game may follow it.
            let place = Place::Line(self.opened);
            return Err(Refused { place, why: Why::Unclosed(bracket) });
        }
        if let Some(name) = self.of_another_game.filter(|_| !self.is_said_to_be_othello) {
            let game = if name.starts_with("Deal") { "bridge" } else { "chess" };
            let why = Why::OtherGame(format!("{game}, by its tag {name}"));
            self.draft.fault = self.draft.fault.take().or(Some(why));
        }
        let game = &self.draft.game;
        if let (Some([black, between, white]), None, None) =
            (self.above, &game.black.name, &game.white.name)
        {
            self.draft.say("Black", &black);
            self.draft.say("White", &white);
            if self.draft.game.stated.is_none() && !between.starts_with(['v', '-', '–', '—']) {
                self.draft.say("Result", &between);
            }
        }
        self.words.end(&mut self.draft);
        self.told.put(&mut self.draft);
        Ok(self.draft)
    }
}
