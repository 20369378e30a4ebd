//! The games of a book, ready for questions: what filters need of all of them, and the few that are
//! not in the index.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use foldhash::fast::FixedState;

use super::alias::Aliases;
use super::filter::{FilterError, GameFilter};
use super::loaded::{GameMoves, GameSet, Keys, LoadedGames, Outcome, Taken, Visit, visit};
use super::through::places_of;
use crate::othello::board::{Bitboard, Key, Placed, Square, Symmetry};
use crate::store::{GameFacts, GameId, GamePlayer, Reader, StoreError};

/// The games of a book.
pub struct GameDatabase<'b> {
    book: &'b Reader,
    games: Arc<LoadedGames>,
}

impl<'b> GameDatabase<'b> {
    /// Loads what questions need.
    pub fn open(book: &'b Reader) -> Result<Self, StoreError> {
        Ok(Self::with(book, Arc::new(LoadedGames::load(book)?)))
    }

    /// With what was loaded of the same book before.
    pub const fn with(book: &'b Reader, games: Arc<LoadedGames>) -> Self {
        Self { book, games }
    }

    pub const fn book(&self) -> &'b Reader {
        self.book
    }

    /// The names that stand for others.
    pub(crate) fn aliases(&self) -> &Aliases {
        self.games.aliases()
    }

    /// All players that games name, in the order of their numbers.
    pub(crate) fn players(&self) -> Result<&[GamePlayer], StoreError> {
        self.games.players(self.book)
    }

    /// How many games there are.
    pub fn len(&self) -> u64 {
        self.games.facts().iter().filter(|facts| facts.exists).count() as u64
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        !self.games.facts().iter().any(|facts| facts.exists)
    }

    pub fn facts(&self, game: GameId) -> Option<&GameFacts> {
        self.games.facts().get(game.0 as usize).filter(|facts| facts.exists)
    }

    /// What counts need of all games, by their numbers.
    pub(in crate::app) fn outcomes(&self) -> &[Outcome] {
        self.games.outcomes()
    }

    /// The games that went on with a move at a position; the move is the first of its images.
    pub(super) fn went_on(&self, key: Key, square: Square) -> Result<Arc<GameSet>, StoreError> {
        if let Some(known) = self.games.kept_set((key, square)) {
            return Ok(known);
        }
        let (mut set, mut count) = (GameSet::default(), 0);
        self.visits(key, |visit| {
            if visit.square == square {
                set.insert(visit.entry.game);
                count += 1;
            }
        })?;
        let set = Arc::new(set);
        self.games.keep_set((key, square), &set, count);
        Ok(set)
    }

    /// All games with their facts.
    pub(in crate::app) fn all(&self) -> impl Iterator<Item = (GameId, &GameFacts)> {
        (0..).map(GameId).zip(self.games.facts()).filter(|(_, facts)| facts.exists)
    }

    /// Which games a filter takes; none at all when it takes every game.
    pub(in crate::app) fn taken(&self, filter: &GameFilter) -> Result<Option<Taken>, FilterError> {
        if filter.is_empty() {
            return Ok(None);
        }
        Ok(Some(self.games.taken(self.book, filter, || places_of(self, filter))?))
    }

    /// The games that came through a position, and how they went on: those of the index move by
    /// move, then the others.
    pub(in crate::app) fn visits(
        &self,
        key: Key,
        mut each: impl FnMut(Visit),
    ) -> Result<(), StoreError> {
        let played = self.book.games().played_moves(key)?;
        if played.is_empty() {
            for (_, found) in self.unindexed(key.discs(), &HashSet::from_iter([key]))? {
                each(found);
            }
        }
        for played in &played {
            played.list.for_each(|entry| each(Visit { entry, square: played.square }));
        }
        self.games.recent().get(&key).into_iter().flatten().for_each(|&found| each(found));
        Ok(())
    }

    /// As [`Self::visits`], of positions that several games of the index share, and of the games that
    /// are not in it.
    pub(super) fn shared_visits(
        &self,
        key: Key,
        mut each: impl FnMut(Visit),
    ) -> Result<(), StoreError> {
        for played in &self.book.games().played_moves(key)? {
            played.list.for_each(|entry| each(Visit { entry, square: played.square }));
        }
        self.games.recent().get(&key).into_iter().flatten().for_each(|&found| each(found));
        Ok(())
    }

    /// The last of these positions, by its place, from which a game went on; none where there is none.
    pub(super) fn positions_in_common(
        &self,
        game: GameId,
        line: &[Key],
    ) -> Result<Option<usize>, StoreError> {
        let steps = self.steps_of(game)?;
        let own: Vec<Key> = steps.iter().map(|(before, _)| Key::of(before.position)).collect();
        Ok(line.iter().rposition(|key| own.contains(key)))
    }

    /// The games of the index at positions with so many discs that it does not hold: one at most at
    /// each. Their moves are compared square by square with what is occupied, and played only where
    /// that fits.
    pub(super) fn unindexed(
        &self,
        discs: u8,
        wanted: &Keys,
    ) -> Result<Vec<(Key, Visit)>, StoreError> {
        let occupied = |key: &Key| key.position().occupied();
        let images: HashSet<Bitboard, FixedState> = wanted
            .iter()
            .flat_map(|key| Symmetry::all().map(|symmetry| symmetry.bits(occupied(key))))
            .collect();
        let mut found = Vec::new();
        for game in self.games.moves(self.book)? {
            let start = game.start.position.occupied();
            let Some(plies) = discs.checked_sub(start.count_ones() as u8) else { continue };
            let Some(before) = game.moves.get(..usize::from(plies)) else { continue };
            let here = before.iter().fold(start, |set, &square| set | 1 << (square & 63));
            if !images.contains(&here) {
                continue;
            }
            if let Some((before, square)) = game.steps().nth(usize::from(plies)) {
                let (key, visit) = visit(game.game, before, square);
                if wanted.contains(&key) {
                    found.push((key, visit));
                }
            }
        }
        Ok(found)
    }

    /// What the games that are not in the index came through.
    pub(super) fn recent(&self) -> &HashMap<Key, Vec<Visit>, FixedState> {
        self.games.recent()
    }

    pub(in crate::app) fn moves_of(&self, game: GameId) -> Result<Option<GameMoves>, StoreError> {
        let row = self.book.games().get(game)?;
        Ok(row.map(|row| {
            let start = row.start.unwrap_or(Placed::START);
            GameMoves { game, start, moves: row.moves.into() }
        }))
    }

    /// The positions that the moves of a game were made from, with the moves; none when there is no such
    /// game.
    pub(in crate::app) fn steps_of(
        &self,
        game: GameId,
    ) -> Result<Vec<(Placed, Square)>, StoreError> {
        let moves = self.moves_of(game)?;
        Ok(moves.map_or_else(Vec::new, |moves| moves.steps().collect()))
    }

    /// Whether a game came to a position by a line: through the same positions, whatever their
    /// orientation.
    pub(super) fn came_by(&self, game: GameId, line: &[Key]) -> Result<bool, StoreError> {
        let Some(moves) = self.moves_of(game)? else { return Ok(false) };
        let mut steps = moves.steps().map(|(before, _)| Key::of(before.position));
        Ok(line.iter().all(|&key| steps.next() == Some(key)))
    }
}
