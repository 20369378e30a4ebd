//! Taking nodes out of a book without losing what they were worth to their parents.

use std::cmp::Reverse;

use crate::othello::search::{Proof, Selectivity};

use super::{
    Bounds, Evidence, Held, Link, MoveMask, Node, Record, Rest, Searched, SourceId, SourceOrder,
    SourcedBounds, Values, holding_record,
};

/// What a node that goes leaves to those that link to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Legacy {
    pub values: Values,
    /// How sure they are.
    pub evidence: Evidence,
    /// The source of the search.
    pub source: SourceId,
}

impl Legacy {
    pub(crate) const fn of(node: &Node) -> Self {
        Self { values: node.values, evidence: node.evidence, source: node.searched.source }
    }
}

impl Node {
    /// Makes links into moves that lead nowhere any more; `removed` are those whose nodes go, `held` is all
    /// that is kept of this node, and becomes what is kept from now on.
    ///
    /// Of the links that counted and the valid records one record is made: its move is the best of them all,
    /// it covered all of them, and it is as deep as the shallowest of these records and of the plies that each
    /// link's evidence bears. Links that were held just go.
    ///
    /// The guess of the node stays what it was, and so does all that is proven of it: as bounds where the
    /// record does not say it. Where several moves come together, the two seeking values move by what lies
    /// between their scores.
    pub(crate) fn fold(
        &mut self,
        held: &mut Held,
        removed: &[(Link, Legacy)],
        order: &SourceOrder,
    ) {
        if removed.is_empty() {
            return;
        }
        let proven = self.values.bounds();
        self.fold_counting(held, removed, order);
        let proves =
            |(link, left): &&(Link, Legacy)| link.worth(left.values).bounds() != Bounds::ALL;
        if let Some((_, left)) = removed.iter().find(proves)
            && proven != Bounds::ALL
        {
            held.bounds.push(SourcedBounds { bounds: proven, source: left.source });
            held.tidy(self.key, order);
        }
        self.more = held.is_more();
    }

