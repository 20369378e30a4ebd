//! Numbers as arguments.

use crate::score::Score;
use crate::search::Level;

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

/// A level that looks ahead at all.
///
/// # Errors
/// One line that says what was expected.
pub fn level(text: &str) -> Result<Level, String> {
    match text.parse::<Level>() {
        Ok(level) if level.number() > 0 => Ok(level),
        _ => Err("expected a number from 1 to 60".to_owned()),
    }
}

/// A whole number.
///
/// # Errors
/// One line that says what was expected.
pub fn whole(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "expected a whole number, 0 or more".to_owned())
}

/// How much is to be told at most: nothing at all makes no sense.
///
/// # Errors
/// One line that says what was expected.
pub fn one_or_more(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) | Err(_) => Err("expected a whole number, 1 or more".to_owned()),
        Ok(count) => Ok(count),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_number_is_told_its_range() {
        assert_eq!(discs("1.5"), Ok(150));
        assert_eq!(contempt("-10"), Ok(Score::from_discs(-10)));
        assert_eq!(whole("-3"), Err("expected a whole number, 0 or more".to_owned()));
        assert_eq!(one_or_more("20"), Ok(20));
        for text in ["0", "-1", "x"] {
            assert!(one_or_more(text).is_err_and(|told| told.ends_with("1 or more")), "{text}");
        }
        for text in ["-1", "1001", "nan", "x"] {
            assert!(discs(text).is_err_and(|told| told.contains("0 to 1000")), "{text}");
        }
    }
}
