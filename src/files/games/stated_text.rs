//! Reading what a header states of a result, in marks or in words.

use super::result_words::read_result;
use super::stated::{
    Stated, StatedScore, is_unknown, read_pair, read_short, read_winner, with_hyphen,
};

impl Stated {
    /// Reads what headers of PGN hold: `47-17`, `47:17`, `1-0`, `0-1`, `1/2-1/2`, `W+16`, `White wins`.
    /// None for `*`, `?`, `0-0` and nothing at all; other words are kept as they are.
    pub fn read(text: &str) -> Option<Self> {
        Self::read_plain(text).map(|stated| stated.with_loser(text))
    }

    /// As [`Self::read_shown`], of what another program may have written in words: `White resigned`.
    pub(super) fn read_told(text: &str) -> Option<Self> {
        Self::read_shown(text).map(|stated| stated.with_loser(text))
    }

    /// This, where it is words alone that say which side won, or how the other one lost.
    fn with_loser(self, text: &str) -> Self {
        match self.score {
            Some(_) => self,
            None => match read_result(text) {
                Some(told @ Self { score: Some(StatedScore::Winner(winner)), .. })
                    if winner.is_some() || told.how.is_some() =>
                {
                    told
                }
                _ => self,
            },
        }
    }

    /// [`Self::read`] without the words about the loser, which books hold as they were read.
    fn read_plain(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.is_empty() || is_unknown(text) {
            return None;
        }
        if let Some(short) = read_short(text) {
            return Some(short);
        }
        let score = read_pair(text)
            .or_else(|| read_pair(&with_hyphen(text)))
            .or_else(|| read_winner(text).map(StatedScore::Winner));
        let words = || Self { score: None, how: Some(text.to_owned()) };
        let score = score.map(Self::score).or_else(|| Self::read_lead(text));
        // The meaning of words alone is left to the reader.
        let in_words = || {
            let told = read_result(text)?;
            let is_score = !matches!(told.score, None | Some(StatedScore::Winner(_)));
            (is_score || told.how.as_deref() == Some(text)).then_some(told)
        };
        let score = score.or_else(in_words);
        Some(score.unwrap_or_else(words))
    }

    /// Reads what [`Stated`] itself is shown as, which no other information is lost in.
    pub(crate) fn read_shown(text: &str) -> Option<Self> {
        let (score, how) = match text.strip_suffix(')').and_then(|text| text.split_once(" (")) {
            Some((score, how)) => (score, Some(how)),
            None => (text, None),
        };
        let difference = || {
            let number = score.starts_with(['+', '-']).then(|| score.parse().ok()).flatten();
            number.filter(|number: &f64| number.is_finite()).map(StatedScore::Difference)
        };
        match read_pair(score).or_else(difference) {
            Some(score) => Some(Self { score: Some(score), how: how.map(str::to_owned) }),
            None => Self::read_plain(text),
        }
    }

    /// Without a score that no board gives: a difference of more discs than there are, and the komi.
    /// Programs write one where they know none. None when nothing is left.
    pub(super) fn if_possible(self, komi: f64) -> Option<Self> {
        match self.score {
            Some(StatedScore::Difference(difference)) if difference.abs() > 64.0 + komi.abs() => {
                let rest = Self { score: None, ..self };
                // Words that look like a score are none without the other one.
                let is_sound = Self::read_shown(&rest.to_string()).as_ref() == Some(&rest);
                is_sound.then_some(rest)
            }
            _ => Some(self),
        }
    }
}
