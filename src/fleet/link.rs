//! The coordinator's side of the queue: a thread of its own that publishes jobs, fetches results,
//! and repairs what the server lost.

use std::sync::atomic::Ordering;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::message::Acker;
use async_nats::jetstream::{self, Context};
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::{Notify, watch};

use crate::othello::lock::lock;
use crate::othello::search::Stop;

use super::address::Address;
use super::alone::{alone, answer, instance};
use super::connection::{Connection, connect, pause, sleep, unless_stopped};
use super::error::FleetError;
use super::message::read_versioned;
use super::queue::{HELLO, Problem, Published, Streams, jobs_of};
use super::shared::{Shared, Waiting};
use super::signature::Signature;
use super::status::WorkerStatus;

/// Results that are asked for at once.
const BATCH: usize = 1000;
/// Results that were fetched and are not committed: no more than these are taken.
const MOST_HELD: usize = 20_000;
/// How long the server waits for results before it says that there are none.
const FETCH: Duration = Duration::from_secs(5);
/// Jobs that are published and not acknowledged by the server.
const MOST_PUBLISHING: usize = 1000;
/// The server's streams are looked at this often.
const CHECK_EVERY: Duration = Duration::from_secs(5);
/// A job that has not come back for so long is published again: where it still waits or is in work
/// the server refuses it.
const AGAIN_AFTER: Duration = Duration::from_secs(30);
/// The longest time that the end may take.
const GOODBYE: Duration = Duration::from_secs(2);
/// So many times a server may say that it has no streams before it is taken at its word.
const TRIES_FOR_STREAMS: usize = 5;

/// What the coordinator wants done.
pub(super) enum Command {
    /// Publish these jobs, by their keys among [`Shared::jobs`].
    Publish(Vec<String>),
    /// Publish one of them again after so long: nothing came of it.
    PublishAgain(String, Duration),
    /// These results are in the book.
    Acknowledge(Vec<Acker>),
    /// Say something, last word counts: subject and message.
    Tell(String, Vec<u8>),
    /// Take the jobs back, and end.
    Finish,
}

/// A result as it came.
pub(super) struct Incoming {
    pub message: async_nats::Message,
    pub acker: Acker,
}

pub(super) enum Start {
    /// The server is not there yet.
    Waits(String),
    /// All is set up; so many results wait.
    Ready(u64),
    Failed(FleetError),
}

/// What the thread is started with.
pub(super) struct Link {
    pub address: Address,
    pub book: String,
    pub signature: Signature,
    pub ack_wait: Duration,
    pub wait_until: Option<Instant>,
    pub stop: Stop,
    pub shared: Arc<Shared>,
    pub commands: UnboundedReceiver<Command>,
    pub results: Sender<Incoming>,
    pub start: Sender<Start>,
}

/// What the tasks of the link share.
struct Tasks {
    context: Context,
    link: Arc<Facts>,
    /// The results of the book; changes when the streams were made anew.
    consumer: watch::Sender<Option<PullConsumer>>,
    /// When the streams were made.
    age: Mutex<(i64, i64)>,
    /// Something unexpected came: the streams are to be looked at.
    doubt: Notify,
    publish: UnboundedSender<Vec<String>>,
}

struct Facts {
    book: String,
    signature: Signature,
    ack_wait: Duration,
    shared: Arc<Shared>,
}

