//! Asking for games.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hasher};

use foldhash::fast::FixedState;
use rusqlite::{Row, params};

use super::facts::{BLOCK, GameFacts, unpack_block};
use super::list::GameList;
use super::row::select;
use super::{GameId, GameRow};
use crate::othello::board::{Key, Placed, Square, parse_board};
use crate::store::row::{key_of, meaningless, storage_order, unsigned};
use crate::store::{Games, StoreError};

/// The name of the fact that says which games are in the index.
pub(super) const INDEXED: &str = "games_indexed";

/// The name of the fact with the names that stand for others.
pub(in crate::store) const ALIASES: &str = "games_aliases";

/// What the name of a fact begins with that takes the joins of a game back; its number follows.
const JOINED: &str = "game_joined_";

/// The name of the fact that takes the joins of a game back.
pub(in crate::store) fn joined(game: GameId) -> String {
    format!("{JOINED}{}", game.0)
}

/// What a row of the index of positions is, in errors.
const MOVE: &str = "a move in the index of games";

/// Counts changes of what collections games are in.
pub(super) const SOURCE_CHANGES: &str = "games_source_changes";

/// A move that was played at a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PlayedMove {
    /// The move in the key's orientation; of moves that are images of each other the first.
    pub square: Square,
    /// How many games went on with it.
    pub games: u64,
    pub list: GameList,
}

/// A player with the number that games have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct GamePlayer {
    pub id: u32,
    pub name: String,
    /// The words of the name as they are searched for.
    pub folded: String,
    pub program: bool,
}

/// Where games came from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Collection {
    pub id: u32,
    /// The name of the file or the collection.
    pub name: String,
    /// The day on which it came first, as 2026-11-20.
    pub added: String,
    pub games: u64,
}

