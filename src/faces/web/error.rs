//! Requests that cannot be answered, with one sentence of why, and what helps.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::json::of_the_moment;
use crate::app::StoreError;
use crate::app::discover::DiscoverError;
use crate::app::games::FilterError;
use crate::app::json::object;
use crate::app::pasted::PastedError;
use crate::faces::render::{Command, OwnBook};
use crate::files::games::AskedError;
use crate::openbook::Hint;

/// Why a request gets no answer.
#[derive(Debug)]
pub struct WebError {
    status: StatusCode,
    text: String,
    hint: Option<Hint>,
    /// Seconds after which to try again.
    retry_after: Option<u32>,
}

/// What helps, with the commands that do it: about the book that is served, whose name the page knows.
#[derive(Serialize)]
pub struct HintJson {
    #[serde(flatten)]
    hint: Hint,
    commands: Vec<String>,
}

impl From<Hint> for HintJson {
    fn from(hint: Hint) -> Self {
        let own = OwnBook::default();
        let commands = Command::of_hint(&hint, &own);
        Self { hint, commands: commands.iter().map(|command| command.typed(&own)).collect() }
    }
}

impl WebError {
    pub fn new(status: StatusCode, text: impl Into<String>) -> Self {
        Self { status, text: text.into(), hint: None, retry_after: None }
    }

    /// With what helps.
    pub fn with(self, hint: impl Into<Option<Hint>>) -> Self {
        Self { hint: hint.into(), ..self }
    }

    /// The request makes no sense: 400.
    pub fn bad(text: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, text)
    }

    /// There is no such thing: 404.
    pub fn missing(text: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, text)
    }

    /// Too much is going on: 503.
    pub fn busy(text: impl Into<String>) -> Self {
        Self { retry_after: Some(1), ..Self::new(StatusCode::SERVICE_UNAVAILABLE, text) }
    }

    /// What is wrong here and not with the request: 500. The log has the cause.
    pub fn failed(cause: &dyn std::error::Error) -> Self {
        tracing::error!("{cause}");
        let text = "the server cannot answer this: its log on stderr says why";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, text)
    }
}

impl WebError {
    pub fn sentence(&self) -> &str {
        &self.text
    }

    /// As JSON, as every answer of this kind has it.
    pub fn json(&self) -> impl Serialize + '_ {
        let hints = self.hint.clone().map(|hint| [HintJson::from(hint)]);
        object! { message: &self.text, hints?: hints }
    }
}

impl IntoResponse for WebError {
    fn into_response(self) -> Response {
        let mut response = of_the_moment(self.status, &self.json());
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}

impl From<StoreError> for WebError {
    fn from(error: StoreError) -> Self {
        match error.is_busy() {
            true => Self::busy("another program has locked the book"),
            false => Self::failed(&error),
        }
    }
}

impl From<AskedError> for WebError {
    fn from(error: AskedError) -> Self {
        Self::bad(error.to_string())
    }
}

impl From<FilterError> for WebError {
    fn from(error: FilterError) -> Self {
        match error {
            FilterError::Store(error) => error.into(),
            error => Self::bad(error.to_string()).with(error.hint()),
        }
    }
}

impl From<DiscoverError> for WebError {
    fn from(error: DiscoverError) -> Self {
        match error {
            DiscoverError::Store(error) => error.into(),
            DiscoverError::Filter(error) => error.into(),
            error => Self::bad(error.to_string()).with(error.hint()),
        }
    }
}

impl From<PastedError> for WebError {
    fn from(error: PastedError) -> Self {
        let hint = match &error {
            PastedError::Unknown { hint, .. } => hint.clone(),
            _ => None,
        };
        Self::bad(error.to_string()).with(hint)
    }
}

impl From<std::io::Error> for WebError {
    fn from(error: std::io::Error) -> Self {
        Self::failed(&error)
    }
}
