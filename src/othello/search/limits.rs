//! Depth, selectivity and other limits of a search.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;

/// How selective a search is, as the confidence of its cuts in percent: 100 is full width, less lets
/// Multi-ProbCut skip lines that are outside the window with that confidence. Our own searches use the six of
/// [`Selectivity::OURS`]; books of other programs bring others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Selectivity(u8);

impl Selectivity {
    /// Full width: nothing is skipped.
    pub const FULL: Self = Self(100);

    /// That of low levels in the middle of the game.
    pub const LOWEST: Self = Self(73);

    /// The levels that our search knows, as Edax names them; the index is Edax's class 0..=5.
    pub const OURS: [Self; 6] = [Self(73), Self(87), Self(95), Self(98), Self(99), Self(100)];

    /// 0..=100 percent.
    pub(crate) const fn from_percent(percent: u8) -> Option<Self> {
        if percent <= 100 { Some(Self(percent)) } else { None }
    }

    /// In percent.
    pub const fn percent(self) -> u8 {
        self.0
    }

    /// Whether nothing is skipped.
    pub(crate) const fn is_full(self) -> bool {
        self.0 == 100
    }
}

impl Default for Selectivity {
    fn default() -> Self {
        Self::FULL
    }
}

impl fmt::Display for Selectivity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} %", self.0)
    }
}

/// A text that names no selectivity of ours.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
#[error("'{0}' is not a selectivity: expected 73, 87, 95, 98, 99 or 100 (percent)")]
pub struct SelectivityError(pub String);

impl FromStr for Selectivity {
    type Err = SelectivityError;

    fn from_str(text: &str) -> Result<Self, SelectivityError> {
        let percent = text.trim().trim_end_matches('%').trim_end().parse().ok();
        percent
            .and_then(|percent: u8| Self::OURS.into_iter().find(|known| known.0 == percent))
            .ok_or_else(|| SelectivityError(text.to_owned()))
    }
}

/// Midgame searches of no more plies than this skip nothing: there is nothing to gain.
const MOST_AT_FULL_WIDTH: u8 = 4;

/// With no more empties than this an exact search costs no more than a selective one.
const ALWAYS_EXACT: u8 = 14;

/// With no more empties than this an exact search costs no more than one at 98 %.
const LEAST_98: u8 = 16;

/// Squares still empty where a search stops that looks as far ahead as a level ever does before it searches
/// to the end. With each square more on the board it is one more, and a ply less.
const LEFT_BEFORE_THE_END: u8 = 5;

/// A level of play, 0..=60: it fixes depth and selectivity for every number of empties, so that no level costs
/// less or is less sure than a lower one. Edax's levels of the same numbers look as many plies ahead in the
/// opening.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(u8);

impl Level {
    /// The highest level: everything is solved.
    pub(crate) const MAX: Self = Self(60);

    /// The level of this number, 0..=60.
    pub const fn new(number: u8) -> Option<Self> {
        if number <= Self::MAX.0 { Some(Self(number)) } else { None }
    }

    /// 0..=60.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Depth in plies and selectivity at this number of empties. A depth equal to the empties is a
    /// search to the end; at full width it is then exact.
    ///
    /// In the opening a level looks ahead as many plies as its number says. Nearer to the end it looks a ply
    /// further with each square that is filled, then to the end, ever surer: so that what it costs never
    /// leaps.
    ///
    /// Source: measured; see `NOTES.md`, "Levels".
    pub fn plan(self, empties: u8) -> (u8, Selectivity) {
        let [c73, c87, c95, c98, _, full] = Selectivity::OURS;
        let level = self.0;
        if level == 0 {
            return (0, full);
        }
        let to_the_end = self.most_to_the_end();
        if empties <= to_the_end {
            let selectivity = match to_the_end - empties {
                _ if level == Self::MAX.0 || empties <= ALWAYS_EXACT => full,
                0 => c73,
                1 => c87,
                2 => c95,
                3 if empties > LEAST_98 => c98,
                _ => full,
            };
            return (empties, selectivity);
        }
        let before = empties - to_the_end - 1;
        let depth = level.max(empties.saturating_sub(LEFT_BEFORE_THE_END + 2 * before));
        (depth, if depth <= MOST_AT_FULL_WIDTH { full } else { c73 })
    }

