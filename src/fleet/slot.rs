//! A slot of a worker: takes a job, has it searched, and hands its result in.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::{self, AckKind, Context};
use futures_util::StreamExt;
use tokio::sync::{oneshot, watch};
use tokio::task::JoinSet;

use crate::app::{Depth, Work};
use crate::othello::program::VERSION;
use crate::othello::search::Stop;

use super::connection::pause;
use super::error::FleetError;
use super::failures::{Failure, MOST_DELIVERIES};
use super::message::{Found, Job, JobResult};
use super::queue::{JOBS, Problem, job_key, known_stream, result_subject};
use super::search_thread::{Answer, Order};
use super::signature::Signature;
use super::worker_state::State;

/// Results of a slot that the server has not acknowledged yet.
const MOST_HANDED_IN: usize = 4;
/// How long the server waits for a job before it says that there is none.
const FETCH: Duration = Duration::from_secs(20);
/// A server that states less, or nothing, is asked no more often.
const LEAST_ACK_WAIT: Duration = Duration::from_millis(30);

/// Why no job comes.
const NO_COORDINATOR: &str = "no coordinator of this version has come yet";
const SILENT: &str = "the fleet's server does not answer";

/// Where jobs come from: the consumer that coordinators of the same program make.
pub(super) struct Jobs {
    context: Context,
    known: RefCell<Option<Rc<PullConsumer>>>,
}

impl Jobs {
    /// The jobs of the fleet that this connection leads to.
    pub(crate) fn new(context: Context) -> Self {
        Self { context, known: RefCell::default() }
    }

    async fn consumer(&self, signature: Signature) -> Result<Rc<PullConsumer>, String> {
        if let Some(known) = self.known.borrow().clone() {
            return Ok(known);
        }
        let stream = match known_stream(&self.context, JOBS).await {
            Ok(Some(stream)) => stream,
            Err(Problem::Silent) => return Err(SILENT.to_owned()),
            Ok(None) | Err(_) => return Err("there are no jobs".to_owned()),
        };
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
pub(super) struct Slot {
    pub state: Rc<State>,
    pub context: Context,
    pub jobs: Rc<Jobs>,
    pub is_ending: watch::Receiver<bool>,
    pub is_up: watch::Receiver<bool>,
}

impl Slot {
    /// Does jobs until the end, and hands in what is done.
    pub(crate) async fn run(self) {
        let mut handing_in = JoinSet::new();
        self.work(&mut handing_in).await;
        while handing_in.join_next().await.is_some() {}
    }

    async fn work(mut self, handing_in: &mut JoinSet<()>) {
        let mut failures = 0;
        while !*self.is_ending.borrow() && !self.state.has_failed() {
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
                Ok(None) => {
                    failures = 0;
                    *self.state.waits.borrow_mut() = None;
                }
                Err(what) => {
                    tracing::debug!(what, "no jobs are to be had");
                    let is_silent = what == SILENT;
                    let why = if is_silent { SILENT } else { NO_COORDINATOR };
                    let is_up = *self.is_up.borrow();
                    *self.state.waits.borrow_mut() = is_up.then(|| why.to_owned());
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

    /// The next job, with the time after which it is given to another worker; none when none has
    /// come for a while.
    async fn next(&mut self) -> Result<Option<(jetstream::Message, Duration)>, String> {
        let consumer = self.jobs.consumer(self.state.signature).await?;
        let ack_wait = consumer.cached_info().config.ack_wait.max(LEAST_ACK_WAIT);
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
            Some(Answer::Failed(Failure::Deaths))
        } else {
            self.searched(message, &job, work, depth, ack_wait).await
        };
        let subject = result_subject(&job.book, job_key(&work));
        let (done, seconds, failed) = match answer {
            Some(Answer::Done(done, time)) if !done.found.is_empty() => {
                self.state.succeeded();
                (Some(done), time.as_secs_f64(), None)
            }
            Some(Answer::Failed(failure)) => {
                self.state.failed(&subject, failure);
                (None, started.elapsed().as_secs_f64(), Some(failure))
            }
            Some(Answer::NoMemory) => {
                let (megabytes, threads) = (job.table, self.state.threads);
                self.state.fail(FleetError::Table { megabytes, threads });
                (None, 0.0, Some(Failure::GivenBack))
            }
            // Cut short: another worker may have it at once. After a 'nak' the server would count
            // this as a delivery, of which a job has few.
            Some(Answer::Done(..)) | None => (None, 0.0, Some(Failure::GivenBack)),
        };
        let result = JobResult {
            job,
            found: done.iter().flat_map(|done| &done.found).map(Found::from).collect(),
            failed: failed.map(|failure| failure.text().to_owned()),
            nodes: done.map_or(0, |done| done.nodes),
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
            let took = Duration::try_from_secs_f64(result.seconds).unwrap_or_default();
            self.state.handed_in(u64::from(result.failed.is_none()), result.nodes, took);
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
        let longest = Duration::from_secs(u64::from(job.seconds));
        let limit = async {
            match has_begun.await {
                Ok(()) => tokio::time::sleep(longest).await,
                Err(_) => std::future::pending().await,
            }
        };
        tokio::pin!(limit);
        loop {
            tokio::select! {
                answer = &mut answered => {
                    // Where it comes together with its limit the time decides.
                    return Some(match answer.ok()? {
                        Answer::Done(_, took) if took >= longest => Answer::Failed(Failure::Time),
                        answer => answer,
                    });
                }
                _ = progress.tick() => {
                    let _ = message.ack_with(AckKind::Progress).await;
                }
                () = &mut limit => {
                    stop.stop();
                    return Some(Answer::Failed(Failure::Time));
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
