//! Writing an NTest book, in the order in which NTest itself writes it.

use std::collections::HashMap;
use std::convert::Infallible;
use std::io::{self, Write};
use std::ops::Range;

use crate::othello::board::{
    CORNERS, CpuLevel, Key, KeyFilter, Position, Square, Successors, keys_of,
};

use super::checksum::Checksum;
use super::layout::order;
use super::{NtestNode, ntest_values};

/// Which of NTest's two layouts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NtestVersion {
    Records,
    /// A forest, what NTest writes today.
    Forest,
}

/// Corners first, then everything but C- and X-squares, then those: NTest's order of moves.
const MOVE_GROUPS: [u64; 3] = {
    const CALM: u64 = 0x3c3c_ffff_ffff_3c3c;
    [CORNERS, CALM, !(CORNERS | CALM)]
};

/// Writes a whole book. Nodes come out as NTest sorts them, whatever their order here; of two with
/// one position the first is kept.
pub fn write_ntest(
    output: &mut impl Write,
    version: NtestVersion,
    nodes: &[NtestNode],
) -> io::Result<()> {
    let sorted = sorted(nodes);
    let number: i32 = if version == NtestVersion::Forest { 2 } else { 1 };
    let count = i32::try_from(sorted.len())
        .map_err(|_| io::Error::other("more nodes than an NTest book can count"))?;
    output.write_all(&number.to_le_bytes())?;
    output.write_all(&count.to_le_bytes())?;
    let mut out = Summed { output, checksum: Checksum::default() };
    match version {
        NtestVersion::Forest => write_forest(&mut out, &sorted)?,
        NtestVersion::Records => write_records(&mut out, &sorted)?,
    }
    let sum = out.checksum.value();
    output.write_all(&sum.to_le_bytes())?;
    output.flush()
}

/// Writes and sums up.
struct Summed<'a, W> {
    output: &'a mut W,
    checksum: Checksum,
}

impl<W: Write> Summed<'_, W> {
    fn words(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.checksum.words(bytes);
        self.output.write_all(bytes)
    }

    fn byte(&mut self, byte: u8) -> io::Result<()> {
        self.checksum.item(u32::from(byte));
        self.output.write_all(&[byte])
    }
}

/// Nodes in NTest's order, each position once.
fn sorted(nodes: &[NtestNode]) -> Vec<&NtestNode> {
    let mut order: Vec<_> = nodes
        .iter()
        .enumerate()
        .map(|(at, node)| (64 - node.position.empties(), order(node.position), at))
        .collect();
    order.sort_unstable();
    order.dedup_by_key(|&mut (_, position, _)| position);
    order.into_iter().filter_map(|(_, _, at)| nodes.get(at)).collect()
}

fn write_forest<W: Write>(out: &mut Summed<'_, W>, sorted: &[&NtestNode]) -> io::Result<()> {
    let children = Children::of(sorted);
    let mut written = vec![false; sorted.len()];
    // Depth is bounded by the number of discs.
    let mut path: Vec<Range<usize>> = Vec::with_capacity(64);
    for (at, root) in sorted.iter().enumerate() {
        if !mark(&mut written, at) {
            continue;
        }
        out.words(&root.position.empty_squares().to_le_bytes())?;
        out.words(&root.position.mover.to_le_bytes())?;
        out.words(&root.bytes())?;
        path.push(children.range(at));
        while let Some(left) = path.last_mut() {
            let Some(&(square, child)) = left.next().and_then(|next| children.all.get(next)) else {
                out.byte(0xff)?;
                path.pop();
                continue;
            };
            let child = child as usize;
            let Some(node) = sorted.get(child).filter(|_| mark(&mut written, child)) else {
                continue;
            };
            out.byte(square.number())?;
            out.words(&node.bytes())?;
            path.push(children.range(child));
        }
    }
    Ok(())
}

/// Marks a node as written; false when it was, or is none.
fn mark(written: &mut [bool], at: usize) -> bool {
    written.get_mut(at).is_some_and(|written| !std::mem::replace(written, true))
}

/// Nodes whose moves are found together.
const BATCH: usize = 64;

/// The moves of all nodes that lead to others, in NTest's order.
struct Children {
    /// A move and the place of the node that it leads to.
    all: Vec<(Square, u32)>,
    /// Where the moves of each node end.
    ends: Vec<usize>,
}

impl Children {
    fn of(sorted: &[&NtestNode]) -> Self {
        let level = CpuLevel::detect();
        let places = Places::of(level, sorted);
        let mut all = Vec::with_capacity(sorted.len());
        let mut ends = Vec::with_capacity(sorted.len());
        let mut successors = Successors::default();
        for batch in sorted.chunks(BATCH) {
            successors.find(level, batch.iter().map(|node| node.position));
            for index in 0..batch.len() {
                let first = all.len();
                let these = successors.all().get(successors.range(index)).unwrap_or_default();
                // A position after a pass is no child: it is the root of a tree of its own.
                for successor in these.iter().filter(|successor| !successor.same_side) {
                    if let Some(place) = places.get(successor.next) {
                        all.push((successor.square, place));
                    }
                }
                if let Some(added) = all.get_mut(first..) {
                    added.sort_unstable_by_key(|&(square, _)| (group(square), square));
                }
                ends.push(all.len());
            }
        }
        Self { all, ends }
    }

    fn range(&self, at: usize) -> Range<usize> {
        let first = at.checked_sub(1).and_then(|before| self.ends.get(before));
        first.copied().unwrap_or(0)..self.ends.get(at).copied().unwrap_or(0)
    }
}

/// Which group of NTest's order of moves a square is in.
fn group(square: Square) -> usize {
    MOVE_GROUPS.iter().position(|group| group & square.bit() != 0).unwrap_or(MOVE_GROUPS.len())
}

/// Where nodes are.
struct Places {
    places: HashMap<Key, u32, foldhash::fast::FixedState>,
    filter: KeyFilter,
}

impl Places {
    fn of(level: CpuLevel, sorted: &[&NtestNode]) -> Self {
        let mut places = HashMap::default();
        places.reserve(sorted.len());
        let mut filter = KeyFilter::with_capacity(sorted.len());
        let positions: Vec<Position> = sorted.iter().map(|node| node.position).collect();
        for (place, key) in (0..).zip(keys_of(level, &positions)) {
            filter.insert(key);
            places.insert(key, place);
        }
        Self { places, filter }
    }

    fn get(&self, key: Key) -> Option<u32> {
        if self.filter.may_contain(key) { self.places.get(&key).copied() } else { None }
    }
}

fn write_records<W: Write>(out: &mut Summed<'_, W>, sorted: &[&NtestNode]) -> io::Result<()> {
    let Ok(values) = ntest_values(sorted.iter().map(|node| Ok::<_, Infallible>(**node)));
    for node in sorted {
        out.words(&node.raw_bytes(values.get(&node.position).copied().unwrap_or_default()))?;
    }
    Ok(())
}
