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

pub(crate) use address::Address;
#[cfg(feature = "workshop")]
pub(crate) use bench::{FleetBench, FleetMeasure, measure_fleet};
pub(crate) use coordinator::Coordinator;
pub(crate) use error::FleetError;
pub use message::{Found, Place};
pub(crate) use options::{CoordinatorOptions, DEFAULT_ACK_WAIT};
pub(crate) use status::{FleetStatus, SeenCoordinator, SeenWorker, fleet_status};
pub(crate) use worker::{WorkOptions, work};
pub(crate) use worker_state::WorkSummary;
