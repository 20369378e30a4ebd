//! Values, bounds and counters of an Edax record from its leaf and its links: what Edax's own
//! `book fix` would compute, so that it finds nothing to change.

use crate::othello::board::Position;
use crate::othello::search::{Level, Selectivity};

use super::layout::NO_SCORE;
use super::{EdaxHeader, EdaxLeaf, EdaxLink, EdaxMove, EdaxRecord};

/// The two errors of a book's header, in discs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Errors {
    pub midgame: i16,
    /// Of selective searches to the end.
    pub endcut: i16,
}

impl Default for Errors {
    /// Those that Edax gives a new book.
    fn default() -> Self {
        Self { midgame: 2, endcut: 1 }
    }
}

/// Whether a number can be an error, in discs.
pub(super) fn is_error(number: i32) -> bool {
    (0..=128).contains(&number)
}

impl From<&EdaxHeader> for Errors {
    fn from(header: &EdaxHeader) -> Self {
        // A header may say anything.
        let known = Self::default();
        let or = |error: i32, known| if is_error(error) { error as i16 } else { known };
        Self {
            midgame: or(header.midgame_error, known.midgame),
            endcut: or(header.endcut_error, known.endcut),
        }
    }
}

/// What a record hands up to those that link to it, for its own side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EdaxChild {
    /// In discs.
    pub value: i16,
    /// In discs.
    pub lower: i16,
    /// In discs.
    pub upper: i16,
    /// Line ends won by the side to move.
    pub wins: u32,
    /// Line ends drawn.
    pub draws: u32,
    /// Line ends lost by the side to move.
    pub losses: u32,
    /// All line ends.
    pub lines: u32,
}

impl From<&EdaxRecord> for EdaxChild {
    fn from(record: &EdaxRecord) -> Self {
        let EdaxRecord { value, lower, upper, wins, draws, losses, lines, .. } = *record;
        Self { value, lower, upper, wins, draws, losses, lines }
    }
}

/// Builds a record: its values follow from the leaf and the children, its links come out by
/// falling score.
pub fn negamax(
    position: Position,
    level: Level,
    leaf: EdaxLeaf,
    children: &[(EdaxMove, EdaxChild)],
    errors: Errors,
) -> EdaxRecord {
    let mut value = i16::from(NO_SCORE);
    let (mut lower, mut upper) = (value, value);
    let mut counts = [0u64; 4];
    if leaf.score > NO_SCORE {
        value = i16::from(leaf.score);
        (lower, upper) = leaf_bounds(position, level, value, errors);
        let [wins, draws, losses, lines] = &mut counts;
        *lines += 1;
        if is_exact(position, level) {
            match value.signum() {
                1 => *wins += 1,
                0 => *draws += 1,
                _ => *losses += 1,
            }
        }
    }
    let mut links: Vec<EdaxLink> = Vec::with_capacity(children.len());
    for &(played, child) in children {
        let score = -child.value;
        links.push(EdaxLink { score: score.clamp(-127, 127) as i8, played });
        value = value.max(score);
        lower = lower.max(-child.upper);
        upper = upper.max(-child.lower);
        let from_here = [child.losses, child.draws, child.wins, child.lines];
        for (count, more) in counts.iter_mut().zip(from_here) {
            *count += u64::from(more);
        }
    }
    links.sort_by_key(|link| (-i16::from(link.score), link.played));
    let [wins, draws, losses, lines] = counts.map(|count| u32::try_from(count).unwrap_or(u32::MAX));
    EdaxRecord {
        position,
        wins,
        draws,
        losses,
        lines,
        value,
        lower,
        upper,
        level: level.number(),
        links,
        leaf,
    }
}

fn is_exact(position: Position, level: Level) -> bool {
    level.edax_plan(position.empties()) == (position.empties(), Selectivity::FULL)
}

fn leaf_bounds(position: Position, level: Level, score: i16, errors: Errors) -> (i16, i16) {
    let empties = position.empties();
    let (depth, selectivity) = level.edax_plan(empties);
    if depth == empties {
        let error = if selectivity.is_full() { 0 } else { errors.endcut };
        return (score - error, score + error);
    }
    // Searches of even and odd depth lean to opposite sides.
    let bias = i16::from(depth % 2) - i16::from(empties % 2);
    (score - errors.midgame - bias, score + errors.midgame - bias)
}
