//! The words of the moves: moves, their numbers and marks, and the result that ends them.

use crate::files::games::draft::Draft;
use crate::files::games::remarks::{GLYPHS, Item, glyph, moves_of};
use crate::files::games::stated::{
    Stated, is_unknown, read_pair, read_short, read_winner, with_hyphen,
};
use crate::othello::board::move_text::MoveText;
use crate::othello::board::{Played, Side, Square};

/// Digits of the discs of a side.
const MOST_DIGITS: usize = 2;

/// What the words so far mean for those behind them.
#[derive(Default)]
pub(super) struct Words {
    parted: Parted,
    /// Passes written as dashes that only numbers follow.
    padding: usize,
    /// That a side resigned, which only the result may follow, and which side that was.
    resigned: Option<(String, Option<Side>)>,
}

/// A result in three words, `38 - 26`, as far as it has been read.
#[derive(Default)]
enum Parted {
    #[default]
    No,
    /// `38`, which may be the number of a move.
    Black(String),
    /// `38 -`
    Dash(String),
}

impl Words {
    /// Takes a word; true when it is the result, which the header may have in words of its own.
    pub(super) fn take(&mut self, word: &str, header: &str, draft: &mut Draft) -> bool {
        // Nearly all words are a move and nothing else.
        if let (&[column, row], Parted::No) = (word.as_bytes(), &self.parted)
            && word != header
            && let Some(square) = Square::from_ascii(column, row)
        {
            self.padding = 0;
            self.push(Played::Square(square), draft);
            return false;
        }
        match std::mem::take(&mut self.parted) {
            Parted::Black(black) if word == "-" => {
                self.parted = Parted::Dash(black);
                return false;
            }
            Parted::Dash(black) => {
                let whole = format!("{black}-{word}");
                if is_a_result(&whole) {
                    return is_over(&whole, draft);
                }
                self.push(Played::Unreadable("-".to_owned()), draft);
            }
            Parted::No | Parted::Black(_) => {}
        }
        let is_number = word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        if is_number && word.len() <= MOST_DIGITS && !word.contains('.') {
            self.parted = Parted::Black(word.to_owned());
        }
        if word == "0000" {
            self.push(Played::Pass, draft);
            return false;
        }
        if is_number && word != "0.5" {
            return false;
        }
        // A mark of how good a move is, what an editor adds.
        if word.starts_with('$') || word.chars().all(|c| "!?".contains(c)) {
            draft.remark(glyph(word));
            return false;
        }
        if is_a_result(word) || (!header.is_empty() && word == header) {
            return is_over(word, draft);
        }
        if !draft.entries.is_empty() && GLYPHS.contains(&word) {
            draft.remark(glyph(word));
            return false;
        }
        if let Some(who) = side_before(draft)
            && let result = format!("{who} {word}")
            && read_winner(&result).is_some()
        {
            draft.entries.pop();
            return is_over(&result, draft);
        }
        if is_resignation(word) {
            let side = side_before(draft).map(|who| match who.eq_ignore_ascii_case("black") {
                true => Side::Black,
                false => Side::White,
            });
            if side.is_some() {
                draft.entries.pop();
            }
            self.resigned = Some((word.to_owned(), side));
            return false;
        }
        // Else it parts a result.
        if word == "-" && draft.may_pass() {
            self.push(Played::Pass, draft);
            return false;
        }
        self.moves(word, draft);
        false
    }

    fn moves(&mut self, word: &str, draft: &mut Draft) {
        let passes = passes_in(word);
        let padding = if passes > 0 { self.padding + passes } else { 0 };
        let mut moves = MoveText::new(word);
        while let Some(played) = moves.take() {
            self.push(played, draft);
        }
        if is_mark(moves.rest()) {
            marks(moves.rest()).for_each(|mark| draft.remark(glyph(mark)));
        } else if let Some(other) = moves.take_other() {
            let other = match other {
                Played::Cut(text) => Played::Unreadable(text),
                other => other,
            };
            self.push(other, draft);
        }
        self.padding = padding;
    }

    fn push(&mut self, played: Played, draft: &mut Draft) {
        if let Some((word, _)) = self.resigned.take() {
            draft.push(Played::Unreadable(word));
        }
        draft.push(played);
    }

    pub(super) fn end(mut self, draft: &mut Draft) {
        if matches!(self.parted, Parted::Dash(_)) {
            self.push(Played::Unreadable("-".to_owned()), draft);
        }
        // Cassio fills the lines of a game that was left with dashes; a single pass may be a real one.
        let padding = if self.padding > 1 { self.padding } else { 0 };
        for _ in 0..padding {
            if draft.ends_with_a_pass() {
                draft.entries.pop();
            }
        }
        match self.resigned {
            Some((_, Some(side))) => draft.resign(side),
            // Only the result can name the side.
            Some((_, None)) => _ = draft.ended("resigned"),
            None => {}
        }
    }
}

