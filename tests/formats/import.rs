//! Files through the store and back: nothing is lost, nothing is half taken.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use rosebill::app::export::{ExportOptions, ExportReport, ExportTarget, export};
use rosebill::app::import::{FileReport, ImportOptions, import};
use rosebill::app::{ShowOptions, show};
use rosebill::files::books::edax::{EdaxLink, EdaxReader, EdaxRecord};
use rosebill::files::books::{DefectKind, Format, ReadOptions};
use rosebill::openbook::{Node, NodeSource};
use rosebill::othello::board::{Key, Line, Position};
use rosebill::store::{Book, Reader, StoreError};
use tempfile::TempDir;

use crate::made::edax as made;
use crate::odd::{ODD, odd};
use crate::shared::shared;

/// A folder with a book, gone with the value.
pub struct Scratch {
    pub folder: TempDir,
    pub book: Book,
}

impl Scratch {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let book = Book::create(folder.path().join("book.db")).unwrap();
        Self { folder, book }
    }

    fn with(file: &Path) -> Self {
        let mut scratch = Self::new();
        scratch.import(file, false).unwrap();
        scratch
    }

    fn import(&mut self, file: &Path, lenient: bool) -> Result<FileReport, String> {
        let options = ImportOptions { lenient, ..ImportOptions::default() };
        import(&mut self.book, &[file.to_owned()], &options, |_| {})
            .map(|mut report| report.files.remove(0))
            .map_err(|error| error.to_string())
    }

    pub fn export(&self, name: &str, format: Format) -> (PathBuf, ExportReport) {
        let path = self.folder.path().join(name);
        let target = ExportTarget::of(&path);
        let report =
            export(self.book.reader(), &target, &ExportOptions::new(format), |_| {}).unwrap();
        (path, report)
    }

    pub fn nodes(&self) -> BTreeMap<Key, Node> {
        nodes(self.book.reader())
    }
}

fn nodes(reader: &Reader) -> BTreeMap<Key, Node> {
    let mut nodes = BTreeMap::new();
    reader
        .for_each_node(|node| -> Result<(), StoreError> {
            nodes.insert(node.key, node);
            Ok(())
        })
        .unwrap();
    nodes
}

/// The records of an Edax book by position, links as sets.
fn records(file: &Path) -> BTreeMap<(u64, u64), EdaxRecord> {
    let bytes = fs::read(file).unwrap();
    let options = ReadOptions::default();
    let mut reader = EdaxReader::new(bytes.as_slice(), "book", options).unwrap();
    let mut records = BTreeMap::new();
    while let Some((_, mut record)) = reader.next_raw().unwrap() {
        record.links.sort_by_key(|link: &EdaxLink| link.played);
        records.insert((record.position.mover, record.position.opponent), record);
    }
    records
}

/// Files with these bytes.
fn files<const N: usize>(files: [(&str, Vec<u8>); N]) -> (TempDir, [PathBuf; N]) {
    let folder = tempfile::tempdir().unwrap();
    let paths = files.map(|(name, bytes)| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    });
    (folder, paths)
}

fn line_file() -> Vec<u8> {
    made::file(1, &made::line())
}

fn wide_file() -> Vec<u8> {
    made::file(21, &made::wide())
}

/// A settled Edax book comes back with no difference, and so does its text.
fn assert_comes_back(path: &Path, text: Option<&Path>) {
    let name = path.display();
    let mut scratch = Scratch::new();
    let report = scratch.import(path, false).unwrap();
    let (exported, wrote) = scratch.export("out.dat", Format::Edax);
    let (before, after) = (records(path), records(&exported));
    assert_eq!(before.len(), after.len(), "{name}");
    for (position, record) in &before {
        assert_eq!(after.get(position), Some(record), "{name}");
    }
    assert_eq!(report.records, before.len() as u64, "{name}");
    assert_eq!(wrote.positions + wrote.passes, before.len() as u64, "{name}");
    assert_eq!((wrote.search_due, wrote.likely_moves, wrote.rounded), (0, 0, 0), "{name}");

    // The text holds the same lines.
    let (exported_text, _) = scratch.export("out.txt", Format::EdaxText);
    if let Some(theirs) = text {
        assert_eq!(sorted_lines(&exported_text), sorted_lines(theirs), "{name}");
    }

    // And again: the same book, the same bytes.
    let again = Scratch::with(&exported);
    assert_eq!(again.nodes().len(), scratch.nodes().len(), "{name}");
    let (twice, _) = again.export("out.dat", Format::Edax);
    assert_eq!(fs::read(exported).unwrap(), fs::read(twice).unwrap(), "{name}");
}

