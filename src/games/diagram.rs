//! A board as people and programs draw it: eight rows of eight squares, with letters and numbers around them or without,
//! and who is to move in a text beside or below.

use thiserror::Error;

use crate::board::{Placed, Position, Side, colour};
use crate::text_lines::lines_of;

/// So many rows in a line are meant as a board.
const LEAST_ROWS: usize = 4;
/// Rows, and squares in each.
const SIDE: usize = 8;

/// Why a drawn board is none.
#[derive(Debug, Error, PartialEq, Eq, Clone, Copy)]
pub enum DiagramError {
    /// Too few rows, or too many.
    #[error("a board of {found} rows: expected 8 rows of 8 squares")]
    Rows {
        /// How many there were.
        found: usize,
    },
    /// The numbers before the rows are not those of a board.
    #[error("the rows of the board are not numbered from 1 to 8")]
    Numbers,
    /// More than one.
    #[error("there are {found} boards: expected one")]
    Several {
        /// How many there were.
        found: usize,
    },
    /// Nobody is said to move.
    #[error(
        "nothing says whose turn it is: expected a line such as 'Black to move' or 'O to move' \
         below the board"
    )]
    NoSide,
    /// Both are.
    #[error("the text beside the board says both that Black and that White is to move")]
    BothSides,
}

/// A row, and what stands beside it.
struct Row<'t> {
    number: Option<usize>,
    squares: [Option<Side>; SIDE],
    beside: &'t str,
}

/// What a text says of whose turn it is, the clearest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Turn {
    /// `Black to move`.
    Moves,
    /// `black must pass`.
    Passes,
    /// A line with nothing but `X`.
    Named,
}

/// Reads the board that is drawn in a text; none where there is nothing like it.
#[must_use]
pub fn read_diagram(text: &str) -> Option<Result<Placed, DiagramError>> {
    let mut boards: Vec<Vec<Row<'_>>> = Vec::new();
    let mut rows: Vec<Row<'_>> = Vec::new();
    let mut said: Vec<(Turn, Side)> = Vec::new();
    for line in lines_of(text) {
        let is_empty = line.trim().is_empty();
        let row = read_row(line);
        // Mails have empty lines between any two.
        if is_empty && rows.len() == SIDE || !is_empty && row.is_none() {
            boards.push(std::mem::take(&mut rows));
        }
        said.extend(turns(row.as_ref().map_or(line, |row| row.beside)));
        rows.extend(row);
    }
    boards.push(rows);
    boards.retain(|rows| rows.len() >= LEAST_ROWS);
    match &boards[..] {
        [] => None,
        [rows] => Some(placed(rows, &said)),
        boards => Some(Err(DiagramError::Several { found: boards.len() })),
    }
}

/// `3 . . . + . . . .  beside`, with or without the number and what stands between the squares.
fn read_row(line: &str) -> Option<Row<'_>> {
    let is_gap = |character: char| character.is_whitespace() || character == '|';
    let mut rest = line.trim_start_matches(is_gap);
    let number = rest.chars().next().and_then(|first| first.to_digit(10));
    let number = number.map(|number| number as usize).filter(|number| (1..=SIDE).contains(number));
    if number.is_some() {
        rest = rest.get(1..)?;
    }
    let mut squares = [None; SIDE];
    let mut is_glued = true;
    for (at, place) in squares.iter_mut().enumerate() {
        is_glued &= at == 0 || !rest.starts_with(is_gap);
        rest = rest.trim_start_matches(is_gap);
        let mut characters = rest.chars();
        *place = square(characters.next()?)?;
        rest = characters.as_str();
    }
    // Behind the eighth square no other follows.
    if rest.starts_with(|next: char| !is_gap(next) && !matches!(next, '1'..='8')) {
        return None;
    }
    let beside = rest.trim_start_matches(is_gap);
    let mut words = beside.split_whitespace();
    let is_squares = |word: &str| word.chars().all(|character| square(character).is_some());
    let goes_on = words.next().is_some_and(|word| {
        let is_empty_square = word.starts_with(|first| square(first) == Some(None));
        let is_last_square = words.next().map_or(!is_glued, is_squares);
        is_squares(word) && (is_empty_square || is_last_square)
    });
    (!goes_on).then_some(Row { number, squares, beside })
}

/// Some disc, an empty square, or nothing that stands on a board. Moves that are legal are marked by some programs.
const fn square(character: char) -> Option<Option<Side>> {
    match character {
        '\u{25cf}' | '\u{26ab}' => Some(Some(Side::Black)),
        '\u{25cb}' | '\u{26aa}' => Some(Some(Side::White)),
        '+' | '\u{b7}' => Some(None),
        letter => colour(letter),
    }
}

