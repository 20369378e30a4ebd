//! Arguments that make no sense: in one line what is wrong, and what may be meant.

use std::error::Error as _;
use std::ffi::OsString;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};

use super::commands;
use super::duration::parse_duration;
use super::hint::Refusal;
use super::place::{longest_position, takes_position};
use super::wrong_file::what_it_is;
use crate::app::FileKind;
use crate::faces::render::{self, quoted};
use crate::files::games::Asked;
use crate::othello::one_line::one_line;

/// Characters of a bad argument that are shown.
const MOST_TOLD: usize = 60;

/// What is wrong with these arguments, in one line, with commands that may be meant; `given` follow the
/// program's name.
pub fn refusal(error: &Error, mut program: Command, given: &[OsString]) -> Refusal {
    program.build();
    let command = asked(&program, given);
    let argument = text(error, ContextKind::InvalidArg);
    let value = text(error, ContextKind::InvalidValue).unwrap_or_default();
    let says = match (error.kind(), argument) {
        (ErrorKind::UnknownArgument, Some(argument)) => {
            return unknown(error, command, &argument, given);
        }
        (ErrorKind::InvalidSubcommand, _) => {
            let name = text(error, ContextKind::InvalidSubcommand).unwrap_or_default();
            let renamed = commands::RENAMED.iter().find(|(old, _)| *old == name);
            if let Some((old, new)) = renamed.filter(|_| called(command) == "rosebill") {
                return Refusal::new(format!("'{old}' is now 'rosebill {new}'"), []);
            }
            return match instead_of_command(command, &name, given) {
                Some(meant) => Refusal::new(format!("no command '{}'", short(&name)), meant),
                None => Refusal::new(no_command(command, &name), []),
            };
        }
        (ErrorKind::MissingRequiredArgument, Some(missing)) => {
            let option = missing.trim_start_matches('-').split(' ').next();
            let mut arguments = command.get_arguments();
            let asked_by = given.iter().filter_map(|given| given.to_str());
            // An option that is not always needed is asked for by another one.
            if arguments.any(|known| known.get_long() == option && !known.is_required_set())
                && let Some(asking) = asked_by.rev().find(|given| given.starts_with("--"))
            {
                return Refusal::new(format!("'{}' needs {missing}", short(asking)), []);
            }
            let usage = command.clone().render_usage().to_string();
            let usage = usage.trim_start_matches("Usage: ").lines().next().unwrap_or_default();
            let example = example(command).map(|example| format!("; example: {example}"));
            format!("missing {missing}: {usage}{}", example.unwrap_or_default())
        }
        (ErrorKind::InvalidValue | ErrorKind::ValueValidation, Some(argument))
            if value.is_empty() || is_option(&value) =>
        {
            format!("a value is required for '{argument}' but none was supplied{}", possible(error))
        }
        (ErrorKind::InvalidValue, Some(argument)) => {
            format!("invalid value '{}' for '{argument}'{}", short(&value), possible(error))
        }
        (ErrorKind::ValueValidation, Some(argument)) => {
            let value_told = short(&value);
            let reason = error.source().map(ToString::to_string).unwrap_or_default();
            // What the value is not stands before what was expected: the value is named once.
            let expected = reason.find("expected ").filter(|_| reason.starts_with(['\'', 'n']));
            let reason = expected.map_or(reason.as_str(), |at| &reason[at..]);
            let reason = reason.replace(&value, &value_told);
            format!("invalid value '{value_told}' for '{argument}': {reason}")
        }
        (ErrorKind::ArgumentConflict, Some(argument)) => {
            match text(error, ContextKind::PriorArg).filter(|prior| *prior != argument) {
                Some(prior) => format!("the argument '{argument}' cannot be used with '{prior}'"),
                None => format!("the argument '{argument}' cannot be used multiple times"),
            }
        }
        (kind, argument) => {
            let what = kind.as_str().unwrap_or("these arguments make no sense");
            let parts = [argument.unwrap_or_default(), short(&value)];
            let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
            let of = if parts.is_empty() { "" } else { ": " };
            format!("{what}{of}{}", parts.join(" "))
        }
    };
    Refusal::new(says, [])
}

/// The values that an argument takes, where they are few, and the one that may be meant.
fn possible(error: &Error) -> String {
    let names = match error.get(ContextKind::ValidValue) {
        Some(ContextValue::Strings(names)) if !names.is_empty() => {
            format!(": expected one of {}", names.join(", "))
        }
        _ => String::new(),
    };
    let given = text(error, ContextKind::InvalidValue).unwrap_or_default();
    // A short name is like many others by chance.
    let meant = text(error, ContextKind::SuggestedValue)
        .filter(|meant| strsim::jaro_winkler(meant, &given) >= ALIKE_VALUES);
    names + &meant.map(|meant| format!("; did you mean '{meant}'?")).unwrap_or_default()
}

