//! A position with all that a book knows of it.

use serde::Serialize;

use crate::app::json::{hundredths, moves_text, object};
use crate::app::{By, HeldMove, ProvenHere, Shown, ShownMove};
use crate::faces::render::OwnBook;
use crate::faces::render::shown_facts::{
    move_name, name, others, passed, raise_command, searched, unsearched, worth,
};
use crate::files::games::Asked;
use crate::othello::board::{Key, Line, Position, Side, Square};

/// What is said of a shown position.
#[derive(Debug)]
pub struct ShownFacts<'a> {
    /// Which of several positions, where there are several.
    pub index: Option<usize>,
    pub asked: &'a Asked,
    /// What the book says.
    pub shown: &'a Shown,
    /// The program that searched it.
    pub source: Option<String>,
    /// What facts say of it.
    pub proven: ProvenHere,
    /// The moves that lead to where others lead; none leaves that out.
    pub transpositions: Option<&'a [Square]>,
    /// By which value its moves are ordered, for the side to move there.
    pub by: By,
    /// The line to it of which the book has all positions ([`crate::app::line_in_book`]).
    pub way: &'a Line,
    /// The book that commands are about.
    pub own: &'a OwnBook,
}

/// The row of the view `book` that is about a position, by its columns, and its key in exported tables: as a text,
/// since many programs read no number of 63 bits.
fn stored(position: Position) -> impl Serialize {
    let key = Key::of(position);
    let Position { mover, opponent } = key.position();
    object! {
        key: key.table_key().to_string(),
        board: key.position().squares_text(Side::Black),
        mover: format!("{mover:016x}"),
        opponent: format!("{opponent:016x}"),
    }
}

impl ShownFacts<'_> {
    /// As JSON, with what was played where there are games.
    pub fn json<G: Serialize>(&self, games: Option<G>) -> impl Serialize {
        let Self { index, asked, shown, ref proven, .. } = *self;
        let node = shown.view.as_ref().and_then(|view| view.node);
        object! {
            index?: index,
            position: shown.placed,
            stored: stored(shown.placed.position),
            // The board that was asked about has no side to move.
            turn_assumed?: asked.is_turn_assumed.then_some(true),
            line: asked.is_from_the_start().then_some(&asked.line),
            name: name(asked, shown),
            in_book: shown.in_book(),
            passed: passed(asked, shown),
            over: shown.final_score.is_some(),
            score: shown.final_score,
            values: node.map(|node| node.values),
            // Without facts, where facts make a difference.
            searched_values?: shown.searched_values,
            // What facts say of a position that is not in the book.
            fact?: proven.bounds,
            // The files that have proven what searches do not say.
            proven_by?: Some(&proven.by).filter(|by| !by.is_empty()),
            chances: node.and_then(|_| shown.chances()),
            depth: node.map(|node| node.searched.depth),
            selectivity: node.map(|node| node.searched.selectivity),
            source: &self.source,
            judgement?: shown.judgement.as_ref(),
            ..trust: shown.trust,
            best_line: moves_text(&shown.best_play),
            moves: shown.moves.iter().filter_map(|found| self.of_move(found)).collect::<Vec<_>>(),
            other_moves: others(shown),
            // Those of them that no search covers; the others are worth no more than the best other.
            unsearched_moves: unsearched(shown),
            games?: games,
        }
    }

    /// None when the move has no value.
    fn of_move(&self, shown: &ShownMove) -> Option<impl Serialize> {
        let found = &shown.found;
        let transpositions = self.transpositions;
        Some(object! {
            r#move: found.square,
            in_book: found.child.is_some(),
            known_by: if shown.searched_now.is_some() { "search" } else { found.kind.name() },
            values: found.values?,
            searched_values?: shown.searched_values,
            worth?: worth(found, self.by),
            chances: shown.chances()?,
            evidence: shown.sure.map(|sure| sure.evidence),
            evidence_plies: shown.sure.map(|sure| sure.plies),
            error: shown.error().map(hundredths),
            // What it gives away against the best guess.
            loss: self.shown.loss(shown),
            depth: searched(shown).map(|searched| searched.0),
            selectivity: searched(shown).map(|searched| searched.1),
            held?: shown.held.as_ref().map(|held| self.of_held(found.square, held)),
            name: move_name(found),
            transposition?: transpositions.map(|squares| squares.contains(&found.square)),
        })
    }

    /// Of a move to a position of the book that does not count: the search of the position before it answers for it.
    fn of_held(&self, square: Square, held: &HeldMove) -> impl Serialize + use<> {
        let searched = held.record.searched;
        let raise = || raise_command(self.way, square).typed(self.own);
        object! {
            // What the position that it leads to is worth, for the side that makes the move.
            values: held.values,
            evidence: held.sure.map(|sure| sure.evidence),
            evidence_plies: held.sure.map(|sure| sure.plies),
            // The search's score where the move is its best one, else the most that the move is worth.
            answer: held.record.rest.score,
            answer_evidence: held.record_sure.evidence,
            is_best: held.is_best,
            depth: searched.depth,
            selectivity: searched.selectivity,
            // What makes the move count; none where no search does.
            command: held.raised_by.map(|_| raise()),
        }
    }
}
