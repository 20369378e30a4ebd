//! `/api/openings`: names of openings, found by words or along a line.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;

use crate::app::json::object;
use crate::faces::render::json::opening_json;
use crate::faces::web::app::{App, Work};
use crate::faces::web::error::WebError;
use crate::faces::web::json::json;
use crate::faces::web::parameters::{PLACE, Parameters};
use crate::files::games::{
    find_openings_nearest_first, openings as all, openings_along, similar_names,
};

/// The most that are shown.
const MOST: usize = 100;

pub async fn openings(
    State(app): State<Arc<App>>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, WebError> {
    let parameters = Parameters::read(uri.query(), &[&PLACE, &["query"]])?;
    let asked = parameters.has_place().then(|| parameters.asked()).transpose()?;
    let query = parameters.text("query").map(str::to_owned);
    if asked.is_some() && query.is_some() {
        return Err(WebError::bad("expected query or line, not both"));
    }
    app.ask(Work::Lookup, &uri, &headers, move |_| {
        // Names that may be meant where none is found.
        let mut similar = Vec::new();
        let mut openings: Vec<_> = match (asked, query) {
            (Some(asked), _) => openings_along(&asked.line)
                .map(|(moves, opening)| opening_json(opening, Some(moves)))
                .collect(),
            (None, Some(query)) => {
                let found = find_openings_nearest_first(&query);
                if found.is_empty() {
                    similar = similar_names(&query);
                }
                found.into_iter().map(|opening| opening_json(opening, None)).collect()
            }
            (None, None) => all().iter().map(|opening| opening_json(opening, None)).collect(),
        };
        openings.truncate(MOST);
        json(&object! { openings, similar })
    })
    .await
}
