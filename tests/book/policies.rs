//! What policies may look at, and what they may not offer.

use std::cell::Cell;
use std::collections::HashSet;
use std::convert::Infallible;

use crate::dice::Dice;
use crate::graphs::due;
use rosebill::openbook::policy::{
    Best, Deepen, Deviate, Doubt, Fill, GiveUp, Leaf, Lines, Played, Policy, Popular, Reason,
    Request, Solve,
};
use rosebill::openbook::regret::{Judge, LossLimit, RegretLimits};
use rosebill::openbook::{Held, MemoryBook, Node, NodeSource, Rest, Searched, SourceId};
use rosebill::othello::board::{Key, Line, Placed, Position, Square};
use rosebill::othello::score::Score;
use rosebill::othello::search::{Depth, Level, Proof, Selectivity};

/// A book that counts the nodes it is asked for.
struct Counting {
    book: MemoryBook,
    asked: Cell<usize>,
}

impl NodeSource for Counting {
    type Error = Infallible;

    fn node(&self, key: &Key) -> Result<Option<Node>, Infallible> {
        self.asked.set(self.asked.get() + 1);
        self.book.node(key)
    }

    fn held(&self, node: &Node) -> Result<Held, Infallible> {
        self.book.held(node)
    }
}

const SEARCHED: Searched =
    Searched { depth: 4, selectivity: Selectivity::FULL, source: SourceId(0) };

/// A rest of this score: its move is the first that leads to no node, when there is one.
fn rest(book: &MemoryBook, key: Key, centidiscs: i16) -> Option<Rest> {
    let position = key.position();
    let is_free = |square: &Square| {
        let next = position.after(*square).and_then(|after| after.position());
        next.is_none_or(|next| matches!(book.node(&Key::of(next)), Ok(None)))
    };
    let square = position.legal_moves().find(is_free)?;
    let score = Score::from_centidiscs(centidiscs);
    Some(Rest { square: Some(square), score, proof: Proof::None })
}

/// A book of these lines, their ends with rests of so many centidiscs.
fn book_of(ends: &[(&str, i16)]) -> MemoryBook {
    let mut book = MemoryBook::new();
    for (line, _) in ends {
        book.insert(end_of(line), None, SEARCHED).unwrap();
    }
    for &(line, centidiscs) in ends {
        let rest = rest(&book, end_of(line), centidiscs);
        book.set_rest(end_of(line), rest, SEARCHED).unwrap();
    }
    book
}

fn end_of(line: &str) -> Key {
    Key::of(line.parse::<Line>().unwrap().board().position)
}

fn request<'a>(
    roots: &'a [Placed],
    nothing: &'a HashSet<Key, foldhash::fast::FixedState>,
) -> Request<'a> {
    Request {
        roots,
        count: 1000,
        in_flight: nothing,
        max_discs: None,
        limits: RegretLimits::default(),
        judge: Judge::default(),
        depth: Depth::Fixed { depth: 60, selectivity: Selectivity::FULL },
        give_up: GiveUp::default(),
    }
}

#[test]
fn growth_along_lines_looks_at_each_position_a_few_times_only() {
    let mut dice = Dice(5);
    let mut games: Vec<Vec<Square>> = Vec::new();
    for _ in 0..150 {
        let (mut position, mut moves) = (Position::START, Vec::new());
        for _ in 0..40 {
            let legal: Vec<Square> = position.legal_moves().collect();
            let square = legal[dice.below(legal.len())];
            let Some(next) = position.after(square).and_then(|after| after.position()) else {
                break;
            };
            moves.push(square);
            position = next;
        }
        games.push(moves);
    }
    let on_lines: usize = games.iter().map(|moves| moves.len() + 1).sum();
    let policy = Lines::new(games);
    let nothing = HashSet::default();
    let roots = [Placed::START];
    let one = Request { count: 1, ..request(&roots, &nothing) };
    let mut counting = Counting { book: MemoryBook::new(), asked: Cell::new(0) };
    let mut leaves = 0;
    loop {
        let Ok(next) = policy.next(&counting, &one);
        let Some(leaf) = next.first() else { break };
        let rest = rest(&counting.book, leaf.key, 0);
        counting.book.insert(leaf.key, rest, SEARCHED).unwrap();
        leaves += 1;
        // A rest that has become a link is searched anew, as growth does.
        for key in due(&counting.book) {
            let rest = self::rest(&counting.book, key, 0);
            counting.book.set_rest(key, rest, SEARCHED).unwrap();
        }
    }
    assert!(leaves > 4000, "{leaves}");
    assert_eq!(counting.book.len(), leaves);
    let asked = counting.asked.get();
    assert!(asked <= 2 * (on_lines + leaves), "{asked} for {on_lines} on lines, {leaves} leaves");
}