/// Whether a word is a result, known or not, and nothing else: dashes alone are passes.
fn is_a_result(word: &str) -> bool {
    let is_dashes = || word.bytes().all(|byte| byte == b'-');
    // Signs and words that mean a draw may be those of a move.
    let is_short = || {
        word.starts_with(|first: char| first.is_ascii_digit() || first == '½')
            && word.contains([':', '–', '—', '−', '-', ',', '.', '/', '½'])
            && (read_short(word).is_some() || read_pair(&with_hyphen(word)).is_some())
    };
    // Of a winner the reason is known, or the discs.
    let is_lead = || {
        let is_known = |how: String| ["resigned", "time", "forfeit"].contains(&how.as_str());
        Stated::read_lead(word).is_some_and(|lead| lead.how.is_none_or(is_known))
    };
    read_pair(word).is_some()
        || (word.len() < 8 && is_unknown(word) && !is_dashes())
        || is_short()
        || is_lead()
}

/// Takes a result, of which the header may have said something, too; ends the game.
fn is_over(result: &str, draft: &mut Draft) -> bool {
    draft.add_result(Stated::read(result));
    true
}

/// How many passes a word of dashes alone is, perhaps with the number of the move before them.
fn passes_in(word: &str) -> usize {
    let dashes = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let is_whole = dashes.bytes().all(|byte| byte == b'-') && dashes.len().is_multiple_of(2);
    if is_whole { dashes.len() / 2 } else { 0 }
}

/// Marks behind a move, and a value or rating with them, are no part of it.
fn is_mark(text: &str) -> bool {
    let is_glyph = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'$');
    text.starts_with(['!', '?', '+', '=', '/', '#'])
        || GLYPHS.contains(&text)
        || text.strip_prefix('$').is_some_and(is_glyph)
}

/// The marks that stand behind a move: each with a dollar is one.
fn marks(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = rest.char_indices().skip(1).find(|&(_, character)| character == '$');
        let (mark, behind) = rest.split_at(end.map_or(rest.len(), |(at, _)| at));
        rest = behind;
        (!mark.is_empty()).then_some(mark)
    })
}

/// What a word of a variation says.
pub(super) fn of_variation(word: &str) -> Vec<Item> {
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let is_sign = word.chars().all(|c| "!?".contains(c)) || word.starts_with('$');
    match () {
        () if is_number => Vec::new(),
        () if is_sign || GLYPHS.contains(&word) => vec![glyph(word)],
        () if word == "*" || read_pair(word).is_some() => vec![Item::Comment(word.to_owned())],
        () => moves_of(word),
    }
}

