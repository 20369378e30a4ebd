//! Adding, changing and removing games, in one batch with everything that is made from them.

use std::collections::{BTreeSet, HashMap};

use foldhash::fast::FixedState;
use rusqlite::{ErrorCode, Row, params};

use super::by_fingerprint::ByFingerprint;
use super::facts::{BLOCK, GameFacts, pack_block, place};
use super::{GameId, GameRow, index};
use crate::store::row::unsigned;
use crate::store::{Book, Reader, StoreError};

/// So many new games are looked through at each question instead of being in the index.
const MOST_UNINDEXED: u32 = 1000;

/// How names of players are kept.
#[derive(Clone, Copy, Debug)]
pub struct NameRules {
    /// The words of a name as they are searched for.
    pub fold: fn(&str) -> String,
    /// Whether a name is a program's.
    pub is_program: fn(&str) -> bool,
}

type Names = HashMap<String, u32, FixedState>;

/// Black, White, and the year of their game.
type Players = (u32, u32, u16);

fn players_of(facts: &GameFacts) -> Option<Players> {
    facts.exists.then_some((facts.black?, facts.white?, facts.year?))
}

/// The games of a book that are being changed. Nothing lasts before [`GameStore::finish`] and the
/// book's commit.
pub struct GameStore<'b> {
    book: &'b mut Book,
    rules: NameRules,
    players: Names,
    events: Names,
    collections: Names,
    facts: Vec<GameFacts>,
    by_fingerprint: ByFingerprint,
    /// Made when it is first asked for.
    by_players: Option<HashMap<Players, Vec<GameId>, FixedState>>,
    /// Blocks of facts that changed.
    changed: BTreeSet<u32>,
    /// Games before this one are in the index.
    indexed: u32,
    /// The index says of games what is not so any more.
    stale: bool,
    /// Games are in other collections than before.
    moved: bool,
}

impl<'b> GameStore<'b> {
    pub fn open(book: &'b mut Book, rules: NameRules) -> Result<Self, StoreError> {
        book.begin()?;
        let mut store = Self {
            book,
            rules,
            players: Names::default(),
            events: Names::default(),
            collections: Names::default(),
            facts: Vec::new(),
            by_fingerprint: ByFingerprint::default(),
            by_players: None,
            changed: BTreeSet::new(),
            indexed: 0,
            stale: false,
            moved: false,
        };
        store.load()?;
        Ok(store)
    }

    fn load(&mut self) -> Result<(), StoreError> {
        let reader = &self.book.reader;
        self.facts = reader.games().facts()?;
        self.indexed = reader.games().indexed()?;
        self.changed.clear();
        (self.stale, self.moved) = (false, false);
        let names = |sql: &str| -> Result<Names, StoreError> {
            let names = reader.rows(sql, [], |row| Ok((row.get(1)?, row.get(0)?)))?;
            Ok(names.into_iter().collect())
        };
        let (players, events) =
            (names("SELECT id, name FROM player")?, names("SELECT id, name FROM event")?);
        let collections = names("SELECT id, name FROM collection")?;
        let mut by_fingerprint = ByFingerprint::default();
        let sql = "SELECT fingerprint, id FROM game ORDER BY fingerprint, id";
        let read = |row: &Row<'_>| Ok((unsigned(row.get(0)?), GameId(row.get(1)?)));
        reader.each_row(sql, [], read, |(fingerprint, game)| {
            by_fingerprint.insert(fingerprint, game);
            Ok::<_, StoreError>(())
        })?;
        (self.players, self.events) = (players, events);
        (self.collections, self.by_fingerprint) = (collections, by_fingerprint);
        self.by_players = None;
        Ok(())
    }

    /// The games whose moves have this fingerprint, in the order of their numbers.
    pub(crate) fn with_fingerprint(&self, fingerprint: u64) -> &[GameId] {
        self.by_fingerprint.of(fingerprint)
    }

    /// Asks the book, with what is not committed yet.
    pub const fn reader(&self) -> &Reader {
        &self.book.reader
    }

