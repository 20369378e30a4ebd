//! A board that is drawn in rows above the moves that start from it.

use crate::files::fault::Place;
use crate::othello::board::{is_board_sign, read_diagram};

/// Rows of a board, and squares in each.
const SIDE: usize = 8;

/// The rows of a board so far.
#[derive(Default)]
pub(super) struct Drawn {
    lines: Vec<(u64, String)>,
    rows: usize,
}

/// What a line behind rows is.
pub(super) enum Row {
    /// One more row, or the first, or what frames them.
    Taken,
    /// Behind a board: where that begins, its text, and whether the line is part of it.
    Board(Place, String, bool),
    /// The end of rows that are no board: those lines.
    Lines(Vec<(u64, String)>),
}

impl Drawn {
    pub(super) fn take(&mut self, number: u64, line: &str) -> Row {
        let is_next = self.rows < SIDE && is_row(line);
        if is_next || (!self.lines.is_empty() && is_frame(line)) {
            self.lines.push((number, line.to_owned()));
            self.rows += usize::from(is_next);
            return Row::Taken;
        }
        let lines = std::mem::take(&mut self.lines);
        let rows = std::mem::take(&mut self.rows);
        if rows != SIDE {
            return Row::Lines(lines);
        }
        let board: String = lines.iter().map(|(_, line)| format!("{line}\n")).collect();
        let first = lines.first().map_or(number, |(number, _)| *number);
        match read_diagram(&board) {
            Some(Ok(drawn)) => {
                // The side to move may be below.
                let more = format!("{board}{line}\n");
                let says_more = drawn.said.is_none()
                    && matches!(read_diagram(&more), Some(Ok(board)) if board.said.is_some());
                let board = if says_more { more } else { board };
                Row::Board(Place::Line(first), board, says_more)
            }
            _ => Row::Lines(lines),
        }
    }
}

/// Whether a line may be a row of a board: eight signs of squares, with or without its number around them.
fn is_row(line: &str) -> bool {
    let is_gap = |c: char| c.is_whitespace() || matches!(c, '|' | '│' | '┃' | '｜');
    let line = line.trim_matches(is_gap);
    let line = line.trim_start_matches(|c: char| ('1'..='8').contains(&c));
    let signs = || line.chars().filter(|&c| !is_gap(c));
    let squares = signs().take(SIDE).filter(|&c| is_board_sign(c)).count();
    let is_word = line.len() == SIDE && line.chars().all(char::is_alphabetic);
    // What a program writes beside its rows.
    let behind: String = signs().skip(SIDE).collect();
    squares == SIDE && !is_word && (behind.len() <= 1 || line.contains("  "))
}

/// The most bytes of a line that may be a frame.
const LONGEST_FRAME: usize = 400;

/// Whether a line is the letters of the columns, or a rule between rows.
pub(super) fn is_frame(line: &str) -> bool {
    // A rest of a line that holds many games is no frame, and it is looked at once for each.
    if line.len() > LONGEST_FRAME {
        return false;
    }
    let letters: String = line.chars().filter(|c| c.is_alphanumeric()).collect();
    let signs: String = line.chars().filter(|c| !c.is_whitespace()).collect();
    let is_rule = |c: char| matches!(c, '-' | '+' | '=' | '|' | '\u{2500}'..='\u{257f}');
    letters.eq_ignore_ascii_case("abcdefgh") && signs.len() <= letters.len() + 10
        || (signs.chars().count() > 2 * SIDE && signs.chars().all(is_rule))
}

#[cfg(test)]
mod tests {
    use crate::files::games::testing::{read_all, read_text};
    use crate::othello::board::Side;

    const ROWS: [&str; 8] = [
        "........", "........", "........", "...ox...", "...xxx..", "........", "........",
        "........",
    ];

