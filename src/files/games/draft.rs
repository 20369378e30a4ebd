//! What a reader makes of a file's text: facts and moves as written. Here they are checked.

use std::io;

use super::date::{Date, says_a_day};
use super::game::Game;
use super::refused::{Note, Why};
use super::remarks::{Item, MOST_ITEMS, Remarks, comment};
use super::replay::{Entry, replay};
use super::said::Said;
use super::stated::{Stated, StatedScore};
use crate::files::fault::Place;
use crate::files::packed::Broken;
use crate::othello::board::{Line, Placed, Position, Side, Square, Symmetry};
use crate::othello::board::{MoveFault, Played};
use crate::othello::one_line::{is_unseen, one_line};

/// The start with the colours changed: Black on d4 and e5.
pub(super) const MIRRORED: Placed = Placed::black_to_move(Position::START.passed());

/// Passes and moves of the longest game are fewer; of a longer one nothing behind is needed to say
/// what is wrong with it.
pub(super) const MOST_ENTRIES: usize = 200;

/// Characters of a fact that are kept.
const LONGEST_FACT: usize = 1_000;

/// Characters of a fact that is left out that are shown.
const MOST_TOLD: usize = 60;

/// Facts of a game beyond those that have a field of their own; what comes behind is left out.
const MOST_EXTRA: usize = 100;

/// A game as a file gives it.
pub(super) struct Draft {
    pub(super) place: Place,
    /// The facts. Its moves are not set yet, its start is.
    pub(super) game: Game,
    pub(super) entries: Vec<Entry>,
    pub(super) notes: Vec<Note>,
    /// What is said of the moves, each with how many entries were there.
    pub(super) remarks: Vec<(usize, Item)>,
    /// What waits for the rest of the facts.
    pub(super) said: Said,
    /// What no game of ours has: another start, board or game.
    pub(super) fault: Option<Why>,
    /// Discs that are stated of one side alone, by the name of the fact.
    pub(super) discs_of_one: Option<(&'static str, u8)>,
}

/// A game that a reader cannot read.
pub(super) struct Refused {
    pub(super) place: Place,
    pub(super) why: Why,
}

impl Refused {
    /// An error of the system, or one that the unpacker has passed on as such.
    pub(super) fn io(place: Place, error: io::Error) -> Self {
        match error.downcast::<Broken>() {
            Ok(Broken { at, fault }) => Self { place: Place::Byte(at), why: Why::Packed(fault) },
            Err(error) => Self { place, why: Why::Io(error.to_string()) },
        }
    }
}

/// What reads one format.
pub(super) trait Drafts {
    /// The next game; after an error that is fatal nothing comes.
    fn next_draft(&mut self) -> Option<Result<Draft, Refused>>;

    /// Whether lines of words were passed over, which are neither games nor defects.
    fn has_words(&self) -> bool {
        false
    }
}

impl Draft {
    pub(super) fn new(place: Place) -> Self {
        let (game, said) = (Game::default(), Said::default());
        let (entries, notes, remarks) = (Vec::new(), Vec::new(), Vec::new());
        Self { place, game, entries, notes, remarks, said, fault: None, discs_of_one: None }
    }

    /// Adds what was played; what no game can hold any more is dropped.
    pub(super) fn push(&mut self, entry: impl Into<Entry>) {
        if self.entries.len() < MOST_ENTRIES {
            self.entries.push(entry.into());
        }
    }

    /// Adds what is said of the move that was added last.
    pub(super) fn remark(&mut self, item: Item) {
        if self.remarks.len() < MOST_ITEMS {
            self.remarks.push((self.entries.len(), item));
        } else if !self.notes.contains(&Note::Remarks(MOST_ITEMS)) {
            self.notes.push(Note::Remarks(MOST_ITEMS));
        }
    }

    /// Adds a comment on the move that was added last, with what its commands say.
    pub(super) fn comment(&mut self, text: &str) {
        let (items, took) = comment(text);
        items.into_iter().for_each(|item| self.remark(item));
        if let Some(last) = self.entries.last_mut() {
            last.milliseconds = took.or(last.milliseconds);
        }
    }

    /// Adds what is said of moves, each with how many entries there are up to it.
    pub(super) fn say_of_moves(&mut self, items: impl IntoIterator<Item = (usize, Item)>) {
        let room = MOST_ITEMS.saturating_sub(self.remarks.len());
        self.remarks.extend(items.into_iter().take(room));
    }

