//! Lines of a transcript that say nothing of a game: comments, rules, headings, heads of score sheets.

use super::drawn::is_frame;
use super::names::names_alone;
use super::prose::are_words;
use super::result::result_in_words;
use crate::files::games::vocabulary::{Label, label_key, label_of};
use crate::othello::board::looks_like_a_board;
use crate::othello::board::move_text::squares_in;

/// Whether a line says nothing of a game: it is empty or a comment.
pub(in crate::files::games) fn is_comment(line: &str) -> bool {
    let is_rule = || {
        const MARKS: &str = "-=*_~`+.";
        let first = line.chars().next().filter(|&first| MARKS.contains(first));
        // Rows of a board may be dashes, too, but never alone.
        let is_of_one = first.is_some_and(|first| line.chars().all(|c| c == first));
        // Between rows of a table: `|---|:--:|`, `+---+---+`.
        let is_between_rows = line.chars().all(|c| "-=|+: ".contains(c))
            && line.contains("--")
            && line.contains(['|', '+']);
        line.len() > 2 && line != "..." && is_of_one || is_between_rows
    };
    // Marks of a block of text in Markdown, perhaps with the name of a language.
    let is_fence = || {
        line.strip_prefix("```")
            .is_some_and(|name| name.bytes().all(|byte| byte.is_ascii_alphabetic()))
    };
    line.is_empty()
        || (line.starts_with(['#', '%']) && without_number(line) == line)
        || line.starts_with("//")
        || is_rule()
        || is_head_of_a_sheet(line)
        || is_fence()
        || is_frame(line)
}

/// Whether a line is a heading between marks: `=== Game 1 ===`, `[Round 2]`. Discs of a board are none.
pub(super) fn is_heading(line: &str) -> bool {
    const AROUND: [(&str, &str); 6] =
        [("==", "=="), ("--", "--"), ("**", "**"), ("~~", "~~"), ("[", "]"), ("(", ")")];
    let is_sign = |c: char| "xXoO*.-_+".contains(c);
    !(line.chars().all(is_sign) && looks_like_a_board(line))
        && AROUND.iter().any(|(open, close)| {
            let inside = line.strip_prefix(open).and_then(|line| line.strip_suffix(close));
            inside.is_some_and(|words| {
                let words = words.trim_matches(['=', '-', '*', '~', ' ']);
                words.split_whitespace().count() <= MOST_HEADING_WORDS
                    && are_words(words)
                    && !words.contains(['"', ':', ',', ';', '\t'])
                    && names_alone(words, false).is_none()
                    && result_in_words(words).is_none()
            })
        })
}

/// Words of a heading.
const MOST_HEADING_WORDS: usize = 6;

/// Whether a line names the columns of a score sheet: `No  Black  White`.
fn is_head_of_a_sheet(line: &str) -> bool {
    let words = || line.split_whitespace();
    let of = |label| words().filter(|word| label_of(word) == Some(label)).count() == 1;
    let is_other = |word: &str| {
        matches!(label_of(word), Some(Label::Black | Label::White | Label::Moves))
            || is_numbering(word)
    };
    words().take(5).count() <= 4 && of(Label::Black) && of(Label::White) && words().all(is_other)
}

/// Whether a word names a column of the numbers of moves.
pub(super) fn is_numbering(word: &str) -> bool {
    const NUMBERS: [&str; 8] = ["", "no", "nr", "n", "num", "move", "ply", "手数"];
    NUMBERS.contains(&label_key(word).as_str())
}

/// Labels of the head of a mail that no game has.
const MAIL: &str = "from to cc subject sender replyto returnpath received deliveredto messageid inreplyto references \
    mimeversion contenttype contenttransferencoding useragent newsgroups path organization xref";

/// Whether a line is one of the head of a mail.
pub(super) fn is_of_a_mail(line: &str) -> bool {
    line.split_once(": ").is_some_and(|(label, _)| {
        let is_extra = label.starts_with("X-") && !label.contains(char::is_whitespace);
        let key = label_key(label);
        is_extra || MAIL.split(' ').any(|known| known == key)
    })
}

/// What comments begin with.
pub(super) const COMMENT_MARKS: [char; 3] = ['#', '%', '/'];

/// A line of moves without the number of its game: `#12 f5d6c3`.
pub(super) fn without_number(line: &str) -> &str {
    let is_digit = |c: char| c.is_ascii_digit();
    let numbered = line.strip_prefix('#').filter(|line| line.starts_with(is_digit));
    let moves = numbered.map(|line| line.trim_start_matches(is_digit));
    let moves = moves.map(|moves| moves.trim_start_matches(['.', ':', ')', ' ', '\t']));
    let are_moves = |moves: &&str| {
        !moves.is_empty() && moves.split_whitespace().all(|word| squares_in(word) > 0)
    };
    moves.filter(are_moves).unwrap_or(line)
}