#[test]
fn a_due_node_counts_only_where_it_is_reached_within_the_limits() {
    let ends = [("", 0), ("f5", 0), ("f5d6", 0), ("f5f4", 100), ("f5f4e3", 0), ("f5d6c3", -300)];
    let mut book = book_of(&ends);
    let (start, due) = (end_of(""), end_of("f5f4e3"));
    book.set_rest(due, None, SEARCHED).unwrap();
    book.settle();
    assert_eq!(self::due(&book), [due]);
    let nothing = HashSet::default();
    let line: Line = "f5d6".parse().unwrap();
    let longer: Line = "f5d6c3".parse().unwrap();
    let other: Line = "f5f4e3f6".parse().unwrap();
    let squares = |line: &Line| line.squares().collect::<Vec<_>>();
    let level = Level::new(9).unwrap();
    type Named = (&'static str, Box<dyn Policy<MemoryBook>>);
    let policies = |games: &[Vec<Square>], lines: Vec<Vec<Square>>| -> [Named; 9] {
        [
            ("best", Box::new(Best::default())),
            ("deviate", Box::new(Deviate)),
            ("deepen", Box::new(Deepen { level })),
            ("solve", Box::new(Solve { max_empties: 60 })),
            ("fill", Box::new(Fill)),
            ("played", Box::new(Played::default())),
            ("popular", Box::new(Popular::of_games(games.iter().map(Vec::as_slice), 1))),
            ("doubt", Box::new(Doubt::of_games(games.iter().map(Vec::as_slice), 1, level))),
            ("lines", Box::new(Lines::new(lines))),
        ]
    };
    let due_leaves = |policy: &dyn Policy<MemoryBook>, request: &Request<'_>| -> Vec<Leaf> {
        let Ok(leaves) = policy.next(&book, request);
        leaves.into_iter().filter(|leaf| leaf.reason == Reason::Due).collect()
    };
    // From another line it is out of reach.
    let elsewhere = [Placed { position: line.board().position, ..Placed::START }];
    for (name, policy) in policies(&[squares(&line)], vec![squares(&longer)[2..].to_vec()]) {
        let found = due_leaves(&*policy, &request(&elsewhere, &nothing));
        assert!(found.is_empty(), "{name}: {found:?}");
    }
    // From the start it is in reach, and found once, with its line where there is one.
    let roots = [Placed::START];
    for (name, policy) in policies(&[squares(&other)], vec![squares(&other)]) {
        let found = due_leaves(&*policy, &request(&roots, &nothing));
        assert_eq!(found.len(), 1, "{name}");
        assert_eq!(found[0].key, due);
        let has_line = !["popular", "doubt"].contains(&name);
        assert!(!has_line || found[0].line.len() == 3, "{name}");
    }
    // But not where its line gives away more than it may: f5f4 does.
    assert!(book.node(&start).unwrap().unwrap().values.guess >= Score::ZERO);
    let limits = RegretLimits { line_loss: LossLimit::each(0), ..RegretLimits::default() };
    let strict = Request { limits, ..request(&roots, &nothing) };
    assert!(due_leaves(&Best::default(), &strict).is_empty());
    assert!(due_leaves(&Played::default(), &strict).is_empty());
}

#[test]
fn the_first_to_solve_are_the_same_however_many_are_asked_for() {
    let mut dice = Dice(7);
    let mut book = MemoryBook::new();
    let mut keys = vec![Key::of(Position::START)];
    for _ in 0..40 {
        let mut position = Position::START;
        for _ in 0..12 {
            let legal: Vec<Square> = position.legal_moves().collect();
            let next = position.after(legal[dice.below(legal.len())]);
            let Some(next) = next.and_then(|after| after.position()) else { break };
            position = next;
            keys.push(Key::of(position));
        }
    }
    for &key in &keys {
        book.insert(key, None, SEARCHED).unwrap();
    }
    for (number, &key) in keys.iter().enumerate() {
        // Some searches stay due.
        if number % 7 > 0 {
            let rest = rest(&book, key, dice.below(800) as i16 - 400);
            book.set_rest(key, rest, SEARCHED).unwrap();
        }
    }
    book.settle();
    let (nothing, roots) = (HashSet::default(), [Placed::START]);
    let limits = [LossLimit::default(), LossLimit::each(300)]
        .map(|line_loss| RegretLimits { line_loss, ..RegretLimits::default() });
    for limits in limits {
        let solve = |count| {
            let request = Request { count, limits, ..request(&roots, &nothing) };
            let Ok(found) = Solve { max_empties: 60 }.next(&book, &request);
            found
        };
        let all = solve(usize::MAX);
        let due = all.iter().filter(|leaf| leaf.reason == Reason::Due).count();
        let enough = if limits.is_set() { 1 } else { 20 };
        assert!(due > 0 && all.len() > enough, "{due} due of {}", all.len());
        let solved: Vec<_> = all.iter().filter(|leaf| leaf.reason == Reason::Solve).collect();
        assert!(solved.is_sorted_by_key(|leaf| leaf.priority));
        for count in [0, 1, 2, 5, all.len() / 2, all.len()] {
            assert_eq!(solve(count), all[..count], "{count}");
        }
    }
}

