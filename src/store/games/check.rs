//! Looking all games through: what was made from the rows must be what would be made from them now.

use std::collections::HashSet;
use std::fmt;

use foldhash::fast::FixedState;
use rusqlite::Row;

use super::facts::{BLOCK, GameFacts};
use super::index::{Place, SharedMove, for_each_shared};
use super::list::GameList;
use super::row::select;
use super::{GameId, GameRow};
use crate::othello::board::Square;
use crate::store::error::no_such_thing;
use crate::store::{Games, Reader, StoreError};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GameInvariant {
    /// The moves can be played from the start, and the result is what the board then says.
    Moves = 1,
    Fingerprint = 2,
    /// The game is in a collection, and collections are of games.
    Source = 3,
    /// Event and players are known.
    Names = 4,
    /// The facts for filters are those of the rows.
    Facts = 5,
    /// The index holds the positions that several games share, and nothing else.
    Index = 6,
    /// A list of the index ascends, and has as many games as are counted.
    Lists = 7,
}

/// G1 to G7.
impl fmt::Display for GameInvariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "G{}", *self as u8)
    }
}

/// An invariant that does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameViolation {
    pub invariant: GameInvariant,
    /// Of which game; none when it concerns no single one.
    pub game: Option<GameId>,
    pub what: String,
}

impl fmt::Display for GameViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.invariant, self.what)?;
        self.game.map_or(Ok(()), |game| write!(f, ", game {}", game.0))
    }
}

impl GameRow {
    /// Where a row is not what it should be by its moves and its facts, and what is wrong there.
    pub(crate) fn contradictions(
        &self,
        made: &Self,
    ) -> impl Iterator<Item = (GameInvariant, &'static str)> + use<> {
        let of_result = (self.black_discs != made.black_discs)
            .then_some((GameInvariant::Moves, "the result is not that of the board"));
        let is_of_moves = self.fingerprint == made.fingerprint || self.has_older_fingerprint();
        let of_moves = (!is_of_moves)
            .then_some((GameInvariant::Fingerprint, "the fingerprint is that of other moves"));
        of_result.into_iter().chain(of_moves)
    }
}

/// What was found of the games of a book.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct GameReport {
    /// Games that were looked at.
    pub games: u64,
    /// How many invariants do not hold.
    pub violations: u64,
    pub first: Vec<GameViolation>,
}

impl GameReport {
    /// How many violations are described.
    pub(crate) const DESCRIBED: usize = 100;

    /// Whether everything holds.
    pub const fn is_sound(&self) -> bool {
        self.violations == 0
    }

    fn note(&mut self, invariant: GameInvariant, game: Option<GameId>, what: impl Into<String>) {
        self.violations += 1;
        if self.first.len() < Self::DESCRIBED {
            self.first.push(GameViolation { invariant, game, what: what.into() });
        }
    }
}

impl Games<'_> {
    /// Checks every invariant on every game, as they are at one moment. `made` returns what a row
    /// should be by its moves and the words of its header, or why its moves cannot have been
    /// played.
    pub fn verify(
        &self,
        made: impl Fn(&GameRow) -> Result<GameRow, String>,
    ) -> Result<GameReport, StoreError> {
        let _snapshot = self.reader.snapshot()?;
        let mut report = GameReport::default();
        let (facts, indexed) = (self.facts()?, self.indexed()?);
        let select = select(self.reader, ", game.event, game.black, game.white")?;
        self.check_rows(facts, &select, made, &mut report)
            .and_then(|()| self.check_sources(&mut report))
            .and_then(|()| self.check_index(indexed, &mut report))
            .map_err(|cause| self.reader.failed(cause))?;
        Ok(report)
    }

    /// Rows by themselves, and the facts that were made from them.
    fn check_rows(
        &self,
        facts: Vec<GameFacts>,
        select: &str,
        made: impl Fn(&GameRow) -> Result<GameRow, String>,
        report: &mut GameReport,
    ) -> rusqlite::Result<()> {
        let [players, events] = ["player", "event"].map(|table| self.ids(table));
        let (players, events) = (players?, events?);
        let mut facts = Facts::of(self.reader, facts)?;
        let sql = format!("{select} ORDER BY game.id");
        let mut statement = self.reader.connection.prepare(&sql)?;
        let mut rows = statement.query([])?;
        while let Some(columns) = rows.next()? {
            report.games += 1;
            let game: i64 = columns.get(0)?;
            let Ok(number) = u32::try_from(game) else {
                report.note(GameInvariant::Facts, None, format!("no game has the number {game}"));
                continue;
            };
            let game = GameId(number);
            let Some((row, ids)) = row_with_ids(columns)? else {
                report.note(GameInvariant::Moves, Some(game), "a column holds no such thing");
                facts.take(game);
                continue;
            };
            let [event, black, white] = ids;
            let known = |ids: &Ids, id: Option<u32>| id.is_none_or(|id| ids.contains(&id));
            if !(known(&events, event) && known(&players, black) && known(&players, white)) {
                report.note(GameInvariant::Names, Some(game), "a player or the event is missing");
            }
            let stored = facts.take(game);
            match made(&row) {
                Err(what) => report.note(GameInvariant::Moves, Some(game), what),
                Ok(made) => {
                    for (invariant, what) in row.contradictions(&made) {
                        report.note(invariant, Some(game), what);
                    }
                    if stored != Some(GameFacts::of(&made, ids)) {
                        let what = "the facts for filters are others";
                        report.note(GameInvariant::Facts, Some(game), what);
                    }
                }
            }
        }
        facts.check_the_rest(report);
        Ok(())
    }

    fn ids(&self, table: &str) -> rusqlite::Result<Ids> {
        let mut statement = self.reader.connection.prepare(&format!("SELECT id FROM {table}"))?;
        let ids = statement.query_map([], |row| row.get::<_, i64>(0))?;
        ids.map(|id| id.map(|id| u32::try_from(id).unwrap_or(u32::MAX))).collect()
    }

    fn check_sources(&self, report: &mut GameReport) -> rusqlite::Result<()> {
        for (sql, what) in [
            (
                "SELECT id FROM game \
                 WHERE NOT EXISTS (SELECT 1 FROM game_source WHERE game_source.game = game.id)",
                "it is in no collection",
            ),
            (
                "SELECT game FROM game_source \
                 WHERE NOT EXISTS (SELECT 1 FROM game WHERE game.id = game_source.game)",
                "a collection has it, and it is missing",
            ),
            (
                "SELECT game FROM game_source WHERE NOT EXISTS \
                 (SELECT 1 FROM collection WHERE collection.id = game_source.collection)",
                "the collection that it is in is missing",
            ),
        ] {
            let mut statement = self.reader.connection.prepare(sql)?;
            let games = statement.query_map([], |row| row.get::<_, i64>(0))?;
            for game in games {
                let game = u32::try_from(game?).ok().map(GameId);
                report.note(GameInvariant::Source, game, what);
            }
        }
        Ok(())
    }

    /// The index beside the one that would be made now: both in the same order.
    fn check_index(&self, indexed: u32, report: &mut GameReport) -> rusqlite::Result<()> {
        let mut statement = self.reader.connection.prepare(
            "SELECT discs, mover, opponent, square, games, list FROM game_move \
             ORDER BY discs, mover, opponent, square",
        )?;
        let mut rows = statement.query([])?;
        let mut stored = next_stored(rows.next()?, report)?;
        for_each_shared(self.reader, indexed, |made| {
            while let Some(row) = stored.take_if(|row| row.place < made.place) {
                report.note(GameInvariant::Index, None, format!("{} has no games", row.shown()));
                stored = next_stored(rows.next()?, report)?;
            }
            match stored.take_if(|row| row.place == made.place) {
                None => {
                    report.note(GameInvariant::Index, None, format!("{} is missing", made.shown()));
                }
                Some(row) => {
                    if (row.games, &row.list) != (made.games, &made.list) {
                        let what = format!("{} has other games", row.shown());
                        report.note(GameInvariant::Index, None, what);
                    }
                    stored = next_stored(rows.next()?, report)?;
                }
            }
            Ok(())
        })?;
        while let Some(row) = stored {
            report.note(GameInvariant::Index, None, format!("{} has no games", row.shown()));
            stored = next_stored(rows.next()?, report)?;
        }
        Ok(())
    }
}

