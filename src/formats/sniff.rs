//! Which format a file has: by its content, then by the ending of its name.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::board::parse_board;

use super::bytes::Fields;
use super::edax::{EdaxReader, EdaxTextReader};
use super::egaroucid::EgaroucidReader;
use super::ntest::NtestReader;
use super::zebra::{ZebraReader, ZebraShape};
use super::{Format, FormatError, JsonReader, ReadOptions, RecordReader};

/// How many bytes of a file are looked at.
const HEAD: u64 = 512;

/// The start of a gzip'd file.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// The most bytes that a gzip'd file may unpack to: far above any Zebra book.
const MOST_UNPACKED: u64 = 4 << 30;

/// The format of a file with this name that starts with these bytes.
///
/// # Errors
/// When nothing fits; says what the file is when that is known.
pub fn sniff(path: &Path, head: &[u8]) -> Result<Format, FormatError> {
    let unknown = |hint: &str| FormatError::Unknown {
        file: path.display().to_string(),
        hint: hint.to_owned(),
    };
    if head.starts_with(b"XADEKOOB") || head.starts_with(b"EDAXBOOK") {
        return Ok(Format::Edax);
    }
    if head.starts_with(b"DICUORAGE") {
        return Ok(Format::Egaroucid);
    }
    if head.starts_with(&[0x9e, 0x0a, 0x02, 0x0b]) {
        return Ok(Format::Zebra);
    }
    if head.starts_with(b"2718\n2818\n") || head.starts_with(b"2718\r\n2818") {
        return Ok(Format::ZebraText);
    }
    if head.starts_with(&GZIP) {
        return Ok(Format::ZebraCmpZ);
    }
    let ending = Format::of_ending(path);
    if ending == Some(Format::Ntest) && looks_like_ntest(head) {
        return Ok(Format::Ntest);
    }
    if head.starts_with(b"SQLite format 3\0") {
        return Err(unknown(
            "a SQLite file: if it is a rosebill book, use it with --book or merge",
        ));
    }
    let text = String::from_utf8_lossy(head);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.starts_with('{') {
        return Ok(Format::Json);
    }
    if text.starts_with("board,discs,") {
        return Ok(Format::Csv);
    }
    let first_line = text.lines().find(|line| !line.starts_with(['%', '#'])).unwrap_or_default();
    let board = first_line.split(',').next().unwrap_or_default();
    if first_line.contains(',') && parse_board(board).is_ok() {
        return Ok(Format::EdaxText);
    }
    if looks_like_ntest(head) {
        return Ok(Format::Ntest);
    }
    ending.ok_or_else(|| unknown("neither content nor ending fits; name it with --format"))
}

/// A version of 1 or 2, a count, and then two sets of squares that share none.
fn looks_like_ntest(head: &[u8]) -> bool {
    let mut fields = Fields(head);
    let (version, count) = (fields.i32(), fields.i32());
    let (empty, mover) = (fields.u64(), fields.u64());
    head.len() >= 12 && (1..=2).contains(&version) && count >= 0 && empty & mover == 0
}

/// A book file ready to be read.
pub struct OpenBook {
    /// Its format.
    pub format: Format,
    /// Its records.
    pub reader: Box<dyn RecordReader + Send>,
    checksum: Arc<AtomicU32>,
}

impl OpenBook {
    /// CRC-32 of the bytes read so far: of the whole file when its last record has been read.
    #[must_use]
    pub fn checksum(&self) -> String {
        format!("crc32:{:08x}", self.checksum.load(Ordering::Relaxed))
    }
}

/// Sums up what is read through it.
struct Summing<R> {
    input: R,
    hasher: crc32fast::Hasher,
    sum: Arc<AtomicU32>,
}

impl<R: Read> Read for Summing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.hasher.update(buffer.get(..count).unwrap_or_default());
        self.sum.store(self.hasher.clone().finalize(), Ordering::Relaxed);
        Ok(count)
    }
}

/// Opens a book file; without a format it is sniffed.
///
/// # Errors
/// When the file cannot be opened, its format is not known or not readable, or its start is wrong.
pub fn open(
    path: &Path,
    format: Option<Format>,
    options: ReadOptions,
) -> Result<OpenBook, FormatError> {
    let name = path.display().to_string();
    let (format, file) = open_file(path, format)?;
    let checksum = Arc::new(AtomicU32::new(0));
    let summing =
        Summing { input: file, hasher: crc32fast::Hasher::new(), sum: Arc::clone(&checksum) };
    let input = BufReader::with_capacity(1 << 20, summing);
    let reader: Box<dyn RecordReader + Send> = match format {
        Format::Edax => Box::new(EdaxReader::new(input, &name, options)?),
        Format::EdaxText => Box::new(EdaxTextReader::new(input, &name, options)),
        Format::Ntest | Format::Ntest1 => Box::new(NtestReader::new(input, &name, options)?),
        Format::Egaroucid => Box::new(EgaroucidReader::new(input, &name, options)?),
        Format::Zebra | Format::ZebraText | Format::ZebraCmp | Format::ZebraCmpZ => {
            let shape = format.zebra_shape().unwrap_or(ZebraShape::Bin);
            Box::new(zebra_reader(input, &name, shape)?)
        }
        Format::Json => Box::new(JsonReader::new(input, &name, options)?),
        Format::Csv => {
            let hint = "a CSV table is written only; use json to get a book back".to_owned();
            return Err(FormatError::Unknown { file: name, hint });
        }
    };
    Ok(OpenBook { format, reader, checksum })
}

/// Opens one of Zebra's files for its nodes as they are; none when it is another program's.
///
/// # Errors
/// As [`open`].
pub fn open_zebra(
    path: &Path,
    format: Option<Format>,
) -> Result<Option<(Format, ZebraReader)>, FormatError> {
    let (format, file) = open_file(path, format)?;
    let Some(shape) = format.zebra_shape() else { return Ok(None) };
    let reader = zebra_reader(BufReader::new(file), &path.display().to_string(), shape)?;
    Ok(Some((format, reader)))
}

/// The file at its start, and its format.
fn open_file(path: &Path, format: Option<Format>) -> Result<(Format, File), FormatError> {
    let name = path.display().to_string();
    let failed = |error| FormatError::io(&name, error);
    let mut file = File::open(path).map_err(failed)?;
    if let Some(format) = format {
        return Ok((format, file));
    }
    let mut head = Vec::new();
    file.by_ref().take(HEAD).read_to_end(&mut head).map_err(failed)?;
    file.rewind().map_err(failed)?;
    Ok((sniff(path, &head)?, file))
}

/// A packed book may be gzip'd, whatever it is called.
fn zebra_reader(
    mut input: impl BufRead,
    name: &str,
    shape: ZebraShape,
) -> Result<ZebraReader, FormatError> {
    let gzipped = shape == ZebraShape::Packed
        && input.fill_buf().map_err(|error| FormatError::io(name, error))?.starts_with(&GZIP);
    if gzipped {
        let unpacked = flate2::bufread::GzDecoder::new(input).take(MOST_UNPACKED);
        return ZebraReader::new(unpacked, name, shape);
    }
    ZebraReader::new(input, name, shape)
}
