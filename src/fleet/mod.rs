//! One book grown by many machines, on NATS JetStream.
//!
//! The coordinator holds the book: it is a [`Crew`](crate::app::Crew) of growth that publishes what is
//! to be searched and hands in what comes back. Workers know no book; they take jobs and publish
//! results. The book is the truth, the queue is disposable.

mod address;
mod alone;
#[cfg(feature = "workshop")]
mod bench;
mod book_number;
mod checks;
mod connection;
mod coordinator;
mod error;
mod failures;
mod link;
mod message;
mod options;
mod queue;
mod rate;
mod search_thread;
mod shared;
mod signature;
mod slot;
mod standing;
mod status;
mod trust;
mod worker;
mod worker_state;

pub use address::{Address, AddressError};
#[cfg(feature = "workshop")]
pub use bench::{FleetBench, FleetBenchError, FleetMeasure, measure_fleet};
pub use coordinator::Coordinator;
pub use error::FleetError;
pub use message::{Found, Job, JobResult, MESSAGE_FORMAT, MessageError, Place, WorkKind};
pub use options::{CoordinatorOptions, DEFAULT_ACK_WAIT};
pub use queue::{JOBS, RESULTS, STATUS, job_key, job_subject, result_subject};
pub use signature::Signature;
pub use status::{
    CoordinatorStatus, FleetStatus, SeenCoordinator, SeenWorker, TrustStatus, WorkerStatus,
    fleet_status,
};
pub use worker::{WorkOptions, work};
pub use worker_state::WorkSummary;
