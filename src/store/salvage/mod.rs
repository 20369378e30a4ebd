//! Salvage: what is sound in a damaged book, as a new one.
//!
//! A leaf: nothing in the store needs it. It reads the damaged file by [`super::pages`], without SQLite, writes the new
//! book as every caller of [`Book`] does, and knows of the other tables only what their rows look like. Begin with
//! [`salvage`], then [`damaged_book`].

mod analyses;
mod damaged_book;
mod facts;
mod games;
mod history;
mod records;

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::openbook::propagate::derived;
use crate::openbook::{
    Child, Held, LayerValues, Link, MoveMask, Node, NodeSource, Record, Rest, Searched, Source,
    SourceId, Values,
};
use crate::othello::board::Key;
use crate::othello::search::{Proof, Selectivity};

use super::{Book, NewNode, StoreError};

pub use damaged_book::Wreck;
pub use games::SavedGame;

/// What was saved of a damaged book.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Salvaged {
    /// Positions that are in the new book.
    pub positions: u64,
    /// Those of them that were taken from elsewhere, because the damaged book had lost them.
    pub spare: u64,
    /// Facts that are in the new book.
    pub facts: u64,
}

/// Saves every node that can be read and makes sense into an empty book; links and values are found
/// anew. Guesses stay what they were, and so does a proven winner: where a link led to a node that is
/// lost, its worth becomes the rest of the node above. `spare` are records, by discs, for nodes that
/// are lost; their sources are those of the new book. Commits.
pub fn salvage(
    from: &Wreck,
    to: &mut Book,
    mut spare: BTreeMap<u8, Vec<NewNode>>,
) -> Result<Salvaged, StoreError> {
    let mut salvaged = Salvaged::default();
    let mut numbers = HashMap::new();
    for (id, source) in from.source_ids() {
        numbers.insert(id, to.source_id(source)?);
    }
    for (&id, packed) in &from.originals {
        if let Some(&number) = numbers.get(&SourceId(id)) {
            to.originals().keep(number, packed)?;
        }
    }
    // What is there of the layer below, with the values that the nodes above were computed from.
    let mut below = Layer::default();
    for discs in (4..64).rev() {
        let mut layer = Layer::default();
        let nodes = from.layer(discs);
        let is_whole = from.counted_in(discs).is_some_and(|counted| nodes.len() as u64 >= counted);
        let mut records = Vec::with_capacity(nodes.len());
        for mut node in nodes {
            layer.values.push(node.key, Child::from(&node));
            let mut held = from.held_of(&node);
            below.keep_worth(&mut node, &mut held);
            for searched in held.searches_mut().chain([&mut node.searched]) {
                searched.depth = searched.depth.min(Searched::MOST_PLIES);
                searched.source = renumbered(to, &mut numbers, searched.source)?;
            }
            for bounds in &mut held.bounds {
                bounds.source = renumbered(to, &mut numbers, bounds.source)?;
            }
            let Node { key, record: rest, searched, left_out, .. } = node;
            let held = held.is_more().then(|| Box::new(held));
            records.push(NewNode { key, rest, searched, left_out, held });
        }
        layer.values.build_index();
        salvaged.positions += to.bulk_load(records)?.new;
        let mut spare = spare.remove(&discs).filter(|_| !is_whole).unwrap_or_default();
        layer.spare = spare.iter().map(|record| record.key).collect();
        // Only what is lost comes from elsewhere.
        spare.retain(|record| layer.values.get(record.key).is_none());
        salvaged.spare += to.bulk_load(spare)?.new;
        below = layer;
    }
    salvaged.positions += salvaged.spare;
    for mut fact in from.facts() {
        fact.source = renumbered(to, &mut numbers, fact.source)?;
        to.facts().keep(fact)?;
        salvaged.facts += 1;
    }
    for (key, mut held) in from.held_apart() {
        for bounds in &mut held.bounds {
            bounds.source = renumbered(to, &mut numbers, bounds.source)?;
        }
        // What is in the book has come with the position.
        if to.node(&key)?.is_none() {
            to.keep_apart(key, &held)?;
        }
    }
    for (point, values) in from.history() {
        to.history().keep(point, &values)?;
    }
    to.commit()?;
    Ok(salvaged)
}

/// The number of a source in the new book. Without its source a position is still worth having.
fn renumbered(
    to: &mut Book,
    numbers: &mut HashMap<SourceId, SourceId>,
    old: SourceId,
) -> Result<SourceId, StoreError> {
    if let Some(&number) = numbers.get(&old) {
        return Ok(number);
    }
    let engine = format!("unknown source {} of a damaged book", old.0);
    let number = to.source_id(&Source { engine, ..Source::default() })?;
    numbers.insert(old, number);
    Ok(number)
}

/// The nodes of a layer that were saved.
#[derive(Default)]
struct Layer {
    /// As the damaged book had them.
    values: LayerValues,
    /// Nodes that came from elsewhere.
    spare: HashSet<Key>,
}

impl Layer {
    /// Makes up for links of a node, one layer above, that lead to nothing any more. Where its own search
    /// covered those moves it answers for them again; else what the node was worth becomes a record.
    fn keep_worth(&self, node: &mut Node, held: &mut Held) {
        let mut lost: Vec<Link> = Vec::new();
        for link in node.children() {
            if self.values.get(link.child).is_none() && !self.spare.contains(&link.child) {
                lost.push(link);
            }
        }
        if lost.is_empty() {
            return;
        }
        let squares = lost.iter().fold(0, |set, link| set | link.square.bit());
        let gone = MoveMask::of_squares(node.key, squares);
        node.links = node.links.without(gone);
        let of_rest = derived(node, held, |child| Ok(self.values.get(child)));
        let Ok(of_rest): Result<_, std::convert::Infallible> = of_rest;
        if of_rest.values == node.values && of_rest.due == node.due {
            return;
        }
        let Values { guess, lower, upper, .. } = node.values;
        let empties = node.key.position().empties();
        let square = match (node.rest(), lost.as_slice()) {
            (Some(rest), _) if rest.score >= guess => rest.square,
            // Of several lost moves it is not known which one it was: a search finds it.
            (_, &[link]) if !node.due => Some(link.square),
            _ => None,
        };
        let proof = Proof::of_bounds(lower, if node.due { 64 } else { upper });
        let all = MoveMask::all_of(node.key.position().legal_moves().len());
        let covered = match node.own_record() {
            Some(record) => gone.union(all.without(record.left_out)),
            None => gone,
        };
        let searched = match node.record {
            Some(_) => node.searched,
            None => Searched {
                depth: node.evidence.plies(empties),
                selectivity: Selectivity::LOWEST,
                ..node.searched
            },
        };
        let rest = Rest { square, score: guess, proof };
        let record = Record { rest, searched, left_out: all.without(covered) };
        held.records = vec![record];
        node.set_record(Some(record));
    }
}
