//! `rosebill help options`: every option with its one meaning, and the commands that have it.

use std::collections::BTreeMap;

use clap::{Arg, ArgAction, Command};
use serde::Serialize;

/// The topic.
pub const TOPIC: &str = "options";

/// An option of all commands that have it.
#[derive(Serialize, Debug)]
pub struct Meaning {
    /// Its long name, with hyphens.
    pub option: String,
    /// The name with its letter and its value, as help shows them.
    pub written: String,
    /// What it means in each of them.
    pub meaning: String,
    /// The commands that have it; empty for one that all have.
    pub commands: Vec<String>,
}

/// What options mean whose help says more of it in each command.
const SHARED: [(&str, &str); 42] = [
    ("all", "All games"),
    ("by-discs", "Figures for each number of discs"),
    ("clock", "A clock: main time, and what each move adds"),
    ("contempt", "What a draw is worth, in discs: to Black, or in a position to the side to move"),
    ("count", "How many games, labels or samples the file is to hold in the end"),
    (
        "deepen",
        "With --policy best: the level to which moves beside the best lines are searched again",
    ),
    ("depth", "Plies to look ahead"),
    ("depths", "Depths of searches, in plies"),
    ("dry-run", "Only report what would be done"),
    ("empties", "Numbers of empty squares"),
    ("evaluator", "What judges positions: a name or a weights file"),
    (
        "format",
        "The format of the file that is written, or, where none is, of the files that are read",
    ),
    ("from", "Only what is reached from this position"),
    ("games", "Files of games, or folders of them"),
    ("games-from", "Take the games of another book"),
    ("in-flight", "How many positions are handed out at once"),
    ("language", "Only names in this language"),
    ("least-games", "The fewest games of what is counted, listed or kept"),
    ("lenient", "Skip what is bad in a file, with a list of it, instead of refusing the file"),
    ("level", "Level of searches: depth and selectivity for each number of empties"),
    ("limit", "How many are listed, written or played at most"),
    ("line", "With --policy lines: a line or an opening's name"),
    ("loss", "What a move that is listed gives away at least, in discs"),
    ("max-discs", "Only positions with at most this many discs"),
    ("openings", "Openings: which ones a match has, or those of a player"),
    ("out", "The file that results are written or added to"),
    ("pgn", "Write games with comments into this PGN file"),
    ("player", "A player with either color"),
    ("positions", "How many positions"),
    ("runs", "How many runs"),
    ("searches", "How many searches"),
    ("seed", "Seed of the random choices: the same seed gives the same choices"),
    (
        "selectivity",
        "Selectivity of searches in percent: the confidence with which branches are cut",
    ),
    ("side", "One color: of the player, or of the side that sets the trap"),
    ("solve-from", "Positions with at most this many empties are solved"),
    ("source", "Where something came from: the file, the collection or the import"),
    ("starter", "Begin with the book that comes with the program"),
    ("table", "Memory for the transposition table in MiB"),
    ("threads", "Threads, or searches at once on one thread each"),
    (
        "time",
        "The longest time of the growth, or of each position, move, game or run that is searched",
    ),
    ("weights", "A weights file instead of the embedded weights"),
    ("window", "Only positions whose guess is at most this many discs from even"),
];

/// Every option, by name.
pub fn meanings(program: &Command) -> Vec<Meaning> {
    let mut found = BTreeMap::new();
    each_option(program, "", &mut |command, option| {
        let long = option.get_long().unwrap_or_default();
        let meaning = found.entry(long.to_owned()).or_insert_with(|| Meaning {
            option: format!("--{long}"),
            written: written(option),
            meaning: shared(long).map_or_else(|| help_of(option), str::to_owned),
            commands: Vec::new(),
        });
        meaning.commands.extend((!command.is_empty()).then(|| command.to_owned()));
    });
    found.into_values().collect()
}

fn shared(long: &str) -> Option<&'static str> {
    SHARED.iter().find(|(name, _)| *name == long).map(|&(_, meaning)| meaning)
}

/// The options of a command that is called so, and of the commands in it; those of all commands once.
fn each_option(command: &Command, name: &str, each: &mut impl FnMut(&str, &Arg)) {
    for option in command.get_arguments() {
        let is_answer = matches!(
            option.get_action(),
            ArgAction::Help | ArgAction::HelpShort | ArgAction::HelpLong | ArgAction::Version
        );
        let is_repeated = option.is_global_set() && !name.is_empty();
        if option.get_long().is_some() && !(option.is_hide_set() || is_answer || is_repeated) {
            each(name, option);
        }
    }
    for inner in command.get_subcommands().filter(|inner| !inner.is_hide_set()) {
        each_option(inner, format!("{name} {}", inner.get_name()).trim_start(), each);
    }
}

/// The first part of the help, without its default.
fn help_of(option: &Arg) -> String {
    let help = option.get_help().map(ToString::to_string).unwrap_or_default();
    help.split(" [default: ").next().unwrap_or_default().to_owned()
}

/// `-l, --level LEVEL`.
fn written(option: &Arg) -> String {
    let letter = option.get_short().map(|letter| format!("-{letter}, ")).unwrap_or_default();
    let values = option.get_value_names().filter(|_| option.get_action().takes_values());
    let value = values.and_then(<[_]>::first).map(|value| format!(" {value}"));
    format!("{letter}--{}{}", option.get_long().unwrap_or_default(), value.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::app::games::GAMES_HEADING;
    use crate::faces::cli::args::program;

    fn built() -> Command {
        let mut program = program();
        program.build();
        program
    }

    /// What each option means is said once: by its help, or where helps differ by [`SHARED`].
    #[test]
    fn an_option_means_one_thing() {
        let mut helps = BTreeMap::<_, BTreeSet<_>>::new();
        let mut letters = BTreeMap::<_, BTreeSet<_>>::new();
        each_option(&built(), "", &mut |_, option| {
            let long = option.get_long().unwrap().to_owned();
            helps.entry(long.clone()).or_default().insert(help_of(option));
            option.get_short().map(|letter| letters.entry(letter).or_default().insert(long));
        });
        let differ = helps.iter().filter(|(_, helps)| helps.len() > 1).map(|(long, _)| &**long);
        let mut shared: Vec<&str> = SHARED.iter().map(|(long, _)| *long).collect();
        shared.sort_unstable();
        assert_eq!(shared, differ.collect::<Vec<_>>());
        assert!(letters.values().all(|options| options.len() == 1), "{letters:?}");
    }

    #[test]
    fn the_choice_of_games_is_the_same_everywhere_and_nothing_else_is_under_its_heading() {
        let mut choices = BTreeMap::<_, BTreeSet<_>>::new();
        each_option(&built(), "", &mut |command, option| {
            if option.get_help_heading() == Some(GAMES_HEADING) {
                let names = choices.entry(command.to_owned()).or_default();
                names.insert(option.get_long().unwrap().to_owned());
            }
        });
        let all = choices.remove("games list").unwrap();
        assert!(all.contains("player") && choices.len() > 10);
        for (command, names) in choices {
            assert!(names.is_subset(&all), "{command}: {:?}", names.difference(&all));
        }
    }
}
