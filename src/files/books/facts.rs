//! Tables of facts: positions with proven bounds, one in each row, under a line of names.
//!
//! A position is a board of 64 squares, with the side to move in a column of its own, or behind the
//! board, or else X; or a line of moves; or both. Its result is one proven value, or two bounds, in
//! discs for the side to move. Names are taken with or without `proven_` before them where nothing but
//! a proof can be meant; other columns are left alone.

use std::io::BufRead;

use crate::files::table_rows::{Rows, fields, is_blank, plain, separator, stands_before_names};
use crate::openbook::Bounds;
use crate::openbook::verify::check_key;
use crate::othello::board::{BoardError, Key, Line, Placed, Side, read_board, side_to_move};
use crate::othello::text_lines::lines_of;

use super::lines::BookLines;
use super::record::{StatedFact, check_board};
use super::{DefectKind, Defects, Fault, FormatError, Place, ReadOptions};

const HEADER: &str = "a line of names: board or line, and proven_lower and proven_upper, or \
                      proven_value";

/// Which columns of a table say what, from 0.
#[derive(Clone, Copy, Default, Debug)]
struct Columns {
    board: Option<usize>,
    side: Option<usize>,
    line: Option<usize>,
    lower: Option<usize>,
    upper: Option<usize>,
    value: Option<usize>,
}

/// What each column may be called, without blanks and marks. A value that is not said to be proven may be
/// anything.
const NAMES: [&[&str]; 6] = [
    &["board", "position"],
    &["side", "sidetomove"],
    &["line", "moves"],
    &["provenlower", "lower"],
    &["provenupper", "upper"],
    &["provenvalue", "proven", "exact"],
];

impl Columns {
    fn of(cells: &[String]) -> Option<Self> {
        let names = plain_names(cells);
        let [board, side, line, lower, upper, value] =
            NAMES.map(|wanted| names.iter().position(|name| wanted.contains(&name.as_str())));
        let is_placed = board.is_some() || line.is_some();
        let is_bounded = lower.is_some() && upper.is_some();
        (is_placed && (is_bounded || value.is_some()) && !is_of_book(&names)).then_some(Self {
            board,
            side,
            line,
            lower,
            upper,
            value,
        })
    }
}

/// Two columns that say the same thing: which one is meant is unknown.
fn twice(cells: &[String]) -> Option<String> {
    NAMES.iter().find_map(|wanted| {
        let mut same = cells.iter().filter(|cell| wanted.contains(&plain(cell).as_str()));
        same.next().zip(same.next()).map(|(one, other)| format!("'{one}' and '{other}'"))
    })
}

fn plain_names(cells: &[String]) -> Vec<String> {
    cells.iter().map(|cell| plain(cell)).collect()
}

/// Whether these columns, by their plain names, are those of our own table of a book, whose bounds are
/// our own proofs and no facts of others.
fn is_of_book(names: &[String]) -> bool {
    ["drawseeking", "restmove"].iter().all(|wanted| names.iter().any(|name| name == wanted))
}

/// The separator of cells in a table with this line of names.
fn between(names: &str) -> u8 {
    separator(names).unwrap_or(b',')
}

fn cells(row: &str, between: u8) -> Vec<String> {
    fields(row, between).unwrap_or_default()
}

fn are_names(line: &str) -> bool {
    Columns::of(&cells(line, between(line))).is_some()
}

/// Whether a text begins with the line of names of such a table.
pub(super) fn begins_with_names(text: &str) -> bool {
    are_names(first_line(text))
}

/// Whether a text begins with the line of names of our own table of a book, which is written only.
pub(super) fn begins_as_book_table(text: &str) -> bool {
    let line = first_line(text);
    is_of_book(&plain_names(&cells(line, between(line))))
}

/// The line that names the columns, if the text is a table.
fn first_line(text: &str) -> &str {
    let mut lines = lines_of(text.trim_start_matches('\u{feff}'));
    lines.find(|line| !stands_before_names(line, are_names)).unwrap_or_default()
}

