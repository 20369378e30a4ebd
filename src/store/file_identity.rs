//! Whether a name still refers to the same file.

use std::fs::{File, Metadata, metadata};
use std::path::Path;
#[cfg(feature = "web")]
use std::time::SystemTime;

/// The file that a path names, to notice another one that took its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FileIdentity {
    device: u64,
    number: u64,
}

impl FileIdentity {
    #[cfg(unix)]
    fn new(file: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self { device: file.dev(), number: file.ino() }
    }

    /// Elsewhere a file that is open cannot be taken away.
    #[cfg(not(unix))]
    fn new(_: &Metadata) -> Self {
        Self { device: 0, number: 0 }
    }

    /// What a path names; none when there is nothing.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        metadata(path).ok().map(|file| Self::new(&file))
    }

    pub(crate) fn of_file(file: &File) -> Option<Self> {
        file.metadata().ok().map(|file| Self::new(&file))
    }
}

/// What a path names, and when it was last changed: nothing has been written to it while this stays the same.
#[cfg(feature = "web")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FileState {
    pub identity: FileIdentity,
    length: u64,
    modified: Option<SystemTime>,
    /// Copying may bring the time of modification along.
    changed: (i64, i64),
}

#[cfg(feature = "web")]
impl FileState {
    /// What a path names; none when there is nothing.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let file = metadata(path).ok()?;
        #[cfg(unix)]
        let changed = {
            use std::os::unix::fs::MetadataExt;
            (file.ctime(), file.ctime_nsec())
        };
        #[cfg(not(unix))]
        let changed = (0, 0);
        let (identity, modified) = (FileIdentity::new(&file), file.modified().ok());
        Some(Self { identity, length: file.len(), modified, changed })
    }
}
