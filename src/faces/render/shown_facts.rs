//! What is said of a shown position, in text and in JSON.

use super::command::Command;
use crate::app::{BookMove, By, Shown, ShownMove};
use crate::files::games::{Asked, opening_name, opening_of_line};
use crate::othello::board::{After, Key, Line, Square};
use crate::othello::score::Score;
use crate::othello::search::Selectivity;

/// The name of a shown position, else of the last position on the way there that has one.
pub fn name(asked: &Asked, shown: &Shown) -> Option<&'static str> {
    opening_name(Key::of(shown.placed.position)).or_else(|| opening_of_line(&asked.line))
}

/// Whether the other side had to pass before the one that is shown to move: where it was asked for, or behind
/// the last move of the line.
pub fn passed(asked: &Asked, shown: &Shown) -> bool {
    let last = asked.line.steps().last();
    shown.passed || last.is_some_and(|step| matches!(step.after, After::Same(_)))
}

/// The moves without a value.
pub fn others(shown: &Shown) -> Vec<Square> {
    squares_of(shown, |found| found.found.values.is_none())
}

/// Those of [`others`] that no search covers.
pub fn unsearched(shown: &Shown) -> Vec<Square> {
    squares_of(shown, |found| found.found.values.is_none() && !found.is_covered)
}

fn squares_of(shown: &Shown, is_wanted: fn(&ShownMove) -> bool) -> Vec<Square> {
    let moves = shown.moves.iter().filter(|&found| is_wanted(found));
    moves.map(|found| found.found.square).collect()
}

/// The column of what moves are worth with contempt; none when guesses decide.
pub fn worth(found: &BookMove, by: By) -> Option<Score> {
    match by {
        By::Contempt(_) => found.values.map(|values| by.value(values)),
        _ => None,
    }
}

/// Depth and selectivity of the search that a move's value comes from: in the book, or just now.
pub fn searched(shown: &ShownMove) -> Option<(u8, Selectivity)> {
    match &shown.searched_now {
        Some(outcome) => Some((outcome.depth, outcome.selectivity)),
        None => shown.found.searched.map(|searched| (searched.depth, searched.selectivity)),
    }
}

/// The command that makes a move count which is held; `way` leads to the position before it, through the book.
pub fn raise_command(way: &Line, square: Square) -> Command {
    let line = way.then(&[square]).whole_text();
    Command::new("grow").with(["--policy", "lines", "--line", &line])
}

/// The name of the position after a move.
pub fn move_name(found: &BookMove) -> Option<&'static str> {
    found.after.position().and_then(|position| opening_name(Key::of(position)))
}
