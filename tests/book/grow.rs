//! Growth from inside.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use crate::graphs::due_in;
use rosebill::app::{Candidate, Depth, Ended, GrowError, GrowOptions, grow, next_leaves};
use rosebill::openbook::policy::{Best, Deepen, Leaf, Lines, Policy, Reason, Request, Solve};
use rosebill::openbook::regret::LossLimit;
use rosebill::openbook::{Searched, SourceId};
use rosebill::othello::board::{Bitboard, Cpu, Line, Position, Square};
use rosebill::othello::eval::Evaluator;
use rosebill::othello::score::Score;
use rosebill::othello::search::{Level, Selectivity, Stop};
use rosebill::store::{Book, Reader, StoreError};

/// Counts discs; after so many evaluations it panics.
struct Fragile(AtomicU32);

impl Evaluator for Fragile {
    type State = ();

    fn state(&self, _: Position) {}

    fn play(&self, (): &(), _: Square, _: Bitboard) {}

    fn pass(&self, (): &()) {}

    fn estimate<C: Cpu>(&self, _: C, (): &(), position: Position) -> Score {
        assert!(self.0.fetch_sub(1, Ordering::Relaxed) > 0, "out of evaluations");
        let discs = position.mover.count_ones() as i8 - position.opponent.count_ones() as i8;
        Score::from_discs(discs)
    }

    fn name(&self) -> String {
        "fragile".to_owned()
    }
}

fn options(policy: Box<dyn Policy<Reader>>, depth: Depth) -> GrowOptions {
    GrowOptions { policy, depth, threads: 2, table_megabytes: 1, ..GrowOptions::default() }
}

const SHALLOW: Depth = Depth::Fixed { depth: 2, selectivity: Selectivity::FULL };

#[test]
fn a_search_that_panics_ends_growth_and_keeps_what_was_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut book = Book::create(&path).unwrap();
    let evaluator = Arc::new(Fragile(AtomicU32::new(20_000)));
    let options = options(Box::new(Best::default()), SHALLOW);
    let grown = grow(&mut book, &evaluator, &options, &Stop::new(), &mut |_| {});
    assert!(matches!(grown, Err(GrowError::Panic(_))), "{grown:?}");
    drop(book);
    let reader = Reader::open(&path).unwrap();
    assert!(reader.counts().unwrap().positions > 10);
    assert!(reader.verify().unwrap().is_sound());
}

#[test]
fn a_book_is_deepened_once_and_as_a_whole() {
    let folder = tempfile::tempdir().unwrap();
    let mut book = Book::create(folder.path().join("a.db")).unwrap();
    let evaluator = Arc::new(Fragile(AtomicU32::new(u32::MAX)));
    let mut first = options(Box::new(Best::default()), SHALLOW);
    first.positions = Some(60);
    grow(&mut book, &evaluator, &first, &Stop::new(), &mut |_| {}).unwrap();
    let level = Level::new(3).unwrap();
    let again = options(Box::new(Deepen { level }), Depth::Level(level));
    let deepened = grow(&mut book, &evaluator, &again, &Stop::new(), &mut |_| {}).unwrap();
    assert_eq!(deepened.ended, Ended::NothingLeft);
    assert_eq!(deepened.status.new_positions, 0);
    // A node may be searched again once the nodes below it are.
    assert!((1..=120).contains(&deepened.status.searches), "{}", deepened.status.searches);
    let nothing = grow(&mut book, &evaluator, &again, &Stop::new(), &mut |_| {}).unwrap();
    assert_eq!(nothing.status.searches, 0);
    // Nothing there is near enough to its end.
    let solve = options(Box::new(Solve { max_empties: 10 }), SHALLOW);
    let solved = grow(&mut book, &evaluator, &solve, &Stop::new(), &mut |_| {}).unwrap();
    assert_eq!(solved.status.searches, 0);
    assert!(book.reader().verify().unwrap().is_sound());
}

/// Ranks until it is given up, and finds nothing.
struct Endless(Option<Stop>);

