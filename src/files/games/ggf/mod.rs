//! GGF, the format of GGS and NBoard: `(;GM[Othello]PB[name]…B[f5/eval/seconds]W[d6]…;)`.

use std::io;

use super::brackets::TagReader;
use super::draft::Drafts;
use super::format::{GameFacts, GameRoom, GameSource};
use super::game::Game;

mod kind;
mod reader;
mod writer;

pub(super) use reader::kind_of;
pub(crate) use reader::timed_move;
use writer::write_ggf;

pub(super) struct Ggf;

impl GameRoom for Ggf {
    fn facts(&self) -> GameFacts {
        GameFacts { has_tags: true, ..GameFacts::of("ggf", &["ggf"]) }
    }

    fn read<'a>(&self, source: GameSource<'a>) -> Box<dyn Drafts + 'a> {
        Box::new(TagReader::new(source.lines(), false, reader::read))
    }

    fn write(&self, game: &Game, text: &mut String) -> io::Result<()> {
        write_ggf(game, text);
        Ok(())
    }
}