fn sorted_lines(file: &Path) -> Vec<String> {
    let mut lines: Vec<_> = fs::read_to_string(file).unwrap().lines().map(String::from).collect();
    lines.sort();
    lines
}

#[test]
fn settled_edax_books_come_back_with_no_difference() {
    // The ends of games are known from the board; a record of one is only written where it has to be.
    let games = (0..12).flat_map(|seed| crate::made::game(seed, 61));
    let wide = made::of(games.filter(|position| position.empties() > 5).collect(), 21);
    assert!(wide.iter().any(|record| record.links.iter().any(|link| link.1 == made::PASS)));
    let (_folder, [tiny, line, wide, line_text, wide_text]) = files([
        ("tiny.dat", made::tiny()),
        ("line.dat", line_file()),
        ("wide.dat", made::file(21, &wide)),
        ("line.txt", made::text(&made::line()).into_bytes()),
        ("wide.txt", made::text(&wide).into_bytes()),
    ]);
    assert_comes_back(&tiny, None);
    assert_comes_back(&line, Some(&line_text));
    assert_comes_back(&wide, Some(&wide_text));
}

#[test]
#[ignore = "needs ../shared/data/books"]
fn shared_edax_books_come_back_with_no_difference() {
    for name in ["tiny2", "line38", "ray95", "ray1941"] {
        let text = Some(shared(&format!("edax-{name}.txt"))).filter(|path| path.exists());
        assert_comes_back(&shared(&format!("edax-{name}.dat")), text.as_deref());
    }
}

fn assert_leaf_is_kept(path: &Path) {
    let scratch = Scratch::with(path);
    let (exported, _) = scratch.export("out.dat", Format::Edax);
    let (before, after) = (records(path), records(&exported));
    let key = (Position::START.mover, Position::START.opponent);
    assert_eq!(before[&key].leaf, after[&key].leaf);
    assert_eq!(before[&key].value, after[&key].value);
}

#[test]
fn a_fresh_edax_book_keeps_its_leaf() {
    let (_folder, [fresh]) = files([("fresh.dat", made::fresh())]);
    assert_leaf_is_kept(&fresh);
}

#[test]
#[ignore = "needs ../shared/data/books"]
fn shared_fresh_edax_book_keeps_its_leaf() {
    assert_leaf_is_kept(&shared("edax-fresh1.dat"));
}

/// A text book gets its links from the boards.
fn assert_text_is_the_book(text: &Path, binary: &Path) {
    let scratch = Scratch::with(text);
    let (exported, _) = scratch.export("out.dat", Format::Edax);
    assert_eq!(records(&exported), records(binary), "{}", text.display());
}

#[test]
fn a_text_book_gets_its_links_from_the_boards() {
    let (_folder, [text, binary]) =
        files([("line.txt", made::text(&made::line()).into_bytes()), ("line.dat", line_file())]);
    assert_text_is_the_book(&text, &binary);
}

#[test]
#[ignore = "needs ../shared/data/books"]
fn shared_text_books_get_their_links_from_the_boards() {
    for name in ["line38", "ray1941"] {
        let [text, binary] = ["txt", "dat"].map(|ending| shared(&format!("edax-{name}.{ending}")));
        assert_text_is_the_book(&text, &binary);
    }
}

