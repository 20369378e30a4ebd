//! Results on stdout: text for people or one JSON object a line.

use std::fmt::Display;
use std::io::{self, BufWriter, Stdout, Write};

use serde::Serialize;

/// Where results go. Everything is flushed when it is dropped or by [`Output::flush`].
pub struct Output {
    stdout: BufWriter<Stdout>,
    json: bool,
}

impl Output {
    /// To stdout, as JSON or as text.
    #[must_use]
    pub fn new(json: bool) -> Self {
        Self { stdout: BufWriter::new(io::stdout()), json }
    }

    /// Whether JSON was asked for.
    #[must_use]
    pub const fn is_json(&self) -> bool {
        self.json
    }

    /// A line of text.
    ///
    /// # Errors
    /// When stdout cannot be written.
    pub fn line(&mut self, text: impl Display) -> io::Result<()> {
        writeln!(self.stdout, "{text}")
    }

    /// A JSON object on a line of its own.
    ///
    /// # Errors
    /// When stdout cannot be written.
    pub fn object(&mut self, object: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.stdout, object)?;
        self.stdout.write_all(b"\n")
    }

    /// Hands everything on: called after each result that took long.
    ///
    /// # Errors
    /// When stdout cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        self.stdout.flush()
    }
}

/// A line on stderr. Nobody may be listening there: that is no failure.
pub fn tell(text: impl Display) {
    let _ = writeln!(io::stderr(), "{text}");
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stdout.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stdout.flush()
    }
}
