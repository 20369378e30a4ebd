//! NTest's own three values of the nodes of a book.

use std::collections::HashMap;

use super::layout::{EXHAUSTED, NtestKind, NtestNode, canonical};
use crate::othello::board::{After, Position};
use crate::othello::score::CENTIDISCS;

/// NTest's values by position, in its canonical orientation: best guess, draws to the mover, draws to the
/// opponent, in centidiscs for the side to move.
pub(crate) type NtestValues = HashMap<Position, [i16; 3], foldhash::fast::FixedState>;

/// NTest's three values of all nodes of a book by NTest's own rules, whatever the order they come in. Of a
/// node no more is held than that.
pub(crate) fn ntest_values<E>(
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
    let mut best = BranchValues::default();
    for after in position.legal_moves().filter_map(|square| position.after(square)) {
        match after {
            After::Over(discs) => best.take_end(discs),
            After::Opponent(next) | After::Same(next) => {
                let is_same_side = matches!(after, After::Same(_));
                child(next).map(|values| best.take_move(values, is_same_side));
            }
        }
    }
    best.0
}

/// NTest's three values of a branch, as its moves are taken one after the other: the best of each. Before the
/// first it has none ([`NtestNode::NO_VALUE`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BranchValues(pub [i16; 3]);

impl Default for BranchValues {
    fn default() -> Self {
        Self([EXHAUSTED; 3])
    }
}

impl BranchValues {
    /// Takes a move to a position with these values, for the side to move there; returns what they are to
    /// the side that makes the move. To the other side they are turned round: draws to the mover are then
    /// draws to the opponent. A file may say anything, also what has no opposite.
    pub(crate) fn take_move(&mut self, values: [i16; 3], is_same_side: bool) -> [i16; 3] {
        let [guess, mover, opponent] = values;
        let seen = match is_same_side {
            true => values,
            false => [guess, opponent, mover].map(i16::saturating_neg),
        };
        self.raise(seen);
        seen
    }

    /// Takes a move that ends the game with so many discs for the side that makes it.
    pub(crate) fn take_end(&mut self, discs: i8) {
        self.raise(solved_values(i16::from(discs) * CENTIDISCS));
    }

    fn raise(&mut self, values: [i16; 3]) {
        for (best, value) in self.0.iter_mut().zip(values) {
            *best = (*best).max(value);
        }
    }
}

/// NTest's three values of a solved position: best guess, draws to the mover, draws to the
/// opponent, in centidiscs for its side to move.
pub(crate) const fn solved_values(value: i16) -> [i16; 3] {
    match value {
        1.. => [value, value.saturating_add(PROVEN), value.saturating_add(PROVEN)],
        0 => [0, PROVEN, -PROVEN],
        _ => [value, value.saturating_sub(PROVEN), value.saturating_sub(PROVEN)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_the_other_side_are_turned_round_whatever_they_are() {
        let mut best = BranchValues::default();
        assert_eq!(best.take_move([-300, -400, -200], false), [300, 200, 400]);
        assert_eq!(best.take_move([100, 300, 50], true), [100, 300, 50]);
        assert_eq!(best.0, [300, 300, 400]);
        best.take_end(-2);
        assert_eq!(best.0, [300, 300, 400]);
        best.take_end(2);
        assert_eq!(best.0, [300, 10_200, 10_200]);
        // As a damaged file has it: there is no such number of the other sign.
        assert_eq!(best.take_move([i16::MIN; 3], false), [i16::MAX; 3]);
        assert_eq!(best.take_move([i16::MIN; 3], true), [i16::MIN; 3]);
        assert_eq!(best.0, [i16::MAX; 3]);
    }

    #[test]
    fn a_branch_is_worth_its_best_move_also_where_that_ends_the_game() {
        let at = |square: &str| square.parse::<crate::othello::board::Square>().unwrap().bit();
        let position = Position { mover: at("a1"), opponent: at("b1") };
        assert_eq!(branch_values(position, |_| None), solved_values(6_400));
        let start = |next| {
            (next == Position::START.play("f5".parse().unwrap()).unwrap()).then_some([
                i16::MIN,
                0,
                100,
            ])
        };
        assert_eq!(branch_values(Position::START, start), [i16::MAX, -100, 0]);
    }
}
