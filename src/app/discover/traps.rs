//! Positions that people go wrong in, on lines that cost little to the side that leads there.

use super::judged::{Judged, MoveLoss, gives_away, surely};
use super::question::{DiscoverError, Ground, Place, WINDOW, is_open};
use super::ranked::best_of;
use super::sweep::Reached;
use std::cmp::Reverse;

use crate::app::games::GameDatabase;
use crate::app::json::{hundredths, object, serialize};
use crate::files::games::opening_of_line;
use crate::openbook::child_of;
use crate::othello::board::{Line, Side, Square};
use crate::othello::score::Score;

#[derive(Clone, Debug)]
pub struct TrapOptions {
    /// Where to look.
    pub place: Place,
    /// What a reply must give away to be wrong, in centidiscs.
    pub loss: i32,
    /// The most that the side that sets the trap may give away from the start of the question on, in
    /// centidiscs.
    pub regret: i32,
    /// Only positions that are at most so far from even, in centidiscs.
    pub window: i32,
    /// Only traps that this side sets.
    pub side: Option<Side>,
}

impl Default for TrapOptions {
    fn default() -> Self {
        let place = Place { least_games: 50, limit: 10, ..Place::default() };
        Self { place, loss: 200, regret: 100, window: WINDOW, side: None }
    }
}

/// A position that people go wrong in.
#[derive(Clone, PartialEq, Debug)]
pub struct Trap {
    /// The line that costs least to the side that sets the trap. The other side's moves on it are
    /// usual.
    pub line: Line,
    /// The side that sets it.
    pub side: Side,
    /// What the line costs that side.
    pub regret: Score,
    /// Games that came through the position.
    pub games: u64,
    /// In how many of them the reply was wrong.
    pub wrong: u64,
    /// What replies give away on average.
    pub gain: Score,
    /// The wrong reply that is made most often, and in how many games.
    pub reply: (Square, u64),
    /// What it gives away.
    pub loss: MoveLoss,
    /// The standard error of that, in discs.
    pub error: f64,
    /// The right reply, and in how many games it was made.
    pub right: (Square, u64),
    /// What the position is worth to the side that sets the trap when the other one finds it.
    pub guess: Score,
}

serialize! {
    trap(Trap) => object! {
        line: &trap.line,
        name: opening_of_line(&trap.line),
        side: trap.side,
        regret: trap.regret,
        games: trap.games,
        wrong: trap.wrong,
        gain: trap.gain,
        usual_move: trap.reply.0,
        usual_games: trap.reply.1,
        loss: trap.loss.loss,
        at_least: trap.loss.at_least,
        error: hundredths(trap.error),
        best_move: trap.right.0,
        best_move_games: trap.right.1,
        guess: trap.guess,
    },
}

/// So many games, of which nothing is known, are added to those that came to a position: few games
/// say little.
const UNKNOWN_GAMES: f64 = 5.0;
/// A reply that was wrong in one game only is no trap, but a slip.
const LEAST_WRONG: u64 = 2;
/// A move of the other side is usual when it is played in one of so many games.
const USUAL: u64 = 10;

/// A way to a position: what it costs the side that leads there, and the move before.
#[derive(Clone, Copy)]
struct Way {
    cost: i32,
    games: u64,
    before: Option<Before>,
}

/// The position before with whose move it is there, and the move.
#[derive(Clone, Copy)]
struct Before {
    at: usize,
    mover: usize,
    square: Square,
}

/// The cheapest ways to a position, by the side to move there and by the side that leads: 0 is the
/// side that moves first, 1 the other.
type Ways = [[Option<Way>; 2]; 2];

/// The traps that give most: what the replies give away on average, recent games counted more, less
/// what the line costs.
pub fn traps(
    database: &GameDatabase<'_>,
    options: &TrapOptions,
) -> Result<Vec<Trap>, DiscoverError> {
    let _snapshot = database.book().snapshot()?;
    let ground = Ground::of(database, &options.place, |_| (true, true))?;
    let (book, positions) = (&ground.book, &ground.sweep.positions);
    let mut ways: Vec<Ways> = vec![Ways::default(); positions.len()];
    if let (Some(first), true) = (ways.first_mut(), ground.sweep.get(ground.sweep.root()).is_some())
    {
        let start = Some(Way { cost: 0, games: u64::MAX, before: None });
        first[0] = [start, start];
    }
    let first = options.place.from.end().map_or(Side::Black, |placed| placed.side);
    let side_of = |number: usize| if number == 0 { first } else { first.other() };
    let mut candidates = Vec::new();
    let mut known = false;
    for (at, reached) in positions.iter().enumerate() {
        let Some(judged) = Judged::of(book, reached.key)? else { continue };
        known = true;
        // There are ways for each position.
        let here = ways[at];
        lead_on(&ground, &judged, (at, reached), here, &mut ways);
        if !is_open(judged.node.values.guess, options.window) {
            continue;
        }
        for (mover, to_move) in here.iter().enumerate() {
            let setter = 1 - mover;
            let Some(way) = to_move[setter].filter(|way| way.cost <= options.regret) else {
                continue;
            };
            let side = side_of(setter);
            if options.side.is_some_and(|wanted| wanted != side) {
                continue;
            }
            let gain = gain(reached, &judged, |_| Ok::<_, DiscoverError>(1.0))?;
            let most = gain - f64::from(way.cost) / 100.0;
            let is_wrong = |loss: MoveLoss| gives_away(loss.loss, options.loss);
            let falls =
                reached.moves.iter().any(|going| judged.loss(going.square).is_some_and(is_wrong));
            if most > 0.0 && falls {
                candidates.push((most, (at, mover, side, way.cost)));
            }
        }
    }
    if !known {
        return Err(DiscoverError::NothingShared(options.place.least_games));
    }
    best_of(candidates, options.place.limit, |(at, mover, side, cost)| {
        let trap = judge(&ground, options, &ways, (at, mover), side, cost)?;
        Ok(trap.filter(|(worth, _)| *worth > 0.0))
    })
}

