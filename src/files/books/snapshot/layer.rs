//! The bytes of a layer before they are compressed: written keys, link bits, columns.

use std::io::{BufReader, Read};

use crate::openbook::{MoveMask, Node, Rest, Searched, SourceId};
use crate::othello::board::{CpuLevel, Key, Square, Successors};
use crate::othello::score::Score;
use crate::othello::search::{Proof, Selectivity};
use crate::store::storage_order;

use super::bits::{BitReader, BitWriter};
use super::parts::SnapshotError;

/// The most bytes of a node beside its key: two bits for each of at most 34 moves, rest, depth,
/// selectivity, source, proof and score.
pub(super) const MOST_OF_NODE: u64 = 10 + 1 + 1 + 1 + 4 + 3;
const NO_SQUARE: u8 = 254;
const NO_REST: u8 = 255;

/// A node of a snapshot: links and values follow from the whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SnapshotNode {
    pub key: Key,
    /// The best move that its search found, with its score.
    pub rest: Option<Rest>,
    pub searched: Searched,
    /// The moves that its search left out.
    pub left_out: MoveMask,
}

/// A layer as it is written.
pub(super) struct Encoded {
    /// How many keys are written out.
    pub written: usize,
    /// All bytes.
    pub raw: Vec<u8>,
    /// The keys of the next layer that follow from this one.
    pub led_to: Vec<Key>,
}

/// The bytes of the nodes of a layer, of which some keys follow from the layer before.
pub(super) fn encode(nodes: &[Node], known: &[Key]) -> Encoded {
    let written: Vec<Key> =
        nodes.iter().map(|node| node.key).filter(|key| find(known, *key).is_err()).collect();
    let mut raw = Vec::with_capacity(nodes.len() * 10);
    written.iter().for_each(|key| raw.extend(key.to_bytes()));
    let mut bits = BitWriter::default();
    let mut next = Vec::new();
    for node in nodes {
        let position = node.key.position();
        bits.push(node.links.bits(), position.legal_moves().len());
        next.extend(node.children().map(|link| link.child));
    }
    // Of most nodes the search left out what is a link.
    let mut differing = BitWriter::default();
    for node in nodes {
        let bits = node.links.bits() ^ node.left_out.bits();
        differing.push(bits, node.key.position().legal_moves().len());
    }
    raw.append(&mut bits.bytes);
    raw.append(&mut differing.bytes);
    raw.extend(nodes.iter().map(rest_byte));
    raw.extend(nodes.iter().map(|node| node.searched.depth));
    raw.extend(nodes.iter().map(|node| node.searched.selectivity.percent()));
    for plane in 0..4 {
        raw.extend(nodes.iter().map(|node| node.searched.source.0.to_le_bytes()[plane]));
    }
    let rests = || nodes.iter().filter_map(|node| node.record);
    raw.extend(rests().map(|rest| rest.proof.number()));
    for plane in 0..2 {
        raw.extend(rests().map(|rest| rest.score.centidiscs().to_le_bytes()[plane]));
    }
    Encoded { written: written.len(), raw, led_to: in_order(next) }
}

/// Positions whose links are followed together.
const AT_ONCE: usize = 64;

