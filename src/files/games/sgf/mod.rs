//! SGF, game 2: `(;GM[2]FF[4]PB[name];B[f5];W[d6])`, squares as letter and digit or as two letters.

use std::io;

use super::brackets::TagReader;
use super::draft::Drafts;
use super::format::{GameFacts, GameRoom, GameSource};
use super::game::Game;

mod reader;
mod writer;

use writer::write_sgf;

pub(super) struct Sgf;

impl GameRoom for Sgf {
    fn facts(&self) -> GameFacts {
        GameFacts { has_tags: true, ..GameFacts::of("sgf", &["sgf"]) }
    }

    fn read<'a>(&self, source: GameSource<'a>) -> Box<dyn Drafts + 'a> {
        Box::new(TagReader::new(source.lines(), true, reader::read))
    }

    fn write(&self, game: &Game, text: &mut String) -> io::Result<()> {
        write_sgf(game, text);
        Ok(())
    }
}
