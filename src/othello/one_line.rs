//! Texts of others in our messages.

/// A text as part of a message: on one line, without what a terminal would act on, and of no more
/// than `most` characters, followed by `…` if there were more.
pub(crate) fn one_line(text: &str, most: usize) -> String {
    let mut shown = String::with_capacity(text.len().min(2 * most));
    let mut length = 0;
    for character in text.chars() {
        // The name of a hidden character is longer than the character.
        let piece = match character {
            // Breaks of lines and paragraphs of Unicode, too.
            '\n' | '\r' | '\t' | '\u{2028}' | '\u{2029}' => " ".to_owned(),
            unseen if unseen.is_control() || is_unseen(unseen) => {
                unseen.escape_default().to_string()
            }
            other => {
                if length == most {
                    shown.push('…');
                    return shown;
                }
                length += 1;
                shown.push(other);
                continue;
            }
        };
        length += piece.len();
        if length > most {
            shown.push('…');
            return shown;
        }
        shown.push_str(&piece);
    }
    shown
}

/// Whether a character shows nothing by itself but reverses the direction of writing, so that a text reads as
/// another one.
pub(crate) const fn is_unseen(character: char) -> bool {
    matches!(
        character,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    )
}

/// The most characters of a file's name in a message: no system has longer ones.
const LONGEST_NAME: usize = 4096;

/// The name of a file as part of a message.
pub(crate) fn shown_name(name: &str) -> String {
    one_line(name, LONGEST_NAME)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_texts_without_their_tricks() {
        assert_eq!(one_line("f5d6", 10), "f5d6");
        assert_eq!(one_line("two\nlines", 20), "two lines");
        assert_eq!(one_line("\u{1b}[2Jgone\0", 20), "\\u{1b}[2Jgone\\u{0}");
        for (text, shown) in [
            ("a\u{202e}b", "a\\u{202e}b"),
            ("\u{2066}\u{2069}", "\\u{2066}\\u{2069}"),
            ("\u{200e}\u{200f}", "\\u{200e}\\u{200f}"),
            ("two\u{2028}lines\u{2029}x", "two lines x"),
            ("אבג 王銘琬 e\u{301}", "אבג 王銘琬 e\u{301}"),
        ] {
            assert_eq!(one_line(text, 40), shown);
        }
        assert_eq!(one_line("Müller", 6), "Müller");
        assert_eq!(one_line("Müller", 3), "Mül…");
        assert_eq!(one_line("a\0\0\0", 11), "a\\u{0}\\u{0}…");
    }
}
