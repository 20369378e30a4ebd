//! Cutting a book: which nodes stay, and taking out the others.

use std::collections::{BTreeMap, HashMap};

use foldhash::fast::FixedState;
use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags, params};

use crate::openbook::propagate::{Layered, Links, sweep};
use crate::openbook::{Legacy, Link, NodeStore, deepest_first};
use crate::othello::board::Key;

use super::row::storage_order;
use super::schema::literal;
use super::{Book, StoreError};
use crate::store::unfinished::Unfinished;

/// The nodes of a layer that go.
type Removed = HashMap<Key, Legacy, FixedState>;

/// Which nodes of a book are to stay: a bit for each, layer by layer in storage order.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Kept {
    layers: BTreeMap<u8, Vec<u64>>,
    counts: BTreeMap<u8, u64>,
    marked: BTreeMap<u8, u64>,
}

impl Kept {
    /// Says of the next node of a layer, in storage order, whether it stays.
    pub fn push(&mut self, discs: u8, stays: bool) {
        let count = self.counts.entry(discs).or_default();
        let words = self.layers.entry(discs).or_default();
        if count.is_multiple_of(64) {
            words.push(0);
        }
        if let Some(word) = words.last_mut() {
            *word |= u64::from(stays) << (*count % 64);
        }
        *count += 1;
        *self.marked.entry(discs).or_default() += u64::from(stays);
    }

    /// How many nodes stay.
    pub fn staying(&self) -> u64 {
        self.marked.values().sum()
    }

    /// How many nodes go.
    pub fn going(&self) -> u64 {
        self.counts.values().sum::<u64>() - self.staying()
    }

    /// Discs, nodes that stay, and nodes there are now, by layer.
    pub(crate) fn by_layer(&self) -> impl Iterator<Item = (u8, u64, u64)> {
        self.counts.iter().map(|(&discs, &count)| {
            (discs, self.marked.get(&discs).copied().unwrap_or_default(), count)
        })
    }

    fn stays(&self, discs: u8, index: usize) -> bool {
        // It was made from the same book: what is not known must not be taken out.
        self.layers[&discs][index / 64] >> (index % 64) & 1 != 0
    }
}

impl Book {
    /// Takes all nodes out that do not stay; what they were worth becomes the rest of their parents,
    /// by [`crate::openbook::Node::fold`], so that guesses stay what they were, and so does what is proven.
    /// `kept` must have been made from this book as it is. Returns how many nodes went.
    pub fn retain(&mut self, kept: &Kept) -> Result<u64, StoreError> {
        let gone = self.settle().and_then(|_| self.cut(kept));
        self.whole_or_nothing(gone)
    }

    fn cut(&mut self, kept: &Kept) -> Result<u64, StoreError> {
        self.forget_nodes();
        self.undo_log().pause()?;
        self.begin()?;
        let mut gone = 0;
        let order = self.reader.order_of_sources()?;
        deepest_first(Layered::layers(self)?, |discs, below: Option<Removed>| {
            let below = below.unwrap_or_default();
            let mut removed = Removed::default();
            let (mut deleted, mut changed) = (Vec::new(), Vec::new());
            let mut index = 0;
            self.reader.each_in_layer(discs, |mut node| {
                if !kept.stays(discs, index) {
                    deleted.push(node.key);
                    removed.insert(node.key, Legacy::of(&node));
                } else if !below.is_empty() {
                    let lost: Vec<(Link, Legacy)> = node
                        .children()
                        .filter_map(|link| Some((link, *below.get(&link.child)?)))
                        .collect();
                    if !lost.is_empty() {
                        let mut held = self.reader.held_of(&node)?;
                        let is_more = node.more;
                        node.fold(&mut held, &lost, &order);
                        changed.push((node, (is_more || node.more).then_some(held)));
                    }
                }
                index += 1;
                Ok::<_, StoreError>(())
            })?;
            self.check_layer(discs, index as u64)?;
            for (node, held) in &changed {
                self.replace(node)?;
                if let Some(held) = held {
                    self.write_held(node, held)?;
                }
            }
            for key in deleted {
                self.clear_of_node(key)?;
                self.delete(key)?;
            }
            gone += removed.len() as u64;
            Ok::<_, StoreError>(removed)
        })?;
        sweep(self, Links::Keep)?;
        self.rebuild_known()?;
        Ok(gone)
    }

    pub(super) fn delete(&mut self, key: Key) -> Result<(), StoreError> {
        let (discs, mover, opponent) = storage_order(key);
        self.reader
            .connection
            .prepare_cached("DELETE FROM node WHERE discs = ?1 AND mover = ?2 AND opponent = ?3")
            .and_then(|mut statement| statement.execute(params![discs, mover, opponent]))
            .map_err(|cause| self.reader.failed(cause))?;
        *self.added.entry(discs).or_default() -= 1;
        Ok(())
    }

    /// Takes all nodes, facts and sources out, to be filled anew before the next commit. What a fleet
    /// noted of positions stays: nothing would bring it back, and it does no harm to one that has gone.
    pub fn clear(&mut self) -> Result<(), StoreError> {
        self.settle()?;
        self.forget_nodes();
        self.reader.forget_order();
        self.undo_log().pause()?;
        self.begin()?;
        self.reader
            .connection
            .execute_batch(
                "DELETE FROM node; DELETE FROM layer; DELETE FROM source; DELETE FROM original; \
                 DELETE FROM fact; DELETE FROM known; DELETE FROM record; DELETE FROM bound; \
                 DELETE FROM judgement",
            )
            .map_err(|cause| self.reader.failed(cause))?;
        self.added.clear();
        Ok(())
    }

    /// Writes the file anew without the room that removed nodes left. Commits first. Readers go on
    /// with what they see. The new content is put together in a folder beside the book, and taken over
    /// from there in one transaction, which lies in the log until it is done: for a while there is
    /// room needed for the book as it was and twice as it will be.
    ///
    /// # Errors
    /// The book cannot be written, or there is no room; then it is as it was.
    pub fn compact(&mut self) -> Result<(), StoreError> {
        self.commit()?;
        let moved = self.reader.connection.move_tables();
        moved.map_err(|error| StoreError::commit(&self.reader.path, error))?;
        let path = self.reader.path.clone();
        let file_failed = |cause| StoreError::File { action: "compact", path: path.clone(), cause };
        // A VACUUM in place would hold that copy in memory, where our connections keep what is temporary,
        // or in a folder for such files that may have no room for it.
        let unfinished = Unfinished::beside(&path).map_err(file_failed)?;
        let compact = unfinished.path("compact.db");
        self.reader.copy_called(&compact, &path)?;
        let failed = |cause| StoreError::database(&path, cause);
        let copy = Connection::open_with_flags(literal(&compact), OpenFlags::SQLITE_OPEN_READ_ONLY)
            .map_err(failed)?;
        let backup = Backup::new(&copy, &mut self.reader.connection).map_err(failed)?;
        // All at once: another writer is kept out by the book's lock.
        match backup.step(-1).map_err(failed)? {
            StepResult::Done => {}
            _ => {
                let what = "it is in use by another program";
                return Err(file_failed(std::io::Error::other(what)));
            }
        }
        drop(backup);
        self.checkpoint()
    }
}
