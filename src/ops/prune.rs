//! Cutting a book down.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::board::{Key, Position};
use crate::book::regret::of_move;
use crate::book::{LayerValues, Node, child_of};
use crate::store::{Book, Kept, Reader, StoreError};

/// What is to stay. Everything that any of them excludes goes.
#[derive(Clone, Default, Debug)]
pub struct PruneOptions {
    /// Positions with at most so many discs.
    pub max_discs: Option<u8>,
    /// Positions whose guess is at most so far from even, in centidiscs.
    pub window: Option<i32>,
    /// Positions that are reached from here, this one included.
    pub only: Option<Position>,
    /// Positions that are reached by lines on which both sides together give away at most so much,
    /// in centidiscs; 0 leaves the best lines.
    pub regret: Option<i32>,
    /// Positions that are reached by moves that give away at most so much each, in centidiscs.
    pub deviate: Option<i32>,
}

impl PruneOptions {
    /// Whether it matters how a position is reached.
    const fn follows_lines(&self) -> bool {
        self.only.is_some() || self.regret.is_some() || self.deviate.is_some()
    }

    fn allows(&self, node: &Node) -> bool {
        let guess = i32::from(node.values.guess.centidiscs());
        self.max_discs.is_none_or(|most| node.key.discs() <= most)
            && self.window.is_none_or(|window| guess.abs() <= window)
    }
}

/// Least regret of reaching each position of a layer, in centidiscs.
type Reached = HashMap<Key, i32, FixedState>;

/// Finds out which positions of a book would stay; nothing is changed. Lines are followed from
/// `only`, else from the start position.
///
/// # Errors
/// The book cannot be read.
pub fn plan_prune(book: &Reader, options: &PruneOptions) -> Result<Kept, StoreError> {
    let _snapshot = book.snapshot()?;
    let mut kept = Kept::default();
    let root = Key::of(options.only.unwrap_or(Position::START));
    let mut reached = Reached::default();
    let layers = book.counts()?.layers;
    for &(discs, _) in &layers {
        if discs == root.discs() {
            reached.insert(root, 0);
        }
        let mut next = Reached::default();
        // Lines that end in this layer need no values below.
        let below = if options.follows_lines() && !reached.is_empty() {
            values_of_layer(book, discs + 1)?
        } else {
            LayerValues::default()
        };
        book.for_each_in_layer(discs, |node| {
            let mut stays = options.allows(&node);
            if options.follows_lines() {
                match reached.get(&node.key) {
                    // The root stays whatever its value is: else nothing would.
                    Some(&regret) => {
                        stays |= node.key == root;
                        if stays {
                            follow(&node, regret, &below, options, &mut next);
                        }
                    }
                    None => stays = false,
                }
            }
            kept.push(discs, stays);
            Ok::<_, StoreError>(())
        })?;
        reached = next;
    }
    Ok(kept)
}

fn values_of_layer(book: &Reader, discs: u8) -> Result<LayerValues, StoreError> {
    let mut layer = LayerValues::default();
    book.for_each_in_layer(discs, |node| {
        layer.push(node.key, node.values);
        Ok::<_, StoreError>(())
    })?;
    layer.build_index();
    Ok(layer)
}

/// Notes the links of a node that lines may follow.
fn follow(
    node: &Node,
    regret: i32,
    below: &LayerValues,
    options: &PruneOptions,
    next: &mut Reached,
) {
    let position = node.key.position();
    for square in node.linked() {
        let Some((child, same_side)) = child_of(position, square) else { continue };
        let Some(values) = below.get(child) else { continue };
        let more = of_move(node.values, values.seen_by_parent(same_side).guess);
        let total = regret + more;
        if options.deviate.is_none_or(|most| more <= most)
            && options.regret.is_none_or(|most| total <= most)
        {
            next.entry(child).and_modify(|known| *known = total.min(*known)).or_insert(total);
        }
    }
}

/// Cuts a book in one transaction; returns how many positions went.
///
/// # Errors
/// The book cannot be written; then it is as it was.
pub fn prune(book: &mut Book, kept: &Kept) -> Result<u64, StoreError> {
    let gone = book.retain(kept)?;
    book.commit()?;
    Ok(gone)
}
