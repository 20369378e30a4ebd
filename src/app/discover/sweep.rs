//! Which positions games came through, how they went on, and by which moves they are reached: one
//! walk through the layers of the index.

use std::collections::{HashMap, HashSet};
use std::ops::RangeInclusive;

use foldhash::fast::FixedState;

use crate::app::games::{GameDatabase, Visit};
use crate::openbook::{child_of, line_from};
use crate::othello::board::{Key, Line, Placed, Square, write_from_f5};
use crate::store::{GameFacts, GameId, GameOutcome, StoreError};

/// Games count half as much for each so many years that they are older than the latest one.
const HALF_LIFE: f64 = 10.0;
/// Games without a year count as much as games so many years old.
const UNDATED: f64 = 20.0;

/// Which games count, and whose moves in them.
pub(super) struct Counted(Vec<CountedGame>);

#[derive(Clone, Copy, Default)]
struct CountedGame {
    /// Whether it counts.
    taken: bool,
    /// Whether Black's moves do, and White's.
    black: bool,
    white: bool,
    /// How much it counts, 0..=1: the latest 1.
    weight: f64,
    /// What Black scored, in half points; none when unknown.
    black_halves: Option<u8>,
}

impl Counted {
    /// Games that are taken, with whose moves of each count: Black's, White's.
    pub(super) fn of(
        database: &GameDatabase<'_>,
        mut takes: impl FnMut(GameId, &GameFacts) -> Option<(bool, bool)>,
    ) -> Self {
        let mut games = Vec::new();
        let latest = database.all().filter_map(|(_, facts)| facts.year).max();
        for (game, facts) in database.all() {
            games.resize(game.0 as usize, CountedGame::default());
            let age = match (latest, facts.year) {
                (None, _) => 0.0,
                (Some(_), None) => UNDATED,
                (Some(latest), Some(year)) => f64::from(latest.saturating_sub(year)),
            };
            let own = takes(game, facts);
            let (black, white) = own.unwrap_or_default();
            games.push(CountedGame {
                taken: own.is_some(),
                black,
                white,
                weight: (-age / HALF_LIFE).exp2(),
                black_halves: facts.outcome.map(|outcome| match outcome {
                    GameOutcome::Black => 2,
                    GameOutcome::Draw => 1,
                    GameOutcome::White => 0,
                }),
            });
        }
        Self(games)
    }

    fn game(&self, game: GameId) -> CountedGame {
        self.0.get(game.0 as usize).copied().unwrap_or_default()
    }

    /// Whether a game counts.
    pub(super) fn takes(&self, game: GameId) -> bool {
        self.game(game).taken
    }

    /// Whether the move that a game went on with counts.
    pub(super) fn owns(&self, visit: &Visit) -> bool {
        let game = self.game(visit.entry.game);
        game.taken && if visit.entry.black { game.black } else { game.white }
    }

    /// How much a game counts by its age, 0..=1.
    pub(super) fn weight(&self, game: GameId) -> f64 {
        self.game(game).weight
    }

    /// A game that went on with a move.
    fn tried(&self, visit: &Visit) -> Tried {
        let game = self.game(visit.entry.game);
        let own = self.owns(visit);
        Tried {
            games: 1,
            own: u64::from(own),
            weight: if own { game.weight } else { 0.0 },
            decided: u64::from(game.black_halves.is_some()),
            black_halves: game.black_halves.map_or(0, u64::from),
        }
    }
}

/// Results of games.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub(super) struct Tried {
    pub(super) games: u64,
    /// In how many of them the side to move is one whose moves count.
    pub(super) own: u64,
    /// As `own`, where older games count less.
    pub(super) weight: f64,
    /// Games with a result.
    pub(super) decided: u64,
    /// What Black scored in them, in half points.
    pub(super) black_halves: u64,
}

impl Tried {
    fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.own += other.own;
        self.weight += other.weight;
        self.decided += other.decided;
        self.black_halves += other.black_halves;
    }
}

