//! One program's book through rosebill into the others', and parts of books.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use rosebill::app::convert::convert;
use rosebill::app::export::{ExportFilter, ExportOptions, ExportReport, ExportTarget, export};
use rosebill::app::import::{ImportOptions, import};
use rosebill::app::{LossLimit, RegretLimits, Subtree};
use rosebill::files::books::edax::{
    EdaxChild, EdaxLink, EdaxMove, EdaxReader, EdaxRecord, Errors, negamax,
};
use rosebill::files::books::{DefectKind, Format, ReadOptions};
use rosebill::openbook::{Node, NodeSource};
use rosebill::othello::board::{After, Key, Line, Placed, Position};
use rosebill::othello::search::{Level, Proof};
use rosebill::store::{Book, Reader, StoreError};
use tempfile::TempDir;

use crate::made;
use crate::shared::shared;

fn book_of(folder: &TempDir, name: &str, file: &Path) -> Book {
    let mut book = Book::create(folder.path().join(name)).unwrap();
    import(&mut book, &[file.to_owned()], &ImportOptions::default(), |_| {}).unwrap();
    book
}

fn written(
    book: &Reader,
    file: &Path,
    format: Format,
    filter: &ExportFilter,
) -> Result<ExportReport, String> {
    let options = ExportOptions { filter: filter.clone(), ..ExportOptions::new(format) };
    export(book, &ExportTarget::of(file), &options, |_| {}).map_err(|error| error.to_string())
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

/// What each linked move is worth for the side to move, in centidiscs.
fn moves(node: &Node, book: &BTreeMap<Key, Node>) -> BTreeMap<u8, i16> {
    let mut moves = BTreeMap::new();
    for square in node.linked() {
        let (next, same) = match node.key.position().after(square).unwrap() {
            After::Opponent(next) => (next, false),
            After::Same(next) => (next, true),
            After::Over(_) => continue,
        };
        let values = book[&Key::of(next)].values.seen_by_parent(same);
        moves.insert(square.number(), values.guess.centidiscs());
    }
    moves
}

/// Every record is what its leaf and its links give: Edax's `book fix` finds nothing to change, but
/// for searches of leaves that nothing is known of.
fn assert_settled(file: &Path) -> usize {
    let bytes = fs::read(file).unwrap();
    let options = ReadOptions::default();
    let mut reader = EdaxReader::new(bytes.as_slice(), "book", options).unwrap();
    let mut records = BTreeMap::new();
    while let Some((_, record)) = reader.next_raw().unwrap() {
        let position = record.position;
        assert!(records.insert((position.mover, position.opponent), record).is_none());
    }
    let canonical = |position: Position| {
        let position = Key::of(position).position();
        (position.mover, position.opponent)
    };
    let mut due = 0;
    for record in records.values() {
        assert_eq!(canonical(record.position), (record.position.mover, record.position.opponent));
        let mut children = Vec::new();
        let mut unlinked = 0;
        for square in record.position.legal_moves() {
            let next = record.position.play(square).unwrap();
            let stated = record.links.iter().any(|link| link.played == EdaxMove::Square(square));
            let child = records.get(&canonical(next));
            assert_eq!(stated, child.is_some(), "{square} of {:?}", record.position);
            match child {
                Some(child) => children.push((EdaxMove::Square(square), EdaxChild::from(child))),
                None => unlinked += 1,
            }
        }
        if !record.position.can_move()
            && let Some(child) = records.get(&canonical(record.position.passed()))
        {
            children.push((EdaxMove::Pass, EdaxChild::from(child)));
        }
        let is_link = |link: &EdaxLink| link.played == record.leaf.played;
        assert!(!record.links.iter().any(is_link), "{:?}", record.position);
        due += usize::from(record.leaf == EdaxRecord::NO_LEAF && unlinked > 0);
        let level = Level::new(record.level).unwrap();
        let again = negamax(record.position, level, record.leaf, &children, Errors::default());
        assert_eq!(&again, record);
    }
    due
}

/// A part of Zebra's book goes through every other format and comes back with the same positions,
/// the same best moves and, within the format's rounding, the same guesses.
fn assert_survives_every_format(path: &Path, positions: usize) {
    let folder = tempfile::tempdir().unwrap();
    let zebra = book_of(&folder, "zebra.db", path);
    let file = |name: &str| folder.path().join(name);
    let filter = ExportFilter { max_discs: Some(20), ..ExportFilter::default() };
    written(zebra.reader(), &file("part.jsonl"), Format::Json, &filter).unwrap();
    let part = book_of(&folder, "part.db", &file("part.jsonl"));
    let before = nodes(part.reader());
    assert_eq!(before.len(), positions);
    // Guess and proofs keep through a cut.
    let kept = |node: &Node| (node.values.guess, node.values.lower, node.values.upper);
    for node in before.values() {
        let whole = zebra.node(&node.key).unwrap().unwrap();
        assert_eq!(kept(&whole), kept(node), "{:?}", node.key.position());
    }
    // Half a disc where a format holds whole ones; Zebra's 1/128 disc rounds by 0.4 centidiscs.
    for (name, format, rounding) in [
        ("part.dat", Format::Edax, 50),
        ("part.txt", Format::EdaxText, 50),
        ("part.egbk3", Format::Egaroucid, 50),
        ("part.book", Format::Ntest, 0),
        ("part1.book", Format::Ntest1, 0),
        ("part.bin", Format::Zebra, 1),
        ("part.cmp.z", Format::ZebraCmpZ, 1),
    ] {
        let report = written(part.reader(), &file(name), format, &ExportFilter::default()).unwrap();
        let again = book_of(&folder, &format!("{name}.db"), &file(name));
        let after = nodes(again.reader());
        let extra = after.keys().filter(|key| !before.contains_key(key)).count() as u64;
        assert_eq!(extra, report.added, "{name}");
        // Nodes above a position that NTest needs besides and that two searches value differently.
        let mut differing = 0;
        let mut missing = 0;
        for (key, node) in &before {
            let Some(theirs) = after.get(key) else {
                missing += 1;
                continue;
            };
            let [ours, guess] = [node, theirs].map(|node| node.values.guess.centidiscs());
            if (ours - guess).abs() > rounding {
                differing += 1;
                continue;
            }
            // The best move is as good as any there.
            let moves_after = moves(theirs, &after);
            let best = moves(node, &before).into_iter().max_by_key(|&(_, value)| value);
            if let Some((square, value)) = best.filter(|&(_, value)| value == ours) {
                let value_after = moves_after[&square];
                // Both may have been rounded, one up and one down.
                let near = |a: i16, b: i16| (a - b).abs() <= 2 * rounding;
                let is_best = near(value_after, value) && near(guess, value_after);
                assert!(is_best || report.disagree > 0, "{name}: {:?}", key);
            }
        }
        assert_eq!(missing, report.left_out, "{name}");
        // An added position may lead into the book by chance.
        let by_chance = before.len() as u64 / 10_000;
        assert!(differing <= 10 * report.disagree + by_chance, "{name}: {differing}");
        println!("{name}: {} of {}, {differing} differ, {report:?}", after.len(), before.len());
        if format == Format::Edax {
            let open = report.search_due + report.exact_open;
            assert_eq!(assert_settled(&file(name)) as u64, open);
        }
    }
}

/// Zebra's book made by hand, in a file.
fn made_zebra() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("zebra.bin");
    fs::write(&path, made::zebra::Book::new().bin()).unwrap();
    (folder, path)
}

