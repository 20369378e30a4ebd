use std::fs;

use proptest::prelude::*;

use super::*;
use crate::app::import::{ImportOptions, import};
use crate::app::snapshot::take_snapshot;
use crate::openbook::{Bounds, NodeSource, Rest, Searched, Source, SourceId, child_of};
use crate::othello::board::{Key, Line, Position};
use crate::othello::score::Score;
use crate::othello::search::{Proof, Selectivity};
use crate::store::{Fact, saved_path};

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

    /// Adds the position after so many moves, as growth does.
    fn grow(&self, plies: usize) {
        let mut book = self.open();
        let run = book.start_run("grow", "2026-11-27T19:00:00Z").unwrap();
        put(&mut book, plies);
        book.end_run(run, "2026-11-27T19:00:01Z", "grown").unwrap();
        book.commit().unwrap();
    }

    fn undo(&self) -> Result<Vec<UndoEntry>, RestoreError> {
        undo(&mut self.open(), None)
    }

    fn redo(&self) -> Result<UndoEntry, RestoreError> {
        redo(&mut self.open())
    }

    /// After how many moves there are positions.
    fn held(&self) -> Vec<usize> {
        let book = Reader::open(self.path()).unwrap();
        (0..6).filter(|&plies| book.node(&key(plies)).unwrap().is_some()).collect()
    }

    /// Where the book is saved before a change, or after it.
    fn place(&self, change: u64, is_undone: bool) -> PathBuf {
        let identity = Reader::open(self.path()).unwrap().identity().unwrap().unwrap();
        saved_path(&self.path(), &identity, change, is_undone)
    }

    /// The names of what is saved beside the book.
    fn saved(&self) -> Vec<PathBuf> {
        let paths = fs::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap().path());
        let is_saved = |path: &PathBuf| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            name.contains(".undo") || name.contains(".redo")
        };
        let mut saved: Vec<PathBuf> = paths.filter(is_saved).collect();
        saved.sort_unstable();
        saved
    }
}

fn key(plies: usize) -> Key {
    let line: Line = "f5d6c3d3c4f4"[..2 * plies].parse().unwrap();
    Key::of(line.board().position)
}

fn put(book: &mut Book, plies: usize) {
    let searched = Searched { depth: 1, selectivity: Selectivity::FULL, source: SourceId(0) };
    book.source_id(&Source::default()).unwrap();
    book.insert(key(plies), None, searched).unwrap();
}

/// All rows of the searches of a book. A source that no search is of may stay.
fn content(book: &Path) -> Vec<String> {
    let connection = rusqlite::Connection::open(book).unwrap();
    let mut all = Vec::new();
    let used = "source WHERE id IN (SELECT rest >> 39 FROM node UNION SELECT source FROM fact)";
    for table in ["node", "layer WHERE positions <> 0", used, "original", "fact", "known"] {
        let mut statement = connection.prepare(&format!("SELECT * FROM {table}")).unwrap();
        let count = statement.column_count();
        let mut rows = statement.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            let columns = (0..count).map(|column| row.get::<_, rusqlite::types::Value>(column));
            all.push(format!("{table} {:?}", columns.map(Result::unwrap).collect::<Vec<_>>()));
        }
    }
    all
}

#[test]
fn an_import_that_says_nothing_new_leaves_the_list_as_it_was() {
    let desk = Desk::new();
    desk.grow(0);
    let file = desk.folder.path().join("proofs.csv");
    fs::write(&file, "line,proven_value\nf5d6,0\n").unwrap();
    let entries = || Reader::open(desk.path()).unwrap().undo_log().changes().unwrap();
    let import = |undo: bool| {
        let options = ImportOptions { undo, ..ImportOptions::default() };
        import(&mut desk.open(), std::slice::from_ref(&file), &options, |_| {}).unwrap();
    };
    import(true);
    let (known, saved) = (entries(), desk.saved());
    assert_eq!((known.len(), saved.len()), (2, 1));
    for undo in [true, false] {
        import(undo);
        assert_eq!((entries(), desk.saved()), (known.clone(), saved.clone()));
    }
    desk.undo().unwrap();
    assert_eq!(Reader::open(desk.path()).unwrap().facts().count().unwrap(), 0);
    desk.undo().unwrap();
    assert_eq!(desk.held(), [0; 0]);
}

