//! `/api/grow`: growth as it is; its start and its end.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use serde::{Deserialize, Serialize};

use crate::app::games::GameFilter;
use crate::app::json::object;
use crate::app::{
    ChangeError, GrowRequest, GrowStart, GrowStatus, GrowerError, GrowerState, GrowthEnd,
    PolicyOption, PolicySpec,
};
use crate::faces::render::{as_typed, quoted};
use crate::faces::web::app::{App, blocking};
use crate::faces::web::body;
use crate::faces::web::error::WebError;
use crate::faces::web::growth::Growth;
use crate::faces::web::json::of_the_moment;
use crate::faces::web::parameters::{FILTERS, Parameters, limits};
use crate::files::games::Asked;
use crate::openbook::Hint;
use crate::othello::search::Level;

/// The longest that can be asked for, in seconds: a day.
const LONGEST: u64 = 86_400;
/// The highest level that can be asked for.
const HIGHEST: u8 = 30;

#[derive(Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "an object with policy, level and seconds, and perhaps line, board, move_loss, line_loss"
)]
struct Wanted {
    #[serde(default)]
    line: String,
    #[serde(default)]
    board: String,
    policy: String,
    level: u8,
    seconds: u64,
    move_loss: Option<LossJson>,
    line_loss: Option<LossJson>,
}

/// What may be given away: discs for both sides, or a text as `black:0,white:3`.
#[derive(Deserialize)]
#[serde(untagged, expecting = "discs, or a text such as \"black:0,white:3\"")]
enum LossJson {
    Discs(f64),
    Text(String),
}

impl LossJson {
    fn text(self) -> String {
        match self {
            Self::Discs(discs) => discs.to_string(),
            Self::Text(text) => text,
        }
    }
}

/// Growth as it is, or as the last one ended.
pub fn growth_json(growth: Option<&Growth>) -> impl Serialize + use<> {
    let state = growth.and_then(|growth| growth.grower.state());
    let (asked, status, end) = match state {
        Some(GrowerState { request, status, end }) => (Some(request), status, end),
        None => (None, None, None),
    };
    let (message, ended_by) = match &end {
        None => (None, None),
        Some(GrowthEnd::Failed(error)) => (Some(error.clone()), Some("failed")),
        Some(GrowthEnd::Ended(ended)) => (None, Some(ended.name())),
    };
    let seconds = |status: &GrowStatus| (status.elapsed.as_secs_f64() * 10.0).round() / 10.0;
    object! {
        enabled: growth.is_some(),
        running: asked.is_some() && end.is_none(),
        policy: asked.as_ref().map(|asked| asked.policy.name()),
        level: asked.as_ref().map(|asked| asked.level),
        line: asked.as_ref().map(|asked| asked.from.to_string()),
        positions: status.as_ref().map(|status| status.positions),
        new_positions: status.as_ref().map(|status| status.new_positions),
        searches: status.as_ref().map(|status| status.searches),
        seconds: status.as_ref().map(seconds),
        limit_seconds: asked.as_ref().map(|asked| asked.time.as_secs()),
        // What went wrong.
        message,
        ended_by,
    }
}

/// Reports its progress.
pub async fn growth(State(app): State<Arc<App>>, uri: Uri) -> Result<Response, WebError> {
    Parameters::read(uri.query(), &[])?;
    status(&app, StatusCode::OK)
}

