//! When other moves are searched deeper, told by going through every line.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::graphs::{estimates, random_changes};
use rosebill::openbook::policy::{Best, Deepen, Deeper, GiveUp, Leaf, Policy, Reason, Request};
use rosebill::openbook::regret::{Judge, RegretLimits, of_move};
use rosebill::openbook::{MemoryBook, Node, NodeSource, child_of};
use rosebill::othello::board::{Key, Placed, Side};
use rosebill::othello::search::{Depth, Level, Proof, Selectivity};

const PLY: i32 = 25;

/// A random book, and its first position.
fn random_book(seed: u64) -> (MemoryBook, Key) {
    let changes = estimates(random_changes(seed, 4 + seed as usize % 40, 120));
    let mut book = MemoryBook::new();
    for change in &changes {
        if change.adds {
            book.insert(change.key, change.rest, change.searched).unwrap();
        } else {
            book.set_rest(change.key, change.rest, change.searched).unwrap();
        }
    }
    book.settle();
    (book, changes[0].key)
}

fn node(book: &MemoryBook, key: Key) -> Node {
    let Ok(node) = book.node(&key);
    node.unwrap()
}

/// What each node costs: by all lines to it, layer by layer.
fn costs(book: &MemoryBook, root: Key) -> BTreeMap<(u8, Key), i32> {
    let mut costs = BTreeMap::from([((root.discs(), root), 0)]);
    let mut done: Option<(u8, Key)> = None;
    loop {
        let next = costs.iter().find(|(at, _)| done.is_none_or(|done| **at > done));
        let Some((&at, &cost)) = next else { return costs };
        done = Some(at);
        let node = node(book, at.1);
        if is_closed(&node) {
            continue;
        }
        let Ok(moves) = node.linked_moves(book);
        for found in moves {
            let child = found.child.unwrap().0;
            if is_closed(&child) && !child.is_incomplete() {
                continue;
            }
            let cost = cost + of_move(node.values, found.values.guess) + PLY;
            let known = costs.entry((child.key.discs(), child.key)).or_insert(cost);
            *known = cost.min(*known);
        }
    }
}

fn is_closed(node: &Node) -> bool {
    node.values.is_decided() || node.values.is_exact()
}

/// All that may be searched next, with what it costs.
fn all_offers(book: &MemoryBook, root: Key, deeper: Deeper) -> HashMap<(Key, Reason), i32> {
    let mut offers = HashMap::new();
    for ((_, key), cost) in costs(book, root) {
        let node = node(book, key);
        if node.is_incomplete() {
            offers.insert((key, Reason::Due), cost);
        }
        let Some(rest) = node.rest().filter(|rest| !rest.values().is_decided()) else { continue };
        if is_closed(&node) {
            continue;
        }
        let more = of_move(node.values, rest.values().guess);
        let Some(square) = rest.square else {
            offers.insert((key, Reason::NoMove), cost + more);
            continue;
        };
        if child_of(key.position(), square).is_none() {
            continue;
        }
        offers.insert((key, Reason::Expand), cost + more);
        let empties = key.position().empties();
        let reached = (node.searched.depth.min(empties), node.searched.selectivity);
        let is_shallow = reached < deeper.to.level.plan(empties);
        if more <= deeper.hopeless && is_shallow && rest.proof == Proof::None {
            offers.insert((key, Reason::Deepen), cost + deeper.after);
        }
    }
    offers
}

fn leaves(book: &MemoryBook, root: Key, deeper: Option<Deeper>, count: usize) -> Vec<Leaf> {
    leaves_up_to(None, &Best { penalty: PLY, deeper }, book, root, count)
}

fn leaves_up_to(
    max_discs: Option<u8>,
    policy: &impl Policy<MemoryBook>,
    book: &MemoryBook,
    root: Key,
    count: usize,
) -> Vec<Leaf> {
    let roots = [Placed { position: root.position(), side: Side::Black }];
    let request = Request {
        roots: &roots,
        count,
        in_flight: &HashSet::default(),
        max_discs,
        limits: RegretLimits::default(),
        judge: Judge::default(),
        depth: Depth::Fixed { depth: 60, selectivity: Selectivity::FULL },
        give_up: GiveUp::default(),
    };
    let Ok(leaves) = policy.next(book, &request);
    leaves
}

#[test]
fn what_costs_least_comes_first_be_it_new_or_searched_deeper() {
    let (mut deepened, mut expanded) = (0, 0);
    for seed in 0..400 {
        let (book, root) = random_book(seed);
        let to = Deepen { level: Level::new(6 + seed as u8 % 12).unwrap() };
        let deeper = Deeper { to, after: 50 * (seed as i32 % 7), hopeless: 400 };
        let offers = all_offers(&book, root, deeper);
        let found = leaves(&book, root, Some(deeper), usize::MAX);
        assert!(found.is_sorted_by_key(|leaf| leaf.priority), "{seed}");
        let least = offers.values().min();
        assert_eq!(found.first().map(|leaf| &leaf.priority), least, "{seed}");
        let mut given: HashSet<Key> = HashSet::new();
        for leaf in &found {
            assert_eq!(offers.get(&(leaf.key, leaf.reason)), Some(&leaf.priority), "{seed}");
            assert!(given.insert(leaf.key) | (leaf.child.is_some()), "{seed}: twice");
            given.extend(leaf.child);
            deepened += u32::from(leaf.reason == Reason::Deepen);
            expanded += u32::from(leaf.reason == Reason::Expand);
        }
        // What is left out waits for something about the same position.
        for (key, reason) in offers.into_keys() {
            let rest = node(&book, key).rest().and_then(|rest| rest.square);
            let child =
                rest.and_then(|square| child_of(key.position(), square)).map(|(key, _)| key);
            let waits = given.contains(&key)
                || reason == Reason::Expand && child.is_some_and(|child| given.contains(&child));
            assert!(waits, "{seed}: {reason:?} is never offered");
        }
    }
    assert!(deepened > 100 && expanded > 100, "{deepened} {expanded}");
}

#[test]
fn without_a_second_stage_nothing_is_deepened_and_with_one_no_new_leaf_is_lost() {
    for seed in 0..100 {
        let (book, root) = random_book(seed);
        let plain = leaves(&book, root, None, usize::MAX);
        assert!(plain.iter().all(|leaf| leaf.reason != Reason::Deepen));
        // Never urgent: what is left is the order of before.
        let late = Deeper { after: 1_000_000, ..Deeper::to(Level::new(20).unwrap()) };
        let both = leaves(&book, root, Some(late), usize::MAX);
        let same = both.iter().filter(|leaf| leaf.reason != Reason::Deepen);
        assert!(same.eq(plain.iter()), "{seed}");
    }
}

#[test]
fn no_position_with_too_many_discs_is_deepened_and_those_before_it_come_as_ever() {
    let mut left_out = 0;
    for seed in 0..100 {
        let (book, root) = random_book(seed);
        let policy = Deepen { level: Level::new(20).unwrap() };
        let all = leaves_up_to(None, &policy, &book, root, usize::MAX);
        let most = root.discs() + 3;
        let near = leaves_up_to(Some(most), &policy, &book, root, usize::MAX);
        let is_near = |leaf: &&Leaf| leaf.reason != Reason::Deepen || leaf.key.discs() <= most;
        let wanted: Vec<&Leaf> = all.iter().filter(is_near).collect();
        assert_eq!(near.iter().collect::<Vec<_>>(), wanted, "{seed}");
        left_out += all.len() - near.len();
    }
    assert!(left_out > 100, "{left_out}");
}
