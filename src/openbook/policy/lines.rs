//! Along given lines.

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use foldhash::fast::FixedState;

use crate::openbook::{Node, NodeSource, holding_record, raising_depth};
use crate::othello::board::{After, Key, Position, Square};
use crate::othello::search::Selectivity;

use super::{Leaf, Policy, Reason, Request};

/// Adds every position on given lines of moves, one line after the other from its start, and
/// searches those on them on which a search is due. Then it makes the moves of the lines count that are
/// held, the last ones first. The lines start from each of the request's roots on which they can be
/// played. The priority is the number of the line.
#[derive(Debug, Default)]
pub struct Lines {
    /// In the orientation of the root.
    lines: Vec<Vec<Square>>,
    /// Nothing is left to do before this position, counted along the lines of the first root, then
    /// of the next, with [`STRIDE`] for each line: a shortcut only, since growing removes nothing.
    done: AtomicUsize,
    /// On none of so many lines, counted in the same way, a move is held.
    raised: AtomicUsize,
}

/// More positions than any line has.
const STRIDE: usize = 64;

impl Lines {
    /// Lines of moves in the orientation of the roots.
    pub fn new(lines: Vec<Vec<Square>>) -> Self {
        Self { lines, ..Self::default() }
    }

    /// Of each line the last move that is held and that a search makes count: what that finds may make those
    /// before it count, too.
    fn raises<S: NodeSource + ?Sized>(
        &self,
        book: &S,
        request: &Request<'_>,
    ) -> Result<Vec<Leaf>, S::Error> {
        let mut leaves: Vec<Leaf> = Vec::new();
        let mut all_raised = true;
        let first = self.raised.load(Ordering::Relaxed);
        for number in first..self.lines.len() * request.roots.len() {
            if leaves.len() >= request.count || request.give_up.is_due() {
                break;
            }
            let (root, line) = (number / self.lines.len(), number % self.lines.len());
            let moves = &self.lines[line];
            let Some(leaf) =
                last_held(book, request.roots[root].position, moves, request.max_discs)?
            else {
                if all_raised {
                    self.raised.store(number + 1, Ordering::Relaxed);
                }
                continue;
            };
            all_raised = false;
            let is_given = leaves.iter().any(|given| given.key == leaf.key);
            if !request.in_flight.contains(&leaf.key) && !is_given {
                leaves.push(Leaf { root: Some(root), priority: line as i32, ..leaf });
            }
        }
        Ok(leaves)
    }
}

/// The position behind the last move of a line that is held and that a search makes count.
fn last_held<S: NodeSource + ?Sized>(
    book: &S,
    root: Position,
    moves: &[Square],
    max_discs: Option<u8>,
) -> Result<Option<Leaf>, S::Error> {
    let keys: Vec<Key> = positions(root, moves)
        .map(|position| if position.can_move() { position } else { position.passed() })
        .map(Key::of)
        .take_while(|key| max_discs.is_none_or(|most| key.discs() <= most))
        .collect();
    let nodes = book.nodes(&keys)?;
    for (ply, pair) in nodes.windows(2).enumerate().rev() {
        let [Some(node), Some(child)] = pair else { continue };
        if let Some(least) = raise(book, node, child)? {
            let line = moves.iter().take(ply + 1).copied().collect();
            let leaf = Leaf::without_line(child.key, Reason::Raise);
            return Ok(Some(Leaf { line, least: Some(least), ..leaf }));
        }
    }
    Ok(None)
}

/// How deep a search of a child makes the move to it count; none where it counts, or no search does that.
fn raise<S: NodeSource + ?Sized>(
    book: &S,
    node: &Node,
    child: &Node,
) -> Result<Option<(u8, Selectivity)>, S::Error> {
    let Some(link) = node.children().find(|link| link.child == child.key) else { return Ok(None) };
    match holding_record(node, &book.held(node)?, link, child) {
        Some(record) => raising_depth(book, node, &record, child),
        None => Ok(None),
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
        match all_done {
            true => self.raises(book, request),
            false => Ok(leaves),
        }
    }
}

/// The positions along a line, its start included, up to a move that is not legal or ends the game.
pub(super) fn positions(root: Position, moves: &[Square]) -> impl Iterator<Item = Position> {
    let mut moves = moves.iter();
    std::iter::successors(Some(root), move |position| {
        position.after(*moves.next()?).and_then(After::position)
    })
}
