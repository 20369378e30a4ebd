//! What a shell offers while a command is typed: commands and options, and the values that only this program
//! knows, such as the players of the book.

use std::ffi::{OsStr, OsString};
use std::process::ExitCode;
use std::sync::OnceLock;

use clap::{Arg, Parser as _};
use clap_complete::Shell;
use clap_complete::engine::{
    ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter as _,
};
use clap_complete::env::{CompleteEnv, Shells};

use super::args::{Arguments, program};
use super::context::Context;
use crate::app::games::{GameDatabase, find_players};
use crate::faces::guides::GUIDES;
use crate::files::books::Format;
use crate::files::games::{GameFormat, Opening, openings};
use crate::othello::eval::EVALUATOR_NAMES;

/// The variable by which a shell asks.
const ASKED_BY: &str = "ROSEBILL_COMPLETE";

/// What a command that is typed names as its book.
static BOOK: OnceLock<OsString> = OnceLock::new();

/// The most names that are offered: a shell asks before it shows more.
const MOST: usize = 100;

/// What a shell reads to have commands completed.
pub fn script(shell: Shell) -> std::io::Result<Vec<u8>> {
    let mut script = Vec::new();
    let shells = Shells::builtins();
    // Both lists are of the same crate.
    if let Some(shell) = shells.completer(&shell.to_string()) {
        shell.write_registration(ASKED_BY, "rosebill", "rosebill", "rosebill", &mut script)?;
    }
    Ok(script)
}

/// Answers a shell that asks; none where none does.
pub fn answered(given: &[OsString]) -> Option<ExitCode> {
    let shell = std::env::var_os(ASKED_BY)?;
    if let Some(book) = named_book(given) {
        let _ = BOOK.set(book);
    }
    // The other shells escape blanks themselves.
    let escapes = shell == "bash";
    let completed = CompleteEnv::with_factory(|| with_values(program(), escapes, book_formats))
        .var(ASKED_BY)
        .try_complete(given, std::env::current_dir().ok().as_deref());
    match completed {
        Ok(is_asked) => is_asked.then_some(ExitCode::SUCCESS),
        Err(error) => {
            let _ = error.print();
            Some(ExitCode::from(2))
        }
    }
}

/// Lists what a value may be, for the beginning that was typed.
type Values = fn(&str) -> Vec<String>;

/// A command whose arguments know their values; `formats` are those of the files that it takes.
fn with_values(command: clap::Command, escapes: bool, formats: Values) -> clap::Command {
    let (formats, to) = match command.get_name() {
        "games" => (game_formats as Values, None),
        "convert" => (formats, Some(formats)),
        _ => (formats, None),
    };
    let values_of = move |arg: &Arg| -> Option<Values> {
        let takes = arg.get_value_names()?.first()?;
        match (arg.get_id().as_str(), takes.as_str()) {
            ("evaluator", _) | (_, "PLAYER") => Some(evaluators),
            ("format", _) => Some(formats),
            ("to", _) => to,
            ("players" | "against" | "black" | "white" | "name", "NAME") => Some(players),
            ("openings", _) => Some(|_| ["xot", "wthor", "balanced"].map(str::to_owned).to_vec()),
            ("topic", _) => Some(topics),
            ("opening", _) | (_, "POSITION" | "POSITION|FILE") => Some(opening_names),
            _ => None,
        }
    };
    command
        .mut_args(move |arg| match values_of(&arg) {
            Some(values) => {
                let files = arg.get_value_names().is_some_and(|names| names[0].contains("FILE"));
                arg.add(ArgValueCompleter::new(move |typed: &OsStr| {
                    let mut found = offered(typed, escapes, values);
                    if files {
                        found.extend(PathCompleter::any().complete(typed));
                    }
                    found
                }))
            }
            None => arg,
        })
        .mut_subcommands(|command| with_values(command, escapes, formats))
}

/// The values that begin as typed, in letters of either case.
fn offered(typed: &OsStr, escapes: bool, values: Values) -> Vec<CompletionCandidate> {
    let typed = typed.to_string_lossy().replace('\\', "");
    let begun = typed.to_lowercase();
    let values =
        values(&typed).into_iter().filter(|value| value.to_lowercase().starts_with(&begun));
    let written = values.map(|value| match escapes {
        true => escaped(&value),
        false => value,
    });
    written.take(MOST).map(CompletionCandidate::new).collect()
}

/// A value as it is typed in a shell, by a backslash before what the shell would take for itself.
fn escaped(value: &str) -> String {
    let mut written = String::with_capacity(value.len());
    for character in value.chars() {
        if character.is_ascii()
            && !character.is_ascii_alphanumeric()
            && !"-_.,+:@/".contains(character)
        {
            written.push('\\');
        }
        written.push(character);
    }
    written
}

/// Commands and guides.
fn topics(_: &str) -> Vec<String> {
    let commands = program();
    let commands = commands.get_subcommands().filter(|command| !command.is_hide_set());
    let names = commands.map(clap::Command::get_name).chain(GUIDES.iter().map(|guide| guide.name));
    names.map(str::to_owned).collect()
}

fn evaluators(_: &str) -> Vec<String> {
    EVALUATOR_NAMES.map(str::to_owned).to_vec()
}

fn book_formats(_: &str) -> Vec<String> {
    Format::ALL.map(|format| format.name().to_owned()).to_vec()
}

fn game_formats(_: &str) -> Vec<String> {
    GameFormat::ALL.map(|format| format.name().to_owned()).to_vec()
}

fn opening_names(_: &str) -> Vec<String> {
    openings().iter().flat_map(Opening::names).map(str::to_owned).collect()
}

/// What follows the option for the book.
fn named_book(given: &[OsString]) -> Option<OsString> {
    let mut words = given.iter();
    while let Some(word) = words.next() {
        if word == "-b" || word == "--book" {
            return words.next().cloned();
        }
        let text = word.to_string_lossy();
        if let Some(book) = text.strip_prefix("--book=").or_else(|| text.strip_prefix("-b")) {
            return Some(book.into());
        }
    }
    None
}

/// Players of the book that is named, else of the usual one, those with most games first; none without games.
fn players(typed: &str) -> Vec<String> {
    let of_book = || -> anyhow::Result<Vec<String>> {
        let book = BOOK.get().map(|book| ["--book".as_ref(), book.as_os_str()]);
        let words = ["rosebill", "info", "--quiet"].map(OsStr::new);
        let words = words.into_iter().chain(book.into_iter().flatten());
        let quiet = Arguments::try_parse_from(words)?.global;
        let book = Context::new(&quiet, &[], false)?.read_book()?;
        let found = find_players(&GameDatabase::open(&book)?, typed)?;
        Ok(found.into_iter().map(|(player, _)| player.name).collect())
    };
    // A shell has no place for what went wrong.
    of_book().unwrap_or_default()
}
