//! Arguments that make no sense, reported in one line that says what to do.

use std::error::Error as _;
use std::ffi::OsString;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};

use super::duration::parse_duration;
use super::place::{longest_position, takes_position};
use crate::app::FileKind;
use crate::files::games::Asked;
use crate::othello::one_line::one_line;
use crate::store::shell_words::{book_named, file_argument, quoted, typed};

/// Characters of a bad argument that are shown.
const MOST_TOLD: usize = 60;

/// What is wrong with these arguments, in one line; `given` follow the program's name.
pub fn told(error: &Error, mut program: Command, given: &[OsString]) -> String {
    program.build();
    let command = asked(&program, given);
    let argument = text(error, ContextKind::InvalidArg);
    match (error.kind(), argument) {
        (ErrorKind::UnknownArgument, Some(argument)) => unknown(error, command, &argument, given),
        (ErrorKind::InvalidSubcommand, _) => {
            let name = text(error, ContextKind::InvalidSubcommand).unwrap_or_default();
            match instead_of_command(command, &name, given) {
                Some(meant) => format!("no command '{}': did you mean '{meant}'?", short(&name)),
                None => no_command(command, &name),
            }
        }
        (ErrorKind::MissingRequiredArgument, Some(missing)) => {
            let usage = command.clone().render_usage().to_string();
            let usage = usage.trim_start_matches("Usage: ");
            let example = example(command).map(|example| format!("; example: {example}"));
            format!("missing {missing}: {usage}{}", example.unwrap_or_default())
        }
        (ErrorKind::InvalidValue | ErrorKind::ValueValidation, Some(argument))
            if text(error, ContextKind::InvalidValue).is_some_and(|given| is_option(&given)) =>
        {
            format!("a value is required for '{argument}' but none was supplied")
        }
        _ => shortened(error),
    }
}

/// Whether a word is an option, and no option's value.
fn is_option(word: &str) -> bool {
    word.strip_prefix("--").is_some_and(|name| name.starts_with(|c: char| c.is_ascii_lowercase()))
}

/// How much alike two names are, from 0 to 1, of which one may be meant for the other.
const ALIKE: f64 = 0.7;

/// How much alike they are that hardly anything else is meant.
const VERY_ALIKE: f64 = 0.9;

/// The command inside another whose name is most like this one, if any is so much alike.
fn nearest<'a>(command: &'a Command, name: &str, least: f64) -> Option<&'a str> {
    let named = command.get_subcommands().filter(|inner| !inner.is_hide_set());
    let alike = named.map(|inner| (strsim::jaro_winkler(inner.get_name(), name), inner.get_name()));
    let nearest = alike.filter(|&(alike, _)| alike >= least).max_by(|a, b| a.0.total_cmp(&b.0));
    nearest.map(|(_, name)| name)
}

/// Says that a command has none of this name, and which one may be meant.
pub fn no_command(command: &Command, name: &str) -> String {
    let hint = match nearest(command, name, ALIKE) {
        Some(nearest) => format!("did you mean '{nearest}'?"),
        None => format!("see '{} --help'", called(command)),
    };
    format!("no command '{}': {hint}", short(name))
}

/// What may be meant where a file, a position or the name of an opening stands for a command.
fn instead_of_command(command: &Command, name: &str, given: &[OsString]) -> Option<String> {
    if nearest(command, name, VERY_ALIKE).is_some() {
        return None;
    }
    let at = given.iter().position(|word| word == name)?;
    let words =
        given.get(at..)?.iter().take_while(|word| !word.display().to_string().starts_with('-'));
    let words: Vec<OsString> = words.cloned().collect();
    let is_position = || longest_position(&words).is_some_and(|(count, _)| count == words.len());
    let typed = || typed(words.iter().map(|word| word.to_string_lossy()));
    match called(command) {
        "rosebill openings" => Some(format!("rosebill openings find {}", typed())),
        "rosebill games" if is_position() => Some(format!("rosebill games stats {}", typed())),
        "rosebill" => match file_instead(Path::new(name)) {
            Some(meant) => Some(meant),
            None => is_position().then(|| format!("rosebill show {}", typed())),
        },
        _ => None,
    }
}

/// The command that takes a file.
fn file_instead(file: &Path) -> Option<String> {
    let argument = file_argument(file);
    Some(match FileKind::of_file(file).ok()? {
        FileKind::Book => format!("rosebill show {}", book_named(file)),
        FileKind::Snapshot => format!("rosebill restore --book FILE {argument}"),
        FileKind::OtherBook(_) => format!("rosebill import {argument}"),
        FileKind::Games(_) => format!("rosebill analyze {argument}"),
        FileKind::Positions => format!("rosebill show {argument}"),
        FileKind::Database | FileKind::Bytes | FileKind::Text => return None,
    })
}

