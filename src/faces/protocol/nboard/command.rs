//! What a line of NBoard asks for.

use crate::files::games::{Entry, Played, timed_move};
use crate::othello::board::Square;
use crate::othello::score::Score;
use crate::othello::search::Level;

/// What a line asks for.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Command {
    /// The protocol's version.
    Nboard,
    /// Search no deeper.
    Depth(Level),
    Game(String),
    /// A draw is worth so much to Black.
    Contempt(Score),
    /// A move or a pass was made.
    Move(Entry),
    /// Report so many best moves.
    Hint(usize),
    /// Choose a move.
    Go,
    /// Stop, and answer with this number, as it is written.
    Ping(String),
    Learn,
    /// Value every position of the game.
    Analyze,
    Quit,
    /// Nothing that is known.
    Unknown,
}

impl Command {
    pub(super) fn read(line: &str) -> Self {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "nboard" => Self::Nboard,
            "set" => Self::read_setting(rest),
            "move" => Self::Move(read_move(rest)),
            "hint" => rest.parse().map_or(Self::Hint(1), Self::Hint),
            "go" => Self::Go,
            "ping" => read_number(rest).map_or(Self::Unknown, Self::Ping),
            "learn" => Self::Learn,
            "analyze" => Self::Analyze,
            "quit" => Self::Quit,
            _ if is_bare_move(word) => Self::Move(read_move(line)),
            _ => Self::Unknown,
        }
    }

    fn read_setting(text: &str) -> Self {
        let (name, value) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let value = value.trim();
        match name {
            "depth" => {
                let plies =
                    value.parse::<i64>().map(|plies| plies.clamp(1, Level::MAX.number().into()));
                let level = plies.ok().and_then(|plies| Level::new(u8::try_from(plies).ok()?));
                level.map_or(Self::Unknown, Self::Depth)
            }
            "game" => Self::Game(value.to_owned()),
            "contempt" => match value.parse::<f64>() {
                Ok(discs) if discs.is_finite() => {
                    let centidiscs = (100.0 * discs.clamp(-100.0, 100.0)).round() as i16;
                    Self::Contempt(Score::from_centidiscs(centidiscs))
                }
                _ => Self::Unknown,
            },
            _ => Self::Unknown,
        }
    }
}

/// The number that a line begins with, however large.
fn read_number(text: &str) -> Option<String> {
    let number = text.split_whitespace().next()?;
    let digits = number.strip_prefix('-').unwrap_or(number);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| number.to_owned())
}

/// `F5//1.2`. Version 1 of the protocol parts move and time by blanks, too.
fn read_move(text: &str) -> Entry {
    timed_move(text.split_whitespace().next().unwrap_or_default())
}

/// Version 1 of the protocol sends moves without a word before them.
fn is_bare_move(word: &str) -> bool {
    let name = word.split('/').next().unwrap_or_default();
    let is_move = matches!(timed_move(name).played, Played::Square(_) | Played::Pass);
    name.len() == 2 && is_move && (name.parse::<Square>().is_ok() || !name.starts_with('-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_every_command() {
        let square = |text: &str| text.parse::<Square>().unwrap();
        let moved = |text| match Command::read(text) {
            Command::Move(Entry { played, milliseconds, .. }) => Some((played, milliseconds)),
            _ => None,
        };
        for (text, command) in [
            ("nboard 2", Command::Nboard),
            ("set depth 12", Command::Depth(Level::new(12).unwrap())),
            ("set depth 1000", Command::Depth(Level::MAX)),
            ("set depth -3", Command::Depth(Level::new(1).unwrap())),
            ("  set  game  (;GM[Othello];) ", Command::Game("(;GM[Othello];)".to_owned())),
            ("set contempt 100", Command::Contempt(Score::from_discs(100))),
            ("set contempt -100000", Command::Contempt(Score::from_discs(-100))),
            ("hint 4", Command::Hint(4)),
            ("hint", Command::Hint(1)),
            ("go", Command::Go),
            ("ping 7", Command::Ping("7".to_owned())),
            ("ping 7 8", Command::Ping("7".to_owned())),
            ("ping -1", Command::Ping("-1".to_owned())),
            ("ping 99999999999999999999", Command::Ping("99999999999999999999".to_owned())),
            ("learn", Command::Learn),
            ("analyze", Command::Analyze),
            ("quit", Command::Quit),
        ] {
            assert_eq!(Command::read(text), command, "{text}");
        }
        for text in [
            "",
            "xyzzy",
            "set",
            "set style 3",
            "set depth",
            "set depth x",
            "set contempt nan",
            "ping",
            "ping x",
            "ping -",
            "Go",
            "i9",
            "--",
            "f",
            "f55",
            "status searching",
        ] {
            assert_eq!(Command::read(text), Command::Unknown, "{text}");
        }
        assert_eq!(moved("move F5//1.2"), Some((Played::Square(square("f5")), Some(1200))));
        assert_eq!(moved("move f5/0.34"), Some((Played::Square(square("f5")), None)));
        for text in ["move PA", "move pass//0.1", "move --", "PA", "pa"] {
            assert_eq!(moved(text).map(|(played, _)| played), Some(Played::Pass), "{text}");
        }
        assert_eq!(moved("F5"), Some((Played::Square(square("f5")), None)));
        assert_eq!(moved("f5//0.3").map(|(_, time)| time), Some(Some(300)));
        assert!(matches!(moved("move z9"), Some((Played::Unreadable(_), _))));
        assert!(matches!(moved("move"), Some((Played::Unreadable(_), _))));
    }
}
