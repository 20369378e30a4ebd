//! What two formats have in common: games in parentheses, made of tags with values in brackets.

use std::io::BufRead;

use super::draft::{Draft, Drafts, Refused};
use super::pgn::begins_a_tag;
use super::refused::Why;
use super::transcript::is_a_game;
use crate::files::fault::Place;
use crate::files::lines::Lines;

/// No game is longer, whatever its comments.
const LONGEST: usize = 1 << 20;

/// Reads the games of a file that are made of tags, any number of them on a line.
pub(super) struct TagReader<R> {
    games: Games<R>,
    read: fn(Place, Vec<Part>) -> Result<Draft, Why>,
}

impl<R: BufRead> TagReader<R> {
    /// `escapes` says whether a backslash in a value takes the meaning from the next character.
    pub(super) const fn new(
        lines: Lines<R>,
        escapes: bool,
        read: fn(Place, Vec<Part>) -> Result<Draft, Why>,
    ) -> Self {
        Self { games: Games::new(lines, escapes), read }
    }
}

impl<R: BufRead> Drafts for TagReader<R> {
    fn next_draft(&mut self) -> Option<Result<Draft, Refused>> {
        let (line, text) = match self.games.next()? {
            Ok(game) => game,
            Err(refused) => return Some(Err(refused)),
        };
        let place = Place::Line(line);
        let read = (self.read)(place, parts_of(&text, self.games.escapes));
        Some(read.map_err(|why| Refused { place, why }))
    }
}

/// Splits a text into games.
struct Games<R> {
    lines: Lines<R>,
    line: String,
    /// What of the line has been taken.
    at: usize,
    /// Blanks that it begins with.
    indent: usize,
    /// Whether a backslash in a value takes the meaning from the next character.
    escapes: bool,
    others: Others,
}

/// Games of other formats behind the last one in parentheses.
struct Others {
    /// Whether the last line was a tag of PGN.
    is_tag: bool,
    /// Whether there was one: the moves behind it are its game's.
    is_pgn: bool,
}

/// A game's text as far as it has been taken.
struct Open {
    text: String,
    line: u64,
    depth: usize,
    in_value: bool,
    escaped: bool,
}

impl<R: BufRead> Games<R> {
    const fn new(lines: Lines<R>, escapes: bool) -> Self {
        Self { lines, line: String::new(), at: 0, indent: 0, escapes, others: Others::NONE }
    }

    /// The next game's text from its first parenthesis to the one that closes it, with the number of
    /// the line where it begins. A game of another format is refused; other text says nothing.
    fn next(&mut self) -> Option<Result<(u64, String), Refused>> {
        let mut open: Option<Open> = None;
        loop {
            if self.at >= self.line.len() {
                match self.lines.next() {
                    Some(Ok(line)) => {
                        self.indent = line.len() - line.trim_start().len();
                        (self.line, self.at) = (line, 0);
                    }
                    Some(Err(refused)) => return Some(Err(refused)),
                    None => return open.map(|open| Err(refused(open.line, Why::Cut))),
                }
                if let Some(open) = &mut open {
                    open.text.push('\n');
                }
            }
            let rest = self.line.get(self.at..).unwrap_or_default();
            let Some(game) = &mut open else {
                let Some(at) = beginning(rest) else {
                    let is_whole = self.at == 0;
                    self.at = self.line.len();
                    if is_whole && self.others.begin(&self.line) {
                        let expected = "a game in parentheses, as others of this file are";
                        let why = Why::content(self.line.trim(), expected);
                        return Some(Err(refused(self.lines.number(), why)));
                    }
                    continue;
                };
                self.at += at;
                (open, self.others) = (Some(Open::at(self.lines.number())), Others::NONE);
                continue;
            };
            let is_line_start = self.at <= self.indent;
            let (taken, end) = game.take(rest, self.escapes, is_line_start);
            self.at += taken;
            match end {
                End::Line if game.text.len() > LONGEST => {
                    return Some(Err(refused(game.line, Why::TooLong(LONGEST))));
                }
                End::Line => {}
                // People smile so.
                End::Closed if !game.text.contains('[') => open = None,
                End::Closed => return Some(Ok((game.line, std::mem::take(&mut game.text)))),
                End::Another => {
                    return Some(Err(refused(
                        game.line,
                        Why::content("the beginning of another game", "the end of this one"),
                    )));
                }
            }
        }
    }
}

