//! The whole command line.

use clap::{CommandFactory as _, Parser};

use crate::app::games::GAMES_HEADING;

use super::commands::{Command, GROUPS, guides};
use super::global::GlobalArguments;
use super::numbers::with_numbers_below_nought;

/// What a user reads without a command.
pub(super) const FIRST_STEPS: &str = "\
rosebill grows, keeps, queries and exports Othello opening books.
One comes with it: show, lines and serve answer from it until you have your own.

To begin with:
  rosebill grow --time 60s   grow your book for a minute; again, and it goes on
  rosebill show              what the book knows of the first position, a line
                             (show f5 d6 c3) or an opening (show tiger)
  rosebill lines             the best lines of the book with their names
  rosebill serve --open      all of it in a browser

Then:
  info                       the book in numbers; where it is thin
  import, export             books of {programs}
  search, solve              the engine without a book

All commands: rosebill --help     one of them: rosebill show --help
Guides: rosebill help values      all of them: rosebill help";

/// Grows, keeps, queries and exports Othello opening books.
///
/// A book comes with it: 'rosebill show tiger', 'rosebill play' and 'rosebill serve --open' answer from it, until
/// 'rosebill grow --time 60s' makes one of your own.
#[derive(Parser, Debug)]
#[command(name = "rosebill", version, propagate_version = true, max_term_width = 100)]
#[command(disable_help_subcommand = true, after_help = guides())]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Flags of all commands.
    #[command(flatten)]
    pub global: GlobalArguments,
}

/// The command line as it is parsed: `-h` of each command fits a screen, `--help` has all, and the help of the
/// program lists commands in groups.
pub fn program() -> clap::Command {
    let program = with_short_help(with_numbers_below_nought(Arguments::command()));
    let styles = program.get_styles().clone();
    let (title, name) = (styles.get_header(), styles.get_literal());
    let mut groups = String::new();
    for command in program.get_subcommands().filter(|command| !command.is_hide_set()) {
        let begun = GROUPS.iter().find(|(_, first)| *first == command.get_name());
        if let Some((group, _)) = begun {
            groups.push_str(&format!("\n{title}{group}:{title:#}\n"));
        }
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        groups.push_str(&format!("  {name}{:<10}{name:#}{about}\n", command.get_name()));
    }
    program.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n{groups}\n{title}Options:{title:#}\n{{options}}\n\n\
         Options of all commands: -b BOOK, -j, -q, -v, --color WHEN (rosebill --help){{after-help}}"
    ))
}

/// What only `--help` prints: details below the examples, options of all commands, and the choice of games, of which
/// `-h` has the names.
fn with_short_help(command: clap::Command) -> clap::Command {
    let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let mut short = text.split("\n\n").next().unwrap_or_default().to_owned();
    let chooses_games = |argument: &clap::Arg| argument.get_help_heading() == Some(GAMES_HEADING);
    let is_seldom = |argument: &clap::Arg| !argument.is_hide_set() && is_seldom(argument);
    for (title, is_among) in [
        ("More options", &is_seldom as &dyn Fn(&clap::Arg) -> bool),
        (GAMES_HEADING, &chooses_games),
    ] {
        let options = command.get_arguments().filter(|argument| is_among(argument));
        let names: Vec<String> =
            options.filter_map(clap::Arg::get_long).map(|name| format!("--{name}")).collect();
        if !names.is_empty() {
            short = format!("{short}\n\n{title} (--help says more): {}", names.join(", "));
        }
    }
    let short = short.trim_start().to_owned();
    let command = match text.is_empty() && short.is_empty() {
        true => command,
        false => command.after_help(short).after_long_help(text),
    };
    command.mut_args(with_short_form).mut_subcommands(with_short_help)
}

/// Options that mean the same in all commands, and their letters.
const LETTERS: [(&str, char); 3] = [("level", 'l'), ("threads", 't'), ("limit", 'n')];

/// Options of which `-h` has the names alone, in all commands.
const SELDOM: [&str; 30] = [
    "again",
    "contempt",
    "date",
    "deepen",
    "depth",
    "fleet",
    "fleet-credentials",
    "force",
    "furthest",
    "games-from",
    "in-flight",
    "keep",
    "line",
    "match-games",
    "match-level",
    "match-plies",
    "opening-depth",
    "opening-ridge",
    "ordering",
    "pairs",
    "patience",
    "plies",
    "recheck",
    "resume",
    "searches",
    "seed",
    "selectivity",
    "solve-empties",
    "solve-from",
    "table",
];

fn is_seldom(argument: &clap::Arg) -> bool {
    argument.get_long().is_some_and(|name| SELDOM.contains(&name))
}

/// An option with its letter, and the first part of its help for `-h`.
fn with_short_form(argument: clap::Arg) -> clap::Arg {
    let letter = LETTERS.iter().find(|(name, _)| argument.get_long() == Some(name));
    let argument = match letter {
        Some((_, letter)) => argument.short(*letter),
        None => argument,
    };
    let chooses_games = argument.get_help_heading() == Some(GAMES_HEADING);
    let long = argument.get_long_help().or(argument.get_help()).map(ToString::to_string);
    // Manual pages have the long help alone of what is hidden in the short one.
    let hidden = |argument: clap::Arg| {
        argument.hide_short_help(true).long_help(long.clone().unwrap_or_default())
    };
    if argument.is_global_set() || chooses_games {
        return hidden(argument);
    }
    let argument = if is_seldom(&argument) { hidden(argument) } else { argument };
    let text = argument.get_help().map(ToString::to_string).unwrap_or_default();
    match long.zip(first_part(&text)) {
        Some((long, first)) => argument.help(first).long_help(long),
        None => argument,
    }
}

/// A text up to its first colon or semicolon, behind its condition, with its default; none where that is all of it.
fn first_part(text: &str) -> Option<String> {
    let (text, default) = match text.find(" [default: ") {
        Some(at) => {
            let (text, rest) = text.split_at(at);
            (text, rest.split_inclusive(']').next().unwrap_or(rest))
        }
        None => (text, ""),
    };
    let condition =
        if text.starts_with("With ") { text.find(": ").map_or(0, |at| at + 2) } else { 0 };
    let end = [": ", "; "].iter().filter_map(|end| text[condition..].find(end)).min()?;
    Some(format!("{}{default}", &text[..condition + end]))
}
