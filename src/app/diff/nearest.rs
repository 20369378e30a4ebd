//! The positions that are listed: the nearest to the start.

use std::collections::VecDeque;

use crate::othello::board::Key;

/// Collects positions layer by layer, the deepest layer first, and keeps no more than a few times as many
/// as are wanted.
pub(super) struct Nearest<R, T> {
    limit: usize,
    /// Of the layer that is gone through now, in any order.
    layer: Vec<(R, Key, T)>,
    /// Of the layers before, in the order in which they are listed.
    kept: VecDeque<(R, Key, T)>,
}

impl<R: Ord + Copy, T> Nearest<R, T> {
    /// At most so many.
    pub(super) fn new(limit: usize) -> Self {
        Self { limit, layer: Vec::new(), kept: VecDeque::new() }
    }

    /// A position of the layer; of the layer those with the smallest ranks are kept.
    pub(super) fn offer(&mut self, rank: R, key: Key, what: T) {
        if self.limit == 0 {
            return;
        }
        self.layer.push((rank, key, what));
        if self.layer.len() >= self.limit.saturating_mul(2) {
            self.cut();
        }
    }

    fn cut(&mut self) {
        self.layer.sort_unstable_by_key(|&(rank, key, _)| (rank, key));
        self.layer.truncate(self.limit);
    }

    /// The next position is of a layer with fewer discs.
    pub(super) fn end_layer(&mut self) {
        self.cut();
        while let Some(last) = self.layer.pop() {
            self.kept.push_front(last);
        }
        self.kept.truncate(self.limit);
    }

    /// The nearest to the start first.
    pub(super) fn all(self) -> impl Iterator<Item = (Key, T)> {
        self.kept.into_iter().map(|(_, key, what)| (key, what))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::board::Position;

    #[test]
    fn the_nearest_of_all_are_kept_in_their_order() {
        let key = |number: u64| Key::from_stored(Position { mover: number, opponent: 0 });
        for limit in [0, 1, 3, 7, 100] {
            let mut nearest = Nearest::new(limit);
            let mut all: Vec<(u64, u64, u64)> = Vec::new();
            for layer in (0..5).rev() {
                for number in 0..layer * 4 {
                    let rank = number * 7919 % 11;
                    nearest.offer(rank, key(layer * 100 + number), number);
                    all.push((layer, rank, number));
                }
                nearest.end_layer();
            }
            all.sort_unstable();
            let expected: Vec<(Key, u64)> = all
                .iter()
                .take(limit)
                .map(|&(layer, _, number)| (key(layer * 100 + number), number))
                .collect();
            assert_eq!(nearest.all().collect::<Vec<_>>(), expected, "{limit}");
        }
    }
}
