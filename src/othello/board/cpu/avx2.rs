//! x86-64 with AVX2: the four line directions side by side in one 256-bit register.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m256i, _mm_cvtsi128_si64, _mm_extract_epi64, _mm_or_si128, _mm_unpackhi_epi64,
    _mm256_add_epi64, _mm256_and_si256, _mm256_andnot_si256, _mm256_blendv_epi8,
    _mm256_castsi256_si128, _mm256_cmpeq_epi64, _mm256_cmpgt_epi64, _mm256_extracti128_si256,
    _mm256_or_si256, _mm256_set1_epi8, _mm256_set1_epi64x, _mm256_setr_epi64x,
    _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_slli_epi64, _mm256_sllv_epi64,
    _mm256_srli_epi64, _mm256_srlv_epi64, _mm256_sub_epi64, _mm256_unpacklo_epi64,
    _mm256_xor_si256,
};

use super::kind::{Cpu, CpuLevel, CpuTask};
use super::rays::RAYS;
use crate::othello::board::{Bitboard, Key, Position, Square, bitboard};

/// All columns but a and h, as a lane holds them.
const INNER_COLUMNS: i64 = bitboard::INNER_COLUMNS.cast_signed();

/// An x86-64 processor with AVX2, BMI1, BMI2, POPCNT and LZCNT.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// The proof that this machine is of this kind, if it is.
    pub(crate) fn detect() -> Option<Self> {
        (is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("lzcnt"))
        .then_some(Self(()))
    }
}

impl Cpu for Avx2 {
    const LEVEL: CpuLevel = CpuLevel::Avx2;

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

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn run<T: CpuTask>(cpu: Avx2, task: T) -> T::Output {
    task.run(cpu)
}

/// The four lanes of a register united.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn united(lanes: __m256i) -> Bitboard {
    let two = _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
    _mm_cvtsi128_si64(_mm_or_si128(two, _mm_unpackhi_epi64(two, two))) as Bitboard
}

/// Parallel prefix as in the portable code, a lane for each line direction: 1, 8, 7, 9.
#[inline]
#[target_feature(enable = "avx2")]
fn legal_moves(mover: Bitboard, opponent: Bitboard) -> Bitboard {
    let one = _mm256_setr_epi64x(1, 8, 7, 9);
    let two = _mm256_setr_epi64x(2, 16, 14, 18);
    let from = _mm256_set1_epi64x(mover as i64);
    let through = _mm256_and_si256(
        _mm256_set1_epi64x(opponent as i64),
        _mm256_setr_epi64x(INNER_COLUMNS, -1, INNER_COLUMNS, INNER_COLUMNS),
    );
    let mut up = _mm256_and_si256(through, _mm256_sllv_epi64(from, one));
    let mut down = _mm256_and_si256(through, _mm256_srlv_epi64(from, one));
    up = _mm256_or_si256(up, _mm256_and_si256(through, _mm256_sllv_epi64(up, one)));
    down = _mm256_or_si256(down, _mm256_and_si256(through, _mm256_srlv_epi64(down, one)));
    let up_pairs = _mm256_and_si256(through, _mm256_sllv_epi64(through, one));
    let down_pairs = _mm256_srlv_epi64(up_pairs, one);
    up = _mm256_or_si256(up, _mm256_and_si256(up_pairs, _mm256_sllv_epi64(up, two)));
    down = _mm256_or_si256(down, _mm256_and_si256(down_pairs, _mm256_srlv_epi64(down, two)));
    up = _mm256_or_si256(up, _mm256_and_si256(up_pairs, _mm256_sllv_epi64(up, two)));
    down = _mm256_or_si256(down, _mm256_and_si256(down_pairs, _mm256_srlv_epi64(down, two)));
    let past = _mm256_or_si256(_mm256_sllv_epi64(up, one), _mm256_srlv_epi64(down, one));
    united(past) & !(mover | opponent)
}

