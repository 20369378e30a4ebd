//! The `rosebill` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    rosebill::run(std::env::args_os())
}
