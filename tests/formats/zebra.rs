//! Zebra's book: byte for byte in three forms, its known facts, and through the store.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use rosebill::board::{Key, Line, Position};
use rosebill::book::NodeSource;
use rosebill::formats::zebra::{ZebraEntry, ZebraReader, ZebraShape, write_zebra, zebra_hash};
use rosebill::formats::{DefectKind, ReadOptions, RecordReader, open};
use rosebill::ops::import::{ImportOptions, import};
use rosebill::store::Book;

const STRICT: ReadOptions = ReadOptions { lenient: false };

fn shared(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/books").join(name);
    if path.exists() {
        return Some(path);
    }
    println!("skipped: {} is absent", path.display());
    None
}

fn packed() -> Option<Vec<u8>> {
    let path = shared("zebra-book.cmp.z")?;
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(fs::File::open(path).unwrap()).read_to_end(&mut bytes).unwrap();
    Some(bytes)
}

fn entries(bytes: &[u8], shape: ZebraShape) -> Vec<ZebraEntry> {
    let mut reader = ZebraReader::new(bytes, "book", shape).unwrap();
    assert!(reader.defects().is_empty());
    reader.into_entries()
}

fn written(shape: ZebraShape, entries: &[ZebraEntry]) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_zebra(&mut bytes, shape, entries).unwrap();
    bytes
}

#[test]
fn the_real_book_comes_back_byte_for_byte_in_every_form() {
    let Some(packed) = packed() else { return };
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
fn hashes_and_scores_are_those_of_the_node_table() {
    let (Some(packed), Some(table)) = (packed(), shared("zebra-book-nodes.csv")) else { return };
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
fn the_imported_book_has_zebras_values() {
    let Some(path) = shared("zebra-book.cmp.z") else { return };
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
        let found = node.rest.map(|rest| {
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
    let Some(path) = shared("zebra-book.cmp.z") else { return };
    let opened = open(&path, None, STRICT).unwrap();
    assert_eq!(opened.format.name(), "zebra-cmp-z");
}

/// A few nodes of the real book's kind.
fn small_book() -> Vec<u8> {
    // One node, the start position, no move below it.
    let mut bytes = vec![1, 0, 0, 0, 0, 0, 0, 0];
    for number in [0i16, 0, 0, -1, 9999, 1] {
        bytes.extend(number.to_le_bytes());
    }
    bytes
}

proptest! {
    #[test]
    fn mutated_books_never_panic(
        changes in prop::collection::vec((any::<usize>(), any::<u8>()), 0..6),
        cut in any::<usize>(),
    ) {
        let start = entries(&small_book(), ZebraShape::Packed);
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
