//! What others have proven: facts, and the values of a book that believes them.
//!
//! A node has the values of its searches. Where facts say more it is *known* to be worth something
//! else: the maximum over what its links are known to be worth and its rest, held inside the bounds
//! of its own facts. Known values are kept only for nodes at which they differ from the searched ones.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::othello::board::{After, Key};

use super::propagate::{Dirty, derived, parent_keys};
use super::{
    Bounds, Child, Evidence, Held, Link, MoveMask, Node, NodeSource, Values, child_of, links_of,
};

/// What a fact cannot be true beside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Against {
    /// A proof of our own of the same position.
    Proof(Bounds),
    /// A fact of this position: of the same, or of one that is a move away.
    Fact(Key, Bounds),
    /// What facts say of all its moves together.
    Moves(Bounds),
    /// The board: the game is over there, with this result.
    End(i8),
}

/// What is to be done with a fact that comes in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It says more than the facts that are there.
    New,
    /// It says nothing that these do not say.
    Known,
    /// It cannot be true beside what is there, which stays.
    Refused(Against),
}

/// Judges a fact by what a book has: the board where the game is over, its own proofs, and the facts of this position and of those one
/// move before and after it.
pub fn judge_fact<S: NodeSource + ?Sized>(
    book: &S,
    key: Key,
    fact: Bounds,
) -> Result<Verdict, S::Error> {
    let refused = |against| Ok(Verdict::Refused(against));
    if !key.position().can_move() {
        let end = key.position().final_score();
        let agrees = fact.lower <= end && end <= fact.upper;
        return if agrees { Ok(Verdict::Known) } else { refused(Against::End(end)) };
    }
    let present = believed_facts(book, key)?;
    if let Some(&other) = present.iter().find(|other| other.meet(fact).is_none()) {
        return refused(Against::Fact(key, other));
    }
    let together = present.into_iter().try_fold(Bounds::ALL, Bounds::meet);
    if together.is_some_and(|known| known.meet(fact) == Some(known)) {
        return Ok(Verdict::Known);
    }
    if let Some(node) = book.node(&key)?
        && node.values.bounds().meet(fact).is_none()
    {
        return refused(Against::Proof(node.values.bounds()));
    }
    if !book.has_facts()? {
        return Ok(Verdict::New);
    }
    // No move is worth more than its position, and one of them is worth as much.
    let position = key.position();
    let mut best = Bounds { lower: -64, upper: -64 };
    for square in position.legal_moves() {
        let bounds = match position.after(square) {
            Some(After::Over(discs)) => Bounds { lower: discs, upper: discs },
            _ => {
                let Some((child, same_side)) = child_of(position, square) else { continue };
                let mut bounds = Bounds::ALL;
                for other in believed_facts(book, child)? {
                    let seen = other.seen_by_parent(same_side);
                    if seen.lower > fact.upper {
                        return refused(Against::Fact(child, other));
                    }
                    bounds = bounds.meet(seen).unwrap_or(bounds);
                }
                bounds
            }
        };
        best = best.max(bounds);
    }
    if best.meet(fact).is_none() {
        return refused(Against::Moves(best));
    }
    for parent in parent_keys(position) {
        for other in believed_facts(book, parent)? {
            let leads = |link: &Link| link.child == key;
            let Some(link) = links_of(parent, MoveMask::all_of(64)).find(leads) else { continue };
            if fact.seen_by_parent(link.same_side).lower > other.upper {
                return refused(Against::Fact(parent, other));
            }
        }
    }
    Ok(Verdict::New)
}

/// The facts of a position that our own searches have not disproved.
fn believed_facts<S: NodeSource + ?Sized>(book: &S, key: Key) -> Result<Vec<Bounds>, S::Error> {
    let mut facts = book.facts_of(&key)?;
    if !facts.is_empty()
        && let Some(node) = book.node(&key)?
    {
        facts.retain(|fact| fact.meet(node.values.bounds()).is_some());
    }
    Ok(facts)
}

/// What all nodes are known to be worth at which that differs from their searches, found from the
/// facts alone. `keys` are the positions that there are facts of, in the book or not.
pub fn all_known_values<S: NodeSource + ?Sized>(
    book: &S,
    keys: impl IntoIterator<Item = Key>,
) -> Result<HashMap<Key, Values, FixedState>, S::Error> {
    let mut known: HashMap<Key, Values, FixedState> = HashMap::default();
    let mut due = Dirty::default();
    keys.into_iter().for_each(|key| due.mark(key));
    loop {
        let keys = due.take_deepest();
        if keys.is_empty() {
            return Ok(known);
        }
        let nodes: Vec<Node> = book.nodes(&keys)?.into_iter().flatten().collect();
        let children = nodes.iter().flat_map(Node::children).map(|link| link.child);
        let mut children: Vec<Key> = children.collect();
        children.sort_unstable();
        children.dedup();
        let found = book.nodes(&children)?.into_iter().flatten();
        let searched: HashMap<Key, Child, FixedState> =
            found.map(|child| (child.key, Child::from(&child))).collect();
        for node in nodes {
            let facts = book.facts_of(&node.key)?;
            let held = book.held(&node)?;
            let derived = derived(&node, &held, |child: Key| {
                let searched = searched.get(&child).copied();
                Ok(searched.map(|searched| match known.get(&child) {
                    Some(&values) => Child { values, ..searched },
                    None => searched,
                }))
            });
            let Ok(derived): Result<_, std::convert::Infallible> = derived;
            let values = derived.values.believing(&facts);
            if values != node.values {
                known.insert(node.key, values);
                parent_keys(node.key.position()).into_iter().for_each(|parent| due.mark(parent));
            }
        }
    }
}

/// A book whose nodes have the values that they are known to have. Where a book has no facts it costs
/// nothing.
#[derive(Debug)]
pub struct WithFacts<'a, S: ?Sized> {
    source: &'a S,
    has_facts: bool,
}

impl<'a, S: NodeSource + ?Sized> WithFacts<'a, S> {
    /// A book with what is known from facts.
    pub fn of(source: &'a S) -> Result<Self, S::Error> {
        Ok(Self { source, has_facts: source.has_facts()? })
    }

    /// A book by its searches alone, for a caller that chooses at run time.
    pub fn without(source: &'a S) -> Self {
        Self { source, has_facts: false }
    }

    /// What searches say of a node that is known to be worth these values, where that is something
    /// else.
    pub fn searched(&self, key: &Key, known: Values) -> Result<Option<Values>, S::Error> {
        if !self.has_facts {
            return Ok(None);
        }
        let searched = self.source.node(key)?.map(|node| node.values);
        Ok(searched.filter(|&searched| searched != known))
    }
}

impl<S: NodeSource + ?Sized> NodeSource for WithFacts<'_, S> {
    type Error = S::Error;

    fn held(&self, node: &Node) -> Result<Held, S::Error> {
        self.source.held(node)
    }

    fn node(&self, key: &Key) -> Result<Option<Node>, S::Error> {
        Ok(self.nodes(std::slice::from_ref(key))?.into_iter().next().flatten())
    }

    fn nodes(&self, keys: &[Key]) -> Result<Vec<Option<Node>>, S::Error> {
        let mut nodes = self.source.nodes(keys)?;
        if self.has_facts {
            for (node, known) in nodes.iter_mut().zip(self.source.known(keys)?) {
                if let (Some(node), Some(values)) = (node, known) {
                    node.values = values;
                    if values.is_exact() {
                        node.evidence = Evidence::EXACT;
                    }
                }
            }
        }
        Ok(nodes)
    }
}
