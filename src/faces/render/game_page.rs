//! Analysed games as one page that works from disk: board, moves, values and losses.

use serde::Serialize;

use super::game_graph::{STYLE, game_graph, title};
use super::game_text::stated_result;
use super::xml::escaped;
use crate::app::analysis::{AnalysedGame, AnalysedMove, Known, Phase, SideSums, Turn, Winner};
use crate::app::json::{hundredths, object};
use crate::files::games::Player;
use crate::othello::board::{Placed, Side};

const PAGE: &str = include_str!("page/game.html");
const PAGE_STYLE: &str = include_str!("page/game.css");
const SCRIPT: &str = include_str!("page/game.js");

/// Games as a page of HTML, which needs no other file and no network. Where there are several, one is
/// chosen from a list. `notes` are sentences on each game, such as where it left the book.
pub fn games_page(games: &[AnalysedGame], notes: impl Fn(&AnalysedGame) -> Vec<String>) -> String {
    let data: Vec<_> = games.iter().map(|game| game_json(game, notes(game))).collect();
    // Nothing in the data can end the element around it.
    let data = serde_json::to_string(&data).unwrap_or_else(|_| "[]".to_owned());
    let data = data.replace('<', "\\u003c");
    let first = games.first();
    let title = match (first, games.len()) {
        (Some(game), 1) => title(game),
        (_, count) => format!("{count} games"),
    };
    let graph = first.map(game_graph).unwrap_or_default();
    let style = format!("{STYLE}{PAGE_STYLE}");
    // In one go, so that nothing that is put in is looked through for places again.
    let parts = [
        ("title", escaped(&title)),
        ("style", style),
        ("graph", graph),
        ("data", data),
        ("script", SCRIPT.to_owned()),
    ];
    filled(PAGE, &parts)
}

/// A text with its places `{{name}}` filled.
fn filled(text: &str, parts: &[(&str, String)]) -> String {
    let mut whole = String::new();
    for (index, piece) in text.split("{{").enumerate() {
        let place = (index > 0).then(|| piece.split_once("}}")).flatten();
        let Some((name, rest)) = place else {
            whole.push_str(piece);
            continue;
        };
        let part = parts.iter().find(|(known, _)| *known == name);
        whole.push_str(part.map_or("", |(_, part)| part));
        whole.push_str(rest);
    }
    whole
}

fn game_json(game: &AnalysedGame, notes: Vec<String>) -> impl Serialize + '_ {
    let facts = &game.game;
    let mut boards: Vec<String> = game.moves.iter().map(|played| squares(played.before)).collect();
    boards.push(squares(facts.line().board()));
    let player = |player: &Player| object! { name: player.name.clone(), rating: player.rating };
    object! {
        title: title(game),
        black: player(&facts.black),
        white: player(&facts.white),
        event: &facts.event,
        round: &facts.round,
        date: facts.date.map(|date| date.to_string()),
        result: stated_result(&game.game),
        // 64 squares after each number of moves.
        boards,
        moves: game.moves.iter().map(move_json).collect::<Vec<_>>(),
        sums: object! {
            black: sums_json(&game.sums(Side::Black)),
            white: sums_json(&game.sums(Side::White)),
        },
        notes,
        graph: game_graph(game),
    }
}

fn squares(placed: Placed) -> String {
    placed.position.squares_text(placed.side)
}

fn move_json(played: &AnalysedMove) -> impl Serialize + use<> {
    let value = played.value;
    let searched = match value.map(|value| value.known) {
        Some(Known::Searched { depth, selectivity }) => Some((depth, selectivity)),
        _ => None,
    };
    let turn = value.and_then(|value| value.turn());
    object! {
        ply: played.ply,
        r#move: played.square,
        side: played.side(),
        pass: played.after_pass,
        choices: played.choices,
        value: value.map(|value| value.played),
        best_move: value.map(|value| value.best),
        best_value: value.map(|value| value.before),
        loss: played.loss(),
        known_by: value.map(|value| value.known.name()),
        depth: searched.map(|(depth, _)| depth),
        selectivity: searched.map(|(_, selectivity)| selectivity),
        winner_change: turn.map(turn_name),
        proven: turn.is_some_and(|turn| turn.proven),
        name: played.name,
    }
}

const fn turn_name(turn: Turn) -> &'static str {
    match (turn.from, turn.to) {
        (Winner::This, Winner::Neither) => "win-draw",
        (Winner::This, _) => "win-loss",
        _ => "draw-loss",
    }
}

fn sums_json(sums: &SideSums) -> impl Serialize + use<> {
    let discs = |phase| sums.of(phase).discs();
    object! {
        opening: discs(Phase::Opening),
        midgame: discs(Phase::Midgame),
        endgame: discs(Phase::Endgame),
        all: sums.all.discs(),
        exact: sums.exact.discs(),
        mean_loss: sums.all.mean().map(hundredths),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faces::render::sample::sample;

    #[test]
    fn a_page_holds_its_games_and_nothing_breaks_out_of_it() {
        let game = sample();
        let page = games_page(&[game.clone(), game.clone()], |_| vec!["left the book".to_owned()]);
        assert_eq!(page.matches("</script>").count(), 2, "that of the data, and the script's");
        assert!(!page.contains("{{") && !page.contains("http://") || page.contains("www.w3.org"));
        assert!(!page.contains("src=") && !page.contains("href="), "nothing is loaded");
        let (_, data) = page.split_once("id=\"data\">").unwrap();
        let (data, _) = data.split_once("</script>").unwrap();
        let data: serde_json::Value = serde_json::from_str(data).unwrap();
        assert_eq!(data.as_array().unwrap().len(), 2);
        let read = &data[0];
        assert_eq!(read["event"], "</script><b>");
        assert_eq!(read["boards"].as_array().unwrap().len(), game.moves.len() + 1);
        assert_eq!(read["moves"].as_array().unwrap().len(), game.moves.len());
        assert_eq!(read["moves"][20]["loss"], serde_json::Value::Null);
        assert_eq!(read["moves"][20]["known_by"], serde_json::Value::Null);
        assert_eq!(read["moves"][0]["known_by"], "book");
        assert_eq!(read["notes"][0], "left the book");
        if let Some(file) = std::env::var_os("ROSEBILL_PAGE") {
            std::fs::write(file, &page).unwrap();
        }
    }

    #[test]
    fn places_are_filled_once() {
        let parts = [("a", "{{b}}".to_owned()), ("b", "x".to_owned())];
        assert_eq!(filled("<{{a}}|{{b}}|{{c}}>", &parts), "<{{b}}|x|>");
    }
}
