//! A game into a book that may have it already.

use super::row::{game_of, row_of};
use crate::games::{Game, Identity, Richer, same_facts};
use crate::store::{GameStore, StoreError};

/// What came of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Taken {
    /// It was not there.
    New,
    /// It was there, with all that is known of it.
    Known,
    /// It was there, and something more is known of it now.
    Richer,
}

/// Takes a game in. A game that is there already, by [`crate::games::same_game`], gets what it does
/// not know of itself, and these collections besides its own.
pub(super) fn take(
    store: &mut GameStore<'_>,
    game: &Game,
    collections: &[u32],
) -> Result<Taken, StoreError> {
    let row = row_of(game);
    let candidates = store.with_fingerprint(row.fingerprint).to_vec();
    let identity = (!candidates.is_empty()).then(|| Identity::of(game));
    for id in candidates {
        let Some(known) = store.reader().game(id)? else { continue };
        let mut known = game_of(known, String::new());
        if Some(Identity::of(&known)) != identity || !same_facts(&known, game) {
            continue;
        }
        let richer = known.absorb(game);
        if richer == Richer::Richer {
            store.replace(id, &row_of(&known))?;
        }
        for &collection in collections {
            store.add_source(id, collection)?;
        }
        return Ok(match richer {
            Richer::Known => Taken::Known,
            Richer::Richer => Taken::Richer,
        });
    }
    let id = store.add(&row)?;
    for &collection in collections {
        store.add_source(id, collection)?;
    }
    Ok(Taken::New)
}
