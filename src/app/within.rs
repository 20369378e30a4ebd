//! Which positions of a book are reached by lines that give away no more than they may: one walk through
//! its layers.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::openbook::regret::{Judge, Regret, RegretLimits};
use crate::openbook::{Child, LayerValues, Node};
use crate::othello::board::{Key, Placed, Side};
use crate::store::{Reader, StoreError};

/// A way to a position: which side moves at its end, and what it gives away.
#[derive(Clone, Copy, Debug)]
struct Way {
    side: Side,
    regret: Regret,
}

/// The ways to a position, of which none is as good as another one. Mostly there is one.
#[derive(Clone, Debug)]
struct Ways {
    first: Way,
    others: Vec<Way>,
}

impl Ways {
    fn iter(&self) -> impl Iterator<Item = Way> {
        std::iter::once(self.first).chain(self.others.iter().copied())
    }
}

type Reached = HashMap<Key, Ways, FixedState>;

/// Which lines are followed.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    /// Where they start. A position that is not in the book is skipped.
    pub(super) roots: Vec<Placed>,
    /// What they may give away.
    pub(super) limits: RegretLimits,
    /// By which value moves are compared.
    pub(super) judge: Judge,
    /// The most discs of a position that is of interest.
    pub(super) last: u8,
}

/// The discs of a full board.
pub(super) const ALL_DISCS: u8 = 64;

impl Walk {
    /// All lines from a position on that are within the limits.
    pub(super) fn from(root: Placed, limits: RegretLimits) -> Self {
        Self { roots: vec![root], limits, judge: Judge::default(), last: ALL_DISCS }
    }

    /// Gives every node of the book, layer by layer in the order of the store, and whether a line leads
    /// to it. Where `each` returns false, no line goes on.
    pub(super) fn run(
        &self,
        book: &Reader,
        mut each: impl FnMut(u8, &Node, bool) -> bool,
    ) -> Result<(), StoreError> {
        book.check_layers()?;
        let mut reached = Reached::default();
        for (discs, _) in book.counts()?.layers {
            if discs > self.last {
                break;
            }
            for &Placed { position, side } in &self.roots {
                if position.discs() == discs {
                    let way = Way { side, regret: Regret::default() };
                    self.note(&mut reached, Key::of(position), way);
                }
            }
            // Lines that end in this layer need no values below.
            let below = match reached.is_empty() || discs >= self.last {
                true => LayerValues::default(),
                false => values_of_layer(book, discs + 1)?,
            };
            let mut next = Reached::default();
            book.for_each_in_layer(discs, |node| {
                let ways = reached.get(&node.key);
                if each(discs, &node, ways.is_some())
                    && let Some(ways) = ways
                {
                    self.follow(&node, ways, &below, &mut next);
                }
                Ok::<_, StoreError>(())
            })?;
            reached = next;
        }
        Ok(())
    }

    /// Notes where the links of a node lead within the limits.
    fn follow(&self, node: &Node, ways: &Ways, below: &LayerValues, next: &mut Reached) {
        for link in node.children() {
            let Some(child) = below.get(link.child) else { continue };
            let worth = link.worth(child.values);
            for Way { side, regret } in ways.iter() {
                let loss = self.judge.of_move(node.values, worth, side);
                let regret = regret.and(side, loss);
                if self.limits.allow_move(side, loss) && self.limits.allow(regret) {
                    let side = if link.same_side { side } else { side.other() };
                    self.note(next, link.child, Way { side, regret });
                }
            }
        }
    }

    fn note(&self, reached: &mut Reached, key: Key, way: Way) {
        let tell_sides = self.limits.tell_sides() || self.judge.contempt.is_some();
        let replaces = |one: Way, other: Way| {
            (one.side == other.side || !tell_sides)
                && self.limits.is_no_worse(one.regret, other.regret)
        };
        let Some(ways) = reached.get_mut(&key) else {
            reached.insert(key, Ways { first: way, others: Vec::new() });
            return;
        };
        if ways.iter().any(|known| replaces(known, way)) {
            return;
        }
        ways.others.retain(|&known| !replaces(way, known));
        match replaces(way, ways.first) {
            true => ways.first = way,
            false => ways.others.push(way),
        }
    }
}

fn values_of_layer(book: &Reader, discs: u8) -> Result<LayerValues, StoreError> {
    let mut layer = LayerValues::default();
    book.for_each_in_layer(discs, |node| {
        layer.push(node.key, Child::from(&node));
        Ok::<_, StoreError>(())
    })?;
    layer.build_index();
    Ok(layer)
}
