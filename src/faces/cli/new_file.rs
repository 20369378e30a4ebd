//! Files that are to be new.

use std::path::Path;

use anyhow::bail;

/// Games of another day are not written over.
pub fn check_new(path: &Path) -> anyhow::Result<()> {
    if path.symlink_metadata().is_ok() {
        bail!("{} is there already: expected the name of a new file", path.display());
    }
    Ok(())
}
