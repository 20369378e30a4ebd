use super::*;
use crate::board::{Key, Line};
use crate::book::{NodeSource, Searched, SourceId};
use crate::ops::snapshot::take_snapshot;
use crate::search::Selectivity;

/// A book that positions of one line are put into, one by one.
struct Desk {
    folder: tempfile::TempDir,
}

impl Desk {
    fn new() -> Self {
        let desk = Self { folder: tempfile::tempdir().unwrap() };
        drop(Book::create(desk.path()).unwrap());
        desk
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("book.db")
    }

    fn open(&self) -> Book {
        Book::open(self.path()).unwrap()
    }

    /// Adds the position after so many moves, as a great change.
    fn add(&self, plies: usize) -> Result<(), RestoreError> {
        change_book(&mut self.open(), true, |book| {
            put(book, plies);
            Ok(())
        })
    }

    /// After how many moves there are positions.
    fn held(&self) -> Vec<usize> {
        let book = Reader::open(self.path()).unwrap();
        (0..6).filter(|&plies| book.node(&key(plies)).unwrap().is_some()).collect()
    }

    /// As if whoever made the last great change had been killed right after its commit, where this
    /// was saved before.
    fn as_if_killed(&self, older: Option<Vec<u8>>) {
        let (place, new) = (undo_path(&self.path()), new_undo_path(&self.path()));
        assert!(!new.exists());
        fs::rename(&place, &new).unwrap();
        if let Some(older) = older {
            fs::write(&place, older).unwrap();
        }
    }

    fn take_identity_away(&self) {
        let connection = rusqlite::Connection::open(self.path()).unwrap();
        connection.execute("DELETE FROM meta WHERE name = 'identity'", []).unwrap();
    }

    fn saved(&self) -> Option<Vec<u8>> {
        fs::read(undo_path(&self.path())).ok()
    }
}

fn key(plies: usize) -> Key {
    let line: Line = "f5d6c3d3c4f4"[..2 * plies].parse().unwrap();
    Key::of(line.board().position)
}

fn put(book: &mut Book, plies: usize) {
    let searched = Searched { depth: 1, selectivity: Selectivity::FULL, source: SourceId(0) };
    book.source_id(&crate::book::Source::default()).unwrap();
    book.insert(key(plies), None, searched).unwrap();
}

#[test]
fn what_another_book_of_the_name_saved_is_set_aside_and_not_undone() {
    for place in [undo_path, new_undo_path] {
        let desk = Desk::new();
        desk.add(0).unwrap();
        let name = place(&desk.path());
        fs::rename(undo_path(&desk.path()), &name).unwrap();
        let identity = desk.open().reader().identity().unwrap().unwrap();
        let saved = fs::read(&name).unwrap();
        fs::remove_file(desk.path()).unwrap();
        drop(Book::create(desk.path()).unwrap());
        let refused = undo(&mut desk.open()).unwrap_err();
        let is_told = match refused {
            RestoreError::NotSavedOfThis { path, .. } => path == name,
            RestoreError::NothingToUndo(_) => name == new_undo_path(&desk.path()),
            _ => false,
        };
        assert!(is_told && fs::read(&name).unwrap() == saved);
        change_book(&mut desk.open(), false, |book| {
            put(book, 1);
            Ok::<_, RestoreError>(())
        })
        .unwrap();
        assert!(desk.held() == [1] && fs::read(&name).unwrap() == saved);
        let aside = |end: &str| {
            let name = name.file_name().unwrap().to_string_lossy();
            desk.path().with_file_name(format!("{name}.{}{end}", &identity[..8]))
        };
        // A file of a user's stays, too.
        fs::write(aside(""), "dear diary").unwrap();
        desk.add(2).unwrap();
        assert_eq!(desk.held(), [1, 2]);
        assert_eq!(fs::read(aside("")).unwrap(), b"dear diary");
        assert_eq!(fs::read(aside("-2")).unwrap(), saved);
        undo(&mut desk.open()).unwrap();
        assert_eq!(desk.held(), [1]);
    }
}

#[test]
fn books_that_are_swapped_have_an_undo_of_their_own_each() {
    let desk = Desk::new();
    let away = desk.folder.path().join("away.db");
    let swap = || {
        let between = desk.folder.path().join("between.db");
        fs::rename(desk.path(), &between).unwrap();
        let _ = fs::rename(&away, desk.path());
        fs::rename(&between, &away).unwrap();
    };
    desk.add(0).unwrap();
    swap();
    drop(Book::create(desk.path()).unwrap());
    for plies in [1, 2, 3] {
        desk.add(plies).unwrap();
        swap();
        desk.add(plies).unwrap();
        swap();
    }
    undo(&mut desk.open()).unwrap();
    assert_eq!(desk.held(), [1, 2]);
    swap();
    undo(&mut desk.open()).unwrap();
    assert_eq!(desk.held(), [0, 1, 2]);
    undo(&mut desk.open()).unwrap();
    assert_eq!(desk.held(), [0, 1, 2, 3]);
    swap();
    undo(&mut desk.open()).unwrap();
    assert_eq!(desk.held(), [1, 2, 3]);
    // Of each book one state lies there, and nothing twice.
    let saved = || fs::read_dir(desk.folder.path()).unwrap().map(Result::unwrap);
    let saved = saved().filter(|entry| entry.file_name().to_string_lossy().contains(".undo"));
    assert_eq!(saved.count(), 2);
}

