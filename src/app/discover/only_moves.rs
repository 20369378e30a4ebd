//! Positions with one good move, which people miss.

use super::judged::{Judged, MoveLoss, gives_away, surely};
use super::question::{DiscoverError, Ground, Place, WINDOW, is_open};
use super::ranked::best_of;
use super::sweep::{Going, Reached};
use crate::app::games::GameDatabase;
use crate::app::json::{hundredths, object, serialize};
use crate::files::games::opening_of_line;
use crate::othello::board::{Line, Square};
use crate::othello::score::Score;

#[derive(Clone, Debug)]
pub struct OnlyMoveOptions {
    /// Where to look.
    pub place: Place,
    /// What every other move gives away at least, in centidiscs.
    pub loss: i32,
    /// Only positions that are at most so far from even, in centidiscs.
    pub window: i32,
}

impl Default for OnlyMoveOptions {
    fn default() -> Self {
        let place = Place { least_games: 20, limit: 10, ..Place::default() };
        Self { place, loss: 200, window: WINDOW }
    }
}

/// A position with one good move.
#[derive(Clone, PartialEq, Debug)]
pub struct OnlyMove {
    /// The usual moves to the position, and the good one.
    pub line: Line,
    /// Games that came through the position.
    pub games: u64,
    /// In how many of them another move was made.
    pub missed: u64,
    /// What the best other move gives away, and the standard error of that in discs.
    pub loss: MoveLoss,
    pub error: f64,
    /// The other move that is made most often, and in how many games.
    pub usual: (Square, u64),
    /// What it gives away.
    pub usual_loss: Option<MoveLoss>,
    /// What the position is worth to the side to move.
    pub guess: Score,
}

serialize! {
    only(OnlyMove) => object! {
        line: &only.line,
        r#move: only.line.squares().last(),
        name: opening_of_line(&only.line),
        games: only.games,
        missed: only.missed,
        loss: only.loss.loss,
        at_least: only.loss.at_least,
        error: hundredths(only.error),
        usual_move: only.usual.0,
        usual_games: only.usual.1,
        usual_loss: only.usual_loss.map(|loss| loss.loss),
        guess: only.guess,
    },
}

/// A position with its only move, as the key has it, and what the best other one gives away.
struct Candidate<'r> {
    reached: &'r Reached,
    only: Square,
    loss: MoveLoss,
    missed: u64,
    weight: f64,
    /// The other move that is made most often.
    usual: Going,
}

/// The only moves that are missed most: how often, recent games counted more, times what the best other move gives
/// away, as far as the book is sure of it.
pub fn only_moves(
    database: &GameDatabase<'_>,
    options: &OnlyMoveOptions,
) -> Result<Vec<OnlyMove>, DiscoverError> {
    let _snapshot = database.book().snapshot()?;
    let ground = Ground::of(database, &options.place, |_| (true, true))?;
    let mut candidates = Vec::new();
    let mut known = false;
    for reached in &ground.sweep.positions {
        let Some(judged) = Judged::of(&ground.book, reached.key)? else { continue };
        known = true;
        if !is_open(judged.node.values.guess, options.window) {
            continue;
        }
        let Some(only) = judged.best().and_then(|best| best.square) else { continue };
        let Some(loss) = judged.others_loss(only) else { continue };
        if !gives_away(loss.loss, options.loss) {
            continue;
        }
        let own = judged.of_move(only).and_then(|found| found.square);
        let is_other = |square| judged.of_move(square).and_then(|found| found.square) != own;
        let others: Vec<&Going> =
            reached.moves.iter().filter(|going| is_other(going.square)).collect();
        let missed = others.iter().map(|going| going.tried.games).sum();
        let weight: f64 = others.iter().map(|going| going.tried.weight).sum();
        let usual = others.into_iter().max_by_key(|going| going.tried.games);
        if let Some(&usual) = usual {
            let worth = weight * loss.loss.discs();
            candidates.push((worth, Candidate { reached, only, loss, missed, weight, usual }));
        }
    }
    if !known {
        return Err(DiscoverError::NothingShared(options.place.least_games));
    }
    best_of(candidates, options.place.limit, |candidate| judge(&ground, candidate))
}

fn judge(
    ground: &Ground<'_, '_>,
    candidate: Candidate<'_>,
) -> Result<Option<(f64, OnlyMove)>, DiscoverError> {
    let Candidate { reached, only, loss, missed, weight, usual } = candidate;
    let Some(judged) = Judged::of(&ground.book, reached.key)? else { return Ok(None) };
    let error = judged.error(only);
    let turned = |square| ground.sweep.line(reached.key, &[square]).squares().last();
    let found = OnlyMove {
        line: ground.sweep.line(reached.key, &[only]),
        games: reached.all.games,
        missed,
        loss,
        error,
        usual: (turned(usual.square).unwrap_or(usual.square), usual.tried.games),
        usual_loss: judged.loss(usual.square),
        guess: judged.node.values.guess,
    };
    Ok(Some((weight * loss.loss.discs() * surely(loss, error), found)))
}
