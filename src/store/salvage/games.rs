//! What is left of the games of a damaged book: rows of any page, recognized by their columns.

use std::collections::{BTreeMap, HashMap, HashSet};

use foldhash::fast::FixedState;

use crate::othello::board::parse_board;
use crate::store::games::BLOCK;
use crate::store::games::{GameId, GameRow, GameRowPlayer};
use crate::store::pages::Pages;
use crate::store::pages::page::{Column, Page, columns};

/// The games of a damaged book, looked through.
#[derive(Default)]
pub(super) struct GameWreck {
    /// The pages that hold games, each with the first game that it holds.
    pages: Vec<(GameId, u32)>,
    players: HashMap<u32, String, FixedState>,
    events: HashMap<u32, String, FixedState>,
    /// Names of collections and the days on which they came.
    collections: BTreeMap<u32, (String, String)>,
    /// The collections of each game.
    sources: HashMap<GameId, Vec<u32>, FixedState>,
    /// How many games each block of facts counts.
    blocks: BTreeMap<u32, u64>,
    /// The game with the highest number.
    last: Option<GameId>,
}

/// A game of a damaged book.
#[derive(Clone, PartialEq, Debug)]
pub struct SavedGame {
    pub game: GameId,
    /// What its row says. Names of players and events that are lost are none.
    pub row: GameRow,
    /// The collections that it is in: name, and the day on which it came. A name that is lost is none.
    pub collections: Vec<Option<(String, String)>>,
}

