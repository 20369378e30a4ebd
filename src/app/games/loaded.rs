//! What questions need of all games of a book, in memory: loaded once, asked by many at once.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, OnceLock};

use foldhash::fast::FixedState;

use super::alias::Aliases;
use super::filter::{Chosen, FilterError, GameFilter};
use crate::othello::board::{Key, Placed, Side, Square};
use crate::othello::lock::lock;
use crate::store::{GameFacts, GameId, GameListEntry, GameOutcome, GamePlayer, Reader, StoreError};

/// A game that came through a position, and how it went on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::app) struct Visit {
    /// The game, and the side to move.
    pub(in crate::app) entry: GameListEntry,
    /// The move, in the key's orientation; of moves that are images of each other the first.
    pub(in crate::app) square: Square,
}

/// The moves of a game and the board that they start from.
#[derive(Clone, Debug)]
pub(in crate::app) struct GameMoves {
    pub(in crate::app) game: GameId,
    pub(in crate::app) start: Placed,
    pub(in crate::app) moves: Box<[u8]>,
}

impl GameMoves {
    /// The positions that a move is played from, with the moves.
    pub(in crate::app) fn steps(&self) -> impl Iterator<Item = (Placed, Square)> {
        let mut now = Some(self.start);
        let squares = self.moves.iter().map_while(|&number| Square::try_new(number));
        squares.map_while(move |square| {
            let before = now?;
            now = before.followed_by(before.position.after(square)?);
            Some((before, square))
        })
    }
}

pub(super) type Keys = HashSet<Key, FixedState>;

/// Which games a filter takes, by their numbers.
pub(in crate::app) type Taken = Arc<[bool]>;

/// What counts need of a game, close together in memory.
#[derive(Clone, Copy, Default)]
pub(in crate::app) struct Outcome {
    /// 0: there is no such game; 1: no result; 2: White won; 3: a draw; 4: Black won.
    pub(in crate::app) result: u8,
    /// Black's discs; 255 when they are not known.
    pub(in crate::app) discs: u8,
    /// Black's discs after perfect play; 255 when they are not known.
    pub(in crate::app) theoretical: u8,
    /// 0 when it is not known.
    pub(in crate::app) year: u16,
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
    pub(super) fn insert(&mut self, game: GameId) {
        let (word, bit) = (game.0 as usize / 64, game.0 % 64);
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << bit;
    }

    pub(super) fn contains(&self, game: GameId) -> bool {
        let word = self.0.get(game.0 as usize / 64);
        word.is_some_and(|word| word >> (game.0 % 64) & 1 != 0)
    }
}

/// Sets of games that are kept, and what they must hold at least to be worth it.
const KEPT_SETS: usize = 512;
const WORTH_KEEPING: u64 = 1024;

/// Filters that are kept.
const KEPT_FILTERS: usize = 16;

/// What questions need of all games of a book at one moment. Any reader of the same book can ask with
/// it ([`super::GameDatabase::with`]), on any thread.
pub struct LoadedGames {
    stamp: u64,
    aliases: Aliases,
    facts: Vec<GameFacts>,
    outcomes: Vec<Outcome>,
    /// Loaded when they are first asked for.
    players: OnceLock<Vec<GamePlayer>>,
    /// Games before this one are in the index.
    indexed: u32,
    /// What the others came through.
    recent: HashMap<Key, Vec<Visit>, FixedState>,
    /// The games that went on with a move, where they are many.
    sets: Mutex<HashMap<(Key, Square), Arc<GameSet>, FixedState>>,
    /// The moves of all games, for positions that the index does not have.
    moves: OnceLock<Vec<GameMoves>>,
    /// The filters that were asked for last.
    taken: Mutex<Vec<(GameFilter, Taken)>>,
}

impl LoadedGames {
    pub fn load(book: &Reader) -> Result<Self, StoreError> {
        let _snapshot = book.snapshot()?;
        let ((mut facts, stamp), indexed) =
            (book.games().stamped_facts()?, book.games().indexed()?);
        let aliases = Aliases::of(book)?;
        if !aliases.is_empty() {
            aliases.apply(&book.games().players()?, &mut facts);
        }
        let mut recent: HashMap<Key, Vec<Visit>, FixedState> = HashMap::default();
        for game in moves_from(book, GameId(indexed))? {
            for (before, square) in game.steps() {
                let (key, visit) = visit(game.game, before, square);
                recent.entry(key).or_default().push(visit);
            }
        }
        Ok(Self {
            stamp,
            aliases,
            outcomes: facts.iter().map(Outcome::of).collect(),
            players: OnceLock::new(),
            facts,
            indexed,
            recent,
            sets: Mutex::default(),
            moves: OnceLock::new(),
            taken: Mutex::default(),
        })
    }