impl Others {
    const NONE: Self = Self { is_tag: false, is_pgn: false };

    /// Whether a line begins a game of another format.
    fn begin(&mut self, line: &str) -> bool {
        let line = line.trim();
        let was_tag = std::mem::replace(&mut self.is_tag, begins_a_tag(line));
        self.is_pgn |= self.is_tag;
        if self.is_pgn { self.is_tag && !was_tag } else { is_a_game(line) }
    }
}

/// Where a text goes on behind the next parenthesis that begins a game.
fn beginning(text: &str) -> Option<usize> {
    let is_one = |at: &usize| {
        let behind = text.get(*at..).unwrap_or_default().trim_start();
        behind.is_empty() || behind.starts_with(';')
    };
    text.match_indices('(').map(|(at, _)| at + 1).find(is_one)
}

const fn refused(line: u64, why: Why) -> Refused {
    Refused { place: Place::Line(line), why }
}

enum End {
    /// The text goes on.
    Line,
    /// The last parenthesis has been closed.
    Closed,
    /// Another game begins though this one is open.
    Another,
}

impl Open {
    const fn at(line: u64) -> Self {
        Self { text: String::new(), line, depth: 1, in_value: false, escaped: false }
    }

    /// Takes the game's part of a text, and says how long it was.
    fn take(&mut self, rest: &str, escapes: bool, mut is_line_start: bool) -> (usize, End) {
        for (at, character) in rest.char_indices() {
            let another = || rest.get(at..).is_some_and(begins_as_games_do);
            match character {
                '(' if (is_line_start || !self.in_value) && another() => return (at, End::Another),
                _ if self.escaped => self.escaped = false,
                '\\' if escapes && self.in_value => self.escaped = true,
                ']' => self.in_value = false,
                _ if self.in_value => {}
                '[' => self.in_value = true,
                '(' => self.depth += 1,
                ')' => {
                    self.depth -= 1;
                    if self.depth == 0 {
                        return (at + 1, End::Closed);
                    }
                }
                _ => {}
            }
            is_line_start &= character.is_whitespace();
            self.text.push(character);
        }
        (rest.len(), End::Line)
    }
}

/// Whether a text begins with a parenthesis, a semicolon and a tag that only a game begins with.
pub(super) fn begins_as_games_do(text: &str) -> bool {
    behind_semicolon(text)
        .and_then(|tags| tags.get(..3))
        .is_some_and(|tag| ["GM[", "FF["].iter().any(|first| tag.eq_ignore_ascii_case(first)))
}

/// The text behind the parenthesis and the semicolon that a game begins with.
pub(super) fn behind_semicolon(text: &str) -> Option<&str> {
    Some(text.strip_prefix('(')?.trim_start().strip_prefix(';')?.trim_start())
}

/// A game in parentheses that a line begins with, perhaps behind its number and what GGS begins its lines
/// with.
pub(super) fn behind_a_count(line: &str) -> Option<&str> {
    let game =
        line.trim_start_matches(|c: char| c.is_whitespace() || c.is_ascii_digit() || c == '|');
    let tags = behind_semicolon(game)?;
    let name = tags.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    (name.len() < tags.len() && name.trim_start().starts_with('[')).then_some(game)
}

/// What a game in parentheses is made of.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Part {
    /// A semicolon.
    Node,
    /// A name with its values.
    Tag(String, Vec<String>),
    /// Other moves instead of the last one.
    Variation(Vec<Self>),
}

