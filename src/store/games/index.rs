//! Which positions several games share: built layer after layer, as all games go on side by side.

use rusqlite::params;

use super::GameId;
use super::list::{GameList, GameListEntry};
use crate::othello::board::{Key, Placed, Position, Side, Square, parse_board};
use crate::store::row::storage_order;
use crate::store::{Reader, StoreError};

/// A game on its way through the layers.
struct Walker {
    game: GameId,
    /// The position that its next move is played from; none when it is over.
    now: Option<Placed>,
    /// Where its moves are among all moves.
    next: usize,
    end: usize,
}

/// A game at a position.
struct Visit {
    place: (i64, i64),
    square: Square,
    entry: GameListEntry,
}

/// All games with their moves, in memory.
struct Walkers {
    walkers: Vec<Walker>,
    moves: Vec<u8>,
}

impl Walkers {
    /// The games before a number.
    fn of(reader: &Reader, before: u32) -> rusqlite::Result<Self> {
        let mut all = Self { walkers: Vec::new(), moves: Vec::new() };
        let sql = "SELECT id, start, moves FROM game WHERE id < ?1 ORDER BY id";
        let mut statement = reader.connection.prepare(sql)?;
        let mut rows = statement.query([before])?;
        while let Some(row) = rows.next()? {
            let start: Option<String> = row.get(1)?;
            let start = match start {
                None => Some(Placed::START),
                Some(text) => parse_board(&text).ok(),
            };
            let next = all.moves.len();
            all.moves.extend_from_slice(row.get_ref(2)?.as_blob()?);
            let (game, end) = (GameId(row.get(0)?), all.moves.len());
            all.walkers.push(Walker { game, now: start, next, end });
        }
        Ok(all)
    }

    /// Gives the games that have a move with so many discs, and lets them play it.
    fn step(&mut self, discs: u8, mut each: impl FnMut(GameId, Placed, Square)) {
        for walker in &mut self.walkers {
            let Some(now) = walker.now.filter(|now| now.position.discs() == discs) else {
                continue;
            };
            let number = (walker.next < walker.end).then(|| self.moves.get(walker.next)).flatten();
            let square = number.and_then(|&number| Square::try_new(number));
            let Some((square, after)) =
                square.and_then(|square| Some((square, now.position.after(square)?)))
            else {
                walker.now = None;
                continue;
            };
            each(walker.game, now, square);
            walker.next += 1;
            walker.now = now.followed_by(after);
        }
    }
}

/// Builds the index anew; the caller has begun a transaction.
pub(super) fn rebuild(reader: &Reader) -> Result<(), StoreError> {
    fill(reader).map_err(|cause| reader.failed(cause))
}

fn fill(reader: &Reader) -> rusqlite::Result<()> {
    let connection = &reader.connection;
    connection.execute("DELETE FROM game_move", [])?;
    let mut insert = connection.prepare(
        "INSERT INTO game_move (discs, mover, opponent, square, games, list) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    for_each_shared(reader, u32::MAX, |shared| {
        let SharedMove { place: (discs, mover, opponent, square), games, list } = shared;
        insert.execute(params![discs, mover, opponent, square, games, list.bytes()]).map(|_| ())
    })
}

/// Discs, the boards as they are stored, and the square of a move.
pub(super) type Place = (i64, i64, i64, i64);

/// A move from a position that several games share: a row of the index.
pub(super) struct SharedMove {
    pub(super) place: Place,
    pub(super) games: i64,
    pub(super) list: GameList,
}

/// Makes the index of the games before a number, row by row in the order of the table.
pub(super) fn for_each_shared(
    reader: &Reader,
    before: u32,
    mut each: impl FnMut(SharedMove) -> rusqlite::Result<()>,
) -> rusqlite::Result<()> {
    let mut walkers = Walkers::of(reader, before)?;
    let mut visits: Vec<Visit> = Vec::with_capacity(walkers.walkers.len());
    for discs in 4..64 {
        visits.clear();
        walkers.step(discs, |game, Placed { position, side }, square| {
            let (key, symmetry) = Key::with_symmetry(position);
            let (_, mover, opponent) = storage_order(key);
            let entry = GameListEntry { game, black: side == Side::Black };
            visits.push(Visit { place: (mover, opponent), square: symmetry.square(square), entry });
        });
        visits.sort_unstable_by_key(|visit| (visit.place, visit.entry));
        for shared in visits.chunk_by_mut(|a, b| a.place == b.place) {
            if shared.len() > 1 {
                moves_of(discs, shared).try_for_each(&mut each)?;
            }
        }
    }
    Ok(())
}

/// The moves from one position with their games.
fn moves_of(discs: u8, shared: &mut [Visit]) -> impl Iterator<Item = SharedMove> {
    let (mover, opponent) = shared.first().map_or((0, 0), |visit| visit.place);
    let position = Position { mover: mover.cast_unsigned(), opponent: opponent.cast_unsigned() };
    let key = Key::from_stored(position);
    if key.symmetries().nth(1).is_some() {
        shared.iter_mut().for_each(|visit| visit.square = key.first_image(visit.square));
    }
    shared.sort_by_key(|visit| visit.square);
    shared.chunk_by(|a, b| a.square == b.square).map(move |same| {
        let square = same.first().map_or(0, |visit| visit.square.number());
        let list = GameList::pack(same.iter().map(|visit| visit.entry));
        let place = (i64::from(discs), mover, opponent, i64::from(square));
        SharedMove { place, games: same.len() as i64, list }
    })
}