/// Reads a table of facts, passing each on as it comes. Leniently, lines that make no sense are noted
/// and left out.
pub fn read_facts<E: From<FormatError>>(
    input: impl BufRead,
    file: &str,
    options: ReadOptions,
    defects: &mut Defects,
    mut each: impl FnMut(StatedFact) -> Result<(), E>,
) -> Result<(), E> {
    let mut lines = BookLines::of_table(input, file);
    let mut rows = Rows::new(std::iter::from_fn(|| match lines.next_line() {
        Ok(line) => line.map(|(number, line)| (number, Ok(line))),
        Err(error) => Some((0, Err(error))),
    }));
    let wrong = |number, fault| FormatError::at(file, Place::Line(number), fault);
    let (number, names) = loop {
        let Some((number, line)) = rows.next_line() else {
            return Err(wrong(1, Fault::new("nothing that names columns", HEADER)).into());
        };
        let line = line?;
        if !stands_before_names(&line, are_names) {
            break (number, line);
        }
    };
    let between = between(&names);
    let named = cells(&names, between);
    let Some(columns) = Columns::of(&named) else {
        return Err(wrong(number, Fault::new(format!("'{names}'"), HEADER)).into());
    };
    if let Some(columns) = twice(&named) {
        return Err(wrong(number, Fault::new(columns, "one column for each thing")).into());
    }
    while let Some((number, line)) = rows.next_line() {
        let line = line?;
        if is_blank(&line) {
            continue;
        }
        let fact = match rows.row(line, between) {
            Some(row) => {
                let cells = cells(&row, between);
                has_all(&cells, named.len()).and_then(|()| Row { cells: &cells, columns }.fact())
            }
            None => Err(Fault::new("a '\"' that nothing closes", "another behind it")),
        };
        match fact {
            Ok((key, bounds)) => {
                each(StatedFact { place: Place::Line(number), key, bounds, source: 0 })?;
            }
            Err(fault) => {
                options.tolerate(defects, DefectKind::BadFact, wrong(number, fault))?;
            }
        }
    }
    Ok(())
}

/// Whether there is a cell for each column, and behind them none that says anything.
fn has_all(cells: &[String], columns: usize) -> Result<(), Fault> {
    let surplus = cells.get(columns..);
    match surplus.is_some_and(|cells| cells.iter().all(|cell| cell.trim().is_empty())) {
        true => Ok(()),
        false => {
            let expected = format!("{columns}, as in the line of names");
            Err(Fault::new(format!("{} cells", cells.len()), expected))
        }
    }
}

struct Row<'a> {
    cells: &'a [String],
    columns: Columns,
}

