//! Names of openings, found by position and not by the order of moves.

use std::collections::HashMap;
use std::sync::LazyLock;

use thiserror::Error;

use crate::board::{Key, Line};
use crate::one_line::one_line;

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

/// Why a text names no opening.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
pub enum NameError {
    /// None has such a name; some may have a part of it.
    #[error(
        "'{text}' is no move and no opening{}: expected moves such as f5d6c3, the name of an \
         opening such as tiger, or 64 squares and the side to move",
        meant(similar)
    )]
    Unknown {
        /// The text.
        text: String,
        /// Names with the text somewhere inside.
        similar: Vec<&'static str>,
    },
    /// Several have such a name.
    #[error("'{text}' can be {}", candidates.join(", "))]
    Ambiguous {
        /// The text.
        text: String,
        /// The names that begin so, with their lines where the names are the same.
        candidates: Vec<String>,
    },
}

/// The most names that a message lists.
const MOST_LISTED: usize = 12;

fn meant(similar: &[&str]) -> String {
    if similar.is_empty() { String::new() } else { format!(" (maybe {}?)", similar.join(", ")) }
}

/// The line of an opening, by its name in either case, without regard to blanks and punctuation;
/// `Opening` and `Variation` at its end may be left out, and more of the end where no other name
/// begins so.
///
/// # Errors
/// No opening has such a name, or several have.
pub fn opening_line(text: &str) -> Result<Line, NameError> {
    // What begins with a hyphen is meant as something else.
    let asked = if text.starts_with('-') { String::new() } else { letters(text) };
    let quoted = || one_line(text, 40);
    // The same position under the same name is listed once for each way to it.
    let mut known: Vec<(Key, &str, Line)> = Vec::new();
    for (line, name) in entries() {
        let key = Key::of(line.board().position);
        if known.iter().all(|&(other, other_name, _)| (other, other_name) != (key, name)) {
            known.push((key, name, line));
        }
    }
    let named = |fits: &dyn Fn(&str) -> bool| {
        let fit = known.iter().filter(|(_, name, _)| fits(&letters(name)));
        fit.collect::<Vec<_>>()
    };
    let mut found = named(&|name| {
        let rest = name.strip_prefix(&asked);
        rest.is_some_and(|rest| ["", "opening", "variation"].contains(&rest))
    });
    if found.is_empty() && !asked.is_empty() {
        found = named(&|name| name.starts_with(&asked));
    }
    match found[..] {
        [(_, _, line)] => Ok(line.clone()),
        [] => {
            let inside = if asked.len() < 3 { Vec::new() } else { named(&|n| n.contains(&asked)) };
            let mut similar: Vec<_> = inside.iter().map(|&&(_, name, _)| name).collect();
            similar.dedup();
            similar.truncate(MOST_LISTED);
            Err(NameError::Unknown { text: quoted(), similar })
        }
        _ => {
            let mut candidates: Vec<String> = Vec::new();
            for (_, name, line) in &found {
                let alone = found.iter().filter(|(_, other, _)| other == name).count() == 1;
                let line = if alone { String::new() } else { format!(" ({line})") };
                candidates.push(format!("{name}{line}"));
            }
            if candidates.len() > MOST_LISTED {
                let more = candidates.len() - MOST_LISTED;
                candidates.truncate(MOST_LISTED);
                candidates.push(format!("{more} others"));
            }
            Err(NameError::Ambiguous { text: quoted(), candidates })
        }
    }
}

/// The letters and digits of a name, small.
fn letters(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_found_by_name() {
        let line = |name: &str| opening_line(name).map(|line| line.to_string());
        assert_eq!(line("tiger").as_deref(), Ok("f5d6c3d3c4"));
        assert_eq!(line("  TIGER ").as_deref(), Ok("f5d6c3d3c4"));
        assert_eq!(line("perpendicular").as_deref(), Ok("f5d6"));
        assert_eq!(line("diagonal").as_deref(), Ok("f5f6"), "of all that begin so, the opening");
        assert_eq!(line("rosebill").as_deref(), Ok("f5d6c3d3c4f4c5b3c2"));
        assert_eq!(line("steph").as_deref(), Ok("f5d6c3d3c4f4f6"), "the beginning is enough");
        assert!(line("rose v toth").is_ok(), "{:?}", line("rose v toth"));
        let message = |name: &str| line(name).unwrap_err().to_string();
        assert!(message("no-").contains("No-Cat") && message("no-").contains("No-Kung"));
        assert!(message("bill").contains("(maybe Rose-Bill"), "{}", message("bill"));
        assert!(message("").starts_with("''"));
    }

    #[test]
    fn every_name_leads_to_a_position_of_that_name_or_asks_which() {
        for (_, name) in entries() {
            match opening_line(name) {
                Ok(line) => {
                    let key = |line: &Line| Key::of(line.board().position);
                    let mut same = entries().filter(|(other, _)| key(other) == key(&line));
                    assert!(same.any(|(_, other)| letters(other) == letters(name)), "{name}");
                }
                Err(error) => assert!(matches!(error, NameError::Ambiguous { .. }), "{error}"),
            }
        }
    }

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
