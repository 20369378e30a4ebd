//! The last two plies before the evaluator judges, where most of a search's time goes: no table, and only
//! as much sorting as costs less than it saves.
//!
//! Scores are centidiscs for the side to move.

use crate::othello::board::{Bitboard, CORNERS, Cpu, CpuTask, Position, Square, Squares};
use crate::othello::eval::Evaluator;

use super::context::SearchState;
use super::node::Node;
use super::ordering::{MOST_MOVES, weighed};
use super::probcut;

/// A reply that is not yet searched, for the search of two plies.
#[derive(Clone, Copy)]
struct Reply {
    child: Position,
    /// The moves of `child`.
    legal: Bitboard,
    /// How many these are, those to corners counted twice: the fewer, the sooner it is searched.
    cost: i32,
    square: Square,
}

/// What fills a list before there are moves.
const NO_REPLY_YET: Reply =
    Reply { child: Position { mover: 0, opponent: 0 }, legal: 0, cost: 0, square: Square::new(0) };

struct Shallow<'c, 'a, 's, E: Evaluator> {
    context: &'c mut SearchState<'a, E>,
    node: Node<'s, E::State>,
    alpha: i32,
    beta: i32,
}

impl<E: Evaluator> CpuTask for Shallow<'_, '_, '_, E> {
    type Output = i32;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> i32 {
        self.context.shallow_here(cpu, self.node, self.alpha, self.beta)
    }
}

impl<E: Evaluator> SearchState<'_, E> {
    #[inline(always)]
    pub(crate) fn evaluate<C: Cpu>(&self, cpu: C, state: &E::State, position: Position) -> i32 {
        i32::from(self.evaluator.estimate(cpu, state, position).centidiscs())
    }

    /// At most two plies, alpha-beta, fail-soft.
    #[inline(always)]
    pub(crate) fn shallow<C: Cpu>(
        &mut self,
        cpu: C,
        node: Node<'_, E::State>,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        cpu.enter(Shallow { context: self, node, alpha, beta })
    }

    /// As [`Self::shallow`], without a call where nothing is looked ahead: most nodes are such.
    #[inline(always)]
    pub(crate) fn shallow_child<C: Cpu>(
        &mut self,
        cpu: C,
        child: Node<'_, E::State>,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        if child.depth > 0 || child.empties == 0 {
            return self.shallow(cpu, child, alpha, beta);
        }
        self.nodes += 1;
        self.evaluate(cpu, child.state, child.position)
    }

    /// Multi-ProbCut by the static value, which predicts a search of two plies.
    #[inline(always)]
    pub(crate) fn static_cut<C: Cpu>(
        &mut self,
        cpu: C,
        node: Node<'_, E::State>,
        alpha: i32,
    ) -> Option<i32> {
        if node.depth != probcut::STATIC_DEPTH || self.sureness >= probcut::FULL {
            return None;
        }
        self.nodes += 1;
        let margin = self.margins.margin(self.sureness, node.empties, node.depth);
        let guess = self.evaluate(cpu, node.state, node.position);
        if guess > alpha + margin {
            Some(alpha + 1)
        } else if guess <= alpha - margin {
            Some(alpha)
        } else {
            None
        }
    }

    #[inline(always)]
    fn shallow_here<C: Cpu>(
        &mut self,
        cpu: C,
        node: Node<'_, E::State>,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let Node { state, position, depth, empties } = node;
        debug_assert!(depth <= 2);
        self.nodes += 1;
        if depth == 0 && empties > 0 {
            return self.evaluate(cpu, state, position);
        }
        let legal = cpu.legal_moves(position.mover, position.opponent);
        if legal == 0 {
            let passed = position.passed();
            if cpu.legal_moves(passed.mover, passed.opponent) == 0 {
                return node.final_score();
            }
            let state = &self.evaluator.pass(state);
            let node = Node { state, position: passed, depth, empties };
            return -self.shallow(cpu, node, -beta, -alpha);
        }
        if depth == 1 {
            self.one_ply(cpu, node, (legal, 0), alpha, beta).0
        } else {
            self.two_plies(cpu, node, legal, alpha, beta)
        }
    }

    /// The moves that leave few replies first; the answer that refuted one move is tried first against
    /// the next.
    #[inline(always)]
    fn two_plies<C: Cpu>(
        &mut self,
        cpu: C,
        node: Node<'_, E::State>,
        legal: Bitboard,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let Node { state, position, depth, empties } = node;
        let mut list = [NO_REPLY_YET; MOST_MOVES];
        let mut len = 0;
        for square in by_kind(legal).into_iter().flat_map(Squares) {
            let turned = cpu.flips(square, position.mover, position.opponent);
            let child = position.with_move(square, turned);
            let legal = cpu.legal_moves(child.mover, child.opponent);
            let Some(place) = list.get_mut(len) else { break };
            *place = Reply { child, legal, cost: weighed(legal), square };
            len += 1;
        }
        let list = &mut list[..len];
        let (mut best, mut refutation) = (i32::MIN, 0);
        for index in 0..len {
            bring_cheapest_first(&mut list[index..]);
            let Reply { child, legal, square, .. } = list[index];
            let turned = child.opponent & position.opponent;
            let state = self.evaluator.play(state, square, turned);
            let child =
                Node { state: &state, position: child, depth: depth - 1, empties: empties - 1 };
            let (low, high) = (-beta, -alpha.max(best));
            let score = if legal == 0 {
                self.shallow(cpu, child, low, high)
            } else {
                self.nodes += 1;
                let (score, answer) = self.one_ply(cpu, child, (legal, refutation), low, high);
                if score >= high {
                    refutation = answer;
                }
                score
            };
            best = best.max(-score);
            if best >= beta {
                break;
            }
        }
        best
    }

    /// The best of the moves `legal`, and its square; those among `sooner` are tried first, then corners.
    #[inline(always)]
    fn one_ply<C: Cpu>(
        &mut self,
        cpu: C,
        node: Node<'_, E::State>,
        (legal, sooner): (Bitboard, Bitboard),
        alpha: i32,
        beta: i32,
    ) -> (i32, Bitboard) {
        let Node { state, position, .. } = node;
        let [corners, others, beside] = by_kind(legal & !sooner);
        let (mut best, mut best_move) = (i32::MIN, 0);
        for square in [legal & sooner, corners, others, beside].into_iter().flat_map(Squares) {
            let turned = cpu.flips(square, position.mover, position.opponent);
            let state = self.evaluator.play(state, square, turned);
            let child = node.after(&state, square, turned);
            let score = -self.shallow_child(cpu, child, -beta, -alpha.max(best));
            if score > best {
                (best, best_move) = (score, square.bit());
                if best >= beta {
                    break;
                }
            }
        }
        (best, best_move)
    }
}

#[inline(always)]
fn bring_cheapest_first(list: &mut [Reply]) {
    let mut cheapest = 0;
    for (index, each) in list.iter().enumerate() {
        if each.cost < list[cheapest].cost {
            cheapest = index;
        }
    }
    list.swap(0, cheapest);
}

/// Corners, then the rest, then the squares beside the corners: a fixed order for nodes where
/// sorting does not pay.
#[inline(always)]
fn by_kind(legal: Bitboard) -> [Bitboard; 3] {
    const BESIDE_CORNERS: Bitboard = 0x42c3_0000_0000_c342;
    [legal & CORNERS, legal & !(CORNERS | BESIDE_CORNERS), legal & BESIDE_CORNERS]
}
