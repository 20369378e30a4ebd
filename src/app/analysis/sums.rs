//! Losses added up.

use crate::app::json::{object, serialize, thousandths};
use crate::othello::score::Score;

use super::analysed_move::AnalysedMove;
use super::phase::Phase;

/// The losses of some moves.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct LossSum {
    /// How many moves were valued.
    pub moves: u64,
    /// Their losses in centidiscs.
    pub centidiscs: u64,
}

serialize! {
    sum(LossSum) => object! {
        moves_valued: sum.moves,
        loss: sum.discs(),
        mean_loss: sum.mean().map(thousandths),
    },
    sums(SideSums) => object! {
        moves_valued: sums.all.moves,
        loss: sums.all.discs(),
        mean_loss: sums.all.mean().map(thousandths),
        exact_loss: sums.exact.discs(),
        opening: sums.phases[0].discs(),
        midgame: sums.phases[1].discs(),
        endgame: sums.phases[2].discs(),
        winner_changes: sums.turns,
    },
}

impl LossSum {
    pub(crate) fn add(&mut self, loss: Score) {
        self.moves += 1;
        self.centidiscs += u64::from(loss.centidiscs().max(0).unsigned_abs());
    }

    /// Adds other moves.
    pub fn join(&mut self, other: Self) {
        self.moves += other.moves;
        self.centidiscs += other.centidiscs;
    }

    /// The sum, in discs.
    pub fn discs(self) -> f64 {
        self.centidiscs as f64 / 100.0
    }

    /// The loss of a move on average, in discs; none without any move.
    pub(crate) fn mean(self) -> Option<f64> {
        (self.moves > 0).then(|| self.discs() / self.moves as f64)
    }
}

/// The losses of one side in a game.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SideSums {
    /// Of all moves that were valued.
    pub all: LossSum,
    /// Of those whose values are exact: over all of both sides from [`super::AnalysedGame::exact_from`]
    /// on, Black's less White's is how much of Black's result perfect play would have changed.
    pub exact: LossSum,
    /// By part of the game, in the order of [`Phase::ALL`].
    pub phases: [LossSum; 3],
    /// How many moves changed the winner.
    pub turns: u32,
}

impl SideSums {
    /// Those of a part of the game.
    pub const fn of(&self, phase: Phase) -> LossSum {
        let [opening, midgame, endgame] = self.phases;
        match phase {
            Phase::Opening => opening,
            Phase::Midgame => midgame,
            Phase::Endgame => endgame,
        }
    }

    /// Adds a move, if it was valued.
    pub(super) fn add(&mut self, played: &AnalysedMove) {
        let Some(value) = played.value else { return };
        let loss = value.loss();
        self.all.add(loss);
        if value.known.is_exact() {
            self.exact.add(loss);
        }
        for (phase, sum) in Phase::ALL.into_iter().zip(&mut self.phases) {
            if phase == played.phase() {
                sum.add(loss);
            }
        }
        self.turns += u32::from(value.turn().is_some());
    }
}
