//! Why values are believed: the rules once more, written out by hand, and merges in any order.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::convert::Infallible;
use std::path::Path;

use proptest::prelude::*;
use rosebill::app::export::{ExportOptions, ExportTarget, export};
use rosebill::app::import::{ImportOptions, import};
use rosebill::app::merge_files;
use rosebill::openbook::{
    Evidence, Held, LineEnds, MoveMask, Node, NodeSource, Record, Rest, Source, SourceId, UNKNOWN,
    Values, child_of,
};
use rosebill::othello::board::{After, Key, Square};
use rosebill::othello::search::{Proof, Selectivity};
use rosebill::store::{Book, Reader};

use crate::dice::Dice;
use crate::graphs::{grown, nodes, random_changes};

/// What a move leads to: of symmetric moves the first stands for all.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum To {
    Node(Key),
    End(i8),
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct Found {
    values: Values,
    evidence: f64,
    due: bool,
}

/// A move, or a record that answers for several, among those that decide a value.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Way {
    values: Values,
    evidence: f64,
    goes: Goes,
}

/// Where lines go on.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Goes {
    /// To a node, where the same side moves again or not.
    On(Key, bool),
    /// Out of the book, in this manner: bits of [`LineEnds`].
    Out(u8),
}

/// Everything that a book holds, as plain collections.
struct Plain {
    nodes: BTreeMap<Key, (Node, Held)>,
    known: HashMap<Key, Found>,
    held: HashMap<Key, Vec<Key>>,
    ways: HashMap<Key, Vec<Way>>,
}

impl Plain {
    fn of(book: &Reader) -> Self {
        Self::with(nodes(book).into_iter().map(|node| (node, book.held(&node).unwrap())))
    }

    fn with(all: impl Iterator<Item = (Node, Held)>) -> Self {
        let nodes = all.map(|(node, held)| (node.key, (node, held))).collect();
        Self { nodes, known: HashMap::new(), held: HashMap::new(), ways: HashMap::new() }
    }

    /// How lines end that follow what is nearly best, gone through one position after the other.
    fn ends(&mut self, key: Key, seen: &mut HashSet<Key>) -> u8 {
        if !seen.insert(key) {
            return 0;
        }
        let Found { values, due, .. } = self.find(key);
        if values.is_exact() {
            return LineEnds::PROVEN;
        }
        let mut ways = self.ways[&key].clone();
        let (mut best, mut ends) = (values.guess, if due { LineEnds::OPEN } else { 0 });
        let is_won = |way: &Way| way.values.lower > 0;
        if values.lower > 0 && ways.iter().any(is_won) {
            ways.retain(is_won);
            best = ways.iter().map(|way| way.values.guess).max().unwrap();
            ends = 0;
        }
        ways.retain(|way| best.centidiscs() - way.values.guess.centidiscs() < 200);
        if ways.is_empty() {
            return LineEnds::OPEN;
        }
        for way in ways {
            ends |= match way.goes {
                Goes::On(next, _) => self.ends(next, seen),
                Goes::Out(how) => how,
            };
        }
        ends
    }

    /// In how many positions a side must know its way.
    fn learned(&mut self, key: Key, own: bool) -> u64 {
        let best = self.find(key).values.guess.centidiscs();
        let mut counts = Vec::new();
        for way in self.ways[&key].clone() {
            if let Goes::On(next, same) = way.goes
                && best - way.values.guess.centidiscs() < 50
            {
                counts.push(self.learned(next, own == same));
            }
        }
        let count = if own {
            counts.iter().copied().min()
        } else {
            counts.iter().copied().reduce(u64::saturating_add)
        };
        count.unwrap_or(1)
    }

    /// What nodes keep of that is what going through the lines finds.
    fn assert_lines(&mut self) {
        let keys: Vec<Key> = self.nodes.keys().copied().collect();
        for key in keys {
            let kept = self.nodes[&key].0.lines;
            let ends = self.ends(key, &mut HashSet::new());
            assert_eq!(kept.ends, ends, "{:?}", self.nodes[&key]);
            for (kept, own) in [(kept.own, true), (kept.other, false)] {
                let number = LineEnds::number(kept).unwrap_or(u64::MAX);
                let expected = self.learned(key, own);
                let expected = if expected < 65_535 { expected } else { u64::MAX };
                assert_eq!(number, expected, "{own} {:?}", self.nodes[&key]);
            }
        }
    }

