//! The pattern evaluator: one weight for each image of each pattern, added up.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::features::{GROUP, LANES, Lanes, scalar_entry};
use super::weights::{UNITS_PER_DISC, Weights, WeightsError};
use super::{Evaluator, Features};
use crate::board::{Bitboard, Cpu, Portable, Position, Square};
use crate::score::Score;

/// Every index fits sixteen bits, so a window of this size needs no bounds check.
const WINDOW: usize = 1 << 16;

const GROUPS: usize = LANES / GROUP;

/// Fitted weights, ready to evaluate.
pub struct PatternEvaluator {
    weights: Weights,
    features: Features,
    /// Where the table of each group of four lanes starts.
    group_offsets: Vec<usize>,
    /// The tables for each number of discs, unfolded when first asked for.
    stages: Vec<OnceLock<Stage>>,
    checksum: u32,
}

/// The tables for one number of discs, interpolated between knots.
struct Stage {
    /// The configurations of every pattern, then zeros up to a window.
    patterns: Vec<i16>,
    scalars: Vec<Vec<i16>>,
}

impl PatternEvaluator {
    /// An evaluator with these weights.
    #[must_use]
    pub fn new(weights: Weights) -> Self {
        let features = Features::new(weights.spec());
        let group_offsets = features
            .families()
            .iter()
            .flat_map(|family| std::iter::repeat_n(family.offset, family.lanes.len() / GROUP))
            .take(GROUPS)
            .collect();
        let checksum = weights.checksum();
        let stages = (0..=64).map(|_| OnceLock::new()).collect();
        Self { weights, features, group_offsets, stages, checksum }
    }

    /// The weights that come with the program.
    ///
    /// # Errors
    /// When the program itself is damaged.
    pub fn embedded() -> Result<Arc<Self>, WeightsError> {
        static SHARED: OnceLock<Arc<PatternEvaluator>> = OnceLock::new();
        Self::shared(&SHARED, include_bytes!("default.weights"))
    }

    /// Weights of the spec `zebra` that come with the program, for comparison.
    ///
    /// # Errors
    /// When the program itself is damaged.
    pub fn zebra() -> Result<Arc<Self>, WeightsError> {
        static SHARED: OnceLock<Arc<PatternEvaluator>> = OnceLock::new();
        Self::shared(&SHARED, include_bytes!("zebra.weights"))
    }

    /// Weights of the spec `ntest` that come with the program, for comparison.
    ///
    /// # Errors
    /// When the program itself is damaged.
    pub fn ntest() -> Result<Arc<Self>, WeightsError> {
        static SHARED: OnceLock<Arc<PatternEvaluator>> = OnceLock::new();
        Self::shared(&SHARED, include_bytes!("ntest.weights"))
    }

    fn shared(
        shared: &'static OnceLock<Arc<Self>>,
        bytes: &[u8],
    ) -> Result<Arc<Self>, WeightsError> {
        if let Some(evaluator) = shared.get() {
            return Ok(Arc::clone(evaluator));
        }
        let weights = Weights::from_bytes(bytes, "embedded weights")?;
        Ok(Arc::clone(shared.get_or_init(|| Arc::new(Self::new(weights)))))
    }

    /// The weights of a file.
    ///
    /// # Errors
    /// When it cannot be read, or is foreign, newer or damaged.
    pub fn from_file(path: &Path) -> Result<Self, WeightsError> {
        Ok(Self::new(Weights::read(path)?))
    }

    /// The weights.
    #[must_use]
    pub const fn weights(&self) -> &Weights {
        &self.weights
    }

    /// The weights, taken out.
    #[must_use]
    pub fn into_weights(self) -> Weights {
        self.weights
    }

    /// What each pattern and scalar adds to the value of a position, in discs for the side to move.
    #[must_use]
    pub fn components(&self, position: Position) -> Vec<(String, f64)> {
        let lanes = self.features.lanes(position);
        let stage = self.stage(position.discs());
        let discs = |units: i32| f64::from(units) / f64::from(UNITS_PER_DISC);
        let patterns = self.weights.spec().patterns().iter().zip(self.features.families()).map(
            |(pattern, family)| {
                let sum = family.lanes.clone().map(|lane| {
                    let entry = family.offset + usize::from(lanes.0[lane]);
                    i32::from(stage.patterns.get(entry).copied().unwrap_or_default())
                });
                (pattern.name.clone(), discs(sum.sum()))
            },
        );
        let scalars = self.features.scalars().iter().zip(&stage.scalars).map(|(scalar, table)| {
            let weight =
                table.get(scalar_entry(Portable, *scalar, position)).copied().unwrap_or_default();
            (scalar.to_string(), discs(i32::from(weight)))
        });
        patterns.chain(scalars).collect()
    }

