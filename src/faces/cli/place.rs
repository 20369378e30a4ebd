//! POSITION arguments: one position in words that need no quotes, or many from a file or from
//! standard input.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use anyhow::{Context as _, anyhow, bail};

use super::context::Context;
use super::exit::Status;
use super::hint::Refusal;
use super::output::fault;
use super::wrong_file::what_it_is;
use crate::app::FileKind;
use crate::faces::render::typed;
use crate::files::counted::counted;
use crate::files::games::{Asked, GameFormat, one_position, read_positions, text_of};
use crate::othello::board::looks_like_a_board;
use crate::othello::whole_file::{LONGEST_LIST, read_to_end, read_whole};

/// A position of several, with its number among them, from 1. Those that cannot be read count.
#[derive(Clone, Debug)]
pub struct Numbered {
    /// From 1.
    pub index: usize,
    pub asked: Asked,
}

/// What a user asks about.
#[derive(Debug)]
pub struct Positions {
    /// Those that can be read, in their order.
    pub list: Vec<Numbered>,
    /// Whether they come from a file or from standard input, however many there are.
    pub are_listed: bool,
    /// How many could not be read; they have been reported.
    unreadable: usize,
}

/// Whether this can be read as a file: a pipe with a name is as good as one.
fn is_file(path: &Path) -> bool {
    path.exists() && !path.is_dir()
}

const STANDARD_INPUT: &str = "standard input";

/// How much of a file is looked at to see whether it is text.
const HEAD: usize = 64 << 10;

/// The most unreadable lines that are reported one by one.
const MOST_TOLD: usize = 20;

impl Positions {
    /// Reads the words of a POSITION: `-` is standard input, the names of files that are there are these
    /// files, with a position on each line, or with one that takes several. A line that cannot be read is reported,
    /// and the others go their way. A note says of which boards Black's turn was assumed.
    pub fn read(words: &[OsString], context: &Context) -> anyhow::Result<Self> {
        let positions = Self::of_words(words)?;
        note_turns(positions.list.iter().map(|numbered| &numbered.asked), context);
        Ok(positions)
    }

    /// Answers each, of several under its moves and what `title` says of them; an answer is false where there is
    /// none.
    pub fn answer_each(
        &self,
        context: &mut Context,
        title: impl Fn(&Asked) -> String,
        mut answer: impl FnMut(&Numbered, Option<usize>, &mut Context) -> anyhow::Result<bool>,
    ) -> anyhow::Result<Status> {
        let mut status = Status::Done;
        for (number, position) in self.list.iter().enumerate() {
            if self.are_listed && !context.output.is_json() {
                let before = if number > 0 { "\n" } else { "" };
                let asked = &position.asked;
                let head = format!("{before}{}  {}", asked.line.whole_text(), title(asked));
                context.output.line(head.trim_end())?;
            }
            if !answer(position, self.index(position), context)? {
                status = Status::NotFound;
            }
        }
        Ok(self.ended(status))
    }

    fn of_words(words: &[OsString]) -> anyhow::Result<Self> {
        if let [word] = words
            && word == OsStr::new("-")
        {
            let bytes =
                read_to_end(std::io::stdin().lock(), LONGEST_LIST).context("standard input")?;
            return Self::of_lines(&bytes, STANDARD_INPUT);
        }
        let are_files = !words.is_empty() && words.iter().all(|word| is_file(Path::new(word)));
        let text: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
        let text = text.join(" ");
        let asked = match text.parse::<Asked>() {
            // Of one word a file goes first; several that make a line are one, whatever lies there.
            Ok(_) if are_files && words.len() == 1 => return Self::of_files(words),
            Err(_) if are_files => return Self::of_files(words),
            Ok(asked) => asked,
            Err(error) => {
                let word = words.iter().find(|word| !is_file(Path::new(word)));
                let beside = word.filter(|_| words.iter().any(|word| is_file(Path::new(word))));
                let missing = match beside {
                    Some(word) => missing_file(&word.to_string_lossy()),
                    None => missing_file(&text),
                };
                return Err(match missing {
                    Some(missing) => anyhow!(missing),
                    None => anyhow::Error::new::<crate::files::games::AskedError>(error),
                });
            }
        };
        let list = vec![Numbered { index: 1, asked }];
        Ok(Self { list, are_listed: false, unreadable: 0 })
    }

