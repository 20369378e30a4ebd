//! The WTHOR database of the French Othello federation: game files (`.wtb`), players (`.jou`) and
//! tournaments (`.trn`).

use std::io;

use super::draft::Drafts;
use super::format::{GameFacts, GameRoom, GameSource};
use super::game::Game;

mod file;
mod names;
mod reader;
mod writer;

pub(crate) use file::read_games;
pub use file::{WthorError, read_names};
pub use names::{WthorNames, WthorNamesError};
pub(crate) use names::{gets_names_of, names_without_games};
pub(super) use reader::HeadOf;
use reader::WthorReader;
pub use writer::WthorSideFiles;
pub(super) use writer::WthorWriter;

pub(super) struct Wthor;

impl GameRoom for Wthor {
    fn facts(&self) -> GameFacts {
        GameFacts::of("wthor", &["wtb"])
    }

    fn read<'a>(&self, source: GameSource<'a>) -> Box<dyn Drafts + 'a> {
        Box::new(WthorReader::new(source.input, source.names))
    }

    fn write(&self, _game: &Game, _text: &mut String) -> io::Result<()> {
        // Its games and their names are written together, by [`WthorWriter`].
        Ok(())
    }
}
