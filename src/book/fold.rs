//! Taking nodes out of a book without losing what they were worth to their parents.

use std::cmp::Reverse;

use crate::search::Proof;

use super::moves::endings;
use super::{Link, MoveMask, Node, Rest, Searched, Values};

/// What a node that goes leaves to those that link to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Legacy {
    /// Its values.
    pub values: Values,
    /// How it was searched.
    pub searched: Searched,
}

impl Legacy {
    /// What this node leaves.
    #[must_use]
    pub const fn of(node: &Node) -> Self {
        Self { values: node.values, searched: node.searched }
    }
}

impl Node {
    /// Makes links into moves that lead nowhere any more; `removed` are those whose nodes go. The
    /// rest then stands for them, too: its move is the best of them all, its search the one of that
    /// move's node, one ply deeper (of the next best where the best ends the game).
    ///
    /// The guess of the node stays what it was, and so does who is proven to win or to hold the
    /// draw. A rest has one score and one proof: a proven size that is not exact is lost, and where
    /// several moves come together, the two seeking values move by what lies between their scores.
    ///
    /// While a search is due, a rest without a move stands for all: a search finds the move. What is
    /// worse in everything than what stays leaves no trace then.
    pub fn fold(&mut self, removed: &[(Link, Legacy)]) {
        if removed.is_empty() {
            return;
        }
        let is_due = self.is_incomplete();
        let empties = self.key.position().empties();
        let gone = removed.iter().map(|&(link, Legacy { values, searched })| {
            let depth = searched.depth.saturating_add(1).min(empties);
            let searched = Searched { depth, ..searched };
            (Some(link.square), link.worth(values), Some(searched))
        });
        let of_gone = gone.clone().fold(Values::NONE, |all, (_, values, _)| all.max(values));
        let squares = removed.iter().fold(0, |set, (link, _)| set | link.square.bit());
        self.links = self.links.without(MoveMask::of_squares(self.key, squares));
        if is_due && is_below(of_gone, self.values) {
            return;
        }
        let rest = self.rest.map(|rest| (rest.square, rest.values(), Some(self.searched)));
        // What ends the game was not searched.
        let endings = endings(self.key).map(|ending| (ending.square, ending.values, None));
        let endings = endings.filter(|_| rest.is_none());
        let mut all: Vec<_> = rest.into_iter().chain(endings).chain(gone).collect();
        // The first of equals is the best: what is there before what goes.
        all.sort_by_key(|(_, values, _)| Reverse(values.guess));
        if let Some(searched) = all.iter().find_map(|&(.., searched)| searched) {
            self.searched = searched;
        }
        let square = all.first().filter(|_| !is_due).and_then(|&(square, ..)| square);
        let of_all = all.into_iter().fold(Values::NONE, |all, (_, values, _)| all.max(values));
        let upper = if is_due { 64 } else { of_all.upper };
        let proof = Proof::of_bounds(of_all.lower, upper);
        self.rest = Some(Rest { square, score: of_all.guess, proof });
    }
}

/// Whether a maximum over moves with these values is the same without this one.
fn is_below(part: Values, whole: Values) -> bool {
    part.guess < whole.guess
        && part.draw_seeking < whole.draw_seeking
        && part.win_seeking < whole.win_seeking
        && (part.lower < whole.lower || part.lower == -64)
}