impl Row<'_> {
    /// What a column says; nothing where it is missing or empty.
    fn cell(&self, column: Option<usize>) -> Option<&str> {
        self.cells.get(column?).map(|cell| cell.trim()).filter(|cell| !cell.is_empty())
    }

    fn fact(&self) -> Result<(Key, Bounds), Fault> {
        let placed = self.placed()?;
        let bounds = self.bounds()?;
        fact_of(placed, bounds)
    }

    fn placed(&self) -> Result<Placed, Fault> {
        let of_board =
            self.cell(self.columns.board).map(|board| self.of_board(board)).transpose()?;
        let text = self.columns.line.map(|_| self.cell(self.columns.line).unwrap_or_default());
        let Some(text) = text else {
            return of_board.ok_or_else(|| Fault::new("no board", "64 squares"));
        };
        // Beside a board an empty cell may mean that no line is known.
        if let (Some(of_board), true) = (of_board, text.is_empty()) {
            return Ok(of_board);
        }
        let line: Line = text.parse().map_err(|error: crate::othello::board::LineError| {
            let text = error.to_string();
            match text.split_once(": expected ") {
                Some((found, expected)) => Fault::new(found, expected.to_owned()),
                None => Fault::new(text, "moves that can be played from the start"),
            }
        })?;
        let of_line = line.board();
        let played = key_of(of_line);
        if let Some(of_board) = of_board.filter(|&placed| key_of(placed) != played) {
            let found = format!("the line {text}, which does not lead to its board");
            return Err(Fault::new(found, of_board.position.board_text(of_board.side)));
        }
        let side = self.cell(self.columns.side).filter(|_| of_board.is_none());
        if let Some(side) = side
            && side_of(side)? != of_line.side
        {
            let found = format!("side '{side}' after {text}");
            let expected = format!("{}, the side to move there", of_line.side.letter());
            return Err(Fault::new(found, expected));
        }
        Ok(of_board.unwrap_or(of_line))
    }

    /// The board of a cell. Black is to move where neither it nor the column of sides names a side.
    fn of_board(&self, text: &str) -> Result<Placed, Fault> {
        let side = self.cell(self.columns.side).map(side_of).transpose()?;
        let wrong = |error: BoardError| {
            Fault::new(error.to_string(), "64 squares from a1 to h8, and the side to move")
        };
        let board = read_board(text).map_err(wrong)?;
        board.check_end().map_err(wrong)?;
        match (side, board.said) {
            (Some(side), Some(said)) if side != said => {
                let found = format!("side '{}' of {text}", side.letter());
                Err(Fault::new(found, said.letter().to_string()))
            }
            (side, said) => Ok(board.with_side(side.or(said).unwrap_or(Side::Black))),
        }
    }

    fn bounds(&self) -> Result<Bounds, Fault> {
        let result = |column, name: &str| match self.cell(column) {
            None => Ok(None),
            Some(text) => discs(text).map(Some).ok_or_else(|| {
                Fault::new(format!("{name} '{text}'"), "whole discs from -64 to 64")
            }),
        };
        let value = result(self.columns.value, "the value")?;
        let lower = result(self.columns.lower, "the lower bound")?;
        let upper = result(self.columns.upper, "the upper bound")?;
        let (lower, upper) = match (value, lower, upper) {
            (Some(value), lower, upper) => {
                (value.max(lower.unwrap_or(value)), value.min(upper.unwrap_or(value)))
            }
            (None, None, None) => {
                let expected = "a proven value, or a lower or an upper bound";
                return Err(Fault::new("no bound", expected));
            }
            (None, lower, upper) => (lower.unwrap_or(-64), upper.unwrap_or(64)),
        };
        Bounds::of_even(lower, upper).ok_or_else(|| {
            let expected = match lower <= upper {
                true => "an even result among them, as all are",
                false => "a lower bound that is no larger",
            };
            Fault::new(format!("{lower}..{upper}"), expected)
        })
    }
}

/// Where the side to move must pass, what comes after the pass.
fn key_of(placed: Placed) -> Key {
    let position = placed.position;
    let must_pass = !position.can_move() && position.passed().can_move();
    Key::of(if must_pass { position.passed() } else { position })
}

/// A fact as a book keeps it. A finished game is one that says what the board does, or not.
pub(super) fn fact_of(placed: Placed, bounds: Bounds) -> Result<(Key, Bounds), Fault> {
    let must_pass = !placed.position.can_move() && placed.position.passed().can_move();
    let bounds = if must_pass { bounds.seen_by_parent(false) } else { bounds };
    let key = key_of(placed);
    let checked = match key.position().is_over() {
        true => check_board(key.position()).map_err(|fault| fault.found),
        false => check_key(key).map_err(str::to_owned),
    };
    let board = || placed.position.board_text(placed.side);
    checked.map_err(|what| Fault::new(format!("{}: {what}", board()), "a board of a game"))?;
    Ok((key, bounds))
}

fn side_of(text: &str) -> Result<Side, Fault> {
    side_to_move(text).ok_or_else(|| Fault::new(format!("side '{text}'"), "X or O"))
}

