//! What a change of a book does, seen from outside: mutations of these rules must not go unnoticed.

use std::collections::HashSet;

use crate::dice::{Dice, random_position};
use crate::graphs::{estimates, random_changes};
use rosebill::openbook::policy::{
    Best, Deepen, Deviate, Fill, GiveUp, Lines, Played, Policy, Popular, Reason, Request, Solve,
};
use rosebill::openbook::regret::{Judge, Regret, RegretLimits};
use rosebill::openbook::{
    Found, MemoryBook, MoveMask, NodeSource, NodeView, Rest, Searched, SourceId, child_of,
};
use rosebill::othello::board::{Key, Line, Placed, Position, Side};
use rosebill::othello::score::Score;
use rosebill::othello::search::{Depth, Level, Proof, Selectivity};

const SEARCHED: Searched =
    Searched { depth: 4, selectivity: Selectivity::FULL, source: SourceId(0) };

fn key(line: &str) -> Key {
    Key::of(line.parse::<Line>().unwrap().board().position)
}

/// An estimate of the first legal move.
fn estimate(key: Key, centidiscs: i16) -> Option<Rest> {
    let square = key.position().legal_moves().next();
    Some(Rest { square, score: Score::from_centidiscs(centidiscs), proof: Proof::None })
}

#[test]
fn a_rest_is_set_and_its_values_go_up_to_the_start() {
    let mut book = MemoryBook::new();
    // The start has no move but links to the one position behind it.
    book.insert(key(""), None, SEARCHED).unwrap();
    book.insert(key("f5"), estimate(key("f5"), 100), SEARCHED).unwrap();
    assert_eq!(book.settle(), 0, "the start knows of its child already");
    let guess = |book: &MemoryBook, line: &str| {
        book.node(&key(line)).unwrap().unwrap().values.guess.centidiscs()
    };
    assert_eq!((guess(&book, ""), guess(&book, "f5")), (-100, 100));

    let deeper = Searched { depth: 9, ..SEARCHED };
    assert!(book.set_rest(key("f5"), estimate(key("f5"), -30), deeper).unwrap());
    assert_eq!(book.settle(), 1, "the start");
    assert_eq!((guess(&book, ""), guess(&book, "f5")), (30, -30));
    let node = book.node(&key("f5")).unwrap().unwrap();
    assert_eq!((node.rest(), node.searched), (estimate(key("f5"), -30), deeper));

    // The same once more changes nothing; what is not there cannot be set.
    assert!(book.set_rest(key("f5"), estimate(key("f5"), -30), deeper).unwrap());
    assert_eq!(book.settle(), 0);
    assert!(!book.set_rest(key("f5d6"), None, deeper).unwrap());
    assert_eq!(book.len(), 2);
}

#[test]
fn a_view_gives_each_link_the_value_of_its_child() {
    let mut links = 0;
    for seed in 0..20 {
        let mut book = MemoryBook::new();
        for change in estimates(random_changes(seed, 8 * (seed as usize % 7), 80)) {
            if change.adds {
                book.insert(change.key, change.rest, change.searched).unwrap();
            } else {
                book.set_rest(change.key, change.rest, change.searched).unwrap();
            }
        }
        book.settle();
        for node in book.nodes() {
            let Ok(view) = NodeView::of(&book, node.key.position());
            for found in &view.moves {
                let child = child_of(node.key.position(), found.square)
                    .and_then(|(key, same)| Some((book.node(&key).unwrap()?, same)));
                assert_eq!(found.child, child.map(|(child, _)| child));
                if let Some((child, same)) = child {
                    assert_eq!(found.values, Some(child.values.seen_by_parent(same)));
                    assert_eq!(found.searched, Some(child.searched));
                    links += 1;
                }
            }
        }
    }
    assert!(links > 500, "{links}");
}

