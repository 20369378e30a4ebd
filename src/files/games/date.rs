//! The day of a game, as far as it is known.

use std::fmt;

use super::vocabulary::label_key;

/// A year, perhaps with its month, perhaps with the day.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

/// The beginnings of the months' names.
const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// The names of the months in other languages, without accents.
const OTHER_MONTHS: [&str; 12] = [
    "janvier januar janner januari gennaio enero janeiro",
    "fevrier februar februari febbraio febrero fevereiro fev",
    "mars marz maart marzo marco mrt",
    "avril april aprile abril avr abr",
    "mai mei maggio mayo maio",
    "juin juni giugno junio junho",
    "juillet juli luglio julio julho juil",
    "aout august augustus agosto",
    "septembre september settembre septiembre setembro",
    "octobre oktober ottobre octubre outubro okt",
    "novembre november noviembre novembro",
    "decembre dezember december dicembre diciembre dezembro dez dic",
];

/// Words between the parts of a date.
const BETWEEN: [&str; 7] = ["de", "of", "del", "den", "der", "el", "le"];

/// Seconds of a day.
const DAY: i64 = 24 * 60 * 60;

impl Date {
    /// A date; what is no month or no day of any month is left out. None without a year of four
    /// digits.
    pub fn new(year: u16, month: Option<u8>, day: Option<u8>) -> Option<Self> {
        if !(1000..=9999).contains(&year) {
            return None;
        }
        let month = month.filter(|month| (1..=12).contains(month)).unwrap_or_default();
        let day = day.filter(|day| month > 0 && (1..=31).contains(day)).unwrap_or_default();
        Some(Self { year, month, day })
    }

    /// The year, 1000..=9999.
    pub const fn year(self) -> u16 {
        self.year
    }

    /// The month, 1..=12.
    pub(crate) fn month(self) -> Option<u8> {
        Some(self.month).filter(|&month| month > 0)
    }

    /// The day of the month, 1..=31.
    pub(crate) fn day(self) -> Option<u8> {
        Some(self.day).filter(|&day| day > 0)
    }

    /// Whether it may be a year alone: some programs write its first day for that.
    pub(super) const fn may_be_a_year(self) -> bool {
        self.day == 0 && self.month == 0 || self.day == 1 && self.month == 1
    }

    /// Whether two dates may mean one day, as far as both are known: a clock of another zone may show the one
    /// before or behind it.
    pub(super) fn may_be_the_day(self, other: Self) -> bool {
        if self.may_be_a_year() || other.may_be_a_year() {
            return self.year == other.year;
        }
        if self.day == 0 || other.day == 0 {
            return self.year == other.year && self.month == other.month;
        }
        self.number().abs_diff(other.number()) <= 1
    }

    /// A number of days from which those between two dates follow.
    fn number(self) -> i64 {
        let year = i64::from(self.year) - i64::from(self.month <= 2);
        let month = (i64::from(self.month) + 9) % 12;
        365 * year + year / 4 - year / 100
            + year / 400
            + (153 * month + 2) / 5
            + i64::from(self.day)
    }

    /// Reads a date and, perhaps, the text behind it: `2006.05.28`, `2006-05-28 20:52:27 GMT`,
    /// `2006/5/28`, `2006年5月28日`, `20060528`, `28.05.2006`, `28/05/2006`, `5/28/2006`, `28 May 2006`,
    /// `May 28, 2006`, `Sun May 28 20:52:27 2006`, `2006.??.??`, `2006`, and seconds since 1970 as servers have
    /// them (`940607137`, `1075936432.MST`). The second part is the time of day, or what else follows. Of
    /// `02/01/2006` and of other words only the year is sure, and all of it follows. Where programs begin or end to
    /// count days is no date: they write that where none is known.
    pub fn read(text: &str) -> Option<(Self, &str)> {
        const NONE: [(u16, u8, u8); 5] =
            [(1899, 12, 30), (1899, 12, 31), (1900, 1, 1), (1970, 1, 1), (9999, 12, 31)];
        Self::read_any(text).filter(|(date, _)| !NONE.contains(&(date.year, date.month, date.day)))
    }

    /// As [`Self::read`], with those.
    fn read_any(text: &str) -> Option<(Self, &str)> {
        let text = text.trim();
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        match digits {
            8 if digits == text.len() => {
                let part = |from, to| text.get(from..to)?.parse().ok();
                let (month, day) = (part(4, 6)?, part(6, 8)?);
                let date = Self::new(text.get(..4)?.parse().ok()?, Some(month), Some(day))?;
                date.day().map(|_| (date, ""))
            }
            9..=13 => {
                let (seconds, zone) = text.split_at(digits);
                // GGS names the zone of its clock, in which these seconds are not counted.
                let is_zone = zone.strip_prefix('.').is_some_and(|zone| {
                    !zone.is_empty() && zone.bytes().all(|byte| byte.is_ascii_uppercase())
                });
                let date = (zone.is_empty() || is_zone).then(|| seconds.parse().ok()).flatten();
                Some((Self::of_seconds(date?)?, ""))
            }
            1 | 2 | 4 => Self::of_numbers(text, digits).or_else(|| Self::of_words(text)),
            _ => Self::of_words(text),
        }
    }

