//! The states that members publish of themselves, and what can be asked of a fleet.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use async_nats::jetstream;
use async_nats::jetstream::consumer::{AckPolicy, DeliverPolicy, pull};
use futures_util::StreamExt;
use serde::{Deserialize, Serialize};

use crate::othello::search::Stop;

use super::address::Address;
use super::connection::{connect_once, unless_stopped};
use super::error::{FleetError, heard};
use super::message::{MESSAGE_FORMAT, Versioned, read_versioned};
use super::queue::{JOBS, Problem, RESULTS, STATUS, known_stream};
use super::trust::Record;

/// A worker or coordinator that was silent for so long is gone.
const GONE_AFTER: Duration = Duration::from_secs(60);
/// How long the server may take to hand over all states.
const PATIENCE: Duration = Duration::from_secs(2);

/// What a worker says every few seconds.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct WorkerStatus {
    /// The number of the messages' format.
    pub format: u32,
    pub name: String,
    pub version: String,
    pub weights: String,
    /// What jobs it can do.
    pub signature: String,
    /// Searches at once.
    pub threads: u64,
    pub jobs: u64,
    /// Positions visited a second, lately.
    pub nodes_per_second: u64,
    /// Whether this is its last word.
    pub is_ending: bool,
}

impl Versioned for WorkerStatus {
    fn format(&self) -> u32 {
        self.format
    }
}

impl WorkerStatus {
    /// The same, its texts as parts of a message: any client may have sent it.
    fn heard(self) -> Self {
        Self {
            name: heard(&self.name),
            version: heard(&self.version),
            weights: heard(&self.weights),
            signature: heard(&self.signature),
            ..self
        }
    }

    pub(super) fn subject(&self) -> String {
        format!("rosebill.status.worker.{}", self.name)
    }
}

/// What a coordinator says every few seconds.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct CoordinatorStatus {
    /// The number of the messages' format.
    pub format: u32,
    /// The book's number.
    pub book: String,
    /// What the book is called.
    pub title: String,
    /// Workers that may search for it.
    pub signature: String,
    /// Jobs that have not come back.
    pub in_flight: u64,
    /// Results that have come in this run.
    pub results: u64,
    /// Results a second, lately.
    pub results_per_second: f64,
    /// Jobs that no worker could do.
    pub failed: u64,
    /// Results that did not count, by reason.
    pub refused: BTreeMap<String, u64>,
    /// Whether this is its last word.
    pub is_ending: bool,
}

impl Versioned for CoordinatorStatus {
    fn format(&self) -> u32 {
        self.format
    }
}

impl CoordinatorStatus {
    /// The same, its texts as parts of a message: any client may have sent it.
    fn heard(self) -> Self {
        Self {
            book: heard(&self.book),
            title: heard(&self.title),
            signature: heard(&self.signature),
            refused: self.refused.iter().map(|(why, count)| (heard(why), *count)).collect(),
            ..self
        }
    }

    pub(super) fn subject(&self) -> String {
        format!("rosebill.status.coordinator.{}", self.book)
    }

    pub(super) fn ending(book: &str) -> Self {
        Self { format: MESSAGE_FORMAT, book: book.to_owned(), is_ending: true, ..Self::default() }
    }
}

/// What a coordinator says of a worker whose results it searched again.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct TrustStatus {
    /// The number of the messages' format.
    pub format: u32,
    /// The book's number.
    pub book: String,
    pub worker: String,
    /// Results that were searched again.
    pub checked: u64,
    /// Of those, how many were the same.
    pub agreed: u64,
    /// Whether it was shut out.
    pub shut_out: bool,
}

impl Versioned for TrustStatus {
    fn format(&self) -> u32 {
        self.format
    }
}

impl TrustStatus {
    pub(super) fn of(book: &str, worker: &str, record: &Record) -> Self {
        Self {
            format: MESSAGE_FORMAT,
            book: book.to_owned(),
            worker: worker.to_owned(),
            checked: record.checked,
            agreed: record.agreed,
            shut_out: record.is_shut_out,
        }
    }

    pub(super) fn subject(&self) -> String {
        format!("rosebill.status.trust.{}.{}", self.book, self.worker)
    }
}

/// A worker as the fleet sees it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct SeenWorker {
    /// What it said last.
    pub status: WorkerStatus,
    pub seconds_ago: f64,
    /// Results of it that were searched again, by all coordinators.
    pub checked: u64,
    /// Of those, how many were the same.
    pub agreed: u64,
    /// Whether a coordinator has shut it out.
    pub shut_out: bool,
}

/// A coordinator as the fleet sees it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct SeenCoordinator {
    /// What it said last.
    pub status: CoordinatorStatus,
    /// How long ago: one that lives says something every five seconds.
    pub seconds_ago: f64,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct FleetStatus {
    /// The server, without credentials.
    pub server: String,
    /// Jobs that no worker has taken.
    pub waiting: u64,
    /// Jobs that workers have taken.
    pub in_work: u64,
    /// Results that no coordinator has put into its book.
    pub results_waiting: u64,
    /// The coordinators that gave a sign of life within a minute, by their books' titles.
    pub coordinators: Vec<SeenCoordinator>,
    /// The workers that gave a sign of life within a minute, by name.
    pub workers: Vec<SeenWorker>,
}

pub(crate) fn fleet_status(address: &Address, stop: &Stop) -> Result<FleetStatus, FleetError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| FleetError::Start(error.to_string()))?;
    let status = runtime.block_on(unless_stopped(stop, ask(address)));
    // A name that is being looked up does not hold the end up.
    runtime.shutdown_background();
    status
}

