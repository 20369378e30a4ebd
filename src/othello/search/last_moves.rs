//! The moves of a position with few empties, each with the position after it: what the sorting finds out
//! about a reply is not found out again where the reply is searched.

use crate::othello::board::{Bitboard, Cpu, Position, Square, Squares};
use crate::othello::eval::classic::quick_rating;

use super::ordering::{later_replies, odd_squares, weighed};

/// Up to this many empties the solver without an evaluator takes over from the search with one, and lists
/// moves here.
pub(super) const MOST_EMPTIES: u8 = 11;

/// No position has more moves than empty squares.
const MOST: usize = MOST_EMPTIES as usize;

/// Keys are looked at all at once, which is fastest for a whole register of them.
const KEYS: usize = 16;

const _: () = assert!(MOST <= KEYS);

/// A move, and the position after it.
#[derive(Clone, Copy)]
pub(super) struct LastMove {
    pub child: Position,
    /// The moves of `child`, once the list is rated.
    pub legal: Bitboard,
    /// Where the near table keeps `child`, once that has been looked up.
    pub place: u32,
    pub square: Square,
}

/// What fills a list before there are moves.
const NO_MOVE_YET: LastMove = LastMove {
    child: Position { mover: 0, opponent: 0 },
    legal: 0,
    place: 0,
    square: Square::new(0),
};

/// The key of a move that has been handed out, or of none.
const GONE: i32 = i32::MIN;

/// A rating above all others.
const TABLE_MOVE: i32 = 1 << 20;

/// And one above that.
const WIPE_OUT: i32 = 1 << 21;

/// The moves of a position, handed out best first.
pub(super) struct LastMoves {
    list: [LastMove; MOST],
    len: usize,
    /// For each move its rating, and below it, in four bits, how far it is from the end of the
    /// list: the largest is the best, of equals the first.
    keys: [i32; KEYS],
    /// The largest key, until it is handed out.
    first: i32,
}

impl LastMoves {
    /// An empty list, to be filled where it is: a full one that is returned gets copied.
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Self { list: [NO_MOVE_YET; MOST], len: 0, keys: [GONE; KEYS], first: GONE }
    }

    /// Adds the moves `legal` of a position, not yet rated.
    #[inline(always)]
    pub(crate) fn add<C: Cpu>(&mut self, cpu: C, position: Position, legal: Bitboard) {
        for square in Squares(legal) {
            let turned = cpu.flips(square, position.mover, position.opponent);
            let Some(next) = self.list.get_mut(self.len) else { break };
            next.child = position.with_move(square, turned);
            next.square = square;
            self.len += 1;
        }
    }

    /// All moves, in the order of their squares.
    #[inline(always)]
    pub(crate) fn as_mut_slice(&mut self) -> &mut [LastMove] {
        &mut self.list[..self.len.min(MOST)]
    }

    /// Rates by how few replies a move leaves now, corners counted twice, and may leave later, then
    /// by parity; finds the replies.
    #[inline(always)]
    pub(crate) fn rate_fastest_first<C: Cpu>(
        &mut self,
        cpu: C,
        position: Position,
        table_move: u8,
    ) {
        let odd = odd_squares(position.empty_squares());
        for index in 0..self.len.min(MOST) {
            let each = &mut self.list[index];
            let child = each.child;
            each.legal = cpu.legal_moves(child.mover, child.opponent);
            let parity = i32::from(each.square.bit() & odd != 0);
            let rating = if child.mover == 0 {
                WIPE_OUT
            } else if each.square.number() == table_move {
                TABLE_MOVE
            } else {
                4 * parity - 8 * weighed(each.legal) - 2 * later_replies(child)
            };
            self.rate(index, rating);
        }
    }

    /// Rates by the kind of square (`MoveOrdering::Quick`); finds the replies. For measurements only.
    #[cold]
    #[inline(never)]
    pub(crate) fn rate_quickly(&mut self, table_move: u8) {
        for index in 0..self.len.min(MOST) {
            let each = &mut self.list[index];
            each.legal = each.child.legal_moves().0;
            let named = each.square.number() == table_move;
            let rating = if named { TABLE_MOVE } else { quick_rating(each.square) };
            self.rate(index, rating);
        }
    }

    #[inline(always)]
    fn rate(&mut self, index: usize, rating: i32) {
        let key = rating << 4 | (KEYS - 1 - index) as i32;
        self.keys[index] = key;
        self.first = self.first.max(key);
    }

    /// The best-rated move not yet handed out, of equals the first.
    #[inline(always)]
    pub(crate) fn next_best(&mut self) -> Option<&LastMove> {
        // The first is known from the rating, and most often no other is asked for.
        let mut best = std::mem::replace(&mut self.first, GONE);
        if best == GONE {
            best = self.keys.iter().fold(GONE, |best, &key| best.max(key));
            if best == GONE {
                return None;
            }
        }
        let index = KEYS - 1 - (best & (KEYS as i32 - 1)) as usize;
        self.keys[index] = GONE;
        self.list.get(index)
    }
}

#[cfg(test)]
mod tests {
    use super::super::ordering::{Moves, replies};
    use super::super::table::NO_MOVE;
    use super::*;
    use crate::othello::board::{Portable, flips, parse_board};

    const BOARD: &str = "-XXXXXXX--XXOOOO-OXOXXOOOXXOXOOOXXOXXOOOXXXXOOOOX-XXOOOO--XXXXXX O";

    fn rated(position: Position, table_move: u8) -> LastMoves {
        let mut moves = LastMoves::new();
        moves.add(Portable, position, position.legal_moves().0);
        moves.rate_fastest_first(Portable, position, table_move);
        moves
    }

    #[test]
    fn every_move_is_handed_out_once_and_the_best_first() {
        let position = parse_board(BOARD).unwrap().position;
        let (mut moves, mut seen, mut last) = (rated(position, NO_MOVE), 0, i32::MAX);
        while let Some(next) = moves.next_best() {
            let turned = flips(next.square, position.mover, position.opponent);
            assert_eq!(next.child, position.with_move(next.square, turned));
            assert_eq!(next.legal, next.child.legal_moves().0);
            let odd = odd_squares(position.empty_squares()) & next.square.bit() != 0;
            let rating = 4 * i32::from(odd)
                - 8 * replies(Portable, next.child)
                - 2 * later_replies(next.child);
            assert!(rating <= last, "{}", next.square);
            (seen, last) = (seen | next.square.bit(), rating);
        }
        assert_eq!(seen, position.legal_moves().0);
        assert!(moves.next_best().is_none());
    }

    #[test]
    fn the_table_move_comes_first() {
        let position = parse_board(BOARD).unwrap().position;
        for square in position.legal_moves() {
            let mut moves = rated(position, square.number());
            assert_eq!(moves.next_best().unwrap().square, square);
            assert_ne!(moves.next_best().unwrap().square, square);
        }
    }

    #[test]
    fn equals_keep_the_order_of_their_squares() {
        let position = parse_board(BOARD).unwrap().position;
        let (mut moves, mut others) =
            (LastMoves::new(), Moves::new(Portable, position, position.legal_moves().0));
        moves.add(Portable, position, position.legal_moves().0);
        moves.rate_quickly(NO_MOVE);
        others.rate_quickly();
        while let Some(next) = moves.next_best() {
            assert_eq!(others.next_best().unwrap().square, next.square);
        }
        assert!(others.next_best().is_none());
    }
}
