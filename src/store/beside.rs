//! Files that belong to a book, by their names.

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
pub(crate) fn led_to(path: &Path) -> PathBuf {
    let real = path.is_symlink().then(|| std::fs::canonicalize(path).ok()).flatten();
    real.unwrap_or_else(|| path.to_owned())
}

/// How many names a file has. Where that cannot be known, as if it had one.
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
