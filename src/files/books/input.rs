//! From bytes with a name to a reader of their records. Bytes are taken once, from the first to the
//! last: they may come from anywhere.

use std::fs::File;
use std::io::{self, BufReader, Chain, Cursor, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::files::charset::{FromUtf16, utf16_of};
use crate::files::packed::Packing;
use crate::othello::search::Level;

use super::error::NotCopied;
use super::facts::{begins_as_book_table, read_facts};
use super::format::{BookSource, Head};
use super::zebra::{ZebraReader, may_be_packed};
use super::{Defects, Format, FormatError, Place, ReadOptions, RecordReader, StatedFact, sniff};

/// How many bytes of a file are looked at to recognize its format.
const HEAD: u64 = 512;

/// Bytes taken from the input at a time.
const BUFFER: usize = 1 << 20;

/// A book file whose format is known and whose records have not been read yet.
pub struct BookInput<'a> {
    name: PathBuf,
    /// The name of what was packed in it.
    inner: PathBuf,
    format: Format,
    /// The level of records that have none.
    level: Option<Level>,
    /// Bytes that have been looked at.
    head: Vec<u8>,
    rest: Box<dyn Read + 'a>,
    copy: Option<Box<dyn Write + 'a>>,
}

/// The format of the book that a packed file unpacks to, as far as its first bytes show; none when it is
/// Zebra's own kind of gzip'd book, whose moves have no mark, or no packed file.
fn book_inside(name: &Path, head: &[u8]) -> Option<Format> {
    let packing = Packing::of(head)?;
    match sniff(&name.with_extension(""), &packing.first_unpacked(head)).ok()? {
        Format::ZebraCmp | Format::ZebraCmpZ if packing == Packing::Gzip => None,
        format => Some(format),
    }
}

/// The first bytes of an input, which are taken from it.
fn head_of(input: &mut impl Read, file: &str) -> Result<Vec<u8>, FormatError> {
    let mut head = Vec::new();
    let taken = input.take(HEAD).read_to_end(&mut head);
    taken.map(|_| head).map_err(|error| FormatError::io(file, error))
}

/// The format of the book that a file with this name and these first bytes is: by its content, and by its
/// name where a format has no mark. Unlike [`sniff`] it takes no ending's word against the content.
pub fn book_format(name: &Path, head: &[u8]) -> Option<Format> {
    let nameless = Path::new("");
    // Any gzip'd file may be Zebra's, so that other formats without a mark are tried first.
    let unmarked = || book_inside(name, head).filter(|format| format.facts().has_sure_ending);
    let inside = book_inside(nameless, head).or_else(unmarked);
    let by_content = inside.or_else(|| sniff(nameless, head).ok());
    match by_content.or_else(|| sniff(name, head).ok())? {
        Format::ZebraCmp => may_be_packed(head).then_some(Format::ZebraCmp),
        Format::ZebraCmpZ => {
            may_be_packed(&Packing::Gzip.first_unpacked(head)).then_some(Format::ZebraCmpZ)
        }
        format if format.facts().has_sure_ending => Some(format),
        _ => by_content,
    }
}

impl<'a> BookInput<'a> {
    /// Reads bytes from any source. Without a format it is recognized by the first bytes, then by the
    /// ending of the name; a given one is never doubted. A packed book is unpacked on the way, by gzip, bzip2 or
    /// zstd.
    pub fn new(
        mut input: impl Read + 'a,
        name: &Path,
        format: Option<Format>,
    ) -> Result<Self, FormatError> {
        let file = name.display().to_string();
        let head = head_of(&mut input, &file)?;
        if head.is_empty() {
            let expected = format.or_else(|| Format::of_ending(name));
            let expected = expected.map_or("a book", Format::title);
            return Err(FormatError::content(&file, Place::Byte(0), "an empty file", expected));
        }
        // Of Zebra's packed books those in gzip are a format of their own.
        let is_of_zebra = matches!(format, Some(Format::ZebraCmp | Format::ZebraCmpZ));
        let packing = Packing::of(&head).filter(|_| !is_of_zebra);
        // So few bytes of a file of zstd or bzip2 may unpack to none; what it is is seen when all are there.
        let format = format.or_else(|| book_inside(name, &head));
        let is_book = |packing: &Packing| *packing != Packing::Gzip || format.is_some();
        let Some(packing) = packing.filter(is_book) else {
            return Self::of_plain(name, name, format, head, Box::new(input));
        };
        let packed = BufReader::with_capacity(BUFFER, Cursor::new(head).chain(input));
        let mut unpacked = packing.unpacked(packed);
        let head = head_of(&mut unpacked, &file)?;
        Self::of_plain(name, &name.with_extension(""), format, head, Box::new(unpacked))
    }

    /// Takes what is not packed, or no longer; `inner` is its own name. Text in UTF-16 is read as UTF-8.
    fn of_plain(
        name: &Path,
        inner: &Path,
        format: Option<Format>,
        mut head: Vec<u8>,
        mut rest: Box<dyn Read + 'a>,
    ) -> Result<Self, FormatError> {
        let file = name.display().to_string();
        if let Some(charset) = utf16_of(&head) {
            rest = Box::new(FromUtf16::new(Cursor::new(head).chain(rest), charset));
            head = head_of(&mut rest, &file)?;
        }
        let format =
            format.map_or_else(|| sniff(inner, &head), Ok).map_err(|error| match error {
                FormatError::Unknown { hint, .. } => FormatError::Unknown { file, hint },
                error => error,
            })?;
        let (name, inner) = (name.to_owned(), inner.to_owned());
        Ok(Self { name, inner, format, level: None, head, rest, copy: None })
    }

