//! The type of a match: letters around the size, `8`, `s8r20`, `8kr20`, `8a`.

use crate::files::games::refused::Why;

/// Whether games of a type are Othello on 8 x 8 squares.
pub(super) fn check_kind(value: &str) -> Result<(), Why> {
    let behind = value.trim().trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let digits = behind.bytes().take_while(u8::is_ascii_digit).count();
    let (size, options) = behind.split_at(digits);
    // A program writes 0 where it means the usual size.
    if !matches!(size, "" | "0" | "8") {
        return Err(Why::board_size(size));
    }
    if options.contains('a') {
        return Err(Why::anti());
    }
    Ok(())
}
