//! A crew of growth whose searches are done by workers of a fleet.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use async_nats::jetstream::message::Acker;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use crate::board::Key;
use crate::eval::PatternEvaluator;
use crate::lock::lock;
use crate::ops::{
    Assignment, Claim, Crew, CrewError, CrewStatus, Depth, Done, Refusal, Refused, Report, Threads,
    Work,
};
use crate::search::{Level, Stop};
use crate::store::Book;

use super::address::Address;
use super::book_number::book_number;
use super::error::FleetError;
use super::link::{Command, Incoming, Link, Start};
use super::message::{Job, JobResult, MESSAGE_FORMAT, bytes};
use super::queue::{job_key, job_subject};
use super::shared::{Shared, Waiting};
use super::signature::Signature;
use super::status::{CoordinatorStatus, TrustStatus};
use super::trust::Trust;

/// A job comes back from a dead worker after this time.
pub const DEFAULT_ACK_WAIT: Duration = Duration::from_secs(30);
/// No job may take longer.
const LONGEST_JOB: Duration = Duration::from_secs(3600);
/// Pieces of work under way while no worker has said a word.
const LEAST_IN_FLIGHT: u64 = 4;
/// Pieces of work for each thread of the fleet: two are fetched, one is on its way.
const FOR_EACH_THREAD: u64 = 3;
/// Results that are handed over at once.
const MOST_AT_ONCE: usize = 1000;
/// Results that wait to be searched again.
const MOST_CHECKS: usize = 256;
/// How long results that wait at the start may take to come.
const FIRST_RESULTS: Duration = Duration::from_secs(10);
/// The coordinator says how it is this often.
const TELL_EVERY: Duration = Duration::from_secs(5);
/// Results a second are counted over this time.
const LATELY: Duration = Duration::from_secs(5);

/// How a fleet is led.
#[derive(Clone, Debug)]
pub struct CoordinatorOptions {
    /// The server.
    pub address: Address,
    /// What the book is called in the status of the fleet.
    pub title: String,
    /// How deep; that of growth.
    pub depth: Depth,
    /// How deep what matters most; that of growth.
    pub deepen: Option<Level>,
    /// MiB of transposition table for each thread of a worker.
    pub table_megabytes: usize,
    /// Threads of this process that search, too.
    pub threads: usize,
    /// Pieces of work under way at once; none is what suits the workers.
    pub in_flight: Option<usize>,
    /// The share of results that is searched again here, 0 to 1.
    pub recheck: f64,
    /// A dead worker's jobs come back after this time.
    pub ack_wait: Duration,
}

/// Leads a fleet.
pub struct Coordinator {
    options: CoordinatorOptions,
    book: String,
    signature: Signature,
    shared: Arc<Shared>,
    commands: UnboundedSender<Command>,
    incoming: Receiver<Incoming>,
    thread: Option<JoinHandle<()>>,
    /// What is under way in the fleet.
    given: HashMap<Key, Work>,
    /// What was handed over and is not in the book for good yet.
    unacknowledged: Vec<Acker>,
    /// Results that waited at the start and have not come.
    waiting: u64,
    started: Instant,
    own: Option<Own>,
    checks: Option<Checks>,
    trust: Trust,
    liars: VecDeque<String>,
    results: u64,
    refused: Refused,
    failed: u64,
    /// When results came, and how many, lately.
    lately: VecDeque<(Instant, u64)>,
    told: Option<Instant>,
}

/// Threads of this process.
struct Own {
    threads: Threads<PatternEvaluator>,
    under_way: usize,
}

/// Searches that are done again.
struct Checks {
    threads: Threads<PatternEvaluator>,
    claims: HashMap<Key, Claim>,
    stop: Stop,
}