    /// Whether the games of a book are still these.
    pub fn are_those_of(&self, book: &Reader) -> Result<bool, StoreError> {
        Ok(book.games().stamp()? == self.stamp)
    }

    pub(super) const fn aliases(&self) -> &Aliases {
        &self.aliases
    }

    /// By their numbers.
    pub(super) fn facts(&self) -> &[GameFacts] {
        &self.facts
    }

    /// By the numbers of the games.
    pub(super) fn outcomes(&self) -> &[Outcome] {
        &self.outcomes
    }

    /// Ordered by their numbers, not all of which need be there.
    pub(super) fn players(&self, book: &Reader) -> Result<&[GamePlayer], StoreError> {
        if let Some(players) = self.players.get() {
            return Ok(players);
        }
        let mut players = self.aliases.players(book.games().players()?);
        players.sort_unstable_by_key(|player| player.id);
        Ok(self.players.get_or_init(|| players))
    }

    /// What the games that are not in the index came through.
    pub(super) const fn recent(&self) -> &HashMap<Key, Vec<Visit>, FixedState> {
        &self.recent
    }

    pub(super) fn kept_set(&self, of: (Key, Square)) -> Option<Arc<GameSet>> {
        lock(&self.sets).get(&of).map(Arc::clone)
    }

    /// Keeps a set of so many games, if they are many.
    pub(super) fn keep_set(&self, of: (Key, Square), set: &Arc<GameSet>, games: u64) {
        if games >= WORTH_KEEPING {
            let mut sets = lock(&self.sets);
            if sets.len() >= KEPT_SETS {
                sets.clear();
            }
            sets.insert(of, Arc::clone(set));
        }
    }

    /// Which games a filter takes; `places` finds those that came through its positions.
    pub(super) fn taken(
        &self,
        book: &Reader,
        filter: &GameFilter,
        places: impl FnOnce() -> Result<Vec<GameSet>, FilterError>,
    ) -> Result<Taken, FilterError> {
        if let Some((_, taken)) = lock(&self.taken).iter().find(|(known, _)| known == filter) {
            return Ok(Arc::clone(taken));
        }
        let chosen: Chosen = filter.choose(book, &self.facts, &self.aliases, places()?)?;
        let all = (0..).map(GameId).zip(&self.facts);
        let taken: Taken = all.map(|(game, facts)| chosen.takes(game, facts)).collect();
        let mut kept = lock(&self.taken);
        if kept.len() >= KEPT_FILTERS {
            kept.remove(0);
        }
        kept.push((filter.clone(), Arc::clone(&taken)));
        Ok(taken)
    }

    /// The moves of all games that are in the index.
    pub(super) fn moves(&self, book: &Reader) -> Result<&[GameMoves], StoreError> {
        if let Some(moves) = self.moves.get() {
            return Ok(moves);
        }
        let mut moves = moves_from(book, GameId(0))?;
        moves.retain(|game| game.game.0 < self.indexed);
        Ok(self.moves.get_or_init(|| moves))
    }
}

/// The index of a player with a number among players in the order of their numbers. Tables of players are by
/// these indices: a number may be any.
pub(in crate::app) fn place_of(players: &[GamePlayer], id: u32) -> Option<usize> {
    match players.get(id as usize) {
        // Nearly always none is missing.
        Some(player) if player.id == id => Some(id as usize),
        _ => players.binary_search_by_key(&id, |player| player.id).ok(),
    }
}

/// The player with a number among players in the order of their numbers.
pub(in crate::app) fn player_of(players: &[GamePlayer], id: u32) -> Option<&GamePlayer> {
    players.get(place_of(players, id)?)
}

/// The moves of games from a number on.
fn moves_from(book: &Reader, from: GameId) -> Result<Vec<GameMoves>, StoreError> {
    let mut all = Vec::new();
    book.games().for_each_moves(from, |game, start, moves| {
        let start = start.unwrap_or(Placed::START);
        all.push(GameMoves { game, start, moves: moves.into() });
    })?;
    Ok(all)
}

/// A game at a position that it goes on from.
pub(super) fn visit(game: GameId, before: Placed, square: Square) -> (Key, Visit) {
    let (key, symmetry) = Key::with_symmetry(before.position);
    let square = key.first_image(symmetry.square(square));
    let black = before.side == Side::Black;
    (key, Visit { entry: GameListEntry { game, black }, square })
}
