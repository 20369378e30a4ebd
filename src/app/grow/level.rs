//! The level at which a book is grown that does not say.

use std::collections::HashMap;

use crate::openbook::{Searched, SourceId};
use crate::othello::search::Level;
use crate::store::{Reader, StoreError};

/// A book of other programs' records alone is grown at no higher level than this.
const MOST: u8 = 18;

/// The level that a book was searched at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BookLevel {
    /// That of most of its own searches.
    Own(Level),
    /// The highest that half of its records, all of other programs, meet; at most 18.
    Foreign(Level),
}

impl BookLevel {
    pub(crate) const fn level(self) -> Level {
        match self {
            Self::Own(level) | Self::Foreign(level) => level,
        }
    }

    /// That of a book, from all of its positions; none where nothing was searched.
    pub(crate) fn of(book: &Reader) -> Result<Option<Self>, StoreError> {
        let mut searches: HashMap<SourceId, u64> = HashMap::new();
        // How many records a level is met by, and no higher one.
        let mut met = [0_u64; MOST as usize + 1];
        book.for_each_node(|node| {
            if node.record.is_some() {
                *searches.entry(node.searched.source).or_default() += 1;
                met[usize::from(highest_met(node.searched, node.key.position().empties()))] += 1;
            }
            Ok::<_, StoreError>(())
        })?;
        let mut own: HashMap<Level, u64> = HashMap::new();
        for known in book.sources()? {
            let level = known.source.level.parse().ok().filter(|_| known.source.is_own());
            if let (Some(level), Some(&count)) = (level, searches.get(&known.id)) {
                *own.entry(level).or_default() += count;
            }
        }
        if let Some((&level, _)) = own.iter().max_by_key(|&(&level, &count)| (count, level)) {
            return Ok(Some(Self::Own(level)));
        }
        let half = met.iter().sum::<u64>().div_ceil(2);
        let mut at_least = 0;
        for (number, count) in (0..=MOST).zip(met).rev() {
            at_least += count;
            if half > 0 && at_least >= half {
                return Ok(Level::new(number.max(1)).map(Self::Foreign));
            }
        }
        Ok(None)
    }
}

/// The highest level up to [`MOST`] that a search meets; 0 where it meets none.
fn highest_met(searched: Searched, empties: u8) -> u8 {
    let is_met =
        |&number: &u8| Level::new(number).is_some_and(|level| searched.meets(level, empties));
    (1..=MOST).rev().find(is_met).unwrap_or(0)
}
