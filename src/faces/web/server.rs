//! Starting and ending.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;

use super::app::{App, told};
use super::connection;
use super::generation::Watch;
use super::growth::{GrowTerms, Growth};
use super::origin::{Gate, Origin};
use super::router::router;
use super::serve_error::ServeError;
use crate::app::BookFile;
use crate::othello::search::Stop;

/// Connections at once.
const CONNECTIONS: usize = 256;
/// How often the wish to stop is looked at.
const LOOK: Duration = Duration::from_millis(50);
/// How often the book is looked at for listeners.
const BOOK_LOOK: Duration = Duration::from_millis(250);
/// How long answers under way may take when the server ends.
const LAST_ANSWERS: Duration = Duration::from_millis(600);

#[derive(Clone, Debug)]
pub struct ServeOptions {
    /// Address and port; port 0 is any free one.
    pub listen: SocketAddr,
    /// Pages elsewhere that may read all answers.
    pub origins: Vec<Origin>,
    /// Whether, and how, the page may grow the book.
    pub grow: Option<GrowTerms>,
}

/// A server that listens, and answers when it runs.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    app: Arc<App>,
    ending: watch::Sender<bool>,
}

impl Server {
    /// Listens at an address, and opens a book.
    pub fn start(book: BookFile, options: &ServeOptions) -> Result<Self, ServeError> {
        let address = options.listen;
        let listening = |cause: io::Error| match cause.kind() {
            io::ErrorKind::AddrInUse => ServeError::Taken { address },
            _ => ServeError::Listen { address, cause },
        };
        let listener = TcpListener::bind(address).map_err(listening)?;
        listener.set_nonblocking(true).map_err(listening)?;
        let address = listener.local_addr().map_err(listening)?;
        let (ending, is_ending) = watch::channel(false);
        let gate = Gate::new(address, options.origins.clone());
        // A question is short and mostly memory: more of them at once than processors gain nothing.
        let lookups = std::thread::available_parallelism().map_or(2, usize::from).clamp(2, 8);
        let growth = options.grow.map(|terms| Growth::new(book.clone(), terms)).transpose()?;
        let watch = Watch::open(book, App::readers(lookups))?;
        let app = Arc::new(App::new(watch, gate, growth, is_ending, lookups));
        Ok(Self { listener, address, app, ending })
    }

    /// Where it listens.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// What all requests share.
    pub(super) fn app(&self) -> Arc<App> {
        Arc::clone(&self.app)
    }

    /// What a request that grows the book must know; none where that is not allowed.
    pub fn token(&self) -> Option<&str> {
        self.app.growth.as_ref().map(|growth| growth.token.as_str())
    }

    /// Whether it serves the book that comes with the program, as there is no other.
    pub fn is_starter(&self) -> bool {
        self.app.watch.now().is_ok_and(|moment| moment.book.is_starter)
    }

    /// Answers until it is to stop. Streams then end, and answers under way have half a second.
    pub fn run(self, stop: &Stop) -> Result<(), ServeError> {
        let mut builder = tokio::runtime::Builder::new_current_thread();
        let runtime = builder.enable_all().build().map_err(ServeError::Start)?;
        let result = runtime.block_on(self.answer(stop));
        // A question that still runs is left to itself.
        runtime.shutdown_background();
        result
    }

    async fn answer(self, stop: &Stop) -> Result<(), ServeError> {
        let Self { listener, app, ending, .. } = self;
        let listener = tokio::net::TcpListener::from_std(listener).map_err(ServeError::Start)?;
        let router = router(Arc::clone(&app));
        let room = Arc::new(Semaphore::new(CONNECTIONS));
        let mut connections = JoinSet::new();
        let mut look = tokio::time::interval(LOOK);
        let watching = tokio::spawn(tell_changes(Arc::clone(&app)));
        while !stop.is_stopped() {
            tokio::select! {
                _ = look.tick() => while connections.try_join_next().is_some() {},
                accepted = listener.accept() => match accepted {
                    Ok((stream, _)) => take(stream, &room, &router, &app, &mut connections),
                    // Too many open files, most likely: some will be closed.
                    Err(error) => {
                        tracing::warn!("cannot take a connection: {error}");
                        tokio::time::sleep(LOOK).await;
                    }
                },
            }
        }
        drop(listener);
        ending.send_replace(true);
        let grower = app.growth.as_ref().map(|growth| Arc::clone(&growth.grower));
        // Where growth is just being started it waits until the book is open: answers do not.
        if let Some(grower) = grower.clone() {
            drop(tokio::task::spawn_blocking(move || grower.stop()));
        }
        watching.abort();
        let ended = async { while connections.join_next().await.is_some() {} };
        let _ = tokio::time::timeout(LAST_ANSWERS, ended).await;
        if let Some(grower) = grower {
            let _ = tokio::task::spawn_blocking(move || grower.finish()).await;
        }
        Ok(())
    }
}

/// Takes a connection, if there is room.
fn take(
    stream: tokio::net::TcpStream,
    room: &Arc<Semaphore>,
    router: &Router,
    app: &App,
    connections: &mut JoinSet<()>,
) {
    let Ok(place) = Arc::clone(room).try_acquire_owned() else {
        // What does not fit into the system's buffer at once is not worth waiting for.
        let _ = stream.try_write(connection::NO_ROOM);
        return;
    };
    let (router, ending) = (router.clone(), app.ending.clone());
    connections.spawn(async move {
        connection::serve(stream, router, ending).await;
        drop(place);
    });
}

/// Sends changes of the book to listeners.
async fn tell_changes(app: Arc<App>) {
    let mut look = tokio::time::interval(BOOK_LOOK);
    look.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        look.tick().await;
        if let Some(growth) = &app.growth {
            told(&app.growing, growth.changes());
        }
        if app.generation.receiver_count() == 0 {
            continue;
        }
        let at = Arc::clone(&app);
        let now = tokio::task::spawn_blocking(move || at.watch.now().map(|moment| moment.number));
        if let Ok(Ok(number)) = now.await {
            told(&app.generation, number);
        }
    }
}
