//! An analysed game for tests: made-up values that lean on the discs of the board.

use crate::app::analysis::{AnalysedGame, AnalysedMove, Known, MoveValue};
use crate::files::games::Game;
use crate::othello::board::{Line, Placed};
use crate::othello::score::Score;
use crate::othello::search::Selectivity;

/// A whole game in which each side plays its last legal move, with a value for each move but the
/// 21st; names that try to break out of the text around them.
pub(super) fn sample() -> AnalysedGame {
    let mut line = Line::default();
    while let Some(placed) = line.end() {
        let Some(square) = placed.position.legal_moves().last() else { break };
        assert!(line.push(square));
    }
    let mut game = Game { event: Some("</script><b>".to_owned()), ..Game::default() };
    game.black.name = Some("Ann \"A\" & Co".to_owned());
    game.moves = line.squares().collect();
    let end = line.board().position;
    let black = if line.board().side == crate::othello::board::Side::Black {
        end.mover
    } else {
        end.opponent
    };
    game.black_discs = Some(black.count_ones() as u8);
    let mut after_pass = false;
    let mut last: Option<Placed> = None;
    let moves = line.steps().iter().enumerate().map(|(index, step)| {
        let before = step.before;
        after_pass = last.is_some_and(|last| last.side == before.side);
        last = Some(before);
        let choices = before.position.legal_moves().count() as u8;
        let lean = i16::from(before.position.mover.count_ones() as u8)
            - i16::from(before.position.opponent.count_ones() as u8);
        let loss = if choices > 1 && index % 5 == 3 { 25 * (index as i16 % 7) } else { 0 };
        let known = match index {
            ..12 => Known::Book { error: 1.0 },
            12..40 => Known::Searched { depth: 12, selectivity: Selectivity::FULL },
            _ => Known::Exact,
        };
        let value = MoveValue {
            best: step.square,
            before: Score::from_centidiscs(50 * lean + loss),
            played: Score::from_centidiscs(50 * lean),
            known,
        };
        AnalysedMove {
            ply: index + 1,
            before,
            square: step.square,
            after_pass,
            name: None,
            choices,
            value: (index != 20).then_some(value),
        }
    });
    let moves = moves.collect();
    AnalysedGame { game, id: None, moves, left_book_at: Some(13), last_game_at: None }
}
