//! Edax books through ours: nothing is lost in silence, and a merge is what Edax's own `book merge`
//! and `book fix` make of it. What differs is listed here and in FORMATS.md.

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use rosebill::app::export::{ExportOptions, ExportReport, ExportTarget, export};
use rosebill::app::import::{FileReport, ImportOptions, import};
use rosebill::files::books::{DefectKind, Format};
use rosebill::othello::board::Position;
use rosebill::othello::search::Level;
use rosebill::store::Book;
use tempfile::TempDir;

use crate::edax_rules::{EdaxBook, Fault, Record, plan};
use crate::made::edax::{self as made, NO_LEAF, NO_MOVE, PASS};
use crate::made::game;
use crate::shared::shared;
use crate::shelf::Shelf;

/// A book made of files, and what came of them.
struct Taken {
    folder: TempDir,
    book: Book,
    files: Vec<FileReport>,
}

impl Taken {
    fn of(files: &[&[u8]]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut book = Book::create(folder.path().join("book.db")).unwrap();
        let mut reports = Vec::new();
        for (number, bytes) in files.iter().enumerate() {
            let path = folder.path().join(format!("{number}.dat"));
            fs::write(&path, bytes).unwrap();
            let report = import(&mut book, &[path], &ImportOptions::default(), |_| {}).unwrap();
            reports.extend(report.files);
        }
        Self { folder, book, files: reports }
    }

    fn export(&self) -> (Vec<u8>, ExportReport) {
        self.export_with(&ExportOptions::new(Format::Edax))
    }

    fn export_with(&self, options: &ExportOptions) -> (Vec<u8>, ExportReport) {
        let path = self.folder.path().join("out.dat");
        let target = ExportTarget::of(&path);
        let report = export(self.book.reader(), &target, options, |_| {}).unwrap();
        (fs::read(path).unwrap(), report)
    }

    fn count(&self, kind: DefectKind) -> u64 {
        self.files.iter().map(|file| file.defects.count(kind)).sum()
    }
}

fn from_shared(name: &str) -> Vec<u8> {
    fs::read(shared(name)).unwrap()
}

/// Games, and near their ends lines to positions where one move ends the game and another does not.
/// Every game's end has a record, the other move has none.
fn endings() -> Vec<Position> {
    let mut all = Vec::new();
    for seed in 0..60 {
        let line = game(seed, 61);
        let root = line.iter().find(|position| position.empties() == 7);
        let mut found = 0;
        if let Some(&root) = root {
            walk(&mut vec![root], &mut found, &mut all);
        }
        if found > 0 {
            all.extend(line);
        }
    }
    for position in all.clone() {
        all.extend(after(position).into_iter().filter(|&next| is_end(next)));
    }
    all
}

const fn is_end(board: Position) -> bool {
    !board.can_move() && !board.passed().can_move()
}

/// What the moves lead to, a pass before them taken; nothing from far above the end.
fn after(position: Position) -> Vec<Position> {
    let to_move = if position.can_move() { position } else { position.passed() };
    let near = to_move.legal_moves().filter(|_| position.empties() < 12);
    near.map(|square| to_move.play(square).unwrap()).collect()
}

fn walk(way: &mut Vec<Position>, found: &mut usize, all: &mut Vec<Position>) {
    let next = after(*way.last().unwrap());
    let (ends, others): (Vec<Position>, Vec<Position>) =
        next.into_iter().partition(|&next| is_end(next));
    if !ends.is_empty() && !others.is_empty() {
        *found += 1;
        all.extend(way.iter());
    }
    for other in others {
        if *found == 3 {
            return;
        }
        way.push(other);
        walk(way, found, all);
        way.pop();
    }
}

