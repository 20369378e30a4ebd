//! From the entries of a file to nodes: what only the whole file can tell.
//!
//! Layer after layer from the deepest: which moves really lead to other records, which stated
//! links dangle, what is searched no more, and what the values then are.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use crate::board::{After, Key, Square};
use crate::book::{MoveMask, Node, Rest, Searched, SourceId, Values, node_values};
use crate::formats::{DefectKind, Defects, Entry, Turn};
use crate::score::Score;
use crate::search::Proof;

use super::spool::{Item, Ready, Spool};

/// What the assembly needs to know of file and book.
pub(super) struct Surroundings<'a, E> {
    /// Whether the format states links, so that a missing one is a defect.
    pub(super) states_links: bool,
    /// Whether the book that the file goes into holds a position.
    pub(super) in_book: &'a dyn Fn(Key) -> Result<bool, E>,
    /// Called with the number of entries done.
    pub(super) progress: &'a mut dyn FnMut(u64),
}

type Layer = HashMap<Key, Values, foldhash::fast::FixedState>;

/// Turns entries into nodes.
pub(super) fn assemble<E: From<io::Error>>(
    mut spool: Spool,
    folder: &Path,
    mut surroundings: Surroundings<'_, E>,
    defects: &mut Defects,
) -> Result<Spool, E> {
    let mut ready = Spool::new(folder.to_owned());
    let mut below = Layer::default();
    let mut below_discs = u8::MAX;
    let mut done = 0;
    for discs in (0..=64).rev() {
        if spool.count(discs) == 0 {
            continue;
        }
        if below_discs != discs + 1 {
            below = Layer::default();
        }
        let bytes = spool.take(discs)?;
        let index = sorted_index(&bytes);
        let mut layer = Layer::default();
        layer.reserve(index.len());
        for group in index.chunk_by(|a, b| a.0 == b.0) {
            let entries = group.iter().filter_map(|&(_, at)| Entry::decode(&mut bytes.get(at..)?));
            let Some(entry) = choose(entries, defects) else { continue };
            let node = settle(&entry, &below, &mut surroundings, defects)?;
            layer.insert(node.key, node.values);
            ready.push(&Ready {
                key: node.key,
                rest: node.rest,
                links: node.links.squares(node.key),
                depth: entry.depth,
                selectivity: entry.selectivity,
                source: entry.source,
            })?;
        }
        done += index.len() as u64;
        (surroundings.progress)(done);
        below = layer;
        below_discs = discs;
    }
    Ok(ready)
}

/// Where each entry starts, by the store's order of keys, then in the order of the file.
fn sorted_index(bytes: &[u8]) -> Vec<(Key, usize)> {
    let mut index = Vec::new();
    let mut rest = bytes;
    loop {
        let at = bytes.len() - rest.len();
        let Some(entry) = Entry::decode(&mut rest) else { break };
        index.push((entry.key, at));
    }
    index.sort_by_key(|&(key, _)| crate::store::storage_order(key));
    index
}

/// The entry that stands for a position: a record of its own before a value known through a pass,
/// then the one searched best, then the first. None when there is nothing to take into a book.
fn choose(entries: impl Iterator<Item = Entry>, defects: &mut Defects) -> Option<Entry> {
    let mut best: Option<Entry> = None;
    for entry in entries {
        match entry.turn {
            Turn::Over => {
                defects.note(DefectKind::FinishedGame, || "a finished game".to_owned());
                continue;
            }
            Turn::Pass => {
                defects.note(DefectKind::PassRecord, || {
                    format!("a pass before {:?}", entry.key.position())
                });
                if best.is_none() && entry.rest.is_some() {
                    best = Some(entry);
                }
                continue;
            }
            Turn::Move => {}
        }
        best = match best.take() {
            Some(first) if first.turn == Turn::Move => {
                defects.note(DefectKind::DuplicateRecord, || {
                    format!("{:?} has more than one record", first.key.position())
                });
                Some(if rank(&entry) > rank(&first) { entry } else { first })
            }
            _ => Some(entry),
        };
    }
    best
}

