//! What is sound in a damaged book, as a new one.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::board::Key;
use crate::book::propagate::values_with_rest;
use crate::book::{LayerValues, Link, MoveMask, Node, Rest, Searched, Source, SourceId, Values};
use crate::search::Proof;

use super::wreck::Wreck;
use super::{Book, Known, NewNode, StoreError};

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

/// Saves every node that can be read and makes sense into an empty book; links and values are
/// found anew. Guesses stay what they were, and so does who is proven to win: where a link led to a
/// node that is lost, its worth becomes the rest of the node above. `spare` are records, by discs, for
/// nodes that are lost; their sources are those of the new book. Commits.
///
/// # Errors
/// The new book cannot be written.
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
            to.keep_original(number, packed)?;
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
            layer.values.push(node.key, node.values);
            below.keep_worth(&mut node);
            let Node { key, rest, mut searched, .. } = node;
            searched.depth = searched.depth.min(Searched::MOST_PLIES);
            searched.source = match numbers.get(&searched.source) {
                Some(&number) => number,
                // Without its source a position is still worth having.
                None => unknown_source(to, &mut numbers, searched.source)?,
            };
            records.push(NewNode { key, rest, searched });
        }
        layer.values.build_index();
        salvaged.positions += to.bulk_load(records, |_, _| Known::Keep)?.new;
        let spare = spare.remove(&discs).filter(|_| !is_whole).unwrap_or_default();
        layer.spare = spare.iter().map(|record| record.key).collect();
        salvaged.spare += to.bulk_load(spare, |_, _| Known::Keep)?.new;
        below = layer;
    }
    salvaged.positions += salvaged.spare;
    for mut fact in from.facts() {
        fact.source = match numbers.get(&fact.source) {
            Some(&number) => number,
            None => unknown_source(to, &mut numbers, fact.source)?,
        };
        to.keep_fact(fact)?;
        salvaged.facts += 1;
    }
    for (point, values) in from.history() {
        to.keep_history(point, &values)?;
    }
    to.commit()?;
    Ok(salvaged)
}

fn unknown_source(
    to: &mut Book,
    numbers: &mut HashMap<SourceId, SourceId>,
    old: SourceId,
) -> Result<SourceId, StoreError> {
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
    /// Makes up for links of a node, one layer above, that lead to nothing any more. The rest is only
    /// the best of the moves that were no links: where what is left does not come to the values that
    /// the node had, these become its rest.
    fn keep_worth(&self, node: &mut Node) {
        let mut lost: Vec<Link> = Vec::new();
        let mut of_links = Values::NONE;
        for link in node.children() {
            match self.values.get(link.child) {
                Some(values) => of_links = of_links.max(link.worth(values)),
                None if self.spare.contains(&link.child) => {}
                None => lost.push(link),
            }
        }
        if lost.is_empty() {
            return;
        }
        let is_due = node.is_incomplete();
        let squares = lost.iter().fold(0, |set, link| set | link.square.bit());
        node.links = node.links.without(MoveMask::of_squares(node.key, squares));
        // What the rest proves it does not prove of the moves that are lost.
        let rest = node.rest.map(|rest| Rest { proof: Proof::None, ..rest });
        if values_with_rest(&Node { rest, ..*node }, of_links) == node.values {
            node.rest = rest;
            return;
        }
        let Values { guess, lower, upper, .. } = node.values;
        let square = match (node.rest, lost.as_slice()) {
            (Some(rest), _) if rest.score >= guess => rest.square,
            // Of several lost moves nobody knows which one it was; a search that is due finds it.
            (_, &[link]) if !is_due => Some(link.square),
            _ => None,
        };
        let proof = Proof::of_bounds(lower, if is_due { 64 } else { upper });
        node.rest = Some(Rest { square, score: guess, proof });
    }
}