/// The doubt of each search by going through all positions of all games one by one.
#[test]
fn what_most_games_depend_on_and_the_book_trusts_least_comes_first() {
    let ends = [("", 0), ("f5", 0), ("f5d6", 0), ("f5f6", 60), ("f5d6c3", -300), ("f5d6c3d3", 0)];
    let mut book = book_of(&ends);
    // Nobody plays it, but what f5f6 is worth comes from there.
    let deep = end_of("f5f6e6f4");
    for line in ["f5f6e6", "f5f6e6f4"] {
        book.insert(end_of(line), None, SEARCHED).unwrap();
        let rest = rest(&book, end_of(line), if line.len() == 6 { -900 } else { -700 });
        book.set_rest(end_of(line), rest, SEARCHED).unwrap();
    }
    // Searched as deep as is asked for.
    let level = Level::new(9).unwrap();
    let done = end_of("f5d6");
    let rest = rest(&book, done, 0);
    book.set_rest(done, rest, Searched { depth: 12, ..SEARCHED }).unwrap();
    book.settle();
    let games: Vec<Vec<Square>> = ["f5d6c3d3c4", "f5d6c3d3", "f5f6", "f5f6", "f5f6e6", "f5f4c3"]
        .map(|game| game.parse::<Line>().unwrap().squares().collect())
        .to_vec();
    let mut doubts: std::collections::BTreeMap<Key, f64> = std::collections::BTreeMap::new();
    for game in &games {
        let mut line = Line::default();
        let mut positions = vec![Position::START];
        for &square in game {
            assert!(line.push(square));
            positions.extend(line.end().map(|placed| placed.position));
        }
        for position in positions {
            let Ok(Some(node)) = book.node(&Key::of(position)) else { continue };
            let mut end = node;
            loop {
                let Ok(moves) = end.moves(&book);
                let best = moves.iter().map(|found| found.values.guess).max().unwrap();
                let best = moves.iter().find(|found| found.values.guess == best).unwrap();
                let Some((child, _)) = best.child else { break };
                end = child;
            }
            let distinct: HashSet<Key> = HashSet::from([node.key, end.key]);
            for key in distinct {
                let Ok(Some(node)) = book.node(&key) else { unreachable!() };
                *doubts.entry(key).or_default() += node.search_error();
            }
        }
    }
    assert!(doubts.contains_key(&deep), "a search that nobody's game comes to counts");
    doubts.remove(&done);
    doubts.retain(|key, _| book.node(key).unwrap().unwrap().rest().is_some());
    let mut expected: Vec<(Key, i32)> =
        doubts.into_iter().map(|(key, doubt)| (key, -(doubt as i32))).collect();
    expected.sort_by_key(|&(key, doubt)| (doubt, key));
    let policy = Doubt::of_games(games.iter().map(Vec::as_slice), 1, level);
    let nothing = HashSet::default();
    let roots = [Placed::START];
    let Ok(found) = policy.next(&book, &request(&roots, &nothing));
    let found: Vec<(Key, i32)> = found.iter().map(|leaf| (leaf.key, leaf.priority)).collect();
    assert_eq!(found, expected);
    assert!(expected.len() > 3, "{expected:?}");
    // What has more discs than are wanted is not searched again.
    let most = expected.iter().map(|(key, _)| key.discs()).min().unwrap();
    let near = Request { max_discs: Some(most), ..request(&roots, &nothing) };
    let Ok(found) = policy.next(&book, &near);
    let found: Vec<Key> = found.iter().map(|leaf| leaf.key).collect();
    let all = expected.iter().map(|&(key, _)| key);
    let wanted: Vec<Key> = all.filter(|key| key.discs() <= most).collect();
    assert!(found == wanted && wanted.len() < expected.len(), "{found:?}");
    // What few games reach is left out, and with it what only their values rest on.
    let policy = Doubt::of_games(games.iter().map(Vec::as_slice), 4, level);
    let Ok(few) = policy.next(&book, &request(&roots, &nothing));
    assert!(few.len() < expected.len() && !few.is_empty(), "{few:?}");
}
