//! Options that choose games.

use crate::app::games::{GameDatabase, find_players, namesakes};
use crate::faces::cli::context::Context;
use crate::faces::render::quoted;
use crate::files::games::{AskedError, NameError};
use anyhow::bail;
use std::ffi::OsString;

/// A position that was read from these words; where they are none, but the name of a player, the error says
/// how a player is asked for.
pub(in crate::faces::cli::commands) fn position_or_player<T>(
    read: anyhow::Result<T>,
    words: &[OsString],
    context: &Context,
) -> anyhow::Result<T> {
    let error = match read {
        Ok(read) => return Ok(read),
        Err(error) => error,
    };
    if !matches!(error.downcast_ref(), Some(AskedError::Name(NameError::Unknown { .. }))) {
        return Err(error);
    }
    let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
    let name = words.join(" ");
    // Only to say more: what is wrong with the book is another question.
    let is_player = || -> anyhow::Result<bool> {
        let book = context.read_book()?;
        Ok(!find_players(&GameDatabase::open(&book)?, &name)?.is_empty())
    };
    match is_player() {
        Ok(true) => bail!("{error}; for a player: --player {}", quoted(&name)),
        _ => Err(error),
    }
}

/// Notes the other players with a name that means one player.
pub(in crate::faces::cli::commands) fn tell_namesakes<'n>(
    names: impl IntoIterator<Item = &'n String>,
    database: &GameDatabase<'_>,
    context: &Context,
) -> anyhow::Result<()> {
    for name in names {
        if let Some(namesakes) = namesakes(database, name)? {
            context.note(namesakes);
        }
    }
    Ok(())
}
