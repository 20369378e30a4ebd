//! Where what is written goes, such as an export: complete or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use crate::files::books::ntest::NtestLevel;
use crate::files::kind::FileKind;
use crate::store::unfinished::{Unfinished, sync_folder};
use crate::store::{check_of_no_book, is_database, is_tables, led_to};

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
    pub fn of(path: &Path) -> Self {
        if path.as_os_str() == "-" { Self::Stdout } else { Self::File(path.to_owned()) }
    }

    pub fn name(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Stdout => "standard output".to_owned(),
        }
    }

    /// The level of an NTest book with this name, which NTest reads nowhere else.
    pub(super) fn ntest_level(&self) -> Option<NtestLevel> {
        let Self::File(path) = self else { return None };
        NtestLevel::of_file_name(path.file_name()?.to_str()?)
    }
}

/// A file that becomes the target when it is complete.
#[derive(Debug)]
pub(super) struct Output {
    file: File,
    target: ExportTarget,
    unfinished: Unfinished,
    /// Whether the file becomes the target: a device or a pipe is written into, not replaced.
    replaces: bool,
}

/// The name of the file while it is not complete.
const NAME: &str = "export";

impl Output {
    /// Finds out whether the target can be written before any work is done. What belongs to a book is none.
    pub(super) fn create(target: &ExportTarget) -> io::Result<Self> {
        if let ExportTarget::File(path) = target {
            check_of_no_book(path)?;
        }
        Self::create_any(target)
    }

    /// The same, of any name.
    pub(super) fn create_any(target: &ExportTarget) -> io::Result<Self> {
        let mut permissions = None;
        let beside = match target {
            ExportTarget::Stdout => None,
            ExportTarget::File(path) => match fs::metadata(path) {
                Ok(known) if known.is_dir() => {
                    return Err(io::Error::other("it is a folder"));
                }
                Ok(known) if !known.is_file() => None,
                Ok(known) if known.permissions().readonly() => {
                    return Err(io::ErrorKind::PermissionDenied.into());
                }
                Ok(_) if is_database(path) && !is_tables(path) => {
                    return Err(io::Error::other("it is an SQLite file, such as a book"));
                }
                known => {
                    permissions = known.ok().map(|known| known.permissions());
                    Some(led_to(path))
                }
            },
        };
        let replaces = beside.is_some();
        let unfinished =
            beside.map_or_else(Unfinished::temporary, |path| Unfinished::beside(&path))?;
        let path = unfinished.path(NAME);
        let file = File::options().read(true).write(true).create_new(true).open(path)?;
        // What only its owner might read stays so.
        permissions.map_or(Ok(()), |known| file.set_permissions(known))?;
        Ok(Self { file, target: target.clone(), unfinished, replaces })
    }

    /// The file to write; it can be read and written at any place.
    pub(super) fn writer(&self) -> io::Result<BufWriter<File>> {
        Ok(BufWriter::with_capacity(1 << 20, self.file.try_clone()?))
    }

    /// Where it is until it is complete, in a folder that vanishes with all that is put there.
    pub(super) fn path(&self) -> PathBuf {
        self.unfinished.path(NAME)
    }

    /// Makes what was written last, where it is; of several files, all before the first takes its place.
    pub(super) fn sync(&self) -> io::Result<()> {
        if self.replaces { self.file.sync_all() } else { Ok(()) }
    }

    /// Puts what was written in its place; returns its size in bytes.
    pub(super) fn finish(mut self) -> io::Result<u64> {
        let size = self.file.metadata()?.len();
        match &self.target {
            ExportTarget::File(path) if self.replaces => {
                self.file.sync_all()?;
                fs::rename(self.path(), led_to(path))?;
                sync_folder(&led_to(path));
            }
            ExportTarget::File(path) => {
                self.file.rewind()?;
                let mut file = File::options().write(true).open(path)?;
                io::copy(&mut self.file, &mut file)?;
            }
            ExportTarget::Stdout => {
                self.file.rewind()?;
                let mut stdout = io::stdout().lock();
                io::copy(&mut self.file, &mut stdout)?;
                stdout.flush()?;
            }
        }
        Ok(size)
    }
}

/// Writes a file as a whole, or leaves what was there, as it does what holds games or a book.
pub(crate) fn write_file(path: &Path, content: &[u8]) -> io::Result<()> {
    if FileKind::of_file(path).is_ok_and(FileKind::is_games_or_book) {
        return Err(io::Error::other("it holds games or a book"));
    }
    let output = Output::create(&ExportTarget::File(path.to_owned()))?;
    let mut writer = output.writer()?;
    writer.write_all(content)?;
    writer.flush()?;
    output.finish().map(drop)
}

/// A folder for what is needed until a target is complete, as large as it may be: beside the target where
/// that is a file, else beside the file that is read, else where temporary files lie.
pub(super) fn folder_for(target: &ExportTarget, read: &Path) -> io::Result<Unfinished> {
    if let ExportTarget::File(path) = target
        && fs::metadata(path).map_or(true, |known| known.is_file())
    {
        return Unfinished::beside(&led_to(path));
    }
    let beside = read.is_file().then(|| Unfinished::beside(&led_to(read)));
    beside.and_then(Result::ok).map_or_else(Unfinished::temporary, Ok)
}
