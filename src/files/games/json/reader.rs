//! Reads games from JSON of all kinds.

use std::collections::VecDeque;
use std::io::BufRead;

use serde_json::Value;

use super::array::Array;
use super::objects::{Item, Objects};
use super::{own, quest, saved_boards};
use crate::files::charset::Charset;
use crate::files::fault::Place;
use crate::files::games::draft::{Draft, Drafts, Refused};
use crate::files::games::refused::Why;
use crate::files::games::transcript::TranscriptReader;
use crate::files::lines::{Letters, Lines};

pub(in crate::files::games) struct JsonReader<R> {
    objects: Objects<R>,
    /// Games that have not been handed out.
    games: VecDeque<Result<Draft, Refused>>,
    /// The array whose texts are being read.
    array: Option<Array>,
}

impl<R: BufRead> JsonReader<R> {
    pub(in crate::files::games) const fn new(lines: Lines<R>) -> Self {
        Self { objects: Objects::new(lines), games: VecDeque::new(), array: None }
    }
}

impl<R: BufRead> Drafts for JsonReader<R> {
    fn next_draft(&mut self) -> Option<Result<Draft, Refused>> {
        while self.games.is_empty() {
            let next = self.objects.next();
            let array = match &next {
                Some(Ok((_, Item::Text { array, .. }))) => *array,
                // What is wrong in an array is wrong with the game that its texts are the moves of.
                Some(Err(_)) => {
                    self.array.iter_mut().for_each(Array::spoil);
                    self.games.extend(next.and_then(Result::err).map(Err));
                    continue;
                }
                _ => None,
            };
            if self.array.as_ref().map(|open| open.number) != array {
                let done = self.array.take().and_then(Array::into_game);
                self.games.extend(done.map(Ok));
                self.array = array.map(Array::new);
            }
            match next {
                Some(Ok((line, Item::Text { text, .. }))) => {
                    let place = Place::Line(line);
                    let texts = match &mut self.array {
                        Some(array) => array.take(place, text),
                        None => vec![(place, text)],
                    };
                    texts
                        .into_iter()
                        .for_each(|(at, text)| self.games.extend(transcript(at, &text)));
                }
                Some(Ok((line, Item::Object(text)))) => {
                    let place = Place::Line(line);
                    let game = read(place, &text, self.objects.around())
                        .map_err(|why| Refused { place, why });
                    self.games.push_back(game);
                }
                Some(Err(_)) | None => break,
            }
        }
        self.games.pop_front()
    }
}

fn read<'a>(
    place: Place,
    text: &str,
    around: impl Iterator<Item = &'a Value>,
) -> Result<Draft, Why> {
    let mut value: Value = serde_json::from_str(text)
        .map_err(|error| Why::content(&error.to_string(), "an object of JSON"))?;
    around.for_each(|outer| own::complete(&mut value, outer));
    if value.get("moves").is_some() {
        own::read(place, &value)
    } else if let Some(game) = quest::find(&value) {
        quest::read(place, game)
    } else if saved_boards::has_boards(&value) {
        saved_boards::read(place, &value)
    } else if own::has_moves(&value) {
        own::read(place, &value)
    } else {
        let expected = saved_boards::EXPECTED;
        Err(Why::content(text, expected))
    }
}

/// The games of a text in quotes; nothing in it is a game without moves.
fn transcript(place: Place, text: &str) -> VecDeque<Result<Draft, Refused>> {
    if text.trim().is_empty() {
        return [Ok(Draft::new(place))].into();
    }
    let mut reader = TranscriptReader::new(Lines::new(text.as_bytes(), Letters::In(Charset::Utf8)));
    let games = std::iter::from_fn(|| reader.next_draft());
    let none = || Refused { place, why: Why::content(text, "a transcript") };
    let here = |game: Result<Draft, Refused>| match game {
        Ok(draft) => Ok(Draft { place, ..draft }),
        Err(refused) => Err(Refused { place, ..refused }),
    };
    let games: VecDeque<_> = games.map(here).collect();
    if games.is_empty() { [Err(none())].into() } else { games }
}

#[cfg(test)]
mod tests {
    use crate::files::games::Place;
    use crate::files::games::testing::{read_all, read_text};

