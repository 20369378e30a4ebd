//! The numbers of a network, and what its layers make of a sum of rows.

/// Numbers of a row.
pub const WIDTH: usize = 32;

/// Products of a number of the first half with its partner.
pub const PRODUCTS: usize = WIDTH / 2;

/// Hidden units.
pub const HIDDEN: usize = 16;

/// Stages with layers of their own.
pub const STAGES: usize = 12;

/// Discs of a stage.
const DISCS_OF_STAGE: u8 = 5;

/// What stands for one in a row.
pub const ONE: i16 = 64;

/// How far the correction moves values, centidiscs: one that is further outside a window than this is taken
/// to stay outside. Source: measured; see `NOTES.md`, "The network".
pub const REACH: i32 = 400;

/// The stage that a number of discs belongs to.
#[inline(always)]
#[must_use]
pub const fn stage_of(discs: u8) -> usize {
    let stage = (discs.saturating_sub(DISCS_OF_STAGE) / DISCS_OF_STAGE) as usize;
    if stage < STAGES { stage } else { STAGES - 1 }
}

/// What follows the products at one stage.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Layers {
    /// What each product, in `ONE * ONE`ths, adds to each hidden unit.
    pub hidden: [[f32; HIDDEN]; PRODUCTS],
    /// What each hidden unit is before.
    pub hidden_bias: [f32; HIDDEN],
    /// What each hidden unit that is above nought adds to the correction, in 1/128 disc.
    pub output: [f32; HIDDEN],
    /// What the correction is before, in 1/128 disc.
    pub output_bias: f32,
}

/// Numbers in [`Layers`].
const LAYER_NUMBERS: usize = PRODUCTS * HIDDEN + 2 * HIDDEN + 1;

/// Numbers of discs that there are, nought included.
const DISCS: usize = 65;

/// The numbers of a network.
#[derive(Clone, PartialEq, Debug)]
pub struct Network {
    /// A row for each class of each pattern, in the order of the weights of a knot.
    pub rows: Vec<[i8; WIDTH]>,
    /// A row for each number of discs.
    pub biases: Vec<[i16; WIDTH]>,
    /// The layers of each stage.
    pub layers: Vec<Layers>,
}

impl Network {
    /// Bytes of a network with so many rows.
    #[must_use]
    pub const fn bytes(rows: usize) -> usize {
        rows * WIDTH + DISCS * WIDTH * 2 + STAGES * LAYER_NUMBERS * 4
    }

    /// The numbers as bytes: the first of each row, then the second of each, and so on, which packs
    /// better; the biases; the layers of each stage. Little-endian.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(Self::bytes(self.rows.len()));
        for column in 0..WIDTH {
            bytes.extend(self.rows.iter().map(|row| row[column].cast_unsigned()));
        }
        bytes.extend(self.biases.iter().flatten().flat_map(|bias| bias.to_le_bytes()));
        for layers in &self.layers {
            let hidden = layers.hidden.iter().flatten().chain(&layers.hidden_bias);
            let all = hidden.chain(&layers.output).chain([&layers.output_bias]);
            bytes.extend(all.flat_map(|number| number.to_le_bytes()));
        }
        bytes
    }

    /// Reads what [`Self::to_bytes`] wrote. None when the length is not that of so many rows, or a number
    /// is none.
    #[must_use]
    pub fn from_bytes(bytes: &[u8], rows: usize) -> Option<Self> {
        if bytes.len() != Self::bytes(rows) {
            return None;
        }
        let (columns, rest) = bytes.split_at(rows * WIDTH);
        let (biases, layers) = rest.split_at(DISCS * WIDTH * 2);
        let row = |row: usize| std::array::from_fn(|at| columns[at * rows + row].cast_signed());
        let biases = biases.as_chunks::<2>().0.as_chunks::<WIDTH>().0;
        let numbers: Vec<f32> =
            layers.as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
        if !numbers.iter().all(|number| number.is_finite()) {
            return None;
        }
        Some(Self {
            rows: (0..rows).map(row).collect(),
            biases: biases.iter().map(|row| row.map(i16::from_le_bytes)).collect(),
            layers: numbers.chunks_exact(LAYER_NUMBERS).map(layers_of).collect(),
        })
    }
}

/// Takes the numbers of a stage apart; there are [`LAYER_NUMBERS`] of them.
fn layers_of(numbers: &[f32]) -> Layers {
    let at = |place: usize| numbers.get(place).copied().unwrap_or_default();
    let after = PRODUCTS * HIDDEN;
    Layers {
        hidden: std::array::from_fn(|i| std::array::from_fn(|j| at(i * HIDDEN + j))),
        hidden_bias: std::array::from_fn(|j| at(after + j)),
        output: std::array::from_fn(|j| at(after + HIDDEN + j)),
        output_bias: at(after + 2 * HIDDEN),
    }
}

