//! Cutting a book down.

use std::path::Path;

use thiserror::Error;

use crate::openbook::regret::RegretLimits;
use crate::openbook::{Hint, Node, NodeSource};
use crate::othello::board::{Key, Line, Placed, Position};
use crate::othello::search::Level;
use crate::store::{Book, Kept, NewBook, Reader, StoreError};

use super::games::{FilterError, positions_reached};
use super::snapshot::RestoreError;
use super::undo::change_book;
use super::within::Walk;

/// What is to stay. Everything that any of them excludes goes.
#[derive(Clone, Default, Debug)]
pub struct PruneOptions {
    /// Positions with at most so many discs.
    pub max_discs: Option<u8>,
    /// Positions whose guess is at most so far from even, in centidiscs.
    pub window: Option<i32>,
    /// What is reached from here, and the positions on the way to it.
    pub only: Option<Subtree>,
    /// Positions that are reached by lines within these limits.
    pub limits: RegretLimits,
    /// Positions that were searched as this level or a higher one would, and are reached by such
    /// positions alone.
    pub min_level: Option<Level>,
    /// The start, and positions that so many games of the book reach.
    pub least_games: Option<u64>,
}

/// A position with all that is reached from it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subtree {
    /// The position; where the side to move must pass, the one after the pass is meant.
    pub placed: Placed,
    /// The positions before it on a line from the start, where such a line is known. They belong to
    /// it, whatever else is asked: without them no line leads to the position.
    pub way: Vec<Key>,
}

impl Subtree {
    /// What is reached by a line of play.
    pub fn after(line: &Line) -> Self {
        let way = line.steps().iter().map(|step| Key::of(step.before.position)).collect();
        Self { placed: line.board(), way }
    }

    /// What is reached from a position to which no way is known.
    pub const fn at(placed: Placed) -> Self {
        Self { placed, way: Vec::new() }
    }

    pub(super) fn root(&self) -> Placed {
        if self.placed.position.can_move() { self.placed } else { self.placed.passed() }
    }
}

impl PruneOptions {
    /// Where lines are followed from.
    fn root(&self) -> Placed {
        self.only.as_ref().map_or(Placed::START, Subtree::root)
    }

    fn is_on_the_way(&self, key: Key) -> bool {
        self.only.as_ref().is_some_and(|only| only.way.contains(&key))
    }

    /// Whether it matters how a position is reached.
    fn follows_lines(&self) -> bool {
        self.only.is_some() || self.limits.is_set() || self.min_level.is_some()
    }

    fn allows(&self, node: &Node) -> bool {
        let guess = i32::from(node.values.guess.centidiscs());
        self.max_discs.is_none_or(|most| node.key.discs() <= most)
            && self.window.is_none_or(|window| guess.abs() <= window)
            && self.min_level.is_none_or(|level| node.reaches(level))
    }
}

/// Finds out which positions of a book would stay; nothing is changed. Lines are followed from
/// `only`, else from the start position.
pub fn plan_prune(book: &Reader, options: &PruneOptions) -> Result<Kept, StoreError> {
    let _snapshot = book.snapshot()?;
    let mut kept = Kept::default();
    let start = Key::of(Position::START);
    let played = options.least_games.map(|least| positions_reached(book, least)).transpose()?;
    let is_played =
        |key: Key| key == start || played.as_ref().is_none_or(|positions| positions.contains(&key));
    let (root, follows_lines) = (options.root(), options.follows_lines());
    let mut walk = Walk::from(root, options.limits);
    if !follows_lines {
        walk.roots.clear();
    }
    let root = Key::of(root.position);
    walk.run(book, |discs, node, is_reached| {
        let mut stays = options.allows(node) && is_played(node.key);
        if follows_lines {
            // The root stays whatever its value is: else nothing would.
            stays = is_reached && (stays || node.key == root);
        }
        kept.push(discs, stays || options.is_on_the_way(node.key));
        stays
    })?;
    Ok(kept)
}

