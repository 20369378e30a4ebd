//! Counting the leaves of the game tree: moves and flips, nothing else.

use super::CpuTime;
use crate::othello::board::{CpuLevel, PassRule, Position, perft_on};

#[derive(Clone, Copy, Debug)]
pub(crate) struct PerftRequest {
    pub position: Position,
    /// Plies.
    pub depth: u32,
    pub passes: PassRule,
    /// In the code for this kind of processor.
    pub level: CpuLevel,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct PerftCount {
    pub leaves: u64,
    /// Processor time, in seconds.
    pub seconds: f64,
}

/// Counts once, on one thread.
pub(crate) fn count_leaves(request: &PerftRequest) -> PerftCount {
    let start = CpuTime::now();
    let leaves = perft_on(request.level, request.position, request.depth, request.passes);
    PerftCount { leaves, seconds: start.seconds() }
}
