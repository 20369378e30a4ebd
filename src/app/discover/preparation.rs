//! Preparing for one player: where the player's games leave good values or score badly, and what to
//! learn against them.

use super::learned::{LearnedLine, Tree};
use super::mistakes::{Mistake, MistakeOptions, Whose, mistakes_on};
use super::question::{DiscoverError, Ground, Place};
use super::sweep::Tried;
use crate::app::games::{GameDatabase, Person, one_player};
use crate::openbook::NodeSource;
use crate::othello::board::{Line, Side};
use crate::othello::score::Score;

/// The player to prepare for, and how.
#[derive(Clone, Debug)]
pub struct PreparationOptions {
    /// Where to look; what the player did in fewer games than [`Place::least_games`] is no habit.
    pub place: Place,
    /// The player: the name, or the beginnings of its words.
    pub name: String,
    /// The player's colours that are prepared for.
    pub sides: Vec<Side>,
    /// What a move of the player gives away more than to be shown, in centidiscs.
    pub loss: i32,
    /// The most that an own move to learn may give away, in centidiscs.
    pub own_loss: i32,
    /// How many lines to learn against each colour.
    pub learn: usize,
    /// Only positions that are at most so far from even, in centidiscs.
    pub window: i32,
}

/// A line on which the player scores badly.
#[derive(Clone, PartialEq, Debug)]
pub struct PoorLine {
    /// The line that most of the player's games came by.
    pub line: Line,
    /// The player's games through its end.
    pub games: u64,
    /// The player's points in these of them that have a result, in percent.
    pub percent: f64,
    /// What the book says the end is worth to the player; none where it is not in the book.
    pub guess: Option<Score>,
}

/// Preparation against one colour of a player.
#[derive(Clone, PartialEq, Debug)]
pub struct SidePreparation {
    /// The player's colour.
    pub side: Side,
    pub games: u64,
    /// The player's points in these of them that have a result, in percent.
    pub percent: Option<f64>,
    /// Where the player leaves good values, the costliest first.
    pub leaves: Vec<Mistake>,
    /// Where the player scores worse than usual, the surest first.
    pub poor: Vec<PoorLine>,
    /// What to play against it, the likeliest lines first.
    pub learn: Vec<LearnedLine>,
}

/// Preparation against a player.
#[derive(Clone, PartialEq, Debug)]
pub struct Preparation {
    pub player: Person,
    /// By the player's colours; one that no game that counts has is left out.
    pub sides: Vec<SidePreparation>,
}

/// What is to be known for a game against a player.
pub fn preparation(
    database: &GameDatabase<'_>,
    options: &PreparationOptions,
) -> Result<Preparation, DiscoverError> {
    let _snapshot = database.book().snapshot()?;
    if database.is_empty() {
        return Err(DiscoverError::NoGames);
    }
    let player = one_player(database, &options.name)?;
    let mut sides = Vec::new();
    let mut missed = None;
    for &side in &options.sides {
        match against(database, options, &player, side) {
            Ok(found) => sides.push(found),
            // What the player has no game of says less.
            Err(DiscoverError::NoGameHere) if missed.is_some() => {}
            Err(
                error @ (DiscoverError::NoGameHere
                | DiscoverError::TooFewGames { .. }
                | DiscoverError::NothingShared(_)),
            ) => missed = Some(error),
            Err(error) => return Err(error),
        }
    }
    match missed {
        Some(error) if sides.is_empty() => Err(error),
        _ => Ok(Preparation { player, sides }),
    }
}

fn against(
    database: &GameDatabase<'_>,
    options: &PreparationOptions,
    player: &Person,
    side: Side,
) -> Result<SidePreparation, DiscoverError> {
    let ground = Ground::of(database, &options.place, |facts| match side {
        Side::Black => (player.is(facts.black), false),
        Side::White => (false, player.is(facts.white)),
    })?;
    let leaves = mistakes_on(
        &ground,
        &MistakeOptions {
            place: options.place.clone(),
            whose: Whose::Players(options.name.clone()),
            loss: options.loss,
            window: options.window,
        },
    )?;
    let all = ground.sweep.all_at_root();
    Ok(SidePreparation {
        side,
        games: all.games,
        percent: percent(&all, side),
        leaves,
        poor: poor(&ground, side, options.place.limit)?,
        learn: Tree::of(&ground, options.own_loss, options.place.least_games)?
            .lines(options.learn)?,
    })
}

/// Points in percent; none where no game has a result.
fn percent(tried: &Tried, side: Side) -> Option<f64> {
    let black = 50.0 * tried.black_halves as f64 / tried.decided as f64;
    let own = if side == Side::Black { black } else { 100.0 - black };
    (tried.decided > 0).then_some(own)
}

/// So many standard errors below the player's mean a score must be to be listed.
const SURE: f64 = 1.0;
/// The standard deviation of a game's points, in percent, at most.
const DEVIATION: f64 = 50.0;
/// Of the player's games at least one in so many must have come through a usual position.
const USUAL: u64 = 50;

/// Where the player scores worse than usual; of positions on one line the one where that is surest.
fn poor(ground: &Ground<'_, '_>, side: Side, limit: usize) -> Result<Vec<PoorLine>, DiscoverError> {
    let all = ground.sweep.all_at_root();
    let Some(mean) = percent(&all, side) else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for reached in &ground.sweep.positions {
        let tried = &reached.all;
        let Some(percent) = percent(tried, side).filter(|_| tried.games * USUAL >= all.games)
        else {
            continue;
        };
        let sure = (mean - percent) * (tried.decided as f64).sqrt() / DEVIATION;
        if sure >= SURE {
            found.push((sure, percent, reached));
        }
    }
    // Stable: of equals the one with fewer discs.
    found.sort_by(|one, other| other.0.total_cmp(&one.0));
    let mut poor: Vec<PoorLine> = Vec::new();
    for (_, percent, reached) in found {
        if poor.len() >= limit {
            break;
        }
        let line = ground.sweep.line(reached.key, &[]);
        let squares: Vec<_> = line.squares().collect();
        let is_on = |known: &PoorLine| {
            let known: Vec<_> = known.line.squares().collect();
            known.starts_with(&squares) || squares.starts_with(&known)
        };
        if poor.iter().any(is_on) {
            continue;
        }
        let node = ground.book.node(&reached.key)?;
        let to_move = line.end().map(|placed| placed.side);
        let guess = node.map(|node| node.values.guess);
        let guess = guess.map(|guess| if to_move == Some(side) { guess } else { -guess });
        poor.push(PoorLine { line, games: reached.all.games, percent, guess });
    }
    Ok(poor)
}
