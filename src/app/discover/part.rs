//! Lines to learn as files: a small book, and games.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use foldhash::fast::FixedState;
use thiserror::Error;

use crate::app::output::{ExportTarget, Output};
use crate::files::games::{Game, commented_pgn};
use crate::openbook::{Legacy, Link, Node, NodeSource, SourceId};
use crate::othello::board::{Key, Line, Position};
use crate::othello::system_error::in_words;
use crate::store::{Book, NewBook, NewNode, Reader, StoreError};

/// Why a file could not be made. What was there is as it was.
#[derive(Debug, Error)]
pub enum PartError {
    #[error("{0}")]
    Store(#[from] StoreError),
    #[error("cannot make {}: {}", path.display(), in_words(cause))]
    File { path: PathBuf, cause: io::Error },
}

/// Writes the positions of a book that lie on lines into a new book file, which appears when it is
/// complete; returns how many there are. As `prune` does it, a move that leads to another position
/// becomes the rest of the position before it, so that values stay what they are. Games do not come
/// along.
pub fn write_book_part(book: &Reader, lines: &[Line], target: &Path) -> Result<u64, PartError> {
    let new = NewBook::begin(target)?;
    let part = new.path();
    let count = write_part(book, lines, &part)
        .map_err(|error| error.of_copy(&part, book.path(), target))?;
    new.place()?;
    Ok(count)
}

fn write_part(book: &Reader, lines: &[Line], part: &Path) -> Result<u64, StoreError> {
    fill(&mut Book::create(part)?, book, lines)
}

fn fill(part: &mut Book, book: &Reader, lines: &[Line]) -> Result<u64, StoreError> {
    let _snapshot = book.snapshot()?;
    let keys = positions(lines);
    let mut sources = HashMap::new();
    for known in book.sources()? {
        sources.insert(known.id, known.source);
    }
    let mut nodes = Vec::new();
    for key in &keys {
        nodes.extend(book.node(key)?);
    }
    let kept: HashSet<Key, FixedState> = nodes.iter().map(|node| node.key).collect();
    let order = book.order_of_sources()?;
    let mut records = Vec::new();
    for mut node in nodes {
        let mut held = book.held(&node)?;
        node.fold(&mut held, &lost(&node, book, &kept)?, &order);
        let mut here = |source: &mut SourceId| {
            if let Some(known) = sources.get(source) {
                *source = part.source_id(known)?;
            }
            Ok::<_, StoreError>(())
        };
        here(&mut node.searched.source)?;
        held.searches_mut().try_for_each(|searched| here(&mut searched.source))?;
        held.bounds.iter_mut().try_for_each(|bounds| here(&mut bounds.source))?;
        let Node { key, record: rest, searched, left_out, .. } = node;
        let held = held.is_more().then(|| Box::new(held));
        records.push(NewNode { key, rest, searched, left_out, held });
    }
    let count = records.len() as u64;
    part.bulk_load(records)?;
    part.settle()?;
    part.commit()?;
    part.checkpoint()?;
    Ok(count)
}

/// The links of a node to what does not come along.
fn lost(
    node: &Node,
    book: &Reader,
    kept: &HashSet<Key, FixedState>,
) -> Result<Vec<(Link, Legacy)>, StoreError> {
    let mut lost = Vec::new();
    for link in node.children().filter(|link| !kept.contains(&link.child)) {
        if let Some(child) = book.node(&link.child)? {
            lost.push((link, Legacy::of(&child)));
        }
    }
    Ok(lost)
}

/// All positions on lines, their ends included.
fn positions(lines: &[Line]) -> BTreeSet<Key> {
    let ends = |line: &Line| line.end().map(|placed| placed.position);
    let all = lines.iter().flat_map(|line| {
        let steps = line.steps().iter().map(|step| step.before.position);
        steps.chain(ends(line)).collect::<Vec<Position>>()
    });
    all.map(Key::of).collect()
}

/// Writes games as PGN, each with what is to be said of its moves, replacing a file as a whole.
pub(crate) fn write_lines(
    games: &[(Game, Vec<Option<String>>)],
    target: &Path,
) -> Result<(), PartError> {
    let write = || -> io::Result<()> {
        let output = Output::create(&ExportTarget::of(target))?;
        let mut writer = BufWriter::new(output.writer()?);
        for (game, comments) in games {
            writer.write_all(commented_pgn(game, comments).as_bytes())?;
        }
        writer.flush()?;
        output.finish().map(|_| ())
    };
    write().map_err(|cause| PartError::File { path: target.to_owned(), cause })
}
