//! Along given lines.

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use foldhash::fast::FixedState;

use crate::board::{After, Key, Position, Square};
use crate::book::NodeSource;

use super::{Leaf, Policy, Reason, Request};

/// Adds every position on given lines of moves, one line after the other from its start, and
/// searches those on them on which a search is due. The lines start from each of the request's
/// roots on which they can be played. The priority is the number of the line.
#[derive(Debug, Default)]
pub struct Lines {
    /// In the orientation of the root.
    lines: Vec<Vec<Square>>,
    /// Nothing is left to do before this position, counted along the lines of the first root, then
    /// of the next, with [`STRIDE`] for each line: a shortcut only, since growing removes nothing.
    done: AtomicUsize,
}

/// More positions than any line has.
const STRIDE: usize = 64;

impl Lines {
    /// Lines of moves in the orientation of the roots.
    #[must_use]
    pub fn new(lines: Vec<Vec<Square>>) -> Self {
        Self { lines, done: AtomicUsize::new(0) }
    }
}

impl<S: NodeSource + ?Sized> Policy<S> for Lines {
    fn ranks_by_centidiscs(&self) -> bool {
        false
    }

    fn next(&self, book: &S, request: &Request<'_>) -> Result<Vec<Leaf>, S::Error> {
        let mut leaves: Vec<Leaf> = Vec::new();
        let mut given: HashSet<Key, FixedState> = HashSet::default();
        let done = self.done.load(Ordering::Relaxed);
        let mut all_done = true;
        for number in done / STRIDE..self.lines.len() * request.roots.len() {
            let (root, line) = (number / self.lines.len(), number % self.lines.len());
            let moves = &self.lines[line];
            let skipped = if all_done { done.saturating_sub(number * STRIDE) } else { 0 };
            for (ply, position) in positions(request.roots[root].position, moves).enumerate() {
                let key = Key::of(position);
                if request.max_discs.is_some_and(|most| key.discs() > most) {
                    break;
                }
                if ply < skipped || !position.can_move() {
                    continue;
                }
                if leaves.len() >= request.count || request.give_up.is_due() {
                    return Ok(leaves);
                }
                let reason = match book.node(&key)? {
                    Some(node) if !node.is_incomplete() => {
                        if all_done {
                            self.done.store(number * STRIDE + ply, Ordering::Relaxed);
                        }
                        continue;
                    }
                    Some(_) => Reason::Due,
                    None => Reason::Add,
                };
                all_done = false;
                if !request.in_flight.contains(&key) && given.insert(key) {
                    leaves.push(Leaf {
                        root: Some(root),
                        line: moves[..ply].to_vec(),
                        priority: line as i32,
                        ..Leaf::without_line(key, reason)
                    });
                }
            }
        }
        Ok(leaves)
    }
}

/// The positions along a line, its start included, up to a move that is not legal or ends the game.
pub(super) fn positions(root: Position, moves: &[Square]) -> impl Iterator<Item = Position> {
    let mut moves = moves.iter();
    std::iter::successors(Some(root), move |position| {
        position.after(*moves.next()?).and_then(After::position)
    })
}
