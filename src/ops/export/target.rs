//! Where an export goes: complete or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::ops::folder::folder_of;
use crate::store::is_database;

/// Where to write.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExportTarget {
    /// A file, replaced as a whole when all is written.
    File(PathBuf),
    /// Standard output.
    Stdout,
}

impl ExportTarget {
    /// `-` is standard output.
    #[must_use]
    pub fn of(path: &Path) -> Self {
        if path.as_os_str() == "-" { Self::Stdout } else { Self::File(path.to_owned()) }
    }

    /// The name for messages.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Stdout => "standard output".to_owned(),
        }
    }
}

/// A temporary file that becomes the target.
pub(super) struct Output {
    temporary: NamedTempFile,
    target: ExportTarget,
    /// The target is a device or a pipe: it is written into, not replaced.
    is_stream: bool,
}

impl Output {
    /// Finds out whether the target can be written before any work is done.
    pub(super) fn create(target: &ExportTarget) -> io::Result<Self> {
        let (folder, is_stream) = match target {
            ExportTarget::Stdout => (std::env::temp_dir(), true),
            ExportTarget::File(path) => match fs::metadata(path) {
                Ok(known) if known.is_dir() => {
                    return Err(io::Error::other("it is a folder"));
                }
                Ok(known) if !known.is_file() => (std::env::temp_dir(), true),
                Ok(known) if known.permissions().readonly() => {
                    return Err(io::ErrorKind::PermissionDenied.into());
                }
                Ok(_) if is_database(path) => {
                    return Err(io::Error::other("it is an SQLite file, such as a book"));
                }
                _ => (folder_of(&led_to(path)).to_owned(), false),
            },
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix(".rosebill-export");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // As any new file: the mask of the user takes away from this.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let temporary = builder.tempfile_in(folder).map_err(without_path)?;
        Ok(Self { temporary, target: target.clone(), is_stream })
    }

    /// The file to write; it can be read and written at any place.
    pub(super) fn writer(&self) -> io::Result<BufWriter<File>> {
        Ok(BufWriter::with_capacity(1 << 20, self.temporary.as_file().try_clone()?))
    }

    /// Puts what was written in its place; returns its size in bytes.
    pub(super) fn finish(mut self) -> io::Result<u64> {
        let size = self.temporary.as_file().metadata()?.len();
        match (&self.target, self.is_stream) {
            (ExportTarget::File(path), false) => {
                self.temporary.as_file().sync_all()?;
                self.temporary.persist(led_to(path)).map_err(|error| error.error)?;
            }
            (ExportTarget::File(path), true) => {
                self.temporary.rewind()?;
                let mut file = File::options().write(true).open(path)?;
                io::copy(&mut self.temporary, &mut file)?;
            }
            (ExportTarget::Stdout, _) => {
                self.temporary.rewind()?;
                let mut stdout = io::stdout().lock();
                io::copy(&mut self.temporary, &mut stdout)?;
                stdout.flush()?;
            }
        }
        Ok(size)
    }
}

/// The user asked for a file of another name than the temporary one that the error tells of.
fn without_path(error: io::Error) -> io::Error {
    let text = error.to_string();
    match text.split_once(" at path ") {
        Some((cause, _)) => io::Error::new(error.kind(), cause),
        None => error,
    }
}

/// The file itself, where the path is a symbolic link to one: the link stays.
fn led_to(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}