/// The nodes of a layer, and the keys that their links lead to.
pub(super) fn decode(
    discs: u8,
    count: usize,
    written: usize,
    raw: &[u8],
    mut keys: Vec<Key>,
    has_left_out: bool,
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
    let mut links = Vec::with_capacity(count);
    for keys in keys.chunks(AT_ONCE) {
        for key in keys {
            let position = key.position();
            let of_node = bits.next(position.legal_moves().len()).ok_or(SHORT)?;
            linked.push((position, of_node));
            links.push(of_node);
        }
        successors.find_some(cpu, linked.drain(..));
        led_to.extend(successors.all().iter().map(|successor| successor.next));
    }
    columns.next(bits.at.div_ceil(8)).ok_or(SHORT)?;
    if has_left_out {
        let mut bits = BitReader { bytes: columns.0, at: 0 };
        for (key, links) in keys.iter().zip(&mut links) {
            *links ^= bits.next(key.position().legal_moves().len()).ok_or(SHORT)?;
        }
        columns.next(bits.at.div_ceil(8)).ok_or(SHORT)?;
    }
    let mut column = || columns.next(count).ok_or(SHORT);
    let (rests, depths, selectivities) = (column()?, column()?, column()?);
    let sources = [column()?, column()?, column()?, column()?];
    let with_rest = rests.iter().filter(|&&rest| rest != NO_REST).count();
    let mut column = || columns.next(with_rest).ok_or(SHORT);
    let (proofs, low, high) = (column()?, column()?, column()?);
    let mut scores = proofs.iter().zip(low.iter().zip(high));
    let mut nodes = Vec::with_capacity(count);
    for (index, (&key, &byte)) in keys.iter().zip(rests).enumerate() {
        const WRONG: SnapshotError = SnapshotError::Damaged("a search is not valid");
        let rest = if byte == NO_REST {
            None
        } else {
            let (&proof, (&low, &high)) = scores.next().ok_or(SHORT)?;
            let square = match byte {
                NO_SQUARE => None,
                index => Some(nth_move(key, index).ok_or(WRONG)?),
            };
            let score = Score::from_centidiscs(i16::from_le_bytes([low, high]));
            let rest = Rest { square, score, proof: Proof::numbered(proof).ok_or(WRONG)? };
            Some(rest.has_possible_score().then_some(rest).ok_or(WRONG)?)
        };
        let at = |column: &[u8]| column.get(index).copied().unwrap_or_default();
        let depth = at(depths);
        if depth > Searched::MOST_PLIES {
            return Err(SnapshotError::Damaged("a depth is not valid"));
        }
        let searched = Searched {
            depth,
            selectivity: Selectivity::from_percent(at(selectivities)).ok_or(WRONG)?,
            source: SourceId(u32::from_le_bytes(sources.map(at))),
        };
        let left_out = MoveMask::from_bits(links.get(index).copied().unwrap_or_default());
        nodes.push(SnapshotNode { key, rest, searched, left_out });
    }
    Ok((nodes, in_order(led_to)))
}

fn rest_byte(node: &Node) -> u8 {
    match node.record.map(|rest| rest.square) {
        None => NO_REST,
        Some(None) => NO_SQUARE,
        Some(Some(square)) => node.key.position().legal_moves().index_of(square) as u8,
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

/// Unpacks a layer: its written keys, and so many bytes of columns. Memory grows by keys that are
/// boards with so many discs, each after the one before.
pub(super) fn unpacked_layer(
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

fn stored_key(discs: u8, bytes: &[u8]) -> Result<Key, SnapshotError> {
    let key = bytes.try_into().ok().and_then(Key::from_bytes);
    key.filter(|key| key.discs() == discs).ok_or(SnapshotError::Damaged("a key is not valid"))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::board::Position;

    #[test]
    fn a_depth_that_no_game_has_is_damage() {
        let key = Key::of(Position::START);
        let read = |depth| {
            let (selectivity, source) = (Selectivity::FULL, SourceId(0));
            let rest = Rest {
                square: nth_move(key, 0),
                score: Score::from_centidiscs(0),
                proof: Proof::None,
            };
            let searched = Searched { depth, selectivity, source };
            let node = Node::new(key, Some(rest), searched);
            let Encoded { written, raw, .. } = encode(&[node], &[]);
            decode(key.discs(), 1, written, &raw, Vec::new(), true)
                .map(|(nodes, _)| nodes[0].searched)
        };
        assert_eq!(read(60).unwrap().depth, 60);
        for depth in [61, u8::MAX] {
            let said = read(depth).unwrap_err().to_string();
            assert!(said.contains("a depth is not valid"), "{said}");
        }
    }
}
