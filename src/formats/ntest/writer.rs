//! Writing an NTest book, in the order in which NTest itself writes it.

use std::collections::HashMap;
use std::io::{self, Write};

use crate::board::{After, Position, Square, Squares};

use super::checksum::Checksum;
use super::layout::order;
use super::{NtestKind, NtestNode, canonical};

/// Which of NTest's two layouts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NtestVersion {
    /// Raw records.
    Records,
    /// A forest, what NTest writes today.
    Forest,
}

/// Corners first, then everything but C- and X-squares, then those: NTest's order of moves.
const MOVE_GROUPS: [u64; 3] = {
    const CORNERS: u64 = 0x8100_0000_0000_0081;
    const CALM: u64 = 0x3c3c_ffff_ffff_3c3c;
    [CORNERS, CALM, !(CORNERS | CALM)]
};

/// Writes a whole book. Nodes come out as NTest sorts them, whatever their order here; of two with
/// one position the first is kept.
///
/// # Errors
/// Those of the output.
pub fn write_ntest(
    output: &mut impl Write,
    version: NtestVersion,
    nodes: &[NtestNode],
) -> io::Result<()> {
    let mut sorted: Vec<&NtestNode> = nodes.iter().collect();
    sorted.sort_by_key(|node| (64 - node.position.empties(), order(node.position)));
    sorted.dedup_by_key(|node| node.position);
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

fn write_forest<W: Write>(out: &mut Summed<'_, W>, sorted: &[&NtestNode]) -> io::Result<()> {
    let index: HashMap<Position, usize, foldhash::fast::FixedState> =
        sorted.iter().enumerate().map(|(at, node)| (node.position, at)).collect();
    let mut written = vec![false; sorted.len()];
    for (at, root) in sorted.iter().enumerate() {
        if written.get(at).copied().unwrap_or(true) {
            continue;
        }
        out.words(&root.position.empty_squares().to_le_bytes())?;
        out.words(&root.position.mover.to_le_bytes())?;
        // Depth is bounded by the number of discs.
        let mut path = Vec::with_capacity(64);
        out.words(&root.bytes())?;
        mark(&mut written, at);
        path.push((root.position, moves_in_order(root.position)));
        while let Some((position, moves)) = path.last_mut() {
            let Some(square) = moves.pop() else {
                out.byte(0xff)?;
                path.pop();
                continue;
            };
            // A position after a pass is no child: it is the root of a tree of its own.
            let Some(After::Opponent(next)) = position.after(square) else { continue };
            let next = canonical(next);
            let Some(&child) = index.get(&next) else { continue };
            if written.get(child).copied().unwrap_or(true) {
                continue;
            }
            let Some(node) = sorted.get(child) else { continue };
            out.byte(square.number())?;
            out.words(&node.bytes())?;
            mark(&mut written, child);
            path.push((next, moves_in_order(next)));
        }
    }
    Ok(())
}

fn mark(written: &mut [bool], at: usize) {
    if let Some(written) = written.get_mut(at) {
        *written = true;
    }
}

/// NTest's order of moves, the first one last.
fn moves_in_order(position: Position) -> Vec<Square> {
    let legal = position.legal_moves().0;
    let mut moves: Vec<Square> =
        MOVE_GROUPS.iter().flat_map(|group| Squares(legal & group)).collect();
    moves.reverse();
    moves
}

fn write_records<W: Write>(out: &mut Summed<'_, W>, sorted: &[&NtestNode]) -> io::Result<()> {
    let values = values_from_below(sorted.iter().rev().copied());
    for node in sorted {
        out.words(&node.raw_bytes(values.get(&node.position).copied().unwrap_or_default()))?;
    }
    Ok(())
}

/// NTest's values by position: best guess, draws to the mover, draws to the opponent.
pub type NtestValues = HashMap<Position, [i16; 3], foldhash::fast::FixedState>;

/// NTest's three values of all nodes of a book, in centidiscs for the side to move, by NTest's own
/// rules.
#[must_use]
pub fn ntest_values(nodes: &[NtestNode]) -> NtestValues {
    let mut sorted: Vec<&NtestNode> = nodes.iter().collect();
    sorted.sort_by_key(|node| node.position.empties());
    values_from_below(sorted.into_iter())
}

fn values_from_below<'a>(nodes: impl Iterator<Item = &'a NtestNode>) -> NtestValues {
    let mut values = NtestValues::default();
    for node in nodes {
        let three = three_values(node, |next| values.get(&canonical(next)).copied());
        values.insert(node.position, three);
    }
    values
}

/// A proven result, in centidiscs.
const PROVEN: i16 = 10_000;

/// NTest's three values of a node: best guess, draws to the mover, draws to the opponent, in
/// centidiscs for its side to move.
fn three_values(node: &NtestNode, child: impl Fn(Position) -> Option<[i16; 3]>) -> [i16; 3] {
    match node.kind() {
        NtestKind::Leaf => [node.number; 3],
        NtestKind::Solved => solved(node.number),
        NtestKind::Branch => {
            let mut best = [super::layout::EXHAUSTED; 3];
            for square in node.position.legal_moves() {
                let values = match node.position.after(square) {
                    Some(After::Opponent(next)) => {
                        child(next).map(|[h, m, o]| [h, o, m].map(i16::saturating_neg))
                    }
                    Some(After::Same(next)) => child(next),
                    Some(After::Over(_)) => {
                        let end = node.position.play(square).map(|end| -end.final_score());
                        end.map(|discs| solved(i16::from(discs) * 100))
                    }
                    None => None,
                };
                let Some(values) = values else { continue };
                for (best, value) in best.iter_mut().zip(values) {
                    *best = (*best).max(value);
                }
            }
            best
        }
    }
}

const fn solved(value: i16) -> [i16; 3] {
    match value {
        1.. => [value, value.saturating_add(PROVEN), value.saturating_add(PROVEN)],
        0 => [0, PROVEN, -PROVEN],
        _ => [value, value.saturating_sub(PROVEN), value.saturating_sub(PROVEN)],
    }
}
