//! Lines of GTP taken apart.

use crate::app::player::LONGEST_TIME;
use crate::files::counted::counted;
use crate::othello::board::{Side, Square};

/// A line of GTP.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Command<'a> {
    /// The number that the answer must repeat.
    pub(super) id: Option<&'a str>,
    pub(super) name: &'a str,
    pub(super) arguments: Vec<&'a str>,
    /// All arguments as they are, with their blanks.
    pub(super) text: &'a str,
}

/// What is left of a line without comments and control characters.
pub(super) fn cleaned(line: &str) -> String {
    let text = line.split('#').next().unwrap_or_default();
    let characters = text.chars().map(|character| if character == '\t' { ' ' } else { character });
    characters.filter(|character| !character.is_control()).collect()
}

/// Whether a line is the comment by which GoGui interrupts a command that runs.
pub fn is_interrupt(line: &str) -> bool {
    line.strip_prefix('#').is_some_and(|comment| comment.trim() == "interrupt")
}

impl<'a> Command<'a> {
    /// Reads a cleaned line; none where it is empty.
    pub(super) fn read(line: &'a str) -> Option<Self> {
        let part = |text: &'a str| {
            let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
            (word, rest.trim_start())
        };
        let (first, behind) = part(line.trim());
        let is_id = !first.is_empty() && first.bytes().all(|byte| byte.is_ascii_digit());
        // A number alone asks for nothing, and gets an error.
        let (name, text) = if is_id { part(behind) } else { (first, behind) };
        let arguments = text.split_whitespace().collect();
        (is_id || !name.is_empty()).then_some(Self {
            id: is_id.then_some(first),
            name,
            arguments,
            text,
        })
    }

    /// Refuses what a command does not take: more arguments than this.
    pub(super) fn at_most(&self, arguments: usize) -> Result<(), String> {
        match self.arguments.get(arguments) {
            Some(_) if arguments == 0 => Err("syntax error: expected no argument".to_owned()),
            Some(_) => Err(format!(
                "syntax error: expected no more than {}",
                counted(arguments as u64, "argument")
            )),
            None => Ok(()),
        }
    }

    pub(super) fn side(&self, index: usize) -> Result<Side, String> {
        let word = self.arguments.get(index).copied().unwrap_or_default();
        match word.to_ascii_lowercase().as_str() {
            "b" | "black" => Ok(Side::Black),
            "w" | "white" => Ok(Side::White),
            _ => Err("syntax error: expected a color, black or white".to_owned()),
        }
    }

    /// A square, or none for a pass.
    pub(super) fn vertex(&self, index: usize) -> Result<Option<Square>, String> {
        let word = self.arguments.get(index).copied().unwrap_or_default();
        if word.eq_ignore_ascii_case("pass") {
            return Ok(None);
        }
        let wrong = |_| "syntax error: expected a square a1 to h8, or pass".to_owned();
        word.parse().map(Some).map_err(wrong)
    }

    /// A number of seconds, 0 or more.
    pub(super) fn seconds(&self, index: usize) -> Result<std::time::Duration, String> {
        let seconds = self.arguments.get(index).and_then(|word| word.parse().ok());
        let time = seconds.and_then(|seconds| std::time::Duration::try_from_secs_f64(seconds).ok());
        let time = time.map(|time| time.min(LONGEST_TIME));
        time.ok_or_else(|| "syntax error: expected a number of seconds, 0 or more".to_owned())
    }

    /// A whole number, 0 or more.
    pub(super) fn whole(&self, index: usize, what: &str) -> Result<u32, String> {
        let number = self.arguments.get(index).and_then(|word| word.parse().ok());
        number.ok_or_else(|| format!("syntax error: expected {what}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_lines_apart() {
        let line = cleaned("  12\tplay  black\u{7} F5 # a comment");
        let command = Command::read(&line).unwrap();
        assert_eq!((command.id, command.name), (Some("12"), "play"));
        assert_eq!((command.side(0), command.vertex(1)), (Ok(Side::Black), Ok("f5".parse().ok())));
        assert_eq!(Command::read(&cleaned("# 1 quit")), None);
        assert_eq!(Command::read("   "), None);
        assert_eq!(
            Command::read("7").map(|command| (command.id, command.name)),
            Some((Some("7"), ""))
        );
        let bad = Command::read("play green i9 -1 x").unwrap();
        assert!(bad.side(0).is_err() && bad.vertex(1).is_err() && bad.seconds(2).is_err());
        assert!(bad.whole(3, "a number").is_err() && bad.vertex(9).is_err());
        assert!(Command::read("time_left b 1e99 0").unwrap().seconds(1).is_err());
    }
}
