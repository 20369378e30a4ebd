//! Reading a book, beside its writer.

use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, Params, Row, params};

use crate::openbook::{Bounds, Held, Node, NodeSource, Source, SourceId, SourceOrder, Values};
use crate::othello::board::{Key, KeyFilter};
use crate::othello::search::Stop;

use super::connection::{BookConnection, give_own_lineage};
use super::node_cache::Recall;
use super::read_ahead::ReadAhead;
use super::row::{self, RowError, unsigned};
use super::scan::Tray;
use super::{KnownSource, Run, RunId, StoreError, schema};

/// Steps of SQLite between two looks at whether it is to stop: less than a millisecond.
const STEPS: i32 = 10_000;

/// How much a book holds.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    pub positions: u64,
    /// Nodes on which a search is due.
    pub search_due: u64,
    /// Number of discs and of nodes with so many, ascending, without empty layers.
    pub layers: Vec<(u8, u64)>,
}

/// A book that is only read. It sees what was committed, works beside a writer and never waits for
/// it or holds it up.
#[derive(Debug)]
pub struct Reader {
    pub(super) path: PathBuf,
    pub(super) connection: BookConnection,
    /// Only while the one writer wants it, and in its transactions: no other changes are seen in it.
    pub(super) recall: Option<RefCell<Recall>>,
    /// The stamp of the games, and the number of changes at which it was made.
    pub(super) stamped: Cell<Option<(i64, u64)>>,
    /// Whether games are known to have remarks: not those of a book of an older program.
    pub(super) has_remarks: Cell<bool>,
    /// Whether nothing is written through this connection, whose own changes would not be reported.
    pub(super) only_reads: bool,
    pub(super) tray: Tray,
    /// The order of the sources, and how many there were of which it is.
    pub(super) order: RefCell<Option<(u64, Arc<SourceOrder>)>>,
    ahead: RefCell<ReadAhead>,
    /// Raised when the answer to a long question is no longer wanted.
    pub(super) stop: Stop,
}

/// One question: all that is read while it lives is of one moment, and faster than without. Do not
/// keep it for long beside a writer, whose log cannot shrink meanwhile.
#[derive(Debug)]
pub struct Snapshot<'r> {
    reader: &'r Reader,
    /// False inside another snapshot or a writer's transaction, which ends by itself.
    ends: bool,
}

impl Drop for Snapshot<'_> {
    fn drop(&mut self) {
        if self.ends {
            // Ending a read transaction cannot lose anything.
            let _ = self.reader.connection.execute_batch("ROLLBACK");
        }
    }
}

