//! `/api/lines`: the best lines, or those that are played most.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use serde::Serialize;

use crate::app::games::popular_lines;
use crate::app::{By, LineTerms, lines as best_lines};
use crate::faces::render::json::{LineJson, PopularLineJson};
use crate::faces::web::app::{App, Work};
use crate::faces::web::error::WebError;
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

#[derive(Serialize)]
#[serde(untagged)]
enum AnyLine {
    Book(LineJson),
    Games(PopularLineJson),
}

#[derive(Serialize)]
struct LinesAnswer {
    lines: Vec<AnyLine>,
}

pub async fn lines(
    State(app): State<Arc<App>>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, WebError> {
    let parameters = Parameters::read(uri.query(), &[&PLACE, &["count", "by"], &LIMITS, &FILTERS])?;
    let (asked, filter) = (parameters.asked()?, parameters.filter()?);
    let count = parameters.number("count", 1..=MOST)?.unwrap_or(USUAL);
    let by = parameters.choice("by", &ORDERS)?.unwrap_or(Some(By::Guess));
    let limits = parameters.limits()?;
    if limits.is_set() && by.is_none() {
        return Err(WebError::bad("move_loss and line_loss do not go with by=games"));
    }
    let work = if by.is_some() { Work::Lookup } else { Work::Sweep };
    app.ask(work, &uri, &headers, move |question| {
        let lines = match by {
            Some(by) => {
                let found =
                    best_lines(question.reader, asked.placed(), LineTerms { count, by, limits })?;
                found.iter().map(|line| AnyLine::Book(LineJson::of(&asked, None, line))).collect()
            }
            None => {
                let games = question.games()?;
                let found = popular_lines(&games, &asked.line, count, LEAST_GAMES, &filter)?;
                let json = |line| AnyLine::Games(PopularLineJson::of(&asked, None, line));
                found.iter().map(json).collect()
            }
        };
        Ok(LinesAnswer { lines })
    })
    .await
}