    /// Reads three numbers, the year first or last.
    fn of_numbers(text: &str, digits: usize) -> Option<(Self, &str)> {
        let (first, rest) = text.split_at(digits);
        let mark = rest.chars().next();
        let (second, rest) = part(rest);
        let (third, rest) = part(rest);
        if first.len() == 4 {
            let date = Self::new(first.parse().ok()?, number(second), number(third))?;
            // More days follow.
            let has_more = rest.strip_prefix(',').is_some_and(|rest| rest.starts_with(is_digit));
            return Some((date, if has_more { text } else { behind(rest) }));
        }
        let year = third.filter(|year| year.len() == 4)?.parse().ok()?;
        let (first, second) = (number(Some(first))?, number(second)?);
        // With dots the day comes first; else a number above 12 shows which one is the day.
        match (first, second) {
            (day, month) if mark == Some('.') || day > 12 || day == month => {
                Some((Self::new(year, Some(month), Some(day))?, behind(rest)))
            }
            (month, day) if day > 12 => {
                Some((Self::new(year, Some(month), Some(day))?, behind(rest)))
            }
            _ => Some((Self::new(year, None, None)?, text)),
        }
    }

    /// Reads a date with the month's English name, the day before or behind it; of other words the only
    /// number that can be a year.
    fn of_words(text: &str) -> Option<(Self, &str)> {
        let is_said = |word: &&str| {
            !word.is_empty() && !BETWEEN.iter().any(|between| word.eq_ignore_ascii_case(between))
        };
        let words: Vec<&str> = text.split([' ', ',', '-', '.']).filter(is_said).collect();
        let month = |word: &&str| {
            let start = word.get(..3).map(str::to_ascii_lowercase);
            let is_word = word.bytes().all(|byte| byte.is_ascii_alphabetic());
            let english =
                MONTHS.iter().position(|month| is_word && start.as_deref() == Some(*month));
            let (word, is_short) = (label_key(word), word.len() <= LONGEST_MONTH);
            let other = || {
                let mut names = OTHER_MONTHS.iter();
                names.position(|names| names.split(' ').any(|name| is_short && name == word))
            };
            other().or(english)
        };
        let is_year =
            |word: &&str| word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit());
        let mut years = words.iter().copied().filter(is_year);
        let year = years.next().filter(|_| years.next().is_none())?.parse().ok()?;
        let found = words.iter().enumerate().find_map(|(at, word)| Some((at, month(word)?)));
        let Some((at, month)) = found else { return Some((Self::new(year, None, None)?, text)) };
        let day = |word: Option<&&str>| {
            let word = word?.trim_end_matches(|c: char| c.is_ascii_alphabetic());
            word.parse().ok().filter(|day| (1..=31).contains(day))
        };
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        let one_more = at.checked_sub(2).and_then(|before| words.get(before));
        if day(before).is_some() && day(one_more).is_some() {
            // `3-4 May 2019`: it is not known which.
            return Some((Self::new(year, u8::try_from(month + 1).ok(), None)?, text));
        }
        let day = day(before).or_else(|| day(words.get(at + 1)));
        let time = words.iter().find(|word| word.contains(':')).copied().unwrap_or_default();
        Some((Self::new(year, u8::try_from(month + 1).ok(), day)?, time))
    }

    /// The day of a number of seconds since 1970; of milliseconds where there are too many.
    pub(crate) fn of_seconds(seconds: i64) -> Option<Self> {
        let seconds =
            if seconds.unsigned_abs() > 100_000_000_000 { seconds / 1000 } else { seconds };
        // Years are counted from March, so that a leap day is their last.
        let days = seconds.div_euclid(DAY) + 719_468;
        let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * shifted + 2) / 5 + 1;
        let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        Self::new(
            u16::try_from(year).ok()?,
            Some(u8::try_from(month).ok()?),
            Some(u8::try_from(day).ok()?),
        )
    }
}

/// Bytes of the longest name of a month.
const LONGEST_MONTH: usize = 12;

fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}

/// What follows a date, without the day of the week in brackets.
fn behind(rest: &str) -> &str {
    let rest = rest.trim_start_matches(['_', 'T', ' ', '-', ',', '日', '일', '号']).trim();
    let weekday = rest.strip_prefix(['(', '（']).and_then(|rest| rest.split_once([')', '）']));
    weekday
        .filter(|(day, _)| day.chars().all(char::is_alphabetic))
        .map_or(rest, |(_, rest)| rest.trim())
}

