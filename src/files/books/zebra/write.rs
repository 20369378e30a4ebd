//! Writing Zebra's three files.

use std::collections::HashMap;
use std::io::{self, Seek, SeekFrom, Write};

use crate::othello::board::Position;

use super::layout::{HEADER_BYTES, MAGIC, RECORD_BYTES, moves, number_of, play, walking_side};
use super::{ZebraEntry, ZebraHash, ZebraNode, ZebraShape, zebra_hash};

/// Writes `book.bin` node by node. The start position, which is its first record, may come last.
pub(crate) struct ZebraBinWriter<W> {
    output: W,
    /// Records except that of the start position.
    count: usize,
}

impl<W: Write + Seek> ZebraBinWriter<W> {
    /// Leaves room for the header and the start position.
    pub(crate) fn new(mut output: W) -> io::Result<Self> {
        output.write_all(&[0; HEADER_BYTES + RECORD_BYTES])?;
        Ok(Self { output, count: 0 })
    }

    /// Writes a node other than the start position.
    pub(crate) fn write(&mut self, entry: &ZebraEntry) -> io::Result<()> {
        self.count += 1;
        write_record(&mut self.output, entry)
    }

    /// Writes the start position and what is known at the end only.
    pub(crate) fn finish(mut self, start: &ZebraEntry) -> io::Result<()> {
        self.output.seek(SeekFrom::Start(0))?;
        write_header(&mut self.output, self.count + 1)?;
        write_record(&mut self.output, start)?;
        self.output.flush()
    }
}

/// Writes a book. Its first node must be the start position. The packed form holds only what is
/// reached from there.
pub fn write_zebra(
    output: &mut impl Write,
    shape: ZebraShape,
    entries: &[ZebraEntry],
) -> io::Result<()> {
    match shape {
        ZebraShape::Bin => write_bin(output, entries),
        ZebraShape::Text => write_text(output, entries),
        ZebraShape::Packed => write_packed(output, entries),
        ZebraShape::Gzipped => write_gzipped(output, entries),
    }?;
    output.flush()
}

fn count(nodes: usize) -> io::Result<i32> {
    i32::try_from(nodes).map_err(|_| io::Error::other("more nodes than a Zebra book can count"))
}

fn write_bin(output: &mut impl Write, entries: &[ZebraEntry]) -> io::Result<()> {
    write_header(output, entries.len())?;
    entries.iter().try_for_each(|entry| write_record(output, entry))
}

fn write_header(output: &mut impl Write, nodes: usize) -> io::Result<()> {
    for magic in MAGIC {
        output.write_all(&magic.to_le_bytes())?;
    }
    output.write_all(&count(nodes)?.to_le_bytes())
}

fn write_record(output: &mut impl Write, entry: &ZebraEntry) -> io::Result<()> {
    let (first, second) = hash(entry.board);
    let node = &entry.node;
    output.write_all(&first.to_le_bytes())?;
    output.write_all(&second.to_le_bytes())?;
    for number in [node.black_score, node.white_score, node.alternative, node.alternative_score] {
        output.write_all(&number.to_le_bytes())?;
    }
    output.write_all(&node.clean_flags().to_le_bytes())
}

fn write_text(output: &mut impl Write, entries: &[ZebraEntry]) -> io::Result<()> {
    let [first, second] = MAGIC;
    writeln!(output, "{first}\n{second}\n{}", count(entries.len())?)?;
    for entry in entries {
        let (first, second) = hash(entry.board);
        let ZebraNode { black_score, white_score, alternative, alternative_score, .. } = entry.node;
        writeln!(
            output,
            "{first} {second} {black_score} {white_score} {alternative} {alternative_score} {}",
            entry.node.clean_flags()
        )?;
    }
    Ok(())
}

fn write_gzipped(output: &mut impl Write, entries: &[ZebraEntry]) -> io::Result<()> {
    // Zebra's own archive has this name inside; without a time the bytes depend on the book only.
    let gzip = flate2::GzBuilder::new().filename("book.cmp");
    let mut packed = gzip.write(output, flate2::Compression::best());
    write_packed(&mut packed, entries)?;
    packed.finish().map(drop)
}

fn write_packed(output: &mut impl Write, entries: &[ZebraEntry]) -> io::Result<()> {
    let index: HashMap<ZebraHash, &ZebraEntry, foldhash::fast::FixedState> =
        entries.iter().map(|entry| (hash(entry.board), entry)).collect();
    let mut taken: HashMap<ZebraHash, (), foldhash::fast::FixedState> = HashMap::default();
    let mut nodes: Vec<ZebraNode> = Vec::with_capacity(entries.len());
    let mut counts: Vec<i16> = Vec::with_capacity(entries.len());
    let mut links: Vec<i16> = Vec::with_capacity(entries.len());
    let mut stack = Vec::new();
    if let Some(start) = index.get(&hash(Position::START)) {
        taken.insert(hash(Position::START), ());
        stack.push((Position::START, *start));
    }
    while let Some((board, entry)) = stack.pop() {
        let before = links.len();
        let first = stack.len();
        if let Some(side) = walking_side(&entry.node, board, entry.turn) {
            for square in moves(board, side) {
                let Some(next) = play(board, side, square) else { continue };
                let key = hash(next);
                // Siblings have the same number of discs: none is reached from another before its
                // turn comes, so it may be marked at once.
                let Some(child) = index.get(&key) else { continue };
                if taken.insert(key, ()).is_none() {
                    links.push(number_of(square));
                    stack.push((next, *child));
                }
            }
        }
        if let Some(children) = stack.get_mut(first..) {
            children.reverse();
        }
        nodes.push(entry.node);
        counts.push(i16::try_from(links.len() - before).unwrap_or(i16::MAX));
    }
    let total = i32::try_from(nodes.len()).map_err(io::Error::other)?;
    let moves = i32::try_from(links.len()).map_err(io::Error::other)?;
    output.write_all(&total.to_le_bytes())?;
    output.write_all(&moves.to_le_bytes())?;
    let scores = nodes.iter().flat_map(|node| [node.black_score, node.white_score]);
    let numbers = counts
        .iter()
        .copied()
        .chain(links)
        .chain(scores)
        .chain(nodes.iter().map(|node| node.alternative))
        .chain(nodes.iter().map(|node| node.alternative_score))
        .chain(nodes.iter().map(|node| node.clean_flags().cast_signed()));
    for number in numbers {
        output.write_all(&number.to_le_bytes())?;
    }
    Ok(())
}

fn hash(board: Position) -> ZebraHash {
    zebra_hash(board.mover, board.opponent).0
}
