//! Hints: the moves of the book first, then the others, searched ever deeper.

use crate::app::By;
use crate::app::best_play;
use crate::app::games::GameStats;
use crate::app::live_search::{Live, LiveStep, deepen_best};
use crate::openbook::{BookMove, MoveKind, NodeView, Values, WithFacts};
use crate::othello::board::{After, Bitboard, Line, Placed, Position, Square, Symmetry};
use crate::othello::score::Score;
use crate::othello::search::{Level, MoveScore, Outcome, Proof, Selectivity, Stop};

use super::person::{Player, PlayerError, wish};

/// How a value is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Surety {
    /// By a search of so many plies that does not come to the end of the game.
    Plies(u8),
    /// By a search to the end that is sure to so many percent, less than 100.
    Probable(u8),
    /// The winner is proven, but not the margin.
    Winner,
    Exact,
}

impl Surety {
    /// Of a move that was searched in a position with so many empties.
    pub(crate) fn of_move(found: &MoveScore, empties: u8) -> Self {
        Self::of_search(found.proof, found.depth, found.selectivity, empties)
    }

    /// Of a search of a position with so many empties.
    pub(crate) fn of_outcome(found: &Outcome, empties: u8) -> Self {
        Self::of_search(found.proof, found.depth, found.selectivity, empties)
    }