async fn ask(address: &Address) -> Result<FleetStatus, FleetError> {
    let connection = connect_once(address, "rosebill status").await?;
    let context = jetstream::new(connection.client);
    let mut status = FleetStatus {
        server: address.to_string(),
        waiting: 0,
        in_work: 0,
        results_waiting: 0,
        coordinators: Vec::new(),
        workers: Vec::new(),
    };
    let told = |problem: Problem| match problem {
        Problem::Later(cause) => FleetError::refused("list its streams", &cause),
        problem => problem.told(address),
    };
    if let Some(jobs) = known_stream(&context, JOBS).await.map_err(told)? {
        status.waiting = jobs.cached_info().state.messages;
        let mut consumers = jobs.consumers();
        while let Some(consumer) = consumers.next().await {
            let consumer =
                consumer.map_err(|error| FleetError::refused("list its consumers", &error))?;
            status.in_work += consumer.num_ack_pending as u64;
        }
        status.waiting = status.waiting.saturating_sub(status.in_work);
    }
    if let Some(results) = known_stream(&context, RESULTS).await.map_err(told)? {
        status.results_waiting = results.cached_info().state.messages;
    }
    // Without the stream no member has ever published a state.
    let Some(said) = known_stream(&context, STATUS).await.map_err(told)? else {
        return Ok(status);
    };
    let last_words = pull::Config {
        deliver_policy: DeliverPolicy::LastPerSubject,
        ack_policy: AckPolicy::None,
        filter_subject: "rosebill.status.>".to_owned(),
        inactive_threshold: Duration::from_secs(30),
        memory_storage: true,
        ..pull::Config::default()
    };
    let action = "list its workers";
    let refused = |error: &dyn std::fmt::Display| FleetError::refused(action, error);
    let consumer = said.create_consumer(last_words).await.map_err(|error| refused(&error))?;
    let count = consumer.cached_info().num_pending;
    let mut words = Vec::new();
    if count > 0 {
        let batch = consumer.batch().max_messages(count as usize).expires(PATIENCE);
        let mut batch = batch.messages().await.map_err(|error| refused(&error))?;
        while let Some(Ok(message)) = batch.next().await {
            words.push(message);
            if words.len() as u64 == count {
                break;
            }
        }
    }
    let mut trusts: HashMap<String, (u64, u64, bool)> = HashMap::new();
    for word in &words {
        let seconds_ago = word.info().ok().map_or(0.0, |info| {
            let seconds = info.published.unix_timestamp() as f64;
            let now = std::time::UNIX_EPOCH.elapsed().map_or(0.0, |since| since.as_secs_f64());
            (now - seconds - f64::from(info.published.nanosecond()) / 1e9).max(0.0)
        });
        let is_here = seconds_ago <= GONE_AFTER.as_secs_f64();
        let about = word.subject.split('.').nth(2).unwrap_or_default();
        match about {
            "worker" if is_here => {
                if let Ok(said) = read_versioned::<WorkerStatus>(&word.payload)
                    && !said.is_ending
                {
                    let (checked, agreed, shut_out) = (0, 0, false);
                    status.workers.push(SeenWorker {
                        status: said.heard(),
                        seconds_ago,
                        checked,
                        agreed,
                        shut_out,
                    });
                }
            }
            "coordinator" if is_here => {
                let said = read_versioned::<CoordinatorStatus>(&word.payload).ok();
                let said = said.filter(|said| !said.is_ending).map(CoordinatorStatus::heard);
                status
                    .coordinators
                    .extend(said.map(|status| SeenCoordinator { status, seconds_ago }));
            }
            "trust" => {
                if let Ok(said) = read_versioned::<TrustStatus>(&word.payload) {
                    let sum = trusts.entry(said.worker).or_default();
                    sum.0 = sum.0.saturating_add(said.checked);
                    sum.1 = sum.1.saturating_add(said.agreed);
                    sum.2 |= said.shut_out;
                }
            }
            _ => {}
        }
    }
    for worker in &mut status.workers {
        let known = trusts.get(&worker.status.name).copied().unwrap_or_default();
        (worker.checked, worker.agreed, worker.shut_out) = known;
    }
    status.workers.sort_by(|one, other| one.status.name.cmp(&other.status.name));
    status.coordinators.sort_by(|one, other| one.status.title.cmp(&other.status.title));
    Ok(status)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fleet::message::bytes;

    #[test]
    fn what_is_said_in_another_format_is_not_understood() {
        let said = |format| {
            let status = CoordinatorStatus { format, ..CoordinatorStatus::ending("book") };
            read_versioned::<CoordinatorStatus>(&bytes(&status)).map(|said| said.book)
        };
        assert_eq!(said(MESSAGE_FORMAT).as_deref(), Ok("book"));
        let told = said(MESSAGE_FORMAT + 1).unwrap_err().to_string();
        assert_eq!(told, "a message of format 2, not 1");
        let trust = TrustStatus::of("book", "worker", &Record::default());
        let other = TrustStatus { format: 0, ..trust.clone() };
        assert!(read_versioned::<TrustStatus>(&bytes(&trust)).is_ok());
        assert!(read_versioned::<TrustStatus>(&bytes(&other)).is_err());
    }

    #[test]
    fn what_anybody_says_moves_no_terminal() {
        let said = CoordinatorStatus {
            title: "a\u{1b}[31m\u{202e}b".to_owned(),
            refused: [("\u{7}late".to_owned(), 2)].into(),
            ..CoordinatorStatus::ending("book")
        };
        let heard = said.heard();
        assert_eq!(heard.title, "a\\u{1b}[31m\\u{202e}b");
        assert_eq!(heard.refused.into_iter().collect::<Vec<_>>(), [("\\u{7}late".to_owned(), 2)]);
    }
}
