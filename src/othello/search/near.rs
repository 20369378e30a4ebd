//! A small table for the last plies before the moves are written out: it stays in the cache of one
//! processor core, where the transposition table would cost more time than it saves.

use crate::othello::board::Position;

use super::table::{NO_MOVE, hash};

/// What is known of a position with few empties, exactly searched. Bounds are discs for the side
/// to move.
#[derive(Clone, Copy, Default)]
pub(super) struct NearEntry {
    mover: u64,
    opponent: u64,
    generation: u32,
    pub lower: i8,
    pub upper: i8,
    /// The best move, or [`NO_MOVE`].
    pub best: u8,
}

impl NearEntry {
    /// Nothing is known.
    #[inline(always)]
    pub(crate) fn unknown() -> Self {
        Self { lower: -64, upper: 64, best: NO_MOVE, ..Self::default() }
    }
}

/// A direct-mapped table that forgets the older entry.
#[derive(Default)]
pub(super) struct NearTable {
    entries: Vec<NearEntry>,
    generation: u32,
    mask: u32,
}

impl NearTable {
    /// Forgets everything, and uses so many entries, rounded up to a power of two, at most 2^20.
    pub(crate) fn start(&mut self, entries: usize) {
        let count = entries.clamp(1, 1 << 20).next_power_of_two();
        match self.generation.checked_add(1) {
            Some(next) if count <= self.entries.len() => self.generation = next,
            _ => {
                self.entries.clear();
                self.entries.resize(count, NearEntry::default());
                self.generation = 1;
            }
        }
        self.mask = count as u32 - 1;
    }

    /// The place of a position, to be handed back to [`Self::store`].
    #[inline(always)]
    pub(crate) fn place(&self, position: Position) -> u32 {
        hash(position) as u32 & self.mask
    }

    #[inline(always)]
    pub(crate) fn probe(&self, place: u32, position: Position) -> NearEntry {
        match self.entries.get(place as usize) {
            Some(entry)
                if entry.mover == position.mover
                    && entry.opponent == position.opponent
                    && entry.generation == self.generation =>
            {
                *entry
            }
            _ => NearEntry::unknown(),
        }
    }

    /// Keeps what was found: `known` with the score of a null window above `alpha` added.
    #[inline(always)]
    pub(crate) fn store(
        &mut self,
        place: u32,
        position: Position,
        known: NearEntry,
        alpha: i32,
        (score, best): (i32, u8),
    ) {
        let Position { mover, opponent } = position;
        let generation = self.generation;
        let mut entry = NearEntry { mover, opponent, generation, best, ..known };
        if score > alpha {
            entry.lower = score as i8;
        } else {
            entry.upper = score as i8;
        }
        if let Some(place) = self.entries.get_mut(place as usize) {
            *place = entry;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_bounds_until_the_next_generation() {
        let mut table = NearTable::default();
        table.start(4);
        let position = Position::START;
        let place = table.place(position);
        let nothing = table.probe(place, position);
        assert_eq!((nothing.lower, nothing.upper, nothing.best), (-64, 64, NO_MOVE));
        table.store(place, position, nothing, 3, (4, 19));
        let known = table.probe(place, position);
        table.store(place, position, known, 5, (4, 26));
        let known = table.probe(place, position);
        assert_eq!((known.lower, known.upper, known.best), (4, 4, 26));
        assert_eq!(table.probe(place, position.passed()).upper, 64);
        table.start(4);
        assert_eq!(table.probe(place, position).upper, 64);
    }
}
