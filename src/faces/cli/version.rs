//! `rosebill --version`: all that identifies the program that found something.

use std::io::{self, Write};

use anyhow::Context as _;

use super::exit::Status;
use crate::othello::eval::{Evaluator, PatternEvaluator};
use crate::othello::program::{BUILD, ENGINE, VERSION};

/// Prints such as `rosebill 0.2.0 (06cd507, weights rosebill e3c806ca)`, or the same as an object.
pub(super) fn print(is_json: bool) -> anyhow::Result<Status> {
    let weights = PatternEvaluator::embedded()?.name();
    let text = match is_json {
        true => serde_json::json!({ "version": VERSION, "build": BUILD, "weights": weights })
            .to_string(),
        false => told(BUILD, &weights),
    };
    let mut stdout = io::stdout();
    writeln!(stdout, "{text}")
        .and_then(|()| stdout.flush())
        .context("cannot write standard output")?;
    Ok(Status::Done)
}

fn told(build: &str, weights: &str) -> String {
    let build = if build.is_empty() { String::new() } else { format!("{build}, ") };
    format!("{ENGINE} ({build}weights {weights})")
}

#[cfg(test)]
mod tests {
    use super::told;
    use crate::othello::program::VERSION;

    #[test]
    fn a_commit_that_nobody_knows_is_left_out() {
        let version = format!("rosebill {VERSION}");
        assert_eq!(told("", "rosebill 1"), format!("{version} (weights rosebill 1)"));
        assert_eq!(
            told("6ad5045 modified", "rosebill 1"),
            format!("{version} (6ad5045 modified, weights rosebill 1)")
        );
    }
}
