//! Snapshots: a whole book of ours in a few bytes a position.
//!
//! Nearly no key is stored. Layer by layer, in the order of the store, each node has one bit for
//! each legal move that says whether it leads to another node; the keys of the next layer follow
//! from these, and only nodes that no other leads to are written out. Values are not stored either:
//! they follow from the rests. The rests are stored column by column, each layer compressed by
//! zstd and guarded by a checksum.
//!
//! ```text
//! "RSBLSNAP"  version u32                         all numbers little-endian
//! header      length u32, checksum u32, zstd of JSON
//! original    length u32, checksum u32, zstd: an imported file, for each that the header names
//! facts       length u32, checksum u32, zstd of the facts, if the header counts any
//! layer       discs u8, nodes u32, written keys u32, raw u32, packed u32, checksum u32, zstd of:
//!             written keys 16 bytes each; link bits of all nodes; then one byte for each node:
//!             rest (index of the move, 254 a value without a move, 255 none), depth, selectivity;
//!             source u32 for each node, byte planes; for each rest: proof, score low, score high
//! end         255 u8, nodes u64
//! ```

use std::io::{self, BufReader, Read, Write};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::board::{CpuLevel, Key, Position, Square, Successors};
use crate::book::{Node, Rest, Searched, Source, SourceId};
use crate::score::Score;
use crate::search::{Proof, Selectivity};
use crate::store::{Fact, storage_order};
use crate::system_error::in_words;

use super::packed_facts;

const MAGIC: &[u8; 8] = b"RSBLSNAP";
/// The newest version that is known.
const VERSION: u32 = 3;
/// The version without facts, which programs of that day can read.
const VERSION_WITHOUT_FACTS: u32 = 2;
/// The version without facts and kept files, which still older programs can read.
const VERSION_WITHOUT_ORIGINALS: u32 = 1;
/// Packs tightly and still fast.
const LEVEL: i32 = 9;
/// The most bytes of a header: all sources that a book can have need less.
const MOST_OF_HEADER: u32 = 64 << 20;
/// The most bytes of an imported file as it is kept: some more than an import keeps.
const MOST_OF_ORIGINAL: u32 = 256 << 20;
/// The most bytes of all facts: 48 million even if they could not be packed.
const MOST_OF_FACTS: u32 = 1 << 30;
/// The most bytes of a node beside its key: a bit for each of at most 34 moves, rest, depth,
/// selectivity, source, proof and score.
const MOST_OF_NODE: u64 = 5 + 1 + 1 + 1 + 4 + 3;
const END: u8 = 255;
const NO_SQUARE: u8 = 254;
const NO_REST: u8 = 255;

/// Whether a file that begins so is a snapshot.
#[must_use]
pub fn begins_as_snapshot(head: &[u8]) -> bool {
    head.starts_with(MAGIC)
}

/// What a snapshot says of the whole book.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct SnapshotHeader {
    /// All sources, numbered as the nodes name them.
    pub sources: Vec<(u32, Source)>,
    /// When it was taken, UTC, as 2026-11-20T19:30:00Z.
    pub taken: String,
    /// Nodes in the book.
    pub positions: u64,
    /// The sources whose imported files are kept, in the order in which the files follow.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub originals: Vec<u32>,
    /// Facts in the book.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub facts: u64,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// A snapshot that cannot be read or written.
