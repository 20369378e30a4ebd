//! How good a book is, by what is known from elsewhere.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;

use super::CpuTime;
use super::in_turn::InTurn;
use super::regrets::Regrets;
use crate::app::{
    GamesError, GrowError, GrowOptions, GrowStatus, GrowSummary, grow_with, read_game_lines,
};
use crate::openbook::{NodeSource, Values};
use crate::othello::board::{After, BoardError, Key, Line, Position, parse_board};
use crate::othello::eval::Evaluator;
use crate::othello::search::Stop;
use crate::store::{Book, Reader, StoreError};

/// Grows a book for so much processor time of this process; `stop` is raised when it is spent. One
/// search after the other, with as many handed out as the options say, is the same every time.
pub(crate) fn grow_for<E: Evaluator>(
    book: &mut Book,
    evaluator: &Arc<E>,
    options: &GrowOptions,
    cpu: Duration,
    stop: &Stop,
    watch: &mut dyn FnMut(&GrowStatus),
) -> Result<GrowSummary, GrowError> {
    let start = CpuTime::now();
    let in_flight = options.in_flight.unwrap_or(1);
    let mut crew = InTurn::new(evaluator, options.table_megabytes, in_flight);
    grow_with(book, &mut crew, &evaluator.name(), options, stop, &mut |status| {
        if start.seconds() >= cpu.as_secs_f64() {
            stop.stop();
        }
        watch(status);
    })
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct KnownValue {
    pub key: Key,
    /// Its value in discs, for the side to move; none where only bounds are known.
    pub value: Option<f64>,
    /// Proven bounds, in discs.
    pub bounds: (i8, i8),
}

/// Why a file of known values cannot be used.
#[derive(Debug, Error)]
pub(crate) enum QualityError {
    #[error("{path}: {cause}")]
    Csv { path: PathBuf, cause: csv::Error },
    #[error("{path}, line {line}: expected {expected}")]
    Row {
        path: PathBuf,
        /// From 1.
        line: u64,
        expected: &'static str,
    },
    #[error("{path}, line {line}: {cause}")]
    Board {
        path: PathBuf,
        /// From 1.
        line: u64,
        cause: BoardError,
    },
    #[error(transparent)]
    Games(#[from] GamesError),
    #[error("{0}")]
    Store(#[from] StoreError),
}

/// Reads a CSV with the columns `board` (64 squares), `side` (to move), `proven_lower` and
/// `proven_upper`, and `value` where there is one. Positions that must pass are left out.
pub(crate) fn read_known_values(path: &Path) -> Result<Vec<KnownValue>, QualityError> {
    let failed = |cause| QualityError::Csv { path: path.to_owned(), cause };
    let mut reader = csv::Reader::from_path(path).map_err(failed)?;
    let titles = reader.headers().map_err(failed)?.clone();
    let column = |name: &str| titles.iter().position(|title| title == name);
    let missing = |expected| move || QualityError::Row { path: path.to_owned(), line: 1, expected };
    let board = column("board").ok_or_else(missing("a column 'board'"))?;
    let side = column("side").ok_or_else(missing("a column 'side'"))?;
    let lower = column("proven_lower").ok_or_else(missing("a column 'proven_lower'"))?;
    let upper = column("proven_upper").ok_or_else(missing("a column 'proven_upper'"))?;
    let value = column("value");
    let mut known = Vec::new();
    for row in reader.records() {
        let row = row.map_err(failed)?;
        let line = row.position().map_or(0, csv::Position::line);
        let wrong = |expected| QualityError::Row { path: path.to_owned(), line, expected };
        let text = |index: usize| row.get(index).unwrap_or_default();
        let placed = parse_board(&format!("{} {}", text(board), text(side)))
            .map_err(|cause| QualityError::Board { path: path.to_owned(), line, cause })?;
        let bound = |index| text(index).parse::<i8>().map_err(|_| wrong("a bound in discs"));
        let value = match value {
            Some(index) => Some(text(index).parse().map_err(|_| wrong("a value in discs"))?),
            None => None,
        };
        let bounds = (bound(lower)?, bound(upper)?);
        if placed.position.can_move() {
            known.push(KnownValue { key: Key::of(placed.position), value, bounds });
        }
    }
    Ok(known)
}

/// After so many moves games are looked up.
pub(crate) const GAME_MOVES: [usize; 4] = [8, 12, 16, 20];

/// What a book is measured by.
#[derive(Clone, Default, Debug)]
pub(crate) struct Yardstick {
    /// Values of openings.
    pub references: Vec<KnownValue>,
    /// Proven results of openings.
    pub proven: Vec<KnownValue>,
    /// What the ways to positions give away, as a larger book sees it.
    pub regrets: Regrets,
    /// The positions of each game after so many moves as [`GAME_MOVES`] says, as far as it went.
    games: Vec<[Option<Key>; 4]>,
}

impl Yardstick {
    pub(crate) fn add_games(&mut self, files: &[PathBuf]) -> Result<(), QualityError> {
        for file in files {
            for moves in read_game_lines(file)?.lines {
                let mut keys = [None; 4];
                let mut position = Position::START;
                for (number, square) in moves.into_iter().enumerate() {
                    let Some(next) = position.after(square).and_then(After::position) else {
                        break;
                    };
                    position = next;
                    if let Some(index) = GAME_MOVES.iter().position(|&moves| moves == number + 1) {
                        keys[index] = Some(Key::of(position));
                    }
                }
                self.games.push(keys);
            }
        }
        Ok(())
    }
}

/// The openings of so many plies that most of these games have, each position once, at most so many.
pub(crate) fn popular_openings(
    files: &[PathBuf],
    plies: usize,
    count: usize,
) -> Result<Vec<Line>, QualityError> {
    let mut found: HashMap<Key, (usize, Line)> = HashMap::new();
    for file in files {
        for moves in read_game_lines(file)?.lines {
            let mut line = Line::default();
            let played = moves.into_iter().take(plies).filter(|&square| line.push(square)).count();
            if let Some(end) = line.end().filter(|_| played == plies) {
                found.entry(Key::of(end.position)).or_insert((0, line)).0 += 1;
            }
        }
    }
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_unstable_by_key(|&(key, (games, _))| (Reverse(games), key));
    Ok(found.into_iter().take(count).map(|(_, (_, line))| line).collect())
}

/// What a line gives away to positions that matter most, in centidiscs.
const NEAR: i32 = 200;

/// How good a book is.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Quality {
    pub positions: u64,
    /// The values of the start position.
    pub root: Option<Values>,
    /// Positions of the book whose value is known.
    pub shared: u64,
    /// The mean absolute difference of the guess from these values, in discs.
    pub mean_error: f64,
    /// The mean difference, in discs: above zero when the book is too hopeful.
    pub bias: f64,
    /// The root of the mean square of these differences, in discs.
    pub root_mean_square: f64,
    /// As `shared`, of those positions only that a line leads to which gives away no more than
    /// two discs, by the book's own values.
    pub near_shared: u64,
    /// The mean absolute difference at these, in discs.
    pub near_error: f64,
    /// Positions of the book of which something is proven elsewhere.
    pub shared_proven: u64,
    /// Those of which the book proves what cannot be true.
    pub contradictions: u64,
    /// Those whose guess lies outside the proven bounds.
    pub outside: u64,
    /// Positions to which a line of the larger book leads.
    pub judged: u64,
    /// What the ways to them give away, by both sides, on average, in discs: above what it is for
    /// another book of as many positions when effort went to worse lines.
    pub mean_regret: f64,
    pub games: u64,
    /// The share of games that are in the book after [`GAME_MOVES`].
    pub in_book: [f64; 4],
}

pub(crate) fn measure_quality(book: &Reader, yardstick: &Yardstick) -> Result<Quality, StoreError> {
    let book = book.snapshot()?;
    let mut quality = Quality {
        positions: book.counts()?.positions,
        root: book.node(&Key::of(Position::START))?.map(|node| node.values),
        games: yardstick.games.len() as u64,
        ..Quality::default()
    };
    let regrets = Regrets::of(&book)?;
    for known in &yardstick.references {
        let (Some(node), Some(value)) = (book.node(&known.key)?, known.value) else { continue };
        let difference = node.values.guess.discs() - value;
        quality.shared += 1;
        quality.mean_error += difference.abs();
        quality.root_mean_square += difference * difference;
        quality.bias += difference;
        if regrets.get(&known.key).is_some_and(|regret| regret <= NEAR) {
            quality.near_shared += 1;
            quality.near_error += difference.abs();
        }
    }
    quality.near_error /= quality.near_shared.max(1) as f64;
    quality.root_mean_square = (quality.root_mean_square / quality.shared.max(1) as f64).sqrt();
    quality.mean_error /= quality.shared.max(1) as f64;
    quality.bias /= quality.shared.max(1) as f64;
    for known in &yardstick.proven {
        let Some(node) = book.node(&known.key)? else { continue };
        let ((lower, upper), values) = (known.bounds, node.values);
        let guess = values.guess.discs();
        quality.shared_proven += 1;
        quality.contradictions += u64::from(values.lower > upper || values.upper < lower);
        quality.outside += u64::from(guess < f64::from(lower) || guess > f64::from(upper));
    }
    book.for_each_node(|node| {
        if let Some(regret) = yardstick.regrets.get(&node.key) {
            quality.judged += 1;
            quality.mean_regret += f64::from(regret) / 100.0;
        }
        Ok::<_, StoreError>(())
    })?;
    quality.mean_regret /= quality.judged.max(1) as f64;
    for keys in &yardstick.games {
        for (count, key) in quality.in_book.iter_mut().zip(keys) {
            if let Some(key) = key
                && book.node(key)?.is_some()
            {
                *count += 1.0;
            }
        }
    }
    quality.in_book = quality.in_book.map(|count| count / quality.games.max(1) as f64);
    Ok(quality)
}
