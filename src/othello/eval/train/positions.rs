//! Positions worth learning from: like those a search meets, good play and mistakes alike.

use crate::othello::board::{After, Portable, Position, Square, flips};
use crate::othello::eval::Evaluator;

use super::{Random, TrainingGame};

/// Makes positions from the beginnings of real games and from random openings, followed by a few
/// random moves and by some the evaluator likes best.
pub(crate) struct PositionMaker<'a, E: Evaluator> {
    /// Real games; without any all openings are random.
    pub games: &'a [TrainingGame],
    /// Chooses the moves that are not random.
    pub evaluator: &'a E,
    /// Fewest discs of a position.
    pub from_discs: u8,
    /// Most discs of a position.
    pub to_discs: u8,
}

/// Of a hundred positions so many start from a real game.
const REAL_PERCENT: usize = 70;

/// Of a hundred moves after a random opening so many are random.
const STRAY_PERCENT: usize = 6;

/// Games that are looked at for one that reaches a number of discs.
const AS_PLAYED_TRIES: usize = 1000;

impl<E: Evaluator> PositionMaker<'_, E> {
    /// The position of this number. Its side to move can move.
    pub(crate) fn position(&self, seed: u64, number: u64) -> Position {
        let mut random = Random::for_item(seed, number);
        loop {
            let span = usize::from(self.to_discs.saturating_sub(self.from_discs)) + 1;
            let discs = self.from_discs + random.below(span) as u8;
            let made = if !self.games.is_empty() && random.percent(REAL_PERCENT) {
                self.after_game(&mut random, discs)
            } else {
                self.after_random_opening(&mut random, discs)
            };
            if let Some(position) = made {
                return position;
            }
        }
    }

    /// The position of this number, of a game as it was played; none when no game is found that
    /// comes so far.
    pub(crate) fn position_as_played(&self, seed: u64, number: u64) -> Option<Position> {
        let mut random = Random::for_item(seed, number);
        for _ in 0..AS_PLAYED_TRIES {
            let span = usize::from(self.to_discs.saturating_sub(self.from_discs)) + 1;
            let discs = self.from_discs + random.below(span) as u8;
            let game = self.games.get(random.below(self.games.len().max(1)))?;
            let own = usize::from(discs.saturating_sub(4));
            let moves = game.moves.get(..own).unwrap_or_default();
            let reached = moves
                .iter()
                .try_fold(Position::START, |position, &square| position.after(square)?.position());
            let reached = reached.filter(|position| position.discs() == discs);
            if reached.is_some() {
                return reached;
            }
        }
        None
    }

    fn after_game(&self, random: &mut Random, discs: u8) -> Option<Position> {
        let game = &self.games[random.below(self.games.len())];
        let strays = [0, 0, 1, 1, 1, 1, 2, 2][random.below(8)];
        let best = [0, 0, 0, 1, 1, 2, 3, 5][random.below(8)];
        let own = usize::from(discs.saturating_sub(4 + strays + best));
        let mut position = Position::START;
        for &square in game.moves.get(..own)? {
            position = position.after(square)?.position()?;
        }
        for _ in 0..strays {
            position = self.play(position, random, 100)?;
        }
        self.play_until(position, discs, random, 0)
    }

    fn after_random_opening(&self, random: &mut Random, discs: u8) -> Option<Position> {
        let most = usize::from(discs.saturating_sub(4)).min(20);
        let mut position = Position::START;
        for _ in 0..random.below(most + 1) {
            position = self.play(position, random, 100)?;
        }
        self.play_until(position, discs, random, STRAY_PERCENT)
    }

    fn play_until(
        &self,
        mut position: Position,
        discs: u8,
        random: &mut Random,
        stray_percent: usize,
    ) -> Option<Position> {
        while position.discs() < discs {
            position = self.play(position, random, stray_percent)?;
        }
        (position.discs() == discs).then_some(position)
    }

    /// Plays a random move with this chance, else the best by static value, unless the game ends.
    fn play(&self, position: Position, random: &mut Random, percent: usize) -> Option<Position> {
        let moves = position.legal_moves();
        let square = if random.percent(percent) {
            moves.clone().nth(random.below(moves.len()))
        } else {
            let state = self.evaluator.state(position);
            moves.min_by_key(|&square| self.value_after(&state, position, square))
        };
        match position.after(square?)? {
            After::Opponent(next) | After::Same(next) => Some(next),
            After::Over(_) => None,
        }
    }

    /// For the other side.
    fn value_after(&self, state: &E::State, position: Position, square: Square) -> i16 {
        let turned = flips(square, position.mover, position.opponent);
        let next = position.with_move(square, turned);
        let state = self.evaluator.play(state, square, turned);
        self.evaluator.estimate(Portable, &state, next).centidiscs()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::eval::PatternEvaluator;

    #[test]
    fn positions_are_in_range_and_repeat() {
        let evaluator = PatternEvaluator::embedded().unwrap();
        let moves = ["f5", "d6", "c3", "d3", "c4", "f4"].map(|name| name.parse().unwrap());
        let games = [TrainingGame { moves: moves.to_vec(), theory: None, own: None }];
        let maker =
            PositionMaker { games: &games, evaluator: &*evaluator, from_discs: 6, to_discs: 40 };
        for number in 0..200 {
            let position = maker.position(3, number);
            assert!((6..=40).contains(&position.discs()) && position.can_move());
            assert_eq!(position, maker.position(3, number));
        }
        let short = PositionMaker { from_discs: 9, to_discs: 10, ..maker };
        for number in 0..20 {
            let played = short.position_as_played(3, number).unwrap();
            let line: crate::othello::board::Line =
                ["f5d6c3d3c4", "f5d6c3d3c4f4"][usize::from(played.discs()) - 9].parse().unwrap();
            assert_eq!(played, line.board().position);
        }
        // A game of ten discs has no position of twelve, and no game has none at all.
        let long = PositionMaker { from_discs: 12, to_discs: 12, ..maker };
        assert_eq!(long.position_as_played(3, 0), None);
        assert_eq!(PositionMaker { games: &[], ..maker }.position_as_played(3, 0), None);
        let different: std::collections::HashSet<_> =
            (0..200).map(|number| maker.position(3, number).mover).collect();
        assert!(different.len() > 150);
    }
}
