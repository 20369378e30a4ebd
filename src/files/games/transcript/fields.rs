//! Games in fields with one mark between them: `Smith, J. / Doe, K. / 40-24 / f5d6c3`, `Ann - Bob - 40-24 - f5d6c3`.

use super::dates::is_date;
use super::moves_of::FEW;
use super::names::{is_an_event, is_person, names_an_event};
use super::players::player;
use crate::files::fault::Place;
use crate::files::games::draft::Draft;
use crate::files::games::result_words::read_result;
use crate::files::games::stated::read_short;
use crate::othello::board::move_text::MoveText;

/// Marks between fields, and how many of these a line has.
const MARKS: [&str; 3] = [" / ", " - ", " | "];
const FIELDS: std::ops::RangeInclusive<usize> = 3..=8;

/// The game of a line of fields, where one holds the moves, two are names, and the others say what they are.
pub(super) fn of_fields(line: &str, place: Place) -> Option<Draft> {
    MARKS.into_iter().find_map(|mark| {
        let fields: Vec<&str> = line.split(mark).take(FIELDS.end() + 1).map(str::trim).collect();
        if !FIELDS.contains(&fields.len()) {
            return None;
        }
        let mut draft = Draft::new(place);
        let mut players = Vec::new();
        for field in fields {
            let mut text = MoveText::new(field);
            let moves: Vec<_> = std::iter::from_fn(|| text.take()).collect();
            let result = || read_short(field).or_else(|| read_result(field));
            match field {
                _ if text.rest().is_empty() && moves.len() > FEW => {
                    moves.into_iter().for_each(|played| draft.push(played));
                }
                _ if is_date(field) => draft.set_date("Date", field),
                _ if result().is_some() => draft.add_result(result()),
                _ if is_person(field) && !names_an_event(field) => players.push(field),
                _ if is_an_event(field) => draft.say("Event", field),
                _ => return None,
            }
        }
        match players[..] {
            [black, white] if !draft.entries.is_empty() => {
                player(&mut draft, black, true, false);
                player(&mut draft, white, false, false);
                Some(draft)
            }
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use crate::files::games::testing::{read_all, read_text};

    const MOVES: &str = "f5d6c3d3c4f4c5b3";

    /// The players, the result, the date and the event of the only game of a text.
    fn told(text: &str) -> String {
        let games = read_text(text);
        assert_eq!((games.len(), games[0].game.moves.len()), (1, 8), "{text}");
        let game = games[0].game.clone();
        let names = [game.black.name, game.white.name].map(Option::unwrap_or_default).join(" - ");
        let mut told = vec![names];
        told.extend(game.stated.map(|stated| stated.to_string()));
        told.extend(game.date.map(|date| date.to_string()));
        told.extend(game.event);
        told.extend(game.extra.into_iter().map(|(name, value)| format!("{name} {value}")));
        told.join(", ")
    }

    #[test]
    fn fields_of_a_line_say_what_they_are() {
        for (text, expected) in [
            (format!("Smith, J. / Doe, K. / 40-24 / {MOVES}"), "Smith, J. - Doe, K., 40-24"),
            (format!("Ann - Bob - 40-24 - {MOVES}"), "Ann - Bob, 40-24"),
            (format!("2019-05-04 - Ann - Bob - 40-24 - {MOVES}"), "Ann - Bob, 40-24, 2019-05-04"),
            (format!("Cup 2011 - Ann - Bob - {MOVES} - 40-24"), "Ann - Bob, 40-24, Cup 2011"),
            (format!("Ann | Bob | 40-24 | {MOVES}"), "Ann - Bob, 40-24"),
        ] {
            assert_eq!(told(&text), expected);
        }
    }

    #[test]
    fn facts_stand_where_people_write_them() {
        for (text, expected) in [
            (format!("{MOVES}\nBlack: Ann  White: Bob  33-31\n"), "Ann - Bob, 33-31"),
            (format!("Black: Ann White: Bob {MOVES}\n"), "Ann - Bob"),
            (
                format!("2019-05-04 Paris Open\nBlack: Ann\nWhite: Bob\n{MOVES}\n"),
                "Ann - Bob, 2019-05-04, Paris Open",
            ),
            (
                format!("2019-05-04 a fine evening\nAnn - Bob\n{MOVES}\n"),
                "Ann - Bob, 2019-05-04, Comment a fine evening",
            ),
            (format!("{MOVES} Ann - Bob\n"), "Ann - Bob"),
            (format!("{MOVES} Tiger - Bob\n"), " - , Comment Tiger - Bob"),
            (format!("Ann - Bob\n{MOVES}\n結果 33-31\n"), "Ann - Bob, 33-31"),
            (format!("Black = Ann\nWhite = Bob\nMoves = {MOVES}\n"), "Ann - Bob"),
            (format!("黑子：Ann\n白子：Bob\n结果：黑胜16子\n{MOVES}\n"), "Ann - Bob, +16"),
            (format!("对局者：Ann - Bob\n{MOVES}\n"), "Ann - Bob"),
            (
                format!("Event: Cup, Date: 2011-05-06\nBlack: Ann, White: Bob\n{MOVES}\n"),
                "Ann - Bob, 2011-05-06, Cup",
            ),
        ] {
            assert_eq!(told(&text), expected);
        }
    }

    #[test]
    fn the_head_of_a_mail_is_no_game() {
        let head = "Return-Path: <ann@x.org>\nReceived: from x.org (1.2.3.4); Tue, 3 May 2005 12:00:00 +0200\n\
            From: ann@x.org (Ann)\nSubject: Re: game 3 - 40-24\nDate: Tue, 3 May 2005 12:00:00 +0200\n\
            Message-ID: <4f5d6@x.org>\nIn-Reply-To: <a1b2@x>\nX-Mailer: x 1.0\n";
        let (games, defects) = read_all(&format!("{head}\nHi,\n\nAnn - Bob\n{MOVES}\n40-24\n"));
        assert_eq!((games.len(), &defects[..]), (1, &[][..]));
        assert_eq!(games[0].game.black.name.as_deref(), Some("Ann"));
    }
}
