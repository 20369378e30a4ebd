//! What is known of moves without a search: by the book, and by analyses that were made before.

use std::cmp::Ordering;
use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::openbook::trust::expected_error;
use crate::openbook::{BookMove, Evidence, MoveKind, Node, NodeSource, NodeView, Record};
use crate::othello::board::{Key, Position, Square, Symmetry};
use crate::othello::score::Score;
use crate::othello::search::{Limits, Proof};
use crate::store::{PositionAnalysis, Reader, SearcherId, StoreError};

use super::analysed_move::{Known, MoveValue};
use super::job::Job;
use super::nodes::Nodes;

/// Two standard errors that differ by no more than this are comparable, discs.
const COMPARABLE: f64 = 1.0;

/// Positions of this run that are remembered.
const MOST_REMEMBERED: usize = 1 << 20;

pub(super) struct Knowledge<'b> {
    nodes: Option<Nodes<'b>>,
    /// Whether the book holds positions, and whether it may hold analyses that are not loaded.
    has_positions: bool,
    has_analyses: bool,
    /// The searchers of the book that are as good as the one of this run.
    same: Vec<SearcherId>,
    found: HashMap<Key, PositionAnalysis, FixedState>,
}

/// So many analysed moves are read at once where many are asked for.
const MOST_LOADED: u64 = 4_000_000;

/// What there is to say of a move.
pub(super) enum Answer {
    Known(MoveValue),
    Search(Job),
}

impl<'b> Knowledge<'b> {
    /// What a book knows, if there is one. `evaluator` is the one that would search.
    pub(super) fn of(book: Option<&'b Reader>, evaluator: &str) -> Result<Self, StoreError> {
        let mut knowledge = Self {
            nodes: book.map(Nodes::of),
            has_positions: false,
            has_analyses: book.is_some(),
            same: Vec::new(),
            found: HashMap::default(),
        };
        if let Some(book) = book {
            knowledge.has_positions = book.counts()?.positions > 0;
            let same = book.analyses().searchers()?.into_iter();
            let same = same.filter(|(_, searcher)| searcher.evaluator == evaluator);
            knowledge.same = same.map(|(id, _)| id).collect();
        }
        Ok(knowledge)
    }

    /// Reads everything at once, where it is not too much: for a caller that asks for very many
    /// positions.
    pub(super) fn load(&mut self) -> Result<(), StoreError> {
        let Some(nodes) = &mut self.nodes else { return Ok(()) };
        nodes.load()?;
        let book = nodes.book();
        if self.has_analyses && book.analyses().count_moves()? <= MOST_LOADED {
            book.analyses().for_each(|key, analysis| {
                if analysis.best().is_some() {
                    self.found.insert(key, analysis);
                }
                Ok::<_, StoreError>(())
            })?;
            // All that there is.
            self.has_analyses = false;
        }
        Ok(())
    }

    /// Whether anything may be known of a position; quick.
    pub(super) fn may_know(&self, key: Key) -> bool {
        let in_book = self.nodes.as_ref().is_none_or(|nodes| nodes.may_have(key));
        self.has_analyses || (self.has_positions && in_book) || self.found.contains_key(&key)
    }

