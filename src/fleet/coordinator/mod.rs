//! A crew of growth whose searches are done by workers of a fleet.

mod reports;

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use async_nats::jetstream::message::Acker;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use crate::app::{
    Assignment, Claim, Crew, CrewError, CrewStatus, Depth, GrowOptions, Refusal, Refused, Report,
    Threads, Work,
};
use crate::othello::board::Key;
use crate::othello::eval::PatternEvaluator;
use crate::othello::lock::lock;
use crate::othello::search::Stop;
use crate::store::Book;

use crate::fleet::book_number::book_number;
use crate::fleet::checks::Checks;
use crate::fleet::error::FleetError;
use crate::fleet::failures::Failures;
use crate::fleet::link::{Command, Incoming, Link, Start};
use crate::fleet::message::{Job, MESSAGE_FORMAT, bytes};
use crate::fleet::options::CoordinatorOptions;
use crate::fleet::queue::{job_key, job_subject};
use crate::fleet::rate::Rate;
use crate::fleet::shared::{Shared, Waiting};
use crate::fleet::signature::Signature;
use crate::fleet::status::{CoordinatorStatus, TrustStatus};
use crate::fleet::trust::Trust;

/// No job may take longer.
const LONGEST_JOB: Duration = Duration::from_secs(3600);
/// Pieces of work under way while no worker has said a word.
const LEAST_IN_FLIGHT: u64 = 4;
/// Pieces of work for each thread of the fleet: two are fetched, one is on its way.
const FOR_EACH_THREAD: u64 = 3;
/// Results that are handed over at once.
const MOST_AT_ONCE: usize = 1000;
/// How long results that wait at the start may take to come.
const FIRST_RESULTS: Duration = Duration::from_secs(10);
/// Results a second are those of this time.
const LATELY: Duration = Duration::from_secs(5);
/// The coordinator says how it is this often.
const TELL_EVERY: Duration = Duration::from_secs(5);
/// While it waits, the coordinator looks this often whether it is to stop.
const OBEY_EVERY: Duration = Duration::from_millis(10);

/// Leads a fleet.
pub(crate) struct Coordinator {
    title: String,
    ack_wait: Duration,
    /// How deep growth wants positions searched.
    depths: [Depth; 2],
    /// MiB of transposition table for each thread of a worker.
    table_megabytes: usize,
    /// Pieces of work under way at once; none is what suits the workers.
    in_flight: Option<usize>,
    book: String,
    signature: Signature,
    shared: Arc<Shared>,
    commands: UnboundedSender<Command>,
    incoming: Receiver<Incoming>,
    thread: Option<JoinHandle<()>>,
    stop: Stop,
    /// What is under way in the fleet.
    given: HashMap<Key, (Work, Instant)>,
    /// What was handed over and is not in the book for good yet.
    unacknowledged: Vec<Acker>,
    /// Results that waited at the start and have not come.
    waiting: u64,
    started: Instant,
    own: Option<Own>,
    checks: Option<Checks>,
    trust: Trust,
    liars: VecDeque<String>,
    rate: Rate,
    refused: Refused,
    failures: Failures,
    /// Jobs that were set aside.
    failed: u64,
    told: Option<Told>,
}

/// What was said last, and when.
struct Told {
    at: Instant,
    in_flight: u64,
    results: u64,
}

impl Told {
    /// Whether it is time to say it again, now that so many jobs are in flight and so many results have
    /// come.
    fn is_outdated(&self, (in_flight, results): (u64, u64)) -> bool {
        let is_first = (self.in_flight == 0 && in_flight > 0) || (self.results == 0 && results > 0);
        is_first || self.at.elapsed() >= TELL_EVERY
    }
}

/// Threads of this process.
struct Own {
    threads: Threads<PatternEvaluator>,
    under_way: usize,
}

