//! How much one coordinator can do: it grows a book by workers that answer without searching.

use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use async_nats::Client;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::{self, AckKind, Context};
use futures_util::StreamExt;
use thiserror::Error;
use tokio::task::LocalSet;

use crate::app::grow::stand_in::stand_in;
use crate::app::{
    Assignment, Book, Claim, Crew, CrewError, CrewStatus, GrowError, GrowOptions, Refusal, Report,
    Spent, grow_with,
};
use crate::othello::board::Key;
use crate::othello::eval::{Evaluator, PatternEvaluator};
use crate::othello::lock::lock;
use crate::othello::program::VERSION;
use crate::othello::random::Random;
use crate::othello::search::{CpuTime, Stop, ThreadTime};

use super::address::Address;
use super::connection::{OBEY_EVERY, connect};
use super::coordinator::Coordinator;
use super::error::FleetError;
use super::message::{Found, Job, JobResult, MESSAGE_FORMAT, bytes};
use super::options::{CoordinatorOptions, DEFAULT_ACK_WAIT};
use super::queue::{JOBS, RESULTS, STATUS, job_key, result_subject};
use super::signature::Signature;
use super::status::WorkerStatus;

/// Jobs that a worker has at hand: as one with a thread.
const AT_HAND: usize = 2;
/// More connections than these are shared, so that a process may have them all.
const CONNECTIONS: usize = 256;
/// A sign of life comes this often.
const TELL_EVERY: Duration = Duration::from_secs(5);