/// Proven first, then depth, then confidence.
fn rank(entry: &Entry) -> (bool, u8, u8) {
    let proven = entry.rest.is_some_and(|rest| rest.proof != Proof::None);
    (proven, entry.depth, entry.selectivity.percent())
}

/// Finds links and rest of one entry among the records below, and its values.
fn settle<E>(
    entry: &Entry,
    below: &Layer,
    surroundings: &mut Surroundings<'_, E>,
    defects: &mut Defects,
) -> Result<Node, E> {
    let position = entry.key.position();
    let describe = |square: Square| format!("{square} at {position:?}");
    let stated = |square: Square| entry.links.iter().find(|(at, _)| *at == square);
    let mut node = Node {
        key: entry.key,
        links: MoveMask(0),
        rest: entry.rest,
        searched: Searched {
            depth: entry.depth,
            selectivity: entry.selectivity,
            source: SourceId(entry.source),
        },
        values: Values::NONE,
    };
    // Moves that lead nowhere in this file: the best dangling link, the best end of the game, and
    // whether something is left that nothing is known of.
    let mut dangling: Option<Rest> = None;
    let mut ending: Option<Rest> = None;
    let mut unknown = false;
    let mut links = 0;
    for (index, square) in position.legal_moves().enumerate() {
        let next = match position.after(square) {
            Some(After::Opponent(next) | After::Same(next)) => Key::of(next),
            Some(After::Over(discs)) => {
                let rest = Rest {
                    square: Some(square),
                    score: Score::from_discs(discs),
                    proof: Proof::Exact,
                };
                ending = better(ending, rest);
                continue;
            }
            None => continue,
        };
        if below.contains_key(&next) {
            links |= 1 << index;
            if surroundings.states_links && entry.turn == Turn::Move && stated(square).is_none() {
                defects.note(DefectKind::MissingLink, || describe(square));
            }
            continue;
        }
        let Some(&(_, score)) = stated(square) else {
            unknown = true;
            continue;
        };
        if (surroundings.in_book)(next)? {
            continue;
        }
        defects.note(DefectKind::DanglingLink, || describe(square));
        match score {
            Some(score) => {
                let rest = Rest { square: Some(square), score, proof: Proof::None };
                dangling = better(dangling, rest);
            }
            None => unknown = true,
        }
    }
    if links == 0
        && let Some(alone) = entry.alone
    {
        node.rest = Some(alone);
    }
    node.link(MoveMask(links));
    if entry.rest.is_some() && node.rest.is_none() {
        let square = entry.rest.and_then(|rest| rest.square);
        if let Some(square) = square.filter(|_| surroundings.states_links) {
            defects.note(DefectKind::LeafIsLink, || describe(square));
        }
    }
    // A dangling link stands for all unlinked moves only where nothing else is unlinked, or where
    // the leaf bounds the others.
    if let Some(dangling) = dangling
        && (node.rest.is_some() || !unknown)
    {
        node.rest = better(node.rest, dangling);
    }
    // The rest is the best move that is not a link, so also better than any end of the game.
    if let (Some(rest), Some(ending)) = (node.rest, ending)
        && ending.score > rest.score
    {
        node.rest = Some(ending);
    }
    if node.is_incomplete() {
        defects.note(DefectKind::SearchDue, || format!("{position:?}"));
    }
    node.values = node_values(&node, |key| Ok(below.get(&key).copied()))?;
    if !node.is_incomplete()
        && let Some(stored) = entry.stored
        && is_stale(stored, node.values)
    {
        defects.note(DefectKind::StaleValue, || {
            format!("{stored} stored, {} computed at {position:?}", node.values.guess)
        });
    }
    Ok(node)
}

/// Programs that put any proven loss below any estimate store one of the seeking values.
fn is_stale(stored: Score, values: Values) -> bool {
    stored != values.guess && !(values.win_seeking..=values.draw_seeking).contains(&stored)
}

fn better(known: Option<Rest>, other: Rest) -> Option<Rest> {
    match known {
        Some(known) if known.score >= other.score => Some(known),
        _ => Some(other),
    }
}
