//! The three values of a position and what is proven about it.
//!
//! The rules that turn a value into the one seen a ply above are written here and nowhere else.

use super::Bounds;
use crate::othello::score::Score;
use crate::othello::search::Proof;

/// The bonus of a proven win and the malus of a proven loss, in centidiscs (source: NTest).
pub(crate) const PROVEN_BONUS: i16 = 10_000;

/// The values of a node whose moves are all unknown.
pub const UNKNOWN: Values = Values {
    guess: Score::ZERO,
    draw_seeking: Score::ZERO,
    win_seeking: Score::ZERO,
    lower: -64,
    upper: 64,
};

/// The values of a position or of a move, from the point of view of the side to move (for a move:
/// of the side that makes it). Always `win_seeking <= draw_seeking` and `lower <= upper`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Values {
    /// Best guess of the outcome with perfect play, in centidiscs, within the proven bounds.
    pub guess: Score,
    /// For a player that is content with a draw: a proven win or draw counts 100 discs more, a
    /// proven loss 100 less.
    pub draw_seeking: Score,
    /// For a player that must not draw: a proven win counts 100 discs more, a proven draw or loss
    /// 100 less.
    pub win_seeking: Score,
    /// The result is proven to be at least this, in discs.
    pub lower: i8,
    /// The result is proven to be at most this, in discs.
    pub upper: i8,
}

impl Values {
    /// Less than any move is worth: where a maximum starts.
    pub const NONE: Self = Self {
        guess: Score::from_centidiscs(i16::MIN + 1),
        draw_seeking: Score::from_centidiscs(i16::MIN + 1),
        win_seeking: Score::from_centidiscs(i16::MIN + 1),
        lower: -64,
        upper: -64,
    };

    /// The values of a search result.
    ///
    /// An estimate sets all three to the score; a proof adds the bonus to the two seeking ones, and
    /// its bounds hold the guess.
    #[inline]
    pub fn of_search(score: Score, proof: Proof) -> Self {
        let (lower, upper) = proof.bounds(score);
        let guess = clamp(score, lower, upper);
        let value = guess.centidiscs();
        // A draw counts as a win for the one and as a loss for the other.
        let draw_seeking = value + bonus(lower >= 0, upper < 0);
        let win_seeking = value + bonus(lower > 0, upper <= 0);
        Self {
            guess,
            draw_seeking: Score::from_centidiscs(draw_seeking),
            win_seeking: Score::from_centidiscs(win_seeking),
            lower,
            upper,
        }
    }

    /// The values of a finished game with this final score in discs.
    pub fn of_final(discs: i8) -> Self {
        Self::of_search(Score::from_discs(discs), Proof::Exact)
    }

    /// The values of a move that leads here, for the side that makes it.
    ///
    /// `same_side` says that the other side must then pass, so that the same side moves here: then
    /// nothing changes. Else everything is seen from the other side, and the player that seeks
    /// draws faces one that avoids them.
    #[inline]
    pub fn seen_by_parent(self, same_side: bool) -> Self {
        if same_side {
            return self;
        }
        Self {
            guess: -self.guess,
            draw_seeking: -self.win_seeking,
            win_seeking: -self.draw_seeking,
            lower: -self.upper,
            upper: -self.lower,
        }
    }

    /// The better of two moves, each value on its own. Fold over all moves from [`Values::NONE`],
    /// then call [`Values::within_bounds`].
    #[must_use]
    #[inline]
    pub fn max(self, other: Self) -> Self {
        Self {
            guess: self.guess.max(other.guess),
            draw_seeking: self.draw_seeking.max(other.draw_seeking),
            win_seeking: self.win_seeking.max(other.win_seeking),
            lower: self.lower.max(other.lower),
            upper: self.upper.max(other.upper),
        }
    }

    /// These values of a move that is also known to be no better than another.
    pub(crate) fn no_better_than(self, other: Self) -> Self {
        Self {
            guess: self.guess.min(other.guess),
            draw_seeking: self.draw_seeking.min(other.draw_seeking),
            win_seeking: self.win_seeking.min(other.win_seeking),
            lower: self.lower.min(other.upper),
            upper: self.upper.min(other.upper),
        }
    }

