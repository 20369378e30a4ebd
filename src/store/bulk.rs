//! Whole-book work: loading many nodes at once, and sweeps that stream two layers.

use std::collections::{BTreeMap, HashSet};

use rusqlite::{CachedStatement, ErrorCode};

use crate::openbook::propagate::{self, Changes, HeldOfLayer, Layered, Links};
use crate::openbook::{Held, Node, NodeSource, SourceId, SourceOrder, UNKNOWN, check_node};

use super::new_node::NewNode;
use super::repeats::{Known, Repeats};
use super::rewrite::{Written, rewrite};
use super::row::{pack_rest, pack_short};
use super::statements::{INSERT, INSERT_NEW, Many, OnClash, REPLACE, execute, insert_many};
use super::{Book, StoreError};

/// A layer is gone through from end to end when more than one in so many of its rows changes.
const SCAN_SHARE: i64 = 8;

/// Nodes that one statement adds.
const AT_ONCE: usize = 64;
/// So many records of a file say whether it was made of the book.
const LOOKED_AT: usize = 1 << 14;

/// The result of a file of another program.
#[derive(Clone, Default, Debug)]
pub(crate) struct LoadedFile {
    pub loaded: Loaded,
    /// The sources of what was taken.
    pub used: HashSet<SourceId>,
}

/// What a bulk load did.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Loaded {
    /// Nodes that were not there before.
    pub new: u64,
    /// Nodes that were there, and to which something was added that they did not know.
    pub replaced: u64,
    /// Nodes that knew as much.
    pub kept: u64,
}

impl Book {
    /// Takes many nodes. Links and values are found when all are in, by [`Book::settle`] or
    /// [`Book::commit`]; until then they are not to be read. Sorted by
    /// [`super::storage_order`] it is several times faster than in any other order.
    ///
    /// What comes of a node that is in the book already is joined to what is there: of all records those are
    /// kept that are the greatest for a move, and nothing that was proven is lost.
    ///
    /// # Errors
    /// No book may hold one of the nodes, or the book cannot be written. Everything since the last
    /// commit is then forgotten, so that no half of a file is ever taken.
    pub fn bulk_load(
        &mut self,
        records: impl IntoIterator<Item = NewNode>,
    ) -> Result<Loaded, StoreError> {
        let loaded = self.load(records, None);
        self.whole_or_nothing(loaded).map(|file| file.loaded)
    }

    /// As [`Book::bulk_load`], of a file of another program; what it repeats of our own searches is kept as
    /// the book has it.
    pub(crate) fn bulk_load_file(
        &mut self,
        records: impl IntoIterator<Item = NewNode>,
        repeats: Option<Repeats>,
    ) -> Result<LoadedFile, StoreError> {
        let loaded = self.load(records, repeats);
        self.whole_or_nothing(loaded)
    }

    fn load(
        &mut self,
        records: impl IntoIterator<Item = NewNode>,
        repeats: Option<Repeats>,
    ) -> Result<LoadedFile, StoreError> {
        if !self.unswept {
            self.settle()?;
        }
        self.forget_nodes();
        self.undo_log().pause()?;
        self.begin()?;
        self.unswept = true;
        let order = self.reader.order_of_sources()?;
        let mut added = std::mem::take(&mut self.added);
        let loaded = self.load_all(records, &order, &mut added, repeats);
        self.added = added;
        loaded
    }

    fn load_all(
        &self,
        records: impl IntoIterator<Item = NewNode>,
        order: &SourceOrder,
        added: &mut BTreeMap<u8, i64>,
        repeats: Option<Repeats>,
    ) -> Result<LoadedFile, StoreError> {
        let reader = &self.reader;
        let prepare =
            |sql: &str| reader.connection.prepare_cached(sql).map_err(|cause| reader.failed(cause));
        let mut records = records.into_iter();
        let mut first = Vec::new();
        let known = match repeats {
            Some(repeats) => {
                first.extend(records.by_ref().take(LOOKED_AT));
                Known::of_file(reader, repeats, &first)?
            }
            None => None,
        };
        let mut load = Load {
            many: Many::of(prepare(&insert_many(AT_ONCE, OnClash::NoneOfThem))?, AT_ONCE),
            one: prepare(INSERT_NEW)?,
            replace: prepare(REPLACE)?,
            book: self,
            order,
            added,
            one_by_one: 0,
            has_bounds: self.has_bounds()?,
            known,
            last: None,
            file: LoadedFile::default(),
        };
        let mut waiting = Vec::with_capacity(AT_ONCE);
        for record in first.into_iter().chain(records) {
            reader.heed_stop()?;
            check_node(record.key, record.rest)?;
            if let Some(known) = &load.known
                && !known.is_at(record.key)
            {
                // The positions before it are then known.
                load.load_each(&waiting)?;
                waiting.clear();
            }
            if load.known.as_mut().is_some_and(|known| known.is_best_move(&record)) {
                load.file.loaded.kept += 1;
                continue;
            }
            waiting.push(record);
            if waiting.len() == AT_ONCE {
                load.load_many(&waiting)?;
                waiting.clear();
            }
        }
        load.load_each(&waiting)?;
        Ok(load.file)
    }

