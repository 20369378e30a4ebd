//! The identity of a book, different also from another one of the same name.

use super::lineage::IDENTITY;
use super::schema::DRAW_IDENTITY;
use super::{Book, Reader, StoreError};

impl Reader {
    /// The identity of this book, different also from one that had its name before: drawn when it is made,
    /// and the same in its copies. None where an older program made the book and it has had no great change
    /// since.
    pub fn identity(&self) -> Result<Option<String>, StoreError> {
        self.meta(IDENTITY)
    }
}

impl Book {
    /// Draws the identity of a book that has none yet; committed with what comes next.
    pub(crate) fn draw_identity(&mut self) -> Result<(), StoreError> {
        self.execute(DRAW_IDENTITY, &[&IDENTITY])
    }

    /// Makes this the same book as another one: for what is left of that.
    pub(crate) fn take_identity(&mut self, identity: &str) -> Result<(), StoreError> {
        self.set_meta(IDENTITY, identity)
    }
}
