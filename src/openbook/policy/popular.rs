//! What real games reach most.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use foldhash::fast::FixedState;

use crate::openbook::NodeSource;
use crate::othello::board::{Key, Position, Square};

use super::{Leaf, Policy, Reason, Request};

/// Adds the positions of real games, the most played first, and searches those on which a search is
/// due. The priority is the number of games, negated.
#[derive(Debug, Default)]
pub struct Popular {
    /// By number of games, then of discs, then by key: a position never comes before the one that
    /// all its games came from.
    positions: Vec<(Key, u32)>,
    /// Nothing is left to do before this position: a shortcut only, since growing removes nothing.
    done: AtomicUsize,
}

impl Popular {
    /// Counts the positions of games, each given by its moves from the start position; those that
    /// fewer than `least` games reach are left out.
    pub fn of_games<'g>(games: impl IntoIterator<Item = &'g [Square]>, least: u32) -> Self {
        Self { positions: played_positions(games, least), done: AtomicUsize::new(0) }
    }

    /// How many positions there are to add, in the book or not.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether no position is played often enough.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }
}

/// The positions that at least so many games come through, with how many: those of most games first,
/// then by discs, then by key. Games are given by their moves from the start position.
pub(super) fn played_positions<'g>(
    games: impl IntoIterator<Item = &'g [Square]>,
    least: u32,
) -> Vec<(Key, u32)> {
    let mut counts: HashMap<Key, u32, FixedState> = HashMap::default();
    for moves in games {
        for position in super::lines::positions(Position::START, moves) {
            *counts.entry(Key::of(position)).or_default() += 1;
        }
    }
    let mut positions: Vec<(Key, u32)> =
        counts.into_iter().filter(|&(_, count)| count >= least).collect();
    positions.sort_unstable_by_key(|&(key, count)| (std::cmp::Reverse(count), key.discs(), key));
    positions
}

impl<S: NodeSource + ?Sized> Policy<S> for Popular {
    fn ranks_by_centidiscs(&self) -> bool {
        false
    }

    fn next(&self, book: &S, request: &Request<'_>) -> Result<Vec<Leaf>, S::Error> {
        let mut leaves: Vec<Leaf> = Vec::new();
        let done = self.done.load(Ordering::Relaxed);
        let mut all_done = true;
        for (index, &(key, count)) in self.positions.iter().enumerate().skip(done) {
            if leaves.len() >= request.count || request.give_up.is_due() {
                break;
            }
            let reason = match book.node(&key)? {
                Some(node) if node.is_incomplete() => Some(Reason::Due),
                Some(_) => None,
                None if request.max_discs.is_some_and(|most| key.discs() > most) => None,
                None => Some(Reason::Add),
            };
            all_done &= reason.is_none();
            if all_done {
                self.done.store(index + 1, Ordering::Relaxed);
            }
            if let Some(reason) = reason
                && !request.in_flight.contains(&key)
            {
                let priority = i32::try_from(count).map_or(i32::MIN, |count| -count);
                leaves.push(Leaf { priority, ..Leaf::without_line(key, reason) });
            }
        }
        Ok(leaves)
    }
}
