//! The `rosebill` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    rosebill::cli::run(std::env::args_os())
}
