//! Any processor.

use super::kind::{Cpu, CpuLevel, CpuTask};
use crate::othello::board::{Bitboard, Key, Position, Square};

/// Plain 64-bit arithmetic: the reference for every other kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

impl Cpu for Portable {
    const LEVEL: CpuLevel = CpuLevel::Portable;

    #[inline(always)]
    fn legal_moves(self, mover: Bitboard, opponent: Bitboard) -> Bitboard {
        crate::othello::board::legal_moves(mover, opponent)
    }

    #[inline(always)]
    fn flips(self, square: Square, mover: Bitboard, opponent: Bitboard) -> Bitboard {
        crate::othello::board::flips(square, mover, opponent)
    }

    #[inline(always)]
    fn last_flip_count(self, square: Square, mover: Bitboard) -> u32 {
        crate::othello::board::last_flip_count(square, mover)
    }

    #[inline(always)]
    fn stable_discs(self, mover: Bitboard, opponent: Bitboard) -> Bitboard {
        crate::othello::board::stable_discs(mover, opponent)
    }

    #[inline(always)]
    fn keys(self, positions: [Position; 4]) -> [Key; 4] {
        positions.map(Key::of)
    }

    fn enter<T: CpuTask>(self, task: T) -> T::Output {
        task.run(self)
    }
}
