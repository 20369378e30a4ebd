//! `rosebill completions`.

use std::io::Write;

use clap_complete::Shell;

use crate::faces::cli::completing::script;
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

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let script = script(arguments.shell)?;
    if context.output.is_json() {
        let script = String::from_utf8_lossy(&script);
        context.output.object(&serde_json::json!({ "script": script }))?;
    } else {
        context.output.write_all(&script)?;
    }
    Ok(Status::Done)
}
