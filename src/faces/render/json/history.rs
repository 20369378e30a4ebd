//! How values moved while a book grew.

use serde::Serialize;

use super::values::{PositionJson, ValuesJson};
use crate::app::{PastPosition, PositionHistory};
use crate::files::games::{Asked, opening_of_line};

/// A position with what it was worth at the checkpoints of growth.
#[derive(Serialize, Debug)]
pub struct HistoryJson {
    /// Which of several positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<usize>,
    position: PositionJson,
    line: Option<String>,
    name: Option<&'static str>,
    in_book: bool,
    /// Whether its values are kept at all.
    kept: bool,
    checkpoints: Vec<CheckpointJson>,
}

#[derive(Serialize, Debug)]
struct CheckpointJson {
    /// Day and time; none: now, where the book has changed since the last checkpoint.
    taken: Option<String>,
    positions: u64,
    /// Searches of all growth up to here.
    searches: u64,
    /// Of processor time, of all growth up to here.
    cpu_seconds: f64,
    /// By searches alone, for the side to move; none while it was not in the book.
    values: Option<ValuesJson>,
}

impl From<&PastPosition> for CheckpointJson {
    fn from(point: &PastPosition) -> Self {
        Self {
            taken: point.taken.clone(),
            positions: point.positions,
            searches: point.searches,
            cpu_seconds: point.milliseconds as f64 / 1000.0,
            values: point.values.map(ValuesJson::from),
        }
    }
}

impl HistoryJson {
    pub fn of(asked: &Asked, index: Option<usize>, history: &PositionHistory) -> Self {
        Self {
            index,
            position: history.placed.into(),
            line: asked.is_from_the_start().then(|| asked.line.to_string()),
            name: opening_of_line(&asked.line),
            in_book: history.in_book,
            kept: history.is_kept,
            checkpoints: history.points.iter().map(CheckpointJson::from).collect(),
        }
    }
}
