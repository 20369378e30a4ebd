//! Taking a node out of a book without losing what it was worth to its parents.

use crate::board::{After, Square};
use crate::search::Proof;

use super::{MoveMask, Node, Rest, Values};

impl Node {
    /// Makes links into moves that lead nowhere any more: `removed` are their squares with what
    /// they were worth to this node. The rest then stands for them too, so that the value of the
    /// node stays what it was. When nothing was known of some other move, a search stays due.
    pub fn fold(&mut self, removed: &[(Square, Values)]) {
        if removed.is_empty() {
            return;
        }
        let was_incomplete = self.is_incomplete();
        let known_rest =
            self.rest.map(|rest| (rest.square, Values::of_search(rest.score, rest.proof)));
        let endings: Vec<(Option<Square>, Values)> = if self.rest.is_some() {
            Vec::new()
        } else {
            let position = self.key.position();
            let ending = |square| match position.after(square) {
                Some(After::Over(discs)) => Some((Some(square), Values::of_final(discs))),
                _ => None,
            };
            self.unlinked().filter_map(ending).collect()
        };
        let squares = removed.iter().fold(0, |set, (square, _)| set | square.bit());
        self.links = self.links.without(MoveMask::of_squares(self.key, squares));
        if was_incomplete {
            return;
        }
        let moves = removed.iter().map(|&(square, values)| (Some(square), values));
        let mut all = known_rest.into_iter().chain(endings).chain(moves);
        let Some(first) = all.next() else { return };
        // The first of equals stays: what is there before what is removed.
        let (best, together) = all.fold((first, first.1), |(best, together), other| {
            let best = if other.1.guess > best.1.guess { other } else { best };
            (best, together.max(other.1))
        });
        let together = together.settled();
        let proof = proof_of(together.lower, together.upper);
        self.rest = Some(Rest { square: best.0, score: together.guess, proof });
    }
}

/// The strongest proof that bounds allow to be kept.
const fn proof_of(lower: i8, upper: i8) -> Proof {
    match (lower, upper) {
        (lower, upper) if lower == upper => Proof::Exact,
        (1.., _) => Proof::Win,
        (_, ..=-1) => Proof::Loss,
        (0, _) => Proof::NotLost,
        (_, 0) => Proof::NotWon,
        _ => Proof::None,
    }
}
