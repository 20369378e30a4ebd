//! What a player types.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum as _;

use crate::app::amounts::level;
use crate::app::player::TimeControl;
use crate::faces::cli::duration::parse_duration;
use crate::files::games::{Asked, SAVED_ENDINGS};
use crate::othello::board::{Line, Square};
use crate::othello::one_line::one_line;
use crate::othello::search::Level;

use super::setting::You;

/// Something that can be typed: an example, what it does, and more of it.
pub(super) struct Topic {
    typed: &'static str,
    does: &'static str,
    more: &'static str,
}

const fn topic(typed: &'static str, does: &'static str, more: &'static str) -> Topic {
    Topic { typed, does, more }
}

/// What can be typed, as 'help' shows it.
const TOPICS: [Topic; 19] = [
    topic(
        "f5",
        "play there; 'f5 d6 c3' plays all three, for both sides",
        "Several moves are played as they come, whichever side you have; then the other side moves.",
    ),
    topic(
        "undo",
        "take your last move back; 'undo 3' takes three",
        "What rosebill answered goes with them, and clocks get their time back.",
    ),
    topic(
        "redo",
        "play again what was taken back",
        "'redo 3' three times. Another move played meanwhile ends that.",
    ),
    topic("go", "let rosebill move for you", "It takes as long as for moves of its own."),
    topic(
        "hint",
        "the best moves with their lines; 'hint 5' for five",
        "Moves of the book come first. What is searched goes as deep as the level says.",
    ),
    topic(
        "values",
        "what each move is worth, on the board",
        "Values are discs for the side to move.",
    ),
    topic("moves", "the moves of this game", "They are in one word, as other commands take them."),
    topic(
        "analyze",
        "what each move of the game cost, and what was better",
        "As the command analyze does; nothing is stored. Ctrl-C ends it.",
    ),
    topic(
        "side white",
        "change sides: black, white or both",
        "With 'side both' you move for both sides.",
    ),
    topic(
        "level 12",
        "search this deep; 'level off' as deep as time allows",
        "1 to 60 plies; ends are solved earlier the higher it is. 'level' alone says what it is.",
    ),
    topic(
        "time 3s",
        "search this long for each move; 'time off' as long as usual",
        "A number with ms, s or m. It ends a clock. 'time' alone says what is left.",
    ),
    topic(
        "clock 5:00/3",
        "play with a clock; 'clock off' without",
        "Minutes:seconds for each side, and seconds added after each move. 'clock' alone says what is left.",
    ),
    topic(
        "book off",
        "play and hint without the book; 'book on' with it",
        "'book' alone says which.",
    ),
    topic("open game.pgn", "go on with the first game of a file", "Games of any format are read."),
    topic("save game.pgn", "keep the game; also {endings}", "The file must be new."),
    topic(
        "set tiger",
        "begin at a line, a name or a board",
        "A board is 64 squares and the side to move. 'new' begins there again; 'set start' at the usual start.",
    ),
    topic("new", "begin a new game", "The one before is kept too, where --save was given."),
    topic(
        "quit",
        "leave",
        "Ctrl-D leaves too. Ctrl-C while rosebill thinks makes it play now; twice leaves.",
    ),
    topic("help", "this; 'help undo' explains one", ""),
];

/// Short and other names; some are those of Edax and Egaroucid.
const OTHER_NAMES: [(&str, &str); 13] = [
    ("u", "undo"),
    ("r", "redo"),
    ("h", "hint"),
    ("q", "quit"),
    ("exit", "quit"),
    ("?", "help"),
    ("load", "open"),
    ("init", "new"),
    ("setboard", "set"),
    ("mode", "side"),
    ("analyse", "analyze"),
    ("record", "moves"),
    ("eval", "values"),
];

/// How many moves a hint shows.
const USUAL_HINTS: usize = 3;

impl Topic {
    fn name(&self) -> &'static str {
        self.typed.split(' ').next().unwrap_or_default()
    }

    fn named(name: &str) -> Option<&'static Self> {
        TOPICS.iter().find(|topic| topic.name() == name)
    }

    fn line(&self) -> String {
        let others = SAVED_ENDINGS.replace(" or ", ", ").replace(".pgn, ", "");
        format!("  {:<15}{}", self.typed, self.does.replace("{endings}", &others))
    }

    /// What 'help' says of it alone.
    pub(super) fn text(&self) -> String {
        [self.line(), self.more.to_owned()].join("\n  ").trim_end().to_owned()
    }
}

