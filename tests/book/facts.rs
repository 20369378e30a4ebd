//! Facts: what others have proven, and what a book is known to be worth from that.

use std::collections::{BTreeMap, HashMap, HashSet};

use proptest::prelude::*;

use crate::dice::Dice;
use crate::graphs::{Change, Plain, estimates, plain, random_changes};
use rosebill::app::{
    Depth, Ended, GrowOptions, GrowSummary, LineTerms, ShowOptions, Trust, draw_tree, grow, lines,
    merge_files, next_leaves, show,
};
use rosebill::openbook::facts::{Against, Verdict, all_known_values, judge_fact};
use rosebill::openbook::policy::{Best, Deepen, Policy};
use rosebill::openbook::verify::Invariant;
use rosebill::openbook::{
    Bounds, MemoryBook, Node, NodeSource, Rest, Searched, Source, SourceId, Values, WithFacts,
};
use rosebill::othello::board::{After, Key, Line, Position, Square};
use rosebill::othello::eval::PatternEvaluator;
use rosebill::othello::score::Score;
use rosebill::othello::search::{Level, Proof, Selectivity, Stop};
use rosebill::store::{Book, Fact, Kept, Reader, StoreError, Wreck, salvage};

/// The rules for facts once more, written out by hand: a plain recursion from the leaves up.
struct Oracle<'a> {
    book: &'a MemoryBook,
    facts: &'a HashMap<Key, Vec<Bounds>>,
    known: HashMap<Key, Plain>,
}

impl Oracle<'_> {
    fn value(&mut self, key: Key) -> Plain {
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let node = self.book.node(&key).unwrap().unwrap();
        let (mut moves, mut unknown): (Vec<Plain>, bool) = (vec![], false);
        for square in key.position().legal_moves() {
            let after = key.position().after(square).unwrap();
            let next = after.position().map(Key::of);
            if let Some(child) = next.filter(|next| self.book.node(next).unwrap().is_some()) {
                let [g, d, w, l, u] = self.value(child);
                let same = matches!(after, After::Same(_));
                moves.push(if same { [g, d, w, l, u] } else { [-g, -w, -d, -u, -l] });
            } else if node.rest().is_none() {
                match after {
                    After::Over(discs) => moves.push(plain(Values::of_final(discs))),
                    _ => unknown = true,
                }
            }
        }
        moves.extend(node.rest().map(|rest| plain(rest.values())));
        let best = |at: usize| moves.iter().map(|plain| plain[at]).max().unwrap_or(0);
        let mut value = if moves.is_empty() {
            [0, 0, 0, -64, 64]
        } else {
            let upper = if unknown { 64 } else { best(4) };
            [best(0).clamp(best(3) * 100, upper * 100), best(1), best(2), best(3), upper]
        };
        for fact in self.facts.get(&key).into_iter().flatten() {
            value = Self::believe(value, *fact);
        }
        self.known.insert(key, value);
        value
    }

    fn believe(value: Plain, fact: Bounds) -> Plain {
        let [guess, draw, win, lower, upper] = value;
        let (now_lower, now_upper) = (lower.max(fact.lower.into()), upper.min(fact.upper.into()));
        if now_lower > now_upper || (now_lower, now_upper) == (lower, upper) {
            return value;
        }
        let held = |score: i32| score.clamp(now_lower * 100, now_upper * 100);
        let estimate = |seeking: i32| {
            held(match seeking {
                10_000.. => seeking - 10_000,
                ..=-10_000 => seeking + 10_000,
                _ => seeking,
            })
        };
        let sign = |good: bool, bad: bool| {
            if good {
                10_000
            } else if bad {
                -10_000
            } else {
                0
            }
        };
        let win = estimate(win) + sign(now_lower > 0, now_upper <= 0);
        let draw = estimate(draw) + sign(now_lower >= 0, now_upper < 0);
        [held(guess), draw.max(win), win, now_lower, now_upper]
    }
}

fn change(book: &mut MemoryBook, change: &Change) {
    if change.adds {
        book.insert(change.key, change.rest, change.searched).unwrap();
    } else {
        book.set_rest(change.key, change.rest, change.searched).unwrap();
    }
}

