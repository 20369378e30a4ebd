//! What a line of a transcript says: `f5d6c3…`, `12. f5 d6 c3`, `one 25-39 two : f5d6c3…`, `f5d6c3… 25-39`,
//! `+f5-d6+c3…: -14 10` as Logistello has them, `+f5-d6+c3…. 12` as Zebra does, and a board with the side
//! to move before the moves.

use super::comment::{COMMENT_MARKS, is_comment, is_heading, is_of_a_mail, without_number};
use super::dates::behind_a_date;
use super::facts::{facts_alone, is_title_of_moves};
use super::facts_of::has_names;
use super::fields::of_fields;
use super::moves_of::{FEW, playable_alone};
use super::names::{header_of_two, is_an_event, names, names_alone};
use super::position::has_values;
use super::prose::{are_words, holds_moves, is_prose, is_unread};
use super::result::{is_decimal, is_value, result, result_in_words, two_numbers, without_marks};
use super::spelling::{plain_line, unquoted};
use crate::files::fault::Place;
use crate::files::games::draft::{Draft, Refused};
use crate::files::games::refused::Why;
use crate::files::games::replay::Entry;
use crate::files::games::stated::{Stated, is_unknown, read_short};
use crate::othello::board::Played;
use crate::othello::board::move_text::{MoveText, looks_like_moves, squares_in};
use crate::othello::board::{BoardError, looks_like_a_board, read_board};

/// Words of a header that no colon ends.
const MOST_WORDS: usize = 40;

/// The most characters before the mark behind a header.
const LONGEST_HEADER: usize = 1000;

/// Whether a line is meant as a game: behind other words than names of players, several squares and nothing else.
pub(in crate::files::games) fn looks_like_a_transcript(line: &str) -> bool {
    // What a long line begins with tells enough, but of a list.
    let is_list = in_quotes(line.trim()).is_some();
    let cut = line.char_indices().nth(MOST_LOOKED_AT).filter(|_| !is_list);
    let line = cut.and_then(|(at, _)| line.get(..at)).unwrap_or(line);
    let is_numbered = line.trim_start().starts_with(|c: char| c.is_ascii_digit());
    let plain = plain_line(without_number(inside(line)));
    let behind = behind_a_date(&plain).map_or(plain.as_ref(), |(_, behind)| behind);
    let begins = looks_like_a_board(behind) || looks_like_moves_at_once(behind) || is_list;
    // JSON has its own reader, and its lines are long.
    let object = line.trim_start().strip_prefix('{').map(str::trim_start);
    if object.is_some_and(|inside| inside.starts_with('"')) && !begins {
        return false;
    }
    let is_one = |draft: &Draft| {
        let is_square = |entry: &&Entry| matches!(entry.played, Played::Square(_));
        let squares = draft.entries.iter().filter(is_square).count();
        let is_whole = draft.entries.iter().all(|entry| !is_unread(&entry.played));
        let (game, has_names) = (&draft.game, has_names(draft));
        let is_titled = game.extra.contains_key("Header") || !(begins || has_names);
        let least = match is_titled {
            false if is_numbered => 1,
            false if game.extra.is_empty() && game.stated.is_none() && !has_names => 1,
            false => 2,
            true if line.contains([':', '：', '=']) && !line.contains(',') => 3,
            true => 5,
        };
        let beside_more = if is_titled { MANY_BEHIND } else { 2 - usize::from(is_numbered) };
        squares >= least && (is_whole || squares >= beside_more)
    };
    read(line, Place::Line(1)).iter().any(|game| game.as_ref().is_ok_and(is_one))
}

/// Characters of a line that are looked at.
const MOST_LOOKED_AT: usize = 1_000;

/// Squares that words before them and behind them make no others.
const MANY_BEHIND: usize = 10;

/// Whether a line is a game beyond doubt: several of its moves can be played, and only names or a date come
/// before them. Engines write lines of moves, too, behind other words and numbers.
pub(in crate::files::games) fn is_a_game(line: &str) -> bool {
    const SEVERAL: usize = 3;
    let is_one = |draft: &Draft| {
        let is_alone = has_names(draft)
            || draft.game.date.is_some()
            || looks_like_moves_at_once(plain_line(inside(line)).as_ref());
        is_alone && playable_alone(draft) >= SEVERAL
    };
    matches!(read(line, Place::Line(1)).first(), Some(Ok(draft)) if is_one(draft))
}