    #[test]
    fn moves_start_from_the_board_above_them() {
        let glued = ROWS.join("\n");
        let numbered: Vec<String> =
            ROWS.iter().zip(1..).map(|(row, number)| format!("{number} {row}")).collect();
        let signed = |[black, white, empty]: [&str; 3]| {
            glued.replace('x', black).replace('o', white).replace('.', empty)
        };
        let parted = ROWS.map(|row| row.chars().map(|c| format!("{c} ")).collect::<String>());
        for text in [
            format!("{glued}\nO to move\nd6c3d3\n"),
            format!("{glued}\nWhite to move\n\nd6c3d3\n"),
            format!("{glued}\nTurn: white\nMoves: d6c3d3\n"),
            format!("{glued}\n\nd6 c3 d3\n"),
            format!(
                "  abcdefgh\n{}\n  abcdefgh\nwhite to move\n1. d6 c3 2. d3\n",
                numbered.join("\n")
            ),
            format!("a b c d e f g h\n{}\nwhite to move\nd6c3d3\n", parted.join("\n")),
            format!("Ann - Bob\n\n{glued}\nO to move\n\nd6c3d3\n"),
            format!("{}\nO to move\nd6c3d3\n", glued.replace('x', "#")),
            format!("{}\nO to move\nd6c3d3\n", signed(["●", "○", "·"])),
            format!("{}\nO to move\nd6c3d3\n", signed(["●", "○", "・"])),
            format!("{}\n白番\nd6c3d3\n", signed(["黒", "白", "＋"])),
            format!("{}\nO to move\nd6c3d3\n", signed(["⚫", "⚪", "🟩"])),
            format!("{}\nO to move\nd6c3d3\n", signed(["◆", "◇", "~"])),
        ] {
            let game = read_text(&text).remove(0).game;
            assert_eq!((game.start.side, game.moves.len()), (Side::White, 3), "{text}");
            assert_eq!(game.start.position.mover.count_ones(), 1, "{text}");
        }
    }

    #[test]
    fn a_board_that_no_moves_start_from_is_no_game() {
        let glued = ROWS.join("\n");
        let (games, defects) =
            read_all(&format!("f5d6c3d3c4\n\n{glued}\nO to move\n\nf5f6e6f4g5\n"));
        assert_eq!((games.len(), defects.len()), (1, 1), "{defects:?}");
        let (games, defects) = read_all(&format!("f5d6c3d3c4\n\n{glued}\nO to move\n"));
        assert_eq!((games.len(), defects.len()), (1, 1), "{defects:?}");
        assert!(defects[0].contains("without them it is a position"), "{}", defects[0]);
        // Two boards, each with its game.
        let board = format!("{glued}\nO to move\n");
        let games = read_text(&format!("{board}d6c3d3\n\n{board}f4c3e6\n"));
        assert_eq!(games.iter().map(|read| read.game.moves.len()).collect::<Vec<_>>(), [3, 3]);
        // Fewer rows are none.
        let (games, _) = read_all("f5d6c3d3c4\n........\n........\nf5f6e6f4g5\n");
        assert_eq!(games.len(), 2);
    }

    #[test]
    fn moves_go_on_behind_a_diagram_of_the_game() {
        let rows =
            ["........", "........", "..x.....", "...xx...", "...oxx..", "...o....", "........"];
        let board = format!("{}\n........\n", rows.join("\n"));
        for text in [
            format!("f5 d6 c3\n{board}d3 c4 f4 f6\n"),
            format!("f5\nd6 c3\n{board}O to move\nd3 c4 f4 f6\n"),
            format!("f5 d6 c3\n\n{board}\nd3 c4 f4 f6\n"),
            format!("f5 d6 c3\n\n{board}d3 c4 f4 f6\n"),
        ] {
            let games = read_text(&text);
            let lines: Vec<String> =
                games.iter().map(|read| read.game.line().to_string()).collect();
            assert_eq!(lines, ["f5d6c3d3c4f4f6"], "{text}");
        }
        // Another game is none of it.
        let games = read_text(&format!("f5 d6 c3\n{board}f5f6e6f4\n"));
        assert_eq!(games.iter().map(|read| read.game.moves.len()).collect::<Vec<_>>(), [3, 4]);
    }
}
