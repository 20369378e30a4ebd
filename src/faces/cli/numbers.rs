//! Numbers behind options, also those below zero: their parser reports what is wrong with them,
//! since it knows what was expected, and not that there is no option of their name.

use std::any::TypeId;
use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::ValueParser;
use clap::{Arg, Command};

use crate::files::games::Asked;

/// A command whose options that take numbers, or anything but texts, take what begins with a hyphen, too.
pub fn with_numbers_below_nought(command: Command) -> Command {
    command.mut_args(takes_hyphen).mut_subcommands(with_numbers_below_nought)
}

fn takes_hyphen(argument: Arg) -> Arg {
    if !argument.get_action().takes_values() || is_text(argument.get_value_parser()) {
        return argument;
    }
    // Where several values may follow, or none, an option may, too.
    let is_one = argument.get_num_args().is_none_or(|count| count == 1.into());
    if is_one && !argument.is_positional() {
        argument.allow_hyphen_values(true)
    } else {
        argument.allow_negative_numbers(true)
    }
}

/// Whether the values are texts: behind an option for these, another option is one.
fn is_text(parser: &ValueParser) -> bool {
    let texts = [
        TypeId::of::<String>(),
        TypeId::of::<OsString>(),
        TypeId::of::<PathBuf>(),
        TypeId::of::<Asked>(),
    ];
    texts.iter().any(|text| parser.type_id() == *text)
}

#[cfg(test)]
mod tests {
    use std::error::Error as _;

    use clap::CommandFactory;
    use clap::error::ErrorKind;

    use super::*;
    use crate::faces::cli::args::Arguments;

    /// All commands with the words that lead to them.
    fn commands(command: &Command, way: &[String], found: &mut Vec<(Vec<String>, Command)>) {
        found.push((way.to_vec(), command.clone()));
        for inner in command.get_subcommands() {
            let way = [way, &[inner.get_name().to_owned()]].concat();
            commands(inner, &way, found);
        }
    }

    #[test]
    fn no_number_below_nought_is_taken_for_an_option() {
        let program = with_numbers_below_nought(Arguments::command());
        let mut all = Vec::new();
        commands(&program, &["rosebill".to_owned()], &mut all);
        let mut options = 0;
        for (way, command) in all {
            for argument in command.get_arguments() {
                let Some(name) = argument.get_long() else { continue };
                let takes_numbers = argument.get_action().takes_values()
                    && !argument.is_require_equals_set()
                    && !is_text(argument.get_value_parser());
                if !takes_numbers {
                    continue;
                }
                options += 1;
                let given = [&way[..], &[format!("--{name}"), "-5".to_owned()]].concat();
                let kind = program.clone().try_get_matches_from(&given).map_err(|e| e.kind());
                assert!(!matches!(kind, Err(ErrorKind::UnknownArgument)), "{given:?}");
                // What is wrong is said in our words.
                let given = [&way[..], &[format!("--{name}"), "x".to_owned()]].concat();
                let wrong = program.clone().try_get_matches_from(&given).err();
                let wrong = wrong.and_then(|error| error.source().map(ToString::to_string));
                let theirs = wrong.filter(|wrong| wrong.starts_with("invalid "));
                assert_eq!(theirs, None, "{given:?}");
            }
        }
        assert!(options > 150, "{options}");
    }

    #[test]
    fn options_behind_several_numbers_are_options() {
        let program = with_numbers_below_nought(Arguments::command());
        let given = "rosebill lab train stretch x --depths 4 6 --out y";
        let read = |given: &str| program.clone().try_get_matches_from(given.split(' '));
        assert!(read(given).is_ok());
        assert!(read("rosebill games show 5 --json").is_ok());
        assert!(read("rosebill lab train fit --out x --start --json").is_err());
    }
}
