//! Tags of answers: the same answer is not sent twice.

use axum::http::{HeaderMap, header};

/// The tag of an answer: the generation of the book, and the question.
pub fn tag(generation: &str, question: &str) -> String {
    format!("\"{generation}-{:08x}\"", crc32fast::hash(question.as_bytes()))
}

/// Whether the client has the answer with this tag.
pub fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    tags(headers).any(|known| known.strip_prefix("W/").unwrap_or(known) == tag)
}

/// Whether the client has any answer (`*`), if there is one: that is known only once it has been looked
/// for.
pub fn is_any_known(headers: &HeaderMap) -> bool {
    tags(headers).any(|known| known == "*")
}

fn tags(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let lists = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|list| list.to_str().ok());
    lists.flat_map(|list| list.split(',')).map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_answers_are_recognised() {
        let asking = |list: &'static str| {
            HeaderMap::from_iter([(header::IF_NONE_MATCH, list.parse().unwrap())])
        };
        let known = |list| is_known(&asking(list), "\"a-1\"");
        assert!(known("\"a-1\"") && known("\"b\", W/\"a-1\""));
        assert!(!known("\"a-2\"") && !known("a-1") && !known("") && !known("*"));
        assert!(is_any_known(&asking("*")) && !is_any_known(&asking("\"*\"")));
        assert!(!is_known(&HeaderMap::new(), "\"a-1\""));
        assert_ne!(tag("a-1", "line=f5"), tag("a-1", "line=f5d6"));
        assert_ne!(tag("a-1", "line=f5"), tag("a-2", "line=f5"));
    }
}