/// On each ray the first square that is not the opponent's: when it is the mover's, all before it
/// turn. On the rays to higher squares it is the lowest bit. On the others it is the highest, which
/// AVX2 cannot ask for: the bits are smeared downwards along the ray, and the one that no other
/// covers is it.
#[inline]
#[target_feature(enable = "avx2")]
fn flips(square: Square, mover: Bitboard, opponent: Bitboard) -> Bitboard {
    let [higher, lower] = ray_lanes(square);
    let mover = _mm256_set1_epi64x(mover as i64);
    let opponent = _mm256_set1_epi64x(opponent as i64);
    let none = _mm256_setzero_si256();

    let others = _mm256_andnot_si256(opponent, higher);
    let first = _mm256_and_si256(others, _mm256_sub_epi64(none, others));
    let end = _mm256_and_si256(first, mover);
    let before_end = _mm256_and_si256(higher, _mm256_add_epi64(end, _mm256_set1_epi64x(-1)));
    let turned_higher = _mm256_andnot_si256(_mm256_cmpeq_epi64(end, none), before_end);

    let others = _mm256_andnot_si256(opponent, lower);
    let one = _mm256_setr_epi64x(1, 8, 7, 9);
    let mut covered = _mm256_srlv_epi64(others, one);
    covered = _mm256_or_si256(covered, _mm256_srlv_epi64(covered, one));
    let two = _mm256_setr_epi64x(2, 16, 14, 18);
    covered = _mm256_or_si256(covered, _mm256_srlv_epi64(covered, two));
    let four = _mm256_setr_epi64x(4, 32, 28, 36);
    covered = _mm256_or_si256(covered, _mm256_srlv_epi64(covered, four));
    let end = _mm256_and_si256(_mm256_andnot_si256(covered, others), mover);
    // Minus twice a bit: all bits above it; nothing when there is no bit.
    let above_end = _mm256_sub_epi64(none, _mm256_add_epi64(end, end));
    let turned_lower = _mm256_and_si256(lower, above_end);

    united(_mm256_or_si256(turned_higher, turned_lower))
}

/// The rays of a square as two registers, those to higher squares first.
#[inline(always)]
pub(super) fn ray_lanes(square: Square) -> [__m256i; 2] {
    // SAFETY: arrays of the same size in which every bit pattern is allowed.
    static LANES: [[__m256i; 2]; 64] = unsafe { std::mem::transmute(RAYS) };
    LANES[square.index() & 63]
}

/// Canonical forms, a lane for each of four positions: the smallest of the eight images, by the
/// mover's discs and then by the opponent's.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn keys(positions: [Position; 4]) -> [Key; 4] {
    let [a, b, c, d] = positions;
    let lanes = |a: Bitboard, b: Bitboard, c: Bitboard, d: Bitboard| {
        _mm256_setr_epi64x(a as i64, b as i64, c as i64, d as i64)
    };
    let mover = lanes(a.mover, b.mover, c.mover, d.mover);
    let opponent = lanes(a.opponent, b.opponent, c.opponent, d.opponent);
    let first = smallest_mirrored(mover, opponent);
    let second = smallest_mirrored(transposed(mover), transposed(opponent));
    let [mover, opponent] = smaller(first, second);
    let [ma, mb, mc, md] = lane_array(signed_order(mover));
    let [oa, ob, oc, od] = lane_array(signed_order(opponent));
    let key = |mover, opponent| Key::from_stored(Position { mover, opponent });
    [key(ma, oa), key(mb, ob), key(mc, oc), key(md, od)]
}

/// The smallest of a board and its mirror images left-right, top-bottom, and both ways, in the order
/// of signed numbers.
#[inline]
#[target_feature(enable = "avx2")]
fn smallest_mirrored(mover: __m256i, opponent: __m256i) -> [__m256i; 2] {
    let (mover_mirrored, opponent_mirrored) = (mirrored(mover), mirrored(opponent));
    let first = smaller(
        [signed_order(mover), signed_order(opponent)],
        [signed_order(mover_mirrored), signed_order(opponent_mirrored)],
    );
    let second = smaller(
        [signed_order(upside_down(mover)), signed_order(upside_down(opponent))],
        [signed_order(upside_down(mover_mirrored)), signed_order(upside_down(opponent_mirrored))],
    );
    smaller(first, second)
}

