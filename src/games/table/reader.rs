//! Reads tables.

use std::io::BufRead;

use super::columns::{Columns, fields, plain};
use crate::board::parse_board;
use crate::games::date::Date;
use crate::games::defect::{Place, Why};
use crate::games::draft::{Draft, Drafts, Refused, fact, rating};
use crate::games::game::Theoretical;
use crate::games::lines::Lines;
use crate::games::move_text::read_moves;
use crate::games::stated::Stated;

/// The games of a table, a row each.
pub(in crate::games) struct TableReader<R> {
    lines: Lines<R>,
    /// Known from the first line, and the column of moves from the first row.
    columns: Option<(Columns, Option<usize>)>,
    /// Whether the first line was no line of names.
    is_over: bool,
}

impl<R: BufRead> TableReader<R> {
    pub(in crate::games) const fn new(lines: Lines<R>) -> Self {
        Self { lines, columns: None, is_over: false }
    }
}

impl<R: BufRead> Drafts for TableReader<R> {
    fn next_draft(&mut self) -> Option<Result<Draft, Refused>> {
        while !self.is_over {
            let line = match self.lines.next()? {
                Ok(line) => line,
                Err(refused) => return Some(Err(refused)),
            };
            if line.trim().is_empty() {
                continue;
            }
            let place = Place::Line(self.lines.number());
            let Some((columns, moves)) = &mut self.columns else {
                let Some(columns) = Columns::read(&line) else {
                    self.is_over = true;
                    let why = Why::content(&line, "names of columns, with one of moves");
                    return Some(Err(Refused { place, why }));
                };
                self.columns = Some((columns, None));
                continue;
            };
            *moves = moves.or_else(|| columns.moves(&line));
            let column = moves.unwrap_or_else(|| columns.named_moves());
            return Some(read(&line, columns, column, place).map_err(|why| Refused { place, why }));
        }
        None
    }
}

fn read(line: &str, columns: &Columns, moves: usize, place: Place) -> Result<Draft, Why> {
    let mut draft = Draft::new(place);
    let values = fields(line, columns.between).ok_or_else(|| Why::content(line, "a row"))?;
    let Some(text) = values.get(moves) else {
        return Err(Why::content(line, "a row with a field for each column"));
    };
    read_moves(text).for_each(|played| draft.push(played));
    let (mut year, mut theory, mut empties) = (None, None, None);
    let others = columns.names.iter().zip(&values).enumerate();
    for (_, (name, value)) in others.filter(|&(column, _)| column != moves) {
        let value = value.trim();
        let game = &mut draft.game;
        match plain(name).as_str() {
            _ if value.is_empty() => {}
            "black" | "blackname" | "blackplayer" => game.black.name = fact(value),
            "white" | "whitename" | "whiteplayer" => game.white.name = fact(value),
            "blackrating" | "blackelo" => game.black.rating = rating(value),
            "whiterating" | "whiteelo" => game.white.rating = rating(value),
            "event" | "tournament" => game.event = fact(value),
            "round" => game.round = fact(value),
            "date" => game.set_date(value),
            "year" => year = value.parse().ok(),
            "result" => game.stated = fact(value).and_then(|value| Stated::read_shown(&value)),
            "timecontrol" => game.time_control = fact(value),
            "xot" => game.xot = matches!(value, "1" | "true" | "yes" | "xot"),
            "theoretical" => theory = value.parse().ok().filter(|&discs: &u8| discs <= 64),
            "theoreticalempties" => empties = value.parse().ok().filter(|&count: &u8| count <= 60),
            "source" => game.source = fact(value).unwrap_or_default(),
            "start" => {
                game.start = parse_board(value).map_err(|error| Why::start(&error.to_string()))?;
            }
            // What the board says is found on the board.
            "blackdiscs" => {}
            _ => game.set_extra(name, value),
        }
    }
    if let (None, Some(year)) = (draft.game.date, year) {
        draft.game.date = Date::new(year, None, None);
    }
    draft.game.theoretical =
        theory.zip(empties).map(|(black_discs, empties)| Theoretical { black_discs, empties });
    Ok(draft)
}

#[cfg(test)]
mod tests {
    use crate::games::testing::{read_all, read_text};

    #[test]
    fn reads_tables_of_others() {
        for text in [
            "id,winner,game_moves\n7,1,f5d6c3\n",
            "Line\tMoves\tBlack\n1\tf5 d6 c3\tone\n",
            "\u{feff}Event;Transcript\r\n\"a;b\";\"F5D6C3\"\r\n",
        ] {
            let games = read_text(text);
            assert_eq!(games[0].game.line().to_string(), "f5d6c3", "{text}");
        }
        let game = read_text("year,black,score,moves\n1999,one,3,f5\n").remove(0).game;
        assert_eq!(game.date.map(|date| date.year()), Some(1999));
        assert_eq!((game.black.name.as_deref(), game.extra["score"].as_str()), (Some("one"), "3"));
    }

    #[test]
    fn a_bad_row_costs_itself_only() {
        let (games, defects) = read_all("black,moves\none,f5d6\ntwo,f5f5\nthree\nfour,f5\n");
        assert_eq!((games.len(), defects.len()), (2, 2));
        assert!(defects[0].starts_with("test:3 (game 2): move 2 \"f5\": the square is occupied"));
        assert!(defects[1].contains("a field for each column"), "{}", defects[1]);
    }
}
