//! Which format a file has: by its content, then by the ending of its name.

use std::path::Path;

use crate::files::charset::{text_of, utf16_of};
use crate::files::packed::as_archive;
use crate::store::begins_as_database;

use super::format::{Head, Mark};
use super::{Format, FormatError};

/// The format of a file with this name that starts with these bytes. A format with a mark of its
/// own is recognized by that, the others by the ending.
pub fn sniff(path: &Path, head: &[u8]) -> Result<Format, FormatError> {
    let unknown = |hint: &str| FormatError::Unknown {
        file: path.display().to_string(),
        hint: hint.to_owned(),
    };
    let decoded = utf16_of(head).and_then(|_| text_of(head));
    let bytes = decoded.as_deref().map_or(head, str::as_bytes);
    let head = Head { name: path, bytes };
    let marked = Format::ALL.into_iter().map(|format| (format.room().sniff(&head), format));
    // Of equals the first.
    let (mark, likeliest) = marked.rev().max_by_key(|(mark, _)| *mark).unzip();
    let found = |least: Mark| likeliest.filter(|_| mark.flatten() >= Some(least));
    if let Some(format) = found(Mark::Bytes) {
        return Ok(format);
    }
    if let Some(archive) = as_archive(bytes) {
        return Err(unknown(archive));
    }
    if let Some(format) = found(Mark::Ending) {
        return Ok(format);
    }
    if begins_as_database(bytes) {
        return Err(unknown(
            "a SQLite file: if it is a rosebill book, use it with --book or import",
        ));
    }
    let format = found(Mark::Content).or_else(|| Format::of_ending(path));
    format.ok_or_else(|| unknown("neither content nor ending fits; name it with --format"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_comes_before_the_ending_and_the_ending_before_a_guess() {
        for (name, head, format) in [
            ("x.bin", &b"XADEKOOB\x04"[..], "edax"),
            ("x.cmp", &[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], "zebra-cmp"),
            ("x.cmp", &[0x1f, 0x8b, 8], "zebra-cmp-z"),
            ("book.cmp.z", &[1, 0, 0, 0, 0, 0, 0, 0], "zebra-cmp"),
            ("x.bin", &[0; 64], "zebra"),
            ("x.txt", "\u{feff}2718\n2818\n".as_bytes(), "zebra-text"),
            ("x", &[2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0], "ntest"),
        ] {
            assert_eq!(sniff(Path::new(name), head).unwrap().name(), format, "{name}");
        }
        assert!(sniff(Path::new("x"), &[0; 64]).is_err());
        for head in [&b"PK\x03\x04.."[..], b"LZIP", b"\xfd7zXZ\0\0\x04"] {
            let told = sniff(Path::new("book.dat"), head).unwrap_err().to_string();
            assert!(told.contains("unpack it"), "{told}");
        }
    }
}