/// What can be typed, as 'help' shows it.
pub(super) fn help() -> String {
    TOPICS.iter().map(Topic::line).collect::<Vec<_>>().join("\n")
}

/// What a setting is to be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Change<T> {
    /// As it is: it is only asked for.
    Asked,
    Off,
    To(T),
}

/// What a player wants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Command {
    Play(Vec<Square>),
    Pass,
    /// So many times.
    Undo(usize),
    Redo(usize),
    Go,
    Hint(usize),
    Values,
    Moves,
    Analyze,
    Side(Change<You>),
    Level(Change<Level>),
    Time(Change<Duration>),
    Clock(Change<TimeControl>),
    Book(Change<()>),
    Open(PathBuf),
    Save(PathBuf),
    Set(Box<Line>),
    New,
    Quit,
    /// Of all that can be typed, or of one of it.
    Help(String),
    /// An empty line.
    Nothing,
}

impl Command {
    pub(super) fn read(line: &str) -> Result<Self, String> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let (name, rest) = (canonical(word), rest.trim());
        match (name.as_str(), rest) {
            ("", _) => Ok(Self::Nothing),
            ("pass" | "pa" | "ps" | "--", "") => Ok(Self::Pass),
            ("undo", times) => Ok(Self::Undo(number(&name, times, 1)?)),
            ("redo", times) => Ok(Self::Redo(number(&name, times, 1)?)),
            ("hint", count) => Ok(Self::Hint(number(&name, count, USUAL_HINTS)?)),
            ("go", "") => Ok(Self::Go),
            ("values", "") => Ok(Self::Values),
            ("moves", "") => Ok(Self::Moves),
            ("analyze", "") => Ok(Self::Analyze),
            ("side", side) => change(&name, side, |side| {
                You::from_str(side, true).map_err(|_| "expected black, white or both")
            })
            .map(Self::Side),
            ("level", wanted) => change(&name, wanted, level).map(Self::Level),
            ("time", time) => change(&name, time, |time| match parse_duration(time)? {
                Duration::ZERO => Err("expected more than 0".to_owned()),
                time => Ok(time),
            })
            .map(Self::Time),
            ("clock", clock) => change(&name, clock, str::parse).map(Self::Clock),
            ("book", "on") => Ok(Self::Book(Change::To(()))),
            ("book", is_on) => change(&name, is_on, |_| Err("expected on or off")).map(Self::Book),
            ("open", "") | ("save", "") => Err(example("which file?", &name)),
            ("open", file) => Ok(Self::Open(PathBuf::from(file))),
            ("save", file) => Ok(Self::Save(PathBuf::from(file))),
            ("set", "") => Err(example("which position?", &name)),
            ("set", place) => match place.parse::<Asked>() {
                Ok(asked) => Ok(Self::Set(Box::new(asked.line))),
                Err(error) => Err(error.to_string()),
            },
            ("new", "") => Ok(Self::New),
            ("quit", "") => Ok(Self::Quit),
            ("help", "") => Ok(Self::Help(help())),
            ("help", about) => match Topic::named(&canonical(about)) {
                Some(topic) => Ok(Self::Help(topic.text())),
                None if squares(about).is_some() => Ok(Self::Help(TOPICS[0].text())),
                None => {
                    Err(format!("there is no '{}' to type; help lists all", one_line(about, 20)))
                }
            },
            ("play", moves) => squares(moves).map(Self::Play).ok_or_else(|| unknown(moves)),
            _ => squares(line).map(Self::Play).ok_or_else(|| unknown(line)),
        }
    }
}

/// The name in [`TOPICS`] of a word that is typed.
fn canonical(word: &str) -> String {
    let word = word.to_ascii_lowercase();
    let other = OTHER_NAMES.iter().find(|(other, _)| *other == word);
    other.map_or(word, |(_, name)| (*name).to_owned())
}

