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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Key, Position};
    use crate::book::{SourceId, UNKNOWN, links_of};
    use crate::score::Score;
    use crate::search::Selectivity;

    fn searched(depth: u8, source: u32) -> Searched {
        Searched { depth, selectivity: Selectivity::FULL, source: SourceId(source) }
    }

    /// After f5: three moves, all of them links, and what they lead to.
    fn node() -> (Node, Vec<Link>) {
        let start = Key::of(Position::START);
        let child = links_of(start, MoveMask::all_of(64)).next().unwrap().child;
        let links = MoveMask::all_of(3);
        let rest = None;
        let node =
            Node { key: child, links, rest, searched: searched(9, 0), values: Values::of_final(0) };
        let all = node.children().collect();
        (node, all)
    }

    fn legacy(centidiscs: i16, proof: Proof, depth: u8, source: u32) -> Legacy {
        let values = Values::of_search(Score::from_centidiscs(centidiscs), proof);
        Legacy { values, searched: searched(depth, source) }
    }

    #[test]
    fn the_rest_takes_the_search_of_the_best_that_goes_one_ply_deeper() {
        let (mut node, links) = node();
        let (worse, better) = (legacy(300, Proof::None, 20, 1), legacy(100, Proof::None, 12, 2));
        node.fold(&[(links[0], worse), (links[2], better)]);
        assert_eq!(node.searched, searched(13, 2));
        let rest = node.rest.unwrap();
        assert_eq!((rest.square, rest.score.centidiscs()), (Some(links[2].square), -100));
        // A rest that is better keeps its own.
        node.fold(&[(links[1], worse)]);
        assert_eq!((node.searched, node.rest), (searched(13, 2), Some(rest)));
        // No search looks further than to the end.
        let (mut again, links) = self::node();
        let deep = legacy(0, Proof::None, 60, 1);
        again.fold(&[(links[0], deep)]);
        assert_eq!(again.searched, searched(again.key.position().empties(), 1));
    }

    #[test]
    fn proofs_stay_as_far_as_a_rest_can_hold_them() {
        let folded = |removed: &[Legacy]| {
            let (mut node, links) = node();
            let removed: Vec<_> = links.into_iter().zip(removed.iter().copied()).collect();
            node.fold(&removed);
            node.rest.unwrap()
        };
        let rest = folded(&[legacy(-400, Proof::Exact, 9, 0), legacy(600, Proof::Loss, 9, 0)]);
        // The other move is proven to win, by how much is not known: then so is the whole.
        assert_eq!((rest.score.centidiscs(), rest.proof), (400, Proof::Win));
        let rest = folded(&[legacy(-400, Proof::Exact, 9, 0), legacy(200, Proof::Exact, 9, 0)]);
        assert_eq!((rest.score.centidiscs(), rest.proof), (400, Proof::Exact));
        let rest = folded(&[legacy(0, Proof::Exact, 9, 0), legacy(-500, Proof::None, 9, 0)]);
        assert_eq!((rest.score.centidiscs(), rest.proof), (500, Proof::NotLost));
        let rest = folded(&[legacy(100, Proof::None, 9, 0)]);
        assert_eq!((rest.score.centidiscs(), rest.proof), (-100, Proof::None));
    }

    #[test]
    fn a_due_search_is_not_forgotten() {
        let (node, links) = node();
        let due = Node { links: MoveMask::all_of(2), ..node };
        let best = legacy(-250, Proof::None, 7, 1);
        // What made the value stays as a value without a move: a search finds the move.
        let values = best.values.seen_by_parent(false);
        let mut cut = Node { values, ..due };
        cut.fold(&[(links[0], best)]);
        let rest = cut.rest.unwrap();
        assert_eq!((rest.square, rest.score.centidiscs(), rest.proof), (None, 250, Proof::None));
        // What made no difference goes, and the search stays due.
        let mut cut = Node { values: UNKNOWN, ..due };
        cut.fold(&[(links[0], legacy(300, Proof::None, 7, 1))]);
        assert!(cut.is_incomplete());
        assert_eq!(cut.searched, due.searched);
    }
}
