//! How a position's value moved while the book grew.

use serde::{Serialize, Serializer};

use crate::openbook::{NodeSource, Values};
use crate::othello::board::{Key, Placed};
use crate::store::{HistoryPoint, Reader, StoreError};

/// A position at a checkpoint of growth.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct PastPosition {
    /// When, UTC, as 2026-11-20T19:30:00Z; none: now, where the book has changed since the last checkpoint.
    pub taken: Option<String>,
    pub positions: u64,
    /// Searches of all growth up to here.
    pub searches: u64,
    /// Processor time of all growth up to here, in milliseconds.
    #[serde(rename = "cpu_seconds", serialize_with = "in_seconds")]
    pub milliseconds: u64,
    /// What searches alone said of it, for the side to move; none where it was not in the book.
    pub values: Option<Values>,
}

fn in_seconds<S: Serializer>(milliseconds: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    (*milliseconds as f64 / 1000.0).serialize(serializer)
}

/// How a position's value moved while the book grew.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionHistory {
    /// The board; where the side to move had to pass, the other side is to move here.
    pub placed: Placed,
    /// Whether its values are kept.
    pub is_kept: bool,
    /// Whether it is in the book now.
    pub in_book: bool,
    /// Whether its result is proven to the disc.
    pub is_solved: bool,
    /// The checkpoints, the oldest first; the last one is now, where the book has changed since.
    pub points: Vec<PastPosition>,
}

impl PositionHistory {
    /// The checkpoints at which it had a value.
    pub(crate) fn valued(&self) -> impl Iterator<Item = (&PastPosition, Values)> {
        self.points.iter().filter_map(|point| Some((point, point.values?)))
    }
}

/// How the value of a position moved while a book grew.
pub(crate) fn history(book: &Reader, placed: Placed) -> Result<PositionHistory, StoreError> {
    let book = book.snapshot()?;
    let placed = placed.to_play().unwrap_or(placed);
    let key = Key::of(placed.position);
    let now = book.node(&key)?.map(|node| node.values);
    let kept = book.history().of(key)?;
    let mut found = PositionHistory {
        placed,
        is_kept: kept.is_some(),
        in_book: now.is_some(),
        is_solved: now.is_some_and(Values::is_exact),
        points: Vec::new(),
    };
    let Some(kept) = kept else { return Ok(found) };
    let mut kept = kept.into_iter().peekable();
    let mut values = None;
    for (id, point) in book.history().points()? {
        while let Some((_, next)) = kept.next_if(|&(from, _)| from <= id) {
            values = next;
        }
        let HistoryPoint { positions, searches, milliseconds, taken, .. } = point;
        let taken = Some(taken);
        // A checkpoint at which nothing was different says nothing new.
        if found.points.last().is_some_and(|last| {
            (last.positions, last.searches, last.values) == (positions, searches, values)
        }) {
            continue;
        }
        found.points.push(PastPosition { positions, searches, milliseconds, taken, values });
    }
    let positions = book.counts()?.positions;
    if let Some(last) = found.points.last()
        && (last.positions, last.values) != (positions, now)
    {
        let PastPosition { searches, milliseconds, .. } = *last;
        let now = PastPosition { positions, searches, milliseconds, taken: None, values: now };
        found.points.push(now);
    }
    Ok(found)
}
