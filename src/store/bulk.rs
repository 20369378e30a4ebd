//! Whole-book work: loading many nodes at once, and sweeps that stream two layers.

use std::collections::BTreeMap;

use rusqlite::{CachedStatement, ErrorCode, params};

use crate::board::Key;
use crate::book::merge::Preferred;
use crate::book::propagate::{self, Changes, Layered, Links};
use crate::book::{MoveMask, Node, NodeSource, Rest, Searched, UNKNOWN, Values, check_node};

use super::rewrite::rewrite;
use super::row::{ValueColumns, storage_order};
use super::statements::{INSERT, INSERT_NEW, OnClash, REPLACE, bind, execute, insert_many};
use super::{Book, Reader, StoreError};

/// A layer is gone through from end to end when more than one in so many of its rows changes.
const SCAN_SHARE: i64 = 8;

/// Nodes that one statement adds.
const AT_ONCE: usize = 64;

/// A node as another book or a file brings it: links and values follow from the whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NewNode {
    /// The position.
    pub key: Key,
    /// Its best move that is not a link, in the key's orientation. When the move leads to a node
    /// after all, it is dropped.
    pub rest: Option<Rest>,
    /// How it was searched.
    pub searched: Searched,
}

/// What is to become of a node that is in the book already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Known {
    /// It stays as it is.
    Keep,
    /// It takes the new rest and provenance.
    Replace,
}

impl From<Preferred> for Known {
    fn from(preferred: Preferred) -> Self {
        match preferred {
            Preferred::Present => Self::Keep,
            Preferred::Incoming => Self::Replace,
        }
    }
}

/// What a bulk load did.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Loaded {
    /// Nodes that were not there before.
    pub new: u64,
    /// Nodes that took the new rest.
    pub replaced: u64,
    /// Nodes that stayed as they were.
    pub kept: u64,
}

impl Book {
    /// Takes many nodes. Links and values are found when all are in, by [`Book::settle`] or
    /// [`Book::commit`]; until then they are not to be read. Sorted by
    /// [`super::storage_order`] it is several times faster than in any other order.
    ///
    /// `known` decides about nodes that are in the book already.
    ///
    /// # Errors
    /// No book may hold one of the nodes, or the book cannot be written. Everything since the last
    /// commit is then forgotten, so that no half of a file is ever taken.
    pub fn bulk_load(
        &mut self,
        records: impl IntoIterator<Item = NewNode>,
        mut known: impl FnMut(&Node, &NewNode) -> Known,
    ) -> Result<Loaded, StoreError> {
        let records = records.into_iter().map(|record| (record, ()));
        self.bulk_load_with(records, |node, record, ()| known(node, record))
    }

    /// As [`Book::bulk_load`], for records with something beside them that helps to decide.
    ///
    /// # Errors
    /// As for [`Book::bulk_load`].
    pub fn bulk_load_with<X>(
        &mut self,
        records: impl IntoIterator<Item = (NewNode, X)>,
        known: impl FnMut(&Node, &NewNode, &X) -> Known,
    ) -> Result<Loaded, StoreError> {
        let loaded = self.load(records, known);
        self.whole_or_nothing(loaded)
    }

    fn load<X>(
        &mut self,
        records: impl IntoIterator<Item = (NewNode, X)>,
        mut known: impl FnMut(&Node, &NewNode, &X) -> Known,
    ) -> Result<Loaded, StoreError> {
        if !self.unswept {
            self.settle()?;
        }
        self.forget_nodes();
        self.pause_log()?;
        self.begin()?;
        self.unswept = true;
        let reader = &self.reader;
        let prepare =
            |sql: &str| reader.connection.prepare_cached(sql).map_err(|cause| reader.failed(cause));
        let mut load = Load {
            many: prepare(&insert_many(AT_ONCE, OnClash::NoneOfThem))?,
            one: prepare(INSERT_NEW)?,
            replace: prepare(REPLACE)?,
            reader,
            added: &mut self.added,
            one_by_one: 0,
            loaded: Loaded::default(),
        };
        let mut waiting = Vec::with_capacity(AT_ONCE);
        for (record, beside) in records {
            reader.heed_stop()?;
            check_node(record.key, record.rest)?;
            waiting.push((record, beside));
            if waiting.len() == AT_ONCE {
                load.load_many(&waiting, &mut known)?;
                waiting.clear();
            }
        }
        load.load_each(&waiting, &mut known)?;
        Ok(load.loaded)
    }

    /// Fills an empty book with complete nodes: links and values are taken as they are, so they
    /// must be right. Sorted by [`super::storage_order`] it is several times faster than in any
    /// other order, and than [`Book::bulk_load`], which finds links and values itself.
    ///
    /// # Errors
    /// No book may hold one of the nodes, the book is not empty and has one of them, or it cannot
    /// be written. Everything since the last commit is then forgotten.
    pub fn fill(&mut self, nodes: impl IntoIterator<Item = Node>) -> Result<u64, StoreError> {
        let filled = self.load_complete(nodes);
        self.whole_or_nothing(filled)
    }