    /// The most empties at which the level searches to the end: twice its number, as long as that is cheap.
    fn most_to_the_end(self) -> u8 {
        let level = self.0;
        (2 * level).min(14 + level / 2).max(level)
    }

    /// Depth in plies and selectivity of Edax's level of this number: what its records stand for.
    ///
    /// Source: Edax's level table.
    pub fn edax_plan(self, empties: u8) -> (u8, Selectivity) {
        let [c73, c87, c95, c98, c99, full] = Selectivity::OURS;
        let level = self.0;
        if level == 0 {
            return (0, full);
        }
        if level == 60 {
            return (empties, full);
        }
        if level <= 10 {
            return (if empties <= 2 * level { empties } else { level.min(empties) }, full);
        }
        let bands: &[(u8, Selectivity)] = match level {
            11..=12 => &[(21, full), (24, c98)],
            13..=18 => &[(21, full), (24, c98), (27, c87)],
            19..=21 => &[(24, full), (27, c98), (30, c87)],
            22..=24 => &[(24, full), (27, c99), (30, c95), (33, c73)],
            25..=27 => &[(27, full), (30, c98), (33, c87)],
            28..=29 => &[(27, full), (30, c99), (33, c95), (36, c73)],
            30..=31 => &[(30, full), (33, c98), (36, c87)],
            32..=33 => &[(30, full), (33, c99), (36, c95), (39, c73)],
            34..=35 => &[(30, full), (33, c99), (36, c98), (39, c87)],
            _ => &[
                (level - 6, full),
                (level - 3, c99),
                (level, c98),
                (level + 3, c95),
                (level + 6, c87),
                (level + 9, c73),
            ],
        };
        bands
            .iter()
            .find(|&&(most, _)| empties <= most)
            .map_or((level.min(empties), c73), |&(_, selectivity)| (empties, selectivity))
    }

    /// Whether a search to this depth with this selectivity finds out, at this number of empties, what the
    /// level asks for: as much as this level or any higher one gives. A deeper search meets a level with a
    /// lower selectivity, and one as deep needs the same.
    pub(crate) fn is_met_by(self, empties: u8, depth: u8, selectivity: Selectivity) -> bool {
        (depth.min(empties), selectivity) >= self.plan(empties)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// A text that names no level.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
#[error("'{0}' is not a level: expected a number from 0 to 60")]
pub struct LevelError(pub String);

impl FromStr for Level {
    type Err = LevelError;

    fn from_str(text: &str) -> Result<Self, LevelError> {
        text.parse().ok().and_then(Self::new).ok_or_else(|| LevelError(text.to_owned()))
    }
}

/// What a search is to find out.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Goal {
    /// The best move and its score.
    #[default]
    Score,
    /// Only the winner: searches to the end stop at the sign of the result.
    WinLossDraw,
}

/// When a search stops. Depth and selectivity are always met unless time, processor time or nodes run out,
/// or a [`Stop`](super::Stop) is raised, and then the result is that of the last finished iteration and says so.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Limits {
    /// Plies to look ahead; the number of empties or more is a search to the end.
    pub depth: u8,
    pub selectivity: Selectivity,
    /// Score or only the sign.
    pub goal: Goal,
    pub time: Option<Duration>,
    /// The most processor time of the thread that searches.
    pub cpu_time: Option<Duration>,
    pub nodes: Option<u64>,
}

impl Limits {
    pub const fn depth(depth: u8, selectivity: Selectivity) -> Self {
        Self { depth, selectivity, goal: Goal::Score, time: None, cpu_time: None, nodes: None }
    }

