//! Files that never end, or unpack to more than any book: each is refused at the first thing that
//! no book says, whatever follows.

use std::io::{self, Read};
use std::path::Path;

use rosebill::app::import::{ImportOptions, import_from};
use rosebill::files::books::egaroucid::{EgaroucidLeaf, EgaroucidRecord, EgaroucidWriter};
use rosebill::files::books::snapshot::SnapshotReader;
use rosebill::files::books::{BookInput, Format};
use rosebill::othello::board::Position;
use rosebill::store::Book;

use crate::made::gzip;

/// The same bytes again and again, and how many of them were taken.
struct Endless<'a> {
    bytes: &'a [u8],
    at: usize,
    taken: &'a mut u64,
}

impl Read for Endless<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        for byte in buffer.iter_mut() {
            *byte = self.bytes[self.at % self.bytes.len()];
            self.at += 1;
        }
        *self.taken += buffer.len() as u64;
        Ok(buffer.len())
    }
}

/// Imports a file that goes on for ever after its start; gives what is said and how much was read.
fn refused(name: &str, start: &[u8], again: &[u8]) -> (String, u64) {
    let folder = tempfile::tempdir().unwrap();
    let mut book = Book::create(folder.path().join("book.db")).unwrap();
    let mut taken = 0;
    let input = start.chain(Endless { bytes: again, at: 0, taken: &mut taken });
    let options = ImportOptions::default();
    let refused = import_from(&mut book, Path::new(name), input, &options, |_| {});
    let said = refused.unwrap_err().to_string();
    assert_eq!(book.reader().counts().unwrap().positions, 0);
    assert!(!said.contains('\n') && said.len() < 400, "{said}");
    (said, taken)
}

const START_HASH: [i32; 2] = [1_367_877_565, 1_384_641_267];

/// Zebra's `book.bin` with the start as its first node, and many more to come.
fn zebra_bin() -> Vec<u8> {
    let mut bytes = vec![0x9e, 0x0a, 0x02, 0x0b, 0xff, 0xff, 0xff, 0x7f];
    bytes.extend(START_HASH.iter().flat_map(|word| word.to_le_bytes()));
    bytes.extend([0, 0, 0, 0, 0xff, 0xff, 0x0f, 0x27, 1, 0]);
    bytes
}

fn packed(nodes: i32, moves: i32) -> Vec<u8> {
    [nodes.to_le_bytes(), moves.to_le_bytes()].concat()
}

fn egaroucid(value: i8) -> Vec<u8> {
    let mut writer = EgaroucidWriter::new(io::Cursor::new(Vec::new())).unwrap();
    let (position, leaf) = (Position::START, EgaroucidLeaf::UNKNOWN);
    writer.write(&EgaroucidRecord { position, value, level: 21, lines: 1, leaf }).unwrap();
    let mut bytes = writer.finish().unwrap().into_inner();
    bytes[10..14].copy_from_slice(&i32::MAX.to_le_bytes());
    bytes
}

#[test]
fn files_without_end_are_refused_at_the_first_thing_that_cannot_be() {
    let bin = zebra_bin();
    let many = i32::MAX.to_le_bytes();
    let edax = [&b"XADEKOOB\x04\x04"[..], &[0; 28], &many].concat();
    let egbk = |version: &[u8]| [&b"DICUORAGE"[..], version, &many].concat();
    let ntest = |version: i32| [version.to_le_bytes(), many].concat();
    let json = br#"{"format":"rosebill-book","version":1,"positions":3,"sources":[]}"#;
    for (name, start, again, part) in [
        ("a.bin", &bin[..], &[0][..], "byte 26: found hash 0, 0"),
        ("b.bin", &bin, &bin[8..], "byte 26: found the hash of byte 8 again"),
        ("c.bin", &bin[..8], &[1], "in the first node, expected that of the start"),
        ("d.bin", &bin, &[7], "byte 26: found alternative 1799, expected a square"),
        (
            "a.cmp",
            &packed(i32::MAX, i32::MAX - 1),
            &[0],
            "byte 8: found the end of a tree with 0 moves",
        ),
        ("b.cmp", &packed(i32::MAX, i32::MAX), &[0], "a move for each but the first"),
        ("f.cmp", &packed(i32::MAX, 0), &[0], "byte 0: found 2147483647 nodes and 0 moves"),
        (
            "c.cmp",
            &packed(i32::MAX, 1 << 30),
            &[1, 0],
            "byte 130: found 1 children, expected a game",
        ),
        ("d.cmp", &packed(3, 1), &[1, 0], "byte 10: found 1 children, expected 1 in all nodes"),
        ("e.cmp", &packed(5, 4), &[4, 0, 0, 0, 0, 0, 0, 0, 0, 0], "byte 18: found move 4"),
        ("a.dat", &edax, &[0], "byte 50: found no disc of the side that moved last"),
        ("a.egbk3", &egbk(&[3]), &[0], "byte 14: found no disc on d4"),
        ("a.egbk2", &egbk(&[2]), &[0], "byte 14: found no disc on d4"),
        ("a.egbk", &many, &[0], "byte 4: found no disc on d4"),
        ("a.book", &ntest(2), &[0], "byte 8: found OOOO"),
        ("b.book", &ntest(1), &[0], "byte 8: found OOOO"),
        ("a.jsonl", json, b" ", "line 1: found a line longer than 16777216 bytes"),
        ("a.txt", b"", &[0], "line 1: found a line longer than 16777216 bytes"),
    ] {
        let (said, taken) = refused(name, start, again);
        assert!(said.starts_with(&format!("{name}, ")) && said.contains(part), "{said}");
        assert!(taken < 20 << 20, "{name}: {taken} bytes were read");
    }
}

