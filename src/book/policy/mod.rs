//! What to search next: each policy ranks the open ends of a book in its own way.

mod best;
mod deepen;
mod deviate;
mod doubt;
mod fill;
mod fold;
mod frontier;
mod kept;
mod lines;
mod played;
mod popular;
mod rules;
mod solve;

use std::collections::HashSet;
use std::time::Instant;

use crate::board::{Key, Placed, Square};
use crate::search::{Depth, Selectivity, Stop};

use super::NodeSource;
use super::regret::{Judge, Regret, RegretLimits};

pub use best::{Best, Deeper};
pub use deepen::Deepen;
pub use deviate::Deviate;
pub use doubt::Doubt;
pub use fill::Fill;
pub use kept::Kept;
pub use lines::Lines;
pub use played::Played;
pub use popular::Popular;
pub use solve::Solve;

/// When ranking is given up before it has come to its end: it may go through a whole book.
#[derive(Clone, Copy, Default, Debug)]
pub struct GiveUp<'a> {
    /// As soon as this flag is raised.
    pub stop: Option<&'a Stop>,
    /// At this moment.
    pub at: Option<Instant>,
}

impl GiveUp<'_> {
    /// Whether it is to be given up now; once it is, that stays so.
    #[must_use]
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
    /// When nobody waits for the leaves any more.
    pub give_up: GiveUp<'a>,
}

impl Request<'_> {
    /// Whether a node may be searched deeper: it has no more discs than are wanted.
    fn deepens(&self, key: Key) -> bool {
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
    #[must_use]
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
    /// The node.
    pub key: Key,
    /// Its rest's move in the key's orientation; none unless it is to be expanded.
    pub rest: Option<Square>,
    /// The position after the rest's move.
    pub child: Option<Key>,
    /// Why.
    pub reason: Reason,
    /// Which of the request's roots it was reached from; none when it was found without a line.
    pub root: Option<usize>,
    /// The moves from that root to `key`, in the root's orientation.
    pub line: Vec<Square>,
    /// The rest's move in the root's orientation.
    pub rest_square: Option<Square>,
    /// What the line gives away, the rest's move included.
    pub regret: Regret,
    /// It is to be searched at least so deep, in plies, and with this confidence.
    pub least: Option<(u8, Selectivity)>,
    /// The policy's rank, smallest first; its meaning is the policy's.
    pub priority: i32,
}

impl Leaf {
    /// A position that is to be added whatever the policy says.
    #[must_use]
    pub fn to_add(key: Key) -> Self {
        Self::without_line(key, Reason::Add)
    }

    fn without_line(key: Key, reason: Reason) -> Self {
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

/// A way to choose what is searched next.
pub trait Policy<S: NodeSource + ?Sized>: Send {
    /// How many leaves are to be asked for at once and kept: more than one where ranking goes
    /// through a great part of the book, and results hardly change the rank of what is left.
    fn batch(&self) -> usize {
        1
    }

    /// Whether [`Leaf::priority`] is in centidiscs, as regret is.
    fn ranks_by_centidiscs(&self) -> bool {
        true
    }

    /// As [`Policy::next`], by what was kept of the choice before where that is quicker: the same leaves for the same
    /// reasons, but of ways that cost the same and give away the same any may be told.
    ///
    /// # Errors
    /// The book cannot be read.
    fn next_kept(
        &self,
        book: &S,
        request: &Request<'_>,
        _kept: &mut Kept,
    ) -> Result<Vec<Leaf>, S::Error> {
        self.next(book, request)
    }

    /// The next leaves, most urgent first, from the book as it is: nothing is remembered between
    /// calls but what is a shortcut, since growing removes nothing. Fewer than asked for when no more
    /// are within the limits. A node on which a search is due is among them when it is reached within
    /// the limits, where the policy comes to it. Once [`Request::give_up`] is due there may be any
    /// number of leaves, and few of them say nothing of how many there are.
    ///
    /// # Errors
    /// The book cannot be read.
    fn next(&self, book: &S, request: &Request<'_>) -> Result<Vec<Leaf>, S::Error>;
}
