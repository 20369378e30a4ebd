//! Positions that could have come before: every parent of a book position, found without an index.

use super::moves::flanked_from;
use super::{Bitboard, Position, Squares};

const COLUMN_A: Bitboard = 0x0101_0101_0101_0101;
const COLUMN_H: Bitboard = COLUMN_A << 7;
const ROW_1: Bitboard = 0xff;
const ROW_8: Bitboard = ROW_1 << 56;

#[derive(Clone, Copy)]
struct Direction {
    /// Rotation to the left that moves each square one step.
    rotation: u32,
    /// Squares that a step does not enter from the board: those across the border.
    across: Bitboard,
}

impl Direction {
    const ALL: [Self; 8] = [
        Self { rotation: 1, across: COLUMN_A },
        Self { rotation: 63, across: COLUMN_H },
        Self { rotation: 8, across: ROW_1 },
        Self { rotation: 56, across: ROW_8 },
        Self { rotation: 9, across: COLUMN_A | ROW_1 },
        Self { rotation: 7, across: COLUMN_H | ROW_1 },
        Self { rotation: 57, across: COLUMN_A | ROW_8 },
        Self { rotation: 55, across: COLUMN_H | ROW_8 },
    ];

    /// The squares one step on; what leaves the board is gone.
    #[inline]
    const fn step(self, from: Bitboard) -> Bitboard {
        from.rotate_left(self.rotation) & !self.across
    }

    /// The squares one step back.
    #[inline]
    const fn back(self, from: Bitboard) -> Bitboard {
        (from & !self.across).rotate_right(self.rotation)
    }
}

/// Calls for every choice of discs that a move on a square may have turned in some directions,
/// nothing turned included: in each direction any part, from the square on, of the run of discs
/// beside it, except the last of them, which closes the run.
fn choose(
    square: Bitboard,
    moved: Bitboard,
    directions: &[Direction],
    turned: Bitboard,
    each: &mut impl FnMut(Bitboard),
) {
    let Some((direction, others)) = directions.split_first() else { return each(turned) };
    choose(square, moved, others, turned, each);
    let mut part = turned;
    let mut at = direction.step(square) & moved;
    loop {
        let next = direction.step(at) & moved;
        if next == 0 {
            break;
        }
        part |= at;
        choose(square, moved, others, part, each);
        at = next;
    }
}

/// Every position from which one move leads to `position`, where a forced pass after that move is
/// part of it: the candidates in which the side to move of `position` has moved last (its opponent
/// then had to pass) are included only when that pass was forced.
///
/// Each position is in some orientation of its own and may come more than once. All of them have a
/// legal move that leads here; none is left out (the four centre squares are never emptied).
pub fn predecessors(position: Position, mut found: impl FnMut(Position)) {
    // The opponent moved last, the ordinary case: then `position` is what it left.
    before(position, &mut found);
    // The mover moved last and the opponent had to pass.
    if !position.passed().can_move() {
        before(position.passed(), &mut found);
    }
}

/// Positions whose move by `position.opponent` leads to `position`.
///
/// Let a square hold one of the discs of the side that moved. In each direction a run of that
/// side's discs starts beside it, perhaps an empty one. Any part of the run that starts beside the
/// square may have been turned by the move, as long as one disc of the run is left to close it; the
/// directions do not touch each other. Only where a run of the other side's discs is closed by a
/// disc of the side that moved was this square not the last move, for it would have turned them.
fn before(position: Position, found: &mut impl FnMut(Position)) {
    let Position { mover: other, opponent: moved } = position;
    // In each direction the squares that two discs of the side that moved follow: there something
    // may have been turned.
    let long = Direction::ALL.map(|direction| direction.back(moved & direction.back(moved)));
    let any = long.into_iter().fold(0, |any, squares| any | squares);
    for square in Squares(moved & any & !Position::CENTRE & !flanked_from(moved, other)) {
        let mut directions = [Direction::ALL[0]; 8];
        let mut count = 0;
        for (direction, squares) in Direction::ALL.into_iter().zip(long) {
            directions[count] = direction;
            count += usize::from(squares & square.bit() != 0);
        }
        choose(square.bit(), moved, &directions[..count], 0, &mut |turned| {
            if turned != 0 {
                found(Position { mover: moved ^ turned ^ square.bit(), opponent: other ^ turned });
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::board::After;
    use crate::othello::random::Random;
    use proptest::prelude::*;

    /// Plays random moves and asks each position for the one before.
    fn check(seed: u64) -> Result<(), TestCaseError> {
        let mut random = Random::new(seed);
        let mut position = Position::START;
        loop {
            let moves: Vec<_> = position.legal_moves().collect();
            let square = moves[random.below(moves.len())];
            let after = position.after(square);
            let Some(next) = after.and_then(After::position) else { return Ok(()) };
            let mut seen = false;
            let mut sound = true;
            predecessors(next, |parent| {
                seen |= parent == position;
                sound &= parent
                    .legal_moves()
                    .any(|square| parent.after(square).and_then(After::position) == Some(next));
            });
            prop_assert!(seen, "{position:?} was not found before {next:?}");
            prop_assert!(sound, "a position was found that does not lead to {next:?}");
            position = next;
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn the_true_parent_is_found_and_no_false_one(seed: u64) {
            check(seed)?;
        }
    }
}
