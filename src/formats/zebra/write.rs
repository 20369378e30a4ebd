//! Writing Zebra's three files.

use std::collections::HashMap;
use std::io::{self, Write};

use crate::board::Position;

use super::layout::{MAGIC, moves, number_of, play, walking_side};
use super::{ZebraEntry, ZebraHash, ZebraNode, ZebraShape, zebra_hash};

/// Writes a book. Its first node must be the start position. The packed form holds only what is
/// reached from there.
///
/// # Errors
/// Those of the output.
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

fn count(entries: &[ZebraEntry]) -> io::Result<i32> {
    i32::try_from(entries.len())
        .map_err(|_| io::Error::other("more nodes than a Zebra book can count"))
}

fn write_bin(output: &mut impl Write, entries: &[ZebraEntry]) -> io::Result<()> {
    for magic in MAGIC {
        output.write_all(&magic.to_le_bytes())?;
    }
    output.write_all(&count(entries)?.to_le_bytes())?;
    for entry in entries {
        let (first, second) = hash(entry.board);
        let node = &entry.node;
        output.write_all(&first.to_le_bytes())?;
        output.write_all(&second.to_le_bytes())?;
        let scores = [node.black_score, node.white_score, node.alternative, node.alternative_score];
        for number in scores {
            output.write_all(&number.to_le_bytes())?;
        }
        output.write_all(&node.clean_flags().to_le_bytes())?;
    }
    Ok(())
}

fn write_text(output: &mut impl Write, entries: &[ZebraEntry]) -> io::Result<()> {
    let [first, second] = MAGIC;
    writeln!(output, "{first}\n{second}\n{}", count(entries)?)?;
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
