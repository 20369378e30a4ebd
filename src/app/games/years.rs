//! Years as they are asked for: `2003`, `2003-2010`, `2003-`, `-2010`.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// Years from one to another, both among them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Years {
    /// None: all before the last.
    pub from: Option<u16>,
    /// None: all after the first.
    pub to: Option<u16>,
}

/// A text that is no years.
#[derive(Debug, Error, PartialEq, Eq, Clone, Copy)]
#[error("expected a year or years, the earlier first, such as 2003, 2003-2010, 2003- or -2010")]
pub struct BadYears;

impl Years {
    /// Whether a year is one of them.
    pub(crate) fn contains(self, year: u16) -> bool {
        self.from.is_none_or(|from| year >= from) && self.to.is_none_or(|to| year <= to)
    }
}

impl FromStr for Years {
    type Err = BadYears;

    fn from_str(text: &str) -> Result<Self, BadYears> {
        let (from, to) = span(text).ok_or(BadYears)?;
        let is_year = |year: Option<u16>| year.is_none_or(|year| year <= 9999);
        match is_year(from) && is_year(to) {
            true => Ok(Self { from, to }),
            false => Err(BadYears),
        }
    }
}

/// Numbers from one to another, such as `3-10`, where either end may be left out, or a single one.
pub(crate) fn span<N: FromStr + PartialOrd>(text: &str) -> Option<(Option<N>, Option<N>)> {
    let end = |text: &str| match text.trim() {
        "" => Some(None),
        text => text.parse().ok().map(Some),
    };
    let (from, to) = text.split_once(['-', '–']).unwrap_or((text, text));
    let span = (end(from)?, end(to)?);
    match &span {
        (None, None) => None,
        (Some(from), Some(to)) if from > to => None,
        _ => Some(span),
    }
}

impl fmt::Display for Years {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let year = |year: Option<u16>| year.map_or_else(String::new, |year| year.to_string());
        match (self.from, self.to) {
            (Some(from), Some(to)) if from == to => write!(f, "{from}"),
            (from, to) => write!(f, "{}-{}", year(from), year(to)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_are_read_and_written_alike() {
        for (text, inside, outside) in [
            ("2003", 2003, 2004),
            ("2003-2010", 2010, 2011),
            ("2003-", 9999, 2002),
            ("-2010", 1900, 2011),
        ] {
            let years: Years = text.parse().unwrap();
            assert_eq!(years.to_string(), text);
            assert!(years.contains(inside) && !years.contains(outside), "{text}");
        }
        assert_eq!("2003 – 2010".parse::<Years>(), "2003-2010".parse());
        for bad in ["", "-", "2010-2003", "20033", "last", "2003-2010-2012"] {
            assert_eq!(bad.parse::<Years>(), Err(BadYears), "{bad}");
        }
    }
}
