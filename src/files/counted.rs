//! Numbers with what is counted, as people read them.

use std::fmt;

/// A number with what is counted: `counted(1, "position")` is "1 position", of 2 it is
/// "2 positions".
pub(crate) fn counted(count: impl Into<u64>, one: &str) -> impl fmt::Display {
    let count = count.into();
    let many = match one {
        "empty" => "empties".to_owned(),
        "ply" => "plies".to_owned(),
        "search" => "searches".to_owned(),
        "square empty" => "squares empty".to_owned(),
        one => format!("{one}s"),
    };
    if count == 1 { format!("1 {one}") } else { format!("{count} {many}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_no_plural() {
        let texts = [0_u64, 1, 2].map(|count| counted(count, "position").to_string());
        assert_eq!(texts, ["0 positions", "1 position", "2 positions"]);
        assert_eq!(counted(1_u8, "empty").to_string(), "1 empty");
        assert_eq!(counted(3_u8, "empty").to_string(), "3 empties");
        assert_eq!(counted(3_u8, "search").to_string(), "3 searches");
    }
}