fn assert_json_brings_it_back(path: &Path) {
    let name = path.display();
    let scratch = Scratch::with(path);
    let (exported, report) = scratch.export("book.jsonl", Format::Json);
    assert_eq!(report.positions as usize, scratch.nodes().len());
    let again = Scratch::with(&exported);
    assert_eq!(again.nodes(), scratch.nodes(), "{name}");
    assert_eq!(again.book.reader().sources().unwrap(), scratch.book.reader().sources().unwrap());
    let (twice, _) = again.export("again.jsonl", Format::Json);
    assert_eq!(fs::read(&exported).unwrap(), fs::read(twice).unwrap(), "{name}");

    // A second import changes nothing.
    let mut same = Scratch::with(&exported);
    let report = same.import(&exported, false).unwrap();
    assert_eq!((report.new, report.replaced), (0, 0));
    assert_eq!(same.nodes(), scratch.nodes());
}

#[test]
fn json_brings_the_same_book_back() {
    let (_folder, books) = files([("wide.dat", wide_file()), ("line.dat", line_file())]);
    books.iter().for_each(|book| assert_json_brings_it_back(book));
}

#[test]
#[ignore = "needs ../shared/data/books"]
fn shared_books_come_back_from_json() {
    for name in ["edax-ray1941.dat", "edax-ray1941-unlinked.dat", "edax-line38.dat"] {
        assert_json_brings_it_back(&shared(name));
    }
}

#[test]
fn csv_has_a_row_for_each_node() {
    let (_folder, [line]) = files([("line.dat", line_file())]);
    let scratch = Scratch::with(&line);
    let (exported, _) = scratch.export("book.csv", Format::Csv);
    let text = fs::read_to_string(exported).unwrap();
    assert_eq!(text.lines().count(), 39);
    let start = text.lines().nth(1).unwrap();
    let made = made::line();
    let value = made[0].values[0];
    let expected = format!(",4,,{value},{value},{value},-64,64,d3 c4 f5 e6,,,,");
    assert!(start.contains(&expected), "{start}");
}

/// Takes links out of a book and makes some of them leaves.
#[test]
fn missing_links_are_added_and_leaves_that_became_links_dropped() {
    let settled = made::wide();
    let mut unlinked = settled.clone();
    let (mut links, mut leaves, mut due) = (0, 0, vec![]);
    for (index, record) in unlinked.iter_mut().enumerate() {
        if index % 5 != 0 || record.links.len() != 1 || record.leaf.1 >= made::PASS {
            continue;
        }
        let link = record.links.remove(0);
        if link.1 == made::PASS {
            record.links.push(link);
            continue;
        }
        links += 1;
        // The leaf that is given up is not known any more.
        if leaves < 7 {
            record.leaf = link;
            leaves += 1;
            due.push(index);
        }
    }
    assert!(links > 20 && leaves == 7, "{links} {leaves}");
    let (_folder, [file]) = files([("unlinked.dat", made::file(21, &unlinked))]);
    let mut scratch = Scratch::new();
    let report = scratch.import(&file, false).unwrap();
    assert_eq!(report.defects.count(DefectKind::MissingLink), links);
    assert_eq!(report.defects.count(DefectKind::LeafIsLink), leaves);
    let (exported, wrote) = scratch.export("out.dat", Format::Edax);
    // The book as it is settled with these leaves unknown.
    let mut expected = settled;
    for index in due {
        expected[index].leaf = made::NO_LEAF;
    }
    made::settle(&mut expected);
    assert_eq!(wrote.search_due, leaves);
    let (_folder, [expected]) = files([("expected.dat", made::file(21, &expected))]);
    assert_eq!(records(&exported), records(&expected));
}

#[test]
#[ignore = "needs ../shared/data/books"]
fn shared_book_without_links_gets_them() {
    let mut scratch = Scratch::new();
    let report = scratch.import(&shared("edax-ray1941-unlinked.dat"), false).unwrap();
    assert_eq!(report.defects.count(DefectKind::MissingLink), 39);
    assert_eq!(report.defects.count(DefectKind::LeafIsLink), 13);
    let (exported, _) = scratch.export("out.dat", Format::Edax);
    let records = records(&exported);
    let links: usize = records.values().map(|record| record.links.len()).sum();
    let leaves = records.values().filter(|record| record.leaf != EdaxRecord::NO_LEAF).count();
    assert_eq!((records.len(), links, leaves), (1941, 2077, 1908));
    let start = &records[&(Position::START.mover, Position::START.opponent)];
    assert_eq!((start.value, start.lower, start.upper), (-4, -6, -2));
    assert_eq!((start.wins, start.draws, start.losses, start.lines), (256, 32, 120, 72328));
}

