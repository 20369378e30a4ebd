//! Lines of a text file, with a limit on their length.

use std::io::BufRead;

use super::{FormatError, Place};
use crate::text_lines::read_line;

/// No line of any book format comes near this many bytes.
const LONGEST: usize = 16 << 20;

/// The lines of a file with their numbers.
pub(super) struct Lines<R> {
    input: R,
    file: String,
    number: u64,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R, file: &str) -> Self {
        Self { input, file: file.to_owned(), number: 0 }
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
        let text = String::from_utf8(bytes).map_err(|_| {
            FormatError::content(&self.file, place, "bytes that are no text", "UTF-8")
        })?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        Ok(Some((self.number, text.trim_end_matches(['\r', '\n']).to_owned())))
    }
}
