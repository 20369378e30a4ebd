//! The parameters of a request. One that is not known is an error, so that a misspelling shows.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use super::error::WebError;
use crate::app::games::{BadYears, GameFilter, GameOutcome, Years};
use crate::app::{BadLossLimit, LossLimit, RegretLimits};
use crate::files::games::Asked;
use crate::othello::board::Line;
use crate::othello::one_line::one_line;

/// What says which position is meant.
pub const PLACE: [&str; 2] = ["line", "board"];

/// What chooses games.
pub const FILTERS: [&str; 16] = [
    "player",
    "against",
    "black",
    "white",
    "event",
    "years",
    // As `years` was asked for once.
    "from_year",
    "to_year",
    "source",
    "programs",
    "xot",
    "theory",
    "result",
    "rating",
    "opening",
    "position",
];

/// What lines may give away.
pub const LIMITS: [&str; 2] = ["move_loss", "line_loss"];

/// Those that may be given several times.
const REPEATED: [&str; 5] = ["player", "against", "black", "white", "position"];

/// Positions that games came through: each costs a look.
const MOST_POSITIONS: usize = 10;

/// Characters of a value that are shown.
const MOST_TOLD: usize = 60;

/// The parameters of a request. Those without a value count as not given.
#[derive(Debug)]
pub struct Parameters(Vec<(String, String)>);

impl Parameters {
    /// Reads a query; only names of these lists may be in it.
    pub fn read(query: Option<&str>, known: &[&[&str]]) -> Result<Self, WebError> {
        let mut list: Vec<(String, String)> = Vec::new();
        for (name, value) in form_urlencoded::parse(query.unwrap_or_default().as_bytes()) {
            if !known.iter().any(|known| known.contains(&name.as_ref())) {
                let known: Vec<&str> =
                    known.iter().flat_map(|known| known.iter().copied()).collect();
                let (name, known) = (one_line(&name, MOST_TOLD), known.join(", "));
                let text = match known.is_empty() {
                    true => format!("no parameter '{name}' here: none is taken"),
                    false => format!("no parameter '{name}' here: expected {known}"),
                };
                return Err(WebError::bad(text));
            }
            if value.is_empty() {
                continue;
            }
            let is_repeated = list.iter().any(|(given, _)| *given == name);
            if is_repeated && !REPEATED.contains(&name.as_ref()) {
                return Err(WebError::bad(format!("'{name}' is given twice")));
            }
            list.push((name.into_owned(), value.into_owned()));
        }
        Ok(Self(list))
    }

    /// The value of a parameter.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(given, _)| given == name).map(|(_, value)| value.as_str())
    }

    /// All values of a parameter.
    fn texts(&self, name: &str) -> Vec<String> {
        let given = self.0.iter().filter(|(given, _)| given == name);
        given.map(|(_, value)| value.clone()).collect()
    }

    /// A number within limits; none where none is given.
    pub fn number<T>(&self, name: &str, range: RangeInclusive<T>) -> Result<Option<T>, WebError>
    where
        T: FromStr + PartialOrd + Display,
    {
        let Some(text) = self.text(name) else { return Ok(None) };
        match text.parse::<T>() {
            Ok(number) if range.contains(&number) => Ok(Some(number)),
            _ => Err(expected(
                name,
                text,
                &format!("a number, {} to {}", range.start(), range.end()),
            )),
        }
    }

    /// One of several words; none where none is given.
    pub fn choice<T: Copy>(
        &self,
        name: &str,
        choices: &[(&str, T)],
    ) -> Result<Option<T>, WebError> {
        let Some(text) = self.text(name) else { return Ok(None) };
        if let Some((_, choice)) = choices.iter().find(|(word, _)| *word == text) {
            return Ok(Some(*choice));
        }
        let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
        Err(expected(name, text, &words.join(" or ")))
    }

    /// Yes or no; none where nothing is said.
    pub fn yes(&self, name: &str) -> Result<Option<bool>, WebError> {
        self.choice(name, &[("yes", true), ("no", false)])
    }

    /// The position that is meant: the start where nothing is said. Moves behind a board go on from it.
    pub fn asked(&self) -> Result<Asked, WebError> {
        let line = self.text("line").unwrap_or_default();
        Ok(Asked::on_board(self.text("board").unwrap_or_default(), line)?)
    }

    /// Whether any position is named.
    pub fn has_place(&self) -> bool {
        PLACE.iter().any(|name| self.text(name).is_some())
    }

    /// What lines may give away.
    pub fn limits(&self) -> Result<RegretLimits, WebError> {
        let [move_loss, line_loss] = LIMITS.map(|name| self.text(name));
        limits(move_loss, line_loss)
    }

    /// Which games are meant.
    pub fn filter(&self) -> Result<GameFilter, WebError> {
        let text = |name: &str| self.text(name).map(str::to_owned);
        let outcomes = [
            ("black", GameOutcome::Black),
            ("draw", GameOutcome::Draw),
            ("white", GameOutcome::White),
        ];
        let years = match self.text("years") {
            Some(text) => Some(text.parse().map_err(|error: BadYears| bad("years", text, &error))?),
            None => {
                match (self.number("from_year", 0..=9999)?, self.number("to_year", 0..=9999)?) {
                    (None, None) => None,
                    (from, to) => Some(Years { from, to }),
                }
            }
        };
        let positions = self.texts("position");
        if positions.len() > MOST_POSITIONS {
            return Err(WebError::bad(format!(
                "'position' is given more than {MOST_POSITIONS} times"
            )));
        }
        let position = |text: &String| -> Result<Line, WebError> {
            Ok(text.parse::<Asked>().map_err(|error| bad("position", text, &error))?.line)
        };
        Ok(GameFilter {
            players: self.texts("player"),
            against: self.texts("against"),
            black: self.texts("black"),
            white: self.texts("white"),
            event: text("event"),
            years,
            source: text("source"),
            programs: self.yes("programs")?,
            xot: self.yes("xot")?,
            theory: self.yes("theory")?,
            outcome: self.choice("result", &outcomes)?,
            rating: self.number("rating", 0..=u16::MAX)?,
            opening: text("opening"),
            through: positions.iter().map(position).collect::<Result<_, _>>()?,
        })
    }
}

/// What lines may give away, by the values of [`LIMITS`]; no limit where none is given.
pub fn limits(move_loss: Option<&str>, line_loss: Option<&str>) -> Result<RegretLimits, WebError> {
    let read = |name: &str, text: Option<&str>| {
        let Some(text) = text else { return Ok(LossLimit::default()) };
        text.parse().map_err(|error: BadLossLimit| bad(name, text, &error))
    };
    let [move_name, line_name] = LIMITS;
    Ok(RegretLimits {
        move_loss: read(move_name, move_loss)?,
        line_loss: read(line_name, line_loss)?,
        total: None,
    })
}

fn expected(name: &str, text: &str, what: &str) -> WebError {
    bad(name, text, &format_args!("expected {what}"))
}

fn bad(name: &str, text: &str, why: &dyn Display) -> WebError {
    WebError::bad(format!("{name} '{}': {why}", one_line(text, MOST_TOLD)))
}
