//! Writing a book: one writer, batches, and all of a batch or nothing.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::params;

use crate::openbook::propagate::{Dirty, LessSure, propagate};
use crate::openbook::{Found, Held, Inserted, Rest, Searched, check_node, edit};
use crate::othello::board::Key;
use crate::othello::search::Stop;

use super::file_names::{beside, led_to, names_of};
use super::lock::WriterLock;
use super::node_cache::Recall;
use super::undo_log::UndoLog;
use super::{Reader, StoreError, row, schema};

/// A book that this process alone may write.
///
/// Changes are collected until [`Book::commit`]; dropping the book, being killed, and an error of a
/// write forget what was not committed, so that no half of a change is ever stored.
#[derive(Debug)]
pub struct Book {
    pub(super) reader: Reader,
    pub(super) dirty: Dirty,
    /// Nodes added and removed since the last commit, by layer.
    pub(super) added: BTreeMap<u8, i64>,
    /// Links and values were not kept up with the nodes: a sweep must follow.
    pub(super) unswept: bool,
    /// What nodes are known to be worth from facts is to be found anew.
    pub(super) facts_due: bool,
    /// Nodes on which a search became due since this was last asked, where that is wanted.
    pub(super) became_due: Option<Vec<Key>>,
    /// Nodes that were written since this was last asked, where that is wanted.
    pub(super) written: Option<Written>,
    /// Values that a sweep made less sure, as [`Book::take_less_sure`] gives them.
    pub(super) less_sure: LessSure,
    /// What is done, so that it can be taken back.
    pub(super) log: UndoLog,
    /// The book as other programs have made it: see [`Reader::changes`].
    changes: i64,
    /// A program that holds the book for itself is waited for until this is raised, where there is one.
    patience: Option<Stop>,
    /// Given back last, when the file is closed.
    pub(super) lock: WriterLock,
}

/// A reader of the book while it could not be written has left SQLite's own files as unwritable as it was then,
/// and nothing could be written despite the book's mode. Where that fails SQLite says so.
fn make_writable_as(book: &Path) {
    let mode = |file: std::fs::Metadata| file.permissions();
    let Ok(of_book) = book.metadata().map(mode) else { return };
    for ending in ["-wal", "-shm"] {
        let file = beside(book, ending);
        // A link is nothing that SQLite would follow.
        let found = file.symlink_metadata().ok().filter(std::fs::Metadata::is_file).map(mode);
        if found.is_some_and(|mode| mode.readonly()) && !of_book.readonly() {
            let _ = std::fs::set_permissions(&file, of_book.clone());
        }
    }
}

/// Takes a book away that was made and could not be opened, with SQLite's files beside it. What cannot be
/// removed is an empty book.
fn remove_made(book: &Path) {
    for file in [book.to_owned(), beside(book, "-wal"), beside(book, "-shm")] {
        let _ = std::fs::remove_file(file);
    }
}

/// What was written of a book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Written {
    /// These nodes were added, changed or removed; one may come several times.
    Nodes(Vec<Key>),
    /// Any node may have been.
    Any,
}

impl Written {
    pub(super) fn note(&mut self, key: Key) {
        if let Self::Nodes(keys) = self {
            keys.push(key);
        }
    }
}

/// How soon a commit reaches the disk.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Durability {
    /// At once: even a loss of power takes nothing that was committed. For growth.
    #[default]
    Full,
    /// A loss of power may take the latest commits, but never harms the book. For bulk work.
    Normal,
}

impl Book {
    /// Makes an empty book and opens it.
    ///
    /// # Errors
    /// There is a file already, or none can be made; nothing is then left of it.
    pub fn create(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let path = path.as_ref();
        if path.symlink_metadata().is_ok() {
            return Err(StoreError::Exists(path.to_owned()));
        }
        let lock = WriterLock::acquire(path)?;
        let made = schema::create(path).and_then(|()| {
            // An empty book is of no use to a user who was told that there is none.
            Self::open_file(path).inspect_err(|_| remove_made(path))
        });
        match made {
            Ok(reader) => Self::of(reader, lock),
            Err(error) => {
                lock.forget_new(path);
                Err(error.of_new_book())
            }
        }
    }