impl Layers {
    /// The correction that follows from a sum of rows, in 1/128 disc.
    #[inline(always)]
    #[must_use]
    pub fn correction(&self, sum: &[i16; WIDTH]) -> i32 {
        let mut products = [0.0_f32; PRODUCTS];
        for place in 0..PRODUCTS {
            let (one, other) = (sum[place].clamp(0, ONE), sum[place + PRODUCTS].clamp(0, ONE));
            products[place] = f32::from(one * other);
        }
        // Two sums of every second product: half as long to wait for.
        let (mut even, mut odd) = (self.hidden_bias, [0.0_f32; HIDDEN]);
        for pair in 0..PRODUCTS / 2 {
            for unit in 0..HIDDEN {
                even[unit] += products[2 * pair] * self.hidden[2 * pair][unit];
                odd[unit] += products[2 * pair + 1] * self.hidden[2 * pair + 1][unit];
            }
        }
        let mut parts = [0.0_f32; HIDDEN];
        for unit in 0..HIDDEN {
            parts[unit] = (even[unit] + odd[unit]).max(0.0) * self.output[unit];
        }
        let mut width = HIDDEN / 2;
        while width > 0 {
            for unit in 0..width {
                parts[unit] += parts[unit + width];
            }
            width /= 2;
        }
        (parts[0] + self.output_bias) as i32
    }
}

#[cfg(test)]
pub(in crate::eval) mod tests {
    use super::*;
    use crate::random::Random;

    /// A network at random, whose corrections are some discs.
    pub fn drawn(rows: usize) -> Network {
        let mut random = Random::new(7);
        let mut around = |most: i32| random.below(2 * most as usize + 1) as i32 - most;
        let mut layers = || Layers {
            hidden: std::array::from_fn(|_| std::array::from_fn(|_| around(100) as f32 / 4e5)),
            hidden_bias: std::array::from_fn(|_| around(100) as f32 / 1000.0),
            output: std::array::from_fn(|_| around(1000) as f32),
            output_bias: around(100) as f32,
        };
        let layers = (0..STAGES).map(|_| layers()).collect();
        let rows = (0..rows).map(|_| std::array::from_fn(|_| around(20) as i8)).collect();
        let biases = (0..DISCS).map(|_| std::array::from_fn(|_| around(60) as i16)).collect();
        Network { rows, biases, layers }
    }

    #[test]
    fn written_numbers_read_back() {
        let network = drawn(9);
        let bytes = network.to_bytes();
        assert_eq!(bytes.len(), Network::bytes(9));
        assert_eq!(Network::from_bytes(&bytes, 9).as_ref(), Some(&network));
        assert_eq!(Network::from_bytes(&bytes, 8), None);
        let mut infinite = bytes;
        let end = infinite.len();
        infinite[end - 4..].copy_from_slice(&f32::INFINITY.to_le_bytes());
        assert_eq!(Network::from_bytes(&infinite, 9), None);
    }

    /// Against the definition, in double precision.
    #[test]
    fn a_correction_is_what_the_layers_say() {
        let network = drawn(1);
        for (stage, layers) in network.layers.iter().enumerate() {
            let sum: [i16; WIDTH] =
                std::array::from_fn(|place| ((place * 37 + stage * 11) % 130) as i16 - 30);
            let held = |place: usize| f64::from(sum[place].clamp(0, ONE));
            let unit = |unit: usize| {
                let products = (0..PRODUCTS).map(|at| held(at) * held(at + PRODUCTS));
                let weighed = products.zip(&layers.hidden);
                let total: f64 = weighed.map(|(p, row)| p * f64::from(row[unit])).sum();
                (total + f64::from(layers.hidden_bias[unit])).max(0.0)
            };
            let output: f64 = (0..HIDDEN).map(|at| unit(at) * f64::from(layers.output[at])).sum();
            let expected = output + f64::from(layers.output_bias);
            let found = f64::from(layers.correction(&sum));
            assert!((found - expected).abs() < 1.01, "{found} and {expected}");
        }
    }

    #[test]
    fn stages_are_five_discs_each() {
        assert_eq!([4, 9, 10, 14, 15, 59, 60, 64].map(stage_of), [0, 0, 1, 1, 2, 10, 11, 11]);
    }
}
