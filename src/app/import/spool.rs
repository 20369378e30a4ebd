//! Entries put aside by number of discs: in memory while they are few, else in temporary files, so
//! that a book of any size passes through with memory for one layer.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::PathBuf;

use crate::files::books::{Entry, Place, Turn};
use crate::openbook::{
    Bounds, Evidence, Held, Judgement, LineEnds, MoveMask, Node, Record, Rest, Searched, SourceId,
    SourcedBounds, Values,
};
use crate::othello::board::{Key, Position, Square};
use crate::othello::score::Score;
use crate::othello::search::{Proof, Selectivity};

/// Bytes kept in memory for all layers together.
const IN_MEMORY: usize = 128 << 20;

/// Layers: positions have 4 to 64 discs; broken ones never come here.
const LAYERS: usize = 65;

/// An item that can be put aside as bytes.
pub(super) trait Item: Sized {
    fn key(&self) -> Key;
    fn encode(&self, bytes: &mut Vec<u8>);
    /// Takes one item off the front; none when there is none left.
    fn decode(bytes: &mut &[u8]) -> Option<Self>;
}

#[derive(Default)]
struct Layer {
    bytes: Vec<u8>,
    file: Option<File>,
    count: u64,
}

/// Items by number of discs, in the order in which they came.
pub(super) struct Spool {
    layers: Vec<Layer>,
    folder: PathBuf,
    held: usize,
}

impl Spool {
    /// Temporary files, if any are needed, are made in this folder and vanish by themselves.
    pub(super) fn new(folder: PathBuf) -> Self {
        Self { layers: (0..LAYERS).map(|_| Layer::default()).collect(), folder, held: 0 }
    }

    pub(super) fn push(&mut self, item: &impl Item) -> io::Result<()> {
        let Some(layer) = self.layers.get_mut(usize::from(item.key().discs())) else {
            return Ok(());
        };
        let before = layer.bytes.len();
        item.encode(&mut layer.bytes);
        layer.count += 1;
        self.held += layer.bytes.len() - before;
        if self.held > IN_MEMORY { self.spill() } else { Ok(()) }
    }

    /// Makes room for so many items of a layer, of which each takes so many bytes at least.
    pub(super) fn reserve(&mut self, discs: u8, count: usize, size: usize) {
        if let Some(layer) = self.layers.get_mut(usize::from(discs)) {
            layer.bytes.reserve((count * size).min(IN_MEMORY));
        }
    }

    fn spill(&mut self) -> io::Result<()> {
        for layer in &mut self.layers {
            if layer.bytes.is_empty() {
                continue;
            }
            let file = match &mut layer.file {
                Some(file) => file,
                None => layer.file.insert(tempfile::tempfile_in(&self.folder)?),
            };
            file.write_all(&layer.bytes)?;
            layer.bytes = Vec::new();
        }
        self.held = 0;
        Ok(())
    }

    /// How many items have so many discs.
    pub(super) fn count(&self, discs: u8) -> u64 {
        self.layers.get(usize::from(discs)).map_or(0, |layer| layer.count)
    }

    /// Takes out the bytes of a layer.
    pub(super) fn unload(&mut self, discs: u8) -> io::Result<Vec<u8>> {
        let Some(layer) = self.layers.get_mut(usize::from(discs)) else {
            return Ok(Vec::new());
        };
        let layer = std::mem::take(layer);
        self.held -= layer.bytes.len();
        let Some(mut file) = layer.file else { return Ok(layer.bytes) };
        let mut bytes = Vec::new();
        file.rewind()?;
        file.read_to_end(&mut bytes)?;
        bytes.extend_from_slice(&layer.bytes);
        Ok(bytes)
    }
}

#[inline]
fn read<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (head, tail) = bytes.split_first_chunk::<N>()?;
    *bytes = tail;
    Some(*head)
}

/// What of an item has always as many bytes, at its place: put together elsewhere and copied, it takes twice as
/// long.
struct Fields<'a> {
    left: &'a mut [u8],
}

impl<'a> Fields<'a> {
    /// So many bytes more.
    #[inline]
    fn behind<const N: usize>(bytes: &'a mut Vec<u8>) -> Self {
        let end = bytes.len();
        bytes.extend_from_slice(&[0; N]);
        Self { left: bytes.get_mut(end..).unwrap_or_default() }
    }

