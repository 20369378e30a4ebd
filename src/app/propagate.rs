//! Computing all values of a book anew, and how sure they are.

use crate::store::{Book, StoreError};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Propagated {
    pub positions: u64,
    /// Those whose values or evidence, or links, were others before.
    pub changed: u64,
    /// Those on which a search is due now.
    pub due: u64,
}

/// Computes all values of a book anew on so many threads, or also all links, on one.
///
/// # Errors
/// The book cannot be read or written; then it is as it was.
pub(crate) fn propagate(
    book: &mut Book,
    links: bool,
    threads: usize,
) -> Result<Propagated, StoreError> {
    book.reader().check_layers()?;
    let positions = book.reader().counts()?.positions;
    let changed = if links { book.rebuild_links()? } else { book.sweep_on(threads)? };
    book.commit()?;
    let due = book.reader().counts()?.search_due;
    Ok(Propagated { positions, changed, due })
}
