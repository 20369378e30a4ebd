//! What is kept of one choice for the next one finds what the walk through the book finds.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;

use crate::dice::Dice;
use crate::frontier::{Busy, limits_of, roots_of};
use crate::graphs::{Change, estimates, random_changes};
use rosebill::app::{GrowOptions, PolicySpec};
use rosebill::lab::bench::measure_growth;
use rosebill::openbook::policy::{
    Best, Deepen, Deeper, Deviate, Fill, GiveUp, Kept, Leaf, Policy, Reason, Request, Solve,
};
use rosebill::openbook::regret::{Judge, LossLimit, RegretLimits};
use rosebill::openbook::{MemoryBook, Node};
use rosebill::othello::board::{Key, Placed, Side, Square};
use rosebill::othello::eval::PatternEvaluator;
use rosebill::othello::score::Score;
use rosebill::othello::search::{Depth, Level, Selectivity, Stop};
use rosebill::store::{Book, Reader, StoreError};

/// A leaf but for the way there: of equal ones any may be told.
type Told = (Key, Option<Square>, Option<Key>, Reason, Option<(u8, Selectivity)>, i32);

fn told(leaf: &Leaf) -> Told {
    (leaf.key, leaf.rest, leaf.child, leaf.reason, leaf.least, leaf.priority)
}

/// Whether the line of a leaf leads from its root to what is searched.
fn leads_there(leaf: &Leaf, roots: &[Placed]) -> bool {
    let mut position = roots[leaf.root.unwrap()].position;
    let moves = leaf.line.iter().chain(&leaf.rest_square);
    for &square in moves {
        let Some(next) = position.after(square).and_then(|after| after.position()) else {
            return false;
        };
        position = next;
    }
    let is_behind = leaf.reason == Reason::Raise || leaf.rest_square.is_none();
    Key::of(position) == if is_behind { leaf.key } else { leaf.child.unwrap() }
}

fn nodes(book: &MemoryBook) -> BTreeMap<Key, Node> {
    book.nodes().map(|node| (node.key, *node)).collect()
}

/// Makes changes of a book, and gives the nodes that are something else by then.
fn change(book: &mut MemoryBook, changes: &[Change], removes: bool) -> Vec<Key> {
    let before = nodes(book);
    for change in changes {
        if change.adds {
            book.insert(change.key, change.rest, change.searched).unwrap();
        } else {
            book.set_rest(change.key, change.rest, change.searched).unwrap();
        }
    }
    if removes && let Some(change) = changes.last() {
        book.change(change.key, |held| held.judgement = None);
    }
    book.settle();
    let after = nodes(book);
    let keys = before.keys().chain(after.keys()).copied();
    let differs = |key: &Key| before.get(key) != after.get(key);
    let mut changed: Vec<Key> = keys.filter(differs).collect();
    // What is kept beside a row may be something else where the row is not.
    changed.extend(changes.iter().map(|change| change.key));
    changed
}

/// A policy with what it keeps.
struct Keeping {
    policy: Box<dyn Policy<MemoryBook>>,
    kept: Kept,
}

