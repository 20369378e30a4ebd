//! Results on stdout: text for people or one JSON object a line.

use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal as _, Stdout, Write};

use serde::Serialize;

use super::pager::paged;
use super::table::Table;
use super::terminal::{folded, stderr_end, stderr_width, stdout_has_colour, stdout_width, styled};
use crate::faces::render::Painted;
use crate::othello::system_error::in_words;

/// Where results go. Everything is flushed when it is dropped or by [`Output::flush`].
pub struct Output {
    stdout: BufWriter<NamedStdout>,
    json: bool,
    may_page: bool,
    width: Option<usize>,
    colours: bool,
}

impl Output {
    /// To stdout, as JSON or as text, which may go through a pager.
    pub fn new(json: bool, may_page: bool) -> Self {
        Self {
            stdout: BufWriter::new(NamedStdout { stdout: io::stdout(), held: None }),
            json,
            may_page,
            width: stdout_width(),
            colours: stdout_has_colour(),
        }
    }

    /// Whether JSON was asked for.
    pub const fn is_json(&self) -> bool {
        self.json
    }

    /// Text for people may be long from here on: in a terminal it is shown when it is complete, in a pager if it is.
    pub fn page(&mut self) {
        if self.may_page && !self.json && io::stdout().is_terminal() {
            self.stdout.get_mut().held = Some(Vec::new());
        }
    }

    /// How many characters fit on a line; none where there is no end, as in a pipe.
    pub const fn width(&self) -> Option<usize> {
        self.width
    }

    /// Whether text is shown in colours.
    pub const fn has_colours(&self) -> bool {
        self.colours
    }

    /// A line of text.
    pub fn line(&mut self, text: impl Display) -> io::Result<()> {
        writeln!(self.stdout, "{text}")
    }

    /// A line with emphasis, in colours where the terminal shows them.
    pub fn painted(&mut self, text: &Painted) -> io::Result<()> {
        let text = styled(text, self.colours);
        self.line(text)
    }

    /// A text on as many lines as it needs, broken at `between` or else at blanks; all lines but the
    /// first are indented.
    pub fn folded(&mut self, text: &str, between: &str, indent: usize) -> io::Result<()> {
        for line in folded(text, between, indent, self.width.unwrap_or(usize::MAX)) {
            self.line(line)?;
        }
        Ok(())
    }

    /// A table; its last column is folded where the table is too wide.
    pub fn table(&mut self, table: &Table) -> io::Result<()> {
        table.fitted(self.width).iter().try_for_each(|line| self.painted(line))
    }

    /// A JSON object on a line of its own.
    pub fn object(&mut self, object: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.stdout, object)?;
        self.stdout.write_all(b"\n")
    }

    /// Hands everything on: called after each result that took long.
    pub fn flush(&mut self) -> io::Result<()> {
        self.stdout.flush()
    }
}

/// Standard output, whose errors say what could not be written: they name no file else.
struct NamedStdout {
    stdout: Stdout,
    /// What is to be shown in a pager.
    held: Option<Vec<u8>>,
}

impl Drop for NamedStdout {
    fn drop(&mut self) {
        if let Some(text) = self.held.take()
            && !paged(&text)
        {
            // It was a terminal; where that is gone there is nothing to report it on.
            let _ = self.stdout.write_all(&text).and_then(|()| self.stdout.flush());
        }
    }
}

/// The same kind of error, so that a closed pipe and an interrupted call are known as such.
fn named(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot write standard output: {}", in_words(&error)))
}

impl Write for NamedStdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.held {
            Some(held) => held.write(bytes),
            None => self.stdout.write(bytes).map_err(named),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stdout.flush().map_err(named)
    }
}

/// A line on stderr. It may be closed: that is no failure.
pub fn tell(text: impl Display) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// A note on stderr, on as many lines as a terminal needs.
pub fn note(text: &str) {
    match stderr_end() {
        Some(width) => folded(text, " ", 2, width).iter().for_each(tell),
        None => tell(text),
    }
}

/// What is wrong, on stderr: on as many lines as a terminal needs, and elsewhere on one, whatever width was asked for.
pub fn fault(text: impl Display) {
    let text = format!("rosebill: {text}");
    match io::stderr().is_terminal() {
        true => folded(&text, " ", 2, stderr_width()).iter().for_each(tell),
        false => tell(text),
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stdout.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stdout.flush()
    }
}