/// What a line says of whose turn it is.
fn turns(line: &str) -> Vec<(Turn, Side)> {
    let is_mark = |character| matches!(character, ',' | '.' | ';' | ':' | '!' | '(' | ')');
    let line = line.to_lowercase();
    let words: Vec<&str> = line.split_whitespace().map(|word| word.trim_matches(is_mark)).collect();
    if let [word] = words[..] {
        return side(word).map(|side| (Turn::Named, side)).into_iter().collect();
    }
    let word = |at: usize| words.get(at).copied().unwrap_or_default();
    let said = words.iter().enumerate().filter_map(|(at, &here)| {
        let (turn, behind) = match (here, word(at + 1)) {
            ("to", "move" | "play") => (Turn::Moves, at + 2),
            ("turn", _) => (Turn::Moves, at + 1),
            ("must", "pass") => (Turn::Passes, words.len()),
            _ => return None,
        };
        let before = at.checked_sub(1).map(word).and_then(side);
        let behind = if word(behind) == "is" { behind + 1 } else { behind };
        Some((turn, before.or_else(|| side(word(behind)))?))
    });
    said.collect()
}

/// A side by its name or its sign, in small letters.
fn side(word: &str) -> Option<Side> {
    let name = word.strip_suffix("'s").or_else(|| word.strip_suffix("\u{2019}s")).unwrap_or(word);
    match name {
        "black" => Some(Side::Black),
        "white" => Some(Side::White),
        _ => {
            let mut characters = name.chars();
            let only = characters.next().filter(|_| characters.next().is_none())?;
            square(only).flatten()
        }
    }
}