fn policies(penalty: i32, dice: &mut Dice) -> Vec<Keeping> {
    let level = Level::new(dice.below(12) as u8).unwrap();
    let deeper = Deeper { after: dice.below(200) as i32, ..Deeper::to(level) };
    let policies: [Box<dyn Policy<MemoryBook>>; 6] = [
        Box::new(Best { penalty, deeper: None }),
        Box::new(Best { penalty, deeper: Some(deeper) }),
        Box::new(Deviate),
        Box::new(Fill),
        Box::new(Deepen { level }),
        Box::new(Solve { max_empties: 60 }),
    ];
    // Some have room for little, and forget it again and again.
    let mut kept = || match dice.below(3) {
        0 => Kept::within(dice.below(60_000)),
        _ => Kept::default(),
    };
    policies.into_iter().map(|policy| Keeping { policy, kept: kept() }).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn results_come_in_and_the_same_is_chosen(
        seed: u64,
        plies in 0usize..52,
        count in 1usize..250,
        first in 1usize..60,
        at_once in 1usize..6,
        penalty in 1i32..60,
    ) {
        let mut dice = Dice(seed);
        let mut changes = random_changes(seed, plies, count);
        if dice.below(2) == 0 {
            changes = estimates(changes);
        }
        let mut book = MemoryBook::new();
        let (begin, rest) = changes.split_at(first.min(changes.len()));
        change(&mut book, begin, false);
        let roots = match dice.below(2) {
            0 => vec![Placed { position: changes[0].key.position(), side: Side::Black }],
            _ => roots_of(&book, changes[0].key, &mut dice),
        };
        let judge = Judge { contempt: (dice.below(4) == 0).then(|| Score::from_discs(100)) };
        let limits = if dice.below(2) == 0 { RegretLimits::default() } else { limits_of(&mut dice) };
        let max_discs = (dice.below(4) == 0).then(|| changes[0].key.discs() + dice.below(8) as u8);
        let mut policies = policies(penalty, &mut dice);
        let mut busy = Busy::default();
        for part in std::iter::once(&[][..]).chain(rest.chunks(at_once)) {
            let changed = change(&mut book, part, dice.below(3) == 0);
            for Keeping { policy, kept } in &mut policies {
                kept.note(changed.iter().copied());
                let request = Request {
                    roots: &roots,
                    count: 1 + dice.below(4),
                    in_flight: &busy,
                    max_discs,
                    limits,
                    judge,
                    depth: Depth::Fixed { depth: 6, selectivity: Selectivity::FULL },
                    give_up: GiveUp::default(),
                };
                let Ok(walked) = policy.next(&book, &request);
                let Ok(found) = policy.next_kept(&book, &request, kept);
                let told_of = |leaves: &[Leaf]| leaves.iter().map(told).collect::<Vec<_>>();
                prop_assert_eq!(told_of(&found), told_of(&walked));
                for (leaf, walked) in found.iter().zip(&walked) {
                    prop_assert!(leads_there(leaf, &roots), "{leaf:?}");
                    let is_same = leaf.regret.total() == walked.regret.total();
                    prop_assert!(is_same || roots.len() > 1, "{leaf:?} {walked:?}");
                }
                // Some of it is searched from now on.
                for leaf in &found {
                    if dice.below(2) == 0 {
                        busy.insert(leaf.key);
                        busy.extend(leaf.child);
                    }
                }
            }
            // And some of that ends, one way or another.
            busy.retain(|_| dice.below(4) != 0);
        }
    }
}

/// A choice that is given up, a book of which nothing is known, and no room at all.
#[test]
fn what_is_kept_is_only_a_shortcut() {
    let changes = estimates(random_changes(3, 4, 400));
    let mut book = MemoryBook::new();
    change(&mut book, &changes[..200], false);
    let roots = [Placed { position: changes[0].key.position(), side: Side::Black }];
    let (nothing, stop) = (Busy::default(), Stop::new());
    let request = Request {
        roots: &roots,
        count: 5,
        in_flight: &nothing,
        max_discs: None,
        limits: RegretLimits::default(),
        judge: Judge::default(),
        depth: Depth::Fixed { depth: 6, selectivity: Selectivity::FULL },
        give_up: GiveUp::default(),
    };
    let policy = Best::default();
    let (mut kept, mut small) = (Kept::default(), Kept::within(100));
    let both = |book: &MemoryBook, kept: &mut Kept| {
        let Ok(walked) = policy.next(book, &request);
        let Ok(found) = policy.next_kept(book, &request, kept);
        assert_eq!(
            found.iter().map(told).collect::<Vec<_>>(),
            walked.iter().map(told).collect::<Vec<_>>()
        );
    };
    both(&book, &mut kept);
    both(&book, &mut small);
    assert!(small.is_too_large() && small.bytes() == 0);
    assert!(!kept.is_too_large() && kept.bytes() > 1000);
    // It is given up where it had come to, and goes on there.
    kept.forget();
    stop.stop();
    let give_up = GiveUp { stop: Some(&stop), at: None };
    let Ok(none) = policy.next_kept(&book, &Request { give_up, ..request.clone() }, &mut kept);
    assert!(none.is_empty());
    both(&book, &mut kept);
    // Who does not know what has changed forgets all.
    change(&mut book, &changes[200..], false);
    kept.forget();
    both(&book, &mut kept);
    both(&book, &mut small);
    // Other terms are another search.
    let limits = RegretLimits { total: Some(100), ..RegretLimits::default() };
    let other = Request { limits, ..request.clone() };
    let Ok(walked) = policy.next(&book, &other);
    let Ok(found) = policy.next_kept(&book, &other, &mut kept);
    assert_eq!(
        found.iter().map(told).collect::<Vec<_>>(),
        walked.iter().map(told).collect::<Vec<_>>()
    );
}

