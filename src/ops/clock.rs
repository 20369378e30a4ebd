//! The date, as books note it.

use jiff::Timestamp;

/// The variable that fixes the date for repeatable results (seconds since 1970).
const FIXED: &str = "SOURCE_DATE_EPOCH";

fn now() -> Timestamp {
    std::env::var(FIXED)
        .ok()
        .and_then(|text| text.parse().ok())
        .and_then(|seconds| Timestamp::from_second(seconds).ok())
        .unwrap_or_else(Timestamp::now)
}

/// The day, UTC, as 2026-11-20.
#[must_use]
pub fn today() -> String {
    now().strftime("%Y-%m-%d").to_string()
}

/// The second, UTC, as 2026-11-20T19:30:00Z.
#[must_use]
pub fn this_second() -> String {
    now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}