    fn moves(key: Key) -> Vec<(To, bool, Vec<Square>)> {
        let mut moves: Vec<(To, bool, Vec<Square>)> = Vec::new();
        for square in key.position().legal_moves() {
            let (to, same) = match key.position().after(square).unwrap() {
                After::Over(discs) => (To::End(discs), false),
                _ => child_of(key.position(), square)
                    .map(|(key, same)| (To::Node(key), same))
                    .unwrap(),
            };
            match moves.iter_mut().find(|known| known.0 == to && matches!(to, To::Node(_))) {
                Some(known) => known.2.push(square),
                None => moves.push((to, same, vec![square])),
            }
        }
        moves
    }

    fn error(record: &Record, empties: u8) -> f64 {
        match record.rest.proof {
            Proof::Exact => 0.0,
            _ => {
                let searched = record.searched;
                Evidence::of_search(empties, searched.depth, searched.selectivity).discs()
            }
        }
    }

    fn find(&mut self, key: Key) -> Found {
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let (_, held) = self.nodes[&key].clone();
        let empties = key.position().empties();
        let covers =
            |record: &Record, square: Square| record.left_out.squares(key) & square.bit() == 0;
        let mut candidates: Vec<Way> = Vec::new();
        let (mut counting, mut held_links) = (Vec::new(), Vec::new());
        let (mut lower, mut upper) = (-64, -64);
        let moves = Self::moves(key);
        let greatest =
            |square: Square| held.records.iter().position(|record| covers(record, square));
        for (to, same, squares) in &moves {
            let square = squares[0];
            let of_records = held.records.iter().filter(|record| covers(record, square));
            let above = of_records.map(|record| record.rest.values().upper).min().unwrap_or(64);
            let To::Node(child) = *to else {
                continue;
            };
            if !self.nodes.contains_key(&child) {
                upper = upper.max(above);
                continue;
            }
            let found = self.find(child);
            let seen = found.values.seen_by_parent(*same);
            lower = lower.max(seen.lower);
            upper = upper.max(seen.upper.min(above));
            let counts = greatest(square).is_none_or(|number| {
                let record = &held.records[number];
                let score = record.rest.score.discs();
                let is_best = record.rest.square.is_some_and(|best| squares.contains(&best));
                found.evidence * 0.92 <= Self::error(record, empties) + 1e-9
                    || seen.is_exact()
                    || f64::from(seen.lower) > score
                    || is_best && f64::from(seen.upper) < score
            });
            if counts {
                let evidence = (found.evidence * 92.0 - 1e-6).ceil() / 100.0;
                let goes = Goes::On(child, *same);
                candidates.push(Way { values: seen, evidence, goes });
                counting.extend(squares.iter().copied());
            } else {
                held_links.push(child);
            }
        }
        let mut answered = counting.clone();
        for (number, record) in held.records.iter().enumerate() {
            let covered: Vec<Square> =
                key.position().legal_moves().filter(|&square| covers(record, square)).collect();
            let stands = match record.rest.square {
                Some(best) => !counting.contains(&best) && greatest(best) == Some(number),
                None => {
                    covered.iter().any(|square| !counting.contains(square))
                        && covered.iter().any(|&square| greatest(square) == Some(number))
                }
            };
            if stands {
                let goes = Goes::Out(match record.rest.proof {
                    Proof::Exact | Proof::Win | Proof::Loss => LineEnds::PROVEN,
                    _ if record.searched.depth >= empties => LineEnds::READ_OUT,
                    _ => LineEnds::OPEN,
                });
                let (values, evidence) = (record.rest.values(), Self::error(record, empties));
                candidates.push(Way { values, evidence, goes });
                answered.extend(covered);
            }
        }
        let mut open = false;
        for (to, _, squares) in &moves {
            let is_answered = squares.iter().all(|square| answered.contains(square));
            match *to {
                To::End(discs) if !is_answered => {
                    let values = Values::of_final(discs);
                    (lower, upper) = (lower.max(discs), upper.max(discs));
                    let goes = Goes::Out(LineEnds::PROVEN);
                    candidates.push(Way { values, evidence: 0.0, goes });
                }
                // The record has seen the end.
                To::End(_) => {
                    let of_records =
                        held.records.iter().filter(|record| covers(record, squares[0]));
                    let above = of_records.map(|record| record.rest.values().upper).min();
                    upper = upper.max(above.unwrap_or(64));
                }
                To::Node(_) => open |= !is_answered,
            }
        }
        let mut values = match candidates.is_empty() {
            true => UNKNOWN,
            false => {
                let mut best =
                    candidates.iter().fold(Values::NONE, |best, way| best.max(way.values));
                if open {
                    best.upper = 64;
                }
                best.within_bounds()
            }
        };
        let of_moves = rosebill::openbook::Bounds { lower, upper };
        let proven = held.records.iter().map(Record::proves);
        let proven = proven.chain(held.bounds.iter().map(|known| known.bounds));
        for bounds in std::iter::once(of_moves).chain(proven) {
            values = values.within(bounds).unwrap_or(values);
        }
        if let Some(judgement) = &held.judgement {
            let said = Values::of_search(judgement.score, Proof::None);
            values = said.within(values.bounds()).unwrap_or(values);
        }
        let due = open && !values.is_exact();
        let unsearched = Evidence::unsearched(empties).discs();
        let evidence = if values.is_exact() {
            0.0
        } else if held.judgement.is_some() {
            Evidence::of_search(empties, 26, Selectivity::LOWEST).discs()
        } else if candidates.is_empty() {
            unsearched
        } else {
            let best = candidates.iter().map(|way| way.values.guess).max().unwrap().discs();
            let near =
                candidates.iter().filter(|way| best - way.values.guess.discs() <= 1.5 + 1e-9);
            near.map(|way| way.evidence).fold(if due { unsearched } else { 0.0 }, f64::max)
        };
        let found = Found { values, evidence, due };
        self.known.insert(key, found);
        self.held.insert(key, held_links);
        self.ways.insert(key, candidates);
        found
    }
}