    /// The maximum over all moves with its guess held inside the proven bounds.
    ///
    /// A move that is proven worse than another's proven value never decides the guess: its guess
    /// is at most its upper bound, so at most the other's lower bound.
    #[inline]
    pub fn within_bounds(self) -> Self {
        Self { guess: clamp(self.guess, self.lower, self.upper), ..self }
    }

    /// These values where the result is also proven, by a fact, to be within some bounds; none when
    /// that contradicts what is proven here. A fact that says nothing new changes nothing.
    ///
    /// The estimates behind the three values are held inside the bounds, and get the bonus that the
    /// bounds call for. What a sign says of the size is only that: a proven win of unknown size is
    /// worth what it was estimated at.
    #[must_use]
    pub fn within(self, fact: Bounds) -> Option<Self> {
        let bounds = self.bounds().meet(fact)?;
        if bounds == self.bounds() {
            return Some(self);
        }
        let Bounds { lower, upper } = bounds;
        let sized = |seeking: Score| clamp(without_bonus(seeking), lower, upper).centidiscs();
        let win_seeking = sized(self.win_seeking) + bonus(lower > 0, upper <= 0);
        let draw_seeking = sized(self.draw_seeking) + bonus(lower >= 0, upper < 0);
        Some(Self {
            guess: clamp(self.guess, lower, upper),
            // A player that is content with a draw can do as one that is not.
            draw_seeking: Score::from_centidiscs(draw_seeking.max(win_seeking)),
            win_seeking: Score::from_centidiscs(win_seeking),
            lower,
            upper,
        })
    }

    /// These values held inside the bounds of facts, one after the other. One that cannot be true
    /// beside what is proven by then is not believed.
    #[must_use]
    pub(crate) fn believing(self, facts: &[Bounds]) -> Self {
        facts.iter().fold(self, |values, &fact| values.within(fact).unwrap_or(values))
    }

    pub const fn bounds(self) -> Bounds {
        Bounds { lower: self.lower, upper: self.upper }
    }

    /// Whether the result is known to the disc.
    pub const fn is_exact(self) -> bool {
        self.lower == self.upper
    }

    /// Whether the winner is proven or that it is a draw.
    pub const fn is_decided(self) -> bool {
        self.lower > 0 || self.upper < 0 || (self.lower == 0 && self.upper == 0)
    }

    /// The value for a player to whom a draw is worth `contempt`: that worth held inside
    /// [win_seeking, draw_seeking] (source: NTest).
    pub(crate) fn with_contempt(self, contempt: Score) -> Score {
        // Of a damaged book the two may be the wrong way round.
        contempt.max(self.win_seeking).min(self.draw_seeking)
    }
}

const fn bonus(surely_won: bool, surely_lost: bool) -> i16 {
    match (surely_won, surely_lost) {
        (true, _) => PROVEN_BONUS,
        (_, true) => -PROVEN_BONUS,
        _ => 0,
    }
}

/// The estimate in a seeking value: no estimate comes near the bonus.
fn without_bonus(seeking: Score) -> Score {
    let value = seeking.centidiscs();
    Score::from_centidiscs(match value {
        PROVEN_BONUS.. => value - PROVEN_BONUS,
        _ if value <= -PROVEN_BONUS => value + PROVEN_BONUS,
        _ => value,
    })
}

