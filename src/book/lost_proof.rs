//! What a book would forget: a proof stands with the best move that is not a link, and goes with it when that
//! move becomes one, however little is known of the new node.

use super::graph::{LostProof, child_of};
use super::{Bounds, Node};
use crate::search::Proof;

impl Node {
    /// What is proven here and, by the rest, of the position behind it: what may be lost when the rest goes.
    /// Nothing where the rest proves nothing.
    pub fn proofs_with_rest(&self) -> impl Iterator<Item = LostProof> + use<> {
        let source = self.searched.source;
        let rest = self.rest.filter(|rest| rest.proof != Proof::None);
        let own = rest.map(|_| (self.key, self.values.bounds()));
        let behind = rest.and_then(|rest| {
            let (child, same_side) = child_of(self.key.position(), rest.square?)?;
            // The rest bounds every move that is not a link, so this one from both sides.
            let bounds = rest.values().bounds().seen_by_parent(same_side);
            Some((child, bounds))
        });
        own.into_iter()
            .chain(behind)
            .filter(|&(_, bounds)| bounds != Bounds::ALL)
            .map(move |(key, bounds)| LostProof { key, bounds, source })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Key, Line, Position};
    use crate::book::{MoveMask, Rest, Searched, SourceId, UNKNOWN, Values};
    use crate::score::Score;
    use crate::search::Selectivity;

    #[test]
    fn a_proof_holds_here_and_behind_its_move() {
        let line: Line = "f5d6c3".parse().unwrap();
        let key = Key::of(Position::START);
        let searched = Searched { depth: 60, selectivity: Selectivity::FULL, source: SourceId(3) };
        let rest = |proof| Rest {
            square: key.position().legal_moves().next(),
            score: Score::from_discs(4),
            proof,
        };
        let node = |proof, values| Node {
            key,
            links: MoveMask::NONE,
            rest: Some(rest(proof)),
            searched,
            values,
        };
        let child = Key::of(line.steps()[1].before.position);
        let found = |node: Node| -> Vec<(Key, i8, i8)> {
            let all = node.proofs_with_rest().inspect(|each| assert_eq!(each.source, SourceId(3)));
            all.map(|each| (each.key, each.bounds.lower, each.bounds.upper)).collect()
        };
        let exact = Values::of_search(Score::from_discs(4), Proof::Exact);
        assert_eq!(found(node(Proof::Exact, exact)), [(key, 4, 4), (child, -4, -4)]);
        assert_eq!(found(node(Proof::NotWon, UNKNOWN)), [(child, 0, 64)]);
        assert_eq!(found(node(Proof::None, exact)), []);
        assert_eq!(found(Node { rest: None, ..node(Proof::Exact, exact) }), []);
    }
}