    /// The number of a collection, which is added when it is new; `day` as 2026-11-22.
    pub(crate) fn collection(&mut self, name: &str, day: &str) -> Result<u32, StoreError> {
        // Asked for every game.
        if let Some(&number) = self.collections.get(name) {
            return Ok(number);
        }
        let sql = "INSERT INTO collection (name, added) VALUES (?1, ?2) RETURNING id";
        let connection = &self.book.reader.connection;
        let added = connection.query_row(sql, [name, day], |row| row.get(0));
        let number = added.map_err(|cause| self.book.reader.failed(cause))?;
        self.collections.insert(name.to_owned(), number);
        Ok(number)
    }

    /// Adds a game. It needs a collection too: [`GameStore::add_source`].
    pub(crate) fn add(&mut self, row: &GameRow) -> Result<GameId, StoreError> {
        self.add_as(GameId(self.facts.len() as u32), row)
    }

    /// The game that was added last under no number of its own.
    pub(crate) fn newest(&self) -> Option<GameId> {
        (self.facts.len() as u32).checked_sub(1).map(GameId)
    }

    /// Adds a game under this number, unless another game has it.
    pub(crate) fn add_as(&mut self, game: GameId, row: &GameRow) -> Result<GameId, StoreError> {
        if self.facts.get(game.0 as usize).is_some_and(|facts| facts.exists) {
            return self.add(row);
        }
        while self.facts.len() <= game.0 as usize {
            self.changed.insert(place(GameId(self.facts.len() as u32)).0);
            self.facts.push(GameFacts::default());
        }
        self.write("INSERT", game, row)?;
        self.by_fingerprint.insert(row.fingerprint, game);
        Ok(game)
    }

    /// Says what is known of a game anew. Its moves stay.
    pub(crate) fn replace(&mut self, game: GameId, row: &GameRow) -> Result<(), StoreError> {
        self.write("INSERT OR REPLACE", game, row)
    }

    /// As [`Self::replace`], with other moves than those that had this fingerprint.
    pub(crate) fn replace_moves(
        &mut self,
        game: GameId,
        row: &GameRow,
        fingerprint: u64,
    ) -> Result<(), StoreError> {
        self.replace(game, row)?;
        self.by_fingerprint.remove(fingerprint, game);
        self.by_fingerprint.insert(row.fingerprint, game);
        self.stale |= game.0 < self.indexed;
        Ok(())
    }

    /// The games of two players of a year, by their very names.
    pub(crate) fn between(&mut self, black: &str, white: &str, year: u16) -> Vec<GameId> {
        let number = |name: &str| self.players.get(name).copied();
        let Some((black, white)) = number(black).zip(number(white)) else { return Vec::new() };
        let facts = &self.facts;
        let by_players = self.by_players.get_or_insert_with(|| {
            let mut by_players = HashMap::<_, Vec<_>, _>::default();
            for (facts, game) in facts.iter().zip(0..) {
                if let Some(players) = players_of(facts) {
                    by_players.entry(players).or_default().push(GameId(game));
                }
            }
            by_players
        });
        by_players.get(&(black, white, year)).cloned().unwrap_or_default()
    }

    /// Notes that a game is in a collection too; false when that is known.
    pub(crate) fn add_source(&mut self, game: GameId, collection: u32) -> Result<bool, StoreError> {
        let sql = "INSERT OR IGNORE INTO game_source (collection, game) VALUES (?1, ?2)";
        let is_new = self.book.reader.execute(sql, [collection, game.0])? > 0;
        self.moved |= is_new;
        Ok(is_new)
    }

    /// Keeps the names that stand for others, as text.
    pub(crate) fn set_aliases(&mut self, text: &str) -> Result<(), StoreError> {
        self.moved = true;
        self.book.set_meta(super::read::ALIASES, text)
    }

    /// Keeps what takes the joins of a game back, as text.
    pub(crate) fn set_joined(&mut self, game: GameId, text: &str) -> Result<(), StoreError> {
        self.book.set_meta(&super::read::joined(game), text)
    }

