//! The kinds of text beside moves, and where a word of them ends.

use super::tag::begins_a_tag;
use crate::files::games::result_words::{is_square, read_result};
use crate::files::games::stated::{Stated, StatedScore, read_short};
use crate::files::games::vocabulary::label_of;

/// Where the word ends that a text of moves begins with: at a blank, a comment, a variation or a tag behind it.
pub(super) fn word_end(text: &str) -> usize {
    let is_end = |at: usize, character: char| {
        character.is_whitespace()
            || matches!(character, '{' | '(' | ')' | ';')
            || (character == '[' && at > 0 && text.get(at..).is_some_and(begins_a_tag))
    };
    text.char_indices()
        .find(|&(at, character)| is_end(at, character))
        .map_or(text.len(), |(at, _)| at)
}

/// Words of which one is a square where the rest of a line is moves.
const FIRST: usize = 3;

/// A result in several words that is all that is left of a line.
pub(super) fn whole_result(rest: &str) -> Option<Stated> {
    if rest.split_whitespace().take(FIRST).any(is_square) {
        return None;
    }
    let is_parted = rest.starts_with(['1', '0', '½']) && rest.trim_end().contains(' ');
    if is_parted && let Some(stated) = read_short(rest) {
        return Some(stated);
    }
    let stated = rest.trim().contains(char::is_whitespace).then(|| read_result(rest))??;
    let has_discs =
        matches!(stated.score, Some(StatedScore::Discs { .. } | StatedScore::Difference(_)));
    let is_told = rest.contains(char::is_alphabetic);
    (has_discs && is_told).then_some(stated)
}

/// Whether a line is what people write between games: no word of it can be meant as a move.
pub(super) fn is_prose(text: &str) -> bool {
    let is_move = |word: &str| {
        let mut letters = word.chars();
        letters.next().is_some_and(|first| first.is_ascii_alphabetic())
            && letters.next().is_some_and(|second| second.is_ascii_digit())
    };
    let begins =
        text.starts_with(|c: char| c.is_alphabetic() || matches!(c, '-' | '=' | '_' | '~' | '>'));
    (begins && !text.split(|c: char| !c.is_alphanumeric()).any(is_move))
        || read_result(text).is_some()
}

/// Words of a name, and bytes of a line with two of them.
const MOST_WORDS: usize = 3;
const LONGEST: usize = 100;

/// Both players on a line of their own, with what stands between them: a result, or a hyphen.
pub(super) fn two_names(text: &str) -> Option<[&str; 3]> {
    const BETWEEN: [&str; 7] = ["-", "–", "—", "vs", "vs.", "v", "v."];
    let is_between = |word: &&str| {
        let is_result = word.starts_with(|c: char| c.is_ascii_digit() || c == '½');
        BETWEEN.contains(word) || is_result && read_result(word).is_some()
    };
    // All games of a tournament may stand in one line.
    // Neither tags nor numbered moves are looked into.
    let may_be = text.len() <= LONGEST && text.starts_with(char::is_alphabetic);
    let mut words = Some(text).filter(|_| may_be)?.split_whitespace();
    let between = words.find(is_between)?;
    let at = between.as_ptr() as usize - text.as_ptr() as usize;
    let (black, white) = (text.get(..at)?.trim(), text.get(at + between.len()..)?.trim());
    let is_name = |name: &str| {
        let words: Vec<&str> = name.split_whitespace().collect();
        let is_capital = |word: &&str| !word.starts_with(char::is_lowercase);
        (1..=MOST_WORDS).contains(&words.len())
            && (words.len() == 1 || words.iter().all(is_capital))
            && name.starts_with(char::is_alphabetic)
            && !name.contains([':', ';', '[', '{', '(', '"'])
            && !words.iter().any(|word| is_between(word) || is_square(word))
            && !words.iter().any(|word| label_of(word).is_some())
    };
    (is_name(black) && is_name(white)).then_some([black, between, white])
}

/// Whether the text behind a tag is the moves, and not a word by hand.
pub(super) fn begins_as_moves(text: &str) -> bool {
    let mut letters = text.chars();
    match (letters.next(), letters.next()) {
        (Some('{' | '(' | ';' | '*'), _) => true,
        (Some(first), _) if first.is_ascii_digit() => true,
        (Some(column), Some(row)) => column.is_ascii_alphabetic() && ('1'..='8').contains(&row),
        _ => false,
    }
}
