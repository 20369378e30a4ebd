//! What was played at a position, how it ended, and how it should have ended.

use std::collections::BTreeMap;

use super::database::GameDatabase;
use super::filter::{FilterError, GameFilter};
use super::loaded::{Outcome, Visit};
use crate::app::json::{hundredths, object, serialize};
use crate::othello::board::{Key, Line, Placed, Side, Square, same_move, write_from_f5};
use crate::store::{GameId, StoreError};

/// Results of games. Scores are in discs from Black's side.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// Games, those without a result counted.
    pub games: u64,
    pub black: u64,
    pub draw: u64,
    pub white: u64,
    /// Games whose score is known, and the sum of the scores.
    score: (u64, i64),
    /// Games whose theoretical score is known, and the sum of those.
    theoretical: (u64, i64),
}

serialize! {
    tally(Tally) => object! {
        games: tally.games,
        black: tally.black,
        draw: tally.draw,
        white: tally.white,
        mean_score: tally.mean_score().map(hundredths),
        mean_theoretical_score: tally.mean_theoretical().map(hundredths),
    },
}

impl Tally {
    fn mean((count, sum): (u64, i64)) -> Option<f64> {
        (count > 0).then(|| sum as f64 / count as f64)
    }

    /// The mean of the final scores that are known.
    pub fn mean_score(&self) -> Option<f64> {
        Self::mean(self.score)
    }

    /// The mean of the theoretical scores that are known: of what perfect play would have given from
    /// some later position of each game.
    pub(crate) fn mean_theoretical(&self) -> Option<f64> {
        Self::mean(self.theoretical)
    }
}

/// A move that was played.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveStats {
    /// The move, in the asker's orientation; it stands for its images where the position is
    /// symmetric.
    pub square: Square,
    pub tally: Tally,
    /// The first and the last year in which it was played, where years are known.
    pub years: Option<(u16, u16)>,
}

/// What was played at a position.
#[derive(Clone, PartialEq, Debug)]
pub struct GameStats {
    pub placed: Placed,
    /// All games that went on from it.
    pub tally: Tally,
    /// How many of them came to it by the line that was asked for.
    pub this_order: Option<u64>,
    /// Their moves, those played most first.
    pub moves: Vec<MoveStats>,
    /// The games, move by move.
    pub games: Vec<GameId>,
    /// The moves of `games`.
    runs: Vec<Run>,
}

/// Games in a row that went on with the same move of the same side.
#[derive(Clone, PartialEq, Debug)]
struct Run {
    square: Square,
    mover: Side,
    games: usize,
}

impl GameStats {
    /// The results of a move, or of one that is its image where the position is symmetric.
    pub fn of_move(&self, square: Square) -> Option<&MoveStats> {
        let position = self.placed.position;
        self.moves.iter().find(|played| same_move(position, played.square, square))
    }

    /// The same without the list of the games, which is long.
    #[must_use]
    pub(crate) fn without_games(self) -> Self {
        Self { games: Vec::new(), runs: Vec::new(), ..self }
    }

    /// The games that went on with a move of one side, move by move; a move may come more than once.
    pub(super) fn runs(&self) -> impl Iterator<Item = (Square, Side, &[GameId])> {
        let mut rest = self.games.as_slice();
        self.runs.iter().map(move |run| {
            let (games, others) = rest.split_at_checked(run.games).unwrap_or((rest, &[]));
            rest = others;
            (run.square, run.mover, games)
        })
    }

    /// Keeps what is known of these moves alone.
    pub(super) fn keep_moves(&mut self, is_kept: impl Fn(Square) -> bool) {
        let kept = self.runs().filter(|&(square, ..)| is_kept(square));
        self.games = kept.flat_map(|(_, _, games)| games.to_vec()).collect();
        self.runs.retain(|run| is_kept(run.square));
        self.moves.retain(|played| is_kept(played.square));
    }
}

/// Results of a move while they are counted.
#[derive(Clone, Copy)]
struct Counting {
    /// Games by [`Outcome::result`].
    results: [u64; 5],
    score: (u64, i64),
    theoretical: (u64, i64),
    first_year: u16,
    last_year: u16,
}

impl Default for Counting {
    fn default() -> Self {
        Self {
            results: [0; 5],
            score: (0, 0),
            theoretical: (0, 0),
            first_year: u16::MAX,
            last_year: 0,
        }
    }
}

impl Counting {
    /// Counts a game; where the colours of the position are those of the game's swapped, its result
    /// is swapped too.
    #[inline]
    fn count(&mut self, outcome: Outcome, swapped: bool) {
        let Outcome { result, discs, theoretical, year } = outcome;
        let result = if swapped && result >= 2 { 6 - result } else { result };
        // The five that `Outcome::of` gives.
        self.results[usize::from(result)] += 1;
        let sign = if swapped { -1 } else { 1 };
        let add = |sum: &mut (u64, i64), discs: u8| {
            let known = discs != Outcome::NONE;
            let score = if known { 2 * i64::from(discs) - 64 } else { 0 };
            *sum = (sum.0 + u64::from(known), sum.1 + sign * score);
        };
        add(&mut self.score, discs);
        add(&mut self.theoretical, theoretical);
        self.last_year = self.last_year.max(year);
        self.first_year = self.first_year.min(if year == 0 { u16::MAX } else { year });
    }

