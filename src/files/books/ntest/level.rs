//! How thoroughly NTest searches at its levels, and says that it has searched.
//!
//! Source: `ntest-book.md` of the format specifications, section 9, with two corrections from the
//! program's behaviour: a full search goes one ply deeper than its own limit, and far from the end
//! the two boldest searches cost the same.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::openbook::Searched;

use super::layout::SOLVER_EMPTIES;

/// Selectivity of midgame searches.
const MIDGAME_PRUNE: u8 = 4;
/// NTest keeps positions with so many empties and more.
pub(crate) const FEWEST_EMPTIES: u8 = 9;

/// A search as NTest's book names it. More is more thorough.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Thoroughness {
    /// Height in plies; to the end it is the empties less 8.
    pub height: u8,
    /// Selectivity: 0 is full width, 4 is the midgame's, 5 the boldest.
    pub prune: u8,
    /// Only the outcome (win, loss or draw) is solved.
    pub wld: bool,
}

impl Thoroughness {
    /// What a search of ours is worth that proves nothing, `empties` before the end.
    ///
    /// With 9 empties NTest knows nothing but searches to the end.
    pub(crate) fn of_search(searched: Searched, empties: u8) -> Self {
        let end = Self::end(empties);
        if searched.depth < empties && end > 1 {
            let height = searched.depth.clamp(1, end - 1);
            return Self { height, prune: MIDGAME_PRUNE, wld: false };
        }
        // Full width to the end without a proof is no state of NTest's: the next lower selectivity.
        let prune = match searched.selectivity.percent() {
            _ if searched.depth < empties => 5,
            97.. => 1,
            91..=96 => 2,
            70..=90 => 3,
            60..=69 => 4,
            _ => 5,
        };
        Self { height: end, prune, wld: false }
    }

    /// A full search to the end; `wld` says that only the sign of the result is known.
    pub(crate) const fn solved(empties: u8, wld: bool) -> Self {
        Self { height: Self::end(empties), prune: 0, wld }
    }

    /// A search to the end that is all but sure: what a proof becomes where NTest wants an
    /// estimate.
    pub(crate) const fn almost_solved(empties: u8) -> Self {
        Self { height: Self::end(empties), prune: 1, wld: false }
    }

    /// The height of a search to the end.
    pub const fn end(empties: u8) -> u8 {
        let end = empties.saturating_sub(SOLVER_EMPTIES);
        if end == 0 { 1 } else { end }
    }

    /// What NTest compares.
    const fn order(self) -> i32 {
        256 * self.height as i32 - 2 * self.prune as i32 - self.wld as i32
    }

    /// The same search a ply nearer to the end.
    pub(crate) const fn less_one_ply(self) -> Self {
        Self { height: self.height.saturating_sub(1), ..self }
    }

    /// The same search a ply farther from the end.
    pub(crate) const fn one_ply_more(self) -> Self {
        Self { height: self.height + 1, ..self }
    }
}

impl PartialOrd for Thoroughness {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Thoroughness {
    /// As NTest compares: a ply counts more than any selectivity, that more than a size.
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.order().cmp(&other.order())
    }
}

/// A level of NTest's, as the name of a book has it: `s12` in `JA_s12.book`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct NtestLevel(u8);

/// No level of NTest's.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0:?} is not a level of an NTest book; expected s1 to s60")]
pub struct NtestLevelError(String);

impl NtestLevel {
    /// The lowest level.
    pub(crate) const MIN: Self = Self(1);
    /// The highest level.
    pub(crate) const MAX: Self = Self(60);

