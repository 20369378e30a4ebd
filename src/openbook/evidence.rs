//! How sure a value is: the error to expect of it, in hundredths of a disc.
//!
//! Plies do not say what a tree is worth: thousands of shallow searches may know more of a position
//! than one deep search of it, and others know less. An expected error compares both.

use std::fmt;

use crate::othello::search::Selectivity;

/// The mean error that is to be expected of a value, in hundredths of a disc; 0 where it is exact.
/// All arithmetic is in whole numbers, so that every machine finds the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Evidence(u16);

/// Mean error of a search of so many plies with a selectivity of 73 %, at 38 empties and more,
/// measured against expert values of positions of 13 to 18 discs.
const OF_PLIES: [u32; 27] = [
    260, 220, 200, 180, 165, 155, 142, 136, 130, 127, 123, 115, 111, 108, 103, 97, 94, 92, 91, 89,
    88, 86, 85, 83, 82, 81, 80,
];
/// What is left of the error with each ply beyond the table, in thousandths.
const BEYOND: u32 = 985;
/// From so many empties on errors do not depend on the empties. Against expert values they rise by 1.5 % a disc
/// there, but so may the errors of these; books that are merged come out better without (`book/NOTES.md`).
const FLAT_FROM: u8 = 38;
/// Nearer to the end than this they do not, either.
const FLAT_TO: u8 = 20;
/// How errors rise with each disc towards the end, in thousandths, as on solved positions. It must stay below
/// 1 / 0.92, so that a child that was searched as deep as its parent counts ([`Evidence::through_link`]).
const RISE: u64 = 1_045;
/// The part of the error that is left where so few plies are missing to the end, in thousandths:
/// from the curve that was fitted to solved positions.
const NEAR_END: [u32; 8] = [0, 602, 842, 937, 975, 990, 996, 998];
/// What a selective search may skip, in thousandths of a disc for each percent of selectivity missing.
const SKIPPED: u32 = 3;
/// A ply of the book is worth more than a ply of a search: what is left of an error one link up, in
/// hundredths.
const LINK: u32 = 92;
/// The plies that a person's judgement is worth.
const JUDGED_PLIES: u8 = 26;
/// The most that is stored: no search errs so much.
const MOST: u32 = 1_023;

/// The selectivity that [`OF_PLIES`] was measured with, and levels begin with.
const MEASURED: u8 = 73;

/// How much more errors are with so many empties than far from the end, in thousandths.
const fn rises() -> [u32; 61] {
    let mut rises = [1_000; 61];
    let mut empties = FLAT_FROM as usize - 1;
    // Rounded at the end only.
    let mut exact = 1_000_000_u64;
    loop {
        if empties >= FLAT_TO as usize {
            exact = exact * RISE / 1_000;
        }
        rises[empties] = (exact / 1_000) as u32;
        if empties == 0 {
            return rises;
        }
        empties -= 1;
    }
}

const RISES: [u32; 61] = rises();

const fn of_plies() -> [u32; 61] {
    let mut all = [0; 61];
    let mut ply = 0;
    while ply < 61 {
        all[ply] = if ply < OF_PLIES.len() { OF_PLIES[ply] } else { all[ply - 1] * BEYOND / 1_000 };
        ply += 1;
    }
    all
}

const PLIES: [u32; 61] = of_plies();

/// The error of a search with the confidence that was measured, in hundredths of a disc, by empties and plies.
static AHEAD: [[u16; 61]; 61] = {
    let mut all = [[0; 61]; 61];
    let mut empties = 0;
    while empties < 61 {
        let mut depth = 0;
        while depth <= empties {
            let left = empties - depth;
            let near = if left < NEAR_END.len() { NEAR_END[left] } else { 1_000 };
            let ahead = PLIES[depth] * RISES[empties] / 1_000 * near / 1_000;
            all[empties][depth] = ahead as u16;
            depth += 1;
        }
        empties += 1;
    }
    all
};

/// What a search of this confidence may skip, in hundredths of a disc.
const fn skipped(percent: u8) -> u32 {
    SKIPPED * 100_u8.saturating_sub(percent) as u32 / 10
}

/// A standard error over the error to expect, of errors that are normally distributed.
const STANDARD: f64 = 1.25;

/// The error to expect where this is the standard error.
pub(crate) fn error_to_expect(standard: f64) -> f64 {
    standard / STANDARD
}

impl Evidence {
    /// Nothing can be wrong.
    pub(crate) const EXACT: Self = Self(0);

