//! Saving what is sound of a damaged book.

use std::path::Path;

use crate::store::{Book, Salvaged, StoreError, salvage};

/// Saves what is sound of a damaged book into a new one.
///
/// # Errors
/// There is a file already, it cannot be written, or the damaged one cannot be opened at all.
pub fn salvage_to(damaged: &Path, new: &Path) -> Result<Salvaged, StoreError> {
    salvage(damaged, &mut Book::create(new)?)
}
