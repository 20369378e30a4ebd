//! What the moves of a position give away by the book: one rule for all questions.

use crate::openbook::regret::of_move;
use crate::openbook::trust::expected_error;
use crate::openbook::trust::sureness;
use crate::openbook::{MoveKind, Node, NodeMove, NodeSource, child_of};
use crate::othello::board::{Key, Square};
use crate::othello::score::Score;
use crate::othello::search::chance_above;

/// What a move gives away: the value of the best move of the position less its own, both from the
/// book, in discs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoveLoss {
    /// In discs.
    pub loss: Score,
    /// The book knows no value of the move but that it is no better than another one: the loss may
    /// be larger.
    pub at_least: bool,
}

/// A node with what is known of its moves.
pub(super) struct Judged {
    pub(super) node: Node,
    pub(super) moves: Vec<NodeMove>,
}

impl Judged {
    /// Of a position; none where it is not in the book, or the book does not know its best move.
    pub(super) fn of<S: NodeSource + ?Sized>(book: &S, key: Key) -> Result<Option<Self>, S::Error> {
        let node = book.node(&key)?.filter(|node| !node.is_incomplete());
        let Some(node) = node else { return Ok(None) };
        let moves = node.moves(book)?;
        Ok(Some(Self { node, moves }))
    }

    /// The best move, the first of equals; none where the best is a value without a move.
    pub(super) fn best(&self) -> Option<&NodeMove> {
        let first = self.moves.iter().rev().max_by_key(|found| found.values.guess)?;
        let same = self.moves.iter().filter(|found| found.values.guess == first.values.guess);
        same.into_iter().find(|found| found.square.is_some())
    }

    /// What is known of a move in the key's orientation.
    pub(super) fn of_move(&self, square: Square) -> Option<&NodeMove> {
        let key = self.node.key;
        let child = child_of(key.position(), square).map(|(child, _)| child);
        let image = key.first_image(square);
        self.moves.iter().find(|found| match found.child {
            Some((node, _)) => Some(node.key) == child,
            None => found.square.is_some_and(|square| key.first_image(square) == image),
        })
    }

    /// What a move in the key's orientation gives away; none where the book does not even bound it.
    pub(super) fn loss(&self, square: Square) -> Option<MoveLoss> {
        let (guess, at_least) = match self.of_move(square) {
            Some(found) => (found.values.guess, false),
            None => (self.node.rest()?.values().guess, true),
        };
        Some(MoveLoss { loss: self.loss_of(guess), at_least })
    }

    /// What a move of this value gives away.
    pub(super) fn loss_of(&self, guess: Score) -> Score {
        Score::from_centidiscs(of_move(self.node.values, guess).try_into().unwrap_or(i16::MAX))
    }

    /// The second best move, the first of equals; none where nothing is known of others.
    fn best_other(&self, square: Square) -> Option<&NodeMove> {
        let own = self.of_move(square).map(|own| own.square);
        let others = self.moves.iter().rev().filter(|found| Some(found.square) != own);
        others.max_by_key(|found| found.values.guess)
    }

    /// By how much the best other move is better than this one, in centidiscs, less than 0 where it is
    /// worse; 0 where nothing is known of others.
    pub(super) fn gap(&self, square: Square) -> Score {
        let own = self.of_move(square).map_or(self.node.values.guess, |own| own.values.guess);
        let other = self.best_other(square).map_or(own, |other| other.values.guess);
        Score::from_centidiscs(other.centidiscs().saturating_sub(own.centidiscs()))
    }

    /// What the best move but this one gives away; none where nothing is known of others.
    pub(super) fn others_loss(&self, square: Square) -> Option<MoveLoss> {
        let other = self.best_other(square)?;
        let at_least = other.square.is_none();
        Some(MoveLoss { loss: self.loss_of(other.values.guess), at_least })
    }

    /// The standard error in discs of how a move compares with the best other one: of both values
    /// together. 0 where both are exact.
    pub(super) fn error(&self, square: Square) -> f64 {
        let of = |found: Option<&NodeMove>| {
            found.map_or_else(|| self.node.search_error(), |found| self.error_of(found))
        };
        let own = of(self.of_move(square));
        self.best_other(square).map_or(own, |other| own.hypot(of(Some(other))))
    }

    /// The standard error of the value of a move.
    fn error_of(&self, found: &NodeMove) -> f64 {
        match (found.kind, &found.child) {
            (MoveKind::Terminal, _) => 0.0,
            (MoveKind::Link, Some((child, _))) => {
                expected_error(child).unwrap_or_else(|| child.search_error())
            }
            _ => match found.held_by {
                Some(record) => record.error(self.node.key.position().empties()).standard_error(),
                None => self.node.search_error(),
            },
        }
    }
}

/// The chance that a move gives anything away, 0..=1: see [`sureness`].
pub(super) fn surely(loss: MoveLoss, error: f64) -> f64 {
    sureness(loss.loss, error)
}

/// Whether a loss is one, and of so many centidiscs at least.
pub(super) fn gives_away(loss: Score, least: i32) -> bool {
    loss > Score::ZERO && i32::from(loss.centidiscs()) >= least
}

/// How likely it is that a move gives away so many discs at most, where the best other one is better
/// by this gap.
pub(super) fn at_most(gap: Score, error: f64, discs: f64) -> f64 {
    1.0 - chance_above(gap, error, discs)
}
