//! A worker: takes jobs, searches, publishes results. It knows no book and keeps no state.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::{self, AckKind, Context};
use futures_util::StreamExt;
use tokio::sync::{oneshot, watch};
use tokio::task::{JoinSet, LocalSet};

use crate::eval::{Evaluator, PatternEvaluator};
use crate::ops::{Depth, Work};
use crate::program::VERSION;
use crate::search::Stop;

use super::address::Address;
use super::connection::{Connection, OBEY_EVERY, connect, pause};
use super::error::FleetError;
use super::message::{Found, Job, JobResult, MESSAGE_FORMAT, bytes};
use super::queue::{HELLO, JOBS, job_key, result_subject};
use super::search_thread::{Answer, Order, search_for_ever};
use super::signature::Signature;
use super::status::WorkerStatus;

/// Jobs for each thread: one is searched, the next is there already.
const FOR_EACH_THREAD: usize = 2;
/// Results of a slot that the server has not taken in yet.
const MOST_HANDED_IN: usize = 4;
/// How long the server waits for a job before it says that there is none.
const FETCH: Duration = Duration::from_secs(20);
/// A sign of life comes this often.
const TELL_EVERY: Duration = Duration::from_secs(5);
/// What was given out so often came back from so many dead workers: nobody can do it.
const MOST_DELIVERIES: i64 = 5;
/// The longest time that the end may take.
const GOODBYE: Duration = Duration::from_secs(2);
/// The longest name.
const LONGEST_NAME: usize = 48;

/// How a worker works.
#[derive(Clone, Debug)]
pub struct WorkOptions {
    /// The server.
    pub address: Address,
    /// Searches at once.
    pub threads: usize,
}

/// How far a worker has come.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct WorkSummary {
    /// Its name in the fleet.
    pub name: String,
    /// Jobs done.
    pub jobs: u64,
    /// Positions visited.
    pub nodes: u64,
    /// Jobs at hand: searched, or waiting for a thread.
    pub at_hand: u64,
    /// Since the start.
    pub elapsed: Duration,
    /// What it waits for, if so.
    pub waits: Option<String>,
}

/// Works until `stop` is raised; `watch` is told of the progress several times a second.
///
/// # Errors
/// The server does not let us in, jobs ask for more memory than there is, or a coordinator shuts this
/// worker out.
pub fn work(
    evaluator: &Arc<PatternEvaluator>,
    options: &WorkOptions,
    stop: &Stop,
    watch: &mut dyn FnMut(&WorkSummary),
) -> Result<WorkSummary, FleetError> {
    let signature = Signature::of(evaluator);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| FleetError::Start(error.to_string()))?;
    let threads = options.threads.max(1);
    let (orders, ordered) = channel();
    let ordered = Arc::new(Mutex::new(ordered));
    let mut searching = Vec::new();
    for _ in 0..threads {
        let (ordered, evaluator) = (Arc::clone(&ordered), Arc::clone(evaluator));
        let thread = std::thread::Builder::new().name("search".to_owned());
        let thread = thread.spawn(move || search_for_ever(&ordered, &evaluator, threads));
        searching.push(thread.map_err(|error| FleetError::Start(error.to_string()))?);
    }
    let state = Rc::new(State {
        name: name()?,
        signature,
        weights: evaluator.name(),
        threads,
        started: Instant::now(),
        orders,
        jobs: Cell::new(0),
        nodes: Cell::new(0),
        at_hand: Cell::new(0),
        failure: RefCell::new(None),
        waits: RefCell::new(None),
    });
    let ended = runtime.block_on(LocalSet::new().run_until(main(
        Rc::clone(&state),
        &options.address,
        stop,
        watch,
    )));
    let summary = state.summary();
    // Dropping the tasks, and with them the last sender, ends the threads.
    drop(runtime);
    drop(state);
    for thread in searching {
        // A search that panicked has told so.
        let _ = thread.join();
    }
    ended.map(|()| summary)
}

/// A name that no other worker has, of what subjects may hold.
fn name() -> Result<String, FleetError> {
    let number = getrandom::u32().map_err(|error| FleetError::Start(error.to_string()))?;
    let host: String = host()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' })
        .take(LONGEST_NAME - 9)
        .collect();
    let host = if host.is_empty() { "worker" } else { &host };
    Ok(format!("{host}-{number:08x}"))
}

#[cfg(unix)]
fn host() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

#[cfg(not(unix))]
fn host() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_default()
}

