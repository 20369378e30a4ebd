//! Games into a book that may have them already.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use foldhash::fast::FixedState;

use super::alias::Aliases;
use super::row::{game_of, row_of};
use crate::files::games::{
    Game, Identity, Outline, Richer, alike_number, bare_number, differs_in_detail, is_bare_copy,
    is_cut_short_of, is_telling, same_facts, same_game, without_names,
};
use crate::store::{GameId, GameStore, StoreError};

/// The result of adding a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Taken {
    /// It was not there.
    New,
    /// It was there, with all that is known of it.
    Known,
    /// It was there, and something more is known of it now.
    Richer,
}

/// So many games of one long line are compared one by one.
const FEW: usize = 4;

/// Games by the number that those have in common that may be one.
type ByNumber = HashMap<u64, Vec<GameId>, FixedState>;

/// Adds a game under its numbers.
fn remember(by_number: &mut ByNumber, game: &Game, id: GameId) {
    let has_names = game.black.name.is_some() || game.white.name.is_some();
    let bare = has_names.then(|| bare_number(game));
    for number in [Some(alike_number(game)), bare].into_iter().flatten() {
        by_number.entry(number).or_default().push(id);
    }
}

/// Both players and the year.
type Company = (String, String, u16);

fn company(game: &Game) -> Option<Company> {
    Some((game.black.name.clone()?, game.white.name.clone()?, game.date?.year()))
}

/// Takes games in, and remembers what it takes to find them again.
#[derive(Default)]
pub(super) struct Taker {
    /// Games with short lines, by fingerprint. Many broken-off games have one line, so they are found by
    /// their players or facts.
    short: HashMap<u64, ByNumber, FixedState>,
    /// Outlines of games with long lines, by fingerprint, where there are more than a few of one line: engines
    /// play one again and again.
    long: HashMap<u64, HashMap<GameId, Outline, FixedState>, FixedState>,
    /// Games of named players that were not played to their end, by players and year: a source may have
    /// them whole.
    cut: Option<HashMap<Company, Vec<GameId>, FixedState>>,
    /// Names that stand for others.
    aliases: Option<Aliases>,
    /// The games that the source has said something of.
    told: HashSet<GameId, FixedState>,
    /// All games that the source has.
    given: HashSet<GameId, FixedState>,
}

impl Taker {
    /// Begins with the games of another source.
    pub(super) fn next_source(&mut self) {
        self.told.clear();
        self.given.clear();
    }

    /// Forgets all games, some of which are no longer there.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }

    /// Adds a game. A game that is there already, by [`crate::files::games::same_game`], gets what it does not
    /// have itself, and these collections besides its own. Of several that it may be, it is one that it
    /// does not differ from in its details, and none that the source has already with other facts.
    pub(super) fn take(
        &mut self,
        store: &mut GameStore<'_>,
        game: &Game,
        collections: &[u32],
    ) -> Result<Taken, StoreError> {
        let row = row_of(game);
        let found = match self.find(store, row.fingerprint, game)? {
            None => self.find_without_names(store, row.fingerprint, game)?,
            found => found,
        };
        let (id, taken) = match found {
            Some((id, mut known)) => {
                let richer = known.absorb(game);
                if richer == Richer::Richer {
                    store.replace(id, &row_of(&known))?;
                    let outlines = self.long.get_mut(&row.fingerprint);
                    if let Some(outline) = outlines.and_then(|outlines| outlines.get_mut(&id)) {
                        *outline = Outline::of(&known);
                    }
                }
                (id, if richer == Richer::Richer { Taken::Richer } else { Taken::Known })
            }
            None => {
                if let Some((id, taken)) = self.join_a_copy(store, game)? {
                    for &collection in collections {
                        store.add_source(id, collection)?;
                    }
                    return Ok(taken);
                }
                let id = store.add(&row)?;
                if game.black_discs.is_none()
                    && let (Some(cut), Some(company)) = (&mut self.cut, company(game))
                {
                    cut.entry(company).or_default().push(id);
                }
                if let Some(by_number) = self.short.get_mut(&row.fingerprint) {
                    remember(by_number, game, id);
                }
                (id, Taken::New)
            }
        };
        if is_telling(game) || (game.black.name.is_none() && game.white.name.is_none()) {
            self.told.insert(id);
        }
        self.given.insert(id);
        for &collection in collections {
            store.add_source(id, collection)?;
        }
        Ok(taken)
    }

    /// Joins a game with one that is the beginning of it, or of which it is the beginning, where a copy was cut
    /// short.
    fn join_a_copy(
        &mut self,
        store: &mut GameStore<'_>,
        game: &Game,
    ) -> Result<Option<(GameId, Taken)>, StoreError> {
        let Some(company) = company(game) else { return Ok(None) };
        if self.cut.is_none() {
            let mut cut = HashMap::<_, Vec<_>, _>::default();
            for id in store.reader().games().unfinished()? {
                let known = store.reader().games().get(id)?.map(|row| game_of(row, String::new()));
                if let Some(company) = known.as_ref().and_then(self::company) {
                    cut.entry(company).or_default().push(id);
                }
            }
            self.cut = Some(cut);
        }
        let copies = self.cut.as_ref().and_then(|cut| cut.get(&company)).cloned();
        for id in copies.unwrap_or_default() {
            let Some(row) = store.reader().games().get(id)? else { continue };
            let fingerprint = row.fingerprint;
            let known = game_of(row, String::new());
            if is_cut_short_of(&known, game) {
                let mut whole = game.clone();
                whole.absorb(&known);
                store.replace_moves(id, &row_of(&whole), fingerprint)?;
                self.long.get_mut(&fingerprint).and_then(|outlines| outlines.remove(&id));
                if whole.black_discs.is_some() {
                    let cut = self.cut.as_mut().and_then(|cut| cut.get_mut(&company));
                    cut.into_iter().for_each(|copies| copies.retain(|&copy| copy != id));
                }
                return Ok(Some((id, Taken::Richer)));
            }
        }
        if game.black_discs.is_some() {
            return Ok(None);
        }
        let (black, white, year) = &company;
        for id in store.between(black, white, *year) {
            let Some(row) = store.reader().games().get(id)? else { continue };
            let mut known = game_of(row, String::new());
            if is_cut_short_of(game, &known) {
                let richer = known.absorb(game);
                if richer == Richer::Richer {
                    store.replace(id, &row_of(&known))?;
                }
                let taken = if richer == Richer::Richer { Taken::Richer } else { Taken::Known };
                return Ok(Some((id, taken)));
            }
        }
        Ok(None)
    }

