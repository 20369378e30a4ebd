//! Reading a book, beside whoever writes it.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension, params};

use crate::board::{Key, Position};
use crate::book::{Node, NodeSource, Source, SourceId};

use super::row::{self, RowError, unsigned};
use super::scan::scan;
use super::{KnownSource, Run, RunId, StoreError, schema};

/// How much a book holds.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Nodes.
    pub positions: u64,
    /// Nodes on which a search is due.
    pub incomplete: u64,
    /// Number of discs and of nodes with so many, ascending, without empty layers.
    pub layers: Vec<(u8, u64)>,
}

/// A book that is only read. It sees what was committed, works beside a writer and never waits for
/// it or holds it up.
#[derive(Debug)]
pub struct Reader {
    pub(super) path: PathBuf,
    pub(super) connection: Connection,
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
    ///
    /// # Errors
    /// There is no book, or it cannot be read.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let path = path.as_ref();
        let connection = schema::open_reader(path)?;
        tracing::info!(book = %path.display(), "opened for reading");
        Ok(Self { path: path.to_owned(), connection })
    }

    /// Where the book is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Starts a question.
    ///
    /// # Errors
    /// The book cannot be read.
    pub fn snapshot(&self) -> Result<Snapshot<'_>, StoreError> {
        let ends = self.connection.is_autocommit();
        if ends {
            self.connection.execute_batch("BEGIN").map_err(|cause| self.failed(cause))?;
        }
        Ok(Snapshot { reader: self, ends })
    }

    /// How much the book holds; instant.
    ///
    /// # Errors
    /// The book cannot be read.
    pub fn counts(&self) -> Result<Counts, StoreError> {
        let _snapshot = self.snapshot()?;
        let layers = self.layers()?;
        let positions = layers.iter().map(|&(_, count)| count).sum();
        let incomplete: i64 = self
            .connection
            .prepare_cached("SELECT count(*) FROM node WHERE (rest & 127) = 66")
            .and_then(|mut statement| statement.query_row([], |row| row.get(0)))
            .map_err(|cause| self.failed(cause))?;
        Ok(Counts { positions, incomplete: unsigned(incomplete), layers })
    }

    /// Gives the nodes of a layer, those with so many discs, in storage order.
    ///
    /// # Errors
    /// The book cannot be read, or those of `each`.
    pub fn for_each_in_layer<E: From<StoreError>>(
        &self,
        discs: u8,
        mut each: impl FnMut(Node) -> Result<(), E>,
    ) -> Result<(), E> {
        self.each_in_layer(discs, |node, _| each(node))
    }

    /// Gives all nodes in storage order: by discs, then by the signed boards.
    ///
    /// # Errors
    /// The book cannot be read, or those of `each`.
    pub fn for_each_node<E: From<StoreError>>(
        &self,
        mut each: impl FnMut(Node) -> Result<(), E>,
    ) -> Result<(), E> {
        let _snapshot = self.snapshot()?;
        for (discs, _) in self.layers()? {
            self.each_in_layer(discs, |node, _| each(node))?;
        }
        Ok(())
    }

    /// Copies the book, as of this moment, into a new file without the room that removed nodes
    /// left. Nothing else must be going on on this connection.
    ///
    /// # Errors
    /// There is a file already, or it cannot be written; what was written of it then stays.
    pub fn copy_to(&self, path: &Path) -> Result<(), StoreError> {
        if path.symlink_metadata().is_ok() {
            return Err(StoreError::Exists(path.to_owned()));
        }
        let failed = |cause| StoreError::database(path, cause);
        let Some(name) = path.to_str() else {
            let cause = std::io::Error::other("its name is no Unicode");
            return Err(StoreError::File { action: "write", path: path.to_owned(), cause });
        };
        // The wish to write nothing holds for the copy too, as SQLite sees it.
        self.connection.execute_batch("PRAGMA query_only = OFF").map_err(failed)?;
        let copied = self.connection.execute("VACUUM INTO ?1", [name]);
        self.connection.execute_batch("PRAGMA query_only = ON").map_err(failed)?;
        copied.map(|_| ()).map_err(failed)
    }

    pub(super) fn failed(&self, cause: rusqlite::Error) -> StoreError {
        StoreError::database(&self.path, cause)
    }

    pub(super) fn row_failed(&self, error: RowError) -> StoreError {
        match error {
            RowError::Database(cause) => match cause {
                rusqlite::Error::InvalidColumnType(..)
                | rusqlite::Error::IntegralValueOutOfRange(..)
                | rusqlite::Error::FromSqlConversionFailure(..) => {
                    StoreError::Damaged { path: self.path.clone(), what: cause.to_string() }
                }
                cause => self.failed(cause),
            },
            RowError::Meaningless(what) => StoreError::Damaged { path: self.path.clone(), what },
        }
    }

    fn find(&self, keys: &[Key], mut each: impl FnMut(Option<Node>)) -> Result<(), StoreError> {
        let mut statement = self
            .connection
            .prepare_cached(
                "SELECT mover, opponent, guess, draw_seeking, win_seeking, bounds, rest, links \
                 FROM node WHERE discs = ?1 AND mover = ?2 AND opponent = ?3",
            )
            .map_err(|cause| self.failed(cause))?;
        for &key in keys {
            let (discs, mover, opponent) = row::storage_order(key);
            let mut rows = statement
                .query(params![discs, mover, opponent])
                .map_err(|cause| self.failed(cause))?;
            each(match rows.next().map_err(|cause| self.failed(cause))? {
                None => None,
                Some(row) => Some(row::node(row).map_err(|error| self.row_failed(error))?.0),
            });
        }
        Ok(())
    }

    /// Gives the nodes of a layer in storage order, each with its packed rest.
    pub(super) fn each_in_layer<E: From<StoreError>>(
        &self,
        discs: u8,
        each: impl FnMut(Node, i64) -> Result<(), E>,
    ) -> Result<(), E> {
        self.scan_nodes("node WHERE discs = ?2", &[i64::from(discs)], each)
    }

    /// Gives the nodes of a layer in storage order whose mover's board, as it is stored, is not below
    /// `first` and below `end`, if there is an end.
    pub(super) fn each_in_part(
        &self,
        discs: u8,
        first: i64,
        end: Option<i64>,
        mut each: impl FnMut(Node),
    ) -> Result<(), StoreError> {
        let mut take = |node, _| -> Result<(), StoreError> {
            each(node);
            Ok(())
        };
        let discs = i64::from(discs);
        match end {
            None => {
                self.scan_nodes("node WHERE discs = ?2 AND mover >= ?3", &[discs, first], &mut take)
            }
            Some(end) => self.scan_nodes(
                "node WHERE discs = ?2 AND mover >= ?3 AND mover < ?4",
                &[discs, first, end],
                &mut take,
            ),
        }
    }

    /// Gives nodes of one layer, as the primary key finds them: in storage order. That of a book
    /// which was damaged may be another, which is an error.
    fn scan_nodes<E: From<StoreError>>(
        &self,
        from: &str,
        parameters: &[i64],
        mut each: impl FnMut(Node, i64) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut before = None;
        let failed = |cause| E::from(self.failed(cause));
        scan(&self.connection, row::COLUMNS, from, parameters, failed, |row| {
            let (node, packed) = row::scanned_node(row).map_err(|error| self.row_failed(error))?;
            // Without the discs: SQLite goes by the column, whatever the position holds.
            let (_, mover, opponent) = row::storage_order(node.key);
            let place = (mover, opponent);
            if before.is_some_and(|before| before >= place) {
                let what = "the positions are not in the order of their keys".to_owned();
                return Err(StoreError::Damaged { path: self.path.clone(), what }.into());
            }
            before = Some(place);
            each(node, packed)
        })
    }

    /// Whether pages are read from a mapping of the file, which makes single questions faster, or
    /// through a small cache, which keeps a sweep from touching as much memory as the file has.
    pub(super) fn map_file(&self, map: bool) -> Result<(), StoreError> {
        let pragma = if map { "PRAGMA mmap_size = 1099511627776" } else { "PRAGMA mmap_size = 0" };
        self.connection.query_row(pragma, [], |_| Ok(())).map_err(|cause| self.failed(cause))
    }

    fn due(&self, limit: usize) -> Result<Vec<Key>, StoreError> {
        let read = || -> rusqlite::Result<Vec<Key>> {
            let mut statement = self.connection.prepare_cached(
                "SELECT mover, opponent FROM node WHERE (rest & 127) = 66 \
                 ORDER BY discs, mover, opponent LIMIT ?1",
            )?;
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            let rows = statement.query_map([limit], |row| {
                let (mover, opponent) = (unsigned(row.get(0)?), unsigned(row.get(1)?));
                Ok(Key::from_stored(Position { mover, opponent }))
            })?;
            rows.collect()
        };
        read().map_err(|cause| self.failed(cause))
    }

    /// Number of discs and of nodes with so many, ascending, without empty layers.
    pub(super) fn layers(&self) -> Result<Vec<(u8, u64)>, StoreError> {
        let read = || -> rusqlite::Result<Vec<(u8, u64)>> {
            let mut statement = self.connection.prepare_cached(
                "SELECT discs, positions FROM layer WHERE positions <> 0 ORDER BY discs",
            )?;
            let rows = statement.query_map([], |row| Ok((row.get(0)?, unsigned(row.get(1)?))))?;
            rows.collect()
        };
        read().map_err(|cause| self.failed(cause))
    }

    /// All sources, by number.
    ///
    /// # Errors
    /// The book cannot be read.
    pub fn sources(&self) -> Result<Vec<KnownSource>, StoreError> {
        let read = || -> rusqlite::Result<Vec<KnownSource>> {
            let mut statement = self.connection.prepare_cached(
                "SELECT id, engine, evaluator, level, format, file, day, checksum \
                 FROM source ORDER BY id",
            )?;
            let rows = statement.query_map([], |row| {
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
            })?;
            rows.collect()
        };
        read().map_err(|cause| self.failed(cause))
    }

    /// All runs, oldest first.
    ///
    /// # Errors
    /// The book cannot be read.
    pub fn runs(&self) -> Result<Vec<Run>, StoreError> {
        let read = || -> rusqlite::Result<Vec<Run>> {
            let mut statement = self.connection.prepare_cached(
                "SELECT id, asked, started, ended, progress, result FROM run ORDER BY id",
            )?;
            let rows = statement.query_map([], |row| {
                Ok(Run {
                    id: RunId(row.get(0)?),
                    asked: row.get(1)?,
                    started: row.get(2)?,
                    ended: row.get(3)?,
                    progress: row.get(4)?,
                    result: row.get(5)?,
                })
            })?;
            rows.collect()
        };
        read().map_err(|cause| self.failed(cause))
    }

    /// A named fact.
    ///
    /// # Errors
    /// The book cannot be read.
    pub fn meta(&self, name: &str) -> Result<Option<String>, StoreError> {
        self.connection
            .prepare_cached("SELECT value FROM meta WHERE name = ?1")
            .and_then(|mut statement| statement.query_row([name], |row| row.get(0)).optional())
            .map_err(|cause| self.failed(cause))
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

    fn incomplete(&self, limit: usize) -> Result<Vec<Key>, StoreError> {
        self.due(limit)
    }
}

impl std::ops::Deref for Snapshot<'_> {
    type Target = Reader;

    fn deref(&self) -> &Reader {
        self.reader
    }
}