/// A book in which many records lead to finished games and have a leaf, too.
fn with_ends(level: u8) -> Vec<u8> {
    let mut records = made::of(endings(), level);
    // Leaves that are better than the end of the game, and leaves that are worse.
    let ends: Vec<usize> = (0..records.len())
        .filter(|&at| {
            let Record { links, .. } = &plain(&records[at]);
            links.iter().any(|&(_, played)| is_end(made::child(records[at].board, played)))
        })
        .collect();
    for (number, &at) in ends.iter().enumerate() {
        if records[at].leaf.1 < PASS {
            records[at].leaf.0 = if number % 2 == 0 { 64 } else { -64 };
        }
    }
    made::settle(&mut records);
    let mut bytes = made::file(i32::from(level), &records);
    // Grown to the end.
    bytes[22] = 0;
    bytes
}

fn plain(record: &made::Record) -> Record {
    let made::Record { counts, values, level, ref links, leaf, .. } = *record;
    Record { counts, values, level, links: links.clone(), leaf }
}

fn sorted(book: &EdaxBook) -> BTreeMap<(u64, u64), Record> {
    book.records.iter().map(|(&board, record)| (board, record.clone().sorted())).collect()
}

/// The first record that is not the same, for people.
fn assert_same(name: &str, ours: &EdaxBook, expected: &EdaxBook) {
    let [ours_sorted, expected_sorted] = [ours, expected].map(sorted);
    // What differs nearest to the end makes what is before it differ, too.
    let mut boards: Vec<_> = expected_sorted.keys().collect();
    boards.sort_by_key(|(mover, opponent)| Reverse((mover | opponent).count_ones()));
    for board in boards {
        assert_eq!(ours_sorted.get(board), expected_sorted.get(board), "{name}: {board:x?}");
    }
    assert_eq!(ours.records.len(), expected.records.len(), "{name}");
}

/// A settled book comes back with every record and every field of it. The header keeps its settings;
/// it tells the day of the export.
fn assert_comes_back(name: &str, bytes: &[u8]) {
    let before = EdaxBook::of(bytes);
    let taken = Taken::of(&[bytes]);
    let (written, report) = taken.export();
    let after = EdaxBook::of(&written);
    assert_eq!(after.settings, before.settings, "{name}");
    assert_same(name, &after, &before);
    assert_eq!(report.unreached, 0, "{name}");
    assert_eq!(written.len(), bytes.len(), "{name}");
}

#[test]
fn every_record_of_a_settled_book_comes_back_its_finished_games_too() {
    for level in [1, 21] {
        let bytes = with_ends(level);
        let book = EdaxBook::of(&bytes);
        assert_eq!(book.faults().into_keys().collect::<Vec<_>>(), []);
        // The end of a game beside a leaf that is better, and beside one that is worse.
        let with_end = book
            .records
            .iter()
            .filter(|(_, record)| record.leaf.1 < PASS && record.leaf.0.abs() == 64);
        let signs: Vec<i8> = with_end.map(|(_, record)| record.leaf.0.signum()).collect();
        println!("{} records, {} ends, {} passes", book.records.len(), book.ends(), book.passes());
        assert!(book.ends() > 10 && book.passes() > 5, "{} {}", book.ends(), book.passes());
        assert!(signs.contains(&1) && signs.contains(&-1), "{signs:?}");
        assert_comes_back("with ends", &bytes);
        let taken = Taken::of(&[&bytes]);
        let ends = taken.count(DefectKind::FinishedGame) + taken.count(DefectKind::WipeOut);
        assert_eq!(ends as usize, book.ends());
        assert_eq!(taken.count(DefectKind::PassRecord) as usize, book.passes());
        let (_, report) = taken.export();
        assert_eq!([report.finished, report.passes], [book.ends() as u64, book.passes() as u64]);
    }
}

