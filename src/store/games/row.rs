//! A game as a row of the table.

use std::error::Error;

use rusqlite::types::Type;
use rusqlite::{Error as SqlError, Row};

use crate::othello::board::{Identity, Placed, Square, parse_board};

use super::outcome::GameOutcome;
use crate::store::{Reader, StoreError};

/// The number of a game in its book; it stays what it is until the game is removed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GameId(pub u32);

#[derive(Clone, PartialEq, Default, Debug)]
pub struct GameRowPlayer {
    pub name: Option<String>,
    /// The rating then, on the source's scale.
    pub rating: Option<f64>,
}

#[derive(Clone, PartialEq, Default, Debug)]
pub struct GameRow {
    /// The tournament or match.
    pub event: Option<String>,
    /// The round, in the source's words.
    pub round: Option<String>,
    pub year: Option<u16>,
    /// The month, 1..=12.
    pub month: Option<u8>,
    pub day: Option<u8>,
    /// The player of Black.
    pub black: GameRowPlayer,
    /// The player of White.
    pub white: GameRowPlayer,
    /// Black's discs at the end, with the empties to the winner, when the board says so.
    pub black_discs: Option<u8>,
    /// What the header says of the result, in words.
    pub stated: Option<String>,
    /// Black's discs by the header, where they follow from it. Not a column: for the facts.
    pub stated_discs: Option<u8>,
    /// The winner by the header. Not a column: for the facts.
    pub stated_outcome: Option<GameOutcome>,
    /// Black's discs after perfect play, and the empties of the position that it is for.
    pub theoretical: Option<(u8, u8)>,
    /// Its opening was drawn by lot.
    pub xot: bool,
    /// The board it starts from, where that is not the start position.
    pub start: Option<Placed>,
    /// The moves as numbers of squares.
    pub moves: Vec<u8>,
    /// All other facts, a JSON object.
    pub extra: Option<String>,
    /// What is said of the moves, a JSON object.
    pub remarks: Option<String>,
    /// A number that the same moves in any orientation have.
    pub fingerprint: u64,
}

/// The columns of [`GameRow::of`], in their order.
const COLUMNS: &str = "game.id, event.name, round, year, month, day, black.name, \
    black_rating, white.name, white_rating, black_discs, stated, theoretical, \
    theoretical_empties, xot, start, moves, extra, fingerprint";

/// The schema version that brought remarks.
const REMARKS: u32 = 12;

/// What asks for rows, and these columns behind those of a row, without a condition.
pub(super) fn select(reader: &Reader, more: &str) -> Result<String, StoreError> {
    if !reader.has_remarks.get() {
        reader.has_remarks.set(reader.has_schema(REMARKS)?);
    }
    let remarks = if reader.has_remarks.get() { "remarks" } else { "NULL" };
    Ok(format!("SELECT {COLUMNS}, {remarks}{more} FROM {TABLES}"))
}

/// Where they come from.
const TABLES: &str = "game LEFT JOIN event ON event.id = game.event \
    LEFT JOIN player AS black ON black.id = game.black \
    LEFT JOIN player AS white ON white.id = game.white";

/// The most moves that a game has.
const MOST_MOVES: usize = 60;

/// The column `start`.
pub(super) fn start(row: &Row<'_>, index: usize) -> rusqlite::Result<Option<Placed>> {
    let text: Option<String> = row.get(index)?;
    text.map(|text| parse_board(&text).map_err(|error| damaged(index, Type::Text, error)))
        .transpose()
}

/// The column `moves`.
pub(super) fn moves(row: &Row<'_>, index: usize) -> rusqlite::Result<Vec<u8>> {
    let moves = row.get_ref(index)?.as_blob()?;
    match moves.len() {
        0..=MOST_MOVES => Ok(moves.to_vec()),
        count => Err(damaged(index, Type::Blob, format!("a game of {count} moves"))),
    }
}

fn damaged(index: usize, kind: Type, why: impl Into<Box<dyn Error + Send + Sync>>) -> SqlError {
    SqlError::FromSqlConversionFailure(index, kind, why.into())
}

impl GameRow {
    pub(super) fn of(row: &Row<'_>) -> rusqlite::Result<(GameId, Self)> {
        let theoretical: Option<u8> = row.get(12)?;
        let empties: Option<u8> = row.get(13)?;
        let fingerprint: i64 = row.get(18)?;
        let game = Self {
            event: row.get(1)?,
            round: row.get(2)?,
            year: row.get(3)?,
            month: row.get(4)?,
            day: row.get(5)?,
            black: GameRowPlayer { name: row.get(6)?, rating: row.get(7)? },
            white: GameRowPlayer { name: row.get(8)?, rating: row.get(9)? },
            black_discs: row.get(10)?,
            stated: row.get(11)?,
            stated_discs: None,
            stated_outcome: None,
            theoretical: theoretical.zip(empties),
            xot: row.get(14)?,
            start: start(row, 15)?,
            moves: moves(row, 16)?,
            extra: row.get(17)?,
            remarks: row.get(19)?,
            fingerprint: fingerprint.cast_unsigned(),
        };
        Ok((GameId(row.get(0)?), game))
    }

    /// Whether the fingerprint is what books before schema 8 had of these moves. Such a book, not
    /// written since, is as sound as it was.
    pub(crate) fn has_older_fingerprint(&self) -> bool {
        let moves = self.moves.iter().map(|&number| Square::try_new(number)).collect();
        let moves: Option<Vec<Square>> = moves;
        let start = self.start.unwrap_or(Placed::START);
        moves.is_some_and(|moves| self.fingerprint == Identity::older_fingerprint(start, &moves))
    }

    /// The winner, the board before the header.
    pub fn outcome(&self) -> Option<GameOutcome> {
        match self.black_discs {
            Some(33..) => Some(GameOutcome::Black),
            Some(32) => Some(GameOutcome::Draw),
            Some(_) => Some(GameOutcome::White),
            None => self.stated_outcome,
        }
    }
}
