//! Which games went on with a move: ascending numbers as differences.

use super::GameId;

/// The games that went on with a move, packed.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct GameList {
    bytes: Vec<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct GameListEntry {
    pub game: GameId,
    /// Whether Black was to move: after passes it may be either side at one position.
    pub black: bool,
}

impl GameList {
    pub(super) const fn of_bytes(bytes: Vec<u8>) -> Self {
        Self { bytes }
    }

    /// Becomes another list, in the same memory.
    pub(super) fn refill(&mut self, bytes: &[u8]) {
        self.bytes.clear();
        self.bytes.extend_from_slice(bytes);
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Packs entries that ascend by their games.
    pub(super) fn pack(entries: impl Iterator<Item = GameListEntry>) -> Self {
        let (mut bytes, mut last) = (Vec::new(), 0);
        for GameListEntry { game, black } in entries {
            let number = u64::from(game.0) << 1 | u64::from(black);
            let mut left = number - last;
            last = number;
            while left >= 0x80 {
                bytes.push(left as u8 | 0x80);
                left >>= 7;
            }
            bytes.push(left as u8);
        }
        Self { bytes }
    }

    /// Gives the games in ascending order. A damaged list ends where it makes no sense any more.
    #[inline]
    pub(crate) fn for_each(&self, mut each: impl FnMut(GameListEntry)) {
        let (mut last, mut difference, mut shift) = (0_u64, 0_u64, 0);
        for &byte in &self.bytes {
            difference |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 != 0 {
                shift += 7;
                if shift > 56 {
                    return;
                }
                continue;
            }
            last = last.saturating_add(difference);
            let Ok(game) = u32::try_from(last >> 1) else { return };
            each(GameListEntry { game: GameId(game), black: last & 1 == 1 });
            (difference, shift) = (0, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn lists_come_back(mut games in prop::collection::vec((any::<u32>(), any::<bool>()), 0..200)) {
            games.sort_unstable();
            games.dedup_by_key(|&mut (game, _)| game);
            let entries: Vec<_> = games
                .into_iter()
                .map(|(game, black)| GameListEntry { game: GameId(game), black })
                .collect();
            let list = GameList::pack(entries.iter().copied());
            let mut found = Vec::new();
            list.for_each(|entry| found.push(entry));
            prop_assert_eq!(found, entries);
        }

        #[test]
        fn junk_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            GameList::of_bytes(bytes).for_each(|_| {});
        }
    }
}
