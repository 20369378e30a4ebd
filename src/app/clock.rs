//! The date, as books note it.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The variable that fixes the date for repeatable results (seconds since 1970).
const FIXED: &str = "SOURCE_DATE_EPOCH";

fn now() -> SystemTime {
    std::env::var(FIXED)
        .ok()
        .and_then(|text| text.parse().ok())
        .map_or_else(SystemTime::now, |seconds| UNIX_EPOCH + Duration::from_secs(LAST.min(seconds)))
        .clamp(UNIX_EPOCH, UNIX_EPOCH + Duration::from_secs(LAST))
}

/// The last second that has a year of four digits: that of 9999-12-31T23:59:59Z.
const LAST: u64 = 253_402_300_799;

/// The day, UTC, as 2026-11-20.
pub(crate) fn today() -> String {
    let mut text = this_second();
    text.truncate("2026-11-20".len());
    text
}

/// The second, UTC, as 2026-11-20T19:30:00Z.
pub(crate) fn this_second() -> String {
    humantime::format_rfc3339_seconds(now()).to_string()
}

/// The time of the day, UTC, as 19:30:00Z: of now, whatever date is to be noted.
pub(crate) fn time_of_day() -> String {
    let mut text = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    text.split_off("2026-11-20T".len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_as_promised() {
        let (second, day) = (this_second(), today());
        assert_eq!((second.len(), day.len()), (20, 10));
        assert!(second.ends_with('Z') && second.as_bytes()[10] == b'T');
        let year: u32 = day[..4].parse().unwrap();
        assert!((1970..10_000).contains(&year));
    }

    #[test]
    fn the_last_second_can_be_written() {
        let last = UNIX_EPOCH + Duration::from_secs(LAST);
        let text = humantime::format_rfc3339_seconds(last).to_string();
        assert_eq!(text, "9999-12-31T23:59:59Z");
    }
}
