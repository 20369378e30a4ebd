//! What a search reports while it runs.

use super::{MoveScore, Outcome};

/// What a search has found so far. Reports come on the thread that searches, which waits for them.
#[derive(Clone, Copy, Debug)]
pub enum Progress<'a> {
    /// It goes on; so many positions were visited. Every few thousand positions.
    Nodes(u64),
    /// An iteration of a search for the best move was finished: what is known now, for the side that has a move.
    Iteration(&'a Outcome),
    /// A move was searched by itself.
    Move(&'a MoveScore),
}

/// What hears of the progress of a search.
pub type Watch<'w> = dyn FnMut(Progress<'_>) + 'w;
