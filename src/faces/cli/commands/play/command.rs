//! What a player types.

use std::path::PathBuf;

use crate::files::games::SAVED_ENDINGS;
use crate::othello::board::Square;
use crate::othello::one_line::one_line;

/// What can be typed.
const HELP: &str = "  \
  f5             play there
  undo           take your last move back
  hint           the best moves; 'hint 5' for five
  save game.pgn  keep the game; also {endings}
  new            begin a new game
  quit           leave
  help           this";

/// What can be typed, as 'help' shows it.
pub(super) fn help() -> String {
    let others = SAVED_ENDINGS.replace(" or ", ", ").replace(".pgn, ", "");
    HELP.replace("{endings}", &others)
}

/// How many moves a hint shows.
const USUAL_HINTS: usize = 3;

/// What a player wants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Command {
    Play(Square),
    Pass,
    Undo,
    Hint(usize),
    Save(PathBuf),
    New,
    Quit,
    Help,
    /// An empty line.
    Nothing,
}

impl Command {
    pub(super) fn read(line: &str) -> Result<Self, String> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match (word.to_ascii_lowercase().as_str(), rest) {
            ("", _) => Ok(Self::Nothing),
            ("undo" | "u", "") => Ok(Self::Undo),
            ("pass" | "pa" | "ps" | "--", "") => Ok(Self::Pass),
            ("hint" | "h", "") => Ok(Self::Hint(USUAL_HINTS)),
            ("hint" | "h", count) => match count.parse() {
                Ok(count @ 1..=64) => Ok(Self::Hint(count)),
                _ => Err("how many hints? Type for example: hint 5".to_owned()),
            },
            ("save", "") => Err("where to? Type for example: save game.pgn".to_owned()),
            ("save", file) => Ok(Self::Save(PathBuf::from(file))),
            ("new", "") => Ok(Self::New),
            ("quit" | "exit" | "q", "") => Ok(Self::Quit),
            ("help" | "?", _) => Ok(Self::Help),
            (square, "") => square.parse().map(Self::Play).map_err(|_| unknown(line)),
            _ => Err(unknown(line)),
        }
    }
}

fn unknown(line: &str) -> String {
    format!("'{}' is no move such as f5; type help for what else there is", one_line(line, 20))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_help_shows() {
        for line in HELP.lines() {
            let typed = line.split("  ").map(str::trim).find(|part| !part.is_empty()).unwrap();
            assert!(Command::read(typed).is_ok(), "{typed}");
            for quoted in line.split('\'').skip(1).step_by(2) {
                assert!(Command::read(quoted).is_ok(), "{quoted}");
            }
        }
        assert_eq!(
            Command::read(" F5 "),
            "f5".parse().map(Command::Play).map_err(|_| String::new())
        );
        assert_eq!(Command::read("HINT 5"), Ok(Command::Hint(5)));
        assert_eq!(Command::read("save my game.sgf"), Ok(Command::Save("my game.sgf".into())));
        assert_eq!(Command::read(""), Ok(Command::Nothing));
        for text in ["i9", "f5 d6", "hint x", "hint 0", "save", "undo 3", "\u{1b}[2J"] {
            let told = Command::read(text).unwrap_err();
            assert!(!told.contains('\u{1b}') && told.len() < 100, "{told}");
        }
    }
}
