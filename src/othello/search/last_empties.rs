//! The last four empties of an exact search, written out. Scores are discs for the side to move.

use crate::othello::board::{Bitboard, Cpu, CpuTask, Square, with_neighbours};

/// The final score of a full board or a finished game with `empties` left, which the winner gets.
#[inline]
pub(super) fn final_score(mover: Bitboard, empties: i32) -> i32 {
    let mover_discs = mover.count_ones() as i32;
    let difference = 2 * mover_discs - (64 - empties);
    difference + difference.signum() * empties
}

/// What a move turns. Most squares have no disc of the opponent beside them near the end.
#[inline(always)]
fn turned<C: Cpu>(cpu: C, square: Square, mover: Bitboard, opponent: Bitboard) -> Bitboard {
    if NEIGHBOURS[square.index()] & opponent == 0 { 0 } else { cpu.flips(square, mover, opponent) }
}

/// The squares beside each square.
pub(super) const NEIGHBOURS: [Bitboard; 64] = {
    let mut table = [0; 64];
    let mut index = 0;
    while index < 64 {
        let bit: u64 = 1 << index;
        table[index] = with_neighbours(bit) & !bit;
        index += 1;
    }
    table
};

/// One empty square.
#[inline(always)]
fn last_1<C: Cpu>(cpu: C, nodes: &mut u64, mover: Bitboard, square: Square) -> i32 {
    *nodes += 1;
    let discs = mover.count_ones() as i32;
    let gain = cpu.last_flip_count(square, mover) as i32;
    if gain != 0 {
        return 2 * (discs + gain) - 62;
    }
    let loss = cpu.last_flip_count(square, !mover & !square.bit()) as i32;
    if loss != 0 {
        return 2 * (discs - loss) - 64;
    }
    if discs >= 32 { 2 * discs - 62 } else { 2 * discs - 64 }
}

/// Two empty squares, null window above `alpha`.
#[inline(always)]
fn last_2<C: Cpu>(
    cpu: C,
    nodes: &mut u64,
    (mover, opponent): (Bitboard, Bitboard),
    alpha: i32,
    a: Square,
    b: Square,
) -> i32 {
    *nodes += 1;
    let mut best = i32::MIN;
    let flipped = turned(cpu, a, mover, opponent);
    if flipped != 0 {
        best = -last_1(cpu, nodes, opponent ^ flipped, b);
        if best > alpha {
            return best;
        }
    }
    let flipped = turned(cpu, b, mover, opponent);
    if flipped != 0 {
        best = best.max(-last_1(cpu, nodes, opponent ^ flipped, a));
    }
    if best != i32::MIN {
        return best;
    }
    // A pass: the other side looks for its smallest score.
    let mut best = i32::MAX;
    let flipped = turned(cpu, a, opponent, mover);
    if flipped != 0 {
        best = last_1(cpu, nodes, mover ^ flipped, b);
        if best <= alpha {
            return best;
        }
    }
    let flipped = turned(cpu, b, opponent, mover);
    if flipped != 0 {
        best = best.min(last_1(cpu, nodes, mover ^ flipped, a));
    }
    if best == i32::MAX { final_score(mover, 2) } else { best }
}

/// Three empty squares.
#[inline(always)]
fn last_3<C: Cpu>(
    cpu: C,
    nodes: &mut u64,
    (mover, opponent): (Bitboard, Bitboard),
    alpha: i32,
    (a, b, c): (Square, Square, Square),
) -> i32 {
    *nodes += 1;
    // A square that is alone in its quadrant first.
    let together = |one: Square, other: Square| (one.number() ^ other.number()) & 0b10_0100 == 0;
    let (mut a, mut b, mut c) = if together(a, b) {
        (c, a, b)
    } else if together(a, c) {
        (b, c, a)
    } else {
        (a, b, c)
    };
    let (mut first, mut second, mut limit, mut sign) = (mover, opponent, alpha, 1);
    loop {
        let mut best = i32::MIN;
        for _ in 0..3 {
            let flipped = turned(cpu, a, first, second);
            if flipped != 0 {
                let next = (second ^ flipped, first ^ flipped ^ a.bit());
                best = best.max(-last_2(cpu, nodes, next, -limit - 1, b, c));
                if best > limit {
                    return sign * best;
                }
            }
            (a, b, c) = (b, c, a);
        }
        if best != i32::MIN {
            return sign * best;
        }
        if sign < 0 {
            return final_score(mover, 3);
        }
        (first, second, limit, sign) = (second, first, -alpha - 1, -1);
    }
}

/// Four empty squares, those in odd quadrants best first.
pub(super) struct Last4<'n> {
    pub nodes: &'n mut u64,
    pub sides: (Bitboard, Bitboard),
    pub alpha: i32,
    pub squares: [Square; 4],
}

impl CpuTask for Last4<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> i32 {
        let Self { nodes, sides: (mover, opponent), alpha, squares: [mut a, mut b, mut c, mut d] } =
            self;
        *nodes += 1;
        let (mut first, mut second, mut limit, mut sign) = (mover, opponent, alpha, 1);
        loop {
            let mut best = i32::MIN;
            for _ in 0..4 {
                let flipped = turned(cpu, a, first, second);
                if flipped != 0 {
                    let next = (second ^ flipped, first ^ flipped ^ a.bit());
                    best = best.max(-last_3(cpu, nodes, next, -limit - 1, (b, c, d)));
                    if best > limit {
                        return sign * best;
                    }
                }
                (a, b, c, d) = (b, c, d, a);
            }
            if best != i32::MIN {
                return sign * best;
            }
            if sign < 0 {
                return final_score(mover, 4);
            }
            (first, second, limit, sign) = (second, first, -alpha - 1, -1);
        }
    }
}
