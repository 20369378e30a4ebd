//! A searcher whose evaluator is chosen at run time.

use crate::othello::board::{Bitboard, Line, Position};
use crate::othello::eval::{AnyEvaluator, PatternEvaluator};

use super::{Limits, MoveOrdering, MoveScore, Outcome, PlainSearcher, Searcher, Stop, Watch};

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

    /// The game that the next searches are of: an evaluator that adapts to it judges for the side that is to
    /// move.
    pub(crate) fn follow(&mut self, line: &Line) {
        match self {
            Self::Pattern(_) => {}
            Self::Plain(searcher) => searcher.follow(line),
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
        self.search_watched(position, excluded, limits, stop, None)
    }

    /// See [`Searcher::search_watched`].
    pub(crate) fn search_watched<'w>(
        &mut self,
        position: Position,
        excluded: Bitboard,
        limits: &Limits,
        stop: &Stop,
        watch: Option<&'w mut Watch<'w>>,
    ) -> Outcome {
        match self {
            Self::Pattern(searcher) => {
                searcher.search_watched(position, excluded, limits, stop, watch)
            }
            Self::Plain(searcher) => searcher.search(position, excluded, limits, stop, watch),
        }
    }

    /// See [`Searcher::all_moves`].
    pub fn all_moves(
        &mut self,
        position: Position,
        limits: &Limits,
        stop: &Stop,
    ) -> Vec<MoveScore> {
        self.all_moves_watched(position, limits, stop, None)
    }

    /// See [`Searcher::all_moves_watched`].
    pub(crate) fn all_moves_watched<'w>(
        &mut self,
        position: Position,
        limits: &Limits,
        stop: &Stop,
        watch: Option<&'w mut Watch<'w>>,
    ) -> Vec<MoveScore> {
        match self {
            Self::Pattern(searcher) => searcher.all_moves_watched(position, limits, stop, watch),
            Self::Plain(searcher) => searcher.all_moves(position, limits, stop, watch),
        }
    }
}
