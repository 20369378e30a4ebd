//! Books of other programs, made byte by byte from what is known of their formats. Nothing of the
//! program's own readers, writers or orderings is used: only the rules of the game.

use std::collections::BTreeSet;

use rosebill::othello::board::{After, Position};

pub mod edax;
pub mod egaroucid;
pub mod ntest;
pub mod zebra;

/// Small, seeded, and the same everywhere.
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % limit
    }
}

/// A number for a position in `-limit..=limit`, the same for its images that count as one here.
pub fn number_of(position: Position, limit: i16) -> i16 {
    let mixed = (position.mover ^ position.opponent.rotate_left(17))
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        >> 40;
    (mixed % (2 * limit as u64 + 1)) as i16 - limit
}

/// The positions of a random game of so many plies from the start, as they are after each move: a
/// side that must pass has not passed yet.
pub fn game(seed: u64, plies: usize) -> Vec<Position> {
    let mut dice = Dice(seed);
    let mut positions = vec![Position::START];
    let mut now = Position::START;
    for _ in 0..plies {
        let moves: Vec<_> = now.legal_moves().collect();
        let square = moves[dice.below(moves.len())];
        positions.push(now.play(square).unwrap());
        match now.after(square).and_then(After::position) {
            Some(next) => now = next,
            None => break,
        }
    }
    positions
}

/// Several random games from the start, some of them to the end.
pub fn games() -> Vec<Position> {
    (0..14).flat_map(|seed| game(seed, [8, 12, 30, 61][seed as usize % 4])).collect()
}

/// The eight images of a board.
fn images(position: Position) -> [Position; 8] {
    let map = |bits: u64, image: usize| {
        (0..64usize).filter(|square| bits >> square & 1 != 0).fold(0u64, |turned, square| {
            let (mut row, mut column) = (square / 8, square % 8);
            if image & 1 != 0 {
                column = 7 - column;
            }
            if image & 2 != 0 {
                row = 7 - row;
            }
            if image & 4 != 0 {
                (row, column) = (column, row);
            }
            turned | 1 << (row * 8 + column)
        })
    };
    [0, 1, 2, 3, 4, 5, 6, 7].map(|image| Position {
        mover: map(position.mover, image),
        opponent: map(position.opponent, image),
    })
}

/// Positions in the image that is smallest by a rule, once each.
fn smallest<K: Ord>(
    positions: impl IntoIterator<Item = Position>,
    rule: impl Fn(Position) -> K,
) -> Vec<Position> {
    let small = |position| images(position).into_iter().min_by_key(|&image| rule(image)).unwrap();
    let boards: BTreeSet<(u64, u64)> = positions
        .into_iter()
        .map(small)
        .map(|position| (position.mover, position.opponent))
        .collect();
    boards.into_iter().map(|(mover, opponent)| Position { mover, opponent }).collect()
}

/// Bytes as a gzip'd file.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, bytes).unwrap();
    packed.finish().unwrap()
}
