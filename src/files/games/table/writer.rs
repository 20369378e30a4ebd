//! Writes tables: CSV with the columns that the reader knows.

use std::io;

use crate::files::games::game::Game;
use crate::files::games::writing::glued;

const COLUMNS: [&str; 16] = [
    "source",
    "event",
    "round",
    "date",
    "black",
    "white",
    "black_rating",
    "white_rating",
    "moves",
    "result",
    "black_discs",
    "theoretical",
    "theoretical_empties",
    "time_control",
    "xot",
    "start",
];

/// Bytes of most rows.
const ROW: usize = 512;

/// The first line, with the names of the columns.
pub(in crate::files::games) fn table_head() -> String {
    COLUMNS.join(",") + "\n"
}

pub(in crate::files::games) fn write_row(game: &Game, text: &mut String) -> io::Result<()> {
    let number = |value: Option<u8>| value.map(|value| value.to_string()).unwrap_or_default();
    let rating = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    let known = |value: &Option<String>| value.clone().unwrap_or_default();
    let start = game.start;
    let start = (!game.is_from_the_start()).then(|| start.position.board_text(start.side));
    let theory = game.theoretical;
    let mut row = Vec::new();
    csv::WriterBuilder::new().buffer_capacity(ROW).from_writer(&mut row).write_record([
        game.source.clone(),
        known(&game.event),
        known(&game.round),
        game.date.map(|date| date.to_string()).unwrap_or_default(),
        known(&game.black.name),
        known(&game.white.name),
        rating(game.black.rating),
        rating(game.white.rating),
        glued(game),
        game.stated.as_ref().map(ToString::to_string).unwrap_or_default(),
        number(game.black_discs),
        number(theory.map(|theory| theory.black_discs)),
        number(theory.map(|theory| theory.empties)),
        known(&game.time_control),
        game.told_xot().map(|xot| u8::from(xot).to_string()).unwrap_or_default(),
        start.unwrap_or_default(),
    ])?;
    text.push_str(&String::from_utf8_lossy(&row));
    Ok(())
}
