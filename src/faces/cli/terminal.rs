//! What stdout and stderr are: how wide, and whether they show colours.

use std::io::IsTerminal;

use anstyle::{AnsiColor, Style};
use terminal_size::{Width, terminal_size_of};
use unicode_width::UnicodeWidthStr as _;

use crate::faces::render::{Paint, Painted};

/// The variable that says how wide the output is, also where it goes into a pipe.
pub const WIDTH_VARIABLE: &str = "COLUMNS";

/// Where a terminal does not know its own width.
const USUAL_WIDTH: usize = 80;

/// How many characters fit on a line of stdout; none when it is no terminal: then nothing is folded.
pub fn stdout_width() -> Option<usize> {
    let stdout = std::io::stdout();
    let known = terminal_size_of(&stdout).map(|(Width(width), _)| usize::from(width));
    asked_width().or_else(|| stdout.is_terminal().then(|| known.unwrap_or(USUAL_WIDTH)))
}

/// How many characters fit on a line of stderr, taken to be a terminal.
pub fn stderr_width() -> usize {
    let known = terminal_size_of(std::io::stderr()).map(|(Width(width), _)| usize::from(width));
    known.or_else(asked_width).unwrap_or(USUAL_WIDTH)
}

/// How many characters fit on a line of stderr; none when it is no terminal: then nothing is folded.
pub fn stderr_end() -> Option<usize> {
    asked_width().or_else(|| std::io::stderr().is_terminal().then(stderr_width))
}

fn asked_width() -> Option<usize> {
    let width: usize = std::env::var(WIDTH_VARIABLE).ok()?.trim().parse().ok()?;
    (20..=10_000).contains(&width).then_some(width)
}

/// Whether stdout shows colours: a terminal does, unless `NO_COLOR` is set.
pub fn stdout_has_colour() -> bool {
    anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never
}

/// How a terminal shows an emphasis.
const fn style(paint: Paint) -> Style {
    match paint {
        Paint::Best => AnsiColor::Green.on_default().bold(),
        Paint::Poor => AnsiColor::Yellow.on_default(),
        Paint::Bad => AnsiColor::Red.on_default(),
        Paint::Last => AnsiColor::Cyan.on_default().bold().underline(),
    }
}

/// A text as a terminal takes it, with its emphasis where there are colours.
pub fn styled(text: &Painted, colours: bool) -> String {
    let mut shown = String::new();
    for (paint, part) in text.parts() {
        match paint.filter(|_| colours && !part.is_empty()).map(style) {
            Some(style) => shown += &format!("{}{part}{}", style.render(), anstyle::Reset.render()),
            None => shown += part,
        }
    }
    shown
}

/// The lines of a text: broken between its parts, and where one of them is too long for a line, at
/// blanks. Lines after the first are indented. What follows a part without a blank, as a comma does,
/// stays with it.
pub fn folded(text: &str, between: &str, indent: usize, width: usize) -> Vec<String> {
    let mut lines = Folding { lines: vec![String::new()], fresh: true, indent, width };
    let (kept, blank) = between.split_at(between.find(' ').unwrap_or_default());
    let mut parts = text.split(between).enumerate().peekable();
    while let Some((number, part)) = parts.next() {
        let before = if number == 0 { "" } else { blank };
        let part = if parts.peek().is_some() { format!("{part}{kept}") } else { part.to_owned() };
        if lines.takes(before, &part) {
            continue;
        }
        for (number, word) in part.split(' ').enumerate() {
            let before = if number == 0 { before } else { " " };
            if !lines.takes(before, word) {
                lines.tear(word);
            }
        }
    }
    lines.lines
}

/// How many columns of a terminal a text takes: characters of Chinese and Japanese take two each.
pub fn columns(text: &str) -> usize {
    text.width()
}

/// Lines that are being filled.
struct Folding {
    lines: Vec<String>,
    /// Whether the last line has nothing but its indent.
    fresh: bool,
    indent: usize,
    width: usize,
}

