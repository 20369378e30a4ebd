//! `rosebill config`.

use std::process::Command as Process;

use anyhow::Context as _;
use clap::Subcommand;
use serde_json::Value;

use crate::app::json::object;
use crate::faces::cli::config::{CONFIG_VARIABLE, Origin, Settings};
use crate::faces::cli::config_file::ConfigFile;
use crate::faces::cli::context::Context;
use crate::faces::cli::credentials::without_credentials;
use crate::faces::cli::exit::Status;

/// Arguments of `config`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill config set level 16")]
pub struct Arguments {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Subcommand, Debug)]
enum Action {
    /// Print the value of a setting
    #[command(after_help = "Example: rosebill config get level")]
    Get {
        /// The setting
        #[arg(value_parser = ConfigFile::KEYS)]
        key: String,
    },
    /// List all settings and where each comes from; the same as no command
    #[command(after_help = "Example: rosebill config list --json")]
    List,
    /// Open the configuration file in $VISUAL or $EDITOR
    #[command(after_help = "Example: EDITOR=nano rosebill config edit")]
    Edit,
    /// Write a setting into the configuration file
    #[command(after_help = "Example: rosebill config set level 16")]
    Set {
        /// The setting
        #[arg(value_parser = ConfigFile::KEYS)]
        key: String,
        /// The value: a file, a level (0 to 60), a number of threads (1 to 1024), MiB, full or normal, or an
        /// address
        value: String,
    },
    /// Remove a setting from the configuration file
    #[command(after_help = "Example: rosebill config unset level")]
    Unset {
        /// The setting
        #[arg(value_parser = ConfigFile::KEYS)]
        key: String,
    },
    /// Print where the configuration file is
    #[command(after_help = "Example: cp \"$(rosebill config path)\" settings-before.toml")]
    Path,
}

impl Arguments {
    /// Whether it is there to look for what is wrong with the configuration file.
    pub fn mends_settings(&self) -> bool {
        matches!(self.action, Some(Action::Edit | Action::Path))
    }
}

/// A setting's value in JSON: a number where the setting is one.
fn value_of(setting: &str, text: &str) -> Value {
    let is_number = matches!(setting, "level" | "threads" | "table");
    match text.trim().parse::<u64>() {
        Ok(number) if is_number => number.into(),
        _ => text.into(),
    }
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    match &arguments.action {
        None | Some(Action::List) => list(context)?,
        Some(Action::Get { key }) => return get(context, key),
        Some(Action::Edit) => edit(context)?,
        Some(Action::Path) => {
            let path = context.settings().file.display().to_string();
            if context.output.is_json() {
                context.output.object(&serde_json::json!({ "file": path }))?;
            } else {
                context.output.line(path)?;
            }
        }
        Some(Action::Set { key, value }) => change(context, key, Some(value))?,
        Some(Action::Unset { key }) => change(context, key, None)?,
    }
    Ok(Status::Done)
}

fn change(context: &mut Context, key: &str, value: Option<&str>) -> anyhow::Result<()> {
    let path = &context.settings().file;
    let mut file = ConfigFile::read(path)?;
    file.set(key, value)?;
    file.write(path)?;
    if context.output.is_json() {
        let file = path.display().to_string();
        let value = value.map(|value| value_of(key, &without_credentials(value)));
        let row = serde_json::json!({ "setting": key, "value": value, "file": file });
        context.output.object(&row)?;
    }
    Ok(())
}

/// Opens the file in the user's editor, and reads it afterwards.
fn edit(context: &Context) -> anyhow::Result<()> {
    let path = &context.settings().file;
    let named = ["VISUAL", "EDITOR"].iter().find_map(|name| std::env::var(name).ok());
    let editor = named.filter(|editor| !editor.trim().is_empty());
    let editor = editor.unwrap_or_else(|| if cfg!(windows) { "notepad" } else { "vi" }.to_owned());
    let mut words = editor.split_whitespace();
    let program = words.next().unwrap_or_default();
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
    }
    let ended = Process::new(program).args(words).arg(path).status();
    let ended = ended.with_context(|| format!("cannot start the editor '{editor}'"))?;
    anyhow::ensure!(ended.success(), "the editor '{editor}' failed");
    ConfigFile::read(path)?;
    Ok(())
}

/// A setting with its value and where that comes from.
type Row = (&'static str, String, String);

fn get(context: &mut Context, key: &str) -> anyhow::Result<Status> {
    let found = rows(context.settings()).into_iter().find(|(setting, ..)| *setting == key);
    let Some((setting, value, origin)) = found else {
        context.note(format_args!("{key} is not set"));
        return Ok(Status::NotFound);
    };
    if context.output.is_json() {
        let value = value_of(setting, &value);
        context.output.object(&object! { setting, value, origin })?;
    } else {
        context.output.line(value)?;
    }
    Ok(Status::Done)
}

fn list(context: &mut Context) -> anyhow::Result<()> {
    let settings = context.settings();
    if let Some(absent) = settings.absent_file() {
        context
            .note(format_args!("there is no {}, which {CONFIG_VARIABLE} names", absent.display()));
    }
    let rows = rows(settings);
    if context.output.is_json() {
        for (setting, value, origin) in rows {
            context
                .output
                .object(&object! { setting, value: value_of(setting, &value), origin })?;
        }
    } else {
        let unit = |setting| if setting == "table" { " MiB" } else { "" };
        let texts: Vec<String> =
            rows.iter().map(|(setting, value, _)| format!("{value}{}", unit(*setting))).collect();
        let widest = texts.iter().map(String::len).max().unwrap_or_default();
        for ((setting, _, origin), value) in rows.iter().zip(texts) {
            context.output.line(format_args!("{setting:<16} {value:<widest$}  ({origin})"))?;
        }
    }
    Ok(())
}

fn rows(settings: &Settings) -> Vec<Row> {
    let row = |setting, value: String, origin: &Origin| (setting, value, origin.to_string());
    let mut rows = vec![
        row("book", settings.book.value.display().to_string(), &settings.book.origin),
        row("level", settings.level.value.to_string(), &settings.level.origin),
        row("threads", settings.threads.value.to_string(), &settings.threads.origin),
        row("table", settings.table_megabytes.value.to_string(), &settings.table_megabytes.origin),
        row("durability", settings.durability.value.name().to_owned(), &settings.durability.origin),
    ];
    let fleet = settings.fleet.as_deref().map(|address| match address.contains("://") {
        true => without_credentials(address),
        // No address of a server, but perhaps a password.
        false => address.rsplit_once('@').map_or(address, |(_, host)| host).to_owned(),
    });
    rows.extend(fleet.map(|fleet| row("fleet", fleet, &Origin::File)));
    let credentials = settings.fleet_credentials.as_ref().map(|path| path.display().to_string());
    rows.extend(credentials.map(|path| row("fleet_credentials", path, &Origin::File)));
    rows
}
