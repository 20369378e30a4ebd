//! Growth with somebody else as its crew, who brings honest results and others.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rosebill::app::{
    Assignment, Claim, Crew, CrewError, CrewStatus, Depth, Done, GrowOptions, GrowSummary, Refusal,
    Report, Spot, SpotResult, Work, grow, grow_with, run_work,
};
use rosebill::openbook::policy::Deepen;
use rosebill::openbook::{Node, NodeSource};
use rosebill::othello::board::{Key, Position};
use rosebill::othello::eval::{Evaluator, PatternEvaluator};
use rosebill::othello::score::Score;
use rosebill::othello::search::{Level, Proof, Searcher, Selectivity, Stop};
use rosebill::store::{Book, Reader, StoreError};

/// What a result becomes on its way.
type Twist = fn(Done, &mut Vec<Report>);

/// Searches when it is asked for reports.
struct Elsewhere {
    searcher: Searcher<PatternEvaluator>,
    given: VecDeque<Assignment>,
    capacity: usize,
    twist: Twist,
    /// Keys that were handed over and are not committed, and the book where they must be then.
    uncommitted: Vec<Key>,
    path: PathBuf,
    committed: usize,
    refused: Vec<Refusal>,
}

fn claim(done: Done) -> Report {
    Report::Claimed(Claim { done, worker: "somebody".to_owned() })
}

fn honest(done: Done, reports: &mut Vec<Report>) {
    reports.push(claim(done));
}

impl Crew for Elsewhere {
    fn capacity(&self) -> usize {
        self.capacity
    }

    fn give(&mut self, assignments: Vec<Assignment>) {
        self.given.extend(assignments);
    }

    fn reports(&mut self, _: Duration) -> Result<Vec<Report>, CrewError> {
        let mut reports = Vec::new();
        if let Some(Assignment { work, depth, stop }) = self.given.pop_front() {
            let done = run_work(&mut self.searcher, work, depth, &stop);
            // Without its first position there is no book.
            let twist = if matches!(work, Work::New(_)) { honest } else { self.twist };
            twist(done, &mut reports);
        }
        Ok(reports)
    }

    fn committed(&mut self) {
        let reader = Reader::open(&self.path).unwrap();
        for key in self.uncommitted.drain(..) {
            assert!(reader.node(&key).unwrap().is_some(), "acknowledged and not in the book");
            self.committed += 1;
        }
    }

    fn judged(&mut self, claim: &Claim, refusal: Option<Refusal>) {
        match refusal {
            None => self.uncommitted.extend(claim.done.work.keys()),
            Some(refusal) => self.refused.push(refusal),
        }
    }

    fn keeps_finders(&self) -> bool {
        true
    }

    fn status(&self) -> Option<CrewStatus> {
        Some(CrewStatus::default())
    }
}

struct Grown {
    book: Book,
    crew: Elsewhere,
    summary: GrowSummary,
    _folder: tempfile::TempDir,
}

const DEPTH: Depth = Depth::Fixed { depth: 2, selectivity: Selectivity::FULL };

fn options(positions: u64) -> GrowOptions {
    GrowOptions {
        depth: DEPTH,
        positions: Some(positions),
        table_megabytes: 1,
        ..GrowOptions::default()
    }
}

fn grown(capacity: usize, positions: u64, twist: Twist) -> Grown {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut book = Book::create(&path).unwrap();
    let evaluator = PatternEvaluator::embedded().unwrap();
    let mut crew = Elsewhere {
        searcher: Searcher::new(Arc::clone(&evaluator), 1),
        given: VecDeque::new(),
        capacity,
        twist,
        uncommitted: Vec::new(),
        path,
        committed: 0,
        refused: Vec::new(),
    };
    let (name, options) = (evaluator.name(), options(positions));
    let summary =
        grow_with(&mut book, &mut crew, &name, &options, &Stop::new(), &mut |_| {}).unwrap();
    assert!(book.reader().verify().unwrap().is_sound());
    Grown { book, crew, summary, _folder: folder }
}

fn nodes(book: &Reader) -> Vec<Node> {
    let mut nodes = Vec::new();
    book.for_each_node(|node| {
        nodes.push(node);
        Ok::<_, StoreError>(())
    })
    .unwrap();
    nodes
}

