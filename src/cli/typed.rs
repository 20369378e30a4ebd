//! Commands that are printed for the user to type.

use std::fmt::Write as _;

use super::config::{Origin, Settings};
use crate::board::Line;

/// What begins a command within a sentence.
pub const BEGINS: &str = "'rosebill ";

/// The command that grows the book of the settings from the end of a line, as it is typed.
#[must_use]
pub fn grow_command(line: &Line, positions: u32, settings: &Settings) -> String {
    let mut command = "rosebill grow".to_owned();
    let whole = line.whole_text();
    if !whole.is_empty() {
        let _ = write!(command, " --from {}", quoted(&whole));
    }
    let _ = write!(command, " --positions {positions}{}", book_option(settings));
    command
}

/// The book as it was named, with a blank before it; nothing where it was not.
#[must_use]
pub fn book_option(settings: &Settings) -> String {
    match settings.book.origin {
        Origin::Flag => format!(" --book {}", quoted(&settings.book.value.to_string_lossy())),
        _ => String::new(),
    }
}

/// A sentence whose commands, between quotes, are about the book that was named: who says what to do does not
/// always know which book it is about. `option` is that of [`book_option`].
#[must_use]
pub fn about_book(sentence: &str, option: &str) -> String {
    if option.is_empty() {
        return sentence.to_owned();
    }
    let mut parts = sentence.split(BEGINS);
    let mut about = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        about.push_str(BEGINS);
        let command = part.split('\'').next().unwrap_or_default();
        let needs_none = ["--book", "--help"].iter().any(|option| part.contains(option))
            || command.starts_with("config");
        let words = if needs_none { 0 } else { words_of(command) };
        let (before, after) = part.split_at_checked(words).unwrap_or((part, ""));
        about.push_str(before);
        if words > 0 {
            about.push_str(option);
        }
        about.push_str(after);
    }
    about
}

/// The bytes of a command's name: its words up to the first that is no plain word, an option or a FILE.
fn words_of(command: &str) -> usize {
    let is_plain =
        |word: &&str| !word.is_empty() && word.bytes().all(|letter| letter.is_ascii_lowercase());
    let words: Vec<&str> = command.split(' ').take(2).take_while(is_plain).collect();
    words.join(" ").len()
}

/// A word as a shell takes it.
#[must_use]
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-:@%+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_would_part_them() {
        assert_eq!(quoted("f5d6c3"), "f5d6c3");
        assert_eq!(quoted("my book.db"), "'my book.db'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }

    #[test]
    fn a_sentence_names_the_book_in_its_commands() {
        let about = |sentence: &str| about_book(sentence, " --book a.db");
        for (sentence, expected) in [
            (
                "'rosebill games import FILE' takes",
                "'rosebill games import --book a.db FILE' takes",
            ),
            (
                "no game: 'rosebill games list' tells",
                "no game: 'rosebill games list --book a.db' tells",
            ),
            (
                "'rosebill grow --policy popular --least-games 50' adds them",
                "'rosebill grow --book a.db --policy popular --least-games 50' adds them",
            ),
            (
                "'rosebill merge x.db' or 'rosebill undo'",
                "'rosebill merge --book a.db x.db' or 'rosebill undo --book a.db'",
            ),
            ("'rosebill show --book b.db' asks it", "'rosebill show --book b.db' asks it"),
            ("'rosebill config set fleet HOST'", "'rosebill config set fleet HOST'"),
            ("see 'rosebill show --help'", "see 'rosebill show --help'"),
            ("nothing to type", "nothing to type"),
        ] {
            assert_eq!(about(sentence), expected);
            assert_eq!(about_book(sentence, ""), sentence);
        }
    }
}
