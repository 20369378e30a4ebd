//! What tests of readers share.

use super::reader::{ReadGame, ReadOptions, read};
use super::wthor::WthorNames;

/// All games and all defects, the file being called `test`.
pub(super) fn read_bytes(bytes: &[u8], names: &WthorNames) -> (Vec<ReadGame>, Vec<String>) {
    let options = ReadOptions { names: Some(names.clone()), ..ReadOptions::default() };
    let (mut games, mut defects) = (Vec::new(), Vec::new());
    for read in read(bytes, "test", &options).unwrap_or_else(|error| panic!("{error}")) {
        assert!(games.len() + defects.len() < 10_000, "a reader without an end");
        match read {
            Ok(game) => games.push(game),
            Err(defect) => defects.push(defect.to_string()),
        }
    }
    (games, defects)
}

pub(super) fn read_all(text: &str) -> (Vec<ReadGame>, Vec<String>) {
    read_bytes(text.as_bytes(), &WthorNames::default())
}

/// All games of a text without a defect.
pub(super) fn read_text(text: &str) -> Vec<ReadGame> {
    let (games, defects) = read_all(text);
    assert!(defects.is_empty() && !games.is_empty(), "{text}: {defects:?}");
    games
}

/// The only defect of a text.
pub(super) fn refused(text: &str) -> String {
    let (games, defects) = read_all(text);
    assert_eq!((games.len(), defects.len()), (0, 1), "{text}: {games:?} {defects:?}");
    defects.concat()
}
