//! `rosebill man`.

use std::io::Write;

use clap::Command;

use crate::cli::context::Context;
use crate::cli::exit::Status;

/// Arguments of `man`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill man | man -l -")]
pub struct Arguments {
    /// The page of one command instead of the whole program's
    command: Option<String>,
}

pub(super) fn run(
    arguments: &Arguments,
    mut command: Command,
    context: &mut Context,
) -> anyhow::Result<Status> {
    command.build();
    let page = match &arguments.command {
        None => command,
        Some(name) => command
            .find_subcommand(name)
            .cloned()
            .ok_or_else(|| anyhow::anyhow!("no command '{name}': see 'rosebill --help'"))?,
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(page).render(&mut text)?;
    if context.output.is_json() {
        let text = String::from_utf8_lossy(&text);
        context.output.object(&serde_json::json!({ "page": text }))?;
    } else {
        context.output.write_all(&text)?;
    }
    Ok(Status::Done)
}
