//! A searcher whose evaluator is chosen at run time.

use crate::othello::board::{Bitboard, Position};
use crate::othello::eval::{AnyEvaluator, PatternEvaluator};

use super::{Limits, MoveOrdering, MoveScore, Outcome, PlainSearcher, Searcher, Stop};

/// A searcher with any evaluator: the choice is made once a search.
pub enum AnySearcher {
    Pattern(Box<Searcher<PatternEvaluator>>),
    /// With another one.
    Plain(PlainSearcher),
}

impl AnySearcher {
    /// See [`Searcher::new`].
    pub fn new(evaluator: AnyEvaluator, table_megabytes: usize) -> Self {
        match evaluator {
            AnyEvaluator::Pattern(evaluator) => {
                Self::Pattern(Box::new(Searcher::new(evaluator, table_megabytes)))
            }
            AnyEvaluator::Plain(evaluator) => {
                Self::Plain(PlainSearcher::new(evaluator, table_megabytes))
            }
        }
    }

    /// See [`Searcher::on_threads`].
    #[must_use]
    pub(crate) fn on_threads(self, threads: usize) -> Self {
        match self {
            Self::Pattern(searcher) => Self::Pattern(Box::new(searcher.on_threads(threads))),
            Self::Plain(searcher) => Self::Plain(searcher.on_threads(threads)),
        }
    }

    /// See [`Searcher::with_ordering`].
    #[must_use]
    pub(crate) fn with_ordering(self, ordering: MoveOrdering) -> Self {
        match self {
            Self::Pattern(searcher) => Self::Pattern(Box::new(searcher.with_ordering(ordering))),
            Self::Plain(searcher) => Self::Plain(searcher.with_ordering(ordering)),
        }
    }

    /// See [`Searcher::prepared`].
    #[must_use]
    pub(crate) fn prepared(self) -> Self {
        match self {
            Self::Pattern(searcher) => Self::Pattern(Box::new(searcher.prepared())),
            Self::Plain(_) => self,
        }
    }

    /// See [`Searcher::prepare_for`].
    pub(crate) fn prepare_for(&mut self, position: Position, limits: &Limits) {
        match self {
            Self::Pattern(searcher) => searcher.prepare_for(position, limits),
            Self::Plain(_) => {}
        }
    }

    /// See [`Searcher::search`].
    pub fn search(
        &mut self,
        position: Position,
        excluded: Bitboard,
        limits: &Limits,
        stop: &Stop,
    ) -> Outcome {
        match self {
            Self::Pattern(searcher) => searcher.search(position, excluded, limits, stop),
            Self::Plain(searcher) => searcher.search(position, excluded, limits, stop),
        }
    }

    /// See [`Searcher::all_moves`].
    pub fn all_moves(
        &mut self,
        position: Position,
        limits: &Limits,
        stop: &Stop,
    ) -> Vec<MoveScore> {
        match self {
            Self::Pattern(searcher) => searcher.all_moves(position, limits, stop),
            Self::Plain(searcher) => searcher.all_moves(position, limits, stop),
        }
    }
}