#[test]
fn who_searches_is_a_detail() {
    let there = grown(1, 60, honest);
    assert_eq!(there.crew.refused, []);
    assert!(there.crew.committed > 60, "{}", there.crew.committed);
    let folder = tempfile::tempdir().unwrap();
    let mut here = Book::create(folder.path().join("b.db")).unwrap();
    let evaluator = PatternEvaluator::embedded().unwrap();
    grow(&mut here, &evaluator, &options(60), &Stop::new(), &mut |_| {}).unwrap();
    assert!(nodes(here.reader()) == nodes(there.book.reader()));
}

#[test]
fn with_many_under_way_every_position_is_there_once() {
    let many = grown(64, 300, honest);
    let status = &many.summary.status;
    assert_eq!(status.positions, many.book.reader().counts().unwrap().positions);
    // Only what other results have made out of date may be refused.
    assert!(
        many.crew.refused.iter().all(|why| *why == Refusal::OtherLinks),
        "{:?}",
        many.crew.refused
    );
    assert_eq!(status.refused.values().sum::<u64>(), many.crew.refused.len() as u64);
}

#[test]
fn what_comes_twice_counts_once() {
    let doubled = grown(4, 40, |done, reports| {
        reports.push(claim(done.clone()));
        reports.push(claim(done));
    });
    assert!(doubled.crew.refused.len() >= 40);
    let is_late = |why: &Refusal| matches!(why, Refusal::Known | Refusal::OtherLinks);
    assert!(doubled.crew.refused.iter().all(is_late), "{:?}", doubled.crew.refused);
}

#[test]
fn any_number_of_visited_positions_is_taken() {
    let boasted = grown(2, 12, |done, reports| {
        reports.push(claim(Done { nodes: u64::MAX, ..done }));
    });
    assert_eq!(boasted.summary.status.nodes, u64::MAX);
    assert!(boasted.summary.status.positions >= 12);
}

/// Hands over something wrong before each honest result: the wrong one frees the work, and the
/// honest one counts all the same.
fn wronged(wrong: Twist) -> Vec<Refusal> {
    grown(1, 12, wrong).crew.refused
}

fn with_rest(mut done: Done, change: impl FnOnce(&mut SpotResult)) -> Done {
    change(&mut done.found[0]);
    done
}

#[test]
fn what_no_search_can_find_is_refused() {
    let score = wronged(|done, reports| {
        let wrong = with_rest(done.clone(), |found| {
            found.rest.as_mut().unwrap().score = Score::from_centidiscs(6401);
        });
        reports.extend([claim(wrong), claim(done)]);
    });
    assert!(score.len() >= 6 && score.iter().all(|why| *why == Refusal::Impossible), "{score:?}");
    let proof = wronged(|done, reports| {
        let wrong = with_rest(done.clone(), |found| {
            found.rest.as_mut().unwrap().proof = Proof::Exact;
        });
        reports.extend([claim(wrong), claim(done)]);
    });
    assert!(proof.iter().all(|why| *why == Refusal::Impossible), "{proof:?}");
    let depth = wronged(|done, reports| {
        let wrong = with_rest(done.clone(), |found| found.depth = 3);
        reports.extend([claim(wrong), claim(done)]);
    });
    assert!(depth.iter().all(|why| *why == Refusal::Impossible), "{depth:?}");
    let none = wronged(|done, reports| {
        let wrong = Done { found: Vec::new(), ..done.clone() };
        reports.extend([claim(wrong), claim(done)]);
    });
    assert!(none.iter().all(|why| *why == Refusal::Impossible), "{none:?}");
    let square = wronged(|done, reports| {
        let wrong = with_rest(done.clone(), |found| {
            found.rest.as_mut().unwrap().square = rosebill::othello::board::Square::try_new(0);
        });
        reports.extend([claim(wrong), claim(done)]);
    });
    assert!(square.iter().all(|why| *why == Refusal::IllegalMove), "{square:?}");
}

