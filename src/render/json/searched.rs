//! A searched move.

use serde::Serialize;

use super::line::moves_text;
use super::values::{ChancesJson, ValuesJson, hundredths};
use crate::board::Position;
use crate::ops::{BookMove, Bounds, MoveKind, ShownMove, Values};
use crate::search::{MoveScore, Proof, standard_error};

/// A searched move, for the side that makes it, in discs: `value` is what is best believed of it,
/// `score` what the last iteration found.
#[derive(Serialize, Debug)]
pub struct SearchedMoveJson {
    #[serde(rename = "move")]
    square: String,
    score: f64,
    value: f64,
    depth: u8,
    selectivity: u8,
    proof: &'static str,
    line: String,
    nodes: u64,
    complete: bool,
}

impl From<&MoveScore> for SearchedMoveJson {
    fn from(found: &MoveScore) -> Self {
        Self {
            square: found.square.to_string(),
            score: found.score.discs(),
            value: found.value.discs(),
            depth: found.depth,
            selectivity: found.selectivity.percent(),
            proof: found.proof.name(),
            line: moves_text(&found.line),
            nodes: found.nodes,
            complete: found.complete,
        }
    }
}

/// A searched move with what that makes of it, for the side that makes it: the same as a position that is
/// shown says of a move that was searched at once.
#[derive(Serialize, Debug)]
pub struct WeighedMoveJson {
    #[serde(flatten)]
    searched: SearchedMoveJson,
    values: ValuesJson,
    chances: ChancesJson,
    error: f64,
}

impl WeighedMoveJson {
    /// Of a move at this position that is `proven` to be worth no less and no more than that; none of one that
    /// is illegal there.
    #[must_use]
    pub fn of(position: Position, found: &MoveScore, proven: Bounds) -> Option<Self> {
        let after = position.after(found.square)?;
        let values = Values::of_search(found.value, found.proof).believing(&[proven]);
        let error = match found.proof {
            Proof::Exact => 0.0,
            // The move itself is one of the plies.
            _ => {
                let (empties, depth) = (position.empties() - 1, found.depth.saturating_sub(1));
                standard_error(empties, depth, found.selectivity)
            }
        };
        let found_move = BookMove {
            square: found.square,
            after,
            kind: MoveKind::Unknown,
            values: Some(values),
            searched: None,
            child: None,
        };
        let shown = ShownMove {
            found: found_move,
            searched_values: None,
            error: Some(error),
            searched_now: None,
        };
        Some(Self {
            searched: found.into(),
            values: values.into(),
            chances: shown.chances()?.into(),
            error: hundredths(error),
        })
    }
}
