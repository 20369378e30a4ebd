//! The position that decides what a shallow search says: what weights are fitted to.

use crate::othello::board::{Cpu, CpuLevel, CpuTask, Position, flips};
use crate::othello::eval::Evaluator;

/// The last position of the best line of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leaf {
    /// It, seen by its side to move.
    pub position: Position,
    /// Whether the side to move is that of the position that was searched.
    pub same_side: bool,
}

/// The leaf of a search of `plies` at full width, by plain alpha-beta without tables; a pass is no ply.
/// None where the game is over there, or no move can be made at the root.
pub(crate) fn deciding_leaf<E: Evaluator>(
    evaluator: &E,
    position: Position,
    plies: u8,
) -> Option<Leaf> {
    CpuLevel::detect().run(Descent { evaluator, position, plies })
}

struct Descent<'e, E> {
    evaluator: &'e E,
    position: Position,
    plies: u8,
}

impl<E: Evaluator> CpuTask for Descent<'_, E> {
    type Output = Option<Leaf>;

    fn run<C: Cpu>(self, cpu: C) -> Option<Leaf> {
        let Self { evaluator, position, plies } = self;
        if !position.can_move() {
            return None;
        }
        let state = evaluator.state(position);
        let found = descend(cpu, evaluator, &state, position, plies, -WORST, WORST);
        found.leaf.filter(|leaf| !leaf.position.is_over())
    }
}

/// Centidiscs beyond every value.
const WORST: i32 = 100_000;

/// What a reply leaves to its mover counts this many centidiscs less for each reply to it: good moves
/// come first, so that more is cut off. Not tuned.
const MOBILITY: i32 = 300;

/// Centidiscs for the side to move, and the leaf they are from, from its point of view.
struct Found {
    value: i32,
    leaf: Option<Leaf>,
}

impl Found {
    fn for_other_side(self) -> Self {
        let leaf = self.leaf.map(|leaf| Leaf { same_side: !leaf.same_side, ..leaf });
        Self { value: -self.value, leaf }
    }
}

/// Fail-soft. Of moves worth the same the first counts.
fn descend<C: Cpu, E: Evaluator>(
    cpu: C,
    evaluator: &E,
    state: &E::State,
    position: Position,
    plies: u8,
    mut alpha: i32,
    beta: i32,
) -> Found {
    let here = Some(Leaf { position, same_side: true });
    let moves = position.legal_moves();
    if moves.is_empty() {
        let passed = position.passed();
        if !passed.can_move() {
            return Found { value: i32::from(position.final_score()) * 100, leaf: here };
        }
        let state = evaluator.pass(state);
        return descend(cpu, evaluator, &state, passed, plies, -beta, -alpha).for_other_side();
    }
    let estimate = |state: &E::State, position| {
        i32::from(evaluator.estimate(cpu, state, position).centidiscs())
    };
    if plies == 0 {
        return Found { value: estimate(state, position), leaf: here };
    }
    let mut children: Vec<(i32, Position, E::State)> = moves
        .map(|square| {
            let turned = flips(square, position.mover, position.opponent);
            let child = position.with_move(square, turned);
            let state = evaluator.play(state, square, turned);
            let replies = child.legal_moves().len() as i32;
            let order = if plies > 1 { estimate(&state, child) + MOBILITY * replies } else { 0 };
            (order, child, state)
        })
        .collect();
    children.sort_by_key(|&(order, ..)| order);
    let mut best = Found { value: -WORST, leaf: None };
    for (_, child, state) in &children {
        let found = descend(cpu, evaluator, state, *child, plies - 1, -beta, -alpha);
        let found = found.for_other_side();
        if found.value > best.value {
            alpha = alpha.max(found.value);
            best = found;
            if best.value >= beta {
                break;
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::eval::PatternEvaluator;
    use crate::othello::random::Random;

    /// Without windows, order and states.
    fn negamax(evaluator: &PatternEvaluator, position: Position, plies: u8) -> i32 {
        if position.is_over() {
            return i32::from(position.final_score()) * 100;
        }
        if !position.can_move() {
            return -negamax(evaluator, position.passed(), plies);
        }
        if plies == 0 {
            let state = evaluator.state(position);
            return i32::from(evaluator.evaluate(&state, position).centidiscs());
        }
        let children = position.legal_moves().filter_map(|square| position.play(square));
        children.map(|child| -negamax(evaluator, child, plies - 1)).max().unwrap()
    }

    #[test]
    fn the_leaf_is_worth_what_the_search_says() {
        let evaluator = PatternEvaluator::embedded().unwrap();
        let mut random = Random::new(7);
        let (mut found, mut ended) = (0, 0);
        for game in 0..60 {
            let mut position = Position::START;
            let empties = 1 + game % 56;
            while position.empties() > empties && !position.is_over() {
                let moves: Vec<_> = position.legal_moves().collect();
                position = match moves.get(random.below(moves.len())) {
                    Some(&square) => position.play(square).unwrap(),
                    None => position.passed(),
                };
            }
            for plies in 1..=3 {
                let value = negamax(&evaluator, position, plies);
                match deciding_leaf(evaluator.as_ref(), position, plies) {
                    Some(leaf) => {
                        assert!(leaf.position.can_move());
                        let at_leaf = negamax(&evaluator, leaf.position, 0);
                        assert_eq!(if leaf.same_side { at_leaf } else { -at_leaf }, value);
                        found += 1;
                    }
                    None => ended += 1,
                }
            }
        }
        assert!(found > 100 && ended > 0, "{found} {ended}");
    }
}