/// One move ends the game, the leaf is another one, worse and not solved.
#[test]
fn the_end_of_a_game_beside_a_worse_leaf_comes_back() {
    // c5 takes the last white disc.
    let line: rosebill::othello::board::Line = "e6f4e3f6g5d6e7f5".parse().unwrap();
    let position = made::canonical(line.board().position);
    let ends = position.legal_moves().filter_map(|square| position.play(square));
    let end = ends.into_iter().find(|&next| is_end(next)).unwrap();
    let mut records = made::of(vec![position, end], 1);
    for record in records.iter_mut().filter(|record| record.leaf.1 < PASS) {
        record.leaf.0 = -63;
    }
    made::settle(&mut records);
    let bytes = made::file(1, &records);
    let (written, report) = Taken::of(&[&bytes]).export();
    assert_same("a worse leaf", &EdaxBook::of(&written), &EdaxBook::of(&bytes));
    assert_eq!((report.finished, report.unreached), (1, 0));
}

/// A cut book is grown no further down than it was cut.
#[test]
fn the_header_of_a_cut_book_says_how_deep_it_is() {
    let taken = Taken::of(&[&with_ends(21)]);
    let empties = |max_discs| {
        let mut options = ExportOptions::new(Format::Edax);
        options.filter.max_discs = max_discs;
        EdaxBook::of(&taken.export_with(&options).0).settings[1]
    };
    assert_eq!([empties(None), empties(Some(44))], [0, 20]);
}

#[test]
fn settled_books_come_back_whatever_their_settings() {
    let mut wide = made::file(21, &made::wide());
    wide[22] = 0;
    assert_comes_back("line", &made::file(1, &made::line()));
    assert_comes_back("wide", &wide);
    // Errors of its own: the bounds follow from them.
    let mut other = wide;
    other[26] = 3;
    other[30] = 2;
    let mut book = EdaxBook::of(&other);
    book.fix();
    let (written, _) = Taken::of(&[&other]).export();
    assert_same("errors", &EdaxBook::of(&written), &book);
    assert_eq!(EdaxBook::of(&written).settings[2..], [3, 2]);
    // Egaroucid writes both as 0, which would say that all values are proven.
    other[26] = 0;
    other[30] = 0;
    let (written, _) = Taken::of(&[&other]).export();
    assert_eq!(EdaxBook::of(&written).settings[2..], [2, 1]);
}

#[test]
#[ignore = "needs ../shared/data/books"]
fn shared_settled_books_come_back_record_by_record() {
    for name in ["tiny2", "line38", "ray95", "ray1941"] {
        assert_comes_back(name, &from_shared(&format!("edax-{name}.dat")));
    }
}

/// What comes out of unsettled books is what `book fix` makes of them.
fn assert_is_fixed(name: &str, bytes: &[u8]) {
    let mut expected = EdaxBook::of(bytes);
    let due = expected.fix();
    let (written, report) = Taken::of(&[bytes]).export();
    assert_same(name, &EdaxBook::of(&written), &expected);
    assert_eq!(report.search_due as usize, due.len(), "{name}");
}

#[test]
fn an_unsettled_book_comes_out_as_edax_would_fix_it() {
    assert_is_fixed("fresh", &made::fresh());
    for name in ["16-leaf-is-a-link", "17-leaf-missing", "18-stale-values", "19-missing-link"] {
        assert_is_fixed(name, &crate::odd::odd(name));
    }
    // Links left out, as Edax does between `book store` and `book fix`.
    let mut records = made::of(endings(), 21);
    for (number, record) in records.iter_mut().enumerate() {
        if number % 3 == 0 && record.links.len() > 1 {
            let (_, played) = record.links.pop().unwrap();
            let is_free = record.leaf == NO_LEAF && played != PASS;
            if is_free {
                record.leaf = (-2, played);
            }
        }
    }
    assert_is_fixed("unlinked", &made::file(21, &records));
}

#[test]
#[ignore = "needs ../shared/data/books"]
fn shared_unsettled_books_come_out_as_edax_would_fix_them() {
    assert_is_fixed("fresh1", &from_shared("edax-fresh1.dat"));
    assert_is_fixed("ray1941-unlinked", &from_shared("edax-ray1941-unlinked.dat"));
    for name in ["16-leaf-is-a-link", "17-leaf-missing", "18-stale-values", "19-missing-link"] {
        assert_is_fixed(name, &from_shared(&format!("edax-odd/{name}.dat")));
    }
}