impl GameWreck {
    /// Takes a numbered row of a page; false when it is of no table of games.
    pub(super) fn note_row(&mut self, page: u32, row: u32, columns: &[Column<'_>]) -> bool {
        match columns {
            [Column::Null, Column::Text(name), Column::Text(_), Column::Integer(_)] => {
                self.players.insert(row, (*name).to_owned());
            }
            [Column::Null, Column::Text(name)] => {
                // Where the list of tables is lost, workers of a fleet look like events. Events come first,
                // as a rule.
                self.events.entry(row).or_insert_with(|| (*name).to_owned());
            }
            [Column::Null, Column::Text(name), Column::Text(added)] => {
                self.collections.insert(row, ((*name).to_owned(), (*added).to_owned()));
            }
            &[Column::Integer(collection), Column::Integer(game)] => {
                if let (Ok(collection), Ok(game)) = (collection.try_into(), game.try_into()) {
                    self.sources.entry(GameId(game)).or_default().push(collection);
                }
            }
            &[Column::Null, Column::Integer(games), Column::Blob(_)] => {
                if let Some(games) =
                    games.try_into().ok().filter(|&games| games <= u64::from(BLOCK))
                {
                    self.blocks.insert(row, games);
                }
            }
            columns if self.game_of(columns).is_some() => {
                let game = GameId(row);
                self.last = self.last.max(Some(game));
                if self.pages.last().is_none_or(|&(_, last)| last != page) {
                    self.pages.push((game, page));
                }
            }
            _ => return false,
        }
        true
    }

    /// Whether anything of games was found.
    pub(super) fn is_empty(&self) -> bool {
        self.pages.is_empty()
            && self.players.is_empty()
            && self.events.is_empty()
            && self.collections.is_empty()
            && self.sources.is_empty()
            && self.blocks.is_empty()
    }

    /// How many games there were; none when that is lost.
    pub(super) fn counted(&self) -> Option<u64> {
        let blocks = self.blocks.len() as u32;
        let are_all = self.blocks.keys().copied().eq(0..blocks)
            && self.last.is_none_or(|last| last.0 / BLOCK < blocks);
        are_all.then(|| self.blocks.values().sum())
    }

    /// Gives the games, each once, mostly in the order of their numbers. Two games have one number only
    /// where one is damaged.
    pub(super) fn for_each<E>(
        &self,
        pages: &Pages,
        mut each: impl FnMut(SavedGame) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut of_games = self.pages.clone();
        of_games.sort_unstable();
        let mut seen: HashSet<(GameId, u64), FixedState> = HashSet::default();
        let mut continued: HashSet<u32, FixedState> = HashSet::default();
        for (_, number) in of_games {
            let Some(bytes) = pages.read(number) else { continue };
            let Some(page) = Page::of(number, &bytes) else { continue };
            for cell in page.cells().flatten() {
                let Some(game) = cell.row.and_then(|row| u32::try_from(row).ok()) else { continue };
                let Some(whole) = cell.whole(pages, |number| continued.insert(number)) else {
                    continue;
                };
                let row = columns(&whole).and_then(|columns| self.game_of(&columns));
                let game = GameId(game);
                if let Some(row) = row
                    && seen.insert((game, row.fingerprint))
                {
                    each(SavedGame { game, row, collections: self.collections_of(game) })?;
                }
            }
        }
        Ok(())
    }

    fn collections_of(&self, game: GameId) -> Vec<Option<(String, String)>> {
        let mut numbers = self.sources.get(&game).cloned().unwrap_or_default();
        numbers.sort_unstable();
        numbers.dedup();
        numbers.iter().map(|number| self.collections.get(number).cloned()).collect()
    }

    /// The game of a row; none when it is something else.
    fn game_of(&self, row: &[Column<'_>]) -> Option<GameRow> {
        let [
            Column::Null,
            event,
            round,
            year,
            month,
            day,
            black,
            white,
            black_rating,
            white_rating,
            black_discs,
            stated,
            theoretical,
            theoretical_empties,
            Column::Integer(xot),
            start,
            Column::Blob(moves),
            extra,
            Column::Integer(fingerprint),
            // Books of older programs have none.
            remarks @ ..,
        ] = row
        else {
            return None;
        };
        let remarks = match remarks {
            [] => None,
            [remarks] => text(remarks)?,
            _ => return None,
        };
        let name = |names: &HashMap<u32, String, FixedState>, number: &Column<'_>| {
            Some(integer(number)?.and_then(|number| names.get(&number).cloned()))
        };
        let player = |number, rating_: &Column<'_>| {
            Some(GameRowPlayer { name: name(&self.players, number)?, rating: rating(rating_)? })
        };
        let start = match text(start)? {
            None => None,
            Some(start) => Some(parse_board(&start).ok()?),
        };
        let theoretical: Option<u8> = at_most(64, theoretical)?;
        let theoretical = theoretical.zip(at_most(60, theoretical_empties)?);
        Some(GameRow {
            event: name(&self.events, event)?,
            round: text(round)?,
            year: integer(year)?.filter(|&year: &u16| year > 0),
            month: at_most(12, month)?,
            day: at_most(31, day)?,
            black: player(black, black_rating)?,
            white: player(white, white_rating)?,
            black_discs: at_most(64, black_discs)?,
            stated: text(stated)?,
            stated_discs: None,
            stated_outcome: None,
            theoretical,
            xot: *xot != 0,
            start,
            moves: moves.to_vec(),
            extra: text(extra)?,
            remarks,
            fingerprint: fingerprint.cast_unsigned(),
        })
    }
}

/// A number or nothing; none at all when it is something else or too large.
fn integer<T: TryFrom<i64>>(column: &Column<'_>) -> Option<Option<T>> {
    match *column {
        Column::Null => Some(None),
        Column::Integer(value) => value.try_into().ok().map(Some),
        _ => None,
    }
}

/// As [`integer`], for numbers that mean something only up to a limit: a larger one is damage.
fn at_most(most: u8, column: &Column<'_>) -> Option<Option<u8>> {
    integer(column)?.map_or(Some(None), |number| (number <= most).then_some(Some(number)))
}

/// As [`integer`], where fractions are numbers too: whole ones are stored as integers.
fn rating(column: &Column<'_>) -> Option<Option<f64>> {
    match *column {
        Column::Null => Some(None),
        Column::Integer(value) => Some(Some(value as f64)),
        Column::Real(value) => Some(Some(value)),
        _ => None,
    }
}

fn text(column: &Column<'_>) -> Option<Option<String>> {
    match column {
        Column::Null => Some(None),
        Column::Text(text) => Some(Some((*text).to_owned())),
        _ => None,
    }
}