    #[inline]
    fn put<const N: usize>(&mut self, field: [u8; N]) {
        let left = std::mem::take(&mut self.left);
        debug_assert!(N <= left.len(), "{N} bytes, {} left", left.len());
        if let Some((place, left)) = left.split_first_chunk_mut::<N>() {
            *place = field;
            self.left = left;
        }
    }
}

const NO_SQUARE: u8 = 64;
const NO_REST: u8 = 65;
const NO_SCORE: i16 = i16::MIN;

#[inline]
fn read_key(bytes: &mut &[u8]) -> Option<Key> {
    let mut board = || Some(u64::from_be_bytes(read(bytes)?));
    // It was put there as a key.
    Some(Key::from_stored(Position { mover: board()?, opponent: board()? }))
}

#[inline]
fn rest_bytes(rest: Option<Rest>) -> [u8; 4] {
    let Some(Rest { square, score, proof }) = rest else { return [NO_REST, 0, 0, 0] };
    let [low, high] = score.centidiscs().to_le_bytes();
    [square.map_or(NO_SQUARE, Square::number), low, high, proof.number()]
}

#[inline]
fn read_rest(bytes: &mut &[u8]) -> Option<Option<Rest>> {
    let [square, low, high, proof] = read(bytes)?;
    if square == NO_REST {
        return Some(None);
    }
    let score = Score::from_centidiscs(i16::from_le_bytes([low, high]));
    let proof = Proof::numbered(proof)?;
    Some(Some(Rest { square: Square::try_new(square), score, proof }))
}

const TURNS: [Turn; 4] =
    [Turn::Move, Turn::Pass { is_link: false }, Turn::Pass { is_link: true }, Turn::Over];

const fn turn_number(turn: Turn) -> u8 {
    match turn {
        Turn::Move => 0,
        Turn::Pass { is_link: false } => 1,
        Turn::Pass { is_link: true } => 2,
        Turn::Over => 3,
    }
}

/// A byte offset or, with the highest bit set, a line; with the next one, an offset in what was
/// unpacked.
const LINE: u64 = 1 << 63;
const UNPACKED: u64 = 1 << 62;

const fn place_number(place: Place) -> u64 {
    match place {
        Place::Byte(offset) => offset & !(LINE | UNPACKED),
        Place::Unpacked(offset) => offset & !LINE | UNPACKED,
        Place::Line(number) => number | LINE,
    }
}

const fn place_numbered(number: u64) -> Place {
    match (number & LINE != 0, number & UNPACKED != 0) {
        (true, _) => Place::Line(number & !LINE),
        (_, true) => Place::Unpacked(number & !UNPACKED),
        _ => Place::Byte(number),
    }
}

/// Bytes of an entry without its links and what is kept of it: from the key to the number of links.
const ENTRY: usize = 42;

impl Item for Entry {
    fn key(&self) -> Key {
        self.key
    }

    fn encode(&self, bytes: &mut Vec<u8>) {
        let mut fields = Fields::behind::<ENTRY>(bytes);
        fields.put(self.key.to_bytes());
        let flags = u8::from(self.has_records) << 2 | u8::from(self.kept.is_some()) << 3;
        fields.put([turn_number(self.turn) | flags]);
        fields.put(place_number(self.place).to_le_bytes());
        fields.put(rest_bytes(self.rest));
        fields.put(rest_bytes(self.alone));
        fields.put([self.depth, self.selectivity.percent()]);
        fields.put(self.source.to_le_bytes());
        fields.put(self.stored.map_or(NO_SCORE, Score::centidiscs).to_le_bytes());
        fields.put([self.links.len().min(255) as u8]);
        for (square, score) in self.links.iter().take(255) {
            let [low, high] = score.map_or(NO_SCORE, Score::centidiscs).to_le_bytes();
            bytes.extend_from_slice(&[square.number(), low, high]);
        }
        put_held(bytes, self.kept.as_deref());
    }

    fn decode(bytes: &mut &[u8]) -> Option<Self> {
        let fixed = read::<ENTRY>(bytes)?;
        let fields = &mut fixed.as_slice();
        let key = read_key(fields)?;
        let [flags] = read(fields)?;
        let turn = TURNS[usize::from(flags & 3)];
        let place = place_numbered(u64::from_le_bytes(read(fields)?));
        let rest = read_rest(fields)?;
        let alone = read_rest(fields)?;
        let [depth, percent] = read(fields)?;
        let selectivity = Selectivity::from_percent(percent)?;
        let source = u32::from_le_bytes(read(fields)?);
        let stored = read_score(fields)?;
        let [count] = read(fields)?;
        let mut links = Vec::with_capacity(usize::from(count));
        for _ in 0..count {
            let [square] = read(bytes)?;
            links.push((Square::try_new(square)?, read_score(bytes)?));
        }
        let kept = if flags & 8 != 0 { Some(read_held(bytes)?) } else { None };
        let has_records = flags & 4 != 0;
        Some(Self {
            place,
            key,
            turn,
            links,
            rest,
            alone,
            depth,
            selectivity,
            source,
            stored,
            kept,
            has_records,
        })
    }
}

