//! `/api/novelties`, `/api/traps`: what book and games show together.

use crate::app::discover::{
    DiscoverError, MistakeOptions, NoveltyOptions, Place, TrapOptions, mistakes,
    novelties as find_novelties, traps as find_traps,
};
use crate::app::json::object;
use crate::faces::web::app::{App, Work};
use crate::faces::web::error::{HintJson, WebError};
use crate::faces::web::json::json;
use crate::faces::web::parameters::{FILTERS, LIMITS, PLACE, Parameters};
use axum::extract::State;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use std::sync::Arc;

/// Answers where no number is asked for, and the most.
const USUAL: usize = 10;
const MOST: usize = 100;

/// Why nothing is found.
type Nothing = (Option<String>, Option<[HintJson; 1]>);

/// Good moves that hardly anybody plays; or popular ones that cost something.
pub async fn novelties(
    State(app): State<Arc<App>>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, WebError> {
    let own = ["limit", "habits", "least_games"];
    let parameters = Parameters::read(uri.query(), &[&PLACE, &own, &LIMITS, &FILTERS])?;
    let habits = parameters.yes("habits")?.unwrap_or_default();
    let usual = NoveltyOptions::default();
    let place = place(&parameters, usual.place.least_games)?;
    app.ask(Work::Sweep, &uri, &headers, move |question| {
        let database = question.games()?;
        if habits {
            let options = MistakeOptions { place, ..MistakeOptions::habits() };
            let found = mistakes(&database, &options);
            let (novelties, (message, hints)) = told(found, "no habit costs so much")?;
            json(&object! { novelties, message, hints?: hints })
        } else {
            let found = find_novelties(&database, &NoveltyOptions { place, ..usual });
            let (novelties, (message, hints)) = told(found, "no novelty is known here")?;
            json(&object! { novelties, message, hints?: hints })
        }
    })
    .await
}

/// Where many go wrong.
pub async fn traps(
    State(app): State<Arc<App>>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, WebError> {
    let own = ["limit", "least_games"];
    let parameters = Parameters::read(uri.query(), &[&PLACE, &own, &LIMITS, &FILTERS])?;
    let usual = TrapOptions::default();
    let place = place(&parameters, usual.place.least_games)?;
    app.ask(Work::Sweep, &uri, &headers, move |question| {
        let found = find_traps(&question.games()?, &TrapOptions { place, ..usual });
        let (traps, (message, hints)) = told(found, "no trap is known here")?;
        json(&object! { traps, message, hints?: hints })
    })
    .await
}

fn place(parameters: &Parameters, least_games: u64) -> Result<Place, WebError> {
    Ok(Place {
        from: parameters.asked()?.line,
        filter: parameters.filter()?,
        least_games: parameters.number("least_games", 2..=u64::MAX)?.unwrap_or(least_games),
        losses: parameters.limits()?,
        limit: parameters.number("limit", 1..=MOST)?.unwrap_or(USUAL),
    })
}

/// What was found, or why that is nothing: `none` where there is no other reason.
fn told<T>(
    found: Result<Vec<T>, DiscoverError>,
    none: &str,
) -> Result<(Vec<T>, Nothing), WebError> {
    match found {
        Ok(found) => {
            let hint = "try fewer moves, or fewer conditions";
            let message = found.is_empty().then(|| format!("{none}: {hint}"));
            Ok((found, (message, None)))
        }
        Err(
            error @ (DiscoverError::NoGames
            | DiscoverError::NoGameHere
            | DiscoverError::TooFewGames { .. }
            | DiscoverError::NothingShared(_)),
        ) => {
            let hints = error.hint().map(|hint| [hint.into()]);
            Ok((Vec::new(), (Some(error.to_string()), hints)))
        }
        Err(error) => Err(error.into()),
    }
}