impl Games<'_> {
    /// How many games there are; instant.
    pub fn count(&self) -> Result<u64, StoreError> {
        self.reader.number("SELECT coalesce(sum(games), 0) FROM game_facts")
    }

    /// What filters and counts need of all games, by their numbers. Numbers of games that were
    /// removed have facts that say so.
    pub fn facts(&self) -> Result<Vec<GameFacts>, StoreError> {
        Ok(self.stamped_facts()?.0)
    }

    /// As [`Self::facts`], with their [`Self::stamp`].
    pub(crate) fn stamped_facts(&self) -> Result<(Vec<GameFacts>, u64), StoreError> {
        let mut facts: Vec<GameFacts> = Vec::new();
        let mut is_whole = true;
        let stamp = self.stamp_of_blocks(|block, bytes| {
            // Blocks are full except the last one; what follows a gap is damaged.
            is_whole &= facts.len() as u64 == block.saturating_mul(u64::from(BLOCK));
            if is_whole {
                facts.extend(unpack_block(bytes));
            }
        })?;
        Ok((facts, stamp))
    }

    /// Games before this number are in the index of positions; those after it are not.
    pub fn indexed(&self) -> Result<u32, StoreError> {
        let value = self.reader.meta(INDEXED)?;
        Ok(value.and_then(|value| value.parse().ok()).unwrap_or_default())
    }

    /// A number that changes when games or their sources come, go, or become richer in what filters and
    /// counts need.
    pub(crate) fn stamp(&self) -> Result<u64, StoreError> {
        let _snapshot = self.reader.snapshot()?;
        let changes = self.reader.changes()?;
        if let Some((known, stamp)) = self.reader.stamped.get()
            && known == changes
        {
            return Ok(stamp);
        }
        let stamp = self.stamp_of_blocks(|_, _| {})?;
        // One's own changes are not seen: a writer counts anew each time.
        if self.reader.only_reads {
            self.reader.stamped.set(Some((changes, stamp)));
        }
        Ok(stamp)
    }

    /// Gives all blocks of packed facts, and answers with their stamp.
    fn stamp_of_blocks(&self, mut each: impl FnMut(u64, &[u8])) -> Result<u64, StoreError> {
        let mut hasher = FixedState::default().build_hasher();
        let sql = "SELECT block, facts FROM game_facts ORDER BY block";
        let read = |row: &Row<'_>| {
            let block: u64 = row.get::<_, i64>(0)?.cast_unsigned();
            let bytes = row.get_ref(1)?.as_blob().map_err(rusqlite::Error::from)?;
            hasher.write_u64(block);
            hasher.write(bytes);
            each(block, bytes);
            Ok(())
        };
        self.reader.each_row(sql, [], read, |()| Ok::<_, StoreError>(()))?;
        let facts = hasher.finish();
        let others = (self.indexed()?, self.source_changes()?);
        Ok(facts ^ FixedState::default().hash_one(others))
    }

    /// How often games came into other collections than before: the same collection may get the same number
    /// again.
    pub(super) fn source_changes(&self) -> Result<u64, StoreError> {
        let value = self.reader.meta(SOURCE_CHANGES)?;
        Ok(value.and_then(|value| value.parse().ok()).unwrap_or_default())
    }

    /// The moves that indexed games went on with at a position that two of them or more share; none
    /// when fewer do.
    pub(crate) fn played_moves(&self, key: Key) -> Result<Vec<PlayedMove>, StoreError> {
        let (discs, mover, opponent) = storage_order(key);
        let sql = "SELECT square, games, list FROM game_move \
                   WHERE discs = ?1 AND mover = ?2 AND opponent = ?3 ORDER BY square";
        self.reader.rows(sql, params![discs, mover, opponent], |row| {
            let square = Square::try_new(row.get(0)?);
            let square = square.ok_or_else(|| meaningless(MOVE, mover, opponent))?;
            let games: i64 = row.get(1)?;
            let list = GameList::of_bytes(row.get(2)?);
            Ok(PlayedMove { square, games: games.cast_unsigned(), list })
        })
    }

    /// Gives the moves that indexed games went on with at all positions with so many discs that two of
    /// them or more share: position after position, each with its moves in ascending order.
    pub(crate) fn for_each_played_move(
        &self,
        discs: u8,
        mut each: impl FnMut(Key, Square, &GameList),
    ) -> Result<(), StoreError> {
        let sql = "SELECT mover, opponent, square, list FROM game_move \
                   WHERE discs = ?1 ORDER BY mover, opponent, square";
        let mut list = GameList::default();
        let read = |row: &Row<'_>| {
            let key = key_of(row, MOVE)?;
            let Some(square) = Square::try_new(row.get(2)?) else {
                return Err(meaningless(MOVE, row.get(0)?, row.get(1)?));
            };
            list.refill(row.get_ref(3)?.as_blob().map_err(rusqlite::Error::from)?);
            each(key, square, &list);
            Ok(())
        };
        self.reader.each_row(sql, [discs], read, |()| Ok(()))
    }

    pub fn get(&self, game: GameId) -> Result<Option<GameRow>, StoreError> {
        let sql = format!("{} WHERE game.id = ?1", select(self.reader, "")?);
        let found = self.reader.first(&sql, [game.0], |row| Ok(GameRow::of(row)?))?;
        Ok(found.map(|(_, row)| row))
    }

    /// Names that stand for others, as text.
    pub(crate) fn aliases(&self) -> Result<Option<String>, StoreError> {
        self.reader.meta(ALIASES)
    }

    /// What takes the joins of a game back, as text.
    pub(crate) fn joined(&self, game: GameId) -> Result<Option<String>, StoreError> {
        self.reader.meta(&joined(game))
    }

    /// As [`Self::joined`], of all games.
    pub(crate) fn all_joined(&self) -> Result<BTreeMap<GameId, String>, StoreError> {
        let sql = "SELECT name, value FROM meta WHERE name >= ?1 AND name < ?2";
        let read = |row: &Row<'_>| Ok((row.get::<_, String>(0)?, row.get(1)?));
        // Behind an underscore comes a backquote.
        let found = self.reader.rows(sql, [JOINED, "game_joined`"], read)?;
        let numbered = found.into_iter().filter_map(|(name, text)| {
            Some((GameId(name.strip_prefix(JOINED)?.parse().ok()?), text))
        });
        Ok(numbered.collect())
    }

    /// The games of two named players that were not played to their end.
    pub(crate) fn unfinished(&self) -> Result<Vec<GameId>, StoreError> {
        let sql = "SELECT id FROM game WHERE black_discs IS NULL AND black IS NOT NULL \
                   AND white IS NOT NULL AND year IS NOT NULL ORDER BY id";
        self.reader.rows(sql, [], |row| Ok(GameId(row.get(0)?)))
    }

    /// The games with a fingerprint, which may be of different moves.
    pub(crate) fn with_fingerprint(&self, fingerprint: u64) -> Result<Vec<GameId>, StoreError> {
        let sql = "SELECT id FROM game WHERE fingerprint = ?1 ORDER BY id";
        let of = fingerprint.cast_signed();
        self.reader.rows(sql, [of], |row| Ok(GameId(row.get(0)?)))
    }

    /// Gives all games from a number on, in the order of their numbers.
    pub fn for_each<E: From<StoreError>>(
        &self,
        from: GameId,
        mut each: impl FnMut(GameId, GameRow) -> Result<(), E>,
    ) -> Result<(), E> {
        let sql = format!("{} WHERE game.id >= ?1 ORDER BY game.id", select(self.reader, "")?);
        let read = |row: &Row<'_>| Ok(GameRow::of(row)?);
        self.reader.each_row(&sql, [from.0], read, |(game, row)| each(game, row))
    }

    /// Gives the moves of games from a number on, as numbers of squares, with the board that they
    /// start from where that is not the start position.
    pub(crate) fn for_each_moves(
        &self,
        from: GameId,
        mut each: impl FnMut(GameId, Option<Placed>, &[u8]),
    ) -> Result<(), StoreError> {
        let sql = "SELECT id, start, moves FROM game WHERE id >= ?1 ORDER BY id";
        let read = |row: &Row<'_>| {
            let start: Option<String> = row.get(1)?;
            let start = start.and_then(|text| parse_board(&text).ok());
            let moves = row.get_ref(2)?.as_blob().map_err(rusqlite::Error::from)?;
            each(GameId(row.get(0)?), start, moves);
            Ok(())
        };
        self.reader.each_row(sql, [from.0], read, |()| Ok(()))
    }

    /// The names of the collections that a game is in, in the order in which it came into them.
    pub fn sources_of(&self, game: GameId) -> Result<Vec<String>, StoreError> {
        let sql = "SELECT collection.name FROM game_source \
             JOIN collection ON collection.id = game_source.collection \
             WHERE game_source.game = ?1 ORDER BY game_source.rowid";
        self.reader.rows(sql, [game.0], |row| Ok(row.get(0)?))
    }

    /// All collections that have games, with how many, in the order in which they came.
    pub fn collections(&self) -> Result<Vec<Collection>, StoreError> {
        let sql = "SELECT collection.id, name, added, count(game) FROM collection \
             JOIN game_source ON game_source.collection = collection.id \
             GROUP BY collection.id ORDER BY collection.id";
        self.reader.rows(sql, [], |row| {
            let (id, name, added) = (row.get(0)?, row.get(1)?, row.get(2)?);
            Ok(Collection { id, name, added, games: unsigned(row.get(3)?) })
        })
    }

    /// The numbers of the games of a collection, ascending.
    pub(crate) fn of_collection(&self, collection: u32) -> Result<Vec<GameId>, StoreError> {
        let sql = "SELECT game FROM game_source WHERE collection = ?1 ORDER BY game";
        self.reader.rows(sql, [collection], |row| Ok(GameId(row.get(0)?)))
    }

    /// All players, by their numbers.
    pub(crate) fn players(&self) -> Result<Vec<GamePlayer>, StoreError> {
        let sql = "SELECT id, name, folded, program FROM player ORDER BY id";
        self.reader.rows(sql, [], |row| {
            let (id, name, folded) = (row.get(0)?, row.get(1)?, row.get(2)?);
            Ok(GamePlayer { id, name, folded, program: row.get(3)? })
        })
    }

    /// All events with their numbers, in their order.
    pub(crate) fn events(&self) -> Result<Vec<(u32, String)>, StoreError> {
        let sql = "SELECT id, name FROM event ORDER BY id";
        self.reader.rows(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::board::Position;
    use crate::store::{Book, Reader};

    #[test]
    fn a_row_of_the_index_that_means_nothing_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let mut book = Book::create(folder.path().join("book.db")).unwrap();
        let key = Key::of(Position::START);
        let (discs, mover, opponent) = storage_order(key);
        for (square, mover, is_found) in [(77, mover, true), (19, opponent, false)] {
            let sql = "INSERT INTO game_move VALUES (?1, ?2, ?3, ?4, 2, x'')";
            book.execute(sql, params![discs, mover, opponent, square]).unwrap();
            let reader = book.reader();
            let all = reader.games().for_each_played_move(4, |_, _, _| {}).unwrap_err();
            let is_told = |what: &str| what.starts_with("a move in the index of games of ");
            assert!(matches!(all, StoreError::Damaged { what, .. } if is_told(&what)));
            assert_eq!(reader.games().played_moves(key).is_err(), is_found);
            let report = reader.games().verify(|row| Ok(row.clone())).unwrap();
            assert!(!report.is_sound());
            book.rollback();
        }
    }

    #[test]
    fn a_reader_counts_games_again_only_when_something_has_changed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.db");
        let mut book = Book::create(&path).unwrap();
        let reader = Reader::open(&path).unwrap();
        let first = reader.games().stamp().unwrap();
        let remembered = reader.stamped.get();
        assert!(remembered.is_some_and(|(_, stamp)| stamp == first));
        assert_eq!(reader.games().stamp().unwrap(), first);
        assert_eq!(reader.stamped.get(), remembered);
        book.set_meta(SOURCE_CHANGES, "1").unwrap();
        book.commit().unwrap();
        let second = reader.games().stamp().unwrap();
        assert_ne!(second, first);
        assert!(reader.stamped.get().is_some_and(|(_, stamp)| stamp == second));
        // A writer does not see its own changes.
        book.reader().games().stamp().unwrap();
        assert_eq!(book.reader().stamped.get(), None);
    }
}
