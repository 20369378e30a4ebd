//! A line from the start to a position.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use foldhash::fast::FixedState;

use crate::openbook::propagate::{moves_to, parents};
use crate::openbook::regret::of_move;
use crate::openbook::{Node, NodeSource, line_from};
use crate::othello::board::{Key, Line, Position, Square, Squares, predecessors, write_from_f5};

/// The search for a line gives up after so many positions: a book of another program may hold
/// positions that no line of its own leads to.
const MOST_LOOKED_AT: usize = 5_000;

/// The moves of a line through the book from the start to a position of it, as players write them: one
/// on which little is given away, though not always the least. None where the book has no such line.
pub(crate) fn line_to<S: NodeSource + ?Sized>(
    book: &S,
    key: Key,
) -> Result<Option<Vec<Square>>, S::Error> {
    let start = Key::of(Position::START);
    let mut seen: HashSet<Key, FixedState> = HashSet::default();
    // Back from the position: each step is a position with those before it that are still to be tried,
    // the best last.
    let Some(node) = book.node(&key)? else { return Ok(None) };
    let untried = if key == start { Vec::new() } else { before(book, &node)? };
    let mut way = vec![(key, untried)];
    while let Some((at, untried)) = way.last_mut() {
        if *at == start {
            // From the start on.
            let keys: Vec<Key> = way.iter().rev().map(|&(key, _)| key).collect();
            let moves = keys.windows(2).filter_map(|pair| match *pair {
                [parent, child] => Squares(moves_to(parent, child).squares(parent)).next(),
                _ => None,
            });
            let mut line = line_from(Position::START, moves);
            write_from_f5(&mut line);
            return Ok(Some(line));
        }
        match untried.pop() {
            Some(parent) if seen.insert(parent.key) => {
                if seen.len() > MOST_LOOKED_AT {
                    return Ok(None);
                }
                let next = if parent.key == start { Vec::new() } else { before(book, &parent)? };
                way.push((parent.key, next));
            }
            Some(_) => {}
            None => {
                way.pop();
            }
        }
    }
    Ok(None)
}

/// As [`line_to`], also to a position that is not in the book where a move leads to it from one that is, or
/// from the end of one of these lines.
pub(crate) fn line_to_new<S: NodeSource + ?Sized>(
    book: &S,
    key: Key,
    known: &HashMap<Key, Vec<Square>>,
) -> Result<Option<Vec<Square>>, S::Error> {
    if let Some(line) = line_to(book, key)? {
        return Ok(Some(line));
    }
    let mut before: Vec<Key> = Vec::new();
    predecessors(key.position(), |parent| before.push(Key::of(parent)));
    before.sort_unstable();
    before.dedup();
    for parent in before {
        let line = match known.get(&parent) {
            Some(line) => Some(line.clone()),
            None => line_to(book, parent)?,
        };
        let Some(line) = line else { continue };
        let line = Line::default().then(&line);
        let last = line.end().and_then(|end| {
            end.position
                .legal_moves()
                .find(|&square| end.after(square).is_some_and(|next| Key::of(next.position) == key))
        });
        if let Some(last) = last {
            let mut moves: Vec<Square> = line.squares().chain([last]).collect();
            write_from_f5(&mut moves);
            return Ok(Some(moves));
        }
    }
    Ok(None)
}

/// The nodes from which a move leads to this one, the one that gives away least last.
fn before<S: NodeSource + ?Sized>(book: &S, node: &Node) -> Result<Vec<Node>, S::Error> {
    let mut found = Vec::new();
    for parent in parents(book, node.key)? {
        let link = parent.children().find(|link| link.child == node.key);
        let loss = link.map(|link| of_move(parent.values, link.worth(node.values).guess));
        found.push((Reverse(loss.unwrap_or(i32::MAX)), Reverse(parent.key), parent));
    }
    found.sort_unstable_by_key(|&(loss, key, _)| (loss, key));
    Ok(found.into_iter().map(|(.., parent)| parent).collect())
}
