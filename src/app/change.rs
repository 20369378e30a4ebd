//! Changing a book by hand: positions and imports that go, and a person's judgement.

use std::collections::HashSet;

use foldhash::fast::FixedState;
use thiserror::Error;

use super::clock::today;
use super::snapshot::RestoreError;
use super::undo::change_book;
use crate::openbook::{Hint, Judgement, NodeSource, SourceId, check_node};
use crate::othello::board::{Key, Position};
use crate::othello::score::Score;
use crate::store::{Book, Reader, StoreError};

/// Why a book could not be changed. It is then as it was.
#[derive(Debug, Error)]
pub enum ChangeError {
    #[error("the game is over there")]
    Over,
    #[error("the position is not in the book")]
    NotInBook,
    #[error("nothing in the book comes from '{0}'")]
    NoSource(String),
    #[error("no value was set there")]
    NotSet,
    #[error("{0}")]
    Store(#[from] StoreError),
    #[error("{0}")]
    Undo(#[from] RestoreError),
}

impl ChangeError {
    pub(crate) fn hint(&self) -> Option<Hint> {
        matches!(self, Self::NoSource(_)).then_some(Hint::ListSources)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Removed {
    pub positions: u64,
    /// Positions that stayed without some of their searches, or of what was proven of them.
    pub changed: u64,
    /// Positions of the book on which a search is due now.
    pub due: u64,
    pub facts: u64,
}

/// Makes a change of a few rows in one transaction. The log notes what they were, so that it can be undone.
fn change_rows<T>(
    book: &mut Book,
    undo: bool,
    change: impl FnOnce(&mut Book) -> Result<T, ChangeError>,
) -> Result<T, ChangeError> {
    // What was written before must not be undone with this.
    book.commit()?;
    if !undo {
        book.undo_log().pause()?;
    }
    let changed = change(book).and_then(|value| {
        book.commit()?;
        Ok(value)
    });
    if changed.is_err() {
        book.rollback();
    }
    changed
}

/// Where the side to move must pass, the position after the pass is meant.
fn key_of(position: Position) -> Result<Key, ChangeError> {
    let position = if position.can_move() { position } else { position.passed() };
    if position.can_move() { Ok(Key::of(position)) } else { Err(ChangeError::Over) }
}

/// The positions that [`remove_position`] would take out.
pub(crate) fn removed_with(
    book: &Reader,
    position: Position,
    below: bool,
) -> Result<Vec<Key>, ChangeError> {
    let key = key_of(position)?;
    book.node(&key)?.ok_or(ChangeError::NotInBook)?;
    let mut gone: Vec<Key> = vec![key];
    if !below {
        return Ok(gone);
    }
    let _snapshot = book.snapshot()?;
    let mut layer: HashSet<Key, FixedState> = HashSet::from_iter([key]);
    // A move leads to one disc more.
    for discs in key.discs().. {
        let (mut below, mut stays) = (HashSet::default(), HashSet::<Key, FixedState>::default());
        book.for_each_in_layer(discs, |node| {
            let links = node.children().map(|link| link.child);
            match layer.contains(&node.key) {
                true => below.extend(links),
                false => stays.extend(links),
            }
            Ok::<_, StoreError>(())
        })?;
        // What another way leads to stays.
        below.retain(|key| !stays.contains(key));
        if below.is_empty() {
            break;
        }
        let mut next: Vec<Key> = below.iter().copied().collect();
        next.sort_unstable();
        gone.extend(next);
        layer = below;
    }
    Ok(gone)
}

/// Takes a position out, or with `below` all that is only reached through it, too: the records of the
/// positions before it answer for the moves to it again, else a search of these is due. With `undo` the book
/// is saved before.
pub(crate) fn remove_position(
    book: &mut Book,
    position: Position,
    below: bool,
    undo: bool,
) -> Result<Removed, ChangeError> {
    let gone = removed_with(book.reader(), position, below)?;
    let change = |book: &mut Book| {
        let before = book.reader().counts()?.search_due;
        // The deepest first: what is above is looked at once.
        for &key in gone.iter().rev() {
            book.reader().heed_stop()?;
            book.remove_node(key)?;
        }
        book.settle()?;
        let due = book.reader().counts()?.search_due.saturating_sub(before);
        Ok(Removed { positions: gone.len() as u64, due, ..Removed::default() })
    };
    if below { change_book(book, undo, change) } else { change_rows(book, undo, change) }
}

/// Takes all searches, bounds and facts of a source out, by the name of its file or its program, and the positions
/// that are left with neither search nor link. With `undo` the book is saved before; in a dry run it stays as it is.
pub(crate) fn remove_source(
    book: &mut Book,
    name: &str,
    undo: bool,
    dry_run: bool,
) -> Result<Removed, ChangeError> {
    let sources = book.reader().sources()?;
    let is_named = |known: &&crate::store::KnownSource| {
        known.source.file == name || known.source.engine == name
    };
    let gone: HashSet<SourceId> = sources.iter().filter(is_named).map(|known| known.id).collect();
    if gone.is_empty() {
        return Err(ChangeError::NoSource(name.to_owned()));
    }
    let mut keys = Vec::new();
    book.reader().for_each_node(|node| {
        if node.more || gone.contains(&node.searched.source) {
            keys.push(node.key);
        }
        Ok::<_, StoreError>(())
    })?;
    let mut facts = Vec::new();
    book.reader().facts().for_each(|fact| {
        facts.extend(gone.contains(&fact.source).then_some(fact));
        Ok::<_, StoreError>(())
    })?;
    let change = |book: &mut Book| {
        let before = book.reader().counts()?.search_due;
        let mut removed = Removed::default();
        for key in keys.into_iter().rev() {
            book.reader().heed_stop()?;
            let Some(node) = book.node(&key)? else { continue };
            let held = book.held(&node)?;
            let is_of_it = held.records.iter().any(|record| gone.contains(&record.searched.source))
                || held.bounds.iter().any(|known| gone.contains(&known.source));
            if !(is_of_it || held.records.is_empty() && gone.contains(&node.searched.source)) {
                continue;
            }
            book.change(key, |held| {
                held.records.retain(|record| !gone.contains(&record.searched.source));
                held.bounds.retain(|known| !gone.contains(&known.source));
            })?;
            let left = book.node(&key)?;
            let is_empty = left.is_some_and(|left| left.record.is_none() && left.links.is_empty());
            if is_empty {
                book.remove_node(key)?;
                removed.positions += 1;
            } else {
                removed.changed += 1;
            }
        }
        for &source in &gone {
            book.forget_bounds_of(source)?;
        }
        removed.facts = facts.len() as u64;
        for fact in facts {
            book.facts().forget(fact)?;
        }
        book.settle()?;
        removed.due = book.reader().counts()?.search_due.saturating_sub(before);
        Ok(removed)
    };
    if dry_run {
        let removed = change(book);
        book.rollback();
        return removed;
    }
    change_book(book, undo, change)
}

/// Sets what a person says that a position is worth, for its side to move; without a value that is cleared.
/// A position that is not in the book comes into it. With `undo` the book is saved before.
pub(crate) fn judge_position(
    book: &mut Book,
    position: Position,
    value: Option<Score>,
    author: &str,
    undo: bool,
) -> Result<(), ChangeError> {
    let key = key_of(position)?;
    check_node(key, None).map_err(StoreError::from)?;
    let present = book.node(&key)?;
    let known = present.map(|node| book.held(&node)).transpose()?;
    if value.is_none() && known.is_none_or(|held| held.judgement.is_none()) {
        return Err(ChangeError::NotSet);
    }
    change_rows(book, undo, |book| {
        if present.is_none() {
            let source = book.source_id(&crate::openbook::Source {
                engine: author.to_owned(),
                day: today(),
                ..crate::openbook::Source::default()
            })?;
            let selectivity = crate::othello::search::Selectivity::LOWEST;
            book.insert(key, None, crate::openbook::Searched { depth: 0, selectivity, source })?;
        }
        let judgement =
            value.map(|score| Judgement { score, day: today(), author: author.to_owned() });
        book.change(key, |held| held.judgement = judgement)?;
        Ok(())
    })
}
