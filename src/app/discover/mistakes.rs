//! Moves that are made again and again and give something away.

use super::judged::{Judged, MoveLoss, gives_away, surely};
use super::question::{DiscoverError, Ground, Place, PlayerTimes, WINDOW, is_open, played_on};
use super::ranked::best_of;
use crate::app::games::{GameDatabase, one_player};
use crate::app::json::{hundredths, object, serialize};
use crate::files::games::opening_of_line;
use crate::othello::board::{Line, Square};
use crate::othello::score::Score;

/// Whose moves are looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Whose {
    /// All players', where they are popular.
    All,
    /// All players' in few games, such as those of an event, popular or not.
    AllHere,
    /// One player's: the name, or the beginnings of its words.
    Players(String),
}

/// Which mistakes are meant.
#[derive(Clone, Debug)]
pub struct MistakeOptions {
    /// Where to look; a move must have been made in [`Place::least_games`] games.
    pub place: Place,
    pub whose: Whose,
    /// What a move gives away at least, in centidiscs.
    pub loss: i32,
    /// Only positions that are at most so far from even, in centidiscs.
    pub window: i32,
}

impl MistakeOptions {
    /// Popular moves that cost something.
    pub(crate) fn habits() -> Self {
        let place = Place { least_games: 20, limit: 10, ..Place::default() };
        Self { place, whose: Whose::All, loss: 300, window: WINDOW }
    }
}

/// A move that is made again and again and gives something away.
#[derive(Clone, PartialEq, Debug)]
pub struct Mistake {
    /// The usual moves to the position, and the mistake.
    pub line: Line,
    /// How often those whose moves are looked at were to move there.
    pub games: u64,
    /// In how many of these games they made the mistake.
    pub played: u64,
    /// In which year the last time, where years are known.
    pub last_year: Option<u16>,
    /// What it gives away.
    pub loss: MoveLoss,
    /// The standard error of the loss, in discs.
    pub error: f64,
    /// The usual moves to the position, the move that would have been right, and how the book goes on.
    pub right: Line,
    /// Which move of `right` would have been right: the last one that it shares with `line` comes
    /// before it.
    pub ply: usize,
    /// What the position is worth to the side to move.
    pub guess: Score,
    /// How many players made the mistake, and those that made it most, recent games counted more.
    pub players: (u64, Vec<PlayerTimes>),
}

serialize! {
    mistake(Mistake) => object! {
        line: &mistake.line,
        r#move: mistake.line.squares().last(),
        name: opening_of_line(&mistake.line),
        games: mistake.games,
        move_games: mistake.played,
        last_year: mistake.last_year,
        guess: mistake.guess,
        loss: mistake.loss.loss,
        at_least: mistake.loss.at_least,
        error: hundredths(mistake.error),
        best_line: mistake.right_moves(),
        right_line: &mistake.right,
        different_players: mistake.players.0,
        by: &mistake.players.1,
    },
}

impl Mistake {
    /// The move that would have been right, and how the book goes on, in one word.
    pub(crate) fn right_moves(&self) -> String {
        let right = self.right.squares().skip(self.ply.saturating_sub(1));
        right.map(|square| square.to_string()).collect()
    }
}

/// What is played in one of so many games is popular.
const POPULAR: u64 = 50;
/// So many players are named.
const NAMED: usize = 3;
/// So many moves of best play are shown behind the right one.
const SHOWN_ON: usize = 3;

/// The mistakes that cost most in all: what each gives away, times how often it is made, recent games
/// counted more, as far as the book is sure of it.
pub fn mistakes(
    database: &GameDatabase<'_>,
    options: &MistakeOptions,
) -> Result<Vec<Mistake>, DiscoverError> {
    let _snapshot = database.book().snapshot()?;
    if database.is_empty() {
        return Err(DiscoverError::NoGames);
    }
    let player = match &options.whose {
        Whose::Players(name) => Some(one_player(database, name)?),
        Whose::All | Whose::AllHere => None,
    };
    let ground = Ground::of(database, &options.place, |facts| match &player {
        None => (true, true),
        Some(player) => (player.is(facts.black), player.is(facts.white)),
    })?;
    mistakes_on(&ground, options)
}

/// The mistakes of those whose moves count on a ground.
pub(super) fn mistakes_on(
    ground: &Ground<'_, '_>,
    options: &MistakeOptions,
) -> Result<Vec<Mistake>, DiscoverError> {
    let least = options.place.least_games;
    let mut candidates = Vec::new();
    let mut known = false;
    for (at, reached) in ground.sweep.positions.iter().enumerate() {
        let Some(judged) = Judged::of(&ground.book, reached.key)? else { continue };
        known = true;
        if !is_open(judged.node.values.guess, options.window) {
            continue;
        }
        let is_often = |games: u64| match options.whose {
            Whose::All => games >= least && games * POPULAR >= reached.all.own,
            Whose::AllHere | Whose::Players(_) => games >= least,
        };
        for going in reached.moves.iter().filter(|going| is_often(going.tried.own)) {
            let Some(loss) = judged.loss(going.square) else { continue };
            if gives_away(loss.loss, options.loss) {
                let often = going.tried.weight;
                candidates.push((often * loss.loss.discs(), (at, going.square, loss)));
            }
        }
    }
    if !known {
        return Err(DiscoverError::NothingShared(least));
    }
    let bound: Vec<_> = candidates.into_iter().map(|(cost, item)| (cost, (cost, item))).collect();
    best_of(bound, options.place.limit, |(cost, (at, square, loss))| {
        judge(ground, cost, at, square, loss)
    })
}

fn judge(
    ground: &Ground<'_, '_>,
    cost: f64,
    at: usize,
    square: Square,
    loss: MoveLoss,
) -> Result<Option<(f64, Mistake)>, DiscoverError> {
    let (book, sweep) = (&ground.book, &ground.sweep);
    let reached = &sweep.positions[at];
    let Some(judged) = Judged::of(book, reached.key)? else { return Ok(None) };
    // What is worth more is a value without a move: nothing can be recommended.
    let Some(best) = judged.best().and_then(|best| best.square) else { return Ok(None) };
    let error = judged.error(square);
    let who = ground.who(reached.key, Some(square))?;
    let (line, right) = (sweep.line(reached.key, &[square]), sweep.line(reached.key, &[best]));
    let ply = line.len();
    let mistake = Mistake {
        games: reached.all.own,
        played: who.games,
        last_year: who.last_year,
        loss,
        error,
        right: played_on(book, &right, SHOWN_ON)?,
        ply,
        line,
        guess: judged.node.values.guess,
        players: (who.players.len() as u64, who.named(ground.database, NAMED)?),
    };
    Ok(Some((cost * surely(loss, error), mistake)))
}