/// What the tasks of a worker share.
struct State {
    name: String,
    signature: Signature,
    weights: String,
    threads: usize,
    started: Instant,
    orders: Sender<Order>,
    jobs: Cell<u64>,
    nodes: Cell<u64>,
    at_hand: Cell<u64>,
    failure: RefCell<Option<FleetError>>,
    waits: RefCell<Option<String>>,
}

impl State {
    fn summary(&self) -> WorkSummary {
        WorkSummary {
            name: self.name.clone(),
            jobs: self.jobs.get(),
            nodes: self.nodes.get(),
            at_hand: self.at_hand.get(),
            elapsed: self.started.elapsed(),
            waits: self.waits.borrow().clone(),
        }
    }

    fn fail(&self, error: FleetError) {
        self.failure.borrow_mut().get_or_insert(error);
    }
}

async fn main(
    state: Rc<State>,
    address: &Address,
    stop: &Stop,
    watch_progress: &mut dyn FnMut(&WorkSummary),
) -> Result<(), FleetError> {
    let name = format!("rosebill worker {}", state.name);
    let waits = &mut |error: &FleetError| {
        *state.waits.borrow_mut() = Some(error.to_string());
        watch_progress(&state.summary());
    };
    let connection = match connect(address, &name, stop, waits).await {
        Ok(connection) => connection,
        Err(FleetError::Interrupted) => return Ok(()),
        Err(error) => return Err(error),
    };
    let Connection { client, mut is_up } = connection;
    let context = jetstream::new(client.clone());
    let mut shut_out = client
        .subscribe(format!("rosebill.shutout.{}", state.name))
        .await
        .map_err(|error| FleetError::Refused { action: "listen", cause: error.to_string() })?;
    let mut hellos = client
        .subscribe(HELLO)
        .await
        .map_err(|error| FleetError::Refused { action: "listen", cause: error.to_string() })?;
    let (ending, is_ending) = watch::channel(false);
    let consumer = Rc::new(Jobs { context: context.clone(), known: RefCell::new(None) });
    let slots: Vec<_> = (0..FOR_EACH_THREAD * state.threads)
        .map(|_| {
            let slot = Slot {
                state: Rc::clone(&state),
                context: context.clone(),
                jobs: Rc::clone(&consumer),
                is_ending: is_ending.clone(),
                is_up: is_up.clone(),
            };
            tokio::task::spawn_local(slot.run())
        })
        .collect();
    let mut told = None;
    let (mut nodes, mut since) = (0, Instant::now());
    let outcome = loop {
        if stop.is_stopped() {
            break Ok(());
        }
        if let Some(error) = state.failure.borrow_mut().take() {
            break Err(error);
        }
        if told.is_none_or(|told: Instant| told.elapsed() >= TELL_EVERY) {
            told = Some(Instant::now());
            let seconds = since.elapsed().as_secs_f64().max(0.1);
            let speed = (state.nodes.get() - nodes) as f64 / seconds;
            (nodes, since) = (state.nodes.get(), Instant::now());
            tell(&client, &state, speed as u64, false).await;
        }
        watch_progress(&state.summary());
        tokio::select! {
            Some(_) = shut_out.next() => break Err(FleetError::ShutOut),
            Some(_) = hellos.next() => told = None,
            // Whoever counts the threads of a fleet hears at once who has come back.
            Ok(()) = is_up.changed() => told = told.filter(|_| !*is_up.borrow_and_update()),
            () = tokio::time::sleep(OBEY_EVERY) => {}
        }
    };
    let _ = ending.send(true);
    let goodbye = async {
        for slot in slots {
            let _ = slot.await;
        }
        tell(&client, &state, 0, true).await;
        let _ = client.flush().await;
    };
    let _ = tokio::time::timeout(GOODBYE, goodbye).await;
    outcome
}

async fn tell(client: &async_nats::Client, state: &State, nodes_per_second: u64, is_ending: bool) {
    let status = WorkerStatus {
        format: MESSAGE_FORMAT,
        name: state.name.clone(),
        version: VERSION.to_owned(),
        weights: state.weights.clone(),
        signature: state.signature.to_string(),
        threads: state.threads as u64,
        jobs: state.jobs.get(),
        nodes_per_second,
        is_ending,
    };
    let said = client.publish(status.subject(), bytes(&status).into());
    // While the server is away there is nobody to hear it.
    let _ = tokio::time::timeout(Duration::from_millis(500), said).await;
}

