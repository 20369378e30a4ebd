//! The objects of a JSON text: one a line, over several lines, in an array, or in the list `games` or
//! `rounds` of another object. Texts in quotes may take their place, which are transcripts or single moves.

use std::io::BufRead;

use serde_json::Value;

use crate::files::fault::Place;
use crate::files::games::draft::Refused;
use crate::files::games::refused::Why;
use crate::files::lines::Lines;

/// No game is longer.
const LONGEST: usize = 1 << 20;

/// The keys of a list of games, or of objects with such lists.
const GAMES: [&str; 2] = ["\"games\"", "\"rounds\""];

/// What stands before a list of games is longer only where it is more than facts.
const LONGEST_HEAD: usize = 1 << 12;

/// The innermost objects around a game that say something of it.
const MOST_AROUND: usize = 4;

/// One game.
pub(super) enum Item {
    /// An object, not read yet.
    Object(String),
    /// The text in quotes.
    Text {
        /// Without the quotes.
        text: String,
        /// The array that it is in, unless that is a list of games: each array has a number of its own.
        array: Option<usize>,
    },
}

/// Splits a text into its games.
pub(super) struct Objects<R> {
    lines: Lines<R>,
    line: String,
    at: usize,
    /// Lists of games that are open, each in an object of its own: what that says before them.
    lists: Vec<Option<Value>>,
    /// Other lists that are open.
    arrays: usize,
    /// Their brackets so far.
    brackets: usize,
}

#[derive(Default)]
struct Open {
    text: String,
    line: u64,
    depth: usize,
    in_text: bool,
    escaped: bool,
    key: Key,
    /// Whether it is the text behind a list of games, which is none itself.
    is_rest: bool,
}

/// How much of `"games": [` the last characters are.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Key {
    #[default]
    Other,
    Games,
    Colon,
}

/// What a line holds of an object.
enum Taken {
    /// All of it.
    Part,
    /// Its end follows after so many bytes.
    Whole(usize),
    /// Its list of games begins behind so many bytes.
    List(usize),
}

impl<R: BufRead> Objects<R> {
    pub(super) const fn new(lines: Lines<R>) -> Self {
        Self { lines, line: String::new(), at: 0, lists: Vec::new(), arrays: 0, brackets: 0 }
    }

    /// What the objects around a game say before it, the innermost first.
    pub(super) fn around(&self) -> impl Iterator<Item = &Value> {
        self.lists.iter().rev().flatten().take(MOST_AROUND)
    }

    /// The next game with the number of the line where it begins.
    pub(super) fn next(&mut self) -> Option<Result<(u64, Item), Refused>> {
        let mut open: Option<Open> = None;
        loop {
            if self.at >= self.line.len() {
                match self.lines.next() {
                    Some(Ok(line)) => (self.line, self.at) = (line, 0),
                    Some(Err(refused)) => return Some(Err(refused)),
                    None => {
                        // Whatever is open lacks its end, and games may be lost with it.
                        let lists = std::mem::take(&mut self.lists);
                        let is_open = std::mem::take(&mut self.arrays) > 0 || !lists.is_empty();
                        let line = self.lines.number().saturating_sub(1).max(1);
                        let open =
                            open.or_else(|| is_open.then(|| Open { line, ..Open::default() }));
                        return open.map(|open| Err(open.refused(Why::Cut)));
                    }
                }
            }
            let number = self.lines.number();
            let Some(object) = &mut open else {
                match self.begin(number) {
                    Some(Ok(Begun::Object(object))) => open = Some(object),
                    Some(Ok(Begun::Text(text))) => {
                        let is_in_array = self.arrays > 0 && self.lists.is_empty();
                        let array = is_in_array.then_some(self.brackets);
                        return Some(Ok((number, Item::Text { text, array })));
                    }
                    Some(Err(why)) => {
                        self.at = self.line.len();
                        return Some(Err(Refused { place: Place::Line(number), why }));
                    }
                    None => {}
                }
                continue;
            };
            let rest = self.line.get(self.at..).unwrap_or_default();
            // An object in a line of its own begins another game: this one has lost its end.
            if self.at == 0 && object.depth > 0 && rest.starts_with('{') {
                return Some(
                    Err(object.refused(Why::content("another object", "the end of this"))),
                );
            }
            match object.take(rest) {
                Taken::Part => self.at += rest.len(),
                Taken::Whole(taken) => {
                    self.at += taken;
                    if !object.is_rest {
                        let text = std::mem::take(&mut object.text);
                        return Some(Ok((object.line, Item::Object(text))));
                    }
                    open = None;
                    continue;
                }
                Taken::List(taken) => {
                    self.lists.push(object.head(rest.get(..taken).unwrap_or_default()));
                    self.at += taken;
                    open = None;
                    continue;
                }
            }
            if object.text.len() > LONGEST {
                return Some(Err(object.refused(Why::TooLong(LONGEST))));
            }
            object.text.push('\n');
        }
    }