/// Two books in either order are one with so many records and links.
fn assert_are_one(first: &Path, second: &Path, counts: (usize, usize)) {
    for files in [[first, second], [second, first]] {
        let mut scratch = Scratch::with(files[0]);
        scratch.import(files[1], false).unwrap();
        let (exported, wrote) = scratch.export("out.dat", Format::Edax);
        let records = records(&exported);
        let links: usize = records.values().map(|record| record.links.len()).sum();
        // A shallow book is held beside a deep one, and so left out, with the ends of its games.
        let all = records.len() + wrote.only_held as usize;
        assert!(all == counts.0 || (all + 2 == counts.0 && wrote.only_held > 0), "{all}");
        assert!(links == counts.1 || wrote.only_held > 0, "{links}");
        assert_eq!(wrote.search_due, 0);
    }
}

#[test]
fn two_books_become_one() {
    let games = |seeds: std::ops::Range<u64>| -> Vec<Position> {
        seeds.flat_map(|seed| crate::made::game(seed, 30)).collect()
    };
    let [first, second, both] = [0..4, 2..7, 0..7].map(|seeds| made::of(games(seeds), 21));
    let links = both.iter().map(|record| record.links.len()).sum();
    let (_folder, [one, two]) =
        files([("first.dat", made::file(21, &first)), ("second.dat", made::file(21, &second))]);
    assert_are_one(&one, &two, (both.len(), links));
}

#[test]
#[ignore = "needs ../shared/data/books"]
fn shared_books_become_one() {
    assert_are_one(&shared("edax-line38.dat"), &shared("edax-ray1941.dat"), (1964, 2100));
}

/// The value of a record without leaf and links is all that there is of it; one that has none is no draw.
#[test]
fn a_record_is_worth_what_the_file_stores_or_is_left_out() {
    let after_f5 = Key::of(Position::START.play("f5".parse().unwrap()).unwrap());
    let record = |board, value, links| made::Record {
        board,
        counts: [0, 0, 0, 4],
        values: [value, -127, 127],
        level: 21,
        links,
        leaf: made::NO_LEAF,
    };
    let book = |value: i16| {
        let links = [19, 26, 37, 44].map(|square| (-7, square)).to_vec();
        let start = record(Position::START, -7, links);
        made::file(21, &[start, record(after_f5.position(), value, vec![])])
    };
    let imported = |value: i16| {
        let (_folder, [path]) = files([("book.dat", book(value))]);
        let mut scratch = Scratch::new();
        let report = scratch.import(&path, false).unwrap();
        let placed = "f5".parse::<Line>().unwrap().board();
        let shown = show(scratch.book.reader(), placed, &ShowOptions::default()).unwrap();
        let wins = shown.chances().map(|chances| chances.win > 0.9);
        (scratch.nodes(), report.defects.count(DefectKind::NoValue), wins)
    };
    let (nodes, left_out, wins) = imported(7);
    assert_eq!(wins, Some(true), "of a value without a move, too");
    let guess = |key: &Key| nodes[key].values.guess.centidiscs();
    assert_eq!((guess(&after_f5), guess(&Key::of(Position::START)), left_out), (700, -700, 0));
    let (nodes, left_out, wins) = imported(-127);
    assert_eq!(wins, None);
    let start = &nodes[&Key::of(Position::START)];
    assert_eq!((nodes.len(), start.values.guess.centidiscs(), left_out), (1, -700, 1));
}