/// Whether so many moves of a line can be played.
pub(in crate::files::games) fn begins_a_game(line: &str, moves: usize) -> bool {
    let games = read(line, Place::Line(1));
    games.first().is_some_and(|game| matches!(game, Ok(draft) if playable_alone(draft) >= moves))
}

/// A line without what is around all of it: quotes, or brackets.
pub(super) fn inside(line: &str) -> &str {
    const AROUND: [(char, char); 9] = [
        ('(', ')'),
        ('[', ']'),
        ('{', '}'),
        ('<', '>'),
        ('\'', '\''),
        ('“', '”'),
        ('«', '»'),
        ('「', '」'),
        ('『', '』'),
    ];
    let line = unquoted(line).trim();
    let is_fence = |text: &str| text.starts_with("```") || text.ends_with("```");
    let line =
        match line.contains('`') && (is_fence(line) || line.starts_with('`')) && line.len() > 6 {
            true => line.trim_matches('`').trim(),
            false => line,
        };
    // Texts of a list in a program are in quotes, with commas between.
    let line = match line.ends_with("\",") || line.ends_with("',") {
        true => line.trim_end_matches(','),
        false => line,
    };
    let line = line.trim_matches('"').trim();
    let found = AROUND.into_iter().find_map(|(open, close)| {
        let inside = line.strip_prefix(open)?.strip_suffix(close)?;
        // The numbers of moves may have brackets, too.
        (!inside.contains([open, close])).then_some(inside.trim())
    });
    found.unwrap_or(line)
}

/// All games of a line.
pub(super) fn read(line: &str, place: Place) -> Vec<Result<Draft, Refused>> {
    let mut games = Vec::new();
    let (whole, line) = (line.trim(), inside(line));
    if is_comment(line) || is_comment(whole) {
        return games;
    }
    if is_heading(whole) {
        return games;
    }
    if let Some(quoted) = in_quotes(whole) {
        return quoted.iter().flat_map(|game| read(game, place)).collect();
    }
    let line = plain_line(without_number(line));
    let line = line.as_ref();
    if looks_like_a_board(line) {
        return vec![
            board_alone(line, place)
                .unwrap_or_else(|| from_board(line, place))
                .map_err(|why| Refused { place, why }),
        ];
    }
    if let Some(draft) = facts_alone(line, place).or_else(|| of_fields(line, place)) {
        return vec![Ok(draft)];
    }
    if is_of_a_mail(line) {
        return games;
    }
    let dated = behind_a_date(line);
    let mut rest = dated.map_or(line, |(_, rest)| rest);
    let mut draft = Draft::new(place);
    loop {
        if let Some((date, _)) = dated.filter(|_| games.is_empty()) {
            draft.set_date("Date", date);
        }
        let (header, moves) = split_header(rest);
        if !is_title_of_moves(header) {
            names(&mut draft, header);
        }
        if games.is_empty() && is_sentence(header, moves, whole) {
            return games;
        }
        rest = moves_and_result(&mut draft, moves);
        if games.is_empty() && rest.is_empty() && is_prose(whole, &draft) {
            draft.entries.clear();
            let Some((_, event)) = dated else { return games };
            draft.say(if is_an_event(event) { "Event" } else { "Comment" }, event);
            return vec![Ok(draft)];
        }
        // Words and a colon before the names of a game are a title of it.
        if rest.is_empty() || !draft.entries.is_empty() {
            games.push(Ok(std::mem::replace(&mut draft, Draft::new(place))));
        }
        if rest.is_empty() {
            return games;
        }
    }
}

