//! Numbers as arguments, and as people read them.

use std::fmt;

use crate::score::Score;

/// Discs, up to two decimals, as centidiscs.
///
/// # Errors
/// One line that says what was expected.
pub fn discs(text: &str) -> Result<i32, String> {
    match text.parse::<f64>() {
        Ok(discs) if (0.0..=1000.0).contains(&discs) => Ok((discs * 100.0).round() as i32),
        _ => Err("expected 0 to 1000 discs, such as 2 or 0.5".to_owned()),
    }
}

/// What a draw is worth, in discs.
///
/// # Errors
/// One line that says what was expected.
pub fn contempt(text: &str) -> Result<Score, String> {
    match text.parse::<f64>() {
        Ok(discs) if (-100.0..=100.0).contains(&discs) => {
            Ok(Score::from_centidiscs((discs * 100.0).round() as i16))
        }
        _ => Err("expected -100 to 100 discs".to_owned()),
    }
}

/// A whole number.
///
/// # Errors
/// One line that says what was expected.
pub fn whole(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "expected a whole number, 0 or more".to_owned())
}

/// A number with what is counted: `counted(1, "position")` is "1 position", of 2 it is
/// "2 positions".
#[must_use]
pub fn counted(count: impl Into<u64>, one: &str) -> impl fmt::Display {
    let count = count.into();
    let many = match one {
        "empty" => "empties".to_owned(),
        "search" => "searches".to_owned(),
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

    #[test]
    fn a_bad_number_is_told_its_range() {
        assert_eq!(discs("1.5"), Ok(150));
        assert_eq!(contempt("-10"), Ok(Score::from_discs(-10)));
        assert_eq!(whole("-3"), Err("expected a whole number, 0 or more".to_owned()));
        for text in ["-1", "1001", "nan", "x"] {
            assert!(discs(text).is_err_and(|told| told.contains("0 to 1000")), "{text}");
        }
    }
}
