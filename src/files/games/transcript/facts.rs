//! Lines of facts alone: a date, how a game ended, and what labels name: `Black: Ann (1500)`, `Round: 3`.

use super::dates::is_date;
use super::line::moves_and_result;
use super::moves_of::FEW;
use super::names::{header_of_two, names_alone};
use super::players::{bare_name, marked_players, player};
use super::result::result_in_words;
use crate::files::fault::Place;
use crate::files::games::draft::Draft;
use crate::files::games::said::is_meant_as_a_board;
use crate::files::games::stated::{is_unknown, read_pair};
use crate::files::games::vocabulary::{Label, label_of};
use crate::othello::board::move_text::{MoveText, squares_in};
use crate::othello::board::{board_in, side_to_move};

/// Marks between a label and what it names, and between that and the next label.
const MARKS: [char; 4] = [':', '：', '=', '＝'];
/// Stands for the label of a result or moves behind names.
const MORE: &str = "";
const ENDS: [char; 6] = [',', ';', '/', '-', '|', '、'];

/// Words of a line that says whose turn it is, of a name with a number behind it, of a label that nothing is known of, and
/// of what it says.
const MOST_TURN_WORDS: usize = 4;
const MOST_NAME_WORDS: usize = 4;
const MOST_LABEL_WORDS: usize = 3;
const MOST_VALUE_WORDS: usize = 30;

/// The facts of a line that holds nothing else.
pub(super) fn facts_alone(line: &str, place: Place) -> Option<Draft> {
    let mut draft = Draft::new(place);
    if is_date(line) {
        draft.set_date("Date", line);
        return Some(draft);
    }
    // Behind the label of a side stands a name, whatever it means elsewhere: `Black: Draw`.
    let is_of_a_side = line.split_once([':', '：']).is_some_and(|(label, name)| {
        is_side(label)
            && !name.contains(|c: char| c.is_numeric())
            && name.contains(char::is_alphabetic)
    });
    draft.game.stated = if is_of_a_side { None } else { result_in_words(line) };
    if draft.game.stated.is_some() || is_unknown(line) && line != "--" {
        return Some(draft);
    }
    let all = labelled(line);
    let take_all = |facts: &[(&str, &str)]| {
        let mut draft = Draft::new(place);
        facts.iter().all(|(label, value)| take(&mut draft, label, value)).then_some(draft)
    };
    let both = (all.len() > 1).then(|| take_all(&all)).flatten();
    if let Some(draft) = both.or_else(|| take_all(&[behind_a_label(line)?])) {
        return Some(draft);
    }
    let words = line.split_whitespace().count();
    if words > 1 && words <= MOST_TURN_WORDS && side_to_move(line).is_some() {
        draft.say("turn", line);
        return Some(draft);
    }
    let in_order = || {
        draft.said.in_order.push(line.to_owned());
        is_player_alone(line).then_some(draft)
    };
    let found = marked_players(line, place).or_else(in_order)?;
    names_alone(line, false).is_none().then_some(found)
}

fn is_side(label: &str) -> bool {
    matches!(label_of(label), Some(Label::Black | Label::White))
}

/// A label, and what it names: all of a line.
fn behind_a_label(line: &str) -> Option<(&str, &str)> {
    let is_label = |text: &str| label_of(text).is_some();
    // `● Ann` and the like have no mark.
    let tabbed =
        || line.split_once('\t').filter(|(label, name)| is_label(label) && !is_label(name));
    // A player may be called White.
    let is_bare = |name: &str| {
        !is_side(name) && (name.ends_with(')') || !name.contains(|c: char| c.is_numeric()))
    };
    let dashed = || [" - ", " – ", " — "].into_iter().find_map(|dash| line.split_once(dash));
    let is_result = |label: &str| matches!(label_of(label), Some(Label::Result | Label::Score));
    let spaced = || line.split_once(char::is_whitespace);
    line.split_once(MARKS)
        .or_else(tabbed)
        .or_else(|| dashed().filter(|(label, name)| is_side(label) && is_bare(name)))
        .or_else(|| spaced().filter(|(label, value)| is_result(label) && is_result_of(value)))
        .map(|(label, value)| (label.trim(), value.trim()))
}

/// Whether a text behind the label of a result is one.
fn is_result_of(value: &str) -> bool {
    read_pair(value.trim()).is_some() || result_in_words(value.trim()).is_some()
}