/// Why the second of two records of one position is kept, where Edax keeps the first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Reason {
    /// It was searched deeper, or solved.
    Deeper,
    /// The leaf of the first is a link in the second: Edax would search a new one.
    LeafIsLink,
    /// As deep, but of a later day.
    Newer,
}

/// How good the search of a record's leaf is: whether there is one, whether it is solved, how deep.
fn strength(board: (u64, u64), record: &Record) -> (bool, bool, u8) {
    let empties = 64 - (board.0 | board.1).count_ones() as u8;
    let (depth, is_full) = plan(record.level, empties);
    let is_solved = depth == empties && is_full && record.leaf.0 % 2 == 0;
    let has_leaf = record.leaf.1 < PASS;
    (has_leaf, has_leaf && is_solved, depth.min(empties))
}

/// Edax knows no held links: positions that only those reach are left out, and their parents keep the leaf that
/// answers for them. All other records have the same links.
fn assert_only_held_left_out(name: &str, ours: &EdaxBook, expected: &EdaxBook, only_held: u64) {
    // Ends of games and passes behind those go, too.
    assert!(ours.records.len() as u64 + only_held <= expected.records.len() as u64, "{name}");
    let [ours, expected] = [ours, expected].map(sorted);
    let squares =
        |record: &Record| -> BTreeSet<u8> { record.links.iter().map(|link| link.1).collect() };
    for (board, record) in ours {
        let (here, there) = (squares(&record), squares(&expected[&board]));
        assert!(here.is_subset(&there), "{name}: {board:x?}");
        assert!(here == there || record.leaf.1 < PASS, "{name}: {board:x?}");
    }
}

/// Two books in one are what Edax's `book merge` and `book fix` make of them, but for the listed
/// reasons; returns how often each.
fn assert_merges(name: &str, first: &[u8], second: &[u8]) -> BTreeMap<Reason, usize> {
    let [one, two] = [first, second].map(EdaxBook::of);
    let is_newer = second[10..17] != first[10..17] && second[12] > first[12];
    let mut expected = one.clone();
    expected.merge(&two);
    let mut reasons = BTreeMap::new();
    for (&board, ours) in &one.records {
        let Some(theirs) = two.records.get(&board) else { continue };
        // A leaf that is a link in the other says nothing of what is left.
        let free = |record: &Record, other: &Record| {
            let is_link = other.links.iter().any(|link| link.1 == record.leaf.1);
            let leaf = if is_link { NO_LEAF } else { record.leaf };
            strength(board, &Record { leaf, ..record.clone() })
        };
        let [here, there] = [free(ours, theirs), free(theirs, ours)];
        let reason = match (here != strength(board, ours), there.cmp(&here)) {
            (true, Ordering::Greater) => Reason::LeafIsLink,
            (false, Ordering::Greater) => Reason::Deeper,
            (_, Ordering::Equal) if is_newer => Reason::Newer,
            _ => continue,
        };
        let record = expected.records.get_mut(&board).unwrap();
        (record.leaf, record.level) = (theirs.leaf, theirs.level);
        *reasons.entry(reason).or_default() += 1;
    }
    let due = expected.fix();
    let (written, report) = Taken::of(&[first, second]).export();
    let ours = EdaxBook::of(&written);
    let more_due = report.search_due as i64 - due.len() as i64;
    if report.only_held + report.seen_otherwise == 0 && more_due == 0 {
        assert_same(name, &ours, &expected);
    } else {
        // Where the best moves of two records became links, a search is due; Edax has a leaf there still.
        println!("{name}: {} positions only held, {more_due} more due", report.only_held);
        assert_only_held_left_out(name, &ours, &expected, report.only_held);
    }
    assert_eq!(ours.faults().into_keys().collect::<Vec<_>>(), [], "{name}");
    reasons
}

