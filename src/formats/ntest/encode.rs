//! Our nodes as NTest has them: kinds and heights, values and cutoffs.

use crate::board::{After, Position, Square};
use crate::book::{Node, Rest};
use crate::formats::{ExportReport, Loss};
use crate::score::Score;
use crate::search::Proof;

use super::layout::{EXHAUSTED, NOT_SEARCHED, SOLVER_EMPTIES};
use super::{NtestNode, canonical};

/// NTest keeps positions with so many empties and more.
pub const FEWEST_EMPTIES: u8 = 9;
/// Selectivity of midgame searches.
const MIDGAME_PRUNE: u8 = 4;

/// What NTest's book has no place for.
pub(in crate::formats) const NOT_HELD: &[Loss] = &[
    Loss::of("best move out of the book", "the bound on all other moves"),
    Loss::of("positions with fewer than 9 empties", "left out"),
    Loss::of("program, day", "nothing"),
    Loss::of("confidence", "one of NTest's six"),
];

/// What a node of ours becomes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Encoded {
    /// The node itself.
    pub node: NtestNode,
    /// The position after its best move, where that leads out of the book: a branch of NTest has the
    /// value of its best listed move, so NTest must find a position there.
    pub best: Option<NtestNode>,
}

impl Encoded {
    /// A node in NTest's terms; none when nothing is known of its value, which is counted.
    #[must_use]
    pub fn of(node: &Node, report: &mut ExportReport) -> Option<Self> {
        let position = node.key.position();
        let empties = position.empties();
        let (depth, percent) = (node.searched.depth, node.searched.selectivity.percent());
        let has_children = !node.links.is_empty() && empties > FEWEST_EMPTIES;
        if !has_children {
            let Some(rest) = value_of(node) else {
                report.search_due += 1;
                return None;
            };
            return Some(Self { node: leaf(position, rest, depth, percent), best: None });
        }
        let whole = node.rest.filter(|rest| rest.square.is_none() && rest.proof != Proof::None);
        if let Some(rest) = whole {
            return Some(Self { node: leaf(position, rest, empties, 100), best: None });
        }
        let best = best(node);
        let cutoff = match node.rest {
            Some(_) if best.is_some() && node.unlinked().count() == 1 => EXHAUSTED,
            Some(rest) => rest.score.centidiscs(),
            None if node.is_incomplete() => {
                report.search_due += 1;
                NOT_SEARCHED
            }
            None => EXHAUSTED,
        };
        let unknown = Rest { square: None, score: Score::ZERO, proof: Proof::None };
        let shape = leaf(position, unknown, depth, percent);
        Some(Self { node: NtestNode { root: true, number: cutoff, ..shape }, best })
    }
}

/// The position after the best move of a node, where that is no link.
fn best(node: &Node) -> Option<NtestNode> {
    let Rest { square, score, proof } = node.rest.filter(|rest| rest.score == node.values.guess)?;
    let (next, score) = after(node.key.position(), square?, score)?;
    if next.empties() < FEWEST_EMPTIES {
        return None;
    }
    let proof = if score == -node.values.guess { proof.seen_by_other() } else { proof };
    let rest = Rest { square: None, score, proof };
    let depth = node.searched.depth.saturating_sub(1);
    Some(leaf(next, rest, depth, node.searched.selectivity.percent()))
}

/// The position after a move, and the move's score from the point of view of the side to move
/// there; none where the game ends.
fn after(position: Position, square: Square, score: Score) -> Option<(Position, Score)> {
    match position.after(square)? {
        After::Opponent(next) => Some((next, -score)),
        After::Same(next) => Some((next, score)),
        After::Over(_) => None,
    }
}

/// A node's value as a whole, with what is proven of it; none when nothing is known.
fn value_of(node: &Node) -> Option<Rest> {
    if node.rest.is_none() && node.is_incomplete() && node.links.is_empty() {
        return None;
    }
    let values = node.values;
    let proof = if values.is_exact() {
        Proof::Exact
    } else if values.lower > 0 {
        Proof::Win
    } else if values.upper < 0 {
        Proof::Loss
    } else {
        Proof::None
    };
    Some(Rest { square: None, score: values.guess, proof })
}

/// A leaf, or a solved node where the sign is proven.
fn leaf(position: Position, rest: Rest, depth: u8, percent: u8) -> NtestNode {
    let empties = position.empties();
    let solved = matches!(rest.proof, Proof::Exact | Proof::Win | Proof::Loss);
    let known = solved || depth >= empties;
    let end = empties.saturating_sub(SOLVER_EMPTIES);
    // Full width to the end without a proof is no state of NTest's: the next lower confidence.
    let prune = match percent {
        _ if solved => 0,
        _ if !known => MIDGAME_PRUNE,
        97.. => 1,
        91..=96 => 2,
        70..=90 => 3,
        60..=69 => 4,
        _ => 5,
    };
    NtestNode {
        position: canonical(position),
        games: [0, 0],
        height: if known { end } else { depth.min(end.saturating_sub(1)) },
        prune,
        wld: solved && rest.proof != Proof::Exact,
        known,
        proven: solved,
        root: solved,
        number: rest.score.centidiscs(),
        stored: None,
    }
}
