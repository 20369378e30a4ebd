//! What a policy is asked for, and what it answers.

use std::collections::HashSet;
use std::time::Instant;

use crate::openbook::regret::{Judge, Regret, RegretLimits};
use crate::othello::board::{Key, Placed, Square};
use crate::othello::search::{Depth, Selectivity, Stop};

/// When ranking is given up before it has come to its end: it may go through a whole book.
#[derive(Clone, Copy, Default, Debug)]
pub struct GiveUp<'a> {
    /// As soon as this flag is raised.
    pub stop: Option<&'a Stop>,
    pub at: Option<Instant>,
}

impl GiveUp<'_> {
    /// Whether it is to be given up now; once it is, that stays so.
    pub fn is_due(self) -> bool {
        self.stop.is_some_and(Stop::is_stopped) || self.at.is_some_and(|at| Instant::now() >= at)
    }
}

/// What a policy is asked for.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// Where to start from. A root that is not in the book is skipped.
    pub roots: &'a [Placed],
    /// How many leaves are wanted at most.
    pub count: usize,
    /// Nodes that are being searched already: neither they nor leaves whose move leads to one of
    /// them are given out again.
    pub in_flight: &'a HashSet<Key, foldhash::fast::FixedState>,
    /// No node with more discs is to be made or searched deeper.
    pub max_discs: Option<u8>,
    /// What a line may give away to reach a leaf, its own move included.
    pub limits: RegretLimits,
    /// By which value moves are compared.
    pub judge: Judge,
    /// How deep growth searches where nothing was searched deeper.
    pub depth: Depth,
    /// When the leaves are no longer waited for.
    pub give_up: GiveUp<'a>,
}

impl Request<'_> {
    /// Whether a node may be searched deeper: it has no more discs than are wanted.
    pub(super) fn deepens(&self, key: Key) -> bool {
        self.max_discs.is_none_or(|most| key.discs() <= most)
    }
}

/// Why a node is to be searched.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// Its rest is to become a node.
    Expand,
    /// It has no rest though it has moves that nothing is known of: a search is due.
    Due,
    /// Its rest is a value without a move: a search finds the move.
    NoMove,
    /// It is not in the book yet and is to be added. A parent whose rest it is loses that rest,
    /// and is then due.
    Add,
    /// It was searched less than it should be.
    Deepen,
    /// A node above it is searched deeper, so that the move to it is held: it is to be searched so deep that
    /// the move counts.
    Raise,
    /// Its rest is to be proven.
    Solve,
}

impl Reason {
    /// One word for people: "expand", "due", "add", ...
    pub const fn name(self) -> &'static str {
        match self {
            Self::Expand => "expand",
            Self::Due => "due",
            Self::NoMove => "find move",
            Self::Add => "add",
            Self::Deepen => "deepen",
            Self::Raise => "raise",
            Self::Solve => "solve",
        }
    }
}

/// What is to be searched next.
///
/// For [`Reason::Expand`] the node is `key`: the position `child` is searched and added, and the
/// node is searched again without the links that are as sure as this search. For [`Reason::Add`] only `key`
/// itself is searched and added. For all others `key` is searched without such links.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leaf {
    pub key: Key,
    /// Its rest's move in the key's orientation; none unless it is to be expanded.
    pub rest: Option<Square>,
    /// The position after the rest's move.
    pub child: Option<Key>,
    pub reason: Reason,
    /// Which of the request's roots it was reached from; none when it was found without a line.
    pub root: Option<usize>,
    /// The moves from that root to `key`, in the root's orientation.
    pub line: Vec<Square>,
    /// The rest's move in the root's orientation.
    pub rest_square: Option<Square>,
    /// What the line gives away, the rest's move included.
    pub regret: Regret,
    /// It is to be searched at least so deep, in plies, and with this selectivity.
    pub least: Option<(u8, Selectivity)>,
    /// The policy's rank, smallest first; its meaning is the policy's.
    pub priority: i32,
}

impl Leaf {
    /// A position that is to be added whatever the policy says.
    pub(crate) fn to_add(key: Key) -> Self {
        Self::without_line(key, Reason::Add)
    }

    pub(super) fn without_line(key: Key, reason: Reason) -> Self {
        Self {
            key,
            rest: None,
            child: None,
            reason,
            root: None,
            line: Vec::new(),
            rest_square: None,
            regret: Regret::default(),
            least: None,
            priority: i32::MIN,
        }
    }
}
