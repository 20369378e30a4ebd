//! The games of a book, ready for questions: what filters need of all of them, and the few that are
//! not in the index.

use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use foldhash::fast::FixedState;

use super::filter::{Chosen, FilterError, GameFilter};
use crate::board::{After, Bitboard, Key, Placed, Side, Square, Symmetry};
use crate::store::{GameFacts, GameId, GameListEntry, GameOutcome, Reader, StoreError};

/// A game that came through a position, and how it went on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::ops) struct Visit {
    /// The game, and who was to move.
    pub(in crate::ops) entry: GameListEntry,
    /// The move, in the key's orientation; of moves that are images of each other the first.
    pub(in crate::ops) square: Square,
}

/// The moves of a game and the board that they start from.
#[derive(Clone, Debug)]
pub(in crate::ops) struct GameMoves {
    pub(in crate::ops) game: GameId,
    pub(in crate::ops) start: Placed,
    pub(in crate::ops) moves: Box<[u8]>,
}

impl GameMoves {
    /// The positions that a move is played from, with the moves.
    pub(in crate::ops) fn steps(&self) -> impl Iterator<Item = (Placed, Square)> {
        let mut now = Some(self.start);
        let squares = self.moves.iter().map_while(|&number| Square::try_new(number));
        squares.map_while(move |square| {
            let before = now?;
            now = match before.position.after(square)? {
                After::Opponent(position) => Some(Placed { position, side: before.side.other() }),
                After::Same(position) => Some(Placed { position, side: before.side }),
                After::Over(_) => None,
            };
            Some((before, square))
        })
    }
}

/// Positions.
pub(super) type Keys = HashSet<Key, FixedState>;

/// Which games a filter takes, by their numbers.
pub(in crate::ops) type Taken = Rc<[bool]>;

/// What counts need of a game, close together in memory.
#[derive(Clone, Copy, Default)]
pub(in crate::ops) struct Outcome {
    /// 0: there is no such game; 1: no result; 2: White won; 3: a draw; 4: Black won.
    pub(in crate::ops) result: u8,
    /// Black's discs; 255 when they are not known.
    pub(in crate::ops) discs: u8,
    /// Black's discs after perfect play; 255 when they are not known.
    pub(in crate::ops) theoretical: u8,
    /// 0 when it is not known.
    pub(in crate::ops) year: u16,
}

impl Outcome {
    /// Discs that are not known.
    pub(super) const NONE: u8 = 255;

    fn of(facts: &GameFacts) -> Self {
        Self {
            result: match (facts.exists, facts.outcome) {
                (false, _) => 0,
                (true, None) => 1,
                (true, Some(GameOutcome::White)) => 2,
                (true, Some(GameOutcome::Draw)) => 3,
                (true, Some(GameOutcome::Black)) => 4,
            },
            discs: facts.black_discs.unwrap_or(Self::NONE),
            theoretical: facts.theoretical.unwrap_or(Self::NONE),
            year: facts.year.unwrap_or_default(),
        }
    }
}

/// A set of games by their numbers.
#[derive(Debug, Default)]
pub(super) struct GameSet(Vec<u64>);

impl GameSet {
    fn insert(&mut self, game: GameId) {
        let (word, bit) = (game.0 as usize / 64, game.0 % 64);
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        if let Some(word) = self.0.get_mut(word) {
            *word |= 1 << bit;
        }
    }

    pub(super) fn contains(&self, game: GameId) -> bool {
        let word = self.0.get(game.0 as usize / 64);
        word.is_some_and(|word| word >> (game.0 % 64) & 1 != 0)
    }
}

/// Sets of games that are kept, and what they must hold at least to be worth it.
const KEPT_SETS: usize = 512;
const WORTH_KEEPING: u64 = 1024;

/// The games of a book.
pub struct GameDatabase<'b> {
    book: &'b Reader,
    facts: Vec<GameFacts>,
    outcomes: Vec<Outcome>,
    /// The games that went on with a move, where they are many.
    sets: RefCell<HashMap<(Key, Square), Rc<GameSet>, FixedState>>,
    /// Games before this one are in the index.
    indexed: u32,
    /// What the others came through.
    recent: HashMap<Key, Vec<Visit>, FixedState>,
    /// The moves of all games, for positions that the index does not have.
    moves: OnceCell<Vec<GameMoves>>,
    /// The filters that were asked for last.
    taken: RefCell<Vec<(GameFilter, Taken)>>,
}