#[test]
fn one_sound_record_for_ever_is_no_book() {
    let bytes = egaroucid(2);
    let (said, taken) = refused("a.egbk3", &bytes, &bytes[14..]);
    assert!(said.contains("records of positions that have one already"), "{said}");
    assert!(taken < 64 << 20, "{taken} bytes were read");
}

#[test]
fn bombs_are_refused_before_they_unpack() {
    for (start, part) in [
        (packed(0, 0), "byte 0 unpacked: found 0 nodes and 0 moves"),
        (packed(1 << 30, (1 << 30) - 1), "byte 8 unpacked: found the end of a tree with 0 moves"),
        (packed(1 << 30, 0), "byte 0 unpacked: found 1073741824 nodes and 0 moves"),
    ] {
        let bomb = gzip(&[&start[..], &vec![0; 8 << 20]].concat());
        let (said, _) = refused("a.cmp.z", &bomb, &[0]);
        assert!(said.contains(part), "{said}");
    }
    let guarded = |content: &[u8]| {
        let head = [content.len() as u32, crc32fast::hash(content)];
        [&head.map(u32::to_le_bytes).concat(), content].concat()
    };
    let version = &1_u32.to_le_bytes()[..];
    let zeros = |length: usize| zstd::bulk::compress(&vec![0; length], 19).unwrap();
    // A header of 65 MiB.
    let bomb = [b"RSBLSNAP", version, &guarded(&zeros(65 << 20))].concat();
    assert!(bomb.len() < 10_000);
    let said = SnapshotReader::new(&bomb[..]).unwrap_err().to_string();
    assert!(said.contains("unpacks to more than it may"), "{said}");
    // A layer of 16 million nodes, all keys 0; and one of which only its promise is there.
    let header = br#"{"sources":[],"taken":"","positions":16777216}"#;
    let header = guarded(&zstd::bulk::compress(header, 1).unwrap());
    let bomb = zeros(1 << 28);
    let layer = |packed: u32, crc: u32| {
        let numbers = [1 << 24, 1 << 24, 1 << 28, packed, crc].map(u32::to_le_bytes).concat();
        [b"RSBLSNAP", version, &header, &[4], &numbers].concat()
    };
    let whole = [layer(bomb.len() as u32, crc32fast::hash(&bomb)), bomb].concat();
    for (bytes, part) in [(whole, "a key is not valid"), (layer(u32::MAX, 0), "ends too early")] {
        let said = SnapshotReader::new(&bytes[..]).unwrap().next_layer().unwrap_err().to_string();
        assert!(said.contains(part), "{said}");
    }
}

/// Books come gzip'd, too; only Zebra's packed moves have no mark.
#[test]
fn a_book_in_a_gzipped_file_is_unpacked() {
    let header = "{\"format\":\"rosebill-book\"";
    let zebra = [&[0x9e, 0x0a, 0x02, 0x0b][..], &[0; 60]].concat();
    for (name, content, format) in [
        ("a.jsonl.gz", header.as_bytes(), Format::Json),
        ("a.gz", b"EDAXBOOK and so on", Format::Edax),
        ("a.bin.gz", &zebra, Format::Zebra),
        ("a.cmp.z", &[1, 0, 0, 0, 0, 0, 0, 0], Format::ZebraCmpZ),
        ("a.gz", &[1, 0, 0, 0, 0, 0, 0, 0], Format::ZebraCmpZ),
    ] {
        let packed = gzip(content);
        let input = BookInput::new(&packed[..], Path::new(name), None).unwrap();
        assert_eq!(input.format(), format, "{name}");
    }
}

#[test]
fn a_gzip_that_is_broken_is_told_with_its_byte() {
    // A book of one node.
    let node = [&packed(1, 0)[..], &[0; 6], &[0xff, 0xff, 0x0f, 0x27, 1, 0]].concat();
    let sound = gzip(&node);
    let end = sound.len();
    let mut wrong_sum = sound.clone();
    wrong_sum[end - 5] ^= 1;
    let mut wrong_method = sound.clone();
    wrong_method[2] = 7;
    for (bytes, part) in [
        (&sound[..end - 1], format!("byte {}: found the end of the file inside", end - 1)),
        (&sound[..12], "byte 12: found the end of the file inside".to_owned()),
        (&wrong_sum, format!("byte {}: found checksum and length of other data", end - 8)),
        (&wrong_method, "byte 0: found bytes 1f 8b 07, expected 1f 8b 08".to_owned()),
        (&[&sound, &b"x"[..]].concat(), format!("byte {end}: found bytes after the end")),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mut book = Book::create(folder.path().join("book.db")).unwrap();
        let mut import = |lenient| {
            let options = ImportOptions { lenient, ..ImportOptions::default() };
            import_from(&mut book, Path::new("a.cmp.z"), bytes, &options, |_| {})
        };
        let said = import(false).unwrap_err().to_string();
        assert!(said.contains(&part), "{said}");
        // All nodes are there: leniently they are taken.
        assert_eq!(import(true).is_ok(), bytes.len() > end - 2 && bytes[2] == 8, "{said}");
    }
}