fn assert_follows_the_rules(book: &Reader) {
    let mut plain = Plain::of(book);
    let keys: Vec<Key> = plain.nodes.keys().copied().collect();
    for key in keys {
        let expected = plain.find(key);
        let (node, _) = &plain.nodes[&key];
        let found = Found { values: node.values, evidence: node.evidence.discs(), due: node.due };
        assert_eq!(
            (found.values, found.due),
            (expected.values, expected.due),
            "{:?}",
            plain.nodes[&key]
        );
        assert!((found.evidence - expected.evidence).abs() < 1e-6, "{found:?} {expected:?}");
        let mut held: Vec<Key> = node
            .moves(book)
            .unwrap()
            .iter()
            .filter(|found| found.kind == rosebill::openbook::MoveKind::Held)
            .filter_map(|found| Some(found.child?.0.key))
            .collect();
        let mut expected = plain.held[&key].clone();
        held.sort_unstable();
        expected.sort_unstable();
        assert_eq!(held, expected, "{:?}", plain.nodes[&key]);
    }
    plain.assert_lines();
    let report = book.verify().unwrap();
    let other = report.violations - report.not_believed;
    assert_eq!(other, 0, "{:?}", report.first);
}

/// A book of random searches of random depths, some of which left nothing out.
fn random_book(path: &Path, changes: u64, seed: u64, plies: usize, name: &str) {
    let mut book = Book::create(path).unwrap();
    let days = ["2026-01-01", "2026-02-02", ""];
    for (number, day) in days.into_iter().enumerate() {
        let format = if number == 2 { "edax" } else { "" };
        let source = Source {
            engine: name.to_owned(),
            day: day.to_owned(),
            format: format.to_owned(),
            ..Source::default()
        };
        assert_eq!(book.source_id(&source).unwrap(), SourceId(number as u32));
    }
    let mut dice = Dice(changes.wrapping_mul(31));
    // The same first position in all books; proofs that contradict each other are for another test.
    for mut change in random_changes(seed, plies, 30 + dice.below(40)) {
        let is_left_away = dice.below(3) == 0 && change.adds && change.key.discs() > 6;
        // Near the end the import repairs claims that the board makes impossible.
        if is_left_away || change.key.discs() > 50 {
            continue;
        }
        change.searched.depth = dice.below(24) as u8;
        change.rest = change.rest.map(|rest| Rest {
            proof: if rest.proof == Proof::Exact || dice.below(3) > 0 {
                Proof::None
            } else {
                Proof::NotLost
            },
            ..rest
        });
        let covers_all = dice.below(2) == 0;
        let left_out = covers_all.then_some(MoveMask::NONE);
        let (rest, searched) = (change.rest, change.searched);
        book.take(change.key, &rosebill::openbook::Found { rest, searched, left_out }).unwrap();
    }
    book.commit().unwrap();
}