/// Facts of some positions of a book and of some that are not in it, true or not.
fn random_facts(seed: u64, changes: &[Change]) -> Vec<(Key, Bounds)> {
    let mut dice = Dice(seed ^ 0x5eed);
    let mut facts = vec![];
    for change in changes {
        if dice.below(6) != 0 {
            continue;
        }
        let one = dice.below(13) as i8 * 2 - 12;
        let (lower, upper) =
            [(one, one), (0, 64), (-64, 0), (2, 64), (-64, -2), (0, 0), (-64, 12)][dice.below(7)];
        facts.push((change.key, Bounds::new(lower, upper).unwrap()));
    }
    facts
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn facts_flow_up_as_the_rules_say(
        seed: u64, plies in 0usize..58, count in 1usize..150, every in 1usize..20
    ) {
        let changes = estimates(random_changes(seed, plies, count));
        let facts = random_facts(seed, &changes);
        let (mut book, mut without) = (MemoryBook::new(), MemoryBook::new());
        let mut by_key: HashMap<Key, Vec<Bounds>> = HashMap::new();
        // Some come before their positions, some after.
        let (early, late) = facts.split_at(facts.len() / 2);
        for &(key, fact) in early {
            book.add_fact(key, fact);
            by_key.entry(key).or_default().push(fact);
        }
        for (index, one) in changes.iter().enumerate() {
            change(&mut book, one);
            change(&mut without, one);
            if let Some(&(key, fact)) = late.get(index) {
                book.add_fact(key, fact);
                by_key.entry(key).or_default().push(fact);
            }
            if index % every == 0 {
                book.settle();
            }
        }
        for &(key, fact) in late.iter().skip(changes.len()) {
            book.add_fact(key, fact);
            by_key.entry(key).or_default().push(fact);
        }
        book.settle();
        without.settle();
        prop_assert_eq!(book.settle(), 0);
        // What searches say is what it would be without facts.
        prop_assert!(book.nodes().eq(without.nodes()));
        let mut oracle = Oracle { book: &book, facts: &by_key, known: HashMap::new() };
        let Ok(with_facts) = WithFacts::of(&book);
        let Ok(anew) = all_known_values(&book, by_key.keys().copied());
        for node in book.nodes() {
            let Ok(Some(known)) = with_facts.node(&node.key) else { panic!("it is there") };
            prop_assert_eq!(plain(known.values), oracle.value(node.key), "{:?}", node);
            let differs = known.values != node.values;
            prop_assert_eq!(anew.get(&node.key).copied(), differs.then_some(known.values));
            // As for any values.
            let Values { guess, lower, upper, .. } = known.values;
            prop_assert!(known.values.win_seeking <= known.values.draw_seeking);
            prop_assert!(Score::from_discs(lower) <= guess && guess <= Score::from_discs(upper));
            // Facts only narrow what we have proven ourselves.
            prop_assert!(node.values.lower <= lower && upper <= node.values.upper);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn a_file_knows_what_memory_knows(
        seed: u64, plies in 0usize..58, count in 1usize..120, every in 1usize..30
    ) {
        let changes = estimates(random_changes(seed, plies, count));
        let facts = random_facts(seed, &changes);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.db");
        let mut memory = MemoryBook::new();
        let mut book = Book::create(&path).unwrap();
        let sources = sources(&mut book);
        for (index, one) in changes.iter().enumerate() {
            change(&mut memory, one);
            if one.adds {
                book.insert(one.key, one.rest, one.searched).unwrap();
            } else {
                book.set_rest(one.key, one.rest, one.searched).unwrap();
            }
            if let Some(&(key, bounds)) = facts.get(index) {
                // The same fact from another source says nothing else.
                let Ok(before) = memory.facts_of(&key);
                if before.len() < sources.len() {
                    memory.add_fact(key, bounds);
                    book.facts().keep(Fact { key, bounds, source: sources[before.len()] }).unwrap();
                }
            }
            if index % every == 0 {
                book.commit().unwrap();
            }
            if index == count / 2 {
                book.commit().unwrap();
                drop(book);
                book = Book::open(&path).unwrap();
            }
        }
        memory.settle();
        book.commit().unwrap();
        same(book.reader(), &memory);
        prop_assert_eq!(book.sweep().unwrap(), 0);
        prop_assert_eq!(book.sweep_on(2).unwrap(), 0);
        only_contradictions(book.reader());
        // Values that were forgotten come back, and so does what is known.
        book.forget_values().unwrap();
        book.sweep().unwrap();
        book.commit().unwrap();
        same(book.reader(), &memory);
        book.rebuild_links().unwrap();
        book.commit().unwrap();
        same(book.reader(), &memory);
        // What is not committed is forgotten as a whole.
        if let Some(node) = memory.nodes().next() {
            let fact = Fact { key: node.key, bounds: Bounds::ALL, source: SourceId(9) };
            book.facts().keep(fact).unwrap();
            book.settle().unwrap();
            book.rollback();
            same(book.reader(), &memory);
        }
        // A cut book knows what follows from what is left of it.
        let mut kept = Kept::default();
        let mut dice = Dice(seed);
        book.reader().for_each_node(|node| {
            kept.push(node.key.discs(), dice.below(3) != 0);
            Ok::<_, StoreError>(())
        }).unwrap();
        let had = book.reader().facts().count().unwrap();
        book.retain(&kept).unwrap();
        book.commit().unwrap();
        only_contradictions(book.reader());
        prop_assert_eq!(book.reader().facts().count().unwrap(), had);
    }
}

fn sources(book: &mut Book) -> Vec<SourceId> {
    let source = |file: &str| Source { file: file.into(), ..Source::default() };
    ["a.csv", "b.csv", "c.csv"].map(|file| book.source_id(&source(file)).unwrap()).to_vec()
}

fn same(reader: &Reader, memory: &MemoryBook) {
    for node in memory.nodes() {
        assert_eq!(reader.node(&node.key).unwrap().as_ref(), Some(node));
        let Ok(known) = memory.known(&[node.key]);
        assert_eq!(reader.known(&[node.key]).unwrap(), known, "{node:?}");
    }
}

/// The only defects of a book are facts that cannot be true, each named.
fn only_contradictions(reader: &Reader) {
    let report = reader.verify().unwrap();
    let contradicted = reader.facts().contradicted().unwrap();
    assert_eq!(report.violations, contradicted.len() as u64, "{:?}", report.first);
    for violation in &report.first {
        assert_eq!(violation.invariant, Invariant::Facts);
        assert!(violation.what.contains("it is not believed"), "{violation}");
    }
}

fn key(line: &str) -> Key {
    Key::of(line.parse::<Line>().unwrap().board().position)
}

fn bounds(lower: i8, upper: i8) -> Bounds {
    Bounds::new(lower, upper).unwrap()
}

const SEARCHED: Searched =
    Searched { depth: 2, selectivity: Selectivity::FULL, source: SourceId(0) };

#[test]
fn facts_are_judged_by_own_proofs_and_by_facts_a_move_away() {
    let mut book = MemoryBook::new();
    let judge = |book: &MemoryBook, line: &str, lower, upper| {
        let Ok(verdict) = judge_fact(book, key(line), bounds(lower, upper));
        verdict
    };
    let square = key("f5").position().legal_moves().next();
    let draw = Rest { square, score: Score::ZERO, proof: Proof::NotLost };
    book.insert(key("f5"), Some(draw), SEARCHED).unwrap();
    book.settle();
    assert_eq!(judge(&book, "f5", 0, 0), Verdict::New);
    let own = Against::Proof(bounds(0, 64));
    assert_eq!(judge(&book, "f5", -64, -2), Verdict::Refused(own));
    book.add_fact(key("f5d6"), bounds(0, 2));
    // The same position.
    assert_eq!(judge(&book, "f5d6", -2, 64), Verdict::Known);
    assert_eq!(judge(&book, "f5d6", 2, 64), Verdict::New);
    let same = Against::Fact(key("f5d6"), bounds(0, 2));
    assert_eq!(judge(&book, "f5d6", 4, 4), Verdict::Refused(same));
    // White, who moves to f5d6, gets -2 at least there: the position before is worth no less.
    assert_eq!(judge(&book, "f5", -2, 64), Verdict::New);
    assert_eq!(judge(&book, "f5f6", -64, -10), Verdict::New);
    let child = Against::Fact(key("f5d6"), bounds(0, 2));
    let mut empty = MemoryBook::new();
    empty.add_fact(key("f5d6"), bounds(0, 2));
    assert_eq!(judge(&empty, "f5", -64, -4), Verdict::Refused(child));
    // The other way round: what comes after cannot be better for who moves there.
    empty.add_fact(key("f5"), bounds(0, 0));
    let parent = Against::Fact(key("f5"), bounds(0, 0));
    assert_eq!(judge(&empty, "f5f4", -64, -2), Verdict::Refused(parent));
    assert_eq!(judge(&empty, "f5f4", 0, 64), Verdict::New);
    // All moves of a position are known to lose: it cannot be won.
    empty.add_fact(key("f5f4"), bounds(2, 64));
    empty.add_fact(key("f5f6"), bounds(2, 64));
    let mut other = MemoryBook::new();
    for line in ["f5d6", "f5f4", "f5f6"] {
        other.add_fact(key(line), bounds(2, 64));
    }
    let moves = Against::Moves(bounds(-64, -2));
    assert_eq!(judge(&other, "f5", 0, 64), Verdict::Refused(moves));
}

fn grow_options(policy: Box<dyn Policy<Reader>>, level: u8) -> GrowOptions {
    let depth = Depth::Level(Level::new(level).unwrap());
    GrowOptions { policy, depth, threads: 1, table_megabytes: 1, ..GrowOptions::default() }
}

fn grown(book: &mut Book, options: &GrowOptions) -> GrowSummary {
    let evaluator = PatternEvaluator::embedded().unwrap();
    grow(book, &evaluator, options, &Stop::new(), &mut |_| {}).unwrap()
}

fn nodes(reader: &Reader) -> Vec<Node> {
    let mut nodes = vec![];
    let each = |node| {
        nodes.push(node);
        Ok::<_, StoreError>(())
    };
    reader.for_each_node(each).unwrap();
    nodes
}

/// A draw at the start and along the line that Black opened with.
fn keep_a_draw(book: &mut Book) {
    let file = Source { file: "draw.csv".into(), format: "facts".into(), ..Source::default() };
    let source = book.source_id(&file).unwrap();
    for line in ["", "f5", "f5d6", "f5d6c3", "f5d6c3d3"] {
        book.facts().keep(Fact { key: key(line), bounds: bounds(0, 0), source }).unwrap();
    }
    for line in ["f5f4", "f5f6"] {
        book.facts().keep(Fact { key: key(line), bounds: bounds(0, 64), source }).unwrap();
    }
    book.commit().unwrap();
}

#[test]
fn what_one_source_says_twice_of_a_position_holds_together() {
    let folder = tempfile::tempdir().unwrap();
    let mut book = Book::create(folder.path().join("a.db")).unwrap();
    let source = sources(&mut book)[0];
    for bounds in [bounds(0, 64), bounds(-64, 0)] {
        book.facts().keep(Fact { key: key("f5d6"), bounds, source }).unwrap();
    }
    book.commit().unwrap();
    let whole = Fact { key: key("f5d6"), bounds: bounds(0, 0), source };
    assert_eq!(book.reader().facts().of(key("f5d6")).unwrap(), [whole]);
}

#[test]
fn growth_goes_on_below_a_proven_draw_and_searches_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let mut with = Book::create(folder.path().join("with.db")).unwrap();
    let mut without = Book::create(folder.path().join("without.db")).unwrap();
    // The numbers of the sources are the same in both.
    keep_a_draw(&mut with);
    let file = Source { file: "draw.csv".into(), format: "facts".into(), ..Source::default() };
    without.source_id(&file).unwrap();
    for level in [2, 3] {
        let policy: Box<dyn Policy<Reader>> = match level {
            2 => Box::new(Best::default()),
            _ => Box::new(Deepen { level: Level::new(level).unwrap() }),
        };
        let mut options = grow_options(policy, level);
        options.positions = (level == 2).then_some(80);
        let ended = [&mut with, &mut without].map(|book| grown(book, &options));
        let [one, other] = &ended;
        assert_eq!(one.ended, other.ended);
        assert_eq!(one.status.searches, other.status.searches);
        assert_eq!(one.status.root, other.status.root);
        if level == 2 {
            assert_eq!(one.ended, Ended::Positions);
        }
        assert!(nodes(with.reader()) == nodes(without.reader()));
        let next = |book: &Book| {
            let best = grow_options(Box::new(Best::default()), 2);
            let leaves = next_leaves(book.reader(), &best, 20).unwrap();
            leaves
                .into_iter()
                .map(|candidate| (candidate.leaf.key, candidate.leaf.regret))
                .collect::<Vec<_>>()
        };
        assert_eq!(next(&with), next(&without));
        assert!(!next(&with).is_empty());
    }
    let grade = |book: &Book| Trust::of(&book.reader().node(&key("")).unwrap().unwrap());
    assert_eq!(grade(&with), grade(&without));
    assert!(with.reader().verify().unwrap().is_sound());

    // What is shown has both.
    let shown = show(with.reader(), Line::default().board(), &ShowOptions::default()).unwrap();
    let known = shown.view.as_ref().unwrap().node.unwrap().values;
    let searched = without.reader().node(&key("")).unwrap().unwrap().values;
    assert_eq!(plain(known), [0, 10_000, -10_000, 0, 0]);
    assert_eq!(shown.searched_values, Some(searched));
    assert_eq!(shown.trust, grade(&with));
    // The lines of a book that ends where the facts do end with them.
    let [mut short, mut searched] =
        ["short.db", "searched.db"].map(|name| Book::create(folder.path().join(name)).unwrap());
    let few = GrowOptions { positions: Some(3), ..grow_options(Box::new(Best::default()), 2) };
    grown(&mut short, &few);
    grown(&mut searched, &few);
    keep_a_draw(&mut short);
    let [both, alone] = [&short, &searched]
        .map(|book| lines(book.reader(), Line::default().board(), LineTerms::best(9)).unwrap());
    let ends_in_a_draw = |line: &&rosebill::app::BookLine| line.values.is_exact();
    for line in both.iter().filter(ends_in_a_draw) {
        assert!(line.searched_values.is_some_and(|searched| !searched.is_exact()));
    }
    assert!(alone.iter().all(|line| line.searched_values.is_none()));
    let tree = draw_tree(with.reader(), Line::default().board(), 100).unwrap();
    assert!(tree.proven >= 4, "{tree:?}");
    let plain_tree = draw_tree(without.reader(), Line::default().board(), 100).unwrap();
    assert_eq!((plain_tree.positions, plain_tree.proven), (0, 0));
}

#[test]
fn facts_go_along_with_a_merge_and_out_of_a_damaged_book() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut book = Book::create(&path).unwrap();
    grown(
        &mut book,
        &GrowOptions { positions: Some(40), ..grow_options(Box::new(Best::default()), 2) },
    );
    keep_a_draw(&mut book);
    let mut other = Book::create(folder.path().join("b.db")).unwrap();
    grown(
        &mut other,
        &GrowOptions { positions: Some(20), ..grow_options(Box::new(Best::default()), 1) },
    );
    let reports = merge_files(&mut other, std::slice::from_ref(&path), false).unwrap();
    assert_eq!((reports[0].facts.new, reports[0].facts.refused), (7, 0));
    assert!(other.reader().verify().unwrap().is_sound());
    let start =
        |reader: &Reader| WithFacts::of(reader).unwrap().node(&key("")).unwrap().unwrap().values;
    assert_eq!(start(other.reader()), start(book.reader()));
    let again = merge_files(&mut other, std::slice::from_ref(&path), false).unwrap();
    assert_eq!((again[0].facts.new, again[0].facts.known), (0, 7));
    let names = |reader: &Reader| -> Vec<String> {
        let facts = reader.facts().of(key("")).unwrap();
        let sources = reader.sources().unwrap();
        let name = |fact: &Fact| sources.iter().find(|known| known.id == fact.source).unwrap();
        facts.iter().map(|fact| name(fact).source.file.clone()).collect()
    };
    assert_eq!(names(other.reader()), ["draw.csv"]);
    book.checkpoint().unwrap();
    drop(book);
    // The root of the tree of nodes, and the list of the tables.
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[..100].fill(0x5a);
    bytes[4096..2 * 4096].fill(0x5a);
    std::fs::write(&path, bytes).unwrap();
    let mut saved = Book::create(folder.path().join("saved.db")).unwrap();
    let salvaged = salvage(&Wreck::open(&path).unwrap(), &mut saved, BTreeMap::new()).unwrap();
    assert_eq!(salvaged.facts, 7);
    assert_eq!(names(saved.reader()), ["draw.csv"]);
    assert!(saved.reader().verify().unwrap().is_sound());
}