impl Coordinator {
    /// Connects to the server and takes the book's queue over; while there is no server, tells `note`
    /// and waits.
    ///
    /// # Errors
    /// The server does not let us in, has other streams, or another coordinator grows the book.
    pub fn start(
        book: &mut Book,
        evaluator: &Arc<PatternEvaluator>,
        options: CoordinatorOptions,
        stop: &Stop,
        note: &mut dyn FnMut(String),
    ) -> Result<Self, FleetError> {
        let number = book_number(book)?;
        let signature = Signature::of(evaluator);
        let threads = |count| {
            Threads::new(evaluator, count, options.table_megabytes, None)
                .map_err(|error| FleetError::Start(error.to_string()))
        };
        let own = match options.threads {
            0 => None,
            count => Some(Own { threads: threads(count)?, under_way: 0 }),
        };
        let trust = Trust::new(options.recheck);
        let checks = match trust.is_checking() {
            false => None,
            true => {
                let (claims, stop) = (HashMap::new(), Stop::new());
                Some(Checks { threads: threads(options.threads.max(1))?, claims, stop })
            }
        };
        let shared = Arc::new(Shared::default());
        let (commands, commanded) = unbounded_channel();
        let (results, incoming) = channel();
        let (starts, start) = channel();
        let link = Link {
            address: options.address.clone(),
            book: number.clone(),
            signature,
            ack_wait: options.ack_wait,
            stop: stop.clone(),
            shared: Arc::clone(&shared),
            commands: commanded,
            results,
            start: starts,
        };
        let thread = std::thread::Builder::new().name("fleet".to_owned());
        let thread = thread
            .spawn(move || link.run())
            .map_err(|error| FleetError::Start(error.to_string()))?;
        let waiting = loop {
            match start.recv() {
                Ok(Start::Ready(waiting)) => break waiting,
                Ok(Start::Waits(what)) => note(what),
                Ok(Start::Failed(error)) => return Err(error),
                Err(_) => return Err(FleetError::Start("its thread has ended".to_owned())),
            }
        };
        Ok(Self {
            options,
            book: number,
            signature,
            shared,
            commands,
            incoming,
            thread: Some(thread),
            given: HashMap::new(),
            unacknowledged: Vec::new(),
            waiting,
            started: Instant::now(),
            own,
            checks,
            trust,
            liars: VecDeque::new(),
            results: 0,
            refused: Refused::new(),
            failed: 0,
            lately: VecDeque::new(),
            told: None,
        })
    }

    fn send(&self, command: Command) {
        // The thread lives until it is told to finish.
        let _ = self.commands.send(command);
    }

    /// Publishes what is to be searched elsewhere.
    fn publish(&mut self, assignments: Vec<Assignment>) {
        let mut keys = Vec::with_capacity(assignments.len());
        let mut jobs = lock(&self.shared.jobs);
        for Assignment { work, depth, .. } in assignments {
            let key = job_key(&work);
            let (kind, places) = Job::of_work(&work);
            let (level, plies, selectivity) = match depth {
                Depth::Level(level) => (Some(level.number()), None, None),
                Depth::Fixed { depth, selectivity } => {
                    (None, Some(depth), Some(selectivity.percent()))
                }
            };
            let job = Job {
                format: MESSAGE_FORMAT,
                book: self.book.clone(),
                signature: self.signature.to_string(),
                kind,
                places,
                level,
                depth: plies,
                selectivity,
                table: u32::try_from(self.options.table_megabytes).unwrap_or(u32::MAX),
                seconds: LONGEST_JOB.as_secs() as u32,
            };
            let subject = job_subject(self.signature, &self.book, key);
            let waiting = Waiting {
                subject: subject.clone(),
                payload: job.bytes(),
                published: Instant::now(),
                tries: Some(0),
            };
            jobs.insert(subject.clone(), waiting);
            self.given.insert(key, work);
            keys.push(subject);
        }
        drop(jobs);
        self.send(Command::Publish(keys));
    }

    /// What came back is not published again.
    fn come_back(&mut self, work: &Work) {
        let key = job_key(work);
        if self.given.get(&key) == Some(work) {
            self.given.remove(&key);
            lock(&self.shared.jobs).remove(&job_subject(self.signature, &self.book, key));
        }
    }

    fn report(&mut self, incoming: Incoming) -> Report {
        self.unacknowledged.push(incoming.acker);
        let report = match self.read(&incoming.message.payload) {
            Ok(report) => report,
            Err((work, why)) => Report::Refused { work, why },
        };
        match &report {
            Report::Refused { work, why } => {
                *self.refused.entry(*why).or_default() += 1;
                if let Some(work) = work {
                    self.come_back(work);
                }
            }
            Report::Failed { work, .. } => {
                self.failed += 1;
                self.come_back(work);
            }
            _ => {}
        }
        report
    }

