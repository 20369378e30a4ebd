//! All of an analysed game but the values of its moves.

use crate::app::games::{GameDatabase, last_in_company};
use crate::files::games::openings_along;
use crate::openbook::NodeSource;
use crate::othello::board::{After, Key, Line};
use crate::store::{Reader, StoreError};

use super::analysed_game::{AnalysedGame, OtherGame};
use super::analysed_move::AnalysedMove;
use super::terms::GameToAnalyse;

/// The moves of a game with names, and where it left book and games.
pub(super) fn frame(
    asked: GameToAnalyse,
    book: Option<&Reader>,
    database: Option<&GameDatabase<'_>>,
) -> Result<AnalysedGame, StoreError> {
    let GameToAnalyse { game, id } = asked;
    let line = game.line();
    let last_game_at = match database {
        Some(database) => last_in_company(database, &game, id)?,
        None => None,
    };
    let left_book_at = match book {
        Some(book) => left_book_at(&line, book)?,
        None => None,
    };
    let moves = moves(&line);
    let last_game_at = last_game_at.map(|company| OtherGame {
        ply: company.ply,
        games: company.games,
        game: company.latest,
        title: company.title,
    });
    Ok(AnalysedGame { game, id, moves, left_book_at, last_game_at })
}

/// The moves of a line, none of them valued.
pub(super) fn moves(line: &Line) -> Vec<AnalysedMove> {
    let mut names = openings_along(line).peekable();
    // A board to start from may have a name already.
    let mut name = names.next_if(|&(moves, _)| moves == 0).map(|(_, opening)| opening.name);
    let mut moves: Vec<AnalysedMove> = Vec::with_capacity(line.len());
    let mut after_pass = false;
    for (ply, step) in (1..).zip(line.steps()) {
        let here = names.next_if(|&(moves, _)| moves == ply).map(|(_, opening)| opening.name);
        let new = here.filter(|&here| Some(here) != name);
        name = here.or(name);
        moves.push(AnalysedMove {
            ply,
            before: step.before,
            square: step.square,
            after_pass,
            name: new,
            choices: step.before.position.legal_moves().len() as u8,
            value: None,
        });
        after_pass = matches!(step.after, After::Same(_));
    }
    moves
}

/// The ply of the first move that leads from a position of the book out of it.
fn left_book_at(line: &Line, book: &Reader) -> Result<Option<usize>, StoreError> {
    let mut was_in = false;
    for (ply, step) in (1..).zip(line.steps()) {
        was_in = was_in || book.node(&Key::of(step.before.position))?.is_some();
        let Some(next) = step.after.position() else { break };
        if was_in && book.node(&Key::of(next))?.is_none() {
            return Ok(Some(ply));
        }
    }
    Ok(None)
}
