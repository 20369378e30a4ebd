//! What writing a book is asked for, why it fails, and what the formats share.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::PathBuf;

use thiserror::Error;

use super::ExportReport;
use super::ntest::NtestLevel;
use crate::openbook::Node;
use crate::othello::board::{Key, Position};
use crate::othello::search::{Level, Stop};
use crate::store::{Reader, StoreError};

/// What is to be written, and how; each format takes what it has a place for.
pub(crate) struct WriteJob<'a> {
    pub(crate) book: &'a Reader,
    pub(crate) output: BufWriter<File>,
    /// Where that is, in a folder that vanishes with all that is put there.
    pub(crate) path: PathBuf,
    /// The level for all records, instead of the one that each was searched at.
    pub(crate) level: Option<Level>,
    /// NTest: the level that the book is for, instead of the highest that it supports.
    pub(crate) ntest_level: Option<NtestLevel>,
    /// Year, month, day, hour, minute, second for the header.
    pub(crate) saved: (i16, i8, i8, i8, i8, i8),
    /// The most discs of the positions that are written, where that is limited.
    pub(crate) max_discs: Option<u8>,
    /// Tables: without the games.
    pub(crate) no_games: bool,
}

pub(crate) type WriteResult = Result<ExportReport, WriteError>;

/// Why a book cannot be written.
#[derive(Debug, Error)]
pub(crate) enum WriteError {
    #[error("{0}")]
    Store(#[from] StoreError),
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The format holds only what is reached from the start position.
    #[error("no start position")]
    NoStart,
    /// Two positions have one key of the tables, which could not tell them apart.
    #[error("two positions have the key {key}: {} and {}", boards[0], boards[1])]
    SameKey { key: i64, boards: [String; 2] },
    #[error("stopped")]
    Stopped,
}

impl From<csv::Error> for WriteError {
    fn from(error: csv::Error) -> Self {
        Self::Io(error.into())
    }
}

/// How far an export has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExportProgress {
    /// Positions written, or searches done.
    pub done: u64,
    /// Of how many.
    pub of: u64,
    /// Searches come before positions are written.
    pub is_searching: bool,
}

/// Counts positions, and now and then reports them and asks whether to go on.
pub(crate) struct Steps<'a> {
    pub(crate) progress: &'a mut dyn FnMut(ExportProgress),
    pub(crate) stop: &'a Stop,
    pub(crate) done: u64,
    pub(crate) of: u64,
}

impl Steps<'_> {
    pub(crate) fn step(&mut self) -> Result<(), WriteError> {
        if self.done.is_multiple_of(1 << 14) {
            (self.progress)(ExportProgress { done: self.done, of: self.of, is_searching: false });
            if self.stop.is_stopped() {
                return Err(WriteError::Stopped);
            }
        }
        self.done += 1;
        Ok(())
    }
}

/// Gives the nodes of a layer in the order of keys. The store's order is the same except boards
/// whose highest bit is set.
pub(crate) fn for_each_in_key_order(
    book: &Reader,
    discs: u8,
    mut each: impl FnMut(Node) -> Result<(), WriteError>,
) -> Result<(), WriteError> {
    // Nodes with h8 taken by the mover come first there and last here; there are few.
    let mut last = Vec::new();
    // Of one mover board, those with h8 taken by the opponent come first there.
    let mut same_mover: Vec<Node> = Vec::new();
    book.for_each_in_layer(discs, |node| -> Result<(), WriteError> {
        let Position { mover, .. } = node.key.position();
        if mover >> 63 != 0 {
            last.push(node);
            return Ok(());
        }
        if same_mover.first().is_some_and(|first| first.key.position().mover != mover) {
            same_mover.sort_unstable_by_key(|node| node.key);
            same_mover.drain(..).try_for_each(&mut each)?;
        }
        same_mover.push(node);
        Ok(())
    })?;
    same_mover.sort_unstable_by_key(|node| node.key);
    last.sort_unstable_by_key(|node: &Node| node.key);
    same_mover.into_iter().chain(last).try_for_each(each)
}

pub(crate) type KeyMap<T> = std::collections::HashMap<Key, T, foldhash::fast::FixedState>;
