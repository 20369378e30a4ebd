//! Cutting a book down.

use std::collections::HashMap;
use std::path::Path;

use foldhash::fast::FixedState;
use thiserror::Error;

use crate::board::{Key, Line, Position};
use crate::book::regret::of_move;
use crate::book::{LayerValues, Node, NodeSource};
use crate::search::Level;
use crate::store::{Book, Kept, NewBook, Reader, StoreError};

use super::snapshot::RestoreError;
use super::undo::change_book;

/// What is to stay. Everything that any of them excludes goes.
#[derive(Clone, Default, Debug)]
pub struct PruneOptions {
    /// Positions with at most so many discs.
    pub max_discs: Option<u8>,
    /// Positions whose guess is at most so far from even, in centidiscs.
    pub window: Option<i32>,
    /// What is reached from here, and the positions on the way to it.
    pub only: Option<Subtree>,
    /// Positions that are reached by lines on which both sides together give away at most so much,
    /// in centidiscs; 0 leaves the best lines.
    pub regret: Option<i32>,
    /// Positions that are reached by moves that give away at most so much each, in centidiscs.
    pub deviate: Option<i32>,
    /// Positions that were searched as this level or a higher one would, and are reached by such
    /// positions alone.
    pub min_level: Option<Level>,
}

/// A position with all that is reached from it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subtree {
    /// The position; where the side to move must pass, the one after the pass is meant.
    pub position: Position,
    /// The positions before it on a line from the start, where such a line is known. They belong to
    /// it, whatever else is asked: nobody finds the way to the position without them.
    pub way: Vec<Key>,
}

impl Subtree {
    /// What is reached by a line of play.
    #[must_use]
    pub fn after(line: &Line) -> Self {
        let way = line.steps().iter().map(|step| Key::of(step.before.position)).collect();
        Self { position: line.board().position, way }
    }

    /// What is reached from a position to which no way is known.
    #[must_use]
    pub const fn at(position: Position) -> Self {
        Self { position, way: Vec::new() }
    }

    pub(super) fn root(&self) -> Position {
        if self.position.can_move() { self.position } else { self.position.passed() }
    }
}

impl PruneOptions {
    /// Where lines are followed from.
    fn root(&self) -> Key {
        Key::of(self.only.as_ref().map_or(Position::START, Subtree::root))
    }

    fn is_on_the_way(&self, key: Key) -> bool {
        self.only.as_ref().is_some_and(|only| only.way.contains(&key))
    }

    /// Whether it matters how a position is reached.
    const fn follows_lines(&self) -> bool {
        self.only.is_some()
            || self.regret.is_some()
            || self.deviate.is_some()
            || self.min_level.is_some()
    }

    fn allows(&self, node: &Node) -> bool {
        let guess = i32::from(node.values.guess.centidiscs());
        self.max_discs.is_none_or(|most| node.key.discs() <= most)
            && self.window.is_none_or(|window| guess.abs() <= window)
            && self.min_level.is_none_or(|level| node.reaches(level))
    }
}

/// Least regret of reaching each position of a layer, in centidiscs.
type Reached = HashMap<Key, i32, FixedState>;

/// Finds out which positions of a book would stay; nothing is changed. Lines are followed from
/// `only`, else from the start position.
///
/// # Errors
/// The book cannot be read.
pub fn plan_prune(book: &Reader, options: &PruneOptions) -> Result<Kept, StoreError> {
    let _snapshot = book.snapshot()?;
    let mut kept = Kept::default();
    let root = options.root();
    let mut reached = Reached::default();
    book.check_layers()?;
    let layers = book.counts()?.layers;
    for &(discs, _) in &layers {
        if discs == root.discs() {
            reached.insert(root, 0);
        }
        let mut next = Reached::default();
        // Lines that end in this layer need no values below.
        let below = if options.follows_lines() && !reached.is_empty() {
            values_of_layer(book, discs + 1)?
        } else {
            LayerValues::default()
        };
        book.for_each_in_layer(discs, |node| {
            let mut stays = options.allows(&node);
            if options.follows_lines() {
                match reached.get(&node.key) {
                    // The root stays whatever its value is: else nothing would.
                    Some(&regret) => {
                        stays |= node.key == root;
                        if stays {
                            follow(&node, regret, &below, options, &mut next);
                        }
                    }
                    None => stays = false,
                }
            }
            stays |= options.is_on_the_way(node.key);
            kept.push(discs, stays);
            Ok::<_, StoreError>(())
        })?;
        reached = next;
    }
    Ok(kept)
}

fn values_of_layer(book: &Reader, discs: u8) -> Result<LayerValues, StoreError> {
    let mut layer = LayerValues::default();
    book.for_each_in_layer(discs, |node| {
        layer.push(node.key, node.values);
        Ok::<_, StoreError>(())
    })?;
    layer.build_index();
    Ok(layer)
}

/// Notes the links of a node that lines may follow.
fn follow(
    node: &Node,
    regret: i32,
    below: &LayerValues,
    options: &PruneOptions,
    next: &mut Reached,
) {
    for link in node.children() {
        let Some(values) = below.get(link.child) else { continue };
        let more = of_move(node.values, link.worth(values).guess);
        let total = regret + more;
        if options.deviate.is_none_or(|most| more <= most)
            && options.regret.is_none_or(|most| total <= most)
        {
            next.entry(link.child).and_modify(|known| *known = total.min(*known)).or_insert(total);
        }
    }
}

/// Why a book could not be cut.
#[derive(Debug, Error)]
pub enum PruneError {
    /// The position that is kept is not there.
    #[error("the position to keep lines from is not in the book")]
    NoRoot,
    /// Nothing is over.
    #[error("nothing would stay")]
    Nothing,
    /// The book.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The book cannot be saved for undo.
    #[error(transparent)]
    Undo(#[from] RestoreError),
}

/// Finds out what would stay, as [`plan_prune`] does, and refuses what cannot have been meant.
///
/// # Errors
/// Lines are to be followed from a position that is not in the book, nothing would stay, or the
/// book cannot be read.
pub fn check_prune(book: &Reader, options: &PruneOptions) -> Result<Kept, PruneError> {
    let root = options.root();
    if options.follows_lines() && book.node(&root)?.is_none() {
        return Err(PruneError::NoRoot);
    }
    let kept = plan_prune(book, options)?;
    if kept.staying() == 0 && kept.going() > 0 {
        return Err(PruneError::Nothing);
    }
    Ok(kept)
}

/// Writes what is to stay of a book into a new file, which appears when it is complete; the book
/// itself stays as it is.
///
/// # Errors
/// There is a file already, it cannot be written, or as [`check_prune`].
pub fn prune_to(book: &Reader, options: &PruneOptions, target: &Path) -> Result<Kept, PruneError> {
    let new = NewBook::begin(target)?;
    let part = new.path();
    let kept = cut_copy(book, options, &part).map_err(|error| match error {
        PruneError::Store(error) => PruneError::Store(error.of_copy(&part, book.path(), target)),
        error => error,
    })?;
    new.place()?;
    Ok(kept)
}

fn cut_copy(book: &Reader, options: &PruneOptions, part: &Path) -> Result<Kept, PruneError> {
    book.copy_to(part)?;
    let mut copy = Book::open(part)?;
    copy.stop_by(book.stop());
    let kept = check_prune(copy.reader(), options)?;
    copy.retain(&kept)?;
    // It has none of the files that were saved of the book.
    copy.forget_log()?;
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
