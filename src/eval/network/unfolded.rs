//! A network ready for use: a row for each configuration, not for each class.

use super::numbers::{Network, WIDTH, stage_of};
use crate::eval::Features;
use crate::eval::lanes::{LANES, Lanes};

/// A network with a row for each configuration.
pub struct Unfolded {
    network: Network,
    rows: Vec<[i8; WIDTH]>,
    /// For each image its lane and where the rows of its pattern start.
    images: Vec<(u8, u32)>,
}

impl Unfolded {
    /// Unfolds a network of a spec.
    pub fn new(network: Network, features: &Features) -> Self {
        let mut rows = Vec::with_capacity(features.entries());
        let mut images = Vec::new();
        for family in features.families() {
            let first = rows.len() as u32;
            let class = |&class: &u16| network.rows.get(family.first_weight + usize::from(class));
            rows.extend(family.classes.iter().map(|c| class(c).copied().unwrap_or([0; WIDTH])));
            let lanes = family.lanes.clone().take(family.images);
            images.extend(lanes.map(|lane| (lane as u8, first)));
        }
        Self { network, rows, images }
    }

    /// The correction, in 1/128 disc for the side to move.
    #[inline(always)]
    pub fn correction(&self, lanes: &Lanes, discs: u8) -> i32 {
        let bias = self.network.biases.get(usize::from(discs));
        let Some(layers) = self.network.layers.get(stage_of(discs)) else { return 0 };
        let mut sum = bias.copied().unwrap_or_default();
        for &(lane, first) in &self.images {
            let index = usize::from(lanes.0[usize::from(lane) % LANES]);
            let Some(row) = self.rows.get(first as usize + index) else { continue };
            for place in 0..WIDTH {
                sum[place] = sum[place].wrapping_add(i16::from(row[place]));
            }
        }
        layers.correction(&sum)
    }
}
