//! A searched move.

use serde::Serialize;

use super::line::moves_text;
use super::values::{ChancesJson, ValuesJson, hundredths};
use crate::app::{Bounds, weighed};
use crate::othello::board::Position;
use crate::othello::search::MoveScore;

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
    best_line: String,
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
            best_line: moves_text(&found.line),
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
    evidence: f64,
    evidence_plies: u8,
    error: f64,
}

impl WeighedMoveJson {
    /// Of a move at this position that is `proven` to be worth no less and no more than that; none of one that
    /// is illegal there.
    pub fn of(position: Position, found: &MoveScore, proven: Bounds) -> Option<Self> {
        let shown = weighed(position, found, proven)?;
        Some(Self {
            searched: found.into(),
            values: shown.found.values?.into(),
            chances: shown.chances()?.into(),
            evidence: shown.sure?.evidence.discs(),
            evidence_plies: shown.sure?.plies,
            error: hundredths(shown.error()?),
        })
    }
}