#[test]
fn zebras_book_survives_every_format() {
    let (_folder, path) = made_zebra();
    let nodes = made::zebra::Book::new().nodes;
    let small = nodes.iter().filter(|node| node.board.position().empties() >= 44).count();
    assert_survives_every_format(&path, small);
}

#[test]
#[ignore = "needs ../shared/data/books"]
fn shared_zebra_book_survives_every_format() {
    assert_survives_every_format(&shared("zebra-book.cmp.z"), 12_050);
}

/// The whole book through the formats of whole discs: proofs deep in it have values without a move.
fn assert_guesses_are_kept(path: &Path) {
    let folder = tempfile::tempdir().unwrap();
    let zebra = book_of(&folder, "zebra.db", path);
    let before = nodes(zebra.reader());
    for (name, format) in [("all.egbk3", Format::Egaroucid), ("all.dat", Format::Edax)] {
        let file = folder.path().join(name);
        let report = written(zebra.reader(), &file, format, &ExportFilter::default()).unwrap();
        let again = book_of(&folder, &format!("{name}.db"), &file);
        let after = nodes(again.reader());
        assert_eq!(before.len() as u64 + report.added, after.len() as u64, "{name}");
        let differs = |(key, node): &(&Key, &Node)| {
            let [ours, theirs] = [*node, &after[*key]].map(|node| node.values.guess.centidiscs());
            (ours - theirs).abs() > 50
        };
        let differing = before.iter().filter(differs).count();
        println!("{name}: {differing} differ of {}", before.len());
        // Positions that were solved as a whole while their moves are not: no file but ours holds that.
        assert!(differing <= before.len() / 5_000, "{name}: {differing}");
    }
}

