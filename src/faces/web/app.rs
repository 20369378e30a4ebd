//! What all requests share, and how one is answered on a thread that may wait for the disk.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use super::assets::Assets;
use super::book::{BookGames, OpenBook};
use super::engines::Engines;
use super::error::WebError;
use super::etag;
use super::generation::Watch;
use super::growth::Growth;
use super::kept::Played;
use super::origin::Gate;
use crate::app::games::{FilterError, GameDatabase, GameFilter};
use crate::app::{Reader, StoreError};
use crate::othello::board::Line;
use crate::othello::search::Stop;

/// How long a question waits for its turn.
const PATIENCE: Duration = Duration::from_secs(10);
/// Questions that go through the whole book at a time: the others should find their readers free.
const SWEEPS: usize = 1;
/// Texts that are read at a time. They ask nothing of the book, so a question that goes through it has not to wait
/// for them.
const READINGS: usize = 2;
/// Pages that hear of changes at once.
const LISTENERS: usize = 64;

/// What all requests share.
pub struct App {
    pub watch: Watch,
    /// The requests that are answered.
    pub gate: Gate,
    pub assets: Assets,
    /// The generation that listeners hear of.
    pub generation: watch::Sender<u64>,
    /// The state of growth that listeners hear of.
    pub growing: watch::Sender<u64>,
    /// Growth, where the page may start it.
    pub growth: Option<Growth>,
    /// Engines for searches and analyses.
    pub engines: Engines,
    /// True when the server ends.
    pub ending: watch::Receiver<bool>,
    pub listeners: Arc<Semaphore>,
    lookups: Arc<Semaphore>,
    sweeps: Arc<Semaphore>,
    readings: Arc<Semaphore>,
}

/// How much a question reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Work {
    /// A few positions or games.
    Lookup,
    /// A good part of the book.
    Sweep,
}

/// A question under way.
pub struct Question<'r> {
    /// The book as it is at one moment.
    pub reader: &'r Reader,
    pub book: &'r Arc<OpenBook>,
    /// Which state it is, as the answer names it.
    pub generation: &'r str,
    number: u64,
}

impl Question<'_> {
    pub fn games(&self) -> Result<GameDatabase<'_>, StoreError> {
        Ok(GameDatabase::with(self.reader, self.book.games(self.reader, self.number)?.loaded))
    }

    /// What was played at the end of a line; none where there are no games, or the game is over.
    pub fn played(
        &self,
        line: &Line,
        filter: &GameFilter,
    ) -> Result<Option<Arc<Played>>, FilterError> {
        let BookGames { loaded, kept, .. } = self.book.games(self.reader, self.number)?;
        let database = GameDatabase::with(self.reader, loaded);
        if database.is_empty() {
            return Ok(None);
        }
        kept.played(&database, line, filter)
    }
}

/// The result of a question.
enum Answer {
    Json(Vec<u8>, String),
    Known(String),
}

impl App {
    /// With so many lookups at a time.
    pub fn new(
        watch: Watch,
        gate: Gate,
        growth: Option<Growth>,
        ending: watch::Receiver<bool>,
        lookups: usize,
    ) -> Self {
        Self {
            watch,
            gate,
            assets: Assets::new(),
            generation: watch::Sender::new(0),
            growing: watch::Sender::new(0),
            growth,
            engines: Engines::new(lookups),
            ending,
            listeners: Arc::new(Semaphore::new(LISTENERS)),
            lookups: Arc::new(Semaphore::new(lookups)),
            sweeps: Arc::new(Semaphore::new(SWEEPS)),
            readings: Arc::new(Semaphore::new(READINGS)),
        }
    }

    /// How many readers work at once, when so many of them look up.
    pub const fn readers(lookups: usize) -> usize {
        lookups + SWEEPS
    }

    /// Waits for the turn of what takes long.
    pub async fn sweep(&self) -> Result<OwnedSemaphorePermit, WebError> {
        turn(&self.sweeps).await
    }