impl Folding {
    /// Puts a text on the last line, else on a new one; false where it is too long for any.
    fn takes(&mut self, before: &str, text: &str) -> bool {
        let before = if self.fresh { "" } else { before };
        let length = columns(before) + columns(text);
        let fits = |line: &String| columns(line) + length <= self.width;
        if !self.lines.last().is_some_and(fits) {
            if self.indent + columns(text) > self.width {
                return false;
            }
            self.next_line();
            return self.takes("", text);
        }
        if let Some(line) = self.lines.last_mut() {
            line.push_str(before);
            line.push_str(text);
        }
        self.fresh = false;
        true
    }

    fn next_line(&mut self) {
        // Blanks alone are no line.
        self.lines.pop_if(|line| line.trim_start().is_empty());
        self.lines.push(" ".repeat(self.indent));
        self.fresh = true;
    }

    /// Puts a long word on lines of its own. Moves are two characters long, and stay whole.
    fn tear(&mut self, word: &str) {
        let room = self.width.saturating_sub(self.indent).max(2) & !1;
        let mut left = 0;
        for character in word.chars() {
            let wide = columns(character.encode_utf8(&mut [0; 4]));
            if !self.fresh && wide > left {
                self.next_line();
            }
            if self.fresh {
                left = room;
            }
            if let Some(line) = self.lines.last_mut() {
                line.push(character);
            }
            left = left.saturating_sub(wide);
            self.fresh = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn emphasis_becomes_colours_or_nothing() {
        let text = Painted::from("a ").then(Some(Paint::Best), "d3").then(None, " b");
        assert_eq!(styled(&text, false), "a d3 b");
        assert_eq!(styled(&text, true), "a \u{1b}[1m\u{1b}[32md3\u{1b}[0m b");
        assert_eq!(styled(&Painted::new(Some(Paint::Bad), ""), true), "");
    }

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!((columns("村上 健"), columns("Ann"), columns("f5")), (7, 3, 2));
        assert_eq!(folded("村上 健", " ", 2, 7), ["村上 健"]);
        assert_eq!(folded("村上 健", " ", 2, 6), ["村上", "  健"]);
        assert_eq!(folded("村上健村上健", " ", 2, 8), ["村上健", "  村上健"]);
    }

    #[test]
    fn long_texts_are_folded_between_their_parts() {
        let fold = |text: &str, width| folded(text, " | ", 2, width);
        assert_eq!(fold("one | two", 80), ["one | two"]);
        assert_eq!(fold("one | two | three", 9), ["one | two", "  three"]);
        let line = "f5d6c3d3c4f4c5b3c2";
        assert_eq!(fold(&format!("Tiger {line}"), 12), ["Tiger", "  f5d6c3d3c4", "  f4c5b3c2"]);
        assert_eq!(
            fold("title     two words | and one more", 24),
            ["title     two words", "  and one more"]
        );
        assert_eq!(fold("  indented first", 12), ["  indented", "  first"]);
        let listed = |width| folded("one, two, three", ", ", 1, width);
        assert_eq!(listed(15), ["one, two, three"]);
        assert_eq!(listed(14), ["one, two,", " three"], "the comma stays");
        assert_eq!(listed(8), ["one,", " two,", " three"], "and needs its place");
        assert_eq!(folded("one; two", "; ", 2, 7), ["one;", "  two"]);
        for width in 12..90 {
            let text =
                format!("4s | 107 positions (+107) | regret 0.00+0.26: Chimney {line}{line}");
            let lines = fold(&text, width);
            assert!(lines.iter().all(|line| line.chars().count() <= width), "{lines:?}");
            let whole: String = lines.concat().split([' ', '|']).collect();
            assert_eq!(whole, text.split([' ', '|']).collect::<String>(), "nothing is lost");
        }
    }
}
