//! The pattern evaluator: one weight for each image of each pattern, added up.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::any_evaluator::name_of_spec;
use super::features::{potential_mobility, scalar_entry};
use super::lanes::{GROUP, LANES, Lanes};
use super::pattern::LONGEST_PATTERN;
use super::spec::Scalar;
use super::weights::{UNITS_PER_DISC, Weights, WeightsError};
use super::{Component, Evaluator, Explain, Features};
use crate::othello::board::{Bitboard, Cpu, Portable, Position, Square};
use crate::othello::score::Score;
use crate::othello::search::probcut::{self, Margins};

/// Every table starts below this, and every index fits sixteen bits: an array of [`MOST_ENTRIES`] needs
/// no check of bounds.
const MOST_OFFSET: usize = 1 << 20;

/// A family takes at least a group of lanes, and an entry more than it has configurations.
const _: () = assert!((LANES / GROUP) * (3_usize.pow(LONGEST_PATTERN as u32) + 1) < MOST_OFFSET);

/// Entries of the array that holds all tables of a stage. What is past the last table is never
/// touched, so a system that finds memory for a page when it is first used finds none for it.
const MOST_ENTRIES: usize = MOST_OFFSET + (1 << 16);

/// Groups of lanes are looked up two at a time.
const PAIR: usize = 2 * GROUP;

/// Entries of the table of a scalar that depends on more than the number of discs.
const MOST_SCALAR_ENTRIES: usize = Scalar::MoverPotential.entries();

const _: () = assert!(GROUP == 4 && Scalar::MoverMobility.entries() <= MOST_SCALAR_ENTRIES);

/// Fitted weights, ready to evaluate.
pub struct PatternEvaluator {
    weights: Weights,
    features: Features,
    /// Where the tables of each two groups of lanes start.
    offsets: Vec<[u32; 2]>,
    /// Whether the spec has a scalar that depends on more than the number of discs.
    sees_mobility: bool,
    /// The tables for each number of discs, unfolded when first asked for.
    stages: Vec<OnceLock<Stage>>,
    checksum: u32,
}

/// The tables for one number of discs, interpolated between knots.
struct Stage {
    /// The configurations of every pattern, then zeros up to [`MOST_ENTRIES`].
    patterns: Box<[i16; MOST_ENTRIES]>,
    /// The tables of the mobilities and potential mobilities of the mover and the opponent; zeros
    /// for what the spec lacks.
    mobilities: Box<[[i32; MOST_SCALAR_ENTRIES]; 4]>,
    /// What the other scalars add to every value.
    constant: i32,
}

/// As `round`, which is a call for each number where the processor's level is not known.
#[inline]
fn rounded(number: f32) -> i16 {
    let whole = number as i32;
    let rest = number - whole as f32;
    (whole + i32::from(rest >= 0.5) - i32::from(rest <= -0.5)) as i16
}

impl PatternEvaluator {
    /// An evaluator with these weights.
    pub fn new(weights: Weights) -> Self {
        let features = Features::new(weights.spec());
        let families = features.families().iter();
        let mut starts: Vec<u32> = families
            .flat_map(|f| std::iter::repeat_n(f.offset as u32, f.lanes.len() / GROUP))
            .collect();
        if starts.len() % 2 == 1 {
            // Lanes without a family are zero, and so is the entry there.
            starts.push(features.entries() as u32);
        }
        let offsets = starts.as_chunks::<2>().0.to_vec();
        let by_discs = |scalar: &Scalar| matches!(scalar, Scalar::Discs | Scalar::Parity);
        let sees_mobility = !features.scalars().iter().all(by_discs);
        let checksum = weights.checksum();
        let stages = (0..=64).map(|_| OnceLock::new()).collect();
        Self { weights, features, offsets, sees_mobility, stages, checksum }
    }

    /// The weights that come with the program.
    pub fn embedded() -> Result<Arc<Self>, WeightsError> {
        static SHARED: OnceLock<Arc<PatternEvaluator>> = OnceLock::new();
        Self::shared(&SHARED, include_bytes!("default.weights"))
    }

    /// Weights of the spec `zebra` that come with the program, for comparison.
    pub(crate) fn zebra() -> Result<Arc<Self>, WeightsError> {
        static SHARED: OnceLock<Arc<PatternEvaluator>> = OnceLock::new();
        Self::shared(&SHARED, include_bytes!("zebra.weights"))
    }

