//! Where the openings of a match come from.

mod balanced;
mod file;
mod played;
mod pool;

pub(crate) use balanced::{OpeningRequest, balanced_openings};
pub(crate) use file::read_openings;
pub(crate) use played::{PlayedError, played_openings};
pub(crate) use pool::Pool;
