//! Streams and consumers, with the settings that the whole rests on.

use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::context::{
    GetStreamErrorKind, PublishError, RequestError, RequestErrorKind,
};
use async_nats::jetstream::stream::{
    Config, ConsumerErrorKind, DiscardPolicy, RetentionPolicy, StorageType, Stream,
};
use async_nats::jetstream::{self, Context, ErrorCode};

use crate::app::Work;
use crate::othello::board::Key;

use super::address::Address;
use super::error::{FleetError, heard};
use super::signature::Signature;

/// The stream of jobs: each at most once, until it is done.
pub(crate) const JOBS: &str = "ROSEBILL_JOBS";
/// The stream of results, until they are in the book.
pub(crate) const RESULTS: &str = "ROSEBILL_RESULTS";
/// The stream of states that members publish of themselves: the last one of each only.
pub(crate) const STATUS: &str = "ROSEBILL_STATUS";

/// Where a coordinator greets workers that are there already: they say at once how they are.
pub(super) const HELLO: &str = "rosebill.hello";

/// Messages that may be delivered and not acknowledged: far more than the default of 1,000, else a
/// fleet of some hundred threads comes to a halt.
const MAX_ACK_PENDING: i64 = 200_000;
/// Requests that may wait for messages: by default 512.
const MAX_WAITING: i64 = 100_000;
/// A word of status is forgotten after this time.
const STATUS_AGE: Duration = Duration::from_secs(3600);
/// Results that no coordinator takes are forgotten after this time.
const RESULT_AGE: Duration = Duration::from_secs(7 * 24 * 3600);
/// Results are given again after this time, if a coordinator has not committed them.
const RESULT_ACK_WAIT: Duration = Duration::from_secs(10);

/// The position that a job is named by: the first that is searched. A parent's next expansion is
/// another job, which may be published before the last one is acknowledged.
pub(crate) fn job_key(work: &Work) -> Key {
    match work {
        Work::Rest { spot, .. } | Work::New(spot) | Work::Expand { child: spot, .. } => spot.key,
    }
}

/// Where a job is published.
pub(crate) fn job_subject(signature: Signature, book: &str, key: Key) -> String {
    format!("rosebill.job.{signature}.{book}.{}", token(key))
}

/// Where its result is published.
pub(crate) fn result_subject(book: &str, key: Key) -> String {
    format!("rosebill.result.{book}.{}", token(key))
}

/// All jobs of a book, of whatever program.
pub(super) fn jobs_of(book: &str) -> String {
    format!("rosebill.job.*.{book}.*")
}

/// A position in a subject.
fn token(key: Key) -> String {
    let position = key.position();
    format!("{:016x}{:016x}", position.mover, position.opponent)
}

/// Why something cannot be done.
pub(super) enum Problem {
    /// It will never be possible.
    Fatal(FleetError),
    /// There is no responder for the streams: the server has none, or none yet.
    NoStreams,
    /// The server does not answer.
    Silent,
    /// The server is not ready.
    Later(String),
}

impl Problem {
    /// What is said where there is no later.
    pub(crate) fn told(self, address: &Address) -> FleetError {
        match self {
            Self::Fatal(error) => error,
            Self::NoStreams => FleetError::NoJetStream(address.to_string()),
            Self::Silent => FleetError::silent(address),
            Self::Later(cause) => FleetError::refused("set up the streams", &cause),
        }
    }
}

fn later(error: impl std::fmt::Display) -> Problem {
    Problem::Later(heard(&error))
}

fn jobs() -> Config {
    Config {
        name: JOBS.to_owned(),
        subjects: vec!["rosebill.job.>".to_owned()],
        retention: RetentionPolicy::WorkQueue,
        storage: StorageType::File,
        discard: DiscardPolicy::New,
        max_messages_per_subject: 1,
        discard_new_per_subject: true,
        num_replicas: 1,
        ..Config::default()
    }
}

fn results() -> Config {
    Config {
        name: RESULTS.to_owned(),
        subjects: vec!["rosebill.result.>".to_owned()],
        retention: RetentionPolicy::WorkQueue,
        storage: StorageType::File,
        max_age: RESULT_AGE,
        num_replicas: 1,
        ..Config::default()
    }
}

