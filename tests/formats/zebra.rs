//! Zebra's book: byte for byte in three forms, its known facts, and through the store.

use std::fs;
use std::io::Read;

use proptest::prelude::*;
use rosebill::app::import::{ImportOptions, import};
use rosebill::files::books::zebra::{ZebraEntry, ZebraReader, ZebraShape, write_zebra, zebra_hash};
use rosebill::files::books::{DefectKind, ReadOptions, RecordReader, open};
use rosebill::openbook::{NodeSource, Searched, Source};
use rosebill::othello::board::{Key, Line, Position, Side};
use rosebill::othello::search::Selectivity;
use rosebill::store::Book;

use crate::made::{gzip, zebra as made};
use crate::shared::shared;

const STRICT: ReadOptions = ReadOptions { lenient: false };

fn shared_packed() -> Vec<u8> {
    let mut bytes = Vec::new();
    let file = fs::File::open(shared("zebra-book.cmp.z")).unwrap();
    flate2::read::GzDecoder::new(file).read_to_end(&mut bytes).unwrap();
    bytes
}

fn entries(bytes: &[u8], shape: ZebraShape) -> Vec<ZebraEntry> {
    let mut reader = ZebraReader::new(bytes, "book", shape).unwrap();
    let entries = reader.entries().unwrap();
    assert!(reader.defects().is_empty());
    entries
}

fn written(shape: ZebraShape, entries: &[ZebraEntry]) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_zebra(&mut bytes, shape, entries).unwrap();
    bytes
}

#[test]
fn a_book_comes_back_byte_for_byte_in_every_form() {
    let made = made::Book::new();
    assert!(made.nodes.len() > 150, "{}", made.nodes.len());
    let forms = [
        (ZebraShape::Bin, made.bin()),
        (ZebraShape::Text, made.text().into_bytes()),
        (ZebraShape::Packed, made.packed()),
    ];
    for (from, bytes) in &forms {
        let read = entries(bytes, *from);
        assert_eq!(read.len(), made.nodes.len());
        for (into, expected) in &forms {
            assert!(written(*into, &read) == *expected, "{from:?} into {into:?}");
        }
        for (entry, node) in read.iter().zip(&made.nodes) {
            let found = entry.node;
            assert_eq!([found.black_score, found.white_score], node.scores);
            let alternative = (found.alternative, found.alternative_score);
            assert_eq!(alternative, (node.alternative, node.alternative_score));
            assert_eq!(found.flags, node.flags);
        }
    }
}

/// Zebra's hashes of some lines, as it gives them itself.
#[test]
fn hashes_are_zebras() {
    let made = made::Book::new();
    for (line, hash, orientation) in [
        ("", (1_367_877_565, 1_384_641_267), 1),
        ("f5", (1_432_552_204, 801_822_288), 5),
        ("d3", (1_432_552_204, 801_822_288), 3),
        ("c4", (1_432_552_204, 801_822_288), 7),
        ("e6", (1_432_552_204, 801_822_288), 1),
        ("f5d6", (1_851_744_936, 1_258_123_872), 0),
        ("f5f6", (1_659_994_584, 1_512_627_031), 6),
        ("f5f4", (829_656_535, 1_764_123_977), 7),
        ("f5d6c3d3c4", (1_497_408_290, 1_946_403_171), 3),
        ("f5f6e6d6e7", (1_803_937_853, 850_730_059), 0),
    ] {
        let placed = line.parse::<Line>().unwrap().board();
        let Position { mover, opponent } = placed.position;
        let [black, white] = match placed.side {
            Side::Black => [mover, opponent],
            Side::White => [opponent, mover],
        };
        assert_eq!(zebra_hash(black, white).0, hash, "{line}");
        let board = made::Board { black, white, blacks_turn: placed.side == Side::Black };
        assert_eq!(made.hash(board), ([hash.0, hash.1], orientation), "{line}");
    }
}

