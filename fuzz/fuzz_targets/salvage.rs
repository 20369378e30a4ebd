//! What is left of a damaged book: whatever the file holds, a book that is saved from it is sound.
#![no_main]

use std::fs;

use libfuzzer_sys::fuzz_target;
use rosebill::app::salvage_to;
use rosebill::othello::search::Stop;
use rosebill::store::Book;

fuzz_target!(|data: &[u8]| {
    let Ok(folder) = tempfile::tempdir() else { return };
    let [damaged, saved] = ["damaged.db", "saved.db"].map(|name| folder.path().join(name));
    if fs::write(&damaged, data).is_err() {
        return;
    }
    if salvage_to(&damaged, &saved, &Stop::new()).is_err() {
        assert!(!saved.exists(), "an unfinished book was left");
        return;
    }
    // A sound book has nothing to recompute.
    let mut book = Book::open(&saved).expect("a book");
    assert_eq!(book.sweep().ok(), Some(0));
});