/// A whole number of discs. Programs write columns with gaps as fractions, all zeros, some with a comma; and a
/// minus may be the long one.
fn discs(text: &str) -> Option<i8> {
    let text = text.replacen('\u{2212}', "-", 1);
    let (whole, fraction) = text.split_once(['.', ',']).unwrap_or((&text, ""));
    let discs: i8 = whole.parse().ok().filter(|_| fraction.bytes().all(|digit| digit == b'0'))?;
    (-64..=64).contains(&discs).then_some(discs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::board::Position;

    const START: &str = "---------------------------OX------XO---------------------------";

    fn read(text: &str) -> Result<Vec<(Key, String)>, String> {
        let mut found = Vec::new();
        let (options, mut defects) = (ReadOptions::default(), Defects::default());
        let read = read_facts(text.as_bytes(), "a.csv", options, &mut defects, |fact| {
            found.push((fact.key, fact.bounds.to_string()));
            Ok::<_, FormatError>(())
        });
        read.map(|()| found).map_err(|error| error.to_string())
    }

    #[test]
    fn positions_are_boards_or_lines_and_results_one_value_or_two_bounds() {
        let key = |line: &str| Key::of(line.parse::<Line>().unwrap().board().position);
        let start = Key::of(Position::START);
        for (text, expected) in [
            (format!("board,side,proven_lower,proven_upper\n{START},X,0,0\n"), (start, "0")),
            (format!("\u{feff}Board;Lower;Upper\r\n{START};-2;\r\n\r\n"), (start, "-2..64")),
            (format!("more\tboard\tproven_value\n\"1,2\"\t{START} O\t+4\n"), (start, "4")),
            ("line,lower,upper\nf5d6,-64,0\n".to_owned(), (key("f5d6"), "-64..0")),
            ("moves,side,exact\nF5 D6 C3,O,0\n".to_owned(), (key("f5d6c3"), "0")),
            // The start is a line without moves; results are even.
            ("line,lower,upper\n\"\",-63,1\n".to_owned(), (start, "-62..0")),
            (format!("board,proven,line\n{START},0,\n"), (start, "0")),
            // What spreadsheets and programs write besides.
            (format!("sep=;\nBoard;Side to move;Exact\n{START};X;0\n"), (start, "0")),
            (format!("# by me\n\n# board,exact\n{START},0\n,\n"), (start, "0")),
            (format!("board|exact\n{START}|2\n"), (start, "2")),
            (format!("board,exact,note\n{START},0,\"two\nlines\"\n\n"), (start, "0")),
            (format!("board,exact\n{START},0,,\n"), (start, "0")),
            (format!("board,lower,upper\n{START},-0.0,+2.00\n"), (start, "0..2")),
            (format!("board;lower;upper\n{START};\"\u{2212}2,0\";+2,00\n"), (start, "-2..2")),
        ] {
            let (key, bounds) = expected;
            assert_eq!(read(&text), Ok(vec![(key, bounds.to_owned())]), "{text}");
            assert!(begins_with_names(text.trim_start_matches('\u{feff}')), "{text}");
        }
    }

    #[test]
    fn two_columns_for_one_thing_are_refused() {
        for names in
            ["line,exact,proven_value", "line,proven_lower,Proven_Lower,upper", "moves,line,exact"]
        {
            let cells = "f5,".repeat(names.matches(',').count());
            let error = read(&format!("{names}\n{cells}2\n")).unwrap_err();
            assert!(error.contains("one column for each thing"), "{error}");
        }
    }

    #[test]
    fn a_pass_turns_the_bounds_round() {
        // Black must pass on this board.
        let board = "--OOO----X-O------XX-------XX------XXX--------------------------";
        let found = read(&format!("board,side,lower,upper\n{board},X,-64,-2\n")).unwrap();
        assert_eq!(found[0].1, "2..64");
        assert!(found[0].0.position().can_move());
    }

    #[test]
    fn a_finished_game_may_stand_there() {
        let board = format!("{}{}", "X".repeat(60), "O".repeat(4));
        let found = read(&format!("board,side,exact\n{board},O,-56\n")).unwrap();
        assert!(found[0].0.position().is_over());
        assert_eq!((found[0].0.position().final_score(), found[0].1.as_str()), (-56, "-56"));
    }

    #[test]
    fn letters_may_be_those_of_a_spreadsheet() {
        let table = format!("name,board,exact\nFor\u{ea}t,{START},0\n");
        let latin: Vec<u8> = table.chars().map(|letter| u8::try_from(letter).unwrap()).collect();
        let mut places = Vec::new();
        let (options, mut defects) = (ReadOptions::default(), Defects::default());
        read_facts(&latin[..], "a.csv", options, &mut defects, |fact| {
            places.push(fact.place);
            Ok::<_, FormatError>(())
        })
        .unwrap();
        assert_eq!(places, [Place::Line(2)]);
    }

    #[test]
    fn leniently_a_bad_row_costs_no_other() {
        let table = format!("board,exact,note\n{START},0,\"a\n{START},1,\n{START},2,\"b\"\n");
        let (options, mut defects) = (ReadOptions { lenient: true }, Defects::default());
        let mut places = Vec::new();
        read_facts(table.as_bytes(), "a.csv", options, &mut defects, |fact| {
            places.push(fact.place);
            Ok::<_, FormatError>(())
        })
        .unwrap();
        assert_eq!((places, defects.count(DefectKind::BadFact)), (vec![Place::Line(4)], 2));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let row = |row: &str| {
            format!("board,side,proven_lower,proven_upper,line\n{START},X,0,0,\n{row}\n")
        };
        for (text, told) in [
            (String::new(), "a.csv, line 1: found nothing that names columns"),
            ("\n# board\n".to_owned(), "line 1: found nothing that names columns"),
            ("\n# board\nx\n".to_owned(), "line 3: found 'x', expected a line of names"),
            ("board,value\n".to_owned(), "line 1: found 'board,value', expected a line of names"),
            ("board,lower\n".to_owned(), "expected a line of names"),
            (row(&format!("{START},X,0,0")), "line 3: found 4 cells, expected 5"),
            (row(&format!("{START},X,0,0,,5")), "line 3: found 6 cells, expected 5"),
            (row(&format!("{START},X,0,0,\"")), "line 3: found a '\"' that nothing closes"),
            (
                row(&format!("{START},X,0,0.,\n{START},X,0,.0,")),
                "line 4: found the upper bound '.0'",
            ),
            (row(&format!("{START},X,2,0,")), "line 3: found 2..0, expected a lower bound that"),
            (row(&format!("{START},X,1,1,")), "line 3: found 1..1, expected an even result"),
            (row(&format!("{START},X,0,65,")), "the upper bound '65', expected whole discs"),
            (row(&format!("{START},X,0.5,2,")), "the lower bound '0.5', expected whole discs"),
            (row(&format!("{START},X,,,")), "no bound"),
            (row(&format!("{START},Z,0,0,")), "side 'Z', expected X or O"),
            (row(&format!("{START},X,0,0,f5")), "the line f5, which does not lead to its board"),
            (row(&format!("{START},X,0,0,f5f5")), "line 3: found"),
            (row(&format!("{},X,0,0,", &START[..63])), "63"),
            (row(",X,0,0,f5"), "line 3: found side 'X' after f5, expected O"),
            (row("XXX,X,0,0,"), "line 3: found"),
            (
                "line,proven\nf5z9,0\n".to_owned(),
                "line 2: found unreadable move 'z9' at ply 2 of 'f5z9' (character 3), expected a column a-h and \
                 a row 1-8, such as c3",
            ),
            (row(&format!("{},X,0,0,", "-".repeat(64))), "no disc on d4"),
        ] {
            let error = read(&text).expect_err(&text);
            assert!(error.contains(told) && !error.contains('\n'), "{text}: {error}");
        }
        let own = "board,discs,line,guess,draw_seeking,win_seeking,lower,upper,links,rest_move\n";
        assert!(!begins_with_names(own) && !begins_with_names("board,side,value\n"));
        assert!(begins_as_book_table(own));
        let others = "board,discs,proven_lower,proven_upper\n";
        assert!(begins_with_names(others) && !begins_as_book_table(others));
    }
}