/// The labels of a line with what each names: `Black: Ann, White: Bob, Result: 40-24`, `Black: Ann  White: Bob  33-31`.
/// Behind notes and moves such words may be anything.
fn labelled(line: &str) -> Vec<(&str, &str)> {
    let goes_on = |label: &str| {
        label_of(label).is_some_and(|label| {
            !matches!(label, Label::Notes | Label::Moves | Label::Start | Label::MaybeStart)
        })
    };
    let Some((mut label, mut value)) = line.split_once(MARKS) else { return Vec::new() };
    let mut all = Vec::new();
    while goes_on(label) {
        let next = value.char_indices().filter(|(_, mark)| MARKS.contains(mark));
        let next = next.into_iter().find_map(|(at, mark)| {
            let before = value.get(..at)?.trim_end();
            let is_end = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '|');
            let (name, label) = before.rsplit_once(is_end)?;
            let behind = value.get(at + mark.len_utf8()..)?;
            goes_on(label).then_some((name, label, behind))
        });
        let Some((before, next, behind)) = next else { break };
        all.push((label.trim(), before.trim().trim_end_matches(ENDS).trim()));
        (label, value) = (next, behind);
    }
    let mut value = value.trim();
    if is_side(label) && !all.is_empty() {
        let offset = |word: &str| word.as_ptr() as usize - value.as_ptr() as usize;
        let is_more = |&at: &usize| {
            let behind = value.get(at..).unwrap_or_default();
            let score = behind.split_whitespace().next().and_then(read_pair);
            score.is_some() || squares_in(behind) > FEW
        };
        if let Some(more) = value.split_whitespace().skip(1).map(offset).find(is_more) {
            all.push((MORE, value.get(more..).unwrap_or_default()));
            value =
                value.get(..more).unwrap_or_default().trim_end().trim_end_matches(ENDS).trim_end();
        }
    }
    all.push((label.trim(), value));
    if all.iter().any(|(_, value)| value.is_empty()) { Vec::new() } else { all }
}

/// Whether a line is a name with a rating or a time of the clock behind it: `Ann (1500) 04:59`.
fn is_player_alone(line: &str) -> bool {
    let bare = bare_name(line);
    bare.len() < line.len()
        && bare.split_whitespace().count() <= MOST_NAME_WORDS
        && bare.starts_with(char::is_alphanumeric)
        && bare.contains(char::is_alphabetic)
        && !bare.contains([':', '：'])
        && !bare.split_whitespace().any(|word| squares_in(word) > 0)
}

/// Whether a header names the moves behind it.
pub(super) fn is_title_of_moves(header: &str) -> bool {
    label_of(header) == Some(Label::Moves)
}

/// Takes what a label names; returns whether that may be meant.
fn take(draft: &mut Draft, title: &str, value: &str) -> bool {
    if title == MORE {
        return moves_and_result(draft, value).is_empty();
    }
    let label = label_of(title);
    let squares = squares_in(value);
    let is_said = match label {
        // What it names is not known, or stands below.
        Some(_) if value.is_empty() => return true,
        Some(Label::Notes) => true,
        Some(Label::Start | Label::MaybeStart) => {
            let is_board =
                matches!(board_in(value), Some(Ok(board)) if board.behind.trim().is_empty());
            // `Board: 3` is a table of a tournament.
            let is_other = label == Some(Label::MaybeStart) && squares == 0;
            is_board || (is_other && !is_meant_as_a_board(value))
        }
        _ if squares > 1 || value.is_empty() => false,
        Some(Label::Black | Label::White) => {
            // `H4ck3r` is a name, `h4` is none.
            let mut moves = MoveText::new(value);
            let is_longer = moves.take().is_some() && moves.rest().starts_with(char::is_alphabetic);
            let has_moves = value.split_whitespace().any(|word| squares_in(word) > 1);
            let is_name = (squares == 0 || is_longer) && value.contains(char::is_alphanumeric);
            if is_name && !has_moves {
                player(draft, value, label == Some(Label::Black), true);
            }
            return is_name && !has_moves;
        }
        Some(Label::Moves) => value.bytes().all(|byte| byte.is_ascii_digit()),
        Some(Label::Players) => {
            let names = names_alone(value, false);
            return names.map(|names| names.put(draft)).is_some();
        }
        Some(Label::Date) => value.contains(char::is_numeric),
        Some(Label::Result | Label::Score) => {
            draft.say_a_result(value);
            return true;
        }
        Some(Label::Round | Label::Year) => !value.contains([':', '：']),
        Some(_) => true,
        None => is_label(title) && is_value(value),
    };
    if is_said {
        draft.say(title, value);
    }
    is_said
}

