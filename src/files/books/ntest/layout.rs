//! What a node of an NTest book carries, and its bytes in both formats.

use crate::files::bytes::Fields;
use crate::othello::board::{Key, Position, Symmetry};

/// No unlisted move is left, as a cutoff in centidiscs.
pub(super) const EXHAUSTED: i16 = -16_400;
/// Not searched yet, as a cutoff in centidiscs.
pub(super) const NOT_SEARCHED: i16 = 16_400;

/// Empties at which NTest leaves the rest to its solver: a search that reaches the end has a height
/// of the empties less this.
pub(super) const SOLVER_EMPTIES: u8 = 8;

/// Bytes of a node in format 2.
pub(super) const NODE_BYTES: usize = 8;
/// Bytes of a node in format 1, board included.
pub(super) const RAW_BYTES: usize = 56;

/// What the number of a node means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NtestKind {
    /// The heuristic value.
    Leaf,
    /// The cutoff: a bound on every move that is not in the book.
    Branch,
    Solved,
}

/// One node as in the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NtestNode {
    /// The position in NTest's canonical orientation.
    pub position: Position,
    /// Times played in private and in public games.
    pub games: [u32; 2],
    /// Search height in plies; to the end it is the empties less 8.
    pub height: u8,
    /// Selectivity 0..=5; 0 is full width, 4 is the midgame's.
    pub prune: u8,
    /// Only the outcome (win, loss or draw) is solved.
    pub wld: bool,
    /// The height reaches the end of the game.
    pub known: bool,
    /// The height reaches the end at full width.
    pub proven: bool,
    /// The node has been the root of a search or was played.
    pub root: bool,
    /// Value or cutoff in centidiscs for the side to move.
    pub number: i16,
    /// Format 1 only: the three stored values in centidiscs: best guess, draws to the mover, draws
    /// to the opponent.
    pub stored: Option<[i16; 3]>,
}

impl NtestNode {
    /// The value of no move at all, in centidiscs: as a cutoff it says that no move is left.
    pub(crate) const NO_VALUE: i16 = EXHAUSTED;

    /// What its number means.
    pub const fn kind(&self) -> NtestKind {
        if self.proven {
            NtestKind::Solved
        } else if self.root {
            NtestKind::Branch
        } else {
            NtestKind::Leaf
        }
    }

    /// Takes the 8 bytes of format 2.
    pub(super) fn parse(position: Position, bytes: &[u8; NODE_BYTES]) -> Self {
        let mut fields = Fields(bytes);
        let games = [fields.u16(), fields.u16()].map(u32::from);
        let flags = fields.u16();
        Self {
            position,
            games,
            height: (flags >> 4 & 63) as u8,
            prune: (flags >> 10) as u8,
            wld: flags & 4 != 0,
            known: flags & 8 != 0,
            proven: flags & 1 != 0,
            root: flags & 2 != 0,
            number: fields.i16(),
            stored: None,
        }
    }