impl Policy<Reader> for Endless {
    fn next(&self, _: &Reader, request: &Request<'_>) -> Result<Vec<Leaf>, StoreError> {
        if let Some(stop) = &self.0 {
            stop.stop();
        }
        while !request.give_up.is_due() {
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(Vec::new())
    }
}

#[test]
fn a_ranking_that_was_cut_short_does_not_say_that_nothing_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let mut book = Book::create(folder.path().join("a.db")).unwrap();
    let evaluator = Arc::new(Fragile(AtomicU32::new(u32::MAX)));
    let first = GrowOptions { positions: Some(5), ..options(Box::new(Best::default()), SHALLOW) };
    grow(&mut book, &evaluator, &first, &Stop::new(), &mut |_| {}).unwrap();
    let stop = Stop::new();
    let endless = options(Box::new(Endless(Some(stop.clone()))), SHALLOW);
    let interrupted = grow(&mut book, &evaluator, &endless, &stop, &mut |_| {}).unwrap();
    assert_eq!(interrupted.ended, Ended::Interrupted);
    let time = Some(Duration::from_millis(30));
    let endless = GrowOptions { time, ..options(Box::new(Endless(None)), SHALLOW) };
    let late = grow(&mut book, &evaluator, &endless, &Stop::new(), &mut |_| {}).unwrap();
    assert_eq!(late.ended, Ended::Time);
}

#[test]
fn growth_puts_right_what_it_took_away_and_leaves_other_lines_alone() {
    let folder = tempfile::tempdir().unwrap();
    let mut book = Book::create(folder.path().join("a.db")).unwrap();
    let evaluator = Arc::new(Fragile(AtomicU32::new(u32::MAX)));
    let mut first = options(Box::new(Best::default()), SHALLOW);
    first.positions = Some(40);
    first.threads = 1;
    grow(&mut book, &evaluator, &first, &Stop::new(), &mut |_| {}).unwrap();
    assert_eq!(book.reader().counts().unwrap().search_due, 0);
    // A search is due on the last position of the book.
    let mut keys = Vec::new();
    book.reader()
        .for_each_node(|node| {
            keys.extend(node.unlinked().next().map(|_| node.key));
            Ok::<_, StoreError>(())
        })
        .unwrap();
    let due = *keys.last().unwrap();
    let searched = Searched { depth: 2, selectivity: Selectivity::FULL, source: SourceId(1) };
    book.set_rest(due, None, searched).unwrap();
    book.commit().unwrap();
    assert_eq!(due_in(book.reader()), [due]);
    // Lines on to the rests of other nodes: these lose them, and are searched again at once.
    let all = options(Box::new(Best::default()), SHALLOW);
    let lines: Vec<Vec<Square>> = next_leaves(book.reader(), &all, 6)
        .unwrap()
        .into_iter()
        .filter(|found| found.leaf.key != due && found.leaf.child.is_some())
        .map(|Candidate { leaf, .. }| leaf.line.into_iter().chain(leaf.rest_square).collect())
        .collect();
    let mut from = Line::default();
    assert!(lines[0].iter().all(|&square| from.push(square)));
    let mut along = options(Box::new(Lines::new(lines)), SHALLOW);
    along.threads = 1;
    let grown = grow(&mut book, &evaluator, &along, &Stop::new(), &mut |_| {}).unwrap();
    assert!(grown.status.new_positions > 0);
    assert!(grown.status.searches > grown.status.new_positions, "nothing had to be put right");
    assert_eq!(due_in(book.reader()), [due]);
    // Nor does growth from another line ask for it.
    let mut elsewhere = options(Box::new(Best::default()), SHALLOW);
    elsewhere.from = vec![from.into()];
    elsewhere.positions = Some(5);
    elsewhere.limits.line_loss = LossLimit::each(0);
    let leaves = next_leaves(book.reader(), &elsewhere, 50).unwrap();
    assert!(!leaves.is_empty() && leaves.iter().all(|found| found.leaf.key != due));
    grow(&mut book, &evaluator, &elsewhere, &Stop::new(), &mut |_| {}).unwrap();
    assert_eq!(due_in(book.reader()), [due]);
    // From the start it is in reach.
    let leaves = next_leaves(book.reader(), &all, 100_000).unwrap();
    let found = leaves.iter().find(|found| found.leaf.key == due);
    assert!(found.is_some_and(|found| found.leaf.reason == Reason::Due));
}