/// Whether a word is an option, and no option's value.
fn is_option(word: &str) -> bool {
    word.strip_prefix("--").is_some_and(|name| name.starts_with(|c: char| c.is_ascii_lowercase()))
}

/// How much alike two names are, from 0 to 1, of which one may be meant for the other.
const ALIKE: f64 = 0.7;

/// How much alike two values are.
const ALIKE_VALUES: f64 = 0.75;

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
fn instead_of_command(
    command: &Command,
    name: &str,
    given: &[OsString],
) -> Option<Vec<render::Command>> {
    if nearest(command, name, VERY_ALIKE).is_some() {
        return None;
    }
    let at = given.iter().position(|word| word == name)?;
    let words =
        given.get(at..)?.iter().take_while(|word| !word.display().to_string().starts_with('-'));
    let words: Vec<OsString> = words.cloned().collect();
    let is_position = || longest_position(&words).is_some_and(|(count, _)| count == words.len());
    let typed = |command: &str| {
        let words = words.iter().map(|word| word.to_string_lossy());
        vec![render::Command::new(command).with(words)]
    };
    match called(command) {
        "rosebill openings" => Some(typed("openings find")),
        "rosebill games" if is_position() => Some(typed("games stats")),
        "rosebill" => {
            let file = Path::new(name);
            let taken = FileKind::of_file(file).ok().and_then(|kind| what_it_is(kind, name, file));
            match taken.map(|taken| taken.commands).filter(|commands| !commands.is_empty()) {
                Some(commands) => Some(commands),
                None => is_position().then(|| typed("show")),
            }
        }
        _ => None,
    }
}

/// Options of earlier versions, with those that stand for them, and an option of the commands that had them.
const RENAMED: [(&str, &str, &str); 9] = [
    ("--regret", "--line-loss", "line-loss"),
    ("--side-regret", "--line-loss", "line-loss"),
    ("--deviate", "--move-loss", "move-loss"),
    ("--best", "--move-loss 0", "move-loss"),
    ("--count", "--limit", "limit"),
    ("--year", "--years YEAR", "years"),
    ("--from-year", "--years YEAR-", "years"),
    ("--to-year", "--years -YEAR", "years"),
    ("--draw-tree", "rosebill discover draws", "move-loss"),
];

/// What may be meant by a word that a command does not take: an option that it has, with its value.
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
    let renamed = RENAMED.iter().find(|&&(old, _, beside)| old == argument && has(beside));
    if let Some((_, new, _)) = renamed {
        return Some((*new).to_owned());
    }
    let is_time = has("time") && !is_number(argument) && parse_duration(argument).is_ok();
    (is_time && !argument.starts_with('-')).then(|| format!("--time {argument}"))
}

/// The command with a word of it as its book, where that is what was meant.
fn with_book(command: &Command, argument: &str, given: &[OsString]) -> Option<render::Command> {
    let file = Path::new(argument);
    let takes_words = command.get_positionals().next().is_some();
    let is_named = given.iter().any(|word| word.to_string_lossy().starts_with("--book"));
    let is_book = command.get_name() == "new" || file.extension()? == "db";
    if argument.starts_with('-') || takes_words || is_named || !is_book || file.exists() {
        return None;
    }
    let is_name = |word: &str| called(command).split(' ').any(|part| part == word);
    let others = given.iter().map(|word| word.to_string_lossy());
    let others = others.filter(|word| !is_name(word) && *word != argument);
    Some(same(command).of_book(file).with(others))
}

/// A command as it was asked for, without its words.
fn same(command: &Command) -> render::Command {
    render::Command::new(called(command).trim_start_matches("rosebill "))
}

fn unknown(error: &Error, command: &Command, argument: &str, given: &[OsString]) -> Refusal {
    let alone = |text: String| Refusal::new(text, []);
    if let Some((option, file)) = file_with_hyphen(command, argument, given) {
        let (named, file) = (format!("{option}={}", quoted(file)), short(file));
        return alone(format!("{option} {file}: a name that begins with '-' is given as {named}"));
    }
    if let Some(meant) = option_instead(command, argument, given) {
        return alone(format!("{}: did you mean '{meant}'?", no_use(argument)));
    }
    if let Some(meant) = with_book(command, argument, given) {
        return Refusal::new(no_use(argument), [meant]);
    }
    let takes_from = command.get_arguments().any(|known| known.get_id() == "from");
    let at = given.iter().position(|word| word == argument).unwrap_or(given.len());
    if let Some(wrong) = wrong_position(given.get(..=at).unwrap_or_default()) {
        return alone(wrong);
    }
    if takes_from && let Some((_, text)) = longest_position(given.get(at..).unwrap_or_default()) {
        return Refusal::new(
            "a position is given with --from",
            [same(command).with(["--from", &text])],
        );
    }
    if let Ok(FileKind::Book) = FileKind::of_file(Path::new(argument)) {
        let meant = same(command).of_book(Path::new(argument));
        return Refusal::new(format!("{argument} is a book: name it with --book"), [meant]);
    }
    if let Ok(FileKind::Database) = FileKind::of_file(Path::new(argument)) {
        return alone(format!("{argument} is another program's SQLite file"));
    }
    let hint = match text(error, ContextKind::SuggestedArg) {
        Some(nearest) => format!("did you mean '{nearest}'?"),
        None => format!("see '{} --help'", called(command)),
    };
    alone(format!("{}: {hint}", no_use(argument)))
}