fn placed(rows: &[Row<'_>], said: &[(Turn, Side)]) -> Result<Placed, DiagramError> {
    if rows.len() != SIDE {
        return Err(DiagramError::Rows { found: rows.len() });
    }
    let numbers: Vec<usize> = rows.iter().filter_map(|row| row.number).collect();
    let is_numbered = numbers.iter().copied().eq(1..=SIDE);
    // Some draw the first row at the bottom.
    let is_upside_down = numbers.iter().copied().eq((1..=SIDE).rev());
    if !(numbers.is_empty() || is_numbered || is_upside_down) {
        return Err(DiagramError::Numbers);
    }
    let (mut black, mut white) = (0u64, 0u64);
    for (at, row) in rows.iter().enumerate() {
        let at = if is_upside_down { SIDE - 1 - at } else { at };
        for (column, disc) in row.squares.iter().enumerate() {
            let bit = 1u64 << (SIDE * at + column);
            match disc {
                Some(Side::Black) => black |= bit,
                Some(Side::White) => white |= bit,
                None => {}
            }
        }
    }
    let position = |side| match side {
        Side::Black => Position { mover: black, opponent: white },
        Side::White => Position { mover: white, opponent: black },
    };
    let clearest = said.iter().map(|(turn, _)| *turn).min();
    let mut sides = said.iter().filter(|(turn, _)| Some(*turn) == clearest).map(|(_, side)| *side);
    let side = match sides.next() {
        Some(side) if sides.all(|other| other == side) => side,
        Some(_) => return Err(DiagramError::BothSides),
        // Nobody moves any more.
        None if position(Side::Black).is_over() => Side::Black,
        None => return Err(DiagramError::NoSide),
    };
    Ok(Placed { position: position(side), side })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After f5 d6, Black to move.
    const ROWS: [&str; 8] = [
        "........", "........", "........", "...OX...", "...OXX..", "...O....", "........",
        "........",
    ];

    fn board(side: char) -> String {
        format!("{} {side}", ROWS.concat().replace('.', "-"))
    }

    fn read(text: &str) -> Result<String, DiagramError> {
        let placed = read_diagram(text).unwrap_or_else(|| panic!("no board: {text}"))?;
        Ok(placed.position.board_text(placed.side))
    }

    #[test]
    fn reads_eight_rows_and_whose_turn_it_is() {
        let glued = ROWS.join("\n");
        let spaced = ROWS.map(|row| row.replace("", " ").trim().to_owned()).join("\r\n");
        let mailed = ROWS.join("\n\n");
        let stars = glued.replace('X', "*").replace('.', "-");
        let round = glued.replace('X', "\u{25cf}").replace('O', "\u{25cb}");
        for rows in [&glued, &spaced, &mailed, &stars, &round] {
            for (said, side) in [
                ("Black to move", 'X'),
                ("White to move.", 'O'),
                ("X to move", 'X'),
                ("* to move", 'X'),
                ("o to play", 'O'),
                ("(White to move)", 'O'),
                ("to move: Black", 'X'),
                ("The side to move is white", 'O'),
                ("White\u{2019}s turn", 'O'),
                ("Turn: X", 'X'),
                ("O", 'O'),
                ("black", 'X'),
                ("White must pass", 'O'),
            ] {
                for text in [format!("{rows}\n{said}\n"), format!("{said}\n\n{rows}")] {
                    assert_eq!(read(&text).as_deref(), Ok(&*board(side)), "{text}");
                }
            }
        }
    }

    #[test]
    fn reads_what_programs_print() {
        let show = "\
  a b c d e f g h   f5d6  Perpendicular Opening
1 . . . . . . . .   black to move, 58 empties
2 . . . . . . . .
3 . . + . . . . .   guess          -2
4 . . + O X . . .   win/draw/loss  0/14/86 %
5 . . + O X X . .   best play      too many lines to follow (show --all-ends does)
6 . . + O . . . .   error          0.82 discs (how far such values are off)
7 . . + . . . . .   to learn       black 1, white many positions
8 . . . . . . . .   searched       24@73% (24 plies, 73 % sure)

 move   guess  w/d/l %  error  searched  book  name
 c3        -2  0/14/86   0.84    18@73%  yes
";
        let play = "\
  a b c d e f g h
1 . . . . . . . .    X black  you                 2 discs
2 . . . . . . . .    O white  rosebill (level 1)  2 discs
3 . . + . . . . .
4 . . + O X . . .    black to move
5 . . + O X X . .
6 . . + O . . . .
7 . . + . . . . .
8 . . . . . . . .
";
        let gtp = "\
=
  a b c d e f g h
1 . . . . . . . .
2 . . . . . . . .
3 . . + . . . . .
4 . . + O X . . .
5 . . + O X X . .
6 . . + O . . . .
7 . . + . . . . .
8 . . . . . . . .
black (X) 3, white (O) 3, black to move
";
        // As two commands of Edax print it.
        let edax = "\
  A B C D E F G H
1 - - - - - - - - 1
2 - - - - - - - - 2 * to move
3 - - . - - - - - 3
4 - - . O * - - - 4 *: discs =  3    moves =  5
5 - - . O * * - - 5 O: discs =  3    moves =  4
6 - - . O - - - - 6  empties = 58      ply =  3
7 - - . - - - - - 7
8 - - - - - - - - 8
  A B C D E F G H
";
        let edax_wide = "\
  A B C D E F G H            BLACK            A  B  C  D  E  F  G  H
1 - - - - - - - - 1         0:00.000       1 |  |  |  |  |  |  |  |  | 1
2 - - - - - - - - 2    3 discs   5 moves   2 |  |  |  |  |  |  |  |  | 2
3 - - . - - - - - 3                        3 |  |  |  |  |  |  |  |  | 3
4 - - . O * - - - 4  ply  3 (58 empties)   4 |  |  |  |()|##|  |  |  | 4
5 - - . O * * - - 5    Black's turn (*)    5 |  |  |  |##|()| 1|  |  | 5
6 - - . O - - - - 6                        6 |  |  |  | 2|  |  |  |  | 6
7 - - . - - - - - 7    3 discs   4 moves   7 |  |  |  |  |  |  |  |  | 7
8 - - - - - - - - 8         0:00.000       8 |  |  |  |  |  |  |  |  | 8
  A B C D E F G H            WHITE            A  B  C  D  E  F  G  H
";
        for text in [show, play, gtp, edax, edax_wide] {
            assert_eq!(read(text).as_deref(), Ok(&*board('X')), "{text}");
        }
        let upside_down: Vec<&str> = gtp.lines().skip(2).take(8).collect();
        let upside_down: Vec<&str> = upside_down.into_iter().rev().chain(["X to move"]).collect();
        assert_eq!(read(&upside_down.join("\n")).as_deref(), Ok(&*board('X')));
        // Who passes is told before who moves then.
        let passed = show.replace("guess  ", "white must pass");
        assert_eq!(read(&passed).as_deref(), Ok(&*board('X')));
    }

    #[test]
    fn says_what_is_missing() {
        let rows = ROWS.join("\n");
        assert_eq!(read(&rows), Err(DiagramError::NoSide));
        assert_eq!(
            read(&format!("{rows}\nWhite to move\nX to move")),
            Err(DiagramError::BothSides)
        );
        assert_eq!(read(&format!("{rows}\n\n{rows}")), Err(DiagramError::Several { found: 2 }));
        assert_eq!(read(&ROWS[1..].join("\n")), Err(DiagramError::Rows { found: 7 }));
        assert_eq!(read(&format!("{rows}\n{}", ROWS[0])), Err(DiagramError::Rows { found: 9 }));
        let numbered = |numbers: [usize; 8]| -> String {
            let rows = ROWS.iter().zip(numbers).map(|(row, number)| format!("{number} {row}\n"));
            rows.chain(["X to move".to_owned()]).collect()
        };
        assert_eq!(read(&numbered([1, 2, 3, 4, 5, 6, 7, 8])).as_deref(), Ok(&*board('X')));
        assert_eq!(read(&numbered([1, 2, 3, 4, 5, 6, 8, 7])), Err(DiagramError::Numbers));
        // The side may stand behind the last row.
        assert_eq!(read(&format!("{rows} X")).as_deref(), Ok(&*board('X')));
        // Nobody can move: nobody need be said to.
        let full = "XXXXXXXX\n".repeat(8);
        assert_eq!(read(&full), Ok(format!("{} X", "X".repeat(64))));
    }

    #[test]
    fn other_texts_have_no_board() {
        let ten = "- - - - - - - - - -\n".repeat(10);
        let nine = "--------0\n".repeat(8);
        let positions =
            "---------------------------OX------XO--------------------------- X\n".repeat(9);
        for text in
            ["", "f5d6c3", "f5d6\nc3d3\nc4f4\nc5b3\n", "--------\n", &ten, &nine, &positions]
        {
            assert!(read_diagram(text).is_none(), "{text}");
        }
    }
}
