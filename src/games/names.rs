//! Names of openings, found by position and not by the order of moves.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::board::{Key, Line};

/// Our list: a line, a tab, a name. Its sources stand in its head.
const LIST: &str = include_str!("openings.tsv");

static BY_POSITION: LazyLock<HashMap<Key, &'static str>> = LazyLock::new(|| {
    let mut names = HashMap::new();
    for (line, name) in entries() {
        if let Some(end) = line.end() {
            names.entry(Key::of(end.position)).or_insert(name);
        }
    }
    names
});

fn entries() -> impl Iterator<Item = (Line, &'static str)> {
    LIST.lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once('\t'))
        .filter_map(|(moves, name)| Some((moves.parse().ok()?, name)))
}

/// The name of the opening that a position belongs to, in English.
#[must_use]
pub fn opening_name(key: Key) -> Option<&'static str> {
    BY_POSITION.get(&key).copied()
}

/// The name of the last named position along a line, the line's end included.
#[must_use]
pub fn opening_of_line(line: &Line) -> Option<&'static str> {
    line.steps()
        .iter()
        .rev()
        .filter_map(|step| step.after.position())
        .find_map(|position| opening_name(Key::of(position)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_of_the_list_can_be_played() {
        let lines = LIST.lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(entries().count(), lines);
        assert!(lines > 100);
    }

    #[test]
    fn names_do_not_depend_on_orientation_or_order() {
        let name = |line: &str| opening_of_line(&line.parse().unwrap());
        assert_eq!(name("f5d6c3d3c4"), Some("Tiger"));
        assert_eq!(name("d3c5f6f5e6"), Some("Tiger"));
        assert_eq!(name("f5"), None);
    }
}