#[test]
fn a_merge_is_what_edax_would_make_of_it() {
    let games = |seeds: std::ops::Range<u64>| -> Vec<Position> {
        seeds.flat_map(|seed| game(seed, 61)).collect()
    };
    let [one, two] = [games(0..9), games(5..14)];
    let [first, second] = [&one, &two].map(|games| made::file(21, &made::of(games.clone(), 21)));
    let kinds = |name: &str, first: &[u8], second: &[u8]| {
        let reasons = assert_merges(name, first, second);
        println!("{name}: {reasons:?}");
        reasons.into_keys().collect::<Vec<_>>()
    };
    // Of equal searches the first book's record stays, unless its leaf is spent.
    assert_eq!(kinds("equal", &first, &second), [Reason::LeafIsLink]);
    assert_eq!(kinds("equal, turned", &second, &first), [Reason::LeafIsLink]);
    assert_eq!(kinds("the same", &first, &first), []);
    // The deeper search stays, whichever comes first: Edax keeps the first.
    let shallow = made::file(1, &made::of(two, 1));
    assert_eq!(kinds("deeper first", &first, &shallow), [Reason::LeafIsLink]);
    assert_eq!(kinds("deeper last", &shallow, &first), [Reason::Deeper, Reason::LeafIsLink]);
    // Of equally deep searches of two days the newer stays.
    let mut newer = second.clone();
    newer[12] = 9;
    assert_eq!(kinds("newer last", &first, &newer), [Reason::LeafIsLink, Reason::Newer]);
    assert_eq!(kinds("newer first", &newer, &first), [Reason::LeafIsLink]);
}

#[test]
#[ignore = "needs ../shared/data/books"]
fn shared_merges_are_what_edax_would_make_of_them() {
    let [line, small, large] =
        ["line38", "ray95", "ray1941"].map(|name| from_shared(&format!("edax-{name}.dat")));
    for (name, other, count) in [("ray1941", &large, 1964), ("ray95", &small, 118)] {
        // Level 21 beats level 1, whichever comes first.
        assert_eq!(assert_merges(name, &line, other), BTreeMap::new());
        let reasons = assert_merges(name, other, &line);
        let is_listed = |reason: &Reason| *reason != Reason::Newer;
        assert!(reasons.keys().all(is_listed), "{reasons:?}");
        for files in [[&line, other], [other, &line]] {
            // What level 1 has is held beside level 21, and so left out, with the ends of its games.
            let (written, report) = Taken::of(&[files[0], files[1]]).export();
            let records = EdaxBook::of(&written).records;
            let all = records.len() as u64 + report.only_held;
            assert!((count - 2..=count).contains(&all), "{name}: {all}");
        }
    }
}

/// A pass whose record promises one after it, and there is none.
#[test]
fn a_pass_that_leads_to_no_record_is_reported() {
    let mut records = made::wide();
    let passing = records.iter().position(|record| record.links.iter().any(|l| l.1 == PASS));
    let passing = records[passing.unwrap()].board;
    let after = made::child(passing, PASS);
    records.retain(|record| record.board != after);
    let bytes = made::file(21, &records);
    let taken = Taken::of(&[&bytes]);
    let dangling = |record: &made::Record| {
        let to = |&&(_, played): &&(i8, u8)| made::child(record.board, played) == after;
        record.links.iter().filter(to).count()
    };
    let expected: usize = records.iter().map(dangling).sum();
    assert_eq!(taken.count(DefectKind::DanglingLink) as usize, expected);
    let told = taken.files[0].defects.listed().iter();
    let told = told.filter(|defect| defect.kind == DefectKind::DanglingLink);
    assert!(told.clone().any(|defect| defect.text.ends_with("the pass")));
    // A record that promises nothing has a leaf of its own.
    let mut alone = records.clone();
    for record in alone.iter_mut().filter(|record| record.board == passing) {
        (record.leaf, record.links) = ((record.values[0] as i8, PASS), Vec::new());
    }
    let bytes = made::file(21, &alone);
    assert_eq!(Taken::of(&[&bytes]).count(DefectKind::DanglingLink) as usize, expected - 1);
    // The book that the file goes into may have the position.
    let [whole, part] = [made::wide(), records].map(|records| made::file(21, &records));
    let taken = Taken::of(&[&whole, &part]);
    assert_eq!(taken.files[1].defects.count(DefectKind::DanglingLink), 0);
}

