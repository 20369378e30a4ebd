//! The format of a file, recognized by its content.

use super::bracketed_format as kind_of;
use super::brackets::{begins_as_games_do, behind_a_count, behind_semicolon};
use super::draft::MIRRORED;
use super::pgn::begins_a_tag;
use super::replay::{Entry, replay};
use super::table::{Columns, MOST_TITLES, is_of_positions, stands_before_names};
use super::transcript::{
    are_foreign, are_positions, begins_a_game, hold_a_game, is_comment, is_of_edax,
    looks_like_a_transcript,
};
use super::vocabulary::{Label, label_of};
use super::wthor::HeadOf;
use super::xof::is_xof;
use super::{EXPECTED, GameFormat};
use crate::files::books::is_our_book;
use crate::files::charset::{Charset, text_of};
use crate::files::packed::as_archive;
use crate::openbook::Hint;
use crate::othello::board::move_text::MoveText;
use crate::othello::board::{Placed, Played, board_in, read_diagram};
use crate::othello::text_lines::lines_of;

/// Lines that are looked at for a game.
const MOST_LINES: usize = 50;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Sniffed {
    Games(GameFormat),
    /// Names of WTHOR: no games, but nothing wrong.
    Names,
    /// A book of ours, whose lines are objects as those of games are.
    Book,
    /// None of ours: what it looks like, or what was expected.
    Unknown(&'static str, Option<Hint>),
}

/// Recognizes a format by the first bytes of a file, in UTF-8 unless they are WTHOR's.
pub(super) fn sniff(head: &[u8], charset: Charset) -> Sniffed {
    if let Some(archive) = as_archive(head) {
        return Sniffed::Unknown(archive, None);
    }
    match HeadOf::tell(head) {
        Some(HeadOf::Games) => return Sniffed::Games(GameFormat::Wthor),
        Some(HeadOf::Names) => return Sniffed::Names,
        None => {}
    }
    if is_binary(head) {
        return Sniffed::Unknown(EXPECTED, None);
    }
    let mut charset = charset;
    let text = charset.decode(head);
    let text = text.trim_start_matches('\u{feff}');
    if is_xof(text.trim_start()) {
        return Sniffed::Games(GameFormat::Xof);
    }
    if is_page(text) {
        return Sniffed::Unknown(
            "a page of HTML: save the games in it as text; the page of an analysis has the line of moves in it",
            None,
        );
    }
    // Blanks before a row of a table are fields.
    let rows = || lines_of(text).filter(|line| !line.trim().is_empty()).take(MOST_LINES);
    let text = text.trim_start();
    let games = |format| Sniffed::Games(format);
    let lines = || rows().map(str::trim);
    let is_pgn = || lines().any(is_of_pgn);
    match text.chars().next() {
        // Nothing is a text without games.
        None => return games(GameFormat::Transcript),
        Some('{') if is_our_book(text) => return Sniffed::Book,
        // A comment may come before PGN.
        Some('{') if begins_as_numbered_moves(behind_comments(text)) => {
            return games(GameFormat::Pgn);
        }
        Some('{') if begins_an_object(text) && !is_pgn() => return games(GameFormat::Json),
        Some('[') => match text.get(1..).unwrap_or_default().trim_start() {
            inside if begins_a_tag(text) || is_cut_in_a_name(inside) => {
                return games(GameFormat::Pgn);
            }
            inside if begins_a_list(inside) => return games(GameFormat::Json),
            // What a program says of itself, a number, a link, and a list in the quotes of Python.
            _ => {}
        },
        _ => {}
    }
    if let Some(format) = in_parentheses(text) {
        return games(format);
    }
    if let Some(game) = lines().find_map(behind_a_count).filter(|_| !is_pgn()) {
        return games(kind_of(text.get(offset(text, game)..).unwrap_or_default()));
    }
    let imported = Some(Hint::ImportBook { file: None });
    let below = || rows().skip_while(|row| stands_before_names(row));
    let titles = titles_above(&below().collect::<Vec<_>>());
    let table = || below().skip(titles);
    if table().next().is_some_and(is_of_positions) {
        return Sniffed::Unknown("a table of positions, not of games", imported);
    }
    if lines().find(|line| !is_comment(line)).is_some_and(is_of_edax) {
        return Sniffed::Unknown("Edax's text of a book", imported);
    }
    // Below a title there may be games with names and results.
    let columns = table().next().and_then(Columns::read);
    let is_table = |columns: &Columns| !columns.is_alone() || are_moves_alone(table().skip(1));
    if let Some(columns) = columns.filter(is_table) {
        // A field without an end costs no line its look.
        let games_of = columns.rows(table().skip(1));
        // Of the first games some may have no moves.
        if games_of.iter().any(|row| columns.moves(row).is_some())
            || table().skip(1).any(|row| columns.moves(row).is_some())
        {
            return games(GameFormat::Table);
        }
        if !lines().any(looks_like_a_transcript) {
            return match games_of.iter().all(|row| columns.has_no_moves(row)) {
                true => games(GameFormat::Table),
                false => Sniffed::Unknown("a table without a column that holds moves", None),
            };
        }
    }
    if let Some(columns) = table().next().and_then(Columns::of_content) {
        let rows = columns.rows(table());
        let with_moves = rows.iter().filter(|row| columns.moves(row).is_some()).count();
        if 2 * with_moves > rows.len() {
            return games(GameFormat::Table);
        }
    }
    if is_pgn() || lines().any(has_variations) {
        return games(GameFormat::Pgn);
    }
    // Behind a head of comments alone the others are looked at.
    let said = || {
        let lines = lines_of(text).map(str::trim).filter(|line| !is_comment(line));
        lines.take(MOST_LINES).collect()
    };
    let looked_at: Vec<&str> = if lines().all(is_comment) { said() } else { lines().collect() };
    if are_transcripts(&looked_at) {
        return games(GameFormat::Transcript);
    }
    if are_positions(text) {
        return Sniffed::Unknown("positions, not games", Some(Hint::AskPositions { file: None }));
    }
    if looked_at.is_empty() {
        return games(GameFormat::Transcript);
    }
    // A log may be long.
    let mut parentheses = text.match_indices('(').filter_map(|(at, _)| text.get(at..));
    if let Some(game) = parentheses.find(|game| begins_as_games_do(game)) {
        return games(kind_of(game));
    }
    // So may be what is told above the games.
    let lines = lines_of(text).map(str::trim).skip(looked_at.len());
    let below: Vec<&str> = lines.take(MOST_BELOW).collect();
    let is_pgn =
        |line: &&str| is_of_pgn(line) || begins_as_numbered_moves(line) && line.contains('{');
    match () {
        () if below.iter().any(is_pgn) => games(GameFormat::Pgn),
        () if below.iter().any(|line| may_hold(line, FEWEST_MOVES))
            && hold_a_game(&below, MOVES_BELOW) =>
        {
            games(GameFormat::Transcript)
        }
        () => Sniffed::Unknown(EXPECTED, None),
    }
}

/// Whether a line is a tag that only PGN has.
fn is_of_pgn(line: &str) -> bool {
    let is_one = |label| matches!(label, Label::Event | Label::Black | Label::White);
    begins_a_tag(line)
        && line
            .get(1..)
            .and_then(|inside| inside.split('"').next())
            .and_then(label_of)
            .is_some_and(is_one)
}

/// Whether a text in braces is JSON, or was meant as that, and no comment.
fn begins_an_object(text: &str) -> bool {
    let inside = text.trim_start_matches(['{', '[']).trim_start();
    let behind = inside.trim_start_matches(|c: char| c.is_alphanumeric() || "_'".contains(c));
    inside.is_empty()
        || inside.starts_with(['"', '}'])
        || (behind.len() < inside.len() && behind.starts_with(':'))
}

/// What comes behind the comments that a text in PGN begins with.
fn behind_comments(text: &str) -> &str {
    let mut text = text;
    while let Some((_, behind)) = text.strip_prefix('{').and_then(|text| text.split_once('}')) {
        text = behind.trim_start();
    }
    text
}

/// Whether the first move of a game begins a text, with its number.
fn begins_as_numbered_moves(text: &str) -> bool {
    let moves = text.strip_prefix('1').map(|text| text.trim_start_matches(['.', ' ']));
    moves.is_some_and(|moves| MoveText::new(moves).take().is_some())
}

/// Whether moves with numbers have other ones in parentheses beside them, with their numbers, or signs as PGN has them.
fn has_variations(line: &str) -> bool {
    let is_one = |(at, _): (usize, &str)| {
        let inside = line.get(at + 1..).unwrap_or_default();
        let behind = inside.trim_start_matches(|c: char| c.is_ascii_digit());
        let is_sign = line.get(at..).is_some_and(|text| text.starts_with('$'));
        behind.len() < inside.len() && (is_sign || behind.starts_with('.'))
    };
    begins_as_numbered_moves(line) && line.match_indices(['(', '$']).any(is_one)
}

/// Whether a text behind a bracket goes on as a list of JSON does.
fn begins_a_list(inside: &str) -> bool {
    let inside = inside.trim_start_matches(|c: char| c == '[' || c.is_whitespace());
    inside.is_empty() || inside.starts_with(['{', '"', ']'])
}

/// Whether bytes are no text in any encoding, as far as the first line shows: so many are control characters. A
/// text may hold a few, and UTF-16 has as many zeros as letters.
fn is_binary(head: &[u8]) -> bool {
    const FIRST: usize = 4096;
    const ONE_IN: usize = 16;
    let head = head.get(..FIRST).unwrap_or(head);
    let head = head.split(|byte| b"\r\n".contains(byte)).next().unwrap_or_default();
    let is_control = |byte: u8| byte < 0x20 && !byte.is_ascii_whitespace() && byte != 0x1b;
    let controls = head.iter().filter(|&&byte| is_control(byte)).count();
    controls * ONE_IN > head.len() && text_of(head).is_none()
}

/// How many lines are a title above the names of columns with moves below.
fn titles_above(rows: &[&str]) -> usize {
    let is_title = |row: &&&str| {
        let columns = Columns::read(row).or_else(|| Columns::of_content(row));
        columns.is_none() && !looks_like_a_transcript(row)
    };
    let titles = rows.iter().take(MOST_TITLES).take_while(is_title).count();
    let (names, games) = rows.get(titles..).and_then(<[_]>::split_first).unzip();
    let columns = names.and_then(|names| Columns::read(names)).filter(|all| !all.is_alone());
    let rows = |columns: &Columns| columns.rows(games.into_iter().flatten().copied());
    let has_moves = columns
        .is_some_and(|columns| rows(&columns).iter().any(|row| columns.moves(row).is_some()));
    if has_moves { titles } else { 0 }
}

/// Moves that no words happen to be.
const TELLING_MOVES: usize = 5;

/// The only move of a line that holds nothing else but its number.
fn square_alone(line: &str) -> Option<Played> {
    let mut text = MoveText::new(line.trim());
    let played = text.take().filter(|played| matches!(played, Played::Square(_)))?;
    text.skip_glyphs();
    text.rest().trim().is_empty().then_some(played)
}

/// So many moves that can be played are those of a game beside others.
const FEW_MOVES: usize = 3;

/// As [`TELLING_MOVES`], far below the first lines of a text.
const MOVES_BELOW: usize = 8;

/// Lines below the first that are looked at.
const MOST_BELOW: usize = 10_000;

/// Moves on one line, without which no text is searched for games.
const FEWEST_MOVES: usize = 2;

/// Whether a line may hold so many moves: to read it costs far more than to see that, and most texts hold none.
fn may_hold(line: &str, moves: usize) -> bool {
    let is_square = |pair: &&[u8]| matches!(pair, [column, b'1'..=b'8'] if (b'a'..=b'h').contains(&column.to_ascii_lowercase()));
    let is_wide = || line.contains(|c: char| ('１'..='８').contains(&c));
    line.as_bytes().windows(2).filter(is_square).count() >= moves || !line.is_ascii() && is_wide()
}

/// Lines with one square and something else that are a table.
const LEAST_OF_A_TABLE: usize = 2;

/// Whether lines are games, mostly, or one of them is beyond doubt, or a board is drawn above them.
fn are_transcripts(lines: &[&str]) -> bool {
    let said = || lines.iter().filter(|line| !is_comment(line));
    let meant = said().filter(|line| looks_like_a_transcript(line)).count();
    let is_one = || hold_a_game(lines, TELLING_MOVES);
    let is_drawn = || matches!(read_diagram(&lines.join("\n")), Some(Ok(_)));
    // Lines that name players belong to games, however short these are.
    let names = |line: &&&str| {
        let parted = line.split_once([':', '：']).or_else(|| line.split_once(" - "));
        let title = parted.map(|(title, _)| title.trim());
        matches!(title.and_then(label_of), Some(Label::Black | Label::White))
    };
    // Of a table of squares with what they are worth no line is a game.
    let holds_more = |line: &&&&str| {
        let mut text = MoveText::new(line.trim());
        let squares = std::iter::from_fn(|| text.take()).take(2).count();
        let is_numbered = line.starts_with(|c: char| c.is_ascii_digit());
        squares == 1 && !is_numbered && !text.rest().trim_start_matches(['!', '?', '.']).is_empty()
    };
    let of_squares = said().filter(|line| looks_like_a_transcript(line));
    if meant >= LEAST_OF_A_TABLE && of_squares.filter(|line| holds_more(&line)).count() == meant {
        return false;
    }
    let squares: Vec<Entry> =
        said().filter_map(|line| square_alone(line)).map(Entry::from).collect();
    let is_other = |line: &&&str| {
        square_alone(line).is_none()
            && (begins_a_game(line, FEW_MOVES) || matches!(board_in(line), Some(Ok(_))))
    };
    if squares.len() == meant && meant > 0 && !said().any(|line| is_other(&line)) {
        let starts = [Placed::START, MIRRORED];
        return (meant > 1 || said().count() == 1)
            && starts.into_iter().any(|start| replay(start, &squares).is_ok());
    }
    let named = said().filter(names).count();
    let are_named = || named >= 2 && 2 * (meant + named) >= said().count();
    let are_some = || 2 * meant >= said().count() || is_drawn() || are_named();
    meant > 0 && (is_one() || are_some() && !are_foreign(lines))
}

/// Whether a text is a page of the web, or a part of one.
fn is_page(text: &str) -> bool {
    const FIRST: usize = 1000;
    const TAGS: [&str; 9] =
        ["<!doctype html", "<html", "<head", "<body", "<div", "<p>", "<pre", "<table", "<td"];
    let text = text.trim_start();
    text.starts_with('<') && {
        let first: String = text.chars().take(FIRST).collect();
        let first = first.to_ascii_lowercase();
        TAGS.iter().any(|tag| first.contains(tag))
    }
}

/// Whether lines, perhaps in quotes, hold nothing but moves, except a bad one here and there.
fn are_moves_alone<'a>(lines: impl Iterator<Item = &'a str>) -> bool {
    let (mut moves, mut others) = (0, 0);
    for line in lines {
        let mut text = MoveText::new(line.trim().trim_matches('"'));
        while text.take().is_some() {}
        *(if text.rest().is_empty() { &mut moves } else { &mut others }) += 1;
    }
    moves > others
}