    /// Opens a regular file.
    pub fn open(path: &Path, format: Option<Format>) -> Result<Self, FormatError> {
        let file = File::open(path)
            .map_err(|error| FormatError::io(&path.display().to_string(), error))?;
        Self::new(file, path, format)
    }

    pub const fn format(&self) -> Format {
        self.format
    }

    fn head(&self) -> Head<'_> {
        Head { name: &self.inner, bytes: &self.head }
    }

    /// Whether its records say nothing of how they were searched.
    pub(crate) fn is_without_levels(&self) -> bool {
        !self.format.room().has_levels(&self.head())
    }

    /// Takes records that say nothing of it for searched at this level.
    #[must_use]
    pub(crate) fn at_level(self, level: Option<Level>) -> Self {
        Self { level, ..self }
    }

    /// Whether nodes cannot hold what its records say, so that the file itself is worth keeping.
    pub(crate) fn is_worth_keeping(&self) -> bool {
        self.format.room().is_worth_keeping(&self.head())
    }

    /// Also writes all bytes that are read to here.
    pub(crate) fn copy_to(&mut self, copy: impl Write + 'a) {
        self.copy = Some(Box::new(copy));
    }

    /// Its nodes as they are, if it is one of Zebra's files; else the input again.
    pub(crate) fn into_zebra(
        self,
        options: ReadOptions,
    ) -> Result<Result<ZebraReader, Self>, FormatError> {
        let Some(shape) = self.format.zebra_shape() else { return Ok(Err(self)) };
        let name = self.name.display().to_string();
        ZebraReader::with_options(self.bytes().0, &name, shape, options).map(Ok)
    }

    /// Reads it as a table of facts, passing each on as it comes; returns the checksum of the file.
    /// Leniently, bad lines are noted and left out.
    pub fn facts<E: From<FormatError>>(
        self,
        options: ReadOptions,
        defects: &mut Defects,
        each: impl FnMut(StatedFact) -> Result<(), E>,
    ) -> Result<String, E> {
        let name = self.name.display().to_string();
        if begins_as_book_table(&String::from_utf8_lossy(&self.head)) {
            return Err(written_only(name).into());
        }
        let (input, checksum) = self.bytes();
        read_facts(input, &name, options, defects, each)?;
        Ok(text_of(&checksum))
    }

    pub fn records(self, options: ReadOptions) -> Result<OpenBook<'a>, FormatError> {
        let format = self.format;
        let file = self.name.display().to_string();
        let (has_levels, level) = (!self.is_without_levels(), self.level);
        let (input, checksum) = self.bytes();
        let reader = format.room().read(BookSource { input, file, options, has_levels, level })?;
        Ok(OpenBook { format, reader, checksum })
    }

    /// All bytes from the first, and their checksum as far as they have been read.
    fn bytes(self) -> (BufReader<Watched<'a>>, Arc<AtomicU32>) {
        let checksum = Arc::new(AtomicU32::new(0));
        let watched = Watched {
            input: Cursor::new(self.head).chain(self.rest),
            hasher: crc32fast::Hasher::new(),
            checksum: Arc::clone(&checksum),
            copy: self.copy,
        };
        (BufReader::with_capacity(BUFFER, watched), checksum)
    }
}

/// A book file being read.
pub struct OpenBook<'a> {
    pub format: Format,
    pub reader: Box<dyn RecordReader + 'a>,
    checksum: Arc<AtomicU32>,
}

impl OpenBook<'_> {
    /// CRC-32 of the bytes read so far: of the whole file when its last record has been read.
    pub fn checksum(&self) -> String {
        text_of(&self.checksum)
    }
}

fn text_of(checksum: &AtomicU32) -> String {
    format!("crc32:{:08x}", checksum.load(Ordering::Relaxed))
}

pub(super) fn written_only(file: String) -> FormatError {
    let hint = "tables of a book are written only; use json to get a book back".to_owned();
    FormatError::Unknown { file, hint }
}

/// Opens a book file; without a format it is recognized by content and ending.
pub fn open(
    path: &Path,
    format: Option<Format>,
    options: ReadOptions,
) -> Result<OpenBook<'static>, FormatError> {
    BookInput::open(path, format)?.records(options)
}

/// Sums up what is read through it, and copies it.
pub(crate) struct Watched<'a> {
    input: Chain<Cursor<Vec<u8>>, Box<dyn Read + 'a>>,
    hasher: crc32fast::Hasher,
    checksum: Arc<AtomicU32>,
    copy: Option<Box<dyn Write + 'a>>,
}

impl Read for Watched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        let read = buffer.get(..count).unwrap_or_default();
        self.hasher.update(read);
        self.checksum.store(self.hasher.clone().finalize(), Ordering::Relaxed);
        if let Some(copy) = &mut self.copy {
            copy.write_all(read).map_err(|error| io::Error::other(NotCopied(error)))?;
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Full;

    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_copy_that_cannot_be_written_is_no_fault_of_the_file() {
        let content = [&b"EDAXBOOK"[..], &[0; 34]].concat();
        let mut input = BookInput::new(&content[..], Path::new("a.dat"), None).unwrap();
        input.copy_to(Full);
        let error = input.records(ReadOptions::default()).err().unwrap();
        assert!(matches!(error, FormatError::Copy { .. }), "{error}");
        assert!(error.to_string().starts_with("temporary copy of a.dat: "), "{error}");
    }
}
