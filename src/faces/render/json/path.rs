//! A line as boards, so that a page need not know the rules to draw it.

use serde::Serialize;

use crate::files::games::{opening_name, openings_along};
use crate::othello::board::{After, Key, Line, Placed};

/// A board on the way, with the move that led there.
#[derive(Serialize, Debug)]
pub struct PathJson {
    board: String,
    /// The side to move here.
    side: char,
    #[serde(rename = "move")]
    square: Option<String>,
    name: Option<&'static str>,
    /// Whether the other side had to pass before this one moves.
    passed: bool,
}

/// A name along a line.
#[derive(Serialize, Debug)]
pub struct NameJson {
    /// After so many moves.
    ply: usize,
    name: &'static str,
    also: &'static [&'static str],
}

/// The boards of a line, the one that it starts from first.
pub fn path_json(line: &Line) -> Vec<PathJson> {
    let start = line.start();
    let first = match line.steps().first() {
        Some(step) => step.before,
        None => line.end().unwrap_or(start),
    };
    let passed = first.side != start.side;
    let mut path = vec![PathJson::of(first, None, passed)];
    for (index, step) in line.steps().iter().enumerate() {
        let next = line.steps().get(index + 1).map_or_else(|| line.board(), |next| next.before);
        let passed = matches!(step.after, After::Same(_));
        path.push(PathJson::of(next, Some(step.square.to_string()), passed));
    }
    path
}

/// The names that the positions of a line have.
pub fn names_json(line: &Line) -> Vec<NameJson> {
    openings_along(line)
        .map(|(ply, opening)| NameJson { ply, name: opening.name, also: &opening.also })
        .collect()
}

impl PathJson {
    fn of(placed: Placed, square: Option<String>, passed: bool) -> Self {
        Self {
            board: placed.position.squares_text(placed.side),
            side: placed.side.letter(),
            square,
            name: opening_name(Key::of(placed.position)),
            passed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_every_board_and_says_who_passed() {
        let line: Line = "f5d6c3".parse().unwrap();
        let path = path_json(&line);
        let sides: String = path.iter().map(|entry| entry.side).collect();
        assert_eq!((path.len(), sides.as_str()), (4, "XOXO"));
        assert_eq!(path[2].name, Some("Perpendicular Opening"));
        assert!(path.iter().all(|entry| !entry.passed && entry.board.len() == 64));
        assert_eq!(path[3].square.as_deref(), Some("c3"));
        // Black must pass on this board; White then moves, and again.
        let board = "--OOO----X-O------XX-------XX------XXX-------------------------- X";
        let asked: crate::files::games::Asked = board.parse().unwrap();
        let start = &path_json(&asked.line)[0];
        assert_eq!((start.side, start.passed), ('O', true));
        let whole: Line = "e6f4e3f6g5d6e7f5c5".parse().unwrap();
        let path = path_json(&whole);
        let last = path.last().unwrap();
        assert!(!last.board.contains('O'), "White is wiped out: {}", last.board);
    }
}
