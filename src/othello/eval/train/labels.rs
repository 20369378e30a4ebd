//! What the positions of a game are worth, from what is known about the game.

use std::cmp::Reverse;

use crate::othello::board::{After, Position, Square};

use super::Sample;

/// A game as the trainer needs it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TrainingGame {
    /// The moves from the start position; passes are left out.
    pub moves: Vec<Square>,
    /// The result of perfect play from the position with [`Labeller::THEORY_EMPTIES`] empty
    /// squares on, in discs for Black, if known.
    pub theory: Option<i8>,
    /// What is known of a game that our own search played.
    pub own: Option<OwnPlay>,
}

/// How a game of our own came about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OwnPlay {
    /// Moves before this one were random: what comes after says nothing about their positions.
    pub learn_from: usize,
    /// From so many empties on both sides played perfectly.
    pub perfect_from: u8,
}

/// Labels the positions of games.
///
/// Between two places of a game whose exact value is known the mistakes are taken to be spread
/// evenly; before the first, its value is the label, which counts less with every move in between.
pub(crate) struct Labeller<'a> {
    /// The exact score of a position in discs for the side to move, where it is known.
    pub exact: &'a (dyn Fn(Position) -> Option<i8> + Sync),
    /// Positions more than so many moves before the first known value are left out.
    pub furthest: u8,
    /// Positions with fewer empty squares are left out.
    pub least_empties: u8,
}

/// Variance in discs^2 between exact values and those of the evaluator.
const RESIDUAL_VARIANCE: f32 = 30.0;

/// Variance in discs^2 that each move before a known value adds to it as a label; measured on the
/// WTHOR games.
const VARIANCE_PER_MOVE: f32 = 15.0;

/// More moves than any game has.
const WHOLE_GAME: u8 = 60;

/// The same for games of our own; measured on games of four plies a move.
const OWN_VARIANCE_PER_MOVE: f32 = 7.0;

impl Labeller<'_> {
    /// Empties of the position whose theoretical score a game may carry.
    pub(crate) const THEORY_EMPTIES: u8 = 24;

    /// A sample for each position of a game that a side can move in. Moves from the first illegal
    /// one on are ignored; an unfinished game without a known value gives nothing.
    pub(crate) fn label(&self, game: &TrainingGame) -> Vec<Sample> {
        let (positions, result) = replay(game);
        let known = self.known_values(game, &positions, result);
        let (learn_from, furthest, per_move) = match game.own {
            Some(own) => (own.learn_from, WHOLE_GAME, OWN_VARIANCE_PER_MOVE),
            None => (0, self.furthest, VARIANCE_PER_MOVE),
        };
        let sample = |&(position, black): &(Position, bool)| {
            let empties = position.empties();
            if empties < self.least_empties || empties > known.first()?.0.saturating_add(furthest) {
                return None;
            }
            let (value, variance) = between(&known, empties, per_move)?;
            let label = if black { value } else { -value };
            let weight = RESIDUAL_VARIANCE / (RESIDUAL_VARIANCE + variance);
            Some(Sample::new(position, label, weight))
        };
        positions.iter().skip(learn_from).filter_map(sample).collect()
    }

    /// Empties and value for Black, from the beginning of the game to its end, each number of empties once.
    fn known_values(
        &self,
        game: &TrainingGame,
        positions: &[(Position, bool)],
        result: Option<i8>,
    ) -> Vec<(u8, f32)> {
        let mut known = Vec::new();
        for &(position, black) in positions {
            let empties = position.empties();
            if let Some(score) = (self.exact)(position) {
                known.push((empties, f32::from(if black { score } else { -score })));
            } else if empties == Self::THEORY_EMPTIES
                && let Some(theory) = game.theory
            {
                known.push((empties, f32::from(theory)));
            }
        }
        if let Some(result) = result {
            let perfect = |(position, _): &&(Position, bool)| {
                game.own.is_some_and(|own| position.empties() <= own.perfect_from)
            };
            if let Some((position, _)) = positions.iter().find(perfect) {
                known.push((position.empties(), f32::from(result)));
            }
            let last = positions.last().map_or(0, |(position, _)| position.empties());
            known.push((last.saturating_sub(1), f32::from(result)));
        }
        // Values of our own games that were played perfectly come after solved ones. Of two values at
        // one place the solved one, which came first, stays.
        known.sort_by_key(|&(empties, _)| Reverse(empties));
        known.dedup_by_key(|&mut (empties, _)| empties);
        known
    }
}

/// The positions of a game that are moved in, with whether Black moves, up to the first illegal move.
pub(crate) fn positions_of(game: &TrainingGame) -> Vec<(Position, bool)> {
    replay(game).0
}

/// The positions that are moved in with whether Black moves, and the final score for Black in discs
/// when the game was played to its end.
fn replay(game: &TrainingGame) -> (Vec<(Position, bool)>, Option<i8>) {
    let mut positions = Vec::with_capacity(game.moves.len());
    let (mut position, mut black) = (Position::START, true);
    for &square in &game.moves {
        let Some(after) = position.after(square) else { break };
        positions.push((position, black));
        match after {
            After::Opponent(next) => (position, black) = (next, !black),
            After::Same(next) => position = next,
            After::Over(score) => return (positions, Some(if black { score } else { -score })),
        }
    }
    (positions, None)
}

