//! Exact search of the last empties without an evaluator. Scores are discs for the side to move.

use crate::board::{Cpu, CpuTask, Position, Square, Squares, flips};
use crate::eval::Evaluator;

use super::context::SearchState;
use super::last_empties::{Last4, final_score};
use super::ordering::{MoveOrdering, Moves, odd_squares};
use super::table::NO_MOVE;

/// From this many empties on moves are sorted by the number of replies they leave, results are kept
/// in the near table and stable discs are looked at; below, parity alone decides the order.
const LEAST_SORTED: u8 = 6;

/// From this many empties on the replies in the near table are looked at before any is searched.
const LEAST_LOOKAHEAD: u8 = 7;

/// Up to this many empties this solver takes over from the search with an evaluator.
pub(super) const MOST_EMPTIES: u8 = 11;

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
    let stable = cpu.stable_discs(position.opponent, position.mover);
    let most = 64 - 2 * stable.count_ones() as i32;
    (most <= alpha).then_some(most)
}

struct Sorted<'c, 'a, E: Evaluator> {
    context: &'c mut SearchState<'a, E>,
    position: Position,
    alpha: i32,
    empties: u8,
}

impl<E: Evaluator> CpuTask for Sorted<'_, '_, E> {
    type Output = i32;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> i32 {
        self.context.solve_sorted_here(cpu, self.position, self.alpha, self.empties)
    }
}

/// Five empties, sorted by parity alone.
struct ByParity<'n> {
    nodes: &'n mut u64,
    position: Position,
    alpha: i32,
}

impl CpuTask for ByParity<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> i32 {
        let Self { nodes, position, alpha } = self;
        let Position { mover, opponent } = position;
        *nodes += 1;
        let empty = position.empty_squares();
        debug_assert_eq!(empty.count_ones(), 5);
        let legal = cpu.legal_moves(mover, opponent);
        if legal == 0 {
            if cpu.legal_moves(opponent, mover) == 0 {
                return final_score(mover, 5);
            }
            return -cpu.enter(Self { nodes, position: position.passed(), alpha: -alpha - 1 });
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
    pub fn solve<C: Cpu>(&mut self, cpu: C, position: Position, alpha: i32) -> i32 {
        match position.empties() {
            empties @ LEAST_SORTED.. => self.solve_sorted(cpu, position, alpha, empties),
            5 => cpu.enter(ByParity { nodes: &mut self.nodes, position, alpha }),
            4 => solve_4(cpu, &mut self.nodes, position, alpha),
            _ => solve_few(&mut self.nodes, position),
        }
    }

    #[inline(always)]
    fn solve_sorted<C: Cpu>(&mut self, cpu: C, position: Position, alpha: i32, empties: u8) -> i32 {
        cpu.enter(Sorted { context: self, position, alpha, empties })
    }

    #[inline(always)]
    fn solve_sorted_here<C: Cpu>(
        &mut self,
        cpu: C,
        position: Position,
        alpha: i32,
        empties: u8,
    ) -> i32 {
        if self.enter() {
            return alpha;
        }
        let Position { mover, opponent } = position;
        let legal = cpu.legal_moves(mover, opponent);
        if legal == 0 {
            if cpu.legal_moves(opponent, mover) == 0 {
                return final_score(mover, i32::from(empties));
            }
            return -self.solve_sorted(cpu, position.passed(), -alpha - 1, empties);
        }
        if let Some(score) = stable_bound(cpu, position, alpha, empties) {
            return score;
        }
        let place = self.near.place(position);
        let known = self.near.probe(place, position);
        if i32::from(known.lower) > alpha {
            return i32::from(known.lower);
        }
        if i32::from(known.upper) <= alpha {
            return i32::from(known.upper);
        }
        let mut moves = Moves::<{ MOST_EMPTIES as usize }>::new(cpu, position, legal);
        if empties >= LEAST_LOOKAHEAD {
            for candidate in moves.as_mut_slice() {
                let child = position.with_move(candidate.square, candidate.turned);
                let found = self.near.probe(self.near.place(child), child);
                let at_least = -i32::from(found.upper);
                if at_least > alpha {
                    return at_least;
                }
            }
        }
        match self.ordering {
            MoveOrdering::Rosebill => moves.rate_fastest_first(cpu, position, known.best),
            MoveOrdering::Quick => moves.rate_quickly([known.best, NO_MOVE]),
        }
        let (mut best, mut best_move) = (i32::MIN, NO_MOVE);
        while let Some(next) = moves.next_best() {
            let child = position.with_move(next.square, next.turned);
            let score = -self.solve(cpu, child, -alpha - 1);
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
        self.near.store(place, position, known, alpha, (best, best_move));
        best
    }
}