impl Entry {
    /// Takes one entry off the front for its key alone.
    pub(super) fn skip(bytes: &mut &[u8]) -> Option<Key> {
        let fixed = read::<ENTRY>(bytes)?;
        let fields = &mut fixed.as_slice();
        let key = read_key(fields)?;
        let [flags] = read(fields)?;
        let [.., count] = fixed;
        *bytes = bytes.get(3 * usize::from(count)..)?;
        if flags & 8 != 0 {
            read_held(bytes)?;
        }
        Some(key)
    }
}

fn read_score(bytes: &mut &[u8]) -> Option<Option<Score>> {
    let centidiscs = i16::from_le_bytes(read(bytes)?);
    Some((centidiscs != NO_SCORE).then(|| Score::from_centidiscs(centidiscs)))
}

/// A node that is ready for the book, with what follows from the file alone; its source has a number of the file.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Ready {
    pub(super) node: Node,
    /// All that is kept of it, where that is more than its row holds.
    pub(super) held: Option<Box<Held>>,
}

impl Item for Ready {
    fn key(&self) -> Key {
        self.node.key
    }

    fn encode(&self, bytes: &mut Vec<u8>) {
        let Node { key, links, record, searched, left_out, values, evidence, lines, .. } =
            self.node;
        let mut fields = Fields::behind::<READY>(bytes);
        fields.put(key.to_bytes());
        fields.put_record(record, searched, left_out);
        fields.put(links.bits().to_le_bytes());
        let Values { guess, draw_seeking, win_seeking, lower, upper } = values;
        for score in [guess, draw_seeking, win_seeking] {
            fields.put(score.centidiscs().to_le_bytes());
        }
        let Node { stands, due, .. } = self.node;
        let flags = u8::from(stands) | u8::from(due) << 1 | u8::from(self.held.is_some()) << 2;
        fields.put([lower.cast_unsigned(), upper.cast_unsigned(), flags, lines.ends]);
        for number in [evidence.hundredths(), lines.own, lines.other] {
            fields.put(number.to_le_bytes());
        }
        put_held(bytes, self.held.as_deref());
    }

    fn decode(bytes: &mut &[u8]) -> Option<Self> {
        let fixed = read::<READY>(bytes)?;
        let fields = &mut fixed.as_slice();
        let key = read_key(fields)?;
        let (record, searched, left_out) = read_record(fields)?;
        let links = MoveMask::from_bits(u64::from_le_bytes(read(fields)?));
        let mut score = || Some(Score::from_centidiscs(i16::from_le_bytes(read(fields)?)));
        let (guess, draw_seeking, win_seeking) = (score()?, score()?, score()?);
        let [lower, upper, flags, ends] = read(fields)?;
        let (lower, upper) = (lower.cast_signed(), upper.cast_signed());
        let mut number = || Some(u16::from_le_bytes(read(fields)?));
        let evidence = Evidence::of_hundredths(number()?)?;
        let lines = LineEnds { ends, own: number()?, other: number()? };
        let held = if flags & 4 != 0 { Some(read_held(bytes)?) } else { None };
        let node = Node {
            key,
            links,
            record,
            searched,
            left_out,
            values: Values { guess, draw_seeking, win_seeking, lower, upper },
            evidence,
            lines,
            stands: flags & 1 != 0,
            due: flags & 2 != 0,
            more: held.is_some(),
        };
        Some(Self { node, held })
    }
}

/// Bytes of a record.
const RECORD: usize = 18;
/// Bytes of a node without what is kept of it.
pub(super) const READY: usize = 16 + RECORD + 24;

impl Fields<'_> {
    #[inline]
    fn put_record(&mut self, rest: Option<Rest>, searched: Searched, left_out: MoveMask) {
        self.put(rest_bytes(rest));
        self.put([searched.depth, searched.selectivity.percent()]);
        self.put(searched.source.0.to_le_bytes());
        self.put(left_out.bits().to_le_bytes());
    }
}

