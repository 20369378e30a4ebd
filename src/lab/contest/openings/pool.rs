//! Openings to draw from.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::othello::board::{Key, Line};
use crate::othello::eval::train::Random;

/// Openings, no two with the same position at the end.
#[derive(Clone, Default, Debug)]
pub(crate) struct Pool {
    openings: Vec<Line>,
    by_end: HashMap<Key, usize, FixedState>,
    /// Each opening as often as it was added, by its number.
    added: Vec<u32>,
}

impl Pool {
    /// Adds an opening; one that ends where another does makes that one likelier. False, and nothing
    /// added, when the game is over at its end.
    pub(crate) fn add(&mut self, line: Line) -> bool {
        let Some(end) = line.end() else { return false };
        let number = *self.by_end.entry(Key::of(end.position)).or_insert(self.openings.len());
        if number == self.openings.len() {
            self.openings.push(line);
        }
        self.added.push(u32::try_from(number).unwrap_or(u32::MAX));
        true
    }

    /// How many openings there are.
    pub(crate) fn len(&self) -> usize {
        self.openings.len()
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.openings.is_empty()
    }

    /// How many were added, the same ones counted again.
    pub(crate) fn added(&self) -> usize {
        self.added.len()
    }

    /// So many openings, drawn by lot: one that was added twice is twice as likely, and none is drawn
    /// again. Where there are no more than asked for, all of them in the order in which they came. The
    /// same seed draws the same.
    pub(crate) fn draw(&self, count: usize, seed: u64) -> Vec<Line> {
        if count >= self.len() {
            return self.openings.clone();
        }
        let mut lots = self.added.clone();
        let mut is_drawn = vec![false; self.len()];
        let mut drawn = Vec::with_capacity(count);
        let mut random = Random::new(seed);
        let mut next = 0;
        while drawn.len() < count && next < lots.len() {
            let other = next + random.below(lots.len() - next);
            lots.swap(next, other);
            let number = lots[next] as usize;
            next += 1;
            if !std::mem::replace(&mut is_drawn[number], true) {
                drawn.push(self.openings[number].clone());
            }
        }
        drawn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool(lines: &[&str]) -> Pool {
        let mut pool = Pool::default();
        for line in lines {
            pool.add(line.parse().unwrap());
        }
        pool
    }

    #[test]
    fn what_is_added_often_is_drawn_often() {
        let often = ["f5d6"; 8];
        let pool = pool(&[&["f5f6", "f5f4"][..], &often].concat());
        assert_eq!((pool.len(), pool.added()), (3, 10));
        let first = |seed| pool.draw(1, seed)[0].to_string();
        let count = (0..1000).filter(|&seed| first(seed) == "f5d6").count();
        assert!((740..860).contains(&count), "{count} of 1000, 800 expected");
        assert_eq!(pool.draw(2, 7), pool.draw(2, 7));
        for seed in 0..50 {
            let two = pool.draw(2, seed);
            assert!(two.len() == 2 && two[0] != two[1], "{two:?}");
        }
        let all: Vec<_> = pool.draw(9, 1).iter().map(ToString::to_string).collect();
        assert_eq!(all, ["f5f6", "f5f4", "f5d6"], "all in their order");
    }

    #[test]
    fn images_and_other_orders_are_the_same_opening() {
        let pool = pool(&["f5d6c3d3c4", "d3c5f6f5e6", "f5d6c4d3c3"]);
        assert_eq!((pool.len(), pool.added()), (1, 3));
    }
}
