//! NTest's own three values of the nodes of a book.

use std::collections::HashMap;

use super::layout::{EXHAUSTED, NtestKind, NtestNode, canonical};
use crate::board::{After, Position};

/// NTest's values by position, in its canonical orientation: best guess, draws to the mover, draws to the
/// opponent, in centidiscs for the side to move.
pub type NtestValues = HashMap<Position, [i16; 3], foldhash::fast::FixedState>;

/// NTest's three values of all nodes of a book by NTest's own rules, whatever the order they come in. Of a
/// node no more is held than that.
///
/// # Errors
/// The first of the nodes that is an error.
pub fn ntest_values<E>(
    nodes: impl IntoIterator<Item = Result<NtestNode, E>>,
) -> Result<NtestValues, E> {
    let mut values = NtestValues::default();
    let mut branches = Vec::new();
    for node in nodes {
        let node = node?;
        match node.kind() {
            NtestKind::Leaf => _ = values.insert(node.position, [node.number; 3]),
            NtestKind::Solved => _ = values.insert(node.position, solved_values(node.number)),
            NtestKind::Branch => branches.push(node.position),
        }
    }
    branches.sort_by_key(|position| position.empties());
    for position in branches {
        let three = branch_values(position, |next| values.get(&canonical(next)).copied());
        values.insert(position, three);
    }
    Ok(values)
}

/// A proven result, in centidiscs.
const PROVEN: i16 = 10_000;

/// The values of a branch: its best move's.
fn branch_values(position: Position, child: impl Fn(Position) -> Option<[i16; 3]>) -> [i16; 3] {
    let mut best = [EXHAUSTED; 3];
    for square in position.legal_moves() {
        let values = match position.after(square) {
            Some(After::Opponent(next)) => {
                child(next).map(|[h, m, o]| [h, o, m].map(i16::saturating_neg))
            }
            Some(After::Same(next)) => child(next),
            Some(After::Over(_)) => {
                let end = position.play(square).map(|end| -end.final_score());
                end.map(|discs| solved_values(i16::from(discs) * 100))
            }
            None => None,
        };
        let Some(values) = values else { continue };
        for (best, value) in best.iter_mut().zip(values) {
            *best = (*best).max(value);
        }
    }
    best
}

/// NTest's three values of a solved position: best guess, draws to the mover, draws to the
/// opponent, in centidiscs for its side to move.
#[must_use]
pub const fn solved_values(value: i16) -> [i16; 3] {
    match value {
        1.. => [value, value.saturating_add(PROVEN), value.saturating_add(PROVEN)],
        0 => [0, PROVEN, -PROVEN],
        _ => [value, value.saturating_sub(PROVEN), value.saturating_sub(PROVEN)],
    }
}
