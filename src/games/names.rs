//! Openings by their names.

use thiserror::Error;

use super::opening_list::{Opening, openings};
use crate::board::Line;
use crate::counted::counted;
use crate::one_line::one_line;

/// Why a text names no opening.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
pub enum NameError {
    /// None has such a name; some may have a part of it, or nearly all of it.
    #[error(
        "'{text}' is no move and no opening{}: expected moves such as f5d6c3, the name of an \
         opening such as tiger, or 64 squares and the side to move",
        meant(similar)
    )]
    Unknown {
        /// The text.
        text: String,
        /// Names that may be meant.
        similar: Vec<&'static str>,
    },
    /// Several have such a name.
    #[error("'{text}' can be {}{}", candidates.join(", "), if *by_case { BY_CASE } else { BY_MORE })]
    Ambiguous {
        /// The text.
        text: String,
        /// The names that begin so, with their lines.
        candidates: Vec<String>,
        /// Whether some of them are told apart by capitals and punctuation only.
        by_case: bool,
    },
}

/// What to do about names of which one may be the beginning of others.
const BY_MORE: &str = ": give the moves, or the whole name";

/// What to do about names that differ in nothing else.
const BY_CASE: &str = ": give the moves, or the name with its own capitals";

/// The most names that a message lists.
const MOST_LISTED: usize = 12;

/// How much alike two texts are, from 0 to 1, of which one may be meant for the other.
const ALIKE: f64 = 0.88;

/// The least letters of a beginning by which a name may be called.
const LEAST_LETTERS: usize = 2;

/// The most letters of a text that is compared with names: no name is so long.
const LONGEST: usize = 60;

fn meant(similar: &[&str]) -> String {
    if similar.is_empty() { String::new() } else { format!(" (maybe {}?)", similar.join(", ")) }
}

/// The line of an opening, by its name in either case, without regard to blanks and punctuation
/// unless names differ in nothing else;
/// `Opening` and `Variation` at its end may be left out, and more of the end where no other name
/// begins so.
///
/// # Errors
/// No opening has such a name, or several have.
pub fn opening_line(text: &str) -> Result<Line, NameError> {
    // What begins with a hyphen is meant as something else.
    let asked = if text.starts_with('-') { String::new() } else { letters(text) };
    let quoted = || one_line(text, 40);
    let mut found = named(&|name| {
        let rest = name.strip_prefix(&asked);
        rest.is_some_and(|rest| ["", "opening", "variation"].contains(&rest))
    });
    if found.is_empty() && !asked.is_empty() {
        found = named(&|name| name.starts_with(&asked));
        // A number that begins one name only is the number of a move or of a game.
        let letters = asked.chars().filter(|letter| letter.is_alphabetic()).count();
        if letters == 0 || (letters < LEAST_LETTERS && found.len() == 1) {
            found.clear();
        }
    }
    // Some names differ in case or punctuation only: one of them as it is spelled is that one.
    if found.len() > 1
        && let [exact] =
            found.iter().filter(|(name, _)| *name == text.trim()).collect::<Vec<_>>()[..]
    {
        return Ok(exact.1.line.clone());
    }
    match found[..] {
        [(_, opening)] => Ok(opening.line.clone()),
        [] => Err(NameError::Unknown { text: quoted(), similar: similar_names(text) }),
        [(_, first), ..] if found.iter().all(|&(_, opening)| opening == first) => {
            Ok(first.line.clone())
        }
        _ => {
            let mut candidates: Vec<String> = Vec::new();
            let mut by_case = false;
            for (name, Opening { line, .. }) in &found {
                let read = letters(name);
                let same = found.iter().filter(|(other, _)| letters(other) == read);
                by_case |= candidates.len() < MOST_LISTED
                    && same.filter(|(other, _)| other != name).count() > 0;
                candidates.push(format!("{name} ({line})"));
            }
            if candidates.len() > MOST_LISTED {
                let more = candidates.len() - MOST_LISTED;
                candidates.truncate(MOST_LISTED);
                candidates.push(counted(more as u64, "other").to_string());
            }
            Err(NameError::Ambiguous { text: quoted(), candidates, by_case })
        }
    }
}

/// The openings that a text may mean: those with a name that has all of it, or else each word of it,
/// somewhere inside. Those of short lines come first.
#[must_use]
pub fn find_openings(text: &str) -> Vec<&'static Opening> {
    let words: Vec<String> = text.split_whitespace().map(letters).collect();
    let whole = words.concat();
    if whole.is_empty() {
        return Vec::new();
    }
    let with = |fits: &dyn Fn(&str) -> bool| -> Vec<&'static Opening> {
        let has = |opening: &&Opening| opening.names().any(|name| fits(&letters(name)));
        openings().iter().filter(has).collect()
    };
    let found = with(&|name| name.contains(&whole));
    if found.is_empty() {
        with(&|name| words.iter().all(|word| name.contains(word.as_str())))
    } else {
        found
    }
}