/// Takes moves and what belongs to them; returns the text behind, which is another game.
pub(super) fn moves_and_result<'a>(draft: &mut Draft, text: &'a str) -> &'a str {
    let mut moves = MoveText::new(text);
    while let Some(played) = moves.take() {
        draft.push(played);
        moves.skip_glyphs();
    }
    let (count, all) = (draft.entries.len(), moves.rest());
    let before = text.get(..text.len() - all.len()).unwrap_or_default().trim_end();
    let rest = without_marks(all);
    let (word, behind) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let behind = behind.trim_start();
    // A number without moves is none of discs.
    let has_moves = count > 0;
    let whole = match has_moves {
        true if is_unknown(all) || matches!(rest.trim(), "*" | "..." | "…") => return "",
        // What a move of a sheet is worth.
        true if count <= FEW && is_decimal(all.trim()) => return comment(draft, rest),
        true if before.ends_with(';') && is_remark(rest) => return comment(draft, rest),
        true => read_short(all),
        false => match names_alone(rest, false) {
            Some(names) => return names.put(draft),
            None => None,
        },
    };
    let numbers = || two_numbers(rest).map(Stated::score);
    let in_words = || if has_moves { result_in_words(rest) } else { None };
    if let Some(stated) = whole.or_else(numbers).or_else(in_words) {
        draft.add_result(Some(stated));
        return "";
    }
    let stated = result(word, has_moves && is_comment(behind));
    let is_told = stated.is_some();
    let rest = if is_told { behind } else { rest };
    if is_told {
        draft.game.stated = stated;
        if has_moves && begins_another(rest) {
            return rest;
        }
    }
    // What is said behind a result, or of the board, is no move any more.
    if (is_told || (has_moves && is_value(word))) && !rest.contains(':') {
        return comment(draft, rest);
    }
    // Cassio names the players behind a percent sign.
    let said = if is_comment(rest) { rest.trim_start_matches(COMMENT_MARKS).trim() } else { rest };
    // Names between moves without a colon may be of those before or behind them, unless others have names.
    let is_another = || {
        if !rest.starts_with(char::is_alphabetic) || !(has_names(draft) || rest.contains(':')) {
            return false;
        }
        let (header, behind) = split_header(rest);
        let is_named = has_names(draft) && squares_in(behind) > FEW;
        (is_named || rest.contains(':')) && header_of_two(header).is_some()
            || is_named && names_alone(header, false).is_some()
    };
    match names_alone(said, has_moves) {
        Some(names) => names.put(draft),
        None if is_comment(rest) => comment(draft, if has_moves { said } else { "" }),
        None if is_another() => rest,
        None if has_moves && is_title_behind(count, before, rest) => {
            comment(draft, rest.trim_matches(['(', ')', '"', ' ']))
        }
        None => {
            MoveText::new(rest).take_other().into_iter().for_each(|found| draft.push(found));
            ""
        }
    }
}

/// Keeps the words behind moves, unless they are marks that say nothing; nothing is left behind them.
fn comment(draft: &mut Draft, words: &str) -> &'static str {
    if words.contains(char::is_alphanumeric) {
        draft.game.set_extra("Comment", words);
    }
    ""
}

/// Whether a text begins with several moves that can be played from the start.
fn begins_another(text: &str) -> bool {
    let mut draft = Draft::new(Place::Line(1));
    let mut moves = MoveText::new(text);
    while let Some(played) = moves.take() {
        draft.push(played);
    }
    playable_alone(&draft) >= MANY
}

/// So many moves are hardly words of a sentence.
const MANY: usize = 5;

/// Whether words behind so many moves are the name of an opening or another remark, as some lists have them.
fn is_title_behind(moves: usize, before: &str, rest: &str) -> bool {
    let is_parted = rest.starts_with(['(', '"', '\'']) || rest.starts_with(char::is_uppercase);
    let is_behind_a_mark = before.ends_with([',', ';', '|']);
    let is_glued = !is_behind_a_mark && before.as_bytes().as_ptr_range().end == rest.as_ptr();
    are_words(rest)
        && !is_glued
        && (moves >= MANY || (moves >= 2 && (is_parted || is_behind_a_mark)))
}

/// Whether a line is a sentence that has squares in it: a few behind several words, or a few before small ones.
fn is_sentence(header: &str, moves: &str, line: &str) -> bool {
    let squares = squares_in(moves);
    let words = header.split_whitespace().count();
    let is_labelled = line.contains([':', '：']);
    let are_of_a_title = || header_of_two(header).is_some() || !are_words(header);
    let mut text = MoveText::new(moves);
    while text.take().is_some() {
        text.skip_glyphs();
    }
    let behind = text.rest().trim();
    let goes_on = behind.starts_with(char::is_lowercase)
        && are_words(behind)
        && result_in_words(behind).is_none();
    match words {
        _ if holds_moves(line) => false,
        0 if tells_of_squares(line) => true,
        _ if squares == 0 || squares >= MANY => false,
        0 => goes_on && squares <= 2 && !behind.contains(':'),
        _ if goes_on => !are_of_a_title(),
        _ if is_labelled => squares == 1 && !is_title_of_moves(header) && !are_of_a_title(),
        1 => squares == 1 && !are_of_a_title() && behind.is_empty(),
        _ => {
            (squares <= 2 || words > 2) && !are_of_a_title() && names_alone(header, false).is_none()
        }
    }
}

