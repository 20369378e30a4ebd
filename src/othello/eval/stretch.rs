//! What searches leave out: values lie too close to zero.

use serde::{Deserialize, Serialize};

use crate::othello::score::Score;

/// By how much the result of perfect play is further from zero than what a search finds.
///
/// An advantage grows with good play beyond what any search of some plies sees of it, and a fit of weights draws
/// what it does not know to zero. Small values stay as they are: a lead of a disc may as well be a deficit. From
/// [`Self::from`] on a value is moved away from zero, the more the larger it is, from [`Self::full`] on by all
/// of [`Self::most`], and towards a wipe-out less again. The order of two values
/// with the same number of empty squares left never changes.
///
/// Source: measured; see `NOTES.md`, "Values too close to zero".
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Stretch {
    /// The size of the smallest value that is moved, in centidiscs.
    pub from: i16,
    /// The size from which on a value is moved by all, in centidiscs.
    pub full: i16,
    /// By how much, in centidiscs, by the empty squares that the last position of a search has left,
    /// rising; between two by a mean of both, outside as at the nearest.
    pub most: Vec<(u8, i16)>,
}

/// From so many centidiscs short of a wipe-out on, a value is moved the less the nearer it is.
pub(super) const NEAR_WIPE_OUT: i32 = 3200;

impl Stretch {
    /// Whether it keeps the order of values, and says something for every number of empty squares.
    pub fn is_sound(&self) -> bool {
        let span = i32::from(self.full) - i32::from(self.from);
        let rising = self.most.array_windows().all(|[(low, _), (high, _)]| low < high);
        let gentle = |&(_, most): &(u8, i16)| i32::from(most).abs() < span.min(NEAR_WIPE_OUT);
        let gentle = self.most.iter().all(gentle);
        self.from >= 0 && gentle && rising && !self.most.is_empty()
    }

    /// What a value, for whichever side, is expected to become with perfect play, where the search that
    /// found it judged positions with so many empty squares left.
    pub(crate) fn apply(&self, value: Score, left: u8) -> Score {
        let size = i32::from(value.centidiscs()).abs();
        let (from, full) = (i32::from(self.from), i32::from(self.full));
        let short = (i32::from(Score::MAX.centidiscs()) - size).clamp(0, NEAR_WIPE_OUT);
        let moved = self.most_at(left) * (size.clamp(from, full) - from) / (full - from).max(1);
        let size = (size + moved * short / NEAR_WIPE_OUT) as i16;
        Score::from_centidiscs(if value < Score::ZERO { -size } else { size })
    }

    /// Centidiscs.
    fn most_at(&self, left: u8) -> i32 {
        let above = self.most.partition_point(|&(at, _)| at <= left);
        let known = |place: usize| self.most.get(place).map(|&(at, most)| (at, i32::from(most)));
        match (above.checked_sub(1).and_then(known), known(above)) {
            (Some((low, less)), Some((high, more))) => {
                less + (more - less) * i32::from(left - low) / i32::from(high - low)
            }
            (Some((_, most)), None) | (None, Some((_, most))) => most,
            (None, None) => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stretch() -> Stretch {
        Stretch { from: 200, full: 1800, most: vec![(4, 0), (12, 160), (20, 240)] }
    }

    #[test]
    fn values_move_away_from_nought_by_their_size_and_by_what_is_left() {
        let applied = |centidiscs, left| {
            stretch().apply(Score::from_centidiscs(centidiscs), left).centidiscs()
        };
        assert_eq!([0, 150, -200].map(|value| applied(value, 20)), [0, 150, -200]);
        assert_eq!([1000, 1800, 3000].map(|value| applied(value, 20)), [1120, 2040, 3240]);
        assert_eq!(
            [2, 4, 8, 12, 16, 33].map(|left| applied(-1800, left)),
            [-1800, -1800, -1880, -1960, -2000, -2040]
        );
        assert_eq!([4800, 6400, -6400].map(|value| applied(value, 20)), [4920, 6400, -6400]);
    }

    #[test]
    fn order_stays() {
        for left in 0..=60 {
            let all = (-6400..=6400).map(|c| stretch().apply(Score::from_centidiscs(c), left));
            assert!(all.is_sorted());
        }
    }

    #[test]
    fn what_would_turn_values_round_is_not_sound() {
        assert!(stretch().is_sound());
        for unsound in [
            Stretch { from: 1800, ..stretch() },
            Stretch { from: -1, ..stretch() },
            Stretch { most: Vec::new(), ..stretch() },
            Stretch { most: vec![(4, -1600)], ..stretch() },
            Stretch { most: vec![(4, 0), (4, 0)], ..stretch() },
        ] {
            assert!(!unsound.is_sound(), "{unsound:?}");
        }
    }
}
