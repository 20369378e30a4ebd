//! Numbers with what is counted, as people read them.

use std::fmt;

/// A number with what is counted: `counted(1, "position")` is "1 position", of 2 it is
/// "2 positions".
pub(crate) fn counted(count: impl Into<u64>, one: &str) -> impl fmt::Display {
    let count = count.into();
    let many = match one {
        "alias" => "aliases".to_owned(),
        "empty" => "empties".to_owned(),
        "ply" => "plies".to_owned(),
        "search" => "searches".to_owned(),
        "square empty" => "squares empty".to_owned(),
        one => format!("{one}s"),
    };
    if count == 1 { format!("1 {one}") } else { format!("{} {many}", grouped(count)) }
}

/// A number with its digits in groups of three: `131,737`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// How many positions a search visited: `4,043 nodes`, `12.3 million nodes`.
pub(crate) fn node_count(nodes: u64) -> String {
    match nodes {
        ..1_000_000 => counted(nodes, "node").to_string(),
        _ => format!("{:.1} million nodes", nodes as f64 / 1e6),
    }
}

/// A size in bytes as people write it: `288 KiB`, `41.2 MiB`.
pub(crate) fn byte_size(bytes: u64) -> String {
    const UNITS: [&str; 3] = ["KiB", "MiB", "GiB"];
    if bytes < 1024 {
        return counted(bytes, "byte").to_string();
    }
    let mut size = bytes as f64 / 1024.0;
    let mut unit = 0;
    while size >= 1024.0 && unit + 1 < UNITS.len() {
        size /= 1024.0;
        unit += 1;
    }
    let decimals = usize::from(unit > 0 && size < 100.0);
    format!("{size:.decimals$} {}", UNITS[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_no_plural() {
        let texts = [0_u64, 1, 2].map(|count| counted(count, "position").to_string());
        assert_eq!(texts, ["0 positions", "1 position", "2 positions"]);
        assert_eq!(counted(131_737_u32, "game").to_string(), "131,737 games");
        assert_eq!([999, 1_000, 1_234_567].map(grouped), ["999", "1,000", "1,234,567"]);
        let sizes = [1, 294_912, 43_201_000, 5 << 30].map(byte_size);
        assert_eq!(sizes, ["1 byte", "288 KiB", "41.2 MiB", "5.0 GiB"]);
        let nodes = [1, 4_043, 123_456, 12_345_678].map(node_count);
        assert_eq!(nodes, ["1 node", "4,043 nodes", "123,456 nodes", "12.3 million nodes"]);
        assert_eq!(counted(1_u8, "empty").to_string(), "1 empty");
        assert_eq!(counted(3_u8, "empty").to_string(), "3 empties");
        assert_eq!(counted(3_u8, "search").to_string(), "3 searches");
    }
}
