//! Tags of answers: the same answer is not sent twice.

use axum::http::{HeaderMap, header};

/// The tag of an answer: the generation of the book, and the question.
pub fn tag(generation: &str, question: &str) -> String {
    format!("\"{generation}-{:08x}\"", crc32fast::hash(question.as_bytes()))
}

/// Whether who asks has the answer with this tag.
pub fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    let lists = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|list| list.to_str().ok());
    let mut tags = lists.flat_map(|list| list.split(',')).map(str::trim);
    tags.any(|known| known == "*" || known.strip_prefix("W/").unwrap_or(known) == tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_answers_are_recognised() {
        let known = |list: &'static str| {
            let headers = HeaderMap::from_iter([(header::IF_NONE_MATCH, list.parse().unwrap())]);
            is_known(&headers, "\"a-1\"")
        };
        assert!(known("\"a-1\"") && known("\"b\", W/\"a-1\"") && known("*"));
        assert!(!known("\"a-2\"") && !known("a-1") && !known(""));
        assert!(!is_known(&HeaderMap::new(), "\"a-1\""));
        assert_ne!(tag("a-1", "line=f5"), tag("a-1", "line=f5d6"));
        assert_ne!(tag("a-1", "line=f5"), tag("a-2", "line=f5"));
    }
}