#[test]
fn all_of_zebras_book_keeps_its_guesses() {
    let (_folder, path) = made_zebra();
    assert_guesses_are_kept(&path);
}

#[test]
#[ignore = "needs ../shared/data/books"]
fn shared_zebra_book_keeps_its_guesses() {
    assert_guesses_are_kept(&shared("zebra-book.cmp.z"));
}

/// Between Zebra's files nothing changes but the packing; their lengths as bin, packed and text.
fn repacked(path: &Path) -> [u64; 3] {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let into = |from: &Path, name: &str, format: Format| {
        let reading = ImportOptions::default();
        let writing = ExportOptions::new(format);
        let target = ExportTarget::of(&file(name));
        convert(&[from.to_owned()], &target, &reading, &writing, |_| {}).unwrap();
        file(name)
    };
    let bin = into(path, "a.bin", Format::Zebra);
    let packed = into(&bin, "a.cmp", Format::ZebraCmp);
    let zipped = into(&packed, "a.cmp.z", Format::ZebraCmpZ);
    let text = into(&zipped, "a.txt", Format::ZebraText);
    assert!(fs::read(into(&text, "b.bin", Format::Zebra)).unwrap() == fs::read(&bin).unwrap());
    assert!(
        fs::read(into(&zipped, "b.cmp", Format::ZebraCmp)).unwrap() == fs::read(&packed).unwrap()
    );
    [&bin, &packed, &text].map(|file| fs::metadata(file).unwrap().len())
}

#[test]
fn zebras_files_are_repacked_as_they_are() {
    let (_folder, path) = made_zebra();
    let made = made::zebra::Book::new();
    let lengths = [made.bin().len(), made.packed().len(), made.text().len()];
    assert_eq!(repacked(&path), lengths.map(|length| length as u64));
}

#[test]
#[ignore = "needs ../shared/data/books"]
fn shared_zebra_files_are_repacked_as_they_are() {
    let lengths = repacked(&shared("zebra-book.cmp.z"));
    assert_eq!(lengths, [8_958_698, 6_967_876, 21_949_959]);
}