/// Whether the day or month that a text names, if it is a date, is one of the calendar: else not all
/// of it is kept.
pub(super) fn says_a_day(text: &str) -> bool {
    let Some((date, rest)) = Date::read(text) else { return true };
    // Of a text that stays whole nothing is lost.
    let parts = text.trim().split(['.', '-', '/']).take(3).filter(|_| rest != text.trim());
    // Zeros name nothing.
    let is_named = |part: &&str| {
        part.starts_with(|first: char| first.is_ascii_digit())
            && !part.bytes().all(|byte| byte == b'0')
    };
    let named = parts.filter(is_named).count();
    let kept = 1 + usize::from(date.month > 0) + usize::from(date.day > 0);
    let is_leap = date.year.is_multiple_of(4)
        && (!date.year.is_multiple_of(100) || date.year.is_multiple_of(400));
    let days = match date.month {
        2 => 28 + u8::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    named <= kept && date.day <= days
}

/// One more part of a date, with the mark before it, and perhaps a blank in place of a zero.
fn part(text: &str) -> (Option<&str>, &str) {
    let Some(rest) = text.strip_prefix(['.', '-', '/', '年', '月', '년', '월']) else {
        return (None, text);
    };
    let rest = rest.trim_start_matches(' ');
    let end = rest.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'?').count();
    let (part, rest) = rest.split_at(end);
    (Some(part), rest)
}

fn number(part: Option<&str>) -> Option<u8> {
    part?.parse().ok()
}

/// `2006-05-28`, `2006-05`, `2006`.
impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}", self.year)?;
        if self.month > 0 {
            write!(f, "-{:02}", self.month)?;
        }
        if self.day > 0 {
            write!(f, "-{:02}", self.day)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_programs_write() {
        for (text, date, rest) in [
            ("2006.05.28", "2006-05-28", ""),
            ("2006-5-8", "2006-05-08", ""),
            ("2014/02/21", "2014-02-21", ""),
            ("28.05.2006", "2006-05-28", ""),
            ("1977", "1977", ""),
            ("1977.??.??", "1977", ""),
            ("1977.11.??", "1977-11", ""),
            ("2003.12.15_12:33:18.MST", "2003-12-15", "12:33:18.MST"),
            ("2014-02-21 20:52:27 GMT", "2014-02-21", "20:52:27 GMT"),
            ("2021-03-11T20:13:30.123Z", "2021-03-11", "20:13:30.123Z"),
            ("940607137", "1999-10-22", ""),
            ("947375357", "2000-01-08", ""),
            ("1075936432.MST", "2004-02-04", ""),
            ("951782400", "2000-02-29", ""),
            ("1615493610123", "2021-03-11", ""),
            ("2006.13.40", "2006", ""),
            ("20060528", "2006-05-28", ""),
            ("2003. 2. 5_ 3: 4: 3", "2003-02-05", "3: 4: 3"),
            ("2006年5月28日", "2006-05-28", ""),
            ("2006年5月", "2006-05", ""),
            ("28/05/2006", "2006-05-28", ""),
            ("28-05-2006 10:00", "2006-05-28", "10:00"),
            ("5/28/2006", "2006-05-28", ""),
            ("02/02/2006", "2006-02-02", ""),
            ("02/01/2006", "2006", "02/01/2006"),
            ("May 28, 2006", "2006-05-28", ""),
            ("28 may 2006", "2006-05-28", ""),
            ("28-May-2006", "2006-05-28", ""),
            ("May 2006", "2006-05", ""),
            ("4th July 1999", "1999-07-04", ""),
            ("28 mai 2006", "2006-05-28", ""),
            ("28. März 2006", "2006-03-28", ""),
            ("3 de mayo de 2019", "2019-05-03", ""),
            ("1er février 2019", "2019-02-01", ""),
            ("mardi 12 mars 2019", "2019-03-12", ""),
            ("28 brumaire 2006", "2006", "28 brumaire 2006"),
            ("3-4 May 2019", "2019-05", "3-4 May 2019"),
            ("1996-12-27,28,1997-01-03", "1996-12-27", "1996-12-27,28,1997-01-03"),
            ("2019/5/3(金)", "2019-05-03", ""),
            ("2019年5月3日(金) 10:00", "2019-05-03", "10:00"),
            ("2019년 5월 3일", "2019-05-03", ""),
            ("Sun May 28 20:52:27 2006", "2006-05-28", "20:52:27"),
        ] {
            let (found, behind) = Date::read(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((found.to_string().as_str(), behind), (date, rest), "{text}");
            assert_eq!(Date::read(&found.to_string()), Some((found, "")));
        }
        for text in [
            "",
            "????.??.??",
            "?",
            "May",
            "99",
            "0000",
            "é",
            "99999999",
            "20061328",
            "1234567",
            "1075936432.5",
            "1075936432 f5",
            "1899-12-30",
            "1970-01-01 00:00:00",
            "31.12.9999",
        ] {
            assert_eq!(Date::read(text), None, "{text}");
        }
        assert_eq!(Date::of_seconds(0).map(|date| date.to_string()).as_deref(), Some("1970-01-01"));
        assert_eq!(Date::read("1970").map(|(date, _)| date.year()), Some(1970));
        let days = ["2024-00-00", "2024.05.00", "2024", "2024-13-45", "2024-02-30"];
        assert_eq!(days.map(says_a_day), [true, true, true, false, false]);
        assert_eq!(Date::of_seconds(i64::MAX), None);
        assert_eq!(Date::of_seconds(i64::MIN), None);
    }
}
