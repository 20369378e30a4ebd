//! A board as people and programs draw it: eight rows of eight squares, with letters and numbers around them or without,
//! and the side to move in a text beside or below.

use super::board_text::BoardText;
use super::error::BoardError;
use super::squares::{digit, is_gap, square};
use super::turn::{Turn, turns};
use crate::othello::board::Side;
use crate::othello::text_lines::lines_of;

/// So many rows in a line are meant as a board.
const LEAST_ROWS: usize = 4;
/// Rows, and squares in each.
const SIDE: usize = 8;

/// A row, and the text beside it.
struct Row<'t> {
    number: Option<usize>,
    squares: [Option<Side>; SIDE],
    beside: &'t str,
}

/// Reads the board that is drawn in the lines of a text; none where there is nothing like it.
pub(crate) fn read_diagram(text: &str) -> Option<Result<BoardText<'_>, BoardError>> {
    // Zeros are discs among letters, and empty squares among digits: rows of digits have no
    // letters.
    let in_digits = read_drawn(text, digit);
    let has_discs = |board: &BoardText<'_>| board.black | board.white != 0;
    match in_digits {
        Some(Ok(board)) if has_discs(&board) => in_digits,
        _ => read_drawn(text, square),
    }
}

/// Classifies a sign: some disc, an empty square, or none of a board.
type Sign = fn(char) -> Option<Option<Side>>;

/// Reads the board that is drawn in these signs.
fn read_drawn(text: &str, sign: Sign) -> Option<Result<BoardText<'_>, BoardError>> {
    let mut boards: Vec<Vec<Row<'_>>> = Vec::new();
    let mut rows: Vec<Row<'_>> = Vec::new();
    let mut said: Vec<(Turn, Side)> = Vec::new();
    for line in lines_of(text) {
        // Mails have empty lines between any two, and some programs rules.
        let is_empty = line.trim().is_empty() || is_rule(line);
        let row = read_row(line, sign);
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
        [rows] => Some(board(rows, &said)),
        boards => Some(Err(BoardError::Several { found: boards.len() })),
    }
}

/// `3 . . . + . . . .  beside`, with or without the number and the marks between the squares.
fn read_row(line: &str, sign: Sign) -> Option<Row<'_>> {
    let mut rest = line.trim_start_matches(is_gap);
    let number = rest.chars().next().and_then(|first| first.to_digit(10));
    let signs = || {
        line.chars()
            .filter(|&c| !is_gap(c))
            .take_while(|&c| c.is_ascii_digit() || sign(c).is_some())
    };
    // A digit may be the first square.
    let is_number = |number: &usize| {
        (1..=SIDE).contains(number) && (sign('1').is_none() || signs().count() > SIDE)
    };
    let number = number.map(|number| number as usize).filter(is_number);
    if number.is_some() {
        rest = rest.get(1..)?;
    }
    let mut squares = [None; SIDE];
    let mut is_glued = true;
    for (at, place) in squares.iter_mut().enumerate() {
        is_glued &= at == 0 || !rest.starts_with(is_gap);
        rest = rest.trim_start_matches(is_gap);
        let mut characters = rest.chars();
        *place = sign(characters.next()?)?;
        rest = characters.as_str();
    }
    // Behind the eighth square no other follows.
    if rest.starts_with(|next: char| !is_gap(next) && !matches!(next, '1'..='8')) {
        return None;
    }
    let beside = rest.trim_start_matches(is_gap);
    let mut words = beside.split_whitespace();
    let is_squares = |word: &str| word.chars().all(|character| sign(character).is_some());
    let goes_on = words.next().is_some_and(|word| {
        let is_empty_square = word.starts_with(|first| sign(first) == Some(None));
        let is_last_square = words.next().map_or(!is_glued, is_squares);
        is_squares(word) && (is_empty_square || is_last_square)
    });
    (!goes_on).then_some(Row { number, squares, beside })
}

/// Whether a line is a rule between rows: longer than a row, and drawn.
fn is_rule(line: &str) -> bool {
    let is_drawn =
        |sign: char| matches!(sign, '-' | '+' | '=' | '|' | ' ' | '\u{2500}'..='\u{257f}');
    line.trim().chars().count() > 2 * SIDE && line.chars().all(is_drawn)
}

fn board(rows: &[Row<'_>], said: &[(Turn, Side)]) -> Result<BoardText<'static>, BoardError> {
    if rows.len() != SIDE {
        return Err(BoardError::Rows { found: rows.len() });
    }
    let numbers: Vec<usize> = rows.iter().filter_map(|row| row.number).collect();
    let is_numbered = numbers.iter().copied().eq(1..=SIDE);
    // Some draw the first row at the bottom.
    let is_upside_down = numbers.iter().copied().eq((1..=SIDE).rev());
    if !(numbers.is_empty() || is_numbered || is_upside_down) {
        return Err(BoardError::Numbers);
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
    let clearest = said.iter().map(|(turn, _)| *turn).min();
    let mut sides = said.iter().filter(|(turn, _)| Some(*turn) == clearest).map(|(_, side)| *side);
    let said = match sides.next() {
        Some(side) if !sides.all(|other| other == side) => return Err(BoardError::BothSides),
        side => side,
    };
    Ok(BoardText { black, white, said, behind: "" })
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

    fn read(text: &str) -> Result<String, BoardError> {
        let board = read_diagram(text).unwrap_or_else(|| panic!("no board: {text}"))?;
        let placed = board.placed()?;
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
        // A pass is mentioned before the side that moves then.
        let passed = show.replace("guess  ", "white must pass");
        assert_eq!(read(&passed).as_deref(), Ok(&*board('X')));
    }

    #[test]
    fn says_what_is_missing() {
        let rows = ROWS.join("\n");
        let open = read_diagram(&rows).map(|board| board.map(|board| board.leaves_turn_open()));
        assert_eq!(open, Some(Ok(true)));
        assert_eq!(read(&rows).as_deref(), Ok(&*board('X')), "six discs");
        let odd = rows.replacen("...OX...", "..XXX...", 1);
        assert!(read(&odd.replacen("........", ".......X", 1)).is_ok());
        assert_eq!(
            read(&rows.replacen("........", ".......X", 1)),
            Err(BoardError::Turn { discs: 7 })
        );
        assert_eq!(read(&format!("{rows}\nWhite to move\nX to move")), Err(BoardError::BothSides));
        assert_eq!(read(&format!("{rows}\n\n{rows}")), Err(BoardError::Several { found: 2 }));
        assert_eq!(read(&ROWS[1..].join("\n")), Err(BoardError::Rows { found: 7 }));
        assert_eq!(read(&format!("{rows}\n{}", ROWS[0])), Err(BoardError::Rows { found: 9 }));
        let numbered = |numbers: [usize; 8]| -> String {
            let rows = ROWS.iter().zip(numbers).map(|(row, number)| format!("{number} {row}\n"));
            rows.chain(["X to move".to_owned()]).collect()
        };
        assert_eq!(read(&numbered([1, 2, 3, 4, 5, 6, 7, 8])).as_deref(), Ok(&*board('X')));
        assert_eq!(read(&numbered([1, 2, 3, 4, 5, 6, 8, 7])), Err(BoardError::Numbers));
        // The side may follow the last row.
        assert_eq!(read(&format!("{rows} X")).as_deref(), Ok(&*board('X')));
        // Neither side can move: the text need not name one.
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
