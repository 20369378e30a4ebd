//! Learning a game: it is kept among the games of the book, and its positions in the book.

use std::collections::HashSet;

use thiserror::Error;

use crate::app::games::keep_games;
use crate::app::{BookFile, Depth, GrowError, GrowOptions, GrowStart, grow, today};
use crate::files::games::Game;
use crate::openbook::NodeSource;
use crate::othello::board::{Key, Line, Placed};
use crate::othello::eval::PatternEvaluator;
use crate::othello::eval::weights::WeightsError;
use crate::othello::search::{Level, Stop};
use crate::store::{Book, StoreError};

use super::person::{Player, PlayerError};
use crate::app::starter::{StarterError, open_or_begin};

/// How far learning has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Learning {
    /// Whether the game was not known before.
    pub is_new: bool,
    /// Positions that were missing, those on which the game was over left out.
    pub missing: u64,
    /// How many of them are in the book now.
    pub added: u64,
    /// Whether it was stopped: what was found before is in the book.
    pub stopped: bool,
}

/// Why a game cannot be learned.
#[derive(Debug, Error)]
pub enum LearnError {
    #[error("there is no book (--no-book)")]
    NoBook,
    #[error("no move was played")]
    NoMove,
    #[error("{0}")]
    Store(#[from] StoreError),
    #[error("{0}")]
    Starter(#[from] StarterError),
    #[error(transparent)]
    Grow(#[from] GrowError),
    #[error(transparent)]
    Evaluator(#[from] WeightsError),
    #[error("{0}")]
    Player(#[from] PlayerError),
}

impl Player {
    /// Keeps a game in the book, which is made if there is none, and adds its positions, searched at a
    /// level. The book is held for writing only meanwhile. `watch` hears how far it has come.
    pub fn learn(
        &mut self,
        game: &Game,
        level: Level,
        stop: &Stop,
        watch: &mut dyn FnMut(Learning),
    ) -> Result<Learning, LearnError> {
        if game.moves.is_empty() {
            return Err(LearnError::NoMove);
        }
        let file: &BookFile = self.options.book.as_ref().ok_or(LearnError::NoBook)?;
        let learning = learn(file, self, game, level, stop, watch)?;
        if !self.has_book() {
            self.open_book()?;
        }
        Ok(learning)
    }
}

fn learn(
    file: &BookFile,
    player: &Player,
    game: &Game,
    level: Level,
    stop: &Stop,
    watch: &mut dyn FnMut(Learning),
) -> Result<Learning, LearnError> {
    let mut learning = Learning { is_new: false, missing: 0, added: 0, stopped: true };
    if stop.is_stopped() {
        return Ok(learning);
    }
    let evaluator = PatternEvaluator::embedded()?;
    let (mut book, is_new, _) = open_or_begin(file, file.instead.is_some())?;
    let games = std::slice::from_ref(game);
    match keep_games(&mut book, games, COLLECTION, &today()) {
        Ok(new) => learning.is_new = new > 0,
        Err(error) => {
            if is_new {
                book.remove();
            }
            return Err(error.into());
        }
    }
    let starts = starts(&game.line());
    let Some(missing) = missing(&book, &game.line(), stop)? else { return Ok(learning) };
    learning = Learning { missing, stopped: false, ..learning };
    watch(learning);
    if missing == 0 {
        return Ok(learning);
    }
    let options = GrowOptions {
        from: starts,
        depth: Depth::Level(level),
        positions: Some(missing),
        threads: player.options.threads,
        table_megabytes: player.options.table_megabytes,
        asked: ASKED.to_owned(),
        ..GrowOptions::default()
    };
    let summary = grow(&mut book, &evaluator, &options, stop, &mut |status| {
        watch(Learning { added: status.new_positions, ..learning });
    })?;
    learning.added = summary.status.new_positions;
    learning.stopped = stop.is_stopped();
    Ok(learning)
}

/// Where games that were learned come from, as the database lists it.
const COLLECTION: &str = "learned";

/// What the run is noted as.
const ASKED: &str = "learn a game";

/// How many positions of a line the book does not have; none where `stop` was raised meanwhile.
fn missing(book: &Book, line: &Line, stop: &Stop) -> Result<Option<u64>, StoreError> {
    let before = line.steps().iter().map(|step| step.before).chain(line.end());
    let keys: HashSet<Key> = before.map(|placed| Key::of(placed.position)).collect();
    let mut missing = 0;
    for key in keys {
        if stop.is_stopped() {
            return Ok(None);
        }
        missing += u64::from(book.reader().node(&key)?.is_none());
    }
    Ok(Some(missing))
}

/// Where to grow from so that all positions of a line are in the book.
fn starts(line: &Line) -> Vec<GrowStart> {
    let mut open = line.clone();
    while open.end().is_none() && !open.is_empty() {
        open.pop();
    }
    if line.start() == Placed::START {
        return vec![open.into()];
    }
    // From another board growth knows no way: each position is a start of its own.
    let before = open.steps().iter().map(|step| step.before).chain(open.end());
    before.map(|placed| GrowStart { placed, line: None }).collect()
}