    pub(super) fn book(&self) -> Option<&'b Reader> {
        self.nodes.as_ref().map(Nodes::book)
    }

    /// Whether this run found something of a position already.
    pub(super) fn was_found(&self, key: Key) -> bool {
        self.found.contains_key(&key)
    }

    /// Remembers what was found of a position; returns all that is known of it now.
    pub(super) fn remember(
        &mut self,
        key: Key,
        found: PositionAnalysis,
    ) -> Result<PositionAnalysis, StoreError> {
        if self.found.len() >= MOST_REMEMBERED {
            self.found.clear();
            // What was loaded from the book is gone with it.
            self.has_analyses = self.nodes.is_some();
        }
        let whole = match self.stored(key)? {
            Some(known) => {
                let same = self.is_ours(&known);
                // What is not ours is searched anew as a whole.
                joined(known, found, if same { Equals::Join } else { Equals::Incoming })
            }
            None => found,
        };
        self.found.insert(key, whole.clone());
        Ok(whole)
    }

    /// What a move is worth, or what must be searched for that, where so much is asked for.
    ///
    /// Exact values come before all others, then the book's, where they are at least as sure as the
    /// search would be, then those of earlier searches.
    pub(super) fn ask(
        &mut self,
        position: Position,
        square: Square,
        limits: &Limits,
    ) -> Result<Answer, StoreError> {
        let seen = Seen::of(position, square);
        let key = seen.key;
        let stored = self.stored(key)?;
        let of_stored = stored.as_ref().and_then(|stored| seen.value(stored));
        if let Some(value) = of_stored.filter(|value| value.known.is_exact()) {
            return Ok(Answer::Known(value));
        }
        if let Some(value) = self.of_book(position, square, limits)? {
            return Ok(Answer::Known(value));
        }
        let empties = position.empties();
        let (depth, selectivity) = (limits.depth.min(empties), limits.selectivity);
        let asked = (depth == empties && selectivity.is_full(), depth, selectivity);
        let covers = stored
            .as_ref()
            .is_some_and(|stored| (stored.is_exact(), stored.depth, stored.selectivity) >= asked);
        if covers && let Some(value) = of_stored {
            return Ok(Answer::Known(value));
        }
        let mut job = Job { key, squares: vec![seen.image()], with_best: true, depth, selectivity };
        if let Some(stored) = stored {
            if covers {
                // Some are deeper than asked for: all of a position are searched equally.
                (job.depth, job.selectivity) = (stored.depth, stored.selectivity);
            }
            job.with_best = !covers || !self.is_ours(&stored);
            if job.with_best {
                // A position is raised as a whole.
                job.squares.extend(stored.moves.iter().map(|known| known.square));
                job.squares.sort_unstable();
                job.squares.dedup();
            }
        }
        Ok(Answer::Search(job))
    }

    /// What is known of a move, however well.
    pub(super) fn at_all(
        &mut self,
        position: Position,
        square: Square,
        limits: &Limits,
    ) -> Result<Option<MoveValue>, StoreError> {
        let seen = Seen::of(position, square);
        let value = self.stored(seen.key)?.and_then(|stored| seen.value(&stored));
        match value {
            Some(value) if value.known.is_exact() => Ok(Some(value)),
            value => Ok(self.of_book(position, square, limits)?.or(value)),
        }
    }

    /// Whether moves of it can be joined by what this run searches.
    fn is_ours(&self, stored: &PositionAnalysis) -> bool {
        stored.is_exact() || stored.searcher == OWN || self.same.contains(&stored.searcher)
    }

    fn stored(&self, key: Key) -> Result<Option<PositionAnalysis>, StoreError> {
        if let Some(found) = self.found.get(&key) {
            return Ok(Some(found.clone()));
        }
        let stored = match self.book() {
            Some(book) if self.has_analyses => book.analyses().of(key)?,
            _ => None,
        };
        // Without the best move it is damaged, and of no use.
        Ok(stored.filter(|stored| stored.best().is_some()))
    }

    /// What the book says of a move, where it knows it and the best one equally well, and no worse than
    /// a search with these limits would.
    fn of_book(
        &self,
        position: Position,
        square: Square,
        limits: &Limits,
    ) -> Result<Option<MoveValue>, StoreError> {
        let Some(book) = self.nodes.as_ref().filter(|_| self.has_positions) else {
            return Ok(None);
        };
        if book.node(&Key::of(position))?.is_none() {
            return Ok(None);
        }
        let view = NodeView::of(book, position)?;
        let Some(node) = view.node.filter(|node| !node.is_incomplete()) else { return Ok(None) };
        let Some(played) = view.moves.iter().find(|known| known.square == square) else {
            return Ok(None);
        };
        let (Some(best), Some(of_played)) = (view.moves.first(), played.values) else {
            return Ok(None);
        };
        let Some(of_best) = best.values else { return Ok(None) };
        if node.values.is_exact() && of_best.is_exact() && of_played.is_exact() {
            let (before, played) =
                (Score::from_discs(of_best.lower), Score::from_discs(of_played.lower));
            return Ok(Some(value_of(best.square, before, square, played, Known::Exact)));
        }
        // A value without a move may be the best one's.
        if node.values.guess > of_best.guess {
            return Ok(None);
        }
        let empties = position.empties();
        if limits.depth >= empties && limits.selectivity.is_full() {
            return Ok(None);
        }
        let of_both = (error_of(&node, best), error_of(&node, played));
        let (Some(one), Some(other)) = of_both else { return Ok(None) };
        let error = one.max(other);
        let looks_so_far = |found| looks_so_far(&node, found, limits);
        if !(looks_so_far(best) && looks_so_far(played) && (one - other).abs() <= COMPARABLE) {
            return Ok(None);
        }
        let known = Known::Book { error };
        Ok(Some(value_of(best.square, of_best.guess, square, of_played.guess, known)))
    }
}

