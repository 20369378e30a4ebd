//! Which of Edax's levels a search of another program, or of ours, is worth.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::files::books::Format;
use crate::openbook::{Node, Searched, SourceId};
use crate::othello::board::After;
use crate::othello::search::{Level, Proof, Selectivity};
use crate::store::KnownSource;

/// Finds the level of nodes.
pub(crate) struct EdaxLevels {
    forced: Option<Level>,
    /// Sources whose level is one of Edax's, or of ours, whose numbers are the same.
    of_source: HashMap<SourceId, (Level, bool), FixedState>,
    /// Found before, by empties, depth, selectivity and whether it is exact; none of a node without a leaf.
    known: HashMap<(u8, u8, u8, Option<bool>), Level, FixedState>,
}

impl EdaxLevels {
    /// For a book with these sources; a forced level is that of all records.
    pub(crate) fn new(forced: Option<Level>, sources: &[KnownSource]) -> Self {
        let of_source = sources.iter().filter_map(|known| {
            // Another program's Edax file has one level for all records: it proves nothing.
            let is_edax = [Format::Edax.name(), Format::EdaxText.name()]
                .contains(&known.source.format.as_str())
                && known.source.engine.starts_with("edax");
            let level: Level = known.source.level.parse().ok()?;
            (is_edax || known.source.is_own()).then_some((known.id, (level, is_edax)))
        });
        Self { forced, of_source: of_source.collect(), known: HashMap::default() }
    }

    /// The level of a node: the one it was searched at where that is known and says as much, of what is
    /// exact the lowest that solves so many empties, else the highest that claims no more depth and
    /// selectivity than the search had.
    pub(crate) fn of(&mut self, node: &Node) -> Level {
        if let Some(level) = self.forced {
            return level;
        }
        let empties = node.key.position().empties();
        // A move that ends the game is no leaf.
        let ends = |square| matches!(node.key.position().after(square), Some(After::Over(_)));
        let leaf = node.rest().filter(|rest| !rest.square.is_some_and(ends));
        let leaf_is_exact = leaf.map(|rest| rest.proof == Proof::Exact);
        let is_exact = leaf_is_exact == Some(true);
        // Without a leaf a level says nothing.
        let exact = leaf_is_exact.unwrap_or(true);
        let Searched { depth, selectivity, source } = node.searched;
        if let Some(&(level, is_edax)) = self.of_source.get(&source) {
            // Edax's own level is what the search was read from, if nothing happened to it since.
            let is_as_read = is_edax && level.edax_plan(empties) == (depth, selectivity);
            let says_all = !is_exact || solves(level, empties);
            let claims_no_more = || claims_no_more(level, empties, depth, selectivity, exact);
            if says_all && (is_as_read || claims_no_more()) {
                return level;
            }
        }
        let facts = (empties, depth, selectivity.percent(), leaf_is_exact);
        let mut levels = (0..=Level::MAX.number()).filter_map(Level::new);
        *self.known.entry(facts).or_insert_with(|| match is_exact {
            true => levels.find(|&level| solves(level, empties)).unwrap_or(Level::MAX),
            false => levels
                .rev()
                .find(|&level| claims_no_more(level, empties, depth, selectivity, exact))
                .unwrap_or(LOWEST),
        })
    }
}

/// Whether a level solves so many empties at full width.
fn solves(level: Level, empties: u8) -> bool {
    level.edax_plan(empties) == (empties, Selectivity::FULL)
}

/// Level 0 looks at nothing; it claims less than any search.
const LOWEST: Level = match Level::new(0) {
    Some(level) => level,
    None => Level::MAX,
};

fn claims_no_more(
    level: Level,
    empties: u8,
    depth: u8,
    selectivity: Selectivity,
    exact: bool,
) -> bool {
    let (claimed_depth, claimed) = level.edax_plan(empties);
    if claimed_depth > depth.min(empties) {
        return false;
    }
    let to_the_end = claimed_depth == empties;
    if to_the_end && claimed.is_full() {
        return exact;
    }
    // A search of more plies bears what a shallower one claims. What skips more than Edax ever does counts as
    // what skips most.
    let is_deeper = !to_the_end && claimed_depth < depth;
    is_deeper
        || claimed <= selectivity.max(if to_the_end { selectivity } else { Selectivity::LOWEST })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_never_claims_more_than_the_search_had() {
        let full = Selectivity::FULL;
        let level = |number| Level::new(number).unwrap();
        assert!(claims_no_more(level(21), 50, 21, Selectivity::OURS[0], false));
        assert!(!claims_no_more(level(21), 50, 20, full, false));
        assert!(!claims_no_more(level(21), 24, 24, full, false));
        assert!(claims_no_more(level(21), 24, 24, full, true));
        assert!(!claims_no_more(level(21), 26, 26, Selectivity::OURS[1], false));
        assert!(claims_no_more(level(21), 26, 26, Selectivity::OURS[3], false));
        // Up to 10 Edax's levels skip nothing: ten plies at 73 % bear its level 9.
        assert!(!claims_no_more(level(10), 40, 10, Selectivity::LOWEST, false));
        assert!(claims_no_more(level(10), 40, 10, full, false));
        assert!(claims_no_more(level(9), 40, 10, Selectivity::LOWEST, false));
    }
}