/// Says of what it is that a command does not take it.
fn no_use(argument: &str) -> String {
    let what = if argument.starts_with('-') { "unknown option" } else { "unexpected argument" };
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
    let example = help.lines().next()?.split_once(": ")?.1.split("; ").next()?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faces::cli::args::program;
    use crate::faces::render::OwnBook;

    /// What is said of the arguments that make no sense, and the command that may be meant behind a bar.
    fn told(given: &str) -> String {
        let given: Vec<OsString> = given.split(' ').map(OsString::from).collect();
        let all = [&["rosebill".into()][..], &given].concat();
        let error = program().try_get_matches_from(&all).unwrap_err();
        let Refusal { text, commands, .. } = refusal(&error, program(), &given);
        let commands = commands.iter().map(|command| command.typed(&OwnBook::default()));
        [vec![text], commands.collect()].concat().join(" | ")
    }

    #[test]
    fn a_mistake_is_answered_with_a_hint() {
        for (given, hint) in [
            ("grow --positions -3", "expected a whole number, 0 or more"),
            ("grow --searches x", "expected a whole number, 0 or more"),
            ("grow f5d6c3", " | rosebill grow --from f5d6c3"),
            ("grow --move-loss -1", "--move-loss"),
            ("grow --line-loss x", "0 to 1000 discs for both sides, such as 2, or black:0"),
            ("grow --line-loss red:1", "expected black or white before the colon"),
            ("grow --line-loss black:1,black:2", "black is given twice"),
            ("grow --regret 4", "did you mean '--line-loss'?"),
            ("grow --side-regret=4", "did you mean '--line-loss'?"),
            ("convert a.dat b.dat --deviate 2", "did you mean '--move-loss'?"),
            ("prune --best", "did you mean '--move-loss 0'?"),
            ("grow --positoins 3", "did you mean '--positions'?"),
            ("grow --quick", "unknown option '--quick'"),
            ("grow --positions", "a value is required for '--positions"),
            ("grow --policy nope", "expected one of best, "),
            ("grow --policy populr", "did you mean 'popular'?"),
            ("lab match a b --time 1s --depth 3", "cannot be used with"),
            ("grwo", "did you mean 'grow'?"),
            ("tiger", "no command 'tiger' | rosebill show tiger"),
            ("f5d6", "no command 'f5d6' | rosebill show f5d6"),
            ("rose v toth --json", " | rosebill show rose v toth"),
            ("openings tiger", " | rosebill openings find tiger"),
            ("games tiger", " | rosebill games stats tiger"),
            ("new a.db --starter", " | rosebill new --book a.db --starter"),
            ("grow a.db", " | rosebill grow --book a.db"),
            ("grow 10s", "did you mean '--time 10s'?"),
            ("serve --port 8080", "did you mean '--listen 127.0.0.1:8080'?"),
            ("serve --port=90", "did you mean '--listen 127.0.0.1:90'?"),
            ("serve 8080", "did you mean '--listen 127.0.0.1:8080'?"),
            ("config set foo", "invalid value 'foo' for '<KEY>': expected one of book, level"),
            (
                "import",
                "missing <FILE>...: rosebill import [OPTIONS] <FILE>...; example: rosebill import",
            ),
            ("snapshot", "missing <FILE>: rosebill snapshot"),
            ("config set level", "missing <VALUE>: rosebill config set"),
            ("games list --limit 0", "expected a whole number, 1 or more"),
            ("games show x", "expected a whole number, 0 or more"),
            ("lines --limit 0", "expected 1 or more"),
            ("grow --threads 0", "expected a number from 1 to 1024"),
            ("stats", "'stats' is now 'rosebill info --by-discs'"),
            ("lines --draw-tree", "did you mean 'rosebill discover draws'?"),
            ("info --book -dash.db", "is given as --book=-dash.db"),
            ("grow -x --book book.db", "unknown option '-x'"),
        ] {
            let told = told(given);
            assert!(told.contains(hint), "{given:?}: {told}");
        }
        for given in ["grow --time", "grow --from", "grow --level", "grow", ""] {
            let given = format!("{given} {}", "x".repeat(8000));
            let told = told(given.trim());
            assert!(told.chars().count() < 500, "{} characters: {told}", told.chars().count());
        }
    }
}