impl Link {
    /// Does everything, until [`Command::Finish`].
    pub(crate) fn run(self) {
        let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => runtime,
            Err(error) => {
                let _ = self.start.send(Start::Failed(FleetError::Start(error.to_string())));
                return;
            }
        };
        let start = self.start.clone();
        let ended = runtime.block_on(self.main());
        // A name that is being looked up does not hold the end up.
        runtime.shutdown_background();
        if let Err(error) = ended {
            let _ = start.send(Start::Failed(error));
        }
    }

    async fn main(self) -> Result<(), FleetError> {
        let Self { address, book, signature, ack_wait, wait_until, .. } = self;
        let Self { stop, shared, mut commands, results, start, .. } = self;
        let instance = instance()?;
        let facts = Facts { book: book.clone(), signature, ack_wait, shared: Arc::clone(&shared) };
        let waits = &mut |error: &FleetError| drop(start.send(Start::Waits(error.to_string())));
        let arrival = arrive(&address, facts, &instance, &stop, wait_until, waits);
        let arrived = unless_stopped(&stop, arrival).await?;
        let Arrived { connection, streams, tasks, publishing, mut asks, mut said, waiting } =
            arrived;
        let Connection { client, mut is_up, mut standing } = connection;
        *lock(&shared.contact) = standing.borrow_and_update().contact();
        is_up.mark_unchanged();
        tokio::spawn(Arc::clone(&tasks).publish(publishing));
        tokio::spawn(Arc::clone(&tasks).fetch(results, is_up.clone()));
        tokio::spawn(Arc::clone(&tasks).watch_streams(is_up.clone()));
        let _ = start.send(Start::Ready(waiting));
        loop {
            tokio::select! {
                command = commands.recv() => match command {
                    Some(Command::Publish(keys)) => drop(tasks.publish.send(keys)),
                    Some(Command::PublishAgain(key, after)) => tasks.publish_again(key, after),
                    Some(Command::Acknowledge(ackers)) => {
                        drop(tokio::spawn(acknowledge(ackers)));
                    }
                    Some(Command::Tell(subject, message)) => {
                        let client = client.clone();
                        drop(tokio::spawn(async move {
                            let _ = client.publish(subject, message.into()).await;
                        }));
                    }
                    Some(Command::Finish) | None => break,
                },
                Some(message) = said.next() => tasks.note_worker(&message),
                // A coordinator that asks after this is the second one.
                Some(ask) = asks.next() => answer(&client, &instance, ask).await,
                Ok(()) = standing.changed() => {
                    let now = *standing.borrow_and_update();
                    *lock(&shared.contact) = now.contact();
                    if now.is_over() {
                        let error = FleetError::Credentials(address.to_string());
                        *lock(&shared.failure) = Some(error);
                    }
                }
            }
        }
        let goodbye = async {
            // The answer to the purge comes after all that was sent before.
            let _ = streams.jobs.purge().filter(jobs_of(&book)).await;
            let _ = client.flush().await;
        };
        let _ = tokio::time::timeout(GOODBYE, goodbye).await;
        Ok(())
    }
}

/// What there is once all is set up.
struct Arrived {
    connection: Connection,
    streams: Streams,
    tasks: Arc<Tasks>,
    publishing: UnboundedReceiver<Vec<String>>,
    /// Others that want to coordinate the book.
    asks: async_nats::Subscriber,
    /// What workers say of themselves.
    said: async_nats::Subscriber,
    waiting: u64,
}

/// Connects, and takes the book's queue over.
async fn arrive(
    address: &Address,
    facts: Facts,
    instance: &str,
    stop: &Stop,
    wait_until: Option<Instant>,
    waits: &mut dyn FnMut(&FleetError),
) -> Result<Arrived, FleetError> {
    let name = format!("rosebill coordinator {}", facts.book);
    let mut latest = FleetError::silent(address).to_string();
    let noted = &mut |error: &FleetError| {
        latest = error.to_string();
        waits(error);
    };
    let connected = within(wait_until, connect(address, &name, stop, noted)).await;
    let connection = connected.unwrap_or_else(|| Err(FleetError::TimeOver(latest)))?;
    let client = connection.client.clone();
    let context = jetstream::ContextBuilder::new()
        .timeout(Duration::from_secs(5))
        .max_ack_inflight(2 * MOST_PUBLISHING)
        .build(client.clone());
    let mut asks = client
        .subscribe(format!("rosebill.coordinator.{}", facts.book))
        .await
        .map_err(|error| FleetError::refused("listen", &error))?;
    let streams = streams_at_last(&context, address, stop, wait_until, waits).await?;
    alone(&client, &facts.book, instance, &mut asks).await?;
    let (publish, publishing) = unbounded_channel();
    let jobs = jobs_of(&facts.book);
    let tasks = Arc::new(Tasks {
        context,
        link: Arc::new(facts),
        consumer: watch::Sender::new(None),
        age: Mutex::default(),
        doubt: Notify::new(),
        publish,
    });
    let waiting = tasks.set_up(&streams).await.map_err(|problem| problem.told(address))?;
    // What an earlier run left is ranked anew.
    let purged = streams.jobs.purge().filter(jobs).await;
    purged.map_err(|error| FleetError::refused("purge", &error))?;
    let said = client
        .subscribe("rosebill.status.worker.*")
        .await
        .map_err(|error| FleetError::refused("listen", &error))?;
    let _ = client.publish(HELLO, "".into()).await;
    Ok(Arrived { connection, streams, tasks, publishing, asks, said, waiting })
}

