//! Files that are being made: under their name they are complete, or not there at all.
//!
//! What is not complete lies in a folder with a name of its own beside its target, so that no name
//! that a user may have given is ever taken. A process that is killed leaves that folder behind;
//! the next one that makes a file there removes it.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::{PathPersistError, TempDir, TempPath};

/// How the names of such folders begin.
const PREFIX: &str = ".rosebill-unfinished-";

/// A file in each of them, locked as long as its process lives.
const LOCK: &str = "rosebill.lock";

/// Folders younger than this may not have their lock yet.
const YOUNG: Duration = Duration::from_mins(1);

/// A folder for files that are not complete yet. It goes with this value, and all that is still in
/// it.
#[derive(Debug)]
pub(crate) struct Unfinished {
    // Closed before the folder goes: some systems keep folders with open files.
    _lock: File,
    folder: TempDir,
}

impl Unfinished {
    /// Makes the folder on the file system of a target that is to be made or replaced.
    pub(crate) fn beside(target: &Path) -> io::Result<Self> {
        let beside = folder_of(target);
        sweep(beside);
        let folder =
            tempfile::Builder::new().prefix(PREFIX).tempdir_in(beside).map_err(without_path)?;
        let lock = File::create_new(folder.path().join(LOCK))?;
        // Where files cannot be locked nothing that is left behind is ever removed.
        let _ = lock.try_lock();
        Ok(Self { _lock: lock, folder })
    }

    /// Makes the folder where temporary files lie, for what becomes no file of its own.
    pub(crate) fn temporary() -> io::Result<Self> {
        Self::beside(&std::env::temp_dir().join("book"))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Puts a complete file in its place, where nothing may be: a file made there meanwhile stays,
    /// and the error is of the kind [`io::ErrorKind::AlreadyExists`].
    pub(crate) fn place_new(&self, name: &str, target: &Path) -> io::Result<()> {
        let part = self.path(name);
        let placed = TempPath::try_from_path(&part)?.persist_noclobber(target);
        if let Err(PathPersistError { error, path }) = placed {
            // It stays where it is: the folder goes as a whole.
            path.keep().map_err(|kept| kept.error)?;
            // Some file systems can do it only in two steps.
            if error.kind() == io::ErrorKind::AlreadyExists || target.symlink_metadata().is_ok() {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            fs::rename(&part, target)?;
        }
        sync_folder(target);
        Ok(())
    }
}

/// The folder that a file is in; the current one where its path names none.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Makes what was renamed in a file's folder outlast a loss of power, where the system can do that.
pub(crate) fn sync_folder(path: &Path) {
    let _ = File::open(folder_of(path)).and_then(|folder| folder.sync_all());
}

/// The user asked for another file than the temporary one that the error names.
fn without_path(error: io::Error) -> io::Error {
    let text = error.to_string();
    match text.split_once(" at path ") {
        Some((cause, _)) => io::Error::new(error.kind(), cause),
        None => error,
    }
}

/// Removes what killed processes left. Nothing depends on it, so errors are ignored.
fn sweep(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(PREFIX) {
            remove_if_left(&entry.path());
        }
    }
}

fn remove_if_left(folder: &Path) {
    let age = fs::symlink_metadata(folder).ok().filter(fs::Metadata::is_dir);
    let age = age.and_then(|known| known.modified().ok()?.elapsed().ok());
    if age.is_none_or(|age| age < YOUNG) {
        return;
    }
    let lock = folder.join(LOCK);
    let _ = match fs::symlink_metadata(&lock).map(|known| known.is_file()) {
        // In a folder that others may write into, what leads elsewhere or waits for a reader is no lock of ours.
        Ok(true) => match OpenOptions::new().write(true).open(&lock) {
            Ok(lock) if lock.try_lock().is_ok() => fs::remove_dir_all(folder),
            _ => Ok(()),
        },
        Ok(false) => Ok(()),
        // Killed before it had a lock: then nothing else is in there.
        Err(_) => fs::remove_dir(folder),
    };
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;

    #[test]
    fn a_bare_name_is_in_the_current_folder() {
        let found = ["a/b.db", "b.db", "/b.db", "./b.db"].map(|path| folder_of(Path::new(path)));
        assert_eq!(found, ["a", ".", "/", "."].map(Path::new));
    }

    fn age(folder: &Path) {
        let before = SystemTime::now() - 2 * YOUNG;
        File::open(folder).unwrap().set_modified(before).unwrap();
    }

    #[test]
    fn a_new_file_replaces_none() {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join("book.db");
        let unfinished = Unfinished::beside(&target).unwrap();
        fs::write(unfinished.path("book"), "a book").unwrap();
        fs::write(&target, "letters").unwrap();
        let error = unfinished.place_new("book", &target).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&target).unwrap(), b"letters");
        fs::remove_file(&target).unwrap();
        unfinished.place_new("book", &target).unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"a book");
    }

    #[test]
    #[cfg(unix)]
    fn only_what_nobody_holds_any_more_is_removed() {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join("book.db");
        let alive = Unfinished::beside(&target).unwrap();
        fs::write(alive.path("book"), "half").unwrap();
        age(alive.folder.path());
        // As left by a process that was killed, late and early.
        let left =
            ["late", "early", "young"].map(|name| home.path().join(format!("{PREFIX}{name}")));
        for folder in &left {
            fs::create_dir(folder).unwrap();
        }
        fs::write(left[0].join(LOCK), "").unwrap();
        fs::write(left[0].join("book"), "half").unwrap();
        age(&left[0]);
        age(&left[1]);
        // A user's own.
        let own = home.path().join(format!("{PREFIX}letters"));
        fs::create_dir(&own).unwrap();
        fs::write(own.join("mine"), "dear").unwrap();
        age(&own);
        // Opening it blocks until there is a reader.
        let trap = home.path().join(format!("{PREFIX}trap"));
        fs::create_dir(&trap).unwrap();
        let made = std::process::Command::new("mkfifo").arg(trap.join(LOCK)).status().unwrap();
        assert!(made.success());
        age(&trap);

        drop(Unfinished::beside(&target).unwrap());
        assert_eq!(left.map(|folder| folder.exists()), [false, false, true]);
        assert_eq!(fs::read(alive.path("book")).unwrap(), b"half");
        assert_eq!(fs::read(own.join("mine")).unwrap(), b"dear");
        assert!(trap.exists());
        let folder = alive.folder.path().to_owned();
        drop(alive);
        assert!(!folder.exists());
    }
}
