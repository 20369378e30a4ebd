//! Which format a file has, told by its content.

use super::charset::Charset;
use super::format::GameFormat;
use super::table::{Columns, is_of_positions};
use super::transcript::looks_like_a_transcript;
use super::wthor::HeadOf;
use crate::text_lines::lines_of;

/// Lines that are looked at for a game.
const MOST_LINES: usize = 50;

/// What a file is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sniffed {
    Games(GameFormat),
    /// Names of WTHOR: no games, but nothing wrong.
    Names,
    /// None of ours, with a hint.
    Unknown(&'static str),
}

/// Tells a format from the first bytes of a file, in UTF-8 unless they are WTHOR's.
pub(super) fn sniff(head: &[u8], charset: Charset) -> Sniffed {
    match HeadOf::tell(head) {
        Some(HeadOf::Games) => return Sniffed::Games(GameFormat::Wthor),
        Some(HeadOf::Names) => return Sniffed::Names,
        None => {}
    }
    let mut charset = charset;
    let text = charset.decode(head);
    let text = text.trim_start_matches('\u{feff}');
    // Blanks before a row of a table are fields.
    let rows = || lines_of(text).filter(|line| !line.trim().is_empty()).take(MOST_LINES);
    let text = text.trim_start();
    let games = |format| Sniffed::Games(format);
    let lines = || rows().map(str::trim);
    let is_pgn =
        || lines().any(|line| line.starts_with("[Event \"") || line.starts_with("[Black \""));
    match text.chars().next() {
        // Nothing is a text without games.
        None => return games(GameFormat::Transcript),
        // A comment may stand before PGN.
        Some('{') if !is_pgn() => return games(GameFormat::Json),
        Some('[') => {
            let inside = text.get(1..).unwrap_or_default().trim_start();
            let is_tag = inside.starts_with(|c: char| c.is_ascii_alphabetic());
            return games(if is_tag { GameFormat::Pgn } else { GameFormat::Json });
        }
        _ => {}
    }
    if let Some(format) = in_parentheses(text) {
        return games(format);
    }
    if rows().next().is_some_and(is_of_positions) {
        return Sniffed::Unknown(
            "a table of positions, not of games: 'rosebill import FILE' takes proven values",
        );
    }
    if let Some(columns) = rows().next().and_then(Columns::read) {
        // A field without an end costs no line its look.
        let games_of = columns.rows(rows().skip(1));
        // Of the first games some may have no moves.
        if games_of.iter().any(|row| columns.moves(row).is_some())
            || rows().skip(1).any(|row| columns.moves(row).is_some())
        {
            return games(GameFormat::Table);
        }
        if !lines().any(looks_like_a_transcript) {
            return match games_of.iter().all(|row| columns.has_no_moves(row)) {
                true => games(GameFormat::Table),
                false => Sniffed::Unknown("a table without a column that holds moves"),
            };
        }
    }
    if is_pgn() {
        return games(GameFormat::Pgn);
    }
    if lines().any(looks_like_a_transcript) {
        return games(GameFormat::Transcript);
    }
    if lines().all(|line| line.starts_with(['#', '%'])) {
        return games(GameFormat::Transcript);
    }
    Sniffed::Unknown(
        "expected WTHOR, GGF, PGN, SGF, JSON, a table with a column of moves, or a game a line",
    )
}

/// SGF or GGF, perhaps with GGS's count before it.
fn in_parentheses(text: &str) -> Option<GameFormat> {
    let start = text.find("(;").filter(|&at| {
        let before = text.get(..at).unwrap_or_default().trim();
        before.is_empty()
            || before.bytes().all(|byte| byte.is_ascii_digit())
            || before.starts_with('#')
    })?;
    let game = text.get(start..)?;
    let kind = game.find("GM[").and_then(|at| game.get(at + 3..));
    Some(match kind {
        Some(kind) if kind.trim_start().starts_with(|c: char| c.is_ascii_digit()) => {
            GameFormat::Sgf
        }
        Some(_) => GameFormat::Ggf,
        None if game.contains("BO[8") => GameFormat::Ggf,
        None => GameFormat::Sgf,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_by_content() {
        for (text, format) in [
            ("", GameFormat::Transcript),
            (" \n\t\n", GameFormat::Transcript),
            ("# nothing yet\n", GameFormat::Transcript),
            ("f5", GameFormat::Transcript),
            ("\u{feff}1. F5 D6", GameFormat::Transcript),
            ("Games of our club\n\nf5d6c3\n", GameFormat::Transcript),
            ("A 25-39 B :  F5D6C3", GameFormat::Transcript),
            ("f5,d6,c3\n", GameFormat::Transcript),
            ("[Event \"x\"]\n", GameFormat::Pgn),
            ("\n[Event", GameFormat::Pgn),
            ("{by hand}\n[Event \"x\"]\n", GameFormat::Pgn),
            ("; made by x\n[Event \"x\"]\n", GameFormat::Pgn),
            ("[{\"moves\":\"\"}]", GameFormat::Json),
            ("{\"position\":", GameFormat::Json),
            ("(;GM[2]FF[4]", GameFormat::Sgf),
            ("(;FF[4]\nGM[2]", GameFormat::Sgf),
            ("(;GM[1]", GameFormat::Sgf),
            ("(;GM[Othello]", GameFormat::Ggf),
            ("1 (;GM[Othello]", GameFormat::Ggf),
            ("id,moves\n1,f5d6", GameFormat::Table),
            ("line\tmoves\n1\tf5", GameFormat::Table),
            ("moves,black\n,one\nf5d6,two", GameFormat::Table),
            ("black,moves\none,\n", GameFormat::Table),
            ("event\tblack\tmoves\n\tone\tf5d6", GameFormat::Table),
            ("\tblack\tmoves\n0\tone\tf5d6", GameFormat::Table),
            ("event,black,moves\n\"cup,\nround 1\",one,f5d6", GameFormat::Table),
            ("event,moves\n\"cup,\nb,f5d6", GameFormat::Table),
        ] {
            assert_eq!(sniff(text.as_bytes(), Charset::Utf8), Sniffed::Games(format), "{text}");
        }
        for text in [
            "line\tmoves\n1\t60\n",
            "board,side,proven_lower,proven_upper,line\n---,X,0,0,f5d6\n",
            "board,discs,line,guess,draw_seeking,win_seeking,rest_move\n---,5,f5,0,0,0,d6\n",
            "Games of our club, 2003\n",
            "| file | not f5 |\n|---|---|---|---|\n",
            "<html><body>f5 was the first move</body></html>",
            "\0\0\0\0\0\0",
            "\u{7f}ELF\u{1}",
        ] {
            assert!(matches!(sniff(text.as_bytes(), Charset::Utf8), Sniffed::Unknown(_)), "{text}");
        }
    }
}
