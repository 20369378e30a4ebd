//! What a book notes beside its nodes: where values come from, what was asked of it, named facts.

use rusqlite::params;

use crate::openbook::{Source, SourceId};

use super::row::MAX_SOURCES;
use super::{Book, StoreError};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KnownSource {
    /// Its number in nodes.
    pub id: SourceId,
    pub source: Source,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RunId(pub i64);

/// Something that was asked of the book.
#[derive(serde::Serialize, Clone, PartialEq, Eq, Debug)]
pub struct Run {
    #[serde(skip)]
    pub id: RunId,
    /// The command.
    pub command: String,
    /// When, UTC, as 2026-11-20T19:30:00Z.
    pub started: String,
    /// When it ended; none while it runs, or when it was killed.
    pub ended: Option<String>,
    /// How far it came, as it last said.
    pub progress: String,
    /// How it ended, in words.
    #[serde(rename = "message")]
    pub result: Option<String>,
}

impl Book {
    /// The number of a source, which is added when it is new.
    pub fn source_id(&mut self, source: &Source) -> Result<SourceId, StoreError> {
        let Source { engine, evaluator, level, format, file, day, checksum } = source;
        let values = params![engine, evaluator, level, format, file, day, checksum];
        // Numbers count from 0: small ones keep the packed rests short.
        let add = "INSERT OR IGNORE INTO source \
                   (id, engine, evaluator, level, format, file, day, checksum) \
                   SELECT coalesce(max(id) + 1, 0), ?1, ?2, ?3, ?4, ?5, ?6, ?7 FROM source";
        self.execute(add, values)?;
        let find = "SELECT id FROM source WHERE (engine, evaluator, level, format, file, day, \
                    checksum) = (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        let id: Option<u32> = self.reader.first(find, values, |row| Ok(row.get(0)?))?;
        let id = id.ok_or_else(|| self.reader.damage("a source that was added is not there"))?;
        if id >= MAX_SOURCES {
            let path = self.reader.path.clone();
            return Err(StoreError::Sources { path, limit: MAX_SOURCES });
        }
        Ok(SourceId(id))
    }

    /// Forgets sources of which nothing was taken.
    pub(crate) fn forget_sources(
        &mut self,
        unused: impl IntoIterator<Item = SourceId>,
    ) -> Result<(), StoreError> {
        for source in unused {
            self.execute("DELETE FROM source WHERE id = ?1", params![source.0])?;
        }
        self.reader.forget_order();
        Ok(())
    }

    /// As [`Book::source_id`], for a source that is not known yet and has a number already, which it keeps where no
    /// other has it.
    pub(crate) fn source_numbered(
        &mut self,
        number: SourceId,
        source: &Source,
    ) -> Result<SourceId, StoreError> {
        let Source { engine, evaluator, level, format, file, day, checksum } = source;
        if number.0 < MAX_SOURCES {
            self.execute(
                "INSERT OR IGNORE INTO source \
                 (id, engine, evaluator, level, format, file, day, checksum) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                params![number.0, engine, evaluator, level, format, file, day, checksum],
            )?;
        }
        self.source_id(source)
    }

    /// Notes that something was asked of the book, and when (UTC, as 2026-11-20T19:30:00Z). What is changed until
    /// [`Book::end_run`] can be taken back as a whole.
    pub fn start_run(&mut self, asked: &str, started: &str) -> Result<RunId, StoreError> {
        self.execute("INSERT INTO run (asked, started) VALUES (?1, ?2)", params![asked, started])?;
        let run = RunId(self.reader.connection.last_insert_rowid());
        self.log.begin_run(asked, started, run);
        Ok(run)
    }

    /// Notes how far a run has come.
    pub fn note_progress(&mut self, run: RunId, progress: &str) -> Result<(), StoreError> {
        self.execute("UPDATE run SET progress = ?2 WHERE id = ?1", params![run.0, progress])
    }

    /// Notes the end of a run and the result.
    pub fn end_run(&mut self, run: RunId, ended: &str, result: &str) -> Result<(), StoreError> {
        self.execute(
            "UPDATE run SET ended = ?2, result = ?3 WHERE id = ?1",
            params![run.0, ended, result],
        )?;
        self.log.end_run();
        Ok(())
    }

    /// Sets a named fact.
    pub fn set_meta(&mut self, name: &str, value: &str) -> Result<(), StoreError> {
        self.execute(
            "INSERT INTO meta (name, value) VALUES (?1, ?2) \
             ON CONFLICT (name) DO UPDATE SET value = ?2",
            params![name, value],
        )
    }
}
