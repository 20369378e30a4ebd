//! A move for a value that has none, for formats that want one.

use crate::othello::board::{Bitboard, CORNERS, Cpu, CpuLevel, CpuTask, Position, Square, Squares};

/// The move of a set that a value without a move is most likely about: a corner, else the one that
/// leaves the fewest replies, else the first; none that ends the game.
pub(super) fn likeliest(position: Position, moves: Bitboard) -> Option<Square> {
    CpuLevel::detect().run(Likeliest { position, moves })
}

struct Likeliest {
    position: Position,
    moves: Bitboard,
}

impl CpuTask for Likeliest {
    type Output = Option<Square>;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Option<Square> {
        let Self { position, moves } = self;
        let legal = moves & cpu.legal_moves(position.mover, position.opponent);
        let mut best = None;
        for square in Squares(legal) {
            let flipped = cpu.flips(square, position.mover, position.opponent);
            let next = position.with_move(square, flipped);
            let replies = cpu.legal_moves(next.mover, next.opponent).count_ones();
            // What ends the game is worth what the board then says, and a value without a move says other things.
            if replies == 0 && cpu.legal_moves(next.opponent, next.mover) == 0 {
                continue;
            }
            let order = (square.bit() & CORNERS == 0, replies);
            if best.is_none_or(|(_, least)| order < least) {
                best = Some((square, order));
            }
        }
        best.map(|(square, _)| square)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corner_comes_first_then_the_fewest_replies_then_the_first() {
        let mut position = Position::START;
        let mut corners = 0;
        for ply in 0..50 {
            let moves = position.legal_moves();
            let found = likeliest(position, moves.0);
            let expected = moves.min_by_key(|square| {
                let replies = position.play(*square).map_or(0, |next| next.legal_moves().len());
                (CORNERS & square.bit() == 0, replies)
            });
            assert_eq!(found, expected, "{position:?}");
            corners += usize::from(moves.0 & CORNERS != 0);
            let count = moves.len();
            let Some(square) = moves.into_iter().nth(ply * 7 % count.max(1)) else { break };
            position = position.play(square).unwrap();
        }
        assert!(corners > 0);
        assert_eq!(likeliest(Position::START, 0), None);
        // After f7 the board is full except squares that neither side can take.
        let board = "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXOO---XX-OOOO- X";
        let position = crate::othello::board::parse_board(board).unwrap().position;
        let [f7, c8] = ["f7", "c8"].map(|name| name.parse::<Square>().unwrap());
        let legal = f7.bit() | c8.bit();
        assert_eq!(position.legal_moves().0, legal);
        assert_eq!(likeliest(position, legal), Some(c8));
        assert_eq!(likeliest(position, f7.bit()), None);
    }
}
