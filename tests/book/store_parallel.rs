//! Sweeps on several threads find the same as on one.

use crate::graphs::nodes;
use rosebill::lab::bench::grow_scratch;
use rosebill::openbook::Source;
use rosebill::store::{Book, Durability};

#[test]
fn two_threads_find_the_values_of_one() {
    let folder = tempfile::tempdir().unwrap();
    let mut book = Book::create(folder.path().join("a.db")).unwrap();
    book.set_durability(Durability::Normal).unwrap();
    for number in 0..3 {
        let engine = format!("bench {number}");
        book.source_id(&Source { engine, ..Source::default() }).unwrap();
    }
    // Large enough that the threads have more than one part each.
    grow_scratch(200_000, |layer| book.bulk_load(layer).map(|_| ())).unwrap();
    book.commit().unwrap();
    let expected = nodes(book.reader());
    assert_eq!(book.sweep_on(2).unwrap(), 0);
    book.rollback();
    book.forget_values().unwrap();
    book.commit().unwrap();
    assert!(nodes(book.reader()) != expected);
    assert!(book.sweep_on(3).unwrap() > 150_000);
    book.commit().unwrap();
    assert!(nodes(book.reader()) == expected, "values differ");
    // With changes that are not committed it is one thread, and right all the same.
    book.forget_values().unwrap();
    assert!(book.sweep_on(2).unwrap() > 150_000);
    assert!(nodes(book.reader()) == expected, "values differ");
}
