//! Growth in the background, as a face drives it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use rosebill::app::{
    BookFile, Ended, GrowError, GrowRequest, GrowStart, Grower, GrowerError, GrowthEnd, PolicySpec,
    RegretLimits,
};
use rosebill::othello::board::{Line, Placed};
use rosebill::othello::search::Level;
use rosebill::store::{Book, Reader};
use tempfile::TempDir;

fn request(seconds: u64) -> GrowRequest {
    GrowRequest {
        from: GrowStart::default(),
        policy: PolicySpec::default(),
        level: Level::new(2).unwrap(),
        limits: RegretLimits::default(),
        time: Duration::from_secs(seconds),
        asked: "in a test".to_owned(),
    }
}

fn grower(folder: &TempDir) -> (Arc<Grower>, Arc<AtomicU32>) {
    let heard = Arc::new(AtomicU32::new(0));
    let hears = Arc::clone(&heard);
    let changed = move || {
        hears.fetch_add(1, Ordering::Relaxed);
    };
    (Grower::of(BookFile::at(folder.path().join("a.db")), 1, 1, changed), heard)
}

/// Waits for what must come soon, on a busy machine, too.
fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let started = Instant::now();
    while !is_so() {
        assert!(started.elapsed() < Duration::from_secs(60), "{what} did not come");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn growth_is_watched_stopped_and_goes_on() {
    let folder = TempDir::new().unwrap();
    let (grower, heard) = grower(&folder);
    assert!(grower.state().is_none() && !grower.stop());
    grower.start(request(600)).unwrap();
    until("a search", || {
        grower.state().unwrap().status.is_some_and(|status| status.new_positions > 3)
    });
    assert!(matches!(grower.start(request(1)), Err(GrowerError::Busy)));
    assert!(grower.stop());
    until("the end", || grower.state().unwrap().end.is_some());
    let state = grower.state().unwrap();
    assert_eq!(state.end, Some(GrowthEnd::Ended(Ended::Interrupted)));
    let positions = state.status.unwrap().positions;
    // The book is free again, and has what was told.
    let book = Book::open(folder.path().join("a.db")).unwrap();
    assert_eq!(book.reader().counts().unwrap().positions, positions);
    assert_eq!(book.reader().runs().unwrap()[0].command, "in a test");
    // Beside a writer nothing grows, and the last state stays.
    assert!(matches!(grower.start(request(1)), Err(GrowerError::Starter(_))));
    drop(book);
    until("the thread's end", || !grower.stop());
    grower.start(request(600)).unwrap();
    until("more", || {
        grower.state().unwrap().status.is_some_and(|status| status.positions > positions)
    });
    grower.finish();
    assert!(grower.state().unwrap().end.is_some());
    assert!(heard.load(Ordering::Relaxed) > 4);
}

#[test]
fn growth_ends_with_its_time_and_starts_where_it_is_told() {
    let folder = TempDir::new().unwrap();
    let (grower, _) = grower(&folder);
    let line: Line = "f5d6c3".parse().unwrap();
    let from = GrowStart { placed: line.end().unwrap(), line: Some(line) };
    grower.start(GrowRequest { from, ..request(1) }).unwrap();
    until("the end", || grower.state().unwrap().end.is_some());
    assert_eq!(grower.state().unwrap().end, Some(GrowthEnd::Ended(Ended::Time)));
    let reader = Reader::open(folder.path().join("a.db")).unwrap();
    assert!(reader.counts().unwrap().positions > 4);
    let over: Line = "e6f4e3f6g5d6e7f5c5".parse().unwrap();
    let from = GrowStart { placed: Placed { ..over.board() }, line: Some(over) };
    until("the thread's end", || !grower.stop());
    assert!(matches!(
        grower.start(GrowRequest { from, ..request(1) }),
        Err(GrowerError::Start(GrowError::Over(_)))
    ));
}

#[test]
fn what_cannot_be_grown_makes_no_book() {
    let folder = TempDir::new().unwrap();
    let (grower, _) = grower(&folder);
    let without_lines = GrowRequest { policy: PolicySpec::named("lines").unwrap(), ..request(1) };
    assert!(matches!(grower.start(without_lines), Err(GrowerError::Policy(_))));
    assert!(!folder.path().join("a.db").exists() && grower.state().is_none());
}
