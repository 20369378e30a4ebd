//! Lines of a text file, with a limit on their length.

use std::io::BufRead;

use super::{FormatError, Place, ReadOptions};
use crate::files::charset::Charset;
use crate::othello::text_lines::read_line;

/// No line of any book format comes near this many bytes.
const LONGEST: usize = 16 << 20;

/// What becomes of bytes that are no UTF-8.
enum Others {
    /// Their line is refused.
    Refused,
    /// A mark replaces them: the line's reader may well refuse that, and it alone.
    Marked,
    /// They are letters in the encoding that they look like.
    Letters(Charset),
}

/// The lines of a file with their numbers.
pub(super) struct Lines<R> {
    input: R,
    file: String,
    number: u64,
    others: Others,
}

impl<R: BufRead> Lines<R> {
    /// Lines of a book: of UTF-8, or leniently of anything.
    pub(super) fn new(input: R, file: &str, options: ReadOptions) -> Self {
        let others = if options.lenient { Others::Marked } else { Others::Refused };
        Self { input, file: file.to_owned(), number: 0, others }
    }

    /// Lines in whichever encoding a spreadsheet has written them.
    pub(super) fn of_table(input: R, file: &str) -> Self {
        let others = Others::Letters(Charset::Utf8);
        Self { input, file: file.to_owned(), number: 0, others }
    }

    pub(super) fn file(&self) -> &str {
        &self.file
    }

    /// The next line with its number (from 1), without its end and without a byte order mark.
    pub(super) fn next_line(&mut self) -> Result<Option<(u64, String)>, FormatError> {
        let mut bytes = Vec::new();
        let read = read_line(&mut self.input, &mut bytes, LONGEST)
            .map_err(|error| FormatError::io(&self.file, error))?;
        if read == 0 {
            return Ok(None);
        }
        self.number += 1;
        let place = Place::Line(self.number);
        if read == LONGEST && !matches!(bytes.last(), Some(b'\n' | b'\r')) {
            let found = format!("a line longer than {LONGEST} bytes");
            return Err(FormatError::content(&self.file, place, found, "shorter lines"));
        }
        let text = match &mut self.others {
            Others::Letters(charset) => charset.decode(&bytes),
            Others::Marked => String::from_utf8_lossy(&bytes),
            Others::Refused => match std::str::from_utf8(&bytes) {
                Ok(text) => text.into(),
                Err(error) => {
                    let sound = error.valid_up_to();
                    let byte = bytes.get(sound).copied().unwrap_or_default();
                    let found = format!("byte {byte:02x} behind {sound} others, which is no text");
                    return Err(FormatError::content(&self.file, place, found, "UTF-8"));
                }
            },
        };
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        Ok(Some((self.number, text.trim_end_matches(['\r', '\n']).to_owned())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_text_are_refused_marked_or_letters() {
        let text = &b"\xef\xbb\xbfone\ntw\xf6\r\nthree"[..];
        let all = |mut lines: Lines<&[u8]>| {
            let mut found = Vec::new();
            loop {
                match lines.next_line() {
                    Ok(Some((_, line))) => found.push(line),
                    Ok(None) => return found,
                    Err(error) => found.push(error.to_string()),
                }
            }
        };
        let of_book = |lenient| all(Lines::new(text, "x", ReadOptions { lenient }));
        let told = "x, line 2: found byte f6 behind 2 others, which is no text, expected UTF-8";
        assert_eq!(of_book(false), ["one", told, "three"]);
        assert_eq!(of_book(true), ["one", "tw\u{fffd}", "three"]);
        assert_eq!(all(Lines::of_table(text, "x")), ["one", "twö", "three"]);
    }
}
