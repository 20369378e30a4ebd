//! Our nodes as NTest has them: what a position becomes, and the best move out of the book as a
//! position of its own.

use crate::files::books::likeliest::likeliest;
use crate::openbook::{Node, Rest, child_of};
use crate::othello::board::{Bitboard, Key};
use crate::othello::search::Proof;

use super::layout::EXHAUSTED;
use super::level::{NtestLevel, Thoroughness};
use super::{NtestNode, canonical_of};

/// What a position is in a book of NTest's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NtestRole {
    /// Nothing is known of its value: it has no place.
    Nothing,
    /// Its result is proven, or only the winner.
    Solved {
        /// Only the sign is proven.
        wld: bool,
    },
    /// It has a value and no moves.
    Leaf,
    /// The winner is proven, where NTest would need the margin: an estimate.
    UnsizedLeaf,
    /// The book goes on here, but so near to the end NTest has no branches.
    NearEndLeaf,
    /// A branch, if every other move is covered: see [`Deviation`].
    Branch,
}

impl NtestRole {
    pub(crate) fn of(node: &Node, level: NtestLevel) -> Self {
        let empties = node.key.position().empties();
        if node.values.is_exact() {
            Self::Solved { wld: false }
        } else if node.values.is_decided() {
            match empties <= level.exact_from() {
                true => Self::UnsizedLeaf,
                false => Self::Solved { wld: true },
            }
        } else if node.links.is_empty() {
            match node.rest().is_none() && node.is_incomplete() {
                true => Self::Nothing,
                false => Self::Leaf,
            }
        } else if empties <= level.solves_from() {
            Self::NearEndLeaf
        } else {
            Self::Branch
        }
    }
}

/// How thoroughly a node that is not solved was searched, in NTest's terms.
pub(crate) fn thoroughness(node: &Node) -> Thoroughness {
    let empties = node.key.position().empties();
    match node.values.is_decided() {
        true => Thoroughness::almost_solved(empties),
        false => Thoroughness::of_search(node.searched, empties),
    }
}

/// A move out of the book, as the position that it leads to: NTest sees nothing else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Deviation {
    pub key: Key,
    /// Its value in centidiscs for its side to move.
    pub value: i16,
    /// How thoroughly it was searched: a ply less than the position before it.
    pub search: Thoroughness,
    /// Its value is proven, which the file leaves out: NTest would search for another one.
    pub proven: bool,
}

impl Deviation {
    /// Of the best move out of the book; where that is none of the moves that are left, of the
    /// likeliest of them. None when no move is left.
    pub(crate) fn of(node: &Node, rest: Rest, left: Bitboard) -> Option<Self> {
        let position = node.key.position();
        let square = rest.square.filter(|square| left & square.bit() != 0);
        let square = square.or_else(|| likeliest(position, left))?;
        let (key, same_side) = child_of(position, square)?;
        let value = rest.score.centidiscs();
        let empties = key.position().empties();
        let proven = rest.proof != Proof::None;
        let mut searched = node.searched;
        searched.depth = searched.depth.saturating_sub(1);
        Some(Self {
            key,
            value: if same_side { value } else { -value },
            search: match proven {
                true => Thoroughness::almost_solved(empties),
                false => Thoroughness::of_search(searched, empties),
            },
            proven,
        })
    }
}

impl NtestNode {
    /// A solved position with its value in centidiscs for its side to move.
    pub(crate) fn solved(key: Key, value: i16, wld: bool) -> Self {
        let search = Thoroughness::solved(key.position().empties(), wld);
        Self { proven: true, root: true, ..Self::leaf(key, value, search) }
    }

    /// An unsolved position without moves.
    pub(crate) fn leaf(key: Key, value: i16, search: Thoroughness) -> Self {
        let unsearched = Self {
            position: canonical_of(key),
            games: [0, 0],
            height: 0,
            prune: 0,
            wld: false,
            known: false,
            proven: false,
            root: false,
            number: value,
            stored: None,
        };
        unsearched.claiming(search)
    }

    /// The same node, said to be searched like this.
    pub(crate) fn claiming(self, search: Thoroughness) -> Self {
        let Thoroughness { height, prune, wld } = search;
        let known = height >= Thoroughness::end(self.position.empties());
        Self { height, prune, wld, known, ..self }
    }

    /// An unsolved position with moves: `cutoff` bounds those that are not in the book, in
    /// centidiscs for its side to move; none when all are.
    pub(crate) fn branch(key: Key, cutoff: Option<i16>, search: Thoroughness) -> Self {
        Self { root: true, ..Self::leaf(key, cutoff.unwrap_or(EXHAUSTED), search) }
    }

    /// How thoroughly it says to have been searched.
    pub const fn search(&self) -> Thoroughness {
        Thoroughness { height: self.height, prune: self.prune, wld: self.wld }
    }
}
