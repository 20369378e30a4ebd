//! Text inside SVG and HTML.

/// A text in which nothing is a mark of its own.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // Not allowed in XML, whatever it is written as.
            letter if letter.is_control() && !"\t\n\r".contains(letter) => escaped.push(' '),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_no_marks() {
        assert_eq!(escaped("<b> & \"it's\"\u{1}"), "&lt;b&gt; &amp; &quot;it&#39;s&quot; ");
    }
}
