//! Files that say the same again and again: what only looks like a book must not fill the disk.

use crate::othello::board::Key;

/// Positions that are remembered: few enough to stay in the processor's nearest cache.
const REMEMBERED: usize = 1 << 13;

/// So many repeats are never too many.
const ALWAYS: u64 = 1 << 20;

/// Counts records of positions that had one shortly before.
pub(super) struct Repeats {
    /// Half of a mix of each board's bits; 0 for none yet.
    remembered: Vec<u32>,
    records: u64,
    repeats: u64,
}

impl Repeats {
    pub(super) fn new() -> Self {
        Self { remembered: vec![0; REMEMBERED], records: 0, repeats: 0 }
    }

    /// Takes the key of a record; returns how many repeats there were when they are too many: more
    /// than half of all records.
    pub(super) fn too_many_with(&mut self, key: Key) -> Option<u64> {
        let position = key.position();
        let mixed = (position.mover ^ position.opponent.rotate_left(31))
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let slot = self.remembered.get_mut((mixed >> 48) as usize % REMEMBERED)?;
        let mark = (mixed >> 16) as u32 | 1;
        self.records += 1;
        if std::mem::replace(slot, mark) == mark {
            self.repeats += 1;
        }
        (self.repeats > ALWAYS && self.repeats > self.records / 2).then_some(self.repeats)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::board::Position;

    #[test]
    fn a_record_that_comes_again_and_again_is_noticed() {
        let start = Position::START;
        let next: Vec<Key> =
            start.legal_moves().filter_map(|square| start.play(square)).map(Key::of).collect();
        let cycle = [Key::of(start), next[0]];
        let mut repeats = Repeats::new();
        let first = cycle.iter().cycle().position(|&key| repeats.too_many_with(key).is_some());
        assert_eq!(first, Some(ALWAYS as usize + 2));
    }
}