#[test]
fn a_book_that_is_deleted_or_swapped_leaves_its_undo_to_itself() {
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
    assert!(matches!(desk.undo(), Err(RestoreError::NothingToUndo { .. })));
    for plies in [1, 2, 3] {
        desk.add(plies).unwrap();
        swap();
        desk.add(plies).unwrap();
        swap();
    }
    assert_eq!(desk.saved().len(), 7);
    desk.undo().unwrap();
    assert_eq!(desk.held(), [1, 2]);
    swap();
    undo(&mut desk.open(), Some(3)).unwrap();
    assert_eq!(desk.held(), [0, 1]);
    desk.redo().unwrap();
    assert_eq!(desk.held(), [0, 1, 2]);
    swap();
    assert_eq!(desk.held(), [1, 2]);
    desk.redo().unwrap();
    assert_eq!(desk.held(), [1, 2, 3]);
    assert_eq!(desk.saved().len(), 7);
}

#[test]
fn a_file_of_a_users_is_refused_and_stays() {
    let desk = Desk::new();
    desk.add(0).unwrap();
    let place = desk.place(2, false);
    fs::write(&place, "dear diary").unwrap();
    assert!(matches!(desk.add(1), Err(RestoreError::UndoTaken { .. })));
    assert!(matches!(check_undo_place(&desk.open()), Err(RestoreError::UndoTaken { .. })));
    assert_eq!((desk.held(), fs::read(&place).unwrap().as_slice()), (vec![0], &b"dear diary"[..]));
    desk.undo().unwrap();
    assert_eq!(desk.held(), [0; 0]);
}

#[test]
fn a_saved_book_that_is_another_one_takes_nothing_back() {
    let desk = Desk::new();
    desk.add(0).unwrap();
    desk.grow(1);
    desk.add(2).unwrap();
    fs::copy(desk.place(1, false), desk.place(3, false)).unwrap();
    for _ in 0..2 {
        let refused = desk.undo().unwrap_err();
        let is_missing =
            matches!(refused, RestoreError::SavedIsMissing { change: 3, is_undone: false, .. });
        assert!(is_missing && desk.held() == [0, 1, 2], "{refused}");
        let _ = fs::remove_file(desk.place(3, false));
    }
}

#[test]
fn whoever_is_killed_before_the_commit_leaves_a_file_that_goes() {
    let desk = Desk::new();
    desk.add(0).unwrap();
    desk.add(1).unwrap();
    let before = desk.saved();
    // As if the book had been saved for a change, or for taking one back, and nothing was committed.
    for (orphan, turn) in [(3, false), (2, true), (7, false)] {
        take_snapshot(desk.open().reader(), &desk.place(orphan, turn)).unwrap();
        assert_eq!(desk.saved().len(), 3);
        desk.undo().unwrap();
        assert_eq!((desk.held(), desk.saved().len()), (vec![0], 2));
        desk.redo().unwrap();
        assert_eq!((desk.held(), desk.saved()), (vec![0, 1], before.clone()));
    }
    // Of another book it stays.
    let other = Desk::new();
    let theirs = desk.place(3, false);
    take_snapshot(other.open().reader(), &theirs).unwrap();
    desk.undo().unwrap();
    assert!(theirs.exists());
}

