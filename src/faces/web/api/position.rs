//! `/api/position`: book, games and names of a position in one answer.

use crate::app::games::{GameFilter, PlayerScore};
use crate::app::json::object;
use crate::app::{By, ShowOptions, is_transposition, line_in_book, proven_here, show, source_of};
use crate::faces::render::json::{ShownFacts, games_here_json, names_json, path_json};
use crate::faces::render::{OwnBook, source_text};
use crate::faces::web::app::{App, Question, Work};
use crate::faces::web::error::WebError;
use crate::faces::web::json::json;
use crate::faces::web::parameters::{FILTERS, PLACE, Parameters};
use crate::files::games::Asked;
use crate::othello::board::Square;
use axum::extract::State;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use std::collections::BTreeMap;
use std::sync::Arc;

pub async fn position(
    State(app): State<Arc<App>>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, WebError> {
    let parameters = Parameters::read(uri.query(), &[&PLACE, &FILTERS])?;
    let (asked, filter) = (parameters.asked()?, parameters.filter()?);
    let question = move |question: &Question<'_>| answer(question, &asked, &filter);
    app.ask(Work::Lookup, &uri, &headers, question).await
}

fn answer(
    question: &Question<'_>,
    asked: &Asked,
    filter: &GameFilter,
) -> Result<Vec<u8>, WebError> {
    let book = question.reader;
    let mut shown = show(book, asked.placed(), &ShowOptions::default())?;
    let legal = shown.fold_images();
    let mut transpositions: Vec<Square> = Vec::new();
    for each in &shown.moves {
        if is_transposition(book, &shown, &each.found)? {
            transpositions.push(each.found.square);
        }
    }
    let source = source_of(book, &shown)?.map(|source| source_text(&source));
    let proven = proven_here(book, &shown)?;
    let played = question.played(&asked.line, filter)?;
    let games = played
        .as_ref()
        .map(|played| games_here_json(asked, Some(&played.stats), &played.here, Some(&shown)));
    let players = played.as_ref().map_or(&[][..], |played| &played.here.who.players);
    let percents = players.iter().map(|player| whole_percent(&player.score));
    let way = &line_in_book(book, &shown, &asked.line)?;
    // The page knows the name of the book.
    let (shown, by, own) = (&shown, By::Guess, &OwnBook::default());
    let transpositions = Some(transpositions.as_slice());
    let facts =
        ShownFacts { index: None, asked, shown, source, proven, transpositions, by, way, own };
    let legal = legal.into_iter().map(|(square, of)| (square.to_string(), of));
    json(&object! {
        generation: question.generation,
        ..shown: facts.json(games),
        // Rounded once, as the terminal does.
        player_percents: percents.collect::<Vec<_>>(),
        path: path_json(&asked.line),
        names: names_json(&asked.line),
        legal: legal.collect::<BTreeMap<_, _>>(),
    })
}

fn whole_percent(score: &PlayerScore) -> Option<u8> {
    score.percent().map(|percent| percent.round_ties_even() as u8)
}
