//! Texts with positions: one on each line, or one that takes several lines.

use super::asked::{Asked, AskedError};
use crate::othello::board::Played;
use crate::othello::board::move_text::read_moves;
use crate::othello::board::{board_in, read_diagram, side_to_move};
use crate::othello::text_lines::lines_of;

/// No position that takes several lines is longer, in bytes: the text around a drawn board counts.
const LONGEST: usize = 16 << 10;
/// The most moves on a numbered line, Black's and White's; a pass may be written, too.
const MOST_OF_A_LINE: usize = 2;

/// The positions of a text with one on each line, with the numbers of their lines; the side to move may
/// be on the line below the squares. Empty lines and those that begin with `%` or `#` are left out.
pub(crate) fn read_positions(
    text: &str,
) -> impl Iterator<Item = (usize, Result<Asked, AskedError>)> + use<'_> {
    let mut lines = lines_with_content(text).peekable();
    std::iter::from_fn(move || {
        let (number, line) = lines.next()?;
        let below = lines.peek().filter(|_| has_no_side(line));
        let asked = match below.and_then(|(_, next)| side_to_move(next)) {
            Some(side) => {
                lines.next();
                format!("{line} {}", side.letter()).parse()
            }
            None => line.parse(),
        };
        Some((number, asked))
    })
}

/// Whether a line has a board without its side to move, and nothing else.
fn has_no_side(line: &str) -> bool {
    let board = board_in(line).and_then(Result::ok);
    board.is_some_and(|board| board.said.is_none() && board.behind.trim().is_empty())
}

/// The lines that say something, with their numbers.
fn lines_with_content(text: &str) -> impl Iterator<Item = (usize, &str)> + use<'_> {
    let text = text.trim_start_matches('\u{feff}');
    lines_of(text)
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with(['%', '#']))
        .map(|(index, line)| (index + 1, line))
}

/// The position that all lines of a text make together: a drawn board, or a line of play with a move or two on
/// each numbered line. None where each line stands for itself.
pub(crate) fn one_position(text: &str) -> Option<Result<Asked, AskedError>> {
    if text.len() > LONGEST {
        return None;
    }
    let are_positions = || read_positions(text).any(|(_, asked)| asked.is_ok());
    let drawn = read_diagram(text.trim_start_matches('\u{feff}'));
    match drawn {
        // Positions may have something like rows in a remark.
        Some(Ok(board)) if board.said.is_none() && are_positions() => None,
        Some(Ok(_)) => Some(text.parse()),
        Some(Err(error)) => (!are_positions()).then(|| Err(error.into())),
        None => numbered_moves(text),
    }
}

/// The line of play of lines that are numbered from 1 on. Positions in a list may be numbered, too, each of which can
/// be played from the start: what can only be played as one is one.
fn numbered_moves(text: &str) -> Option<Result<Asked, AskedError>> {
    let mut whole = String::new();
    let (mut lines, mut alone) = (0usize, 0usize);
    for (_, line) in lines_with_content(text) {
        lines += 1;
        let line = line.trim();
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        let (number, behind) = line.split_at(digits);
        let moves = behind.strip_prefix(['.', ')', ':'])?.trim_matches(['.', ' ', '\t']);
        if number.parse() != Ok(lines) || !has_few_moves(moves) {
            return None;
        }
        alone += usize::from(moves.parse::<Asked>().is_ok());
        whole.push_str(moves);
        whole.push(' ');
    }
    if lines < 2 {
        return None;
    }
    let read = whole.trim_end().parse();
    // The first moves of a line can be played alone, those behind them mostly not.
    (read.is_ok() || alone <= lines / 2).then_some(read)
}

/// Whether a text is a move or two, as Black and White make them.
fn has_few_moves(text: &str) -> bool {
    let moves = read_moves(text);
    let mut squares = 0;
    for played in moves {
        match played {
            Played::Square(_) => squares += 1,
            Played::Pass => {}
            _ => return false,
        }
    }
    (1..=MOST_OF_A_LINE).contains(&squares)
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "---------------------------OX------XO---------------------------";

    #[test]
    fn a_text_of_many_lines_says_which_is_bad() {
        let text = format!("\u{feff}f5\n\n% comment\ntiger\r\nf5f5\n{START} X; F5:+2;\n");
        let read: Vec<_> = read_positions(&text).map(|(at, asked)| (at, asked.is_ok())).collect();
        assert_eq!(read, [(1, true), (4, true), (5, false), (6, true)]);
        assert_eq!(one_position(&text), None);
    }

    #[test]
    fn numbered_moves_are_one_line() {
        for (text, line) in [
            ("1. f5\n2. f6\n3. e6\n", "f5f6e6"),
            ("\u{feff}# Ann\n\n1. f5 d6\r\n2. c3 d3\r\n3. c4\r\n", "f5d6c3d3c4"),
            ("1) F5\n2) D6", "f5d6"),
            ("1. f5 d6\n2. c4 d3", "f5d6c4d3"),
        ] {
            let asked = one_position(text).map(|read| read.map(|asked| asked.line.to_string()));
            assert_eq!(asked, Some(Ok(line.to_owned())), "{text}");
        }
        let wrong = one_position("1. f5\n2. f6\n3. a1\n").map(|read| read.unwrap_err().to_string());
        assert!(wrong.is_some_and(|told| told.starts_with("illegal move a1 at ply 3 of")));
        for text in [
            "",
            "1. f5",
            "1. f5\n3. d6",
            "f5\nd6",
            "1. f5d6\n2. f5f6\n3. f5f4",
            "1. f5d6\n2. f5x9\n3. f5f4",
            "1. f5d6c3\n2. d3c4f4",
            "1. tiger\n2. rose",
            &format!("1. {START} X\n2. {START} X\n"),
        ] {
            assert_eq!(one_position(text), None, "{text}");
        }
    }

    /// As problems of Zebra are written.
    #[test]
    fn a_side_may_stand_below_its_squares() {
        let text =
            format!("{START}\nBlack to move\n% ours\n{START}\nX\nf5d6\n{START} x\n{START}\n");
        let read: Vec<(usize, Option<String>)> = read_positions(&text)
            .map(|(number, asked)| (number, asked.ok().map(|asked| asked.line.to_string())))
            .collect();
        let line = |text: &str| Some(text.to_owned());
        assert_eq!(
            read,
            [(1, line("")), (4, line("")), (6, line("f5d6")), (7, line("")), (8, line(""))]
        );
    }

    #[test]
    fn a_drawn_board_is_one_position() {
        let rows: Vec<&str> = (0..8).map(|row| &START[8 * row..][..8]).collect();
        let rows = rows.join("\n");
        for text in [format!("{rows}\nX to move\n"), format!("# ours\n{rows} X\n")] {
            assert_eq!(one_position(&text), Some(Ok(Asked::default())), "{text}");
        }
        let open = one_position(&rows).map(|read| read.map(|asked| asked.is_turn_assumed));
        assert_eq!(open, Some(Ok(true)));
        assert_eq!(one_position(&format!("f5d6\n{rows}\n")), None);
        let many = format!("{START} X; F5:+2;\n").repeat(500);
        assert_eq!(one_position(&many), None);
    }
}