/// Of a damaged book the bounds may be the wrong way round: that is for `verify` to report.
fn clamp(score: Score, lower: i8, upper: i8) -> Score {
    score.max(Score::from_discs(lower)).min(Score::from_discs(upper))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(score: i16, proof: Proof) -> (i16, i16, i16, i8, i8) {
        let values = Values::of_search(Score::from_centidiscs(score), proof);
        (
            values.guess.centidiscs(),
            values.draw_seeking.centidiscs(),
            values.win_seeking.centidiscs(),
            values.lower,
            values.upper,
        )
    }

    #[test]
    fn estimates_and_proofs() {
        assert_eq!(values(0, Proof::None), (0, 0, 0, -64, 64));
        assert_eq!(values(0, Proof::Exact), (0, 10_000, -10_000, 0, 0));
        assert_eq!(values(600, Proof::Exact), (600, 10_600, 10_600, 6, 6));
        assert_eq!(values(-600, Proof::Exact), (-600, -10_600, -10_600, -6, -6));
        // An estimate that a proof of the sign contradicts is held at the nearest possible result.
        assert_eq!(values(-100, Proof::Win), (200, 10_200, 10_200, 2, 64));
        assert_eq!(values(-735, Proof::Loss), (-735, -10_735, -10_735, -64, -2));
        assert_eq!(values(-735, Proof::NotLost), (0, 10_000, 0, 0, 64));
        assert_eq!(values(-735, Proof::NotWon), (-735, -735, -10_735, -64, 0));
    }

    #[test]
    fn a_draw_is_good_for_one_and_bad_for_the_other() {
        let draw = Values::of_final(0);
        let above = draw.seen_by_parent(false);
        assert_eq!(above.draw_seeking.centidiscs(), 10_000);
        assert_eq!(above.win_seeking.centidiscs(), -10_000);
        assert_eq!(draw.seen_by_parent(true), draw);
        assert_eq!(draw.with_contempt(Score::from_discs(-3)), Score::from_discs(-3));
        assert_eq!(Values::of_final(2).with_contempt(Score::ZERO), Score::from_discs(102));
    }

    #[test]
    fn facts_hold_values_and_give_the_bonus_of_their_sign() {
        let searched = |score, proof| Values::of_search(Score::from_centidiscs(score), proof);
        let fact = |lower, upper| Bounds { lower, upper };
        let held = |values: Values, bounds: Bounds| {
            let held = values.within(bounds).unwrap();
            // Twice is once, and the looser fact changes nothing after the tighter one.
            assert_eq!(held.within(bounds), Some(held));
            assert_eq!(held.within(Bounds::ALL), Some(held));
            (held.guess.centidiscs(), held.draw_seeking.centidiscs(), held.win_seeking.centidiscs())
        };
        let guess = searched(28, Proof::None);
        assert_eq!(held(guess, fact(0, 0)), (0, 10_000, -10_000));
        assert_eq!(held(guess, fact(0, 64)), (28, 10_028, 28));
        assert_eq!(held(guess, fact(2, 64)), (200, 10_200, 10_200));
        assert_eq!(held(guess, fact(-64, 0)), (0, 0, -10_000));
        assert_eq!(held(guess, fact(-64, -2)), (-200, -10_200, -10_200));
        assert_eq!(held(guess, fact(-64, 10)), (28, 28, 28));
        assert_eq!(held(guess, fact(-64, -10)), (-1000, -11_000, -11_000));
        // Nothing is added twice, and a fact says what all searches say of one.
        for proof in [Proof::Exact, Proof::Win, Proof::Loss, Proof::NotLost, Proof::NotWon] {
            let proven = searched(600, proof);
            assert_eq!(searched(600, Proof::None).within(proven.bounds()), Some(proven));
        }
        // A draw is sure and a win likely; now the win is sure.
        let likely = Values::of_final(0).max(searched(500, Proof::None)).within_bounds();
        assert_eq!(held(likely, fact(2, 64)), (500, 10_500, 10_500));
        assert_eq!(searched(600, Proof::Win).within(fact(-64, 0)), None);
    }

    #[test]
    fn a_proven_loss_never_decides_a_proven_draw() {
        let draw = Values::of_final(0);
        let loss = Values::of_search(Score::from_discs(5), Proof::Loss);
        let best = Values::NONE.max(draw).max(loss).within_bounds();
        assert_eq!((best.guess, best.lower, best.upper), (Score::ZERO, 0, 0));
    }
}