    /// What begins next in the line, if anything does.
    fn begin(&mut self, number: u64) -> Option<Result<Begun, Why>> {
        let rest = self.line.get(self.at..).unwrap_or_default();
        // A list of games is closed by its own bracket only.
        let (is_listed, mut arrays, mut brackets) =
            (!self.lists.is_empty(), self.arrays, self.brackets);
        let start = rest.trim_start_matches(|c: char| match c {
            '[' if !is_listed => {
                (arrays, brackets) = (arrays + 1, brackets + 1);
                true
            }
            ']' if !is_listed => {
                (arrays, brackets) = (arrays.saturating_sub(1), brackets + 1);
                true
            }
            c => c.is_whitespace() || c == ',',
        });
        (self.arrays, self.brackets) = (arrays, brackets);
        self.at += rest.len() - start.len();
        match start.chars().next()? {
            '{' => Some(Ok(Begun::Object(Open { line: number, ..Open::default() }))),
            ']' => {
                self.at += 1;
                self.lists.pop();
                let rest = Open { line: number, depth: 1, is_rest: true, ..Open::default() };
                Some(Ok(Begun::Object(rest)))
            }
            '"' => {
                let mut texts = serde_json::Deserializer::from_str(start).into_iter::<String>();
                let text = texts.next().and_then(Result::ok);
                self.at += texts.byte_offset();
                Some(text.map(Begun::Text).ok_or_else(|| Why::content(start, "a text in quotes")))
            }
            _ => Some(Err(Why::content(start, "an object in braces or a text in quotes"))),
        }
    }
}

/// What is between objects.
enum Begun {
    Object(Open),
    Text(String),
}

impl Open {
    fn refused(&self, why: Why) -> Refused {
        Refused { place: Place::Line(self.line), why }
    }

    /// What an object says before its list, which begins where the line is cut.
    fn head(&self, line: &str) -> Option<Value> {
        let is_short = !self.is_rest && self.text.len() + line.len() <= LONGEST_HEAD;
        is_short.then(|| serde_json::from_str(&format!("{}{line}]}}", self.text)).ok()).flatten()
    }

    fn take(&mut self, rest: &str) -> Taken {
        // Where the last text in quotes began, if it did in this line.
        let mut quote = None;
        for (at, byte) in rest.bytes().enumerate() {
            let key = std::mem::take(&mut self.key);
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' if self.in_text => self.escaped = true,
                b'"' if self.in_text => {
                    self.in_text = false;
                    let text = quote.and_then(|start: usize| rest.get(start..=at));
                    if self.depth == 1 && text.is_some_and(|text| GAMES.contains(&text)) {
                        self.key = Key::Games;
                    }
                }
                b'"' => (self.in_text, quote) = (true, Some(at)),
                _ if self.in_text => {}
                b'{' => self.depth += 1,
                b'}' => {
                    self.depth -= 1;
                    if self.depth == 0 {
                        self.text.push_str(rest.get(..=at).unwrap_or_default());
                        return Taken::Whole(at + 1);
                    }
                }
                b':' if key == Key::Games => self.key = Key::Colon,
                b'[' if key == Key::Colon => return Taken::List(at + 1),
                _ if byte.is_ascii_whitespace() => self.key = key,
                _ => {}
            }
        }
        self.text.push_str(rest);
        Taken::Part
    }
}
