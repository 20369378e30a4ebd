//! What a record of Egaroucid's says, in our terms.

use crate::openbook::Rest;
use crate::othello::board::Square;
use crate::othello::score::{MAX_DISCS, Score};
use crate::othello::search::{Proof, Selectivity};

use super::layout::{NO_LEVEL, TYPED};
use super::{EgaroucidLeaf, EgaroucidRecord, plan};

impl EgaroucidRecord {
    /// Plies and selectivity that its level promises.
    pub fn searched(&self) -> (u8, Selectivity) {
        searched_at(self.level, self.position.empties())
    }

    /// The best move that is not in the book, with what its level proves; none where there is
    /// none, or where it is no move.
    pub fn rest(&self) -> Option<Rest> {
        let EgaroucidLeaf { value, level, .. } = self.leaf;
        Some(Rest {
            square: Some(self.leaf_square()?),
            score: Score::from_discs(value),
            proof: proof(level, value, self.position.empties()),
        })
    }

    /// The record's own value: what it is worth where no move leads to another record. None where
    /// it was never given one.
    pub(crate) fn alone(&self) -> Option<Rest> {
        let is_known = self.level != NO_LEVEL || self.value != 0;
        is_known.then(|| Rest {
            square: self.leaf_square(),
            score: Score::from_discs(self.value),
            proof: proof(self.level, self.value, self.position.empties()),
        })
    }

    /// The leaf move, turned back where Egaroucid stored it half a turn away.
    pub(crate) fn leaf_square(&self) -> Option<Square> {
        let stored = self.stored_leaf()?;
        let turned = Square::try_new(63 - stored.number())?;
        let legal = self.position.legal_moves();
        [stored, turned].into_iter().find(|&square| legal.contains(square))
    }

    /// The record with its leaf move where it belongs, or without one that is no move.
    #[must_use]
    pub(crate) fn with_sound_leaf(self) -> Self {
        if !self.leaf_is_turned() {
            return self;
        }
        let leaf = self.leaf_square().map_or(EgaroucidLeaf::UNKNOWN, |square| EgaroucidLeaf {
            played: square.number() as i8,
            ..self.leaf
        });
        Self { leaf, ..self }
    }

    /// Whether the leaf move is not legal as it is stored.
    pub(crate) fn leaf_is_turned(&self) -> bool {
        self.stored_leaf().is_some_and(|square| !self.position.legal_moves().contains(square))
    }

    fn stored_leaf(&self) -> Option<Square> {
        let EgaroucidLeaf { value, played, .. } = self.leaf;
        let square = Square::try_new(u8::try_from(played).ok()?)?;
        (-MAX_DISCS..=MAX_DISCS).contains(&value).then_some(square)
    }
}

/// What a value that a person typed is worth: so many plies, at full width.
const TYPED_PLIES: u8 = 9;

/// Depth and selectivity that a level promises; no plies for a value without one.
pub(super) fn searched_at(level: i8, empties: u8) -> (u8, Selectivity) {
    match u8::try_from(level) {
        Ok(level @ 0..=60) => plan(level, empties),
        _ if level == TYPED => (TYPED_PLIES.min(empties), Selectivity::FULL),
        _ => (0, Selectivity::FULL),
    }
}

/// A search to the end at full width proves an even score; a typed value proves nothing.
fn proof(level: i8, value: i8, empties: u8) -> Proof {
    let (depth, selectivity) = searched_at(level, empties);
    let exact = (0..=60).contains(&level) && depth >= empties && selectivity.is_full();
    if exact && value % 2 == 0 { Proof::Exact } else { Proof::None }
}
