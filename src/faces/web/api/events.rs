//! `/api/events`: reports when the book has changed.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderValue, Method, Uri, header};
use axum::response::{IntoResponse, Response};
use tokio::sync::mpsc::Sender;

use super::grow::growth_json;
use crate::faces::web::app::{App, told};
use crate::faces::web::body::{event, stream};
use crate::faces::web::connection::ended;
use crate::faces::web::error::WebError;
use crate::faces::web::parameters::Parameters;

/// A sign of life, so that neither side takes the other for gone.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// A stream of events, the first of which has the present generation.
pub async fn events(
    State(app): State<Arc<App>>,
    method: Method,
    uri: Uri,
) -> Result<Response, WebError> {
    Parameters::read(uri.query(), &[])?;
    if method == Method::HEAD {
        return Ok(event_stream(Body::empty()));
    }
    let Ok(place) = Arc::clone(&app.listeners).try_acquire_owned() else {
        return Err(WebError::busy("too many pages listen: close some"));
    };
    let (sender, body) = stream();
    tokio::spawn(async move {
        tell(&app, &sender).await;
        drop(place);
    });
    Ok(event_stream(body))
}

pub fn event_stream(body: Body) -> Response {
    let mut response = body.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// Until the client has gone, or the server ends.
async fn tell(app: &Arc<App>, sender: &Sender<Bytes>) {
    let (mut generation, mut ending) = (app.generation.subscribe(), app.ending.clone());
    let at = Arc::clone(app);
    let now = tokio::task::spawn_blocking(move || at.watch.now().map(|moment| moment.number)).await;
    if let Ok(Ok(number)) = now {
        told(&app.generation, number);
    }
    generation.mark_changed();
    let mut growing = app.growing.subscribe();
    // It may have ended while this client did not listen.
    if app.growth.is_some() {
        growing.mark_changed();
    }
    loop {
        let piece = tokio::select! {
            changed = generation.changed() => {
                if changed.is_err() { return; }
                let number = *generation.borrow_and_update();
                event("generation", &app.watch.name(number))
            }
            changed = growing.changed() => {
                if changed.is_err() { return; }
                growing.borrow_and_update();
                let json = serde_json::to_string(&growth_json(app.growth.as_ref()));
                event("growth", &json.unwrap_or_default())
            }
            () = tokio::time::sleep(HEARTBEAT) => Bytes::from_static(b": still here\n\n"),
            () = ended(&mut ending) => return,
            () = sender.closed() => return,
        };
        tokio::select! {
            sent = sender.send(piece) => if sent.is_err() { return },
            () = ended(&mut ending) => return,
        }
    }
}
