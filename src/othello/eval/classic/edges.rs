//! `edges`: a table of all edge configurations.

use std::sync::OnceLock;

use super::{Term, Terms, count, term};
use crate::othello::board::{Bitboard, Position, legal_moves};

/// An edge table built by dynamic programming, plus mobility (J. Gray, net.sources.games, 1986,
/// after P. Rosenbloom's Iago).
///
/// A full edge is worth 1000 for each disc more. An edge with empty squares is worth the mean over
/// its empty squares and both sides of the edge after a disc is placed there and discs between it
/// and another of its own are turned along the edge. Then the table is improved as Iago's was: a
/// side that would lose by placing its disc need not, so in every round an edge becomes the mean of
/// what each side gets from its best choice, to play or to leave the edge alone.
pub(crate) struct Edges {
    table: &'static [f64],
}

/// Configurations of eight squares.
const CONFIGURATIONS: usize = 6561;

/// Rounds of improvement.
const ROUNDS: usize = 8;

/// What a full edge is worth for each disc, in units.
const FULL: f64 = 1000.0;

/// What a move more than the opponent has is worth, in units.
const MOBILITY: f64 = 400.0;

impl Edges {
    /// Builds the table when first asked for.
    pub(crate) fn new() -> Self {
        static TABLE: OnceLock<Vec<f64>> = OnceLock::new();
        Self { table: TABLE.get_or_init(|| improved(by_dynamic_programming())) }
    }

    /// The value of an edge for the owner of `ours`, in units: bit 0 is one of its corners.
    pub(crate) fn edge(&self, ours: u8, theirs: u8) -> f64 {
        self.table.get(index(ours, theirs & !ours)).copied().unwrap_or_default()
    }
}

impl Default for Edges {
    fn default() -> Self {
        Self::new()
    }
}

/// [`Edges`] without the improvement: the table of Gray's pseudo-code.
pub(crate) struct PlainEdges(Edges);

impl PlainEdges {
    /// Builds the table when first asked for.
    pub(crate) fn new() -> Self {
        static TABLE: OnceLock<Vec<f64>> = OnceLock::new();
        Self(Edges { table: TABLE.get_or_init(by_dynamic_programming) })
    }
}

impl Terms for PlainEdges {
    const NAME: &'static str = "edges-plain";
    const DISCS_PER_UNIT: f64 = Edges::DISCS_PER_UNIT;

    fn terms(&self, position: Position) -> Vec<Term> {
        self.0.terms(position)
    }
}

impl Terms for Edges {
    const NAME: &'static str = "edges";
    const DISCS_PER_UNIT: f64 = 0.001;

    fn terms(&self, position: Position) -> Vec<Term> {
        let Position { mover, opponent } = position;
        let of = |line: fn(Bitboard) -> u8| self.edge(line(mover), line(opponent)) / FULL;
        let mobility = count(legal_moves(mover, opponent)) - count(legal_moves(opponent, mover));
        vec![
            term("top edge, in discs of a full one", of(|discs| discs as u8), FULL),
            term("bottom edge", of(|discs| (discs >> 56) as u8), FULL),
            term("left edge", of(column), FULL),
            term("right edge", of(|discs| column(discs >> 7)), FULL),
            term("mobility", mobility, MOBILITY),
        ]
    }
}

