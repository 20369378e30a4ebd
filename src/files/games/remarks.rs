//! What people and programs said of the moves of a game, and the other moves that they gave.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::draft::fact;
use crate::othello::board::move_text::MoveText;
use crate::othello::board::{Placed, Played, Side, Square, Symmetry};

/// What is said of the moves of a game, by their numbers from 1 on; under 0 what is said before the first one.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Remarks(BTreeMap<u8, Remark>);

/// What is said of a move.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Remark {
    /// How good it is, in signs: `!`, `?!`, `$13`, `+=`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub glyphs: Vec<String>,
    /// In words; each is one that stands alone in the source.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<String>,
    /// What the position behind it is worth by the source, in discs for Black.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<f64>,
    /// Milliseconds that the side that made it had left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<u64>,
    /// Other moves instead of it, in the order of the source.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<Variation>,
}

/// Moves that were not made.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Variation {
    /// What is said before its first move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<String>,
    pub moves: Vec<VariationMove>,
}

/// A move of a variation; passes follow from the rules.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct VariationMove {
    #[serde(rename = "move", with = "as_text")]
    pub square: Square,
    #[serde(flatten)]
    pub remark: Remark,
}

mod as_text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    use crate::othello::board::Square;

    pub(super) fn serialize<S: Serializer>(square: &Square, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(square)
    }

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Square, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

/// What a reader finds beside the moves, in the order in which it comes. Variations are other moves instead of the
/// one before them.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Item {
    /// Of a variation.
    Played(Played),
    Comment(String),
    Glyph(String),
    /// Discs for Black.
    Evaluation(f64),
    /// Milliseconds.
    Clock(u64),
    Variation(Vec<Item>),
}

/// Items of a game, those in its variations counted; no person writes so many.
pub(super) const MOST_ITEMS: usize = 4_000;

/// Variations inside variations.
/// Each takes several levels of JSON, of which readers take 128.
pub(super) const DEEPEST: usize = 24;

/// Characters of a comment that are kept.
const LONGEST: usize = 20_000;

/// The signs for a move that have numbers, from 1 on (source: the PGN standard, numeric annotation glyphs).
const SIGNS: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];

/// Words for how good a move or a position is, as books print them; the numbers for them have a dollar.
pub(super) const GLYPHS: [&str; 24] = [
    "=", "+=", "=+", "+/=", "=/+", "+/-", "-/+", "+-", "-+", "++-", "--+", "±", "∓", "⩲", "⩱", "∞",
    "□", "N", "TN", "D", "RR", "∆", "△", "~",
];

fn is_glyph(text: &str) -> bool {
    let number = text.strip_prefix('$');
    let is_number =
        |number: &str| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    number.is_some_and(is_number)
        || GLYPHS.contains(&text)
        || (!text.is_empty() && text.chars().all(|sign| "!?".contains(sign)))
}

/// A glyph as it is kept: the first six of PGN by their signs.
pub(super) fn glyph(text: &str) -> Item {
    let number = text.strip_prefix('$').and_then(|number| number.parse::<usize>().ok());
    let sign = number.and_then(|number| SIGNS.get(number.checked_sub(1)?));
    Item::Glyph(sign.map_or_else(|| text.to_owned(), |sign| (*sign).to_owned()))
}

/// A comment with what stands in its commands, `[%eval 1.5]` and `[%clk 0:05:00]`; those that are not known stay in
/// its words. The time that the move took is given apart.
pub(super) fn comment(text: &str) -> (Vec<Item>, Option<u32>) {
    let mut items = Vec::new();
    let mut took = None;
    let mut words = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("[%") {
        let (command, behind) = behind.split_once(']').unwrap_or((behind, ""));
        let (name, value) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
        words.push_str(before);
        let number = || value.trim().parse::<f64>().ok().filter(|number| number.is_finite());
        match (name, milliseconds(value)) {
            ("eval", _) if let Some(number) = number() => items.push(Item::Evaluation(number)),
            ("clk", Some(time)) => items.push(Item::Clock(time)),
            ("emt", Some(time)) if let Ok(time) = u32::try_from(time) => took = Some(time),
            _ => words.push_str(&format!("[%{command}]")),
        }
        rest = behind;
    }
    words.push_str(rest);
    items.extend(said(&words).map(Item::Comment));
    (items, took)
}

