//! One position on several threads: once the first move of a node has not cut it off, its brothers
//! are shared out among the threads that have nothing to do (young brothers wait; source: Feldmann,
//! "Game Tree Search on Massively Parallel Systems", 1993). A thread that waits for helpers helps
//! below the node that it waits for.

use std::sync::Arc;

use crate::othello::board::{Cpu, Square};
use crate::othello::eval::Evaluator;

use super::context::{Deadline, SearchState};
use super::near::NearTable;
use super::node::Node;
use super::ordering::{MoveOrdering, Moves};
use super::shared_node::Shared;
use super::table::Table;
use super::team::Team;

/// The least depth of a node whose moves are shared out: below, sharing would cost more than it
/// brings.
const LEAST_DEPTH: u8 = 5;

/// The same for a search to the end, which is faster.
const LEAST_EMPTIES: u8 = 13;

/// What a helper needs to know of a search.
pub(super) struct Helper<'a, E: Evaluator> {
    evaluator: &'a E,
    table: &'a Table,
    team: &'a Team<E::State>,
    deadline: Deadline,
    ordering: MoveOrdering,
}

impl<E: Evaluator> Helper<'_, E> {
    /// Helps until the search is over.
    pub(crate) fn run<C: Cpu>(self, cpu: C) {
        let mut near = self.team.near_table();
        while let Some(joined) = self.team.next_node() {
            near = self.help(cpu, &joined.node, near);
        }
    }

    fn help<C: Cpu>(&self, cpu: C, shared: &Shared<E::State>, mut near: NearTable) -> NearTable {
        let deadline = self.deadline.clone();
        let mut search = SearchState::new(self.evaluator, self.table, &mut near, deadline);
        (search.team, search.halt) = (Some(self.team), Some(shared.halt.clone()));
        (search.sureness, search.ordering) = (shared.sureness, self.ordering);
        while search.search_next(cpu, shared) {}
        shared.count(search.nodes);
        near
    }
}

impl<'a, E: Evaluator> SearchState<'a, E> {
    /// A thread of the team that is to help with this search.
    pub(crate) fn helper(&self, team: &'a Team<E::State>) -> Helper<'a, E> {
        let &Self { evaluator, table, ordering, .. } = self;
        // The nodes and the processor time that a search may take are watched by the thread that
        // began it.
        let deadline = Deadline { cpu_time: None, nodes: None, ..self.deadline.clone() };
        Helper { evaluator, table, team, deadline, ordering }
    }

    /// Whether the moves of a node can be shared out now.
    #[inline(always)]
    pub(crate) fn can_share(&self, node: Node<'_, E::State>) -> bool {
        let least = if node.depth == node.empties { LEAST_EMPTIES } else { LEAST_DEPTH };
        node.depth >= least && self.team.is_some_and(Team::is_free)
    }

    /// As [`Self::share`], with an open window: until a move is better than `alpha` and `best`, which is
    /// then searched alone with the open window.
    pub(crate) fn share_open<C: Cpu>(
        &mut self,
        cpu: C,
        node: Node<'_, E::State>,
        (alpha, beta): (i32, i32),
        moves: &mut Moves,
        best: (i32, u8),
    ) -> (i32, u8) {
        let low = alpha.max(best.0);
        let (score, number) = self.share(cpu, node, low, moves, best);
        let square = Square::try_new(number).filter(|_| score > low && score < beta);
        let Some(square) = square.filter(|_| !self.aborted) else { return (score, number) };
        let turned = cpu.flips(square, node.position.mover, node.position.opponent);
        let state = self.evaluator.play(node.state, square, turned);
        let child = node.after(&state, square, turned);
        let score = -self.open_window(cpu, child, -beta, -low);
        if score > best.0 { (score, number) } else { best }
    }

    /// Searches the moves that are left with a null window, together with the threads that have
    /// nothing to do, until one is better than `alpha`: the best score and its move. When the search was
    /// broken off, `aborted` is set.
    pub(crate) fn share<C: Cpu>(
        &mut self,
        cpu: C,
        node: Node<'_, E::State>,
        alpha: i32,
        moves: &mut Moves,
        best: (i32, u8),
    ) -> (i32, u8) {
        let Some(team) = self.team else { return best };
        let above = self.halt.take();
        let shared =
            Arc::new(Shared::new(node, (alpha, self.sureness), moves.clone(), best, above.clone()));
        self.halt = Some(shared.halt.clone());
        team.offer(&shared);
        while self.search_next(cpu, &shared) {}
        team.withdraw(&shared);
        if self.aborted {
            shared.halt.set();
        }
        while let Some(below) = team.next_below(&shared) {
            self.halt = Some(below.node.halt.clone());
            self.aborted = false;
            self.poll();
            while self.search_next(cpu, &below.node) {}
        }
        self.nodes += shared.nodes();
        self.halt = above;
        // Broken off because this node was decided: that ends here.
        self.aborted = false;
        self.poll();
        *moves = shared.moves();
        shared.best()
    }

    /// Searches the next move of a shared node; false when there is none, the node is decided or
    /// the search broken off.
    fn search_next<C: Cpu>(&mut self, cpu: C, shared: &Shared<E::State>) -> bool {
        if self.aborted {
            return false;
        }
        let Some(next) = shared.next_move() else { return false };
        let node = shared.node();
        let state = self.evaluator.play(node.state, next.square, next.turned);
        let child = node.after(&state, next.square, next.turned);
        let score = -self.null_window(cpu, child, -shared.alpha - 1);
        if self.aborted {
            shared.give_back(next);
            return false;
        }
        shared.note(score, next);
        true
    }
}
