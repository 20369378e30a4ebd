//! Whether two paths name one file.

use std::path::Path;

#[cfg(unix)]
use crate::store::file_identity::FileIdentity;

/// Whether two paths name the same file, through links of any kind; false where there is none.
pub(super) fn is_same_file(one: &Path, other: &Path) -> bool {
    #[cfg(unix)]
    return FileIdentity::of(one).is_some_and(|of_one| FileIdentity::of(other) == Some(of_one));
    #[cfg(not(unix))]
    {
        one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_the_same_by_whatever_way() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other, link] = ["one", "other", "link"].map(|name| folder.path().join(name));
        std::fs::write(&one, "").unwrap();
        std::fs::write(&other, "").unwrap();
        assert!(is_same_file(&one, &folder.path().join("./one")) && !is_same_file(&one, &other));
        assert!(!is_same_file(&link, &link), "there is none");
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&one, &link).unwrap();
            assert!(is_same_file(&one, &link));
            std::fs::hard_link(&one, folder.path().join("second")).unwrap();
            assert!(is_same_file(&folder.path().join("second"), &link));
        }
    }
}
