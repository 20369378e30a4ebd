//! `/api/search`: all moves of a position, searched deeper and deeper while the client listens.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{Method, Uri};
use axum::response::Response;
use serde::Serialize;
use tokio::sync::mpsc::Sender;

use super::events::event_stream;
use crate::app::json::{hundredths, object, thousandths};
use crate::app::{Bounds, LiveStep, ShowOptions, Shown, Values, deepen, show, weighed};
use crate::faces::web::app::App;
use crate::faces::web::body::{event, stream};
use crate::faces::web::engines::stopped_for;
use crate::faces::web::error::WebError;
use crate::faces::web::parameters::{PLACE, Parameters};
use crate::othello::board::{Placed, Position, Square};
use crate::othello::search::{Level, MoveScore, Stop};

/// The level where none is asked for, and the highest.
const USUAL: u8 = 16;
pub const HIGHEST: u8 = 24;

fn step_json(shown: &Shown, step: &LiveStep) -> impl Serialize {
    let position = shown.placed.position;
    let weighed = |found| weighed_json(position, found, proven(shown, found.square));
    object! {
        level: step.level,
        seconds: thousandths(step.seconds),
        nodes: step.nodes,
        best_move: step.moves.first().map(|best| best.square),
        moves: step.moves.iter().filter_map(weighed).collect::<Vec<_>>(),
    }
}

/// A searched move with what that makes of it, for the side that makes it: the same as a position that is
/// shown says of a move that was searched at once. None of one that is illegal there.
fn weighed_json(
    position: Position,
    found: &MoveScore,
    proven: Bounds,
) -> Option<impl Serialize + use<>> {
    let shown = weighed(position, found, proven)?;
    Some(object! {
        ..searched: found.clone(),
        values: shown.found.values?,
        chances: shown.chances()?,
        ..sure: shown.sure?,
        error: hundredths(shown.error()?),
    })
}

/// A stream of what each level found.
pub async fn search(
    State(app): State<Arc<App>>,
    method: Method,
    uri: Uri,
) -> Result<Response, WebError> {
    let parameters = Parameters::read(uri.query(), &[&PLACE, &["level"]])?;
    let asked = parameters.asked()?;
    let level = parameters.number("level", 1..=HIGHEST)?.unwrap_or(USUAL);
    let level = Level::new(level).unwrap_or(Level::MAX);
    let end = asked.line.end();
    let placed = end.ok_or_else(|| WebError::bad("the game is over here"))?;
    if method == Method::HEAD {
        return Ok(event_stream(Body::empty()));
    }
    let room = app.engines.room().await?;
    let (sender, body) = stream();
    let stop = Stop::new();
    let guard = stopped_for(&sender, app.ending.clone(), &stop);
    tokio::task::spawn_blocking(move || {
        let last = deepen_for(&app, &sender, placed, level, &stop);
        let event = match last {
            Ok(last) => {
                let stopped = stop.is_stopped();
                json_event("done", &object! { level: last, stopped })
            }
            Err(error) => json_event("error", &error.json()),
        };
        // A client that has gone needs no end. Where the server ends the search is not done, but broken off:
        // a client that still wants it asks the next server.
        if !*app.ending.borrow() {
            let _ = sender.blocking_send(event);
        }
        drop((guard, room));
    });
    Ok(event_stream(body))
}

/// Searches, and reports what each level found; returns the last level that was finished.
fn deepen_for(
    app: &App,
    sender: &Sender<Bytes>,
    placed: Placed,
    level: Level,
    stop: &Stop,
) -> Result<u8, WebError> {
    let shown = in_the_book(app, placed)?;
    let mut last = 0;
    app.engines.with(|searcher| {
        deepen(searcher, placed.position, level, stop, |step| {
            last = step.level.number();
            let told = json_event("iteration", &step_json(&shown, step));
            if sender.blocking_send(told).is_err() {
                stop.stop();
            }
        });
    })?;
    Ok(last)
}

/// What the book has of a position as the search begins; what is proven stays so while it goes on.
fn in_the_book(app: &App, placed: Placed) -> Result<Shown, WebError> {
    let borrowed = app.watch.now()?.book.reader()?;
    let Some(reader) = borrowed.reader() else { return Err(WebError::busy("no reader")) };
    let snapshot = reader.snapshot()?;
    Ok(show(&*snapshot, placed, &ShowOptions::default())?)
}

/// What the book proves of a move.
fn proven(shown: &Shown, square: Square) -> Bounds {
    let found = shown.moves.iter().find(|each| each.found.square == square);
    let known = found.and_then(|each| each.found.values).map(Values::bounds);
    known.unwrap_or_else(|| shown.proven_of_missing(square))
}

/// What is written as JSON always can be.
fn json_event(name: &str, data: &impl Serialize) -> Bytes {
    event(name, &serde_json::to_string(data).unwrap_or_default())
}
