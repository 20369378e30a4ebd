//! XOF, games in XML: `<game>` with `<event>`, `<player>`, `<result>` and `<moves>`.

use std::fmt::Write as _;
use std::io::{self, BufRead};

use quick_xml::XmlVersion;
use quick_xml::escape::escape;
use quick_xml::events::{BytesStart, Event};

use super::draft::{Draft, Drafts, Refused};
use super::format::{GameFacts, GameRoom, GameSource};
use super::game::Game;
use super::refused::Why;
use super::stated::Stated;
use super::writing::glued;
use crate::files::fault::Place;
use crate::files::lines::Lines;
use crate::othello::board::Side;
use crate::othello::board::move_text::read_moves;
use crate::othello::one_line::one_line;

pub(super) struct Xof;

/// What the moves of a game on our board are said to be of.
const BOARD: &str = "othello-8x8";

/// No game is longer.
const LONGEST: usize = 1 << 20;

/// Whether a text is a file of it.
pub(super) fn is_xof(text: &str) -> bool {
    let begins =
        text.starts_with("<?xml") || text.starts_with("<!DOCTYPE") || text.starts_with("<database");
    begins
        && (text.contains("othbase.net/xof")
            || text.contains("xof.dtd")
            || text.contains("<game-collection"))
}

impl GameRoom for Xof {
    fn facts(&self) -> GameFacts {
        GameFacts::of("xof", &["xof", "xml"])
    }

    fn read<'a>(&self, source: GameSource<'a>) -> Box<dyn Drafts + 'a> {
        Box::new(XofReader { lines: source.lines(), text: String::new(), at: 0, first: 1 })
    }

    fn head(&self) -> String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE database SYSTEM \"xof.dtd\">\n\
         <database xmlns=\"http://www.othbase.net/xof\">\n <info version=\"1.1\" />\n <game-collection>\n"
            .to_owned()
    }

    fn tail(&self) -> &'static str {
        " </game-collection>\n</database>\n"
    }

    fn write(&self, game: &Game, text: &mut String) -> io::Result<()> {
        let attribute = |name: &str, value: Option<String>| {
            value.map_or_else(String::new, |value| format!(" {name}=\"{}\"", escape(value)))
        };
        let date = attribute("date", game.date.map(|date| date.to_string()));
        let event = attribute("name", game.event.clone());
        let stated = game.stated.as_ref();
        let winner = match (game.black_discs, stated.and_then(Stated::winner)) {
            (Some(33..), _) | (None, Some(Some(Side::Black))) => "black",
            (Some(32), _) | (None, Some(None)) => "draw",
            (Some(_), _) | (None, Some(Some(Side::White))) => "white",
            (None, None) => "unknown",
        };
        let result = match game.black_discs {
            Some(black) => format!("{black}-{}", 64 - black),
            None => stated.map(ToString::to_string).unwrap_or_default(),
        };
        // A string takes all that is written.
        let _ = write!(
            text,
            "  <game>\n   <event{date}{event} />\n   <result winner=\"{winner}\" type=\"normal\">{}</result>\n",
            escape(result)
        );
        for (color, player) in [("black", &game.black), ("white", &game.white)] {
            let name = attribute("name", player.name.clone());
            let _ = writeln!(text, "   <player color=\"{color}\"{name} />");
        }
        let moves = glued(game).to_uppercase();
        // No reader may take it for a game from the start.
        let from = if game.is_from_the_start() { "" } else { " from another start" };
        let _ = writeln!(
            text,
            "   <moves game=\"{BOARD}{from}\" type=\"flat\">{moves}</moves>\n  </game>"
        );
        Ok(())
    }
}

struct XofReader<R> {
    lines: Lines<R>,
    /// What has been read, from a line on.
    text: String,
    first: u64,
    /// What of it has been taken.
    at: usize,
}

