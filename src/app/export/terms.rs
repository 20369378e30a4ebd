//! What an export is asked for, what can go wrong, and what its formats share.

use std::io;

use thiserror::Error;

use crate::app::clock::this_second;
use crate::app::complete::Completion;
use crate::app::grow::GrowError;
use crate::app::prune::Subtree;
use crate::files::books::Format;
use crate::files::books::ntest::NtestLevel;
use crate::openbook::Node;
use crate::openbook::regret::RegretLimits;
use crate::othello::board::{Key, Position};
use crate::othello::search::{Level, Stop};
use crate::store::{Reader, StoreError};

use super::few::FewReach;

/// What is to be written. The empty filter writes everything.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct ExportFilter {
    /// What is reached from here, and the positions on the way to it.
    pub from: Option<Subtree>,
    /// Positions with at most so many discs.
    pub max_discs: Option<u8>,
    /// Positions that are reached by lines within these limits.
    pub limits: RegretLimits,
    /// Positions searched as this level or a higher one would.
    pub min_level: Option<Level>,
}

impl ExportFilter {
    /// Whether everything is written.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

#[derive(Clone, Debug)]
pub struct ExportOptions {
    pub format: Format,
    /// Edax and Egaroucid: the level for all records, instead of the one that each was searched at.
    pub level: Option<Level>,
    /// NTest: the level that the book is for, instead of the highest that it supports.
    pub ntest_level: Option<NtestLevel>,
    /// Edax: year, month, day, hour, minute, second for the header.
    pub saved: (i16, i8, i8, i8, i8, i8),
    /// Which part of the book.
    pub filter: ExportFilter,
    /// What is due is searched before that is written, on a copy; none writes the book as it is.
    pub complete: Option<Completion>,
    /// Raised to stop: the target then stays as it was.
    pub stop: Stop,
}

impl Default for ExportOptions {
    /// Everything, as our own JSON Lines.
    fn default() -> Self {
        Self::new(Format::Json)
    }
}

impl ExportOptions {
    /// Everything, in this format, dated 2000-01-01 where the format has a date.
    pub fn new(format: Format) -> Self {
        let saved = (2000, 1, 1, 0, 0, 0);
        let (filter, stop) = (ExportFilter::default(), Stop::new());
        Self { format, level: None, ntest_level: None, saved, filter, complete: None, stop }
    }

    /// Everything, in this format, dated now.
    pub fn now(format: Format) -> Self {
        let now = this_second();
        let mut parts = now.split(|c: char| !c.is_ascii_digit()).map(|part| part.parse().ok());
        let mut next = || parts.next().flatten().unwrap_or_default();
        let year: i16 = next();
        let mut small = || i8::try_from(next()).unwrap_or_default();
        let saved = (year, small(), small(), small(), small(), small());
        Self { saved, ..Self::new(format) }
    }
}

/// How far an export has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExportProgress {
    /// Positions written.
    pub done: u64,
    /// Positions to write.
    pub of: u64,
    /// Searches done before that.
    pub searches: u64,
}

/// Why an export failed. The target is as it was.
#[derive(Debug, Error)]
pub enum ExportError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("cannot write {target}")]
    Target {
        target: String,
        #[source]
        error: io::Error,
    },
    #[error("the position to export from is not in the book")]
    NotInBook,
    /// No position was searched at [`ExportFilter::min_level`] but the one that lines start from.
    #[error("nothing to export: {0}")]
    NothingLeft(FewReach),
    #[error("a Zebra book holds moves, not boards: give the position to export from as a line")]
    NoWay,
    /// The format holds only what is reached from the start position.
    #[error(
        "nothing to write: a Zebra book starts at the start position, and that is not in this book"
    )]
    NoStart,
    #[error(transparent)]
    Search(GrowError),
    /// [`ExportOptions::stop`] was raised.
    #[error("interrupted: {0} is as it was")]
    Stopped(String),
}

/// Inside an export: the target's name is added at the end.
#[derive(Debug, Error)]
pub(super) enum Failure {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("not in the book")]
    NotInBook,
    #[error("nothing left")]
    NothingLeft(FewReach),
    #[error("no line from the start")]
    NoWay,
    #[error("no start position")]
    NoStart,
    #[error(transparent)]
    Search(GrowError),
    #[error("stopped")]
    Stopped,
}

impl From<csv::Error> for Failure {
    fn from(error: csv::Error) -> Self {
        Self::Io(error.into())
    }
}

/// Counts positions, and now and then reports them and asks whether to go on.
pub(super) struct Steps<'a> {
    pub(super) progress: &'a mut dyn FnMut(ExportProgress),
    pub(super) stop: &'a Stop,
    pub(super) done: u64,
    pub(super) of: u64,
}

impl Steps<'_> {
    pub(super) fn step(&mut self) -> Result<(), Failure> {
        if self.done.is_multiple_of(1 << 14) {
            (self.progress)(ExportProgress { done: self.done, of: self.of, searches: 0 });
            if self.stop.is_stopped() {
                return Err(Failure::Stopped);
            }
        }
        self.done += 1;
        Ok(())
    }
}

/// Gives the nodes of a layer in the order of keys. The store's order is the same except boards
/// whose highest bit is set.
pub(super) fn for_each_in_key_order(
    book: &Reader,
    discs: u8,
    mut each: impl FnMut(Node) -> Result<(), Failure>,
) -> Result<(), Failure> {
    // Nodes with h8 taken by the mover come first there and last here; there are few.
    let mut last = Vec::new();
    // Of one mover board, those with h8 taken by the opponent come first there.
    let mut same_mover: Vec<Node> = Vec::new();
    book.for_each_in_layer(discs, |node| -> Result<(), Failure> {
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

pub(super) type KeyMap<T> = std::collections::HashMap<Key, T, foldhash::fast::FixedState>;