    /// Whether the last thing that was played is a pass.
    pub(super) fn ends_with_a_pass(&self) -> bool {
        self.entries.last().is_some_and(|last| last.played == Played::Pass)
    }

    /// Whether the side to move behind what was played has no move, so that a pass may be written.
    pub(super) fn may_pass(&self) -> bool {
        let is_whole = |entry: &Entry| matches!(entry.played, Played::Square(_) | Played::Pass);
        if self.entries.len() == MOST_ENTRIES || !self.entries.iter().all(is_whole) {
            return false;
        }
        let mut entries = self.entries.clone();
        entries.push(Played::Pass.into());
        let mirrored = self.game.is_from_the_start().then_some(MIRRORED);
        let mut starts = std::iter::once(self.game.start).chain(mirrored);
        starts.any(|start| replay(start, &entries).is_ok())
    }

    /// The side to move after what was played; none where that cannot be played or the game is
    /// over.
    fn side_to_move(&self) -> Option<Side> {
        let mirrored = self.game.is_from_the_start().then_some(MIRRORED);
        let mut starts = std::iter::once(self.game.start).chain(mirrored);
        starts.find_map(|start| {
            let played = replay(start, &self.entries).ok()?;
            let end = Line::from_board(start).then(&played.moves).end()?;
            Some(end.side)
        })
    }

    /// Records that a side resigned. Text that names the winner stays.
    pub(super) fn resign(&mut self, side: Side) {
        let stated = self.ended("resigned");
        stated.score.get_or_insert(StatedScore::Winner(Some(side.other())));
    }

    /// Records that the side to move resigned; not where the game is over.
    pub(super) fn resign_to_move(&mut self) {
        if let Some(side) = self.side_to_move() {
            self.resign(side);
        }
    }

    /// Sets how the game ended, where that is not set.
    pub(super) fn ended(&mut self, how: &str) -> &mut Stated {
        let stated = self.game.stated.get_or_insert(Stated { score: None, how: None });
        stated.how.get_or_insert_with(|| how.to_owned());
        stated
    }

    /// Adds a result, which may be the second one: the more exact of two that agree, else the first, with a
    /// note.
    pub(super) fn add_result(&mut self, more: Option<Stated>) {
        match (&self.game.stated, more) {
            (_, None) => {}
            (None, more) => self.game.stated = more,
            (Some(first), Some(more)) => match first.and(&more) {
                Some(both) => self.game.stated = Some(both),
                None => self
                    .notes
                    .push(Note::TwoResults { first: first.to_string(), second: more.to_string() }),
            },
        }
    }

    /// Sets the date, of which what is no day of the calendar is left out with a note that names the
    /// field.
    pub(super) fn set_date(&mut self, name: &str, value: &str) {
        self.game.set_date(value);
        if !says_a_day(value) {
            let month = |date: Date| Date::new(date.year(), date.month(), None);
            self.game.date = self.game.date.and_then(month);
            self.leave_out(name, value);
        }
    }

    /// Notes that a fact that cannot be meant is left out; one that says nothing, as `?` does, is no fault.
    pub(super) fn leave_out(&mut self, name: &str, value: &str) {
        if fact(value).is_some() {
            let told = Note::Tag(one_line(&format!("{name} \"{value}\""), MOST_TOLD));
            if !self.notes.contains(&told) {
                self.notes.push(told);
            }
        }
    }

    /// Plays the moves, and compares header and board. A game from the mirrored start is mirrored,
    /// unless it keeps its squares.
    pub(super) fn finish(mut self, keeps_squares: bool) -> Result<(Game, Vec<Note>), Refused> {
        let place = self.place;
        self.settle();
        if let Some(why) = self.fault {
            return Err(Refused { place, why });
        }
        let discs = match keeps_squares {
            true => self.game.set_moves(&self.entries).map_err(Why::from),
            false => self.play(),
        };
        let discs = discs.map_err(|why| Refused { place, why })?;
        let remarks = std::mem::take(&mut self.remarks);
        if !(remarks.is_empty() && self.game.remarks.is_empty()) {
            self.set_remarks(remarks);
        }
        self.read_bare_result();
        if let Some((name, discs)) = self.discs_of_one.filter(|_| self.game.black_discs.is_none()) {
            self.game.set_extra(name, &discs.to_string());
        }
        if let Some(note) = self.compare(discs) {
            self.notes.push(note);
        }
        Ok((self.game, self.notes))
    }