impl Coordinator {
    /// Connects to the server and takes the book's queue over; while there is no server, reports it
    /// to `note` and waits as long as growth may take.
    pub(crate) fn start(
        book: &mut Book,
        evaluator: &Arc<PatternEvaluator>,
        options: CoordinatorOptions,
        growth: &GrowOptions,
        stop: &Stop,
        note: &mut dyn FnMut(String),
    ) -> Result<Self, FleetError> {
        let number = book_number(book)?;
        let signature = Signature::of(evaluator);
        let threads = |count| {
            Threads::new(evaluator, count, growth.table_megabytes, None)
                .map_err(|error| FleetError::Start(error.to_string()))
        };
        let own = match options.threads {
            0 => None,
            count => Some(Own { threads: threads(count)?, under_way: 0 }),
        };
        let trust = Trust::new(options.recheck);
        let checks = match trust.is_checking() {
            false => None,
            true => Some(Checks::new(threads(options.threads.max(1))?)),
        };
        let shared = Arc::new(Shared::default());
        let (commands, commanded) = unbounded_channel();
        let (results, incoming) = channel();
        let (starts, start) = channel();
        let link = Link {
            address: options.address,
            book: number.clone(),
            signature,
            ack_wait: options.ack_wait,
            // None where the clock does not go so far.
            wait_until: growth.time.and_then(|time| Instant::now().checked_add(time)),
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
        if options.again {
            book.fleet().forget_all_failed()?;
        }
        Ok(Self {
            title: options.title,
            ack_wait: options.ack_wait,
            depths: growth.depths(),
            table_megabytes: growth.table_megabytes,
            in_flight: growth.in_flight,
            book: number,
            signature,
            shared,
            commands,
            incoming,
            thread: Some(thread),
            stop: stop.clone(),
            given: HashMap::new(),
            unacknowledged: Vec::new(),
            waiting,
            started: Instant::now(),
            own,
            checks,
            trust,
            liars: VecDeque::new(),
            rate: Rate::over(LATELY),
            refused: Refused::new(),
            failures: Failures::default(),
            failed: 0,
            told: None,
        })
    }

    fn send(&self, command: Command) {
        // The thread lives until it gets the order to finish.
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
                table: u32::try_from(self.table_megabytes).unwrap_or(u32::MAX),
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
            self.given.insert(key, (work, Instant::now()));
            keys.push(subject);
        }
        drop(jobs);
        self.send(Command::Publish(keys));
    }

    /// What came back is not published again. Whether it was in flight.
    fn come_back(&mut self, work: &Work) -> bool {
        let key = job_key(work);
        let is_ours = self.given.get(&key).is_some_and(|(given, _)| given == work);
        if is_ours {
            self.given.remove(&key);
            lock(&self.shared.jobs).remove(&job_subject(self.signature, &self.book, key));
        }
        is_ours
    }

    /// Waits for a message, but no longer than until growth is to stop.
    fn next_incoming(&self, patience: Duration) -> Option<Incoming> {
        let began = Instant::now();
        loop {
            let left = patience.saturating_sub(began.elapsed());
            match self.incoming.recv_timeout(left.min(OBEY_EVERY)) {
                Ok(incoming) => return Some(incoming),
                Err(RecvTimeoutError::Timeout) if left > OBEY_EVERY && !self.stop.is_stopped() => {}
                Err(_) => return None,
            }
        }
    }

    fn publish_again(&self, key: Key, after: Duration) {
        self.send(Command::PublishAgain(job_subject(self.signature, &self.book, key), after));
    }

    /// Takes what this process has searched itself.
    fn take_own(&mut self, reports: &mut Vec<Report>) -> Result<(), CrewError> {
        if let Some(own) = &mut self.own {
            let found = own.threads.reports(Duration::ZERO)?;
            own.under_way -= found.len();
            reports.extend(found);
        }
        let Some(checks) = &mut self.checks else { return Ok(()) };
        for (claim, found) in checks.ended()? {
            if self.trust.compared(&claim.worker, &claim.done.found, &found) {
                self.liars.push_back(claim.worker.clone());
            }
            let record = self.trust.record(&claim.worker);
            let status = TrustStatus::of(&self.book, &claim.worker, &record);
            let _ = self.commands.send(Command::Tell(status.subject(), bytes(&status)));
        }
        Ok(())
    }

