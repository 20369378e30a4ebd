//! The command line: arguments, output, progress, one short file for each command.

mod answers;
mod args;
mod asked;
mod board;
mod commands;
mod completing;
mod config;
mod config_file;
mod context;
mod credentials;
mod duration;
mod engine;
mod exit;
mod fleet;
mod global;
mod graph;
mod hint;
mod interrupt;
mod log;
mod losses;
mod mistake;
mod numbers;
mod optional;
mod other_book;
mod output;
mod pager;
mod place;
mod player;
mod present_file;
mod progress;
mod signals;
mod table;
mod talk;
mod terminal;
mod version;
mod wrong_file;

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::error::ErrorKind;
use clap::{FromArgMatches, Parser as _};

use crate::faces::render::OwnBook;
use crate::files::books::PROGRAMS;

use args::Arguments;
use context::Context;
use exit::Status;

/// Arguments as clap takes them: a board may begin with a hyphen, and a position may have blanks.
fn for_clap(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let given: Vec<OsString> = arguments.into_iter().map(place::board_is_no_flag).collect();
    optional::optional_values_joined(place::positions_joined(given))
}

/// Runs the program with these arguments, the first being its name, and says how it ended:
/// 0 done, 1 the answer is no, 2 bad input or a failure, 3 done but for what was refused, 130 interrupted.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    signals::ignore_limits_of_files();
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    if let Some(answered) = completing::answered(&arguments) {
        return answered;
    }
    let given = for_clap(arguments);
    if given.len() <= 1 {
        output::tell(args::FIRST_STEPS.replace("{programs}", PROGRAMS));
        return ExitCode::from(2);
    }
    let rest = given.get(1..).unwrap_or_default();
    let read = args::program().try_get_matches_from(&given);
    let arguments = match read.and_then(|read| Arguments::from_arg_matches(&read)) {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version are answers, all else is bad input. A closed pipe is no failure.
            if error.kind() == ErrorKind::DisplayVersion {
                let printed = version::print(global::wants_json(rest));
                return exit::code(printed, &OwnBook::default());
            }
            if !error.use_stderr() {
                let (help, is_plain) = (error.render(), global::wants_no_color(rest));
                let help = if is_plain { help.to_string() } else { help.ansi().to_string() };
                let is_paged = !rest.iter().any(|word| word == global::NO_PAGER)
                    && pager::paged(help.as_bytes());
                let mut stdout = std::io::stdout();
                let printed = match (is_paged, is_plain) {
                    (true, _) => Ok(()),
                    (false, true) => stdout.write_all(help.as_bytes()),
                    (false, false) => error.print(),
                };
                let printed = printed.and_then(|()| stdout.flush());
                let printed =
                    printed.map(|()| Status::Done).context("cannot write standard output");
                return exit::code(printed, &OwnBook::default());
            }
            if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
                let _ = error.print();
                return ExitCode::from(2);
            }
            let refusal = mistake::refusal(&error, args::program(), rest);
            let trouble = refusal.to_string();
            let code = exit::code(Err(refusal.into()), &OwnBook::default());
            // NBoard shows nothing of an engine that ends: it goes on with the usual arguments.
            let goes_on = rest.first().is_some_and(|command| command == "nboard");
            match Arguments::try_parse_from(["rosebill", "nboard"]) {
                Ok(usual) if goes_on => {
                    Arguments { command: usual.command.with_trouble(trouble), ..usual }
                }
                _ => return code,
            }
        }
    };
    arguments.global.color.apply();
    let mut book = OwnBook::default();
    let outcome = Context::new(&arguments.global, rest, arguments.command.mends_settings())
        .and_then(|mut context| {
            book = hint::own_book(context.settings());
            place::note_turns_of_options(rest, &context);
            match commands::run(&arguments.command, args::program, &mut context) {
                Err(error) if context.is_stopped() => {
                    context.failure(error.as_ref());
                    Ok(Status::Interrupted)
                }
                Err(error) => {
                    context.remove_damaged_copy(&error);
                    Err(error)
                }
                done => done,
            }
        });
    exit::code(outcome, &book)
}
