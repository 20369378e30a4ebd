//! Engines for searches by request: few, kept ready, and stopped when the client has gone.

use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use axum::body::Bytes;
use tokio::sync::mpsc::Sender;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot, watch};

use super::connection::ended;
use super::error::WebError;
use crate::othello::eval::{AnyEvaluator, by_name};
use crate::othello::lock::lock;
use crate::othello::search::{AnySearcher, Stop};

/// MiB of transposition table of an engine.
pub const TABLE_MEGABYTES: usize = 16;
/// How long a request waits for an engine: that of a page that was just left is free soon.
const PATIENCE: Duration = Duration::from_secs(1);
/// The longest that an engine works for one request.
const LONGEST: Duration = Duration::from_secs(120);

/// Engines that wait for work, and room for those at work.
pub struct Engines {
    room: Arc<Semaphore>,
    idle: Mutex<Vec<AnySearcher>>,
    evaluator: OnceLock<AnyEvaluator>,
}

impl Engines {
    /// For so many requests at once.
    pub fn new(count: usize) -> Self {
        let (idle, evaluator) = (Mutex::default(), OnceLock::new());
        Self { room: Arc::new(Semaphore::new(count)), idle, evaluator }
    }

    /// Room for one more request, held until it is dropped.
    pub async fn room(&self) -> Result<OwnedSemaphorePermit, WebError> {
        match tokio::time::timeout(PATIENCE, Arc::clone(&self.room).acquire_owned()).await {
            Ok(Ok(room)) => Ok(room),
            _ => Err(WebError::busy("all engines are at work: try again in a moment")),
        }
    }

    /// Searches with an engine, which then waits for the next request.
    pub fn with<T>(&self, search: impl FnOnce(&mut AnySearcher) -> T) -> Result<T, WebError> {
        let idle = lock(&self.idle).pop();
        let mut searcher = match idle {
            Some(searcher) => searcher,
            None => AnySearcher::new(self.evaluator()?, TABLE_MEGABYTES),
        };
        let found = search(&mut searcher);
        lock(&self.idle).push(searcher);
        Ok(found)
    }

    fn evaluator(&self) -> Result<AnyEvaluator, WebError> {
        if let Some(evaluator) = self.evaluator.get() {
            return Ok(evaluator.clone());
        }
        let evaluator = by_name("rosebill").map_err(|error| WebError::failed(&error))?;
        Ok(self.evaluator.get_or_init(|| evaluator).clone())
    }
}

/// Raises `stop` when the client has gone, when it takes too long, and when the server ends.
/// Dropping what is returned ends the watch; the answer stays open until then.
pub fn stopped_for(
    listener: &Sender<Bytes>,
    mut ending: watch::Receiver<bool>,
    stop: &Stop,
) -> oneshot::Sender<()> {
    let (done, is_done) = oneshot::channel();
    let (listener, stop) = (listener.clone(), stop.clone());
    tokio::spawn(async move {
        tokio::select! {
            () = listener.closed() => {}
            () = tokio::time::sleep(LONGEST) => {}
            () = ended(&mut ending) => {}
            _ = is_done => return,
        }
        stop.stop();
    });
    done
}
