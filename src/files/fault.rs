//! What cannot be right about a file, and where.

use std::borrow::Cow;
use std::fmt;

use thiserror::Error;

/// A place in a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Place {
    /// Byte offset from the start of the file, the first byte is 0.
    Byte(u64),
    /// Byte offset in what a compressed file unpacks to.
    Unpacked(u64),
    /// Line number, the first line is 1.
    Line(u64),
}

impl Place {
    /// The place with the name of its file, a line as programs that open one take it: `club.txt:3`.
    pub(crate) fn in_file(self, file: &str) -> String {
        match self {
            Self::Line(number) => format!("{file}:{number}"),
            place => format!("{file}, {place}"),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Byte(offset) => write!(f, "byte {offset}"),
            Self::Unpacked(offset) => write!(f, "byte {offset} unpacked"),
            Self::Line(number) => write!(f, "line {number}"),
        }
    }
}

/// What is there, and what should be.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
#[error("found {found}, expected {expected}")]
pub struct Fault {
    pub found: String,
    pub expected: Cow<'static, str>,
}

impl Fault {
    pub(crate) fn new(found: impl Into<String>, expected: impl Into<Cow<'static, str>>) -> Self {
        Self { found: found.into(), expected: expected.into() }
    }
}
