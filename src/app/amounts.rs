//! Numbers as they are typed: the parsers of options.

use std::ops::{Bound, RangeBounds, RangeInclusive};

use crate::app::games::span;
use crate::app::parse_loss;
use crate::othello::score::Score;
use crate::othello::search::Level;

/// Discs, up to two decimals, as centidiscs.
pub(crate) fn discs(text: &str) -> Result<i32, String> {
    parse_loss(text).ok_or_else(|| "expected 0 to 1000 discs, such as 2 or 0.5".to_owned())
}

/// What a draw is worth, in discs.
pub(crate) fn contempt(text: &str) -> Result<Score, String> {
    match text.parse::<f64>() {
        Ok(discs) if (-100.0..=100.0).contains(&discs) => {
            Ok(Score::from_centidiscs((discs * 100.0).round() as i16))
        }
        _ => Err("expected -100 to 100 discs".to_owned()),
    }
}

/// A level that looks ahead at all.
pub(crate) fn level(text: &str) -> Result<Level, String> {
    match text.parse::<Level>() {
        Ok(level) if level.number() > 0 => Ok(level),
        _ => Err("expected a number from 1 to 60".to_owned()),
    }
}

/// A whole number, no less than `LEAST`.
pub(crate) fn at_least<const LEAST: u64, N: TryFrom<u64>>(text: &str) -> Result<N, String> {
    let number = text.parse().ok().filter(|&number| number >= LEAST);
    let number = number.and_then(|number: u64| N::try_from(number).ok());
    number.ok_or_else(|| match is_too_large(text) {
        true => "the number is too large".to_owned(),
        false => format!("expected a whole number, {LEAST} or more"),
    })
}

/// Whether these are digits, though too many of them.
fn is_too_large(text: &str) -> bool {
    text.len() > 18 && text.bytes().all(|digit| digit.is_ascii_digit())
}

/// A whole number of a range.
pub(crate) fn within<N: TryFrom<u64>>(
    range: impl RangeBounds<u64>,
) -> impl Fn(&str) -> Result<N, String> + Clone + Send + Sync + 'static {
    let (least, most) = (range.start_bound().cloned(), range.end_bound().cloned());
    move |text| {
        let number = text.parse().ok().filter(|number: &u64| (least, most).contains(number));
        number.and_then(|number| N::try_from(number).ok()).ok_or_else(|| match (least, most) {
            (Bound::Included(least), Bound::Included(most)) => {
                format!("expected a number from {least} to {most}")
            }
            _ if is_too_large(text) => "the number is too large".to_owned(),
            (Bound::Included(least), _) => format!("expected {least} or more"),
            _ => "expected a whole number".to_owned(),
        })
    }
}

pub(crate) fn whole(text: &str) -> Result<u64, String> {
    at_least::<0, u64>(text)
}

/// How much is to be shown at most: nothing at all makes no sense.
pub(crate) fn one_or_more(text: &str) -> Result<usize, String> {
    at_least::<1, usize>(text)
}

/// Numbers of the positions of a file, counted from 1.
pub(crate) fn numbers(text: &str) -> Result<RangeInclusive<usize>, String> {
    match span(text).map(|(from, to)| (from.unwrap_or(1), to.unwrap_or(usize::MAX))) {
        Some((from, to)) if from > 0 => Ok(from..=to),
        _ => Err("expected numbers from 1, the lower first, such as 3, 3-10, 3- or -10".to_owned()),
    }
}

/// A share from 0 to 1, given in percent.
pub(crate) fn percent(text: &str) -> Result<f64, String> {
    match text.trim_end_matches('%').parse::<f64>() {
        Ok(percent) if (0.0..=100.0).contains(&percent) => Ok(percent / 100.0),
        _ => Err("expected 0 to 100 percent, such as 1%".to_owned()),
    }
}

/// How many positions a pull counts as.
pub(crate) fn pull(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(positions) if (0.0..=1e9).contains(&positions) => Ok(positions),
        _ => Err("expected 0 to 1000000000 positions, such as 8 or 0.5".to_owned()),
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
        assert_eq!(at_least::<2, u64>("2"), Ok(2));
        assert!(at_least::<2, u64>("1").is_err_and(|told| told.ends_with("2 or more")));
        let large = "18446744073709551616";
        assert!(whole(large).is_err_and(|told| told == "the number is too large"));
        assert_eq!((percent("1%"), percent("100")), (Ok(0.01), Ok(1.0)));
        assert_eq!((pull("0"), pull("24.5")), (Ok(0.0), Ok(24.5)));
        for text in ["-1", "nan", "inf", "-inf", "1e10", "x", ""] {
            assert!(percent(text).is_err_and(|told| told.contains("0 to 100")), "{text}");
            assert!(pull(text).is_err_and(|told| told.contains("0 to 10")), "{text}");
        }
        for text in ["0", "-1", "x"] {
            assert!(one_or_more(text).is_err_and(|told| told.ends_with("1 or more")), "{text}");
        }
        for text in ["-1", "1001", "nan", "x"] {
            assert!(discs(text).is_err_and(|told| told.contains("0 to 1000")), "{text}");
        }
    }
}
