//! Exact search of the last empties without an evaluator. Scores are discs for the side to move.

use crate::othello::board::{Bitboard, Cpu, CpuTask, Position, Square, Squares, flips};
use crate::othello::eval::Evaluator;

use super::context::SearchState;
use super::last_empties::{Last4, final_score};
pub(super) use super::last_moves::MOST_EMPTIES;
use super::last_moves::{LastMove, LastMoves};
use super::ordering::{MoveOrdering, odd_squares};
use super::table::NO_MOVE;

/// From this many empties on moves are sorted by the number of replies they leave, results are kept
/// in the near table and stable discs are looked at; below, parity alone decides the order.
const LEAST_SORTED: u8 = 6;

/// From this many empties on the replies in the near table are looked at before any is searched.
const LEAST_LOOKAHEAD: u8 = 7;

/// From this many empties on a move ends the node at once that leaves the mover enough stable discs.
const LEAST_STABLE_LOOKAHEAD: u8 = 10;

/// An upper bound for the score from the discs that the opponent can never lose, if it is not above
/// `alpha`.
#[inline(always)]
pub(super) fn stable_bound<C: Cpu>(
    cpu: C,
    position: Position,
    alpha: i32,
    empties: u8,
) -> Option<i32> {
    // A low window needs more stable discs than there are, as a rule, with so many empties.
    if alpha < 2 * i32::from(empties) - 6 {
        return None;
    }
    // Often the opponent has not even so many discs.
    if 64 - 2 * position.opponent.count_ones() as i32 > alpha {
        return None;
    }
    let stable = cpu.stable_discs(position.opponent, position.mover);
    let most = 64 - 2 * stable.count_ones() as i32;
    (most <= alpha).then_some(most)
}

/// A position with so many empties that its moves are sorted, and what its parent knows of it.
#[derive(Clone, Copy)]
struct SortedNode {
    position: Position,
    legal: Bitboard,
    /// Where the near table keeps it.
    place: u32,
    empties: u8,
}

struct Sorted<'c, 'a, E: Evaluator> {
    context: &'c mut SearchState<'a, E>,
    node: SortedNode,
    alpha: i32,
}

impl<E: Evaluator> CpuTask for Sorted<'_, '_, E> {
    type Output = i32;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> i32 {
        self.context.solve_sorted_here(cpu, self.node, self.alpha)
    }
}

/// Five empties, sorted by parity alone.
struct ByParity<'n> {
    nodes: &'n mut u64,
    position: Position,
    legal: Bitboard,
    alpha: i32,
}

impl CpuTask for ByParity<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> i32 {
        let Self { nodes, position, legal, alpha } = self;
        let Position { mover, opponent } = position;
        *nodes += 1;
        let empty = position.empty_squares();
        debug_assert_eq!(empty.count_ones(), 5);
        if legal == 0 {
            let legal = cpu.legal_moves(opponent, mover);
            if legal == 0 {
                return final_score(mover, 5);
            }
            let (position, alpha) = (position.passed(), -alpha - 1);
            return -cpu.enter(Self { nodes, position, legal, alpha });
        }
        let odd = odd_squares(empty);
        let mut best = i32::MIN;
        for squares in [legal & odd, legal & !odd] {
            for square in Squares(squares) {
                let child = position.with_move(square, cpu.flips(square, mover, opponent));
                let score = -solve_4(cpu, nodes, child, -alpha - 1);
                if score > best {
                    best = score;
                    if best > alpha {
                        return best;
                    }
                }
            }
        }
        best
    }
}

/// Four empties, in the order of parity.
#[inline(always)]
fn solve_4<C: Cpu>(cpu: C, nodes: &mut u64, position: Position, alpha: i32) -> i32 {
    let empty = position.empty_squares();
    let odd = odd_squares(empty);
    let mut rest = empty & odd;
    let mut later = empty & !odd;
    let mut next = || {
        if rest == 0 {
            (rest, later) = (later, 0);
        }
        let square = Square::lowest_of(rest);
        rest &= rest - 1;
        square
    };
    let squares = [next(), next(), next(), next()];
    let sides = (position.mover, position.opponent);
    cpu.enter(Last4 { nodes, sides, alpha, squares })
}

