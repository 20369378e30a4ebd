//! `/api/novelties`, `/api/traps`, `/api/only-moves`, `/api/disagreements`: what book and games show together.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use serde::Serialize;

use crate::app::discover::{
    ComparedWith, DisagreementOptions, DiscoverError, MistakeOptions, NoveltyOptions,
    OnlyMoveOptions, Place, TrapOptions, disagreements as find_disagreements, mistakes,
    novelties as find_novelties, only_moves as find_only_moves, traps as find_traps,
};
use crate::app::games::GameDatabase;
use crate::faces::web::app::{App, Work};
use crate::faces::web::error::{HintJson, WebError};
use crate::faces::web::json::json;
use crate::faces::web::parameters::{FILTERS, LIMITS, PLACE, Parameters};

/// Answers where no number is asked for, and the most.
const USUAL: usize = 10;
const MOST: usize = 100;

/// Why nothing is found.
type Nothing = (Option<String>, Option<[HintJson; 1]>);

#[derive(Serialize)]
struct Answer<T> {
    /// What was found, by its name.
    #[serde(flatten)]
    found: BTreeMap<&'static str, Vec<T>>,
    message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hints: Option<[HintJson; 1]>,
}

/// Reads what all questions are asked with, besides parameters of `own`.
fn read(uri: &Uri, own: &[&str]) -> Result<Parameters, WebError> {
    let all = ["limit", "least_games"];
    Parameters::read(uri.query(), &[&PLACE, &all, own, &LIMITS, &FILTERS])
}

/// What is found, under `name`; `none` says that it is nothing.
async fn answer<T: Serialize>(
    app: Arc<App>,
    uri: Uri,
    headers: HeaderMap,
    (name, none): (&'static str, &'static str),
    find: impl FnOnce(&GameDatabase<'_>) -> Result<Vec<T>, DiscoverError> + Send + 'static,
) -> Result<Response, WebError> {
    app.ask(Work::Sweep, &uri, &headers, move |question| {
        let (found, (message, hints)) = told(find(&question.games()?), none)?;
        json(&Answer { found: BTreeMap::from([(name, found)]), message, hints })
    })
    .await
}

/// Good moves that are rarely played; or popular ones that cost something.
pub async fn novelties(
    State(app): State<Arc<App>>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, WebError> {
    let parameters = read(&uri, &["habits"])?;
    let usual = NoveltyOptions::default();
    let place = place(&parameters, usual.place.least_games)?;
    if parameters.yes("habits")?.unwrap_or_default() {
        let options = MistakeOptions { place, ..MistakeOptions::habits() };
        let names = ("novelties", "no habit costs so much");
        return answer(app, uri, headers, names, move |games| mistakes(games, &options)).await;
    }
    let options = NoveltyOptions { place, ..usual };
    let names = ("novelties", "no novelty is known here");
    answer(app, uri, headers, names, move |games| find_novelties(games, &options)).await
}

/// Where many go wrong.
pub async fn traps(
    State(app): State<Arc<App>>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, WebError> {
    let usual = TrapOptions::default();
    let place = place(&read(&uri, &[])?, usual.place.least_games)?;
    let options = TrapOptions { place, ..usual };
    let names = ("traps", "no trap is known here");
    answer(app, uri, headers, names, move |games| find_traps(games, &options)).await
}

/// Positions with one good move that people miss.
pub async fn only_moves(
    State(app): State<Arc<App>>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, WebError> {
    let usual = OnlyMoveOptions::default();
    let place = place(&read(&uri, &[])?, usual.place.least_games)?;
    let options = OnlyMoveOptions { place, ..usual };
    let names = ("only_moves", "no only move is missed here");
    answer(app, uri, headers, names, move |games| find_only_moves(games, &options)).await
}

/// Where games, or their theoretical scores, end otherwise than the book says.
pub async fn disagreements(
    State(app): State<Arc<App>>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, WebError> {
    let parameters = read(&uri, &["with"])?;
    let usual = DisagreementOptions::default();
    let place = place(&parameters, usual.place.least_games)?;
    let kinds = [("results", ComparedWith::Results), ("theory", ComparedWith::Theory)];
    let with = parameters.choice("with", &kinds)?.unwrap_or_default();
    let options = DisagreementOptions { place, with, ..usual };
    let names = ("disagreements", "book and games agree here");
    answer(app, uri, headers, names, move |games| find_disagreements(games, &options)).await
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
        Err(error @ DiscoverError::TooFewGames { .. }) => {
            let hint = "try a smaller number of games, or fewer conditions";
            Ok((Vec::new(), (Some(format!("{error}: {hint}")), None)))
        }
        Err(
            error @ (DiscoverError::NoGames
            | DiscoverError::NoGameHere
            | DiscoverError::NothingShared(_)),
        ) => {
            let hints = error.hint().map(|hint| [hint.into()]);
            Ok((Vec::new(), (Some(error.to_string()), hints)))
        }
        Err(error) => Err(error.into()),
    }
}
