//! The threads that search one position together: where they find work, and how they wait for it.
//!
//! Work comes in pieces of some ten to a thousand microseconds, so a thread without any looks for it for a
//! while before it sleeps: to start or to wake one costs more than such a piece.

use std::hint::spin_loop;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use super::near::NearTable;
use super::shared_node::Shared;
use crate::othello::lock::lock;

/// How often a thread looks for work before it sleeps: some 50 microseconds.
const LOOKS: u32 = 2000;

/// The threads that search one position together; `S` is the evaluator's state.
pub(super) struct Team<S> {
    helpers: usize,
    near_entries: usize,
    /// Threads that have nothing to do.
    waiting: AtomicUsize,
    /// Those of them that sleep.
    asleep: AtomicUsize,
    /// Nodes whose moves are shared out, the uppermost of a line first.
    open: Mutex<Vec<Arc<Shared<S>>>>,
    /// How many were offered since the team began.
    offers: AtomicUsize,
    /// Rung for sleepers: there is work, some is done, or all is over.
    bell: Condvar,
    over: AtomicBool,
}

impl<S> Team<S> {
    /// A team of so many threads, the caller's included, each with a near table of so many entries.
    pub(crate) fn new(threads: usize, near_entries: usize) -> Self {
        Self {
            helpers: threads.saturating_sub(1),
            near_entries,
            waiting: AtomicUsize::new(0),
            asleep: AtomicUsize::new(0),
            open: Mutex::default(),
            offers: AtomicUsize::new(0),
            bell: Condvar::new(),
            over: AtomicBool::new(false),
        }
    }

    /// Threads beside the caller's.
    pub(crate) fn helpers(&self) -> usize {
        self.helpers
    }

    /// Whether a thread waits for work.
    #[inline(always)]
    pub(crate) fn is_free(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) > 0
    }

    pub(crate) fn near_table(&self) -> NearTable {
        let mut near = NearTable::default();
        near.start(self.near_entries);
        near
    }

    /// Offers the moves of a node to idle threads.
    pub(crate) fn offer(&self, shared: &Arc<Shared<S>>) {
        let mut open = lock(&self.open);
        open.push(shared.clone());
        self.offers.fetch_add(1, Ordering::SeqCst);
        drop(open);
        self.ring();
    }

    /// Takes the offer back.
    pub(crate) fn withdraw(&self, shared: &Arc<Shared<S>>) {
        let mut open = lock(&self.open);
        open.retain(|each| !Arc::ptr_eq(each, shared));
    }

    /// Waits for a node to help with, which is joined then; none when the search is over.
    pub(crate) fn next_node(&self) -> Option<Joined<'_, S>> {
        self.wait(|| self.over.load(Ordering::SeqCst), |_| true)
    }

    /// Waits until no thread helps with this node any more; a node below it that wants help ends
    /// the waiting sooner, and is joined.
    pub(crate) fn next_below(&self, node: &Shared<S>) -> Option<Joined<'_, S>> {
        self.wait(|| !node.has_helpers(), |other| other.is_below(node))
    }

    fn wait(
        &self,
        done: impl Fn() -> bool,
        suits: impl Fn(&Shared<S>) -> bool,
    ) -> Option<Joined<'_, S>> {
        if done() {
            return None;
        }
        self.waiting.fetch_add(1, Ordering::Relaxed);
        let found = self.look(&done, &suits).unwrap_or_else(|| self.sleep(&done, &suits));
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        found.map(|node| Joined { team: self, node })
    }

    /// Looks for work without sleeping: none when there is none.
    fn look(
        &self,
        done: &impl Fn() -> bool,
        suits: &impl Fn(&Shared<S>) -> bool,
    ) -> Option<Option<Arc<Shared<S>>>> {
        // What did not suit will not suit later, so only a new offer is worth a look.
        let mut seen = None;
        for _ in 0..LOOKS {
            if done() {
                return Some(None);
            }
            let offers = self.offers.load(Ordering::SeqCst);
            if seen.replace(offers) != Some(offers) {
                let joined = join(&lock(&self.open), suits);
                if joined.is_some() {
                    return Some(joined);
                }
            }
            spin_loop();
        }
        None
    }

    fn sleep(
        &self,
        done: &impl Fn() -> bool,
        suits: &impl Fn(&Shared<S>) -> bool,
    ) -> Option<Arc<Shared<S>>> {
        let mut open = lock(&self.open);
        // Counted before it looks for the last time: a thread that changes something after that
        // look sees a sleeper.
        self.asleep.fetch_add(1, Ordering::SeqCst);
        let found = loop {
            if done() {
                break None;
            }
            let joined = join(&open, suits);
            if joined.is_some() {
                break joined;
            }
            open = self.bell.wait(open).unwrap_or_else(PoisonError::into_inner);
        };
        self.asleep.fetch_sub(1, Ordering::SeqCst);
        found
    }

    /// Wakes the sleepers.
    fn ring(&self) {
        if self.asleep.load(Ordering::SeqCst) > 0 {
            // No thread is between a last look and sleep while this is held.
            drop(lock(&self.open));
            self.bell.notify_all();
        }
    }

    /// Lets the helpers end when it is dropped.
    pub(crate) fn session(&self) -> Session<'_, S> {
        self.over.store(false, Ordering::SeqCst);
        Session(self)
    }
}

/// The uppermost node that has moves to give away.
fn join<S>(open: &[Arc<Shared<S>>], suits: &impl Fn(&Shared<S>) -> bool) -> Option<Arc<Shared<S>>> {
    open.iter().find(|each| suits(each) && each.join()).cloned()
}

/// A node that a thread helps with, until it is dropped: however the help ends, no thread waits for it
/// for nothing.
pub(super) struct Joined<'t, S> {
    team: &'t Team<S>,
    pub node: Arc<Shared<S>>,
}

impl<S> Drop for Joined<'_, S> {
    fn drop(&mut self) {
        self.node.leave();
        self.team.ring();
    }
}

/// While it lives the helpers wait for work.
pub(super) struct Session<'t, S>(&'t Team<S>);

impl<S> Drop for Session<'_, S> {
    fn drop(&mut self) {
        self.0.over.store(true, Ordering::SeqCst);
        self.0.ring();
    }
}
