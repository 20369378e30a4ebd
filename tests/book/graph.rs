//! Values, links and policies on random legal books, against naive implementations of the rules.

use std::collections::{HashMap, HashSet};
use std::convert::Infallible;

use proptest::prelude::*;

use crate::dice::Dice;
use crate::graphs::{Plain, estimates, grown, plain, random_changes, random_searched};
use rosebill::openbook::policy::{
    Best, Deepen, Deviate, Fill, GiveUp, Leaf, Lines, Played, Policy, Popular, Reason, Request,
    Solve,
};
use rosebill::openbook::propagate::{Links, sweep};
use rosebill::openbook::regret::{Judge, LossLimit, RegretLimits};
use rosebill::openbook::{
    MemoryBook, MoveMask, Node, NodeSource, NodeView, Rest, Values, child_of,
};
use rosebill::othello::board::{After, Key, Line, Placed, Side};
use rosebill::othello::search::{Depth, Level, Proof, Selectivity};

/// The rules once more, written out by hand.
struct Oracle {
    rests: HashMap<Key, Node>,
    known: HashMap<Key, Plain>,
}

impl Oracle {
    fn of(book: &MemoryBook) -> Self {
        Self { rests: book.nodes().map(|n| (n.key, *n)).collect(), known: HashMap::new() }
    }

    fn proven(score: i32, lower: i32, upper: i32) -> Plain {
        let guess = score.clamp(lower * 100, upper * 100);
        let win = lower >= 2;
        let loss = upper <= -2;
        let at_least_draw = lower >= 0;
        let at_most_draw = upper <= 0;
        let draw_seeking = guess
            + if win || at_least_draw {
                10_000
            } else if loss {
                -10_000
            } else {
                0
            };
        let win_seeking = guess
            + if win {
                10_000
            } else if loss || at_most_draw {
                -10_000
            } else {
                0
            };
        [guess, draw_seeking, win_seeking, lower, upper]
    }

    fn value(&mut self, key: Key) -> Plain {
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let node = self.rests[&key];
        let mut moves: Vec<Plain> = vec![];
        let mut unknown = false;
        for square in key.position().legal_moves() {
            let (next, same) = match key.position().after(square).unwrap() {
                After::Opponent(next) => (Some(Key::of(next)), false),
                After::Same(next) => (Some(Key::of(next)), true),
                After::Over(_) => (None, false),
            };
            if let Some(child) = next.filter(|next| self.rests.contains_key(next)) {
                let [g, d, w, l, u] = self.value(child);
                moves.push(if same { [g, d, w, l, u] } else { [-g, -w, -d, -u, -l] });
            } else if node.rest().is_none() {
                match key.position().after(square).unwrap() {
                    After::Over(discs) => {
                        let discs = i32::from(discs);
                        moves.push(Self::proven(discs * 100, discs, discs));
                    }
                    _ => unknown = true,
                }
            }
        }
        if let Some(rest) = node.rest() {
            let score = i32::from(rest.score.centidiscs());
            let (lower, upper) = match rest.proof {
                Proof::None => (-64, 64),
                Proof::Exact => (score / 100, score / 100),
                Proof::Win => (2, 64),
                Proof::Loss => (-64, -2),
                Proof::NotLost => (0, 64),
                Proof::NotWon => (-64, 0),
            };
            moves.push(Self::proven(score, lower, upper));
        }
        let best = |at: usize| moves.iter().map(|plain| plain[at]).max().unwrap_or(0);
        let value = if moves.is_empty() {
            [0, 0, 0, -64, 64]
        } else {
            let upper = if unknown { 64 } else { best(4) };
            [best(0).clamp(best(3) * 100, upper * 100), best(1), best(2), best(3), upper]
        };
        self.known.insert(key, value);
        value
    }
}

