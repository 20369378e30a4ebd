//! What was played at a position, how it ended, and how it should have ended.

use std::collections::BTreeMap;

use super::database::{GameDatabase, Visit};
use super::filter::{FilterError, GameFilter};
use crate::board::{Key, Line, Placed, Side, Square, write_from_f5};
use crate::store::{GameFacts, GameId, GameOutcome, StoreError};

/// Results of games. Scores are in discs from Black's side.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// Games, those without a result counted.
    pub games: u64,
    /// Won by Black.
    pub black: u64,
    /// Drawn.
    pub draw: u64,
    /// Won by White.
    pub white: u64,
    /// Games whose score is known, and the sum of the scores.
    score: (u64, i64),
    /// Games whose theoretical score is known, and the sum of those.
    theoretical: (u64, i64),
}

impl Tally {
    /// Counts a game; where the colours of the position are those of the game's swapped, its result
    /// is swapped too.
    fn count(&mut self, facts: &GameFacts, swapped: bool) {
        self.games += 1;
        let won = match facts.outcome {
            Some(GameOutcome::Black) => Some(!swapped),
            Some(GameOutcome::White) => Some(swapped),
            Some(GameOutcome::Draw) => {
                self.draw += 1;
                None
            }
            None => None,
        };
        self.black += u64::from(won == Some(true));
        self.white += u64::from(won == Some(false));
        let add = |sum: &mut (u64, i64), discs: Option<u8>| {
            if let Some(discs) = discs {
                let score = 2 * i64::from(discs) - 64;
                *sum = (sum.0 + 1, sum.1 + if swapped { -score } else { score });
            }
        };
        add(&mut self.score, facts.black_discs);
        add(&mut self.theoretical, facts.theoretical);
    }

    fn mean((count, sum): (u64, i64)) -> Option<f64> {
        (count > 0).then(|| sum as f64 / count as f64)
    }

    /// The mean of the final scores that are known.
    #[must_use]
    pub fn mean_score(&self) -> Option<f64> {
        Self::mean(self.score)
    }

    /// The mean of the theoretical scores that are known: of what perfect play would have given from
    /// some later position of each game.
    #[must_use]
    pub fn mean_theoretical(&self) -> Option<f64> {
        Self::mean(self.theoretical)
    }

    /// How many games have a theoretical score.
    #[must_use]
    pub const fn with_theoretical(&self) -> u64 {
        self.theoretical.0
    }
}

/// A move that was played.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveStats {
    /// The move, in the asker's orientation; it stands for its images where the position is
    /// symmetric.
    pub square: Square,
    /// What came of it.
    pub tally: Tally,
    /// The first and the last year in which it was played, where years are known.
    pub years: Option<(u16, u16)>,
}

/// What was played at a position.
#[derive(Clone, PartialEq, Debug)]
pub struct GameStats {
    /// The position.
    pub placed: Placed,
    /// All games that went on from it.
    pub tally: Tally,
    /// How many of them came to it by the line that was asked for.
    pub this_order: Option<u64>,
    /// Their moves, those played most first.
    pub moves: Vec<MoveStats>,
    /// The games, ascending.
    pub games: Vec<GameId>,
}

impl GameStats {
    /// What came of a move, or of one that is its image where the position is symmetric.
    #[must_use]
    pub fn of_move(&self, square: Square) -> Option<&MoveStats> {
        let (key, symmetry) = Key::with_symmetry(self.placed.position);
        let image = |square: Square| key.first_image(symmetry.square(square));
        let wanted = image(square);
        self.moves.iter().find(|played| image(played.square) == wanted)
    }
}

/// Results of a move while they are counted, with its first and last year.
type Counted = (Tally, Option<(u16, u16)>);

/// Looks up what was played at the end of a line.
///
/// # Errors
/// The book cannot be read, or the filter asks for a name that no game has.
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
    let mut found: BTreeMap<Square, Counted> = BTreeMap::new();
    let mut tally = Tally::default();
    let mut games = Vec::new();
    let mut current: Option<(Square, Counted)> = None;
    let mut put = |part: Option<(Square, Counted)>| {
        if let Some((square, (tally, years))) = part {
            let known = found.entry(square).or_default();
            known.0.add(&tally);
            known.1 = years_of_both(known.1, years);
        }
    };
    database.visits(key, |Visit { entry, square }| {
        if taken
            .as_ref()
            .is_some_and(|taken| !taken.get(entry.game.0 as usize).is_some_and(|is| *is))
        {
            return;
        }
        let Some(facts) = database.facts(entry.game) else { return };
        if current.as_ref().is_none_or(|(of, _)| *of != square) {
            put(current.take());
            current = Some((square, Counted::default()));
        }
        if let Some((_, (tally, years))) = &mut current {
            tally.count(facts, entry.black != asker_is_black);
            if let Some(year) = facts.year {
                *years = years_of_both(*years, Some((year, year)));
            }
        }
        games.push(entry.game);
    })?;
    put(current.take());
    let mut moves: Vec<MoveStats> = found
        .into_iter()
        .map(|(square, (tally, years))| {
            let mut square = [back.square(square)];
            if placed == Placed::START {
                // As people write it.
                write_from_f5(&mut square);
            }
            let [square] = square;
            MoveStats { square, tally, years }
        })
        .collect();
    moves.sort_by_key(|played| (std::cmp::Reverse(played.tally.games), played.square));
    moves.iter().for_each(|played| tally.add(&played.tally));
    games.sort_unstable();
    let this_order = match line.is_empty() {
        true => None,
        false => Some(by_this_order(database, line, &games)?),
    };
    Ok(Some(GameStats { placed, tally, this_order, moves, games }))
}

impl Tally {
    fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.black += other.black;
        self.draw += other.draw;
        self.white += other.white;
        self.score = (self.score.0 + other.score.0, self.score.1 + other.score.1);
        self.theoretical =
            (self.theoretical.0 + other.theoretical.0, self.theoretical.1 + other.theoretical.1);
    }
}

fn years_of_both(one: Option<(u16, u16)>, other: Option<(u16, u16)>) -> Option<(u16, u16)> {
    match (one, other) {
        (Some((a, b)), Some((c, d))) => Some((a.min(c), b.max(d))),
        (one, other) => one.or(other),
    }
}

/// How many of these games came by a line: those that were at each position of it and went on with
/// its move.
fn by_this_order(
    database: &GameDatabase<'_>,
    line: &Line,
    games: &[GameId],
) -> Result<u64, StoreError> {
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
        let mut through = Vec::new();
        database.visits(key, |visit| {
            if visit.square == square {
                through.push(visit.entry.game);
            }
        })?;
        through.sort_unstable();
        let mut through = through.into_iter().peekable();
        left.retain(|game| {
            while through.next_if(|other| other < game).is_some() {}
            through.peek() == Some(game)
        });
    }
    if keys.is_empty() {
        return Ok(left.len() as u64);
    }
    let mut count = 0;
    for game in left {
        count += u64::from(database.came_by(game, &keys)?);
    }
    Ok(count)
}
