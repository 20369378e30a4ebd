//! A line as boards, so that a page need not know the rules to draw it.

use serde::Serialize;

use crate::app::json::object;
use crate::files::games::{opening_name, openings_along};
use crate::othello::board::{After, Key, Line, Placed, Square};

/// The boards of a line, the one that it starts from first.
pub fn path_json(line: &Line) -> Vec<impl Serialize + use<>> {
    let start = line.start();
    let first = match line.steps().first() {
        Some(step) => step.before,
        None => line.end().unwrap_or(start),
    };
    let passed = first.side != start.side;
    let mut path = vec![board_json(first, None, passed)];
    for (index, step) in line.steps().iter().enumerate() {
        let next = line.steps().get(index + 1).map_or_else(|| line.board(), |next| next.before);
        let passed = matches!(step.after, After::Same(_));
        path.push(board_json(next, Some(step.square), passed));
    }
    path
}

/// The names that the positions of a line have.
pub fn names_json(line: &Line) -> Vec<impl Serialize + use<>> {
    openings_along(line)
        // After so many moves.
        .map(|(ply, opening)| object! { ply, name: opening.name, also: &opening.also })
        .collect()
}

/// A board on the way, with the move that led there, and whether the other side had to pass before this one moves.
fn board_json(placed: Placed, square: Option<Square>, passed: bool) -> impl Serialize {
    object! {
        board: placed.position.squares_text(placed.side),
        side: placed.side,
        r#move: square,
        name: opening_name(Key::of(placed.position)),
        passed,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, to_value};

    use super::*;

    fn path(line: &Line) -> Vec<Value> {
        path_json(line).iter().map(|step| to_value(step).unwrap()).collect()
    }

    #[test]
    fn a_path_has_every_board_and_says_who_passed() {
        let path_of = path(&"f5d6c3".parse().unwrap());
        let sides: Vec<_> = path_of.iter().filter_map(|step| step["side"].as_str()).collect();
        assert_eq!(sides, ["black", "white", "black", "white"]);
        assert_eq!(path_of[2]["name"], "Perpendicular Opening");
        assert!(path_of.iter().all(|step| step["passed"] == false));
        assert_eq!(path_of[3]["move"], "c3");
        // Black must pass on this board; White then moves, and again.
        let board = "--OOO----X-O------XX-------XX------XXX-------------------------- X";
        let asked: crate::files::games::Asked = board.parse().unwrap();
        let start = &path(&asked.line)[0];
        assert_eq!((&start["side"], &start["passed"]), (&"white".into(), &true.into()));
        let last = path(&"e6f4e3f6g5d6e7f5c5".parse().unwrap()).pop().unwrap();
        assert!(!last["board"].as_str().unwrap().contains('O'), "White is wiped out: {last}");
    }
}
