//! Writes PGN.

use std::fmt::{Display, Write as _};

use super::outcome::{Outcome, is_of_the_end};
use crate::files::games::game::{Game, Theoretical};
use crate::files::games::remarks::{Remark, Variation, clock_text};
use crate::files::games::writing::steps;
use crate::othello::board::{Placed, Square, Step, write_fen};

/// The longest line of moves, as the standard's export format has it; a longer comment is a line of its own.
const LINE: usize = 79;

/// A game with its tags; the moves are numbered in pairs, and passes are written. Behind each move that has
/// one is its comment, without braces: they would end it.
pub(crate) fn commented_pgn(game: &Game, comments: &[Option<String>]) -> String {
    let mut written = String::new();
    let text = &mut written;
    let known = |value: &Option<String>| value.clone().unwrap_or_else(|| "?".to_owned());
    tag(text, "Event", &known(&game.event));
    tag(text, "Site", game.extra.get("Site").map_or("?", String::as_str));
    let date = game.date.map_or_else(
        || "????.??.??".to_owned(),
        |date| {
            let part = |part: Option<u8>| part.map_or("??".to_owned(), |part| format!("{part:02}"));
            format!("{:04}.{}.{}", date.year(), part(date.month()), part(date.day()))
        },
    );
    tag(text, "Date", &date);
    tag(text, "Round", &known(&game.round));
    tag(text, "Black", &known(&game.black.name));
    tag(text, "White", &known(&game.white.name));
    let end = Outcome::of(game);
    tag(text, "Result", &end.result);
    end.tags.iter().for_each(|(name, value)| tag(text, name, value));
    for (name, rating) in [("BlackElo", game.black.rating), ("WhiteElo", game.white.rating)] {
        if let Some(rating) = rating {
            tag(text, name, &rating.to_string());
        }
    }
    if let Some(time_control) = &game.time_control {
        tag(text, "TimeControl", time_control);
    }
    if let Some(Theoretical { black_discs, empties }) = game.theoretical {
        tag(text, "TheoreticalScore", &format!("{black_discs}-{}", 64 - black_discs));
        tag(text, "TheoreticalEmpties", &empties.to_string());
    }
    match game.told_xot() {
        Some(true) => tag(text, "Variant", "xot"),
        Some(false) => tag(text, "Xot", "no"),
        None => {}
    }
    for (name, value) in game.extra.iter().filter(|(name, _)| is_tag_name(name)) {
        tag(text, name, value);
    }
    if !game.is_from_the_start() {
        tag(text, "FEN", &write_fen(game.start));
    }
    text.push('\n');
    let mut words = Words::default();
    if let Some(said) = game.remarks.of(0) {
        words.remark(said, None);
    }
    for ((step, has_passed), index) in steps(game).zip(0..) {
        words.step(game, &step, has_passed, index);
        if let Some(comment) = comments.get(index).and_then(Option::as_deref) {
            words.comment(comment);
        }
    }
    let mut words = words.done;
    words.push(end.result);
    let mut column = 0;
    for word in &words {
        let length = word.chars().count();
        let fits = column + 1 + length <= LINE;
        text.push_str(if column == 0 {
            ""
        } else if fits {
            " "
        } else {
            "\n"
        });
        text.push_str(word);
        column = if column > 0 && fits { column + 1 + length } else { length };
    }
    text.push_str("\n\n");
    written
}

/// What is said of the moves of a game, as PGN has it: each move that something is said of, with its number.
pub(crate) fn remarked_moves(game: &Game) -> Vec<String> {
    let mut words = Words::default();
    if let Some(said) = game.remarks.of(0) {
        words.remark(said, None);
    }
    let first = std::mem::take(&mut words.done);
    let mut all = vec![first.join(" ")];
    for ((step, has_passed), index) in steps(game).zip(0..) {
        words.is_first = true;
        words.step(game, &step, has_passed, index);
        let said = std::mem::take(&mut words.done);
        all.extend(game.remarks.of(index + 1).map(|_| said.join(" ")));
    }
    all.retain(|said| !said.is_empty());
    all
}