#[test]
fn of_two_records_of_one_position_it_is_told_which_is_kept_and_why() {
    let told = |records: &[made::Record]| {
        let taken = Taken::of(&[&made::file(21, records)]);
        assert_eq!(taken.count(DefectKind::DuplicateRecord), 1);
        let listed = taken.files[0].defects.listed().iter();
        let mut texts = listed.filter(|defect| defect.kind == DefectKind::DuplicateRecord);
        texts.next().unwrap().text.clone()
    };
    let mut records = made::line();
    let last = 42 + records.iter().map(|record| record.bytes().len()).sum::<usize>();
    let first = 42 + records[..15].iter().map(|record| record.bytes().len()).sum::<usize>();
    records.push(records[15].clone());
    let equal = format!("byte {first} kept, being the first; byte {last} not, searched to 1@");
    assert!(told(&records).starts_with(&equal), "{}", told(&records));
    records[38].level = 12;
    let deeper = format!("byte {last} kept, searched to 12@73%; byte {first} not, searched to 1@");
    assert!(told(&records).starts_with(&deeper), "{}", told(&records));
    records[15].leaf = NO_LEAF;
    let without = format!("byte {first} not, 1@100% without a best other move");
    assert!(told(&records).contains(&without), "{}", told(&records));
    let taken = Taken::of(&[&made::file(21, &records)]);
    let found = rosebill::openbook::NodeSource::node(
        &taken.book,
        &rosebill::othello::board::Key::of(records[15].board),
    );
    assert_eq!(found.unwrap().unwrap().searched.depth, 12);
}

#[test]
fn a_board_without_one_sides_discs_is_told_as_what_it_is() {
    let full = |mover: u64, opponent: u64, score: i8| {
        let mut records = made::line();
        records.push(made::Record {
            board: made::canonical(Position { mover, opponent }),
            counts: [0; 4],
            values: [i16::from(score); 3],
            level: 1,
            links: Vec::new(),
            leaf: (score, NO_MOVE),
        });
        made::file(1, &records)
    };
    // The side to move has lost its last disc.
    let centre = 0x0000_0018_1800_0000;
    let taken = Taken::of(&[&full(0, centre, -64)]);
    assert_eq!(taken.count(DefectKind::WipeOut), 1);
    assert_eq!(taken.count(DefectKind::FinishedGame), 0);
    assert_eq!(taken.count(DefectKind::FinalScore), 0);
    let listed = taken.files[0].defects.listed();
    assert!(listed.iter().any(|defect| defect.text.ends_with(": -64 for the side to move")));
    // Nothing of the book leads to it, and that is counted.
    assert_eq!(taken.export().1.unreached, 1);
    // A score that the board does not have.
    assert_eq!(Taken::of(&[&full(0, centre, -62)]).count(DefectKind::FinalScore), 1);
    // The side that has just moved cannot be without a disc.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("impossible.dat");
    fs::write(&path, full(centre, 0, 64)).unwrap();
    let mut book = Book::create(folder.path().join("book.db")).unwrap();
    let mut try_to = |lenient| {
        let options = ImportOptions { lenient, ..ImportOptions::default() };
        import(&mut book, std::slice::from_ref(&path), &options, |_| {})
    };
    let error = try_to(false).unwrap_err().to_string();
    let expected = "found no disc of the side that moved last, expected one at least";
    assert!(error.ends_with(expected) && !error.contains('\n'), "{error}");
    let report = try_to(true).unwrap();
    assert_eq!(report.files[0].defects.count(DefectKind::BadRecord), 1);
    assert_eq!(report.files[0].new, 38);
}

