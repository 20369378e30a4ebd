//! Commands that are printed for the user to type.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::config::{Origin, Settings};
use crate::app::{GrowError, GrowStart, check_starts};
use crate::files::games::Asked;
use crate::othello::board::Line;
use crate::store::shell_words::{book_named, quoted};

/// What begins a command within a sentence.
const BEGINS: &str = "'rosebill ";
/// The beginning of a command without quotes, which is alone or behind a colon and goes on to the end of
/// the text.
const PROGRAM: &str = "rosebill ";

/// Stands for a blank of a command: no line ends there, so that it can be copied.
pub const KEPT: char = '\u{a0}';

/// A text whose commands have [`KEPT`] for each blank.
pub fn with_kept_commands(text: &str) -> Cow<'_, str> {
    let Some(at) = text.find(PROGRAM) else { return Cow::Borrowed(text) };
    let (before, rest) = text.split_at(at);
    // Else it is the program itself that is meant, with its version.
    let is_named = |behind: &str| behind.starts_with(|letter: char| letter.is_ascii_lowercase());
    let end = match before {
        _ if !rest.strip_prefix(PROGRAM).is_some_and(is_named) => None,
        _ if before.trim().is_empty() || before.ends_with(": ") => Some(rest.len()),
        _ if before.ends_with('\'') => Some(end_of_quoted(rest)),
        _ => None,
    };
    let (part, after) = rest.split_at_checked(end.unwrap_or(PROGRAM.len())).unwrap_or((rest, ""));
    let part = match end {
        Some(_) => Cow::Owned(part.replace(' ', KEPT.encode_utf8(&mut [0; 4]))),
        None => Cow::Borrowed(part),
    };
    Cow::Owned(format!("{before}{part}{}", with_kept_commands(after)))
}

/// Where the quotes around a command end: those around a word of it come in pairs.
fn end_of_quoted(command: &str) -> usize {
    let (mut before, mut within) = (' ', false);
    for (at, letter) in command.char_indices() {
        match letter {
            '\'' if within => within = false,
            '\'' if matches!(before, ' ' | '=') => within = true,
            '\'' => return at,
            _ => {}
        }
        before = letter;
    }
    command.len()
}

/// The command that grows the book of the settings from the end of a line, as it is typed.
pub fn grow_command(line: &Line, positions: u32, settings: &Settings) -> String {
    let mut command = "rosebill grow".to_owned();
    let whole = line.whole_text();
    if !whole.is_empty() {
        let _ = write!(command, " --from {}", quoted(&whole));
    }
    let _ = write!(command, " --positions {positions}{}", book_option(settings));
    command
}

/// The command that adds a position to the book, of whose way so many are missing.
pub fn add_command(asked: &Asked, missing: u32, settings: &Settings) -> Result<String, String> {
    if asked.placed().position.is_over() {
        return Err("the game is over".to_owned());
    }
    match check_starts(&[GrowStart::from(asked)]) {
        Ok(()) => Ok(grow_command(&asked.line, missing.max(1), settings)),
        Err(GrowError::NoCentre { square, .. }) => {
            Err(format!("no game comes here, and no book holds it: no disc on {square}"))
        }
        Err(error) => Err(error.to_string()),
    }
}

/// The book as it was named, with a blank before it; nothing where it was not.
pub fn book_option(settings: &Settings) -> String {
    match settings.book.origin {
        Origin::Flag => format!(" {}", book_named(&settings.book.value)),
        _ => String::new(),
    }
}

/// A sentence whose commands, between quotes, are about the book that was named: the place that writes the
/// sentence does not always know which book it is about. `option` is that of [`book_option`].
pub fn about_book(sentence: &str, option: &str) -> String {
    if option.is_empty() {
        return sentence.to_owned();
    }
    let mut parts = sentence.split(BEGINS);
    let mut about = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        about.push_str(BEGINS);
        let command = part.split('\'').next().unwrap_or_default();
        let needs_none = ["--book", "--help"].iter().any(|option| command.contains(option))
            || command.starts_with("config")
            || takes_the_file(part, option);
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

/// Whether a command takes the very file in that the option names: that is no book.
fn takes_the_file(command: &str, option: &str) -> bool {
    let argument = match option.strip_prefix(" --book=") {
        // As `file_argument` gives it.
        Some(name) => match name.strip_prefix('\'') {
            Some(rest) => format!("'./{rest}"),
            None => format!("./{name}"),
        },
        None => option.trim_start_matches(" --book ").to_owned(),
    };
    let behind = command.get(words_of(command)..).unwrap_or_default().trim_start();
    behind.strip_prefix(&argument).is_some_and(|rest| rest.starts_with(['\'', ' ']))
}

#[cfg(test)]
mod tests {
    use super::*;

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
            (
                "'rosebill new --starter' makes one; --book FILE names another",
                "'rosebill new --book a.db --starter' makes one; --book FILE names another",
            ),
            (
                "'rosebill grow' or 'rosebill show --help'",
                "'rosebill grow --book a.db' or 'rosebill show --help'",
            ),
            ("'rosebill import a.db' reads those", "'rosebill import a.db' reads those"),
            ("'rosebill import a.db.gz' reads", "'rosebill import --book a.db a.db.gz' reads"),
        ] {
            assert_eq!(about(sentence), expected);
            assert_eq!(about_book(sentence, ""), sentence);
        }
        let sentence = "'rosebill import ./-x.db' reads those";
        assert_eq!(about_book(sentence, " --book=-x.db"), sentence);
        let sentence = "'rosebill import 'my x.db'' reads those";
        assert_eq!(about_book(sentence, " --book 'my x.db'"), sentence);
    }
}
