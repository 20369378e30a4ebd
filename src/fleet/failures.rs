//! Jobs that came to nothing, and when they are set aside.

use std::collections::{HashMap, HashSet};

use crate::othello::board::Key;

/// What came back so often from dead workers kills every worker. A worker that ends in peace or
/// fails acknowledges the job, which is then published anew.
pub(super) const MOST_DELIVERIES: i64 = 5;

/// A job that failed so often is set aside, and so is one that failed at two machines.
const MOST_FAILURES: usize = 5;
/// Where so many jobs fail one after the other, that is not for the jobs.
const LONGEST_STREAK: usize = 3;

/// Why a job came to nothing: the word of one worker, which may be broken itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Failure {
    /// Its worker ended before: that says nothing of the job.
    GivenBack,
    /// The search panicked.
    Fault,
    /// It took longer than a job may.
    Time,
    /// The server gave it out again and again, and heard no more of it.
    Deaths,
}

impl Failure {
    const ALL: [Self; 4] = [Self::GivenBack, Self::Fault, Self::Time, Self::Deaths];

    /// In words, as a result says it.
    pub(crate) const fn text(self) -> &'static str {
        match self {
            Self::GivenBack => "it was given back",
            Self::Fault => "the search failed because of a fault in rosebill",
            Self::Time => "it took longer than a job may",
            Self::Deaths => "every worker that took it died",
        }
    }

    /// The one that is meant by these words.
    pub(crate) fn named(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|failure| failure.text() == text)
    }
}

/// At which machines jobs failed that are not done yet.
#[derive(Default)]
pub(super) struct Failures(HashMap<Key, Vec<String>>);

impl Failures {
    /// Notes that a job failed at a worker; whether it is to be set aside. A broken machine fails at
    /// every job, under a new name each time it is started: by itself it must not take positions out
    /// of growth. Where there is no other machine, five times are enough.
    pub(crate) fn add(&mut self, job: Key, worker: &str) -> bool {
        let machines = self.0.entry(job).or_default();
        let machine = machine(worker);
        let is_another = machines.iter().any(|known| known != machine);
        machines.push(machine.to_owned());
        is_another || machines.len() >= MOST_FAILURES
    }

    /// It is done, or set aside.
    pub(crate) fn forget(&mut self, job: Key) {
        self.0.remove(&job);
    }
}

/// The machine of a worker, which is called by it and a number.
fn machine(worker: &str) -> &str {
    worker.rsplit_once('-').map_or(worker, |(machine, _)| machine)
}

/// The jobs that have failed at a worker since one was done.
#[derive(Default)]
pub(super) struct Streak(HashSet<String>);

impl Streak {
    /// A job failed. How many have by now, if that is too many: one counts once, however often it comes.
    pub(crate) fn add(&mut self, job: &str) -> Option<usize> {
        self.0.insert(job.to_owned());
        (self.0.len() >= LONGEST_STREAK).then_some(self.0.len())
    }

    /// A job was done.
    pub(crate) fn end(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openbook::child_of;
    use crate::othello::board::Position;

    fn job() -> Key {
        Key::of(Position::START)
    }

    #[test]
    fn two_machines_are_believed_and_one_that_is_started_anew_is_not() {
        let mut failures = Failures::default();
        let started_anew = ["a-b-1", "a-b-1", "a-b-2", "a-b-3"];
        assert!(started_anew.iter().all(|worker| !failures.add(job(), worker)));
        assert!(failures.add(job(), "a-b-4"));
        failures.forget(job());
        assert!(!failures.add(job(), "a-b-1"));
        assert!(failures.add(job(), "c-1"));
    }

    #[test]
    fn failures_of_one_job_are_not_those_of_another() {
        let mut failures = Failures::default();
        let square = Position::START.legal_moves().next().unwrap();
        let (other, _) = child_of(Position::START, square).unwrap();
        assert!(!failures.add(job(), "a-1") && !failures.add(other, "b-1"));
    }

    #[test]
    fn a_streak_is_of_different_jobs_and_ends_with_one_that_is_done() {
        let mut streak = Streak::default();
        assert!(["a", "a", "a", "b"].iter().all(|job| streak.add(job).is_none()));
        streak.end();
        assert_eq!(["a", "b", "c"].map(|job| streak.add(job)), [None, None, Some(3)]);
    }

    #[test]
    fn what_is_said_is_understood() {
        for failure in Failure::ALL {
            assert_eq!(Failure::named(failure.text()), Some(failure));
        }
        assert_eq!(Failure::named("I was tired"), None);
    }
}
