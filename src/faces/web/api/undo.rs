//! `/api/undo`: changes of the book, and taking them back.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use serde::Deserialize;

use super::grow::enabled;
use crate::app::UndoEntry;
use crate::app::json::object;
use crate::faces::render::json::changes_json;
use crate::faces::web::app::{App, Work, blocking};
use crate::faces::web::body;
use crate::faces::web::error::WebError;
use crate::faces::web::json::{json, of_the_moment};
use crate::faces::web::parameters::Parameters;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with change, or redo")]
struct Wanted {
    /// Down to this one; the last one where there is none.
    change: Option<u64>,
    #[serde(default)]
    redo: bool,
}

pub async fn changes(
    State(app): State<Arc<App>>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, WebError> {
    Parameters::read(uri.query(), &[])?;
    app.ask(Work::Lookup, &uri, &headers, |open| {
        json(&changes_json(&open.reader.undo_log().changes()?))
    })
    .await
}

/// Takes changes back, or does one again.
pub async fn undo(
    State(app): State<Arc<App>>,
    uri: Uri,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, WebError> {
    Parameters::read(uri.query(), &[])?;
    enabled(&app)?.admit(&headers)?;
    let wanted: Wanted = body::object(&body::read(&headers, body).await?)?;
    if wanted.redo && wanted.change.is_some() {
        return Err(WebError::bad("expected change or redo, not both"));
    }
    let writing = Arc::clone(&app);
    let turn = app.sweep().await?;
    let (turned, positions) = blocking(turn, move || {
        let grower = &enabled(&writing)?.grower;
        Ok(match wanted.redo {
            true => grower.redo(),
            false => grower.undo(wanted.change),
        }?)
    })
    .await?;
    let turned = turned.into_iter();
    let changes: Vec<UndoEntry> =
        turned.map(|entry| UndoEntry { is_undone: !entry.is_undone, ..entry }).collect();
    Ok(of_the_moment(StatusCode::OK, &object! { positions, changes }))
}