#[derive(Clone, Debug)]
pub(crate) struct FleetBench {
    pub address: Address,
    /// Workers, each of one thread.
    pub workers: usize,
    /// How long an answer takes on average; drawn for each.
    pub answer: Duration,
    /// The share of jobs that are left lying, as by a worker that dies: 0 to 1.
    pub fail: f64,
    /// They come back after this time.
    pub ack_wait: Duration,
    pub time: Duration,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct FleetMeasure {
    pub workers: usize,
    /// Positions of the book at the start.
    pub positions: u64,
    /// Positions that were added.
    pub new_positions: u64,
    pub results: u64,
    /// Results that did not count.
    pub refused: u64,
    /// Time on the wall, in seconds.
    pub wall: f64,
    /// Processor time of the thread that owns the book, in seconds, by what it was spent on.
    pub spent: Spent,
    /// Processor time of the thread that speaks with the server, in seconds.
    pub link: f64,
    /// Processor time of the workers, in seconds.
    pub work: f64,
    /// Half of the results were in the book for good so many seconds after they were sent.
    pub median: Option<f64>,
    /// 99 of 100 were.
    pub percentile_99: Option<f64>,
    /// Bytes of messages that the server holds at the end in memory and in files.
    pub server: (u64, u64),
}

/// Why it cannot be measured.
#[derive(Debug, Error)]
pub(crate) enum FleetBenchError {
    #[error(transparent)]
    Fleet(#[from] FleetError),
    #[error(transparent)]
    Grow(#[from] GrowError),
}

/// When results were sent, by the name of their work.
type Sent = Arc<Mutex<HashMap<Key, Instant>>>;

/// Grows a book, which is changed by it, and measures.
pub(crate) fn measure_fleet(
    book: &mut Book,
    evaluator: &Arc<PatternEvaluator>,
    bench: &FleetBench,
    options: &GrowOptions,
    stop: &Stop,
) -> Result<FleetMeasure, FleetBenchError> {
    let signature = Signature::of(evaluator);
    let sent = Sent::default();
    let ending = Stop::new();
    let (readiness, ready) = channel();
    let crowd = Crowd {
        readiness,
        bench: bench.clone(),
        signature,
        weights: evaluator.name(),
        sent: Arc::clone(&sent),
        stop: ending.clone(),
    };
    let workers = std::thread::Builder::new().name("workers".to_owned());
    let workers =
        workers.spawn(move || crowd.run()).map_err(|error| FleetError::Start(error.to_string()))?;
    let grown = grow_measured(book, evaluator, bench, options, (stop, sent, ready, signature));
    ending.stop();
    let work = workers.join().unwrap_or(Err(FleetError::Start("workers have failed".to_owned())));
    // Where the coordinator fails, workers may fail because of it.
    let mut measure = grown?;
    let work = work?;
    measure.work = work;
    measure.link = (measure.link - work).max(0.0);
    Ok(measure)
}

fn grow_measured(
    book: &mut Book,
    evaluator: &Arc<PatternEvaluator>,
    bench: &FleetBench,
    options: &GrowOptions,
    (stop, sent, ready, signature): (&Stop, Sent, Receiver<()>, Signature),
) -> Result<FleetMeasure, FleetBenchError> {
    let fleet = CoordinatorOptions {
        address: bench.address.clone(),
        title: "bench".to_owned(),
        threads: 0,
        recheck: 0.0,
        again: false,
        ack_wait: bench.ack_wait,
    };
    let coordinator = Coordinator::start(book, evaluator, fleet, options, stop, &mut |_| ())?;
    // All workers have asked for jobs, or have ended and say so themselves.
    while !stop.is_stopped()
        && matches!(ready.recv_timeout(OBEY_EVERY), Err(RecvTimeoutError::Timeout))
    {}
    let mut crew = Measured { coordinator, sent, judged: Vec::new(), latencies: Vec::new() };
    let (began, process, thread) = (Instant::now(), CpuTime::now(), ThreadTime::now());
    let summary = grow_with(book, &mut crew, &evaluator.name(), options, stop, &mut |_| ())?;
    let wall = began.elapsed().as_secs_f64();
    let elsewhere = process.seconds() - thread.seconds();
    let server = stream_bytes(bench, signature, stop)?;
    let mut latencies = crew.latencies;
    latencies.sort_by(f64::total_cmp);
    let at = |share: f64| latencies.get((latencies.len() as f64 * share) as usize).copied();
    let status = summary.status;
    Ok(FleetMeasure {
        workers: bench.workers,
        positions: status.positions - status.new_positions - status.earlier.positions,
        new_positions: status.new_positions,
        results: latencies.len() as u64,
        refused: status.refused.values().sum(),
        wall,
        spent: status.spent,
        link: elsewhere,
        work: 0.0,
        median: at(0.5),
        percentile_99: at(0.99),
        server,
    })
}

/// A coordinator whose results are timed.
struct Measured {
    coordinator: Coordinator,
    sent: Sent,
    /// When those were sent that are in the book, but not for good.
    judged: Vec<Instant>,
    latencies: Vec<f64>,
}

impl Crew for Measured {
    fn capacity(&self) -> usize {
        self.coordinator.capacity()
    }

    fn give(&mut self, assignments: Vec<Assignment>) {
        self.coordinator.give(assignments);
    }

    fn reports(&mut self, patience: Duration) -> Result<Vec<Report>, CrewError> {
        self.coordinator.reports(patience)
    }

    fn committed(&mut self) {
        self.coordinator.committed();
        let seconds = self.judged.drain(..).map(|sent| sent.elapsed().as_secs_f64());
        self.latencies.extend(seconds);
    }

    fn judged(&mut self, claim: &Claim, refusal: Option<Refusal>) {
        self.coordinator.judged(claim, refusal);
        let sent = lock(&self.sent).remove(&job_key(&claim.done.work));
        self.judged.extend(sent.filter(|_| refusal.is_none()));
    }

    fn keeps_finders(&self) -> bool {
        self.coordinator.keeps_finders()
    }

    fn status(&self) -> Option<CrewStatus> {
        self.coordinator.status()
    }
}

/// What the streams hold: bytes of memory and of files. Takes the jobs' consumer away if it was made for
/// this bench: a real coordinator wants another one.
fn stream_bytes(
    bench: &FleetBench,
    signature: Signature,
    stop: &Stop,
) -> Result<(u64, u64), FleetError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| FleetError::Start(error.to_string()))?;
    runtime.block_on(async {
        let connection = connect(&bench.address, "rosebill lab bench", stop, &mut |_| ()).await?;
        let context = jetstream::new(connection.client);
        if bench.ack_wait != DEFAULT_ACK_WAIT
            && let Ok(jobs) = context.get_stream_no_info(JOBS).await
        {
            // The next worker finds out if it is still there.
            let _ = jobs.delete_consumer(&signature.to_string()).await;
        }
        let bytes = async |name| {
            let stream = context.get_stream(name).await;
            stream.map_or(0, |stream| stream.cached_info().state.bytes)
        };
        Ok((bytes(STATUS).await, bytes(JOBS).await + bytes(RESULTS).await))
    })
}

/// Workers that answer without searching.
struct Crowd {
    bench: FleetBench,
    /// Gets a message when all of them ask for jobs.
    readiness: Sender<()>,
    signature: Signature,
    weights: String,
    sent: Sent,
    stop: Stop,
}

impl Crowd {
    /// Works until it is stopped; gives the processor time that it took, in seconds.
    fn run(self) -> Result<f64, FleetError> {
        let start = ThreadTime::now();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| FleetError::Start(error.to_string()))?;
        runtime.block_on(LocalSet::new().run_until(self.main()))?;
        drop(runtime);
        Ok(start.seconds())
    }