/// The result of work that is given up at a time; none where it was.
async fn within<T>(until: Option<Instant>, work: impl Future<Output = T>) -> Option<T> {
    match until {
        Some(until) => tokio::time::timeout_at(until.into(), work).await.ok(),
        None => Some(work.await),
    }
}

/// The pause before a job is published again whose name was taken.
fn soon(tries: usize) -> Duration {
    Duration::from_millis(5 << tries.min(12))
}

/// The streams, made if need be; a server that has just started may need a moment, and one that does not
/// answer is waited for.
async fn streams_at_last(
    context: &Context,
    address: &Address,
    stop: &Stop,
    wait_until: Option<Instant>,
    waits: &mut dyn FnMut(&FleetError),
) -> Result<Streams, FleetError> {
    let mut tries = 0;
    loop {
        tries += 1;
        let problem = match Streams::made(context).await {
            Ok(streams) => return Ok(streams),
            Err(problem) => problem,
        };
        match problem {
            Problem::Fatal(error) => return Err(error),
            Problem::Silent => {
                let error = FleetError::silent(address);
                if wait_until.is_some_and(|until| Instant::now() >= until) {
                    return Err(FleetError::TimeOver(error.to_string()));
                }
                waits(&error);
            }
            problem if tries >= TRIES_FOR_STREAMS => return Err(problem.told(address)),
            problem => tracing::debug!(cause = %problem.told(address), "no streams yet"),
        }
        sleep(pause(tries), stop).await;
    }
}

async fn acknowledge(ackers: Vec<Acker>) {
    for acker in ackers {
        // A result whose acknowledgement is lost comes again, and is found in the book.
        let _ = acker.ack().await;
    }
}

impl Tasks {
    /// Makes the consumers; returns how many results wait.
    async fn set_up(&self, streams: &Streams) -> Result<u64, Problem> {
        let Facts { book, signature, ack_wait, .. } = self.link.as_ref();
        streams.jobs_consumer(*signature, *ack_wait).await?;
        let consumer = streams.results_consumer(book).await?;
        let waiting = consumer.cached_info().num_pending;
        *lock(&self.age) = streams.age();
        self.consumer.send_replace(Some(consumer));
        Ok(waiting)
    }

    fn note_worker(&self, message: &async_nats::Message) {
        if let Ok(worker) = read_versioned::<WorkerStatus>(&message.payload) {
            self.link.shared.note_worker(worker, self.link.signature);
        }
    }

    /// Publishes jobs in the order in which they were given out.
    async fn publish(self: Arc<Self>, mut batches: UnboundedReceiver<Vec<String>>) {
        let mut waiting = FuturesUnordered::new();
        while let Some(keys) = batches.recv().await {
            for key in keys {
                while waiting.len() >= MOST_PUBLISHING {
                    if let Some((key, outcome)) = waiting.next().await {
                        self.published(key, outcome);
                    }
                }
                let job = {
                    let mut jobs = lock(&self.link.shared.jobs);
                    jobs.get_mut(&key).map(|job| {
                        job.published = Instant::now();
                        (job.subject.clone(), job.payload.clone())
                    })
                };
                // It has come back meanwhile.
                let Some((subject, payload)) = job else { continue };
                let context = &self.context;
                let answer = context.publish(subject.clone(), payload.into()).await;
                waiting.push(async move {
                    let outcome = match answer {
                        Ok(answer) => answer.await.map(drop),
                        Err(error) => Err(error),
                    };
                    (key, Published::of(outcome, context, &subject).await)
                });
            }
            while let Some((key, outcome)) = waiting.next().await {
                self.published(key, outcome);
                if !batches.is_empty() {
                    break;
                }
            }
        }
    }

