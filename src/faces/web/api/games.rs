//! `/api/games`, `/api/games/{id}`, `/api/players`.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, Uri};
use axum::response::Response;

use crate::app::games::{GameId, GameSort, ListOptions, find_players, list_games, show_game};
use crate::app::json::object;
use crate::faces::render::json::{found_player_json, listed_json, path_json};
use crate::faces::web::app::{App, Work};
use crate::faces::web::error::WebError;
use crate::faces::web::json::json;
use crate::faces::web::parameters::{FILTERS, PLACE, Parameters};
use crate::othello::one_line::one_line;

/// Games of a page where no number is asked for, and the most.
const USUAL: usize = 20;
const MOST: usize = 200;
/// Players that are shown.
const PLAYERS: usize = 20;

const ORDERS: [(&str, GameSort); 4] = [
    ("date", GameSort::Date),
    ("result", GameSort::Result),
    ("player", GameSort::Player),
    ("rating", GameSort::Rating),
];

pub async fn games(
    State(app): State<Arc<App>>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, WebError> {
    let own = ["sort", "reverse", "limit", "after", "other_order"];
    let parameters = Parameters::read(uri.query(), &[&PLACE, &own, &FILTERS])?;
    let asked = parameters.has_place().then(|| parameters.asked()).transpose()?;
    let limit = parameters.number("limit", 1..=MOST)?.unwrap_or(USUAL);
    let through = asked.map(|asked| asked.line);
    let mut filter = parameters.filter()?;
    filter.through.extend(through.clone());
    let other_order = parameters.yes("other_order")?.unwrap_or_default();
    let options = ListOptions {
        filter,
        other_order_than: through.filter(|_| other_order),
        sort: parameters.choice("sort", &ORDERS)?.unwrap_or_default(),
        reverse: parameters.yes("reverse")?.unwrap_or_default(),
        // One more shows whether there is a next page.
        limit: limit + 1,
        after: parameters.number("after", 0..=u32::MAX)?.map(GameId),
    };
    app.ask(Work::Lookup, &uri, &headers, move |question| {
        let database = question.games()?;
        let (mut page, count) = list_games(&database, &options)?;
        let is_last = page.len() <= limit;
        page.truncate(limit);
        let next = page.last().filter(|_| !is_last).map(|listed| listed.id.0);
        let games = page.iter().map(listed_json).collect::<Result<Vec<_>, _>>()?;
        // `next` is what `after` is on the next page.
        json(&object! { count, of: database.len(), games, next })
    })
    .await
}

pub async fn game(
    State(app): State<Arc<App>>,
    id: Result<Path<String>, PathRejection>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, WebError> {
    Parameters::read(uri.query(), &[])?;
    let id = id.map(|Path(id)| id).unwrap_or_default();
    let text = format!("no game {} in this book", one_line(&id, 20));
    let no_game = move || WebError::missing(text.clone());
    let id = id.parse::<u32>().map_err(|_| no_game())?;
    app.ask(Work::Lookup, &uri, &headers, move |question| {
        let database = question.games()?;
        let listed = show_game(&database, GameId(id))?.ok_or_else(no_game)?;
        let line = listed.game.line();
        let game = listed_json(&listed)?;
        json(&object! { ..game: game, path: path_json(&line) })
    })
    .await
}

/// Players by the beginnings of the words of their names.
pub async fn players(
    State(app): State<Arc<App>>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, WebError> {
    let parameters = Parameters::read(uri.query(), &[&["prefix"]])?;
    let prefix = parameters.text("prefix").unwrap_or_default().to_owned();
    app.ask(Work::Lookup, &uri, &headers, move |question| {
        let found = find_players(&question.games()?, &prefix)?;
        let players = found.iter().take(PLAYERS).map(found_player_json);
        json(&object! { players: players.collect::<Vec<_>>() })
    })
    .await
}
