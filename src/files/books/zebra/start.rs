//! How Zebra's files begin.

use crate::files::books::Fault;
use crate::files::bytes::{Fields, quoted};

use super::ZebraShape;
use super::layout::{HEADER_BYTES, MAGIC};

/// The start of a gzip'd file: the method is always the same.
const GZIP_START: [u8; 3] = [0x1f, 0x8b, 8];

/// Whether a file starts as one of this shape does. A packed book has no mark.
pub(super) fn check_start(shape: ZebraShape, head: &[u8]) -> Result<(), Fault> {
    let [first, second] = MAGIC;
    let (is_sound, length, expected) = match shape {
        ZebraShape::Packed => return Ok(()),
        ZebraShape::Gzipped => {
            let is_sound = head.starts_with(&GZIP_START);
            (is_sound, 3, "1f 8b 08, the start of a gzip'd file")
        }
        ZebraShape::Bin => {
            let mut fields = Fields(head);
            let is_sound = head.len() >= HEADER_BYTES && [fields.i16(), fields.i16()] == MAGIC;
            (is_sound, 4, "the numbers 2718 and 2818 (9e 0a 02 0b), the start of a Zebra book")
        }
        ZebraShape::Text => {
            let text = String::from_utf8_lossy(head);
            let mut lines =
                text.trim_start_matches('\u{feff}').lines().map(|line| line.trim().parse().ok());
            let is_sound = [lines.next(), lines.next()] == [Some(Some(first)), Some(Some(second))];
            (is_sound, 9, "lines with 2718 and 2818, the start of a Zebra text book")
        }
    };
    let start = head.get(..length).unwrap_or(head);
    let found = match start {
        _ if is_sound => return Ok(()),
        start if shape == ZebraShape::Text || start.is_empty() => quoted(start),
        start => {
            let bytes: Vec<_> = start.iter().map(|byte| format!("{byte:02x}")).collect();
            format!("bytes {}", bytes.join(" "))
        }
    };
    Err(Fault::new(found, expected))
}