impl Reader {
    /// Opens a book; never creates one.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let path = path.as_ref();
        let connection = schema::open_reader(path)?;
        tracing::info!(book = %path.display(), "opened for reading");
        Ok(Self { only_reads: true, ..Self::of(path, connection)? })
    }

    /// Reads through a connection.
    pub(super) fn of(path: &Path, connection: BookConnection) -> Result<Self, StoreError> {
        let tray = Tray::of(&connection).map_err(|cause| StoreError::database(path, cause))?;
        let (path, stamped) = (path.to_owned(), Cell::new(None));
        let (order, ahead, stop) = (RefCell::default(), RefCell::default(), Stop::new());
        Ok(Self {
            path,
            connection,
            recall: None,
            stamped,
            has_remarks: Cell::new(false),
            only_reads: false,
            tray,
            order,
            ahead,
            stop,
        })
    }

    /// Has whatever goes through many positions end, with [`StoreError::Stopped`], once this is raised.
    pub(crate) fn stop_by(&mut self, stop: &Stop) {
        self.stop = stop.clone();
    }

    /// What [`Self::stop_by`] was given: for a copy of the book, which is not wanted any longer than this.
    pub const fn stop(&self) -> &Stop {
        &self.stop
    }

    /// An error once the answer is not wanted any more.
    pub(crate) fn heed_stop(&self) -> Result<(), StoreError> {
        if self.stop.is_stopped() {
            return Err(StoreError::Stopped(self.path.clone()));
        }
        Ok(())
    }

    /// Where the book is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Starts a question.
    pub fn snapshot(&self) -> Result<Snapshot<'_>, StoreError> {
        let ends = self.connection.is_autocommit();
        if ends {
            self.connection.execute_batch("BEGIN").map_err(|cause| self.failed(cause))?;
        }
        Ok(Snapshot { reader: self, ends })
    }

    /// A number that changes when another connection has changed the book. It means nothing to any
    /// other reader.
    pub fn changes(&self) -> Result<i64, StoreError> {
        Ok(self.number("PRAGMA data_version")?.cast_signed())
    }

    /// How much the book holds; instant.
    pub fn counts(&self) -> Result<Counts, StoreError> {
        let _snapshot = self.snapshot()?;
        let layers = self.layers()?;
        let positions = layers.iter().map(|&(_, count)| count).sum();
        let is_due = if self.has_schema(row::EVIDENCE)? { row::IS_DUE } else { row::WAS_DUE };
        let search_due = self.number(&format!("SELECT count(*) FROM node WHERE {is_due}"))?;
        Ok(Counts { positions, search_due, layers })
    }

    /// How many positions it holds.
    pub fn count_positions(&self) -> Result<u64, StoreError> {
        Ok(self.layers()?.iter().map(|&(_, count)| count).sum())
    }

    /// Gives the nodes of a layer, those with so many discs, in storage order.
    pub(crate) fn for_each_in_layer<E: From<StoreError>>(
        &self,
        discs: u8,
        mut each: impl FnMut(Node) -> Result<(), E>,
    ) -> Result<(), E> {
        let _snapshot = self.snapshot()?;
        let mut found = 0;
        self.each_in_layer(discs, |node| {
            found += 1;
            each(node)
        })?;
        Ok(self.check_found(discs, found)?)
    }

    /// Gives all nodes in storage order: by discs, then by the signed boards.
    pub fn for_each_node<E: From<StoreError>>(
        &self,
        mut each: impl FnMut(Node) -> Result<(), E>,
    ) -> Result<(), E> {
        let _snapshot = self.snapshot()?;
        for (discs, _) in self.layers()? {
            self.for_each_in_layer(discs, &mut each)?;
        }
        Ok(())
    }

    /// Copies the book, as it is at this moment, into a new file without the room that removed
    /// nodes left. Nothing else must be going on on this connection.
    ///
    /// # Errors
    /// There is a file already, it cannot be written, or this is stopped; what was written of it then stays.
    pub fn copy_to(&self, path: &Path) -> Result<(), StoreError> {
        if path.symlink_metadata().is_ok() {
            return Err(StoreError::Exists(path.to_owned()));
        }
        self.copy_called(path, path)?;
        // It has other pages than the book: no log of the book must ever be taken for its own.
        let stamped =
            Connection::open(schema::literal(path)).and_then(|copy| give_own_lineage(&copy));
        stamped.map_err(|cause| StoreError::database(path, cause))
    }

    /// As [`Self::copy_to`], where errors call the file by another name than it has for a while.
    pub(super) fn copy_called(&self, path: &Path, called: &Path) -> Result<(), StoreError> {
        let failed = |cause| StoreError::database(called, cause);
        // Elsewhere names are no bytes that could be handed on as they are.
        if cfg!(not(unix)) && path.to_str().is_none() {
            let cause = std::io::Error::other("its name is no Unicode");
            return Err(StoreError::File { action: "write", path: called.to_owned(), cause });
        }
        let path = schema::literal(path);
        let name = ToSqlOutput::Borrowed(ValueRef::Text(path.as_os_str().as_encoded_bytes()));
        let read_only = |wanted: bool| {
            self.connection.pragma_update(None, "query_only", wanted).map_err(failed)
        };
        let reads_only: bool = self
            .connection
            .pragma_query_value(None, "query_only", |row| row.get(0))
            .map_err(failed)?;
        // The wish to write nothing holds for the copy too, as SQLite sees it.
        read_only(false)?;
        let stop = self.stop.clone();
        let heeded = self.connection.progress_handler(STEPS, Some(move || stop.is_stopped()));
        let copied = heeded.and_then(|()| self.connection.execute("VACUUM INTO ?1", [name]));
        self.connection.progress_handler(0, None::<fn() -> bool>).map_err(failed)?;
        read_only(reads_only)?;
        // It fails because it was stopped.
        if copied.is_err() {
            self.heed_stop()?;
        }
        copied.map(|_| ()).map_err(failed)
    }

    /// Whether the book is of this schema version or a later one: one of an older program becomes so when it is
    /// written to.
    pub(super) fn has_schema(&self, number: u32) -> Result<bool, StoreError> {
        self.connection
            .pragma_query_value(None, "user_version", |row| row.get::<_, u32>(0))
            .map(|version| version >= number)
            .map_err(|cause| self.failed(cause))
    }

    pub(super) fn failed(&self, cause: rusqlite::Error) -> StoreError {
        StoreError::database(&self.path, cause)
    }

    pub(super) fn row_failed(&self, error: RowError) -> StoreError {
        match error {
            RowError::Database(cause) => self.failed(cause),
            RowError::Meaningless(what) => self.damage(what),
        }
    }

    /// The rows that a statement gives.
    pub(super) fn rows<T>(
        &self,
        sql: &str,
        parameters: impl Params,
        read: impl FnMut(&Row<'_>) -> Result<T, RowError>,
    ) -> Result<Vec<T>, StoreError> {
        let mut rows = Vec::new();
        self.each_row(sql, parameters, read, |row| {
            rows.push(row);
            Ok::<_, StoreError>(())
        })?;
        Ok(rows)
    }

    /// Gives the rows of a statement one by one.
    pub(super) fn each_row<T, E: From<StoreError>>(
        &self,
        sql: &str,
        parameters: impl Params,
        mut read: impl FnMut(&Row<'_>) -> Result<T, RowError>,
        mut each: impl FnMut(T) -> Result<(), E>,
    ) -> Result<(), E> {
        let failed = |cause| self.failed(cause);
        let mut statement = self.connection.prepare_cached(sql).map_err(failed)?;
        let mut rows = statement.query(parameters).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            each(read(row).map_err(|error| self.row_failed(error))?)?;
        }
        Ok(())
    }

    /// The first row that a statement gives.
    pub(super) fn first<T>(
        &self,
        sql: &str,
        parameters: impl Params,
        read: impl FnOnce(&Row<'_>) -> Result<T, RowError>,
    ) -> Result<Option<T>, StoreError> {
        let failed = |cause| self.failed(cause);
        let mut statement = self.connection.prepare_cached(sql).map_err(failed)?;
        let mut rows = statement.query(parameters).map_err(failed)?;
        let first = rows.next().map_err(failed)?.map(read).transpose();
        first.map_err(|error| self.row_failed(error))
    }

    /// Runs a statement of the writer that has this connection; returns how many rows it changed.
    pub(super) fn execute(&self, sql: &str, parameters: impl Params) -> Result<usize, StoreError> {
        self.connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.execute(parameters))
            .map_err(|cause| self.failed(cause))
    }

    /// The number that a statement gives, which counts.
    pub(super) fn number(&self, sql: &str) -> Result<u64, StoreError> {
        Ok(self.first(sql, [], |row| Ok(row.get(0)?))?.map_or(0, unsigned))
    }

    /// Whether a statement gives a row.
    pub(super) fn has_row(&self, sql: &str) -> Result<bool, StoreError> {
        Ok(self.first(sql, [], |_| Ok(()))?.is_some())
    }

    /// The positions that a statement gives in its first two columns, in its order; `what` names them.
    pub(super) fn keys(
        &self,
        sql: &str,
        parameters: impl Params,
        what: &str,
    ) -> Result<Vec<Key>, StoreError> {
        self.rows(sql, parameters, |row| row::key_of(row, what))
    }

    fn find(&self, keys: &[Key], mut each: impl FnMut(Option<Node>)) -> Result<(), StoreError> {
        // Of what is remembered neither the book nor the clock is asked.
        let remembered =
            |key: &Key| self.recall.as_ref().and_then(|recall| recall.borrow_mut().get(key));
        let mut left = keys;
        while let Some((key, others)) = left.split_first()
            && let Some(node) = remembered(key)
        {
            each(node);
            left = others;
        }
        if left.is_empty() {
            return Ok(());
        }
        let mut statement =
            self.connection.prepare_cached(row::FIND).map_err(|cause| self.failed(cause))?;
        let start = Instant::now();
        self.ahead.borrow().ask_for(&self.path, left);
        for &key in left {
            if let Some(node) = remembered(&key) {
                each(node);
                continue;
            }
            let (discs, mover, opponent) = row::storage_order(key);
            let mut rows = statement
                .query(params![discs, mover, opponent])
                .map_err(|cause| self.failed(cause))?;
            let node = match rows.next().map_err(|cause| self.failed(cause))? {
                None => None,
                Some(row) => Some(row::node(row).map_err(|error| self.row_failed(error))?),
            };
            if let Some(recall) = &self.recall {
                recall.borrow_mut().found(key, node);
            }
            each(node);
        }
        self.ahead.borrow_mut().took(left.len(), start.elapsed());
        Ok(())
    }

    /// All sources, by number.
    pub fn sources(&self) -> Result<Vec<KnownSource>, StoreError> {
        let sql = "SELECT id, engine, evaluator, level, format, file, day, checksum \
                   FROM source ORDER BY id";
        self.rows(sql, [], |row| {
            Ok(KnownSource {
                id: SourceId(row.get(0)?),
                source: Source {
                    engine: row.get(1)?,
                    evaluator: row.get(2)?,
                    level: row.get(3)?,
                    format: row.get(4)?,
                    file: row.get(5)?,
                    day: row.get(6)?,
                    checksum: row.get(7)?,
                },
            })
        })
    }

    /// All runs, oldest first.
    pub fn runs(&self) -> Result<Vec<Run>, StoreError> {
        let sql = "SELECT id, asked, started, ended, progress, result FROM run ORDER BY id";
        self.rows(sql, [], |row| {
            Ok(Run {
                id: RunId(row.get(0)?),
                command: row.get(1)?,
                started: row.get(2)?,
                ended: row.get(3)?,
                progress: row.get(4)?,
                result: row.get(5)?,
            })
        })
    }

    /// A named fact.
    pub fn meta(&self, name: &str) -> Result<Option<String>, StoreError> {
        self.first("SELECT value FROM meta WHERE name = ?1", [name], |row| Ok(row.get(0)?))
    }
}