/// Words as they are kept: on one line; none where they say nothing.
pub(super) fn said(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    let line: String = line.chars().filter(|c| !c.is_control()).take(LONGEST).collect();
    fact(&line).is_some().then_some(line)
}

/// `0:05:00.5`, `5:00` or seconds, as milliseconds.
fn milliseconds(text: &str) -> Option<u64> {
    let mut seconds = 0.0;
    for part in text.trim().split(':') {
        seconds = seconds * 60.0 + part.parse::<f64>().ok().filter(|part| *part >= 0.0)?;
    }
    (seconds < 1e9).then(|| (seconds * 1000.0).round() as u64)
}

/// Milliseconds as `0:05:00.5`.
pub(super) fn clock_text(milliseconds: u64) -> String {
    let (seconds, rest) = (milliseconds / 1000, milliseconds % 1000);
    let rest = if rest == 0 { String::new() } else { format!(".{rest:03}") };
    let rest = rest.trim_end_matches('0');
    format!("{}:{:02}:{:02}{rest}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

impl Remarks {
    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What is said of a move by its number from 1 on, or under 0 before the first.
    pub fn of(&self, ply: usize) -> Option<&Remark> {
        self.0.get(&u8::try_from(ply).ok()?)
    }

    /// Says something of a move by its number from 1 on.
    pub(crate) fn set(&mut self, ply: usize, remark: Remark) {
        if let Ok(ply) = u8::try_from(ply)
            && remark != Remark::default()
        {
            self.0.insert(ply, remark);
        }
    }

    /// From what a reader found, each with the number of moves made before it. A variation that cannot be played is
    /// kept in words.
    pub(super) fn build(start: Placed, moves: &[Square], items: Vec<(usize, Item)>) -> Self {
        let mut remarks = Self::default();
        if items.is_empty() {
            return remarks;
        }
        let boards = boards(start, moves);
        for (ply, item) in items {
            let Ok(ply) = u8::try_from(ply) else { continue };
            let before = ply.checked_sub(1).and_then(|ply| boards.get(usize::from(ply)));
            let remark = remarks.0.entry(ply).or_default();
            remark.add(item, before.copied());
        }
        remarks.0.retain(|_, remark| *remark != Remark::default());
        remarks
    }

    /// As a reader would find it.
    pub(super) fn into_items(self) -> impl Iterator<Item = (usize, Item)> {
        let all = self.0.into_iter().map(|(ply, remark)| (usize::from(ply), remark));
        all.flat_map(|(ply, remark)| remark.into_items().map(move |item| (ply, item)))
    }

    /// The same of the moves as a symmetry turns them.
    pub(super) fn turn(&mut self, symmetry: Symmetry) {
        self.turn_each(|_| Some(symmetry));
    }

    /// The same of the moves as each is turned, by its number from 1 on; variations of a move of which that is not
    /// known are left out.
    pub(super) fn turn_each(&mut self, turn: impl Fn(usize) -> Option<Symmetry>) {
        for (&ply, Remark { variations, .. }) in &mut self.0 {
            match turn(usize::from(ply)) {
                _ if variations.is_empty() => {}
                Some(symmetry) => variations.iter_mut().for_each(|each| each.turn(symmetry)),
                None => variations.clear(),
            }
        }
    }

    /// Adds what another source says of the same moves, once.
    pub(super) fn absorb(&mut self, other: &Self) {
        for (&ply, others) in &other.0 {
            self.0.entry(ply).or_default().absorb(others);
        }
    }

    /// The same without other moves.
    pub(super) fn without_variations(&self) -> Self {
        let alone = |remark: &Remark| Remark { variations: Vec::new(), ..remark.clone() };
        let all = self.0.iter().map(|(&ply, remark)| (ply, alone(remark)));
        Self(all.filter(|(_, remark)| *remark != Remark::default()).collect())
    }

    /// The other moves by the moves that they stand for.
    pub(super) fn variations(&self) -> impl Iterator<Item = (u8, &Variation)> {
        self.0
            .iter()
            .flat_map(|(&ply, remark)| remark.variations.iter().map(move |each| (ply, each)))
    }
}

/// The boards before each move and behind the last one, as far as they can be made.
pub(super) fn boards(start: Placed, moves: &[Square]) -> Vec<Placed> {
    let mut boards = vec![start];
    for &square in moves {
        let now = boards.last().and_then(|before| next(*before, square));
        let Some(now) = now else { break };
        boards.push(now);
    }
    boards
}

/// The board behind a move; none where it cannot be made or ends the game.
fn next(before: Placed, square: Square) -> Option<Placed> {
    before.followed_by(before.position.after(square)?)
}

fn add_once<T: PartialEq + Clone>(all: &mut Vec<T>, more: &[T]) {
    for each in more {
        if !all.contains(each) {
            all.push(each.clone());
        }
    }
}

impl Remark {
    fn into_items(self) -> impl Iterator<Item = Item> {
        let variation = |Variation { comments, moves }: Variation| {
            let moves = moves.into_iter().flat_map(|each| {
                let played = Item::Played(Played::Square(each.square));
                [played].into_iter().chain(each.remark.into_items().collect::<Vec<_>>())
            });
            Item::Variation(comments.into_iter().map(Item::Comment).chain(moves).collect())
        };
        let glyphs = self.glyphs.into_iter().map(Item::Glyph);
        let words = self.comments.into_iter().map(Item::Comment);
        let numbers = [self.evaluation.map(Item::Evaluation), self.clock.map(Item::Clock)];
        let numbers = numbers.into_iter().flatten();
        glyphs.chain(words).chain(numbers).chain(self.variations.into_iter().map(variation))
    }

    /// Adds an item; `before` is the board before the move, where there is one.
    fn add(&mut self, item: Item, before: Option<Placed>) {
        match item {
            Item::Comment(text) => self.comments.push(text),
            Item::Glyph(text) if is_glyph(&text) => self.glyphs.push(text),
            // Readers would take it for a move.
            Item::Glyph(text) => self.comments.push(text),
            Item::Evaluation(discs) => self.evaluation = rounded(discs).or(self.evaluation),
            Item::Clock(left) => self.clock = Some(left),
            Item::Variation(items) => {
                let before = before.filter(|_| depth_of(&items) < DEEPEST);
                match before.and_then(|before| Variation::of(&items, before)) {
                    Some(variation) => self.variations.push(variation),
                    None => self.comments.extend(said(&format!("({})", text_of(&items)))),
                }
            }
            Item::Played(_) => {}
        }
    }

    fn absorb(&mut self, other: &Self) {
        add_once(&mut self.glyphs, &other.glyphs);
        add_once(&mut self.comments, &other.comments);
        add_once(&mut self.variations, &other.variations);
        self.evaluation = self.evaluation.or(other.evaluation);
        self.clock = self.clock.or(other.clock);
    }
}

impl Variation {
    /// None where its moves cannot be played, or it has none.
    fn of(items: &[Item], start: Placed) -> Option<Self> {
        let mut variation = Self::default();
        // The board before the last move, and the one behind it.
        let (mut before, mut now) = (None, Some(start));
        for item in items {
            match item {
                Item::Played(Played::Square(square)) => {
                    let board = now?;
                    let after = board.position.after(*square)?;
                    (before, now) = (Some(board), board.followed_by(after));
                    let remark = Remark::default();
                    variation.moves.push(VariationMove { square: *square, remark });
                }
                Item::Played(Played::Pass) => {}
                Item::Played(Played::Unreadable(_) | Played::Cut(_)) => return None,
                item => match (variation.moves.last_mut(), item) {
                    (Some(last), item) => last.remark.add(item.clone(), before),
                    (None, Item::Comment(text)) => variation.comments.push(text.clone()),
                    (None, _) => return None,
                },
            }
        }
        (!variation.moves.is_empty()).then_some(variation)
    }

    fn turn(&mut self, symmetry: Symmetry) {
        for each in &mut self.moves {
            each.square = symmetry.square(each.square);
            each.remark.variations.iter_mut().for_each(|inner| inner.turn(symmetry));
        }
    }

    /// The moves with the boards before them, and whether the other side passed just before.
    pub(super) fn steps(
        &self,
        start: Placed,
    ) -> impl Iterator<Item = (&VariationMove, Placed, bool)> {
        let (mut now, mut side) = (Some(start), start.side);
        self.moves.iter().map_while(move |each| {
            let before = now?;
            let has_passed = before.side != side;
            side = before.side.other();
            now = next(before, each.square);
            Some((each, before, has_passed))
        })
    }
}

/// How many variations are inside each other.
fn depth_of(items: &[Item]) -> usize {
    let depth = |item: &Item| match item {
        Item::Variation(inner) => 1 + depth_of(inner),
        _ => 0,
    };
    items.iter().map(depth).max().unwrap_or_default()
}

/// Items in words, as PGN has them.
fn text_of(items: &[Item]) -> String {
    let word = |item: &Item| match item {
        Item::Played(Played::Square(square)) => square.to_string(),
        Item::Played(Played::Pass) => "--".to_owned(),
        Item::Played(Played::Unreadable(text) | Played::Cut(text)) | Item::Glyph(text) => {
            text.clone()
        }
        Item::Comment(text) => format!("- {text} -"),
        Item::Evaluation(discs) => discs.to_string(),
        Item::Clock(left) => clock_text(*left),
        Item::Variation(items) => format!("({})", text_of(items)),
    };
    items.iter().map(word).collect::<Vec<_>>().join(" ")
}

/// The moves of a word of a variation, with what is no move behind them.
pub(super) fn moves_of(word: &str) -> Vec<Item> {
    let mut items = Vec::new();
    let mut moves = MoveText::new(word);
    while let Some(played) = moves.take() {
        items.push(Item::Played(played));
    }
    let rest = moves.rest();
    if !rest.is_empty() {
        let is_sign = rest.starts_with(|c: char| !c.is_alphanumeric());
        items.push(match is_sign && !items.is_empty() {
            true => glyph(rest),
            false => Item::Played(Played::Unreadable(rest.to_owned())),
        });
    }
    items
}

/// A value to a thousandth of a disc, as it comes back from text; none where it cannot be one.
fn rounded(discs: f64) -> Option<f64> {
    (discs.abs() <= 1e6).then(|| (discs * 1000.0).round() / 1000.0)
}

/// What a number is for Black that one side means.
pub(super) fn for_black(discs: f64, side: Side) -> f64 {
    let sign = if side == Side::Black { discs } else { -discs };
    // No -0.
    sign + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::games::testing::read_text;
    use crate::files::games::{Game, GameFormat, Loss, write};

    const TEXT: &str = "[Event \"x\"]\n\n{to begin with} 1. f5! {good} {[%eval 1.5] [%emt 0:00:02] so far} \
        d6 $13 N (1... f4 {instead} 2. e3 (2. c3 {or so}) f6?!) ({a third} 1... f6) 2. c3 {[%clk 0:05:00.5]} * \
        {the end}\n";

    fn written(format: GameFormat, game: &Game) -> String {
        let mut bytes = Vec::new();
        write(format, [game], &mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn what_is_said_is_kept_in_its_order() {
        let game = read_text(TEXT).remove(0).game;
        let of = |ply| game.remarks.of(ply).unwrap();
        assert_eq!(of(0).comments, ["to begin with"]);
        assert_eq!(
            (&of(1).glyphs[..], &of(1).comments[..]),
            (&["!".into()][..], &["good".into(), "so far".into()][..])
        );
        assert_eq!((of(1).evaluation, game.milliseconds[0]), (Some(1.5), 2000));
        assert_eq!(of(2).glyphs, ["$13", "N"]);
        let [first, second] = &of(2).variations[..] else { panic!("{game:?}") };
        let squares = |of: &Variation| {
            of.moves.iter().map(|each| each.square.to_string()).collect::<String>()
        };
        assert_eq!((squares(first), squares(second)), ("f4e3f6".into(), "f6".into()));
        assert_eq!(squares(&first.moves[1].remark.variations[0]), "c3");
        assert_eq!(
            (&first.moves[2].remark.glyphs[..], &second.comments[..]),
            (&["?!".into()][..], &["a third".into()][..])
        );
        assert_eq!((of(3).clock, &of(3).comments[..]), (Some(300_500), &["the end".into()][..]));
    }

    #[test]
    fn formats_that_hold_remarks_give_them_back() {
        let game = read_text(TEXT).remove(0).game;
        for format in [GameFormat::Pgn, GameFormat::Json] {
            let text = written(format, &game);
            assert_eq!(read_text(&text).remove(0).game.remarks, game.remarks, "{text}");
            assert_eq!(read_text(&text).remove(0).game.milliseconds, game.milliseconds, "{text}");
        }
        // SGF has no tags for two of the signs.
        let plain = TEXT.replace(" $13 N", "");
        let game = read_text(&plain).remove(0).game;
        let text = written(GameFormat::Sgf, &game);
        assert_eq!(read_text(&text).remove(0).game.remarks, game.remarks, "{text}");
        let lost = |format| {
            let again = read_text(&written(format, &game)).remove(0).game;
            let lost = Loss::between(&game, &again);
            lost.filter(|loss| matches!(loss, Loss::Remarks | Loss::Variations)).collect::<Vec<_>>()
        };
        assert_eq!(lost(GameFormat::Pgn), []);
        assert_eq!(lost(GameFormat::Ggf), [Loss::Remarks, Loss::Variations]);
        assert_eq!(lost(GameFormat::Transcript), [Loss::Remarks, Loss::Variations]);
    }

    /// The value of a move of GGF is that of the side that makes it.
    #[test]
    fn values_of_ggf_are_those_of_the_side_that_moves() {
        let game =
            read_text("(;GM[Othello]PB[a]PW[b]B[f5/1.5/2]W[d6/1.5]B[c3//3];)").remove(0).game;
        let worth = |ply| game.remarks.of(ply).and_then(|remark| remark.evaluation);
        assert_eq!([1, 2, 3].map(worth), [Some(1.5), Some(-1.5), None]);
        let text = written(GameFormat::Ggf, &game);
        assert!(text.contains("B[f5/1.5/2]W[d6/1.5]B[c3//3]"), "{text}");
    }

    #[test]
    fn a_variation_that_cannot_be_played_is_kept_in_words() {
        let game =
            read_text("[Event \"x\"]\n\n1. f5 d6 (1... a1 {no} or 2. c3) 2. c3 *\n").remove(0).game;
        assert_eq!(game.remarks.of(2).unwrap().comments, ["(a1 - no - or c3)"]);
        let deep =
            format!("[Event \"x\"]\n\n1. f5 {}{} d6 *\n", "(f5 ".repeat(300), ")".repeat(300));
        assert_eq!(read_text(&deep).remove(0).game.moves.len(), 2);
        let deep = written(GameFormat::Json, &read_text(&deep).remove(0).game);
        assert_eq!(read_text(&deep).len(), 1);
    }

    #[test]
    fn objects_of_moves_say_more() {
        let text = r#"{"moves":[{"move":"f5","comment":"good","nag":1},{"move":"d6","eval":-2}]}"#;
        let game = read_text(text).remove(0).game;
        let of = |ply| game.remarks.of(ply).unwrap();
        assert_eq!(
            (&of(1).glyphs[..], &of(1).comments[..]),
            (&["!".into()][..], &["good".into()][..])
        );
        assert_eq!(of(2).comments, ["eval -2"]);
    }

    #[test]
    fn another_source_adds_what_it_says_of_the_turned_game() {
        let mut known =
            read_text("[Event \"x\"]\n\n1. f5 {a} d6 (1... f6) 2. c3 *\n").remove(0).game;
        let turned = read_text("[Event \"x\"]\n\n1. d3 {b} {a} c5 (1... e3) (1... c3) 2. f6 *\n")
            .remove(0)
            .game;
        known.absorb(&turned);
        assert_eq!(known.remarks.of(1).unwrap().comments, ["a", "b"]);
        let variations = &known.remarks.of(2).unwrap().variations;
        let firsts: Vec<String> =
            variations.iter().map(|each| each.moves[0].square.to_string()).collect();
        assert_eq!(firsts, ["f6", "f4"]);
        let before = known.clone();
        known.absorb(&turned);
        assert_eq!(known, before);
    }
}