/// Options of earlier versions, with those that stand for them.
const RENAMED: [(&str, &str); 4] = [
    ("--regret", "--line-loss"),
    ("--side-regret", "--line-loss"),
    ("--deviate", "--move-loss"),
    ("--best", "--move-loss 0"),
];

/// What may be meant by a word that a command does not take: the value of an option that it has.
fn option_instead(command: &Command, argument: &str, given: &[OsString]) -> Option<String> {
    let has = |option: &str| command.get_arguments().any(|known| known.get_long() == Some(option));
    let text = |word: &OsString| word.to_str().map(str::to_owned);
    let is_number = |text: &str| text.parse::<u16>().is_ok();
    let at = given.iter().position(|word| {
        let word = word.to_string_lossy();
        word.split_once('=').map_or(&*word, |(option, _)| option) == argument
    })?;
    if has("listen") && (matches!(argument, "--port" | "-p") || is_number(argument)) {
        let behind = given.get(at).and_then(text)?.split_once('=').map(|(_, port)| port.to_owned());
        let port =
            behind.or_else(|| given.get(at + 1).and_then(text)).filter(|port| is_number(port));
        let port = port.unwrap_or_else(|| match is_number(argument) {
            true => argument.to_owned(),
            false => "8080".to_owned(),
        });
        return Some(format!("--listen 127.0.0.1:{port}"));
    }
    if let Some(&(_, new)) = RENAMED.iter().find(|&&(old, _)| old == argument)
        && has("move-loss")
    {
        return Some(new.to_owned());
    }
    if argument.starts_with('-') {
        return None;
    }
    if has("time") && !is_number(argument) && parse_duration(argument).is_ok() {
        return Some(format!("--time {argument}"));
    }
    let takes_words = command.get_positionals().next().is_some();
    let is_named = given.iter().any(|word| word.to_string_lossy().starts_with("--book"));
    let is_book = command.get_name() == "new" || Path::new(argument).extension()? == "db";
    if takes_words || is_named || !is_book || Path::new(argument).exists() {
        return None;
    }
    // All of it, as it can be typed.
    let words = given.iter().enumerate().map(|(place, word)| match place == at {
        true => book_named(Path::new(word)),
        false => quoted(&word.to_string_lossy()),
    });
    Some(format!("rosebill {}", words.collect::<Vec<_>>().join(" ")))
}

fn unknown(error: &Error, command: &Command, argument: &str, given: &[OsString]) -> String {
    if let Some((option, file)) = file_with_hyphen(command, argument, given) {
        let (named, file) = (format!("{option}={}", quoted(file)), short(file));
        return format!("{option} {file}: a name that begins with '-' is given as {named}");
    }
    if let Some(meant) = option_instead(command, argument, given) {
        return format!("{} here: did you mean '{meant}'?", no_use(argument));
    }
    let takes_from = command.get_arguments().any(|known| known.get_id() == "from");
    let at = given.iter().position(|word| word == argument).unwrap_or(given.len());
    if let Some(wrong) = wrong_position(given.get(..=at).unwrap_or_default()) {
        return wrong;
    }
    if takes_from && let Some((_, text)) = longest_position(given.get(at..).unwrap_or_default()) {
        return format!("a position is given with --from: {} --from {text}", called(command));
    }
    if let Ok(FileKind::Book) = FileKind::of_file(Path::new(argument)) {
        let (command, book) = (called(command), book_named(Path::new(argument)));
        return format!("{argument} is a book: name it with --book, as in '{command} {book}'");
    }
    if let Ok(FileKind::Database) = FileKind::of_file(Path::new(argument)) {
        return format!("{argument} is another program's SQLite file");
    }
    let hint = match text(error, ContextKind::SuggestedArg) {
        Some(nearest) => format!("did you mean '{nearest}'?"),
        None => format!("see '{} --help'", called(command)),
    };
    format!("{} here: {hint}", no_use(argument))
}

/// Says of what it is that a command does not take it.
fn no_use(argument: &str) -> String {
    let what = if argument.starts_with('-') { "no option" } else { "nothing is to be done with" };
    format!("{what} '{}'", short(argument))
}

/// An option for a file with the name behind it that was taken for options, of which this is one.
fn file_with_hyphen<'a>(
    command: &Command,
    argument: &str,
    given: &'a [OsString],
) -> Option<(&'a str, &'a str)> {
    let takes_file = |word: &str| {
        let known = command.get_arguments().find(|known| known.get_long() == Some(word));
        known.and_then(|known| known.get_value_names()).is_some_and(|names| {
            names.iter().any(|name| name.contains("FILE") || name.contains("BOOK"))
        })
    };
    let words = given.iter().map(|word| word.to_str());
    let mut behind = words.clone().zip(words.skip(1));
    behind.find_map(|(option, file)| {
        let (option, file) = (option?, file?);
        let is_it = argument.len() > 1 && file.starts_with(argument) && argument.starts_with('-');
        (is_it && option.strip_prefix("--").is_some_and(takes_file)).then_some((option, file))
    })
}