    /// Moves whose values are within so much of the best one decide how sure a position is, in
    /// centidiscs.
    pub(crate) const NEAR: i32 = 150;

    /// The error of a search of so many plies at so many empties, one that proves nothing.
    #[inline]
    pub fn of_search(empties: u8, depth: u8, selectivity: Selectivity) -> Self {
        let empties = empties.min(60);
        let depth = depth.min(empties);
        let ahead = u32::from(AHEAD[usize::from(empties)][usize::from(depth)]);
        let missing = skipped(selectivity.percent());
        let measured = const { skipped(MEASURED) };
        if measured == missing {
            // The root of a square, as most are.
            return Self(ahead.max(measured).clamp(1, MOST) as u16);
        }
        let squared = (ahead * ahead).saturating_sub(measured * measured) + missing * missing;
        // What proves nothing is never as sure as what does.
        Self(squared.isqrt().clamp(1, MOST) as u16)
    }

    /// Of a position of which nothing is known but its board.
    pub fn unsearched(empties: u8) -> Self {
        Self::of_search(empties, 0, Selectivity::LOWEST)
    }

    /// Of what a person said.
    pub(crate) fn judged(empties: u8) -> Self {
        Self::of_search(empties, JUDGED_PLIES, Selectivity::LOWEST)
    }

    /// That of a move which leads to a position of this evidence.
    pub(crate) fn through_link(self) -> Self {
        Self((u32::from(self.0) * LINK).div_ceil(100) as u16)
    }

    /// Whether a link to a position of this evidence is at least as sure as a search that errs by so much.
    pub(crate) fn bears(self, record: Self) -> bool {
        u32::from(self.0) * LINK <= u32::from(record.0) * 100
    }

    /// By how much it is more than another.
    #[must_use]
    pub const fn less(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    pub(crate) const fn hundredths(self) -> u16 {
        self.0
    }

    /// As it was stored; none where no book stores that.
    pub fn of_hundredths(hundredths: u16) -> Option<Self> {
        (u32::from(hundredths) <= MOST).then_some(Self(hundredths))
    }

    /// In discs.
    pub fn discs(self) -> f64 {
        f64::from(self.0) / 100.0
    }

    /// The standard error that it stands for, in discs.
    pub(crate) fn standard_error(self) -> f64 {
        self.discs() * STANDARD
    }

    /// The most plies for which a search at so many empties, with the selectivity that levels begin with,
    /// is no surer; all of them where it is exact.
    pub fn plies(self, empties: u8) -> u8 {
        let is_borne = |depth: &u8| self <= Self::of_search(empties, *depth, Selectivity::LOWEST);
        if self == Self::EXACT {
            return empties;
        }
        // To the end it would be as sure as what it skipped.
        (0..empties).rev().find(is_borne).unwrap_or(0)
    }
}

/// In discs, with two decimals.
impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2}", self.discs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> impl Iterator<Item = (u8, u8, Selectivity)> {
        let levels =
            [73, 87, 95, 98, 99, 100].map(|percent| Selectivity::from_percent(percent).unwrap());
        (1..=60).flat_map(move |empties| {
            (0..=empties).flat_map(move |depth| levels.map(|level| (empties, depth, level)))
        })
    }

    #[test]
    fn a_child_that_was_searched_as_deep_as_its_parent_counts() {
        for (empties, depth, selectivity) in all() {
            let of_parent = Evidence::of_search(empties, depth, selectivity);
            let of_child = Evidence::of_search(empties - 1, depth, selectivity);
            assert!(of_child.bears(of_parent), "{empties} {depth} {selectivity:?}");
        }
    }

    #[test]
    fn a_deeper_or_surer_search_never_errs_more() {
        for (empties, depth, selectivity) in all() {
            let error = Evidence::of_search(empties, depth, selectivity);
            assert!(error > Evidence::EXACT);
            if depth < empties {
                assert!(Evidence::of_search(empties, depth + 1, selectivity) <= error);
            }
            assert!(Evidence::of_search(empties, depth, Selectivity::FULL) <= error);
            assert!(error.through_link() <= error);
        }
    }

    #[test]
    fn a_level_is_as_sure_as_a_search_of_its_plies() {
        for empties in [50, 30, 12] {
            for depth in 0..empties - 8 {
                let error = Evidence::of_search(empties, depth, Selectivity::LOWEST);
                let plies = error.plies(empties);
                assert!(plies >= depth);
                assert_eq!(Evidence::of_search(empties, plies, Selectivity::LOWEST), error);
            }
            assert_eq!(Evidence::EXACT.plies(empties), empties);
        }
    }
}