#[test]
fn verify_finds_facts_that_are_broken_or_cannot_be_true() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut book = Book::create(&path).unwrap();
    grown(
        &mut book,
        &GrowOptions { positions: Some(30), ..grow_options(Box::new(Best::default()), 2) },
    );
    keep_a_draw(&mut book);
    drop(book);
    for (sql, told) in [
        ("UPDATE known SET guess = guess + 1", "not what links, rest and facts give"),
        ("DELETE FROM known", "is missing"),
        ("UPDATE fact SET source = 77", "no source 77"),
        // Proven by a search of ours: the position is won by two.
        (
            "UPDATE node SET bounds = ((64 + 2) * 129 + 2 + 64 + 1) << 8, guess = 200 WHERE discs = 4",
            "the fact 0 of draw.csv is contradicted by a proof of our own, 2",
        ),
        (
            "UPDATE fact SET lower = 2, upper = 64 WHERE discs = 5",
            "the fact 2..64 of draw.csv is contradicted by other facts, 0",
        ),
    ] {
        let copy = folder.path().join("copy.db");
        std::fs::copy(&path, &copy).unwrap();
        let connection = rusqlite::Connection::open(&copy).unwrap();
        assert!(connection.execute(sql, []).unwrap() > 0, "{sql}");
        connection.close().unwrap();
        let report = Reader::open(&copy).unwrap().verify().unwrap();
        let facts: Vec<String> = report
            .first
            .iter()
            .filter(|found| found.invariant == Invariant::Facts)
            .map(ToString::to_string)
            .collect();
        assert!(
            facts.iter().any(|found| found.starts_with("B8: ") && found.contains(told)),
            "{sql}: {facts:?}"
        );
        std::fs::remove_file(&copy).unwrap();
    }
}