    /// What a message says, as far as the book need not be asked.
    fn read(&self, payload: &[u8]) -> Result<Report, (Option<Work>, Refusal)> {
        let no_work = |why| (None, why);
        let result = JobResult::read(payload).map_err(|error| {
            tracing::debug!(%error, "a result was refused");
            no_work(Refusal::Malformed)
        })?;
        let done = result.done().map_err(|error| {
            tracing::debug!(%error, "a result was refused");
            no_work(Refusal::Malformed)
        })?;
        let job = &result.job;
        if job.book != self.book {
            return Err(no_work(Refusal::OtherBook));
        }
        if job.signature != self.signature.to_string() {
            return Err(no_work(Refusal::OtherProgram));
        }
        let deeper = self.options.deepen.map(Depth::Level);
        let is_ours = (done.depth == self.options.depth || Some(done.depth) == deeper)
            && job.table as usize == self.options.table_megabytes;
        if !is_ours {
            return Err(no_work(Refusal::OtherTerms));
        }
        if self.trust.record(&result.worker).is_shut_out {
            return Err((Some(done.work), Refusal::ShutOut));
        }
        Ok(match result.failed {
            Some(why) => Report::Failed { work: done.work, why: JobResult::reason(&why) },
            None => Report::Claimed(Claim { done, worker: result.worker }),
        })
    }

    /// Takes what this process has searched itself.
    fn take_own(&mut self, reports: &mut Vec<Report>) -> Result<(), CrewError> {
        if let Some(own) = &mut self.own {
            let found = own.threads.reports(Duration::ZERO)?;
            own.under_way -= found.len();
            reports.extend(found);
        }
        let Some(checks) = &mut self.checks else { return Ok(()) };
        for report in checks.threads.reports(Duration::ZERO)? {
            let (work, found) = match report {
                Report::Done(done) => (done.work, Some(done.found)),
                Report::Panicked(work) => (work, None),
                _ => continue,
            };
            let claim = checks.claims.remove(&job_key(&work));
            if let (Some(claim), Some(found)) = (claim, found.filter(|found| !found.is_empty())) {
                if self.trust.compared(&claim.worker, &claim.done.found, &found) {
                    self.liars.push_back(claim.worker.clone());
                }
                let record = self.trust.record(&claim.worker);
                let status = TrustStatus::of(&self.book, &claim.worker, &record);
                let (subject, message) = (status.subject(), bytes(&status));
                let _ = self.commands.send(Command::Tell(subject, message));
            }
        }
        Ok(())
    }

    fn shut_out(&mut self, worker: &str) {
        tracing::warn!(worker, "its results are wrong: it is shut out");
        self.send(Command::Tell(format!("rosebill.shutout.{worker}"), Vec::new()));
    }

    /// Searches a claim again, where there is room for it: else the check stays due.
    fn check(&mut self, claim: &Claim) {
        let Some(checks) = &mut self.checks else { return };
        let key = job_key(&claim.done.work);
        if checks.claims.len() < MOST_CHECKS && !checks.claims.contains_key(&key) {
            self.trust.begins_check(&claim.worker);
            checks.claims.insert(key, claim.clone());
            let Done { work, depth, .. } = claim.done;
            checks.threads.give(vec![Assignment { work, depth, stop: checks.stop.clone() }]);
        }
    }

    fn note_results(&mut self, count: usize) {
        self.results += count as u64;
        if count > 0 {
            self.lately.push_back((Instant::now(), count as u64));
        }
        while self.lately.front().is_some_and(|(when, _)| when.elapsed() > LATELY) {
            self.lately.pop_front();
        }
    }

    fn results_per_second(&self) -> f64 {
        let window = self.started.elapsed().min(LATELY).as_secs_f64().max(0.1);
        let recent = self.lately.iter().filter(|(when, _)| when.elapsed() <= LATELY);
        recent.map(|(_, count)| *count).sum::<u64>() as f64 / window
    }

    /// Says how it is, now and then.
    fn tell(&mut self) {
        if self.told.is_some_and(|told| told.elapsed() < TELL_EVERY) {
            return;
        }
        self.told = Some(Instant::now());
        let status = CoordinatorStatus {
            format: MESSAGE_FORMAT,
            book: self.book.clone(),
            title: self.options.title.clone(),
            signature: self.signature.to_string(),
            in_flight: self.given.len() as u64,
            results: self.results,
            results_per_second: self.results_per_second(),
            failed: self.failed,
            refused: self
                .refused
                .iter()
                .map(|(why, count)| (why.text().to_owned(), *count))
                .collect(),
            is_ending: false,
        };
        self.send(Command::Tell(status.subject(), bytes(&status)));
    }
}