/// The command that was asked for, as deep as it is clear.
fn asked<'a>(program: &'a Command, given: &[OsString]) -> &'a Command {
    let words = given.iter().filter_map(|word| word.to_str());
    words.fold(program, |command, word| command.find_subcommand(word).unwrap_or(command))
}

/// What is wrong with the words that end the arguments, where they begin behind an option for a
/// position.
fn wrong_position(given: &[OsString]) -> Option<String> {
    let option = given.iter().rposition(|word| takes_position(word))?;
    let words = given.get(option + 1..)?.iter().map(|word| word.to_str());
    let words = words.collect::<Option<Vec<_>>>()?;
    if words.iter().any(|word| word.starts_with('-')) {
        return None;
    }
    let error = words.join(" ").parse::<Asked>().err()?;
    Some(format!("{}: {error}", given.get(option)?.display()))
}

fn called(command: &Command) -> &str {
    command.get_bin_name().unwrap_or("rosebill")
}

fn example(command: &Command) -> Option<String> {
    let help = command.get_after_help()?.to_string();
    let example = help.lines().next()?.strip_prefix("Example: ")?;
    Some(example.to_owned())
}

fn text(error: &Error, kind: ContextKind) -> Option<String> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text.clone()),
        ContextValue::Strings(texts) => Some(texts.join(" ")),
        _ => None,
    }
}

fn short(text: &str) -> String {
    one_line(text, MOST_TOLD)
}

/// The most of a range that is no limit to people: what numbers of four bytes can be.
const NO_LIMIT: u64 = u32::MAX as u64;

/// What number was expected, where the parser reports a wrong one in the words of programmers.
fn number_expected(reason: &str) -> Option<String> {
    let ends = |range: &str| -> Option<(i64, Option<u64>)> {
        let (least, most) = range.split_once("..")?;
        Some((least.parse().ok()?, most.trim_start_matches('=').parse().ok()))
    };
    if let Some((_, range)) = reason.split_once(" is not in ") {
        let (least, most) = ends(range)?;
        return Some(match most.filter(|&most| most < NO_LIMIT) {
            Some(most) => format!("expected a number from {least} to {most}"),
            None => format!("expected {least} or more"),
        });
    }
    let is_too_large = reason.starts_with("number too ");
    let is_none = reason.starts_with("invalid digit ")
        || reason.starts_with("invalid float ")
        || reason.starts_with("cannot parse ");
    match (is_too_large, is_none) {
        (true, _) => Some("the number is too large".to_owned()),
        (_, true) if reason.contains("digit") => Some("expected a whole number".to_owned()),
        (_, true) => Some("expected a number".to_owned()),
        _ => None,
    }
}

/// What the parser says, without the usage that it adds below, and with no more of what was given
/// than is needed to recognise it.
fn shortened(error: &Error) -> String {
    let mut told = error.to_string();
    if let Some(reason) = error.source().map(ToString::to_string)
        && let Some(expected) = number_expected(&reason)
    {
        told = told.replace(&reason, &expected);
    }
    for kind in [ContextKind::InvalidValue, ContextKind::InvalidArg] {
        let given = text(error, kind).filter(|given| given.chars().count() > MOST_TOLD);
        if let Some(given) = given {
            told = told.replace(&given, &short(&given));
        }
    }
    let told = told.split("\n\nUsage:").next().unwrap_or(&told);
    let told = told.split("\n\nFor more information").next().unwrap_or(told);
    let words: Vec<&str> = told.split_whitespace().collect();
    let line = words.join(" ");
    line.strip_prefix("error: ").unwrap_or(&line).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_number_is_told_what_was_expected() {
        let told = |reason: &str| number_expected(reason).unwrap_or_default();
        assert_eq!(told("0 is not in 1..=4294967295"), "expected 1 or more");
        assert_eq!(told("70 is not in 0..=60"), "expected a number from 0 to 60");
        assert_eq!(told("-5 is not in 1..=1024"), "expected a number from 1 to 1024");
        let parsed = |text: &str| told(&text.parse::<u32>().unwrap_err().to_string());
        assert_eq!(parsed("x"), "expected a whole number");
        assert_eq!(told("invalid float literal"), "expected a number");
        assert_eq!(parsed(""), "expected a number");
        assert_eq!(parsed("4294967296"), "the number is too large");
        assert_eq!(number_expected("expected yes or no"), None);
    }
}
