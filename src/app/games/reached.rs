//! Which positions of a book its games reach.

use std::collections::{HashMap, HashSet};

use foldhash::fast::FixedState;

use crate::openbook::NodeSource;
use crate::othello::board::{After, Key, Placed, Square};
use crate::store::{GameId, Reader, StoreError};

/// The positions of a book that at least so many of its games reach, the ends of games among them; it may
/// have others that are not in the book.
pub(in crate::app) fn positions_reached(
    book: &Reader,
    least: u64,
) -> Result<HashSet<Key, FixedState>, StoreError> {
    // Most positions of games are not in the book: they are not counted one by one.
    let nodes = book.filter(u64::MAX)?;
    let mut counts: HashMap<Key, u64, FixedState> = HashMap::default();
    book.games().for_each_moves(GameId(0), |_, start, moves| {
        let mut squares = moves.iter().map_while(|&number| Square::try_new(number));
        let start = start.unwrap_or(Placed::START).position;
        let line = std::iter::successors(Some(start), |position| {
            position.after(squares.next()?).and_then(After::position)
        });
        for key in line.map(Key::of) {
            if nodes.as_ref().is_none_or(|nodes| nodes.may_contain(key)) {
                *counts.entry(key).or_default() += 1;
            }
        }
    })?;
    Ok(counts.into_iter().filter(|&(_, games)| games >= least).map(|(key, _)| key).collect())
}
