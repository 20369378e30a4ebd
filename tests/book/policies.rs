//! What policies may look at, and what they may not offer.

use std::cell::Cell;
use std::collections::HashSet;
use std::convert::Infallible;

use crate::graphs::Dice;
use rosebill::board::{Key, Line, Placed, Position, Square};
use rosebill::book::policy::{
    Best, Deepen, Deviate, Fill, Leaf, Lines, Played, Policy, Popular, Reason, Request, Solve,
};
use rosebill::book::regret::{Judge, RegretLimits};
use rosebill::book::{MemoryBook, Node, NodeSource, Rest, Searched, SourceId};
use rosebill::score::Score;
use rosebill::search::{Level, Proof, Selectivity};

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

    fn incomplete(&self, limit: usize) -> Result<Vec<Key>, Infallible> {
        self.book.incomplete(limit)
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
        for key in counting.book.incomplete(usize::MAX).unwrap() {
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
    assert_eq!(book.incomplete(9).unwrap(), [due]);
    let nothing = HashSet::default();
    let line: Line = "f5d6".parse().unwrap();
    let longer: Line = "f5d6c3".parse().unwrap();
    let other: Line = "f5f4e3f6".parse().unwrap();
    let squares = |line: &Line| line.squares().collect::<Vec<_>>();
    let level = Level::new(9).unwrap();
    type Named = (&'static str, Box<dyn Policy<MemoryBook>>);
    let policies = |games: &[Vec<Square>], lines: Vec<Vec<Square>>| -> [Named; 8] {
        [
            ("best", Box::new(Best::default())),
            ("deviate", Box::new(Deviate { single: 10_000, total: 10_000 })),
            ("deepen", Box::new(Deepen { level })),
            ("solve", Box::new(Solve { max_empties: 60 })),
            ("fill", Box::new(Fill)),
            ("played", Box::new(Played::default())),
            ("popular", Box::new(Popular::of_games(games.iter().map(Vec::as_slice), 1))),
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
        assert!(name == "popular" || found[0].line.len() == 3, "{name}");
    }
    // But not where its line gives away more than it may: f5f4 does.
    assert!(book.node(&start).unwrap().unwrap().values.guess >= Score::ZERO);
    let limits = RegretLimits { total: Some(0), ..RegretLimits::default() };
    let strict = Request { limits, ..request(&roots, &nothing) };
    assert!(due_leaves(&Best::default(), &strict).is_empty());
    assert!(due_leaves(&Played::default(), &strict).is_empty());
}