/// AVX2 compares signed numbers only: with the highest bit turned over their order is that of
/// unsigned ones. Done twice it is undone.
#[inline]
#[target_feature(enable = "avx2")]
fn signed_order(lanes: __m256i) -> __m256i {
    _mm256_xor_si256(lanes, _mm256_set1_epi64x(i64::MIN))
}

/// In each lane the pair that is smaller by its first number, then by its second.
#[inline]
#[target_feature(enable = "avx2")]
fn smaller(a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
    let second_smaller = _mm256_or_si256(
        _mm256_cmpgt_epi64(a[0], b[0]),
        _mm256_and_si256(_mm256_cmpeq_epi64(a[0], b[0]), _mm256_cmpgt_epi64(a[1], b[1])),
    );
    [_mm256_blendv_epi8(a[0], b[0], second_smaller), _mm256_blendv_epi8(a[1], b[1], second_smaller)]
}

/// Columns a to h exchanged with h to a: in each byte the bits in reverse, by a table of four bits.
#[inline]
#[target_feature(enable = "avx2")]
fn mirrored(lanes: __m256i) -> __m256i {
    let reverse_low = _mm256_set1_epi64x(0x0e06_0a02_0c04_0800);
    let reverse_high = _mm256_set1_epi64x(0x0f07_0b03_0d05_0901);
    // A byte shuffle looks sixteen bytes up in each half of the register.
    let reversed = _mm256_unpacklo_epi64(reverse_low, reverse_high);
    let four_bits = _mm256_set1_epi8(0x0f);
    let low = _mm256_shuffle_epi8(reversed, _mm256_and_si256(lanes, four_bits));
    let high =
        _mm256_shuffle_epi8(reversed, _mm256_and_si256(_mm256_srli_epi64::<4>(lanes), four_bits));
    _mm256_or_si256(_mm256_slli_epi64::<4>(low), high)
}

/// Rows 1 to 8 exchanged with 8 to 1: the bytes of each lane in reverse.
#[inline]
#[target_feature(enable = "avx2")]
fn upside_down(lanes: __m256i) -> __m256i {
    let low = 0x0001_0203_0405_0607;
    let high = 0x0809_0a0b_0c0d_0e0f;
    _mm256_shuffle_epi8(lanes, _mm256_setr_epi64x(low, high, low, high))
}

/// Rows exchanged with columns, as the portable code does it.
#[inline]
#[target_feature(enable = "avx2")]
fn transposed(lanes: __m256i) -> __m256i {
    let lanes = swapped::<7>(lanes, 0x00aa_00aa_00aa_00aa);
    let lanes = swapped::<14>(lanes, 0x0000_cccc_0000_cccc);
    swapped::<28>(lanes, 0x0000_0000_f0f0_f0f0)
}

/// The bits of the mask exchanged with those so many places above them.
#[inline]
#[target_feature(enable = "avx2")]
fn swapped<const PLACES: i32>(lanes: __m256i, mask: i64) -> __m256i {
    let differ = _mm256_and_si256(
        _mm256_xor_si256(lanes, _mm256_srli_epi64::<PLACES>(lanes)),
        _mm256_set1_epi64x(mask),
    );
    _mm256_xor_si256(lanes, _mm256_xor_si256(differ, _mm256_slli_epi64::<PLACES>(differ)))
}

#[inline]
#[target_feature(enable = "avx2")]
fn lane_array(lanes: __m256i) -> [Bitboard; 4] {
    let (low, high) = (_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
    [
        _mm_cvtsi128_si64(low) as Bitboard,
        _mm_extract_epi64::<1>(low) as Bitboard,
        _mm_cvtsi128_si64(high) as Bitboard,
        _mm_extract_epi64::<1>(high) as Bitboard,
    ]
}
