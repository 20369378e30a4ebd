//! A look at a book before it is written: growing a damaged one would bury what can still be saved.

use std::path::Path;

use rusqlite::Connection;

use super::StoreError;
use super::pages::Pages;
use super::pages::nodes::walk;

/// Files of so many bytes are looked through as a whole.
const SMALL: u64 = 8 << 20;

/// Of a larger one about so many leaves of the tree are, and all pages above them.
const LEAVES: u32 = 2_048;

/// Looks for damage: at everything in a small book, at a sample of a large one.
pub(super) fn check_before_writing(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    if std::fs::metadata(path).is_ok_and(|file| file.len() <= SMALL) {
        check_all(connection, path)
    } else {
        check_tree(connection, path, LEAVES)
    }
}

fn check_all(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let found: String = connection
        .query_row("PRAGMA quick_check(1)", [], |row| row.get(0))
        .map_err(|cause| StoreError::database(path, cause))?;
    if found == "ok" {
        Ok(())
    } else {
        Err(StoreError::Damaged { path: path.to_owned(), what: found })
    }
}

pub(super) fn check_tree(
    connection: &Connection,
    path: &Path,
    leaves: u32,
) -> Result<(), StoreError> {
    let failed = |cause| StoreError::database(path, cause);
    // The caller holds the lock of the one writer: no other process moves the log into the file meanwhile.
    let reading = connection.unchecked_transaction().map_err(failed)?;
    let _: i64 =
        reading.query_row("SELECT count(*) FROM layer", [], |row| row.get(0)).map_err(failed)?;
    let pages = Pages::open(path)?;
    let walked = walk(&pages, (pages.count() / leaves.max(1)) as usize + 1);
    match walked.gaps.first() {
        None => Ok(()),
        Some((page, _)) => {
            let what = format!("page {page} holds no positions, or wrong ones");
            Err(StoreError::Damaged { path: path.to_owned(), what })
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::store::sample::unvalued;
    use crate::store::{Book, Reader};

    const PAGE: usize = 4096;

    #[test]
    fn a_sample_finds_what_it_reads() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let mut book = Book::create(&path).unwrap();
        for discs in [10, 11] {
            book.bulk_load(unvalued(discs)).unwrap();
        }
        book.checkpoint().unwrap();
        drop(book);
        let whole = fs::read(&path).unwrap();
        let pages = Pages::open(&path).unwrap();
        let (all, some) = (walk(&pages, 1), walk(&pages, 20));
        assert!(all.gaps.is_empty() && some.gaps.is_empty(), "{:?}", all.gaps);
        let (all_pages, some_pages) = (all.sound.len(), some.sound.len());
        assert!(some_pages * 3 < all_pages * 2, "{some_pages} of {all_pages}");
        assert!(some.sound.is_subset(&all.sound));
        let check = |leaves: u32| {
            let reader = Reader::open(&path).unwrap();
            let found = [
                check_all(&reader.connection, &path),
                check_tree(&reader.connection, &path, leaves),
            ];
            found.map(|found| found.err().map(|error| error.to_string()))
        };
        assert_eq!(check(1000), [None, None]);
        for page in all.sound {
            let mut bytes = whole.clone();
            bytes[(page as usize - 1) * PAGE..][..PAGE].fill(0);
            fs::write(&path, bytes).unwrap();
            let [one, other] = check(1000);
            let expected = format!("page {page} holds no positions");
            assert!(one.is_some() && other.is_some_and(|text| text.contains(&expected)), "{page}");
        }
        // The root is no leaf: every sample has it.
        let mut bytes = whole;
        bytes[PAGE..][..PAGE].fill(0x5a);
        fs::write(&path, bytes).unwrap();
        assert!(check(1)[1].is_some());
    }
}