/// Names that may be meant by a text that is none: those that have it inside, or are nearly the same.
#[must_use]
pub fn similar_names(text: &str) -> Vec<&'static str> {
    let asked = letters(text);
    if !(3..=LONGEST).contains(&asked.len()) {
        return Vec::new();
    }
    let mut similar = named(&|name| name.contains(&asked));
    if similar.is_empty() {
        similar = named(&|name| strsim::jaro_winkler(name, &asked) >= ALIKE);
    }
    let mut names: Vec<_> = similar.iter().map(|&(name, _)| name).collect();
    names.dedup();
    names.truncate(MOST_LISTED);
    names
}

/// The names whose letters fit, with their openings.
fn named(fits: &dyn Fn(&str) -> bool) -> Vec<(&'static str, &'static Opening)> {
    let all =
        openings().iter().flat_map(|opening| opening.names().map(move |name| (name, opening)));
    all.filter(|(name, _)| fits(&letters(name))).collect()
}

/// The letters and digits of a name, small.
fn letters(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Key;

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
        assert_eq!(line("F.a.t. Draw").map(|line| line.len()), Ok(32), "as it is spelled");
        assert_eq!(line(" F.A.T. draw ").map(|line| line.len()), Ok(42));
        let message = |name: &str| line(name).unwrap_err().to_string();
        for (name, moves) in [("F.a.t. Draw", 16), ("F.A.T. draw", 21)] {
            // Each with what can be typed instead.
            let told = message("fat draw");
            let (_, behind) = told.split_once(&format!("{name} (")).unwrap();
            let typed = behind.split(')').next().unwrap();
            assert_eq!(typed.parse::<Line>().map(|line| line.len()), Ok(moves));
            assert_eq!(line(name).as_deref(), Ok(typed));
            assert!(told.ends_with(BY_CASE), "{told}");
        }
        assert!(!message("c").contains(BY_CASE), "no two of them are spelled alike");
        let many = message("c");
        assert!(many.contains(" others: ") || many.contains(" 1 other: "), "{many}");
        let told = "'mim' can be Mimura (f5d6c5f4e3d3), Mimura variation II (f5f6e6f4g5e7f7c5e3f3c4d3c2): give the moves, or the whole name";
        assert_eq!(message("mim"), told);
        assert!(message("no-").contains("No-Cat") && message("no-").contains("No-Kung"));
        assert!(message("bill").contains("(maybe Rose-Bill"), "{}", message("bill"));
        assert!(message("tigre").contains("(maybe Tiger?)"), "{}", message("tigre"));
        assert!(message("").starts_with("''"));
        for none in ["2", "2.", "8 - -", "8-s", "20", "12)", "w"] {
            assert!(line(none).is_err(), "{none}");
        }
        assert_eq!(line("8-sh"), line("8-shot"));
    }

    #[test]
    fn every_name_leads_to_its_position_or_asks_which() {
        for opening in openings() {
            for name in opening.names() {
                match opening_line(name) {
                    Ok(line) => {
                        let key = |line: &Line| Key::of(line.board().position);
                        let same = |other: &&Opening| key(&other.line) == key(&line);
                        let found = openings().iter().find(same).unwrap();
                        let mut names = found.names().map(letters);
                        assert!(names.any(|other| other == letters(name)), "{name}");
                    }
                    Err(error) => {
                        assert!(matches!(error, NameError::Ambiguous { .. }), "{error}");
                    }
                }
            }
        }
    }

    #[test]
    fn names_are_searched_for_by_any_part() {
        let names = |text: &str| -> Vec<&str> {
            find_openings(text).iter().map(|opening| opening.name).collect()
        };
        assert_eq!(names("tamenori")[0], "Tamenori");
        assert!(names("tamenori").contains(&"Rose-Tamenori-Kling"));
        assert_eq!(names("tiger central"), ["Central Tiger", "Central Tiger b3"]);
        assert_eq!(names("tobidashi"), ["Heath"], "by another name of it");
        assert_eq!(names("LEADER'S"), ["Leader's Tiger"]);
        for none in ["", "  ", "-", "zzz", "tiger zzz"] {
            assert!(find_openings(none).is_empty(), "{none}");
        }
        assert_eq!(similar_names("stephensen"), ["Stephenson"]);
        assert!(similar_names(&"x".repeat(100_000)).is_empty());
    }
}