/// Whether a text before a colon may be a label that nothing is known of.
fn is_label(title: &str) -> bool {
    title.starts_with(char::is_alphabetic)
        && !title.contains(|c: char| c.is_ascii_digit())
        && title.split_whitespace().count() <= MOST_LABEL_WORDS
        && squares_in(title) == 0
}

/// Whether a text behind such a label says a fact: it is no result, no names, no address, and no moves.
fn is_value(value: &str) -> bool {
    value.split_whitespace().count() <= MOST_VALUE_WORDS
        && !value.starts_with("//")
        && squares_in(value) == 0
        && !value.split_whitespace().any(|word| squares_in(word) > 0)
        && result_in_words(value).is_none()
        && header_of_two(value).is_none()
        && names_alone(value, false).is_none()
}

#[cfg(test)]
mod tests {
    use crate::files::games::testing::{read_all, read_text};

    const MOVES: &str = "f5d6c3d3c4";

    #[test]
    fn a_date_on_a_line_of_its_own_belongs_to_the_game_beside_it() {
        for text in [
            format!("2019-05-04\n{MOVES}\n"),
            format!("4 May 2019\n\n{MOVES}\n"),
            format!("{MOVES}\nMay 4, 2019\n"),
            format!("04.05.2019\nAnn - Bob\n{MOVES}\n40-24\n"),
            format!("Ann - Bob\nDate: 2019-05-04 12:33\n\n{MOVES}\n40-24\n"),
            format!("Ann 40-24 Bob\n2019-05-04\n{MOVES}\n"),
            format!("{MOVES}\n40-24\n2019-05-04\n\n{MOVES}"),
            format!("{MOVES}\n\n2019-05-04\n"),
        ] {
            let game = read_text(&text).remove(0).game;
            assert_eq!(
                game.date.map(|date| date.to_string()).as_deref(),
                Some("2019-05-04"),
                "{text}"
            );
            assert_eq!(game.moves.len(), 5, "{text}");
        }
        // Which of both is the day is not said.
        let game = read_text(&format!("04/05/2019\n{MOVES}")).remove(0).game;
        assert_eq!(game.date.map(|date| date.to_string()).as_deref(), Some("2019"));
        assert_eq!(game.extra["Date"], "04/05/2019");
        // Each game has its own.
        let games = read_text(&format!("2019-05-04\n{MOVES}\n2019-05-05\n{MOVES}\n"));
        let dates: Vec<_> =
            games.iter().filter_map(|read| read.game.date).map(|date| date.to_string()).collect();
        assert_eq!(dates, ["2019-05-04", "2019-05-05"]);
        let (games, defects) = read_all(&format!("2019-05-03\n{MOVES}\n\n2019-05-04\n"));
        assert_eq!(games.len(), 1);
        assert!(
            defects[0].starts_with("test:4 (game 2): found \"2019-05-04\", expected moves"),
            "{}",
            defects[0]
        );
    }