    /// Removes games; returns how many there were.
    pub fn remove(&mut self, games: &[GameId]) -> Result<u64, StoreError> {
        let mut removed = 0;
        for &game in games {
            let rows = self.book.reader.execute("DELETE FROM game WHERE id = ?1", [game.0])?;
            self.book.reader.execute("DELETE FROM game_source WHERE game = ?1", [game.0])?;
            removed += rows as u64;
            if let Some(facts) = self.facts.get_mut(game.0 as usize) {
                *facts = GameFacts::default();
                self.changed.insert(place(game).0);
            }
        }
        if removed > 0 {
            self.by_players = None;
            (self.stale, self.moved) = (true, true);
            let facts = &self.facts;
            let exists = |game: GameId| facts.get(game.0 as usize).is_some_and(|of| of.exists);
            self.by_fingerprint.retain(exists);
        }
        self.forget_empty_collections()?;
        Ok(removed)
    }

    /// Notes that games are not in a collection.
    pub(crate) fn remove_source(
        &mut self,
        games: &[GameId],
        collection: u32,
    ) -> Result<(), StoreError> {
        let sql = "DELETE FROM game_source WHERE collection = ?1 AND game = ?2";
        for game in games {
            self.book.reader.execute(sql, [collection, game.0])?;
        }
        self.moved = true;
        self.forget_empty_collections()
    }

    fn forget_empty_collections(&mut self) -> Result<(), StoreError> {
        let sql = "DELETE FROM collection WHERE NOT EXISTS \
                   (SELECT 1 FROM game_source WHERE game_source.collection = collection.id) \
                   RETURNING name";
        for name in self.book.reader.rows(sql, [], |row| Ok(row.get::<_, String>(0)?))? {
            self.collections.remove(&name);
        }
        Ok(())
    }

    /// Writes a row by an INSERT, or one that may replace the game of this number.
    fn write(&mut self, verb: &str, game: GameId, row: &GameRow) -> Result<(), StoreError> {
        let rules = self.rules;
        let event = self.number(row.event.as_deref(), Table::Event, rules)?;
        let black = self.number(row.black.name.as_deref(), Table::Player, rules)?;
        let white = self.number(row.white.name.as_deref(), Table::Player, rules)?;
        let sql = format!(
            "{verb} INTO game (id, event, round, year, month, day, black, white, black_rating, \
            white_rating, black_discs, stated, theoretical, theoretical_empties, xot, start, moves, \
            extra, fingerprint, remarks) VALUES \
            (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20)"
        );
        let written = self.book.reader.connection.prepare_cached(&sql).and_then(|mut statement| {
            statement.execute(params![
                game.0,
                event,
                row.round,
                row.year,
                row.month,
                row.day,
                black,
                white,
                row.black.rating,
                row.white.rating,
                row.black_discs,
                row.stated,
                row.theoretical.map(|(discs, _)| discs),
                row.theoretical.map(|(_, empties)| empties),
                row.xot,
                row.start.map(|start| start.position.board_text(start.side)),
                row.moves,
                row.extra,
                row.fingerprint.cast_signed(),
                row.remarks
            ])
        });
        written.map_err(|cause| match cause.sqlite_error_code() {
            // Its number is one behind those that the facts for filters count.
            Some(ErrorCode::ConstraintViolation) => StoreError::Damaged {
                path: self.book.reader.path().to_owned(),
                what: format!("game {} is there, and game_facts does not know of it", game.0),
            },
            _ => self.book.reader.failed(cause),
        })?;
        if let Some(known) = self.facts.get_mut(game.0 as usize) {
            let facts = GameFacts::of(row, [event, black, white]);
            if let Some(by_players) = &mut self.by_players
                && players_of(known) != players_of(&facts)
            {
                if let Some(games) = players_of(known).and_then(|old| by_players.get_mut(&old)) {
                    games.retain(|&other| other != game);
                }
                if let Some(players) = players_of(&facts) {
                    by_players.entry(players).or_default().push(game);
                }
            }
            *known = facts;
        }
        self.changed.insert(place(game).0);
        Ok(())
    }

