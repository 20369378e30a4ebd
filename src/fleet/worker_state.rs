//! What a worker's tasks share, and how far it has come.

use std::cell::{Cell, RefCell};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use crate::app::Contact;

use super::error::FleetError;
use super::failures::{Failure, Streak};
use super::rate::Rate;
use super::search_thread::Order;
use super::signature::Signature;

/// How far a worker has come.
#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct WorkSummary {
    pub name: String,
    pub jobs: u64,
    /// Positions visited.
    pub nodes: u64,
    /// Jobs done a second, in the last half minute.
    pub jobs_per_second: f64,
    /// Positions visited a second by jobs that were done in the last half minute.
    pub nodes_per_second: f64,
    /// Jobs at hand: searched, or waiting for a thread.
    pub at_hand: u64,
    /// Since the start.
    pub elapsed: Duration,
    /// Whether the server can be reached.
    pub contact: Contact,
    /// What it waits for, if so.
    pub waits: Option<String>,
}

/// What the tasks of a worker share.
pub(super) struct State {
    pub name: String,
    pub signature: Signature,
    pub weights: String,
    pub threads: usize,
    pub started: Instant,
    pub orders: Sender<Order>,
    pub jobs: RefCell<Rate>,
    pub nodes: RefCell<Rate>,
    pub contact: Cell<Contact>,
    pub at_hand: Cell<u64>,
    pub failure: RefCell<Option<FleetError>>,
    pub streak: RefCell<Streak>,
    pub waits: RefCell<Option<String>>,
}

impl State {
    /// How far it has come.
    pub(crate) fn summary(&self) -> WorkSummary {
        WorkSummary {
            name: self.name.clone(),
            jobs: self.jobs.borrow().total(),
            nodes: self.nodes.borrow().total(),
            jobs_per_second: self.jobs.borrow().per_second(),
            nodes_per_second: self.nodes.borrow().per_second(),
            contact: self.contact.get(),
            at_hand: self.at_hand.get(),
            elapsed: self.started.elapsed(),
            waits: self.waits.borrow().clone(),
        }
    }

    /// The server has a result, for which so long was searched.
    pub(crate) fn handed_in(&self, jobs: u64, nodes: u64, took: Duration) {
        for (rate, count) in [(&self.jobs, jobs), (&self.nodes, nodes)] {
            let mut rate = rate.borrow_mut();
            rate.stretch(took);
            rate.note(count);
        }
    }

    /// A job was done.
    pub(crate) fn succeeded(&self) {
        self.streak.borrow_mut().end();
    }

    /// A job failed here. Where one after the other does the worker ends: a worker that fails fast
    /// would get all of them.
    pub(crate) fn failed(&self, job: &str, failure: Failure) {
        if matches!(failure, Failure::Fault | Failure::Time)
            && let Some(jobs) = self.streak.borrow_mut().add(job)
        {
            self.fail(FleetError::Failing { jobs, why: failure.text() });
        }
    }

    /// Whether the worker is about to end.
    pub(crate) fn has_failed(&self) -> bool {
        self.failure.borrow().is_some()
    }

    /// Ends the worker; the first reason counts.
    pub(crate) fn fail(&self, error: FleetError) {
        self.failure.borrow_mut().get_or_insert(error);
    }
}
