//! Lines of a book.

use std::io::BufRead;

use super::{Fault, FormatError, Place, ReadOptions};
use crate::files::charset::Charset;
use crate::files::lines::{LONGEST, Letters, LineError, Lines};

/// The lines of a book with the name of its file.
pub(super) struct BookLines<R> {
    lines: Lines<R>,
    file: String,
}

impl<R: BufRead> BookLines<R> {
    /// Lines of UTF-8, or leniently of anything.
    pub(super) fn new(input: R, file: &str, options: ReadOptions) -> Self {
        let letters = if options.lenient { Letters::Marked } else { Letters::Utf8 };
        Self { lines: Lines::new(input, letters), file: file.to_owned() }
    }

    /// Lines in whichever encoding a spreadsheet has written them.
    pub(super) fn of_table(input: R, file: &str) -> Self {
        let lines = Lines::new(input, Letters::In(Charset::Utf8));
        Self { lines, file: file.to_owned() }
    }

    pub(super) fn file(&self) -> &str {
        &self.file
    }

    /// The next line with its number (from 1).
    pub(super) fn next_line(&mut self) -> Result<Option<(u64, String)>, FormatError> {
        let Some(line) = self.lines.read() else { return Ok(None) };
        let number = self.lines.number();
        let fault = match line {
            Ok(line) => return Ok(Some((number, line))),
            Err(LineError::System(error)) => return Err(FormatError::io(&self.file, error)),
            Err(LineError::NoText(fault)) => fault,
            Err(LineError::Endless) => {
                Fault::new(format!("a line longer than {LONGEST} bytes"), "shorter lines")
            }
        };
        Err(FormatError::at(&self.file, Place::Line(number), fault))
    }
}
