//! `/api/analyze`: a game explained move by move, as it is found out.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Uri, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tokio::sync::mpsc::Sender;

use crate::app::BookFile;
use crate::app::analysis::{
    AnalysisBook, AnalysisError, AnalysisEvent, AnalysisOptions, GameToAnalyse, analyse_games,
};
use crate::app::games::GameDatabase;
use crate::app::json::object;
use crate::app::pasted::{Pasted, read_pasted};
use crate::faces::render::json::{analysed_json, path_json};
use crate::faces::web::app::App;
use crate::faces::web::body::{self, stream};
use crate::faces::web::engines::{TABLE_MEGABYTES, stopped_for};
use crate::faces::web::error::WebError;
use crate::faces::web::parameters::Parameters;
use crate::files::games::Game;
use crate::othello::search::{Level, Stop};

/// The level where none is asked for, and the highest.
const USUAL: u8 = 10;
pub const HIGHEST: u8 = 16;
/// From so many empties on values are exact where nothing else is said, and at most.
const EXACT_FROM: u8 = 14;
const MOST_EXACT: u8 = 20;

/// One object a line: the game, its moves as they are valued, and the whole at the end.
pub async fn analyze(
    State(app): State<Arc<App>>,
    uri: Uri,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, WebError> {
    let parameters = Parameters::read(uri.query(), &[&["level", "exact_from"]])?;
    let level = parameters.number("level", 1..=HIGHEST)?.unwrap_or(USUAL);
    let exact_from = parameters.number("exact_from", 0..=MOST_EXACT)?.unwrap_or(EXACT_FROM);
    let bytes = body::read(&headers, body).await?;
    let game = app.read(move |stop| one_game(&bytes, stop)).await?;
    let room = app.engines.room().await?;
    let (sender, body) = stream();
    let stop = Stop::new();
    let guard = stopped_for(&sender, app.ending.clone(), &stop);
    let options = AnalysisOptions {
        level: Level::new(level).unwrap_or(Level::MAX),
        exact_from,
        table_megabytes: TABLE_MEGABYTES,
        stop,
        ..AnalysisOptions::default()
    };
    tokio::task::spawn_blocking(move || {
        if let Err(error) = analyse(&app, game, &options, &sender) {
            let _ = tell(&sender, &object! { kind: "error", message: error.sentence() });
        }
        drop((guard, room));
    });
    let kind = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/x-ndjson")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    Ok((kind, body).into_response())
}

/// The game that was sent: the first, where there are several.
fn one_game(bytes: &[u8], stop: &Stop) -> Result<Game, WebError> {
    let game = match read_pasted(bytes, stop)? {
        Pasted::Position(asked) => Game::of_line(&asked.line),
        Pasted::Games(games) => match (games.games.into_iter().next(), games.refused.first()) {
            (Some(game), _) => game,
            (None, Some((place, what))) => return Err(WebError::bad(format!("{place}: {what}"))),
            (None, None) => return Err(WebError::bad("there is no game in it")),
        },
    };
    match game.moves.is_empty() {
        true => Err(WebError::bad("the game has no moves: expected a line such as f5d6c3")),
        false => Ok(game),
    }
}

fn analyse(
    app: &App,
    game: Game,
    options: &AnalysisOptions,
    sender: &Sender<Bytes>,
) -> Result<(), WebError> {
    let moment = app.watch.now()?;
    // It is kept for long: those of others stay free.
    let reader = BookFile::at(moment.book.path()).read()?;
    let games = moment.book.games(&reader, moment.number)?.loaded;
    let database = GameDatabase::with(&reader, games);
    let book = AnalysisBook { database: &database, file: None };
    let games = [Ok(GameToAnalyse { game, id: None })];
    let told = analyse_games(Some(book), games, options, |event| {
        let told = match event {
            AnalysisEvent::Begun(game) => {
                let path = path_json(&game.game.line());
                tell(sender, &object! { kind: "game", ..game: analysed_json(game), path })
            }
            AnalysisEvent::Move(game, index) => match game.moves.get(index) {
                Some(played) => tell(sender, &object! { kind: "move", index, r#move: played }),
                None => Ok(()),
            },
            AnalysisEvent::Game(game) => {
                tell(sender, &object! { kind: "done", ..game: analysed_json(game) })
            }
            AnalysisEvent::Progress(_) => Ok(()),
        };
        told.map_err(AnalysisError::Output)
    });
    match told {
        // Where the server ends, the analysis is broken off with it.
        Ok(summary) if summary.stopped && !sender.is_closed() && !*app.ending.borrow() => {
            Err(WebError::busy("stopped after two minutes: a lower level takes less"))
        }
        // The client has gone.
        Ok(_) | Err(AnalysisError::Output(_)) => Ok(()),
        Err(error) => Err(WebError::failed(&error)),
    }
}

fn tell(sender: &Sender<Bytes>, told: &impl Serialize) -> std::io::Result<()> {
    let mut line = serde_json::to_vec(told)?;
    line.push(b'\n');
    sender.blocking_send(line.into()).map_err(|_| std::io::ErrorKind::BrokenPipe.into())
}
