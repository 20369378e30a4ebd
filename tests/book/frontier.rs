//! How policies go through a book: in the order of a plain search that keeps everything, until nobody
//! waits for it any more.

use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::convert::Infallible;
use std::time::Instant;

use proptest::prelude::*;

use crate::dice::Dice;
use crate::graphs::{estimates, grown, random_changes};
use rosebill::openbook::policy::{Best, Deepen, GiveUp, Leaf, Policy, Reason, Request, Solve};
use rosebill::openbook::regret::{Judge, LossLimit, Regret, RegretLimits};
use rosebill::openbook::{Held, MemoryBook, Node, NodeSource, child_of, line_from};
use rosebill::othello::board::{Key, Placed, Side, Square};
use rosebill::othello::score::Score;
use rosebill::othello::search::{Depth, Level, Proof, Selectivity, Stop};

pub type Busy = HashSet<Key, foldhash::fast::FixedState>;

/// Something to be searched at a node: why, by which move, to where, and what that gives away.
type Offered = (Reason, Option<Square>, Option<Key>, i32);

/// What a policy does, written out by hand.
struct Plain<'a> {
    book: &'a MemoryBook,
    request: &'a Request<'a>,
    penalty: i32,
    enters_decided: bool,
    offers: &'a dyn Fn(&Node, Side) -> Option<Offered>,
}

#[derive(Clone)]
struct Way {
    node: Node,
    side: Side,
    regret: Regret,
    root: usize,
    moves: Vec<Square>,
}

enum Waiting {
    Offer(Way, Offered),
    Way(Way),
}

