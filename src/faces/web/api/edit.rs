//! `/api/remove` and `/api/set`: changing a position of the book by hand.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::grow::enabled;
use crate::app::json::object;
use crate::app::{Removed, judge_position, remove_position, removed_with};
use crate::faces::web::app::{App, blocking};
use crate::faces::web::body;
use crate::faces::web::error::WebError;
use crate::faces::web::json::of_the_moment;
use crate::faces::web::parameters::Parameters;
use crate::files::games::Asked;
use crate::othello::score::Score;

/// The largest value that can be set, in discs.
const LARGEST: f64 = 64.0;
/// The longest name of an author, in bytes.
const LONGEST_NAME: usize = 200;

#[derive(Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "an object with line or board, and perhaps below, dry_run"
)]
struct Removal {
    line: Option<String>,
    board: Option<String>,
    #[serde(default)]
    below: bool,
    #[serde(default)]
    dry_run: bool,
}

#[derive(Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "an object with line or board, value or clear, and perhaps author"
)]
struct Setting {
    line: Option<String>,
    board: Option<String>,
    value: Option<f64>,
    #[serde(default)]
    clear: bool,
    #[serde(default)]
    author: String,
}

/// Takes a position out, or says how many would go.
pub async fn remove(
    State(app): State<Arc<App>>,
    uri: Uri,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, WebError> {
    let wanted: Removal = read(&app, &uri, &headers, body).await?;
    let asked = asked(wanted.board.as_deref(), wanted.line.as_deref())?;
    let Removal { below, dry_run, .. } = wanted;
    let option = if below { " --below" } else { "" };
    let command = format!("serve --grow: remove {}{option}", place(&asked));
    let position = asked.placed().position;
    let writing = Arc::clone(&app);
    let turn = app.sweep().await?;
    let (removed, positions) = blocking(turn, move || {
        Ok(enabled(&writing)?.grower.change(&command, |book| match dry_run {
            true => {
                let gone = removed_with(book.reader(), position, below)?;
                Ok(Removed { positions: gone.len() as u64, ..Removed::default() })
            }
            false => remove_position(book, position, below, true),
        })?)
    })
    .await?;
    let Removed { positions: removed, due: search_due, .. } = removed;
    Ok(of_the_moment(StatusCode::OK, &object! { removed, search_due, positions, dry_run }))
}

/// Sets what a position is worth, or clears that.
pub async fn set(
    State(app): State<Arc<App>>,
    uri: Uri,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, WebError> {
    let wanted: Setting = read(&app, &uri, &headers, body).await?;
    let asked = asked(wanted.board.as_deref(), wanted.line.as_deref())?;
    let value = match (wanted.value, wanted.clear) {
        (Some(value), false) => Some(score(value)?),
        (None, true) => None,
        _ => return Err(WebError::bad("expected value, or clear: true")),
    };
    let author = wanted.author.trim().to_owned();
    if author.len() > LONGEST_NAME || author.chars().any(char::is_control) {
        return Err(WebError::bad(format!("expected a name of at most {LONGEST_NAME} bytes")));
    }
    let what = value.map_or_else(|| "--clear".to_owned(), |value| value.to_string());
    let command = format!("serve --grow: set {} {what}", place(&asked));
    let position = asked.placed().position;
    let writing = Arc::clone(&app);
    let turn = app.sweep().await?;
    let ((), positions) = blocking(turn, move || {
        let grower = &enabled(&writing)?.grower;
        Ok(grower.change(&command, |book| judge_position(book, position, value, &author, true))?)
    })
    .await?;
    Ok(of_the_moment(StatusCode::OK, &object! { value, positions }))
}

/// What a request asks for, of a client that may change the book.
async fn read<T: DeserializeOwned>(
    app: &App,
    uri: &Uri,
    headers: &HeaderMap,
    body: Body,
) -> Result<T, WebError> {
    Parameters::read(uri.query(), &[])?;
    enabled(app)?.admit(headers)?;
    body::object(&body::read(headers, body).await?)
}

/// The position that a request names. The start must be named, too: nothing is changed by a request that says
/// nothing.
fn asked(board: Option<&str>, line: Option<&str>) -> Result<Asked, WebError> {
    if board.is_none() && line.is_none() {
        return Err(WebError::bad("expected line or board"));
    }
    Ok(Asked::on_board(board.unwrap_or_default(), line.unwrap_or_default())?)
}

/// A position as a command names it.
fn place(asked: &Asked) -> String {
    let whole = asked.line.whole_text();
    if whole.is_empty() { "start".to_owned() } else { whole }
}

fn score(discs: f64) -> Result<Score, WebError> {
    match (-LARGEST..=LARGEST).contains(&discs) {
        true => Ok(Score::from_centidiscs((discs * 100.0).round() as i16)),
        false => Err(WebError::bad(format!("expected a value from -{LARGEST} to {LARGEST} discs"))),
    }
}
