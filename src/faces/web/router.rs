//! From a request to its answer.

use std::sync::Arc;

use axum::Router;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};

use super::api;
use super::app::App;
use super::error::WebError;
use super::headers::{add_headers, add_preflight};
use crate::faces::guides::{Guide, STYLE};

/// The longest address of a request.
const LONGEST_URI: usize = 8 << 10;

/// All that the server answers.
pub fn router(app: Arc<App>) -> Router {
    Router::new()
        .route("/", get(page))
        .route("/assets/{name}", get(asset))
        .route("/guides/guide.css", get(guide_style))
        .route("/guides/{name}", get(guide))
        .route("/api", get(api::documentation))
        .route("/api/position", get(api::position))
        .route("/api/lines", get(api::lines))
        .route("/api/openings", get(api::openings))
        .route("/api/games", get(api::games))
        .route("/api/games/{id}", get(api::game))
        .route("/api/players", get(api::players))
        .route("/api/stats", get(api::stats))
        .route("/api/novelties", get(api::novelties))
        .route("/api/traps", get(api::traps))
        .route("/api/only-moves", get(api::only_moves))
        .route("/api/disagreements", get(api::disagreements))
        .route("/api/read", post(api::read))
        .route("/api/search", get(api::search))
        .route("/api/analyze", post(api::analyze))
        .route("/api/events", get(api::events))
        .route("/api/grow", get(api::growth).post(api::start_growth).delete(api::stop_growth))
        .route("/api/undo", get(api::changes).post(api::undo))
        .route("/api/remove", post(api::remove))
        .route("/api/set", post(api::set))
        .fallback(nothing)
        .method_not_allowed_fallback(no_method)
        .layer(from_fn_with_state(Arc::clone(&app), guarded))
        .with_state(app)
}

/// Lets a request in, and adds what every answer says.
async fn guarded(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let admitted = app.gate.admit(request.uri(), request.headers());
    let foreign = admitted.as_ref().ok().is_some_and(|admitted| admitted.foreign.is_some());
    let asks_first = foreign && request.method() == Method::OPTIONS;
    let (mut response, admitted) = match admitted {
        Err(error) => (error.into_response(), None),
        Ok(admitted)
            if request
                .uri()
                .path_and_query()
                .is_some_and(|uri| uri.as_str().len() > LONGEST_URI) =>
        {
            let text = format!("the address is longer than {LONGEST_URI} characters");
            (WebError::new(StatusCode::URI_TOO_LONG, text).into_response(), Some(admitted))
        }
        Ok(admitted) if asks_first => (StatusCode::NO_CONTENT.into_response(), Some(admitted)),
        Ok(admitted) => (next.run(request).await, Some(admitted)),
    };
    add_headers(response.headers_mut(), admitted.as_ref(), app.gate.has_guests());
    if asks_first {
        add_preflight(response.headers_mut());
    }
    response
}

async fn page(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    app.assets.page(&headers)
}

async fn asset(
    State(app): State<Arc<App>>,
    name: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, WebError> {
    let name = name.map(|Path(name)| name).unwrap_or_default();
    app.assets.file(&name, &headers).ok_or_else(|| WebError::missing("no such file of the page"))
}

async fn guide(name: Result<Path<String>, PathRejection>) -> Result<Response, WebError> {
    let guide = name.ok().and_then(|Path(name)| Guide::of(&name));
    let guide = guide.ok_or_else(|| WebError::missing("no such guide"))?;
    Ok(axum::response::Html(guide.html()).into_response())
}

async fn guide_style() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], STYLE)
}

async fn nothing() -> WebError {
    WebError::missing("nothing is here: /api describes the requests")
}

async fn no_method(method: Method) -> Response {
    let method: String = method.as_str().chars().take(20).collect();
    let text = format!("{method} does nothing here: /api lists what can be asked");
    let mut response = WebError::new(StatusCode::METHOD_NOT_ALLOWED, text).into_response();
    // axum replaces it by what it knows of the path.
    response.headers_mut().remove(header::ALLOW);
    response
}