/// Nodes in a row, and what goes on from them.
#[derive(Default)]
struct Tree {
    parts: Vec<Part>,
    children: Vec<Self>,
}

/// Parentheses inside parentheses: what is deeper is left out.
const DEEPEST: usize = 200;

/// The parts of a game: those of the main line, which is the first variation everywhere, with the other ones behind
/// the move that they stand for.
fn parts_of(text: &str, escapes: bool) -> Vec<Part> {
    let mut open = vec![Tree::default()];
    let mut too_deep = 0;
    let (mut name, mut small) = (String::new(), String::new());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '[' => {
                let mut value = String::new();
                let mut escaped = false;
                for character in characters.by_ref() {
                    match character {
                        // A line end that is escaped is none.
                        '\n' if escaped => escaped = false,
                        _ if escaped => {
                            value.push(character);
                            escaped = false;
                        }
                        '\\' if escapes => escaped = true,
                        ']' => break,
                        _ => value.push(character),
                    }
                }
                // Some programs write whole names in small letters.
                if name.is_empty() {
                    name = small.to_uppercase();
                }
                small.clear();
                let Some(Tree { parts, .. }) = open.last_mut().filter(|_| too_deep == 0) else {
                    continue;
                };
                match parts.last_mut() {
                    Some(Part::Tag(_, values)) if name.is_empty() => values.push(value),
                    _ => parts.push(Part::Tag(std::mem::take(&mut name), vec![value])),
                }
            }
            'A'..='Z' => name.push(character),
            // Behind capitals they are the rest of a name's long form.
            _ if character.is_alphabetic() => small.push(character),
            ';' | '(' | ')' => {
                name.clear();
                small.clear();
                match character {
                    '(' if open.len() > DEEPEST => too_deep += 1,
                    '(' => open.push(Tree::default()),
                    ')' if too_deep > 0 => too_deep -= 1,
                    ')' => close(&mut open),
                    _ if too_deep > 0 => {}
                    _ => open.last_mut().into_iter().for_each(|tree| tree.parts.push(Part::Node)),
                }
            }
            _ => {}
        }
    }
    while open.len() > 1 {
        close(&mut open);
    }
    open.pop().map(flat).unwrap_or_default()
}

/// Closes the innermost parenthesis, if one is open.
fn close(open: &mut Vec<Tree>) {
    if open.len() > 1
        && let Some(tree) = open.pop()
        && let Some(parent) = open.last_mut()
    {
        parent.children.push(tree);
    }
}

