//! How a fleet is led.

use std::time::{Duration, Instant};

use crate::app::Depth;
use crate::othello::search::Level;

use super::address::Address;

/// A job comes back from a dead worker after this time.
pub(crate) const DEFAULT_ACK_WAIT: Duration = Duration::from_secs(30);
/// How a fleet is led.
#[derive(Clone, Debug)]
pub(crate) struct CoordinatorOptions {
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
    /// Whether what was set aside, since no worker could search it, is tried again.
    pub again: bool,
    /// A dead worker's jobs come back after this time.
    pub ack_wait: Duration,
    /// The server is not waited for longer than until then; none is for ever.
    pub wait_until: Option<Instant>,
}
