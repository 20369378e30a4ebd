//! What to say when hardly any position of a book was searched as well as was asked for.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use foldhash::fast::FixedState;

use crate::files::counted::{counted, grouped};
use crate::openbook::Node;
use crate::othello::search::Level;
use crate::store::{Reader, StoreError};

/// How many levels are named.
const MOST_NAMED: usize = 5;

/// What a book has instead of the level that was asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FewReach {
    pub level: Level,
    /// Positions that were, and are reached by such ones.
    pub kept: u64,
    /// Positions that would be without it.
    pub of: u64,
    /// Positions of the whole book that a search of the level, or a proof, says something of. Without any
    /// only such are kept as have all their moves in the book, of which none is worth anything then.
    pub searched: u64,
    /// How many positions reach which level at most, the highest level last. Positions that are
    /// proven, or of which all moves are in the book, reach any: they are not counted.
    pub levels: BTreeMap<Level, u64>,
}

impl FewReach {
    /// Finds out what a book has, of which so many positions are kept by the level `of` so many.
    pub fn of(book: &Reader, level: Level, kept: u64, of: u64) -> Result<Self, StoreError> {
        let mut levels: BTreeMap<Level, u64> = BTreeMap::new();
        let mut known: HashMap<(u8, u8, u8), Option<Level>, FixedState> = HashMap::default();
        let mut well_searched = 0;
        book.for_each_node(|node: Node| -> Result<(), StoreError> {
            well_searched += u64::from(node.rest().is_some() && node.reaches(level));
            if node.reaches_all_levels() {
                return Ok(());
            }
            let searched = node.searched;
            let facts = (node.key.discs(), searched.depth, searched.selectivity.percent());
            let highest = known.entry(facts).or_insert_with(|| {
                let levels = (0..=Level::MAX.number()).rev().filter_map(Level::new);
                levels.into_iter().find(|&level| node.reaches(level))
            });
            if let Some(highest) = highest {
                *levels.entry(*highest).or_default() += 1;
            }
            Ok(())
        })?;
        Ok(Self { level, kept, of, searched: well_searched, levels })
    }
}

impl fmt::Display for FewReach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { level, kept, of, searched, levels } = self;
        match kept {
            2.. if *searched == 0 => write!(f, "none of {} was", counted(*of, "position"))?,
            0 | 1 => write!(f, "none of {} but the first was", counted(*of, "position"))?,
            kept => write!(f, "{} of {} were", grouped(*kept), counted(*of, "position"))?,
        }
        write!(f, " searched at level {level} or more")?;
        let mut most: Vec<_> = levels.iter().collect();
        most.sort_by_key(|&(level, count)| (std::cmp::Reverse(count), level));
        for (index, (level, count)) in most.into_iter().take(MOST_NAMED).enumerate() {
            let before = if index == 0 { "; the book's levels: " } else { ", " };
            write!(f, "{before}{level} ({})", counted(*count, "position"))?;
        }
        Ok(())
    }
}