    #[test]
    fn objects_stand_in_lines_and_arrays() {
        let one = "{\"moves\":\"f5d6c3\",\"extra\":{\"a\":\"}\\\"{\"}}";
        for text in [
            format!("{one}\n{one}\n"),
            format!("[{one},{one}]"),
            format!("[\n  {one},\n  {}\n]\n", one.replace(',', ",\n   ")),
        ] {
            let games = read_text(&text);
            assert_eq!(games.len(), 2, "{text}");
            assert!(games.iter().all(|game| game.game.line().to_string() == "f5d6c3"));
            assert_eq!(games[0].game.extra["a"], "}\"{");
        }
    }

    #[test]
    fn games_stand_in_a_list_of_an_object() {
        let quest = r#"{"position":{"moves":[{"m":"f5"},{"m":"d6"}]}}"#;
        let own = r#"{"moves":["f5","d6"],"extra":{"games":"[{"}}"#;
        for text in [
            format!(r#"{{"games":[{own},{quest},"f5d6"]}}"#),
            format!(r#"{{"of":{{"games":[]}},"games" : [ {own} , {quest},"f5d6" ],"n":[{{}}]}}"#),
            format!(
                "{{\n  \"of\": [\"games\"],\n  \"games\":\n  [\n{own},\n{quest},\n\"f5d6\"\n]\n}}"
            ),
            format!(r#"{{"games":[{own}],"x":1}} {{"games":[]}} {{"games":[{quest}]}}"#)
                + "\n"
                + own,
            format!(r#"[{{"games":[{{"games":[{own},{quest}]}},{own}]}}]"#),
        ] {
            let games = read_text(&text);
            assert_eq!(games.len(), 3, "{text}");
            assert!(games.iter().all(|game| game.game.line().to_string() == "f5d6"), "{text}");
        }
        // Games may be lost with the end of a list.
        for open in ["[", "{\"games\":[", "[{\"games\":["] {
            let (games, defects) = read_all(&format!("{open}{own},\n{own},\n{quest},\n"));
            assert_eq!(games.len(), 3, "{defects:?}");
            assert_eq!(defects, ["test:3 (game 4): the file ends inside the game"]);
        }
        let (games, defects) = read_all(
            "{\"games\":[\n{\"moves\":\"f5\"},\n{\"moves\":\"f5f5\"},\n{\"x\":1},\n[\"f5\"],\n5\n]}",
        );
        assert_eq!(games.len(), 1);
        for (defect, start) in defects.iter().zip([
            "test:3 (game 2): move 2 \"f5\"",
            "test:4 (game 3): found \"{\"x\":1}\", expected an object with \"moves\"",
            "test:5 (game 4): found \"[\"f5\"],\", expected an object in braces",
            "test:6 (game 5): found \"5\", expected an object in braces",
        ]) {
            assert!(defect.starts_with(start), "{defect}");
        }
        assert_eq!(defects.len(), 4);
        // What is no list is no game, either.
        assert_eq!(read_all(r#"{"games":{"moves":"f5"}}"#).1.len(), 1);
    }

    #[test]
    fn what_stands_around_games_is_said_of_all() {
        let text = r#"{"event":"Cup","date":"2024-05-06","black":"x","rounds":[
            {"round":1,"games":[{"black":"Ann","moves":"f5d6c3"},{"date":"2024-05-07","moves":"f5f6"}]},
            {"round":2,"event":"Final","games":[{"tournament":"Side","moves":"f5f4"},{"moves":"f5"}]}],
            "site":"here"}
            {"moves":"f5d6"}"#;
        let games = read_text(text);
        let said = games.iter().map(|draft| {
            let game = &draft.game;
            let date = game.date.map(|date| date.to_string());
            let texts = [game.event.clone(), game.round.clone(), date, game.black.name.clone()];
            texts.map(Option::unwrap_or_default).join("|")
        });
        let expected = [
            "Cup|1|2024-05-06|Ann",
            "Cup|1|2024-05-07|",
            "Side|2|2024-05-06|",
            "Final|2|2024-05-06|",
            "|||",
        ];
        assert_eq!(said.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn texts_are_transcripts() {
        let text =
            "[\"f5d6c3\", \"one 25-39 two : F5D6C3\",\n\"1. f5 d6 2. c3\",\"f5\\u0064\\u0036c3\"]";
        let games = read_text(text);
        let lines: Vec<String> = games.iter().map(|game| game.game.line().to_string()).collect();
        assert_eq!(lines, ["f5d6c3"; 4]);
        assert_eq!(games[1].game.black.name.as_deref(), Some("one"));
        assert_eq!(games[2].place, Place::Line(2));
        let (games, defects) = read_all("[\"\", \"f5f5\", \"# x\", \"f5\\nf5a1\",\n\"f5\n\"f5\"]");
        assert_eq!(games.len(), 3);
        for (defect, start) in defects.iter().zip([
            "test:1 (game 2): move 2 \"f5\"",
            "test:1 (game 3): found \"# x\", expected a transcript",
            "test:1 (game 5): move 2 \"a1\"",
            "test:2 (game 6): found \"\"f5\", expected a text in quotes",
        ]) {
            assert!(defect.starts_with(start), "{defect}");
        }
        assert_eq!(defects.len(), 4);
    }

    #[test]
    fn an_array_of_single_moves_is_a_game() {
        let moves = |line: &str| {
            let words: Vec<String> = line.split(' ').map(|word| format!("\"{word}\"")).collect();
            format!("[{}]", words.join(", "))
        };
        let (one, two) = (moves("f5 D6 c3"), moves("f5 f6"));
        // After these moves Black has none.
        let passed = moves("c4 c3 e6 b4 a4 a5 b2 a3 -- f4");
        for (text, lines) in [
            (one.clone(), &["f5d6c3"][..]),
            (one.replace(", ", ",\n  "), &["f5d6c3"]),
            (format!("[{one}, {two}]"), &["f5d6c3", "f5f6"]),
            (format!("[\n{one},\n{{\"moves\":\"f5\"}},\n{two}\n]"), &["f5d6c3", "f5", "f5f6"]),
            (format!("{one}\n{two}\n"), &["f5d6c3", "f5f6"]),
            (passed, &["c4c3e6b4a4a5b2a3f4"]),
            // A transcript among them: each is one.
            ("[\"f5\", \"f5\", \"f5d6\", \"f5\"]".to_owned(), &["f5", "f5", "f5d6", "f5"]),
            ("[\"f5\"]".to_owned(), &["f5"]),
        ] {
            let games = read_text(&text);
            let found: Vec<String> =
                games.iter().map(|game| game.game.line().to_string()).collect();
            assert_eq!(found, lines, "{text}");
        }
        for (text, told) in [
            ("[\"f5\",\n\"f5\"]", "test:1 (game 1): move 2 \"f5\": the square is occupied"),
            (
                "[\"f5\",\n5,\n\"d6\"]",
                "test:2 (game 1): found \"5,\", expected an object in braces",
            ),
            ("[\"f5\", \"d6\",\n", "test:1 (game 1): the file ends inside the game"),
            (&moves(&"f5 ".repeat(500)), "test:1 (game 1): move 2 \"f5\": the square is occupied"),
        ] {
            let (games, defects) = read_all(text);
            assert_eq!((games.len(), defects.len()), (0, 1), "{text}: {defects:?}");
            assert!(defects[0].starts_with(told), "{defects:?}");
        }
    }

    #[test]
    fn a_bad_object_costs_itself_only() {
        let text = "{\"moves\":\"f5d6\"}\n{\"moves\":\"f5f5\"}\n{\"moves\":\"f5\n{\"moves\":5}\n\
                    {\"what\":1}\nwhat\n{\"moves\":\"f5\",}\n{\"moves\":\"f5\"}\n{\"moves\"";
        let (games, defects) = read_all(text);
        assert_eq!(games.len(), 2);
        for (defect, part) in [
            ("test:2 (game 2): ", "move 2 \"f5\": the square is occupied"),
            ("test:3 (game 3): ", "another object"),
            ("test:4 (game 4): ", "found \"moves: 5\", expected moves as a text"),
            ("test:5 (game 5): ", "an object with \"moves\""),
            ("test:6 (game 6): ", "found \"what\", expected an object in braces"),
            ("test:7 (game 7): ", "trailing comma"),
            ("test:9 (game 9): ", "the file ends inside the game"),
        ]
        .into_iter()
        .enumerate()
        .map(|(index, (start, part))| (&defects[index], (start, part)))
        {
            assert!(defect.starts_with(part.0) && defect.contains(part.1), "{defect}");
        }
        let deep = format!("{{\"moves\":{}", "[".repeat(100_000));
        assert_eq!(read_all(&format!("{{\"moves\":\"f5\"}}\n{deep}\n")).1.len(), 1);
    }
}