    /// Weights of the spec `ntest` that come with the program, for comparison.
    pub(crate) fn ntest() -> Result<Arc<Self>, WeightsError> {
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

    pub(crate) fn from_file(path: &Path) -> Result<Self, WeightsError> {
        Ok(Self::new(Weights::read(path)?))
    }

    pub const fn weights(&self) -> &Weights {
        &self.weights
    }

    /// The weights, taken out.
    pub(crate) fn into_weights(self) -> Weights {
        self.weights
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

    /// The weights at a number of discs, between those of its two knots.
    fn mixed(&self, discs: u8) -> Vec<i16> {
        let (low, high, share) = self.weights.spec().between(discs);
        let rows = self.weights.knots()[low].iter().zip(&self.weights.knots()[high]);
        let mixed = |(&low, &high): (&i16, &i16)| {
            let (low, high) = (f32::from(low), f32::from(high));
            rounded(low + (high - low) * share)
        };
        rows.map(mixed).collect()
    }

    fn unfold(&self, discs: u8) -> Stage {
        let weights = self.mixed(discs);
        let mut patterns = zeros();
        for family in self.features.families() {
            let table = &mut patterns[family.offset..family.offset + family.configurations];
            for (entry, &class) in table.iter_mut().zip(&family.classes) {
                *entry = weights[family.first_weight + usize::from(class)];
            }
        }
        let mut mobilities = Box::new([[0; MOST_SCALAR_ENTRIES]; 4]);
        let mut constant = 0;
        let mut rest = &weights[self.features.pattern_weights()..];
        for scalar in self.features.scalars() {
            let (table, after) = rest.split_at(scalar.entries());
            rest = after;
            let place = match scalar {
                Scalar::MoverMobility => 0,
                Scalar::OpponentMobility => 1,
                Scalar::MoverPotential => 2,
                Scalar::OpponentPotential => 3,
                Scalar::Discs => {
                    constant += i32::from(table[usize::from(discs)]);
                    continue;
                }
                Scalar::Parity => {
                    constant += i32::from(table[usize::from(discs) & 1]);
                    continue;
                }
            };
            // Past its end a table goes on as it ends.
            for (number, entry) in mobilities[place].iter_mut().enumerate() {
                *entry += i32::from(table[number.min(table.len() - 1)]);
            }
        }
        Stage { patterns, mobilities, constant }
    }

    /// The sum of the weights of all patterns, in 1/128 disc.
    #[inline(always)]
    fn pattern_units(&self, table: &[i16; MOST_ENTRIES], lanes: &Lanes) -> i32 {
        let mut units = 0;
        // Without `zip`, here and wherever the inner loops of a search are: its helpers are not
        // marked for inlining, and a build without link-time optimization would call them.
        let (pairs, _) = lanes.0.as_chunks::<PAIR>();
        let count = self.offsets.len().min(pairs.len());
        let (offsets, pairs) = (&self.offsets[..count], &pairs[..count]);
        for place in 0..count {
            let start = |group: usize| offsets[place][group] as usize & (MOST_OFFSET - 1);
            let (first, second) = (start(0), start(1));
            let weight = |start: usize, lane: usize| {
                i32::from(table[start + usize::from(pairs[place][lane])])
            };
            units += weight(first, 0) + weight(first, 1) + weight(first, 2) + weight(first, 3);
            units += weight(second, 4) + weight(second, 5) + weight(second, 6) + weight(second, 7);
        }
        units
    }

    /// What the mobilities add, in 1/128 disc; none where the mover has no move.
    #[inline(always)]
    fn mobility_units<C: Cpu>(cpu: C, stage: &Stage, position: Position) -> Option<i32> {
        let Position { mover, opponent } = position;
        let empty = position.empty_squares();
        let moves = cpu.legal_moves(mover, opponent);
        if moves == 0 {
            return None;
        }
        let counts = [
            moves.count_ones(),
            cpu.legal_moves(opponent, mover).count_ones(),
            potential_mobility(opponent, empty),
            potential_mobility(mover, empty),
        ];
        let entry = |place: usize| {
            let count = counts[place] as usize;
            stage.mobilities[place][count.min(MOST_SCALAR_ENTRIES - 1)]
        };
        Some(entry(0) + entry(1) + entry(2) + entry(3))
    }

    /// The estimate where the mover has no move, which no weights are fitted to: that after the pass, or
    /// the final score.
    #[cold]
    #[inline(never)]
    fn without_a_move(&self, state: &Lanes, position: Position) -> Score {
        let passed = position.passed();
        if passed.can_move() {
            -self.estimate(Portable, &self.pass(state), passed)
        } else {
            Score::from_discs(position.final_score())
        }
    }
}

/// An array of zeros that was never on the stack and whose pages are not yet touched.
fn zeros() -> Box<[i16; MOST_ENTRIES]> {
    match vec![0; MOST_ENTRIES].into_boxed_slice().try_into() {
        Ok(array) => array,
        Err(_) => unreachable!("it is as long as it was made"),
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
    fn estimate<C: Cpu>(&self, cpu: C, state: &Lanes, position: Position) -> Score {
        let stage = self.stage(position.discs());
        let mut units = stage.constant + self.pattern_units(&stage.patterns, state);
        if self.sees_mobility {
            match Self::mobility_units(cpu, stage, position) {
                Some(mobilities) => units += mobilities,
                None => return self.without_a_move(state, position),
            }
        }
        let centidiscs = units * 100 / UNITS_PER_DISC;
        let limit = i32::from(Score::MAX.centidiscs());
        Score::from_centidiscs(centidiscs.clamp(-limit, limit) as i16)
    }

    fn margins(&self) -> &'static Margins {
        match self.weights.spec().name() {
            "ntest" => &probcut::NTEST,
            "zebra" => &probcut::ZEBRA,
            _ => &probcut::ROSEBILL,
        }
    }

    fn stretched(&self, score: Score, left: u8) -> Score {
        self.weights.stretch().map_or(score, |stretch| stretch.apply(score, left))
    }

    fn name(&self) -> String {
        format!("{} {:08x}", self.weights.spec().name(), self.checksum)
    }
}

impl Explain for PatternEvaluator {
    fn title(&self) -> String {
        format!("{} {:08x}", name_of_spec(self.weights.spec().name()), self.checksum)
    }

    fn estimate_of(&self, position: Position) -> Score {
        self.estimate(Portable, &self.state(position), position)
    }

    fn terms(&self, position: Position) -> Vec<Component> {
        // As in the estimate, a side without a move is judged after its pass.
        let passes = self.sees_mobility && !position.can_move();
        let position = if passes { position.passed() } else { position };
        let lanes = self.features.lanes(position);
        let weights = self.mixed(position.discs());
        let discs = |units: i32| {
            let units = if passes { -units } else { units };
            f64::from(units) / f64::from(UNITS_PER_DISC)
        };
        let weight = |index: usize| i32::from(weights[index]);
        let patterns = self.weights.spec().patterns().iter().zip(self.features.families()).map(
            |(pattern, family)| {
                let images = &lanes.0[family.lanes.start..family.lanes.start + family.images];
                let classes = images.iter().map(|&index| family.classes[usize::from(index)]);
                let sum =
                    classes.map(|class| weight(family.first_weight + usize::from(class))).sum();
                Component::plain(&pattern.name, discs(sum))
            },
        );
        let mut first = self.features.pattern_weights();
        let scalars = self.features.scalars().iter().map(|scalar| {
            let entry = first + scalar_entry(Portable, *scalar, position);
            first += scalar.entries();
            let name = if passes { scalar.seen_by_other() } else { *scalar };
            Component::plain(&name.to_string(), discs(weight(entry)))
        });
        patterns.chain(scalars).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::board::{Line, parse_board};

    #[test]
    fn rounding_is_that_of_the_standard_library() {
        let halves = (-70_000..=70_000).map(|halves| halves as f32 / 2.0);
        let near = halves.flat_map(|half| [half.next_down(), half, half.next_up()]);
        let inside = near.filter(|number| number.abs() < 32_767.4);
        for number in inside {
            assert_eq!(rounded(number), number.round() as i16, "{number}");
        }
    }

    #[test]
    fn the_embedded_weights_judge_the_start_as_even() {
        let evaluator = PatternEvaluator::embedded().unwrap();
        assert!(evaluator.name().starts_with("rosebill "));
        let line: Line = "f5d6c3d3c4".parse().unwrap();
        let position = line.end().unwrap().position;
        let value = evaluator.evaluate(&evaluator.state(position), position);
        assert!(value.discs().abs() < 8.0, "{value}");
    }

    /// Against indices taken from the squares as they are listed, with nothing kept up to date and
    /// nothing reordered.
    #[test]
    fn patterns_weigh_what_the_weights_say() {
        let evaluator = PatternEvaluator::embedded().unwrap();
        let line: Line = "f5d6c3d3c4f4c5b3c2e6c6b4b5d2e3a6c1b6f3f6".parse().unwrap();
        let mut position = Position::START;
        for square in line.squares() {
            position = position.play(square).unwrap();
            let spec = evaluator.weights().spec();
            let Some(knot) = spec.knots().iter().position(|&knot| knot == position.discs()) else {
                continue;
            };
            let (mut first, mut units) = (0, 0);
            for pattern in spec.patterns() {
                let (classes, count) = pattern.classes();
                for image in pattern.images() {
                    let digit = |square: &Square| match square.bit() {
                        bit if position.mover & bit != 0 => 2,
                        bit if position.opponent & bit != 0 => 0,
                        _ => 1,
                    };
                    let index = image.iter().rev().fold(0, |index, s| 3 * index + digit(s));
                    let class = first + usize::from(classes[index]);
                    units += i32::from(evaluator.weights().knots()[knot][class]);
                }
                first += count;
            }
            let stage = evaluator.stage(position.discs());
            let lanes = evaluator.state(position);
            assert_eq!(evaluator.pattern_units(&stage.patterns, &lanes), units, "{position:?}");
        }
    }

    /// The tables of a stage against the weights that they were made from, with mobilities and
    /// without.
    #[test]
    fn a_value_is_the_sum_of_its_components() {
        let line: Line = "f5d6c3d3c4f4c5b3c2e6c6b4b5d2e3a6c1b6f3f6".parse().unwrap();
        let squares: Vec<_> = line.squares().collect();
        for evaluator in [
            PatternEvaluator::embedded().unwrap(),
            PatternEvaluator::zebra().unwrap(),
            PatternEvaluator::ntest().unwrap(),
        ] {
            let mut position = Position::START;
            for &square in &squares {
                position = position.play(square).unwrap();
                let value = evaluator.evaluate(&evaluator.state(position), position);
                let parts: f64 = evaluator.components(position).iter().map(|each| each.discs).sum();
                assert!((parts - value.discs()).abs() < 0.011, "{parts} and {value}");
            }
        }
    }

    #[test]
    fn a_side_that_must_pass_is_judged_after_its_pass() {
        let text = "OOOOOO--XOOOOO--XXXOOO--OOXOOO--OOXXOO--OOOOOOO-OXOOXO--XXXXXX-- O";
        let position = parse_board(text).unwrap().position;
        let passed = position.passed();
        assert!(!position.can_move() && passed.can_move());
        for evaluator in [PatternEvaluator::embedded().unwrap(), PatternEvaluator::ntest().unwrap()]
        {
            let of = |position| evaluator.estimate(Portable, &evaluator.state(position), position);
            assert_eq!(of(position), -of(passed));
            // Term by term, each named for the side that it counts for.
            let sorted = |position, sign: f64| {
                let terms = evaluator.components(position).into_iter();
                let mut discs: Vec<_> = terms.map(|each| sign * each.discs).collect();
                discs.sort_by(f64::total_cmp);
                discs
            };
            assert_eq!(sorted(position, 1.0), sorted(passed, -1.0));
            let moves = |position, name: &str| {
                let terms = evaluator.components(position);
                terms.iter().find(|each| each.name == name).unwrap().discs
            };
            let (mover, opponent) = ("mobility of the mover", "mobility of the opponent");
            assert_eq!(moves(position, mover), -moves(passed, opponent));
        }
        // Where neither can move, the estimate is the final score, though no leaf asks for it.
        let over = Position { mover: 1, opponent: !0xff & !(1 << 62) };
        let evaluator = PatternEvaluator::embedded().unwrap();
        let estimate = evaluator.estimate(Portable, &evaluator.state(over), over);
        assert_eq!(estimate, Score::from_discs(-62));
    }
}