    /// Those of files, one after the other, with numbers that run on.
    fn of_files(files: &[OsString]) -> anyhow::Result<Self> {
        let mut all = Self { list: Vec::new(), are_listed: true, unreadable: 0 };
        for path in files.iter().map(Path::new) {
            let name = path.display().to_string();
            // A book may be large.
            if let Ok(FileKind::Book) = FileKind::of_file(path) {
                bail!(
                    no_positions(FileKind::Book, &name)
                        .map_or_else(|| anyhow!("{name}"), Into::into)
                );
            }
            let bytes =
                read_whole(path, LONGEST_LIST).with_context(|| format!("cannot read {name}"))?;
            let Self { list, unreadable, .. } = Self::of_lines(&bytes, &name)?;
            let before = all.list.len() + all.unreadable;
            let numbered = |one: Numbered| Numbered { index: before + one.index, asked: one.asked };
            all.list.extend(list.into_iter().map(numbered));
            all.unreadable += unreadable;
        }
        Ok(all)
    }

    fn of_lines(bytes: &[u8], name: &str) -> anyhow::Result<Self> {
        let kind = || FileKind::of(Path::new(name), bytes.get(..HEAD).unwrap_or(bytes));
        let no_text =
            || anyhow!("{name} is not text: expected a file with a position on each line");
        let text = text_of(bytes)
            .ok_or_else(|| no_positions(kind(), name).map_or_else(no_text, Into::into))?;
        let mut positions = Self { list: Vec::new(), are_listed: true, unreadable: 0 };
        // A game that is typed means its end; a file of them is one of games.
        let begins_otherwise = text.trim_start().starts_with(['(', '[', ';'])
            || read_positions(&text).next().is_some_and(|(_, first)| first.is_err());
        if begins_otherwise && let Some(refusal) = no_positions(kind(), name) {
            return Err(refusal.into());
        }
        if let Some(whole) = one_position(&text) {
            let asked = whole.map_err(|error| anyhow!("{name}: {error}"))?;
            positions.list.push(Numbered { index: 1, asked });
            return Ok(positions);
        }
        let mut faults: Vec<String> = Vec::new();
        for (number, (line, asked)) in read_positions(&text).enumerate() {
            match asked {
                Ok(asked) => positions.list.push(Numbered { index: number + 1, asked }),
                Err(error) => {
                    positions.unreadable += 1;
                    if positions.unreadable <= MOST_TOLD {
                        faults.push(format!("{name}, line {line}: {error}"));
                    }
                }
            }
        }
        // One fault is reported once.
        if let ([fault], true) = (&faults[..], positions.list.is_empty()) {
            bail!("{fault}");
        }
        faults.iter().for_each(fault);
        if positions.unreadable > MOST_TOLD {
            let more = positions.unreadable - MOST_TOLD;
            fault(format_args!("{name}: {more} more lines are no positions"));
        }
        if positions.list.is_empty() {
            bail!("{name} holds no position: expected one on each line");
        }
        Ok(positions)
    }

    /// How a command ends that ended so for the positions that could be read.
    pub fn ended(&self, status: Status) -> Status {
        match status {
            Status::Done | Status::NotFound if self.unreadable > 0 => Status::Partly,
            status => status,
        }
    }

    /// The number of a position, where there are several.
    pub fn index(&self, position: &Numbered) -> Option<usize> {
        self.are_listed.then_some(position.index)
    }
}