    /// Keeps what is said of the moves, by their numbers.
    fn set_remarks(&mut self, items: Vec<(usize, Item)>) {
        let mut plies = vec![0];
        for entry in &self.entries {
            let made = matches!(entry.played, Played::Square(_));
            plies.push(plies.last().copied().unwrap_or_default() + usize::from(made));
        }
        let numbered = items.into_iter().filter_map(|(at, item)| Some((*plies.get(at)?, item)));
        let game = &mut self.game;
        let own = std::mem::take(&mut game.remarks).into_items();
        let numbered = own.chain(numbered).collect();
        // As the source has them: what was turned is turned again below.
        let is_mirrored = self.notes.contains(&Note::Mirrored);
        if is_mirrored {
            game.mirror(MIRRORED);
        }
        game.remarks = Remarks::build(game.start, &game.moves, numbered);
        if is_mirrored {
            game.mirror(Placed::START);
        }
    }

    /// Sets the moves, and returns the discs of Black and of White after them.
    fn play(&mut self) -> Result<(u8, u8), Why> {
        let game = &mut self.game;
        let mut discs = game.set_moves(&self.entries);
        if let Err(error) = &discs {
            let first = self.entries.first().map(|entry| &entry.played);
            let is_mirrored = error.number == 1
                && game.is_from_the_start()
                && matches!(error.fault, MoveFault::NothingTurned { .. })
                && matches!(first, Some(Played::Square(square)) if can_play(MIRRORED, *square));
            if !is_mirrored {
                return Err(error.clone().into());
            }
            game.start = MIRRORED;
            // A later fault is noted as it is, too: from the start nothing of it is legal.
            discs = game.set_moves(&self.entries);
        }
        if game.unmirror() {
            self.notes.push(Note::Mirrored);
        }
        Ok(discs?)
    }

    /// Takes a result that is a number without a sign, which no reader could know the meaning of: Black's discs
    /// or how many more they are, where the board says so.
    fn read_bare_result(&mut self) {
        let Some(Stated { score: None, how: Some(words) }) = &self.game.stated else { return };
        let is_bare = words.starts_with(|first: char| first.is_ascii_digit());
        let Some(number) = words.parse::<f64>().ok().filter(|_| is_bare) else { return };
        let words = words.clone();
        let score = match self.game.black_discs {
            Some(black) if f64::from(black) == number => {
                Some(StatedScore::Discs { black, white: 64 - black })
            }
            Some(black) if 2.0 * f64::from(black) - 64.0 == number => {
                Some(StatedScore::Difference(number))
            }
            _ => None,
        };
        self.game.stated = score.map(Stated::score);
        if score.is_none() {
            self.leave_out("result", &words);
        }
    }