    fn published(&self, key: String, outcome: Published) {
        let mut jobs = lock(&self.link.shared.jobs);
        // It has come back meanwhile.
        let Some(job) = jobs.get_mut(&key) else { return };
        match (outcome, job.tries) {
            (Published::Unknown, _) => self.doubt.notify_one(),
            (Published::Queued, _) => job.tries = None,
            // It waits or is in work since.
            (Published::There, None) => {}
            // Another one of its name is done, and goes as soon as its worker knows that the result
            // has arrived.
            (Published::There, Some(tries)) => {
                job.tries = Some(tries + 1);
                self.publish_later(key, soon(tries));
            }
        }
    }

    /// Publishes a job of which nothing came: its worker may not have acknowledged it yet.
    fn publish_again(&self, key: String, after: Duration) {
        if let Some(job) = lock(&self.link.shared.jobs).get_mut(&key) {
            (job.tries, job.published) = (Some(0), Instant::now());
            self.publish_later(key, after);
        }
    }

    fn publish_later(&self, key: String, after: Duration) {
        let publish = self.publish.clone();
        drop(tokio::spawn(async move {
            tokio::time::sleep(after).await;
            let _ = publish.send(vec![key]);
        }));
    }

    async fn fetch(self: Arc<Self>, results: Sender<Incoming>, mut is_up: watch::Receiver<bool>) {
        let mut consumers = self.consumer.subscribe();
        let mut failures = 0;
        loop {
            while self.link.shared.held.load(Ordering::Relaxed) >= MOST_HELD {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            let Some(consumer) = consumers.borrow_and_update().clone() else { return };
            let request = consumer.batch().max_messages(BATCH).expires(FETCH).messages();
            let mut batch = match request.await {
                Ok(batch) => batch,
                Err(error) => {
                    tracing::debug!(%error, "no results are to be had");
                    self.doubt.notify_one();
                    failures += 1;
                    tokio::time::sleep(pause(failures)).await;
                    continue;
                }
            };
            is_up.mark_unchanged();
            loop {
                tokio::select! {
                    next = batch.next() => match next {
                        Some(Ok(message)) => {
                            failures = 0;
                            self.link.shared.held.fetch_add(1, Ordering::Relaxed);
                            let (message, acker) = message.split();
                            if results.send(Incoming { message, acker }).is_err() {
                                return;
                            }
                        }
                        Some(Err(error)) => {
                            tracing::debug!(%error, "results are cut off");
                            self.doubt.notify_one();
                            failures += 1;
                            tokio::time::sleep(pause(failures)).await;
                            break;
                        }
                        // Nothing is wrong with a server that has no results for now.
                        None => {
                            failures = 0;
                            break;
                        }
                    },
                    // A request does not outlast the connection, nor a consumer the server's data.
                    _ = is_up.changed() => {
                        tokio::time::sleep(pause(1)).await;
                        break;
                    }
                    _ = consumers.changed() => break,
                }
            }
        }
    }

    /// Looks at the streams now and then: jobs that the server lost are published again.
    async fn watch_streams(self: Arc<Self>, mut is_up: watch::Receiver<bool>) {
        let mut tries = 0;
        loop {
            let mut is_new = false;
            tokio::select! {
                _ = is_up.changed() => is_new = *is_up.borrow_and_update(),
                () = self.doubt.notified() => {
                    tries += 1;
                    tokio::time::sleep(pause(tries)).await;
                    is_new = true;
                }
                () = tokio::time::sleep(CHECK_EVERY) => {}
            }
            match self.check(is_new).await {
                Ok(()) => tries = 0,
                Err(Problem::Fatal(error)) => {
                    *lock(&self.link.shared.failure) = Some(error);
                    return;
                }
                Err(_) => {
                    tracing::debug!("the streams cannot be looked at");
                    self.doubt.notify_one();
                }
            }
        }
    }

    async fn check(&self, is_new: bool) -> Result<(), Problem> {
        let streams = Streams::made(&self.context).await?;
        let is_lost = streams.age() != *lock(&self.age);
        if is_lost {
            tracing::info!("the fleet's server has lost its data: all jobs are published again");
            self.set_up(&streams).await?;
        }
        let due: Vec<String> = {
            let jobs = lock(&self.link.shared.jobs);
            let due = |job: &Waiting| is_lost || is_new || job.published.elapsed() >= AGAIN_AFTER;
            jobs.iter().filter(|(_, job)| due(job)).map(|(key, _)| key.clone()).collect()
        };
        if !due.is_empty() {
            let _ = self.publish.send(due);
        }
        Ok(())
    }
}