    /// Reads what was sent, on a thread of its own when its turn has come. What reads is to end when its `Stop` is
    /// raised: the client has gone then.
    pub async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Stop) -> Result<T, WebError> + Send + 'static,
    ) -> Result<T, WebError> {
        let turn = turn(&self.readings).await?;
        let stop = Stop::new();
        let _gone = StopsAtItsEnd(stop.clone());
        blocking(turn, move || read(&stop)).await
    }

    /// Answers a question with JSON, or says that the client has the answer.
    pub async fn ask(
        self: Arc<Self>,
        work: Work,
        uri: &Uri,
        headers: &HeaderMap,
        question: impl FnOnce(&Question<'_>) -> Result<Vec<u8>, WebError> + Send + 'static,
    ) -> Result<Response, WebError> {
        let (path, headers) = (uri.path_and_query().map(ToString::to_string), headers.clone());
        let turns = if work == Work::Sweep { &self.sweeps } else { &self.lookups };
        let turn = turn(turns).await?;
        let app = Arc::clone(&self);
        let answer = blocking(turn, move || {
            // Named before anything is read: what is read may be newer, never older.
            let moment = app.watch.now()?;
            let generation = app.watch.name(moment.number);
            let tag = etag::tag(&generation, &path.unwrap_or_default());
            if etag::is_known(&headers, &tag) {
                return Ok(Answer::Known(tag));
            }
            let borrowed = moment.book.reader()?;
            let Some(reader) = borrowed.reader() else { return Err(WebError::busy("no reader")) };
            let snapshot = reader.snapshot()?;
            let asked = Question {
                reader: &snapshot,
                book: &moment.book,
                generation: &generation,
                number: moment.number,
            };
            let json = question(&asked)?;
            drop(snapshot);
            // Only now: what does not exist matches no tag.
            if etag::is_any_known(&headers) {
                return Ok(Answer::Known(tag));
            }
            Ok(Answer::Json(json, tag))
        })
        .await;
        Ok(match answer? {
            Answer::Json(json, tag) => json_response(json, &tag),
            Answer::Known(tag) => {
                let mut response = StatusCode::NOT_MODIFIED.into_response();
                tagged(response.headers_mut(), &tag);
                response
            }
        })
    }
}

/// Raises a stop when it is dropped, as all that waits for an answer is where its connection ends.
struct StopsAtItsEnd(Stop);

impl Drop for StopsAtItsEnd {
    fn drop(&mut self) {
        self.0.stop();
    }
}

async fn turn(turns: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, WebError> {
    match tokio::time::timeout(PATIENCE, Arc::clone(turns).acquire_owned()).await {
        Ok(Ok(turn)) => Ok(turn),
        _ => Err(WebError::busy("too many questions at once")),
    }
}

/// Runs what may wait for the disk, or takes long, on a thread of its own. The turn ends with the work,
/// not with its client: one that leaves must not make room for more.
pub async fn blocking<T: Send + 'static>(
    turn: OwnedSemaphorePermit,
    work: impl FnOnce() -> Result<T, WebError> + Send + 'static,
) -> Result<T, WebError> {
    let work = move || {
        let _turn = turn;
        work()
    };
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => Err(WebError::failed(&error)),
    }
}

fn json_response(json: Vec<u8>, tag: &str) -> Response {
    let mut response = Body::from(json).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    tagged(headers, tag);
    response
}

fn tagged(headers: &mut HeaderMap, tag: &str) {
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.extend(HeaderValue::from_str(tag).map(|tag| (header::ETAG, tag)));
}

/// Sends a number to listeners, if it is a later one: of two looks at once the earlier may come last.
pub fn told(listeners: &watch::Sender<u64>, number: u64) {
    listeners.send_if_modified(|told| {
        let is_later = number > *told;
        *told = number.max(*told);
        is_later
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_lasts_as_long_as_its_work_whoever_leaves() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let turns = Arc::new(Semaphore::new(1));
            let (finish, finished) = std::sync::mpsc::channel::<()>();
            let work = blocking(turn(&turns).await.unwrap(), move || {
                let _ = finished.recv();
                Ok(())
            });
            assert!(tokio::time::timeout(Duration::from_millis(50), work).await.is_err());
            assert_eq!(turns.available_permits(), 0);
            finish.send(()).unwrap();
            let again = tokio::time::timeout(Duration::from_secs(60), turns.acquire()).await;
            assert!(again.is_ok_and(|turn| turn.is_ok()));
        });
    }
}