/// Whether a text behind a bracket is the name of a tag, and ends there.
fn is_cut_in_a_name(inside: &str) -> bool {
    let behind = inside.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
    inside.starts_with(char::is_alphabetic) && behind.trim_start().is_empty()
}

/// A game in parentheses, perhaps with the count before it that a server of games writes.
fn in_parentheses(text: &str) -> Option<GameFormat> {
    let mut parentheses = text.match_indices('(').filter_map(|(at, _)| text.split_at_checked(at));
    let (before, game) = parentheses.find(|(_, game)| behind_semicolon(game).is_some())?;
    let before = before.trim();
    let is_first = before.is_empty()
        || before.bytes().all(|byte| byte.is_ascii_digit())
        || before.starts_with('#');
    is_first.then(|| kind_of(game))
}

/// Where a part of a text begins.
fn offset(text: &str, part: &str) -> usize {
    part.as_ptr() as usize - text.as_ptr() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "---------------------------OX------XO--------------------------- X";

    #[test]
    fn a_book_is_told_from_games_in_json() {
        let kind = |text: &str| sniff(text.as_bytes(), Charset::Utf8);
        for start in ["", "\u{feff}", "\n "] {
            let header = r#"{"format":"rosebill-book","version":1,"positions":0,"sources":[]}"#;
            assert_eq!(kind(&format!("{start}{header}\n")), Sniffed::Book);
        }
        let game = r#"{"event":"rosebill-book","moves":"f5d6"}"#;
        assert_eq!(kind(game), Sniffed::Games(GameFormat::Json));
    }

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
            (&format!("{START},f5,d6\n"), GameFormat::Transcript),
            (&format!("{START};f5d6c3 -2\n{START},21,F5,-1\n"), GameFormat::Transcript),
            ("{f5d6c3}\n", GameFormat::Transcript),
            ("[f5d6c3]\n", GameFormat::Transcript),
            ("[Event \"x\"]\n", GameFormat::Pgn),
            ("\n[Event", GameFormat::Pgn),
            ("{by hand}\n[Event \"x\"]\n", GameFormat::Pgn),
            ("{by hand}\n1. f5 d6 *\n", GameFormat::Pgn),
            ("{Final: by\nhand} {x}\n\n1. f5 {good} d6 *\n", GameFormat::Pgn),
            ("Ann - Bob\n1. f5 {good} d6 (1... f6) *\n", GameFormat::Pgn),
            ("{by hand}\nf5d6c3\nf5f6e6\n", GameFormat::Transcript),
            ("{moves: \"f5d6\"}\n", GameFormat::Json),
            ("{", GameFormat::Json),
            ("; made by x\n[Event \"x\"]\n", GameFormat::Pgn),
            ("[{\"moves\":\"\"}]", GameFormat::Json),
            ("{\"position\":", GameFormat::Json),
            ("(;GM[2]FF[4]", GameFormat::Sgf),
            ("(;FF[4]\nGM[2]", GameFormat::Sgf),
            ("(;GM[1]", GameFormat::Sgf),
            ("(\n;GM[2]", GameFormat::Sgf),
            ("( ;GM[2]", GameFormat::Sgf),
            ("(;gm[2]", GameFormat::Sgf),
            ("Games (two) of our club\n\n(;GM[2];B[f5])", GameFormat::Sgf),
            ("Games of our club:\n( ;FF[4]GM[2];B[f5])", GameFormat::Sgf),
            ("[search params]\nf5d6c3\n", GameFormat::Transcript),
            ("[search params]\n[Event \"x\"]\n", GameFormat::Pgn),
            ("[Event \"x]\n[Black \"one\"]\n", GameFormat::Pgn),
            ("[ Event\"x\" ]", GameFormat::Pgn),
            ("[大会 \"x\"]\n[黒 \"y\"]\n", GameFormat::Pgn),
            ("[Épreuve \"x\"]\n", GameFormat::Pgn),
            ("{by hand}\n[Weiß \"x\"]\n", GameFormat::Pgn),
            (&format!("{}[Event \"x\"]\n", "A report.\n".repeat(60)), GameFormat::Pgn),
            (
                &format!("{}f5d6c3d3c4f4f6\nf5d6c3d3c4f4f6b4\n", "A report.\n".repeat(60)),
                GameFormat::Transcript,
            ),
            ("[[\"f5\",\"d6\"]]", GameFormat::Json),
            ("[\"f5d6c3\"]", GameFormat::Json),
            ("[]", GameFormat::Json),
            ("f5d6c3\n# (;GM[2];B[f5])\n", GameFormat::Transcript),
            ("{(;GM[2];B[f5])}\n[Event \"x\"]\n", GameFormat::Pgn),
            ("id,moves\n1,f5d6", GameFormat::Table),
            ("# of our club\n\n# 2003; all\nid,moves\n1,f5d6", GameFormat::Table),
            ("sep=;\nid;moves\n1;f5d6", GameFormat::Table),
            ("# id,moves\n1,f5d6", GameFormat::Table),
            ("# of our club\nf5d6\nmoves,black\n", GameFormat::Transcript),
            (&"% of our club\n".repeat(60), GameFormat::Transcript),
            (&format!("{}f5d6c3\n", "% of our club\n".repeat(60)), GameFormat::Transcript),
            ("line\tmoves\n1\tf5", GameFormat::Table),
            ("moves,black\n,one\nf5d6,two", GameFormat::Table),
            ("black,moves\none,\n", GameFormat::Table),
            ("event\tblack\tmoves\n\tone\tf5d6", GameFormat::Table),
            ("\tblack\tmoves\n0\tone\tf5d6", GameFormat::Table),
            ("event,black,moves\n\"cup,\nround 1\",one,f5d6", GameFormat::Table),
            ("event,moves\n\"cup,\nb,f5d6", GameFormat::Table),
            ("moves\nf5d6c3\nf5d6\n", GameFormat::Table),
            ("Transcript\r\n\"f5 d6\"\r\n", GameFormat::Table),
            (",,\nblack,white,moves\none,two,f5d6", GameFormat::Table),
            ("record\none 25-39 two : f5d6\n", GameFormat::Transcript),
        ] {
            assert_eq!(sniff(text.as_bytes(), Charset::Utf8), Sniffed::Games(format), "{text}");
        }
        for text in [
            "line\tmoves\n1\t60\n",
            "# of our book\nboard,side,proven_lower,proven_upper,line\n---,X,0,0,f5d6\n",
            "board,side,proven_lower,proven_upper,line\n---,X,0,0,f5d6\n",
            "board,discs,line,guess,draw_seeking,win_seeking,rest_move\n---,5,f5,0,0,0,d6\n",
            "Games of our club, 2003\n",
            &format!("{}Here f5 is the only move.\nIt is a paper.\n", "% of our club\n".repeat(60)),
            "Games (of our club; 2003)\n",
            "[search params]\nlevel 16\n",
            "[![build](https://x.org/a.svg)](https://x.org)\n\nA program.\n",
            "[1] A paper of 2003\n[2] Another one\n",
            "| file | not f5 |\n|---|---|---|---|\n",
            &format!("% a book\n\n{START},21,F5,-1\n"),
            &format!("{START},0,--,-127\n"),
            "PK\u{3}\u{4}f5d6c3\n",
            "BZh9f5d6c3\n",
            "% 1\n---------------------------OX------XO--------------------------- X; F5:+0; D3:-2;\n",
            "{a note}\nand no game\n",
            "<html><body>f5 was the first move</body></html>",
            "<table>\n<tr>\n<td>Ann</td>\n<td>Bob</td>\n<td>\nf5d6c3d3c4f4f6b4\n</td></tr>\n</table>\n",
            "<?xml version=\"1.0\"?>\n<!DOCTYPE html PUBLIC>\n<HTML><td>\nf5d6c3\n</td></HTML>\n",
            "\u{feff}<!DOCTYPE html>\n<title>Ann 40-24 Bob</title>\n<p>\nf5d6c3\nf5 d6 c3 d3\n",
            "\0\0\0\0\0\0",
            "\u{7f}ELF\u{1}",
        ] {
            assert!(
                matches!(sniff(text.as_bytes(), Charset::Utf8), Sniffed::Unknown(..)),
                "{text}"
            );
        }
    }
}