    fn shut_out(&mut self, worker: &str) {
        tracing::warn!(worker, "its results are wrong: it is shut out");
        self.send(Command::Tell(format!("rosebill.shutout.{worker}"), Vec::new()));
    }

    /// Searches a claim again, where there is room for it: else the check stays due.
    fn check(&mut self, claim: &Claim) {
        if self.checks.as_mut().is_some_and(|checks| checks.begin(claim)) {
            self.trust.begins_check(&claim.worker);
        }
    }

    /// Publishes its state, now and then, and as soon as there is a first figure.
    fn tell(&mut self) {
        let now = (self.given.len() as u64, self.rate.total());
        if !self.told.as_ref().is_none_or(|told| told.is_outdated(now)) {
            return;
        }
        self.told = Some(Told { at: Instant::now(), in_flight: now.0, results: now.1 });
        let status = CoordinatorStatus {
            format: MESSAGE_FORMAT,
            book: self.book.clone(),
            title: self.title.clone(),
            signature: self.signature.to_string(),
            in_flight: now.0,
            results: now.1,
            results_per_second: self.rate.per_second(),
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
        let fleet = self.in_flight.unwrap_or_else(|| {
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
        let mut next = self.next_incoming(patience);
        while let Some(incoming) = next {
            count += 1;
            self.waiting = self.waiting.saturating_sub(1);
            reports.extend(self.report(incoming));
            if count >= MOST_AT_ONCE || self.in_flight == Some(1) {
                break;
            }
            next = self.incoming.try_recv().ok();
        }
        self.rate.note(count as u64);
        if self.told.is_none() {
            self.tell();
        }
        Ok(reports)
    }

    fn committed(&mut self) {
        if !self.unacknowledged.is_empty() {
            let ackers = std::mem::take(&mut self.unacknowledged);
            self.shared.held.fetch_sub(ackers.len(), Ordering::Relaxed);
            self.send(Command::Acknowledge(ackers));
        }
        self.tell();
    }

    fn judged(&mut self, claim: &Claim, refusal: Option<Refusal>) {
        let is_asked = self.come_back(&claim.done.work);
        match refusal {
            None => {
                self.failures.forget(job_key(&claim.done.work));
                if self.trust.wants_check(&claim.worker) {
                    self.check(claim);
                }
            }
            Some(refusal) => {
                *self.refused.entry(refusal).or_default() += 1;
                // The same message sent again and again, in whose name ever, proves nothing.
                let is_impossible =
                    is_asked && matches!(refusal, Refusal::IllegalMove | Refusal::Impossible);
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
            contact: *lock(&self.shared.contact),
            workers,
            threads,
            shut_out: self.trust.shut_out(),
            results_per_second: self.rate.per_second(),
        })
    }
}

impl Drop for Coordinator {
    /// Takes the jobs back, so that no worker searches for nothing.
    fn drop(&mut self) {
        self.checks = None;
        let status = CoordinatorStatus::ending(&self.book);
        self.send(Command::Tell(status.subject(), bytes(&status)));
        self.send(Command::Finish);
        if let Some(thread) = self.thread.take() {
            // It ends within seconds, whatever the server does.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_that_there_is_to_tell_is_told_at_once() {
        let told = |in_flight, results| Told { at: Instant::now(), in_flight, results };
        assert!(!told(0, 0).is_outdated((0, 0)));
        assert!(told(0, 0).is_outdated((4, 0)));
        assert!(told(4, 0).is_outdated((4, 9)));
        assert!(!told(4, 9).is_outdated((50, 1000)));
        let long_ago = Instant::now().checked_sub(TELL_EVERY).unwrap();
        assert!(Told { at: long_ago, ..told(4, 9) }.is_outdated((4, 9)));
    }
}
