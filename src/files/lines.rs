//! The lines of a text file, with any of the three ends, decoded, and never longer than a bound.

use std::io::{self, BufRead};

use super::charset::Charset;
use super::fault::Fault;
use crate::othello::text_lines::read_line;

/// No line of a file comes near this many bytes, even with all games of a tournament on one line.
pub(crate) const LONGEST: usize = 16 << 20;

/// What may follow the last line of a text from DOS.
const DOS_END: [char; 2] = ['\u{1a}', '\0'];

/// What becomes of bytes that are no UTF-8.
#[derive(Clone, Copy)]
pub(crate) enum Letters {
    /// Their line is refused.
    Utf8,
    /// A mark replaces them: the line's reader may well refuse that, and it alone.
    Marked,
    /// They are letters in the encoding that they look like.
    In(Charset),
}

/// Why a line cannot be had. Nothing comes behind it.
pub(crate) enum LineError {
    System(io::Error),
    /// It is longer than [`LONGEST`].
    Endless,
    /// It is no UTF-8.
    NoText(Fault),
}

/// The lines of a file with their numbers.
pub(crate) struct Lines<R> {
    input: R,
    letters: Letters,
    number: u64,
    bytes: Vec<u8>,
    has_failed: bool,
}

impl<R: BufRead> Lines<R> {
    pub(crate) const fn new(input: R, letters: Letters) -> Self {
        Self { input, letters, number: 0, bytes: Vec::new(), has_failed: false }
    }

    /// The number of the line that was read last, from 1.
    pub(crate) const fn number(&self) -> u64 {
        self.number
    }

    /// Whether the last line of the file had an end; a file that was cut off mostly has none.
    pub(crate) fn had_end(&self) -> bool {
        matches!(self.bytes.last(), Some(b'\n' | b'\r'))
    }

    /// The next line without its end and without a byte order mark.
    pub(crate) fn read(&mut self) -> Option<Result<String, LineError>> {
        if self.has_failed {
            return None;
        }
        self.number += 1;
        self.bytes.clear();
        let read = match read_line(&mut self.input, &mut self.bytes, LONGEST) {
            Ok(0) => return None,
            Ok(LONGEST) if !self.had_end() => Err(LineError::Endless),
            Ok(_) => self.decoded(),
            Err(error) => Err(LineError::System(error)),
        };
        self.has_failed = read.is_err();
        Some(read)
    }

    fn decoded(&mut self) -> Result<String, LineError> {
        let text = match &mut self.letters {
            Letters::In(charset) => charset.decode(&self.bytes),
            Letters::Marked => String::from_utf8_lossy(&self.bytes),
            Letters::Utf8 => match std::str::from_utf8(&self.bytes) {
                Ok(text) => text.into(),
                Err(error) => {
                    let sound = error.valid_up_to();
                    let byte = self.bytes.get(sound).copied().unwrap_or_default();
                    let found = format!("byte {byte:02x} behind {sound} others, which is not text");
                    return Err(LineError::NoText(Fault::new(found, "UTF-8")));
                }
            },
        };
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let mut text = text.trim_end_matches(['\r', '\n']);
        // DOS marked the end of a text, and filled its last block.
        if text.ends_with(DOS_END) && self.input.fill_buf().is_ok_and(<[u8]>::is_empty) {
            text = text.trim_end_matches(DOS_END);
        }
        Ok(text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_text_are_refused_marked_or_letters() {
        let text = &b"\xef\xbb\xbfone\ntw\xf6\r\nthree\x1a\0"[..];
        let all = |letters| {
            let mut lines = Lines::new(text, letters);
            let mut found = Vec::new();
            while let Some(line) = lines.read() {
                found.push(line.unwrap_or_else(|error| match error {
                    LineError::NoText(fault) => fault.found,
                    LineError::System(_) | LineError::Endless => panic!(),
                }));
            }
            found
        };
        let told = "byte f6 behind 2 others, which is not text";
        assert_eq!(all(Letters::Utf8), ["one", told]);
        assert_eq!(all(Letters::Marked), ["one", "tw\u{fffd}", "three"]);
        assert_eq!(all(Letters::In(Charset::Utf8)), ["one", "twö", "three"]);
    }
}
