//! Moves to positions of the book that do not count yet, and what would make them count.

use crate::openbook::{BookMove, Node, NodeSource, Record, Values, is_best_move, raising_depth};
use crate::othello::search::Selectivity;

use super::trust::{Sure, sure_of};

/// A move that is held: the search of the position before it is surer than the position that it leads to, and
/// answers for it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct HeldMove {
    /// What the position that it leads to is worth, for the side that makes the move.
    pub values: Values,
    pub sure: Option<Sure>,
    /// The search that answers for it.
    pub record: Record,
    pub record_sure: Sure,
    /// Whether it is the best move of that search; else it is worth no more than its score.
    pub is_best: bool,
    /// The least search of the position that it leads to which makes it count, in plies and selectivity; none
    /// where no search does.
    pub raised_by: Option<(u8, Selectivity)>,
}

impl HeldMove {
    /// What is known of a move of a node that is held; none of another one.
    pub(crate) fn of<S: NodeSource + ?Sized>(
        book: &S,
        node: &Node,
        found: &BookMove,
    ) -> Result<Option<Self>, S::Error> {
        let (Some(record), Some(child), Some(values)) =
            (found.held_by, found.child, found.link_values())
        else {
            return Ok(None);
        };
        let raised_by = raising_depth(book, node, &record, &child)?;
        let is_best = is_best_move(node.key, &record, child.key);
        let empties = node.key.position().empties();
        let record_sure = Sure::at(empties, record.error(empties));
        Ok(Some(Self { values, sure: sure_of(&child), record, record_sure, is_best, raised_by }))
    }
}