impl<R: BufRead> Drafts for XofReader<R> {
    fn next_draft(&mut self) -> Option<Result<Draft, Refused>> {
        let mut begun = None;
        loop {
            let rest = self.text.get(self.at..).unwrap_or_default();
            let begins = begun.or_else(|| beginning(rest).map(|at| self.at + at));
            if let Some(begins) = begins {
                begun = Some(begins);
                let game = self.text.get(begins..).unwrap_or_default();
                let before = self.text.get(..begins).unwrap_or_default();
                let place = Place::Line(self.first + before.matches('\n').count() as u64);
                if let Some(length) = named(game, "</").next() {
                    let read = read(place, game.get(..length).unwrap_or_default());
                    self.at = begins + length;
                    return Some(read.map_err(|why| Refused { place, why }));
                }
                if game.len() > LONGEST {
                    self.at = self.text.len();
                    return Some(Err(Refused { place, why: Why::TooLong(LONGEST) }));
                }
            }
            let kept = begun.unwrap_or(self.text.len());
            match self.lines.next() {
                Some(Ok(line)) => {
                    if kept == self.text.len() {
                        (self.text, self.at, self.first) = (String::new(), 0, self.lines.number());
                    } else {
                        self.text.push('\n');
                    }
                    self.text.push_str(&line);
                }
                Some(Err(refused)) => return Some(Err(refused)),
                None => {
                    self.at = self.text.len();
                    let place = Place::Line(self.first);
                    return begun.map(|_| Err(Refused { place, why: Why::Cut }));
                }
            }
        }
    }
}

/// Where a game begins in a text.
fn beginning(text: &str) -> Option<usize> {
    named(text, "<").next()
}

/// Where tags of a game stand that begin with these marks; their name may have a prefix.
fn named<'a>(text: &'a str, marks: &'a str) -> impl Iterator<Item = usize> + 'a {
    let is_one = move |at: &usize| {
        let behind = text.get(at + marks.len()..).unwrap_or_default();
        let end = behind.find(|c: char| c == '>' || c.is_whitespace());
        let name = end.and_then(|end| behind.get(..end)).filter(|name| !name.starts_with('/'));
        name.and_then(|name| name.rsplit(':').next()) == Some("game")
    };
    text.match_indices(marks).map(|(at, _)| at).filter(is_one)
}

fn read(place: Place, text: &str) -> Result<Draft, Why> {
    let mut draft = Draft::new(place);
    let mut reader = quick_xml::Reader::from_str(text);
    reader.config_mut().check_end_names = false;
    let mut inside = String::new();
    let mut words = String::new();
    // Of moves each may stand in a tag of its own.
    let mut in_moves = false;
    loop {
        let event = reader.read_event();
        match event.map_err(|error| Why::content(&error.to_string(), "the XML of a game"))? {
            Event::Start(start) => {
                if in_moves {
                    words.push(' ');
                    continue;
                }
                inside = tag(&start, &mut draft)?;
                in_moves = inside == "moves";
                words.clear();
            }
            Event::Empty(start) => _ = tag(&start, &mut draft)?,
            Event::Text(text) => words.push_str(&text.xml10_content()),
            Event::CData(text) => words.push_str(&text.xml10_content()),
            Event::End(end) => {
                if in_moves && end.local_name().into_inner() != "moves" {
                    continue;
                }
                in_moves = false;
                match inside.as_str() {
                    "moves" => read_moves(&words).for_each(|played| draft.push(played)),
                    "result" => draft.say("result", &words),
                    "game" | "" => {}
                    name => draft.say(name, &words),
                }
                inside.clear();
            }
            Event::Eof => return Ok(draft),
            _ => {}
        }
    }
}

