//! Why a book file cannot be read or written.

use std::borrow::Cow;
use std::io;

use thiserror::Error;

use crate::files::fault::{Fault, Place};
use crate::files::packed::Broken;
use crate::othello::one_line::one_line;
use crate::othello::system_error::in_words;

/// The most characters of a message that say what was found.
const MOST_FOUND: usize = 300;

/// A book file that cannot be read or written.
#[derive(Debug, Error)]
pub enum FormatError {
    #[error("{file}, {place}: {fault}")]
    Content { file: String, place: Place, fault: Fault },
    #[error("{file}: no book format that rosebill knows ({hint})")]
    Unknown {
        file: String,
        /// What it looks like, or what to do.
        hint: String,
    },
    #[error("{file}: {}", in_words(error))]
    Io { file: String, error: io::Error },
    /// What is read of the file cannot be put aside ([`super::BookInput::copy_to`]).
    #[error("temporary copy of {file}: {}", in_words(error))]
    Copy { file: String, error: io::Error },
}

impl FormatError {
    pub(crate) fn content(
        file: &str,
        place: Place,
        found: impl Into<String>,
        expected: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self::at(file, place, Fault::new(found, expected))
    }

    pub(crate) fn at(file: &str, place: Place, fault: Fault) -> Self {
        let found = one_line(&fault.found, MOST_FOUND);
        Self::Content { file: file.to_owned(), place, fault: Fault { found, ..fault } }
    }

    /// A file with the same records again and again.
    pub(crate) fn repeated(file: &str, found: String) -> Self {
        Self::content(file, Place::Byte(0), found, "one record a position")
    }

    /// An error of the operating system, or one that a reader between it and the format has passed
    /// on as such.
    pub(crate) fn io(file: &str, error: io::Error) -> Self {
        let error = match error.downcast::<Broken>() {
            Ok(Broken { at, fault }) => return Self::at(file, Place::Byte(at), fault),
            Err(error) => error,
        };
        let file = file.to_owned();
        match error.downcast::<NotCopied>() {
            Ok(NotCopied(error)) => Self::Copy { file, error },
            Err(error) => Self::Io { file, error },
        }
    }
}

/// A copy of what is read cannot be written: it goes up as an [`io::Error`] of reading, and is none of the
/// file's.
#[derive(Debug, Error)]
#[error("{}", in_words(.0))]
pub(super) struct NotCopied(pub(super) io::Error);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_found_is_told_in_one_short_line() {
        let found = "\n\u{1b}[31m".repeat(1_000);
        let text = FormatError::content("a.json", Place::Line(1), found, "a header").to_string();
        assert!(text.len() < 1_000 && !text.contains(char::is_control), "{text}");
        assert!(text.ends_with("…, expected a header"), "{text}");
    }
}
