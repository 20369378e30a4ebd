//! The rules once more, square by square on a bordered board, and a solver with nothing but
//! alpha-beta: slow, and sharing nothing with the program but its input.

use rosebill::othello::board::{PassRule, Position};

/// Steps to the eight neighbours on a board of ten columns.
const STEPS: [isize; 8] = [-11, -10, -9, -1, 1, 9, 10, 11];

const EMPTY: i8 = 0;
const MOVER: i8 = 1;
const OPPONENT: i8 = -1;
const BORDER: i8 = 9;

/// Ten rows of ten cells, the outer ones border; `MOVER` is whose turn it is.
#[derive(Clone)]
pub struct Naive([i8; 100]);

impl Naive {
    pub fn of(position: Position) -> Self {
        let mut cells = [BORDER; 100];
        for square in 0..64 {
            let bit = 1u64 << square;
            cells[Self::cell(square)] = match (position.mover & bit, position.opponent & bit) {
                (0, 0) => EMPTY,
                (_, 0) => MOVER,
                _ => OPPONENT,
            };
        }
        Self(cells)
    }

    const fn cell(square: usize) -> usize {
        11 + square / 8 * 10 + square % 8
    }

    /// The board after a disc on that cell, seen by the other side; none if nothing is flipped.
    fn play(&self, cell: usize) -> Option<Self> {
        if self.0[cell] != EMPTY {
            return None;
        }
        let mut next = self.clone();
        for step in STEPS {
            let mut line = vec![];
            let mut at = cell.wrapping_add_signed(step);
            while self.0[at] == OPPONENT {
                line.push(at);
                at = at.wrapping_add_signed(step);
            }
            if self.0[at] == MOVER {
                line.iter().for_each(|&flipped| next.0[flipped] = MOVER);
            }
        }
        if next.0 == self.0 {
            return None;
        }
        next.0[cell] = MOVER;
        Some(next.passed())
    }

    fn passed(&self) -> Self {
        Self(self.0.map(|cell| if cell == BORDER { BORDER } else { -cell }))
    }

    /// The legal moves as numbers of squares, a1 = 0, with the boards after them.
    pub fn moves(&self) -> Vec<(u8, Self)> {
        (0..64u8)
            .filter_map(|square| Some((square, self.play(Self::cell(square.into()))?)))
            .collect()
    }

    /// Discs of the side to move less those of the other; empty squares go to the winner.
    fn result(&self) -> i32 {
        let count = |of: i8| self.0.iter().filter(|&&cell| cell == of).count() as i32;
        let (ours, theirs, empties) = (count(MOVER), count(OPPONENT), count(EMPTY));
        (ours - theirs) + empties * (ours - theirs).signum()
    }

    /// The result of perfect play in discs, for the side to move.
    pub fn solve(&self) -> i32 {
        self.alpha_beta(-64, 64)
    }

    fn alpha_beta(&self, mut alpha: i32, beta: i32) -> i32 {
        let moves = self.moves();
        if moves.is_empty() {
            let passed = self.passed();
            return match passed.moves().is_empty() {
                true => self.result(),
                false => -passed.alpha_beta(-beta, -alpha),
            };
        }
        let mut best = -65;
        for (_, next) in moves {
            best = best.max(-next.alpha_beta(-beta, -alpha));
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// Leaves of the game tree so many plies deep; a game that ends earlier is one leaf.
    pub fn perft(&self, depth: u32, passes: PassRule) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = self.moves();
        if !moves.is_empty() {
            return moves.iter().map(|(_, next)| next.perft(depth - 1, passes)).sum();
        }
        let passed = self.passed();
        match passes {
            _ if passed.moves().is_empty() => 1,
            PassRule::Ply => passed.perft(depth - 1, passes),
            PassRule::Free => passed.perft(depth, passes),
        }
    }
}
