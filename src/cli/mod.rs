//! The command line: arguments, output, progress, one short file for each command.

mod answers;
mod args;
mod asked;
mod commands;
mod config;
mod context;
mod duration;
mod engine;
mod exit;
mod json;
mod output;
mod place;
mod progress;
mod source;
mod table;

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Parser;
use clap::error::ErrorKind;

use crate::one_line::one_line;

pub use args::Arguments;
pub use context::Context;
pub use exit::Status;

/// Runs the program with these arguments, the first being its name, and says how it ended:
/// 0 done, 1 the asked-for thing was not found or a check failed, 2 bad input or a failure,
/// 130 interrupted.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let given: Vec<OsString> = arguments.into_iter().collect();
    let arguments = match Arguments::try_parse_from(&given) {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version are answers, all else is bad input. A closed pipe is no failure.
            if !error.use_stderr() {
                let printed = error.print().and_then(|()| std::io::stdout().flush());
                return exit::code(printed.map(|()| Status::Done).context("standard output"));
            }
            if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
                let _ = error.print();
                return ExitCode::from(2);
            }
            output::tell(format_args!(
                "rosebill: {}",
                one_line(&in_one_line(&error.to_string()), exit::MOST_TOLD)
            ));
            return ExitCode::from(2);
        }
    };
    let outcome = Context::new(&arguments.global, given.get(1..).unwrap_or_default())
        .and_then(|mut context| commands::run(&arguments.command, &mut context));
    exit::code(outcome)
}

/// What is wrong, without the usage that the parser adds below.
fn in_one_line(error: &str) -> String {
    let told = error.split("\n\nUsage:").next().unwrap_or(error);
    let told = told.split("\n\nFor more information").next().unwrap_or(told);
    let words: Vec<&str> = told.split_whitespace().collect();
    let line = words.join(" ");
    line.strip_prefix("error: ").unwrap_or(&line).to_owned()
}
