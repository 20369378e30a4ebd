//! Tags of other rules or another board.

use crate::files::games::refused::Why;

/// Whether a tag lets a game be Othello on 8 x 8 squares.
pub(super) fn check_tag(name: &str, value: &str) -> Result<(), Why> {
    let value = value.trim().to_lowercase();
    let is_named = |known: &str| name.eq_ignore_ascii_case(known);
    if is_named("Variant") && ANTI.iter().any(|anti| value.contains(anti)) {
        return Err(Why::anti());
    }
    let sizes = value.split(|c: char| !c.is_alphanumeric() && c != '×');
    let mut sizes = sizes.filter_map(|word| word.split_once(['x', '×']));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let size = match is_named("BoardSize") || is_named("Size") {
        true if is_number(&value) => Some(value.as_str()),
        _ if is_named("Variant") || is_named("BoardSize") || is_named("Size") => sizes
            .find(|&(columns, rows)| is_number(columns) && columns == rows)
            .map(|(columns, _)| columns),
        _ => None,
    };
    match size {
        Some(size) if size != "8" => Err(Why::board_size(size)),
        _ => Ok(()),
    }
}

/// Words for the game in which the fewest discs win.
const ANTI: [&str; 5] = ["anti", "inverse", "reverse", "misere", "misère"];

#[cfg(test)]
mod tests {
    use crate::files::games::testing::{read_text, refused};

    #[test]
    fn other_rules_and_boards_are_refused() {
        for (tag, told) in [
            ("[Variant \"anti\"]", "not Othello: anti-Othello, in which the fewest discs win"),
            ("[variant \"Reverse Othello\"]", "not Othello: anti-Othello, in which the fewest"),
            ("[Variant \"Othello 10x10\"]", "a board of size 10 is not supported, only 8 x 8 is"),
            ("[BoardSize \"10\"]", "a board of size 10 is not supported, only 8 x 8 is"),
            ("[BoardSize \"6×6\"]", "a board of size 6 is not supported, only 8 x 8 is"),
        ] {
            let found = refused(&format!("[Event \"x\"]\n{tag}\n\n1. f5 d6 *\n"));
            assert!(found.starts_with(&format!("test:1 (game 1): {told}")), "{found}");
        }
        for tag in [
            "[Variant \"xot\"]",
            "[Variant \"Reversi\"]",
            "[BoardSize \"8\"]",
            "[Size \"8x8\"]",
            "[Club \"anti\"]",
        ] {
            assert_eq!(
                read_text(&format!("[Event \"x\"]\n{tag}\n\n1. f5 d6 *\n")).len(),
                1,
                "{tag}"
            );
        }
    }
}
