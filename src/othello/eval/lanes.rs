//! The numbers that a search carries along for an evaluator: one for each image of a pattern.

/// Lanes of a state: the most images an evaluator has.
pub(crate) const LANES: usize = 64;

/// Lanes that read the same table are taken four at a time.
pub(crate) const GROUP: usize = 4;

/// One number for each lane. All arithmetic is modulo 2^16; the results are never outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct Lanes(pub [u16; LANES]);

impl Lanes {
    /// Zero in every lane.
    pub(super) const ZERO: Self = Self([0; LANES]);

    #[inline(always)]
    pub(super) fn add(&mut self, other: &Self) {
        // By index: see `pattern_units` of the pattern evaluator.
        #[allow(clippy::needless_range_loop)]
        for lane in 0..LANES {
            self.0[lane] = self.0[lane].wrapping_add(other.0[lane]);
        }
    }

    #[inline(always)]
    pub(super) fn subtract(&mut self, other: &Self) {
        #[allow(clippy::needless_range_loop)]
        for lane in 0..LANES {
            self.0[lane] = self.0[lane].wrapping_sub(other.0[lane]);
        }
    }
}
