//! What people put around moves and results that says nothing: comments in braces, and parentheses around
//! the moves of one side.

use std::borrow::Cow;

use crate::files::games::date::Date;
use crate::files::games::stated::{StatedScore, read_pair};
use crate::othello::board::move_text::{MoveText, squares_in, whole_move};
use crate::othello::board::{Played, looks_like_a_board};

/// A line of a mail without the marks of a quoted one: `> f5d6`, `>> f5d6`, `| f5d6`. Rows of tables have more bars.
pub(super) fn unquoted(line: &str) -> &str {
    let text = line.trim();
    match text.strip_prefix('|') {
        Some(behind) if !behind.contains('|') && !behind.starts_with(|c| c != ' ') => behind,
        _ if text.starts_with('>') => text.trim_start_matches(['>', ' ']),
        _ => line,
    }
}

/// A line with one blank behind the number that it begins with, where more part them from the moves.
fn without_gap(line: &str) -> Option<String> {
    let behind = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let moves = behind.trim_start();
    let gap = behind.len() - moves.len();
    let number = line.get(..line.len() - behind.len()).filter(|number| !number.is_empty())?;
    (gap > 1 && (1..=2).contains(&squares_in(moves))).then(|| format!("{number} {moves}"))
}

/// A line without comments, with `40 - 24` and `40:24` as one word, and with bare moves.
pub(super) fn plain_line(line: &str) -> Cow<'_, str> {
    const STEPS: [fn(&str) -> Option<String>; 6] = [
        without_emphasis,
        without_comments,
        without_gap,
        with_discs_of_sides,
        with_whole_scores,
        without_parentheses,
    ];
    let mut plain = Cow::Borrowed(line);
    for step in STEPS {
        plain = step(&plain).map_or(plain, Cow::Owned);
    }
    plain
}

/// Without the emphasis of Markdown and of web forums: `**Black:** Ann`, `[b]Ann[/b]`. Stars may be discs, too.
fn without_emphasis(line: &str) -> Option<String> {
    const MARKS: [(&str, &str); 4] =
        [("**", "**"), ("[b]", "[/b]"), ("[i]", "[/i]"), ("[u]", "[/u]")];
    let mut has_marks = MARKS.into_iter().filter(|&(open, close)| {
        line.split_once(open).is_some_and(|(_, behind)| open == close || behind.contains(close))
    });
    let first = has_marks.next().filter(|_| !looks_like_a_board(line))?;
    let plain = |line: String, (open, close)| line.replace(open, "").replace(close, "");
    Some(has_marks.fold(plain(line.to_owned(), first), plain))
}

/// Without comments in braces behind the first move. A whole line in braces is moves.
fn without_comments(line: &str) -> Option<String> {
    let (mut rest, mut plain) = (line, String::new());
    while let Some((before, behind)) = rest.split_once('{') {
        let (_, after) = behind.split_once('}')?;
        plain.push_str(before);
        plain.push(' ');
        rest = after;
    }
    (!plain.trim().is_empty()).then(|| plain + rest)
}

/// With `B30 W34` at its end as one word: the first of them may look like a move.
fn with_discs_of_sides(line: &str) -> Option<String> {
    let mut words =
        line.rsplit(|c: char| c.is_whitespace() || matches!(c, ',' | '/' | '-' | '(' | ')' | ';'));
    let mut word = || words.find(|word| !word.is_empty());
    let (last, first) = (word()?, word()?);
    let discs = |word: &str, side: char| {
        let (letter, discs) = word.split_at_checked(1)?;
        let discs = discs.trim_start_matches(['=', ':']);
        let is_side = letter.eq_ignore_ascii_case(side.encode_utf8(&mut [0; 4]));
        let is_number =
            (1..=2).contains(&discs.len()) && discs.bytes().all(|byte| byte.is_ascii_digit());
        discs.parse::<u8>().ok().filter(|_| is_side && is_number)
    };
    let both = |black, white| discs(black, 'b').zip(discs(white, 'w'));
    let (black, white) = both(first, last).or_else(|| both(last, first))?;
    let at = first.as_ptr() as usize - line.as_ptr() as usize;
    (black + white <= 64).then(|| {
        format!("{} {black}-{white}", line.get(..at).unwrap_or_default().trim_end_matches('('))
    })
}

