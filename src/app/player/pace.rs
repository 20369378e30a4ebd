//! How deep, and how long, a move is searched.

use std::time::Duration;

use crate::othello::search::{Goal, Level, Limits, Selectivity};

use super::super::DEFAULT_LEVEL;

/// How deep, and how long, a move is searched. Neither is as deep as [`USUAL_TIME`] allows.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Pace {
    /// No deeper than this; without a level as deep as the time allows.
    pub level: Option<Level>,
    /// No longer than this.
    pub time: Option<Duration>,
    /// No more nodes than this.
    pub nodes: Option<u64>,
}

/// What a move takes where neither a level nor a clock says so: its strength then changes little from move to move,
/// while a level costs next to nothing at 25 empties and seconds at 24, where it begins to solve.
pub const USUAL_TIME: Duration = Duration::from_secs(1);

/// With so little time a position with so many empties is searched to its end; with four times as much,
/// two empties more. Where the exact result does not come in time, the deepest search before it counts.
const SOLVED_IN: (Duration, u8) = (Duration::from_millis(100), 20);

/// With so many empties more a search of chance to the end is done in the same time, and surer ones follow while there
/// is time: a search that stops before the end would be done early.
const SOLVED_BY_CHANCE: u8 = 4;

/// The most empties from which a search to the end is tried.
const MOST_SOLVED: u8 = 34;

/// The most plies of a search that is not one to the end.
const MOST_PLIES: u8 = 40;

impl Pace {
    /// With a clock as deep as it allows, but no deeper than a level that was asked for; without one at that
    /// level, or as deep as the usual time allows.
    pub fn of(asked: Option<Level>, time: Option<Duration>) -> Self {
        Self {
            level: asked,
            nodes: None,
            time: time.or_else(|| asked.is_none().then_some(USUAL_TIME)),
        }
    }

    /// The limits for a position with so many empties.
    pub fn limits(&self, empties: u8) -> Limits {
        let limits = match (self.level, self.time) {
            (None, Some(time)) => as_deep_as_possible(empties, time),
            (level, _) => {
                let limits = Limits::level(level.unwrap_or(DEFAULT_LEVEL), empties);
                Limits { depth: limits.depth.max(1), ..limits }
            }
        };
        Limits { time: self.time, nodes: self.nodes, ..limits }
    }
}

fn as_deep_as_possible(empties: u8, time: Duration) -> Limits {
    let (mut enough, mut solved) = SOLVED_IN;
    while solved < MOST_SOLVED && enough * 4 <= time {
        (enough, solved) = (enough * 4, solved + 2);
    }
    let [quick, ..] = Selectivity::OURS;
    match empties <= (solved + SOLVED_BY_CHANCE).min(MOST_SOLVED) {
        true => Limits::solve(Goal::Score),
        false => Limits::depth(MOST_PLIES.min(empties.saturating_sub(1)), quick),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_kept_and_time_alone_goes_as_deep_as_it_can() {
        let level = Pace { level: Level::new(10), time: Some(Duration::from_secs(1)), nodes: None };
        let limits = level.limits(40);
        assert_eq!((limits.depth, limits.time), (10, Some(Duration::from_secs(1))));
        assert_eq!(Pace { level: Level::new(0), time: None, nodes: None }.limits(40).depth, 1);
        let time = |milliseconds| Pace {
            level: None,
            time: Some(Duration::from_millis(milliseconds)),
            nodes: None,
        };
        let solves = |milliseconds, empties| time(milliseconds).limits(empties).depth >= empties;
        assert!(solves(50, 24) && !solves(50, 25));
        assert!(solves(1_600, 28) && !solves(1_599, 28));
        assert!(!solves(u64::MAX, 35));
        assert_eq!(time(100).limits(60).depth, 40);
        let asked = Level::new(10);
        let clock = Some(Duration::from_secs(7));
        assert_eq!(Pace::of(asked, None), Pace { level: asked, time: None, nodes: None });
        assert_eq!(Pace::of(asked, clock), Pace { level: asked, time: clock, nodes: None });
        assert_eq!(Pace::of(None, clock), Pace { level: None, time: clock, nodes: None });
        assert_eq!(Pace::of(None, None), Pace { level: None, time: Some(USUAL_TIME), nodes: None });
    }
}