/// The state of all files at a moment, as a kill would leave them.
fn copy_of(desk: &Desk) -> Desk {
    let copy = Desk { folder: tempfile::tempdir().unwrap() };
    for entry in fs::read_dir(desk.folder.path()).unwrap().map(Result::unwrap) {
        if entry.file_type().unwrap().is_file() {
            fs::copy(entry.path(), copy.folder.path().join(entry.file_name())).unwrap();
        }
    }
    copy
}

#[test]
fn between_the_saved_book_and_the_commit_a_kill_leaves_all_as_it_was() {
    let desk = Desk::new();
    desk.add(0).unwrap();
    desk.grow(1);
    let mut book = desk.open();
    // What `change_book` does, up to the commit.
    let place =
        owner_of(&mut book).unwrap().place(book.reader().undo_log().next_change().unwrap(), false);
    let saver = UndoSaver::start(&mut book, &place).unwrap();
    book.undo_log().pause().unwrap();
    put(&mut book, 2);
    book.settle().unwrap();
    let (checksum, bytes) = saver.finish().unwrap();
    let saved_only = copy_of(&desk);
    book.undo_log().add_saved(2, &checksum, bytes).unwrap();
    let logged = copy_of(&desk);
    book.commit().unwrap();
    let committed = copy_of(&desk);
    drop(book);
    for killed in [saved_only, logged] {
        assert_eq!(killed.held(), [0, 1]);
        assert_eq!(killed.saved().len(), 2);
        killed.undo().unwrap();
        assert_eq!(killed.held(), [0]);
        killed.undo().unwrap();
        assert_eq!((killed.held(), killed.saved().len()), (vec![], 1));
        killed.redo().unwrap();
        killed.redo().unwrap();
        assert_eq!(killed.held(), [0, 1]);
    }
    assert_eq!(committed.held(), [0, 1, 2]);
    undo(&mut committed.open(), Some(2)).unwrap();
    assert_eq!(committed.held(), [0]);
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
        // The thread that saves the book has it open when there is something unfinished.
        let names = || fs::read_dir(desk.folder.path()).unwrap().map(Result::unwrap);
        while !names().any(|entry| entry.file_name().to_string_lossy().contains("unfinished")) {
            thread::sleep(std::time::Duration::from_millis(1));
        }
        fs::rename(desk.path(), &away).unwrap();
        Ok::<_, RestoreError>(())
    });
    assert!(matches!(failed, Err(RestoreError::Store(StoreError::Gone(_)))), "{failed:?}");
    fs::rename(&away, desk.path()).unwrap();
    desk.undo().unwrap();
    assert_eq!(desk.held(), [0]);
    desk.redo().unwrap();
    assert_eq!((desk.held(), desk.saved()), (vec![0, 1], saved));
}

#[test]
fn a_change_without_undo_ends_what_images_take_back() {
    let desk = Desk::new();
    desk.grow(0);
    desk.add(1).unwrap();
    desk.grow(2);
    change_book(&mut desk.open(), false, |book| {
        put(book, 3);
        Ok::<_, RestoreError>(())
    })
    .unwrap();
    // The saved book takes back what came after it, too.
    desk.undo().unwrap();
    assert_eq!(desk.held(), [0]);
    desk.redo().unwrap();
    assert_eq!(desk.held(), [0, 1, 2, 3]);
    desk.undo().unwrap();
    desk.undo().unwrap();
    assert_eq!(desk.held(), [0; 0]);
    assert!(matches!(desk.undo(), Err(RestoreError::NothingToUndo { .. })));
}

