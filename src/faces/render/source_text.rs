//! Where values came from, in words.

use crate::app::Source;
use crate::othello::one_line::one_line;

/// The most characters of one: names of files and of programs are those of others.
const LONGEST: usize = 1_000;

/// A source in one line, such as "rosebill 0.1.0, rosebill 3f09a1c2, level 12, 2026-11-20".
pub fn source_text(source: &Source) -> String {
    let mut text = source.engine.clone();
    let mut add = |part: &str, before: &str| {
        if !part.is_empty() {
            if !text.is_empty() {
                text.push_str(", ");
            }
            text.push_str(before);
            text.push_str(part);
        }
    };
    // What the books have as a word.
    add(&source.evaluator.replace(", mean", ", mean of two depths"), "");
    // Growth to a depth has that instead of a level.
    add(&source.level, if source.level.contains('@') { "" } else { "level " });
    add(&source.file, "from ");
    add(&source.day, "");
    one_line(&text, LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_says_nothing_to_the_terminal() {
        let source = Source {
            engine: "\u{1b}[2Jengine".to_owned(),
            file: "a\nb".to_owned(),
            day: "2026-11-20".to_owned(),
            ..Source::default()
        };
        assert_eq!(source_text(&source), "\\u{1b}[2Jengine, from a b, 2026-11-20");
    }
}
