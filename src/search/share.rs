//! One position on several threads: once the first move of a node has not cut it off, its brothers
//! are shared out among the threads that have nothing to do (young brothers wait; source: Feldmann,
//! "Game Tree Search on Massively Parallel Systems", 1993).

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use crate::board::Cpu;
use crate::eval::Evaluator;
use crate::lock::lock;

use super::context::{Deadline, SearchState};
use super::node::Node;
use super::ordering::Moves;
use super::team::{Halt, Team};

/// The least depth of a node whose moves are shared out: below, a thread would cost more than it
/// brings.
const LEAST_DEPTH: u8 = 10;

/// The same for a search to the end, which is faster.
const LEAST_EMPTIES: u8 = 15;

/// A node whose moves are shared out.
struct Shared {
    moves: Mutex<Moves>,
    /// Score in centidiscs and square of the best move so far.
    best: Mutex<(i32, u8)>,
    halt: Arc<Halt>,
    /// Nodes of the helpers.
    nodes: AtomicU64,
}

impl<'a, E: Evaluator> SearchState<'a, E> {
    /// Whether the moves of a node can be shared out now.
    #[inline(always)]
    pub fn can_share(&self, node: Node<'_, E::State>) -> bool {
        let least = if node.depth == node.empties { LEAST_EMPTIES } else { LEAST_DEPTH };
        node.depth >= least && self.team.is_some_and(Team::is_free)
    }

    /// Searches the moves that are left with a null window, together with the free threads: the
    /// best score and its move. When the search was broken off, `aborted` is set.
    pub fn share<C: Cpu>(
        &mut self,
        cpu: C,
        node: Node<'_, E::State>,
        alpha: i32,
        moves: Moves,
        best: (i32, u8),
    ) -> (i32, u8) {
        let Some(team) = self.team else { return best };
        let above = self.halt.take();
        let halt = Arc::new(Halt::below(above.clone()));
        self.halt = Some(halt.clone());
        let shared = Shared {
            moves: Mutex::new(moves),
            best: Mutex::new(best),
            halt,
            nodes: AtomicU64::new(0),
        };
        thread::scope(|scope| {
            loop {
                while lock(&shared.moves).has_next() && team.engage() {
                    self.call(cpu, scope, node, alpha, &shared, team);
                }
                if !self.search_next(cpu, node, alpha, &shared) {
                    break;
                }
            }
            if self.aborted {
                shared.halt.set();
            }
            // While this thread waits, another may take its place.
            team.step_out();
        });
        team.step_in();
        self.nodes += shared.nodes.load(Ordering::Relaxed);
        self.halt = above;
        // Broken off because this node was decided: that ends here.
        self.aborted = false;
        self.poll();
        *lock(&shared.best)
    }

    /// Starts a thread that helps with a node.
    fn call<'s, C: Cpu>(
        &self,
        cpu: C,
        scope: &'s thread::Scope<'s, '_>,
        node: Node<'_, E::State>,
        alpha: i32,
        shared: &'s Shared,
        team: &'a Team,
    ) where
        'a: 's,
    {
        let (evaluator, table) = (self.evaluator, self.table);
        let (sureness, ordering) = (self.sureness, self.ordering);
        let state = node.state.clone();
        let Node { position, depth, empties, .. } = node;
        // The nodes and the processor time that a search may take are watched by the thread that
        // began it.
        let deadline = Deadline { cpu_time: None, nodes: None, ..self.deadline.clone() };
        scope.spawn(move || {
            let mut near = team.near_table();
            let mut helper = SearchState::new(evaluator, table, &mut near, deadline);
            (helper.team, helper.halt) = (Some(team), Some(shared.halt.clone()));
            (helper.sureness, helper.ordering) = (sureness, ordering);
            let node = Node { state: &state, position, depth, empties };
            while helper.search_next(cpu, node, alpha, shared) {}
            shared.nodes.fetch_add(helper.nodes, Ordering::Relaxed);
            team.release(near);
        });
    }

    /// Searches the next move of a shared node; false when there is none, the node is decided or
    /// the search broken off.
    fn search_next<C: Cpu>(
        &mut self,
        cpu: C,
        node: Node<'_, E::State>,
        alpha: i32,
        shared: &Shared,
    ) -> bool {
        if self.aborted || shared.halt.is_set() {
            return false;
        }
        let Some(next) = lock(&shared.moves).next_best() else { return false };
        let state = self.evaluator.play(node.state, next.square, next.turned);
        let position = node.position.with_move(next.square, next.turned);
        let (depth, empties) = (node.depth - 1, node.empties - 1);
        let child = Node { state: &state, position, depth, empties };
        let score = -self.null_window(cpu, child, -alpha - 1);
        if self.aborted {
            return false;
        }
        let mut best = lock(&shared.best);
        if score > best.0 {
            *best = (score, next.square.number());
        }
        if score > alpha {
            shared.halt.set();
        }
        true
    }
}