/// What a filter leaves out, and a level for all, goes for passes and ends, too.
#[test]
fn parts_and_levels_go_for_records_of_passes_and_ends_too() {
    let bytes = with_ends(1);
    let taken = Taken::of(&[&bytes]);
    let options = ExportOptions { level: Level::new(12), ..ExportOptions::new(Format::Edax) };
    let (written, _) = taken.export_with(&options);
    let all = EdaxBook::of(&written);
    assert!(all.records.values().all(|record| record.level == 12));
    assert_eq!(all.faults().into_keys().collect::<Vec<_>>(), []);
    let mut options = ExportOptions::new(Format::Edax);
    options.filter.max_discs = Some(40);
    let (written, report) = taken.export_with(&options);
    let part = EdaxBook::of(&written);
    assert_eq!(part.faults().into_keys().collect::<Vec<_>>(), []);
    assert_eq!(part.ends(), 0);
    let before = EdaxBook::of(&bytes);
    let left = (before.ends() + before.passes() - part.passes()) as u64;
    assert_eq!(report.unreached, left);
}

/// Books written for Edax: `book fix` changes no record and finds nothing to warn of but due searches.
fn table(books: Vec<(&'static str, Shelf)>) {
    let mut faults = Vec::new();
    for (name, shelf) in books {
        let (bytes, _) = shelf.written("out.dat", Format::Edax);
        let book = EdaxBook::of(&bytes);
        let found = book.faults();
        let mut fixed = book.clone();
        let due = fixed.fix();
        let changed = sorted(&fixed) != sorted(&book);
        println!(
            "{name} for Edax: {} records, {} of passes, {} of finished games, {} due, {found:?}",
            book.records.len(),
            book.passes(),
            book.ends(),
            due.len(),
        );
        // What no line from the start leads to is left alone by Edax.
        let found = found.into_iter().filter(|(fault, _)| *fault != Fault::Unreached);
        faults.extend(found.map(|(fault, (_, count))| (name, fault, count)));
        assert!(!changed || !faults.is_empty(), "{name}");
    }
    assert_eq!(faults, []);
}

#[test]
fn edax_changes_nothing_in_our_books() {
    table(Shelf::of_ours());
}

#[test]
#[ignore = "needs ../shared/data/books"]
fn edax_changes_nothing_in_other_programs_books() {
    table(Shelf::of_others_for_records());
}

/// A file that is no book of ours is compared as it is read: the checker itself finds what is wrong.
#[test]
fn the_checker_finds_what_was_planted() {
    let with = |change: &dyn Fn(&mut Vec<made::Record>)| {
        let mut records = made::line();
        change(&mut records);
        let faults = EdaxBook::of(&made::file(1, &records)).faults();
        faults.into_keys().collect::<Vec<_>>()
    };
    assert_eq!(with(&|_| {}), []);
    assert_eq!(with(&|records| records[20].values[1] -= 1), [Fault::Values]);
    assert_eq!(with(&|records| records[20].counts[3] += 1), [Fault::Values]);
    assert_eq!(with(&|records| records[20].links[0].0 += 1), [Fault::LinkScore]);
    assert_eq!(with(&|records| records[20].leaf.1 = 27), [Fault::Leaf]);
    assert_eq!(with(&|records| records[20].level = 61), [Fault::Level, Fault::Values]);
    assert_eq!(with(&|records| drop(records.pop())), [Fault::NoChild]);
    assert_eq!(with(&|records| records.push(records[3].clone())), [Fault::Twice]);
    assert_eq!(with(&|records| records[20].leaf = records[20].links[0]), [Fault::LeafIsLink]);
    assert!(with(&|records| drop(records.remove(0))).contains(&Fault::NoStart));
    for bytes in [made::tiny(), made::file(21, &made::wide()), with_ends(21)] {
        assert_eq!(EdaxBook::of(&bytes).faults().into_keys().collect::<Vec<_>>(), []);
    }
}
