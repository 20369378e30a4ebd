//! Random numbers, moves and positions for tests.
#![allow(dead_code)] // not every program of tests uses all

use rosebill::othello::board::{After, Position, Square};

/// Small, seeded, and the same everywhere.
#[derive(Clone)]
pub struct Dice(pub u64);

impl Dice {
    /// A number below a limit that is not nought.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mixed = (self.0 ^ (self.0 >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        ((mixed >> 33) as usize) % limit
    }

    /// A move of a position that has one.
    pub fn pick(&mut self, position: Position) -> Square {
        let moves: Vec<Square> = position.legal_moves().collect();
        moves[self.below(moves.len())]
    }
}

/// The position after so many random moves; the last that could be played when the game ends.
pub fn random_position(dice: &mut Dice, plies: usize) -> Position {
    let mut position = Position::START;
    for _ in 0..plies {
        let square = dice.pick(position);
        match position.after(square).and_then(After::position) {
            Some(next) => position = next,
            None => break,
        }
    }
    position
}