    fn load_complete(&mut self, nodes: impl IntoIterator<Item = Node>) -> Result<u64, StoreError> {
        self.forget_nodes();
        self.pause_log()?;
        self.begin()?;
        let connection = &self.reader.connection;
        let failed = |cause| self.reader.failed(cause);
        let mut many =
            connection.prepare(&insert_many(AT_ONCE, OnClash::RollBack)).map_err(failed)?;
        let mut one = connection.prepare(INSERT).map_err(failed)?;
        let mut waiting = Vec::with_capacity(AT_ONCE);
        let mut count = 0;
        // Nodes of the layer at hand: a search in the map for each node would be felt.
        let mut layer = None;
        for node in nodes {
            self.reader.heed_stop()?;
            check_node(node.key, node.rest)?;
            layer = match layer {
                Some((discs, of_layer)) if discs == node.key.discs() => Some((discs, of_layer + 1)),
                before => {
                    if let Some((discs, of_layer)) = before {
                        *self.added.entry(discs).or_default() += of_layer;
                    }
                    Some((node.key.discs(), 1))
                }
            };
            count += 1;
            waiting.push(node);
            if waiting.len() == AT_ONCE {
                for (index, node) in waiting.drain(..).enumerate() {
                    bind(&mut many, index, &node).map_err(failed)?;
                }
                many.raw_execute().map_err(failed)?;
            }
        }
        for node in waiting {
            execute(&mut one, &node).map_err(failed)?;
        }
        if let Some((discs, of_layer)) = layer {
            *self.added.entry(discs).or_default() += of_layer;
        }
        self.facts_due |= count > 0;
        Ok(count)
    }

    /// Computes all values anew, streaming two layers; returns how many nodes changed. On a sound
    /// book it is none.
    ///
    /// # Errors
    /// The book cannot be read or written.
    pub fn sweep(&mut self) -> Result<u64, StoreError> {
        if self.unswept {
            return self.sweep_after_bulk();
        }
        self.dirty.clear();
        self.sweep_all(Links::Keep)
    }

    /// Finds all links anew by looking every move up, and computes all values; returns how many
    /// nodes changed.
    ///
    /// # Errors
    /// The book cannot be read or written.
    pub fn rebuild_links(&mut self) -> Result<u64, StoreError> {
        self.unswept = true;
        self.sweep_after_bulk()
    }

    /// Makes all values those of nodes of which nothing is known, as if they were never computed:
    /// for benches and tests of sweeps. A sweep brings them back, also after a commit.
    ///
    /// # Errors
    /// The book cannot be written; then everything since the last commit is forgotten.
    pub fn forget_values(&mut self) -> Result<(), StoreError> {
        self.settle()?;
        self.forget_nodes();
        self.pause_log()?;
        self.begin()?;
        let forgotten = self.forget_layers();
        self.whole_or_nothing(forgotten)
    }

    /// Layer by layer: SQLite keeps in memory what a statement has changed until the statement ends.
    fn forget_layers(&self) -> Result<(), StoreError> {
        let ValueColumns { guess, draw_seeking, win_seeking, bounds } = UNKNOWN.into();
        for discs in self.reader.stored_layers()? {
            self.reader
                .connection
                .execute(
                    "UPDATE node SET guess = ?1, draw_seeking = ?2, win_seeking = ?3, bounds = ?4 \
                     WHERE discs = ?5",
                    params![guess, draw_seeking, win_seeking, bounds, discs],
                )
                .map_err(|cause| self.reader.failed(cause))?;
        }
        Ok(())
    }

    pub(super) fn sweep_after_bulk(&mut self) -> Result<u64, StoreError> {
        self.dirty.clear();
        let changed = self.sweep_all(Links::Rebuild)?;
        self.unswept = false;
        Ok(changed)
    }

    fn sweep_all(&mut self, links: Links) -> Result<u64, StoreError> {
        self.forget_nodes();
        self.pause_log()?;
        self.begin()?;
        let changed = propagate::sweep(self, links).and_then(|changed| {
            self.facts_due = false;
            Ok(changed + self.rebuild_known()?)
        });
        self.whole_or_nothing(changed)
    }
}

/// A bulk load on its way.
struct Load<'b> {
    many: CachedStatement<'b>,
    one: CachedStatement<'b>,
    replace: CachedStatement<'b>,
    reader: &'b Reader,
    added: &'b mut BTreeMap<u8, i64>,
    /// Batches to be taken one node after the other, because there were known nodes of late.
    one_by_one: u32,
    loaded: Loaded,
}

/// The node of a record before its links are known.
fn unlinked(record: &NewNode) -> Node {
    let NewNode { key, rest, searched } = *record;
    Node { key, links: MoveMask::NONE, rest, searched, values: UNKNOWN }
}

