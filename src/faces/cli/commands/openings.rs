//! `rosebill openings`.

use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::place::Positions;
use crate::faces::cli::table::Table;
use crate::faces::render::Command;
use crate::faces::render::json::opening_json;
use crate::files::games::{
    Asked, Language, Opening, find_openings, find_openings_in, openings_along, openings_in,
    similar_names,
};
use crate::othello::board::{Key, Line, looks_like_a_board};
use crate::othello::one_line::one_line;
use clap::{Subcommand, ValueEnum};
use std::ffi::OsString;

/// Arguments of `openings`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples: rosebill openings find rose; rosebill openings list tiger\n\n\
    Names are given wherever a position is: rosebill show tiger, rosebill grow --from rose-bill; those in \
    French and Japanese, too: rosebill show tigre.")]
pub struct Arguments {
    #[command(subcommand)]
    command: Openings,
}

#[derive(Subcommand, Debug)]
enum Openings {
    /// List the openings that have names, all or those beyond a position
    #[command(after_help = "Example: rosebill openings list tiger\n\n\
        A name belongs to a position, in any orientation and by any order of moves. The line is one \
        that leads there; every command that takes a position takes it, and the name as well. What is \
        printed as the name of a position is English. The exit code is 1 when no opening is listed.")]
    List(ListArguments),
    /// Find openings by a part of their names, or the names along a line
    #[command(after_help = "Examples: rosebill openings find tamenori; rosebill openings find \
        f5d6c3d3c4f4c5\n\n\
        Of a line all names along it are shown; the last one is its own. \
        The exit code is 1 when there is none.")]
    Find(FindArguments),
}

#[derive(clap::Args, Debug)]
struct ListArguments {
    /// Only openings whose line comes through this position: moves, a name or a board [default: all]
    #[arg(value_name = "POSITION")]
    position: Vec<OsString>,
    /// Names in this language: English, French or Japanese. All are understood wherever a name is typed
    #[arg(long, value_enum, value_name = "LANGUAGE", default_value = "en")]
    language: Tongue,
}

/// The languages of the lists.
#[derive(ValueEnum, Clone, Copy, Debug)]
enum Tongue {
    En,
    Fr,
    Ja,
}

impl From<Tongue> for Language {
    fn from(tongue: Tongue) -> Self {
        match tongue {
            Tongue::En => Self::English,
            Tongue::Fr => Self::French,
            Tongue::Ja => Self::Japanese,
        }
    }
}

#[derive(clap::Args, Debug)]
struct FindArguments {
    /// Words of the name, or moves or a board
    #[arg(required = true, value_name = "NAME|LINE")]
    words: Vec<String>,
    /// Only names in this language [default: English, and the others where no name in English is found]
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    language: Option<Tongue>,
}

/// The command that finds openings.
fn openings(command: &str) -> Command {
    Command::new(command).of_no_book()
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    match &arguments.command {
        Openings::List(arguments) => list(arguments, context),
        Openings::Find(arguments) => find(arguments, context),
    }
}

fn list(arguments: &ListArguments, context: &mut Context) -> anyhow::Result<Status> {
    let positions = Positions::read(&arguments.position, context)?;
    let listed = openings_in(arguments.language.into());
    let mut status = Status::Done;
    for numbered in &positions.list {
        let key = Key::of(numbered.asked.placed().position);
        let beyond: Vec<_> = listed.iter().filter(|opening| opening.comes_through(key)).collect();
        if beyond.is_empty() {
            let line = &numbered.asked.line;
            context.note("no opening with a name comes through here");
            context.hint(&[match openings_along(line).next() {
                Some(_) => openings("openings find").with([line.whole_text()]),
                None => openings("openings list"),
            }]);
            status = Status::NotFound;
        }
        print(beyond.into_iter().map(|opening| (None, opening)), context)?;
    }
    Ok(positions.ended(status))
}

fn find(arguments: &FindArguments, context: &mut Context) -> anyhow::Result<Status> {
    let text = &arguments.words.join(" ");
    if let Some(line) = line_of(text)? {
        let along: Vec<_> = openings_along(&line).collect();
        if along.is_empty() {
            context.note("no position of this line has a name");
            context.hint(&[openings("openings list")]);
            return Ok(Status::NotFound);
        }
        print(along.into_iter().map(|(moves, opening)| (Some(moves), opening)), context)?;
        return Ok(Status::Done);
    }
    let found = match arguments.language {
        Some(language) => find_openings_in(text, language.into()),
        None => find_openings(text),
    };
    if found.is_empty() {
        if begins_as_line(text) {
            // What is wrong with the line is reported, not that no opening is called so.
            text.parse::<Asked>()?;
        }
        let maybe = match &similar_names(text)[..] {
            [] => String::new(),
            similar => format!(" (maybe {}?)", similar.join(", ")),
        };
        let text = one_line(text, 40);
        context.note(format_args!("no opening has a name with '{text}'{maybe}"));
        context.hint(&[openings("openings list")]);
        return Ok(Status::NotFound);
    }
    print(found.into_iter().map(|opening| (None, opening)), context)?;
    Ok(Status::Done)
}

/// Whether a text begins with a first move.
fn begins_as_line(text: &str) -> bool {
    let first = text.get(..2).and_then(|first| first.parse::<Line>().ok());
    first.is_some_and(|line| !line.is_empty())
}

/// The line that a text is; none when it is meant as a name.
fn line_of(text: &str) -> anyhow::Result<Option<Line>> {
    if looks_like_a_board(text) {
        return Ok(Some(text.parse::<Asked>()?.line));
    }
    Ok(text.parse::<Line>().ok().filter(|line| !line.is_empty()))
}

/// Lists openings; with each, how many moves of a line lead there when one was asked for.
fn print(
    listed: impl IntoIterator<Item = (Option<usize>, &'static Opening)>,
    context: &mut Context,
) -> anyhow::Result<()> {
    let listed: Vec<_> = listed.into_iter().collect();
    if context.output.is_json() {
        for (ply, opening) in listed {
            context.output.object(&opening_json(opening, ply))?;
        }
        return Ok(());
    }
    let has_others = listed.iter().any(|(_, opening)| !opening.also.is_empty());
    let mut languages = listed.iter().map(|(_, opening)| opening.language.code());
    let has_languages = languages.any(|code| code != Language::English.code());
    let titles =
        [("discs", true), ("name", true), ("also", has_others), ("language", has_languages)];
    let titles = titles.into_iter().chain([("line", true)]).filter(|(_, is_there)| *is_there);
    let titles: Vec<&str> = titles.map(|(title, _)| title).collect();
    let mut table = Table::new(&titles);
    for (_, opening) in &listed {
        let discs = opening.placed().position.discs().to_string();
        let also = has_others.then(|| opening.also.join(", "));
        let language = has_languages.then(|| opening.language.code().to_owned());
        let name = Some(opening.name.to_owned());
        let cells = [Some(discs), name, also, language, Some(opening.line.to_string())];
        table.row(cells.into_iter().flatten());
    }
    if !listed.is_empty() {
        context.output.table(&table)?;
    }
    Ok(())
}
