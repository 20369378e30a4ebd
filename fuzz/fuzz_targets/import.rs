//! A whole import of a file of any format, leniently, into a book that must then be sound.
#![no_main]

use std::fs;

use libfuzzer_sys::fuzz_target;
use rosebill::app::import::{ImportOptions, import};
use rosebill::store::Book;

fuzz_target!(|data: &[u8]| {
    let Ok(folder) = tempfile::tempdir() else { return };
    let file = folder.path().join("fuzzed");
    let Ok(mut book) = Book::create(folder.path().join("book.db")) else { return };
    if fs::write(&file, data).is_err() {
        return;
    }
    let options = ImportOptions { lenient: true, ..ImportOptions::default() };
    let taken = import(&mut book, &[file], &options, |_| {});
    let positions = book.reader().counts().map(|counts| counts.positions);
    if taken.is_err() {
        assert_eq!(positions.ok(), Some(0), "half a file was taken");
        return;
    }
    // A sound book has nothing to recompute.
    assert_eq!(book.sweep().ok(), Some(0));
});