    /// What is to be said where the header's result is not the board's.
    fn compare(&self, board: (u8, u8)) -> Option<Note> {
        let black_discs = self.game.black_discs?;
        let stated = self.game.stated.as_ref()?;
        let with_empties = 2.0 * f64::from(black_discs) - 64.0;
        let on_board = f64::from(board.0) - f64::from(board.1);
        let komi = self.game.komi();
        let is_equal = match stated.score? {
            StatedScore::Discs { black, white } => {
                (black, white) == board || (black, white) == (black_discs, 64 - black_discs)
            }
            // Komi is written with two decimals.
            StatedScore::Difference(difference) => [with_empties, on_board]
                .iter()
                .any(|board| (board - komi - difference).abs() < 0.02),
            StatedScore::Winner(_) => {
                let side = match black_discs {
                    32 => None,
                    discs if discs > 32 => Some(Side::Black),
                    _ => Some(Side::White),
                };
                stated.winner() == Some(side)
            }
        };
        (!is_equal)
            .then(|| Note::ResultDiffers { stated: one_line(&stated.to_string(), 40), board })
    }
}

fn can_play(board: Placed, square: Square) -> bool {
    board.position.play(square).is_some()
}

/// A fact as it is kept: on one line, without what a terminal would act on, and not endless. None
/// when it says nothing.
pub(super) fn fact(text: &str) -> Option<String> {
    let says_nothing = |text: &str| text.bytes().all(|c| matches!(c, b'?' | b'-' | b'*' | b'.'));
    let is_plain = text.bytes().all(|c| c == b' ' || c.is_ascii_graphic())
        && text.len() <= LONGEST_FACT
        && !text.contains("  ")
        && !text.starts_with(' ')
        && !text.ends_with(' ');
    if is_plain {
        return (!says_nothing(text)).then(|| text.to_owned());
    }
    let characters = text.chars().filter(|&c| !is_unseen(c));
    let text: String =
        characters.map(|c| if c.is_control() { ' ' } else { c }).take(LONGEST_FACT).collect();
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    (!says_nothing(&text)).then_some(text)
}

/// Marks of thousands besides the dot, which is that of decimals, too.
const THOUSANDS: [char; 3] = [',', '\'', '’'];

/// What stands behind the number of a rank.
const RANKS: [&str; 10] = ["d", "dan", "k", "kyu", "段", "級", "级", "단", "급", "p"];

/// The number that a rating begins with, or has behind a mark that it is provisional: `1224`,
/// `2196.37`, `?144`, `1720?`, `1,720`.
pub(super) fn rating(text: &str) -> Option<f64> {
    let mut rest = text.trim().trim_start_matches(['?', '~', '=']);
    let mut number = take_digits(&mut rest).to_owned();
    if let Some(thousands) = behind_a_thousands_mark(&number, rest) {
        rest = thousands;
        number.push_str(take_digits(&mut rest));
    }
    if let Some(decimals) = rest.strip_prefix('.') {
        rest = decimals;
        number.push('.');
        number.push_str(take_digits(&mut rest));
    }
    // Of a number in another notation its first digits say nothing.
    let begins_with_a_digit = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    let is_cut = rest.starts_with(['e', 'E', '.'])
        || rest.strip_prefix(THOUSANDS).is_some_and(begins_with_a_digit);
    // A rank is none.
    let unit: String = rest.trim_start().chars().take_while(|c| c.is_alphabetic()).collect();
    if is_cut || RANKS.contains(&unit.to_lowercase().as_str()) {
        return None;
    }
    number.parse().ok().and_then(possible_rating)
}

/// A number, if it may be a rating: on no scale is a rating negative, or above a million.
pub(super) fn possible_rating(number: f64) -> Option<f64> {
    (0.0..1e6).contains(&number).then_some(number)
}

fn take_digits<'a>(text: &mut &'a str) -> &'a str {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, behind) = text.split_at_checked(digits).unwrap_or(("", text));
    *text = behind;
    digits
}

/// The digits behind the mark of thousands of a number, if it is one: three digits. A dot is one where the
/// number would else be a rating that no player has.
fn behind_a_thousands_mark<'a>(number: &str, rest: &'a str) -> Option<&'a str> {
    let dot = || Some((rest.strip_prefix('.')?, 2));
    let (thousands, most_digits) =
        rest.strip_prefix(THOUSANDS).map(|behind| (behind, 3)).or_else(dot)?;
    let mut behind = thousands;
    let is_group = (1..=most_digits).contains(&number.len())
        && !number.starts_with('0')
        && take_digits(&mut behind).len() == 3;
    is_group.then_some(thousands)
}

impl Game {
    /// Makes a game from the mirrored start, with Black on d4 and e5, one from the start: left and right
    /// are exchanged. Says whether it was one.
    pub(crate) fn unmirror(&mut self) -> bool {
        let is_mirrored = self.start == MIRRORED;
        if is_mirrored {
            self.mirror(Placed::START);
        }
        is_mirrored
    }

    /// Exchanges left and right of all moves, which go on from this board then.
    fn mirror(&mut self, start: Placed) {
        let mirror = Symmetry::new(1);
        self.moves.iter_mut().for_each(|square| *square = mirror.square(*square));
        self.remarks.turn(mirror);
        self.start = start;
    }

    /// Discs that are taken from Black's result; none in a game without komi.
    pub(super) fn komi(&self) -> f64 {
        let komi = self.extra.get("KM").and_then(|komi| komi.parse().ok());
        komi.filter(|komi: &f64| komi.is_finite()).unwrap_or_default()
    }

    /// Sets the date; what else is said of the time is kept as it is.
    pub(super) fn set_date(&mut self, text: &str) {
        match Date::read(text) {
            Some((date, "")) => self.date = Some(date),
            // Not all of the date is sure.
            Some((date, all)) if all == text.trim() => {
                self.date = Some(date);
                self.set_extra("Date", all);
            }
            Some((date, time)) => {
                self.date = Some(date);
                self.set_extra("Time", time);
            }
            None => self.set_extra("Date", text),
        }
    }

