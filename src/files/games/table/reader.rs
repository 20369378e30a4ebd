//! Reads tables.

use std::io::BufRead;

use super::columns::{Columns, MOST_TITLES, stands_before_names};
use super::row::read_row;
use crate::files::fault::Place;
use crate::files::games::draft::{Draft, Drafts, Refused};
use crate::files::games::refused::Why;
use crate::files::lines::Lines;
use crate::files::table_rows::{Rows, fields, is_blank};

struct Numbered<R>(Lines<R>);

impl<R: BufRead> Iterator for Numbered<R> {
    type Item = (u64, Result<String, Refused>);

    fn next(&mut self) -> Option<Self::Item> {
        let line = self.0.next()?;
        Some((self.0.number(), line))
    }
}

/// The games of a table, a row each.
pub(in crate::files::games) struct TableReader<R> {
    rows: Rows<Numbered<R>, Refused>,
    /// Known from the first line, and the column of moves from the first row.
    columns: Option<(Columns, Option<usize>)>,
    /// The lines above the first line of the table.
    titles: Vec<(Place, String)>,
    /// Whether the first line was no line of names.
    is_over: bool,
}

impl<R: BufRead> TableReader<R> {
    pub(in crate::files::games) const fn new(lines: Lines<R>) -> Self {
        Self { rows: Rows::new(Numbered(lines)), columns: None, titles: Vec::new(), is_over: false }
    }

    /// There is no table: the first line is refused.
    fn no_table(&mut self) -> Option<Refused> {
        self.is_over = true;
        let (place, line) = self.titles.first().filter(|_| self.columns.is_none())?;
        let expected = "names of columns, a thousand at most, with one of moves";
        Some(Refused { place: *place, why: Why::content(line, expected) })
    }
}