#[test]
fn what_the_book_does_not_ask_is_refused() {
    let links = wronged(|done, reports| {
        let work = match done.work {
            Work::Expand { child, parent } => {
                // As if another move led into the book.
                let legal = parent.key.position().legal_moves().0 & !parent.linked;
                let more = legal & legal.wrapping_neg();
                Work::Expand { child, parent: Spot { linked: parent.linked | more, ..parent } }
            }
            other => other,
        };
        let is_other = work != done.work;
        let wrong = Done { work, ..done.clone() };
        reports.extend(is_other.then(|| claim(wrong)));
        reports.push(claim(done));
    });
    let reasons = [Refusal::OtherLinks, Refusal::IllegalMove, Refusal::Impossible];
    assert!(links.len() > 5 && links.iter().all(|why| reasons.contains(why)), "{links:?}");
    assert!(links.contains(&Refusal::OtherLinks), "{links:?}");
    // A position that nothing in the book leads to.
    let unasked = wronged(|done, reports| {
        let far: Position =
            "f5d6c3d3c4f4f6".parse::<rosebill::othello::board::Line>().unwrap().board().position;
        let spot = Spot { key: Key::of(far), linked: 0 };
        let work = Work::New(spot);
        let evaluator = PatternEvaluator::embedded().unwrap();
        let wrong = run_work(&mut Searcher::new(evaluator, 1), work, DEPTH, &Stop::new());
        reports.extend([claim(wrong), claim(done)]);
    });
    assert!(unasked.iter().all(|why| *why == Refusal::Unasked), "{unasked:?}");
}

#[test]
fn what_was_searched_to_another_depth_is_refused() {
    let other = wronged(|done, reports| {
        let depth = Depth::Fixed { depth: 3, selectivity: Selectivity::FULL };
        let wrong = with_rest(Done { depth, ..done.clone() }, |found| found.depth = 3);
        reports.extend([claim(wrong), claim(done)]);
    });
    assert!(other.len() > 5 && other.iter().all(|why| *why == Refusal::OtherTerms), "{other:?}");
}

#[test]
fn what_a_liar_found_is_searched_again() {
    use std::sync::atomic::{AtomicU64, Ordering};
    static RESULTS: AtomicU64 = AtomicU64::new(0);
    let grown = grown(1, 30, |mut done, reports| {
        let number = RESULTS.fetch_add(1, Ordering::Relaxed);
        // Possible and wrong, until it comes out.
        if number < 20 {
            for rest in done.found.iter_mut().filter_map(|found| found.rest.as_mut()) {
                rest.score = Score::from_discs(40);
            }
        }
        reports.push(claim(done));
        if number == 20 {
            reports.push(Report::Liar { worker: "somebody".to_owned() });
        }
    });
    let liar = |node: &Node| node.record.is_some_and(|rest| rest.score == Score::from_discs(40));
    assert!(!nodes(grown.book.reader()).iter().any(liar), "a lie is left");
    assert_eq!(grown.book.reader().counts().unwrap().search_due, 0);
}

/// A node that could be searched less deep stays as it is, and is handed out once, until somebody
/// could search it, or it is asked for again.
#[test]
fn what_nobody_can_search_deeper_is_handed_out_once() {
    use std::sync::Mutex;
    static FAILED: Mutex<Vec<Key>> = Mutex::new(Vec::new());
    fn fails(done: Done, reports: &mut Vec<Report>) {
        FAILED.lock().unwrap().extend(done.work.keys());
        reports.push(Report::Failed { work: done.work, why: "five died".to_owned() });
    }
    let mut grown = grown(4, 12, honest);
    let before = nodes(grown.book.reader());
    let depth = Depth::Fixed { depth: 3, selectivity: Selectivity::FULL };
    let deeper = GrowOptions {
        depth,
        policy: Box::new(Deepen { level: Level::new(3).unwrap() }),
        positions: None,
        table_megabytes: 1,
        ..GrowOptions::default()
    };
    grown.crew.twist = fails;
    let name = grown.crew.searcher.evaluator().name();
    let (book, crew) = (&mut grown.book, &mut grown.crew);
    let summary = grow_with(book, crew, &name, &deeper, &Stop::new(), &mut |_| {}).unwrap();
    let mut failed = FAILED.lock().unwrap().clone();
    assert_eq!((failed.len(), summary.status.searches), (summary.set_aside.len(), 0));
    failed.sort();
    failed.dedup();
    assert!(failed.len() == summary.set_aside.len() && failed.len() > 5, "{failed:?}");
    assert!(before == nodes(grown.book.reader()));
    let noted = |book: &Book| {
        let mut noted = book.reader().fleet().failed().unwrap();
        noted.sort();
        noted
    };
    assert_eq!(noted(&grown.book), failed);
    let mut again = |book: &mut Book| {
        let crew = &mut grown.crew;
        grow_with(book, crew, &name, &deeper, &Stop::new(), &mut |_| {}).unwrap()
    };
    assert_eq!(again(&mut grown.book).set_aside, []);
    grown.book.fleet().forget_all_failed().unwrap();
    assert_eq!(again(&mut grown.book).set_aside.len(), failed.len());
    // Who leaves nothing alone.
    let evaluator = PatternEvaluator::embedded().unwrap();
    grow(&mut grown.book, &evaluator, &deeper, &Stop::new(), &mut |_| {}).unwrap();
    assert_eq!(noted(&grown.book), []);
}