#[test]
#[ignore = "needs ../shared/data/books"]
fn shared_book_comes_back_byte_for_byte_in_every_form() {
    let packed = shared_packed();
    let from_packed = entries(&packed, ZebraShape::Packed);
    assert_eq!(from_packed.len(), 497_705);
    let sum = |of: &dyn Fn(&ZebraEntry) -> i64| from_packed.iter().map(of).sum::<i64>();
    assert_eq!(sum(&|entry| entry.node.black_score.into()), 2_050_739_157);
    assert_eq!(sum(&|entry| entry.node.alternative_score.into()), 2_295_882_106);
    assert_eq!(sum(&|entry| entry.node.flags.into()), 4_408_854_246);
    let solved = from_packed.iter().filter(|entry| entry.node.is_solved()).count();
    let exact = from_packed.iter().filter(|entry| entry.node.is_exact()).count();
    assert_eq!((exact, solved - exact), (166_743, 146_526));

    let bin = written(ZebraShape::Bin, &from_packed);
    assert_eq!(bin.len(), 8_958_698);
    let from_bin = entries(&bin, ZebraShape::Bin);
    assert_eq!(from_bin.len(), from_packed.len());
    assert_eq!(written(ZebraShape::Packed, &from_bin), packed);
    let text = written(ZebraShape::Text, &from_packed);
    assert_eq!(text.len(), 21_949_959);
    let from_text = entries(&text, ZebraShape::Text);
    assert_eq!(written(ZebraShape::Packed, &from_text), packed);
}

#[test]
#[ignore = "needs ../shared/data/books"]
fn shared_table_has_these_hashes_and_scores() {
    let (packed, table) = (shared_packed(), shared("zebra-book-nodes.csv"));
    let by_hash: std::collections::HashMap<_, _> = entries(&packed, ZebraShape::Packed)
        .into_iter()
        .map(|entry| (zebra_hash(entry.board.mover, entry.board.opponent).0, entry.node))
        .collect();
    let text = fs::read_to_string(table).unwrap();
    for row in text.lines().skip(1) {
        let fields: Vec<_> = row.split(',').collect();
        let node = by_hash[&(fields[1].parse().unwrap(), fields[2].parse().unwrap())];
        assert_eq!(node.black_score.to_string(), fields[4], "{row}");
        assert_eq!(node.white_score.to_string(), fields[5], "{row}");
        assert_eq!(u8::from(node.is_exact()).to_string(), fields[8], "{row}");
        assert_eq!(node.depth().to_string(), fields[11], "{row}");
    }
}

#[test]
#[ignore = "needs ../shared/data/books"]
fn shared_book_has_zebras_values() {
    let path = shared("zebra-book.cmp.z");
    let folder = tempfile::tempdir().unwrap();
    let mut book = Book::create(folder.path().join("book.db")).unwrap();
    let report = import(&mut book, &[path], &ImportOptions::default(), |_| {}).unwrap();
    let file = &report.files[0];
    println!("{} records, {} new, {:?}", file.records, file.new, file.defects);
    let start = book.node(&Key::of(Position::START)).unwrap().unwrap().values;
    // Neutral 0, draws to Black +512, draws to White -464 in 1/128 disc.
    assert_eq!(start.guess.centidiscs(), 0);
    assert_eq!(start.draw_seeking.centidiscs(), 400);
    assert!((-363..=-362).contains(&start.win_seeking.centidiscs()), "{start:?}");
    for (line, guess, rest) in [
        ("f5f6", 0, Some(("f7", -1096))),
        ("f5f4", 591, Some(("d3", -232))),
        ("f5d6c5f4e3c6d3f6e6d7", -146, Some(("c7", -693))),
    ] {
        let position = line.parse::<Line>().unwrap().board().position;
        let (key, symmetry) = Key::with_symmetry(position);
        let node = book.node(&key).unwrap().unwrap();
        // Zebra prefers any estimate to a proven loss: that is what the seeking values do.
        let values = node.values;
        let zebras = values.guess.clamp(values.win_seeking, values.draw_seeking);
        assert_eq!(zebras.centidiscs(), guess, "{line}");
        let found = node.rest().map(|rest| {
            let square = rest.square.map(|square| symmetry.inverse().square(square).to_string());
            (square.unwrap_or_default(), rest.score.centidiscs())
        });
        let expected = rest.map(|(square, score)| (square.to_owned(), score));
        assert_eq!(found, expected, "{line}");
    }
    assert_eq!(file.defects.count(DefectKind::Unreachable), 0);
}

#[test]
fn gzip_is_seen_by_content() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.cmp.z");
    fs::write(&path, gzip(&made::Book::new().packed())).unwrap();
    let opened = open(&path, None, STRICT).unwrap();
    assert_eq!(opened.format.name(), "zebra-cmp-z");
}