/// Where jobs come from: the consumer that coordinators of the same program make.
struct Jobs {
    context: Context,
    known: RefCell<Option<Rc<PullConsumer>>>,
}

impl Jobs {
    async fn consumer(&self, signature: Signature) -> Result<Rc<PullConsumer>, String> {
        if let Some(known) = self.known.borrow().clone() {
            return Ok(known);
        }
        let stream = self.context.get_stream(JOBS).await.map_err(|error| error.to_string())?;
        let consumer: PullConsumer =
            stream.get_consumer(&signature.to_string()).await.map_err(|error| error.to_string())?;
        let consumer = Rc::new(consumer);
        *self.known.borrow_mut() = Some(Rc::clone(&consumer));
        Ok(consumer)
    }

    /// It may have been made anew.
    fn forget(&self) {
        *self.known.borrow_mut() = None;
    }
}

/// What does one job after another.
#[derive(Clone)]
struct Slot {
    state: Rc<State>,
    context: Context,
    jobs: Rc<Jobs>,
    is_ending: watch::Receiver<bool>,
    is_up: watch::Receiver<bool>,
}

impl Slot {
    async fn run(self) {
        let mut handing_in = JoinSet::new();
        self.work(&mut handing_in).await;
        while handing_in.join_next().await.is_some() {}
    }

    async fn work(mut self, handing_in: &mut JoinSet<()>) {
        let mut failures = 0;
        while !*self.is_ending.borrow() {
            let mut is_ending = self.is_ending.clone();
            let next = tokio::select! {
                next = self.next() => next,
                _ = is_ending.changed() => return,
            };
            match next {
                Ok(Some((message, ack_wait))) => {
                    failures = 0;
                    *self.state.waits.borrow_mut() = None;
                    self.state.at_hand.set(self.state.at_hand.get() + 1);
                    let result = self.handle(&message, ack_wait).await;
                    self.state.at_hand.set(self.state.at_hand.get() - 1);
                    // The next job is fetched while the server takes the result in.
                    if let Some((subject, result)) = result {
                        while handing_in.len() >= MOST_HANDED_IN {
                            handing_in.join_next().await;
                        }
                        let hand_in = self.clone().hand_in(message, subject, result, ack_wait);
                        handing_in.spawn_local(hand_in);
                    }
                }
                Ok(None) => failures = 0,
                Err(what) => {
                    tracing::debug!(what, "no jobs are to be had");
                    *self.state.waits.borrow_mut() = Some(match *self.is_up.borrow() {
                        true => "no coordinator of this version has come yet".to_owned(),
                        false => "the fleet's server is away".to_owned(),
                    });
                    self.jobs.forget();
                    failures += 1;
                    tokio::select! {
                        () = tokio::time::sleep(pause(failures)) => {}
                        _ = is_ending.changed() => return,
                    }
                }
            }
        }
    }

    /// The next job, with the time after which it is given to somebody else; none when none has
    /// come for a while.
    async fn next(&mut self) -> Result<Option<(jetstream::Message, Duration)>, String> {
        let consumer = self.jobs.consumer(self.state.signature).await?;
        let ack_wait = consumer.cached_info().config.ack_wait;
        let mut batch = consumer
            .batch()
            .max_messages(1)
            .expires(FETCH)
            .messages()
            .await
            .map_err(|error| error.to_string())?;
        self.is_up.mark_unchanged();
        loop {
            tokio::select! {
                next = batch.next() => return match next {
                    Some(Ok(message)) => Ok(Some((message, ack_wait))),
                    Some(Err(error)) => Err(error.to_string()),
                    None => Ok(None),
                },
                // A request does not outlast the connection.
                changed = self.is_up.changed() => {
                    if changed.is_err() || *self.is_up.borrow_and_update() {
                        return Err("the connection is new".to_owned());
                    }
                }
            }
        }
    }