/// What replies give away on average, in discs, each times how sure that is; few games say little.
fn gain<E>(
    reached: &Reached,
    judged: &Judged,
    mut sure: impl FnMut(Square) -> Result<f64, E>,
) -> Result<f64, E> {
    let mut sum = 0.0;
    for going in &reached.moves {
        if let Some(loss) = judged.loss(going.square).filter(|loss| loss.loss > Score::ZERO) {
            sum += going.tried.weight * loss.loss.discs() * sure(going.square)?;
        }
    }
    Ok(sum / (reached.all.weight + UNKNOWN_GAMES))
}

/// Leads the ways to a position on to where its moves lead.
fn lead_on(
    ground: &Ground<'_, '_>,
    judged: &Judged,
    (at, reached): (usize, &Reached),
    here: Ways,
    ways: &mut [Ways],
) {
    for going in &reached.moves {
        let Some((child, same_side)) = child_of(reached.key.position(), going.square) else {
            continue;
        };
        let Some(next) = ground.sweep.index(child) else { continue };
        let Some(MoveLoss { loss, at_least: false }) = judged.loss(going.square) else { continue };
        let is_usual = going.tried.games * USUAL >= reached.all.games;
        for (mover, by_leader) in here.iter().enumerate() {
            for (leader, way) in by_leader.iter().enumerate() {
                let Some(way) = way else { continue };
                if leader != mover && !is_usual {
                    continue;
                }
                let more = if leader == mover { i32::from(loss.centidiscs()) } else { 0 };
                let games = way.games.min(going.tried.games);
                let before = Some(Before { at, mover, square: going.square });
                let new = Way { cost: way.cost + more, games, before };
                let next_mover = if same_side { mover } else { 1 - mover };
                let known = &mut ways[next][next_mover][leader];
                // Of ways that cost the same, the one that is gone most.
                let is_better = |known: &Way| {
                    (new.cost, Reverse(new.games)) < (known.cost, Reverse(known.games))
                };
                if known.as_ref().is_none_or(is_better) {
                    *known = Some(new);
                }
            }
        }
    }
}

fn judge(
    ground: &Ground<'_, '_>,
    options: &TrapOptions,
    ways: &[Ways],
    (at, mover): (usize, usize),
    side: Side,
    cost: i32,
) -> Result<Option<(f64, Trap)>, DiscoverError> {
    let (book, sweep) = (&ground.book, &ground.sweep);
    let reached = &sweep.positions[at];
    let Some(judged) = Judged::of(book, reached.key)? else { return Ok(None) };
    let Some(right) = judged.best().and_then(|best| best.square) else { return Ok(None) };
    let right = reached.key.first_image(right);
    let gain = gain(reached, &judged, |square| {
        let loss = judged.loss(square);
        let error = judged.error(square);
        Ok::<_, DiscoverError>(loss.map_or(0.0, |loss| surely(loss, error)))
    })?;
    let mut wrong = 0;
    let mut most: Option<(u64, Square, MoveLoss)> = None;
    for going in &reached.moves {
        let loss = judged.loss(going.square);
        let loss = loss.filter(|loss| gives_away(loss.loss, options.loss));
        if let Some(loss) = loss {
            wrong += going.tried.games;
            if most.is_none_or(|(games, ..)| going.tried.games > games) {
                most = Some((going.tried.games, going.square, loss));
            }
        }
    }
    let Some((times, reply, loss)) = most.filter(|_| wrong >= LEAST_WRONG) else {
        return Ok(None);
    };
    let moves = moves_of(ways, at, mover);
    let line = sweep.line_of(moves.iter().copied());
    // A reply as it is played at the end of the line.
    let turned = |square| {
        sweep.line_of(moves.iter().copied().chain([square])).squares().last().unwrap_or(square)
    };
    let played_right = reached.moves.iter().find(|going| going.square == right);
    let trap = Trap {
        side,
        regret: Score::from_centidiscs(cost.try_into().unwrap_or(i16::MAX)),
        games: reached.all.games,
        wrong,
        gain: Score::from_centidiscs((gain * 100.0).round() as i16),
        reply: (turned(reply), times),
        loss,
        error: judged.error(reply),
        right: (turned(right), played_right.map_or(0, |going| going.tried.games)),
        guess: -judged.node.values.guess,
        line,
    };
    Ok(Some((gain - f64::from(cost) / 100.0, trap)))
}

/// The moves of the cheapest way to a position, each in the orientation of the key that it is played
/// on.
fn moves_of(ways: &[Ways], at: usize, mover: usize) -> Vec<Square> {
    let leader = 1 - mover;
    let way = |at: usize, mover: usize| ways.get(at).and_then(|ways| ways[mover][leader]);
    let mut moves = Vec::new();
    let mut now = way(at, mover);
    while let Some(Before { at, mover, square }) = now.and_then(|way| way.before) {
        moves.push(square);
        now = way(at, mover);
    }
    moves.reverse();
    moves
}
