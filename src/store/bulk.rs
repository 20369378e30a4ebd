//! Whole-book work: loading many nodes at once, and sweeps that stream two layers.

use rusqlite::params;

use crate::board::Key;
use crate::book::propagate::{self, Changes, Layered, Links};
use crate::book::{MoveMask, Node, NodeSource, Rest, Searched, UNKNOWN, check_node};

use super::row::{ValueColumns, storage_order};
use super::writer::{INSERT, INSERT_NEW, REPLACE, bind, execute, insert_many};
use super::{Book, StoreError};

/// Nodes that one statement adds.
const AT_ONCE: usize = 64;

/// A node as another book or a file brings it: links and values follow from the whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
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
        records: impl IntoIterator<Item = Record>,
        known: impl FnMut(&Node, &Record) -> Known,
    ) -> Result<Loaded, StoreError> {
        let loaded = self.load(records, known);
        self.whole_or_nothing(loaded)
    }

    fn load(
        &mut self,
        records: impl IntoIterator<Item = Record>,
        mut known: impl FnMut(&Node, &Record) -> Known,
    ) -> Result<Loaded, StoreError> {
        if !self.unswept {
            self.settle()?;
        }
        self.begin()?;
        self.unswept = true;
        let mut loaded = Loaded::default();
        let reader = &self.reader;
        let prepare = |sql| reader.connection.prepare_cached(sql);
        let mut insert = prepare(INSERT_NEW).map_err(|cause| reader.failed(cause))?;
        let mut replace = prepare(REPLACE).map_err(|cause| reader.failed(cause))?;
        for record in records {
            let Record { key, rest, searched } = record;
            check_node(key, rest)?;
            let links = MoveMask(0);
            let node = Node { key, links, rest, searched, values: UNKNOWN };
            if execute(&mut insert, &node).map_err(|cause| reader.failed(cause))? {
                *self.added.entry(key.discs()).or_default() += 1;
                loaded.new += 1;
                continue;
            }
            let Some(node) = reader.node(&key)? else { continue };
            match known(&node, &record) {
                Known::Keep => loaded.kept += 1,
                Known::Replace => {
                    let node = Node { rest, searched, ..node };
                    execute(&mut replace, &node).map_err(|cause| reader.failed(cause))?;
                    loaded.replaced += 1;
                }
            }
        }
        Ok(loaded)
    }

    /// Fills an empty book with complete nodes: links and values are taken as they are, so they
    /// must be right. Sorted by [`super::storage_order`] it is several times faster than in any
    /// other order, and than [`Book::bulk_load`], which finds links and values itself.
    ///
    /// # Errors
    /// No book may hold one of the nodes, the book is not empty and has one of them, or it cannot
    /// be written. Everything since the last commit is then forgotten.
    pub fn fill(&mut self, nodes: impl IntoIterator<Item = Node>) -> Result<u64, StoreError> {
        let filled = self.take_complete(nodes);
        self.whole_or_nothing(filled)
    }

    fn take_complete(&mut self, nodes: impl IntoIterator<Item = Node>) -> Result<u64, StoreError> {
        self.begin()?;
        let connection = &self.reader.connection;
        let failed = |cause| self.reader.failed(cause);
        let mut many = connection.prepare(&insert_many(AT_ONCE)).map_err(failed)?;
        let mut one = connection.prepare(INSERT).map_err(failed)?;
        let mut waiting = Vec::with_capacity(AT_ONCE);
        let mut count = 0;
        // Nodes of the layer at hand: a search in the map for each node would be felt.
        let mut layer = None;
        for node in nodes {
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
        self.sweep_unmapped(Links::Keep)
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
        self.begin()?;
        let ValueColumns { guess, draw_seeking, win_seeking, bounds } = UNKNOWN.into();
        let forgotten = self
            .reader
            .connection
            .execute(
                "UPDATE node SET guess = ?1, draw_seeking = ?2, win_seeking = ?3, bounds = ?4",
                params![guess, draw_seeking, win_seeking, bounds],
            )
            .map(|_| ())
            .map_err(|cause| self.reader.failed(cause));
        self.whole_or_nothing(forgotten)
    }

    pub(super) fn sweep_after_bulk(&mut self) -> Result<u64, StoreError> {
        self.dirty.clear();
        let changed = self.sweep_unmapped(Links::Rebuild);
        self.unswept = false;
        changed
    }

    fn sweep_unmapped(&mut self, links: Links) -> Result<u64, StoreError> {
        self.begin()?;
        self.reader.map_file(false)?;
        let changed = propagate::sweep(self, links);
        self.reader.map_file(true)?;
        self.whole_or_nothing(changed)
    }
}

impl Layered for Book {
    type Error = StoreError;

    fn layers(&self) -> Result<Vec<u8>, StoreError> {
        let stored = self.reader.layers()?.into_iter().map(|(discs, _)| discs);
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
        self.reader.each_in_layer(discs, |node, _| each(node))
    }

    fn write_layer(&mut self, discs: u8, changed: &Changes) -> Result<(), StoreError> {
        let reader = &self.reader;
        let failed = |cause| reader.failed(cause);
        let mut update = reader
            .connection
            .prepare_cached(
                "UPDATE node SET guess = ?4, draw_seeking = ?5, win_seeking = ?6, bounds = ?7 \
                 WHERE discs = ?1 AND mover = ?2 AND opponent = ?3",
            )
            .map_err(failed)?;
        for &(key, values) in &changed.values {
            let (_, mover, opponent) = storage_order(key);
            let ValueColumns { guess, draw_seeking, win_seeking, bounds } = values.into();
            update
                .execute(params![discs, mover, opponent, guess, draw_seeking, win_seeking, bounds])
                .map_err(failed)?;
        }
        let mut replace = reader.connection.prepare_cached(REPLACE).map_err(failed)?;
        for node in &changed.nodes {
            execute(&mut replace, node).map_err(failed)?;
        }
        Ok(())
    }
}