#[derive(Debug, Error)]
pub enum SnapshotError {
    /// It is something else.
    #[error("it is not a snapshot of a rosebill book")]
    Foreign,
    /// It was written by a program that knows more.
    #[error(
        "it was made by a newer rosebill (version {found} of the format, this program knows {VERSION})"
    )]
    Newer {
        /// The version of the format.
        found: u32,
    },
    /// A checksum is wrong, or the bytes make no sense.
    #[error("it is damaged: {0}")]
    Damaged(&'static str),
    /// The operating system refused, or the file ends too early.
    #[error("{}", in_words(.0))]
    Io(#[from] io::Error),
}

/// Writes a snapshot layer by layer.
#[derive(Debug)]
pub struct SnapshotWriter<W> {
    target: W,
    /// The keys of the next layer that follow from the last one.
    led_to: (u8, Vec<Key>),
    nodes: u64,
}

impl<W: Write> SnapshotWriter<W> {
    /// Starts a snapshot.
    ///
    /// # Errors
    /// The target cannot be written.
    pub fn new(mut target: W, header: &SnapshotHeader) -> io::Result<Self> {
        let packed = zstd::bulk::compress(&serde_json::to_vec(header)?, LEVEL)?;
        let version = match (header.facts, header.originals.is_empty()) {
            (0, true) => VERSION_WITHOUT_ORIGINALS,
            (0, false) => VERSION_WITHOUT_FACTS,
            _ => VERSION,
        };
        target.write_all(MAGIC)?;
        target.write_all(&version.to_le_bytes())?;
        write_guarded(&mut target, &packed, MOST_OF_HEADER)?;
        Ok(Self { target, led_to: (0, Vec::new()), nodes: 0 })
    }

    /// Adds an imported file, compressed with zstd: first of all, in the order of the header.
    ///
    /// # Errors
    /// The target cannot be written.
    pub fn original(&mut self, packed: &[u8]) -> io::Result<()> {
        write_guarded(&mut self.target, packed, MOST_OF_ORIGINAL)
    }

    /// Adds the facts, in storage order, those of one position by source, when all imported files are
    /// in: not called for none.
    ///
    /// # Errors
    /// The target cannot be written.
    pub fn facts(&mut self, facts: &[Fact]) -> io::Result<()> {
        write_guarded(&mut self.target, &packed_facts::pack(facts, LEVEL)?, MOST_OF_FACTS)
    }

    /// Adds the nodes with so many discs, in storage order. Layers come in ascending order.
    ///
    /// # Errors
    /// The target cannot be written.
    pub fn layer(&mut self, discs: u8, nodes: &[Node]) -> io::Result<()> {
        let known =
            if self.led_to.0 == discs { std::mem::take(&mut self.led_to.1) } else { vec![] };
        let written: Vec<Key> =
            nodes.iter().map(|node| node.key).filter(|key| find(&known, *key).is_err()).collect();
        let mut raw = Vec::with_capacity(nodes.len() * 10);
        written.iter().for_each(|key| raw.extend(key.to_bytes()));
        let mut bits = BitWriter::default();
        let mut next = Vec::new();
        for node in nodes {
            let position = node.key.position();
            bits.push(node.links.bits(), position.legal_moves().len());
            next.extend(node.children().map(|link| link.child));
        }
        raw.append(&mut bits.bytes);
        raw.extend(nodes.iter().map(rest_byte));
        raw.extend(nodes.iter().map(|node| node.searched.depth));
        raw.extend(nodes.iter().map(|node| node.searched.selectivity.percent()));
        for plane in 0..4 {
            raw.extend(nodes.iter().map(|node| node.searched.source.0.to_le_bytes()[plane]));
        }
        let rests = || nodes.iter().filter_map(|node| node.rest);
        raw.extend(rests().map(|rest| rest.proof.number()));
        for plane in 0..2 {
            raw.extend(rests().map(|rest| rest.score.centidiscs().to_le_bytes()[plane]));
        }
        let packed = zstd::bulk::compress(&raw, LEVEL)?;
        self.target.write_all(&[discs])?;
        for number in [nodes.len(), written.len(), raw.len(), packed.len()] {
            self.target.write_all(&length(number)?.to_le_bytes())?;
        }
        self.target.write_all(&crc32fast::hash(&packed).to_le_bytes())?;
        self.target.write_all(&packed)?;
        self.nodes += nodes.len() as u64;
        self.led_to = (discs + 1, in_order(next));
        Ok(())
    }

    /// Ends the snapshot.
    ///
    /// # Errors
    /// The target cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        self.target.write_all(&[END])?;
        self.target.write_all(&self.nodes.to_le_bytes())?;
        self.target.flush()?;
        Ok(self.target)
    }
}

/// A node of a snapshot: links and values follow from the whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SnapshotNode {
    /// The position.
    pub key: Key,
    /// The best move that is not a link.
    pub rest: Option<Rest>,
    /// How it was searched.
    pub searched: Searched,
}

