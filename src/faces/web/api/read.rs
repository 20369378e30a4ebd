//! `/api/read`: what a user pastes or drops: a position, a game, a file of games.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use serde::Serialize;
use serde_json::Value;

use crate::app::pasted::{Pasted, PastedGames, read_pasted};
use crate::faces::render::json::game_json;
use crate::faces::render::{day, player_name, result};
use crate::faces::web::app::App;
use crate::faces::web::body;
use crate::faces::web::error::WebError;
use crate::faces::web::json::of_the_moment;
use crate::faces::web::parameters::Parameters;
use crate::files::games::opening_of_line;
use crate::othello::search::Stop;

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum ReadAnswer {
    Position {
        line: Option<String>,
        board: Option<String>,
        name: Option<&'static str>,
        /// Whether the board has no side to move, so that Black's turn was assumed.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        turn_assumed: bool,
    },
    Games {
        format: &'static str,
        games: Vec<GameAnswer>,
        refused: Vec<RefusedJson>,
        /// Whether there are more than are shown.
        more: bool,
    },
}

#[derive(Serialize)]
struct GameAnswer {
    game: Value,
    line: String,
    start: Option<String>,
    title: String,
}

#[derive(Serialize)]
struct RefusedJson {
    #[serde(rename = "where")]
    place: String,
    what: String,
}

pub async fn read(
    State(app): State<Arc<App>>,
    uri: Uri,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, WebError> {
    Parameters::read(uri.query(), &[])?;
    let bytes = body::read(&headers, body).await?;
    let read = move |stop: &Stop| {
        let pasted = read_pasted(&bytes, stop)?;
        Ok(serde_json::to_vec(&answer(pasted)?).map_err(std::io::Error::from)?)
    };
    let json = app.read(read).await?;
    Ok(of_the_moment(StatusCode::OK, json))
}

fn answer(pasted: Pasted) -> Result<ReadAnswer, WebError> {
    let PastedGames { format, games, refused, more } = match pasted {
        Pasted::Position(asked) => {
            let line = &asked.line;
            let start = line.start();
            let is_from_the_start = asked.is_from_the_start();
            return Ok(ReadAnswer::Position {
                line: Some(line.to_string()),
                board: (!is_from_the_start).then(|| start.position.board_text(start.side)),
                name: opening_of_line(line),
                turn_assumed: asked.is_turn_assumed,
            });
        }
        Pasted::Games(games) => games,
    };
    let game = |game: crate::files::games::Game| -> Result<GameAnswer, WebError> {
        let start = game.start;
        let is_from_the_start = game.is_from_the_start();
        let names = format!("{} - {}", player_name(&game.black), player_name(&game.white));
        let facts = [names, result(&game), day(&game)].into_iter();
        let facts: Vec<String> = facts.filter(|fact| !fact.is_empty()).collect();
        Ok(GameAnswer {
            line: game.line().to_string(),
            start: (!is_from_the_start).then(|| start.position.board_text(start.side)),
            title: facts.join(", "),
            game: game_json(&game)?,
        })
    };
    Ok(ReadAnswer::Games {
        format: format.name(),
        games: games.into_iter().map(game).collect::<Result<_, _>>()?,
        refused: refused.into_iter().map(|(place, what)| RefusedJson { place, what }).collect(),
        more,
    })
}
