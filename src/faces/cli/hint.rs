//! What helps with a message: commands, each on a line of its own below it.

use std::error::Error;

use thiserror::Error;

use super::config::{Origin, Settings};
use crate::app::discover::DiscoverError;
use crate::app::games::{FilterError, JoinError, PlayerError};
use crate::app::snapshot::RestoreError;
use crate::app::{
    ChangeError, GrowError, GrowStart, PruneError, StarterError, StoreError, check_starts,
};
use crate::faces::render::{Command, OwnBook};
use crate::files::games::{Asked, OpenError};
use crate::othello::board::Line;

/// What stands before a command that may help.
pub const TRY: &str = "try";

/// A line with a command.
pub fn line_of(title: &str, command: &Command, own: &OwnBook) -> String {
    format!("  {title}: {}", command.typed(own))
}

/// Why nothing is done, in a sentence, with commands that help.
#[derive(Debug, Error)]
#[error("{text}")]
pub struct Refusal {
    pub text: String,
    pub commands: Vec<Command>,
    /// What was asked for is not there: there was nothing wrong with asking.
    pub is_not_there: bool,
}

impl Refusal {
    pub fn new(text: impl Into<String>, commands: impl Into<Vec<Command>>) -> Self {
        Self { text: text.into(), commands: commands.into(), is_not_there: false }
    }

    pub fn not_there(self) -> Self {
        Self { is_not_there: true, ..self }
    }
}

/// An error and what it comes from.
pub fn chain_of<'e>(
    error: &'e (dyn Error + 'static),
) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    std::iter::successors(Some(error), |&error| error.source())
}

/// The commands that help with an error, or with what it comes from.
pub fn commands_for(error: &(dyn Error + 'static), own: &OwnBook) -> Vec<Command> {
    chain_of(error).find_map(|error| commands_of(error, own)).unwrap_or_default()
}

/// The commands of an error that has a hint, whatever it comes from.
fn commands_of(error: &(dyn Error + 'static), own: &OwnBook) -> Option<Vec<Command>> {
    macro_rules! hint {
        ($($kind:ty),+) => {
            None$(.or_else(|| error.downcast_ref::<$kind>()?.hint()))+
        };
    }
    let hint = hint!(
        StoreError,
        OpenError,
        FilterError,
        PlayerError,
        JoinError,
        DiscoverError,
        ChangeError,
        PruneError,
        RestoreError,
        StarterError
    );
    #[cfg(feature = "workshop")]
    let hint = hint.or_else(|| hint!(crate::lab::contest::PlayedError));
    let refusal = || error.downcast_ref::<Refusal>().map(|refusal| refusal.commands.clone());
    hint.map(|hint| Command::of_hint(&hint, own)).or_else(refusal)
}

/// The book of the settings, as commands name it.
pub fn own_book(settings: &Settings) -> OwnBook {
    let is_named = settings.book.origin == Origin::Flag;
    let path = settings.book.value.clone();
    let is_to_begin = settings.book_is_default() && path.symlink_metadata().is_err();
    OwnBook { path, is_named, is_to_begin }
}

/// The command that grows the book from the end of a line.
pub fn grow_command(line: &Line, positions: u32) -> Command {
    let whole = line.whole_text();
    let from = [("--from", whole)].into_iter().filter(|(_, line)| !line.is_empty());
    let words = from.flat_map(|(option, line)| [option.to_owned(), line]);
    Command::new("grow").with(words).with(["--positions".to_owned(), positions.to_string()])
}

/// The command that adds a position to the book, of whose way so many are missing.
pub fn add_command(asked: &Asked, missing: u32) -> Result<Command, String> {
    if asked.placed().position.is_over() {
        return Err("the game is over".to_owned());
    }
    match check_starts(&[GrowStart::from(asked)]) {
        Ok(()) => Ok(grow_command(&asked.line, missing.max(1))),
        Err(GrowError::NoCentre { square, .. }) => {
            Err(format!("no game comes here, and no book holds it: no disc on {square}"))
        }
        Err(error) => Err(error.to_string()),
    }
}

/// Says that a position is not in the book, with the command that adds it, or why none can.
pub fn not_in_book(asked: &Asked, missing: u32) -> Refusal {
    match add_command(asked, missing) {
        Ok(command) => Refusal::new("not in the book", [command]),
        Err(why) => Refusal::new(why, []),
    }
}