#[test]
fn a_new_change_ends_what_could_be_done_again() {
    let desk = Desk::new();
    desk.grow(0);
    desk.add(1).unwrap();
    undo(&mut desk.open(), Some(1)).unwrap();
    let runs = || Reader::open(desk.path()).unwrap().runs().unwrap();
    assert_eq!(runs()[0].result.as_deref(), Some("grown, undone"));
    desk.redo().unwrap();
    assert_eq!(runs()[0].result.as_deref(), Some("grown"));
    assert_eq!(desk.held(), [0]);
    desk.grow(2);
    assert!(matches!(desk.redo(), Err(RestoreError::NothingToRedo(_))));
    let refused = undo(&mut desk.open(), Some(3)).unwrap_err();
    assert!(matches!(refused, RestoreError::NoSuchChange { change: 3, .. }));
    // A run that changes nothing is no change.
    let mut book = desk.open();
    let run = book.start_run("grow", "2026-11-27T19:00:00Z").unwrap();
    book.source_id(&Source { level: "7".to_owned(), ..Source::default() }).unwrap();
    book.end_run(run, "2026-11-27T19:00:00Z", "nothing").unwrap();
    book.commit().unwrap();
    drop(book);
    assert_eq!(desk.undo().unwrap()[0].number, 2);
    assert_eq!(desk.held(), [0]);
}

#[test]
fn what_an_older_program_saved_is_brought_back() {
    let desk = Desk::new();
    desk.add(0).unwrap();
    desk.grow(1);
    let place = desk.place(1, false);
    for name in ["book.db.undo", "book.db.undo.new"] {
        let old = copy_of(&desk);
        let was = old.folder.path().join(place.file_name().unwrap());
        fs::rename(&was, old.folder.path().join(name)).unwrap();
        let connection = rusqlite::Connection::open(old.path()).unwrap();
        let as_before =
            "INSERT INTO meta SELECT 'saved_for_undo', file FROM undo_entry WHERE id = 1;
                         DROP TABLE undo_entry; DROP TABLE undo_image; DROP VIEW games;
                         ALTER TABLE game DROP COLUMN remarks; PRAGMA user_version = 10;";
        connection.execute_batch(as_before).unwrap();
        drop(connection);
        old.undo().unwrap();
        assert_eq!((old.held(), old.saved().len()), (vec![], 1));
        old.redo().unwrap();
        assert_eq!(old.held(), [0, 1]);
    }
}

/// What is done to a book.
#[derive(Clone, Debug)]
enum Step {
    /// Positions searched, in so many transactions.
    Grow(Vec<Vec<(usize, i8)>>),
    /// A great change that is saved before.
    Bulk(Vec<(usize, i8)>),
    /// A fact is kept, as a great change.
    Fact(usize),
    /// Most positions go.
    Clear,
    Undo,
    UndoTo(usize),
    Redo,
    /// Another process opens the book.
    Reopen,
    Kill,
}

fn any_step() -> impl Strategy<Value = Step> {
    let found = || proptest::collection::vec((0..60_usize, -5..5_i8), 1..6);
    prop_oneof![
        4 => proptest::collection::vec(found(), 1..4).prop_map(Step::Grow),
        2 => found().prop_map(Step::Bulk),
        1 => (0..60_usize).prop_map(Step::Fact),
        1 => Just(Step::Clear),
        4 => Just(Step::Undo),
        1 => (0..9_usize).prop_map(Step::UndoTo),
        3 => Just(Step::Redo),
        1 => Just(Step::Reopen),
        1 => Just(Step::Kill),
    ]
}

/// Positions of the first moves.
fn first_keys() -> Vec<Key> {
    let mut keys = vec![Key::of(Position::START)];
    let mut at = 0;
    while keys.len() < 60 {
        let position = keys[at].position();
        for square in position.legal_moves() {
            let child = child_of(position, square).map(|(key, _)| key);
            keys.extend(child.filter(|child| !keys.contains(child)));
        }
        at += 1;
    }
    keys
}

fn search(book: &mut Book, keys: &[Key], found: &[(usize, i8)]) {
    for &(index, score) in found {
        let level = (score.unsigned_abs() % 3).to_string();
        let source = book.source_id(&Source { level, ..Source::default() }).unwrap();
        let searched = Searched { depth: 3, selectivity: Selectivity::FULL, source };
        let key = keys[index];
        let square = key.position().legal_moves().next();
        let rest = Rest { square, score: Score::from_discs(score), proof: Proof::None };
        book.insert(key, Some(rest), searched).unwrap();
    }
}

