//! Labelled positions, one of each, by number of discs.

use rayon::prelude::*;

use crate::othello::board::{Key, Position};

/// A position with what it is held to be worth.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Sample {
    /// The position; its side to move can move.
    pub key: Key,
    /// Expected final result for the side to move, in discs.
    pub label: f32,
    /// How much the label counts: 1 for a label as good as exact, less for a noisy one.
    pub weight: f32,
}

/// Samples by number of discs, each position once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Samples {
    by_discs: Vec<Vec<Sample>>,
}

/// Many noisy labels of one position are worth at most so many exact ones: past that the evaluator,
/// not the label, is what is wrong.
const HEAVIEST: f32 = 4.0;

impl Samples {
    /// Sorts samples and merges those of the same position into their weighted mean. The result
    /// does not depend on the order of the samples.
    pub(crate) fn new(mut samples: Vec<Sample>) -> Self {
        samples.par_sort_unstable_by(|a, b| {
            (a.key.discs(), a.key)
                .cmp(&(b.key.discs(), b.key))
                .then(a.label.total_cmp(&b.label))
                .then(a.weight.total_cmp(&b.weight))
        });
        let mut by_discs = vec![Vec::new(); 65];
        for same in samples.chunk_by(|a, b| a.key == b.key) {
            by_discs[usize::from(same[0].key.discs())].push(merged(same));
        }
        Self { by_discs }
    }

    /// Those with so many discs, by key.
    pub(crate) fn with_discs(&self, discs: u8) -> &[Sample] {
        self.by_discs.get(usize::from(discs)).map_or(&[], Vec::as_slice)
    }

    /// Number of positions.
    pub(crate) fn len(&self) -> usize {
        self.by_discs.iter().map(Vec::len).sum()
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    #[cfg(test)]
    pub(super) fn iter(&self) -> impl Iterator<Item = &Sample> {
        self.by_discs.iter().flatten()
    }

    /// Whether the position is among them.
    pub(crate) fn contains(&self, key: Key) -> bool {
        self.with_discs(key.discs()).binary_search_by(|sample| sample.key.cmp(&key)).is_ok()
    }

    /// Drops the positions that the other samples hold too, so that what is left was never seen by
    /// a fit of those.
    pub(crate) fn remove_all_in(&mut self, other: &Self) {
        for samples in &mut self.by_discs {
            samples.retain(|sample| !other.contains(sample.key));
        }
    }
}

impl Sample {
    pub(crate) fn new(position: Position, label: f32, weight: f32) -> Self {
        Self { key: Key::of(position), label, weight }
    }
}

fn merged(same: &[Sample]) -> Sample {
    if let [alone] = same {
        return *alone;
    }
    let weight: f64 = same.iter().map(|sample| f64::from(sample.weight)).sum();
    let sum: f64 = same.iter().map(|s| f64::from(s.weight) * f64::from(s.label)).sum();
    Sample { key: same[0].key, label: (sum / weight) as f32, weight: (weight as f32).min(HEAVIEST) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::board::Symmetry;

    #[test]
    fn images_of_a_position_are_one_sample() {
        let position = Position::START.play("f5".parse().unwrap()).unwrap();
        let samples: Vec<_> = Symmetry::all()
            .enumerate()
            .map(|(i, symmetry)| Sample::new(symmetry.position(position), i as f32, 0.25))
            .collect();
        let merged = Samples::new(samples.clone());
        assert_eq!(merged.with_discs(5), &[Sample { label: 3.5, weight: 2.0, ..samples[0] }]);
        let mut rest = Samples::new(samples);
        rest.remove_all_in(&merged);
        assert!(rest.is_empty());
    }
}