/// Whoever could search what was set aside comes late, but comes.
#[test]
fn what_somebody_could_search_after_all_is_left_alone_no_longer() {
    let grown = grown(1, 12, |done, reports| {
        let is_first = matches!(done.work, Work::Expand { child, .. } if child.key.discs() == 5);
        if is_first {
            reports.push(Report::Failed { work: done.work, why: "five died".to_owned() });
        }
        reports.push(claim(done));
    });
    assert_eq!(grown.summary.set_aside, []);
    assert_eq!(grown.book.reader().fleet().failed().unwrap(), []);
    assert_eq!(grown.summary.status.earlier.searches, 0);
    // Growth goes on behind it.
    assert!(grown.book.reader().counts().unwrap().positions >= 12);
}

/// Results that waited while nobody coordinated are taken in first; what this run was asked for it does
/// all the same.
#[test]
fn results_of_an_earlier_run_are_counted_apart() {
    struct Late {
        waiting: Vec<Report>,
        own: Elsewhere,
    }
    impl Crew for Late {
        fn capacity(&self) -> usize {
            self.own.capacity()
        }
        fn give(&mut self, assignments: Vec<Assignment>) {
            self.own.give(assignments);
        }
        fn reports(&mut self, patience: Duration) -> Result<Vec<Report>, CrewError> {
            match self.waiting.is_empty() {
                true => self.own.reports(patience),
                false => Ok(vec![self.waiting.remove(0)]),
            }
        }
        fn status(&self) -> Option<CrewStatus> {
            self.own.status()
        }
    }
    use std::sync::Mutex;
    static SENT: Mutex<Vec<Done>> = Mutex::new(Vec::new());
    fn noted(done: Done, reports: &mut Vec<Report>) {
        SENT.lock().unwrap().push(done.clone());
        reports.push(claim(done));
    }
    // What twenty positions need, which an empty book of the same first position is given anew.
    let first = grown(1, 20, noted);
    let waiting: Vec<Report> = SENT.lock().unwrap().drain(..).map(claim).collect();
    let mut second = grown(1, 1, honest);
    let mut crew = Late { waiting, own: second.crew };
    crew.own.twist = honest;
    let name = crew.own.searcher.evaluator().name();
    let limited = GrowOptions { searches: Some(10), ..options(5) };
    let book = &mut second.book;
    let summary = grow_with(book, &mut crew, &name, &limited, &Stop::new(), &mut |_| {}).unwrap();
    let status = &summary.status;
    assert_eq!(status.earlier.positions, first.summary.status.new_positions - 1);
    assert_eq!(status.earlier.searches, first.summary.status.searches - 1);
    assert!((4..=5).contains(&status.new_positions), "{status:?}");
    assert!((8..=11).contains(&status.searches), "{status:?}");
    let positions = book.reader().counts().unwrap().positions;
    assert_eq!(positions, 1 + status.earlier.positions + status.new_positions);
    assert_eq!(status.positions, positions);
    // All searches are in the history.
    let points = book.reader().history().points().unwrap();
    let all = 1 + status.earlier.searches + status.searches;
    assert_eq!(points.last().unwrap().1.searches, all);
}

#[test]
fn what_nobody_can_search_is_left_alone() {
    let grown = grown(1, 12, |done, reports| {
        // The first expansion of all.
        match done.work {
            Work::Expand { child, .. } if child.key.discs() == 5 => {
                reports.push(Report::Failed { work: done.work, why: "five died".to_owned() });
            }
            _ => reports.push(claim(done)),
        }
    });
    let aside = &grown.summary.set_aside;
    assert_eq!(aside.len(), 1);
    assert_eq!(aside[0].1, "five died");
    assert_eq!(grown.book.reader().fleet().failed().unwrap().len(), 1);
    // There is one first move, since all four are images of each other.
    assert_eq!(grown.book.reader().counts().unwrap().positions, 1);
}
