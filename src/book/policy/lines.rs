//! Along given lines.

use std::collections::HashSet;

use foldhash::fast::FixedState;

use crate::board::{Key, Square};
use crate::book::{NodeSource, child_of};

use super::{Leaf, Policy, Reason, Request};

/// Adds every position on given lines of moves, one line after the other from its start. The lines
/// start from each of the request's roots on which they can be played. Nodes on which a search is
/// due come first. The priority is the number of the line.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Lines {
    /// The lines, in the orientation of the root.
    pub lines: Vec<Vec<Square>>,
}

impl<S: NodeSource + ?Sized> Policy<S> for Lines {
    fn name(&self) -> &'static str {
        "lines"
    }

    fn next(&self, book: &S, request: &Request<'_>) -> Result<Vec<Leaf>, S::Error> {
        let mut leaves = super::due(book, request)?;
        let mut taken: HashSet<Key, FixedState> = leaves.iter().map(|leaf| leaf.key).collect();
        for (index, root) in request.roots.iter().enumerate() {
            for (number, moves) in self.lines.iter().enumerate() {
                let mut position = root.position;
                let mut line = Vec::new();
                // A root that is missing is added too: a line may be all that there is.
                for square in std::iter::once(None).chain(moves.iter().copied().map(Some)) {
                    if leaves.len() >= request.count {
                        return Ok(leaves);
                    }
                    if let Some(square) = square {
                        let Some(next) = position.after(square).and_then(|after| after.position())
                        else {
                            break;
                        };
                        position = next;
                        line.push(square);
                    }
                    let key = Key::of(position);
                    if request.max_discs.is_some_and(|most| key.discs() > most) {
                        break;
                    }
                    if book.node(&key)?.is_none()
                        && position.can_move()
                        && !request.in_flight.contains(&key)
                        && taken.insert(key)
                    {
                        leaves.push(Leaf {
                            root: Some(index),
                            line: line.clone(),
                            priority: number as i32,
                            ..Leaf::without_line(key, Reason::Add)
                        });
                    }
                }
            }
        }
        Ok(leaves)
    }
}

/// The positions that given lines lead through, with how often they come, for
/// [`super::Popular`].
pub(super) fn positions_on(
    root: crate::board::Position,
    moves: &[Square],
    mut found: impl FnMut(Key),
) {
    let mut key = Key::of(root);
    let mut position = root;
    found(key);
    for &square in moves {
        let Some((next, _)) = child_of(position, square) else { return };
        let Some(after) = position.after(square).and_then(|after| after.position()) else { return };
        (key, position) = (next, after);
        found(key);
    }
}