    /// All levels, the lowest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        (Self::MIN.0..=Self::MAX.0).map(Self)
    }

    /// The level that the name of a file gives: the part after the last underscore.
    pub(crate) fn of_file_name(name: &str) -> Option<Self> {
        let (stem, _) = name.rsplit_once('.').unwrap_or((name, ""));
        stem.rsplit_once('_')?.1.parse().ok()
    }

    /// The most empties at which positions are searched to the end with each selectivity.
    fn ends(self) -> [u8; 6] {
        /// How much each further ply of a search to the end costs, by selectivity.
        const COSTS: [f64; 6] = [0.738, 0.601, 0.549, 0.495, 0.438, 0.400];
        let plies = (f64::from(self.0) - 6.0) * 0.5;
        let mut ends = COSTS.map(|cost| (15.0 + plies / cost) as u8);
        let [full, others @ ..] = &mut ends;
        *full += 1;
        for end in others {
            *end = (*end).max(*full);
        }
        let [.., fourth, fifth] = &mut ends;
        if *fifth > 26 {
            *fifth = (*fourth).max(26);
        }
        ends
    }

    /// The most empties at which every position is solved: NTest has no branches there.
    pub(crate) fn solves_from(self) -> u8 {
        let [full, ..] = self.ends();
        full
    }

    /// The most empties at which a solved position has its exact score, not only its sign.
    pub(crate) fn exact_from(self) -> u8 {
        self.solves_from().saturating_sub(4)
    }

    /// The least that a branch or a solved position must have been searched: less is searched again
    /// when the book is loaded.
    pub(crate) fn least(self, empties: u8) -> Thoroughness {
        match (0..).zip(self.ends()).find(|&(_, end)| empties <= end) {
            Some((prune, _)) => {
                let wld = prune > 0 || empties > self.exact_from();
                Thoroughness { height: Thoroughness::end(empties), prune, wld }
            }
            None => Thoroughness { height: self.0, prune: MIDGAME_PRUNE, wld: false },
        }
    }

    /// The least that an unsolved position must have been searched to follow a branch; none where
    /// no branch is before it.
    pub(crate) fn least_below(self, empties: u8) -> Option<Thoroughness> {
        let above = empties + 1;
        (above > self.solves_from()).then(|| self.least(above).less_one_ply())
    }

    /// The highest level that asks no more of a branch than this.
    pub(crate) fn supported(has: Thoroughness, empties: u8) -> Option<Self> {
        Self::all().rev().find(|level| empties > level.solves_from() && level.least(empties) <= has)
    }
}

impl fmt::Display for NtestLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s{}", self.0)
    }
}

impl FromStr for NtestLevel {
    type Err = NtestLevelError;

    fn from_str(text: &str) -> Result<Self, NtestLevelError> {
        let number = text.strip_prefix('s').filter(|digits| !digits.starts_with('+'));
        let number = number.and_then(|digits| digits.parse().ok());
        let known = number.filter(|number| (Self::MIN.0..=Self::MAX.0).contains(number));
        known.map(Self).ok_or_else(|| NtestLevelError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::search::Selectivity;

    fn level(text: &str) -> NtestLevel {
        text.parse().unwrap()
    }

    fn search(depth: u8, percent: u8, empties: u8) -> Thoroughness {
        let selectivity = Selectivity::from_percent(percent).unwrap();
        let searched = Searched { depth, selectivity, source: crate::openbook::SourceId(0) };
        Thoroughness::of_search(searched, empties)
    }

    #[test]
    fn levels_are_read_from_names_of_files() {
        assert_eq!(NtestLevel::of_file_name("JA_s26.book"), Some(level("s26")));
        assert_eq!(NtestLevel::of_file_name("my_own_s9.book"), Some(level("s9")));
        for none in ["JA_t26.book", "s26.book", "my_s.book", "my_s0.book", "my_s61.book", ""] {
            assert_eq!(NtestLevel::of_file_name(none), None, "{none}");
        }
        assert_eq!(level("s7").to_string(), "s7");
        let wrong = "12".parse::<NtestLevel>().unwrap_err();
        assert_eq!(wrong.to_string(), "\"12\" is not a level of an NTest book; expected s1 to s60");
    }

    #[test]
    fn a_level_asks_for_more_towards_the_end() {
        let twelve = level("s12");
        assert_eq!((twelve.solves_from(), twelve.exact_from()), (20, 16));
        let least = |empties| {
            let Thoroughness { height, prune, wld } = twelve.least(empties);
            (height, prune, wld)
        };
        assert_eq!(least(16), (8, 0, false));
        assert_eq!(least(20), (12, 0, true));
        assert_eq!(least(21), (13, 3, true));
        assert_eq!(least(22), (14, 5, true));
        assert_eq!(least(23), (12, 4, false));
        assert_eq!(twelve.least_below(20), Some(Thoroughness { height: 12, prune: 3, wld: true }));
        assert_eq!(twelve.least_below(19), None);
    }

    /// What a branch needs never falls below what its place under another branch needs.
    #[test]
    fn a_branch_is_never_asked_for_less_than_a_leaf_at_its_place() {
        for level in NtestLevel::all() {
            for empties in level.solves_from() + 1..60 {
                let below = level.least_below(empties).unwrap();
                assert!(below <= level.least(empties), "{level} at {empties}");
            }
        }
    }

    #[test]
    fn the_level_that_a_search_supports() {
        assert_eq!(NtestLevel::supported(search(12, 73, 44), 44), Some(level("s12")));
        // The last levels of a midgame search ask for a search to the end from here on.
        assert_eq!(NtestLevel::supported(search(12, 73, 22), 22), Some(level("s11")));
        assert_eq!(search(22, 91, 22), Thoroughness { height: 14, prune: 2, wld: false });
        assert_eq!(search(3, 73, 9), Thoroughness { height: 1, prune: 5, wld: false });
        assert_eq!(search(0, 73, 30), Thoroughness { height: 1, prune: 4, wld: false });
    }
}
