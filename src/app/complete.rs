//! Searching what programs that have no held links and search what is due would else do otherwise.

use std::cell::RefCell;
use std::collections::HashSet;

use foldhash::fast::FixedState;

use crate::openbook::policy::{Leaf, Policy, Reason, Request};
use crate::openbook::{Held, Node, NodeSource, holding_record, raising_depth};
use crate::othello::board::Key;
use crate::othello::eval::PatternEvaluator;
use crate::othello::search::{Level, Stop};
use crate::store::{Book, Reader, StoreError};

use super::grow::{Depth, Ended, GrowError, GrowOptions, GrowStatus, grow};

/// How a book is to be completed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Completion {
    /// The level at which what is due is searched.
    pub level: Level,
    /// Searches at once.
    pub threads: usize,
    /// MiB of transposition table for each thread.
    pub table_megabytes: usize,
}

/// Searches every position on which a search is due, wherever it lies, and those that held links lead to, so deep
/// that the links count. Returns how many searches that took; none when it was stopped.
pub(crate) fn complete(
    book: &mut Book,
    completion: Completion,
    stop: &Stop,
    watch: &mut dyn FnMut(&GrowStatus),
) -> Result<Option<u64>, GrowError> {
    let Completion { level, threads, table_megabytes } = completion;
    let options = GrowOptions {
        policy: Box::new(Complete::default()),
        depth: Depth::Level(level),
        threads,
        table_megabytes,
        asked: format!("complete {level}"),
        // No position is added, the start neither.
        max_discs: Some(0),
        ..GrowOptions::default()
    };
    let evaluator = PatternEvaluator::embedded().map_err(GrowError::Evaluator)?;
    let summary = grow(book, &evaluator, &options, stop, watch)?;
    Ok((summary.ended != Ended::Interrupted).then_some(summary.status.searches))
}

/// All that is due in a book, and what held links lead to.
#[derive(Default)]
struct Complete {
    /// Positions that have been searched so that a link to them counts: where it did not help, another search
    /// will not, either.
    raised: RefCell<HashSet<Key, FixedState>>,
}

impl Complete {
    /// Adds the positions that the held links of a node lead to.
    fn raise(
        &self,
        book: &Reader,
        node: &Node,
        request: &Request<'_>,
        leaves: &mut Vec<Leaf>,
    ) -> Result<(), StoreError> {
        if node.held_links(book)?.is_empty() {
            return Ok(());
        }
        let held: Held = book.held(node)?;
        for link in node.children() {
            let Some(child) = book.node(&link.child)? else { continue };
            let Some(record) = holding_record(node, &held, link, &child) else { continue };
            let Some(least) = raising_depth(book, node, &record, &child)? else { continue };
            let is_busy = child.is_incomplete() || request.in_flight.contains(&child.key);
            if !is_busy && self.raised.borrow_mut().insert(child.key) {
                let leaf = Leaf::to_add(child.key);
                leaves.push(Leaf { reason: Reason::Raise, least: Some(least), ..leaf });
            }
        }
        Ok(())
    }
}

impl Policy<Reader> for Complete {
    fn batch(&self, _: u64, _: u64) -> usize {
        1024
    }

    /// The deepest first: what they are worth then counts for those above.
    fn next(&self, book: &Reader, request: &Request<'_>) -> Result<Vec<Leaf>, StoreError> {
        let mut leaves = Vec::new();
        let mut layers: Vec<u8> =
            book.counts()?.layers.into_iter().map(|(discs, _)| discs).collect();
        layers.sort_unstable_by(|one, other| other.cmp(one));
        for discs in layers {
            let mut nodes = Vec::new();
            book.for_each_in_layer(discs, |node| -> Result<(), StoreError> {
                let may_hold = node.more || !node.links.without(node.left_out).is_empty();
                if node.is_incomplete() || may_hold {
                    nodes.push(node);
                }
                Ok(())
            })?;
            for node in nodes {
                if leaves.len() >= request.count || request.give_up.is_due() {
                    return Ok(leaves);
                }
                if !node.is_incomplete() {
                    self.raise(book, &node, request, &mut leaves)?;
                } else if !request.in_flight.contains(&node.key) {
                    leaves.push(Leaf { reason: Reason::Due, ..Leaf::to_add(node.key) });
                }
            }
        }
        Ok(leaves)
    }
}