    /// Fills an empty book with complete nodes and what their rows have no room for: links and values are taken as
    /// they are, so they must be right. Sorted by [`super::storage_order`] it is several times faster than in any
    /// other order, and than [`Book::bulk_load`], which finds links and values itself.
    ///
    /// # Errors
    /// No book may hold one of the nodes, the book is not empty and has one of them, or it cannot
    /// be written. Everything since the last commit is then forgotten.
    pub(crate) fn fill(
        &mut self,
        nodes: impl IntoIterator<Item = (Node, Option<Box<Held>>)>,
    ) -> Result<u64, StoreError> {
        let filled = self.load_complete(nodes);
        self.whole_or_nothing(filled)
    }

    fn load_complete(
        &mut self,
        nodes: impl IntoIterator<Item = (Node, Option<Box<Held>>)>,
    ) -> Result<u64, StoreError> {
        self.forget_nodes();
        self.undo_log().pause()?;
        self.begin()?;
        let connection = &self.reader.connection;
        let failed = |cause| self.reader.failed(cause);
        let prepare = |sql: &str| connection.prepare_cached(sql).map_err(failed);
        let mut many = Many::of(prepare(&insert_many(AT_ONCE, OnClash::RollBack))?, AT_ONCE);
        let mut one = prepare(INSERT)?;
        let mut waiting = Vec::with_capacity(AT_ONCE);
        let mut count = 0;
        // Nodes of the layer at hand: a search in the map for each node would be felt.
        let mut layer = None;
        for (node, held) in nodes {
            self.reader.heed_stop()?;
            // They were checked as they were read.
            debug_assert!(check_node(node.key, node.record).is_ok());
            if let Some(held) = held {
                self.write_held(&node, &held)?;
            }
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
                    many.bind(index, &node, pack_rest(&node)).map_err(failed)?;
                }
                many.execute().map_err(failed)?;
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
    pub fn sweep(&mut self) -> Result<u64, StoreError> {
        if self.unswept {
            return self.sweep_after_bulk();
        }
        self.dirty.clear();
        self.sweep_all(Links::Keep)
    }

    /// Finds all links anew by looking every move up, and computes all values; returns how many
    /// nodes changed.
    pub fn rebuild_links(&mut self) -> Result<u64, StoreError> {
        self.unswept = true;
        self.sweep_after_bulk()
    }

    /// Makes all values those of nodes of which nothing is known, as if they were never computed:
    /// for benches and tests of sweeps. A sweep brings them back, also after a commit.
    pub fn forget_values(&mut self) -> Result<(), StoreError> {
        self.settle()?;
        self.forget_nodes();
        self.undo_log().pause()?;
        self.begin()?;
        let forgotten = self.forget_layers();
        self.whole_or_nothing(forgotten)
    }

    /// Layer by layer: SQLite keeps in memory what a statement has changed until the statement ends.
    fn forget_layers(&self) -> Result<(), StoreError> {
        for discs in self.reader.stored_layers()? {
            let mut nodes = Vec::new();
            self.reader.each_in_layer(discs, |node| {
                nodes.push(Node { values: UNKNOWN, ..node });
                Ok::<_, StoreError>(())
            })?;
            rewrite(&self.reader.connection, discs, nodes, Written::Values)
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
        self.undo_log().pause()?;
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
    many: Many<'b>,
    one: CachedStatement<'b>,
    replace: CachedStatement<'b>,
    book: &'b Book,
    order: &'b SourceOrder,
    added: &'b mut BTreeMap<u8, i64>,
    /// Batches to be taken one node after the other, because there were known nodes lately.
    one_by_one: u32,
    /// Whether bounds may be kept of positions that come.
    has_bounds: bool,
    /// What the file may repeat, if it is of another program.
    known: Option<Known>,
    /// The source that was noted last.
    last: Option<SourceId>,
    file: LoadedFile,
}

impl Load<'_> {
    /// Batches that are taken one by one after one that held a known node.
    const PATIENCE: u32 = 16;

    /// Takes a full batch, by one statement if all of it is new.
    fn load_many(&mut self, batch: &[NewNode]) -> Result<(), StoreError> {
        if self.one_by_one > 0 {
            self.one_by_one -= 1;
            return self.load_each(batch);
        }
        let failed = |cause| self.book.reader.failed(cause);
        for (index, record) in batch.iter().enumerate() {
            let short = pack_short(record.rest, record.searched);
            self.many.bind(index, &record.unlinked(), short).map_err(failed)?;
        }
        match self.many.execute() {
            Ok(_) => {
                for record in batch {
                    self.took_new(record)?;
                }
                Ok(())
            }
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => {
                self.one_by_one = Self::PATIENCE;
                self.load_each(batch)
            }
            Err(error) => Err(failed(error)),
        }
    }

    fn took(&mut self, record: &NewNode) {
        if self.last.replace(record.searched.source) != Some(record.searched.source) {
            self.file.used.insert(record.searched.source);
        }
        let held = record.held.iter();
        let of_records = held.clone().flat_map(|held| &held.records);
        self.file.used.extend(of_records.map(|record| record.searched.source));
        let of_bounds = held.flat_map(|held| &held.bounds);
        self.file.used.extend(of_bounds.map(|known| known.source));
    }

    fn took_new(&mut self, record: &NewNode) -> Result<(), StoreError> {
        *self.added.entry(record.key.discs()).or_default() += 1;
        self.file.loaded.new += 1;
        self.took(record);
        if record.held.is_none() && !self.has_bounds {
            return Ok(());
        }
        let mut known = self.book.reader.held_beside(record.key)?.into_held();
        known.join(record.key, &record.all(), self.order);
        let mut node = record.unlinked();
        node.set_record(known.records.first().copied());
        execute(&mut self.replace, &node).map_err(|cause| self.book.reader.failed(cause))?;
        self.book.write_held(&node, &known)
    }

    fn load_each(&mut self, batch: &[NewNode]) -> Result<(), StoreError> {
        for record in batch {
            let failed = |cause| self.book.reader.failed(cause);
            if execute(&mut self.one, &record.unlinked()).map_err(failed)? {
                self.took_new(record)?;
                continue;
            }
            let Some(node) = self.book.reader.node(&record.key)? else { continue };
            let mut held = self.book.reader.held_of(&Node { more: true, ..node })?;
            let before = held.clone();
            if let Some(known) = &mut self.known {
                known.note(&node, &held);
                if known.is_known(&node, &before, record) {
                    self.file.loaded.kept += 1;
                    continue;
                }
            }
            held.join(node.key, &record.all(), self.order);
            let mut joined = node;
            if held.records.is_empty() {
                // How it was searched is known without a score: the stronger stays here, too.
                joined.searched = self.order.stronger(node.searched, record.searched);
            }
            if held == before && joined == node {
                self.file.loaded.kept += 1;
                continue;
            }
            joined.set_record(held.records.first().copied());
            if before.records.is_empty() {
                joined.searched =
                    held.records.first().map_or(joined.searched, |first| first.searched);
            }
            execute(&mut self.replace, &joined).map_err(failed)?;
            self.book.write_held(&joined, &held)?;
            self.file.loaded.replaced += 1;
            self.took(record);
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
        self.reader.each_in_layer(discs, |node| {
            found += 1;
            each(node)
        })?;
        self.check_layer(discs, found)
    }

    fn held_in_layer(&self, discs: u8) -> Result<HeldOfLayer, StoreError> {
        self.reader.held_of_layer(discs)
    }

    fn write_layer(&mut self, discs: u8, changed: Changes) -> Result<(), StoreError> {
        let Changes { nodes, beside_values, answering, less_sure } = changed;
        self.less_sure.add(less_sure);
        for node in &answering {
            let before = self.reader.node(&node.key)?.unwrap_or(*node);
            let held = self.reader.held_of(&Node { more: true, ..before })?;
            self.write_held(node, &held)?;
        }
        let stored = self.reader.counted_layers()?.into_iter().find(|&(layer, _)| layer == discs);
        let stored = stored.map_or(0, |(_, count)| count.cast_signed());
        let size = stored + self.added.get(&discs).copied().unwrap_or_default();
        // For a few rows it is quicker to look each of them up.
        if nodes.len() as i64 >= (size / SCAN_SHARE).max(1) {
            let written = if beside_values { Written::All } else { Written::Values };
            return rewrite(&self.reader.connection, discs, nodes, written)
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