/// Whether a line is many words with a few squares among them, and begins with words.
fn tells_of_squares(line: &str) -> bool {
    let is_square = |word: &str| squares_in(word) == 1;
    let words = line.split_whitespace().count();
    let squares = line.split_whitespace().filter(|word| is_square(word)).count();
    let others = || line.split_whitespace().filter(|word| !is_square(word));
    let begins = line.split_whitespace().take(2).all(|word| !is_square(word));
    let are_others = others().all(|word| squares_in(word) == 0) && others().any(are_words);
    words >= MANY
        && squares > 0
        && 3 * squares <= words
        && begins
        && are_others
        && line.starts_with(char::is_alphabetic)
        && !line.contains([':', '：', '\t', '|'])
        && header_of_two(line).is_none()
}

/// Whether a text behind moves and a semicolon is a remark, and says neither names nor a result.
fn is_remark(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    are_words(first) && names_alone(text, true).is_none() && result_in_words(text).is_none()
}

/// The text before the moves, and the moves: separated by a colon, or by a result that only moves
/// follow.
fn split_header(text: &str) -> (&str, &str) {
    if looks_like_moves_at_once(text) {
        return ("", text);
    }
    // A line may have thousands of games behind it.
    let mut marks = text
        .char_indices()
        .take(LONGEST_HEADER)
        .filter(|(_, mark)| ['=', '＝', ':', '：'].contains(mark))
        .map(|(at, mark)| {
            let (header, moves) = text.split_at(at);
            (header, moves.strip_prefix(mark).unwrap_or_default(), mark)
        });
    // `Moves = f5d6c3`.
    let is_parted = |&(header, _, mark): &(&str, &str, char)| {
        [':', '：'].contains(&mark) || is_title_of_moves(header)
    };
    if let Some((header, moves, _)) = marks.find(is_parted) {
        return (header, moves);
    }
    for word in text.split_whitespace().skip(1).take(MOST_WORDS) {
        let at = word.as_ptr() as usize - text.as_ptr() as usize;
        let (header, moves) = text.split_at(at);
        // Text in brackets is one.
        let is_open = header.matches('(').count() > header.matches(')').count();
        if !is_open && looks_like_moves_at_once(moves) && looks_like_moves(moves) {
            return (header, moves);
        }
    }
    ("", text)
}

/// Whether a text begins with a move, or the number of one.
fn looks_like_moves_at_once(text: &str) -> bool {
    let mut moves = MoveText::new(text);
    let Some(first) = moves.take() else { return false };
    // A name may begin like a square: a second move must follow, or nothing.
    let behind = moves.rest();
    let is_square = first != Played::Pass;
    behind.is_empty()
        || moves.take().is_some()
        || (is_square && !behind.starts_with(char::is_alphanumeric))
}

/// The games of a list in a program, `['f5d6', 'f5f4']`; where each text is a move, all of them are one.
fn in_quotes(line: &str) -> Option<Vec<String>> {
    let quote = line.chars().find(|c| matches!(c, '"' | '\''))?;
    let parts: Vec<&str> = line.split(quote).collect();
    let between = parts.iter().step_by(2);
    let inside: Vec<&str> = parts.iter().skip(1).step_by(2).copied().collect();
    let is_list =
        between.flat_map(|part| part.chars()).all(|c| c.is_whitespace() || "[](){},;".contains(c));
    if !is_list || inside.is_empty() || parts.len().is_multiple_of(2) {
        return None;
    }
    let are = |squares: fn(usize) -> bool| inside.iter().all(|text| squares(squares_in(text)));
    match () {
        () if are(|squares| squares == 1) => Some(vec![inside.concat()]),
        () if are(|squares| squares > 0) => {
            Some(inside.iter().map(|text| (*text).to_owned()).collect())
        }
        () => None,
    }
}

