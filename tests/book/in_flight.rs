//! Growth with many searches under way.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rosebill::app::{
    Assignment, Crew, CrewError, Depth, Ended, GrowOptions, Refusal, Report, Work, grow_with,
    run_work,
};
use rosebill::othello::eval::PatternEvaluator;
use rosebill::othello::search::{Level, Searcher, Stop};
use rosebill::store::Book;

/// Takes as much as it gets, and gives results back one by one in the order of the work.
struct Hoarder {
    searcher: Searcher<PatternEvaluator>,
    waiting: VecDeque<Assignment>,
    /// Positions that its results added.
    added: usize,
    /// The most that it had when so many had been added.
    most: Vec<(usize, usize)>,
}

impl Crew for Hoarder {
    fn capacity(&self) -> usize {
        100_000
    }

    fn give(&mut self, assignments: Vec<Assignment>) {
        self.waiting.extend(assignments);
        self.most.push((self.waiting.len(), self.added));
    }

    fn reports(&mut self, _: Duration) -> Result<Vec<Report>, CrewError> {
        let Some(Assignment { work, depth, stop }) = self.waiting.pop_front() else {
            return Ok(Vec::new());
        };
        self.added += usize::from(!matches!(work, Work::Rest { .. }));
        Ok(vec![Report::Done(run_work(&mut self.searcher, work, depth, &stop))])
    }
}

fn grown(folder: &std::path::Path, name: &str) -> (Hoarder, Vec<String>) {
    let evaluator = PatternEvaluator::embedded().unwrap();
    let mut book = Book::create(folder.join(name)).unwrap();
    let mut crew = Hoarder {
        searcher: Searcher::new(Arc::clone(&evaluator), 1),
        waiting: VecDeque::new(),
        added: 0,
        most: Vec::new(),
    };
    let depth = Depth::Level(Level::new(1).unwrap());
    let options = GrowOptions { depth, positions: Some(400), ..GrowOptions::default() };
    grow_with(&mut book, &mut crew, "test", &options, &Stop::new(), &mut |_| {}).unwrap();
    let mut nodes = Vec::new();
    let each = |node| {
        nodes.push(format!("{node:?}"));
        Ok::<_, rosebill::store::StoreError>(())
    };
    book.reader().for_each_node(each).unwrap();
    assert!(book.reader().verify().unwrap().is_sound());
    (crew, nodes)
}

#[test]
fn no_more_is_under_way_than_a_quarter_of_the_book() {
    let folder = tempfile::tempdir().unwrap();
    let (crew, nodes) = grown(folder.path(), "a.db");
    assert_eq!(nodes.len(), 400);
    for &(waiting, added) in &crew.most {
        assert!(waiting <= (added / 4).max(16), "{waiting} of {added}");
    }
    let (most, _) = crew.most.iter().max().unwrap();
    assert!(*most > 60, "{most}");
    // As good as in order: the same every time.
    assert!(grown(folder.path(), "b.db").1 == nodes);
}

/// Brings results that do not count as long as anybody takes them.
struct Flood {
    committed: usize,
}

impl Crew for Flood {
    fn capacity(&self) -> usize {
        1
    }

    fn give(&mut self, _: Vec<Assignment>) {}

    fn reports(&mut self, _: Duration) -> Result<Vec<Report>, CrewError> {
        std::thread::sleep(Duration::from_millis(1));
        Ok(vec![Report::Refused { work: None, why: Refusal::Malformed }])
    }

    fn committed(&mut self) {
        self.committed += 1;
    }
}

/// Before growth begins and when it ends, too.
#[test]
fn whatever_comes_in_growth_commits_and_ends_in_time() {
    let mut runs = Vec::new();
    // Once at the end, and before that at least every second. A busy machine is late, but not every time.
    while !runs.iter().any(|&(taken, commits)| taken < Duration::from_secs(6) && commits >= 3) {
        assert!(runs.len() < 10, "{runs:?}");
        let folder = tempfile::tempdir().unwrap();
        let mut book = Book::create(folder.path().join("a.db")).unwrap();
        let mut crew = Flood { committed: 0 };
        let options = GrowOptions { time: Some(Duration::from_secs(3)), ..GrowOptions::default() };
        let started = Instant::now();
        let grown = grow_with(&mut book, &mut crew, "test", &options, &Stop::new(), &mut |_| {});
        assert_eq!(grown.unwrap().ended, Ended::Time);
        runs.push((started.elapsed(), crew.committed));
    }
}
