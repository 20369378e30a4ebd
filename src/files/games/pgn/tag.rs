//! The tags of a header: `[Name "value"]`.

use crate::files::games::draft::fact;

/// The name and the value of the tag that a text begins with, and the text behind it.
pub(super) fn tag(text: &str) -> Option<(&str, String, &str)> {
    let inside = text.strip_prefix('[')?.trim_start();
    let (name, rest) = inside.split_at(inside.find(|c: char| c.is_whitespace() || c == '"')?);
    let rest = rest.trim_start().strip_prefix('"')?;
    // A value may end with a backslash of its own: nothing else closes it then.
    let (value, behind) = value(rest, true).or_else(|| {
        value(rest, false).filter(|(_, behind)| {
            behind.trim_start().is_empty() || behind.trim_start().starts_with('[')
        })
    })?;
    fact(name).is_some().then_some((name, value, behind))
}

/// Whether a text begins as a tag does: with a bracket, a name and a quotation mark. The value may be of any
/// length, and is not looked for.
pub(in crate::files::games) fn begins_a_tag(text: &str) -> bool {
    let Some(inside) = text.strip_prefix('[').map(str::trim_start) else { return false };
    let behind = inside.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
    behind.len() < inside.len() && behind.trim_start().starts_with('"')
}

/// A value up to its quotation mark, and the text behind the bracket. A backslash takes the meaning
/// from another one and from a quotation mark, from one before a bracket only where the caller says
/// so; any
/// other is a letter.
fn value(text: &str, escapes_all: bool) -> Option<(String, &str)> {
    let behind = |at: usize| text.get(at + 1..)?.trim_start().strip_prefix(']');
    let mut value = String::new();
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        match (character, characters.peek()) {
            ('\\', Some(&(at, escaped)))
                if escaped == '\\' || (escaped == '"' && (escapes_all || behind(at).is_none())) =>
            {
                value.push(escaped);
                characters.next();
            }
            ('"', _) => match behind(at) {
                Some(behind) => return Some((value, behind)),
                // Some programs write names with a quotation mark as they are.
                None => value.push('"'),
            },
            (other, _) => value.push(other),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_two_characters_are_escaped() {
        for (text, name, value, behind) in [
            (r#"[Event "x"]"#, "Event", "x", ""),
            (r#"[Event "C:\games\x"]"#, "Event", r"C:\games\x", ""),
            (r#"[Event "C:\\games"] "#, "Event", r"C:\games", " "),
            (r#"[Black "a \"b\" c"][White "d"]"#, "Black", "a \"b\" c", "[White \"d\"]"),
            (r#"[Black "a \"b\"]"]"#, "Black", "a \"b\"]", ""),
            (r#"[Black "d "e" f"]"#, "Black", "d \"e\" f", ""),
            (r#"[Black "A\"]"#, "Black", r"A\", ""),
            (r#"[Black "a \"b\" c\"]"#, "Black", "a \"b\" c\\", ""),
            (r#"[Black "A\\"]"#, "Black", r"A\", ""),
            (r#"[Black "A\" ] [White {x}"#, "Black", r"A\", " [White {x}"),
            (r#"[ Black"x" ]y"#, "Black", "x", "y"),
        ] {
            assert_eq!(tag(text), Some((name, value.to_owned(), behind)), "{text}");
        }
        for text in ["", "[", "[Event", "[Event x]", "[Event \"x]", r#"[Event "x\"] y"#, "[\"x\"]"]
        {
            assert_eq!(tag(text), None, "{text}");
        }
    }
}
