//! A searched move.

use serde::Serialize;

use super::line::moves_text;
use crate::search::MoveScore;

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