/// Why a book could not be cut.
#[derive(Debug, Error)]
pub enum PruneError {
    #[error("the position to keep lines from is not in the book")]
    NoRoot,
    #[error("nothing would stay")]
    Nothing,
    #[error("{}", FilterError::NoGames)]
    NoGames,
    #[error("{0}")]
    Store(#[from] StoreError),
    #[error("{0}")]
    Undo(#[from] RestoreError),
}

impl PruneError {
    pub(crate) fn hint(&self) -> Option<Hint> {
        matches!(self, Self::NoGames).then(|| FilterError::NoGames.hint()).flatten()
    }
}

/// Finds out what would stay, as [`plan_prune`] does, and refuses what cannot have been meant.
pub fn check_prune(book: &Reader, options: &PruneOptions) -> Result<Kept, PruneError> {
    check_beginning(book, options)?;
    let kept = plan_prune(book, options)?;
    if kept.staying() == 0 && kept.going() > 0 {
        return Err(PruneError::Nothing);
    }
    Ok(kept)
}

/// Whether there is what it is to begin from.
fn check_beginning(book: &Reader, options: &PruneOptions) -> Result<(), PruneError> {
    if options.follows_lines() && book.node(&Key::of(options.root().position))?.is_none() {
        return Err(PruneError::NoRoot);
    }
    if options.least_games.is_some() && book.games().count()? == 0 {
        return Err(PruneError::NoGames);
    }
    Ok(())
}

/// Writes what is to stay of a book into a new file, which appears when it is complete; the book
/// itself stays as it is.
pub fn prune_to(book: &Reader, options: &PruneOptions, target: &Path) -> Result<Kept, PruneError> {
    // Before the whole book is copied.
    check_beginning(book, options)?;
    let new = NewBook::begin(target)?;
    let part = new.path();
    let kept = cut_copy(book, options, &part).map_err(|error| match error {
        PruneError::Store(error) => PruneError::Store(error.of_copy(&part, book.path(), target)),
        error => error,
    })?;
    new.place()?;
    Ok(kept)
}

/// A copy of a book that is to be changed: without its log for undo, since it has none of the files that were saved
/// of the book.
pub(super) fn open_copy(book: &Reader, path: &Path) -> Result<Book, StoreError> {
    book.copy_to(path)?;
    let mut copy = Book::open(path)?;
    copy.undo_log().forget()?;
    copy.commit()?;
    Ok(copy)
}

fn cut_copy(book: &Reader, options: &PruneOptions, part: &Path) -> Result<Kept, PruneError> {
    let mut copy = open_copy(book, part)?;
    copy.stop_by(book.stop());
    let kept = check_prune(copy.reader(), options)?;
    copy.retain(&kept)?;
    copy.compact()?;
    Ok(kept)
}

/// Cuts a book in one transaction; returns how many positions went.
///
/// # Errors
/// The book cannot be written; then it is as it was.
pub fn prune(book: &mut Book, kept: &Kept) -> Result<u64, StoreError> {
    let gone = book.retain(kept)?;
    book.commit()?;
    Ok(gone)
}

/// Cuts a book as [`check_prune`] finds out. With `undo` the book is saved before, for `undo`.
///
/// # Errors
/// As [`check_prune`], or the book cannot be saved or written; then it is as it was.
pub fn prune_book(book: &mut Book, options: &PruneOptions, undo: bool) -> Result<Kept, PruneError> {
    let kept = check_prune(book.reader(), options)?;
    if kept.going() > 0 {
        change_book(book, undo, |book| book.retain(&kept).map_err(PruneError::from))?;
    }
    Ok(kept)
}

/// Writes a book's file anew, so that it takes no more room than it needs; returns the number of
/// positions.
///
/// # Errors
/// The book cannot be written; then it is as it was.
pub fn compact(book: &mut Book) -> Result<u64, StoreError> {
    book.compact()?;
    Ok(book.reader().counts()?.positions)
}
