//! Growth that the page starts, watches and stops, where the server was started so that it may.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::http::{HeaderMap, StatusCode, header};

use super::error::WebError;
use super::serve_error::ServeError;
use crate::app::{BookFile, BookLevel, DEFAULT_LEVEL, Grower};
use crate::othello::search::Level;

/// How a server grows its book.
#[derive(Clone, Copy, Debug)]
pub struct GrowTerms {
    /// Searches at once.
    pub threads: usize,
    /// MiB of transposition table for each of them.
    pub table_megabytes: usize,
}

/// Growth, and the token to start and stop it.
pub struct Growth {
    pub grower: Arc<Grower>,
    /// What a request that starts it must know.
    pub token: String,
    /// The book's own level, as it was when the server began: what is grown at where no other is asked for.
    pub level: Level,
    changes: Arc<AtomicU64>,
}

impl Growth {
    /// Of a book that need not be there yet.
    pub fn new(file: BookFile, terms: GrowTerms) -> Result<Self, ServeError> {
        let mut random = [0; 16];
        getrandom::fill(&mut random).map_err(ServeError::Random)?;
        let token = random.iter().map(|byte| format!("{byte:02x}")).collect();
        let changes = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&changes);
        let changed = move || {
            counted.fetch_add(1, Ordering::Relaxed);
        };
        let own = file.read().ok().and_then(|book| BookLevel::of(&book).ok().flatten());
        let level = own.map_or(DEFAULT_LEVEL, BookLevel::level);
        let grower = Grower::of(file, terms.threads, terms.table_megabytes, changed);
        Ok(Self { grower, token, level, changes })
    }

    /// A number that rises when the state of growth changes.
    pub fn changes(&self) -> u64 {
        self.changes.load(Ordering::Relaxed)
    }

    /// Admits a request that knows the token.
    pub fn admit(&self, headers: &HeaderMap) -> Result<(), WebError> {
        let given = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let given = given.and_then(|value| value.strip_prefix("Bearer "));
        let Some(given) = given else {
            let text =
                "this needs the token: open the address that 'rosebill serve --grow' printed";
            return Err(WebError::new(StatusCode::UNAUTHORIZED, text));
        };
        match is_same(given.trim().as_bytes(), self.token.as_bytes()) {
            true => Ok(()),
            false => {
                let text =
                    "this is not the token of this run: open the address that its start printed";
                Err(WebError::new(StatusCode::FORBIDDEN, text))
            }
        }
    }
}

/// Whether two texts are the same, in a time that does not show how much of them is.
fn is_same(one: &[u8], other: &[u8]) -> bool {
    let differences = one.iter().zip(other).fold(0, |all, (one, other)| all | (one ^ other));
    one.len() == other.len() && differences == 0
}