impl<R: BufRead> Drafts for TableReader<R> {
    fn next_draft(&mut self) -> Option<Result<Draft, Refused>> {
        while !self.is_over {
            let Some((number, line)) = self.rows.next_line() else {
                return self.no_table().map(Err);
            };
            let line = match line {
                Ok(line) => line,
                Err(refused) => return Some(Err(refused)),
            };
            if is_blank(&line) {
                continue;
            }
            let place = Place::Line(number);
            let Some(between) = self.columns.as_ref().map(|(columns, _)| columns.between) else {
                if stands_before_names(&line) {
                    continue;
                }
                if let Some(columns) = Columns::read(&line) {
                    self.columns = Some((columns, None));
                    continue;
                }
                // A row, whose table has no names.
                let Some(columns) = Columns::of_content(&line) else {
                    self.titles.push((place, line));
                    if self.titles.len() > MOST_TITLES {
                        return self.no_table().map(Err);
                    }
                    continue;
                };
                self.columns = Some((columns, None));
                self.rows.put_back(number, line);
                continue;
            };
            let Some(row) = self.rows.row(line, between) else {
                return Some(Err(Refused { place, why: Why::Unclosed('"') }));
            };
            let (columns, moves) = self.columns.as_mut()?;
            let Some(values) = fields(&row, between) else {
                return Some(Err(Refused { place, why: Why::content(&row, "a row") }));
            };
            if columns.is_no_game(&values) {
                continue;
            }
            if columns.is_between_games(&values) {
                return Some(Err(Refused {
                    place,
                    why: Why::content(&row, "a game with its moves"),
                }));
            }
            *moves = moves.or_else(|| columns.moves_among(&values));
            let column = moves.unwrap_or_else(|| columns.named_moves());
            let mut read = read_row(&row, &values, columns, column, place);
            if let Ok(draft) = &mut read
                && !draft.game.extra.contains_key("Comment")
            {
                let titles: Vec<&str> = self.titles.iter().map(|(_, line)| line.trim()).collect();
                draft.game.set_extra("Comment", &titles.join("; "));
            }
            return Some(read.map_err(|why| Refused { place, why }));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use crate::files::games::testing::{read_all, read_text};

    #[test]
    fn reads_tables_of_others() {
        for text in [
            "id,winner,game_moves\n7,1,f5d6c3\n",
            "Line\tMoves\tBlack\n1\tf5 d6 c3\tone\n",
            "# id,moves\n1,f5d6c3\n",
            "SEP=;\nid;moves\n1;f5d6c3\n",
            "# exported\nsep=;\nplayer1;棋譜\none;f5d6c3\n",
            "player1|moves\none|f5d6c3\n",
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
    fn a_title_stands_above_the_names() {
        let table = "Black,White,Score,Moves\nAnn,Bob,40-24,f5d6c3\nCid,Dan,30-34,f5f6\n";
        for (title, said) in [
            ("Club championship 2024\n", Some("Club championship 2024")),
            ("Club, 2024\n\nMade by hand,,\n", Some("Club, 2024; Made by hand,,")),
            ("# of the club\n", None),
        ] {
            let games = read_text(&format!("{title}{table}"));
            let said_of = |at: usize| games[at].game.extra.get("Comment").map(String::as_str);
            assert_eq!((games.len(), said_of(0), said_of(1)), (2, said, said), "{title}");
            assert_eq!(games[1].game.white.name.as_deref(), Some("Dan"), "{title}");
        }
    }

    #[test]
    fn a_single_column_is_a_table() {
        for text in [
            "moves\nf5d6c3\nf5f6\n",
            "transcript\r\n\"f5d6c3\"\r\n\r\nf5 f6\r\n",
            "棋譜\nf5,d6,c3\nmoves\nf5f6\n",
        ] {
            let (games, defects) = read_all(text);
            let lines: Vec<_> = games.iter().map(|game| game.game.line().to_string()).collect();
            let known = if text.contains("棋譜") { 1 } else { 0 };
            assert_eq!((&lines[..], defects.len()), (&["f5d6c3".into(), "f5f6".into()][..], known));
        }
    }

    #[test]
    fn rows_that_are_no_games_cost_nothing() {
        let text = ",,\nblack,white,moves\n,,\none,two,f5d6\n , ,\n\"\",\"\",\"\"\nblack,white,moves\none,,f5\n;;\n,,,\n";
        let (games, defects) = read_all(text);
        assert_eq!((games.len(), &defects[..]), (2, &[][..]));
        assert_eq!(games[1].game.line().to_string(), "f5");
    }

    #[test]
    fn headings_and_sums_between_games_are_none() {
        let text = "black;white;result;moves\nRound 1;;;\none;two;;f5d6\none;three;40-24;\nTotal;2;;\nby hand;;;\n";
        let (games, defects) = read_all(text);
        assert_eq!((games.len(), defects.len()), (2, 3), "{defects:?}");
        assert_eq!(games[1].game.white.name.as_deref(), Some("three"));
        assert!(defects[0].starts_with("test:2 (game 1): found \"Round 1;;;\", expected a game"));
    }

    #[test]
    fn columns_have_names_of_three_languages() {
        for names in [
            "Date;Noirs;Blancs;Coups",
            "Date;Joueur noir;Joueur blanc;Coups",
            "Datum;Schwarz;Weiß;Züge",
            "日付,黒,白,棋譜",
            "日付\t黒番\t白番\t棋譜",
        ] {
            let mark = names.chars().find(|c| matches!(c, ';' | ',' | '\t')).unwrap();
            let row = ["2020-01-02", "one", "two", "f5d6"].join(&mark.to_string());
            let game = read_text(&format!("{names}\n{row}\n")).remove(0).game;
            let found = (game.black.name.as_deref(), game.white.name.as_deref());
            assert_eq!(found, (Some("one"), Some("two")), "{names}");
            assert_eq!(game.date.map(|date| date.to_string()).as_deref(), Some("2020-01-02"));
        }
    }

    #[test]
    fn a_bad_row_costs_itself_only() {
        let (games, defects) = read_all("black,moves\none,f5d6\ntwo,f5f5\nthree\nfour,f5\n");
        assert_eq!((games.len(), defects.len()), (2, 2));
        assert!(defects[0].starts_with("test:3 (game 2): move 2 \"f5\": the square is occupied"));
        assert!(defects[1].contains("a field for each column"), "{}", defects[1]);
    }

    #[test]
    fn a_field_in_quotes_may_hold_ends_of_lines() {
        let (games, defects) =
            read_all("event,moves\r\n\"cup\r\n\r\nof us\",\"f5\r\nd6\"\r\ncup,f5f5\r\n");
        assert_eq!(games[0].game.event.as_deref(), Some("cup of us"));
        assert_eq!(games[0].game.line().to_string(), "f5d6");
        assert!(defects.concat().starts_with("test:6 (game 2): move 2"), "{defects:?}");
    }

    #[test]
    fn a_quote_that_nothing_closes_costs_its_line() {
        let more = "x,f5\n".repeat(60);
        for end in ["b,f5d6\nc,f5\n", &more] {
            let (games, defects) = read_all(&format!("event,moves\na,f5\n\"cup,f5\n{end}"));
            assert_eq!(games.len(), 1 + end.lines().count());
            assert_eq!(defects, ["test:3 (game 2): nothing closes the '\"' here"]);
        }
    }

    /// The first quote of a later row closes no field: the text between is no part of it.
    #[test]
    fn a_quote_that_nothing_closes_takes_no_rows_along() {
        let text = "event,moves\n\"cup,f5\na,f5d6\n\"b,c\",f5d6c3\nd,\"f5d6c4\"\n\"e\n2\" ,f5f6\n";
        let (games, defects) = read_all(text);
        let lines: Vec<_> = games.iter().map(|game| game.game.line().to_string()).collect();
        assert_eq!(lines, ["f5d6", "f5d6c3", "f5d6c4", "f5f6"]);
        assert_eq!(games[1].game.event.as_deref(), Some("b,c"));
        assert_eq!(games[3].game.event.as_deref(), Some("e 2"));
        assert_eq!(defects, ["test:2 (game 1): nothing closes the '\"' here"]);
    }

    #[test]
    fn a_row_with_more_fields_than_columns_is_refused() {
        let (games, defects) = read_all("black,moves\none,f5,two\none,f5,,\n");
        assert_eq!((games.len(), defects.len()), (1, 1));
        assert!(defects[0].starts_with("test:2 (game 1): found \"one,f5,two\", expected a row"));
    }

    #[test]
    fn columns_without_names_are_known_by_what_is_in_them() {
        let moves = "f5d6c3d3c4";
        for (row, names, said) in [
            (format!("Ann,Bob,{moves}"), ["Ann", "Bob"], None),
            (format!("Ann Lee;Bob;2011-05-04;40-24;{moves}"), ["Ann Lee", "Bob"], Some("40-24")),
            (format!("{moves};40;24"), ["", ""], Some("40-24")),
            (format!("{moves}\t40\t24\tAnn\tBob"), ["Ann", "Bob"], Some("40-24")),
            (format!("\"{moves}\",\"Ann\",\"Bob\",\"+16\""), ["Ann", "Bob"], Some("+16")),
            (format!("2011-05-04|{moves}"), ["", ""], None),
            (format!("Ann\t40\t24\tBob\t{moves}"), ["Ann", "Bob"], Some("40-24")),
        ] {
            let between = row.chars().find(|c| matches!(c, ';' | ',' | '|' | '\t')).unwrap();
            let fields = row.matches(between).count() + 1;
            let numbers: Vec<String> = (0..fields).map(|number| number.to_string()).collect();
            let numbers = numbers.join(&between.to_string());
            for text in [format!("{row}\n{row}\n"), format!("{numbers}\n{row}\n{row}\n")] {
                let games = read_text(&text);
                assert_eq!(games.len(), 2, "{text}");
                let game = &games[1].game;
                let found =
                    [&game.black, &game.white].map(|one| one.name.as_deref().unwrap_or_default());
                assert_eq!((found, game.moves.len()), (names, 5), "{text}");
                let stated = game.stated.as_ref().map(ToString::to_string);
                assert_eq!(stated.as_deref(), said, "{text}");
            }
        }
    }
}
