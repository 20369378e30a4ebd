//! The games that have a fingerprint: one, but for few.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::GameId;

/// Games by the fingerprint of their moves, each list in the order of its numbers. It takes 17 bytes a game where a
/// list for each would take 60.
#[derive(Default)]
pub(super) struct ByFingerprint {
    /// The only game.
    one: HashMap<u64, GameId, FixedState>,
    /// All games, where there are several.
    several: HashMap<u64, Vec<GameId>, FixedState>,
}

impl ByFingerprint {
    pub(super) fn of(&self, fingerprint: u64) -> &[GameId] {
        match self.several.get(&fingerprint) {
            Some(games) => games,
            None => self.one.get(&fingerprint).map_or(&[], std::slice::from_ref),
        }
    }

    pub(super) fn insert(&mut self, fingerprint: u64, game: GameId) {
        if let Some(games) = self.several.get_mut(&fingerprint) {
            games.insert(games.partition_point(|&other| other < game), game);
        } else if let Some(other) = self.one.remove(&fingerprint) {
            self.several.insert(fingerprint, vec![other.min(game), other.max(game)]);
        } else {
            self.one.insert(fingerprint, game);
        }
    }

    pub(super) fn remove(&mut self, fingerprint: u64, game: GameId) {
        if let Some(games) = self.several.get_mut(&fingerprint) {
            games.retain(|&other| other != game);
        } else if self.one.get(&fingerprint) == Some(&game) {
            self.one.remove(&fingerprint);
        }
    }

    /// Keeps the games for which this is true.
    pub(super) fn retain(&mut self, keep: impl Fn(GameId) -> bool) {
        self.one.retain(|_, game| keep(*game));
        self.several.values_mut().for_each(|games| games.retain(|&game| keep(game)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_of_one_fingerprint_are_in_the_order_of_their_numbers() {
        let mut by = ByFingerprint::default();
        for (fingerprint, game) in [(7, 5), (7, 2), (8, 3), (7, 9)] {
            by.insert(fingerprint, GameId(game));
        }
        assert_eq!(by.of(7), [2, 5, 9].map(GameId));
        assert_eq!((by.of(8), by.of(9)), (&[GameId(3)][..], &[][..]));
        by.remove(7, GameId(5));
        by.retain(|game| game != GameId(3));
        assert_eq!((by.of(7), by.of(8)), (&[2, 9].map(GameId)[..], &[][..]));
        by.retain(|_| false);
        by.insert(7, GameId(1));
        assert_eq!(by.of(7), [GameId(1)]);
    }
}