/// A move that games went on with.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Going {
    /// In the key's orientation, of images the first.
    pub(super) square: Square,
    /// Where it leads; none where it ends the game.
    pub(super) child: Option<Key>,
    pub(super) tried: Tried,
}

/// A position that games came through.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Reached {
    pub(super) key: Key,
    /// All games that went on from it.
    pub(super) all: Tried,
    /// By their moves, in ascending order.
    pub(super) moves: Vec<Going>,
}

/// How a position is reached, and how often.
#[derive(Clone, Copy, Default)]
struct Seen {
    games: u64,
    /// The position before it, the move there in that key's orientation, and in how many games.
    way: Option<(Key, Square, u64)>,
}

/// The positions that are reached by moves of games from a position on.
pub(super) struct Sweep {
    from: Line,
    root: Key,
    /// Those that enough games came through, by discs, in a fixed order.
    pub(super) positions: Vec<Reached>,
    at: HashMap<Key, usize, FixedState>,
    seen: HashMap<Key, Seen, FixedState>,
}

impl Sweep {
    /// Goes through the layers from the end of a line to the last one that is asked for, by moves of
    /// games that count, and keeps the positions that at least so many went on from.
    pub(super) fn of(
        database: &GameDatabase<'_>,
        from: &Line,
        counted: &Counted,
        least: u64,
        last_discs: u8,
    ) -> Result<Self, StoreError> {
        let root = from.end().unwrap_or(Placed::START).position;
        let mut sweep = Self {
            from: from.clone(),
            root: Key::of(root),
            positions: Vec::new(),
            at: HashMap::default(),
            seen: HashMap::default(),
        };
        if from.end().is_none() {
            return Ok(sweep);
        }
        // Games that came through a position that was reached: whatever they come to later is.
        let mut through = vec![false; counted.0.len()];
        let mut strays = Vec::new();
        let mut visits: Vec<Visit> = Vec::new();
        database.visits(sweep.root, |visit| visits.push(visit))?;
        mark(&visits, counted, &mut through);
        sweep.take(sweep.root, &visits, counted, least);
        let layers: RangeInclusive<u8> = sweep.root.discs() + 1..=last_discs;
        for discs in layers {
            database.for_each_shared(discs, |key, visits| {
                let is_through = |visit: &Visit| {
                    counted.takes(visit.entry.game)
                        && through.get(visit.entry.game.0 as usize) == Some(&true)
                };
                let Some(first) = visits.iter().find(|visit| is_through(visit)).copied() else {
                    return;
                };
                mark(visits, counted, &mut through);
                if sweep.seen.get(&key).is_none_or(|seen| seen.way.is_none()) {
                    strays.push((key, first.entry.game));
                }
                sweep.take(key, visits, counted, least);
            })?;
            for (key, game) in strays.drain(..) {
                sweep.find_way(database, key, game)?;
            }
        }
        Ok(sweep)
    }

    /// Counts what was played at a position.
    fn take(&mut self, key: Key, visits: &[Visit], counted: &Counted, least: u64) {
        let mut moves: Vec<(Square, Tried)> = Vec::new();
        for visit in visits.iter().filter(|visit| counted.takes(visit.entry.game)) {
            // Those of the index come move by move.
            let known = moves.iter().rposition(|&(square, _)| square == visit.square);
            let index = known.unwrap_or(moves.len());
            if known.is_none() {
                moves.push((visit.square, Tried::default()));
            }
            if let Some((_, tried)) = moves.get_mut(index) {
                tried.add(&counted.tried(visit));
            }
        }
        moves.sort_unstable_by_key(|&(square, _)| square);
        let mut all = Tried::default();
        moves.iter().for_each(|(_, tried)| all.add(tried));
        self.seen.entry(key).or_default().games = all.games;
        let kept = all.games >= least;
        let mut goings = Vec::with_capacity(if kept { moves.len() } else { 0 });
        for (square, tried) in moves {
            let child = child_of(key.position(), square).map(|(child, _)| child);
            if let Some(child) = child {
                let way = &mut self.seen.entry(child).or_default().way;
                if way.is_none_or(|(.., games)| tried.games > games) {
                    *way = Some((key, square, tried.games));
                }
            }
            if kept {
                goings.push(Going { square, child, tried });
            }
        }
        if kept {
            self.at.insert(key, self.positions.len());
            self.positions.push(Reached { key, all, moves: goings });
        }
    }

