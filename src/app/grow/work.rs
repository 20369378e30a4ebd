//! One piece of growth: the searches that belong together, done by one thread.

use crate::openbook::Rest;
use crate::othello::board::{Bitboard, Key};
use crate::othello::eval::Evaluator;
use crate::othello::search::{Goal, Level, Limits, Searcher, Selectivity, Stop};

pub use crate::othello::search::Depth;

/// The default level of growth: 12.
pub const DEFAULT_LEVEL: Level = match Level::new(12) {
    Some(level) => level,
    None => Level::MAX,
};

/// A node and the moves of it that are, or are about to be, links. In the key's orientation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spot {
    /// The node, present or to be.
    pub key: Key,
    /// Squares that the search leaves out.
    pub linked: Bitboard,
}

/// What a thread is to search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Work {
    /// The best other move of a node.
    Rest {
        spot: Spot,
        /// Whether it is to be searched to the end at full width, whatever the depth of the run.
        solve: bool,
    },
    /// A new node, and the best other move of its parent, whose rest led there.
    Expand {
        /// The new node.
        child: Spot,
        /// The parent, with the move to the child among its links.
        parent: Spot,
    },
    /// A new node alone.
    New(Spot),
}

impl Work {
    /// The nodes that this work is about: nothing else is to work on them meanwhile.
    pub fn keys(&self) -> impl Iterator<Item = Key> {
        let (first, second) = match self {
            Self::Rest { spot, .. } | Self::New(spot) => (spot.key, None),
            Self::Expand { child, parent } => (parent.key, Some(child.key)),
        };
        std::iter::once(first).chain(second)
    }

    /// What is searched first, and whether it is to be solved.
    const fn first(self) -> (Spot, bool) {
        match self {
            Self::Rest { spot, solve } => (spot, solve),
            Self::New(spot) | Self::Expand { child: spot, .. } => (spot, false),
        }
    }

    /// How far its first search is to go, in plies.
    pub fn plies(self, depth: Depth) -> u8 {
        let (spot, solve) = self.first();
        let empties = spot.key.position().empties();
        if solve { empties } else { depth.limits(empties).depth }
    }

    /// Whether a new node comes of it.
    pub(crate) const fn adds_position(&self) -> bool {
        !matches!(self, Self::Rest { .. })
    }
}

/// The result of the search of one spot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SpotResult {
    /// The best move that is not left out; none when every move is.
    pub rest: Option<Rest>,
    /// Plies.
    pub depth: u8,
    pub selectivity: Selectivity,
}

/// The result of a piece of work.
#[derive(Clone, Debug)]
pub struct Done {
    pub work: Work,
    /// How deep it was searched.
    pub depth: Depth,
    /// A result for each spot, the child's before the parent's; empty when it was cut short.
    pub found: Vec<SpotResult>,
    /// Positions visited.
    pub nodes: u64,
}

/// Does a piece of work on this thread.
pub fn run<E: Evaluator>(
    searcher: &mut Searcher<E>,
    work: Work,
    depth: Depth,
    stop: &Stop,
) -> Done {
    let mut done = Done { work, depth, found: Vec::with_capacity(2), nodes: 0 };
    let (first, solve) = work.first();
    let second = match work {
        Work::Expand { parent, .. } => Some(parent),
        _ => None,
    };
    for spot in std::iter::once(first).chain(second) {
        let empties = spot.key.position().empties();
        let limits = if solve { Limits::solve(Goal::Score) } else { depth.limits(empties) };
        match search(searcher, spot, &limits, stop, &mut done.nodes) {
            Some(found) => done.found.push(found),
            None => {
                done.found.clear();
                break;
            }
        }
    }
    done
}

fn search<E: Evaluator>(
    searcher: &mut Searcher<E>,
    spot: Spot,
    limits: &Limits,
    stop: &Stop,
    nodes: &mut u64,
) -> Option<SpotResult> {
    let position = spot.key.position();
    if position.legal_moves().0 & !spot.linked == 0 {
        return Some(SpotResult {
            rest: None,
            depth: limits.depth.min(position.empties()),
            selectivity: limits.selectivity,
        });
    }
    let outcome = searcher.search(position, spot.linked, limits, stop);
    *nodes += outcome.nodes;
    outcome.complete.then_some(SpotResult {
        rest: Some(Rest { square: outcome.best, score: outcome.value, proof: outcome.proof }),
        depth: outcome.depth,
        selectivity: outcome.selectivity,
    })
}