    /// The number of a name, which is added when it is new.
    fn number(
        &mut self,
        name: Option<&str>,
        table: Table,
        rules: NameRules,
    ) -> Result<Option<u32>, StoreError> {
        let Some(name) = name else { return Ok(None) };
        let names = match table {
            Table::Player => &mut self.players,
            Table::Event => &mut self.events,
        };
        if let Some(&number) = names.get(name) {
            return Ok(Some(number));
        }
        // Names are never taken out.
        let number = names.len() as u32;
        names.insert(name.to_owned(), number);
        let connection = &self.book.reader.connection;
        let added = match table {
            Table::Player => connection
                .prepare_cached(
                    "INSERT INTO player (id, name, folded, program) VALUES (?1, ?2, ?3, ?4)",
                )
                .and_then(|mut statement| {
                    let program = (rules.is_program)(name);
                    statement.execute(params![number, name, (rules.fold)(name), program])
                }),
            Table::Event => connection
                .prepare_cached("INSERT INTO event (id, name) VALUES (?1, ?2)")
                .and_then(|mut statement| statement.execute(params![number, name])),
        };
        added.map_err(|cause| match cause.sqlite_error_code() {
            // Names are numbered without gaps.
            Some(ErrorCode::ConstraintViolation) => StoreError::Damaged {
                path: self.book.reader.path().to_owned(),
                what: format!("{} names are there, and one of number {number}", names.len() - 1),
            },
            _ => self.book.reader.failed(cause),
        })?;
        Ok(Some(number))
    }

    /// Makes everything since the last commit last. The index waits for [`GameStore::finish`]: until
    /// then questions go through the new games one by one.
    pub fn commit(&mut self) -> Result<(), StoreError> {
        self.write_facts()?;
        self.count_move()?;
        if self.stale {
            self.make_index()?;
        }
        self.book.commit()?;
        self.book.begin()
    }

    /// Forgets everything since the last commit.
    pub(crate) fn rollback(&mut self) -> Result<(), StoreError> {
        self.book.rollback();
        self.book.begin()?;
        self.load()
    }

    /// Whether [`GameStore::finish`] will make the index anew.
    pub(crate) fn wants_index(&self) -> bool {
        let all = self.facts.len() as u32;
        self.stale || all - self.indexed.min(all) > MOST_UNINDEXED
    }

    /// Writes what is made from the games: facts, and the index where too many games are not in it.
    /// The commit is the book's.
    pub fn finish(mut self) -> Result<(), StoreError> {
        self.write_facts()?;
        self.count_move()?;
        if self.wants_index() {
            self.make_index()?;
        }
        Ok(())
    }

    /// Counts that games are in other collections than before.
    fn count_move(&mut self) -> Result<(), StoreError> {
        if std::mem::take(&mut self.moved) {
            let changes = self.book.reader.games().source_changes()?.wrapping_add(1);
            self.book.set_meta(super::read::SOURCE_CHANGES, &changes.to_string())?;
        }
        Ok(())
    }

    fn make_index(&mut self) -> Result<(), StoreError> {
        index::rebuild(&self.book.reader)?;
        self.indexed = self.facts.len() as u32;
        self.stale = false;
        self.book.set_meta(super::read::INDEXED, &self.indexed.to_string())
    }

    fn write_facts(&mut self) -> Result<(), StoreError> {
        for block in std::mem::take(&mut self.changed) {
            let first = (block * BLOCK) as usize;
            let end = self.facts.len().min(first + BLOCK as usize);
            let facts = &self.facts[first..end];
            let sql = "INSERT OR REPLACE INTO game_facts (block, games, facts) VALUES (?1, ?2, ?3)";
            let games = facts.iter().filter(|facts| facts.exists).count() as i64;
            self.book.reader.execute(sql, params![block, games, pack_block(facts)])?;
        }
        Ok(())
    }
}

#[derive(Clone, Copy)]
enum Table {
    Player,
    Event,
}