/// The expected value at a number of empties, in discs, and its variance, from the known values,
/// which have falling empties; `per_move` is the variance of a move before the first.
fn between(known: &[(u8, f32)], empties: u8, per_move: f32) -> Option<(f32, f32)> {
    let next = known.iter().position(|&(at, _)| at <= empties)?;
    let (after, value) = known[next];
    let gap = f32::from(empties - after);
    if next == 0 || gap == 0.0 {
        return Some((value, gap * per_move));
    }
    let (before, earlier) = known[next - 1];
    let share = gap / f32::from(before - after);
    let change = earlier - value;
    // A change is one mistake or a few: which side of the position it lies on is a coin toss.
    Some((value + change * share, change * change * share * (1.0 - share)))
}

/// Whether a game is kept from the fit to measure its error: one in twenty, by a hash of its moves.
pub(crate) fn is_held_out(game: &TrainingGame) -> bool {
    let hash = game.moves.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, square| {
        (hash ^ u64::from(square.number())).wrapping_mul(0x0100_0000_01b3)
    });
    (hash ^ (hash >> 32)) % 20 == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::board::Key;

    fn wipe_out() -> TrainingGame {
        let moves = "f5f6d3f4e6e3e2f3d2c5f2g5c4g3b2f1c3g6f7g1h6a1g4"
            .as_bytes()
            .chunks(2)
            .map(|pair| Square::from_ascii(pair[0], pair[1]).unwrap())
            .collect();
        TrainingGame { moves, theory: None, own: None }
    }

    #[test]
    fn values_are_spread_between_known_ones() {
        let known = [(24, 10.0), (14, -10.0)];
        assert_eq!(between(&known, 14, VARIANCE_PER_MOVE), Some((-10.0, 0.0)));
        assert_eq!(between(&known, 24, VARIANCE_PER_MOVE), Some((10.0, 0.0)));
        assert_eq!(between(&known, 19, VARIANCE_PER_MOVE), Some((0.0, 100.0)));
        assert_eq!(between(&known, 26, VARIANCE_PER_MOVE), Some((10.0, 2.0 * VARIANCE_PER_MOVE)));
        assert_eq!(between(&known, 13, VARIANCE_PER_MOVE), None);
    }

    #[test]
    fn own_games_are_exact_where_play_was() {
        // The shortest game: White is wiped out with 13 discs on the board.
        let line: crate::othello::board::Line = "f5d6c5f4e7f6g5e6e3".parse().unwrap();
        let own = Some(OwnPlay { learn_from: 4, perfect_from: 54 });
        let game = TrainingGame { moves: line.squares().collect(), theory: None, own };
        let labeller = Labeller { exact: &|_| None, furthest: 0, least_empties: 0 };
        let samples = labeller.label(&game);
        let found: Vec<_> = samples.iter().map(|s| (s.key.discs(), s.label)).collect();
        assert_eq!(found, [(8, 64.0), (9, -64.0), (10, 64.0), (11, -64.0), (12, 64.0)]);
        assert!(samples.iter().all(|s| (s.weight == 1.0) == (s.key.discs() >= 10)));
    }

    #[test]
    fn own_games_and_solved_positions_go_together() {
        let line: crate::othello::board::Line = "f5d6c5f4e7f6g5e6e3".parse().unwrap();
        let own = Some(OwnPlay { learn_from: 0, perfect_from: 56 });
        let game = TrainingGame { moves: line.squares().collect(), theory: None, own };
        // From 56 empties on 64 discs for Black, except one that was solved: 20 for White, the side to move
        // there.
        let label_at = |solved: u8| {
            let exact = |position: Position| (position.empties() == solved).then_some(20);
            let labeller = Labeller { exact: &exact, furthest: 0, least_empties: 0 };
            let samples = labeller.label(&game);
            samples.into_iter().map(|s| (64 - s.key.discs(), s.label, s.weight)).collect::<Vec<_>>()
        };
        let found = label_at(53);
        let at = |empties: u8| *found.iter().find(|&&(at, ..)| at == empties).unwrap();
        assert_eq!(at(56), (56, 64.0, 1.0));
        assert_eq!(at(53), (53, 20.0, 1.0));
        // Between the two for the side to move, which is Black with an even number of empties.
        assert_eq!((at(55).1, at(54).1), (-36.0, 8.0));
        assert!(at(55).2 < 1.0);
        let found = label_at(56);
        assert!(found.contains(&(56, 20.0, 1.0)), "what was solved goes before: {found:?}");
    }

    #[test]
    fn labels_are_for_the_side_to_move() {
        let mut game = wipe_out();
        let labeller = Labeller {
            exact: &|position| Some(position.mover.count_ones() as i8),
            furthest: 60,
            least_empties: 0,
        };
        let samples = labeller.label(&game);
        assert_eq!(samples[0].key, Key::of(Position::START));
        assert_eq!(samples[0].label, 2.0);
        assert_eq!(samples[1].label, 1.0);
        // Without any exact score and unfinished: nothing is known.
        game.moves.truncate(10);
        assert!(
            Labeller { exact: &|_| None, furthest: 60, least_empties: 0 }.label(&game).is_empty()
        );
    }
}
