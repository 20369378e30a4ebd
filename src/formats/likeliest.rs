//! A move for a value that has none, for formats that want one.

use crate::board::{Bitboard, Position, Square};

const CORNERS: Bitboard = 0x8100_0000_0000_0081;

/// The move of a set that a value without a move is most likely about: a corner, else the one that
/// leaves the fewest replies, else the first.
pub(super) fn likeliest(position: Position, moves: Bitboard) -> Option<Square> {
    position.legal_moves().filter(|square| moves & square.bit() != 0).min_by_key(|square| {
        let replies = position.play(*square).map_or(0, |next| next.legal_moves().len());
        (CORNERS & square.bit() == 0, replies)
    })
}