/// What an odd file brings in: nodes, incomplete nodes, and its defects by kind.
fn assert_repaired_or_refused(of: impl Fn(&str) -> Vec<u8>) {
    use DefectKind as D;
    type Case = (&'static str, Option<(usize, &'static [(D, u64)])>);
    let cases: &[Case] = &[
        ("00-good", Some((38, &[]))),
        ("01-version3", None),
        ("02-truncated", None),
        ("03-dangling-link", Some((37, &[(D::DanglingLink, 1)]))),
        ("04-noncanonical", Some((38, &[(D::NotCanonical, 1)]))),
        ("05-duplicate", Some((38, &[(D::DuplicateRecord, 1)]))),
        ("06-count-too-big", Some((38, &[(D::CountDiffers, 1)]))),
        ("07-count-zero", Some((38, &[(D::CountDiffers, 1)]))),
        ("08-illegal-link", None),
        ("09-illegal-leaf", None),
        ("10-overlap", None),
        ("11-trailing-junk", Some((38, &[(D::TrailingBytes, 1)]))),
        ("12-swapped-magic", None),
        ("13-empty", None),
        ("14-header-only", Some((0, &[]))),
        ("15-links-past-end", None),
        ("16-leaf-is-a-link", Some((38, &[(D::LeafIsLink, 1), (D::SearchDue, 1)]))),
        ("17-leaf-missing", Some((38, &[(D::SearchDue, 1)]))),
        ("18-stale-values", Some((38, &[(D::StaleValue, 34)]))),
        ("19-missing-link", Some((39, &[(D::MissingLink, 1)]))),
        ("20-mixed-levels", Some((38, &[]))),
        ("21-count-2147483647", Some((38, &[(D::CountDiffers, 1)]))),
        ("22-no-root", Some((37, &[(D::NoStart, 1)]))),
        ("23-level-77", None),
        ("24-duplicate-link", Some((38, &[(D::DuplicateLink, 1)]))),
        ("25-negative-count", Some((38, &[(D::CountDiffers, 1)]))),
    ];
    assert!(cases.iter().map(|case| case.0).eq(ODD));
    let (_folder, [good]) = files([("good.dat", of("00-good"))]);
    let good = Scratch::with(&good).nodes();
    for &(name, expected) in cases {
        let (_folder, [path]) = files([(&format!("{name}.dat"), of(name))]);
        let mut scratch = Scratch::new();
        match (scratch.import(&path, false), expected) {
            (Ok(report), Some((count, defects))) => {
                let noted: Vec<_> = report.defects.counts().collect();
                // Every value that is not 0 by itself is stale in number 18.
                let same = |(ours, theirs): (&(D, u64), &(D, u64))| {
                    ours.0 == theirs.0 && (ours.1 == theirs.1 || ours.0 == D::StaleValue)
                };
                let as_expected =
                    noted.len() == defects.len() && noted.iter().zip(defects).all(same);
                assert!(as_expected, "{name}: {noted:?}, expected {defects:?}");
                assert_eq!(scratch.nodes().len(), count, "{name}");
                let same = ["04", "05", "06", "07", "11", "18", "21", "24", "25"];
                if same.iter().any(|number| name.starts_with(number)) {
                    assert_eq!(scratch.nodes(), good, "{name}");
                }
            }
            (Err(error), None) => {
                assert!(error.contains(name), "{name}: {error}");
                assert!(scratch.nodes().is_empty(), "{name} came in by half");
                assert!(scratch.book.reader().sources().unwrap().is_empty(), "{name}");
            }
            (Ok(_), None) => panic!("{name} was not refused"),
            (Err(error), Some(_)) => panic!("{name}: {error}"),
        }
    }
}

#[test]
fn odd_books_are_repaired_or_refused_as_a_whole() {
    assert_repaired_or_refused(odd);
}

#[test]
#[ignore = "needs ../shared/data/books"]
fn shared_odd_books_are_repaired_or_refused_as_a_whole() {
    assert_repaired_or_refused(shared_odd);
}

fn shared_odd(name: &str) -> Vec<u8> {
    fs::read(shared(&format!("edax-odd/{name}.dat"))).unwrap()
}

