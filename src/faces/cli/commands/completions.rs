//! `rosebill completions`.

use std::io::Write;

use clap::Command;
use clap_complete::Shell;

use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;

/// Arguments of `completions`.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Example: rosebill completions bash > ~/.local/share/bash-completion/completions/rosebill"
)]
pub struct Arguments {
    /// The shell
    shell: Shell,
}

pub(super) fn run(
    arguments: &Arguments,
    mut command: Command,
    context: &mut Context,
) -> anyhow::Result<Status> {
    // Written to memory first: the generator panics where a pipe closes early.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "rosebill", &mut script);
    if context.output.is_json() {
        let script = String::from_utf8_lossy(&script);
        context.output.object(&serde_json::json!({ "script": script }))?;
    } else {
        context.output.write_all(&script)?;
    }
    Ok(Status::Done)
}
