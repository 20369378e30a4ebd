//! Discs that can never be turned again, portable code: the reference for every fast path.

use super::Bitboard;

/// Both ends of every row: a disc there cannot be turned sideways.
const COLUMNS_A_H: Bitboard = 0x8181_8181_8181_8181;

/// Both ends of every column.
const ROWS_1_8: Bitboard = 0xff00_0000_0000_00ff;

/// The ends of every diagonal.
///
/// ```text
/// 1 1 1 1 1 1 1 1
/// 1 . . . . . . 1
/// 1 . . . . . . 1   (six rows alike)
/// 1 1 1 1 1 1 1 1
/// ```
const BORDER: Bitboard = COLUMNS_A_H | ROWS_1_8;

/// Discs of `mover` that no sequence of moves can ever turn. Sound but not complete: each disc
/// found is stable, some stable discs are not found.
///
/// A disc is safe along a line when the line is full, when it is at an end of the line, or when its
/// neighbour on the line is a stable disc of its own colour. Safe along all four lines, it is
/// stable. The four edges are looked up: there the table knows every stable disc, as only moves on
/// the edge itself can turn discs of an edge.
#[inline]
pub(crate) fn stable_discs(mover: Bitboard, opponent: Bitboard) -> Bitboard {
    let full = FullLines::of(mover | opponent);
    spread(stable_edges(mover, opponent), mover, &full)
}

/// Adds to a set of stable discs of `mover` those that the lines and their neighbours make stable.
#[inline]
fn spread(edges: Bitboard, mover: Bitboard, full: &FullLines) -> Bitboard {
    let mut stable = edges | (mover & full.rows & full.columns & full.falling & full.rising);
    // Without a first stable disc nothing spreads.
    while stable != 0 {
        let more = mover
            & (full.rows | (stable << 1) | (stable >> 1))
            & (full.columns | (stable << 8) | (stable >> 8))
            & (full.falling | (stable << 9) | (stable >> 9))
            & (full.rising | (stable << 7) | (stable >> 7));
        // Shifts around the border do no harm: the ends of each line are in its mask already.
        if more & !stable == 0 {
            break;
        }
        stable |= more;
    }
    stable
}

/// The squares of each of the four kinds of lines whose discs cannot be turned along it, of either
/// colour: the lines without an empty square, and the ends of every line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct FullLines {
    rows: Bitboard,
    columns: Bitboard,
    /// Parallel to a1-h8 (steps of 9).
    falling: Bitboard,
    /// Parallel to h1-a8 (steps of 7).
    rising: Bitboard,
}

impl FullLines {
    /// Of a set of occupied squares.
    #[inline]
    const fn of(occupied: Bitboard) -> Self {
        let mut rows = occupied & (occupied >> 4);
        rows &= rows >> 2;
        rows &= rows >> 1;
        rows = (rows & 0x0101_0101_0101_0101) * 0xff;
        let mut columns = occupied & occupied.rotate_left(32);
        columns &= columns.rotate_left(16);
        columns &= columns.rotate_left(8);
        // Along a diagonal, bits fall as soon as one of the next 1, 2, 4 squares is on the board
        // and empty; squares whose neighbour is off the board keep their bit. Each mask holds the
        // squares fewer than 1, 2, 4 steps from the end that is looked at.
        let mut up = occupied & ((occupied >> 9) | 0xff80_8080_8080_8080);
        up &= (up >> 18) | 0xffff_c0c0_c0c0_c0c0;
        up &= (up >> 36) | 0xffff_ffff_f0f0_f0f0;
        let mut down = occupied & ((occupied << 9) | 0x0101_0101_0101_01ff);
        down &= (down << 18) | 0x0303_0303_0303_ffff;
        down &= (down << 36) | 0x0f0f_0f0f_ffff_ffff;
        let falling = up & down;
        let mut up = occupied & ((occupied >> 7) | 0xff01_0101_0101_0101);
        up &= (up >> 14) | 0xffff_0303_0303_0303;
        up &= (up >> 28) | 0xffff_ffff_0f0f_0f0f;
        let mut down = occupied & ((occupied << 7) | 0x8080_8080_8080_80ff);
        down &= (down << 14) | 0xc0c0_c0c0_c0c0_ffff;
        down &= (down << 28) | 0xf0f0_f0f0_ffff_ffff;
        let rising = up & down;
        Self {
            rows: rows | COLUMNS_A_H,
            columns: columns | ROWS_1_8,
            falling: falling | BORDER,
            rising: rising | BORDER,
        }
    }
}

/// The stable discs of `mover` on the four edges.
#[inline]
fn stable_edges(mover: Bitboard, opponent: Bitboard) -> Bitboard {
    let top = stable_on_edge(mover as u8, opponent as u8);
    let bottom = stable_on_edge((mover >> 56) as u8, (opponent >> 56) as u8);
    let left = stable_on_edge(column_a(mover), column_a(opponent));
    let right = stable_on_edge(column_a(mover >> 7), column_a(opponent >> 7));
    u64::from(top) | (u64::from(bottom) << 56) | into_column_a(left) | (into_column_a(right) << 7)
}