/// Moves one behind the other, with blanks or without.
fn squares(text: &str) -> Option<Vec<Square>> {
    let is_number = |word: &&str| {
        let digits = word.trim_end_matches('.');
        digits.len() < word.len() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let words = text.split_whitespace().filter(|word| !is_number(word));
    // `1.f5` is `f5`.
    let bare = words.map(|word| match word.split_once('.') {
        Some((number, square)) if number.bytes().all(|byte| byte.is_ascii_digit()) => square,
        _ => word,
    });
    let text: Vec<u8> = bare.flat_map(str::bytes).collect();
    let (pairs, rest) = text.as_chunks::<2>();
    let squares = pairs.iter().map(|&[column, row]| Square::from_ascii(column, row));
    squares.collect::<Option<Vec<_>>>().filter(|all| rest.is_empty() && !all.is_empty())
}

fn number(name: &str, text: &str, usual: usize) -> Result<usize, String> {
    match text.parse() {
        Ok(number @ 1..=64) => Ok(number),
        _ if text.is_empty() => Ok(usual),
        Ok(_) => Err(format!("{name}: expected 1 to 64")),
        _ => Err(format!("how many? Type for example: {name} 3")),
    }
}

fn change<T, E: fmt::Display>(
    name: &str,
    text: &str,
    read: impl FnOnce(&str) -> Result<T, E>,
) -> Result<Change<T>, String> {
    match text {
        "" => Ok(Change::Asked),
        "off" => Ok(Change::Off),
        text => match read(text) {
            Ok(to) => Ok(Change::To(to)),
            Err(why) => Err(example(&format!("{name} '{}': {why}.", one_line(text, 20)), name)),
        },
    }
}

fn example(what: &str, name: &str) -> String {
    let typed = Topic::named(name).map_or(name, |topic| topic.typed);
    format!("{what} Type for example: {typed}")
}

fn unknown(line: &str) -> String {
    format!("'{}' is not a move such as f5; type help for what else there is", one_line(line, 20))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(text: &str) -> Option<Command> {
        let squares: Vec<Square> = text.split(' ').map(|square| square.parse().unwrap()).collect();
        Some(Command::Play(squares))
    }

    #[test]
    fn reads_what_help_shows() {
        for topic in &TOPICS {
            assert!(Command::read(topic.typed).is_ok(), "{}", topic.typed);
            for quoted in topic.text().split('\'').skip(1).step_by(2) {
                assert!(Command::read(quoted).is_ok(), "{quoted}");
            }
            assert!(topic.line().len() <= 80 && topic.more.len() <= 120, "{}", topic.typed);
            let alone = Command::read(&format!("help {}", topic.name()));
            assert_eq!(alone, Ok(Command::Help(topic.text())));
        }
        for (other, name) in OTHER_NAMES {
            assert!(Topic::named(other).is_none() && Topic::named(name).is_some(), "{other}");
        }
    }

    #[test]
    fn moves_and_numbers_are_read_as_they_are_typed() {
        assert_eq!(Command::read(" F5 ").ok(), played("f5"));
        for text in ["f5 d6 c3", "f5d6c3", "F5D6 c3", "play f5d6c3"] {
            assert_eq!(Command::read(text).ok(), played("f5 d6 c3"), "{text}");
        }
        assert_eq!(Command::read("HINT 5"), Ok(Command::Hint(5)));
        assert_eq!(Command::read("u 3"), Ok(Command::Undo(3)));
        assert_eq!(Command::read("redo"), Ok(Command::Redo(1)));
        assert_eq!(Command::read("save my game.sgf"), Ok(Command::Save("my game.sgf".into())));
        assert_eq!(Command::read("set f5d6").ok(), Command::read("setboard f5 d6").ok());
        assert_eq!(Command::read("level"), Ok(Command::Level(Change::Asked)));
        assert_eq!(Command::read("clock off"), Ok(Command::Clock(Change::Off)));
        let time = Change::To(Duration::from_secs(3));
        assert_eq!(Command::read("time 3s"), Ok(Command::Time(time)));
        assert_eq!(Command::read("side both"), Ok(Command::Side(Change::To(You::Both))));
        assert_eq!(Command::read("book on"), Ok(Command::Book(Change::To(()))));
        assert_eq!(Command::read(""), Ok(Command::Nothing));
        for text in [
            "i9",
            "f5 d",
            "hint x",
            "hint 0",
            "save",
            "open",
            "undo x",
            "level 0",
            "level x",
            "time 0",
            "time x",
            "clock x",
            "side green",
            "book x",
            "set",
            "set xyzzy",
            "help xyzzy",
            "go 3",
            "\u{1b}[2J",
        ] {
            let told = Command::read(text).unwrap_err();
            assert!(!told.contains('\u{1b}') && told.len() < 400, "{told}");
        }
    }
}