/// Says of boards without a side to move that Black's turn was assumed.
pub fn note_turns<'a>(asked: impl IntoIterator<Item = &'a Asked>, context: &Context) {
    let open = asked.into_iter().filter(|asked| asked.is_turn_assumed).count();
    if open > 0 {
        let boards = counted(open as u64, "board");
        context.note(format_args!(
            "{boards} without a side to move: Black's turn is assumed; X or O behind the squares says it"
        ));
    }
}

/// A position that growth starts from, or a line of it; of a file it is said how it is given instead.
pub fn start(text: &str) -> Result<Asked, String> {
    text.parse().map_err(|error: crate::files::games::AskedError| match Path::new(text).is_file() {
        true => {
            let words = typed(["--policy", "lines", "--games", text]);
            format!("it is a file: {words} grows along the lines in it")
        }
        false => error.to_string(),
    })
}

/// Says what a file is whose lines are no positions; none where nothing better is known of it.
fn no_positions(kind: FileKind, name: &str) -> Option<Refusal> {
    // Games with nothing but their moves are lines, each of which leads to a position.
    if matches!(kind, FileKind::Positions | FileKind::Games(GameFormat::Transcript)) {
        return None;
    }
    let file = match (name, kind) {
        (STANDARD_INPUT, FileKind::Games(_)) => "-",
        (STANDARD_INPUT, _) => "FILE",
        (name, _) => name,
    };
    what_it_is(kind, name, Path::new(file))
}

/// What is wrong with a text that is no position but looks like the name of a file.
pub fn missing_file(text: &str) -> Option<String> {
    let path = Path::new(text);
    if path.is_dir() {
        return Some(format!("{text} is a folder: expected a file of positions, or a position"));
    }
    let ending = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    let is_ending = (1..=5).contains(&ending.len()) && ending.chars().all(char::is_alphanumeric);
    is_ending.then(|| format!("no file {text}"))
}

/// Squares of a row.
const ROW: usize = 8;

/// An argument of the command line as the parser can take it: a board, or a row of one, may begin with a
/// hyphen, which stands for an empty square as a dot does.
pub fn board_is_no_flag(argument: OsString) -> OsString {
    match argument.to_str().and_then(|text| text.strip_prefix('-').map(|rest| (text, rest))) {
        Some((text, rest))
            if (looks_like_a_board(text) && !text.contains('=')) || is_a_row(text) =>
        {
            format!(".{rest}").into()
        }
        _ => argument,
    }
}

/// Whether a text is one row of a board, perhaps with a bracket behind it.
fn is_a_row(text: &str) -> bool {
    let row = text.trim_end_matches([']', '/', '|']);
    row.len() == ROW && row.chars().all(|sign| matches!(sign, '-' | 'X' | 'x' | '*' | 'O' | 'o'))
}

/// The options that take a position.
const WITH_POSITION: [&str; 5] = ["--from", "--only", "--opening", "--position", "--line"];

/// Arguments of the command line in which a position behind an option is one argument: as many of the
/// words behind it as make a position are joined.
pub fn positions_joined(arguments: Vec<OsString>) -> Vec<OsString> {
    let mut joined = Vec::with_capacity(arguments.len());
    let mut rest = &arguments[..];
    while let Some((argument, behind)) = rest.split_first() {
        joined.push(argument.clone());
        rest = behind;
        if argument == "--" {
            break;
        }
        if takes_position(argument)
            && let Some((words, text)) = longest_position(rest)
        {
            joined.push(text.into());
            rest = rest.get(words..).unwrap_or_default();
        }
    }
    joined.extend_from_slice(rest);
    joined
}

/// Says of boards behind options without a side to move that Black's turn was assumed; each is one argument.
pub(super) fn note_turns_of_options(arguments: &[OsString], context: &Context) {
    let texts: Vec<_> = arguments.iter().map(|argument| argument.to_string_lossy()).collect();
    let glued = texts.iter().filter_map(|text| text.split_once('='));
    let pairs = texts.iter().zip(texts.iter().skip(1));
    let given = glued.chain(pairs.map(|(option, text)| (&**option, &**text)));
    let given = given.filter(|(option, _)| WITH_POSITION.contains(option));
    let asked: Vec<Asked> = given.filter_map(|(_, text)| text.parse().ok()).collect();
    note_turns(&asked, context);
}