type Ids = HashSet<u32, FixedState>;

/// A row with the numbers of its event, its Black and its White; none when it means nothing.
fn row_with_ids(columns: &Row<'_>) -> rusqlite::Result<Option<(GameRow, [Option<u32>; 3])>> {
    let read = || -> rusqlite::Result<_> {
        let (_, row) = GameRow::of(columns)?;
        Ok((row, [columns.get(20)?, columns.get(21)?, columns.get(22)?]))
    };
    match read() {
        Err(cause) if no_such_thing(&cause).is_some() => Ok(None),
        read => read.map(Some),
    }
}

/// The facts of all games, of which those with a row are taken out.
struct Facts {
    facts: Vec<GameFacts>,
    /// How many games each block counts.
    counted: Vec<i64>,
}

impl Facts {
    fn of(reader: &Reader, facts: Vec<GameFacts>) -> rusqlite::Result<Self> {
        let mut statement =
            reader.connection.prepare("SELECT games FROM game_facts ORDER BY block")?;
        let counted = statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
        Ok(Self { facts, counted })
    }

    fn take(&mut self, game: GameId) -> Option<GameFacts> {
        if let Some(counted) = self.counted.get_mut((game.0 / BLOCK) as usize) {
            *counted -= 1;
        }
        self.facts.get_mut(game.0 as usize).map(std::mem::take)
    }

    fn check_the_rest(&self, report: &mut GameReport) {
        for (number, _) in self.facts.iter().enumerate().filter(|(_, facts)| facts.exists) {
            let game = u32::try_from(number).ok().map(GameId);
            report.note(GameInvariant::Facts, game, "there are facts for filters of no game");
        }
        for (block, counted) in self.counted.iter().enumerate().filter(|&(_, &count)| count != 0) {
            let what = format!("block {block} of facts counts {counted} games too many");
            report.note(GameInvariant::Facts, None, what);
        }
    }
}

impl SharedMove {
    fn shown(&self) -> String {
        let (discs, mover, opponent, square) = self.place;
        let square = u8::try_from(square).ok().and_then(Square::try_new);
        let square = square.map_or_else(|| "?".to_owned(), |square| square.to_string());
        format!("the move {square} at {mover:016x} {opponent:016x} ({discs} discs)")
    }
}

/// Takes a row of the index, and notes what is wrong with its list.
fn next_stored(
    row: Option<&Row<'_>>,
    report: &mut GameReport,
) -> rusqlite::Result<Option<SharedMove>> {
    let Some(row) = row else { return Ok(None) };
    let place: Place = (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
    let list = GameList::of_bytes(row.get(5)?);
    let stored = SharedMove { place, games: row.get(4)?, list };
    let (mut last, mut count, mut ascends) = (None, 0_i64, true);
    stored.list.for_each(|entry| {
        ascends &= last < Some(entry.game);
        last = Some(entry.game);
        count += 1;
    });
    if !ascends || count != stored.games {
        report.note(GameInvariant::Lists, None, format!("the list of {}", stored.shown()));
    }
    Ok(Some(stored))
}