/// Chooses with what is kept, and compares with the walk each time.
struct Compared {
    policy: Box<dyn Policy<Reader>>,
    choices: Arc<AtomicUsize>,
}

impl Policy<Reader> for Compared {
    fn deeper(&self) -> Option<Level> {
        self.policy.deeper()
    }

    fn batch(&self, positions: u64, searches: u64) -> usize {
        self.policy.batch(positions, searches)
    }

    fn next(&self, _: &Reader, _: &Request<'_>) -> Result<Vec<Leaf>, StoreError> {
        panic!("growth makes use of what it keeps")
    }

    fn next_kept(
        &self,
        book: &Reader,
        request: &Request<'_>,
        kept: &mut Kept,
    ) -> Result<Vec<Leaf>, StoreError> {
        self.choices.fetch_add(1, Ordering::Relaxed);
        let walked = self.policy.next(book, request)?;
        let found = self.policy.next_kept(book, request, kept)?;
        let told_of = |leaves: &[Leaf]| leaves.iter().map(told).collect::<Vec<_>>();
        assert_eq!(told_of(&found), told_of(&walked), "choice {:?}", self.choices);
        Ok(found)
    }
}

fn compared(policy: &PolicySpec, level: u8) -> (Compared, Arc<AtomicUsize>) {
    let depth = Depth::Level(Level::new(level).unwrap());
    let policy = policy.policy(Path::new(""), depth, &mut |_| {}).unwrap();
    let choices = Arc::new(AtomicUsize::new(0));
    (Compared { policy, choices: Arc::clone(&choices) }, choices)
}

/// Grows a book by drawn answers, with each choice compared.
fn grow_compared(book: &mut Book, searches: u64, in_flight: &[usize], levels: &[u8]) {
    let evaluator = PatternEvaluator::embedded().unwrap();
    for &level in levels {
        for &in_flight in in_flight {
            for spec in [
                PolicySpec::Best { deepen: None },
                PolicySpec::Best { deepen: Level::new(40) },
                PolicySpec::Deviate,
            ] {
                let (policy, choices) = compared(&spec, level);
                let white = LossLimit { white: Some(150), black: None };
                let line_loss = if level % 2 == 0 { LossLimit::default() } else { white };
                let options = GrowOptions {
                    policy: Box::new(policy),
                    limits: RegretLimits { line_loss, ..RegretLimits::default() },
                    depth: Depth::Level(Level::new(level).unwrap()),
                    searches: Some(searches),
                    ..GrowOptions::default()
                };
                measure_growth(book, &evaluator, in_flight, &options, &Stop::new()).unwrap();
                assert!(choices.load(Ordering::Relaxed) > 0, "{spec:?}");
            }
        }
    }
    assert!(book.reader().verify().unwrap().is_sound());
}

/// Through the store, with links that are held where a book is grown less deep than it was.
#[test]
fn growth_chooses_as_by_the_walk() {
    let folder = tempfile::tempdir().unwrap();
    let mut book = Book::create(folder.path().join("a.db")).unwrap();
    grow_compared(&mut book, 150, &[1, 9], &[12, 3, 20, 8]);
}

/// The same on another book, as of `ROSEBILL_KEPT_BOOK`, with so many searches as
/// `ROSEBILL_KEPT_SEARCHES` says for each way to grow.
#[test]
#[ignore = "takes a real book and minutes"]
fn growth_of_a_real_book_chooses_as_by_the_walk() {
    let path = std::env::var_os("ROSEBILL_KEPT_BOOK").unwrap();
    let searches =
        std::env::var("ROSEBILL_KEPT_SEARCHES").ok().and_then(|count| count.parse().ok());
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("a.db");
    Reader::open(path).unwrap().copy_to(&copy).unwrap();
    grow_compared(&mut Book::open(&copy).unwrap(), searches.unwrap_or(200), &[1, 30], &[12, 1]);
}