/// Less than four empties, at the top of a search only: it may be slow.
fn solve_few(nodes: &mut u64, position: Position) -> i32 {
    *nodes += 1;
    let legal = position.legal_moves();
    if legal.is_empty() {
        if position.is_over() {
            return i32::from(position.final_score());
        }
        return -solve_few(nodes, position.passed());
    }
    let mut best = i32::MIN;
    for square in legal {
        let turned = flips(square, position.mover, position.opponent);
        best = best.max(-solve_few(nodes, position.with_move(square, turned)));
    }
    best
}

impl<E: Evaluator> SearchState<'_, E> {
    /// Whether the score exceeds `alpha` (null window, fail-soft), for up to
    /// [`MOST_EMPTIES`] empties.
    #[inline(always)]
    pub(crate) fn solve<C: Cpu>(&mut self, cpu: C, position: Position, alpha: i32) -> i32 {
        let legal = cpu.legal_moves(position.mover, position.opponent);
        match position.empties() {
            empties @ LEAST_SORTED.. => {
                let node = self.sorted_node(position, legal, empties);
                self.solve_sorted(cpu, node, alpha)
            }
            5 => cpu.enter(ByParity { nodes: &mut self.nodes, position, legal, alpha }),
            4 => solve_4(cpu, &mut self.nodes, position, alpha),
            _ => solve_few(&mut self.nodes, position),
        }
    }

    #[inline(always)]
    fn sorted_node(&self, position: Position, legal: Bitboard, empties: u8) -> SortedNode {
        SortedNode { position, legal, place: self.near.place(position), empties }
    }

    #[inline(always)]
    fn solve_sorted<C: Cpu>(&mut self, cpu: C, node: SortedNode, alpha: i32) -> i32 {
        cpu.enter(Sorted { context: self, node, alpha })
    }

    #[inline(always)]
    fn solve_sorted_here<C: Cpu>(&mut self, cpu: C, node: SortedNode, alpha: i32) -> i32 {
        if self.enter() {
            return alpha;
        }
        let SortedNode { position, legal, place, empties } = node;
        let Position { mover, opponent } = position;
        if legal == 0 {
            let replies = cpu.legal_moves(opponent, mover);
            if replies == 0 {
                return final_score(mover, i32::from(empties));
            }
            let passed = self.sorted_node(position.passed(), replies, empties);
            return -self.solve_sorted(cpu, passed, -alpha - 1);
        }
        if let Some(score) = stable_bound(cpu, position, alpha, empties) {
            return score;
        }
        let known = self.near.probe(place, position);
        if i32::from(known.lower) > alpha {
            return i32::from(known.lower);
        }
        if i32::from(known.upper) <= alpha {
            return i32::from(known.upper);
        }
        let mut moves = LastMoves::new();
        moves.add(cpu, position, legal);
        if empties >= LEAST_LOOKAHEAD {
            for each in moves.as_mut_slice() {
                each.place = self.near.place(each.child);
                let found = self.near.probe(each.place, each.child);
                let at_least = -i32::from(found.upper);
                if at_least > alpha {
                    return at_least;
                }
            }
        }
        if empties >= LEAST_STABLE_LOOKAHEAD {
            for each in moves.as_mut_slice() {
                if let Some(at_most) = stable_bound(cpu, each.child, -alpha - 1, empties - 1) {
                    return -at_most;
                }
            }
        }
        match self.ordering {
            MoveOrdering::Rosebill => moves.rate_fastest_first(cpu, position, known.best),
            MoveOrdering::Quick => moves.rate_quickly(known.best),
        }
        let (mut best, mut best_move) = (i32::MIN, NO_MOVE);
        while let Some(&LastMove { child, legal, place: child_place, square }) = moves.next_best() {
            let score = -if empties > LEAST_SORTED {
                let (place, empties) = (child_place, empties - 1);
                let child = SortedNode { position: child, legal, place, empties };
                self.solve_sorted(cpu, child, -alpha - 1)
            } else {
                let (nodes, alpha) = (&mut self.nodes, -alpha - 1);
                cpu.enter(ByParity { nodes, position: child, legal, alpha })
            };
            if self.aborted {
                return alpha;
            }
            if score > best {
                (best, best_move) = (score, square.number());
                if best > alpha {
                    break;
                }
            }
        }
        self.near.store(place, position, known, alpha, (best, best_move));
        best
    }
}

// A child's place is found when it is looked for, and needed where the child is sorted.
const _: () = assert!(LEAST_LOOKAHEAD == LEAST_SORTED + 1);
