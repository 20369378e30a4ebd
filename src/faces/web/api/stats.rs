//! `/api/stats`: the book in few words, and what this server can do.

use std::path::Path;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;

use super::{analyze, search};
use crate::app::json::object;
use crate::app::value_of_start;
use crate::faces::web::app::{App, Work};
use crate::faces::web::error::WebError;
use crate::faces::web::json::json;
use crate::faces::web::parameters::Parameters;
use crate::othello::program::VERSION;

/// Runs that are shown.
const RUNS: usize = 3;

pub async fn stats(
    State(app): State<Arc<App>>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, WebError> {
    Parameters::read(uri.query(), &[])?;
    let grows = app.growth.is_some();
    let level = app.growth.as_ref().map(|growth| growth.level.number());
    // A client elsewhere has no business with folders of this machine.
    let argument = match app.gate.is_private() {
        true => app.watch.named().map(Path::as_os_str),
        false => app.watch.named().and_then(Path::file_name),
    };
    let book_argument = argument.map(|name| name.to_string_lossy().into_owned());
    app.ask(Work::Lookup, &uri, &headers, move |question| {
        let (book, path) = (question.reader, question.book.path());
        let (values, trust) = value_of_start(book)?;
        let mut runs = book.runs()?;
        json(&object! {
            version: VERSION,
            generation: question.generation,
            // The file's name, without its folder.
            book: path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default(),
            // What --book takes in commands about it; none where they need none.
            book_argument: &book_argument,
            is_starter: question.book.is_starter,
            positions: book.count_positions()?,
            games: book.games().count()?,
            bytes: book.file_size()?,
            guess: values.map(|values| values.guess),
            ..trust: trust,
            // The latest, oldest first.
            runs: runs.split_off(runs.len().saturating_sub(RUNS)),
            grow: object! { enabled: grows, level?: level },
            limits: object! { search_level: search::HIGHEST, analyze_level: analyze::HIGHEST },
        })
    })
    .await
}