/// The values of Zebra's named openings in three draw modes, and its table of nodes.
#[test]
#[ignore = "needs ../shared/data/books"]
fn shared_zebra_draw_modes_are_the_three_values() {
    let [path, facts, table] =
        ["zebra-book.cmp.z", "zebra-book.md", "zebra-book-nodes.csv"].map(shared);
    let folder = tempfile::tempdir().unwrap();
    let mut book = Book::create(folder.path().join("zebra.db")).unwrap();
    let report = import(&mut book, &[path], &ImportOptions::default(), |_| {}).unwrap();
    let defects = &report.files[0].defects;
    // Wrong signs: what is proven of the moves is believed.
    assert_eq!(defects.count(DefectKind::Contradiction), 188);
    assert_eq!(defects.count(DefectKind::SideToMove), 19);
    assert_eq!(defects.count(DefectKind::FinishedGame), 1);
    assert_eq!(defects.count(DefectKind::WipeOut), 1);
    assert_eq!(defects.count(DefectKind::Unreachable), 0);
    assert_eq!(report.files[0].new, 497_684);
    // What it solved exactly is exact, but for those signs.
    let mut solved = 0;
    for node in nodes(book.reader()).into_values() {
        if node.record.is_some_and(|rest| rest.square.is_none() && rest.proof == Proof::Exact) {
            assert!(node.values.is_exact(), "{node:?}");
            solved += 1;
        }
    }
    assert!(solved > 80_000, "{solved}");
    let node = |line: &str| {
        let placed = line.parse::<Line>().unwrap().board();
        let (key, symmetry) = Key::with_symmetry(placed.position);
        (book.node(&key).unwrap(), placed, symmetry.inverse())
    };
    // Hundredths of 1/128 discs: within the rounding of a hundredth of a disc.
    let near =
        |centidiscs: i16, parts: i32| (i32::from(centidiscs) * 128 - parts * 100).abs() <= 64;
    let mut rows = 0;
    for row in fs::read_to_string(facts).unwrap().lines() {
        let cells: Vec<_> = row.split('|').map(str::trim).collect();
        let number = |at: usize| cells.get(at).and_then(|cell| cell.parse::<i32>().ok());
        let (Some(neutral), Some(black), Some(white)) = (number(4), number(5), number(6)) else {
            continue;
        };
        rows += 1;
        let (found, _, _) = node(if cells[2] == "-" { "" } else { cells[2] });
        let values = found.unwrap().values;
        // Zebra prefers any estimate to a proven loss: that is what the seeking values do.
        let guess = values.guess.clamp(values.win_seeking, values.draw_seeking);
        let three = [guess, values.draw_seeking, values.win_seeking].map(|v| v.centidiscs());
        let expected = match cells[3] {
            "X" => [neutral, black, white],
            _ => [-neutral, -white, -black],
        };
        for (ours, theirs) in three.into_iter().zip(expected) {
            assert!(near(ours, theirs), "{row}: {three:?} {expected:?}");
        }
    }
    assert_eq!(rows, 18);

    let (mut alone, mut skipped) = (0, 0);
    for row in fs::read_to_string(table).unwrap().lines().skip(1) {
        let fields: Vec<_> = row.split(',').collect();
        let (found, placed, real) = node(fields[0]);
        let Some(found) = found else {
            // A finished game, or a node for the wrong side to move.
            skipped += 1;
            continue;
        };
        let sign = if placed.side.to_string().to_lowercase().starts_with('b') { 1 } else { -1 };
        let score: i32 = fields[4].parse().unwrap();
        if score.abs() < 30_000 && fields[9] == "0" && fields[8] == "0" {
            let values = found.values;
            let guess = values.guess.clamp(values.win_seeking, values.draw_seeking);
            assert!(near(guess.centidiscs(), sign * score), "{row}: {values:?}");
        }
        if let Ok(alternative) = fields[7].parse::<i32>()
            && fields[8] == "0"
            && fields[9] == "0"
        {
            let rest = found.rest().unwrap();
            let square = real.square(rest.square.unwrap()).to_string();
            assert!(near(rest.score.centidiscs(), sign * alternative), "{row}");
            // Symmetric boards have more than one such move.
            alone += usize::from(square == fields[6]);
        }
    }
    println!("{alone} alternatives on the same square, {skipped} nodes skipped");
    assert!(skipped <= 2);
}

#[test]
fn parts_of_a_book_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wide.dat");
    let records = made::edax::of(made::games(), 1);
    fs::write(&path, made::edax::file(1, &records)).unwrap();
    let open = |record: &made::edax::Record| record.board.can_move();
    let cut = records.iter().filter(|record| open(record) && record.empties() >= 20).count();
    assert_parts_are_written(&path, cut, 100 * records[0].values[0]);
}

#[test]
#[ignore = "needs ../shared/data/books"]
fn shared_parts_of_a_book_are_written() {
    assert_parts_are_written(&shared("edax-ray1941.dat"), 183, -400);
}

