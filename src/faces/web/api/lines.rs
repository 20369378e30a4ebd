//! `/api/lines`: the best lines, or those that are played most.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;

use crate::app::games::popular_lines;
use crate::app::json::object;
use crate::app::{By, LineTerms, lines as best_lines};
use crate::faces::render::json::{line_json, popular_line_json};
use crate::faces::web::app::{App, Work};
use crate::faces::web::error::WebError;
use crate::faces::web::json::json;
use crate::faces::web::parameters::{FILTERS, LIMITS, PLACE, Parameters};

/// Lines where no number is asked for, and the most.
const USUAL: usize = 20;
const MOST: usize = 200;
/// A line of games ends where fewer are left.
const LEAST_GAMES: u64 = 10;

/// By what lines are the best; none: by how often they are played.
const ORDERS: [(&str, Option<By>); 4] = [
    ("guess", Some(By::Guess)),
    ("draw-seeking", Some(By::DrawSeeking)),
    ("win-seeking", Some(By::WinSeeking)),
    ("games", None),
];

pub async fn lines(
    State(app): State<Arc<App>>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, WebError> {
    let parameters =
        Parameters::read(uri.query(), &[&PLACE, &["limit", "count", "by"], &LIMITS, &FILTERS])?;
    let (asked, filter) = (parameters.asked()?, parameters.filter()?);
    // The second name is an old one.
    let count = match parameters.number("limit", 1..=MOST)? {
        None => parameters.number("count", 1..=MOST)?,
        limit => limit,
    };
    let count = count.unwrap_or(USUAL);
    let by = parameters.choice("by", &ORDERS)?.unwrap_or(Some(By::Guess));
    let limits = parameters.limits()?;
    if limits.is_set() && by.is_none() {
        return Err(WebError::bad("move_loss and line_loss do not go with by=games"));
    }
    let work = if by.is_some() { Work::Lookup } else { Work::Sweep };
    app.ask(work, &uri, &headers, move |question| match by {
        Some(by) => {
            let terms = LineTerms { count, by, limits };
            let found = best_lines(question.reader, asked.placed(), terms)?;
            let lines = found.iter().map(|line| line_json(&asked, None, line));
            json(&object! { lines: lines.collect::<Vec<_>>() })
        }
        None => {
            let games = question.games()?;
            let found = popular_lines(&games, &asked.line, count, LEAST_GAMES, &filter)?;
            let lines = found.iter().map(|line| popular_line_json(&asked, None, line));
            json(&object! { lines: lines.collect::<Vec<_>>() })
        }
    })
    .await
}
