//! A text file that is written in one go: a page, a drawing.

use std::io::{self, Write};
use std::path::Path;

use super::super::output::{ExportTarget, Output};

/// A text file that is to be written. It takes its name when it is complete; what was there before
/// stays until then.
#[derive(Debug)]
pub(crate) struct Document(Output);

impl Document {
    /// Finds out whether it can be written, before any work is done; `-` is standard output.
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        Output::create(&ExportTarget::of(path)).map(Self)
    }

    /// Writes it, and puts it in its place.
    pub(crate) fn finish(self, text: &str) -> io::Result<()> {
        let mut writer = self.0.writer()?;
        writer.write_all(text.as_bytes())?;
        writer.flush()?;
        drop(writer);
        self.0.finish().map(|_| ())
    }
}