/// The cost of every leaf, by relaxing all nodes layer by layer.
fn leaf_costs(book: &MemoryBook, root: Key, penalty: i32) -> Vec<(i32, Key)> {
    let mut costs: HashMap<Key, i32> = HashMap::from([(root, 0)]);
    let mut leaves = vec![];
    for node in book.nodes() {
        let Some(&cost) = costs.get(&node.key) else { continue };
        if node.values.is_decided() || node.values.is_exact() {
            continue;
        }
        let guess = i32::from(node.values.guess.centidiscs());
        if let Some(rest) = node.rest() {
            let values = Values::of_search(rest.score, rest.proof);
            let ends = rest.square.is_some_and(|s| child_of(node.key.position(), s).is_none());
            if !values.is_decided() && !values.is_exact() && !ends {
                leaves.push((cost + guess - i32::from(values.guess.centidiscs()), node.key));
            }
        }
        for square in node.linked() {
            let (key, same) = child_of(node.key.position(), square).unwrap();
            let child = book.node(&key).unwrap().unwrap();
            if child.values.is_decided() || child.values.is_exact() {
                continue;
            }
            let seen = i32::from(child.values.guess.centidiscs()) * if same { 1 } else { -1 };
            let next = cost + (guess - seen).max(0) + penalty;
            costs.entry(key).and_modify(|known| *known = next.min(*known)).or_insert(next);
        }
    }
    leaves.sort();
    leaves
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn values_and_links_follow_the_rules(seed: u64, plies in 0usize..58, count in 1usize..250, every in 1usize..20) {
        let changes = estimates(random_changes(seed, plies, count));
        let mut book = grown(&changes, every);
        let mut oracle = Oracle::of(&book);
        for node in book.nodes() {
            prop_assert_eq!(plain(node.values), oracle.value(node.key));
            let squares = node.key.position().legal_moves().filter(|&square| {
                child_of(node.key.position(), square).is_some_and(|(key, _)| oracle.rests.contains_key(&key))
            });
            let links = squares.fold(0, |set, square| set | square.bit());
            prop_assert_eq!(node.links, MoveMask::of_squares(node.key, links));
            if let Some(square) = node.rest().and_then(|rest| rest.square) {
                prop_assert!(links & square.bit() == 0);
            }
        }
        // A sweep finds the same bits, also when it has to find the links itself.
        let before: Vec<Node> = book.nodes().copied().collect();
        let Ok(changed) = sweep(&mut book, Links::Keep);
        prop_assert_eq!(changed, 0);
        let mut bare = MemoryBook::new();
        for node in &before {
            bare.put_raw(Node { links: MoveMask::NONE, values: rosebill::openbook::UNKNOWN, ..*node });
        }
        let Ok(_) = sweep(&mut bare, Links::Rebuild);
        prop_assert_eq!(bare.nodes().copied().collect::<Vec<_>>(), before);
    }

    #[test]
    fn best_finds_the_cheapest_leaves(seed: u64, plies in 0usize..50, count in 1usize..250, penalty in 0i32..60) {
        let changes = estimates(random_changes(seed, plies, count));
        let book = grown(&changes, 1);
        let root = Placed { position: changes[0].key.position(), side: Side::White };
        let nothing = HashSet::default();
        let request = Request {
            roots: &[root],
            count: 1000,
            in_flight: &nothing,
            max_discs: None,
            limits: RegretLimits::default(),
            judge: Judge::default(), depth: Depth::Fixed { depth: 60, selectivity: Selectivity::FULL },
            give_up: GiveUp::default(),
        };
        let Ok(leaves): Result<_, Infallible> = (Best { penalty, ..Best::default() }).next(&book, &request);
        let is_due = |leaf: &&Leaf| leaf.reason == Reason::Due;
        prop_assert!(leaves.is_sorted_by_key(|leaf| leaf.priority));
        for leaf in leaves.iter().filter(is_due) {
            prop_assert!(book.node(&leaf.key).unwrap().unwrap().is_incomplete());
        }
        let found = leaves.iter().filter(|leaf| !is_due(leaf)).map(|leaf| (leaf.priority, leaf.key));
        let mut children = HashSet::new();
        // A leaf whose move leads to a position that is due or taken already is left for later.
        let taken: HashSet<Key> = leaves.iter().map(|leaf| leaf.key).collect();
        // Equally cheap leaves may come in any order: a cheap one can be met behind a free move.
        let place: HashMap<Key, usize> = found.clone().enumerate().map(|(place, (_, key))| (key, place)).collect();
        let mut costs = leaf_costs(&book, changes[0].key, penalty);
        costs.sort_by_key(|(cost, key)| (*cost, place.get(key).copied().unwrap_or(usize::MAX)));
        let expected = costs.into_iter().filter(|&(_, key)| {
            let rest = book.node(&key).unwrap().unwrap().rest().unwrap();
            let child = rest.square.and_then(|square| child_of(key.position(), square));
            child.is_none_or(|(child, _)| !taken.contains(&child) && children.insert(child))
        });
        prop_assert_eq!(found.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
        for leaf in &leaves {
            let mut at = root;
            for &square in &leaf.line {
                at = at.after(square).unwrap();
            }
            prop_assert_eq!(Key::of(at.position), leaf.key);
            prop_assert_eq!(leaf.regret.total() + penalty * leaf.line.len() as i32, leaf.priority);
            if let Some(square) = leaf.rest_square {
                prop_assert_eq!(child_of(at.position, square).map(|(key, _)| key), leaf.child);
            }
        }
        // The first few alone are the same first few.
        let Ok(few) = (Best { penalty, ..Best::default() }).next(&book, &Request { count: 3, ..request.clone() });
        prop_assert_eq!(&few[..], &leaves[..few.len()]);
        // A leaf in flight is not given out again.
        let busy: HashSet<Key, _> = leaves.iter().take(2).map(|leaf| leaf.key).collect();
        let Ok(others) = (Best { penalty, ..Best::default() }).next(&book, &Request { in_flight: &busy, ..request });
        prop_assert!(others.iter().all(|leaf| !busy.contains(&leaf.key)));
    }

    #[test]
    fn limits_of_one_side_are_exact(seed: u64, plies in 0usize..50, count in 1usize..150, limit in 0i32..400) {
        let changes = estimates(random_changes(seed, plies, count));
        let book = grown(&changes, 1);
        let root = Placed { position: changes[0].key.position(), side: Side::Black };
        let nothing = HashSet::default();
        let line_loss = LossLimit { black: Some(limit), white: None };
        let limits = RegretLimits { line_loss, ..RegretLimits::default() };
        let request = Request { roots: &[root], count: 1000, in_flight: &nothing, max_discs: None, limits, judge: Judge::default(), depth: Depth::Fixed { depth: 60, selectivity: Selectivity::FULL }, give_up: GiveUp::default() };
        let Ok(leaves) = (Best { penalty: 0, ..Best::default() }).next(&book, &request);
        prop_assert!(leaves.iter().all(|leaf| leaf.regret.black <= limit));
        // Least regret of Black alone decides which leaves can be reached at all.
        let mut least: HashMap<(Key, Side), i32> = HashMap::from([((changes[0].key, Side::Black), 0)]);
        let mut reachable = HashSet::new();
        for node in book.nodes() {
            if node.values.is_decided() || node.values.is_exact() {
                continue;
            }
            let guess = i32::from(node.values.guess.centidiscs());
            for side in [Side::Black, Side::White] {
                let Some(&cost) = least.get(&(node.key, side)) else { continue };
                let black = i32::from(side == Side::Black);
                if let Some(rest) = node.rest() {
                    let values = Values::of_search(rest.score, rest.proof);
                    let ends = rest.square.is_some_and(|s| child_of(node.key.position(), s).is_none());
                    let regret = guess - i32::from(values.guess.centidiscs());
                    if !values.is_decided() && !values.is_exact() && !ends && cost + black * regret <= limit {
                        reachable.insert(node.key);
                    }
                }
                for square in node.linked() {
                    let (key, same) = child_of(node.key.position(), square).unwrap();
                    let child = book.node(&key).unwrap().unwrap();
                    if child.values.is_decided() || child.values.is_exact() {
                        continue;
                    }
                    let seen = i32::from(child.values.guess.centidiscs()) * if same { 1 } else { -1 };
                    let next = cost + black * (guess - seen).max(0);
                    let next_side = if same { side } else { side.other() };
                    if next <= limit {
                        let entry = least.entry((key, next_side)).or_insert(next);
                        *entry = next.min(*entry);
                    }
                }
            }
        }
        let found: HashSet<Key> = leaves.iter().filter(|leaf| leaf.reason != Reason::Due).map(|leaf| leaf.key).collect();
        prop_assert!(found.is_subset(&reachable));
        let skipped = reachable.difference(&found).filter(|key| {
            let rest = book.node(key).unwrap().unwrap().rest().unwrap();
            let child = rest.square.and_then(|square| child_of(key.position(), square)).map(|(key, _)| key);
            !leaves.iter().any(|leaf| leaf.child == child || Some(leaf.key) == child)
        });
        prop_assert_eq!(skipped.count(), 0);
    }

    #[test]
    fn a_view_shows_every_move_from_the_movers_side(seed: u64, plies in 0usize..58, image in 0u8..8) {
        let changes = estimates(random_changes(seed, plies, 60));
        let book = grown(&changes, 1);
        for node in book.nodes() {
            let symmetry = rosebill::othello::board::Symmetry::new(image);
            let position = symmetry.position(node.key.position());
            let Ok(view) = NodeView::of(&book, position);
            prop_assert_eq!(view.node, Some(*node));
            prop_assert_eq!(view.moves.len(), position.legal_moves().len());
            let best = view.moves.iter().filter_map(|m| m.values).fold(Values::NONE, Values::max);
            let squareless = node.rest().is_some_and(|rest| rest.square.is_none());
            if !squareless && best.guess != Values::NONE.guess && node.rest().is_none() {
                prop_assert_eq!(best.draw_seeking, node.values.draw_seeking);
            }
        }
    }
}

/// The policies beside `best`, on one grown book.
#[test]
fn each_policy_offers_what_it_says() {
    let changes = estimates(random_changes(11, 6, 400));
    let book = grown(&changes, 1);
    let root = Placed { position: changes[0].key.position(), side: Side::Black };
    let nothing = HashSet::default();
    let request = Request {
        roots: &[root],
        count: 10_000,
        in_flight: &nothing,
        max_discs: None,
        limits: RegretLimits::default(),
        judge: Judge::default(),
        depth: Depth::Fixed { depth: 60, selectivity: Selectivity::FULL },
        give_up: GiveUp::default(),
    };
    let of = |reason: Reason, leaves: Vec<Leaf>| -> Vec<Leaf> {
        leaves.into_iter().filter(|leaf| leaf.reason == reason).collect()
    };
    let node = |leaf: &Leaf| book.node(&leaf.key).unwrap();

    let within = |move_loss: LossLimit, line_loss: LossLimit| {
        let limits = RegretLimits { move_loss, line_loss, ..RegretLimits::default() };
        let Ok(leaves) = Deviate.next(&book, &Request { limits, ..request.clone() });
        of(Reason::Expand, leaves)
    };
    let (none, each) = (LossLimit::default(), LossLimit::each);
    let wide = within(none, none);
    assert!(!wide.is_empty() && wide.is_sorted_by_key(|leaf| leaf.line.len()));
    // Without a limit for lines both sides together may give away twice what a move may.
    assert_eq!(wide, within(each(200), none));
    assert!(wide.iter().all(|leaf| leaf.regret.total() <= 400));
    // With one it is that of each side.
    let lines = within(each(800), each(400));
    assert!(lines.iter().all(|leaf| leaf.regret.black.max(leaf.regret.white) <= 400));
    assert!(lines.iter().any(|leaf| leaf.regret.total() > 400));
    let black = LossLimit { black: Some(0), white: None };
    assert!(within(black, none).iter().all(|leaf| leaf.regret.black == 0));

    let level = Level::new(10).unwrap();
    let Ok(deepen) = (Deepen { level }).next(&book, &request);
    let deepen = of(Reason::Deepen, deepen);
    assert!(!deepen.is_empty());
    for leaf in &deepen {
        let node = node(leaf).unwrap();
        let empties = node.key.position().empties();
        let reached = (node.searched.depth.min(empties), node.searched.selectivity);
        assert!(reached < level.plan(empties));
    }

    let Ok(solve) = (Solve { max_empties: 60 }).next(&book, &request);
    let solve = of(Reason::Solve, solve);
    assert!(!solve.is_empty() && solve.is_sorted_by_key(|leaf| leaf.key.position().empties()));
    assert!(solve.iter().all(|leaf| node(leaf).unwrap().rest().unwrap().proof != Proof::Exact));

    let Ok(played) = Played::default().next(&book, &request);
    let played = of(Reason::Expand, played);
    assert!(!played.is_empty() && played.iter().all(|leaf| leaf.child.is_some()));
    let Ok(again) = Played::default().next(&book, &request);
    assert_eq!(of(Reason::Expand, again), played);

    let start = [Placed::START];
    let empty = MemoryBook::new();
    let from_start = Request { roots: &start, ..request };
    let line: Line = "f5d6c3d3c4".parse().unwrap();
    let squares: Vec<_> = line.squares().collect();
    let Ok(lines) = Lines::new(vec![squares.clone()]).next(&empty, &from_start);
    assert_eq!(lines.iter().map(|leaf| leaf.line.len()).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);

    let other: Line = "f5f6e6".parse().unwrap();
    let other: Vec<_> = other.squares().collect();
    let popular = Popular::of_games([&squares[..], &squares[..], &other[..]], 2);
    let Ok(most) = popular.next(&empty, &from_start);
    assert_eq!(most.iter().map(|leaf| leaf.priority).collect::<Vec<_>>(), [-3, -3, -2, -2, -2, -2]);
}

/// What is missing between known positions, sought by hand from a root over what is still open.
fn missing(book: &MemoryBook, root: Key) -> HashSet<Key> {
    let open = |key: Key| {
        let node = book.node(&key).unwrap()?;
        (!node.values.is_decided() && !node.values.is_exact()).then_some(node)
    };
    let mut missing = HashSet::new();
    let (mut met, mut stack) = (HashSet::from([root]), vec![root]);
    while let Some(key) = stack.pop() {
        if open(key).is_none() {
            continue;
        }
        for square in key.position().legal_moves() {
            let Some((next, _)) = child_of(key.position(), square) else { continue };
            if book.node(&next).unwrap().is_some() {
                if met.insert(next) {
                    stack.push(next);
                }
                continue;
            }
            let squares = next.position().legal_moves();
            let known = |(key, _)| book.node(&key).unwrap().is_some();
            if squares.filter_map(|square| child_of(next.position(), square)).any(known) {
                missing.insert(next);
            }
        }
    }
    missing
}

/// A node with something below is taken out: `fill` finds its place again, and every other place
/// like it, with a line that leads there.
#[test]
fn fill_finds_what_is_missing() {
    let mut offered = 0;
    for seed in 0..12 {
        let changes = estimates(random_changes(seed, 6, 300));
        let book = grown(&changes, 1);
        let root = Placed { position: changes[0].key.position(), side: Side::Black };
        let taken: Vec<Key> = book
            .nodes()
            .filter(|node| !node.links.is_empty() && node.key != changes[0].key)
            .map(|node| node.key)
            .take(3)
            .collect();
        let mut hole = MemoryBook::new();
        for node in book.nodes().filter(|node| !taken.contains(&node.key)) {
            hole.insert(node.key, node.rest(), node.searched).unwrap();
        }
        hole.settle();
        let nothing = HashSet::default();
        let request = Request {
            roots: &[root],
            count: 10_000,
            in_flight: &nothing,
            max_discs: None,
            limits: RegretLimits::default(),
            judge: Judge::default(),
            depth: Depth::Fixed { depth: 60, selectivity: Selectivity::FULL },
            give_up: GiveUp::default(),
        };
        let Ok(leaves) = Fill.next(&hole, &request);
        let fill: Vec<_> = leaves.iter().filter(|leaf| leaf.reason == Reason::Add).collect();
        let keys: HashSet<Key> = fill.iter().map(|leaf| leaf.key).collect();
        assert_eq!(keys.len(), fill.len(), "twice the same");
        assert_eq!(keys, missing(&hole, changes[0].key), "seed {seed}");
        for leaf in &fill {
            let mut position = root.position;
            for &square in &leaf.line {
                position = position.after(square).unwrap().position().unwrap();
            }
            assert_eq!(Key::of(position), leaf.key);
            assert!(leaf.rest.is_none() && leaf.rest_square.is_none());
        }
        offered += fill.iter().filter(|leaf| taken.contains(&leaf.key)).count();
    }
    assert!(offered > 5, "{offered} of what was taken out was found");

    // One position of a line is missing, and nothing else is.
    let mut book = MemoryBook::new();
    let line = ["", "f5", "f5d6c3"].map(|line| line.parse::<Line>().unwrap().board().position);
    let mut dice = Dice(1);
    for position in line {
        let key = Key::of(position);
        book.insert(key, Some(estimate(key)), random_searched(&mut dice)).unwrap();
    }
    book.settle();
    let nothing = HashSet::default();
    let request = Request {
        roots: &[Placed::START],
        count: 10,
        in_flight: &nothing,
        max_discs: None,
        limits: RegretLimits::default(),
        judge: Judge::default(),
        depth: Depth::Fixed { depth: 60, selectivity: Selectivity::FULL },
        give_up: GiveUp::default(),
    };
    let Ok(leaves) = Fill.next(&book, &request);
    let gap: Line = "f5d6".parse().unwrap();
    let fill: Vec<_> = leaves.iter().filter(|leaf| leaf.reason == Reason::Add).collect();
    assert!(fill.iter().any(|leaf| leaf.key == Key::of(gap.board().position)), "{fill:?}");
}

/// A search that says: the first legal move, no advantage.
fn estimate(key: Key) -> Rest {
    let square = key.position().legal_moves().next();
    Rest { square, score: rosebill::othello::score::Score::ZERO, proof: Proof::None }
}