/// The searcher of what this run finds, before it has a number.
pub(super) const OWN: SearcherId = SearcherId(u32::MAX);

/// What becomes of two analyses of a position that are equally strong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Equals {
    /// One evaluator searched both: the moves of both are kept.
    Join,
    /// What was there stays.
    Present,
    /// What comes in replaces it.
    Incoming,
}

/// What two analyses of a position are together: the stronger one, with all its moves.
pub(super) fn joined(
    mut present: PositionAnalysis,
    mut incoming: PositionAnalysis,
    equals: Equals,
) -> PositionAnalysis {
    let is_exact = present.is_exact() && incoming.is_exact();
    match incoming.strength().cmp(&present.strength()) {
        Ordering::Greater => incoming,
        Ordering::Less => present,
        // What is proven is the same, whatever proved it.
        Ordering::Equal if is_exact || equals == Equals::Join => {
            if incoming.best().is_some() {
                incoming.take_moves_of(&present);
                incoming
            } else {
                present.take_moves_of(&incoming);
                present
            }
        }
        Ordering::Equal if equals == Equals::Incoming => incoming,
        Ordering::Equal => present,
    }
}

/// Whether what the book says of a move errs no more than a search here with these limits would.
fn looks_so_far(node: &Node, found: &BookMove, limits: &Limits) -> bool {
    let empties = node.key.position().empties();
    let wanted = Evidence::of_search(empties, limits.depth, limits.selectivity);
    match (found.kind, found.child) {
        (MoveKind::Link, Some(child)) => child.evidence.bears(wanted),
        (MoveKind::Rest | MoveKind::Held, _) => {
            answering(node, found).is_some_and(|record| record.error(empties) <= wanted)
        }
        (kind, _) => kind == MoveKind::Terminal,
    }
}

/// The search that answers for a move that is no link, or is held.
fn answering(node: &Node, found: &BookMove) -> Option<Record> {
    found.held_by.or_else(|| node.own_record())
}

/// The standard error of what the book says of a move, in discs; none when it says nothing.
fn error_of(node: &Node, found: &BookMove) -> Option<f64> {
    match (found.kind, found.child) {
        (MoveKind::Link, Some(child)) => expected_error(&child),
        (MoveKind::Rest | MoveKind::Held, _) => {
            let empties = node.key.position().empties();
            let error = answering(node, found).map(|record| record.error(empties));
            Some(error.unwrap_or_else(|| Evidence::unsearched(empties)).standard_error())
        }
        (MoveKind::Terminal, _) => Some(0.0),
        _ => None,
    }
}

/// A value of a move; where it is as good as the best, it is the best.
fn value_of(best: Square, before: Score, square: Square, played: Score, known: Known) -> MoveValue {
    match played >= before {
        true => MoveValue { best: square, before: played, played, known },
        false => MoveValue { best, before, played, known },
    }
}

/// What an analysis says of a move of a position, in the position's orientation; none when it does not
/// know it.
pub(super) fn value_in(
    analysis: &PositionAnalysis,
    position: Position,
    square: Square,
) -> Option<MoveValue> {
    Seen::of(position, square).value(analysis)
}

/// A move as its player sees it.
struct Seen {
    key: Key,
    /// Turns the position into its key.
    symmetry: Symmetry,
    square: Square,
}

impl Seen {
    fn of(position: Position, square: Square) -> Self {
        let (key, symmetry) = Key::with_symmetry(position);
        Self { key, symmetry, square }
    }

    /// In the key's orientation, the first of its images.
    fn image(&self) -> Square {
        self.key.first_image(self.symmetry.square(self.square))
    }

    /// What an analysis says of it; none when it does not know it.
    fn value(&self, analysis: &PositionAnalysis) -> Option<MoveValue> {
        let (best, played) = (analysis.best()?, analysis.of(self.image())?);
        let are_exact = best.proof == Proof::Exact && played.proof == Proof::Exact;
        let known = match are_exact {
            true => Known::Exact,
            false => Known::Searched { depth: analysis.depth, selectivity: analysis.selectivity },
        };
        let square = self.symmetry.inverse().square(best.square);
        Some(value_of(square, best.score, self.square, played.score, known))
    }
}