impl Load<'_> {
    /// Batches that are taken one by one after one that held a known node.
    const PATIENCE: u32 = 16;

    /// Takes a full batch, by one statement if all of it is new.
    fn load_many<X>(
        &mut self,
        batch: &[(NewNode, X)],
        known: &mut impl FnMut(&Node, &NewNode, &X) -> Known,
    ) -> Result<(), StoreError> {
        if self.one_by_one > 0 {
            self.one_by_one -= 1;
            return self.load_each(batch, known);
        }
        for (index, (record, _)) in batch.iter().enumerate() {
            bind(&mut self.many, index, &unlinked(record))
                .map_err(|cause| self.reader.failed(cause))?;
        }
        match self.many.raw_execute() {
            Ok(_) => {
                for (record, _) in batch {
                    *self.added.entry(record.key.discs()).or_default() += 1;
                }
                self.loaded.new += batch.len() as u64;
                Ok(())
            }
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => {
                self.one_by_one = Self::PATIENCE;
                self.load_each(batch, known)
            }
            Err(error) => Err(self.reader.failed(error)),
        }
    }

    fn load_each<X>(
        &mut self,
        batch: &[(NewNode, X)],
        known: &mut impl FnMut(&Node, &NewNode, &X) -> Known,
    ) -> Result<(), StoreError> {
        let failed = |cause| self.reader.failed(cause);
        for (record, beside) in batch {
            if execute(&mut self.one, &unlinked(record)).map_err(failed)? {
                *self.added.entry(record.key.discs()).or_default() += 1;
                self.loaded.new += 1;
                continue;
            }
            let Some(node) = self.reader.node(&record.key)? else { continue };
            match known(&node, record, beside) {
                Known::Keep => self.loaded.kept += 1,
                Known::Replace => {
                    let node = Node { rest: record.rest, searched: record.searched, ..node };
                    execute(&mut self.replace, &node).map_err(failed)?;
                    self.loaded.replaced += 1;
                }
            }
        }
        Ok(())
    }
}

impl Layered for Book {
    type Error = StoreError;

    fn layers(&self) -> Result<Vec<u8>, StoreError> {
        let stored = self.reader.counted_layers()?.into_iter().map(|(discs, _)| discs);
        let mut layers: Vec<u8> = stored.chain(self.added.keys().copied()).collect();
        layers.sort_unstable();
        layers.dedup();
        Ok(layers)
    }

    fn read_layer(
        &self,
        discs: u8,
        each: &mut dyn FnMut(Node) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let mut found = 0;
        self.reader.each_in_layer(discs, |node, _| {
            found += 1;
            each(node)
        })?;
        self.check_layer(discs, found)
    }

    fn write_layer(&mut self, discs: u8, changed: Changes) -> Result<(), StoreError> {
        let Changes { values, nodes, lost_proofs } = changed;
        self.lost_proofs.add(lost_proofs);
        let stored = self.reader.counted_layers()?.into_iter().find(|&(layer, _)| layer == discs);
        let stored = stored.map_or(0, |(_, count)| count.cast_signed());
        let size = stored + self.added.get(&discs).copied().unwrap_or_default();
        // For a few rows it is quicker to look each of them up.
        let by_scan = |count: usize| count as i64 >= (size / SCAN_SHARE).max(1);
        if by_scan(values.len()) {
            rewrite(&self.reader.connection, discs, values)
                .map_err(|cause| self.reader.failed(cause))?;
        } else {
            self.update_values(discs, &values)?;
        }
        if by_scan(nodes.len()) {
            return rewrite(&self.reader.connection, discs, nodes)
                .map_err(|cause| self.reader.failed(cause));
        }
        let reader = &self.reader;
        let failed = |cause| reader.failed(cause);
        let mut replace = reader.connection.prepare_cached(REPLACE).map_err(failed)?;
        for node in &nodes {
            execute(&mut replace, node).map_err(failed)?;
        }
        Ok(())
    }
}

impl Book {
    fn update_values(&self, discs: u8, values: &[(Key, Values)]) -> Result<(), StoreError> {
        let failed = |cause| self.reader.failed(cause);
        let mut update = self
            .reader
            .connection
            .prepare_cached(
                "UPDATE node SET guess = ?4, draw_seeking = ?5, win_seeking = ?6, bounds = ?7 \
                 WHERE discs = ?1 AND mover = ?2 AND opponent = ?3",
            )
            .map_err(failed)?;
        for &(key, values) in values {
            let (_, mover, opponent) = storage_order(key);
            let ValueColumns { guess, draw_seeking, win_seeking, bounds } = values.into();
            update
                .execute(params![discs, mover, opponent, guess, draw_seeking, win_seeking, bounds])
                .map_err(failed)?;
        }
        Ok(())
    }
}
