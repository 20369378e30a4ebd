//! As if games were played out of the book.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};

use foldhash::fast::FixedState;

use crate::openbook::regret::{Judge, Regret};
use crate::openbook::{Node, NodeSource, child_of, line_from};
use crate::othello::board::{Key, Side, Square};
use crate::othello::random::Random;

use super::{Leaf, Policy, Reason, Request};

/// Plays lines from the roots, a better move more often, and expands the end of each, or searches the
/// first node on it on which a search is due: the way in
/// which NTest's book grows by self-play, for comparison. A move that gives away 32 centidiscs is
/// played half as often as the best one, and so on (source: NTest, its setting 2).
///
/// The lines are random but the same in every run on one thread.
#[derive(Debug, Default)]
pub struct Played {
    /// Lines that were played so far: they go on where the last call stopped.
    lines: AtomicU64,
}

/// What halves the chance of a move, in centidiscs.
const HALVES: i32 = 32;
/// The chance of the best move; whole numbers, so that very bad moves have none.
const BEST: usize = 1024;
/// So many lines in a row that end in nothing new, and the search is given up.
const PATIENCE: u32 = 1000;

impl<S: NodeSource + ?Sized> Policy<S> for Played {
    fn next(&self, book: &S, request: &Request<'_>) -> Result<Vec<Leaf>, S::Error> {
        let mut leaves: Vec<Leaf> = Vec::new();
        let mut given: HashSet<Key, FixedState> = HashSet::default();
        let mut in_vain = 0;
        while leaves.len() < request.count && in_vain < PATIENCE && !request.give_up.is_due() {
            let number = self.lines.fetch_add(1, Ordering::Relaxed);
            let busy = |key: &Key| given.contains(key) || request.in_flight.contains(key);
            let free = |leaf: &Leaf| !busy(&leaf.key) && !leaf.child.is_some_and(|key| busy(&key));
            match play(book, request, number, &busy)?.filter(free) {
                Some(leaf) => {
                    in_vain = 0;
                    given.insert(leaf.key);
                    given.extend(leaf.child);
                    leaves.push(leaf);
                }
                None => in_vain += 1,
            }
        }
        Ok(leaves)
    }
}

/// Plays one line; none when it ends in what is proven or out of bounds.
fn play<S: NodeSource + ?Sized>(
    book: &S,
    request: &Request<'_>,
    number: u64,
    busy: &dyn Fn(&Key) -> bool,
) -> Result<Option<Leaf>, S::Error> {
    let roots = request.roots;
    let Some(index) = number.checked_rem(roots.len() as u64).map(|index| index as usize) else {
        return Ok(None);
    };
    let mut dice = Random::new(number);
    let mut side = roots[index].side;
    let mut regret = Regret::default();
    let mut moves: Vec<Square> = Vec::new();
    let Some(mut node) = book.node(&Key::of(roots[index].position))? else { return Ok(None) };
    loop {
        if node.is_incomplete() && !busy(&node.key) {
            let line = line_from(roots[index].position, moves);
            let leaf = Leaf::without_line(node.key, Reason::Due);
            let priority = regret.total();
            return Ok(Some(Leaf { root: Some(index), line, regret, priority, ..leaf }));
        }
        if node.values.is_decided() {
            return Ok(None);
        }
        let choices = choices(book, &node, request.judge, side)?;
        let chance = |more: i32| BEST.checked_shr((more / HALVES) as u32).unwrap_or(0);
        let all: usize = choices.iter().map(|choice| chance(choice.more)).sum();
        if all == 0 {
            return Ok(None);
        }
        let mut left = dice.below(all);
        let chosen = choices.into_iter().find(|choice| {
            let chance = chance(choice.more);
            let found = left < chance;
            left = left.saturating_sub(chance);
            found
        });
        let Some(Choice { square, child, next, more }) = chosen else { return Ok(None) };
        regret = regret.and(side, more);
        if !request.limits.allow(regret) || !request.limits.allow_move(side, more) {
            return Ok(None);
        }
        moves.push(square);
        let Some((linked, same_side)) = next else {
            if request.max_discs.is_some_and(|most| node.key.discs() >= most) {
                return Ok(None);
            }
            let mut line = line_from(roots[index].position, moves);
            let rest_square = line.pop();
            return Ok(Some(Leaf {
                rest: Some(square),
                child: Some(child),
                root: Some(index),
                line,
                rest_square,
                regret,
                priority: regret.total(),
                ..Leaf::without_line(node.key, Reason::Expand)
            }));
        };
        side = if same_side { side } else { side.other() };
        node = linked;
    }
}

/// A move that may be played.
struct Choice {
    square: Square,
    child: Key,
    /// The node there, and whether the same side moves in it; none for the rest.
    next: Option<(Node, bool)>,
    /// What it gives away, in centidiscs.
    more: i32,
}

fn choices<S: NodeSource + ?Sized>(
    book: &S,
    node: &Node,
    judge: Judge,
    side: Side,
) -> Result<Vec<Choice>, S::Error> {
    let moves = node.moves(book)?.into_iter().filter_map(|found| {
        let square = found.square?;
        // A move that ends the game leads nowhere.
        let (child, _) = child_of(node.key.position(), square)?;
        let is_open = found.child.is_some() || !found.values.is_decided();
        let more = judge.of_move(node.values, found.values, side);
        is_open.then_some(Choice { square, child, next: found.child, more })
    });
    Ok(moves.collect())
}
