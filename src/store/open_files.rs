//! The file of a book, read without SQLite.
//!
//! POSIX takes all locks that a process has on a file off it when the process closes *any* of its
//! descriptors for it. SQLite would not notice that its locks are gone, and another program that
//! closes the book would take the log away from under a writer. So what is opened here stays open,
//! once for each file; it is closed when the file is deleted.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};

use crate::othello::lock::lock;
use crate::store::file_identity::FileIdentity;

static HELD: Mutex<Vec<Arc<File>>> = Mutex::new(Vec::new());

/// A regular file, opened for reading at given places.
pub(super) fn held_file(path: &Path) -> io::Result<Arc<File>> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    if cfg!(not(unix)) {
        return Ok(Arc::new(File::open(path)?));
    }
    let mut held = lock(&HELD);
    held.retain(|file| Arc::strong_count(file) > 1 || has_a_name(file));
    let identity = FileIdentity::of(path);
    let known = held.iter().find(|file| FileIdentity::of_file(file) == identity);
    if let Some(file) = known {
        return Ok(Arc::clone(file));
    }
    let file = Arc::new(File::open(path)?);
    held.push(Arc::clone(&file));
    Ok(file)
}

#[cfg(unix)]
fn has_a_name(file: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    file.metadata().is_ok_and(|metadata| metadata.nlink() > 0)
}

#[cfg(not(unix))]
const fn has_a_name(_: &File) -> bool {
    false
}

/// Reads as many bytes as there is room for, from a place in the file on.
pub(super) fn read_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::FileExt::read_exact_at(file, bytes, at);
    // Not by the place that the file has: threads share it.
    #[cfg(windows)]
    {
        let (mut bytes, mut at) = (bytes, at);
        while !bytes.is_empty() {
            let read = match std::os::windows::fs::FileExt::seek_read(file, bytes, at) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            bytes = bytes.get_mut(read..).unwrap_or_default();
            at += read as u64;
        }
        Ok(())
    }
    #[cfg(not(any(unix, windows)))]
    {
        use std::io::{Read, Seek, SeekFrom};
        let mut file = file;
        file.seek(SeekFrom::Start(at))?;
        file.read_exact(bytes)
    }
}

#[cfg(test)]
mod tests {
    #[cfg(target_os = "linux")]
    /// The locks that this process has on a file, as the system lists them.
    fn locks(path: &std::path::Path) -> usize {
        use std::os::unix::fs::MetadataExt;
        let ending = format!(":{} ", std::fs::metadata(path).unwrap().ino());
        let own = format!(" {} ", std::process::id());
        let listed = std::fs::read_to_string("/proc/locks").unwrap();
        listed
            .lines()
            .filter(|line| line.contains("POSIX") && line.contains(&own) && line.contains(&ending))
            .count()
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_writer_keeps_its_locks() {
        use crate::store::Book;
        use crate::store::sample::unvalued;

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let mut book = Book::create(&path).unwrap();
        book.bulk_load(unvalued(9)).unwrap();
        drop(book);
        // SQLite holds the file of a book with a log for as long as it is open.
        let book = Book::open(&path).unwrap();
        let held = locks(&path);
        assert!(held > 0, "opening a book dropped its locks");
        crate::store::check_before_writing::check_tree(&book.reader.connection, &path, 1).unwrap();
        let _ = crate::store::Reader::open(&path).unwrap();
        assert!(crate::store::is_database(&path));
        drop(crate::store::Wreck::open(&path));
        assert!(locks(&path) >= held, "looking at the file dropped its locks");
    }
}