/// Runs steps, with all states of the book in a list.
fn check_against_states(steps: Vec<Step>) {
    let keys = first_keys();
    let desk = Desk::new();
    let mut book = desk.open();
    let (mut states, mut at) = (vec![content(&desk.path())], 0_usize);
    for step in steps {
        let before = content(&desk.path());
        match step {
            Step::Grow(pieces) => {
                let run = book.start_run("grow", "2026-11-27T19:00:00Z").unwrap();
                for piece in pieces {
                    search(&mut book, &keys, &piece);
                    book.commit().unwrap();
                }
                book.end_run(run, "2026-11-27T19:00:00Z", "grown").unwrap();
                book.commit().unwrap();
            }
            Step::Bulk(found) => change_book(&mut book, true, |book| {
                search(book, &keys, &found);
                Ok::<_, RestoreError>(())
            })
            .unwrap(),
            Step::Fact(index) => change_book(&mut book, true, |book| {
                let source = book.source_id(&Source { level: "9".into(), ..Source::default() })?;
                let bounds = Bounds::new(-64, 10).unwrap();
                Ok::<_, RestoreError>(book.facts().keep(Fact {
                    key: keys[index],
                    bounds,
                    source,
                })?)
            })
            .unwrap(),
            Step::Clear => {
                let kept = crate::app::plan_prune(
                    book.reader(),
                    &crate::app::PruneOptions { max_discs: Some(5), ..Default::default() },
                );
                let kept = kept.unwrap();
                change_book(&mut book, true, |book| book.retain(&kept).map_err(RestoreError::from))
                    .unwrap();
            }
            Step::Undo => {
                assert_eq!(undo(&mut book, None).is_ok(), at > 0);
                at = at.saturating_sub(1);
                assert_eq!(content(&desk.path()), states[at]);
                continue;
            }
            Step::UndoTo(index) => {
                let entries = book.reader().undo_log().changes().unwrap();
                let known = index < at;
                let change = entries.get(index).map_or(1000, |entry| entry.number);
                assert_eq!(undo(&mut book, Some(change)).is_ok(), known);
                at = if known { index } else { at };
                assert_eq!(content(&desk.path()), states[at]);
                continue;
            }
            Step::Redo => {
                let last = states.len() - 1;
                assert_eq!(redo(&mut book).is_ok(), at < last);
                at = (at + 1).min(last);
                assert_eq!(content(&desk.path()), states[at]);
                continue;
            }
            Step::Reopen => {
                drop(book);
                book = desk.open();
                assert_eq!(content(&desk.path()), before);
                continue;
            }
            Step::Kill => {
                let run = book.start_run("grow", "2026-11-27T19:00:00Z").unwrap();
                search(&mut book, &keys, &[(1, 1), (2, 2)]);
                book.commit().unwrap();
                search(&mut book, &keys, &[(1, 2), (3, 3)]);
                let _ = run;
                book.rollback();
                drop(book);
                book = desk.open();
            }
        }
        // Every change of ours is one that the log has, unless it left all as it was.
        let now = content(&desk.path());
        let entries = book.reader().undo_log().changes().unwrap();
        assert!(entries.iter().all(|entry| !entry.is_undone) || now == before);
        if entries.iter().filter(|entry| !entry.is_undone).count() > at {
            states.truncate(at + 1);
            states.push(now);
            at += 1;
        } else {
            assert_eq!(now, before, "it was changed and not noted");
        }
        let report = book.reader().undo_log().verify().unwrap();
        assert_eq!(report.violations, 0, "{:?}", report.first);
        assert!(book.reader().verify().unwrap().is_sound());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn any_changes_are_taken_back_and_done_again(steps in proptest::collection::vec(any_step(), 1..25)) {
        check_against_states(steps);
    }
}
