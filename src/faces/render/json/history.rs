//! How values moved while a book grew.

use serde::Serialize;

use crate::app::PositionHistory;
use crate::app::json::object;
use crate::files::games::{Asked, opening_of_line};

/// A position with what it was worth at the checkpoints of growth: by searches alone, for the side to move.
/// `index` is which of several positions it is.
pub fn history_json(
    asked: &Asked,
    index: Option<usize>,
    history: &PositionHistory,
) -> impl Serialize {
    object! {
        index?: index,
        position: history.placed,
        line: asked.is_from_the_start().then(|| asked.line.clone()),
        name: opening_of_line(&asked.line),
        in_book: history.in_book,
        kept: history.is_kept,
        checkpoints: history.points.clone(),
    }
}