/// A book in parts; so many positions with at least 20 empties, and the value of the start.
fn assert_parts_are_written(path: &Path, positions: usize, value: i16) {
    let folder = tempfile::tempdir().unwrap();
    let book = book_of(&folder, "book.db", path);
    let file = |name: &str| folder.path().join(name);
    let part = |name: &str, filter: &ExportFilter| {
        let report = written(book.reader(), &file(name), Format::Edax, filter).unwrap();
        assert_settled(&file(name));
        let again = book_of(&folder, &format!("{name}.db"), &file(name));
        (nodes(again.reader()), report)
    };
    // The facts of a cut to at least 20 empties.
    let discs = ExportFilter { max_discs: Some(44), ..ExportFilter::default() };
    let (cut, _) = part("discs.dat", &discs);
    assert_eq!(cut.len(), positions);
    let start = &cut[&Key::of(Position::START)];
    assert_eq!(start.values.guess.centidiscs(), value);

    let whole = nodes(book.reader());
    let mut line = Line::default();
    for _ in 0..40 {
        let (key, symmetry) = Key::with_symmetry(line.board().position);
        let Some(square) = whole[&key].linked().next() else { break };
        assert!(line.push(symmetry.inverse().square(square)));
    }
    let from = ExportFilter { from: Some(Subtree::after(&line)), ..ExportFilter::default() };
    let (below, _) = part("from.dat", &from);
    let root = Key::of(line.board().position);
    // The way there, and what is below.
    assert!(below.contains_key(&Key::of(Position::START)) && below.contains_key(&root));
    assert!(below.len() < whole.len());
    for (key, node) in &below {
        assert_eq!(node.values.guess, whole[key].values.guess);
    }

    let (none, both) = (RegretLimits::default(), LossLimit::each(0));
    let within = |limits| ExportFilter { limits, ..ExportFilter::default() };
    let best = RegretLimits { move_loss: both, ..none };
    let (best, _) = part("best.dat", &within(best));
    assert_eq!(best, part("line.dat", &within(RegretLimits { line_loss: both, ..none })).0);
    assert!(best.len() < whole.len());
    let level = |number| {
        let min_level = Level::new(number);
        ExportFilter { min_level, ..ExportFilter::default() }
    };
    assert_eq!(part("level1.dat", &level(1)).0.len(), whole.len());
    // Hardly anything was searched so deep, and the export says so.
    match written(book.reader(), &file("level9.dat"), Format::Edax, &level(9)) {
        Ok(few) => assert_eq!((few.positions, few.filtered), (2, whole.len() as u64 - 2)),
        Err(error) => {
            let none = format!("nothing to export: none of {} positions", whole.len());
            let bare = error.replace(',', "");
            assert!(bare.starts_with(&none) && error.contains("levels: 1 ("), "{error}");
        }
    }

    // What cannot be: a position that is not there, a Zebra book without a way.
    let nowhere = Position { mover: 0x0000_0010_1800_0000, opponent: 0x0000_0008_0800_0000 };
    let from = |position, way| ExportFilter {
        from: Some(Subtree { placed: Placed::black_to_move(position), way }),
        ..ExportFilter::default()
    };
    let error = written(book.reader(), &file("x"), Format::Edax, &from(nowhere, Vec::new()));
    assert!(error.unwrap_err().contains("not in the book"));
    let filter = from(root.position(), Vec::new());
    let error = written(book.reader(), &file("x"), Format::Zebra, &filter);
    assert!(error.unwrap_err().contains("line"));
    assert!(!file("x").exists());
}

/// One level for all records where it is asked for.
#[test]
fn levels_are_relabelled() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("in.egbk3");
    fs::write(&path, made::egaroucid::file(&made::egaroucid::wide().0)).unwrap();
    let book = book_of(&folder, "book.db", &path);
    for (name, format) in [("a.dat", Format::Edax), ("a.egbk3", Format::Egaroucid)] {
        let file = folder.path().join(name);
        let options = ExportOptions { level: Level::new(12), ..ExportOptions::new(format) };
        export(book.reader(), &ExportTarget::of(&file), &options, |_| {}).unwrap();
        let again = book_of(&folder, &format!("{name}.db"), &file);
        let sources = again.reader().sources().unwrap();
        assert!(sources.iter().all(|known| known.source.level == "12"), "{name}");
    }
}