/// Whether an argument is an option that a position follows.
pub(super) fn takes_position(argument: &OsStr) -> bool {
    argument.to_str().is_some_and(|argument| WITH_POSITION.contains(&argument))
}

/// The most words that a position has: those of 60 moves with their numbers, and a board.
const MOST_WORDS: usize = 100;

/// How many of the first words are a position, joined; none when not even the first is.
pub(super) fn longest_position(words: &[OsString]) -> Option<(usize, String)> {
    let words: Vec<&str> = words.iter().take(MOST_WORDS).map_while(|word| word.to_str()).collect();
    // FEN has two dashes behind the side to move.
    let is_fen = words.iter().any(|word| word.contains('/'));
    let are_dashes = |pair: &[&str]| is_fen && pair == ["-", "-"];
    let is_of_fen = |at: usize| {
        words.get(at..at + 2).is_some_and(are_dashes)
            || at.checked_sub(1).and_then(|before| words.get(before..=at)).is_some_and(are_dashes)
    };
    let mut options = words.iter().enumerate().filter(|(_, word)| word.starts_with('-'));
    let count = options.find(|(at, _)| !is_of_fen(*at)).map_or(words.len(), |(at, _)| at);
    let words = &words[..count];
    let texts = (1..=words.len()).rev().map(|count| (count, words[..count].join(" ")));
    texts.into_iter().find(|(_, text)| text.parse::<Asked>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::board::Placed;

    fn read(words: &[&str]) -> anyhow::Result<Positions> {
        let words: Vec<OsString> = words.iter().map(OsString::from).collect();
        Positions::of_words(&words)
    }

    #[test]
    fn words_need_no_quotes() {
        for (words, line) in [
            (&["f5", "d6", "c3"][..], "f5d6c3"),
            (&["1.", "f5", "d6", "2.", "c3"], "f5d6c3"),
            (&["Rose", "v", "Toth"], "f5f6e6d6c5e3d3"),
            (&[], ""),
        ] {
            let positions = read(words).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(positions.list[0].asked.line.to_string(), line);
        }
        let message = |word: &str| read(&[word]).map(|_| ()).unwrap_err().to_string();
        assert_eq!(message("none.obf"), "no file none.obf");
        assert!(message("src").starts_with("src is a folder"));
    }

    #[test]
    fn boards_are_told_from_flags() {
        let board = Placed::START.position.board_text(Placed::START.side);
        let argument = |text: &str| board_is_no_flag(text.into()).into_string().unwrap_or_default();
        assert_eq!(argument(&board), format!(".{}", &board[1..]));
        for flag in ["--json", "-", "--", "--from=----------------", "--table-megabytes", "f5d6"] {
            assert_eq!(argument(flag), flag);
        }
    }

    #[test]
    fn a_position_behind_an_option_needs_no_quotes() {
        for (given, joined) in [
            (&["grow", "--from", "central", "tiger", "--level", "2"][..], 5),
            (&["export", "--from", "f5", "d6", "c3", "a.dat"], 4),
            (&["export", "--from", "Rose", "v", "Toth", "a.dat"], 4),
            (&["export", "--from", "tiger", "a.dat"], 4),
            (&["prune", "--only", "1.", "f5", "d6"], 3),
            (&["grow", "--from", "tigre", "x"], 4),
            (&["grow", "--from", "tiger", "--", "f5", "--from", "f5", "d6"], 8),
            (&["grow", "--from"], 2),
        ] {
            let given: Vec<OsString> = given.iter().map(OsString::from).collect();
            let result = positions_joined(given.clone());
            assert_eq!(result.len(), joined, "{given:?}: {result:?}");
            let text = |words: &[OsString]| words.join(OsStr::new(" "));
            assert_eq!(text(&result), text(&given));
        }
    }
}