fn assert_sound_part_is_taken(of: impl Fn(&str) -> Vec<u8>) {
    for (name, sound) in [
        ("02-truncated", 37),
        ("08-illegal-link", 38),
        ("09-illegal-leaf", 38),
        ("10-overlap", 37),
        ("23-level-77", 37),
    ] {
        let (_folder, [path]) = files([("odd.dat", of(name))]);
        let mut scratch = Scratch::new();
        scratch.import(&path, true).unwrap();
        assert_eq!(scratch.nodes().len(), sound, "{name}");
    }
}

#[test]
fn a_lenient_import_takes_what_is_sound() {
    assert_sound_part_is_taken(odd);
}

#[test]
#[ignore = "needs ../shared/data/books"]
fn shared_odd_books_are_taken_as_far_as_sound() {
    assert_sound_part_is_taken(shared_odd);
}

/// A dangling link is the leaf when it beats it: the value is what it was, it came through the link.
fn assert_dangling_link_counts(good: Vec<u8>, dangling: Vec<u8>) {
    let (_folder, [good, dangling]) = files([("good.dat", good), ("dangling.dat", dangling)]);
    let (good, scratch) = (Scratch::with(&good), Scratch::with(&dangling));
    for (key, node) in scratch.nodes() {
        assert_eq!(good.book.node(&key).unwrap().unwrap().values.guess, node.values.guess);
    }
}

#[test]
fn a_dangling_link_is_the_leaf_when_it_beats_it() {
    // The last link is worth more than the leaf beside it.
    let mut records = made::line();
    records[37].leaf.0 = -40;
    made::settle(&mut records);
    let good = made::file(1, &records);
    records.retain(|record| record.empties() > 23);
    assert_dangling_link_counts(good, made::file(1, &records));
}

#[test]
#[ignore = "needs ../shared/data/books"]
fn shared_dangling_link_is_the_leaf() {
    assert_dangling_link_counts(shared_odd("00-good"), shared_odd("03-dangling-link"));
}

#[test]
fn an_unwritable_target_is_found_before_any_work() {
    let scratch = Scratch::new();
    for target in [scratch.folder.path().join("no/such/folder.dat"), scratch.folder.path().into()] {
        let mut called = false;
        let error = export(
            scratch.book.reader(),
            &ExportTarget::of(&target),
            &ExportOptions::new(Format::Edax),
            |_| called = true,
        )
        .unwrap_err();
        assert!(error.to_string().starts_with("cannot write "), "{error}");
        assert!(!called);
    }
    let left: Vec<_> = fs::read_dir(scratch.folder.path()).unwrap().collect();
    assert!(left.iter().all(|entry| {
        entry.as_ref().unwrap().file_name().to_string_lossy().starts_with("book.db")
    }));
}

#[test]
fn a_refused_file_leaves_the_book_as_it_was() {
    let (_folder, [good, bad]) =
        files([("good.dat", line_file()), ("bad.dat", odd("02-truncated"))]);
    let mut scratch = Scratch::with(&good);
    let before = scratch.nodes();
    assert!(scratch.import(&bad, false).is_err());
    assert!(scratch.import(Path::new("/no/such/file.dat"), false).is_err());
    assert_eq!(scratch.nodes(), before);
}

#[test]
fn the_note_of_an_import_comes_with_its_files() {
    let (_folder, [good]) = files([("good.dat", line_file())]);
    let mut scratch = Scratch::new();
    let options = ImportOptions::default();
    let files = [good.clone(), PathBuf::from("/no/such/file.dat")];
    assert!(import(&mut scratch.book, &files, &options, |_| {}).is_err());
    let runs = scratch.book.reader().runs().unwrap();
    assert_eq!(runs.len(), 1);
    assert!(runs[0].progress.starts_with("1 file, "), "{runs:?}");
    assert!(runs[0].result.as_deref().unwrap().ends_with("positions new, 0 replaced"), "{runs:?}");

    import(&mut scratch.book, &[good.clone(), good], &options, |_| {}).unwrap();
    let runs = scratch.book.reader().runs().unwrap();
    assert_eq!(runs.len(), 2);
    assert!(runs[1].progress.starts_with("2 files, "), "{runs:?}");
}
