//! The log of what was done to the searches of a book, so that it can be taken back.
//!
//! A change is an entry. Growth, and whatever else changes single rows, leaves there what each row was before the
//! change first touched it, in the transaction that changes it: an image. A bulk operation switches that off and saves
//! the whole book in a file beside it; its entry holds the file's checksum ([`super::UndoChangesMut::add_saved`]). To take an entry
//! back is to put its images in place of the rows, which become its images in turn; so the same is done to do it
//! again.
//!
//! Whatever changes rows and leaves neither ends what could be taken back by images: they would fall on rows that are
//! others meanwhile. The log sees to that itself ([`UndoLog::pause`]).

mod capture;
mod check;
mod image;
mod read;
mod swap;
mod write;

use std::cell::Cell;

use rusqlite::Connection;
use serde::{Serialize, Serializer};

use super::RunId;
use capture::Capture;

pub use check::{UndoReport, UndoViolation};

/// The schema version that brought the tables.
const SINCE: u32 = 11;

/// A change that can be taken back, or was and can be done again.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct UndoEntry {
    /// Its number: later changes have higher ones.
    #[serde(rename = "change")]
    pub number: u64,
    /// Whether it was taken back.
    #[serde(rename = "undone")]
    pub is_undone: bool,
    /// The command, as far as it is known.
    pub command: String,
    /// When it began, UTC, as 2026-11-20T19:30:00Z; empty where that is not known.
    #[serde(serialize_with = "text_or_none")]
    pub started: String,
    pub positions_before: u64,
    pub positions_after: u64,
    /// Bytes of its images or of its file.
    pub bytes: u64,
    /// Length and checksum of the saved book beside this one that it is taken back, or done again, with; none where
    /// it has images.
    #[serde(rename = "whole_book", serialize_with = "is_there")]
    pub file: Option<String>,
}

fn text_or_none<S: Serializer>(text: &String, serializer: S) -> Result<S::Ok, S::Error> {
    Some(text).filter(|text| !text.is_empty()).serialize(serializer)
}

fn is_there<S: Serializer>(file: &Option<String>, serializer: S) -> Result<S::Ok, S::Error> {
    file.is_some().serialize(serializer)
}

/// How long nothing is noted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Pause {
    /// Until the transaction ends.
    Transaction,
    /// Until another change begins: this one is larger than the log may be.
    Change,
}

/// What a change is called.
#[derive(Clone, Default, Debug)]
struct Title {
    asked: String,
    /// Now, where it is not known.
    started: Option<String>,
    run: Option<RunId>,
}

/// What the one writer knows of the log.
#[derive(Debug)]
pub(super) struct UndoLog {
    capture: Capture,
    /// Whether rows are noted; none where a transaction that was taken back may have changed that.
    is_armed: Cell<Option<bool>>,
    pause: Option<Pause>,
    /// Rows that the connection had changed when noting was paused.
    changed_before: u64,
    /// Whether what is done while noting is paused has its entry.
    is_recorded: bool,
    /// What changes are called that are no run.
    others: Title,
    run: Option<Title>,
    /// Whether it ends with this transaction.
    run_ends: bool,
    /// The entry that images are added to.
    entry: Option<i64>,
    /// The same at the last commit.
    committed: Option<i64>,
    /// So many changes can no longer be taken back once this transaction is committed: told then.
    lost: i64,
    /// Bytes that may still be added before the log is full; none where that is not known.
    room: Option<u64>,
}

impl UndoLog {
    pub(super) fn of(connection: &Connection) -> rusqlite::Result<Self> {
        Ok(Self {
            capture: Capture::of(connection)?,
            is_armed: Cell::new(Some(false)),
            pause: None,
            changed_before: 0,
            is_recorded: false,
            others: Title::default(),
            run: None,
            run_ends: false,
            entry: None,
            committed: None,
            lost: 0,
            room: None,
        })
    }

    /// Notes rows or not, as it should be, from the next transaction on.
    pub(super) fn make_ready(&self, connection: &Connection) -> rusqlite::Result<()> {
        let wanted = Some(self.pause.is_none());
        if self.is_armed.get() == wanted {
            return Ok(());
        }
        match self.pause {
            None => self.capture.arm(connection)?,
            Some(_) => self.capture.disarm(connection)?,
        }
        self.is_armed.set(wanted);
        Ok(())
    }

    /// Notes nothing until the transaction ends. If rows are changed and the transaction makes no entry for that,
    /// what images could take back cannot be taken back any more.
    fn pause(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        if self.pause.is_none() {
            self.pause = Some(Pause::Transaction);
            // What was noted of this transaction is forgotten.
            self.changed_before = match self.capture.has_searches() {
                true => 0,
                false => connection.total_changes(),
            };
        }
        self.make_ready(connection)
    }

    /// A run begins: what is changed from here on is one entry.
    pub(super) fn begin_run(&mut self, asked: &str, started: &str, run: RunId) {
        self.end_entry();
        let (asked, started) = (asked.to_owned(), Some(started.to_owned()));
        self.run = Some(Title { asked, started, run: Some(run) });
        self.run_ends = false;
    }

    pub(super) const fn end_run(&mut self) {
        self.run_ends = true;
    }

    /// What is changed from here on is another entry.
    fn end_entry(&mut self) {
        self.capture.begin_anew();
        (self.entry, self.committed) = (None, None);
        if self.pause == Some(Pause::Change) {
            self.pause = None;
        }
    }

    fn end_transaction(&mut self) {
        if self.pause == Some(Pause::Transaction) {
            self.pause = None;
        }
        self.is_recorded = false;
    }

    /// The transaction was committed.
    pub(super) fn commit(&mut self) {
        self.end_transaction();
        self.committed = self.entry;
        let lost = std::mem::take(&mut self.lost);
        if lost > 0 {
            tracing::warn!("what was changed before ({lost} times) can no longer be undone");
        }
        if std::mem::take(&mut self.run_ends) {
            self.run = None;
            self.end_entry();
        }
    }

    /// The transaction was taken back.
    pub(super) fn rollback(&mut self) {
        self.end_transaction();
        self.capture.forget();
        self.is_armed.set(None);
        self.entry = self.committed;
        self.lost = 0;
        self.room = None;
        self.run_ends = false;
    }
}
