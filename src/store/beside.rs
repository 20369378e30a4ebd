//! Files that belong to a book, by their names, and whether a name still stands for the same file.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The path of a file that belongs to a book: its name with an ending added.
pub(super) fn beside(book: &Path, ending: &str) -> PathBuf {
    let mut name = book.file_name().map_or_else(OsString::new, OsString::from);
    name.push(ending);
    book.with_file_name(name)
}

/// The file that a path leads to: what belongs to a book lies beside the book, not beside a link to it.
/// The path itself where it is no link, or one that leads nowhere.
pub(super) fn led_to(path: &Path) -> PathBuf {
    let real = path.is_symlink().then(|| std::fs::canonicalize(path).ok()).flatten();
    real.unwrap_or_else(|| path.to_owned())
}

/// How many names a file has. Where that cannot be told, as if it had one.
pub(super) fn names_of(path: &Path) -> u64 {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        std::fs::metadata(path).map_or(1, |file| file.nlink())
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        1
    }
}

/// Which file it is that a path names, so that one which took its place is told from it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Identity {
    device: u64,
    number: u64,
}

impl Identity {
    #[cfg(unix)]
    fn new(file: &std::fs::Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self { device: file.dev(), number: file.ino() }
    }

    /// Elsewhere a file that is open cannot be taken away.
    #[cfg(not(unix))]
    fn new(_: &std::fs::Metadata) -> Self {
        Self { device: 0, number: 0 }
    }

    /// What a path names; none when there is nothing.
    pub(super) fn of(path: &Path) -> Option<Self> {
        std::fs::metadata(path).ok().map(|file| Self::new(&file))
    }

    /// An open file.
    pub(super) fn of_file(file: &std::fs::File) -> Option<Self> {
        file.metadata().ok().map(|file| Self::new(&file))
    }
}