    fn fold_counting(&mut self, held: &mut Held, removed: &[(Link, Legacy)], order: &SourceOrder) {
        let (key, empties) = (self.key, self.key.position().empties());
        let squares = removed.iter().fold(0, |set, (link, _)| set | link.square.bit());
        let gone = MoveMask::of_squares(key, squares);
        self.links = self.links.without(gone);
        let counting: Vec<(Link, Legacy)> = removed
            .iter()
            .filter(|(link, left)| {
                let child = Node {
                    values: left.values,
                    evidence: left.evidence,
                    ..Node::new(link.child, None, self.searched)
                };
                holding_record(self, held, *link, &child).is_none()
            })
            .copied()
            .collect();
        if counting.is_empty() {
            return;
        }
        let answered = |(link, left): &(Link, Legacy)| {
            let depth = left.evidence.through_link().plies(empties);
            let searched =
                Searched { depth, selectivity: Selectivity::LOWEST, source: left.source };
            (Some(link.square), link.worth(left.values), searched)
        };
        let mut parts: Vec<_> = Vec::new();
        let mut covered = MoveMask::of_squares(
            key,
            counting.iter().fold(0, |set, (link, _)| set | link.square.bit()),
        );
        let all = MoveMask::all_of(key.position().legal_moves().len());
        // The row holds the record that answers; other valid ones have smaller scores.
        if let Some(record) = self.own_record().filter(|_| self.stands) {
            parts.push((record.rest.square, record.rest.values(), record.searched));
            covered = covered.union(all.without(record.left_out));
        }
        parts.extend(counting.iter().map(answered));
        // The first of equals is the best: what is there before what goes.
        parts.sort_by_key(|(_, values, _)| Reverse(values.guess));
        let of_all = parts.iter().fold(Values::NONE, |all, &(_, values, _)| all.max(values));
        let Some(&(square, _, best)) = parts.first() else { return };
        let depth = parts.iter().map(|(.., searched)| searched.depth).min().unwrap_or(0);
        let selectivity = match parts.as_slice() {
            [(.., searched)] => searched.selectivity,
            _ => Selectivity::LOWEST,
        };
        let record = Record {
            rest: Rest {
                square,
                score: of_all.guess,
                proof: Proof::of_bounds(of_all.lower, of_all.upper),
            },
            searched: Searched { depth, selectivity, ..best },
            left_out: all.without(covered),
        };
        held.replace(key, Some(record), order);
        self.set_record(Some(record));
        self.stands = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openbook::{Derived, links_of, propagate};
    use crate::othello::board::{Key, Position};
    use crate::othello::score::Score;
    use std::convert::Infallible;

    fn searched(depth: u8, source: u32) -> Searched {
        Searched { depth, selectivity: Selectivity::FULL, source: SourceId(source) }
    }

    /// After f5: three moves, the first ones links, and what they lead to.
    fn node(links: usize) -> (Node, Vec<Link>) {
        let start = Key::of(Position::START);
        let child = links_of(start, MoveMask::all_of(64)).next().unwrap().child;
        let links = MoveMask::all_of(links);
        let node = Node { links, left_out: links, ..Node::new(child, None, searched(9, 0)) };
        let all = node.children().collect();
        (node, all)
    }

    fn legacy(centidiscs: i16, proof: Proof, depth: u8, source: u32) -> Legacy {
        let values = Values::of_search(Score::from_centidiscs(centidiscs), proof);
        let evidence = match values.is_exact() {
            true => Evidence::EXACT,
            false => Evidence::of_search(58, depth, Selectivity::LOWEST),
        };
        Legacy { values, evidence, source: SourceId(source) }
    }

    /// What follows for a node whose links lead to these.
    fn derived(node: &Node, held: &Held, below: &[(Link, Legacy)]) -> Derived {
        let child = |key: Key| {
            let (_, left) = below.iter().find(|(link, _)| link.child == key).unwrap();
            let child = Node::new(key, None, node.searched);
            let (values, evidence) = (left.values, left.evidence);
            Ok::<_, Infallible>(Some((&Node { values, evidence, ..child }).into()))
        };
        let Ok(derived) = propagate::derived(node, held, child);
        derived
    }

    #[test]
    fn the_record_of_what_goes_is_as_deep_as_the_shallowest_of_it() {
        let (mut node, links) = node(3);
        let mut held = Held::of(&node);
        let all: Vec<_> = links
            .iter()
            .copied()
            .zip([(300, 20), (250, 16), (100, 12)])
            .map(|(link, (score, depth))| {
                (link, legacy(score, Proof::None, depth, u32::from(depth)))
            })
            .collect();
        let before = derived(&node, &held, &all);
        node.fold(&mut held, &[all[0], all[2]], &SourceOrder::default());
        let record = node.own_record().unwrap();
        // The link of 12 plies bears a search of two plies more here.
        assert_eq!((record.searched.depth, record.searched.source), (14, SourceId(12)));
        assert_eq!(record.rest.square, Some(links[2].square));
        assert_eq!(record.left_out, MoveMask::NONE.with(1));
        assert_eq!(derived(&node, &held, &all).values, before.values);
        // What is left can go, too.
        node.fold(&mut held, &[all[1]], &SourceOrder::default());
        let record = node.own_record().unwrap();
        assert_eq!(
            (record.rest.square, record.rest.score.centidiscs()),
            (Some(links[2].square), -100)
        );
        assert_eq!((record.left_out, node.links), (MoveMask::NONE, MoveMask::NONE));
        assert_eq!(derived(&node, &held, &all).values, before.values);
    }

    #[test]
    fn what_is_held_just_goes() {
        let (mut node, links) = node(1);
        let deep = Record {
            rest: Rest { square: links[0].square.into(), score: Score::ZERO, proof: Proof::None },
            searched: searched(20, 0),
            left_out: MoveMask::NONE,
        };
        node.set_record(Some(deep));
        let mut held = Held::of(&node);
        node.fold(
            &mut held,
            &[(links[0], legacy(-900, Proof::None, 3, 1))],
            &SourceOrder::default(),
        );
        assert_eq!((node.own_record(), node.links), (Some(deep), MoveMask::NONE));
    }

    #[test]
    fn proofs_stay_as_far_as_a_record_can_hold_them() {
        let folded = |removed: &[Legacy]| {
            let (mut node, links) = node(removed.len());
            let removed: Vec<_> = links.into_iter().zip(removed.iter().copied()).collect();
            node.fold(&mut Held::of(&node.clone()), &removed, &SourceOrder::default());
            node.record.unwrap()
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
        let (mut node, links) = node(2);
        let mut held = Held::of(&node);
        let all =
            [(links[0], legacy(-250, Proof::None, 7, 1)), (links[1], legacy(0, Proof::None, 7, 1))];
        assert!(derived(&node, &held, &all).due);
        node.fold(&mut held, &all, &SourceOrder::default());
        let now = derived(&node, &held, &[]);
        assert!(now.due, "the third move was never searched");
        assert_eq!(now.values.guess.centidiscs(), 250);
    }
}