#[inline]
fn read_record(bytes: &mut &[u8]) -> Option<(Option<Rest>, Searched, MoveMask)> {
    let rest = read_rest(bytes)?;
    let [depth, percent] = read(bytes)?;
    let selectivity = Selectivity::from_percent(percent)?;
    let source = SourceId(u32::from_le_bytes(read(bytes)?));
    let left_out = MoveMask::from_bits(u64::from_le_bytes(read(bytes)?));
    Some((rest, Searched { depth, selectivity, source }, left_out))
}

fn put_held(bytes: &mut Vec<u8>, held: Option<&Held>) {
    let Some(held) = held else { return };
    let count = |number: usize| u16::try_from(number).unwrap_or(u16::MAX);
    let (records, bounds) = (count(held.records.len()), count(held.bounds.len()));
    bytes.extend_from_slice(&records.to_le_bytes());
    for record in held.records.iter().take(records.into()) {
        let mut fields = Fields::behind::<RECORD>(bytes);
        fields.put_record(Some(record.rest), record.searched, record.left_out);
    }
    bytes.extend_from_slice(&bounds.to_le_bytes());
    for SourcedBounds { bounds, source } in held.bounds.iter().take(bounds.into()) {
        bytes.extend_from_slice(&[bounds.lower.cast_unsigned(), bounds.upper.cast_unsigned()]);
        bytes.extend_from_slice(&source.0.to_le_bytes());
    }
    let Some(Judgement { score, day, author }) = &held.judgement else {
        bytes.push(0);
        return;
    };
    bytes.push(1);
    bytes.extend_from_slice(&score.centidiscs().to_le_bytes());
    for text in [day, author] {
        let length = count(text.len());
        bytes.extend_from_slice(&length.to_le_bytes());
        bytes.extend(text.bytes().take(length.into()));
    }
}

fn read_held(bytes: &mut &[u8]) -> Option<Box<Held>> {
    let mut held = Held::default();
    for _ in 0..u16::from_le_bytes(read(bytes)?) {
        let (rest, searched, left_out) = read_record(bytes)?;
        held.records.push(Record { rest: rest?, searched, left_out });
    }
    for _ in 0..u16::from_le_bytes(read(bytes)?) {
        let [lower, upper] = read::<2>(bytes)?.map(u8::cast_signed);
        let source = SourceId(u32::from_le_bytes(read(bytes)?));
        held.bounds.push(SourcedBounds { bounds: Bounds { lower, upper }, source });
    }
    if read::<1>(bytes)? == [1] {
        let score = Score::from_centidiscs(i16::from_le_bytes(read(bytes)?));
        let mut text = || {
            let length = usize::from(u16::from_le_bytes(read(bytes)?));
            let (text, rest) = bytes.split_at_checked(length)?;
            *bytes = rest;
            Some(String::from_utf8_lossy(text).into_owned())
        };
        let (day, author) = (text()?, text()?);
        held.judgement = Some(Judgement { score, day, author });
    }
    Some(Box::new(held))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::board::Position;

    #[test]
    fn items_come_back_in_order_from_memory_and_from_files() {
        let entry = |score: i16| Entry {
            place: if score == 0 { Place::Line(7) } else { Place::Byte(1 << 40) },
            key: Key::of(Position::START),
            turn: Turn::Move,
            links: vec![
                (Square::new(19), Some(Score::from_centidiscs(-score))),
                (Square::new(26), None),
            ],
            rest: Some(Rest {
                square: None,
                score: Score::from_centidiscs(score),
                proof: Proof::NotLost,
            }),
            alone: None,
            depth: 21,
            selectivity: Selectivity::FULL,
            source: 7,
            stored: None,
            kept: None,
            has_records: false,
        };
        for spills in [false, true] {
            let mut spool = Spool::new(std::env::temp_dir());
            for score in 0..3 {
                spool.push(&entry(score)).unwrap();
                if spills {
                    spool.spill().unwrap();
                }
            }
            assert_eq!(spool.count(4), 3);
            let bytes = spool.unload(4).unwrap();
            let mut skipped = bytes.as_slice();
            assert_eq!(Entry::skip(&mut skipped), Some(entry(0).key));
            let mut rest = bytes.as_slice();
            for score in 0..3 {
                assert_eq!(Entry::decode(&mut rest), Some(entry(score)));
                assert!(score > 0 || rest == skipped);
            }
            assert_eq!(Entry::decode(&mut rest), None);
        }
    }
}
