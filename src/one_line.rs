//! Texts of others in our messages.

use std::fmt::Write as _;

/// A text as part of a message: on one line, without what a terminal would act on, and of no more
/// than `most` characters, after which `…` stands.
#[must_use]
pub fn one_line(text: &str, most: usize) -> String {
    let mut shown = String::with_capacity(text.len().min(2 * most));
    for (index, character) in text.chars().enumerate() {
        if index == most {
            shown.push('…');
            break;
        }
        match character {
            '\n' | '\r' | '\t' => shown.push(' '),
            // A string takes all that is written.
            control if control.is_control() => drop(write!(shown, "{}", control.escape_default())),
            other => shown.push(other),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_texts_without_their_tricks() {
        assert_eq!(one_line("f5d6", 10), "f5d6");
        assert_eq!(one_line("two\nlines", 20), "two lines");
        assert_eq!(one_line("\u{1b}[2Jgone\0", 20), "\\u{1b}[2Jgone\\u{0}");
        assert_eq!(one_line("Müller", 6), "Müller");
        assert_eq!(one_line("Müller", 3), "Mül…");
    }
}