    #[inline(always)]
    fn stage(&self, discs: u8) -> &Stage {
        let discs = usize::from(discs).min(self.stages.len() - 1);
        match self.stages[discs].get() {
            Some(stage) => stage,
            None => self.first_use(discs),
        }
    }

    /// Apart from [`Self::stage`], which is copied into every search.
    #[cold]
    #[inline(never)]
    fn first_use(&self, discs: usize) -> &Stage {
        self.stages[discs].get_or_init(|| self.unfold(discs as u8))
    }

    fn unfold(&self, discs: u8) -> Stage {
        let (low, high, share) = self.weights.spec().between(discs);
        let (low, high) = (&self.weights.knots()[low], &self.weights.knots()[high]);
        let mixed = |index: usize| {
            let (low, high) = (f32::from(low[index]), f32::from(high[index]));
            (low + (high - low) * share).round() as i16
        };
        let mut patterns = vec![0; self.features.entries() + WINDOW];
        for family in self.features.families() {
            let table = &mut patterns[family.offset..family.offset + family.configurations];
            for (entry, &class) in table.iter_mut().zip(&family.classes) {
                *entry = mixed(family.first_weight + usize::from(class));
            }
        }
        let mut first = self.features.pattern_weights();
        let scalars = self.features.scalars().iter().map(|scalar| {
            let table = (first..first + scalar.entries()).map(mixed).collect();
            first += scalar.entries();
            table
        });
        Stage { scalars: scalars.collect(), patterns }
    }
}

impl Evaluator for PatternEvaluator {
    type State = Lanes;

    fn state(&self, position: Position) -> Lanes {
        self.features.lanes(position)
    }

    #[inline(always)]
    fn play(&self, state: &Lanes, square: Square, turned: Bitboard) -> Lanes {
        self.features.play(state, square, turned)
    }

    #[inline(always)]
    fn pass(&self, state: &Lanes) -> Lanes {
        self.features.pass(state)
    }

    #[inline(always)]
    fn evaluate(&self, state: &Lanes, position: Position) -> Score {
        self.evaluate_on(Portable, state, position)
    }

    #[inline(always)]
    fn evaluate_on<C: Cpu>(&self, cpu: C, state: &Lanes, position: Position) -> Score {
        let stage = self.stage(position.discs());
        let mut units = 0;
        // Without `zip`, here and wherever the inner loops of a search are: its helpers are not
        // marked for inlining, and a build without link-time optimization would call them.
        let (groups, _) = state.0.as_chunks::<GROUP>();
        let count = self.group_offsets.len().min(groups.len());
        let (offsets, groups) = (&self.group_offsets[..count], &groups[..count]);
        for place in 0..count {
            let Some((table, _)) =
                stage.patterns.get(offsets[place]..).and_then(<[i16]>::split_first_chunk::<WINDOW>)
            else {
                continue;
            };
            for &index in &groups[place] {
                units += i32::from(table[usize::from(index)]);
            }
        }
        let scalars = self.features.scalars();
        let count = scalars.len().min(stage.scalars.len());
        let (scalars, tables) = (&scalars[..count], &stage.scalars[..count]);
        for place in 0..count {
            let entry = scalar_entry(cpu, scalars[place], position);
            units += i32::from(tables[place].get(entry).copied().unwrap_or_default());
        }
        let centidiscs = units * 100 / UNITS_PER_DISC;
        let limit = i32::from(Score::MAX.centidiscs());
        Score::from_centidiscs(centidiscs.clamp(-limit, limit) as i16)
    }

    fn name(&self) -> String {
        format!("{} {:08x}", self.weights.spec().name(), self.checksum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Line;

    #[test]
    fn the_embedded_weights_judge_the_start_as_even() {
        let evaluator = PatternEvaluator::embedded().unwrap();
        assert!(evaluator.name().starts_with("rosebill "));
        let line: Line = "f5d6c3d3c4".parse().unwrap();
        let position = line.end().unwrap().position;
        let value = evaluator.evaluate(&evaluator.state(position), position);
        assert!(value.discs().abs() < 8.0, "{value}");
        let parts: f64 = evaluator.components(position).iter().map(|(_, discs)| discs).sum();
        assert!((parts - value.discs()).abs() < 0.01, "{parts} and {value}");
    }
}
