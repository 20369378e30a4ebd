//! Which format a file has: by its content, then by the ending of its name.

use std::path::Path;

use crate::files::archive::as_archive;
use crate::files::charset::{text_of, utf16_of};
use crate::othello::board::parse_board;
use crate::othello::text_lines::lines_of;
use crate::store::begins_as_database;

use super::egaroucid::is_oldest;
use super::facts::{begins_as_book_table, begins_with_names};
use super::ntest::looks_like_ntest;
use super::zebra::GZIP;
use super::{Format, FormatError};

/// What some editors put before a text.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The format of a file with this name that starts with these bytes. A format with a mark of its
/// own is recognized by that, the others by the ending.
pub fn sniff(path: &Path, head: &[u8]) -> Result<Format, FormatError> {
    let unknown = |hint: &str| FormatError::Unknown {
        file: path.display().to_string(),
        hint: hint.to_owned(),
    };
    let decoded = utf16_of(head).and_then(|_| text_of(head));
    let head = decoded.as_deref().map_or(head, str::as_bytes);
    if head.starts_with(b"XADEKOOB") || head.starts_with(b"EDAXBOOK") {
        return Ok(Format::Edax);
    }
    if head.starts_with(b"DICUORAGE") {
        return Ok(Format::Egaroucid);
    }
    if head.starts_with(&[0x9e, 0x0a, 0x02, 0x0b]) {
        return Ok(Format::Zebra);
    }
    let unmarked = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head);
    if unmarked.starts_with(b"2718\n2818\n") || unmarked.starts_with(b"2718\r\n2818") {
        return Ok(Format::ZebraText);
    }
    if head.starts_with(&GZIP) {
        return Ok(Format::ZebraCmpZ);
    }
    if is_oldest(path, head) {
        return Ok(Format::Egaroucid);
    }
    if let Some(archive) = as_archive(head) {
        return Err(unknown(archive));
    }
    let ending = Format::of_ending(path);
    match ending {
        Some(Format::Ntest) if looks_like_ntest(head) => return Ok(Format::Ntest),
        // Any bytes may be packed moves.
        Some(Format::ZebraCmp | Format::ZebraCmpZ) => return Ok(Format::ZebraCmp),
        _ => {}
    }
    if begins_as_database(head) {
        return Err(unknown(
            "a SQLite file: if it is a rosebill book, use it with --book or merge",
        ));
    }
    let text = String::from_utf8_lossy(head);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.starts_with('{') {
        return Ok(Format::Json);
    }
    if begins_as_book_table(text) || begins_with_names(text) {
        return Ok(Format::Csv);
    }
    let first_line = lines_of(text).find(|line| !line.starts_with(['%', '#'])).unwrap_or_default();
    let board = first_line.split(',').next().unwrap_or_default();
    if first_line.contains(',') && parse_board(board).is_ok() {
        return Ok(Format::EdaxText);
    }
    if looks_like_ntest(head) {
        return Ok(Format::Ntest);
    }
    ending.ok_or_else(|| unknown("neither content nor ending fits; name it with --format"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_comes_before_the_ending_and_the_ending_before_a_guess() {
        let start = |count: u8| {
            let mut bytes = vec![count, 0, 0, 0];
            bytes.extend(crate::othello::board::Position::START.mover.to_le_bytes());
            bytes.extend(crate::othello::board::Position::START.opponent.to_le_bytes());
            bytes.push(64);
            bytes
        };
        for (name, head, format) in [
            ("x.dat", &b"DICUORAGE\x03"[..], Format::Egaroucid),
            ("x.bin", b"XADEKOOB\x04", Format::Edax),
            ("x.egbk", &start(1), Format::Egaroucid),
            ("x.EGBK", &start(2), Format::Egaroucid),
            ("x.cmp", &[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], Format::ZebraCmp),
            ("x.cmp", &[0x1f, 0x8b, 8], Format::ZebraCmpZ),
            ("book.cmp.z", &[1, 0, 0, 0, 0, 0, 0, 0], Format::ZebraCmp),
            ("x.bin", &[0; 64], Format::Zebra),
            ("x.txt", "\u{feff}2718\n2818\n".as_bytes(), Format::ZebraText),
            ("x", &[2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0], Format::Ntest),
        ] {
            assert_eq!(sniff(Path::new(name), head).ok(), Some(format), "{name}");
        }
        assert!(sniff(Path::new("x"), &[0; 64]).is_err());
        for head in [&b"PK\x03\x04.."[..], b"BZh91AY&SY", b"\xfd7zXZ\0\0\x04"] {
            let told = sniff(Path::new("book.dat"), head).unwrap_err().to_string();
            assert!(told.contains("unpack it"), "{told}");
        }
    }
}
