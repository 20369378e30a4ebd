//! Reads games from JSON of both kinds.

use std::io::BufRead;

use serde_json::Value;

use super::objects::Objects;
use super::{own, quest};
use crate::games::defect::{Place, Why};
use crate::games::draft::{Draft, Drafts, Refused};
use crate::games::lines::Lines;

/// The games of a JSON text.
pub(in crate::games) struct JsonReader<R> {
    objects: Objects<R>,
}

impl<R: BufRead> JsonReader<R> {
    pub(in crate::games) const fn new(lines: Lines<R>) -> Self {
        Self { objects: Objects::new(lines) }
    }
}

impl<R: BufRead> Drafts for JsonReader<R> {
    fn next_draft(&mut self) -> Option<Result<Draft, Refused>> {
        let (line, text) = match self.objects.next()? {
            Ok(object) => object,
            Err(refused) => return Some(Err(refused)),
        };
        let place = Place::Line(line);
        Some(read(place, &text).map_err(|why| Refused { place, why }))
    }
}

fn read(place: Place, text: &str) -> Result<Draft, Why> {
    let value: Value = serde_json::from_str(text)
        .map_err(|error| Why::content(&error.to_string(), "an object of JSON"))?;
    if value.get("moves").is_some() {
        own::read(place, value)
    } else if let Some(game) = quest::find(&value) {
        quest::read(place, game)
    } else {
        Err(Why::content(text, "an object with \"moves\", or a game of Othello Quest"))
    }
}

#[cfg(test)]
mod tests {
    use crate::games::testing::{read_all, read_text};

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
    fn a_bad_object_costs_itself_only() {
        let text = "{\"moves\":\"f5d6\"}\n{\"moves\":\"f5f5\"}\n{\"moves\":\"f5\n{\"moves\":5}\n\
                    {\"what\":1}\nwhat\n{\"moves\":\"f5\",}\n{\"moves\":\"f5\"}\n{\"moves\"";
        let (games, defects) = read_all(text);
        assert_eq!(games.len(), 2);
        for (defect, part) in [
            ("test:2 (game 2): ", "move 2 \"f5\": the square is occupied"),
            ("test:3 (game 3): ", "another object"),
            ("test:4 (game 4): ", "invalid type: integer `5`"),
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
