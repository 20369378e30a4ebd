//! What is printed of a game that is played.

use std::time::Duration;

use crate::app::Values;
use crate::app::player::{BookHint, Choice, GameInPlay, Reason, Surety};
use crate::faces::cli::board::painted_board;
use crate::faces::cli::terminal::{columns, folded};
use crate::faces::render::{Paint, Painted, found_so_far, how_sure, play};
use crate::files::counted::counted;
use crate::files::games::opening_of_line;
use crate::othello::board::{Placed, Side, Square};
use crate::othello::score::Score;
use crate::othello::search::{MoveScore, Outcome};

/// Blanks between the board and the text beside it.
const BETWEEN: &str = "    ";
/// How wide the board is.
const BOARD: usize = 17;

/// What is beside a side's discs.
pub(super) struct Seat {
    pub(super) who: String,
    pub(super) left: Option<Duration>,
}

/// The board with its legal moves, and beside it the players, discs and clocks, the opening and the
/// last move.
pub(super) fn board(game: &GameInPlay, seats: [&Seat; 2], width: usize) -> Vec<Painted> {
    let now = game.now();
    let last = game.plies().iter().rev().find_map(|ply| ply.square);
    let marks: Vec<_> = last.map(|square| (square, Paint::Last)).into_iter().collect();
    let rows = painted_board(now, &marks);
    let [black, white] = discs(now);
    let [black_seat, white_seat] = seats;
    let who = columns(&black_seat.who).max(columns(&white_seat.who));
    let seat = |letter: char, side: Side, seat: &Seat, discs: u32| {
        let left = seat.left.map(|left| format!("   {}", clock(left))).unwrap_or_default();
        let discs = counted(discs, "disc");
        let blanks = " ".repeat(who - columns(&seat.who));
        format!("{letter} {:<5}  {}{blanks}  {discs}{left}", side.name(), seat.who)
    };
    let mut beside = vec![
        String::new(),
        seat('X', Side::Black, black_seat, black),
        seat('O', Side::White, white_seat, white),
        String::new(),
    ];
    let line = game.line();
    if let Some(name) = opening_of_line(&line) {
        beside.push(name.to_owned());
    }
    if let Some(last) = last {
        let number = line.len();
        beside.push(format!("move {number}: {last}"));
    }
    if !game.is_over() {
        beside.push(format!("{} to move", now.side));
    }
    let room = width.saturating_sub(BOARD + BETWEEN.len()).max(20);
    let beside: Vec<String> = beside.iter().flat_map(|text| folded(text, ", ", 2, room)).collect();
    let row = |(index, left): (usize, Painted)| match beside.get(index) {
        Some(text) if !text.is_empty() => left.then(None, format!("{BETWEEN}{text}")),
        _ => left,
    };
    rows.into_iter().enumerate().map(row).collect()
}

/// Discs of Black and of White.
fn discs(placed: Placed) -> [u32; 2] {
    let (mover, other) =
        (placed.position.mover.count_ones(), placed.position.opponent.count_ones());
    if placed.side == Side::Black { [mover, other] } else { [other, mover] }
}

/// `4:58`, `0:09.3`: tenths where they count.
pub(super) fn clock(left: Duration) -> String {
    let (minutes, seconds) = (left.as_secs() / 60, left.as_secs() % 60);
    match left.as_secs() {
        ..20 => format!("{minutes}:{seconds:02}.{}", left.subsec_millis() / 100),
        _ => format!("{minutes}:{seconds:02}"),
    }
}

/// Why rosebill plays a move, in a few words.
pub(super) fn reason(choice: &Choice, side: Side, empties: u8, games: Option<u64>) -> String {
    match &choice.reason {
        Reason::Pass => String::new(),
        Reason::Only => "the only move".to_owned(),
        Reason::Book(values) => {
            format!("book, {} for {side}{}", value(*values), games_text(games))
        }
        Reason::Searched(found) => {
            let surety = Surety::of_outcome(found, empties);
            format!("{} for {side}, {}", shown(found.value), how_sure(surety))
        }
    }
}

fn games_text(games: Option<u64>) -> String {
    match games {
        Some(0) | None => String::new(),
        Some(games) => format!(", {}", counted(games, "game")),
    }
}

/// A hint with the line of play behind it, no longer than fits.
pub(super) fn book_hint(hint: &BookHint, line: &[Square], width: usize) -> String {
    let BookHint { found, values, surety, games } = hint;
    let games = games_text(Some(*games));
    let text =
        format!("  {}  {:>6}  book, {}{games}", found.square, value(*values), how_sure(*surety));
    with_line(text, line, width)
}

pub(super) fn searched_hint(found: &MoveScore, empties: u8, width: usize) -> String {
    let surety = how_sure(Surety::of_move(found, empties));
    let text = format!("  {}  {:>6}  {surety}", found.square, shown(found.value));
    with_line(text, &found.line, width)
}

/// A text with so many moves of a line behind it as fit; the first of them stands in the text.
fn with_line(text: String, line: &[Square], width: usize) -> String {
    let room = width.saturating_sub(columns(&text) + 2) / 2;
    let line = play(line.iter().take(room));
    if line.len() > 2 { format!("{text}  {line}") } else { text }
}

/// What a search has found so far, in one line.
pub(super) fn thinking(
    found: Option<&Outcome>,
    empties: u8,
    (nodes, time): (u64, Duration),
    width: usize,
) -> String {
    let Some(found) = found else { return format!("thinking  {:.1} s", time.as_secs_f64()) };
    let text = |moves| found_so_far(found, empties, (nodes, time), moves);
    let room = width.saturating_sub(columns(&text(0)) + 2) / 2;
    text(room)
}

/// The board with values on its empty squares.
pub(super) fn values_board(placed: Placed, values: &[(Square, Score, Surety)]) -> Vec<String> {
    let squares: Vec<char> = placed.position.squares_text(placed.side).chars().collect();
    let cell = |square: Square| {
        let known = values.iter().find(|(known, ..)| *known == square);
        let disc = squares.get(square.index()).copied().unwrap_or('-');
        known.map_or_else(
            || if disc == '-' { ".".to_owned() } else { disc.to_string() },
            |&(_, value, _)| shown(value),
        )
    };
    let head = ('a'..='h').fold(" ".to_owned(), |head, column| head + &format!("{column:>8}"));
    let all: Vec<Square> = Square::all().collect();
    let rows = all.chunks(8).zip(1..).map(|(row, number)| {
        row.iter().fold(format!("{number}"), |line, &square| line + &format!("{:>8}", cell(square)))
    });
    std::iter::once(head).chain(rows).collect()
}

fn value(values: Values) -> String {
    shown(values.guess)
}

/// A value with its sign; what is even has none.
fn shown(score: Score) -> String {
    score.to_string()
}

/// How a game ended.
pub(super) fn result(black_less_white: i8) -> String {
    let black = (64 + i16::from(black_less_white)) / 2;
    let (more, less) = (black.max(64 - black), black.min(64 - black));
    match black_less_white {
        0 => "The game is over: a draw, 32-32.".to_owned(),
        1.. => format!("The game is over: black wins {more}-{less}."),
        _ => format!("The game is over: white wins {more}-{less}."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_and_results_for_people() {
        assert_eq!(clock(Duration::from_millis(298_900)), "4:58");
        assert_eq!(clock(Duration::from_millis(9_390)), "0:09.3");
        assert_eq!(result(10), "The game is over: black wins 37-27.");
        assert_eq!(result(-64), "The game is over: white wins 64-0.");
        assert_eq!(result(0), "The game is over: a draw, 32-32.");
    }
}
