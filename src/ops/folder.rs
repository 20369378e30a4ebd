//! Where files that belong to another one are made.

use std::path::Path;

/// The folder that a file is in; the current one where its path names none.
pub(super) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_name_is_in_the_current_folder() {
        let found = ["a/b.db", "b.db", "/b.db", "./b.db"].map(|path| folder_of(Path::new(path)));
        assert_eq!(found, ["a", ".", "/", "."].map(Path::new));
    }
}