fn request<'a>(roots: &'a [Placed], in_flight: &'a HashSet<Key, S>) -> Request<'a> {
    Request {
        roots,
        count: 10_000,
        in_flight,
        max_discs: None,
        limits: RegretLimits::default(),
        judge: Judge::default(),
        depth: Depth::Fixed { depth: 60, selectivity: Selectivity::FULL },
        give_up: GiveUp::default(),
    }
}

/// The hasher of the keys in a request.
type S = foldhash::fast::FixedState;

#[test]
fn deepening_offers_what_is_estimated_below_its_level_and_only_that() {
    let mut book = MemoryBook::new();
    let win = Rest { proof: Proof::Win, ..estimate(key("f5f6"), 400).unwrap() };
    let shallow = Searched { depth: 1, ..SEARCHED };
    let deep = Searched { depth: 30, ..SEARCHED };
    book.insert(key(""), None, shallow).unwrap();
    book.insert(key("f5"), estimate(key("f5"), 0), deep).unwrap();
    book.insert(key("f5d6"), estimate(key("f5d6"), 0), shallow).unwrap();
    book.insert(key("f5f6"), Some(win), shallow).unwrap();
    book.settle();
    let nothing = HashSet::default();
    let policy = Deepen { level: Level::new(10).unwrap() };
    let Ok(leaves) = policy.next(&book, &request(&[Placed::START], &nothing));
    let offered = leaves.iter().filter(|leaf| leaf.reason == Reason::Deepen);
    assert_eq!(offered.map(|leaf| leaf.key).collect::<Vec<_>>(), [key("f5d6")]);
}

/// What is played out of the book ends in the rest of a node, and says which.
#[test]
fn played_lines_end_in_rests() {
    let changes = estimates(random_changes(11, 6, 400));
    let mut book = MemoryBook::new();
    for change in changes.iter().filter(|change| change.adds) {
        book.insert(change.key, change.rest, change.searched).unwrap();
    }
    book.settle();
    let nothing = HashSet::default();
    let roots = [Placed { position: changes[0].key.position(), side: Side::Black }];
    let Ok(leaves) = Played::default().next(&book, &request(&roots, &nothing));
    let ends: Vec<_> = leaves.iter().filter(|leaf| leaf.reason == Reason::Expand).collect();
    assert!(!ends.is_empty());
    for leaf in ends {
        let node = book.node(&leaf.key).unwrap().unwrap();
        assert_eq!(leaf.rest, node.rest().unwrap().square);
        let (child, _) = child_of(leaf.key.position(), leaf.rest.unwrap()).unwrap();
        assert_eq!(leaf.child, Some(child));
        assert!(leaf.rest_square.is_some());
    }
}

#[test]
fn every_policy_asks_for_something_at_once_and_every_reason_has_a_word() {
    let level = Level::new(9).unwrap();
    let policies: [Box<dyn Policy<MemoryBook>>; 8] = [
        Box::new(Best::default()),
        Box::new(Deviate),
        Box::new(Deepen { level }),
        Box::new(Solve { max_empties: 20 }),
        Box::new(Fill),
        Box::new(Played::default()),
        Box::new(Popular::of_games([], 1)),
        Box::new(Lines::new(vec![])),
    ];
    assert!(policies.iter().all(|policy| policy.batch(0, 0) > 0));
    // A ranking of the whole book is shared by more where the book is larger.
    let shared =
        policies.iter().filter(|policy| policy.batch(10_000_000, 1_000_000) > policy.batch(0, 0));
    assert_eq!(shared.count(), 3);
    use Reason as R;
    let reasons = [R::Expand, R::Due, R::NoMove, R::Add, R::Deepen, R::Solve];
    let words: HashSet<_> = reasons.map(Reason::name).into_iter().collect();
    assert!(words.len() == reasons.len() && !words.contains(""), "{words:?}");
}

#[test]
fn regret_is_kept_by_side() {
    let regret = Regret::default().and(Side::Black, 30).and(Side::White, 5).and(Side::Black, 2);
    assert_eq!((regret.of(Side::Black), regret.of(Side::White), regret.total()), (32, 5, 37));
}

