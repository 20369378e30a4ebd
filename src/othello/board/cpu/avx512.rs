//! x86-64 with AVX-512: all eight directions in one register, three-operand logic, rotations by a
//! count for each lane, and the highest bit of each lane.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    _mm256_add_epi64, _mm256_and_si256, _mm256_andnot_si256, _mm256_lzcnt_epi64,
    _mm256_maskz_add_epi64, _mm256_or_si256, _mm256_set1_epi64x, _mm256_setzero_si256,
    _mm256_srlv_epi64, _mm256_sub_epi64, _mm256_ternarylogic_epi64, _mm256_test_epi64_mask,
    _mm512_and_si512, _mm512_castsi512_si256, _mm512_extracti64x4_epi64, _mm512_rolv_epi64,
    _mm512_set1_epi64, _mm512_setr_epi64, _mm512_ternarylogic_epi64,
};

use super::avx2::{Avx2, keys, ray_lanes, united};
use super::kind::{Cpu, CpuLevel, CpuTask};
use crate::othello::board::{Bitboard, Key, Position, Square, bitboard};

/// Columns b to g, as a lane holds them.
const INNER_COLUMNS: i64 = bitboard::INNER_COLUMNS.cast_signed();
/// Rows 2 to 7.
const INNER_ROWS: i64 = 0x00ff_ffff_ffff_ff00;
/// All squares but the border.
const INNER: i64 = INNER_COLUMNS & INNER_ROWS;

/// Three-operand logic as its truth table: `a | (b & c)`.
const OR_AND: i32 = 0b1111_1000;
/// `a & b & c`.
const AND_AND: i32 = 0b1000_0000;

/// An x86-64 processor with AVX-512 F, VL, CD, BW and DQ beside all that [`Avx2`] has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512(());

impl Avx512 {
    /// The proof that this machine is of this kind, if it is.
    pub(crate) fn detect() -> Option<Self> {
        (Avx2::detect().is_some()
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512cd")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq"))
        .then_some(Self(()))
    }
}

impl Cpu for Avx512 {
    const LEVEL: CpuLevel = CpuLevel::Avx512;

    #[inline(always)]
    fn legal_moves(self, mover: Bitboard, opponent: Bitboard) -> Bitboard {
        // SAFETY: a value of this type is made only after the features were detected.
        unsafe { legal_moves(mover, opponent) }
    }

    #[inline(always)]
    fn flips(self, square: Square, mover: Bitboard, opponent: Bitboard) -> Bitboard {
        // SAFETY: a value of this type is made only after the features were detected.
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
        // SAFETY: a value of this type is made only after the features were detected.
        unsafe { keys(positions) }
    }

    #[inline(always)]
    fn enter<T: CpuTask>(self, task: T) -> T::Output {
        // SAFETY: a value of this type is made only after the features were detected.
        unsafe { run(self, task) }
    }
}

#[target_feature(
    enable = "avx2,bmi1,bmi2,popcnt,lzcnt,avx512f,avx512vl,avx512cd,avx512bw,avx512dq"
)]
fn run<T: CpuTask>(cpu: Avx512, task: T) -> T::Output {
    task.run(cpu)
}

/// Parallel prefix as in the portable code, a lane for each of the eight directions. A rotation
/// wraps around the board; that is harmless as a run crosses inner squares only.
#[inline]
#[target_feature(enable = "avx2,avx512f")]
fn legal_moves(mover: Bitboard, opponent: Bitboard) -> Bitboard {
    let one = _mm512_setr_epi64(1, 8, 7, 9, 63, 56, 57, 55);
    let two = _mm512_setr_epi64(2, 16, 14, 18, 62, 48, 50, 46);
    let inner = _mm512_setr_epi64(
        INNER_COLUMNS,
        INNER_ROWS,
        INNER,
        INNER,
        INNER_COLUMNS,
        INNER_ROWS,
        INNER,
        INNER,
    );
    let from = _mm512_set1_epi64(mover as i64);
    let through = _mm512_and_si512(_mm512_set1_epi64(opponent as i64), inner);
    let mut run = _mm512_and_si512(through, _mm512_rolv_epi64(from, one));
    run = _mm512_ternarylogic_epi64::<OR_AND>(run, through, _mm512_rolv_epi64(run, one));
    let pairs = _mm512_and_si512(through, _mm512_rolv_epi64(through, one));
    run = _mm512_ternarylogic_epi64::<OR_AND>(run, pairs, _mm512_rolv_epi64(run, two));
    run = _mm512_ternarylogic_epi64::<OR_AND>(run, pairs, _mm512_rolv_epi64(run, two));
    let past = _mm512_rolv_epi64(run, one);
    let past = _mm256_or_si256(_mm512_castsi512_si256(past), _mm512_extracti64x4_epi64::<1>(past));
    united(past) & !(mover | opponent)
}

/// On each ray the first square that is not the opponent's: when it is the mover's, all before it
/// turn. It is the lowest bit on the rays to higher squares, the highest on the others.
#[inline]
#[target_feature(enable = "avx2,avx512f,avx512vl,avx512cd")]
fn flips(square: Square, mover: Bitboard, opponent: Bitboard) -> Bitboard {
    let [higher, lower] = ray_lanes(square);
    let mover = _mm256_set1_epi64x(mover as i64);
    let opponent = _mm256_set1_epi64x(opponent as i64);
    let none = _mm256_setzero_si256();

    let others = _mm256_andnot_si256(opponent, higher);
    let negated = _mm256_sub_epi64(none, others);
    let end = _mm256_ternarylogic_epi64::<AND_AND>(others, negated, mover);
    let ends = _mm256_test_epi64_mask(end, end);
    let before_end = _mm256_maskz_add_epi64(ends, end, _mm256_set1_epi64x(-1));

    let others = _mm256_andnot_si256(opponent, lower);
    let top = _mm256_set1_epi64x(i64::MIN);
    let end = _mm256_and_si256(_mm256_srlv_epi64(top, _mm256_lzcnt_epi64(others)), mover);
    // Minus twice a bit: all bits above it; nothing when there is no bit.
    let above_end = _mm256_sub_epi64(none, _mm256_add_epi64(end, end));

    let turned_lower = _mm256_and_si256(lower, above_end);
    united(_mm256_ternarylogic_epi64::<OR_AND>(turned_lower, higher, before_end))
}
