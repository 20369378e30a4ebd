//! The workshop: how fast and how strong the program is, and how its evaluator is made.
//!
//! [`mod@bench`] measures, [`contest`] plays matches, [`train`] makes weights. It may use all that the program can
//! do, and nothing but the faces uses it. Begin reading with the functions that each module hands on.

pub mod bench;
pub mod contest;
#[cfg(feature = "cli")]
pub mod train;