/// A proof of our own that comes later stands; the fact is named and not believed.
#[test]
fn a_later_proof_of_our_own_beats_a_fact() {
    let mut book = MemoryBook::new();
    book.add_fact(key("f5"), bounds(0, 0));
    let square = key("f5").position().legal_moves().next();
    let rest = |proof| Some(Rest { square, score: Score::from_discs(4), proof });
    book.insert(key(""), None, SEARCHED).unwrap();
    book.insert(key("f5"), rest(Proof::None), SEARCHED).unwrap();
    book.settle();
    let known = |book: &MemoryBook, line: &str| {
        let Ok(book) = WithFacts::of(book);
        plain(book.node(&key(line)).unwrap().unwrap().values)
    };
    assert_eq!(known(&book, ""), [0, 10_000, -10_000, 0, 0]);
    book.set_rest(key("f5"), rest(Proof::Exact), SEARCHED).unwrap();
    book.settle();
    assert_eq!(known(&book, ""), [-400, -10_400, -10_400, -4, -4]);
    let Ok(start) = book.node(&Key::of(Position::START));
    assert_eq!(plain(start.unwrap().values), known(&book, ""));
    let unused: HashSet<Key> = book.positions_of_facts().collect();
    assert_eq!(unused, HashSet::from([key("f5")]));
}