/// Reads a snapshot layer by layer.
#[derive(Debug)]
pub struct SnapshotReader<R> {
    file: R,
    header: SnapshotHeader,
    /// Imported files that have been read.
    originals: usize,
    are_facts_read: bool,
    led_to: (u8, Vec<Key>),
    nodes: u64,
    last: Option<u8>,
}

impl<R: Read> SnapshotReader<R> {
    /// Starts to read.
    ///
    /// # Errors
    /// It is no snapshot, or damaged.
    pub fn new(mut file: R) -> Result<Self, SnapshotError> {
        let mut magic = [0; 8];
        match file.read_exact(&mut magic) {
            Ok(()) if magic == *MAGIC => {}
            Err(error) if error.kind() != io::ErrorKind::UnexpectedEof => return Err(error.into()),
            _ => return Err(SnapshotError::Foreign),
        }
        let found = number(&mut file)?;
        if found > VERSION {
            return Err(SnapshotError::Newer { found });
        }
        let text = unpacked(&read_guarded(&mut file, MOST_OF_HEADER)?, MOST_OF_HEADER)?;
        let header = serde_json::from_slice(&text)
            .map_err(|_| SnapshotError::Damaged("the header makes no sense"))?;
        Ok(Self {
            file,
            header,
            originals: 0,
            are_facts_read: false,
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
    ///
    /// # Errors
    /// It is damaged.
    pub fn next_original(&mut self) -> Result<Option<(u32, Vec<u8>)>, SnapshotError> {
        let Some(&source) = self.header.originals.get(self.originals) else { return Ok(None) };
        self.originals += 1;
        Ok(Some((source, read_guarded(&mut self.file, MOST_OF_ORIGINAL)?)))
    }

    /// The facts; none when they have been read.
    ///
    /// # Errors
    /// They are damaged.
    pub fn facts(&mut self) -> Result<Vec<Fact>, SnapshotError> {
        while self.next_original()?.is_some() {}
        if self.header.facts == 0 || std::mem::replace(&mut self.are_facts_read, true) {
            return Ok(Vec::new());
        }
        let packed = read_guarded(&mut self.file, MOST_OF_FACTS)?;
        packed_facts::unpack(&packed, self.header.facts).map_err(SnapshotError::Damaged)
    }

    /// The next layer in storage order; none at the end, when everything has been read and was
    /// sound.
    ///
    /// # Errors
    /// It is damaged.
    pub fn next_layer(&mut self) -> Result<Option<Vec<SnapshotNode>>, SnapshotError> {
        self.facts()?;
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
        let (nodes, led_to) = decode(discs, count as usize, written as usize, &raw, known)?;
        self.led_to = (discs + 1, led_to);
        self.nodes += nodes.len() as u64;
        Ok(Some(nodes))
    }
}

/// Positions whose links are followed together.
const AT_ONCE: usize = 64;

/// The nodes of a layer, and the keys that their links lead to.
fn decode(
    discs: u8,
    count: usize,
    written: usize,
    raw: &[u8],
    mut keys: Vec<Key>,
) -> Result<(Vec<SnapshotNode>, Vec<Key>), SnapshotError> {
    const SHORT: SnapshotError = SnapshotError::Damaged("a layer is too short");
    let mut columns = Columns(raw);
    let explicit = columns.next(written.checked_mul(Key::SIZE).ok_or(SHORT)?).ok_or(SHORT)?;
    for bytes in explicit.chunks_exact(Key::SIZE) {
        keys.push(stored_key(discs, bytes)?);
    }
    if written > 0 {
        keys = in_order(keys);
    }
    if keys.len() != count {
        return Err(SnapshotError::Damaged("links lead to a wrong number of positions"));
    }
    let mut bits = BitReader { bytes: columns.0, at: 0 };
    let mut led_to = Vec::with_capacity(count + count / 4);
    let (cpu, mut successors) = (CpuLevel::detect(), Successors::default());
    let mut linked = Vec::with_capacity(AT_ONCE);
    for keys in keys.chunks(AT_ONCE) {
        for key in keys {
            let position = key.position();
            linked.push((position, bits.next(position.legal_moves().len()).ok_or(SHORT)?));
        }
        successors.find_some(cpu, linked.drain(..));
        led_to.extend(successors.all().iter().map(|successor| successor.next));
    }
    columns.next(bits.at.div_ceil(8)).ok_or(SHORT)?;
    let mut column = || columns.next(count).ok_or(SHORT);
    let (rests, depths, selectivities) = (column()?, column()?, column()?);
    let sources = [column()?, column()?, column()?, column()?];
    let with_rest = rests.iter().filter(|&&rest| rest != NO_REST).count();
    let mut column = || columns.next(with_rest).ok_or(SHORT);
    let (proofs, low, high) = (column()?, column()?, column()?);
    let mut scores = proofs.iter().zip(low.iter().zip(high));
    let mut nodes = Vec::with_capacity(count);
    for (index, (&key, &byte)) in keys.iter().zip(rests).enumerate() {
        const WRONG: SnapshotError = SnapshotError::Damaged("a rest makes no sense");
        let rest = if byte == NO_REST {
            None
        } else {
            let (&proof, (&low, &high)) = scores.next().ok_or(SHORT)?;
            let square = match byte {
                NO_SQUARE => None,
                index => Some(nth_move(key, index).ok_or(WRONG)?),
            };
            let score = Score::from_centidiscs(i16::from_le_bytes([low, high]));
            Some(Rest { square, score, proof: Proof::numbered(proof).ok_or(WRONG)? })
        };
        let at = |column: &[u8]| column.get(index).copied().unwrap_or_default();
        let searched = Searched {
            depth: at(depths),
            selectivity: Selectivity::from_percent(at(selectivities)).ok_or(WRONG)?,
            source: SourceId(u32::from_le_bytes(sources.map(at))),
        };
        nodes.push(SnapshotNode { key, rest, searched });
    }
    Ok((nodes, in_order(led_to)))
}

fn rest_byte(node: &Node) -> u8 {
    match node.rest.map(|rest| rest.square) {
        None => NO_REST,
        Some(None) => NO_SQUARE,
        Some(Some(square)) => {
            let before = node.key.position().legal_moves().0 & (square.bit() - 1);
            before.count_ones() as u8
        }
    }
}

fn nth_move(key: Key, index: u8) -> Option<Square> {
    key.position().legal_moves().nth(usize::from(index))
}

fn in_order(mut keys: Vec<Key>) -> Vec<Key> {
    keys.sort_unstable_by_key(|&key| storage_order(key));
    keys.dedup();
    keys
}

fn find(sorted: &[Key], key: Key) -> Result<usize, usize> {
    sorted.binary_search_by_key(&storage_order(key), |&known| storage_order(known))
}

fn length(length: usize) -> io::Result<u32> {
    u32::try_from(length)
        .map_err(|_| io::Error::new(io::ErrorKind::FileTooLarge, "a layer is too large"))
}

fn number(file: &mut impl Read) -> io::Result<u32> {
    let mut bytes = [0; 4];
    file.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}

/// Bytes after their length and checksum: no more than are read again.
fn write_guarded(target: &mut impl Write, content: &[u8], most: u32) -> io::Result<()> {
    let length = length(content.len())?;
    if length > most {
        let error = format!("a part of {length} bytes is larger than a snapshot can have");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, error));
    }
    target.write_all(&length.to_le_bytes())?;
    target.write_all(&crc32fast::hash(content).to_le_bytes())?;
    target.write_all(content)
}

/// As they were written by [`write_guarded`].
fn read_guarded(file: &mut impl Read, most: u32) -> Result<Vec<u8>, SnapshotError> {
    let (size, crc) = (number(file)?, number(file)?);
    if size > most {
        return Err(SnapshotError::Damaged("a part is larger than any such part"));
    }
    bytes(file, size, crc)
}

/// What was packed by zstd; more than `most` bytes of it are not unpacked.
fn unpacked(packed: &[u8], most: u32) -> Result<Vec<u8>, SnapshotError> {
    let mut raw = Vec::new();
    zstd::Decoder::new(packed)?.take(u64::from(most) + 1).read_to_end(&mut raw)?;
    if raw.len() as u64 > u64::from(most) {
        return Err(SnapshotError::Damaged("a part unpacks to more than it may"));
    }
    Ok(raw)
}

/// Unpacks a layer: its written keys, and so many bytes of columns. Memory grows by keys that are
/// boards with so many discs, each after the one before.
fn unpacked_layer(
    packed: &mut impl Read,
    discs: u8,
    written: u32,
    columns: u64,
) -> Result<Vec<u8>, SnapshotError> {
    let mut unpacked = BufReader::new(zstd::Decoder::new(packed)?);
    let mut raw = Vec::new();
    let mut last = None;
    for _ in 0..written {
        let mut bytes = [0; Key::SIZE];
        unpacked.read_exact(&mut bytes)?;
        let order = storage_order(stored_key(discs, &bytes)?);
        if last.is_some_and(|last| last >= order) {
            return Err(SnapshotError::Damaged("the keys are out of order"));
        }
        last = Some(order);
        raw.extend(bytes);
    }
    let before = raw.len() as u64;
    unpacked.take(columns + 1).read_to_end(&mut raw)?;
    if raw.len() as u64 != before + columns {
        return Err(SnapshotError::Damaged("a layer has the wrong size"));
    }
    Ok(raw)
}

/// Bytes that a checksum goes with.
struct Guarded<R> {
    input: R,
    hasher: crc32fast::Hasher,
}

impl<R: Read> Guarded<io::Take<R>> {
    fn new(input: io::Take<R>) -> Self {
        Self { input, hasher: crc32fast::Hasher::new() }
    }

