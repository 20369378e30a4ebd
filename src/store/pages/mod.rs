//! SQLite's file format, read without SQLite: the pages of a book as they lie on the disk, with what waits in the log.
//! For a file that SQLite refuses to read, for a look at a few pages of a large one, and for the state that the main
//! file is in apart from its log. [`page`] reads one page, [`tables`] finds a table by its name, [`nodes`] goes through
//! the tree of the nodes.

pub(super) mod nodes;
pub(super) mod page;
pub(super) mod tables;

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;
use std::sync::Arc;

use crate::store::StoreError;
use crate::store::file_names::beside;
use crate::store::open_files::{held_file, read_at};

/// What every SQLite file starts with.
pub(in crate::store) const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// Bytes of a page, unless the file says otherwise.
pub(in crate::store) const PAGE_SIZE: u32 = 4096;

/// Where SQLite keeps its locks: the page that holds this byte is never used.
const LOCK_BYTE: u64 = 1 << 30;

/// A file in pages, which are numbered from 1.
pub(in crate::store) struct Pages {
    file: Arc<File>,
    log: Option<File>,
    /// Where in the log the newest form of a page starts.
    logged: HashMap<u32, u64>,
    size: usize,
    /// Bytes at the end of each page that are not used.
    reserved: usize,
    /// How many pages the file has.
    in_file: u32,
    /// How many it should have.
    wanted: u32,
    /// The list of free pages: where it starts, and how many pages it should name.
    pub(in crate::store) free_list: Option<(u32, u32)>,
}

impl Pages {
    /// Opens the file of a book, whatever state it is in.
    pub(in crate::store) fn open(path: &Path) -> Result<Self, StoreError> {
        let mut pages = Self::open_alone(path)?;
        if let Ok(log) = File::open(beside(path, "-wal"))
            && let Some((logged, wanted)) = logged_pages(&log, pages.size)
        {
            (pages.log, pages.logged, pages.wanted) = (Some(log), logged, wanted);
            // The header may be newer in the log.
            pages.find_free_list();
        }
        Ok(pages)
    }

    /// Opens the file of a book without what waits in the log.
    pub(in crate::store) fn open_alone(path: &Path) -> Result<Self, StoreError> {
        let failed = |cause: std::io::Error| match cause.kind() {
            std::io::ErrorKind::NotFound => StoreError::Missing(path.to_owned()),
            _ => StoreError::File { action: "read", path: path.to_owned(), cause },
        };
        let file = held_file(path).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        let mut header = [0; 100];
        let has_header = read_at(&file, &mut header, 0).is_ok() && header.starts_with(MAGIC);
        let said = u32::from(u16::from_be_bytes([header[16], header[17]]));
        let size = match said {
            1 => 65_536,
            512..=32_768 if said.is_power_of_two() && has_header => said,
            _ => PAGE_SIZE,
        };
        let in_file = u32::try_from(length / u64::from(size)).unwrap_or(u32::MAX);
        let mut pages = Self {
            file,
            log: None,
            logged: HashMap::new(),
            size: size as usize,
            reserved: if has_header { usize::from(header[20]) } else { 0 },
            in_file,
            wanted: in_file,
            free_list: None,
        };
        if has_header {
            pages.wanted = number_at(&header, 28).unwrap_or_default().max(in_file);
        }
        pages.find_free_list();
        Ok(pages)
    }

    fn find_free_list(&mut self) {
        if let Some(first) = self.read(1).filter(|first| first.starts_with(MAGIC)) {
            self.free_list = number_at(&first, 32).zip(number_at(&first, 36));
        }
    }

    /// The numbers of the pages that the log holds.
    pub(in crate::store) fn logged(&self) -> impl Iterator<Item = u32> {
        self.logged.keys().copied()
    }

    /// How many pages the book had when it was whole, as far as it can be known.
    pub(in crate::store) const fn count(&self) -> u32 {
        self.wanted
    }

    /// The last page that may be there: the header of a damaged file can promise millions of others.
    pub(in crate::store) fn last(&self) -> u32 {
        self.in_file.max(self.logged.keys().copied().max().unwrap_or_default()).min(self.wanted)
    }

    /// The bytes of a page that are used; none when it is not there, cannot be read, or is no page of
    /// the book.
    pub(in crate::store) fn read(&self, number: u32) -> Option<Vec<u8>> {
        let place = u64::from(number.checked_sub(1)?) * self.size as u64;
        let (file, at) = match self.logged.get(&number) {
            Some(&at) => (self.log.as_ref()?, at),
            None => (&*self.file, place),
        };
        if number > self.wanted || self.is_lock_page(number) {
            return None;
        }
        let mut bytes = vec![0; self.size];
        read_at(file, &mut bytes, at).ok()?;
        bytes.truncate(self.size.saturating_sub(self.reserved));
        Some(bytes)
    }

    /// Whether it is the page that is never used.
    pub(in crate::store) const fn is_lock_page(&self, number: u32) -> bool {
        number as u64 == LOCK_BYTE / self.size as u64 + 1
    }
}

/// Four bytes as SQLite writes numbers.
pub(in crate::store) fn number_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

/// Where the newest committed form of each page in a log starts, and how many pages the book has by
/// the last commit; none when the log holds no commit.
fn logged_pages(log: &File, size: usize) -> Option<(HashMap<u32, u64>, u32)> {
    const HEADER: usize = 32;
    const FRAME_HEADER: usize = 24;
    let mut reader = BufReader::with_capacity(1 << 16, log);
    let mut header = [0; HEADER];
    reader.read_exact(&mut header).ok()?;
    let big_endian = match number_at(&header, 0)? {
        0x377f_0682 => false,
        0x377f_0683 => true,
        _ => return None,
    };
    if number_at(&header, 8)? as usize != size {
        return None;
    }
    let salts = &header[16..24];
    let sum_at = |bytes: &[u8], at| Some((number_at(bytes, at)?, number_at(bytes, at + 4)?));
    let mut sum = add_to_sum((0, 0), &header[..24], big_endian);
    if Some(sum) != sum_at(&header, 24) {
        return None;
    }
    let (mut committed, mut pending) = (HashMap::new(), Vec::new());
    let mut count = None;
    let mut at = HEADER as u64;
    let mut frame = vec![0; FRAME_HEADER + size];
    while reader.read_exact(&mut frame).is_ok() {
        sum = add_to_sum(sum, &frame[..8], big_endian);
        sum = add_to_sum(sum, &frame[FRAME_HEADER..], big_endian);
        // What follows is of an older log, or was never finished.
        if &frame[8..16] != salts || Some(sum) != sum_at(&frame, 16) {
            break;
        }
        pending.push((number_at(&frame, 0)?, at + FRAME_HEADER as u64));
        at += frame.len() as u64;
        let pages_after = number_at(&frame, 4)?;
        if pages_after != 0 {
            committed.extend(pending.drain(..));
            count = Some(pages_after);
        }
    }
    Some((committed, count?))
}

/// Goes on with the checksum of a log.
fn add_to_sum(sum: (u32, u32), bytes: &[u8], big_endian: bool) -> (u32, u32) {
    let word = |bytes: &[u8]| {
        let bytes = bytes.try_into().unwrap_or_default();
        if big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }
    };
    bytes.chunks_exact(8).fold(sum, |(mut first, mut second), pair| {
        let (one, other) = pair.split_at(4);
        first = first.wrapping_add(word(one)).wrapping_add(second);
        second = second.wrapping_add(word(other)).wrapping_add(first);
        (first, second)
    })
}