impl Plain<'_> {
    fn is_open(&self, node: &Node) -> bool {
        (self.enters_decided || !node.values.is_decided()) && !node.values.is_exact()
    }

    /// All leaves in the order in which they are the cheapest.
    fn leaves(&self) -> Vec<Leaf> {
        // By cost, key, offers first, and number.
        let mut waiting: BTreeMap<(i32, Key, bool, usize), Waiting> = BTreeMap::new();
        let mut number = 0;
        let mut put = |waiting: &mut BTreeMap<_, _>, cost, key, what: Waiting| {
            number += 1;
            waiting.insert((cost, key, matches!(what, Waiting::Way(_)), number), what);
        };
        for (root, placed) in self.request.roots.iter().enumerate() {
            if let Ok(Some(node)) = self.book.node(&Key::of(placed.position)) {
                let regret = Regret::default();
                let way = Way { node, side: placed.side, regret, root, moves: Vec::new() };
                put(&mut waiting, 0, node.key, Waiting::Way(way));
            }
        }
        let mut entered: Vec<(Key, Side, Regret)> = Vec::new();
        let (mut leaves, mut given): (Vec<Leaf>, HashSet<Key>) = (Vec::new(), HashSet::new());
        let limits = self.request.limits;
        while let Some(((cost, ..), next)) = waiting.pop_first() {
            let way = match next {
                Waiting::Offer(way, (reason, square, child, more)) => {
                    let key = way.node.key;
                    if given.contains(&key) || child.is_some_and(|child| given.contains(&child)) {
                        continue;
                    }
                    given.extend([Some(key), child].into_iter().flatten());
                    let root = self.request.roots[way.root].position;
                    let mut line = line_from(root, way.moves.iter().copied().chain(square));
                    let rest_square = square.and_then(|_| line.pop());
                    let regret = way.regret.and(way.side, more);
                    let (rest, root, priority) = (square, Some(way.root), cost);
                    let searched = (way.node.searched.depth, way.node.searched.selectivity);
                    let least =
                        (reason == Reason::Expand || reason == Reason::NoMove).then_some(searched);
                    leaves.push(Leaf {
                        key,
                        rest,
                        child,
                        reason,
                        root,
                        line,
                        rest_square,
                        regret,
                        least,
                        priority,
                    });
                    continue;
                }
                Waiting::Way(way) => way,
            };
            let Way { node, side, regret, .. } = way;
            if entered.iter().any(|&known| self.is_as_good(known, (node.key, side, regret))) {
                continue;
            }
            entered.push((node.key, side, regret));
            let due = node.is_incomplete().then_some((Reason::Due, None, None, 0));
            let offered = self.is_open(&node).then(|| (self.offers)(&node, side)).flatten();
            for offer in [due, offered].into_iter().flatten() {
                let regret = regret.and(side, offer.3);
                if limits.allow_move(side, offer.3) && limits.allow(regret) {
                    let cost = regret.total() + self.penalty * way.moves.len() as i32;
                    put(&mut waiting, cost, node.key, Waiting::Offer(way.clone(), offer));
                }
            }
            for next in self.ways_on(&way) {
                let cost = next.regret.total() + self.penalty * next.moves.len() as i32;
                put(&mut waiting, cost, next.node.key, Waiting::Way(next));
            }
        }
        leaves
    }

    fn is_as_good(&self, known: (Key, Side, Regret), new: (Key, Side, Regret)) -> bool {
        let RegretLimits { move_loss, line_loss, .. } = self.request.limits;
        let is_side_told = move_loss.black != move_loss.white
            || line_loss.black.or(line_loss.white).is_some()
            || self.request.judge.contempt.is_some();
        known.0 == new.0
            && (known.1 == new.1 || !is_side_told)
            && known.2.total() <= new.2.total()
            && (line_loss.black.is_none() || known.2.black <= new.2.black)
            && (line_loss.white.is_none() || known.2.white <= new.2.white)
    }

    /// The ways by one more move that are within the limits.
    fn ways_on(&self, way: &Way) -> Vec<Way> {
        if !self.is_open(&way.node) {
            return Vec::new();
        }
        let Request { limits, judge, .. } = *self.request;
        let mut ways = Vec::new();
        let Ok(links) = way.node.linked_moves(self.book);
        for found in links {
            let (Some(square), Some((child, same_side))) = (found.square, found.child) else {
                continue;
            };
            let more = judge.of_move(way.node.values, found.values, way.side);
            let regret = way.regret.and(way.side, more);
            let is_open = self.is_open(&child) || child.is_incomplete();
            if is_open && limits.allow_move(way.side, more) && limits.allow(regret) {
                let side = if same_side { way.side } else { way.side.other() };
                let moves = way.moves.iter().copied().chain([square]).collect();
                ways.push(Way { node: child, side, regret, moves, ..*way });
            }
        }
        ways
    }

    /// What the ways within the limits lead to, each way for itself.
    fn in_reach(&self) -> Vec<Way> {
        let mut seen: BTreeSet<(Key, bool, i32, i32)> = BTreeSet::new();
        let (mut left, mut reached): (Vec<Way>, Vec<Way>) = (Vec::new(), Vec::new());
        for (root, placed) in self.request.roots.iter().enumerate() {
            if let Ok(Some(node)) = self.book.node(&Key::of(placed.position)) {
                let regret = Regret::default();
                left.push(Way { node, side: placed.side, regret, root, moves: Vec::new() });
            }
        }
        while let Some(way) = left.pop() {
            let Regret { black, white } = way.regret;
            if seen.insert((way.node.key, way.side == Side::Black, black, white)) {
                left.extend(self.ways_on(&way));
                reached.push(way);
            }
        }
        reached
    }
}

/// The rest of a node, to be expanded or searched for its move.
fn rest_of(node: &Node, side: Side, judge: Judge) -> Option<Offered> {
    let rest = node.rest().filter(|rest| !rest.values().is_decided())?;
    let more = judge.of_move(node.values, rest.values(), side);
    let Some(square) = rest.square else { return Some((Reason::NoMove, None, None, more)) };
    let (child, _) = child_of(node.key.position(), square)?;
    Some((Reason::Expand, Some(square), Some(child), more))
}

/// Limits of a kind that a number tells, mostly so tight that they cut much.
pub fn limits_of(dice: &mut Dice) -> RegretLimits {
    let mut limit = |chance: usize| (dice.below(chance) == 0).then(|| dice.below(900) as i32);
    let total = limit(2);
    let [move_loss, line_loss] = [(); 2].map(|()| {
        let black = limit(3);
        // Often the same for both.
        let white = if black.is_some_and(|limit| limit % 2 == 0) { black } else { limit(3) };
        LossLimit { black, white }
    });
    RegretLimits { move_loss, line_loss, total }
}