fn flat(Tree { mut parts, children }: Tree) -> Vec<Part> {
    let mut children = children.into_iter();
    let Some(first) = children.next() else { return parts };
    let mut main = flat(first);
    let is_move = |part: &Part| matches!(part, Part::Tag(name, _) if name == "B" || name == "W");
    let made = main.iter().position(is_move).unwrap_or(main.len());
    let behind = main.iter().skip(made).position(|part| *part == Part::Node);
    let at = behind.map_or(main.len(), |behind| made + behind);
    main.splice(at..at, children.map(|other| Part::Variation(flat(other))));
    parts.append(&mut main);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::charset::Charset;
    use crate::files::lines::Letters;

    fn split(text: &str, escapes: bool) -> Vec<Result<(u64, String), String>> {
        let lines = Lines::new(text.as_bytes(), Letters::In(Charset::Utf8));
        let mut games = Games::new(lines, escapes);
        let next = || games.next().map(|game| game.map_err(|refused| refused.why.to_string()));
        std::iter::from_fn(next).collect()
    }

    fn shown(parts: &[Part]) -> Vec<String> {
        let shown = |part: &Part| match part {
            Part::Node => None,
            Part::Tag(name, values) => Some(format!("{name}:{}", values.join(","))),
            Part::Variation(inner) => Some(format!("({})", shown(inner).join(" "))),
        };
        parts.iter().filter_map(shown).collect()
    }

    #[test]
    fn games_stand_anywhere() {
        let text = "x (of 2003)\n1 (;A[b)])(;C[(]\nD[e]) (;) \n(;F[\\]]\n)";
        let good = [(2, ";A[b)]"), (2, ";C[(]\nD[e]"), (4, ";F[\\]]\n")];
        let good: Vec<_> = good.map(|(line, text)| Ok((line, text.to_owned()))).into();
        assert_eq!(split(text, true), good);
        assert_eq!(split(text, false)[..2], good[..2]);
    }

    #[test]
    fn games_of_other_formats_are_told_and_other_lines_are_not() {
        let game = "(;GM[2];B[f5])";
        let pgn = "[Event \"x\"]\n[Black \"a\"]\n\n1. f5 d6\n2. c3 *\n\n";
        let words =
            "> match 23\n|* to move\n\nf5 d6\n 21  +02  F5d6C3d3C4\n. one: c4c5f6 is best\n";
        for (text, lines) in [
            (format!("{game}\nf5d6c3\n\nAnn 40-24 Bob: f5d6c4\n{words}{game}\n"), vec![2, 4]),
            (format!("f5d6c3 (a note)\n{game}\n"), vec![1]),
            (format!("{words}{game}{words}{pgn}{pgn}{game}\n{pgn}f5d6c3"), vec![13, 19, 26]),
        ] {
            let lines_of = Lines::new(text.as_bytes(), Letters::In(Charset::Utf8));
            let mut games = Games::new(lines_of, true);
            let (mut told, mut good) = (Vec::new(), 0);
            while let Some(game) = games.next() {
                match game {
                    Ok(_) => good += 1,
                    Err(refused) => told.push(refused.place),
                }
            }
            let places: Vec<_> = lines.into_iter().map(Place::Line).collect();
            assert_eq!((told, good), (places, text.matches("GM").count()), "{text}");
        }
    }

    #[test]
    fn a_game_without_an_end_costs_itself_only() {
        let text = "(;GM[2]B[f5]\n(;GM[2]B[f5\n(;GM[2];B[f5])\n(;GM[2]";
        for text in [text.to_owned(), text.to_lowercase(), text.replace("(;", "( ; ")] {
            let found: Vec<_> = split(&text, true).into_iter().map(|game| game.is_ok()).collect();
            assert_eq!(found, [false, false, true, false], "{text}");
        }
        let long = format!("(;C[{}\n{}\n(;GM[2])", "x".repeat(LONGEST), "y".repeat(9));
        let found: Vec<_> = split(&long, true).into_iter().map(|game| game.is_ok()).collect();
        assert_eq!(found, [false, true]);
    }

    #[test]
    fn the_main_line_is_the_first_variation() {
        let text = ";GM[2]AB[a1][b1] [c1];B[f5](;C[x]W[d6];B[c3\\]\\\\])(;W[f6](;B[f4])(;B[g5]))";
        let expected =
            ["GM:2", "AB:a1,b1,c1", "B:f5", "C:x", "W:d6", "(W:f6 B:f4 (B:g5))", "B:c3]\\"];
        assert_eq!(shown(&parts_of(text, true)), expected);
        // What nothing closes, or opens, is no more than that.
        assert_eq!(shown(&parts_of(";B[f5]))(;W[d6](;B[c3]", true)), ["B:f5", "W:d6", "B:c3"]);
        let deep = format!(";B[f5]{}", "(;W[d6]".repeat(10_000));
        assert_eq!(parts_of(&deep, true).len(), 2 * (DEEPEST + 1));
    }

    #[test]
    fn names_stand_in_capitals_or_in_small_letters_or_in_both() {
        for text in [
            ";RE[+1][x];B[f5];W[d6]",
            ";re[+1] [x];b[f5];w[d6]",
            ";REsult[+1]\n[x];Black[f5];White[d6]",
            ";RE[+1]\n[x]b[f5] w [d6]",
        ] {
            assert_eq!(shown(&parts_of(text, true)), ["RE:+1,x", "B:f5", "W:d6"], "{text}");
        }
    }
}
