//! Lines of which some are looked at before they are taken.

use std::collections::VecDeque;
use std::io::BufRead;

use super::tag::{begins_a_tag, tag};
use crate::files::games::draft::Refused;
use crate::files::lines::Lines;

/// How far the end of a comment is looked for. Of what is written by hand none is longer.
const MOST_LINES: usize = 1_000;
const MOST_BYTES: usize = 1 << 16;

/// A line, or the end of one: what came before has been taken.
pub(super) struct Text {
    line: String,
    from: usize,
}

impl Text {
    fn whole(line: String) -> Self {
        Self { line, from: 0 }
    }

    pub(super) fn as_str(&self) -> &str {
        self.line.get(self.from..).unwrap_or_default()
    }

    /// Only the last so many bytes before the blanks at its end. The line is not copied: it may hold a whole
    /// tournament, and each of its games leaves a rest.
    pub(super) fn only_last(mut self, bytes: usize) -> Self {
        self.from = self.line.trim_end().len().saturating_sub(bytes).max(self.from);
        self
    }
}

type Line = (u64, Result<Text, Refused>);

/// The lines of a file.
pub(super) struct Ahead<R> {
    lines: Lines<R>,
    /// Lines that have been looked at, or a rest of one that was left.
    seen: VecDeque<Line>,
}

impl<R: BufRead> Ahead<R> {
    pub(super) const fn new(lines: Lines<R>) -> Self {
        Self { lines, seen: VecDeque::new() }
    }

    pub(super) fn next(&mut self) -> Option<Line> {
        self.seen.pop_front().or_else(|| self.read())
    }

    /// Gives back a line, or the rest of one, which is the next again.
    pub(super) fn put_back(&mut self, number: u64, line: Text) {
        self.seen.push_front((number, Ok(line)));
    }

    /// The comment that comes next, whole: on the rest of this line, or on the next one where nothing else stands
    /// before it, nor a tag behind it.
    pub(super) fn comment(&mut self) -> Option<String> {
        let (number, line) = self.next()?;
        let first = line.as_ref().map_or("", |text| text.as_str().trim());
        if let Some(comment) = first.strip_prefix(';') {
            return Some(comment.to_owned());
        }
        let is_comment =
            first.strip_prefix('{').is_some_and(|inside| match inside.split_once('}') {
                Some((said, behind)) => !said.contains('{') && !begins_a_tag(behind.trim_start()),
                None => self.closes_a_comment(inside),
            });
        self.seen.push_front((number, line));
        if !is_comment {
            return None;
        }
        let mut comment = String::new();
        while let Some((number, Ok(line))) = self.next() {
            let text = line.as_str().trim();
            let Some((said, behind)) = text.split_once('}') else {
                comment.push_str(text);
                comment.push(' ');
                continue;
            };
            comment.push_str(said);
            let left = behind.trim_start().len();
            if left > 0 {
                self.put_back(number, line.only_last(left));
            }
            break;
        }
        Some(comment.trim_start_matches('{').to_owned())
    }

    /// The comments that nothing but empty lines follows in the file; none where more comes.
    pub(super) fn last_comments(&mut self) -> Option<String> {
        let (mut said, mut is_open) = (String::new(), false);
        let (mut at, mut bytes) = (0, 0);
        while at < self.seen.len() || self.look() {
            let Some((_, Ok(line))) = self.seen.get(at) else { return None };
            let mut text = line.as_str().trim();
            (at, bytes) = (at + 1, bytes + text.len());
            if at > MOST_LINES || bytes > MOST_BYTES {
                return None;
            }
            while !text.is_empty() {
                let behind = match text.chars().next() {
                    _ if is_open => text.split_once('}'),
                    Some('{') => Some(("", text.get(1..)?)),
                    Some(';') => Some((text.get(1..)?, "")),
                    _ => return None,
                };
                is_open = match behind {
                    _ if is_open => behind.is_none(),
                    _ => text.starts_with('{'),
                };
                let (words, behind) = behind.unwrap_or((text, ""));
                said.push_str(words);
                said.push(' ');
                text = behind.trim_start();
            }
        }
        let is_said = !is_open && !said.trim().is_empty();
        is_said.then(|| self.seen.clear()).map(|()| said)
    }

    /// Whether a comment that is open at this line is closed in it or behind it. Where another comment
    /// begins first, or none ends for long, nothing closes it.
    pub(super) fn closes_a_comment(&mut self, line: &str) -> bool {
        let mut found = first_brace(line);
        let (mut at, mut bytes) = (0, 0);
        while found.is_none() {
            if at == MOST_LINES || bytes > MOST_BYTES {
                return false;
            }
            if at == self.seen.len() && !self.look() {
                return false;
            }
            let Some((_, Ok(line))) = self.seen.get(at) else { return false };
            let line = line.as_str();
            found = first_brace(line);
            (at, bytes) = (at + 1, bytes + line.len());
        }
        found == Some('}')
    }

    /// Looks at one line more; false where none is left.
    fn look(&mut self) -> bool {
        let line = self.read();
        let is_one = line.is_some();
        self.seen.extend(line);
        is_one
    }

    fn read(&mut self) -> Option<Line> {
        let line = self.lines.next()?;
        Some((self.lines.number(), line.map(Text::whole)))
    }
}

/// The first brace of a line outside of the values of its tags.
fn first_brace(line: &str) -> Option<char> {
    let mut text = line.trim_start();
    while let Some((_, _, behind)) = tag(text) {
        text = behind.trim_start();
    }
    text.chars().find(|character| matches!(character, '{' | '}'))
}