pub async fn start_growth(
    State(app): State<Arc<App>>,
    uri: Uri,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, WebError> {
    let which = Parameters::read(uri.query(), &[&FILTERS])?.filter()?;
    enabled(&app)?.admit(&headers)?;
    let bytes = body::read(&headers, body).await?;
    let request = request(&bytes, which)?;
    let starting = Arc::clone(&app);
    let turn = app.sweep().await?;
    blocking(turn, move || Ok(enabled(&starting)?.grower.start(request)?)).await?;
    status(&app, StatusCode::ACCEPTED)
}

pub async fn stop_growth(
    State(app): State<Arc<App>>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, WebError> {
    Parameters::read(uri.query(), &[])?;
    enabled(&app)?.admit(&headers)?;
    // Growth that is just beginning is waited for, but not by every request.
    let ending = Arc::clone(&app);
    let stop = move || enabled(&ending).map(|growth| growth.grower.stop());
    let stopped = tokio::task::spawn_blocking(stop).await;
    match stopped.map_err(|error| WebError::failed(&error))?? {
        true => status(&app, StatusCode::ACCEPTED),
        false => Err(WebError::new(StatusCode::CONFLICT, "nothing grows now")),
    }
}

/// What may change the book.
pub(super) fn enabled(app: &App) -> Result<&Growth, WebError> {
    app.growth.as_ref().ok_or_else(|| {
        let text = "this server only reads: its page may neither grow nor edit the book";
        WebError::new(StatusCode::FORBIDDEN, text).with(Hint::ServeGrowing)
    })
}

/// What is asked for; of the games, `which` are.
fn request(bytes: &[u8], which: GameFilter) -> Result<GrowRequest, WebError> {
    let wanted: Wanted = body::object(bytes)?;
    let asked = Asked::on_board(&wanted.board, &wanted.line)?;
    let names = |policies: &mut dyn Iterator<Item = &'static PolicySpec>| {
        policies.map(PolicySpec::name).collect::<Vec<_>>().join(", ")
    };
    let mut policy = PolicySpec::named(&wanted.policy).ok_or_else(|| {
        let names = names(&mut PolicySpec::all().iter());
        WebError::bad(format!("no such policy: expected {names}"))
    })?;
    let level = Some(wanted.level).filter(|level| (1..=HIGHEST).contains(level));
    let Some(level) = level.and_then(Level::new) else {
        return Err(WebError::bad(format!("expected a level, 1 to {HIGHEST}")));
    };
    if !(1..=LONGEST).contains(&wanted.seconds) {
        return Err(WebError::bad(format!("expected seconds, 1 to {LONGEST}")));
    }
    let move_loss = wanted.move_loss.map(LossJson::text);
    let line_loss = wanted.line_loss.map(LossJson::text);
    let limits = limits(move_loss.as_deref(), line_loss.as_deref())?;
    if limits.is_set() && !policy.follows_lines() {
        let names = names(&mut PolicySpec::all().iter().filter(|policy| policy.follows_lines()));
        return Err(WebError::bad(format!("move_loss and line_loss need a policy of {names}")));
    }
    let games: String = as_typed(&which).iter().map(|word| format!(" {}", quoted(word))).collect();
    if !which.is_empty() {
        let option = PolicyOption::Which(which);
        if !policy.take(option.clone()) {
            let names = names(&mut option.policies());
            return Err(WebError::bad(format!("conditions for games need a policy of {names}")));
        }
    }
    let losses: String = [("move", limits.move_loss), ("line", limits.line_loss)]
        .into_iter()
        .filter(|(_, limit)| limit.is_set())
        .map(|(what, limit)| format!(" --{what}-loss {limit}"))
        .collect();
    let from = GrowStart::from(&asked);
    let whole = asked.line.whole_text();
    let place = if whole.is_empty() { String::new() } else { format!(" --from {whole}") };
    let time = Duration::from_secs(wanted.seconds);
    let asked = format!(
        "serve --grow: grow --policy {} --level {} --time {}s{losses}{place}{games}",
        policy.name(),
        level.number(),
        wanted.seconds
    );
    Ok(GrowRequest { from, policy, level, limits, time, asked })
}

fn status(app: &App, code: StatusCode) -> Result<Response, WebError> {
    Ok(of_the_moment(code, &growth_json(app.growth.as_ref())))
}

impl From<GrowerError> for WebError {
    fn from(error: GrowerError) -> Self {
        let status = match &error {
            // The client has the token, and needs the reason.
            GrowerError::Busy
            | GrowerError::Store(_)
            | GrowerError::Starter(_)
            | GrowerError::Undo(_) => StatusCode::CONFLICT,
            GrowerError::Policy(_) | GrowerError::Start(_) => StatusCode::BAD_REQUEST,
            GrowerError::Change(error) => match error {
                ChangeError::Over => StatusCode::BAD_REQUEST,
                ChangeError::NotInBook | ChangeError::NotSet | ChangeError::NoSource(_) => {
                    StatusCode::NOT_FOUND
                }
                ChangeError::Store(_) | ChangeError::Undo(_) => StatusCode::CONFLICT,
            },
            GrowerError::Evaluator(_) | GrowerError::Thread(_) => return Self::failed(&error),
        };
        Self::new(status, error.to_string())
    }
}