    /// Of a search of so many plies in a position with so many empties.
    pub(crate) fn of_search(
        proof: Proof,
        depth: u8,
        selectivity: Selectivity,
        empties: u8,
    ) -> Self {
        match proof {
            Proof::Exact => Self::Exact,
            Proof::Win | Proof::Loss => Self::Winner,
            _ if depth >= empties && !selectivity.is_full() => {
                Self::Probable(selectivity.percent())
            }
            _ => Self::Plies(depth),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct BookHint {
    pub found: BookMove,
    /// What it is worth to the side that makes it.
    pub values: Values,
    pub surety: Surety,
    /// In how many games of the book it was played here.
    pub games: u64,
}

/// What is known of the moves of a position, the best first.
#[derive(Default, Debug)]
pub(crate) struct KnownMoves {
    pub book: Vec<BookHint>,
    /// What the last finished level found of the others, or while none is finished of those that were searched.
    pub searched: Vec<MoveScore>,
}

impl KnownMoves {
    /// All of them with their values in a position with so many empties, the best first.
    pub(crate) fn values(&self, empties: u8) -> Vec<(Square, Score, Surety)> {
        let book = self.book.iter().map(|hint| (hint.found.square, hint.values.guess, hint.surety));
        let searched = self.searched.iter();
        let searched =
            searched.map(|found| (found.square, found.value, Surety::of_move(found, empties)));
        let mut all: Vec<_> = book.chain(searched).collect();
        all.sort_by_key(|&(_, value, _)| std::cmp::Reverse(value));
        all
    }
}

/// What is reported of a position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Hint<'a> {
    /// There is no move but a pass; what follows is of the other side's best answer.
    Pass,
    /// A move of the book; they come the best first.
    Book(&'a BookHint),
    /// It goes on: positions visited so far, and seconds since the search began.
    Nodes(u64, f64),
    /// What a level found of one of the other moves, or behind a pass of an answer, as soon as that is known.
    Move(&'a MoveScore),
    /// What a level found of the best other moves, or behind a pass of the best answer.
    Searched(&'a LiveStep),
}

impl Player {
    /// Reports about `count` best moves: all that are in the book, the best first, then others to make up the number,
    /// searched at a low level, at higher ones, and at last at `level`. Moves that lead into the book from a position
    /// that is not in it say nothing of the best: they come on top of the number. A move is reported with all its
    /// images: a user who sees the board may play any of them. A draw is worth `draw_for_black` discs to Black. Ends
    /// when `stop` is raised.
    pub(crate) fn hints(
        &mut self,
        placed: Placed,
        count: usize,
        level: Level,
        draw_for_black: Score,
        stop: &Stop,
        each: &mut dyn FnMut(Hint<'_>),
    ) -> Result<(), PlayerError> {
        let position = placed.position;
        if position.is_over() {
            return Ok(());
        }
        if !position.can_move() {
            each(Hint::Pass);
            let passed = position.passed();
            let answer = |live: Live<'_>| with_images(passed, live, each);
            deepen_best(&mut self.searcher, passed, 0, 1, level, stop, answer);
            return Ok(());
        }
        let mut known: Bitboard = 0;
        let book = self.book_hints(placed, wish(draw_for_black, placed.side), stop)?;
        for hint in &book.hints {
            if stop.is_stopped() {
                return Ok(());
            }
            known |= hint.found.square.bit();
            each(Hint::Book(hint));
        }
        let told = if book.has_best { book.hints.len() } else { 0 };
        let left = count.max(1).saturating_sub(told);
        if left > 0 && position.legal_moves().0 & !known != 0 {
            let more = |live: Live<'_>| with_images(position, live, each);
            deepen_best(&mut self.searcher, position, known, left, level, stop, more);
        }
        Ok(())
    }

    /// What [`Self::hints`] reports in the end; `watch` hears of it as it comes. A side that must pass has no move.
    pub(crate) fn known_moves(
        &mut self,
        placed: Placed,
        count: usize,
        level: Level,
        draw_for_black: Score,
        stop: &Stop,
        watch: &mut dyn FnMut(Hint<'_>),
    ) -> Result<KnownMoves, PlayerError> {
        let (mut known, mut has_level) = (KnownMoves::default(), false);
        if !placed.position.can_move() {
            return Ok(known);
        }
        self.hints(placed, count, level, draw_for_black, stop, &mut |hint| {
            match hint {
                Hint::Book(hint) => known.book.push(*hint),
                Hint::Searched(step) => {
                    (known.searched, has_level) = (step.moves.clone(), true);
                }
                Hint::Move(found) if !has_level => known.searched.push(found.clone()),
                Hint::Move(_) | Hint::Nodes(..) | Hint::Pass => {}
            }
            watch(hint);
        })?;
        Ok(known)
    }

    /// The moves of the book in a position, the best first.
    pub(crate) fn moves_of_book(
        &self,
        placed: Placed,
        draw_for_black: Score,
    ) -> Result<KnownMoves, PlayerError> {
        let book = self.book_hints(placed, wish(draw_for_black, placed.side), &Stop::new())?.hints;
        Ok(KnownMoves { book, ..KnownMoves::default() })
    }

    /// A move with the best moves behind it, as far as the book has them.
    pub(crate) fn line_of_book(
        &self,
        placed: Placed,
        first: Square,
        draw_for_black: Score,
    ) -> Result<Vec<Square>, PlayerError> {
        let mut line = vec![first];
        if let (Some(book), Some(next)) = (&self.book, placed.after(first)) {
            let by = wish(draw_for_black, next.side);
            line.extend(best_play(&WithFacts::of(&*book.snapshot()?)?, next, by)?);
        }
        Ok(line)
    }

    /// How many games of the book went on from the end of a line with each move that was played.
    pub(crate) fn played_at(
        &self,
        line: &Line,
        stop: &Stop,
    ) -> Result<Option<GameStats>, PlayerError> {
        match (&self.book, &self.games) {
            (Some(book), Some(games)) => Ok(games.at(book, line, stop)?),
            _ => Ok(None),
        }
    }

    fn book_hints(&self, placed: Placed, by: By, stop: &Stop) -> Result<BookHints, PlayerError> {
        let Some(book) = &self.book else { return Ok(BookHints::default()) };
        let snapshot = book.snapshot()?;
        let view = NodeView::of(&WithFacts::of(&*snapshot)?, placed.position)?;
        let mut hints = Vec::new();
        for found in &view.moves {
            let is_book = view.node.is_some() || found.kind == MoveKind::Link;
            let Some(values) = found.values.filter(|_| is_book) else { continue };
            let surety = surety(found, values, placed.position.empties());
            hints.push(BookHint { found: *found, values, surety, games: 0 });
        }
        // A link leads from all its images, the rest is but one of them.
        for hint in hints.clone() {
            for (square, _) in images(placed.position, hint.found.square) {
                let is_new = hints.iter().all(|known| known.found.square != square);
                if let Some(after) = placed.position.after(square).filter(|_| is_new) {
                    hints
                        .push(BookHint { found: BookMove { square, after, ..hint.found }, ..hint });
                }
            }
        }
        hints.sort_by_key(|hint| std::cmp::Reverse(by.value(hint.values)));
        if !hints.is_empty()
            && let Some(played) = self.played_at(&Line::from_board(placed), stop)?
        {
            for hint in &mut hints {
                let of_move = played.of_move(hint.found.square);
                hint.games = of_move.map_or(0, |known| known.tally.games);
            }
        }
        Ok(BookHints { hints, has_best: view.node.is_some_and(|node| !node.is_incomplete()) })
    }
}

/// What the book says of a position.
#[derive(Default)]
struct BookHints {
    /// Its moves, the best first.
    hints: Vec<BookHint>,
    /// Whether the best of all moves is among them: the others have been searched as well.
    has_best: bool,
}

/// A line with the passes between its moves, up to a move that is illegal; none is a pass.
pub(crate) fn with_passes(mut position: Position, moves: &[Square]) -> Vec<Option<Square>> {
    let mut plies = Vec::with_capacity(moves.len());
    for (index, &square) in moves.iter().enumerate() {
        let after = position.after(square);
        plies.push(Some(square));
        let Some(next) = after.and_then(After::position) else { break };
        position = next;
        if matches!(after, Some(After::Same(_))) && index + 1 < moves.len() {
            plies.push(None);
        }
    }
    plies
}

/// The images of a move in a position that is symmetric, each with a symmetry that leads there; the move
/// itself first.
fn images(position: Position, square: Square) -> Vec<(Square, Symmetry)> {
    let mut images: Vec<(Square, Symmetry)> = Vec::with_capacity(1);
    for symmetry in Symmetry::all().filter(|own| own.position(position) == position) {
        let image = symmetry.square(square);
        if images.iter().all(|&(known, _)| known != image) {
            images.push((image, symmetry));
        }
    }
    images
}

/// Reports moves with all their images, each with the line that belongs to it.
fn with_images(position: Position, live: Live<'_>, each: &mut dyn FnMut(Hint<'_>)) {
    let turned = |found: &MoveScore| {
        let images = images(position, found.square);
        let turned = images.into_iter().map(|(square, symmetry)| MoveScore {
            square,
            line: found.line.iter().map(|&square| symmetry.square(square)).collect(),
            ..found.clone()
        });
        turned.collect::<Vec<_>>()
    };
    match live {
        Live::Nodes(nodes, seconds) => each(Hint::Nodes(nodes, seconds)),
        Live::Move(found) => turned(found).iter().for_each(|found| each(Hint::Move(found))),
        Live::Step(step) => {
            let moves = step.moves.iter().flat_map(turned).collect();
            each(Hint::Searched(&LiveStep { moves, ..*step }));
        }
    }
}

/// How the value of a move in a position with so many empties is known, as a shown position has it: by the
/// search that was made for it. What lies behind that is no deeper search of it, however long the line.
fn surety(found: &BookMove, values: Values, empties: u8) -> Surety {
    if values.is_exact() {
        return Surety::Exact;
    }
    if values.is_decided() {
        return Surety::Winner;
    }
    // A link has the search of the position behind it.
    let empties = if found.kind == MoveKind::Link { empties.saturating_sub(1) } else { empties };
    found.searched.map_or(Surety::Plies(0), |searched| {
        Surety::of_search(Proof::None, searched.depth, searched.selectivity, empties)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_search_to_the_end_has_a_percentage() {
        let [low, .., full] = Selectivity::OURS;
        let of = |proof, depth, selectivity| Surety::of_search(proof, depth, selectivity, 30);
        assert_eq!(of(Proof::None, 21, low), Surety::Plies(21));
        assert_eq!(of(Proof::None, 30, low), Surety::Probable(73));
        assert_eq!(of(Proof::None, 30, full), Surety::Plies(30));
        assert_eq!(of(Proof::Win, 30, full), Surety::Winner);
        assert_eq!(of(Proof::Exact, 30, full), Surety::Exact);
    }
}