/// Column a as eight bits, row 1 lowest.
#[inline]
const fn column_a(bits: Bitboard) -> u8 {
    // Each product bit lands in the top byte once: row r at bit 8 r moves to bit 56 + r.
    ((bits & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// The reverse of [`column_a`].
#[inline]
const fn into_column_a(bits: u8) -> Bitboard {
    // Seven copies, each seven bits on, bring bit r to bit 8 r; bit 7 would meet bit 0 of the
    // eighth copy, so it goes alone.
    (((bits & 0x7f) as u64).wrapping_mul(0x0002_0408_1020_4081) & 0x0001_0101_0101_0101)
        | (((bits >> 7) as u64) << 56)
}

/// The stable discs of one edge.
#[inline]
fn stable_on_edge(mover: u8, opponent: u8) -> u8 {
    EDGES[edge_index(mover, opponent)]
}

/// Eight squares of three states as a number below 3^8.
#[inline]
const fn edge_index(mover: u8, opponent: u8) -> usize {
    TERNARY[mover as usize] as usize + 2 * TERNARY[opponent as usize] as usize
}

/// Eight binary digits read as ternary ones.
static TERNARY: [u16; 256] = TERNARY_DIGITS;
const TERNARY_DIGITS: [u16; 256] = {
    let mut table = [0; 256];
    let mut bits = 1;
    while bits < 256 {
        // The lowest digit, and the rest shifted by one place.
        table[bits] = (bits & 1) as u16 + 3 * table[bits >> 1];
        bits += 1;
    }
    table
};

/// Stable discs of the mover for each filling of an edge.
static EDGES: [u8; 6561] = {
    let mut table = [0; 6561];
    // More discs first: a filling is judged by those that one more disc makes of it.
    let mut occupied: u8 = 255;
    loop {
        // All ways to give the discs to the two sides.
        let mut mover = occupied;
        loop {
            let opponent = occupied & !mover;
            let index = TERNARY_DIGITS[mover as usize] + 2 * TERNARY_DIGITS[opponent as usize];
            table[index as usize] = stable_after_any_move(&table, mover, opponent);
            if mover == 0 {
                break;
            }
            mover = (mover - 1) & occupied;
        }
        if occupied == 0 {
            break;
        }
        occupied -= 1;
    }
    table
};

/// Discs of the mover that are kept by, and stable after, every disc that either side may add. Such
/// a disc need not turn anything on the edge: the move may be legal along another line.
const fn stable_after_any_move(table: &[u8; 6561], mover: u8, opponent: u8) -> u8 {
    let mut stable = mover;
    let mut empty = !(mover | opponent);
    while empty != 0 && stable != 0 {
        let square = empty & empty.wrapping_neg();
        empty ^= square;
        let turned = edge_flips(square, mover, opponent);
        let (own, other) = (mover | square | turned, opponent & !turned);
        let index = TERNARY_DIGITS[own as usize] + 2 * TERNARY_DIGITS[other as usize];
        stable &= table[index as usize];
        let turned = edge_flips(square, opponent, mover);
        let (own, other) = (mover & !turned, opponent | square | turned);
        let index = TERNARY_DIGITS[own as usize] + 2 * TERNARY_DIGITS[other as usize];
        stable &= table[index as usize];
    }
    stable
}

/// Discs of `other` that a disc of `own` on `square` turns along the edge.
const fn edge_flips(square: u8, own: u8, other: u8) -> u8 {
    let mut turned = 0;
    let mut run = 0;
    let mut at = square << 1;
    while at & other != 0 {
        run |= at;
        at <<= 1;
    }
    if at & own != 0 {
        turned |= run;
    }
    let mut run = 0;
    let mut at = square >> 1;
    while at & other != 0 {
        run |= at;
        at >>= 1;
    }
    if at & own != 0 {
        turned |= run;
    }
    turned
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::board::{After, Position};
    use crate::othello::random::Random;

    /// A position of a random game with at most this many empties; none if the game ended.
    fn random_position(random: &mut Random, empties: u8) -> Option<Position> {
        let mut position = Position::START;
        while position.empties() > empties {
            let moves: Vec<_> = position.legal_moves().collect();
            let square = moves[random.below(moves.len())];
            position = position.after(square)?.position()?;
        }
        Some(position)
    }

    /// Asserts for the rest of the game, whatever is played, that the discs keep their owner.
    fn never_turned(position: Position, movers: Bitboard, opponents: Bitboard) {
        assert_eq!(position.mover & movers, movers, "{position:?}");
        assert_eq!(position.opponent & opponents, opponents, "{position:?}");
        for square in position.legal_moves() {
            match position.after(square) {
                Some(After::Opponent(next)) => never_turned(next, opponents, movers),
                Some(After::Same(next)) => never_turned(next, movers, opponents),
                Some(After::Over(_)) => {
                    let last = position.play(square).unwrap();
                    assert_eq!(last.mover & opponents, opponents, "{last:?}");
                    assert_eq!(last.opponent & movers, movers, "{last:?}");
                }
                None => panic!("{square} is legal in {position:?}"),
            }
        }
    }

    #[test]
    fn stable_discs_are_never_turned() {
        let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
        let mut found = 0;
        for _ in 0..400 {
            let Some(position) = random_position(&mut random, 7) else { continue };
            let Position { mover, opponent } = position;
            let (movers, opponents) =
                (stable_discs(mover, opponent), stable_discs(opponent, mover));
            found += (movers | opponents).count_ones();
            never_turned(position, movers, opponents);
        }
        assert!(found > 400 * 15, "only {found} stable discs in 400 late positions");
    }

    /// From any stage of the game, along one random continuation, stable discs stay and stay stable.
    #[test]
    fn stable_discs_stay_stable() {
        let mut random = Random::new(0x0123_4567_89ab_cdef);
        for _ in 0..3000 {
            let mut position = Position::START;
            // By colour: the discs of the side that moves first, and of the other.
            let (mut first, mut second) = (0, 0);
            let mut swapped = false;
            loop {
                let Position { mover, opponent } = position;
                let (mut a, mut b) = (stable_discs(mover, opponent), stable_discs(opponent, mover));
                if swapped {
                    (a, b) = (b, a);
                }
                assert_eq!((a & first, b & second), (first, second), "{position:?}");
                (first, second) = (a, b);
                let moves: Vec<_> = position.legal_moves().collect();
                let square = moves[random.below(moves.len())];
                match position.after(square) {
                    Some(After::Opponent(next)) => (position, swapped) = (next, !swapped),
                    Some(After::Same(next)) => position = next,
                    Some(After::Over(_)) | None => break,
                }
            }
        }
    }

    /// On an edge the table knows every stable disc: checked against the plain definition, all
    /// fillings that can come of a filling by discs added one at a time.
    #[test]
    fn edges_by_definition() {
        fn kept(mover: u8, opponent: u8, discs: u8) -> bool {
            if mover & discs != discs {
                return false;
            }
            (0..8).map(|square| 1u8 << square).filter(|bit| (mover | opponent) & bit == 0).all(
                |bit| {
                    let turned = edge_flips(bit, mover, opponent);
                    let lost = edge_flips(bit, opponent, mover);
                    kept(mover | bit | turned, opponent & !turned, discs)
                        && kept(mover & !lost, opponent | bit | lost, discs)
                },
            )
        }
        // Up to four empties: the rest takes long, and follows by the same step.
        for mover in 0..=255u8 {
            for opponent in (0..=255u8).filter(|other| other & mover == 0) {
                if (mover | opponent).count_zeros() <= 4 {
                    let stable = stable_on_edge(mover, opponent);
                    for bit in (0..8).map(|square| 1u8 << square).filter(|bit| mover & bit != 0) {
                        assert_eq!(
                            stable & bit != 0,
                            kept(mover, opponent, bit),
                            "{mover:08b} {opponent:08b}"
                        );
                    }
                }
            }
        }
    }

    /// A line is full when none of its squares is empty.
    #[test]
    fn full_lines_by_definition() {
        let mut random = Random::new(77);
        for round in 0..2000 {
            let mut occupied = u64::MAX;
            for _ in 0..round % 24 {
                occupied &= !(1 << random.below(64));
            }
            let full = FullLines::of(occupied);
            for (lines, (across, up), ends) in [
                (full.rows, (1, 0), COLUMNS_A_H),
                (full.columns, (0, 1), ROWS_1_8),
                (full.falling, (1, 1), BORDER),
                (full.rising, (-1, 1), BORDER),
            ] {
                for square in 0..64i32 {
                    let on_line = |step: i32| {
                        let (column, row) = (square % 8 + step * across, square / 8 + step * up);
                        ((0..8).contains(&column) && (0..8).contains(&row))
                            .then_some(column + 8 * row)
                    };
                    let expected = ends >> square & 1 != 0
                        || (-7..=7).filter_map(on_line).all(|at| occupied >> at & 1 != 0);
                    assert_eq!(lines >> square & 1 != 0, expected, "{occupied:#x} {square}");
                }
            }
        }
    }

    #[test]
    fn columns_go_there_and_back() {
        for bits in 0..=255u8 {
            assert_eq!(column_a(into_column_a(bits)), bits);
            assert_eq!(into_column_a(bits) & !0x0101_0101_0101_0101, 0);
        }
    }

    #[test]
    fn simple_cases() {
        assert_eq!(stable_discs(Position::START.mover, Position::START.opponent), 0);
        assert_eq!(stable_discs(u64::MAX, 0), u64::MAX);
        assert_eq!(stable_discs(0, u64::MAX), 0);
        assert_eq!(stable_discs(1, 2), 1, "a corner");
        assert_eq!(stable_discs(0x7f, 0x80), 0x7f, "a full edge");
        assert_eq!(stable_discs(0x0307, 0), 0x0307, "grown from a corner");
    }
}