    /// Does a job: gives its result, and where that goes; none when there is none to be handed in.
    async fn handle(
        &self,
        message: &jetstream::Message,
        ack_wait: Duration,
    ) -> Option<(String, JobResult)> {
        let read = Job::read(&message.payload);
        let parts = read.and_then(|job| Ok((job.work()?, job.plan()?, job)));
        let (work, depth, job) = match parts {
            Ok(parts) => parts,
            Err(error) => {
                tracing::warn!(%error, "a job was dropped");
                let _ = message.ack().await;
                return None;
            }
        };
        let delivered = message.info().map_or(1, |info| info.delivered);
        let started = Instant::now();
        let answer = if delivered > MOST_DELIVERIES {
            Some(Answer::Failed("every worker that took it died or gave it back"))
        } else {
            self.searched(message, &job, work, depth, ack_wait).await
        };
        let (found, nodes, seconds, failed) = match answer {
            Some(Answer::Done(done, time)) if !done.found.is_empty() => {
                let found = done.found.iter().map(Found::from).collect();
                (found, done.nodes, time.as_secs_f64(), None)
            }
            Some(Answer::Failed(why)) => {
                (Vec::new(), 0, started.elapsed().as_secs_f64(), Some(JobResult::reason(why)))
            }
            Some(Answer::NoMemory) => {
                let (megabytes, threads) = (job.table, self.state.threads);
                self.state.fail(FleetError::Table { megabytes, threads });
                let _ = message.ack_with(AckKind::Nak(None)).await;
                return None;
            }
            // Cut short: somebody else may have it at once.
            Some(Answer::Done(..)) | None => {
                let _ = message.ack_with(AckKind::Nak(None)).await;
                return None;
            }
        };
        let subject = result_subject(&job.book, job_key(&work));
        let result = JobResult {
            job,
            found,
            failed,
            nodes,
            seconds,
            worker: self.state.name.clone(),
            version: VERSION.to_owned(),
            weights: self.state.weights.clone(),
        };
        Some((subject, result))
    }

    /// Publishes a result, and acknowledges its job once the server has it.
    async fn hand_in(
        self,
        message: jetstream::Message,
        subject: String,
        result: JobResult,
        ack_wait: Duration,
    ) {
        if self.publish(&message, subject, &result.bytes(), ack_wait).await {
            self.state.jobs.set(self.state.jobs.get() + 1);
            self.state.nodes.set(self.state.nodes.get() + result.nodes);
            let _ = message.ack().await;
        }
    }

    /// Has a thread search, and says meanwhile that it is in progress; none at the end of all.
    async fn searched(
        &self,
        message: &jetstream::Message,
        job: &Job,
        work: Work,
        depth: Depth,
        ack_wait: Duration,
    ) -> Option<Answer> {
        let (answer, mut answered) = oneshot::channel();
        let (begun, has_begun) = oneshot::channel();
        let stop = Stop::new();
        let order = Order { work, depth, table: job.table, stop: stop.clone(), begun, answer };
        self.state.orders.send(order).ok()?;
        let mut is_ending = self.is_ending.clone();
        let mut progress = tokio::time::interval(ack_wait / 3);
        progress.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        progress.tick().await;
        // Waiting for the thread is not searching.
        let limit = async {
            match has_begun.await {
                Ok(()) => tokio::time::sleep(Duration::from_secs(u64::from(job.seconds))).await,
                Err(_) => std::future::pending().await,
            }
        };
        tokio::pin!(limit);
        loop {
            tokio::select! {
                answer = &mut answered => {
                    return answer.ok();
                }
                _ = progress.tick() => {
                    let _ = message.ack_with(AckKind::Progress).await;
                }
                () = &mut limit => {
                    stop.stop();
                    return Some(Answer::Failed("it took longer than a job may"));
                }
                _ = is_ending.changed() => {
                    stop.stop();
                    return None;
                }
            }
        }
    }

    /// Publishes a result until the server has it; false when the end comes before.
    async fn publish(
        &self,
        message: &jetstream::Message,
        subject: String,
        result: &[u8],
        ack_wait: Duration,
    ) -> bool {
        let mut is_ending = self.is_ending.clone();
        let mut tries = 0;
        loop {
            let publish = async {
                let sent = self.context.publish(subject.clone(), result.to_vec().into()).await?;
                sent.await
            };
            let Err(error) = publish.await else { return true };
            tracing::debug!(%error, "a result was not published");
            if *is_ending.borrow() {
                return false;
            }
            tries += 1;
            let wait = pause(tries).min(ack_wait / 3);
            tokio::select! {
                () = tokio::time::sleep(wait) => {
                    let _ = message.ack_with(AckKind::Progress).await;
                }
                _ = is_ending.changed() => return false,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_fits_into_a_subject() {
        let name = name().unwrap();
        assert!(name.len() <= LONGEST_NAME, "{name}");
        assert!(name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_')));
        assert_ne!(name, super::name().unwrap());
    }
}