    /// Opens a book for writing.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let path = path.as_ref();
        // A foreign file gets no lock file beside it, and a book of two names has one lock.
        schema::check_file(path)?;
        let path = led_to(path);
        check_has_one_name(&path)?;
        let lock = WriterLock::acquire(&path)?;
        let mut book = Self::of(Self::open_file(&path)?, lock)?;
        book.rewrite_old_rows()?;
        Ok(book)
    }

    /// A book of an older program gets what follows from its searches: how sure its values are, and how lines
    /// end. No value moves.
    fn rewrite_old_rows(&mut self) -> Result<(), StoreError> {
        if self.reader.meta(row::REWRITE)?.is_none() {
            return Ok(());
        }
        tracing::info!(book = %self.reader.path.display(), "rewriting the positions of an older book");
        self.sweep()?;
        self.execute("DELETE FROM meta WHERE name = ?1", &[&row::REWRITE])?;
        self.take_less_sure();
        self.commit()
    }

    fn open_file(path: &Path) -> Result<Reader, StoreError> {
        make_writable_as(path);
        let connection = schema::open_writer(path)?;
        tracing::info!(book = %path.display(), "opened for writing");
        Reader::of(path, connection)
    }

    fn of(reader: Reader, lock: WriterLock) -> Result<Self, StoreError> {
        let log = UndoLog::of(&reader.connection).map_err(|cause| reader.failed(cause))?;
        let mut book = Self {
            changes: reader.changes()?,
            patience: None,
            reader,
            dirty: Dirty::default(),
            added: BTreeMap::new(),
            unswept: false,
            facts_due: false,
            became_due: None,
            written: None,
            less_sure: LessSure::default(),
            log,
            lock,
        };
        book.undo_log().forget_old_images()?;
        Ok(book)
    }

    /// Waits for a program that holds the book for itself as long as it takes, or until this is raised: for
    /// work of hours. With none, which it is at first, that is an error after some seconds.
    pub(crate) fn wait_for_others(&mut self, until: Option<Stop>) {
        self.patience = until;
    }

    /// As [`Reader::stop_by`]: a change that is stopped is taken back.
    pub(crate) fn stop_by(&mut self, stop: &Stop) {
        self.reader.stop_by(stop);
    }

    /// Deletes the book: for one that was just made for something that then failed. What cannot be deleted
    /// is an empty book, and matters less than that failure.
    pub(crate) fn remove(self) {
        let Self { reader, lock, .. } = self;
        let path = reader.path.clone();
        // Closing takes SQLite's own two files away.
        drop(reader);
        if let Err(error) = std::fs::remove_file(&path) {
            tracing::warn!(file = %path.display(), %error, "it is left behind");
        }
        // Until here no other process could take the file for a book to write.
        lock.forget(&path);
    }

    /// Asks the book, with what is not committed yet.
    pub const fn reader(&self) -> &Reader {
        &self.reader
    }

    /// From now on keeps up to twice so many nodes in memory, of some 80 bytes each, that were read or
    /// written of late, and of which positions there is none: for work that asks for the same ones again and again.
    /// It ends with [`Book::forget_nodes`], and with all work that changes more than single nodes.
    pub(crate) fn remember_nodes(&mut self, most: usize) {
        self.reader.recall = Some(RefCell::new(Recall::of(most)));
    }

    /// Keeps no nodes in memory, and no note of those that are [written](Self::take_written).
    pub(crate) fn forget_nodes(&mut self) {
        self.reader.recall = None;
        self.written = None;
    }

    /// Until the transaction ends nothing else can change nodes: what it looks up it need not look up again.
    fn remember_for_now(&mut self) -> Result<(), StoreError> {
        self.reader.recall.get_or_insert_with(|| RefCell::new(Recall::passing()));
        self.read_absent()
    }

    fn forget_what_passes(&mut self) {
        self.reader.recall.take_if(|recall| recall.get_mut().is_passing);
    }

    /// Says how soon commits reach the disk; at first [`Durability::Full`].
    pub fn set_durability(&mut self, durability: Durability) -> Result<(), StoreError> {
        self.commit()?;
        let value = match durability {
            Durability::Full => "PRAGMA synchronous = FULL",
            Durability::Normal => "PRAGMA synchronous = NORMAL",
        };
        tracing::info!(book = %self.reader.path.display(), ?durability, "commits are this durable");
        self.reader.connection.execute_batch(value).map_err(|cause| self.reader.failed(cause))
    }

    /// Adds a node, with its links from and to others, or a search to one that is there; the search left out
    /// what leads to nodes. The values above it are right after [`Book::settle`] or [`Book::commit`].
    pub fn insert(
        &mut self,
        key: Key,
        rest: Option<Rest>,
        searched: Searched,
    ) -> Result<Inserted, StoreError> {
        self.take(key, &Found { rest, searched, left_out: None })
    }

    /// As [`Book::insert`], of a search that says which moves it left out.
    pub fn take(&mut self, key: Key, found: &Found) -> Result<Inserted, StoreError> {
        check_node(key, found.rest)?;
        self.edit(|book, dirty| edit::insert(book, dirty, key, found))
    }

    /// Adds a search to a node, which left out what leads to nodes; without a score the node is left with what
    /// its links say. False when there is no such node.
    pub fn set_rest(
        &mut self,
        key: Key,
        rest: Option<Rest>,
        searched: Searched,
    ) -> Result<bool, StoreError> {
        self.add_search(key, &Found { rest, searched, left_out: None })
    }

    /// As [`Book::set_rest`], of a search that says which moves it left out.
    pub(crate) fn add_search(&mut self, key: Key, found: &Found) -> Result<bool, StoreError> {
        check_node(key, found.rest)?;
        self.edit(|book, dirty| edit::set_record(book, dirty, key, found))
    }

    /// Changes what is kept of a node; false when there is no such node.
    pub fn change(&mut self, key: Key, change: impl FnOnce(&mut Held)) -> Result<bool, StoreError> {
        self.edit(|book, dirty| edit::change(book, dirty, key, change))
    }

    /// Takes a node out: the records of its parents answer for the moves to it again, else a search of these is
    /// due. False when there is no such node.
    pub(crate) fn remove_node(&mut self, key: Key) -> Result<bool, StoreError> {
        self.edit(|book, dirty| edit::remove(book, dirty, key))
    }

    fn edit<T>(
        &mut self,
        edit: impl FnOnce(&mut Self, &mut Dirty) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.begin()?;
        self.remember_for_now()?;
        let mut dirty = std::mem::take(&mut self.dirty);
        let edited = edit(self, &mut dirty);
        self.dirty = dirty;
        self.whole_or_nothing(edited)
    }

    /// Brings all values up to date with what was inserted and set; returns how many nodes
    /// changed.
    pub fn settle(&mut self) -> Result<usize, StoreError> {
        if self.unswept {
            self.note_any_written();
            return self.sweep_after_bulk().map(|changed| changed as usize);
        }
        if self.dirty.is_empty() && !self.facts_due {
            return Ok(0);
        }
        self.begin()?;
        self.remember_for_now()?;
        let mut dirty = std::mem::take(&mut self.dirty);
        let mut changed = propagate(self, &mut dirty);
        if changed.is_ok() && std::mem::take(&mut self.facts_due) {
            let found = self.rebuild_known();
            changed = changed.and_then(|changed| Ok(changed + found? as usize));
        }
        let changed =
            changed.and_then(|changed| self.undo_log().write_many_images().map(|()| changed));
        self.whole_or_nothing(changed)
    }

    /// After a failure in the middle of a change nothing of the batch can be trusted. SQLite may
    /// have rolled back by itself too, as it does on a full disk.
    pub(super) fn whole_or_nothing<T>(
        &mut self,
        result: Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        if result.is_err() {
            self.rollback();
        }
        result
    }

    /// Settles, and makes everything since the last commit last.
    pub fn commit(&mut self) -> Result<(), StoreError> {
        let committed = self.try_commit();
        if let Err(error) = &committed {
            self.rollback();
            if matches!(error, StoreError::Gone(_)) {
                self.clear_place();
            }
        }
        committed
    }

    fn try_commit(&mut self) -> Result<(), StoreError> {
        self.settle()?;
        if self.reader.connection.is_autocommit() {
            self.log.commit();
            return self.keep_log();
        }
        self.count_added()?;
        self.undo_log().write_transaction()?;
        self.check_in_place()?;
        self.reader.connection.stamp().map_err(|error| self.not_committed(error))?;
        let committed = self.reader.connection.execute_batch("COMMIT");
        committed.map_err(|cause| self.reader.failed(cause))?;
        self.forget_what_passes();
        self.log.commit();
        tracing::debug!(book = %self.reader.path.display(), layers = ?self.added, "committed");
        self.added.clear();
        // It is committed: a full disk keeps it in the log for now.
        self.keep_log().or_else(|error| match error {
            StoreError::DiskFull(_) | StoreError::WriteRefused { .. } => {
                tracing::warn!("what was committed stays in the book's log for now: {error}");
                Ok(())
            }
            error => Err(error),
        })
    }

    /// Notes how many nodes each layer has by now: once before a commit or a rollback, which forget what was added.
    pub(crate) fn count_added(&self) -> Result<(), StoreError> {
        for (&discs, &count) in self.added.iter().filter(|&(_, &count)| count != 0) {
            let sql = "INSERT INTO layer (discs, positions) VALUES (?1, ?2) \
                       ON CONFLICT (discs) DO UPDATE SET positions = positions + ?2";
            self.reader.execute(sql, params![discs, count])?;
        }
        Ok(())
    }

    /// Forgets everything since the last commit.
    pub fn rollback(&mut self) {
        if !self.reader.connection.is_autocommit() {
            // When even this fails SQLite has rolled back by itself, or does on closing.
            let _ = self.reader.connection.execute_batch("ROLLBACK");
        }
        self.forget_what_passes();
        self.reader.forget_order();
        if let Some(recall) = &mut self.reader.recall {
            recall.get_mut().clear();
        }
        self.note_any_written();
        self.dirty.clear();
        self.added.clear();
        self.unswept = false;
        self.facts_due = false;
        self.less_sure = LessSure::default();
        self.log.rollback();
    }

    /// The nodes on which a search became due while values were brought up to date, since this was last asked.
    pub(crate) fn take_due(&mut self) -> Vec<Key> {
        self.became_due.replace(Vec::new()).unwrap_or_default()
    }

    /// What was written since this was last asked; any node may have been the first time.
    pub(crate) fn take_written(&mut self) -> Written {
        self.written.replace(Written::Nodes(Vec::new())).unwrap_or(Written::Any)
    }

    /// Any node may be another one by now.
    fn note_any_written(&mut self) {
        if let Some(written) = &mut self.written {
            *written = Written::Any;
        }
    }

    /// The values that became less sure since this was last asked, after nodes were loaded and all was
    /// settled: a move that looked bad may turn out good, and is less sure than the others. Asking begins to
    /// count anew.
    pub(crate) fn take_less_sure(&mut self) -> LessSure {
        std::mem::take(&mut self.less_sure)
    }

    /// Moves the log into the book file, as far as readers allow: afterwards the file alone is the
    /// whole book. Commits first.
    pub fn checkpoint(&mut self) -> Result<(), StoreError> {
        self.commit()?;
        let written = self.reader.connection.write_back("TRUNCATE");
        written.map(|_| ()).map_err(|cause| self.reader.failed(cause))
    }

    pub(super) fn execute(
        &mut self,
        sql: &str,
        values: &[&dyn rusqlite::ToSql],
    ) -> Result<(), StoreError> {
        self.begin()?;
        self.reader.execute(sql, values).map(|_| ())
    }

    /// Starts a batch unless one is open. Only this process has written since it opened the book: else what it
    /// remembers of it would be out of date.
    pub(super) fn begin(&self) -> Result<(), StoreError> {
        if !self.reader.connection.is_autocommit() {
            return Ok(());
        }
        let ready = self.log.make_ready(&self.reader.connection);
        ready.map_err(|cause| self.reader.failed(cause))?;
        let begin = || {
            let begun = self.reader.connection.execute_batch("BEGIN IMMEDIATE");
            begun.map_err(|cause| self.reader.failed(cause))
        };
        let mut begun = begin();
        if let Some(until) = &self.patience
            && begun.as_ref().is_err_and(StoreError::is_busy)
        {
            let book = self.reader.path.display();
            tracing::warn!("waiting for another program, which holds {book} for itself");
            while begun.as_ref().is_err_and(StoreError::is_busy) && !until.is_stopped() {
                begun = begin();
            }
        }
        begun?;
        if self.reader.changes()? != self.changes {
            let _ = self.reader.connection.execute_batch("ROLLBACK");
            let path = self.reader.path.clone();
            return Err(StoreError::NotAlone { path, sign: "it has been changed" });
        }
        Ok(())
    }

    /// Whether as many nodes of a layer were found as there must be.
    pub(super) fn check_layer(&self, discs: u8, found: u64) -> Result<(), StoreError> {
        let added = self.added.get(&discs).copied().unwrap_or_default();
        self.reader.check_count(discs, found, added)
    }
}

/// Lock and log lie beside one name of the book: by another, a second process would write the same file,
/// and it would not find what the log holds.
fn check_has_one_name(path: &Path) -> Result<(), StoreError> {
    let names = names_of(path);
    if names <= 1 {
        return Ok(());
    }
    let what = format!(
        "the file has {names} names (hard links), and only one program would find the book's lock and \
         log beside its name: write to a copy of it"
    );
    let cause = std::io::Error::other(what);
    Err(StoreError::File { action: "write", path: path.to_owned(), cause })
}
