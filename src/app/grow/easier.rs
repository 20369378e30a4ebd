//! What to ask for when the time was too short for a single search.

use std::time::Duration;

use crate::othello::search::Level;

use super::terms::{Easier, Searching};
use super::work::Depth;

/// A search that is so many plies shallower than one which the time did not suffice for leaves time
/// for several: a ply of a selective search costs a third to a half more than the one before, one at
/// full width two to three times as much.
const FEWER: u8 = 5;

/// What can be done in the time in which this search came so far; none when nothing is easier.
pub(super) fn easier(searching: &Searching, depth: Depth, time: Duration) -> Option<Easier> {
    let empties = searching.target.position.empties();
    let plies = searching.depth.saturating_sub(FEWER).max(1);
    // To prove something it must be searched to its end.
    if searching.goal == empties && depth.limits(empties).depth < empties {
        return Some(Easier::Time(time.saturating_mul(10)));
    }
    match depth {
        Depth::Level(asked) => {
            let levels = (1..asked.number()).rev().filter_map(Level::new);
            let mut fitting = levels.filter(|level| level.plan(empties).0 <= plies);
            fitting.next().map(Easier::Level)
        }
        Depth::Fixed { depth: asked, .. } => (plies < asked).then_some(Easier::Depth(plies)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::grow::start::Target;
    use crate::othello::board::Position;
    use crate::othello::search::Selectivity;

    fn searching(depth: u8, goal: u8) -> Searching {
        let target = Target { line: None, position: Position::START };
        Searching { target, depth, goal, elapsed: Duration::from_secs(25) }
    }

    #[test]
    fn is_what_there_is_time_for() {
        let second = Duration::from_secs(1);
        let level = |number| Depth::Level(Level::new(number).unwrap());
        let found = easier(&searching(19, 30), level(30), second);
        assert_eq!(found, Level::new(14).map(Easier::Level));
        let fixed = Depth::Fixed { depth: 30, selectivity: Selectivity::FULL };
        assert_eq!(easier(&searching(12, 30), fixed, second), Some(Easier::Depth(7)));
        // A search to the end of a run at a low level: nothing but time helps.
        let found = easier(&searching(12, 60), level(10), second);
        assert_eq!(found, Some(Easier::Time(10 * second)));
        assert_eq!(easier(&searching(1, 1), level(1), second), None);
    }
}
