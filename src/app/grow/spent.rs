//! What the thread that owns the book spends its time on.

use crate::othello::search::ThreadTime;

/// Processor time of the thread that owns the book, in seconds.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Spent {
    /// Choosing what is searched next.
    pub rank: f64,
    /// Judging what others say that they found.
    pub check: f64,
    /// Putting results into the book, with their links.
    pub insert: f64,
    /// Bringing values up to date, up to the root.
    pub propagate: f64,
    /// Writing what lasts.
    pub commit: f64,
    /// All else: handing out, collecting, reporting.
    pub other: f64,
}

/// A clock that learns after each piece of work what it was.
pub(super) struct Meter {
    since: ThreadTime,
    spent: Spent,
}

impl Meter {
    pub(crate) fn start() -> Self {
        Self { since: ThreadTime::now(), spent: Spent::default() }
    }

    /// What was done since the last lap.
    pub(crate) fn lap(&mut self, of: fn(&mut Spent) -> &mut f64) {
        *of(&mut self.spent) += self.since.seconds();
        self.since = ThreadTime::now();
    }

    pub(crate) const fn spent(&self) -> Spent {
        self.spent
    }
}