/// Filters that are kept.
const KEPT_FILTERS: usize = 16;

impl<'b> GameDatabase<'b> {
    /// Loads what questions need.
    ///
    /// # Errors
    /// The book cannot be read.
    pub fn open(book: &'b Reader) -> Result<Self, StoreError> {
        let _snapshot = book.snapshot()?;
        let (facts, indexed) = (book.game_facts()?, book.games_indexed()?);
        let mut recent: HashMap<Key, Vec<Visit>, FixedState> = HashMap::default();
        for game in moves_from(book, GameId(indexed))? {
            for (before, square) in game.steps() {
                let (key, visit) = visit(game.game, before, square);
                recent.entry(key).or_default().push(visit);
            }
        }
        let outcomes = facts.iter().map(Outcome::of).collect();
        Ok(Self {
            book,
            facts,
            outcomes,
            sets: RefCell::default(),
            indexed,
            recent,
            moves: OnceCell::new(),
            taken: RefCell::default(),
        })
    }

    /// The book.
    #[must_use]
    pub const fn book(&self) -> &'b Reader {
        self.book
    }

    /// How many games there are.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.facts.iter().filter(|facts| facts.exists).count() as u64
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What is known of a game.
    #[must_use]
    pub fn facts(&self, game: GameId) -> Option<&GameFacts> {
        self.facts.get(game.0 as usize).filter(|facts| facts.exists)
    }

    /// What counts need of all games, by their numbers.
    pub(in crate::ops) fn outcomes(&self) -> &[Outcome] {
        &self.outcomes
    }

    /// The games that went on with a move at a position; the move is the first of its images.
    pub(super) fn went_on(&self, key: Key, square: Square) -> Result<Rc<GameSet>, StoreError> {
        if let Some(known) = self.sets.borrow().get(&(key, square)) {
            return Ok(Rc::clone(known));
        }
        let (mut set, mut count) = (GameSet::default(), 0);
        self.visits(key, |visit| {
            if visit.square == square {
                set.insert(visit.entry.game);
                count += 1;
            }
        })?;
        let set = Rc::new(set);
        if count >= WORTH_KEEPING {
            let mut sets = self.sets.borrow_mut();
            if sets.len() >= KEPT_SETS {
                sets.clear();
            }
            sets.insert((key, square), Rc::clone(&set));
        }
        Ok(set)
    }

    /// All games with their facts.
    pub(in crate::ops) fn all(&self) -> impl Iterator<Item = (GameId, &GameFacts)> {
        (0..).map(GameId).zip(&self.facts).filter(|(_, facts)| facts.exists)
    }

    /// Which games a filter takes; none at all when it takes every game.
    pub(in crate::ops) fn taken(&self, filter: &GameFilter) -> Result<Option<Taken>, FilterError> {
        if filter.is_empty() {
            return Ok(None);
        }
        let mut kept = self.taken.borrow_mut();
        if let Some((_, taken)) = kept.iter().find(|(known, _)| known == filter) {
            return Ok(Some(Rc::clone(taken)));
        }
        let chosen: Chosen = filter.choose(self.book)?;
        let all = (0..).map(GameId).zip(&self.facts);
        let taken: Taken = all.map(|(game, facts)| chosen.takes(game, facts)).collect();
        if kept.len() == KEPT_FILTERS {
            kept.remove(0);
        }
        kept.push((filter.clone(), Rc::clone(&taken)));
        Ok(Some(taken))
    }

    /// The games that came through a position, and how they went on: those of the index move by
    /// move, then the others.
    pub(in crate::ops) fn visits(
        &self,
        key: Key,
        mut each: impl FnMut(Visit),
    ) -> Result<(), StoreError> {
        let played = self.book.played_moves(key)?;
        if played.is_empty() {
            for (_, found) in self.unindexed(key.discs(), &HashSet::from_iter([key]))? {
                each(found);
            }
        }
        for played in &played {
            played.list.for_each(|entry| each(Visit { entry, square: played.square }));
        }
        self.recent.get(&key).into_iter().flatten().for_each(|&found| each(found));
        Ok(())
    }

    /// As [`Self::visits`], of positions that several games of the index share, and of the games that
    /// are not in it.
    pub(super) fn shared_visits(
        &self,
        key: Key,
        mut each: impl FnMut(Visit),
    ) -> Result<(), StoreError> {
        for played in &self.book.played_moves(key)? {
            played.list.for_each(|entry| each(Visit { entry, square: played.square }));
        }
        self.recent.get(&key).into_iter().flatten().for_each(|&found| each(found));
        Ok(())
    }

    /// The last of these positions, by its place, from which a game went on; none where there is none.
    pub(super) fn positions_in_common(
        &self,
        game: GameId,
        line: &[Key],
    ) -> Result<Option<usize>, StoreError> {
        let steps = self.steps_of(game)?;
        let own: Vec<Key> = steps.iter().map(|(before, _)| Key::of(before.position)).collect();
        Ok(line.iter().rposition(|key| own.contains(key)))
    }

    /// The games of the index at positions with so many discs that it does not hold: one at most at
    /// each. Their moves are compared square by square with what is occupied, and played only where
    /// that fits.
    pub(super) fn unindexed(
        &self,
        discs: u8,
        wanted: &Keys,
    ) -> Result<Vec<(Key, Visit)>, StoreError> {
        let occupied = |key: &Key| key.position().occupied();
        let images: HashSet<Bitboard, FixedState> = wanted
            .iter()
            .flat_map(|key| Symmetry::all().map(|symmetry| symmetry.bits(occupied(key))))
            .collect();
        let mut found = Vec::new();
        for game in self.moves()? {
            let start = game.start.position.occupied();
            let Some(plies) = discs.checked_sub(start.count_ones() as u8) else { continue };
            let Some(before) = game.moves.get(..usize::from(plies)) else { continue };
            let here = before.iter().fold(start, |set, &square| set | 1 << (square & 63));
            if !images.contains(&here) {
                continue;
            }
            if let Some((before, square)) = game.steps().nth(usize::from(plies)) {
                let (key, visit) = visit(game.game, before, square);
                if wanted.contains(&key) {
                    found.push((key, visit));
                }
            }
        }
        Ok(found)
    }

    /// The moves of all games that are in the index.
    fn moves(&self) -> Result<&[GameMoves], StoreError> {
        if let Some(moves) = self.moves.get() {
            return Ok(moves);
        }
        let mut moves = moves_from(self.book, GameId(0))?;
        moves.retain(|game| game.game.0 < self.indexed);
        Ok(self.moves.get_or_init(|| moves))
    }

    /// What the games that are not in the index came through.
    pub(super) const fn recent(&self) -> &HashMap<Key, Vec<Visit>, FixedState> {
        &self.recent
    }

    /// The moves of a game.
    pub(in crate::ops) fn moves_of(&self, game: GameId) -> Result<Option<GameMoves>, StoreError> {
        let row = self.book.game(game)?;
        Ok(row.map(|row| {
            let start = row.start.unwrap_or(Placed::START);
            GameMoves { game, start, moves: row.moves.into() }
        }))
    }

    /// The positions that the moves of a game were made from, with the moves; none when there is no such
    /// game.
    pub(in crate::ops) fn steps_of(
        &self,
        game: GameId,
    ) -> Result<Vec<(Placed, Square)>, StoreError> {
        let moves = self.moves_of(game)?;
        Ok(moves.map_or_else(Vec::new, |moves| moves.steps().collect()))
    }

    /// Whether a game came to a position by a line: through the same positions, whatever their
    /// orientation.
    pub(super) fn came_by(&self, game: GameId, line: &[Key]) -> Result<bool, StoreError> {
        let Some(moves) = self.moves_of(game)? else { return Ok(false) };
        let mut steps = moves.steps().map(|(before, _)| Key::of(before.position));
        Ok(line.iter().all(|&key| steps.next() == Some(key)))
    }
}

/// The moves of games from a number on.
fn moves_from(book: &Reader, from: GameId) -> Result<Vec<GameMoves>, StoreError> {
    let mut all = Vec::new();
    book.for_each_game_moves(from, |game, start, moves| {
        let start = start.unwrap_or(Placed::START);
        all.push(GameMoves { game, start, moves: moves.into() });
    })?;
    Ok(all)
}

fn visit(game: GameId, before: Placed, square: Square) -> (Key, Visit) {
    let (key, symmetry) = Key::with_symmetry(before.position);
    let square = key.first_image(symmetry.square(square));
    let black = before.side == Side::Black;
    (key, Visit { entry: GameListEntry { game, black }, square })
}