/// A proof is of its position: it stays when another book has the best move as a position that was searched less.
#[test]
fn a_merge_loses_no_proof() {
    let moves =
        "f5f6e6f4g5e7e3f3c5c4g3c6d6d7c3c2b5d3b4e2f2h3f1d1d2g4g6c1e1b6c7d8f7h4f8e8h6a5h5a3a4h7a6g1";
    let folder = tempfile::tempdir().unwrap();
    let key = key(moves);
    let squares: Vec<Square> = key.position().legal_moves().collect();
    let source = |book: &mut Book| book.source_id(&Source::default()).unwrap();
    let searched = |depth, source| Searched { depth, selectivity: Selectivity::FULL, source };
    let rest = |square, proof| Some(Rest { square, score: Score::ZERO, proof });
    let mut solved = Book::create(folder.path().join("solved.db")).unwrap();
    let own = source(&mut solved);
    solved.insert(key, rest(Some(squares[0]), Proof::Exact), searched(60, own)).unwrap();
    solved.commit().unwrap();
    let path = folder.path().join("shallow.db");
    let mut shallow = Book::create(&path).unwrap();
    let own = source(&mut shallow);
    let child = Key::of(key.position().after(squares[0]).unwrap().position().unwrap());
    let reply = child.position().legal_moves().next();
    shallow.insert(child, rest(reply, Proof::None), searched(1, own)).unwrap();
    shallow.commit().unwrap();
    drop(shallow);
    let before = solved.reader().node(&key).unwrap().unwrap();
    let told = merge_files(&mut solved, std::slice::from_ref(&path), false).unwrap();
    assert_eq!((told[0].new, told[0].less_sure.count), (1, 0));
    let node = solved.reader().node(&key).unwrap().unwrap();
    assert!(node.values.is_exact() && node.links.len() == 1);
    assert_eq!((node.values, node.own_record()), (before.values, before.own_record()));
    let again = merge_files(&mut solved, &[path], false).unwrap();
    assert_eq!((again[0].new, again[0].replaced, again[0].kept), (0, 0, 1));
    // What another says is not told apart from what it said before, where the two cannot be true.
    for (lower, upper) in [(-64, -2), (4, 8), (6, 64)] {
        solved.facts().keep(Fact { key, bounds: bounds(lower, upper), source: own }).unwrap();
    }
    solved.commit().unwrap();
    assert_eq!(solved.reader().facts().of(key).unwrap()[0].bounds, bounds(6, 8));
}