    fn add(&mut self, other: &Self) {
        for (own, other) in self.results.iter_mut().zip(other.results) {
            *own += other;
        }
        let both = |one: (u64, i64), other: (u64, i64)| (one.0 + other.0, one.1 + other.1);
        self.score = both(self.score, other.score);
        self.theoretical = both(self.theoretical, other.theoretical);
        self.first_year = self.first_year.min(other.first_year);
        self.last_year = self.last_year.max(other.last_year);
    }

    fn tally(&self) -> Tally {
        let [_, unknown, white, draw, black] = self.results;
        Tally {
            games: unknown + white + draw + black,
            black,
            draw,
            white,
            score: self.score,
            theoretical: self.theoretical,
        }
    }

    fn years(&self) -> Option<(u16, u16)> {
        (self.last_year > 0).then_some((self.first_year, self.last_year))
    }
}

/// Looks up what was played at the end of a line.
pub fn game_stats(
    database: &GameDatabase<'_>,
    line: &Line,
    filter: &GameFilter,
) -> Result<Option<GameStats>, FilterError> {
    let Some(placed) = line.end().filter(|placed| placed.position.can_move()) else {
        return Ok(None);
    };
    let _snapshot = database.book().snapshot()?;
    let taken = database.taken(filter)?;
    let (key, symmetry) = Key::with_symmetry(placed.position);
    let back = symmetry.inverse();
    let asker_is_black = placed.side == Side::Black;
    let mut found: BTreeMap<Square, Counting> = BTreeMap::new();
    let mut games = Vec::new();
    let outcomes = database.outcomes();
    // Moves come one after the other, each with all its games.
    let mut current: Option<(Square, Counting)> = None;
    let mut runs: Vec<Run> = Vec::new();
    database.visits(key, |Visit { entry, square }| {
        let number = entry.game.0 as usize;
        let is_taken = taken.as_ref().is_none_or(|taken| taken.get(number) == Some(&true));
        let Some(&outcome) = outcomes.get(number).filter(|outcome| is_taken && outcome.result > 0)
        else {
            return;
        };
        games.push(entry.game);
        let swapped = entry.black != asker_is_black;
        let mover = if entry.black { Side::Black } else { Side::White };
        match runs.last_mut() {
            Some(run) if run.square == square && run.mover == mover => run.games += 1,
            _ => runs.push(Run { square, mover, games: 1 }),
        }
        match &mut current {
            Some((of, counting)) if *of == square => counting.count(outcome, swapped),
            other => {
                let mut counting = Counting::default();
                counting.count(outcome, swapped);
                if let Some((of, before)) = other.replace((square, counting)) {
                    found.entry(of).or_default().add(&before);
                }
            }
        }
    })?;
    if let Some((of, last)) = current {
        found.entry(of).or_default().add(&last);
    }
    let mut whole = Counting::default();
    found.values().for_each(|counting| whole.add(counting));
    let tally = whole.tally();
    let asked = |square: Square| {
        let mut square = [back.square(square)];
        if placed == Placed::START {
            // As people write it.
            write_from_f5(&mut square);
        }
        let [square] = square;
        square
    };
    runs.iter_mut().for_each(|run| run.square = asked(run.square));
    let mut moves: Vec<MoveStats> = found
        .into_iter()
        .map(|(square, counting)| MoveStats {
            square: asked(square),
            tally: counting.tally(),
            years: counting.years(),
        })
        .collect();
    moves.sort_by_key(|played| (std::cmp::Reverse(played.tally.games), played.square));
    let this_order = match line.is_empty() {
        true => None,
        false => Some(came_by_line(database, line, &games)?.len() as u64),
    };
    Ok(Some(GameStats { placed, tally, this_order, moves, games, runs }))
}

/// Those of these games that came by a line: that were at each position of it and went on with its move.
pub(super) fn came_by_line(
    database: &GameDatabase<'_>,
    line: &Line,
    games: &[GameId],
) -> Result<Vec<GameId>, StoreError> {
    /// So few games are played through instead.
    const FEW: usize = 8;
    let mut left = games.to_vec();
    let mut keys: Vec<Key> =
        line.steps().iter().map(|step| Key::of(step.before.position)).collect();
    for step in line.steps().iter().rev() {
        if left.len() <= FEW {
            break;
        }
        keys.pop();
        let (key, symmetry) = Key::with_symmetry(step.before.position);
        let square = key.first_image(symmetry.square(step.square));
        let through = database.went_on(key, square)?;
        left.retain(|&game| through.contains(game));
    }
    let mut came = Vec::with_capacity(left.len());
    for game in left {
        if keys.is_empty() || database.came_by(game, &keys)? {
            came.push(game);
        }
    }
    Ok(came)
}
