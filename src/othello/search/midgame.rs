//! The search with an evaluator: principal variation search in which almost every node has a null
//! window. It serves the midgame (depth below the empties) and the upper part of a search to the
//! end (depth equal to the empties), which hands over to the solver of `endgame`.
//!
//! Scores are centidiscs for the side to move.

use crate::othello::board::{Cpu, CpuTask};
use crate::othello::eval::Evaluator;

use super::context::SearchState;
use super::node::Node;
use super::ordering::{MoveOrdering, Moves, later_replies, odd_squares, replies};
use super::table::{Finding, NO_MOVE, TableHit};
use super::{endgame, probcut};

/// Below this depth there is no table, and what `shallow` has of sorting and cutting by chance.
const LEAST_DEPTH: u8 = 3;

/// From this depth on the replies in the table are looked at before any is searched.
const LEAST_LOOKAHEAD: u8 = 8;

/// What each reply of the opponent costs a move in the sorting, centidiscs. In a search to the end
/// few replies mean few nodes, which counts for more than a good score.
const REPLY: i32 = 50;
const REPLY_TO_THE_END: i32 = 350;

/// What a move into a region with an odd number of empty squares is worth in the sorting of a
/// search to the end, centidiscs.
const ODD_REGION: i32 = 80;

/// What each square where the opponent may come to move later costs there, centidiscs.
const LATER_REPLY: i32 = 100;

// Each recursive function is a task, so that it is compiled for each kind of processor.

struct NullWindow<'c, 'a, 's, E: Evaluator> {
    context: &'c mut SearchState<'a, E>,
    node: Node<'s, E::State>,
    alpha: i32,
}

impl<E: Evaluator> CpuTask for NullWindow<'_, '_, '_, E> {
    type Output = i32;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> i32 {
        self.context.null_window_here(cpu, self.node, self.alpha)
    }
}

struct OpenWindow<'c, 'a, 's, E: Evaluator> {
    context: &'c mut SearchState<'a, E>,
    node: Node<'s, E::State>,
    alpha: i32,
    beta: i32,
}

impl<E: Evaluator> CpuTask for OpenWindow<'_, '_, '_, E> {
    type Output = i32;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> i32 {
        self.context.open_window_here(cpu, self.node, self.alpha, self.beta)
    }
}