/// With the discs of both sides as one word.
fn with_whole_scores(line: &str) -> Option<String> {
    const MARKS: [&str; 7] =
        [" - ", " \u{2013} ", " \u{2014} ", "\u{2013}", "\u{2014}", " : ", ":"];
    let is_digit = |c: char| c.is_ascii_digit();
    let mut places = MARKS.into_iter().flat_map(|mark| line.match_indices(mark));
    places.find_map(|(at, mark)| {
        let (before, behind) = (line.get(..at)?, line.get(at + mark.len()..)?);
        let around = (before.trim_end_matches(is_digit), behind.trim_start_matches(is_digit));
        let black = before.get(around.0.len()..).filter(|black| !black.is_empty())?;
        let white = behind.get(..behind.len() - around.1.len())?;
        let is_word = !around.0.ends_with(char::is_alphanumeric)
            && !around.1.starts_with(char::is_alphanumeric);
        let is_score = match read_pair(&format!("{black}-{white}")) {
            Some(StatedScore::Discs { black, white }) if mark.contains(':') => {
                black + white == 64 && !is_time(around, black)
            }
            score => score.is_some(),
        };
        (is_word && is_score).then(|| format!("{before}-{behind}"))
    })
}

/// Whether two numbers around this colon may be a time of the day, of which the first is the hour: part of a
/// longer one, or behind a date.
fn is_time((before, behind): (&str, &str), hour: u8) -> bool {
    let is_digit = |c: char| c.is_ascii_digit();
    let is_part = before.strip_suffix(':').is_some_and(|before| before.ends_with(is_digit))
        || behind.strip_prefix(':').is_some_and(|behind| behind.starts_with(is_digit));
    let before = before.trim_end();
    let is_date = || {
        before.is_empty()
            || before.ends_with(|c: char| c.is_ascii_digit() || c == ',')
            || Date::read(before).is_some()
    };
    is_part || (hour < 24 && is_date())
}

/// Moves without the parentheses around all of them, or around every second one: those of the other side.
/// Around others they may stand for moves that were not played.
fn without_parentheses(line: &str) -> Option<String> {
    if !line.contains('(') {
        return None;
    }
    let mut text = MoveText::new(line);
    let (mut plain, mut inside) = (String::new(), Vec::new());
    loop {
        match text.take() {
            Some(Played::Square(square)) => {
                inside.push(false);
                plain.push_str(&format!("{square} "));
            }
            Some(_) => return None,
            None => {
                let Some((move_text, behind)) =
                    text.rest().strip_prefix('(').and_then(|rest| rest.split_once(')'))
                else {
                    break;
                };
                let Some(Played::Square(square)) = whole_move(move_text) else { break };
                inside.push(true);
                plain.push_str(&format!("{square} "));
                text = MoveText::new(behind);
            }
        }
    }
    let is_one_side = inside.iter().enumerate().all(|(at, &inside)| inside == (at % 2 == 1));
    let is_meant = inside.len() > 1 && (is_one_side || inside.iter().all(|&inside| inside));
    is_meant.then(|| plain + text.rest())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::games::testing::read_all;

    #[test]
    fn lines_are_made_plain() {
        for (line, plain) in [
            ("f5 {x} d6 {y (z)} c3", "f5   d6   c3"),
            ("{f5d6c3}", "{f5d6c3}"),
            ("f5 {x d6", "f5 {x d6"),
            ("Ann (USA) 12 - 52 Bob", "Ann (USA) 12-52 Bob"),
            ("Ann 12\u{2013}52 Bob", "Ann 12-52 Bob"),
            ("Tanaka - Suzuki 46:18", "Tanaka - Suzuki 46-18"),
            ("Tanaka 12 : 52 Suzuki : f5d6", "Tanaka 12-52 Suzuki : f5d6"),
            ("Tanaka 46:17 Suzuki", "Tanaka 46:17 Suzuki"),
            ("Date: 2019-05-04 12:52", "Date: 2019-05-04 12:52"),
            ("2019-05-04 12:52 Ann - Bob", "2019-05-04 12:52 Ann - Bob"),
            ("12:52 f5d6", "12:52 f5d6"),
            ("10:44:20", "10:44:20"),
            ("Ann - Bob 44:20: f5d6", "Ann - Bob 44-20: f5d6"),
            ("**Ann** vs **Bob**", "Ann vs Bob"),
            ("[b]Ann[/b] - [i]Bob[/i]", "Ann - Bob"),
            ("[b] Ann", "[b] Ann"),
            ("f5 - d6", "f5 - d6"),
            ("Ann2 - 3Bob", "Ann2 - 3Bob"),
            ("70 - 24", "70 - 24"),
            ("1.F5 (D6) 2.C3 (D3) 40-24", "f5 d6 c3 d3 40-24"),
            ("(f5)(d6)", "f5 d6 "),
            ("1. f5 d6 (f4) 2. c3", "1. f5 d6 (f4) 2. c3"),
            ("f5 d6 (c3) c4", "f5 d6 (c3) c4"),
            ("f5 (34-30)", "f5 (34-30)"),
        ] {
            assert_eq!(plain_line(line), plain, "{line}");
        }
        // A move that was not played is none of the game.
        let (games, defects) = read_all("f5d6c3d3c4\n\nf5 d6 (c3) c4 d3\n");
        assert_eq!((games.len(), defects.len()), (1, 1), "{games:?}");
    }
}