    /// The 8 bytes of format 2. Game counts above 65535 become 65535.
    pub(super) fn bytes(&self) -> [u8; NODE_BYTES] {
        let flags = u16::from(self.proven)
            | u16::from(self.root) << 1
            | u16::from(self.wld) << 2
            | u16::from(self.known) << 3
            | u16::from(self.height & 63) << 4
            | u16::from(self.prune & 63) << 10;
        let [private, public] = self.games.map(|games| u16::try_from(games).unwrap_or(u16::MAX));
        let mut bytes = [0; NODE_BYTES];
        let words = [private, public, flags, self.number.cast_unsigned()];
        for (to, word) in bytes.chunks_exact_mut(2).zip(words) {
            to.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    /// Whether padding in the 56 bytes of format 1 holds anything but zeros: NTest writes what
    /// happened to be in memory.
    pub(super) fn has_junk(bytes: &[u8; RAW_BYTES]) -> bool {
        let [.., a, b, c] = *bytes;
        let between = [26, 27, 41, 42, 43].iter().any(|&at| bytes[at] != 0);
        // Of the flags only the root and the writer's own scratch flag mean something.
        between || bytes[52] & !3 != 0 || [a, b, c] != [0; 3]
    }

    /// Takes the 56 bytes of format 1; padding may be anything.
    pub(super) fn parse_raw(bytes: &[u8; RAW_BYTES]) -> Self {
        let mut fields = Fields(bytes);
        let (empty, mover) = (fields.u64(), fields.u64());
        let (height, prune) = (fields.i32(), fields.i32());
        let (wld, known) = (fields.u8(), fields.u8());
        let _padding = fields.u16();
        let cutoff = fields.i32();
        let stored = [fields.i16(), fields.i16(), fields.i16()];
        let _values_set = fields.u16();
        let proven = fields.u8() != 0;
        let _padding = (fields.u16(), fields.u8());
        let games = [fields.u32(), fields.u32()];
        let root = fields.u8() & 1 != 0;
        let [value, ..] = stored;
        let number = if root && !proven {
            cutoff.clamp(i32::from(i16::MIN + 1), i32::from(i16::MAX)) as i16
        } else {
            value
        };
        Self {
            position: Position { mover, opponent: !(empty | mover) },
            games,
            height: height.clamp(0, 63) as u8,
            prune: prune.clamp(0, 63) as u8,
            wld: wld != 0,
            known: known != 0,
            proven,
            root,
            number,
            stored: Some(stored),
        }
    }

    /// The 56 bytes of format 1, with zeros for padding. `values` are the three values.
    pub(super) fn raw_bytes(&self, values: [i16; 3]) -> [u8; RAW_BYTES] {
        let cutoff = match self.kind() {
            NtestKind::Branch => self.number,
            NtestKind::Leaf | NtestKind::Solved => 0,
        };
        let mut all = Vec::with_capacity(RAW_BYTES);
        all.extend(self.position.empty_squares().to_le_bytes());
        all.extend(self.position.mover.to_le_bytes());
        all.extend(i32::from(self.height).to_le_bytes());
        all.extend(i32::from(self.prune).to_le_bytes());
        all.extend([u8::from(self.wld), u8::from(self.known), 0, 0]);
        all.extend(i32::from(cutoff).to_le_bytes());
        for value in values {
            all.extend(value.to_le_bytes());
        }
        all.extend([1, 1, u8::from(self.proven), 0, 0, 0]);
        for games in self.games {
            all.extend(games.to_le_bytes());
        }
        all.extend([u8::from(self.root), 0, 0, 0]);
        let mut bytes = [0; RAW_BYTES];
        for (to, from) in bytes.iter_mut().zip(all) {
            *to = from;
        }
        bytes
    }
}

/// NTest's canonical orientation: the image with the smallest (mover, empty), unsigned.
pub fn canonical(position: Position) -> Position {
    Symmetry::all()
        .map(|symmetry| symmetry.position(position))
        .min_by_key(|image| order(*image))
        .unwrap_or(position)
}

/// As [`canonical`], of a position in our own orientation: only where its mover's discs are
/// symmetric may it be another.
pub(crate) fn canonical_of(key: Key) -> Position {
    let position = key.position();
    let mover = position.mover;
    let is_symmetric = Symmetry::all().skip(1).any(|symmetry| symmetry.bits(mover) == mover);
    if is_symmetric { canonical(position) } else { position }
}

/// What NTest compares.
pub(super) const fn order(position: Position) -> (u64, u64) {
    (position.mover, position.empty_squares())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every byte of a record either says something or is padding.
    #[test]
    fn junk_is_what_no_field_holds() {
        let plain = NtestNode::parse_raw(&[0; RAW_BYTES]);
        assert!(!NtestNode::has_junk(&[0; RAW_BYTES]));
        let mut junk = Vec::new();
        for at in 0..RAW_BYTES {
            let mut bytes = [0; RAW_BYTES];
            bytes[at] = 0x80;
            if NtestNode::has_junk(&bytes) {
                assert_eq!(NtestNode::parse_raw(&bytes), plain, "byte {at}");
                junk.push(at);
            }
        }
        assert_eq!(junk, [26, 27, 41, 42, 43, 52, 53, 54, 55]);
        let mut root = [0; RAW_BYTES];
        root[52] = 3;
        assert!(!NtestNode::has_junk(&root) && NtestNode::parse_raw(&root).root);
    }
}
