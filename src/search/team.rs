//! The threads that search one position together, and how they learn that their work is done.

use std::sync::atomic::{AtomicBool, AtomicIsize, Ordering};
use std::sync::{Arc, Mutex};

use super::near::NearTable;
use crate::lock::lock;

/// The threads that search one position together.
pub(super) struct Team {
    /// Threads that may be started now. Less than none for a moment, when one that waited for
    /// helpers goes on while another has taken its place.
    free: AtomicIsize,
    /// Near tables of threads that have ended, for the next ones.
    near: Mutex<Vec<NearTable>>,
    near_entries: usize,
}

impl Team {
    /// A team of so many threads, the caller's included.
    pub fn new(threads: usize, near_entries: usize) -> Self {
        let free = AtomicIsize::new(isize::try_from(threads).unwrap_or(isize::MAX) - 1);
        Self { free, near: Mutex::default(), near_entries }
    }

    /// Whether a thread may be started now.
    pub fn is_free(&self) -> bool {
        self.free.load(Ordering::Relaxed) > 0
    }

    /// Claims a place for a thread, if one is free.
    pub fn engage(&self) -> bool {
        let one_less = |free: isize| (free > 0).then(|| free - 1);
        self.free.fetch_update(Ordering::AcqRel, Ordering::Relaxed, one_less).is_ok()
    }

    /// Gives the place of a thread that has ended back, and its near table.
    pub fn release(&self, near: NearTable) {
        lock(&self.near).push(near);
        self.step_out();
    }

    /// Leaves the place of a thread that waits to another one.
    pub fn step_out(&self) {
        self.free.fetch_add(1, Ordering::AcqRel);
    }

    /// Goes on after [`Self::step_out`], whether or not the place is free.
    pub fn step_in(&self) {
        self.free.fetch_sub(1, Ordering::AcqRel);
    }

    /// A near table for a thread.
    pub fn near_table(&self) -> NearTable {
        lock(&self.near).pop().unwrap_or_else(|| {
            let mut near = NearTable::default();
            near.start(self.near_entries);
            near
        })
    }
}

/// Tells the threads below a shared node that it is decided; so are the nodes below it then.
pub(super) struct Halt {
    decided: AtomicBool,
    above: Option<Arc<Halt>>,
}

impl Halt {
    /// Of a node below another shared one, if there is one.
    pub fn below(above: Option<Arc<Self>>) -> Self {
        Self { decided: AtomicBool::new(false), above }
    }

    /// Whether this node or one above it is decided.
    pub fn is_set(&self) -> bool {
        self.decided.load(Ordering::Relaxed)
            || self.above.as_ref().is_some_and(|above| above.is_set())
    }

    /// Says that this node is decided.
    pub fn set(&self) {
        self.decided.store(true, Ordering::Relaxed);
    }
}
