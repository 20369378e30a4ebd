//! The unit of weights.

/// Units of a weight in one disc.
pub const UNITS_PER_DISC: i32 = 128;

/// A sum of weights in centidiscs.
#[inline(always)]
#[must_use]
pub(super) const fn centidiscs(units: i32) -> i32 {
    units * 100 / UNITS_PER_DISC
}
