//! Files of other programs that lie beside the project; tests with them are ignored by default.

use std::path::{Path, PathBuf};

/// A book of the shared data.
pub fn shared(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/books").join(name)
}
