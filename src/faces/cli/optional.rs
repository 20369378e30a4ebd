//! Options whose value may be left out, before words that are no value of theirs.

use std::ffi::OsString;
use std::path::Path;

use crate::othello::board::looks_like_a_board;

/// Whether the first of the words behind an option is its value.
type IsValue = fn(&str, &[OsString]) -> bool;

/// All options whose value may be left out. The parser takes it only behind an equals sign, so that no other word
/// is swallowed.
const OPTIONAL: [(&str, IsValue); 2] = [("--search", is_number), ("--fleet", is_address)];

/// Arguments of the command line in which the value behind such an option is part of the same argument.
pub fn optional_values_joined(arguments: Vec<OsString>) -> Vec<OsString> {
    let mut joined: Vec<OsString> = Vec::with_capacity(arguments.len());
    let mut rest = &arguments[..];
    while let Some((argument, behind)) = rest.split_first() {
        rest = behind;
        let mut whole = argument.clone();
        if let Some(value) = value_of(argument, behind) {
            whole.push("=");
            whole.push(value);
            rest = behind.get(1..).unwrap_or_default();
        }
        joined.push(whole);
        if argument == "--" {
            break;
        }
    }
    joined.extend_from_slice(rest);
    joined
}

/// The value of an option, where the word behind it is one.
fn value_of<'a>(argument: &OsString, behind: &'a [OsString]) -> Option<&'a str> {
    let (_, is_value) = OPTIONAL.iter().find(|(option, _)| argument == option)?;
    let word = behind.first()?.to_str().filter(|word| !word.starts_with('-'))?;
    is_value(word, behind).then_some(word)
}

/// A number would be taken for a part of the position, as the number of a move; but it may be the size of a board.
fn is_number(word: &str, words: &[OsString]) -> bool {
    let words: Vec<_> = words.iter().take(10).map(|word| word.to_string_lossy()).collect();
    let is_number = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    is_number && !looks_like_a_board(&words.join(" "))
}

/// What is the name of a file that is there is no address.
fn is_address(word: &str, _: &[OsString]) -> bool {
    !Path::new(word).exists()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faces::cli::args::Arguments;
    use clap::CommandFactory;

    fn joined(words: &str) -> String {
        let words = words.split(' ').map(OsString::from).collect();
        let joined = optional_values_joined(words);
        joined.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_number_behind_such_an_option_is_its_value() {
        for (given, expected) in [
            ("show --search 8 f5f4", "show --search=8 f5f4"),
            ("show f5f4 --search 8", "show f5f4 --search=8"),
            ("show --search 99 f5f4", "show --search=99 f5f4"),
            ("show --search f5f4", "show --search f5f4"),
            ("show --search 1. f5 d6", "show --search 1. f5 d6"),
            ("show --search=8 9", "show --search=8 9"),
            ("show --search --json", "show --search --json"),
            ("show -- --search 8", "show -- --search 8"),
            ("grow --fleet nats://h:4222 --again", "grow --fleet=nats://h:4222 --again"),
            ("grow --fleet h:4222", "grow --fleet=h:4222"),
            ("grow --fleet --again", "grow --fleet --again"),
            ("bench fleet --fleet Cargo.toml", "bench fleet --fleet Cargo.toml"),
            (
                "show --search 8 .------- -------- -------- ---O*---",
                "show --search 8 .------- -------- -------- ---O*---",
            ),
        ] {
            assert_eq!(joined(given), expected);
        }
    }

    /// An option that takes the next word or not takes one that is a command's own.
    #[test]
    fn no_option_swallows_a_word() {
        fn check(command: &clap::Command) {
            let has_words = command.get_positionals().next().is_some();
            for argument in command.get_opts().filter(|_| has_words) {
                let name = format!("--{}", argument.get_long().unwrap_or_default());
                let is_optional =
                    argument.get_num_args().is_some_and(|count| count.min_values() == 0);
                let is_listed = OPTIONAL.iter().any(|(option, _)| *option == name);
                let is_safe = argument.is_require_equals_set() && is_listed;
                let whose = command.get_name();
                assert!(!is_optional || is_safe, "{whose} {name}: see {}", file!());
            }
            command.get_subcommands().for_each(check);
        }
        let mut program = Arguments::command();
        program.build();
        check(&program);
    }
}
