//! Good moves that are rarely played.

use super::judged::{Judged, MoveLoss, at_most};
use super::question::{DiscoverError, Ground, Place, is_open};
use super::ranked::best_of;
use crate::app::games::GameDatabase;
use crate::app::json::{hundredths, object, serialize};
use crate::app::show::best_play;
use crate::files::games::opening_of_line;
use crate::openbook::lines::By;
use crate::openbook::{MoveKind, NodeMove, NodeSource};
use crate::othello::board::{Key, Line, Placed, Square};
use crate::othello::score::Score;
use crate::store::StoreError;

/// What is new, and good enough.
#[derive(Clone, Debug)]
pub struct NoveltyOptions {
    /// Where to look.
    pub place: Place,
    /// The most that a move may give away, in centidiscs.
    pub loss: i32,
    /// It is played in at most so many of 1000 games, from the position and at what it leads to.
    pub per_mille: u64,
    /// Only positions that are at most so far from even, in centidiscs.
    pub window: i32,
    /// Moves with at least so many positions of best play in the book behind them: 0 takes those, too,
    /// of which the book has a single search.
    pub behind: usize,
}

impl Default for NoveltyOptions {
    /// No player wants to come to a lost position, whatever is new there.
    fn default() -> Self {
        let place = Place { least_games: 20, limit: 10, ..Place::default() };
        Self { place, loss: 100, per_mille: 10, window: 500, behind: 3 }
    }
}

/// A good move that is hardly ever played.
#[derive(Clone, PartialEq, Debug)]
pub struct Novelty {
    /// The usual moves to the position, and the novelty.
    pub line: Line,
    /// Games that came through the position.
    pub games: u64,
    /// The last year in which one did, where years are known.
    pub last_year: Option<u16>,
    /// In how many of them it was played.
    pub played: u64,
    /// What it is worth to the side that makes it.
    pub guess: Score,
    /// What it gives away.
    pub loss: MoveLoss,
    /// The standard error of its value and that of the best other move together, in discs.
    pub error: f64,
    /// How many positions of best play the book has behind it.
    pub behind: usize,
    /// The move that is played most instead, and in how many games.
    pub usual: Option<(Square, u64)>,
    /// What the usual move gives away.
    pub usual_loss: Option<MoveLoss>,
}

serialize! {
    novelty(Novelty) => object! {
        line: &novelty.line,
        r#move: novelty.line.squares().last(),
        name: opening_of_line(&novelty.line),
        games: novelty.games,
        last_year: novelty.last_year,
        move_games: novelty.played,
        value: novelty.guess,
        loss: novelty.loss.loss,
        error: hundredths(novelty.error),
        behind: novelty.behind,
        usual_move: novelty.usual.map(|(square, _)| square),
        usual_games: novelty.usual.map(|(_, games)| games),
        usual_loss: novelty.usual_loss.map(|loss| loss.loss),
    },
}

/// A move that may be one.
struct Candidate {
    at: usize,
    square: Square,
    loss: MoveLoss,
    guess: Score,
    found: NodeMove,
    played: u64,
}

/// The novelties that are worth most: that many and recent games could have had, and that the book is
/// surest of.
pub fn novelties(
    database: &GameDatabase<'_>,
    options: &NoveltyOptions,
) -> Result<Vec<Novelty>, DiscoverError> {
    let _snapshot = database.book().snapshot()?;
    let ground = Ground::of(database, &options.place, |_| (true, true))?;
    let (sweep, book) = (&ground.sweep, &ground.book);
    let mut candidates = Vec::new();
    let mut known = false;
    for (at, reached) in sweep.positions.iter().enumerate() {
        let Some(judged) = Judged::of(book, reached.key)? else { continue };
        known = true;
        if !is_open(judged.node.values.guess, options.window) {
            continue;
        }
        let hardly = |games: u64| games * 1000 <= reached.all.games * options.per_mille;
        for found in &judged.moves {
            let Some(square) = found.square.filter(|_| found.kind != MoveKind::Terminal) else {
                continue;
            };
            let square = reached.key.first_image(square);
            let loss = judged.loss_of(found.values.guess);
            let child = found.child.as_ref().map(|(node, _)| node.key);
            let is_same = |going: &&super::sweep::Going| {
                going.square == square || (child.is_some() && going.child == child)
            };
            let played = reached.moves.iter().filter(is_same).map(|going| going.tried.games).sum();
            // By other moves it may be an old acquaintance.
            let elsewhere = child.map_or(0, |child| sweep.games_at(child));
            let is_new = hardly(played) && hardly(elsewhere);
            if i32::from(loss.centidiscs()) > options.loss || !is_new {
                continue;
            }
            let (loss, guess) = (MoveLoss { loss, at_least: false }, found.values.guess);
            let candidate = Candidate { at, square, loss, guess, found: *found, played };
            candidates.push((reached.all.weight, candidate));
        }
    }
    if !known {
        return Err(DiscoverError::NothingShared(options.place.least_games));
    }
    best_of(candidates, options.place.limit, |candidate| judge(&ground, options, candidate))
}

/// What a candidate is worth, if it is one.
fn judge(
    ground: &Ground<'_, '_>,
    options: &NoveltyOptions,
    candidate: Candidate,
) -> Result<Option<(f64, Novelty)>, DiscoverError> {
    let Candidate { at, square, loss, guess, found, played } = candidate;
    let (book, sweep) = (&ground.book, &ground.sweep);
    let reached = &sweep.positions[at];
    let behind = found.child.as_ref().map_or(Ok(0), |(node, _)| behind(book, node.key))?;
    if behind < options.behind {
        return Ok(None);
    }
    let Some(judged) = Judged::of(book, reached.key)? else { return Ok(None) };
    let error = judged.error(square);
    let trust = at_most(judged.gap(square), error, f64::from(options.loss) / 100.0);
    let usual = reached.moves.iter().max_by_key(|going| going.tried.games);
    // A rest's square is that of the key; the way is turned with the whole line.
    let line = sweep.line(reached.key, &[found.square.unwrap_or(square)]);
    let usual = usual.map(|going| (going.square, going.tried.games));
    let novelty = Novelty {
        games: reached.all.games,
        last_year: ground.who(reached.key, None)?.last_year,
        played,
        guess,
        loss,
        error,
        behind,
        usual_loss: usual.and_then(|(square, _)| judged.loss(square)),
        usual: usual.and_then(|(square, games)| {
            let turned = sweep.line(reached.key, &[square]).squares().last()?;
            Some((turned, games))
        }),
        line,
    };
    Ok(Some((reached.all.weight * trust, novelty)))
}

/// How many positions of best play the book has from a position on, itself counted.
fn behind<S: NodeSource<Error = StoreError> + ?Sized>(
    book: &S,
    key: Key,
) -> Result<usize, StoreError> {
    let placed = Placed::black_to_move(key.position());
    // The last move leads out of the book.
    Ok(best_play(book, placed, By::Guess)?.len())
}