/// A book as text, with sources by their content.
fn text(book: &Reader) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.json");
    let target = ExportTarget::of(&path);
    export(book, &target, &ExportOptions::default(), |_| {}).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let mut lines = text.lines();
    let header: serde_json::Value = serde_json::from_str(lines.next().unwrap()).unwrap();
    let mut names = HashMap::new();
    for source in header["sources"].as_array().unwrap() {
        let mut content = source.clone();
        content.as_object_mut().unwrap().remove("id");
        names.insert(source["id"].as_u64().unwrap(), content);
    }
    let renumbered = |line: &str| {
        let mut line: serde_json::Value = serde_json::from_str(line).unwrap();
        rename(&mut line, &names);
        line.to_string()
    };
    lines.map(renumbered).collect()
}

fn rename(value: &mut serde_json::Value, names: &HashMap<u64, serde_json::Value>) {
    match value {
        serde_json::Value::Object(fields) => {
            for (name, field) in fields {
                match (name.as_str(), field.as_u64()) {
                    ("source", Some(number)) => *field = names[&number].clone(),
                    _ => rename(field, names),
                }
            }
        }
        serde_json::Value::Array(all) => all.iter_mut().for_each(|each| rename(each, names)),
        _ => {}
    }
}

fn merged(folder: &Path, name: &str, into: &str, others: &[&str]) -> Vec<String> {
    let path = folder.join(name);
    std::fs::copy(folder.join(into), &path).unwrap();
    let mut book = Book::open(&path).unwrap();
    for other in others {
        merge_files(&mut book, &[folder.join(other)], false).unwrap();
    }
    assert_follows_the_rules(book.reader());
    book.checkpoint().unwrap();
    text(book.reader())
}

fn assert_same(one: &[String], other: &[String]) {
    assert_eq!(one.len(), other.len());
    for (one, other) in one.iter().zip(other) {
        assert_eq!(one, other);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn ends_of_lines_are_kept_as_they_are_found(seed: u64, plies in 0usize..58, count in 1usize..200, every in 1usize..20) {
        let book = grown(&random_changes(seed, plies, count), every);
        let held = |node: &Node| -> Result<Held, Infallible> { book.held(node) };
        Plain::with(book.nodes().map(|node| (*node, held(node).unwrap()))).assert_lines();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn merges_commute_associate_and_are_idempotent(seed: u64, plies in 0usize..50) {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        for (number, name) in ["a.db", "b.db", "c.db"].into_iter().enumerate() {
            random_book(&folder.join(name), seed ^ number as u64, seed, plies, name);
            assert_follows_the_rules(&Reader::open(folder.join(name)).unwrap());
        }
        let first = merged(folder, "abc.db", "a.db", &["b.db", "c.db"]);
        assert_same(&first, &merged(folder, "cab.db", "c.db", &["a.db", "b.db"]));
        merged(folder, "bc.db", "b.db", &["c.db"]);
        assert_same(&first, &merged(folder, "a(bc).db", "a.db", &["bc.db"]));
        assert_same(&first, &merged(folder, "again.db", "abc.db", &["bc.db", "abc.db"]));
        // As text it is the same book, too.
        let mut again = Book::create(folder.join("json.db")).unwrap();
        let json = folder.join("abc.json");
        let whole = Reader::open(folder.join("abc.db")).unwrap();
        export(&whole, &ExportTarget::of(&json), &ExportOptions::default(), |_| {}).unwrap();
        let options = ImportOptions::default();
        import(&mut again, &[json], &options, |_| {}).unwrap();
        assert_same(&text(again.reader()), &first);
    }
}