    /// Finds the way to a position that is reached only through such as one game came through: by
    /// the moves of that game.
    fn find_way(
        &mut self,
        database: &GameDatabase<'_>,
        key: Key,
        game: GameId,
    ) -> Result<(), StoreError> {
        let Some(moves) = database.moves_of(game)? else { return Ok(()) };
        let mut before: Option<(Key, Square)> = None;
        for (placed, square) in moves.steps() {
            let (at, symmetry) = Key::with_symmetry(placed.position);
            let seen = self.seen.entry(at).or_default();
            if seen.way.is_none() && at != self.root {
                // What lies before the root is on no way from it.
                let known = before.filter(|_| at.discs() > self.root.discs());
                seen.way = known.map(|(from, square)| (from, square, 1));
            }
            if at == key {
                break;
            }
            let is_on_a_way = at == self.root || seen.way.is_some();
            before = is_on_a_way.then(|| (at, at.first_image(symmetry.square(square))));
        }
        Ok(())
    }

    /// Keeps of the positions that enough games came through these, and where it starts.
    pub(super) fn keep(&mut self, kept: &HashSet<Key, FixedState>) {
        let root = self.root;
        self.positions.retain(|reached| reached.key == root || kept.contains(&reached.key));
        let keys = self.positions.iter().map(|reached| reached.key);
        self.at = keys.enumerate().map(|(index, key)| (key, index)).collect();
    }

    /// Whether no game comes to where it starts.
    pub(super) fn is_empty(&self) -> bool {
        self.seen.get(&self.root).is_none_or(|seen| seen.games == 0)
    }

    /// A position that enough games came through.
    pub(super) fn get(&self, key: Key) -> Option<&Reached> {
        self.index(key).and_then(|index| self.positions.get(index))
    }

    /// The index of a position among those that enough games came through.
    pub(super) fn index(&self, key: Key) -> Option<usize> {
        self.at.get(&key).copied()
    }

    /// How many games went on from a position, by whatever moves they came to it.
    pub(super) fn games_at(&self, key: Key) -> u64 {
        self.seen.get(&key).map_or(0, |seen| seen.games)
    }

    /// The way that most games came to a position, move by move, and then these moves, each in the
    /// orientation of the key that it is played on.
    pub(super) fn line(&self, key: Key, then: &[Square]) -> Line {
        let mut moves: Vec<Square> = then.iter().rev().copied().collect();
        let mut at = key;
        while at != self.root
            && let Some((before, square, _)) = self.seen.get(&at).and_then(|seen| seen.way)
        {
            moves.push(square);
            at = before;
        }
        moves.reverse();
        self.line_of(moves)
    }

    /// Moves from where it starts, each in the orientation of the key that it is played on.
    pub(super) fn line_of(&self, moves: impl IntoIterator<Item = Square>) -> Line {
        let root = self.from.end().unwrap_or(Placed::START);
        let mut line = line_from(root.position, moves);
        if self.from.is_empty() && root == Placed::START {
            write_from_f5(&mut line);
        }
        self.from.then(&line)
    }

    /// All games that count and come to where it starts.
    pub(super) fn all_at_root(&self) -> Tried {
        self.get(self.root).map_or_else(Tried::default, |reached| reached.all)
    }

    /// Where it starts.
    pub(super) const fn root(&self) -> Key {
        self.root
    }
}

/// Notes the games that came through a position.
fn mark(visits: &[Visit], counted: &Counted, through: &mut [bool]) {
    for visit in visits.iter().filter(|visit| counted.takes(visit.entry.game)) {
        if let Some(through) = through.get_mut(visit.entry.game.0 as usize) {
            *through = true;
        }
    }
}