    /// What a level asks for at a number of empties.
    pub fn level(level: Level, empties: u8) -> Self {
        let (depth, selectivity) = level.plan(empties);
        Self::depth(depth, selectivity)
    }

    /// To the end at full width.
    pub const fn solve(goal: Goal) -> Self {
        Self { goal, ..Self::depth(64, Selectivity::FULL) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_meets_its_own_level_and_all_below_and_none_above() {
        let levels = || (0..=Level::MAX.0).map(Level);
        for empties in 0..=60 {
            for searched in levels() {
                let (depth, selectivity) = searched.plan(empties);
                for asked in levels() {
                    let is_met = asked.is_met_by(empties, depth, selectivity);
                    let is_same = asked.plan(empties) == searched.plan(empties);
                    let expected = asked <= searched || is_same;
                    assert_eq!(is_met, expected, "{searched} for {asked} at {empties}");
                }
            }
        }
        // Nothing is behind the end, so that selectivity alone decides.
        assert!(!Level(30).is_met_by(24, 60, Selectivity(98)));
        assert!(Level(21).is_met_by(24, 60, Selectivity(98)));
    }

    #[test]
    fn the_table_of_edax() {
        let plan = |level, empties| {
            let (depth, selectivity) = Level(level).edax_plan(empties);
            (depth, selectivity.percent())
        };
        assert_eq!(plan(0, 30), (0, 100));
        assert_eq!(plan(1, 2), (2, 100));
        assert_eq!(plan(1, 3), (1, 100));
        assert_eq!(plan(10, 20), (20, 100));
        assert_eq!(plan(10, 21), (10, 100));
        assert_eq!(plan(12, 24), (24, 98));
        assert_eq!(plan(12, 25), (12, 73));
        assert_eq!(plan(21, 24), (24, 100));
        assert_eq!(plan(21, 30), (30, 87));
        assert_eq!(plan(21, 31), (21, 73));
        assert_eq!(plan(40, 34), (34, 100));
        assert_eq!(plan(40, 46), (46, 87));
        assert_eq!(plan(60, 60), (60, 100));
    }

    #[test]
    fn the_table_of_levels() {
        let plan = |level, empties| {
            let (depth, selectivity) = Level(level).plan(empties);
            (depth, selectivity.percent())
        };
        assert_eq!([plan(0, 30), plan(60, 60)], [(0, 100), (60, 100)]);
        assert_eq!([plan(1, 60), plan(1, 3), plan(1, 2)], [(1, 100), (1, 100), (2, 100)]);
        assert_eq!([plan(4, 40), plan(5, 40), plan(10, 40)], [(4, 100), (5, 73), (10, 73)]);
        let of_level_12: Vec<_> = (14..=26).rev().map(|empties| plan(12, empties)).collect();
        assert_eq!(of_level_12[..6], [(12, 73), (12, 73), (13, 73), (14, 73), (15, 73), (16, 73)]);
        assert_eq!(of_level_12[6..10], [(20, 73), (19, 87), (18, 95), (17, 98)]);
        assert_eq!(of_level_12[10..], [(16, 100), (15, 100), (14, 100)]);
        assert_eq!([plan(30, 31), plan(30, 30), plan(30, 26)], [(30, 73), (30, 73), (26, 100)]);
        assert_eq!([plan(40, 41), plan(40, 40), plan(40, 36)], [(40, 73), (40, 73), (36, 100)]);
    }

    #[test]
    fn levels_rise_at_every_number_of_empties() {
        for empties in 0..=60 {
            let plans: Vec<_> =
                (0..=Level::MAX.0).map(|level| Level(level).plan(empties)).collect();
            assert!(plans.is_sorted(), "{empties}");
            assert!(plans.iter().all(|&(depth, _)| depth <= empties), "{empties}");
        }
    }
}