/// A position that Zebra solved is solved, whatever its moves say: also in a book that holds something already.
#[test]
fn what_zebra_solved_stays_solved_where_its_moves_are_not() {
    let mut text = "2718\n2818\n3\n".to_owned();
    for line in ["", "f5", "f5d6"] {
        let placed = line.parse::<Line>().unwrap().board();
        let Position { mover, opponent } = placed.position;
        let is_black = placed.side == Side::Black;
        let (black, white) = if is_black { (mover, opponent) } else { (opponent, mover) };
        let hash = zebra_hash(black, white).0;
        let score = if line == "f5d6" { 256 } else { 0 };
        let solved = if line == "f5" { 20 } else { 0 };
        let flags = u16::from(!is_black) + 1 + solved;
        text += &format!("{} {} {score} {score} -1 9999 {flags}\n", hash.0, hash.1);
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.txt");
    fs::write(&path, text).unwrap();
    for holds_something in [false, true] {
        let mut book = Book::create(folder.path().join(format!("{holds_something}.db"))).unwrap();
        if holds_something {
            let searched = Searched {
                depth: 1,
                selectivity: Selectivity::LOWEST,
                source: book.source_id(&Source::default()).unwrap(),
            };
            let key = Key::of("f5d6c3".parse::<Line>().unwrap().board().position);
            book.insert(key, None, searched).unwrap();
            book.commit().unwrap();
        }
        import(&mut book, std::slice::from_ref(&path), &ImportOptions::default(), |_| {}).unwrap();
        let key = Key::of("f5".parse::<Line>().unwrap().board().position);
        let values = book.node(&key).unwrap().unwrap().values;
        assert_eq!((values.lower, values.upper), (0, 0), "{holds_something}");
        assert_eq!(book.reader().verify().unwrap().violations, 0);
    }
}

/// The values of a node in Zebra's three draw modes, which are ours.
#[test]
fn draw_modes_are_the_three_values() {
    let made = made::Book::new();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.bin");
    fs::write(&path, made.bin()).unwrap();
    let mut book = Book::create(folder.path().join("book.db")).unwrap();
    let report = import(&mut book, &[path], &ImportOptions::default(), |_| {}).unwrap();
    assert_eq!(report.files[0].new, made.nodes.len() as u64);
    let modes = [made::NEUTRAL, made::BLACK_WINS, made::WHITE_WINS].map(|mode| made.minimax(mode));
    let (mut drawish, mut proven) = (0, 0);
    for (index, node) in made.nodes.iter().enumerate() {
        let values = book.node(&Key::of(node.board.position())).unwrap().unwrap().values;
        let [neutral, black, white] = [0, 1, 2].map(|mode: usize| modes[mode][index].scores[0]);
        let (three, sign) = match node.board.blacks_turn {
            true => ([neutral, black, white], 1),
            false => ([neutral, white, black], -1),
        };
        // Zebra prefers any estimate to a proven loss: that is what the seeking values do.
        let guess = values.guess.clamp(values.win_seeking, values.draw_seeking);
        let ours = [guess, values.draw_seeking, values.win_seeking];
        if node.is_drawn() {
            assert_eq!(ours.map(|value| value.centidiscs()), [0, 10_000, -10_000]);
            continue;
        }
        for (ours, theirs) in ours.into_iter().zip(three.map(|score| sign * i32::from(score))) {
            let ours = i32::from(ours.centidiscs());
            if theirs.abs() >= 29_999 {
                // A draw that counts as won, or a proven result: the side is what matters.
                assert!(ours.signum() == theirs.signum() && ours.abs() >= 10_000, "{node:?}");
                proven += 1;
            } else {
                assert!((ours * 128 - theirs * 100).abs() <= 64, "{node:?} {ours} {theirs}");
            }
        }
        drawish += usize::from(three[1] != three[2]);
    }
    assert!(drawish > 3 && proven > 20, "{drawish} {proven}");
}

proptest! {
    #[test]
    fn mutated_books_never_panic(
        changes in prop::collection::vec((any::<usize>(), any::<u8>()), 0..6),
        cut in any::<usize>(),
    ) {
        let start = entries(made::Book::new().packed().as_slice(), ZebraShape::Packed);
        for shape in [ZebraShape::Packed, ZebraShape::Bin, ZebraShape::Text] {
            let mut bytes = written(shape, &start);
            for &(at, value) in &changes {
                let length = bytes.len();
                bytes[at % length] = value;
            }
            let length = bytes.len();
            for bytes in [&bytes[..], &bytes[..cut % length]] {
                if let Ok(mut reader) = ZebraReader::new(bytes, "x", shape) {
                    while let Ok(Some(_)) = reader.next_entry("x", STRICT) {}
                }
            }
        }
    }
}