    pub(super) fn set_extra(&mut self, name: &str, value: &str) {
        if let Some((name, value)) = fact(name).zip(fact(value))
            && self.extra.len() < MOST_EXTRA
        {
            self.extra.insert(name, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::games::testing::read_text;

    #[test]
    fn a_rating_is_the_whole_number_that_it_begins_with() {
        for (text, number) in [
            ("1224", 1224.0),
            ("2196.37", 2196.37),
            ("?144", 144.0),
            ("1720?", 1720.0),
            ("1720 (provisional)", 1720.0),
            ("1720, provisional", 1720.0),
            ("1,720", 1720.0),
            ("1'720", 1720.0),
            ("1’720?", 1720.0),
            ("1,720.5", 1720.5),
            ("12,345", 12345.0),
            ("1.720", 1720.0),
            ("12.345", 12345.0),
            ("1.72", 1.72),
            ("1.7205", 1.7205),
            ("0.720", 0.72),
            ("123.456", 123.456),
        ] {
            assert_eq!(rating(text), Some(number), "{text}");
        }
        for text in
            ["", "?", "strong", "1e3", "1720,5", "1720,555", "1,72", "1.720.5.3", "1,720,000"]
        {
            assert_eq!(rating(text), None, "{text}");
        }
    }

    /// A game to its end, 12-52.
    const WHOLE: &str = "f5f4f3f6c4g3f7e3f2d3d2g4h3c6d6e6b6c5b4g6g5e7e8c2c3h4h5c1e2d7c8d8e1d1b1g1f1a1c7\
        b5a5b2b3g2h1a4a3a7a6a2f8g7h2g8h8h7h6b7a8b8";

    #[test]
    fn a_bare_number_is_what_the_board_says() {
        for (result, moves, stated) in [
            ("12", WHOLE, Some("12-52")),
            ("12.0", WHOLE, Some("12-52")),
            ("13", WHOLE, None),
            ("40", WHOLE, None),
            ("12", "f5d6", None),
            ("1977", "f5d6", None),
            ("12:30:10", "f5d6", Some("12:30:10")),
        ] {
            let told = format!("an unreadable tag is left out: result \"{result}\"");
            for text in [
                format!("result,moves\n{result},{moves}\n"),
                format!("[Event \"x\"]\n[Result \"{result}\"]\n\n1. {moves}\n"),
                format!("{{\"result\":\"{result}\",\"moves\":\"{moves}\"}}"),
            ] {
                let read = read_text(&text).remove(0);
                let found = read.game.stated.map(|stated| stated.to_string());
                assert_eq!(found.as_deref(), stated, "{text}");
                let notes: Vec<String> = read.notes.iter().map(ToString::to_string).collect();
                let expected = if stated.is_none() { vec![told.clone()] } else { Vec::new() };
                assert_eq!(notes, expected, "{text}");
            }
        }
    }

    #[test]
    fn a_result_with_komi_is_that_of_the_board() {
        for (komi, notes) in [("-2.5", 0), ("2.5", 1), ("x", 1)] {
            for text in [
                format!(
                    "{{\"result\":\"-37.5\",\"extra\":{{\"KM\":\"{komi}\"}},\"moves\":\"{WHOLE}\"}}"
                ),
                format!("[Event \"x\"]\n[Result \"-37.5\"]\n[KM \"{komi}\"]\n\n1. {WHOLE}\n"),
            ] {
                assert_eq!(read_text(&text)[0].notes.len(), notes, "{text}");
            }
        }
    }

    #[test]
    fn dates_of_pgn_are_checked_and_the_fuller_one_is_kept() {
        for (tags, date, notes) in [
            ("[Date \"2019.13.45\"]", "2019", 1),
            ("[UTCDate \"2019.13.45\"]", "2019", 1),
            ("[Date \"2023.??.??\"]\n[UTCDate \"2023.05.06\"]", "2023-05-06", 0),
            ("[UTCDate \"2023.05.06\"]\n[Date \"2023.??.??\"]", "2023-05-06", 0),
            ("[Date \"2023.05.06\"]\n[UTCDate \"2023.05.07\"]", "2023-05-06", 0),
            ("[Date \"2022.??.??\"]\n[UTCDate \"2023.05.06\"]", "2022", 0),
            ("[Date \"????.??.??\"]\n[UTCDate \"2023.05.06\"]", "2023-05-06", 0),
        ] {
            let read = read_text(&format!("[Event \"x\"]\n{tags}\n\n1. f5 *\n")).remove(0);
            let found = read.game.date.map(|date| date.to_string());
            assert_eq!((found.as_deref(), read.notes.len()), (Some(date), notes), "{tags}");
        }
    }
}
