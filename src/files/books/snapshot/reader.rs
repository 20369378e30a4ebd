//! Reading a snapshot.

use std::io::{self, Read};

use crate::openbook::Held;
use crate::othello::board::Key;
use crate::store::{Fact, SNAPSHOT_MAGIC};

use super::header::{END, MOST_OF_HEADER, SnapshotHeader};
use super::layer::{MOST_OF_NODE, SnapshotNode, decode, unpacked_layer};
use super::packed_held;
use super::parts::{
    Guarded, MOST_OF_FACTS, MOST_OF_ORIGINAL, SnapshotError, VERSION, WITH_EVIDENCE, number,
    read_guarded, unpacked,
};
use crate::files::books::packed_facts;

/// Reads a snapshot layer by layer.
#[derive(Debug)]
pub struct SnapshotReader<R> {
    file: R,
    version: u32,
    header: SnapshotHeader,
    /// Imported files that have been read.
    originals: usize,
    are_facts_read: bool,
    is_held_read: bool,
    led_to: (u8, Vec<Key>),
    nodes: u64,
    last: Option<u8>,
}

impl<R: Read> SnapshotReader<R> {
    /// Starts to read.
    pub fn new(mut file: R) -> Result<Self, SnapshotError> {
        let mut magic = [0; 8];
        match file.read_exact(&mut magic) {
            Ok(()) if magic == *SNAPSHOT_MAGIC => {}
            Err(error) if error.kind() != io::ErrorKind::UnexpectedEof => return Err(error.into()),
            _ => return Err(SnapshotError::Foreign),
        }
        let found = number(&mut file)?;
        if found > VERSION {
            return Err(SnapshotError::Newer { found });
        }
        let text = unpacked(&read_guarded(&mut file, MOST_OF_HEADER)?, MOST_OF_HEADER)?;
        let header = serde_json::from_slice(&text)
            .map_err(|_| SnapshotError::Damaged("the header is not valid"))?;
        Ok(Self {
            file,
            version: found,
            header,
            originals: 0,
            are_facts_read: false,
            is_held_read: false,
            led_to: (0, Vec::new()),
            nodes: 0,
            last: None,
        })
    }

    /// What it says of the whole book.
    pub const fn header(&self) -> &SnapshotHeader {
        &self.header
    }

    /// The next imported file, compressed with zstd, and the source that it is; none when all have
    /// been read.
    pub fn next_original(&mut self) -> Result<Option<(u32, Vec<u8>)>, SnapshotError> {
        let Some(&source) = self.header.originals.get(self.originals) else { return Ok(None) };
        self.originals += 1;
        Ok(Some((source, read_guarded(&mut self.file, MOST_OF_ORIGINAL)?)))
    }

    /// The facts; none when they have been read.
    pub fn facts(&mut self) -> Result<Vec<Fact>, SnapshotError> {
        while self.next_original()?.is_some() {}
        if self.header.facts == 0 || std::mem::replace(&mut self.are_facts_read, true) {
            return Ok(Vec::new());
        }
        let packed = read_guarded(&mut self.file, MOST_OF_FACTS)?;
        packed_facts::unpack(&packed, self.header.facts).map_err(SnapshotError::Damaged)
    }

    /// What is kept of positions beside their search, in the book or not; none when it has been read.
    pub fn held(&mut self) -> Result<Vec<(Key, Held)>, SnapshotError> {
        self.facts()?;
        if self.header.held == 0 || std::mem::replace(&mut self.is_held_read, true) {
            return Ok(Vec::new());
        }
        let packed = read_guarded(&mut self.file, MOST_OF_FACTS)?;
        packed_held::unpack(&packed, self.header.held).map_err(SnapshotError::Damaged)
    }

    /// The next layer in storage order; none at the end, when everything has been read and was
    /// sound.
    pub fn next_layer(&mut self) -> Result<Option<Vec<SnapshotNode>>, SnapshotError> {
        self.held()?;
        let mut discs = [0];
        self.file.read_exact(&mut discs)?;
        let [discs] = discs;
        if discs == END {
            let mut nodes = [0; 8];
            self.file.read_exact(&mut nodes)?;
            let all = u64::from_le_bytes(nodes);
            if all != self.nodes || all != self.header.positions {
                return Err(SnapshotError::Damaged("the number of positions is wrong"));
            }
            return Ok(None);
        }
        if !(4..64).contains(&discs) || self.last.is_some_and(|last| last >= discs) {
            return Err(SnapshotError::Damaged("the layers are out of order"));
        }
        self.last = Some(discs);
        let mut next = || number(&mut self.file);
        let (count, written, raw_size, packed, crc) = (next()?, next()?, next()?, next()?, next()?);
        // A layer may have no more bytes than its nodes, and no more nodes than it has keys.
        let led_to = if self.led_to.0 == discs { self.led_to.1.len() as u64 } else { 0 };
        let (all, keys) = (u64::from(count), u64::from(written) * Key::SIZE as u64);
        let columns = u64::from(raw_size).checked_sub(keys);
        let columns = columns.filter(|&bytes| bytes <= all * MOST_OF_NODE);
        let Some(columns) = columns.filter(|_| all == led_to + u64::from(written)) else {
            return Err(SnapshotError::Damaged("a layer has the wrong size"));
        };
        let mut guarded = Guarded::new((&mut self.file).take(u64::from(packed)));
        let raw = unpacked_layer(&mut guarded, discs, written, columns);
        // Whatever makes no sense, damage is the likelier reason.
        let raw = guarded.check(crc).and(raw)?;
        let known =
            if self.led_to.0 == discs { std::mem::take(&mut self.led_to.1) } else { vec![] };
        let (nodes, led_to) = {
            let has_left_out = self.version >= WITH_EVIDENCE;
            decode(discs, count as usize, written as usize, &raw, known, has_left_out)?
        };
        self.led_to = (discs + 1, led_to);
        self.nodes += nodes.len() as u64;
        Ok(Some(nodes))
    }
}