#[test]
fn a_change_whose_maker_is_killed_is_undone_after_the_book_was_away() {
    let desk = Desk::new();
    desk.add(0).unwrap();
    let older = desk.saved();
    desk.add(1).unwrap();
    desk.as_if_killed(older);
    let away = desk.folder.path().join("away.db");
    fs::rename(desk.path(), &away).unwrap();
    drop(Book::create(desk.path()).unwrap());
    desk.add(4).unwrap();
    fs::rename(&away, desk.path()).unwrap();
    undo(&mut desk.open()).unwrap();
    assert_eq!(desk.held(), [0]);
}

#[test]
fn a_book_without_an_identity_knows_by_its_checksum_what_it_saved() {
    let desk = Desk::new();
    desk.add(0).unwrap();
    // As a program of before there were identities left it.
    desk.take_identity_away();
    let of_old = desk.saved().unwrap();
    desk.add(1).unwrap();
    assert!(desk.open().reader().identity().unwrap().is_some());
    let saved = desk.saved().unwrap();
    assert!(saved != of_old);
    undo(&mut desk.open()).unwrap();
    assert_eq!(desk.held(), [0]);
    fs::write(undo_path(&desk.path()), saved).unwrap();
    let refused = undo(&mut desk.open()).unwrap_err();
    assert!(matches!(refused, RestoreError::NotSavedOfThis { .. }), "{refused}");
}

#[test]
fn a_change_whose_maker_is_killed_after_its_commit_can_be_undone() {
    let desk = Desk::new();
    desk.add(0).unwrap();
    desk.as_if_killed(None);
    undo(&mut desk.open()).unwrap();
    assert_eq!(desk.held(), [0; 0]);
    undo(&mut desk.open()).unwrap();
    let older = desk.saved();
    desk.add(1).unwrap();
    desk.as_if_killed(older);
    // Growth is no great change.
    let mut book = desk.open();
    put(&mut book, 2);
    book.commit().unwrap();
    drop(book);
    undo(&mut desk.open()).unwrap();
    assert_eq!(desk.held(), [0]);
    // So is the next great change, which takes its place.
    let older = desk.saved();
    desk.add(3).unwrap();
    desk.as_if_killed(older);
    desk.add(4).unwrap();
    undo(&mut desk.open()).unwrap();
    assert_eq!(desk.held(), [0, 3]);
    assert!(!new_undo_path(&desk.path()).exists());
}

#[test]
fn nothing_is_lost_when_who_undoes_is_killed_after_its_commit() {
    let desk = Desk::new();
    desk.add(0).unwrap();
    desk.add(1).unwrap();
    let older = desk.saved();
    undo(&mut desk.open()).unwrap();
    desk.as_if_killed(older);
    assert_eq!(desk.held(), [0]);
    undo(&mut desk.open()).unwrap();
    assert_eq!(desk.held(), [0, 1]);
    undo(&mut desk.open()).unwrap();
    assert_eq!(desk.held(), [0]);
}

#[test]
fn what_was_saved_for_a_change_that_was_not_committed_goes() {
    let desk = Desk::new();
    desk.add(0).unwrap();
    desk.add(1).unwrap();
    take_snapshot(desk.open().reader(), &new_undo_path(&desk.path())).unwrap();
    undo(&mut desk.open()).unwrap();
    assert_eq!(desk.held(), [0]);
    assert!(!new_undo_path(&desk.path()).exists());
}

#[test]
#[cfg(unix)]
fn a_commit_that_fails_leaves_what_was_saved_before() {
    let desk = Desk::new();
    desk.add(0).unwrap();
    desk.add(1).unwrap();
    let saved = desk.saved();
    let away = desk.folder.path().join("away.db");
    let failed = change_book(&mut desk.open(), true, |book| {
        put(book, 2);
        // Who saves the book has it open when there is something unfinished.
        let names = || fs::read_dir(desk.folder.path()).unwrap().map(Result::unwrap);
        while !names().any(|entry| entry.file_name().to_string_lossy().contains("unfinished")) {
            thread::sleep(std::time::Duration::from_millis(1));
        }
        fs::rename(desk.path(), &away).unwrap();
        Ok::<_, RestoreError>(())
    });
    assert!(matches!(failed, Err(RestoreError::Store(StoreError::Gone(_)))), "{failed:?}");
    assert!(saved.is_some() && desk.saved() == saved);
    assert!(!new_undo_path(&desk.path()).exists());
    fs::rename(&away, desk.path()).unwrap();
    undo(&mut desk.open()).unwrap();
    assert_eq!(desk.held(), [0]);
}
