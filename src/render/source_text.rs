//! Where values came from, in words.

use crate::ops::Source;

/// A source in one line, such as "rosebill 0.1.0, rosebill 3f09a1c2, level 12, 2026-11-20".
#[must_use]
pub fn source_text(source: &Source) -> String {
    let mut text = source.engine.clone();
    let mut add = |part: &str, before: &str| {
        if !part.is_empty() {
            text.push_str(", ");
            text.push_str(before);
            text.push_str(part);
        }
    };
    add(&source.evaluator, "");
    add(&source.level, "level ");
    add(&source.file, "from ");
    add(&source.day, "");
    text
}
