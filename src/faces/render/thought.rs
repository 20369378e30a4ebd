//! What a search has found, in few words.

use std::time::Duration;

use crate::app::player::{Surety, Thought};
use crate::files::counted::counted;
use crate::othello::board::Square;
use crate::othello::search::Outcome;

/// How a value is known.
pub(crate) fn how_sure(surety: Surety) -> String {
    match surety {
        Surety::Plies(0) => "not searched".to_owned(),
        Surety::Plies(1) => "1 ply".to_owned(),
        Surety::Plies(plies) => format!("{plies} plies"),
        Surety::Probable(percent) => format!("to the end, {percent} % sure"),
        Surety::Winner => "the winner is proven".to_owned(),
        Surety::Exact => "exact".to_owned(),
    }
}

/// What the last iteration of a search of a position with so many empties found, for the side to move, after so long;
/// of its line so many moves at most.
pub(crate) fn found_so_far(
    found: &Outcome,
    empties: u8,
    (nodes, time): (u64, Duration),
    moves: usize,
) -> String {
    let sure = how_sure(Surety::of_outcome(found, empties));
    let line = play(found.line.iter().take(moves));
    let (value, seconds) = (found.value, time.as_secs_f64());
    let nodes = counted(nodes, "node");
    format!("{sure}  {value}  {seconds:.1} s  {nodes}  {line}").trim_end().to_owned()
}

/// As [`found_so_far`], in one line for a log.
pub(crate) fn logged(thought: &Thought<'_>, empties: u8) -> Option<String> {
    let found = thought.found?;
    Some(found_so_far(found, empties, (thought.nodes, thought.time), usize::MAX))
}

/// Moves in one word.
pub(crate) fn play<'s>(moves: impl IntoIterator<Item = &'s Square>) -> String {
    moves.into_iter().map(Square::to_string).collect()
}