fn column(discs: Bitboard) -> u8 {
    // Each bit of the column has a place of its own in the top byte of the product.
    ((discs & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

fn index(ours: u8, theirs: u8) -> usize {
    (0..8).rev().fold(0, |index, place| {
        3 * index + usize::from(ours >> place & 1) + 2 * usize::from(theirs >> place & 1)
    })
}

/// All edges as the discs of both sides, by index.
fn edges() -> Vec<(u8, u8)> {
    let mut edges = vec![(0, 0); CONFIGURATIONS];
    for ours in 0..=255_u8 {
        for theirs in (0..=255_u8).filter(|theirs| theirs & ours == 0) {
            edges[index(ours, theirs)] = (ours, theirs);
        }
    }
    edges
}

/// The edge after the owner of `ours` places a disc, turning along the edge.
fn place(ours: u8, theirs: u8, square: u32) -> (u8, u8) {
    let mut turned = 0;
    for step in [-1_i32, 1] {
        let mut run = 0_u8;
        let mut at = square as i32 + step;
        while (0..8).contains(&at) && theirs >> at & 1 == 1 {
            run |= 1 << at;
            at += step;
        }
        if (0..8).contains(&at) && ours >> at & 1 == 1 {
            turned |= run;
        }
    }
    (ours | turned | 1 << square, theirs & !turned)
}

fn by_dynamic_programming() -> Vec<f64> {
    let edges = edges();
    let mut table = vec![0.0; CONFIGURATIONS];
    for discs in (0..=8).rev() {
        for (index_, &(ours, theirs)) in edges.iter().enumerate() {
            if (ours | theirs).count_ones() != discs {
                continue;
            }
            table[index_] = if discs == 8 {
                FULL * (f64::from(ours.count_ones()) - f64::from(theirs.count_ones()))
            } else {
                // Pair by pair, so that the other side sees exactly the negative.
                let both = |square| {
                    ours_placed(&table, ours, theirs, square)
                        + theirs_placed(&table, ours, theirs, square)
                };
                let sum: f64 = empty_squares(ours | theirs).map(both).sum();
                sum / f64::from(2 * (8 - discs))
            };
        }
    }
    table
}

fn improved(mut table: Vec<f64>) -> Vec<f64> {
    let edges = edges();
    for _ in 0..ROUNDS {
        let better = |&(ours, theirs): &(u8, u8)| {
            let now = table[index(ours, theirs)];
            let squares = || empty_squares(ours | theirs);
            let best = squares().map(|s| ours_placed(&table, ours, theirs, s)).fold(now, f64::max);
            let worst =
                squares().map(|s| theirs_placed(&table, ours, theirs, s)).fold(now, f64::min);
            f64::midpoint(best, worst)
        };
        table = edges.iter().map(better).collect();
    }
    table
}

fn ours_placed(table: &[f64], ours: u8, theirs: u8, square: u32) -> f64 {
    let (ours, theirs) = place(ours, theirs, square);
    table[index(ours, theirs)]
}

fn theirs_placed(table: &[f64], ours: u8, theirs: u8, square: u32) -> f64 {
    let (theirs, ours) = place(theirs, ours, square);
    table[index(ours, theirs)]
}

fn empty_squares(discs: u8) -> impl Iterator<Item = u32> {
    (0..8).filter(move |square| discs >> square & 1 == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// "It knows that BWWWWWW- is not a very good position for white": Black takes the last corner
    /// and turns all six. Both tables know.
    #[test]
    fn six_in_a_row_beside_a_corner_are_bad() {
        let (white, black) = (0b0111_1110, 0b0000_0001);
        let simple = by_dynamic_programming();
        let (bad, far_better) = (simple[index(white, black)], simple[index(white, 0)]);
        assert!(bad < 4.0 * FULL, "{bad}");
        // Without the black corner disc the same six are far better for White.
        assert!(bad < far_better, "{bad} {far_better}");
        assert!(Edges::new().edge(white, black) < Edges::new().edge(white, 0));
        assert!(Edges::new().edge(white, black) < 0.0);
    }

    #[test]
    fn each_side_sees_the_negative_of_the_other() {
        for table in [by_dynamic_programming(), improved(by_dynamic_programming())] {
            for (ours, theirs) in edges() {
                assert_eq!(table[index(ours, theirs)], -table[index(theirs, ours)]);
            }
        }
    }

    #[test]
    fn discs_between_are_turned() {
        assert_eq!(place(0b0000_0001, 0b0111_1110, 7), (0xff, 0));
        assert_eq!(place(0b0000_0001, 0b0101_1110, 5), (0b0011_1111, 0b0100_0000));
        assert_eq!(place(0, 0b0000_0010, 0), (1, 0b0000_0010));
    }

    #[test]
    fn columns_become_rows() {
        assert_eq!(column(0x0101_0101_0101_0101), 0xff);
        assert_eq!(column(1).count_ones(), 1);
        assert_eq!(column(1 << 56).count_ones(), 1);
        assert_ne!(column(1), column(1 << 56));
    }
}
