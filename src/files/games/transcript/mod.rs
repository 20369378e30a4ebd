//! Transcripts: a game a line, moves in any spelling, perhaps with names and a result around them.

use std::io;

use super::draft::Drafts;
use super::format::{GameFacts, GameRoom, GameSource};
use super::game::Game;

mod block;
mod columns;
mod comment;
mod dates;
mod drawn;
mod facts;
mod facts_of;
mod fields;
mod joiner;
mod line;
mod moves_of;
mod names;
mod players;
mod position;
mod prose;
mod reader;
mod result;
mod spelling;
mod words;
mod writer;

pub(super) use comment::is_comment;
pub(super) use line::{begins_a_game, is_a_game, looks_like_a_transcript};
pub(crate) use position::are_positions;
pub(super) use position::{has_values, is_of_edax};
pub(super) use reader::{TranscriptReader, are_foreign, hold_a_game};
use writer::write_transcript;

pub(super) struct Transcript;

impl GameRoom for Transcript {
    fn facts(&self) -> GameFacts {
        GameFacts::of("transcript", &["txt"])
    }

    fn read<'a>(&self, source: GameSource<'a>) -> Box<dyn Drafts + 'a> {
        Box::new(TranscriptReader::new(source.lines()))
    }

    fn write(&self, game: &Game, text: &mut String) -> io::Result<()> {
        write_transcript(game, text);
        Ok(())
    }
}
