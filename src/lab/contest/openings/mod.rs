//! Where the openings of a match come from.

mod balanced;
mod file;
mod played;
mod pool;

pub use balanced::{OpeningRequest, balanced_openings};
pub use file::{OpeningFile, OpeningFileError, read_openings};
pub use played::{PlayedError, played_openings};
pub use pool::Pool;
