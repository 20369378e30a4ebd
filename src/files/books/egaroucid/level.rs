//! What a level of Egaroucid means: depth and selectivity by empties.

use crate::othello::search::Selectivity;

/// For a level, the most empties that are read to the end at 88, 93, 98, 99 and 100 %; 0 is never.
const fn ends(level: u8) -> [(u8, u8); 5] {
    let [p88, p93, p98, p99, p100] = match level {
        0 => [0, 0, 0, 0, 0],
        1..=10 => [0, 0, 0, 0, 2 * level],
        11..=12 => [0, 0, 25, 23, 21],
        13..=14 => [0, 27, 25, 23, 21],
        15..=17 => [0, 0, 27, 24, 22],
        18..=19 => [0, 29, 27, 24, 22],
        20..=22 => [0, 30, 28, 26, 24],
        23..=24 => [0, 32, 30, 28, 26],
        25..=26 => [34, 32, 30, 28, 26],
        27..=28 => [36, 34, 32, 30, 28],
        29..=30 => [0, 36, 34, 32, 30],
        31..=32 => [38, 36, 34, 32, 30],
        33..=34 => [0, 38, 36, 34, 32],
        35..=36 => [40, 38, 36, 34, 32],
        37 => [0, 40, 36, 36, 34],
        38 => [0, 40, 38, 36, 34],
        39..=40 => [42, 40, 38, 36, 34],
        41..=42 => [0, 42, 40, 38, 36],
        43..=44 => [44, 42, 40, 38, 36],
        45..=46 => [0, 44, 42, 40, 38],
        47..=48 => [46, 44, 42, 40, 38],
        49..=50 => [0, 46, 44, 42, 40],
        51 => [48, 46, 44, 42, 40],
        52 => [50, 48, 46, 44, 42],
        53 => [54, 52, 50, 48, 46],
        54 => [56, 54, 52, 50, 48],
        55 => [58, 56, 54, 52, 50],
        56 => [60, 58, 56, 54, 52],
        57 => [0, 60, 58, 56, 54],
        58 => [0, 0, 60, 58, 56],
        59 => [0, 0, 0, 60, 58],
        _ => [0, 0, 0, 0, 60],
    };
    [(p100, 100), (p99, 99), (p98, 98), (p93, 93), (p88, 88)]
}

/// Depth in plies and selectivity of a level, 0..=60, at this number of empties.
pub fn plan(level: u8, empties: u8) -> (u8, Selectivity) {
    let (depth, percent) =
        match ends(level).into_iter().find(|&(most, _)| most > 0 && empties <= most) {
            Some((_, percent)) => (empties, percent),
            None => {
                let percent = match level {
                    0..=10 | 60.. => 100,
                    // It says 74, and means what we call 73: 1.1 standard errors. As more it would take the
                    // place of our own searches when a book comes back.
                    11..=55 => 73,
                    56..=57 => 88,
                    58..=59 => 93,
                };
                (level.min(empties), percent)
            }
        };
    (depth, Selectivity::from_percent(percent).unwrap_or_default())
}

/// The highest level that claims no more depth and selectivity than a search had. `exact` says that
/// the score is proven to the disc: then it is 60, which Egaroucid takes for exact.
pub(crate) fn level_of(empties: u8, depth: u8, selectivity: Selectivity, exact: bool) -> u8 {
    if exact {
        return 60;
    }
    let claims_no_more = |level: u8| {
        let (claimed_depth, claimed) = plan(level, empties);
        let to_the_end = claimed_depth == empties;
        // As many plies at no more confidence, or fewer; what skips more than Egaroucid does counts as what
        // skips most.
        claimed_depth <= depth.min(empties)
            && match to_the_end {
                true => !claimed.is_full() && claimed <= selectivity,
                false => claimed_depth < depth || claimed <= selectivity.max(Selectivity::LOWEST),
            }
    };
    (0..60).rev().find(|&level| claims_no_more(level)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_mean_what_egaroucid_means() {
        let plan = |level, empties| {
            let (depth, selectivity) = plan(level, empties);
            (depth, selectivity.percent())
        };
        assert_eq!(plan(7, 14), (14, 100));
        assert_eq!(plan(7, 15), (7, 100));
        assert_eq!(plan(21, 24), (24, 100));
        assert_eq!(plan(21, 25), (25, 99));
        assert_eq!(plan(21, 30), (30, 93));
        assert_eq!(plan(21, 31), (21, 73));
        assert_eq!(plan(60, 60), (60, 100));
        assert_eq!(plan(0, 10), (0, 100));
    }

    #[test]
    fn a_level_never_claims_more_than_the_search_had() {
        let full = Selectivity::FULL;
        // Up to 10 its levels skip nothing.
        assert_eq!([full, Selectivity::LOWEST].map(|s| level_of(40, 10, s, false)), [10, 9]);
        for empties in 1..=60 {
            for depth in 1..=empties {
                let level = level_of(empties, depth, full, false);
                let (claimed, selectivity) = super::plan(level, empties);
                assert!(claimed <= depth && !(claimed == empties && selectivity.is_full()));
            }
        }
    }
}
