//! The sources of searches.

use serde::{Deserialize, Serialize};

/// The number of a [`Source`] in a book.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SourceId(pub u32);

/// Where search results come from: program, evaluator, level, file. A text is empty where something
/// does not apply or is not known.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Source {
    /// The program, such as `rosebill 0.2.0` or `edax 4.4`.
    pub engine: String,
    /// Its evaluator: for ours the name and hash of the weights.
    pub evaluator: String,
    /// The level that was asked for, in the program's own terms.
    pub level: String,
    /// The format of the file that was imported; empty for searches of our own.
    pub format: String,
    pub file: String,
    /// The day on which that file was saved, or of our own search, as 2026-11-20.
    pub day: String,
    pub checksum: String,
}

impl Source {
    /// Whether these are searches of ours and not another program's values.
    pub(crate) fn is_own(&self) -> bool {
        self.format.is_empty()
    }

    /// All its texts in a fixed order.
    pub(super) fn texts(&self) -> [&str; 7] {
        let Self { engine, evaluator, level, format, file, day, checksum } = self;
        [engine, evaluator, level, format, file, day, checksum]
    }

    /// Whether its day looks like one or is not known: which of two is the later one is decided by
    /// the text.
    pub(crate) fn has_sound_day(&self) -> bool {
        let is_part = |part: &str, digits: usize, largest: u16| {
            part.len() == digits
                && part.bytes().all(|byte| byte.is_ascii_digit())
                && part.parse().is_ok_and(|number: u16| (1..=largest).contains(&number))
        };
        let parts: Vec<&str> = self.day.splitn(4, '-').collect();
        match parts.as_slice() {
            [year, month, day] => {
                is_part(year, 4, 9999) && is_part(month, 2, 12) && is_part(day, 2, 31)
            }
            _ => self.day.is_empty(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_days() {
        let is_sound =
            |day: &str| Source { day: day.to_owned(), ..Source::default() }.has_sound_day();
        assert!(["", "2026-11-20", "1990-01-31"].into_iter().all(is_sound));
        for day in ["2026-13-01", "2026-00-01", "2026-11-32", "2026-11", "26-11-20", "2026-1-20"] {
            assert!(!is_sound(day), "{day}");
        }
        for day in ["tomorrow", "2026-11-20\n", "2026-11-20-1", "2026-+1-20", "+026-11-20", "-"] {
            assert!(!is_sound(day), "{day}");
        }
    }
}