fn status() -> Config {
    Config {
        name: STATUS.to_owned(),
        subjects: vec!["rosebill.status.>".to_owned()],
        retention: RetentionPolicy::Limits,
        storage: StorageType::Memory,
        max_messages_per_subject: 1,
        max_age: STATUS_AGE,
        num_replicas: 1,
        ..Config::default()
    }
}

/// The settings that matter, named.
fn settings(config: &Config) -> [(&'static str, String); 9] {
    // 0 and -1 are no limit.
    let limit = |number: i64| if number <= 0 { "none".to_owned() } else { number.to_string() };
    [
        ("subjects", config.subjects.join(" ")),
        ("retention", format!("{:?}", config.retention)),
        ("storage", format!("{:?}", config.storage)),
        ("discard", format!("{:?}", config.discard)),
        ("max_msgs_per_subject", limit(config.max_messages_per_subject)),
        ("discard_new_per_subject", config.discard_new_per_subject.to_string()),
        ("max_age", humantime::format_duration(config.max_age).to_string()),
        ("max_msgs", limit(config.max_messages)),
        ("max_bytes", limit(config.max_bytes)),
    ]
}

fn difference<const N: usize>(
    is: [(&'static str, String); N],
    wanted: [(&'static str, String); N],
) -> Option<String> {
    let mut pairs = is.into_iter().zip(wanted);
    let (is, wanted) = pairs.find(|(is, wanted)| is != wanted)?;
    Some(heard(&format!("{} is {}, not {}", is.0, is.1, wanted.1)))
}

#[derive(Clone)]
pub(super) struct Streams {
    pub jobs: Stream,
    pub results: Stream,
}

impl Streams {
    /// Takes the streams, and makes those that are missing.
    pub(crate) async fn made(context: &Context) -> Result<Self, Problem> {
        stream(context, status()).await?;
        Ok(Self {
            jobs: stream(context, jobs()).await?,
            results: stream(context, results()).await?,
        })
    }

    /// When they were made: other times say that they were lost in between.
    pub(crate) fn age(&self) -> (i64, i64) {
        let nanoseconds = |stream: &Stream| {
            let created = stream.cached_info().created;
            created.unix_timestamp().wrapping_mul(1_000_000_000) + i64::from(created.nanosecond())
        };
        (nanoseconds(&self.jobs), nanoseconds(&self.results))
    }

    pub(crate) async fn jobs_consumer(
        &self,
        signature: Signature,
        ack_wait: Duration,
    ) -> Result<PullConsumer, Problem> {
        let name = signature.to_string();
        let filter = format!("rosebill.job.{signature}.>");
        consumer(&self.jobs, JOBS, name, filter, ack_wait).await
    }

    /// The consumer of a book's results: made anew, so that what an earlier coordinator took and did
    /// not acknowledge is given again at once.
    pub(crate) async fn results_consumer(&self, book: &str) -> Result<PullConsumer, Problem> {
        let name = format!("coordinator-{book}");
        // There is none at first.
        let _ = self.results.delete_consumer(&name).await;
        let filter = format!("rosebill.result.{book}.*");
        consumer(&self.results, RESULTS, name, filter, RESULT_ACK_WAIT).await
    }
}

/// A stream, where there is one.
pub(super) async fn known_stream(context: &Context, name: &str) -> Result<Option<Stream>, Problem> {
    let error = match context.get_stream(name).await {
        Ok(stream) => return Ok(Some(stream)),
        Err(error) => error,
    };
    if let GetStreamErrorKind::JetStream(cause) = error.kind() {
        return match cause.error_code() {
            ErrorCode::STREAM_NOT_FOUND => Ok(None),
            _ => Err(Problem::Fatal(FleetError::refused("report on a stream", &cause))),
        };
    }
    let cause = std::error::Error::source(&error);
    let cause = cause.and_then(|cause| cause.downcast_ref::<RequestError>());
    Err(match cause.map(RequestError::kind) {
        Some(RequestErrorKind::NoResponders) => Problem::NoStreams,
        Some(RequestErrorKind::TimedOut) => Problem::Silent,
        _ => later(error),
    })
}

async fn stream(context: &Context, wanted: Config) -> Result<Stream, Problem> {
    let stream = match known_stream(context, &wanted.name).await? {
        Some(stream) => stream,
        None => context.create_stream(&wanted).await.map_err(|error| refused(&error))?,
    };
    match difference(settings(&stream.cached_info().config), settings(&wanted)) {
        None => Ok(stream),
        Some(what) => Err(Problem::Fatal(FleetError::OtherSettings { stream: wanted.name, what })),
    }
}

fn refused(error: &async_nats::jetstream::context::CreateStreamError) -> Problem {
    use async_nats::jetstream::context::CreateStreamErrorKind;
    match error.kind() {
        CreateStreamErrorKind::JetStream(cause) => {
            Problem::Fatal(FleetError::refused("make a stream", &cause))
        }
        CreateStreamErrorKind::TimedOut => Problem::Silent,
        _ => later(error),
    }
}

async fn consumer(
    stream: &Stream,
    stream_name: &'static str,
    name: String,
    filter: String,
    ack_wait: Duration,
) -> Result<PullConsumer, Problem> {
    let wanted = pull::Config {
        durable_name: Some(name.clone()),
        name: Some(name.clone()),
        ack_policy: AckPolicy::Explicit,
        ack_wait,
        max_deliver: -1,
        filter_subject: filter,
        max_ack_pending: MAX_ACK_PENDING,
        max_waiting: MAX_WAITING,
        ..pull::Config::default()
    };
    let settings = |config: &pull::Config| {
        [
            ("filter_subject", config.filter_subject.clone()),
            ("ack_wait", humantime::format_duration(config.ack_wait).to_string()),
            ("max_deliver", config.max_deliver.to_string()),
            ("max_ack_pending", config.max_ack_pending.to_string()),
            ("max_waiting", config.max_waiting.to_string()),
        ]
    };
    if let Ok(info) = stream.consumer_info(&name).await {
        let is = pull::Config {
            ack_wait: info.config.ack_wait,
            max_deliver: info.config.max_deliver,
            filter_subject: info.config.filter_subject,
            max_ack_pending: info.config.max_ack_pending,
            max_waiting: info.config.max_waiting,
            ..pull::Config::default()
        };
        if let Some(what) = difference(settings(&is), settings(&wanted)) {
            let stream = format!("{stream_name}, consumer {name},");
            return Err(Problem::Fatal(FleetError::OtherSettings { stream, what }));
        }
    }
    stream.create_consumer(wanted).await.map_err(|error| match error.kind() {
        ConsumerErrorKind::JetStream(cause) => {
            Problem::Fatal(FleetError::refused("make a consumer", &cause))
        }
        ConsumerErrorKind::TimedOut => Problem::Silent,
        _ => later(error),
    })
}

/// The result of publishing a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Published {
    Queued,
    /// One of that name waits or is in work already: this one, or one that is just done.
    There,
    /// Not known: it is to be published again.
    Unknown,
}

impl Published {
    /// What became of a job that was published to a subject. A server refuses a second one of a subject as it
    /// refuses one that it has no room for: then it is asked.
    pub(crate) async fn of(
        outcome: Result<(), PublishError>,
        context: &Context,
        subject: &str,
    ) -> Self {
        match outcome {
            Ok(_) => Self::Queued,
            Err(error) if is_refused(&error) && is_queued(context, subject).await => Self::There,
            Err(error) => {
                tracing::debug!(%error, "a job was not published");
                Self::Unknown
            }
        }
    }
}

/// Whether the stream did not take a message.
fn is_refused(error: &PublishError) -> bool {
    let cause = std::error::Error::source(error);
    let cause = cause.and_then(|cause| cause.downcast_ref::<jetstream::Error>());
    cause.is_some_and(|cause| cause.error_code() == ErrorCode::STREAM_STORE_FAILED)
}

/// Whether a job of a subject waits or is in work.
async fn is_queued(context: &Context, subject: &str) -> bool {
    match context.get_stream_no_info(JOBS).await {
        Ok(jobs) => jobs.get_last_raw_message_by_subject(subject).await.is_ok(),
        Err(_) => false,
    }
}
