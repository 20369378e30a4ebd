//! `rosebill games alias`.

use std::path::PathBuf;

use anyhow::{Context as _, bail};

use crate::app::games::{Aliases, GameDatabase, change_aliases, find_players, suggest_aliases};
use crate::app::json::object;
use crate::app::output::write_file;
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::table::Table;
use crate::faces::render::quoted;
use crate::files::counted::{counted, grouped};

/// Arguments of `games alias`.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples: rosebill games alias TakizawaMasaki 'Takizawa Masaki'\n          \
    rosebill games alias --suggest\n\n\
    Games keep the names that their sources give; where games are counted and found, the first name means \
    the second, and an import takes both for one player. Without names the aliases are listed. A file of them \
    has a line for each: the name, a tab, and the name that it means."
)]
pub struct Arguments {
    /// A name, as a source spells it
    #[arg(value_name = "NAME", requires = "name")]
    alias: Option<String>,
    /// The name that it means
    #[arg(value_name = "OTHER")]
    name: Option<String>,
    /// Remove the alias of this name
    #[arg(long, value_name = "NAME", conflicts_with = "alias")]
    remove: Option<String>,
    /// List names that may be of one player
    #[arg(long, conflicts_with_all = ["alias", "remove"])]
    suggest: bool,
    /// Import the aliases of a file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["alias", "remove", "suggest"])]
    import: Option<PathBuf>,
    /// Write the aliases as a file, in place of an older one
    #[arg(long, value_name = "FILE", conflicts_with_all = ["alias", "remove", "suggest", "import"])]
    export: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    if arguments.suggest {
        return suggest(context);
    }
    if let Some(file) = &arguments.export {
        let aliases = Aliases::of(&context.read_book()?)?;
        write_file(file, aliases.text().as_bytes()).with_context(|| file.display().to_string())?;
        return Ok(Status::Done);
    }
    let given = match (&arguments.alias, &arguments.name) {
        (Some(alias), Some(name)) => {
            let mut given = Aliases::default();
            if !given.add(alias, name) {
                bail!("{} is the same name", quoted(alias));
            }
            Some(given)
        }
        _ => None,
    };
    let given = match &arguments.import {
        Some(file) => Some(Aliases::of_file(file).with_context(|| file.display().to_string())?),
        None => given,
    };
    let change = |aliases: &mut Aliases| match (&given, &arguments.remove) {
        (Some(given), _) => {
            given.iter().filter(|(alias, name)| aliases.add(alias, name)).count() as u64
        }
        (None, Some(alias)) => u64::from(aliases.remove(alias)),
        (None, None) => 0,
    };
    if given.is_none() && arguments.remove.is_none() {
        return list(context);
    }
    let mut book = context.book().open()?;
    let changed = change_aliases(&mut book, change)?;
    if let Some(name) = arguments.name.as_ref().filter(|_| changed > 0)
        && find_players(&GameDatabase::open(book.reader())?, name)?.is_empty()
    {
        context.note(format_args!("no player of the book has a name like {}", quoted(name)));
    }
    if context.output.is_json() {
        context.output.object(&object! { changed })?;
    } else {
        context.summary(format_args!("{} changed", counted(changed, "alias")))?;
    }
    Ok(if changed > 0 { Status::Done } else { Status::NotFound })
}

fn list(context: &mut Context) -> anyhow::Result<Status> {
    let aliases = Aliases::of(&context.read_book()?)?;
    if aliases.is_empty() {
        context.note("no name has an alias");
        return Ok(Status::NotFound);
    }
    let mut table = Table::new(&["name", "means"]);
    for (alias, name) in aliases.iter() {
        if context.output.is_json() {
            context.output.object(&object! { alias, name })?;
        } else {
            table.row([alias.to_owned(), name.to_owned()]);
        }
    }
    if !context.output.is_json() {
        context.output.table(&table)?;
    }
    Ok(Status::Done)
}

fn suggest(context: &mut Context) -> anyhow::Result<Status> {
    let book = context.read_book()?;
    let found = suggest_aliases(&GameDatabase::open(&book)?)?;
    if found.is_empty() {
        context.note("no two names look like those of one player");
        return Ok(Status::NotFound);
    }
    let mut table = Table::new(&["name", "may mean", "games with both"]);
    for suggestion in found {
        let (alias, name, games) = (suggestion.alias, suggestion.name, suggestion.games);
        if context.output.is_json() {
            context.output.object(&object! { alias, name, games })?;
        } else {
            table.row([alias, name, grouped(games)]);
        }
    }
    if !context.output.is_json() {
        context.output.table(&table)?;
    }
    Ok(Status::Done)
}