impl<E: Evaluator> SearchState<'_, E> {
    /// Null window: whether the score exceeds `alpha`, fail-soft.
    #[inline(always)]
    pub(crate) fn null_window<C: Cpu>(
        &mut self,
        cpu: C,
        node: Node<'_, E::State>,
        alpha: i32,
    ) -> i32 {
        cpu.enter(NullWindow { context: self, node, alpha })
    }

    #[inline(always)]
    fn null_window_here<C: Cpu>(&mut self, cpu: C, node: Node<'_, E::State>, alpha: i32) -> i32 {
        let Node { state, position, depth, empties } = node;
        if node.is_to_the_end() && empties <= endgame::MOST_EMPTIES {
            // The scores are even, so a bound between two of them is as good as the lower.
            return 100 * self.solve(cpu, position, alpha.div_euclid(100));
        }
        if depth < LEAST_DEPTH {
            let judged = self.static_cut(cpu, node, alpha);
            return judged.unwrap_or_else(|| self.shallow(cpu, node, alpha, alpha + 1));
        }
        if self.enter() {
            return alpha;
        }
        let legal = cpu.legal_moves(position.mover, position.opponent);
        if legal == 0 {
            let passed = position.passed();
            if cpu.legal_moves(passed.mover, passed.opponent) == 0 {
                return node.final_score();
            }
            let state = &self.evaluator.pass(state);
            let node = Node { state, position: passed, depth, empties };
            return -self.null_window(cpu, node, -alpha - 1);
        }
        let found = self.table.probe(position);
        if let Some(score) = found.and_then(|found| self.cut_off(found, depth, alpha)) {
            return score;
        }
        if node.is_to_the_end() {
            let alpha = alpha.div_euclid(100);
            if let Some(score) = endgame::stable_bound(cpu, position, alpha, empties) {
                return 100 * score;
            }
        }
        if let Some(score) = self.probable_cut(cpu, node, alpha) {
            return score;
        }
        let mut moves = Moves::new(cpu, position, legal);
        if depth >= LEAST_LOOKAHEAD
            && let Some(score) = self.enhanced_cut_off(cpu, &moves, node, alpha)
        {
            return score;
        }
        moves.rate_named(position, found.map_or([NO_MOVE; 2], |found| found.moves));
        let (mut best, mut best_move) = (i32::MIN, NO_MOVE);
        while moves.has_next() {
            let shared = best > i32::MIN && self.can_share(node);
            if shared || !moves.has_rated() {
                self.rate(cpu, &mut moves, node, alpha);
            }
            if shared {
                (best, best_move) = self.share(cpu, node, alpha, &mut moves, (best, best_move));
                if self.aborted {
                    return alpha;
                }
                break;
            }
            let Some(next) = moves.next_best() else { break };
            let score = {
                let state = self.evaluator.play(state, next.square, next.turned);
                let child = node.after(&state, next.square, next.turned);
                -self.null_window(cpu, child, -alpha - 1)
            };
            if self.aborted {
                return alpha;
            }
            if score > best {
                (best, best_move) = (score, next.square.number());
                if best > alpha {
                    break;
                }
            }
        }
        self.keep(node, (alpha, alpha + 1), best, best_move);
        best
    }

    /// Open window, fail-soft.
    #[inline(always)]
    pub(crate) fn open_window<C: Cpu>(
        &mut self,
        cpu: C,
        node: Node<'_, E::State>,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        cpu.enter(OpenWindow { context: self, node, alpha, beta })
    }

    #[inline(always)]
    fn open_window_here<C: Cpu>(
        &mut self,
        cpu: C,
        node: Node<'_, E::State>,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let Node { state, position, depth, empties } = node;
        if depth == 0 && empties > 0 {
            return self.shallow(cpu, node, alpha, beta);
        }
        if self.enter() {
            return alpha;
        }
        let legal = cpu.legal_moves(position.mover, position.opponent);
        if legal == 0 {
            let passed = position.passed();
            if cpu.legal_moves(passed.mover, passed.opponent) == 0 {
                return node.final_score();
            }
            let state = &self.evaluator.pass(state);
            let node = Node { state, position: passed, depth, empties };
            return -self.open_window(cpu, node, -beta, -alpha);
        }
        let found = self.table.probe(position);
        let mut moves = Moves::new(cpu, position, legal);
        moves.rate_named(position, found.map_or([NO_MOVE; 2], |found| found.moves));
        let (mut best, mut best_move) = (i32::MIN, NO_MOVE);
        while moves.has_next() && best < beta {
            let shared = best > i32::MIN && self.can_share(node);
            if shared || !moves.has_rated() {
                self.rate(cpu, &mut moves, node, alpha);
            }
            if shared {
                let so_far = (best, best_move);
                let window = (alpha, beta);
                (best, best_move) = self.share_open(cpu, node, window, &mut moves, so_far);
                if self.aborted {
                    return alpha;
                }
                continue;
            }
            let Some(next) = moves.next_best() else { break };
            let state = self.evaluator.play(state, next.square, next.turned);
            let child = node.after(&state, next.square, next.turned);
            let score = self.search_child(cpu, child, best, (alpha, beta));
            if self.aborted {
                return alpha;
            }
            if score > best {
                (best, best_move) = (score, next.square.number());
            }
        }
        self.keep(node, (alpha, beta), best, best_move);
        best
    }

    /// The score of a move, seen by the side that made it: the first is searched with the open
    /// window, the others only when a null window says that they are better than `best`.
    #[inline(always)]
    pub(crate) fn search_child<C: Cpu>(
        &mut self,
        cpu: C,
        child: Node<'_, E::State>,
        best: i32,
        (alpha, beta): (i32, i32),
    ) -> i32 {
        if best == i32::MIN {
            return -self.open_window(cpu, child, -beta, -alpha);
        }
        let low = alpha.max(best);
        let score = -self.null_window(cpu, child, -low - 1);
        if score > low && score < beta && !self.aborted {
            return -self.open_window(cpu, child, -beta, -low);
        }
        score
    }

    #[inline(always)]
    fn keep(&mut self, node: Node<'_, E::State>, (alpha, beta): (i32, i32), score: i32, best: u8) {
        let (depth, sureness) = (node.depth, self.sureness);
        let finding = Finding { depth, sureness, alpha, beta, score, best };
        self.table.store(node.position, &finding);
    }

    /// What the table proves about a null window.
    #[inline(always)]
    fn cut_off(&self, found: TableHit, depth: u8, alpha: i32) -> Option<i32> {
        if found.depth < depth || found.sureness < self.sureness {
            return None;
        }
        let (lower, upper) = (i32::from(found.lower), i32::from(found.upper));
        if lower > alpha {
            Some(lower)
        } else if upper <= alpha {
            Some(upper)
        } else {
            None
        }
    }

    /// Enhanced transposition cut-off: a reply already known to be bad enough ends the node, and so do
    /// discs of the mover that are stable after a move.
    #[inline(always)]
    fn enhanced_cut_off<C: Cpu>(
        &self,
        cpu: C,
        moves: &Moves,
        node: Node<'_, E::State>,
        alpha: i32,
    ) -> Option<i32> {
        let reply_alpha = (-alpha - 1).div_euclid(100);
        for candidate in moves.as_slice() {
            let child = node.position.with_move(candidate.square, candidate.turned);
            if node.is_to_the_end()
                && let Some(bound) =
                    endgame::stable_bound(cpu, child, reply_alpha, node.empties - 1)
            {
                return Some(-100 * bound);
            }
            let Some(found) = self.table.probe(child) else { continue };
            if found.depth + 1 < node.depth || found.sureness < self.sureness {
                continue;
            }
            let at_least = -i32::from(found.upper);
            if at_least > alpha {
                return Some(at_least);
            }
        }
        None
    }

    /// Multi-ProbCut by a search.
    #[inline(always)]
    fn probable_cut<C: Cpu>(
        &mut self,
        cpu: C,
        node: Node<'_, E::State>,
        alpha: i32,
    ) -> Option<i32> {
        if self.sureness >= probcut::FULL {
            return None;
        }
        let Node { depth, empties, .. } = node;
        let shallow = probcut::shallow_depth(depth);
        let margin = self.margins.margin(self.sureness, empties, depth);
        let guess = self.evaluate(cpu, node.state, node.position);
        // Nothing is beyond a wipe-out, however wide the margin.
        let probe = Node { depth: shallow, ..node };
        if guess > alpha {
            let bound = (alpha + 1 + margin).min(6400);
            let score = self.null_window(cpu, probe, bound - 1);
            (score >= bound && !self.aborted).then_some(alpha + 1)
        } else {
            let bound = (alpha - margin).max(-6400);
            let score = self.null_window(cpu, probe, bound);
            (score <= bound && !self.aborted).then_some(alpha)
        }
    }

    /// Rates the moves that have no rating yet by a shallow search and the replies that they leave.
    #[inline(always)]
    fn rate<C: Cpu>(&mut self, cpu: C, moves: &mut Moves, node: Node<'_, E::State>, alpha: i32) {
        let Node { state, position, depth, empties } = node;
        if self.ordering == MoveOrdering::Quick {
            return moves.rate_quickly();
        }
        // (from this depth on, plies of the sorting search)
        let depths: &[(u8, u8)] =
            if node.is_to_the_end() { &[(20, 2), (18, 1)] } else { &[(12, 1)] };
        let shallow =
            depths.iter().find(|&&(from, _)| depth >= from).map_or(0, |&(_, plies)| plies);
        let shallow = shallow.min(empties - 1);
        let (reply, later, odd) = if node.is_to_the_end() {
            let odd = odd_squares(position.empty_squares());
            (REPLY_TO_THE_END, LATER_REPLY, odd)
        } else {
            (REPLY, 0, 0)
        };
        for candidate in moves.unrated() {
            let state = self.evaluator.play(state, candidate.square, candidate.turned);
            let after = node.after(&state, candidate.square, candidate.turned);
            let (position, child) = (after.position, Node { depth: shallow, ..after });
            // Values outside this window are all very good or very bad.
            let (low, high) = (alpha - 2400, alpha + 2400);
            let score = -self.shallow_child(cpu, child, -high, -low);
            let region = if candidate.square.bit() & odd == 0 { 0 } else { ODD_REGION };
            let replies = reply * replies(cpu, position);
            candidate.rating = score + region - replies - later * later_replies(position);
        }
    }
}
