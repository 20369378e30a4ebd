//! Openings by their names.

use std::sync::LazyLock;

use thiserror::Error;

use super::name_words::folded_name;
use super::opening_language::Language;
use super::opening_letters::letters;
use super::opening_list::{Opening, openings_in};
use crate::files::counted::counted;
use crate::othello::board::Line;
use crate::othello::one_line::one_line;

/// Why a text names no opening.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
pub enum NameError {
    /// None has such a name; some may have a part of it, or nearly all of it.
    #[error(
        "'{text}' is neither a move nor an opening{}: expected moves such as f5d6c3, the \
         name of an opening such as tiger, or 64 squares and the side to move",
        meant(similar)
    )]
    Unknown {
        text: String,
        /// Names that may be meant.
        similar: Vec<&'static str>,
    },
    #[error("'{text}' may mean {}{}", candidates.join(", "), if *by_case { BY_CASE } else { BY_MORE })]
    Ambiguous {
        text: String,
        /// The names that begin so, with their lines.
        candidates: Vec<String>,
        /// Whether some of them differ by capitals and punctuation only.
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

/// Words at the end of a name that may be left out: what all names could have.
const ENDS: [&str; 4] = ["", "opening", "variation", "定石"];

/// The line of an opening, by its name in either case, without regard to blanks and punctuation
/// unless names differ in nothing else;
/// `Opening` and `Variation` at its end may be left out, and more of the end where no other name
/// begins so. A name in another language counts where none in English is so, and the beginning of one where none
/// has it inside.
pub(crate) fn opening_line(text: &str) -> Result<Line, NameError> {
    // What begins with a hyphen is meant as something else.
    let asked = if text.starts_with('-') { String::new() } else { letters(text) };
    let quoted = || one_line(text, 40);
    const ENGLISH: &[Language] = &[Language::English];
    let is_inside = || !named(ENGLISH, &|name| name.contains(&asked)).is_empty();
    let mut found = called_so(&asked, ENGLISH);
    if found.is_empty() && !asked.is_empty() {
        found = begun_so(&asked, ENGLISH);
        if found.is_empty() {
            found = called_so(&asked, &OTHERS);
        }
        if found.is_empty() && !is_inside() {
            found = begun_so(&asked, &OTHERS);
        }
    }
    // Some names differ in case or punctuation only: one of them as it is spelled is that one.
    if found.len() > 1
        && let [exact] =
            found.iter().filter(|named| named.name == text.trim()).collect::<Vec<_>>()[..]
    {
        return Ok(exact.opening.line.clone());
    }
    match found[..] {
        [] => Err(NameError::Unknown { text: quoted(), similar: similar_names(text) }),
        [first, ..] if found.iter().all(|named| named.opening.key() == first.opening.key()) => {
            Ok(first.opening.line.clone())
        }
        _ => {
            let mut candidates: Vec<String> = Vec::new();
            let mut by_case = false;
            for named in &found {
                let same = found.iter().filter(|other| other.letters == named.letters);
                by_case |= candidates.len() < MOST_LISTED
                    && same.filter(|other| other.name != named.name).count() > 0;
                candidates.push(format!("{} ({})", named.name, named.opening.line));
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

/// The names that are these letters.
fn called_so(asked: &str, languages: &[Language]) -> Vec<&'static Named> {
    let is_so = |name: &str| name.strip_prefix(asked).is_some_and(|rest| ENDS.contains(&rest));
    named(languages, &is_so)
}

/// The names that begin with these letters.
fn begun_so(asked: &str, languages: &[Language]) -> Vec<&'static Named> {
    let found = named(languages, &|name| name.starts_with(asked));
    // A number that begins one name only is the number of a move or of a game.
    let letters = asked.chars().filter(|letter| letter.is_alphabetic()).count();
    let is_too_short = letters == 0 || (letters < LEAST_LETTERS && found.len() == 1);
    if is_too_short { Vec::new() } else { found }
}

/// The openings that a text may mean: those with a name that has all of it, or else each word of it,
/// somewhere inside. Those of short lines come first. Names in other languages are those of a text that no
/// name in English has.
pub(crate) fn find_openings(text: &str) -> Vec<&'static Opening> {
    let mut languages = Language::ALL.into_iter();
    let english = languages.next().map(|english| find_openings_in(text, english));
    english.filter(|found| !found.is_empty()).unwrap_or_else(|| {
        languages.flat_map(|language| find_openings_in(text, language)).collect()
    })
}

/// As [`find_openings`], by names in a language.
pub(crate) fn find_openings_in(text: &str, language: Language) -> Vec<&'static Opening> {
    let words: Vec<String> = text.split_whitespace().map(letters).collect();
    let whole = words.concat();
    if whole.is_empty() {
        return Vec::new();
    }
    let with = |fits: &dyn Fn(&str) -> bool| -> Vec<&'static Opening> {
        let mut found: Vec<_> =
            named(&[language], fits).iter().map(|named| named.opening).collect();
        found.dedup();
        found
    };
    let found = with(&|name| name.contains(&whole));
    if found.is_empty() {
        with(&|name| words.iter().all(|word| name.contains(word.as_str())))
    } else {
        found
    }
}

