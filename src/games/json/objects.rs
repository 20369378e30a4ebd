//! The objects of a JSON text: one a line, over several lines, or in an array.

use std::io::BufRead;

use crate::games::defect::{Place, Why};
use crate::games::draft::Refused;
use crate::games::lines::Lines;

/// No game is longer.
const LONGEST: usize = 1 << 20;

/// Splits a text into its outermost objects.
pub(super) struct Objects<R> {
    lines: Lines<R>,
    line: String,
    at: usize,
}

#[derive(Default)]
struct Open {
    text: String,
    line: u64,
    depth: usize,
    in_text: bool,
    escaped: bool,
}

impl<R: BufRead> Objects<R> {
    pub(super) const fn new(lines: Lines<R>) -> Self {
        Self { lines, line: String::new(), at: 0 }
    }

    /// The next object with the number of the line where it begins.
    pub(super) fn next(&mut self) -> Option<Result<(u64, String), Refused>> {
        let mut open: Option<Open> = None;
        loop {
            if self.at >= self.line.len() {
                match self.lines.next() {
                    Some(Ok(line)) => (self.line, self.at) = (line, 0),
                    Some(Err(refused)) => return Some(Err(refused)),
                    None => return open.map(|open| Err(open.refused(Why::Cut))),
                }
            }
            let number = self.lines.number();
            let rest = self.line.get(self.at..).unwrap_or_default();
            let Some(object) = &mut open else {
                let between = |c: char| c.is_whitespace() || matches!(c, '[' | ']' | ',');
                let start = rest.trim_start_matches(between);
                self.at += rest.len() - start.len();
                if start.starts_with('{') {
                    open = Some(Open { line: number, ..Open::default() });
                } else if !start.is_empty() {
                    let why = Why::content(start, "an object in braces");
                    self.at = self.line.len();
                    return Some(Err(Refused { place: Place::Line(number), why }));
                }
                continue;
            };
            // An object in a line of its own begins another game: this one has lost its end.
            if self.at == 0 && object.depth > 0 && rest.starts_with('{') {
                return Some(
                    Err(object.refused(Why::content("another object", "the end of this"))),
                );
            }
            let (taken, is_whole) = object.take(rest);
            self.at += taken;
            if is_whole {
                return Some(Ok((object.line, std::mem::take(&mut object.text))));
            }
            if object.text.len() > LONGEST {
                return Some(Err(object.refused(Why::TooLong(LONGEST))));
            }
            object.text.push('\n');
        }
    }
}

impl Open {
    fn refused(&self, why: Why) -> Refused {
        Refused { place: Place::Line(self.line), why }
    }

    fn take(&mut self, rest: &str) -> (usize, bool) {
        for (at, byte) in rest.bytes().enumerate() {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' if self.in_text => self.escaped = true,
                b'"' => self.in_text = !self.in_text,
                _ if self.in_text => {}
                b'{' => self.depth += 1,
                b'}' => {
                    self.depth -= 1;
                    if self.depth == 0 {
                        self.text.push_str(rest.get(..=at).unwrap_or_default());
                        return (at + 1, true);
                    }
                }
                _ => {}
            }
        }
        self.text.push_str(rest);
        (rest.len(), false)
    }
}