impl Crew for Coordinator {
    fn capacity(&self) -> usize {
        let own = self.own.as_ref().map_or(0, |own| own.threads.capacity());
        let fleet = self.options.in_flight.unwrap_or_else(|| {
            let (_, threads) = self.shared.workers();
            let wanted = FOR_EACH_THREAD.saturating_mul(threads).max(LEAST_IN_FLIGHT);
            usize::try_from(wanted).unwrap_or(usize::MAX)
        });
        fleet.saturating_add(own)
    }

    fn give(&mut self, mut assignments: Vec<Assignment>) {
        if let Some(own) = &mut self.own {
            let free = own.threads.capacity().saturating_sub(own.under_way);
            let rest = assignments.split_off(free.min(assignments.len()));
            own.under_way += assignments.len();
            own.threads.give(assignments);
            assignments = rest;
        }
        if !assignments.is_empty() {
            self.publish(assignments);
        }
    }

    fn reports(&mut self, patience: Duration) -> Result<Vec<Report>, CrewError> {
        if let Some(error) = lock(&self.shared.failure).take() {
            return Err(error.into());
        }
        let mut reports = Vec::new();
        self.take_own(&mut reports)?;
        while let Some(worker) = self.liars.pop_front() {
            self.shut_out(&worker);
            reports.push(Report::Liar { worker });
        }
        let is_first = self.waiting > 0 && self.started.elapsed() < FIRST_RESULTS;
        let patience = match (reports.is_empty(), is_first) {
            (false, _) => Duration::ZERO,
            (true, true) => FIRST_RESULTS.saturating_sub(self.started.elapsed()),
            (true, false) => patience,
        };
        let mut count = 0;
        let mut next = self.incoming.recv_timeout(patience);
        while let Ok(incoming) = next {
            count += 1;
            self.waiting = self.waiting.saturating_sub(1);
            reports.push(self.report(incoming));
            if count >= MOST_AT_ONCE || self.options.in_flight == Some(1) {
                break;
            }
            next = self.incoming.try_recv().map_err(|_| RecvTimeoutError::Timeout);
        }
        self.note_results(count);
        self.tell();
        Ok(reports)
    }

    fn committed(&mut self) {
        if !self.unacknowledged.is_empty() {
            let ackers = std::mem::take(&mut self.unacknowledged);
            self.shared.held.fetch_sub(ackers.len(), Ordering::Relaxed);
            self.send(Command::Acknowledge(ackers));
        }
    }

    fn judged(&mut self, claim: &Claim, refusal: Option<Refusal>) {
        self.come_back(&claim.done.work);
        match refusal {
            None => {
                if self.trust.wants_check(&claim.worker) {
                    self.check(claim);
                }
            }
            Some(refusal) => {
                *self.refused.entry(refusal).or_default() += 1;
                let is_impossible = matches!(refusal, Refusal::IllegalMove | Refusal::Impossible);
                if is_impossible && self.trust.impossible(&claim.worker) {
                    self.liars.push_back(claim.worker.clone());
                }
            }
        }
    }

    fn keeps_finders(&self) -> bool {
        self.trust.is_checking()
    }

    fn status(&self) -> Option<CrewStatus> {
        let (workers, threads) = self.shared.workers();
        Some(CrewStatus {
            is_connected: self.shared.is_up.load(Ordering::Relaxed),
            workers,
            threads,
            shut_out: self.trust.shut_out(),
            results_per_second: self.results_per_second(),
        })
    }
}

impl Drop for Coordinator {
    /// Takes the jobs back, so that nobody searches in vain.
    fn drop(&mut self) {
        if let Some(checks) = &self.checks {
            checks.stop.stop();
        }
        let status = CoordinatorStatus::ending(&self.book);
        self.send(Command::Tell(status.subject(), bytes(&status)));
        self.send(Command::Finish);
        if let Some(thread) = self.thread.take() {
            // It ends within seconds, whatever the server does.
            let _ = thread.join();
        }
    }
}