/// A child changes its parents' values only through its own: positions without any link stay.
#[test]
fn settling_counts_the_nodes_that_change() {
    let mut dice = Dice(3);
    let mut book = MemoryBook::new();
    let positions: HashSet<Key> =
        (0..40).map(|_| Key::of(random_position(&mut dice, 20))).collect();
    for &key in &positions {
        book.insert(key, estimate(key, 50), SEARCHED).unwrap();
    }
    // A new node comes with its values: nothing is left to settle.
    assert_eq!(book.settle(), 0);
    for &key in &positions {
        book.set_rest(key, estimate(key, 60), SEARCHED).unwrap();
    }
    assert_eq!(book.settle(), 0, "a search comes with its value, and nothing is above");
    assert!(!positions.contains(&Key::of(Position::START)));
}

/// The children of a position, each once.
fn children(of: Key) -> Vec<Key> {
    let moves = of.position().legal_moves();
    let mut children: Vec<Key> =
        moves.filter_map(|square| Some(child_of(of.position(), square)?.0)).collect();
    children.sort_unstable();
    children.dedup();
    children
}

fn proven(key: Key, centidiscs: i16, proof: Proof) -> Option<Rest> {
    estimate(key, centidiscs).map(|rest| Rest { proof, ..rest })
}

fn bounds(book: &MemoryBook, key: Key) -> (i8, i8) {
    let values = book.node(&key).unwrap().unwrap().values;
    (values.lower, values.upper)
}

#[test]
fn a_search_that_finds_nothing_left_keeps_what_was_proven() {
    for proof in [Proof::Win, Proof::NotWon] {
        let mut book = MemoryBook::new();
        let parent = key("f5d6");
        for child in children(parent) {
            book.insert(child, estimate(child, 0), SEARCHED).unwrap();
        }
        let found = Found {
            rest: proven(parent, 100, proof),
            searched: SEARCHED,
            left_out: Some(MoveMask::NONE),
        };
        book.take(parent, &found).unwrap();
        book.settle();
        let expected = bounds(&book, parent);
        assert_ne!(expected, (-64, 64));
        assert!(book.set_rest(parent, None, SEARCHED).unwrap());
        book.settle();
        assert_eq!(bounds(&book, parent), expected);
    }
}

#[test]
fn what_is_proven_of_a_part_of_the_moves_outlives_a_deeper_search() {
    let mut book = MemoryBook::new();
    let parent = key("f5d6");
    let [first, ..] = children(parent)[..] else { panic!() };
    book.insert(first, proven(first, 100, Proof::Win), SEARCHED).unwrap();
    let rest = Rest {
        square: parent.position().legal_moves().find(|&square| {
            child_of(parent.position(), square).is_some_and(|(child, _)| child != first)
        }),
        score: Score::from_centidiscs(-100),
        proof: Proof::Loss,
    };
    book.insert(parent, Some(rest), SEARCHED).unwrap();
    book.settle();
    assert_eq!(bounds(&book, parent), (-64, -2));
    let deeper = Searched { depth: 9, ..SEARCHED };
    book.set_rest(parent, Some(Rest { proof: Proof::None, ..rest }), deeper).unwrap();
    book.settle();
    assert_eq!(bounds(&book, parent), (-64, -2));
}

#[test]
fn what_is_proven_of_a_move_is_proven_of_the_position_behind_it() {
    let mut book = MemoryBook::new();
    let parent = key("f5d6");
    let rest = proven(parent, -400, Proof::Exact);
    book.insert(parent, rest, SEARCHED).unwrap();
    let best = rest.unwrap().square.unwrap();
    let (best, _) = child_of(parent.position(), best).unwrap();
    for child in children(parent) {
        book.insert(child, estimate(child, 900), SEARCHED).unwrap();
        book.settle();
        assert_eq!(bounds(&book, child), if child == best { (4, 4) } else { (4, 64) });
    }
    assert_eq!(bounds(&book, parent), (-4, -4));
}
