//! `/api/read`: what a user pastes or drops: a position, a game, a file of games.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;

use crate::app::json::object;
use crate::app::pasted::{Pasted, PastedGames, read_pasted};
use crate::faces::render::json::game_json;
use crate::faces::render::{day, player_name, result};
use crate::faces::web::app::App;
use crate::faces::web::body;
use crate::faces::web::error::WebError;
use crate::faces::web::json::of_the_moment;
use crate::faces::web::parameters::Parameters;
use crate::files::games::{Game, opening_of_line};
use crate::othello::board::Placed;
use crate::othello::search::Stop;

pub async fn read(
    State(app): State<Arc<App>>,
    uri: Uri,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, WebError> {
    Parameters::read(uri.query(), &[])?;
    let bytes = body::read(&headers, body).await?;
    let read = app.read(move |stop: &Stop| Ok(read_pasted(&bytes, stop)?));
    let PastedGames { format, games, refused, more } = match read.await? {
        Pasted::Position(asked) => {
            let answer = object! {
                kind: "position",
                line: asked.line.to_string(),
                board: board_of(asked.line.start()),
                name: opening_of_line(&asked.line),
                // The board has no side to move.
                turn_assumed?: asked.is_turn_assumed.then_some(true),
            };
            return Ok(of_the_moment(StatusCode::OK, &answer));
        }
        Pasted::Games(games) => games,
    };
    let game = |game: Game| -> Result<_, WebError> {
        let names = format!("{} - {}", player_name(&game.black), player_name(&game.white));
        let facts = [names, result(&game), day(&game)].into_iter();
        let facts: Vec<String> = facts.filter(|fact| !fact.is_empty()).collect();
        Ok(object! {
            game: game_json(&game)?,
            line: game.line().to_string(),
            start: board_of(game.start),
            title: facts.join(", "),
        })
    };
    let refused =
        refused.into_iter().map(|(place, what)| object! { r#where: place, message: what });
    let answer = object! {
        kind: "games",
        format: format.name(),
        games: games.into_iter().map(game).collect::<Result<Vec<_>, _>>()?,
        refused: refused.collect::<Vec<_>>(),
        // Than are shown.
        more,
    };
    Ok(of_the_moment(StatusCode::OK, &answer))
}

/// The board that something starts from; none where that is the start.
fn board_of(start: Placed) -> Option<String> {
    (start != Placed::START).then(|| start.position.board_text(start.side))
}