    #[test]
    fn titles_name_what_stands_behind_them() {
        for head in [
            "Black: Ann Lee\nWhite: Bob Ray\nResult: 40-24\n\n",
            "White: Bob Ray\nBlack: Ann Lee\nScore: 40 - 24\n",
            "Black: Ann Lee  White: Bob Ray\nBlack wins 40-24\n",
            "黒：Ann Lee 白：Bob Ray\n40対24\n",
        ] {
            let game = read_text(&format!("{head}Moves: {MOVES}\n")).remove(0).game;
            let names =
                [&game.black, &game.white].map(|player| player.name.as_deref().unwrap_or_default());
            assert_eq!(names, ["Ann Lee", "Bob Ray"], "{head}");
            assert_eq!(
                game.stated.map(|stated| stated.to_string()).as_deref(),
                Some("40-24"),
                "{head}"
            );
            assert_eq!(game.moves.len(), 5);
        }
        let text = format!(
            "Event: Cup\nRound: 3\nDate: 2019-05-04\nBlack: ann (1500)\nWhite: bob (JPN)\n\n{MOVES}\n"
        );
        let games = read_text(&format!("{text}\n{text}"));
        assert_eq!(games.len(), 2);
        let game = &games[1].game;
        assert_eq!((game.event.as_deref(), game.round.as_deref()), (Some("Cup"), Some("3")));
        assert_eq!((game.black.name.as_deref(), game.black.rating), (Some("ann"), Some(1500.0)));
        assert_eq!((game.white.name.as_deref(), game.white.rating), (Some("bob (JPN)"), None));
        // A title that is no fact costs none of the facts below it.
        let (games, defects) = read_all(&format!("Game 1\nBlack: Ann\nWhite: Bob\n\n{MOVES}\n"));
        assert_eq!((games.len(), defects.len()), (1, 0), "{defects:?}");
        assert_eq!(games[0].game.white.name.as_deref(), Some("Bob"));
        // A label that stands twice costs neither of both.
        let game =
            read_text(&format!("Event: Cup\nEvent: Final\nBlack: Ann\n{MOVES}\n")).remove(0).game;
        assert_eq!((game.event.as_deref(), &game.extra["also_Event"][..]), (Some("Cup"), "Final"));
        let (games, defects) = read_all(&format!("Black: Ann\nBlack: Bob\n{MOVES}\n"));
        assert_eq!((games.len(), defects.len()), (1, 1), "{defects:?}");
    }

    #[test]
    fn both_names_on_a_line_end_where_something_else_begins() {
        let game =
            read_text(&format!("Black: Ann, White: Bob, Result: 40-24\n{MOVES}\n")).remove(0).game;
        assert_eq!(game.white.name.as_deref(), Some("Bob"));
        assert_eq!(game.stated.map(|stated| stated.to_string()).as_deref(), Some("40-24"));
        let (games, _) = read_all(&format!("Black: Ann White: Bob {MOVES}\n{MOVES}f4\n"));
        assert!(games.iter().all(|read| {
            let name = read.game.white.name.as_deref();
            name.is_none_or(|name| name == "Bob")
        }));
        let game = read_text(&format!("黒：Ann\n白：Bob\n棋譜：{MOVES}f4\n")).remove(0).game;
        assert_eq!((game.moves.len(), game.black.name.as_deref()), (6, Some("Ann")));
        let game =
            read_text(&format!("Board: 3\nBlack: Ann\nWhite: Bob\n{MOVES}\n")).remove(0).game;
        assert_eq!(game.extra["Board"], "3");
        let game = read_text("Black: Ann\nWhite: Bob\nResult: 40-24\nf5d6c3\n").remove(0).game;
        assert_eq!((game.moves.len(), game.black.name.as_deref()), (3, Some("Ann")));
        let game = read_text("2011年5月6日 中島 33-31 村上 f5f6e6f4e3c5c4e7c6\n").remove(0).game;
        assert_eq!(game.black.name.as_deref(), Some("中島"));
        assert_eq!(game.date.map(|date| date.to_string()).as_deref(), Some("2011-05-06"));
    }

    #[test]
    fn results_in_words_stand_under_above_and_behind_the_moves() {
        for (said, shown) in [
            ("40-24 on time", "40-24 (time)"),
            ("Black wins 40-24", "40-24"),
            ("64-0 (resigned)", "64-0 (resigned)"),
            ("33:31 time forfeit", "33-31 (time)"),
            ("White resigned", "1-0 (resigned)"),
            ("40 - 24", "40-24"),
            ("40:24", "40-24"),
            ("40: 24", "40-24"),
            ("Black 40 White 24", "40-24"),
            ("B+16", "+16"),
        ] {
            for text in [
                format!("{MOVES}\n{said}\n"),
                format!("{said}\n{MOVES}\n"),
                format!("{MOVES} {said}\n"),
            ] {
                let game = read_text(&text).remove(0).game;
                assert_eq!(
                    game.stated.map(|stated| stated.to_string()).as_deref(),
                    Some(shown),
                    "{text}"
                );
                assert_eq!((game.moves.len(), game.extra.len()), (5, 0), "{text}");
            }
        }
        for text in [format!("{MOVES}\n*\n"), format!("{MOVES} *\n")] {
            assert_eq!(read_text(&text)[0].game.stated, None);
        }
    }
}