    /// The game that this one is, if it is there.
    fn find(
        &mut self,
        store: &GameStore<'_>,
        fingerprint: u64,
        game: &Game,
    ) -> Result<Option<(GameId, Game)>, StoreError> {
        let aliases = match self.aliases.take() {
            Some(aliases) => aliases,
            None => Aliases::of(store.reader())?,
        };
        let found = self.find_plain(store, fingerprint, &aliases.plain(game), &aliases);
        self.aliases = Some(aliases);
        found
    }

    /// As [`Self::find`], of a game with the names that its own stand for.
    fn find_plain(
        &mut self,
        store: &GameStore<'_>,
        fingerprint: u64,
        game: &Game,
        aliases: &Aliases,
    ) -> Result<Option<(GameId, Game)>, StoreError> {
        let mut found = None;
        let candidates = self.candidates(store, fingerprint, game)?;
        let identity = (!candidates.is_empty()).then(|| Identity::of(game));
        let (own, outlines) = (Outline::of(game), self.long.get(&fingerprint));
        for id in candidates {
            if let Some(outline) = outlines.and_then(|outlines| outlines.get(&id)) {
                // Not even read, where that would change nothing.
                let can_be_found = found.is_none() && !self.told.contains(&id);
                if outline.is_of_another(&own) || outline.differs(&own) && !can_be_found {
                    continue;
                }
            }
            let Some(known) = store.reader().games().get(id)? else { continue };
            let known = game_of(known, String::new());
            let plain = aliases.plain(&known);
            if Some(Identity::of(&known)) != identity || !same_facts(&plain, game) {
                continue;
            }
            if !differs_in_detail(&plain, game) {
                return Ok(Some((id, known)));
            }
            if found.is_none() && !self.told.contains(&id) {
                found = Some((id, known));
            }
        }
        Ok(found)
    }

    /// The game that this one is, if its source gave it before without the names that belong to it, or with them
    /// where this one lacks them.
    fn find_without_names(
        &mut self,
        store: &GameStore<'_>,
        fingerprint: u64,
        game: &Game,
    ) -> Result<Option<(GameId, Game)>, StoreError> {
        let bare = without_names(game);
        let candidates = match &bare {
            Some(bare) => self.candidates(store, fingerprint, bare)?,
            None => {
                let by_number = self.short.get(&fingerprint);
                by_number.and_then(|all| all.get(&bare_number(game))).cloned().unwrap_or_default()
            }
        };
        // A source that has both has two games.
        let others = if bare.is_some() { &self.told } else { &self.given };
        let candidates: Vec<GameId> =
            candidates.into_iter().filter(|id| !others.contains(id)).collect();
        for id in candidates {
            let games = store.reader().games();
            if !games.sources_of(id)?.contains(&game.source) {
                continue;
            }
            let Some(known) = games.get(id)?.map(|row| game_of(row, String::new())) else {
                continue;
            };
            let is_same = match &bare {
                Some(bare) => same_game(&known, bare),
                None => is_bare_copy(game, &known),
            };
            if is_same {
                // It is found again by its names.
                if bare.is_some()
                    && let Some(by_number) = self.short.get_mut(&fingerprint)
                {
                    remember(by_number, game, id);
                }
                return Ok(Some((id, known)));
            }
        }
        Ok(None)
    }

    /// The outlines of all games of one line.
    fn outline(
        &mut self,
        store: &GameStore<'_>,
        fingerprint: u64,
        alike: &[GameId],
    ) -> Result<(), StoreError> {
        let outlines = self.long.entry(fingerprint).or_default();
        for &id in alike {
            if !outlines.contains_key(&id)
                && let Some(known) = store.reader().games().get(id)?
            {
                outlines.insert(id, Outline::of(&game_of(known, String::new())));
            }
        }
        Ok(())
    }

    /// The games that this may be one of.
    fn candidates(
        &mut self,
        store: &GameStore<'_>,
        fingerprint: u64,
        game: &Game,
    ) -> Result<Vec<GameId>, StoreError> {
        let alike = store.with_fingerprint(fingerprint);
        if is_telling(game) {
            if alike.len() > FEW {
                self.outline(store, fingerprint, alike)?;
            }
            return Ok(alike.to_vec());
        }
        let by_number = match self.short.entry(fingerprint) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => {
                let mut by_number = ByNumber::default();
                for &id in alike {
                    if let Some(known) = store.reader().games().get(id)? {
                        remember(&mut by_number, &game_of(known, String::new()), id);
                    }
                }
                place.insert(by_number)
            }
        };
        Ok(by_number.get(&alike_number(game)).cloned().unwrap_or_default())
    }
}