    /// Takes what is left, and compares.
    fn check(mut self, crc: u32) -> Result<(), SnapshotError> {
        io::copy(&mut self, &mut io::sink())?;
        if self.input.limit() > 0 {
            return Err(SnapshotError::Damaged("the file ends too early"));
        }
        if self.hasher.finalize() != crc {
            return Err(SnapshotError::Damaged("a checksum is wrong"));
        }
        Ok(())
    }
}

impl<R: Read> Read for Guarded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.hasher.update(buffer.get(..count).unwrap_or_default());
        Ok(count)
    }
}

fn stored_key(discs: u8, bytes: &[u8]) -> Result<Key, SnapshotError> {
    let board = |bytes: &[u8]| bytes.iter().fold(0, |set, &byte| set << 8 | u64::from(byte));
    let (mover, opponent) = bytes.split_at(Key::SIZE / 2);
    let position = Position { mover: board(mover), opponent: board(opponent) };
    Key::from_canonical(position)
        .filter(|key| key.discs() == discs && position.mover & position.opponent == 0)
        .ok_or(SnapshotError::Damaged("a key makes no sense"))
}

/// So many bytes with this checksum. Memory is taken as the bytes come, not as they are promised.
fn bytes(file: &mut impl Read, size: u32, crc: u32) -> Result<Vec<u8>, SnapshotError> {
    let mut bytes = Vec::new();
    file.take(u64::from(size)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 != u64::from(size) {
        return Err(SnapshotError::Damaged("the file ends too early"));
    }
    if crc32fast::hash(&bytes) != crc {
        return Err(SnapshotError::Damaged("a checksum is wrong"));
    }
    Ok(bytes)
}

/// Columns one after the other.
struct Columns<'a>(&'a [u8]);

impl<'a> Columns<'a> {
    fn next(&mut self, size: usize) -> Option<&'a [u8]> {
        let (column, rest) = self.0.split_at_checked(size)?;
        self.0 = rest;
        Some(column)
    }
}

/// Bits, lowest first.
#[derive(Default)]
struct BitWriter {
    bytes: Vec<u8>,
    used: usize,
}

impl BitWriter {
    fn push(&mut self, bits: u64, count: usize) {
        for index in 0..count {
            if self.used.is_multiple_of(8) {
                self.bytes.push(0);
            }
            if let Some(last) = self.bytes.last_mut() {
                *last |= ((bits >> index & 1) as u8) << (self.used % 8);
            }
            self.used += 1;
        }
    }
}

struct BitReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl BitReader<'_> {
    fn next(&mut self, count: usize) -> Option<u64> {
        let mut bits = 0;
        for index in 0..count {
            let byte = self.bytes.get(self.at / 8)?;
            bits |= u64::from(byte >> (self.at % 8) & 1) << index;
            self.at += 1;
        }
        Some(bits)
    }
}