    async fn main(self) -> Result<(), FleetError> {
        let mut clients = Vec::new();
        for number in 0..self.bench.workers.min(CONNECTIONS) {
            let name = format!("rosebill lab bench {number}");
            let connected = connect(&self.bench.address, &name, &self.stop, &mut |_| ()).await;
            match connected {
                Ok(connection) => clients.push(connection.client),
                Err(FleetError::Interrupted) => return Ok(()),
                Err(error) => return Err(error),
            }
        }
        let asking = Rc::new(Cell::new(0));
        let crowd = Rc::new(self);
        let Some(first) = clients.first().cloned() else { return Ok(()) };
        if crowd.consumer(&first).await.is_none() {
            return Ok(());
        }
        for (number, client) in clients.iter().cycle().take(crowd.bench.workers).enumerate() {
            let jobs = Rc::new(Cell::new(0));
            let context = jetstream::new(client.clone());
            for slot in 0..AT_HAND {
                let random = Random::for_item(slot as u64, number as u64);
                let name = crowd.name(number);
                let (crowd, context) = (Rc::clone(&crowd), context.clone());
                let (jobs, asking) = (Rc::clone(&jobs), Rc::clone(&asking));
                let slot = Slot { crowd, context, name, random, jobs, asking };
                tokio::task::spawn_local(slot.run());
            }
            tokio::task::spawn_local(Rc::clone(&crowd).tell(client.clone(), number, jobs));
        }
        let mut is_told = false;
        while !crowd.stop.is_stopped() {
            if !is_told && asking.get() == AT_HAND * crowd.bench.workers {
                is_told = true;
                // The measuring thread may have been stopped.
                let _ = crowd.readiness.send(());
            }
            tokio::time::sleep(OBEY_EVERY).await;
        }
        Ok(())
    }

    fn name(&self, number: usize) -> String {
        format!("bench-{number}")
    }

    /// The jobs' consumer, once a coordinator has made it.
    async fn consumer(&self, client: &Client) -> Option<PullConsumer> {
        let context = jetstream::new(client.clone());
        while !self.stop.is_stopped() {
            if let Ok(stream) = context.get_stream(JOBS).await
                && let Ok(consumer) = stream.get_consumer(&self.signature.to_string()).await
            {
                return Some(consumer);
            }
            tokio::time::sleep(OBEY_EVERY).await;
        }
        None
    }

    /// Says now and then that a worker is there.
    async fn tell(self: Rc<Self>, client: Client, number: usize, jobs: Rc<Cell<u64>>) {
        loop {
            let status = WorkerStatus {
                format: MESSAGE_FORMAT,
                name: self.name(number),
                version: VERSION.to_owned(),
                weights: self.weights.clone(),
                signature: self.signature.to_string(),
                threads: 1,
                jobs: jobs.get(),
                nodes_per_second: 0,
                is_ending: false,
            };
            let _ = client.publish(status.subject(), bytes(&status).into()).await;
            tokio::time::sleep(TELL_EVERY).await;
        }
    }
}

/// What does one job after another.
struct Slot {
    crowd: Rc<Crowd>,
    context: Context,
    name: String,
    random: Random,
    jobs: Rc<Cell<u64>>,
    /// How many ask for jobs.
    asking: Rc<Cell<usize>>,
}

impl Slot {
    async fn run(mut self) {
        let name = self.crowd.signature.to_string();
        let Ok(stream) = self.context.get_stream_no_info(JOBS).await else { return };
        let Ok(consumer) = stream.get_consumer::<jetstream::consumer::pull::Config>(&name).await
        else {
            return;
        };
        self.asking.set(self.asking.get() + 1);
        loop {
            let request = consumer.batch().max_messages(1).expires(Duration::from_secs(20));
            let Ok(mut batch) = request.messages().await else {
                tokio::time::sleep(OBEY_EVERY).await;
                continue;
            };
            while let Some(Ok(message)) = batch.next().await {
                self.answer(message).await;
            }
        }
    }

    /// A number from 0 to 1, never 0.
    fn drawn(&mut self) -> f64 {
        ((self.random.number() >> 11) + 1) as f64 / (1u64 << 53) as f64
    }

    async fn answer(&mut self, message: jetstream::Message) {
        let read = Job::read(&message.payload);
        let Ok((work, depth, job)) = read.and_then(|job| Ok((job.work()?, job.plan()?, job)))
        else {
            let _ = message.ack_with(AckKind::Term).await;
            return;
        };
        if self.drawn() <= self.crowd.bench.fail {
            return;
        }
        // As if jobs came at random: most are short, some take several times as long as the mean.
        let time = self.crowd.bench.answer.mul_f64(-self.drawn().ln());
        if !time.is_zero() {
            tokio::time::sleep(time).await;
        }
        let done = stand_in(work, depth);
        let key = job_key(&work);
        let subject = result_subject(&job.book, key);
        let result = JobResult {
            job,
            found: done.found.iter().map(Found::from).collect(),
            failed: None,
            nodes: done.nodes,
            seconds: time.as_secs_f64(),
            worker: self.name.clone(),
            version: VERSION.to_owned(),
            weights: self.crowd.weights.clone(),
        };
        lock(&self.crowd.sent).insert(key, Instant::now());
        let Ok(published) = self.context.publish(subject, result.bytes().into()).await else {
            return;
        };
        if published.await.is_ok() {
            self.jobs.set(self.jobs.get() + 1);
            let _ = message.ack().await;
        }
    }
}