/// The first position of a book, or that and others of it.
pub fn roots_of(book: &MemoryBook, first: Key, dice: &mut Dice) -> Vec<Placed> {
    let keys: Vec<Key> = book.nodes().map(|node| node.key).collect();
    let others: Vec<Key> = (0..dice.below(3)).map(|_| keys[dice.below(keys.len())]).collect();
    let side = |dice: &mut Dice| [Side::Black, Side::White][dice.below(2)];
    let roots = std::iter::once(first).chain(others);
    roots.map(|key| Placed { position: key.position(), side: side(dice) }).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_order_is_that_of_a_plain_search(seed: u64, plies in 0usize..52, count in 1usize..200, penalty in 0i32..60, wanted in 1usize..40) {
        let changes = estimates(random_changes(seed, plies, count));
        let book = grown(&changes, 1);
        let mut dice = Dice(seed);
        let roots = roots_of(&book, changes[0].key, &mut dice);
        let judge = Judge { contempt: (dice.below(3) == 0).then(|| Score::from_discs(100)) };
        let nothing = Busy::default();
        let request = Request {
            roots: &roots,
            count: wanted,
            in_flight: &nothing,
            max_discs: None,
            limits: limits_of(&mut dice),
            judge,
            depth: Depth::Fixed { depth: 60, selectivity: Selectivity::FULL },
            give_up: GiveUp::default(),
        };
        let plain = |penalty, enters_decided, offers: &dyn Fn(&Node, Side) -> Option<Offered>| {
            Plain { book: &book, request: &request, penalty, enters_decided, offers }.leaves()
        };

        let mut expected = plain(penalty, false, &|node, side| rest_of(node, side, judge));
        expected.truncate(wanted);
        let Ok(found) = (Best { penalty, ..Best::default() }).next(&book, &request);
        prop_assert_eq!(found, expected);

        let deepen = Deepen { level: Level::new(8).unwrap() };
        let mut expected = plain(0, true, &|node, _| deepen.wants(node).then_some((Reason::Deepen, None, None, 0)));
        expected.truncate(wanted);
        expected.sort_by_key(|leaf| Reverse(leaf.key.discs()));
        let Ok(found) = deepen.next(&book, &request);
        prop_assert_eq!(found, expected);

        let is_open = |node: &Node| node.rest().is_some_and(|rest| rest.proof != Proof::Exact);
        let mut expected = plain(0, true, &|node, _| is_open(node).then_some((Reason::Solve, None, None, 0)));
        expected.sort_by_key(|leaf| (leaf.reason != Reason::Due, Reverse(leaf.key.discs())));
        expected.truncate(wanted);
        for leaf in expected.iter_mut().filter(|leaf| leaf.reason == Reason::Solve) {
            leaf.priority = i32::from(leaf.key.position().empties());
        }
        let Ok(found) = (Solve { max_empties: 60 }).next(&book, &request);
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn whatever_a_way_within_the_limits_leads_to_is_found(seed: u64, plies in 0usize..52, count in 1usize..80, penalty in 0i32..300) {
        let changes = estimates(random_changes(seed, plies, count));
        let book = grown(&changes, 1);
        let mut dice = Dice(seed);
        let roots = roots_of(&book, changes[0].key, &mut dice);
        let judge = Judge { contempt: (dice.below(2) == 0).then(|| Score::from_discs(100)) };
        let nothing = Busy::default();
        let limits = RegretLimits { total: Some(dice.below(900) as i32), ..limits_of(&mut dice) };
        let request = Request {
            roots: &roots,
            count: usize::MAX,
            in_flight: &nothing,
            max_discs: None,
            limits,
            judge,
            depth: Depth::Fixed { depth: 60, selectivity: Selectivity::FULL },
            give_up: GiveUp::default(),
        };
        let Ok(found) = (Best { penalty, ..Best::default() }).next(&book, &request);
        // A leaf whose move leads to what is taken already is left for later.
        let taken: HashSet<Key> =
            found.iter().flat_map(|leaf| [Some(leaf.key), leaf.child]).flatten().collect();
        let found: BTreeSet<Key> = found.into_iter().map(|leaf| leaf.key).collect();
        let offers = |node: &Node, side| rest_of(node, side, judge);
        let plain = Plain { book: &book, request: &request, penalty, enters_decided: false, offers: &offers };
        let mut free: BTreeSet<Key> = BTreeSet::new();
        let mut all: BTreeSet<Key> = BTreeSet::new();
        for Way { node, side, regret, .. } in plain.in_reach() {
            let due = node.is_incomplete().then_some((Reason::Due, None, None, 0));
            let rest = plain.is_open(&node).then(|| offers(&node, side)).flatten();
            for (_, _, child, more) in [due, rest].into_iter().flatten() {
                if limits.allow_move(side, more) && limits.allow(regret.and(side, more)) {
                    all.insert(node.key);
                    free.extend(child.is_none_or(|child| !taken.contains(&child)).then_some(node.key));
                }
            }
        }
        prop_assert!(found.is_subset(&all), "{found:?} {all:?}");
        let missing: Vec<&Key> = free.difference(&found).filter(|key| !taken.contains(key)).collect();
        prop_assert!(missing.is_empty(), "{missing:?}");
    }
}

/// A book that raises a flag when it was asked so often, and counts on.
struct Raising {
    book: MemoryBook,
    after: usize,
    asked: Cell<usize>,
    stop: Stop,
}

impl NodeSource for Raising {
    type Error = Infallible;

    fn node(&self, key: &Key) -> Result<Option<Node>, Infallible> {
        self.asked.set(self.asked.get() + 1);
        if self.asked.get() == self.after {
            self.stop.stop();
        }
        self.book.node(key)
    }

    fn held(&self, node: &Node) -> Result<Held, Infallible> {
        self.book.held(node)
    }
}

#[test]
fn a_ranking_is_given_up_at_once() {
    let changes = estimates(random_changes(7, 0, 3000));
    let book = grown(&changes, 50);
    assert!(book.len() > 1000, "{}", book.len());
    let policies: [Box<dyn Policy<Raising>>; 3] = [
        Box::new(Best::default()),
        Box::new(Deepen { level: Level::new(20).unwrap() }),
        Box::new(Solve { max_empties: 60 }),
    ];
    let mut raising = Raising { book, after: usize::MAX, asked: Cell::new(0), stop: Stop::new() };
    for policy in policies {
        let roots = [Placed::START];
        let nothing = Busy::default();
        let request = Request {
            roots: &roots,
            count: usize::MAX,
            in_flight: &nothing,
            max_discs: None,
            limits: RegretLimits::default(),
            judge: Judge::default(),
            depth: Depth::Fixed { depth: 60, selectivity: Selectivity::FULL },

            give_up: GiveUp::default(),
        };
        raising.asked.set(0);
        let Ok(all) = policy.next(&raising, &request);
        let asked = raising.asked.get();
        assert!(all.len() > 300 && asked > 300, "{} leaves, {asked} asked", all.len());
        (raising.after, raising.stop) = (100, Stop::new());
        raising.asked.set(0);
        let give_up = GiveUp { stop: Some(&raising.stop), at: None };
        let Ok(few) = policy.next(&raising, &Request { give_up, ..request.clone() });
        let asked = raising.asked.get();
        assert!(few.len() < all.len() && asked < 140, "{} leaves, {asked} asked", few.len());
        assert!(few.iter().all(|leaf| all.contains(leaf)));
        // Nor is anything looked at when it is too late.
        raising.asked.set(0);
        let give_up = GiveUp { stop: None, at: Some(Instant::now()) };
        let Ok(none) = policy.next(&raising, &Request { give_up, ..request });
        assert!(none.is_empty() && raising.asked.get() <= 1, "{} asked", raising.asked.get());
        raising.after = usize::MAX;
    }
}