/// Takes the attributes of a tag; returns its name.
fn tag(start: &BytesStart<'_>, draft: &mut Draft) -> Result<String, Why> {
    let name = start.local_name().into_inner().to_owned();
    let mut values = Vec::new();
    for attribute in start.attributes().flatten() {
        let value = attribute.normalized_value(XmlVersion::Implicit1_0);
        let value = value.map_err(|error| Why::content(&error.to_string(), "a value in XML"))?;
        values.push((attribute.key.local_name().into_inner().to_owned(), value.into_owned()));
    }
    let color = values.iter().find(|(name, _)| name == "color" || name == "colour");
    let color = color.map(|(_, color)| color.to_ascii_lowercase()).unwrap_or_default();
    for (key, value) in &values {
        match (name.as_str(), key.as_str()) {
            ("player", "color" | "colour") | ("moves", "type") => {}
            ("player", "name") => draft.say(&color, value),
            ("player", key) => draft.say(&format!("{color}{key}"), value),
            ("event", "name") => draft.say("event", value),
            ("moves", "game") if value == BOARD => {}
            ("moves", "game") => return Err(Why::OtherGame(one_line(value, 40))),
            ("result", "winner") if value == "unknown" => {}
            ("result", "type") if value == "normal" => {}
            ("result", "type") => draft.say("Termination", value),
            (_, key) => draft.say(key, value),
        }
    }
    Ok(name)
}

#[cfg(test)]
mod tests {
    use crate::files::games::testing::{read_all, read_text, refused};
    use crate::files::games::{GameFormat, write};

    const HEAD: &str = "<?xml version=\"1.0\"?>\n<!DOCTYPE database SYSTEM \"xof.dtd\">\n<database>\n\
        <info version=\"1.1\" />\n<game-collection>\n";

    fn game(moves: &str) -> String {
        format!(
            "<game>\n<event date=\"2024-05-01\" name=\"Cup &amp; more\" />\n<result winner=\"white\" \
             type=\"normal\">27-37</result>\n<player color=\"black\" name=\"Ann\" rating=\"1500\"/>\
             <player color=\"white\" name=\"Bob\" />\n<moves game=\"othello-8x8\" type=\"flat\">{moves}</moves>\n</game>\n"
        )
    }

    #[test]
    fn games_are_read_with_their_facts() {
        let text =
            format!("{HEAD}{}{}</game-collection></database>", game("F5D6C3"), game("f5 f6"));
        let prefixed = |text: &str| text.replace("<", "<x:").replace("<x:/", "</x:");
        for text in [
            text.clone(),
            text.replace('\n', " "),
            text.replace("F5D6C3", "<move>F5</move><move>D6</move>\n<move>C3</move>"),
            text.split_once("<database>")
                .map(|(head, games)| format!("{head}<database>{}", prefixed(games)))
                .unwrap(),
        ] {
            let games = read_text(&text);
            assert_eq!(games.len(), 2, "{text}");
            let first = &games[0].game;
            assert_eq!(first.line().to_string(), "f5d6c3");
            assert_eq!(
                (first.black.name.as_deref(), first.black.rating),
                (Some("Ann"), Some(1500.0))
            );
            assert_eq!(first.white.name.as_deref(), Some("Bob"));
            assert_eq!(first.event.as_deref(), Some("Cup & more"));
            assert_eq!(first.date.unwrap().to_string(), "2024-05-01");
            assert_eq!(first.stated.as_ref().unwrap().to_string(), "27-37");
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let games = read_text(&format!("{HEAD}{}{}", game("F5D6C3"), game("f5f6")));
        let mut bytes = Vec::new();
        let written =
            write(GameFormat::Xof, games.iter().map(|read| &read.game), &mut bytes).unwrap();
        assert_eq!((written.games, written.refused), (2, vec![]));
        let again = read_text(&String::from_utf8(bytes).unwrap());
        assert_eq!(again[0].game.event.as_deref(), Some("Cup & more"));
        assert_eq!(again[1].game.moves, games[1].game.moves);
    }

    #[test]
    fn a_bad_game_costs_itself_only() {
        let text = format!("{HEAD}{}{}<game>\n<event", game("F5F5"), game("F5D6"));
        let (games, defects) = read_all(&text);
        assert_eq!((games.len(), defects.len()), (1, 2), "{defects:?}");
        assert!(defects[0].starts_with("test:6 (game 1): move 2"), "{defects:?}");
        let other = game("F5").replace("othello-8x8", "othello-10x10");
        assert!(refused(&format!("{HEAD}{other}")).contains("not Othello: othello-10x10"));
    }
}
