//! The rules and the board that a file names for a game: `xot`, `s8r20`, `anti-reversi`, `10x10`.

use super::refused::Why;

/// Words for the game in which the fewest discs win.
const ANTI: [&str; 5] = ["anti", "inverse", "reverse", "misere", "misère"];

/// Whether the name of a variant is one of Othello on 8 x 8 squares.
pub(super) fn check_variant(value: &str) -> Result<(), Why> {
    let value = value.trim().to_lowercase();
    if ANTI.iter().any(|anti| value.contains(anti)) {
        return Err(Why::anti());
    }
    match squares_of_a_side(&value) {
        Some(size) if size != "8" => Err(Why::board_size(size)),
        _ => Ok(()),
    }
}

/// Whether the size of a board is that of Othello: `8`, `8x8`.
pub(super) fn check_size(value: &str) -> Result<(), Why> {
    let value = value.trim();
    let size = if is_number(value) { Some(value) } else { squares_of_a_side(value) };
    match size {
        Some(size) if size != "8" => Err(Why::board_size(size)),
        _ => Ok(()),
    }
}

/// `10` of `10x10`.
fn squares_of_a_side(value: &str) -> Option<&str> {
    let sizes = value.split(|c: char| !c.is_alphanumeric() && c != '×');
    let mut sizes = sizes.filter_map(|word| word.split_once(['x', '×']));
    sizes.find(|&(columns, rows)| is_number(columns) && columns == rows).map(|(columns, _)| columns)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a variant draws the start by lot: `8r20`, `s8kr18`, `random`.
pub(super) fn begins_at_random(value: &str) -> bool {
    let value = value.trim().to_ascii_lowercase();
    let size = value.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let options = size.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_sized = options.len() < size.len();
    let discs = options.trim_start_matches(|c: char| c.is_ascii_alphabetic() && c != 'r');
    let is_kind = discs.strip_prefix('r').is_some_and(is_number);
    (is_sized && is_kind) || has_word(&value, "random") || has_word(&value, "rand")
}

/// Whether a variant, or an event by its name, is one of XOT, whose openings are drawn by lot.
pub(super) fn says_xot(text: &str) -> bool {
    has_word(text, "xot")
}

fn has_word(text: &str, word: &str) -> bool {
    // Japanese stands behind a word without a blank.
    let mut words = text.split(|c: char| !c.is_ascii_alphabetic());
    words.any(|one| one.eq_ignore_ascii_case(word))
}
