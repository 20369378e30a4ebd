//! Kinds of processors, and what the code for each can do.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::othello::board::{Bitboard, Key, Position, Square};

/// A kind of processor that the board operations are written for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CpuLevel {
    /// Any processor.
    Portable,
    /// 64-bit ARM: NEON.
    Neon,
    /// x86-64 since about 2013: AVX2, BMI1, BMI2, POPCNT, LZCNT.
    Avx2,
    /// x86-64 since about 2017: AVX-512 F, VL, CD, BW, DQ.
    Avx512,
}

impl CpuLevel {
    /// All kinds, the plainest first.
    pub const ALL: [Self; 4] = [Self::Portable, Self::Neon, Self::Avx2, Self::Avx512];

    /// "portable", "neon", "avx2" or "avx512".
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Neon => "neon",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }
}

impl fmt::Display for CpuLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that names no kind of processor.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
#[error("'{0}' is not a kind of processor: expected portable, neon, avx2 or avx512")]
pub struct CpuLevelError(pub String);

impl FromStr for CpuLevel {
    type Err = CpuLevelError;

    fn from_str(text: &str) -> Result<Self, CpuLevelError> {
        Self::ALL
            .into_iter()
            .find(|level| level.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| CpuLevelError(text.to_owned()))
    }
}

/// The board operations of one kind of processor. All kinds give the same results as [`super::Portable`].
pub trait Cpu: Copy + Send + Sync + 'static {
    /// The name of this kind.
    const LEVEL: CpuLevel;

    /// As [`crate::othello::board::legal_moves`].
    fn legal_moves(self, mover: Bitboard, opponent: Bitboard) -> Bitboard;

    /// As [`crate::othello::board::flips`].
    fn flips(self, square: Square, mover: Bitboard, opponent: Bitboard) -> Bitboard;

    /// As [`crate::othello::board::last_flip_count`].
    fn last_flip_count(self, square: Square, mover: Bitboard) -> u32;

    /// As [`crate::othello::board::stable_discs`].
    fn stable_discs(self, mover: Bitboard, opponent: Bitboard) -> Bitboard;

    /// As [`Key::of`], of four positions at once.
    fn keys(self, positions: [Position; 4]) -> [Key; 4];

    /// Runs a task in code compiled for this kind of processor.
    ///
    /// A call is a plain function call that the compiler does not inline into code for a lesser
    /// processor. A recursive function enters a task of its own type again for each level.
    fn enter<T: CpuTask>(self, task: T) -> T::Output;
}

/// Work that is compiled once for each kind of processor.
pub trait CpuTask {
    type Output;

    /// Does it. Mark implementations `#[inline(always)]`: the body must become part of the
    /// function with the right instructions, or the operations of `cpu` become calls. The same is
    /// true of functions and closures that the body uses; a closure called through `dyn`, or from
    /// a library function too large to be inlined, is compiled for any processor.
    fn run<C: Cpu>(self, cpu: C) -> Self::Output;
}