/// The openings of just this name, but for the words that it may leave out; else all that [`find_openings`] finds.
pub(crate) fn openings_meant(text: &str) -> Vec<&'static Opening> {
    let mut found: Vec<_> =
        called_so(&letters(text), &Language::ALL).iter().map(|named| named.opening).collect();
    if found.is_empty() || text.trim().is_empty() {
        found = find_openings(text);
    }
    found
}

/// As [`find_openings`], but exact names come first, before those that only contain the words: a whole name
/// is meant, and names that differ in nothing but case are distinguished by it.
pub(crate) fn find_openings_nearest_first(text: &str) -> Vec<&'static Opening> {
    let mut found = find_openings(text);
    let folded = folded_name(text);
    found.sort_by_key(|opening| {
        let is_called_so = opening.names().any(|name| name == text);
        let is_so_but_for_case = || opening.names().any(|name| folded_name(name) == folded);
        (!is_called_so, !is_called_so && !is_so_but_for_case())
    });
    found
}

/// Names that may be meant by a text that is none: those that have it inside, or are nearly the same.
pub(crate) fn similar_names(text: &str) -> Vec<&'static str> {
    let asked = letters(text);
    if !(3..=LONGEST).contains(&asked.len()) {
        return Vec::new();
    }
    let similar = |languages: &[Language]| {
        let inside = named(languages, &|name| name.contains(&asked));
        match inside.is_empty() {
            true => named(languages, &|name| strsim::jaro_winkler(name, &asked) >= ALIKE),
            false => inside,
        }
    };
    let found = match similar(&[Language::English]) {
        found if found.is_empty() => similar(&OTHERS),
        found => found,
    };
    let mut names: Vec<_> = found.iter().map(|named| named.name).collect();
    names.dedup();
    names.truncate(MOST_LISTED);
    names
}

/// The languages of names that are looked at where no name in English fits.
const OTHERS: [Language; 2] = [Language::French, Language::Japanese];

/// A name with what counts of it.
struct Named {
    letters: String,
    name: &'static str,
    opening: &'static Opening,
}

/// All names, those of each language by themselves: a list of many lines asks for many.
static NAMES: [LazyLock<Vec<Named>>; 3] = [
    LazyLock::new(|| names_in(Language::English)),
    LazyLock::new(|| names_in(Language::French)),
    LazyLock::new(|| names_in(Language::Japanese)),
];

fn names_in(language: Language) -> Vec<Named> {
    let named = |opening: &'static Opening| {
        opening.names().map(move |name| Named { letters: letters(name), name, opening })
    };
    openings_in(language).iter().flat_map(named).collect()
}

/// The names whose letters fit, with their openings.
fn named(languages: &[Language], fits: &dyn Fn(&str) -> bool) -> Vec<&'static Named> {
    let lists =
        Language::ALL.iter().zip(&NAMES).filter(|(language, _)| languages.contains(language));
    lists.flat_map(|(_, names)| names.iter()).filter(|named| fits(&named.letters)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::games::openings;
    use crate::othello::board::Key;

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
        let told = "'mim' may mean Mimura (f5d6c5f4e3d3), Mimura variation II (f5f6e6f4g5e7f7c5e3f3c4d3c2): give the moves, or the whole name";
        assert_eq!(message("mim"), told);
        assert!(message("no-").contains("No-Cat") && message("no-").contains("No-Kung"));
        assert!(message("bill").contains("(maybe Rose-Bill"), "{}", message("bill"));
        assert!(message("tigher").contains("(maybe Tiger?)"), "{}", message("tigher"));
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
    fn names_in_other_languages_are_understood() {
        let line = |name: &str| opening_line(name).map(|line| line.to_string());
        for (name, expected) in [
            ("tigre", "f5d6c3d3c4"),
            ("Perpendiculaire", "f5d6"),
            ("PARALLELE", "f5f4"),
            ("parallèle", "f5f4"),
            ("虎", "f5d6c3d3c4"),
            ("虎定石", "f5d6c3d3c4"),
            ("兎", "f5d6c5f4e3"),
            ("牛定石", "f5f6e6f4e3"),
            ("ローズビル", "f5d6c3d3c4f4c5b3c2"),
            ("ﾛｰｽﾞﾋﾞﾙ", "f5d6c3d3c4f4c5b3c2"),
            ("たぬき", "f5f6e6f4g4"),
        ] {
            assert_eq!(line(name).as_deref(), Ok(expected), "{name}");
        }
        // What a name in English begins with is that, and what means several is asked about.
        assert!(matches!(line("bill"), Err(NameError::Unknown { .. })));
        assert!(matches!(line("tigre diag"), Err(NameError::Ambiguous { .. })));
        assert_eq!(similar_names("tigre centralle")[0], "tigre centrale");
        for opening in OTHERS.iter().flat_map(|&language| openings_in(language)) {
            for name in opening.names() {
                assert!(!matches!(opening_line(name), Err(NameError::Unknown { .. })), "{name}");
            }
        }
        let found = |text: &str| find_openings(text).iter().map(|it| it.language.code()).collect();
        let languages: Vec<&str> = found("虎定石");
        assert!(languages.contains(&"ja") && !languages.contains(&"en"));
        let languages: Vec<&str> = found("tamenori");
        assert!(languages.iter().all(|code| *code == "en"), "{languages:?}");
        assert!(find_openings_in("tamenori", Language::French).len() > 10);
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
