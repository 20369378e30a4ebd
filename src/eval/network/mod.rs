//! A small network that corrects the sum of weights.
//!
//! Each configuration of each pattern has, beside its weight, a row of [`WIDTH`] small numbers. The rows of all
//! images are added up, with one for the number of discs; each number of the first half of the sum, held between
//! nought and one, is multiplied with its partner of the second half, so that a product says "this and
//! that". A layer of [`HIDDEN`] rectified units and one output, both for the stage of the game, make a
//! correction of those products. A sum of weights cannot say that two patterns together are worth more than
//! each alone; this can.
//!
//! All that depends on the configurations is whole numbers; the few numbers behind it are of single precision,
//! added in an order that is fixed here, so that every processor comes to the same value.

mod numbers;
mod unfolded;

#[cfg(test)]
pub(super) use numbers::tests;
pub use numbers::{HIDDEN, Layers, Network, ONE, PRODUCTS, REACH, STAGES, WIDTH, stage_of};
pub(super) use unfolded::Unfolded;