/// A board with nothing behind it, whose moves may be on the next line.
fn board_alone(line: &str, place: Place) -> Option<Result<Draft, Why>> {
    read_board(line).ok().filter(|board| board.behind.trim().is_empty())?;
    let mut draft = Draft::new(place);
    draft.say("start", line);
    Some(Ok(draft))
}

/// 64 squares, perhaps the side to move, perhaps a semicolon, and moves: as Cassio saves a game, too, with a remark
/// behind a percent sign.
pub(super) fn from_board(line: &str, place: Place) -> Result<Draft, Why> {
    let mut draft = Draft::new(place);
    let wrong = |error: BoardError| Why::start(&error.to_string());
    let board = read_board(line).map_err(wrong)?;
    let moves = board.behind;
    let rest = if has_values(moves) { "" } else { moves_and_result(&mut draft, moves) };
    draft.game.start = draft.start_by_moves(&board).map_err(wrong)?;
    if draft.entries.is_empty() {
        let found = Some(moves.trim()).filter(|moves| !moves.is_empty()).unwrap_or(line);
        return Err(Why::content(found, "moves behind the board: without them it is a position"));
    }
    draft.game.set_extra("Comment", rest);
    Ok(draft)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::games::testing::{read_all, read_text};
    use crate::othello::board::Side;

    /// What is left of a line is not read for the result behind each game.
    #[test]
    fn many_games_may_stand_on_one_line() {
        assert_eq!(read_text(&"ann 25-39 bob : f5d6c3d3c4 ".repeat(6000)).len(), 6000);
    }

    #[test]
    fn reads_lines_in_all_spellings() {
        for line in [
            "f5d6c3",
            "F5d6C3",
            "f5 d6 c3",
            "1. f5 d6 2. c3",
            "17. f5d6c3",
            "  f5d6c3  # a comment",
            "Game one: f5d6c3",
            "1:f5 2:d6 3:c3",
            "(1)f5 (2)d6 (3)c3",
            "f5 -> d6 -> c3",
            "\"f5d6c3\"",
            "(f5d6c3)",
            "[ f5 d6 c3 ]",
            "'f5d6c3'",
            "「f5d6c3」",
            "ｆ５ｄ６ｃ３",
            "f5 → d6 → c3",
            "f5d6c3.",
            "f5d6c3 // a comment",
            "one two : f5d6c3",
            "f5 > d6 > c3",
            "> f5d6c3",
            "f5>d6>c3",
            "f5=>d6=>c3",
            "f5\\d6\\c3",
            "f5 ~ d6 ~ c3",
            "* f5d6c3",
            "1.F5 (D6) 2.C3",
            "1.F5(D6)2.C3",
            "(F5) (D6) (C3)",
            "1. f5! d6?! 2. c3!?",
            "f5 {a comment} d6 {another} c3",
            "f5\td6\tc3",
            "Moves: f5 d6 c3",
            "棋譜: f5d6c3",
        ] {
            let games = read_text(&format!("// head\n\n{line}\r\n   \nf5d6\n"));
            assert_eq!(games[0].game.line().to_string(), "f5d6c3", "{line}");
            assert_eq!(games[0].place, Place::Line(3));
            assert_eq!(games.len(), 2);
        }
    }

    #[test]
    fn reads_names_and_results() {
        for (line, names, stated) in [
            ("Arsenault 25-39 Davison :  F5D6C3", Some(("Arsenault", "Davison")), Some("25-39")),
            ("Abe Den 25-39 Ed Bo F5D6C3", Some(("Abe Den", "Ed Bo")), Some("25-39")),
            ("one - two: f5d6c3", Some(("one", "two")), None),
            ("one vs two: f5d6c3 25-39 resigned", Some(("one", "two")), Some("25-39 (resigned)")),
            ("one - two 25-39: f5d6c3", Some(("one", "two")), Some("25-39")),
            ("25-39 one vs two : f5d6c3", Some(("one", "two")), Some("25-39")),
            ("one\ttwo\t25-39\tf5d6c3", Some(("one", "two")), Some("25-39")),
            ("f5d6c3 Abe Den 25-39 Bob", Some(("Abe Den", "Bob")), Some("25-39")),
            ("f5d6c3 25-39", None, Some("25-39")),
            ("f5d6c3 -14", None, Some("-14")),
            ("f5d6c3 (25-39)", None, Some("25-39")),
            ("f5d6c3 25 39", None, Some("25-39")),
            ("f5d6c3 2", None, Some("+2")),
            ("f5d6c3  12 # a comment", None, Some("+12")),
            ("+f5-d6+c3. 12", None, Some("+12")),
            ("+f5-d6+c3. -36", None, Some("-36")),
            ("+f5-d6+c3: 0", None, Some("+0")),
            ("f5d6c3 | 25-39", None, Some("25-39")),
            ("f5d6c3=25-39", None, Some("25-39")),
            ("P. Smith 25-39 Pa Bo : f5d6c3", Some(("P. Smith", "Pa Bo")), Some("25-39")),
            ("+f5-d6+c3: -14 10", None, Some("-14")),
            ("+f5-d6+c3: -12 ;", None, Some("-12")),
            ("+f5-d6+c3: +00 3", None, Some("+0")),
            ("f5d6c3 de Graaf Jan 40-24 Wu Di", Some(("de Graaf Jan", "Wu Di")), Some("40-24")),
            ("f5d6c3 Ann Lee - Bob Ray 40-24", Some(("Ann Lee", "Bob Ray")), Some("40-24")),
            ("2024-01-05 one - two 25-39 f5d6c3", Some(("one", "two")), Some("25-39")),
        ] {
            let game = read_text(&format!("f5\n{line}\n")).remove(1).game;
            assert_eq!(game.line().to_string(), "f5d6c3", "{line}");
            let found = game.black.name.as_deref().zip(game.white.name.as_deref());
            assert_eq!(found, names, "{line}");
            assert_eq!(game.stated.map(|stated| stated.to_string()).as_deref(), stated);
            assert_ne!(game.extra.get("Comment").map(String::as_str), Some(";"), "{line}");
        }
    }

    #[test]
    fn a_date_stands_before_names_and_moves() {
        for (line, date) in [
            ("2024-01-05 one - two 40-24 f5d6c3", "2024-01-05"),
            ("2024/1/5: one 40-24 two: f5d6c3", "2024-01-05"),
            ("05.01.2024, one 40-24 two\nf5d6c3", "2024-01-05"),
            ("f5d6c3\n05.01.2024 one 40-24 two", "2024-01-05"),
            ("02/01/2024 one - two 40-24 f5d6c3", "2024"),
        ] {
            let game = read_text(line).remove(0).game;
            assert_eq!(game.date.map(|date| date.to_string()).as_deref(), Some(date), "{line}");
            assert_eq!(game.black.name.as_deref(), Some("one"), "{line}");
            assert_eq!(game.white.name.as_deref(), Some("two"), "{line}");
        }
        let game = read_text("2024-01-05 f5d6c3").remove(0).game;
        assert_eq!(game.date.map(|date| date.to_string()).as_deref(), Some("2024-01-05"));
    }

    #[test]
    fn several_games_stand_on_a_line() {
        let line = "One 25-39 Davison :  F5D6C3Davison 41-23 Kim :  F5F4a1Abe 17-47 One :F5F6";
        let (games, defects) = read_all(line);
        let lines: Vec<String> = games.iter().map(|game| game.game.line().to_string()).collect();
        assert_eq!(lines, ["f5d6c3", "f5f6"]);
        assert_eq!(games[1].game.black.name.as_deref(), Some("Abe"));
        assert_eq!(games[1].number, 3);
        assert!(defects[0].starts_with("test:1 (game 2): move 3 \"a1\": flips no disc"));
        for (line, names, results) in [
            ("Ann - Bob f5d6c3d3c4 40-24 f5f6e6f4g5 33-31", ["Ann", ""], ["40-24", "33-31"]),
            ("f5d6c3d3c4 40-24 f5f6e6f4g5 33-31", ["", ""], ["40-24", "33-31"]),
            (
                "Ann - Bob: f5d6c3d3c4 40-24 Cid - Dan: f5f6e6f4g5 33-31",
                ["Ann", "Cid"],
                ["40-24", "33-31"],
            ),
            ("f5d6c3d3c4 +16; f5f6e6f4g5 -2", ["", ""], ["+16", "-2"]),
            (
                "Ann 40-24 Bob f5d6c3d3c4 Cid 33-31 Dan f5f6e6f4g5",
                ["Ann", "Cid"],
                ["40-24", "33-31"],
            ),
            (
                "Ann - Bob 40-24 f5d6c3d3c4 Cid - Dan 33-31 f5f6e6f4g5",
                ["Ann", "Cid"],
                ["40-24", "33-31"],
            ),
        ] {
            let games: Vec<_> = read_text(line).into_iter().map(|read| read.game).collect();
            let found: Vec<_> =
                games.iter().map(|game| game.black.name.clone().unwrap_or_default()).collect();
            assert_eq!(found, names, "{line}");
            let found: Vec<_> = games
                .iter()
                .filter_map(|game| game.stated.as_ref())
                .map(ToString::to_string)
                .collect();
            assert_eq!(found, results, "{line}");
            assert!(
                games.iter().all(|game| game.moves.len() == 5 && game.extra.is_empty()),
                "{line}"
            );
        }
    }

    #[test]
    fn quoted_mails_and_numbers_apart_are_read() {
        let quoted = |mark: &str| {
            format!(
                "Hi,\n\n{mark} Ann - Bob\n{mark} 1. f5 d6\n{mark} 2. c3 d3\n{mark}\n{mark} 40-24\n"
            )
        };
        for text in [">", ">>", "> >", "|"].map(quoted).into_iter().chain([
            "Ann - Bob\n1  f5  d6\n2  c3  d3\n40-24\n".to_owned(),
            "Ann - Bob\n1\tf5\td6\n2\tc3\td3\n40-24\n".to_owned(),
            "Ann 40-24 Bob\n 9. f5 d6\n10. c3 d3\n".to_owned(),
        ]) {
            let game = read_text(&text).remove(0).game;
            assert_eq!(game.line().to_string(), "f5d6c3d3", "{text}");
            assert_eq!(game.black.name.as_deref(), Some("Ann"), "{text}");
            assert_eq!(
                game.stated.map(|stated| stated.to_string()).as_deref(),
                Some("40-24"),
                "{text}"
            );
        }
    }

    #[test]
    fn a_board_may_stand_before_the_moves() {
        let placed = "f5d6c3".parse::<crate::othello::board::Line>().unwrap().board();
        let board = placed.position.board_text(placed.side);
        for text in [format!("{board};f4c5"), format!("{board} f4 c5"), format!("{board} 1. f4 c5")]
        {
            let game = read_text(&text).remove(0).game;
            assert_eq!((game.start, game.start.side, game.moves.len()), (placed, Side::White, 2));
        }
        assert!(read_all(&format!("f5\n{board}\n")).1[0].contains("without them it is a position"));
        // Without the side, too, unless squares are too many or too few.
        let squares = board.trim_end_matches([' ', 'O']);
        let game = read_text(&format!("{squares}\nf4c5\n")).remove(0).game;
        assert_eq!((game.start, game.moves.len()), (placed, 2));
        for wrong in [format!("{squares}-"), squares[1..].to_owned()] {
            let (games, defects) = read_all(&format!("{wrong}\n{board} f4c5\n"));
            assert_eq!((games.len(), defects.len()), (1, 1), "{defects:?}");
            assert!(defects[0].contains("64 needed"), "{}", defects[0]);
        }
    }

    #[test]
    fn a_bad_line_costs_itself_only() {
        let text = "f5d6a1\nf5d6c3\nf5d6i9\nf5d6c\nf5d6\0\0c3\nf5--d6\nf5 what d6\nf5 one d6c3 25-39 two\n\
             f5d6 65\nf5d6c 12\nf5\u{ad}d6\n";
        let (games, defects) = read_all(text);
        assert_eq!(games.len(), 1);
        for (line, part, defect) in [
            (1, "move 3 \"a1\": flips no disc; expected one of c3 c4 c5 c6 c7 (black)", 0),
            (3, "move 3 \"i9\": no such square", 1),
            (4, "move 3 \"c\": the text ends in the middle of a move", 2),
            (5, "move 3: unexpected byte 0x00", 3),
            (6, "move 2 \"pass\": a pass, but white can move", 4),
            (7, "move 2 \"what\": no such square", 5),
            (8, "move 2 \"one\": no such square", 6),
            (9, "move 3 \"65\": no such square", 7),
            (10, "move 3 \"c\": no such square", 8),
            (11, "move 2 \"\\u{ad}d6\": no such square", 9),
        ] {
            let start = format!("test:{line} (game {line}): ");
            assert!(defects[defect].starts_with(&format!("{start}{part}")), "{}", defects[defect]);
        }
    }
}