fn is_resignation(word: &str) -> bool {
    let word = word.trim_end_matches(['.', ',', '!']);
    ["resign", "resigns", "resigned"].iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// The side that the last word names, where it does.
fn side_before(draft: &Draft) -> Option<&str> {
    match &draft.entries.last()?.played {
        Played::Unreadable(who) if is_side(who) => Some(who),
        _ => None,
    }
}

fn is_side(word: &str) -> bool {
    ["black", "white"].iter().any(|side| word.eq_ignore_ascii_case(side))
}

#[cfg(test)]
mod tests {
    use crate::files::games::stated::Stated;
    use crate::files::games::testing::{read_text, refused};

    /// After these moves Black has none.
    const FORCED_PASS: &str = "1. c4 c3 2. e6 b4 3. a4 a5 4. b2 a3";

    fn pgn(moves: &str) -> String {
        format!("[Event \"Cup\"]\n\n{moves}\n")
    }

    #[test]
    fn dashes_at_the_end_are_no_passes() {
        for moves in [
            "1. f5 d6 2. -- -- *",
            "1. f5 d6 2. c3 --\n3. -- --\n4. -- --\n5. --",
            "1. f5 d6 2. -- -- 3. -- -- 1-0",
            "1.f5 d6 2.-- -- 3.----",
        ] {
            let game = read_text(&pgn(moves)).remove(0);
            let count = if moves.contains("c3") { 3 } else { 2 };
            assert_eq!((game.game.moves.len(), game.passed), (count, false), "{moves}");
        }
        for (moves, number) in [
            ("1. f5 -- *", 2),
            ("1. f5 -- 2. -- d6", 2),
            ("1. f5 pass 2. pass -- *", 2),
            ("1. f5 d6 pass -- --", 3),
            ("1. f5 0000 d6", 2),
        ] {
            let found = refused(&pgn(moves));
            assert!(found.contains(&format!("move {number} \"pass\": a pass, but")), "{found}");
        }
        for pass in ["--", "-", "P", "@@", "Z0", "null", "<pass>", "パス", "0000"] {
            let game = read_text(&pgn(&format!("{FORCED_PASS} 5. {pass} f4 *"))).remove(0);
            assert_eq!(game.game.moves.len(), 9, "{pass}");
        }
        assert!(refused(&pgn("1. f5 - d6")).contains("move 2 \"-\": no such square"));
        let game = read_text(&pgn(&format!("{FORCED_PASS} 5. -- *"))).remove(0);
        assert_eq!((game.game.moves.len(), game.passed), (8, true));
        let game = read_text(&pgn(&format!("{FORCED_PASS} 5. -- f4 -- -- *"))).remove(0);
        assert_eq!((game.game.moves.len(), game.passed), (9, false));
    }

    #[test]
    fn results_stand_in_one_word_and_in_several() {
        for (moves, stated) in [
            ("f5 d6 38-26", Some("38-26")),
            ("f5 d6 38 - 26", Some("38-26")),
            ("f5 d6\n38 -\n26", Some("38-26")),
            ("f5 d6 1 - 0", Some("1-0")),
            ("f5 d6 resign 0-1", Some("0-1 (resigned)")),
            ("f5 d6 White Resigns. 1-0", Some("1-0 (resigned)")),
            ("f5 d6 RESIGNED 38 - 26", Some("38-26 (resigned)")),
            ("f5 d6 black resigns", Some("0-1 (resigned)")),
            ("f5 d6 White Resigned.", Some("1-0 (resigned)")),
            ("f5 d6 resigns", Some("resigned")),
            ("f5 d6 White wins", Some("0-1")),
            ("f5 d6 Black wins 40-24", Some("40-24")),
            ("f5 d6 40-24 on time", Some("40-24 (time)")),
            ("1 f5 d6 2 *", None),
            ("f5 d6 1-0F", Some("1-0 (forfeit)")),
            ("f5 d6 1:0", Some("1-0")),
            ("f5 d6 1–0", Some("1-0")),
            ("f5 d6 38:26", Some("38-26")),
            ("f5 d6 0,5", Some("1/2-1/2")),
            ("f5 d6 0.5", Some("1/2-1/2")),
            ("f5 d6 B+R", Some("1-0 (resigned)")),
            ("f5 d6 W+16", Some("-16")),
        ] {
            let games = read_text(&pgn(&format!("{moves}\n\n[Event \"b\"]\n\nf5")));
            let game = &games[0].game;
            assert_eq!((games.len(), game.line().to_string().as_str()), (2, "f5d6"), "{moves}");
            assert_eq!(game.stated.as_ref().map(Stated::to_string).as_deref(), stated, "{moves}");
        }
        for (moves, word) in [
            ("f5 d6 38 - c3", "-"),
            ("f5 d6 38 -", "-"),
            ("f5 d6 - 26", "-"),
            ("f5 d6 65 - 26", "-"),
            ("f5 d6 resigns c3", "resigns"),
            ("f5 d6 Black", "Black"),
        ] {
            let found = refused(&pgn(moves));
            assert!(found.contains(&format!("move 3 \"{word}\": no such square")), "{found}");
        }
    }

    #[test]
    fn a_result_behind_the_moves_adds_to_that_of_the_header() {
        for (header, behind, stated, is_told) in [
            ("1-0", "34-30", "34-30", false),
            ("Black wins", "34-30", "34-30", false),
            ("1/2-1/2", "32 - 32", "32-32", false),
            ("40-24", "40-24", "40-24", false),
            ("40-24", "1-0", "40-24", false),
            ("B+16", "40-24", "40-24", false),
            ("40-24", "black wins", "40-24", false),
            ("34-30", "*", "34-30", false),
            ("Black resigned", "30-34", "30-34 (resigned)", false),
            ("W+R", "30-34", "30-34 (resigned)", false),
            ("40-24", "34-30", "40-24", true),
            ("0-1", "34-30", "0-1", true),
            ("1/2-1/2", "34-30", "1/2-1/2", true),
        ] {
            let text = format!("[Event \"Cup\"]\n[Result \"{header}\"]\n\n1. f5 d6 {behind}\n");
            let game = read_text(&text).remove(0);
            let found = game.game.stated.map(|stated| stated.to_string());
            assert_eq!(found.as_deref(), Some(stated), "{header} {behind}");
            let told: Vec<String> = game.notes.iter().map(ToString::to_string).collect();
            let second = Stated::read(behind).map(|second| second.to_string()).unwrap_or_default();
            let expected = format!("two results, {stated} and {second}: the first is kept");
            assert_eq!(
                told,
                if is_told { vec![expected] } else { Vec::new() },
                "{header} {behind}"
            );
        }
    }

    #[test]
    fn marks_stand_behind_moves() {
        for moves in ["f5$1 d6", "f5$1$13 d6$2", "f5 $1 d6!?", "f5! $1 d6?144"] {
            assert_eq!(read_text(&pgn(moves))[0].game.line().to_string(), "f5d6", "{moves}");
        }
        assert!(refused(&pgn("f5$1d6")).contains("move 2 \"$1d6\": no such square"));
    }
}