impl Reader {
    /// Calls for each node, with how many there are about; false where there are more than `most`, and nothing was
    /// called then.
    fn each_of(&self, most: u64, mut each: impl FnMut(usize, &Node)) -> Result<bool, StoreError> {
        let _snapshot = self.snapshot()?;
        let count = self.layers()?.iter().map(|&(_, positions)| positions).sum::<u64>();
        let Some(count) = usize::try_from(count).ok().filter(|_| count <= most) else {
            return Ok(false);
        };
        // Those that are not committed are not counted, and are among them, too.
        for discs in self.stored_layers()? {
            self.each_in_layer::<StoreError>(discs, |node| {
                each(count, &node);
                Ok(())
            })?;
        }
        Ok(true)
    }
}

impl NodeSource for Reader {
    type Error = StoreError;

    fn node(&self, key: &Key) -> Result<Option<Node>, StoreError> {
        let mut found = None;
        self.find(std::slice::from_ref(key), |node| found = node)?;
        Ok(found)
    }

    fn nodes(&self, keys: &[Key]) -> Result<Vec<Option<Node>>, StoreError> {
        let mut found = Vec::with_capacity(keys.len());
        self.find(keys, |node| found.push(node))?;
        Ok(found)
    }

    fn filter(&self, most: u64) -> Result<Option<KeyFilter>, StoreError> {
        let mut filter = None;
        let is_whole = self.each_of(most, |count, node| {
            filter.get_or_insert_with(|| KeyFilter::with_capacity(count)).insert(node.key);
        })?;
        Ok(is_whole.then(|| filter.unwrap_or_else(|| KeyFilter::with_capacity(0))))
    }

    fn all_nodes(&self, most: usize) -> Result<Option<Vec<Node>>, StoreError> {
        let mut nodes = Vec::new();
        let is_whole = self.each_of(most as u64, |count, node| {
            nodes.reserve_exact(count.saturating_sub(nodes.len()));
            nodes.push(*node);
        })?;
        Ok(is_whole.then_some(nodes))
    }

    fn held(&self, node: &Node) -> Result<Held, StoreError> {
        self.held_of(node)
    }

    fn has_facts(&self) -> Result<bool, StoreError> {
        self.facts().has_any()
    }

    fn facts_of(&self, key: &Key) -> Result<Vec<Bounds>, StoreError> {
        Ok(self.facts().of(*key)?.into_iter().map(|fact| fact.bounds).collect())
    }

    fn known(&self, keys: &[Key]) -> Result<Vec<Option<Values>>, StoreError> {
        self.facts().known(keys)
    }
}

impl std::ops::Deref for Snapshot<'_> {
    type Target = Reader;

    fn deref(&self) -> &Reader {
        self.reader
    }
}
