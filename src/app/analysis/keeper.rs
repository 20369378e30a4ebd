//! Keeping what is found in the book, beside other processes that may write it.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use foldhash::fast::FixedState;

use crate::app::BookFile;
use crate::app::clock::today;
use crate::othello::board::Key;
use crate::othello::program::ENGINE;
use crate::store::{Book, PositionAnalysis, PositionSearcher, SearcherId, StoreError};

use super::knowledge::{Equals, OWN, joined};
use super::terms::Stored;

/// Results are committed at least this often.
const COMMIT_EVERY: Duration = Duration::from_secs(1);

/// Where results go.
pub(super) struct Keeper {
    file: Option<BookFile>,
    evaluator: String,
    /// The book, once it could be opened for writing, and the number of this run's searcher.
    book: Option<(Book, SearcherId)>,
    pending: HashMap<Key, PositionAnalysis, FixedState>,
    committed: Instant,
    /// Why the last batch could not be written.
    refused: Option<String>,
}

impl Keeper {
    /// Keeps results in a book; without one nowhere.
    pub(super) fn of(file: Option<BookFile>, evaluator: String) -> Self {
        Self {
            file,
            evaluator,
            book: None,
            pending: HashMap::default(),
            committed: Instant::now(),
            refused: None,
        }
    }

    /// Takes what is known of a position now.
    pub(super) fn take(&mut self, key: Key, analysis: PositionAnalysis) -> Result<(), StoreError> {
        // What no book may hold is analysed all the same.
        let may_be_kept = key.position().empty_centre().is_empty();
        if self.file.is_some() && may_be_kept {
            self.pending.insert(key, analysis);
        }
        self.flush_if_due()
    }

    /// As [`Self::flush`], once a second.
    pub(super) fn flush_if_due(&mut self) -> Result<(), StoreError> {
        if self.committed.elapsed() < COMMIT_EVERY {
            return Ok(());
        }
        self.flush()
    }

    /// Commits what was taken. Where another process writes the book, or it cannot be written, it
    /// waits for the next time.
    pub(super) fn flush(&mut self) -> Result<(), StoreError> {
        self.committed = Instant::now();
        let Some(file) = self.file.as_ref().filter(|_| !self.pending.is_empty()) else {
            // The book looks after its files.
            return self.book.as_mut().map_or(Ok(()), |(book, _)| book.commit());
        };
        if self.book.is_none() {
            match opened(file, &self.evaluator) {
                Ok(book) => self.book = Some(book),
                Err(error @ (StoreError::Locked { .. } | StoreError::File { .. })) => {
                    self.refused = Some(why(&error));
                    return Ok(());
                }
                Err(error) => return Err(error),
            }
        }
        let Some((book, searcher)) = &mut self.book else { return Ok(()) };
        for (&key, analysis) in &self.pending {
            let mut analysis = analysis.clone();
            if analysis.searcher == OWN {
                analysis.searcher = *searcher;
            }
            // Another process may have written it since.
            let whole = match book.reader().analyses().of(key)? {
                Some(present) if present.searcher == analysis.searcher => {
                    joined(present, analysis, Equals::Join)
                }
                Some(present) => joined(present, analysis, Equals::Incoming),
                None => analysis,
            };
            book.analyses().keep(key, &whole)?;
        }
        book.commit()?;
        self.pending.clear();
        self.refused = None;
        Ok(())
    }

    /// What became of what was taken, after the last [`Self::flush`].
    pub(super) fn stored(&self) -> Stored {
        match (&self.file, &self.refused) {
            (None, _) => Stored::NoBook,
            (Some(_), Some(why)) if !self.pending.is_empty() => {
                Stored::Not { positions: self.pending.len() as u64, why: why.clone() }
            }
            _ => Stored::All,
        }
    }
}

fn opened(file: &BookFile, evaluator: &str) -> Result<(Book, SearcherId), StoreError> {
    let mut book = file.open()?;
    let searcher = book.analyses().searcher_id(&PositionSearcher {
        engine: ENGINE.to_owned(),
        evaluator: evaluator.to_owned(),
        day: today(),
    })?;
    // A batch that fails must not take its number back.
    book.commit()?;
    Ok((book, searcher))
}

fn why(error: &StoreError) -> String {
    match error {
        StoreError::Locked { writer, .. } => format!("{writer} writes the book"),
        error => error.to_string(),
    }
}
