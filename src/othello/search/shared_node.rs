//! A node whose moves several threads search, and how they learn that it is decided.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use crate::othello::board::Position;
use crate::othello::lock::lock;

use super::node::Node;
use super::ordering::{Move, Moves};

/// A node whose moves are shared out.
pub(super) struct Shared<S> {
    state: S,
    position: Position,
    depth: u8,
    empties: u8,
    /// The lower end of the null window, centidiscs.
    pub alpha: i32,
    /// The selectivity level of the iteration.
    pub sureness: u8,
    moves: Mutex<Moves>,
    /// Score in centidiscs and square of the best move so far.
    best: Mutex<(i32, u8)>,
    /// Set when the node is decided.
    pub halt: Arc<Halt>,
    /// Threads that help.
    helpers: AtomicUsize,
    nodes: AtomicU64,
}

impl<S: Clone> Shared<S> {
    /// A node below another shared one, if there is one, with the moves that are left and the best of
    /// those before them.
    pub(crate) fn new(
        node: Node<'_, S>,
        (alpha, sureness): (i32, u8),
        moves: Moves,
        best: (i32, u8),
        above: Option<Arc<Halt>>,
    ) -> Self {
        let Node { state, position, depth, empties } = node;
        Self {
            state: state.clone(),
            position,
            depth,
            empties,
            alpha,
            sureness,
            moves: Mutex::new(moves),
            best: Mutex::new(best),
            halt: Arc::new(Halt::below(above)),
            helpers: AtomicUsize::new(0),
            nodes: AtomicU64::new(0),
        }
    }
}

impl<S> Shared<S> {
    /// Joins in, if there is a move left to search.
    pub(crate) fn join(&self) -> bool {
        let free = !self.halt.is_set() && lock(&self.moves).has_next();
        if free {
            self.helpers.fetch_add(1, Ordering::SeqCst);
        }
        free
    }

    /// Leaves again.
    pub(crate) fn leave(&self) {
        self.helpers.fetch_sub(1, Ordering::SeqCst);
    }

    /// Whether a thread helps.
    pub(crate) fn has_helpers(&self) -> bool {
        self.helpers.load(Ordering::SeqCst) > 0
    }

    /// Whether this node is below the other one.
    pub(crate) fn is_below(&self, other: &Self) -> bool {
        self.halt.is_below(&other.halt)
    }

    /// The next move to search; none when none is left or the node is decided.
    pub(crate) fn next_move(&self) -> Option<Move> {
        if self.halt.is_set() { None } else { lock(&self.moves).next_best() }
    }

    /// Notes what a move came to, centidiscs for the side that made it. The first that is better than the
    /// window decides the node; a second one counts as not yet searched.
    pub(crate) fn note(&self, score: i32, made: Move) {
        let mut best = lock(&self.best);
        if score > self.alpha && best.0 > self.alpha {
            drop(best);
            return self.give_back(made);
        }
        if score > best.0 {
            *best = (score, made.square.number());
        }
        if score > self.alpha {
            self.halt.set();
        }
    }

    /// Takes a move back whose search was broken off.
    pub(crate) fn give_back(&self, given: Move) {
        lock(&self.moves).give_back(given);
    }

    /// The moves, as far as they have not been searched.
    pub(crate) fn moves(&self) -> Moves {
        lock(&self.moves).clone()
    }

    /// Score in centidiscs and square of the best move.
    pub(crate) fn best(&self) -> (i32, u8) {
        *lock(&self.best)
    }

    pub(crate) fn count(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
    }

    /// Nodes of all helpers.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    pub(crate) fn node(&self) -> Node<'_, S> {
        let Self { state, position, depth, empties, .. } = self;
        Node { state, position: *position, depth: *depth, empties: *empties }
    }
}

/// Reports to the threads below a shared node that it is decided; so are the nodes below it then.
pub(super) struct Halt {
    decided: AtomicBool,
    above: Option<Arc<Halt>>,
}

impl Halt {
    /// Of a node below another shared one, if there is one.
    pub(crate) fn below(above: Option<Arc<Self>>) -> Self {
        Self { decided: AtomicBool::new(false), above }
    }

    /// Whether this node or one above it is decided.
    pub(crate) fn is_set(&self) -> bool {
        self.decided.load(Ordering::Relaxed)
            || self.above.as_ref().is_some_and(|above| above.is_set())
    }

    /// Whether the other node is this one or one above it.
    pub(crate) fn is_below(&self, other: &Self) -> bool {
        std::ptr::eq(self, other) || self.above.as_ref().is_some_and(|above| above.is_below(other))
    }

    /// Says that this node is decided.
    pub(crate) fn set(&self) {
        self.decided.store(true, Ordering::Relaxed);
    }
}
