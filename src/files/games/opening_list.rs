//! Openings that have names, found by position and not by the order of moves.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::opening_language::Language;
use crate::othello::board::{Key, Line, Placed, Position};

/// A position that has a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    /// The usual moves that lead there.
    pub line: Line,
    pub language: Language,
    pub name: &'static str,
    /// Other names of the same position.
    pub also: Vec<&'static str>,
}

impl Opening {
    /// All names, the first one before the others.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        [self.name].into_iter().chain(self.also.iter().copied())
    }

    /// The board that it is about.
    pub fn placed(&self) -> Placed {
        self.line.board()
    }

    /// Its position, whatever its orientation.
    pub fn key(&self) -> Key {
        Key::of(self.placed().position)
    }

    /// Whether its line comes through a position, in any orientation, or ends there.
    pub(crate) fn comes_through(&self, position: Key) -> bool {
        positions(&self.line).any(|before| Key::of(before) == position)
    }
}

struct List {
    openings: Vec<Opening>,
    by_position: HashMap<Key, usize>,
}

impl List {
    fn of(language: Language) -> Self {
        let mut list = Self { openings: Vec::new(), by_position: HashMap::new() };
        for (line, name) in language.entries() {
            let key = Key::of(line.board().position);
            let known = list.by_position.get(&key).and_then(|&index| list.openings.get_mut(index));
            match known {
                Some(known) if known.names().any(|other| other == name) => {}
                Some(known) => known.also.push(name),
                None => {
                    list.by_position.insert(key, list.openings.len());
                    list.openings.push(Opening { line, language, name, also: Vec::new() });
                }
            }
        }
        list
    }
}

/// The positions are called by these names wherever one is printed.
static OPENINGS: LazyLock<List> = LazyLock::new(|| List::of(Language::English));
static FRENCH: LazyLock<List> = LazyLock::new(|| List::of(Language::French));
static JAPANESE: LazyLock<List> = LazyLock::new(|| List::of(Language::Japanese));

/// The positions of a line, from the one that it starts from.
fn positions(line: &Line) -> impl DoubleEndedIterator<Item = Position> {
    let after = line.steps().iter().filter_map(|step| step.after.position());
    [line.start().position].into_iter().chain(after)
}

/// All positions that have names in a language, those of short lines first.
pub(crate) fn openings_in(language: Language) -> &'static [Opening] {
    match language {
        Language::English => openings(),
        Language::French => &FRENCH.openings,
        Language::Japanese => &JAPANESE.openings,
    }
}

/// All positions that have names in English, those of short lines first.
pub(crate) fn openings() -> &'static [Opening] {
    &OPENINGS.openings
}

/// The opening that a position is, if it is one.
pub(crate) fn opening_at(key: Key) -> Option<&'static Opening> {
    OPENINGS.by_position.get(&key).and_then(|&index| OPENINGS.openings.get(index))
}

/// The name of the opening that a position is, in English.
pub(crate) fn opening_name(key: Key) -> Option<&'static str> {
    opening_at(key).map(|opening| opening.name)
}

/// The name that still holds at the end of a line: that of the last position along it, the first
/// and the last included, that has one.
pub(crate) fn opening_of_line(line: &Line) -> Option<&'static str> {
    positions(line).rev().find_map(|position| opening_name(Key::of(position)))
}

/// The openings that a line comes through, with how many of its moves lead to each.
pub(crate) fn openings_along(line: &Line) -> impl Iterator<Item = (usize, &'static Opening)> {
    let found = |(moves, position)| Some((moves, opening_at(Key::of(position))?));
    positions(line).enumerate().filter_map(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::board::Symmetry;

    #[test]
    fn every_entry_of_the_lists_can_be_played() {
        for (language, least) in
            [(Language::English, 120), (Language::French, 500), (Language::Japanese, 340)]
        {
            let lines = language.entries().count();
            assert_eq!(language.rows(), lines);
            let openings = openings_in(language);
            assert!(openings.len() > least, "{}", openings.len());
            let names: usize = openings.iter().map(|opening| opening.names().count()).sum();
            assert!((openings.len()..=lines).contains(&names));
            let longest = openings.iter().flat_map(Opening::names).map(|name| name.chars().count());
            assert!(longest.max() < Some(60));
        }
    }

    #[test]
    fn names_do_not_depend_on_orientation_or_order() {
        let name = |line: &str| opening_of_line(&line.parse().unwrap());
        assert_eq!(name("f5d6c3d3c4"), Some("Tiger"));
        assert_eq!(name("d3c5f6f5e6"), Some("Tiger"));
        assert_eq!(name("f5"), None);
        for opening in openings() {
            for symmetry in Symmetry::all() {
                let image = symmetry.position(opening.placed().position);
                assert_eq!(opening_name(Key::of(image)), Some(opening.name));
                let board = Line::from_board(Placed { position: image, ..opening.placed() });
                assert_eq!(opening_of_line(&board), Some(opening.name), "by its board alone");
            }
        }
    }

    #[test]
    fn the_last_name_along_a_line_holds() {
        let line: Line = "f5d6c3d3c4f4c5b3c2e3g4".parse().unwrap();
        assert_eq!(opening_of_line(&line), Some("Nicolet"));
        let names: Vec<_> =
            openings_along(&line).map(|(moves, opening)| (moves, opening.name)).collect();
        let (first, last) = (names[0], names[names.len() - 1]);
        assert_eq!((first, last), ((2, "Perpendicular Opening"), (10, "Nicolet")));
        assert!(names.contains(&(5, "Tiger")) && names.contains(&(9, "Rose-Bill")));
        // Another order of moves, and another image, come to the same name late.
        let other: Line = "f5f6e6f4e3d6".parse().unwrap();
        assert_eq!(opening_of_line(&other), Some("Chimney"));
    }

    #[test]
    fn a_position_has_one_entry_with_all_its_names() {
        let heath: Line = "f5f6e6f4g5".parse().unwrap();
        let opening = opening_at(Key::of(heath.board().position)).unwrap();
        assert_eq!((opening.name, &opening.also[..]), ("Heath", &["Jumping Out", "Tobidashi"][..]));
        let through = |line: &str| {
            let line: Line = line.parse().unwrap();
            let key = Key::of(line.board().position);
            openings().iter().filter(|opening| opening.comes_through(key)).count()
        };
        assert_eq!(through(""), openings().len());
        assert!((10..40).contains(&through("f5d6c3d3c4")), "{}", through("f5d6c3d3c4"));
        assert_eq!(through("f5f4c3c4"), 0);
    }
}
