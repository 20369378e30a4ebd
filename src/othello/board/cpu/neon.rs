//! 64-bit ARM with NEON: two line directions side by side in one 128-bit register.
#![allow(unsafe_code)]

use std::arch::aarch64::{
    int64x2_t, uint64x2_t, vandq_u64, vcombine_s64, vcombine_u64, vcreate_s64, vcreate_u64,
    vdupq_n_u64, vgetq_lane_u64, vorrq_u64, vshlq_u64, vtstq_u64,
};

use super::kind::{Cpu, CpuLevel, CpuTask};
use crate::othello::board::bitboard::INNER_COLUMNS;
use crate::othello::board::{Bitboard, Key, Position, Square};

/// A 64-bit ARM processor with NEON.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neon(());

impl Neon {
    /// The proof that this machine is of this kind, if it is.
    pub(crate) fn detect() -> Option<Self> {
        std::arch::is_aarch64_feature_detected!("neon").then_some(Self(()))
    }
}

impl Cpu for Neon {
    const LEVEL: CpuLevel = CpuLevel::Neon;

    #[inline(always)]
    fn legal_moves(self, mover: Bitboard, opponent: Bitboard) -> Bitboard {
        // SAFETY: a value of this type is made only after the feature was detected.
        unsafe { legal_moves(mover, opponent) }
    }

    #[inline(always)]
    fn flips(self, square: Square, mover: Bitboard, opponent: Bitboard) -> Bitboard {
        // SAFETY: a value of this type is made only after the feature was detected.
        unsafe { flips(square, mover, opponent) }
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

    #[inline(always)]
    fn enter<T: CpuTask>(self, task: T) -> T::Output {
        // SAFETY: a value of this type is made only after the feature was detected.
        unsafe { run(self, task) }
    }
}

#[target_feature(enable = "neon")]
fn run<T: CpuTask>(cpu: Neon, task: T) -> T::Output {
    task.run(cpu)
}

/// The runs that start beside `from` along one pair of line directions.
#[derive(Clone, Copy)]
struct Runs {
    /// To higher squares.
    up: uint64x2_t,
    /// To lower squares.
    down: uint64x2_t,
}

/// A pair of line directions: a register shift is to the left by a positive count, to the right by
/// a negative one.
#[derive(Clone, Copy)]
struct Pair {
    first: i64,
    second: i64,
}

impl Pair {
    const STRAIGHT: Self = Self { first: 1, second: 8 };
    const DIAGONAL: Self = Self { first: 7, second: 9 };

    #[inline]
    #[target_feature(enable = "neon")]
    fn by(self, steps: i64) -> int64x2_t {
        vcombine_s64(
            vcreate_s64((self.first * steps) as u64),
            vcreate_s64((self.second * steps) as u64),
        )
    }
}

/// Parallel prefix as in the portable code.
#[inline]
#[target_feature(enable = "neon")]
fn runs(from: uint64x2_t, through: uint64x2_t, pair: Pair) -> Runs {
    let mut up = vandq_u64(through, vshlq_u64(from, pair.by(1)));
    let mut down = vandq_u64(through, vshlq_u64(from, pair.by(-1)));
    up = vorrq_u64(up, vandq_u64(through, vshlq_u64(up, pair.by(1))));
    down = vorrq_u64(down, vandq_u64(through, vshlq_u64(down, pair.by(-1))));
    let up_pairs = vandq_u64(through, vshlq_u64(through, pair.by(1)));
    let down_pairs = vshlq_u64(up_pairs, pair.by(-1));
    up = vorrq_u64(up, vandq_u64(up_pairs, vshlq_u64(up, pair.by(2))));
    down = vorrq_u64(down, vandq_u64(down_pairs, vshlq_u64(down, pair.by(-2))));
    up = vorrq_u64(up, vandq_u64(up_pairs, vshlq_u64(up, pair.by(2))));
    down = vorrq_u64(down, vandq_u64(down_pairs, vshlq_u64(down, pair.by(-2))));
    Runs { up, down }
}

/// The opponent's discs that a run may cross: straight (columns freely) and diagonal.
#[inline]
#[target_feature(enable = "neon")]
fn crossed(opponent: Bitboard) -> [uint64x2_t; 2] {
    let inner = vcreate_u64(opponent & INNER_COLUMNS);
    [vcombine_u64(inner, vcreate_u64(opponent)), vcombine_u64(inner, inner)]
}

#[inline]
#[target_feature(enable = "neon")]
fn united(lanes: uint64x2_t) -> Bitboard {
    vgetq_lane_u64::<0>(lanes) | vgetq_lane_u64::<1>(lanes)
}

#[inline]
#[target_feature(enable = "neon")]
fn legal_moves(mover: Bitboard, opponent: Bitboard) -> Bitboard {
    let from = vdupq_n_u64(mover);
    let [straight, diagonal] = crossed(opponent);
    let past = |through, pair: Pair| {
        let Runs { up, down } = runs(from, through, pair);
        vorrq_u64(vshlq_u64(up, pair.by(1)), vshlq_u64(down, pair.by(-1)))
    };
    united(vorrq_u64(past(straight, Pair::STRAIGHT), past(diagonal, Pair::DIAGONAL)))
        & !(mover | opponent)
}

#[inline]
#[target_feature(enable = "neon")]
fn flips(square: Square, mover: Bitboard, opponent: Bitboard) -> Bitboard {
    let from = vdupq_n_u64(square.bit());
    let mover = vdupq_n_u64(mover);
    let [straight, diagonal] = crossed(opponent);
    let turned = |through, pair: Pair| {
        let Runs { up, down } = runs(from, through, pair);
        // A lane of ones where one of the mover's discs closes the run.
        let closed_up = vtstq_u64(mover, vshlq_u64(up, pair.by(1)));
        let closed_down = vtstq_u64(mover, vshlq_u64(down, pair.by(-1)));
        vorrq_u64(vandq_u64(up, closed_up), vandq_u64(down, closed_down))
    };
    united(vorrq_u64(turned(straight, Pair::STRAIGHT), turned(diagonal, Pair::DIAGONAL)))
}