/// The moves as they are written, with what is said of them.
#[derive(Default)]
struct Words {
    done: Vec<String>,
    /// Moves and passes so far, of the game or of the variation.
    entries: usize,
    /// Whether the next word is the first of a variation.
    is_first: bool,
}

impl Words {
    fn play(&mut self, square: Square, has_passed: bool, remark: Option<&Remark>) {
        if has_passed {
            self.entry("--");
        }
        let Some(remark) = remark else { return self.entry(square) };
        let (signs, others): (Vec<&String>, Vec<&String>) =
            remark.glyphs.iter().partition(|glyph| glyph.starts_with(['!', '?']));
        // Two signs beside each other would be one.
        let mut signs = signs.into_iter();
        let sign = signs.next().map_or("", String::as_str);
        self.entry(format_args!("{square}{sign}"));
        self.done.extend(signs.chain(others).cloned());
    }

    /// A move of the game, of which others come before it, with all that is said of it.
    fn step(&mut self, game: &Game, step: &Step, has_passed: bool, index: usize) {
        let remark = game.remarks.of(index + 1);
        self.play(step.square, has_passed, remark);
        match (remark, game.milliseconds.get(index).copied()) {
            (None, None) => {}
            (Some(remark), time) => self.remark(remark, time),
            (None, time) => self.remark(&Remark::default(), time),
        }
        for variation in remark.iter().flat_map(|remark| &remark.variations) {
            self.variation(variation, step.before);
        }
    }

    fn entry(&mut self, word: impl Display) {
        let number = self.entries / 2 + 1;
        self.done.push(match (self.entries % 2, self.is_first) {
            (0, _) => format!("{number}. {word}"),
            (_, true) => format!("{number}... {word}"),
            (_, false) => word.to_string(),
        });
        (self.entries, self.is_first) = (self.entries + 1, false);
    }

    /// What is said of the last move, besides its glyphs.
    fn remark(&mut self, remark: &Remark, milliseconds: Option<u32>) {
        let time = milliseconds.filter(|&time| time > 0).map(u64::from);
        let commands = [
            remark.evaluation.map(|discs| format!("[%eval {discs}]")),
            remark.clock.map(|left| format!("[%clk {}]", clock_text(left))),
            time.map(|time| format!("[%emt {}]", clock_text(time))),
        ];
        let commands: Vec<String> = commands.into_iter().flatten().collect();
        if !commands.is_empty() {
            self.comment(&commands.join(" "));
        }
        remark.comments.iter().for_each(|comment| self.comment(comment));
    }

    /// A comment in whose text braces are parentheses: they would end it.
    fn comment(&mut self, text: &str) {
        self.done.push(format!("{{{}}}", text.replace('{', "(").replace('}', ")")));
    }

    /// Moves instead of the last one, which was made on this board.
    fn variation(&mut self, variation: &Variation, before: Placed) {
        let (at, entries) = (self.done.len(), self.entries);
        (self.entries, self.is_first) = (entries.saturating_sub(1), true);
        variation.comments.iter().for_each(|comment| self.comment(comment));
        for (each, before, has_passed) in variation.steps(before) {
            self.play(each.square, has_passed, Some(&each.remark));
            self.remark(&each.remark, None);
            each.remark.variations.iter().for_each(|inner| self.variation(inner, before));
        }
        (self.entries, self.is_first) = (entries, true);
        if let Some(first) = self.done.get_mut(at) {
            first.insert(0, '(');
        }
        if let Some(last) = self.done.last_mut() {
            last.push(')');
        }
    }
}

/// Whether another fact can be a tag: a word that is none of the tags that have a place of their own.
fn is_tag_name(name: &str) -> bool {
    let own = [
        "event",
        "site",
        "date",
        "round",
        "black",
        "white",
        "result",
        "blackelo",
        "whiteelo",
        "blackrating",
        "whiterating",
        "timecontrol",
        "variant",
        "fen",
        "setup",
        "utcdate",
    ];
    !own.contains(&name.to_ascii_lowercase().as_str())
        && !is_of_the_end(name)
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn tag(text: &mut String, name: &str, value: &str) {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    // A string takes all that is written.
    let _ = writeln!(text, "[{name} \"{value}\"]");
}
