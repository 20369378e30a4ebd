//! Tables: tab, comma or semicolon between columns, with a line of names first.

use std::io;

use super::draft::Drafts;
use super::format::{GameFacts, GameRoom, GameSource};
use super::game::Game;

mod columns;
mod reader;
mod row;
mod writer;

pub(super) use columns::{Columns, MOST_TITLES, is_of_positions, stands_before_names};
use reader::TableReader;
use writer::{table_head, write_row};

pub(super) struct Table;

impl GameRoom for Table {
    fn facts(&self) -> GameFacts {
        GameFacts::of("csv", &["csv"])
    }

    fn read<'a>(&self, source: GameSource<'a>) -> Box<dyn Drafts + 'a> {
        Box::new(TableReader::new(source.lines()))
    }

    fn head(&self) -> String {
        table_head()
    }

    fn write(&self, game: &Game, text: &mut String) -> io::Result<()> {
        write_row(game, text)
    }
}
