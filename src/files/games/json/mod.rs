//! Games as JSON: our own JSON Lines, what Othello Quest gives, and boards that a program saved.

use std::io;

use super::draft::Drafts;
use super::format::{GameFacts, GameRoom, GameSource};
use super::game::Game;

mod array;
mod fields;
mod moves;
mod objects;
mod own;
mod quest;
mod reader;
mod saved_boards;
mod writer;

use reader::JsonReader;
use writer::write_json;

pub(super) struct Json;

impl GameRoom for Json {
    fn facts(&self) -> GameFacts {
        GameFacts::of("json", &["json", "jsonl"])
    }

    fn read<'a>(&self, source: GameSource<'a>) -> Box<dyn Drafts + 'a> {
        Box::new(JsonReader::new(source.lines()))
    }

    fn write(&self, game: &Game, text: &mut String) -> io::Result<()> {
        Ok(write_json(game, text)?)
    }
}
