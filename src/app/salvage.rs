//! Saving what is left of a damaged book.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::analysis::salvage_analyses;
use super::games::salvage_games;
use super::saved_state::{change_of, saved_of};
use super::snapshot::{check_snapshot, spare_records};
use super::summed::checksum;
use crate::othello::search::Stop;
use crate::store::{Book, Durability, NewBook, StoreError, Wreck, salvage};

/// What was saved of a damaged book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SalvageReport {
    /// Positions in the new book.
    pub positions: u64,
    /// Those of them that are from the snapshot of before the last import, prune, merge or restore,
    /// because they could not be read.
    pub from_snapshot: u64,
    /// Positions of the damaged book that are lost; none when it cannot be known how many it had.
    pub lost_positions: Option<u64>,
    /// Facts in the new book.
    pub facts: u64,
    /// Facts of the damaged book that are lost; none when it cannot be known how many it had.
    pub lost_facts: Option<u64>,
    /// Games in the new book.
    pub games: u64,
    /// Games of the damaged book that are lost; none when it cannot be known how many it had.
    pub lost_games: Option<u64>,
    /// Moves in the new book that were valued when games were analysed.
    pub analysed_moves: u64,
    /// Pages of the damaged file.
    pub pages: u64,
    /// Pages of it that are missing, or hold nothing that can be read.
    pub lost_pages: u64,
    /// Rows that could be read but meant nothing.
    pub meaningless: u64,
}

/// Why nothing was saved.
#[derive(Debug, Error)]
pub enum SalvageError {
    #[error("{0}")]
    Store(#[from] StoreError),
    /// There is nothing to save.
    #[error(
        "no position can be saved from {}, and no game: {lost} of its {pages} pages cannot be read",
        path.display()
    )]
    Nothing {
        path: PathBuf,
        /// Pages that cannot be read.
        lost: u64,
        pages: u64,
    },
}

/// Saves what can be read of a damaged book into a new one, which appears when it is complete. Games
/// keep their numbers and collections. A position that cannot be read is taken from the snapshot of
/// before the last import, prune, merge or restore, if there is one that was saved of this book; where the
/// damaged book cannot say any more which one it is, whatever snapshot lies there counts for its own. The new
/// book is the same one for `undo`, when it takes the name of the damaged one.
///
/// # Errors
/// There is a file already, nothing can be saved, the new book cannot be written, or `stop` was raised;
/// then there is no new file.
pub fn salvage_to(
    damaged: &Path,
    target: &Path,
    stop: &Stop,
) -> Result<SalvageReport, SalvageError> {
    let new = NewBook::begin(target)?;
    let part = new.path();
    let report = salvage_into(damaged, &part, stop).map_err(|error| match error {
        SalvageError::Store(error) => error.of_copy(&part, damaged, target).into(),
        error => error,
    })?;
    new.place()?;
    Ok(report)
}

fn salvage_into(damaged: &Path, part: &Path, stop: &Stop) -> Result<SalvageReport, SalvageError> {
    let wreck = Wreck::open(damaged)?;
    let mut book = Book::create(part)?;
    book.stop_by(stop);
    let heed_stop = || match stop.is_stopped() {
        true => Err(StoreError::Stopped(part.to_owned())),
        false => Ok(()),
    };
    // The file counts when it is complete.
    book.set_durability(Durability::Normal)?;
    let mut spare = BTreeMap::new();
    // The newer one goes first, also when it is unknown whether its change was committed.
    let saved = saved_of(wreck.path(), wreck.identity());
    if wreck.is_torn() {
        // A snapshot that cannot be read is of no help, and of no harm.
        let held = |key| wreck.may_have_held(key);
        let mut found = saved.iter().map(|path| spare_records(&mut book, path, held));
        spare = found.find_map(Result::ok).unwrap_or_default();
    }
    if let Some(identity) = wreck.identity() {
        book.take_identity(identity)?;
        keep_last_saved(&mut book, &saved)?;
    }
    let saved = salvage(&wreck, &mut book, spare)?;
    heed_stop()?;
    let games = salvage_games(&wreck, &mut book)?;
    heed_stop()?;
    let (analysed_moves, meaningless_analyses) = salvage_analyses(&wreck, &mut book)?;
    if saved.positions == 0 && saved.facts == 0 && games.games == 0 && analysed_moves == 0 {
        return Err(SalvageError::Nothing {
            path: damaged.to_owned(),
            lost: wreck.lost_pages(),
            pages: wreck.pages(),
        });
    }
    heed_stop()?;
    book.set_durability(Durability::Full)?;
    // Layers were written from the last to the first, which leaves room in every page.
    book.compact()?;
    heed_stop()?;
    drop(book);
    Ok(SalvageReport {
        positions: saved.positions,
        from_snapshot: saved.spare,
        lost_positions: match wreck.counted() {
            Some(counted) => Some(counted.saturating_sub(saved.positions)),
            None => (!wreck.is_torn()).then_some(0),
        },
        facts: saved.facts,
        lost_facts: wreck.lost_facts(),
        games: games.games,
        lost_games: match wreck.has_games() {
            true => wreck.counted_games().map(|counted| counted.saturating_sub(games.games)),
            false => Some(0),
        },
        pages: wreck.pages(),
        lost_pages: wreck.lost_pages(),
        meaningless: wreck.meaningless() + games.meaningless + meaningless_analyses,
        analysed_moves,
    })
}

/// What was saved before the last bulk operation takes the new book back, too, once it has the name of the damaged
/// one.
fn keep_last_saved(book: &mut Book, saved: &[PathBuf]) -> Result<(), StoreError> {
    let sound = saved.iter().filter_map(|path| {
        let positions = check_snapshot(path).ok()?;
        Some((change_of(path)?, positions, path))
    });
    let Some((change, positions, path)) = sound.into_iter().next() else { return Ok(()) };
    // What cannot be read is not there.
    let (Ok(sum), Ok(file)) = (checksum(path), path.metadata()) else { return Ok(()) };
    book.undo_log().name_changes("changes before the book was damaged", "");
    book.undo_log().keep_saved(change, positions, &sum, file.len())
}
