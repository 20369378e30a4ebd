//! PGN as Othello sites and programs write it: `[Black "name"]` …, `1. f5 d6 2. c3 … 47-17`.

use std::io;

use super::draft::Drafts;
use super::format::{GameFacts, GameRoom, GameSource};
use super::game::Game;

mod ahead;
mod open;
mod outcome;
mod reader;
mod tag;
mod text;
mod words;
mod writer;

use reader::PgnReader;
pub(super) use tag::begins_a_tag;
pub(crate) use writer::{commented_pgn, remarked_moves};

pub(super) struct Pgn;

impl GameRoom for Pgn {
    fn facts(&self) -> GameFacts {
        GameFacts { has_tags: true, ..GameFacts::of("pgn", &["pgn"]) }
    }

    fn read<'a>(&self, source: GameSource<'a>) -> Box<dyn Drafts + 'a> {
        Box::new(PgnReader::new(source.lines()))
    }

    fn write(&self, game: &Game, text: &mut String) -> io::Result<()> {
        text.push_str(&commented_pgn(game, &[]));
        Ok(())
    }
}
