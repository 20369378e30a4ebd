//! How a fleet is led.

use std::time::Duration;

use super::address::Address;

/// A job comes back from a dead worker after this time.
pub(crate) const DEFAULT_ACK_WAIT: Duration = Duration::from_secs(30);

/// What a fleet is led by beside the options of growth.
#[derive(Clone, Debug)]
pub(crate) struct CoordinatorOptions {
    pub address: Address,
    /// What the book is called in the status of the fleet.
    pub title: String,
    /// Threads of this process that search, too.
    pub threads: usize,
    /// The share of results that is searched again here, 0 to 1.
    pub recheck: f64,
    /// Whether what was set aside, since no worker could search it, is tried again.
    pub again: bool,
    /// A dead worker's jobs come back after this time.
    pub ack_wait: Duration,
}
