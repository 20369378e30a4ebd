//! Searches that are done again here, to be compared.

use std::collections::HashMap;
use std::time::Duration;

use crate::app::{Assignment, Claim, Crew, CrewError, Done, Report, SpotResult, Threads};
use crate::othello::board::Key;
use crate::othello::eval::PatternEvaluator;
use crate::othello::search::Stop;

use super::queue::job_key;

/// Results that wait to be searched again.
const MOST_CHECKS: usize = 256;

/// Claims that are being searched again, on threads of this process.
pub(super) struct Checks {
    threads: Threads<PatternEvaluator>,
    claims: HashMap<Key, Claim>,
    stop: Stop,
}

impl Checks {
    pub(crate) fn new(threads: Threads<PatternEvaluator>) -> Self {
        Self { threads, claims: HashMap::new(), stop: Stop::new() }
    }

    /// Searches a claim again; false where there is no room for it.
    pub(crate) fn begin(&mut self, claim: &Claim) -> bool {
        let key = job_key(&claim.done.work);
        if self.claims.len() >= MOST_CHECKS || self.claims.contains_key(&key) {
            return false;
        }
        self.claims.insert(key, claim.clone());
        let Done { work, depth, .. } = claim.done;
        self.threads.give(vec![Assignment { work, depth, stop: self.stop.clone() }]);
        true
    }

    /// The claims whose search has ended, and what was found.
    pub(crate) fn ended(&mut self) -> Result<Vec<(Claim, Vec<SpotResult>)>, CrewError> {
        let mut ended = Vec::new();
        for report in self.threads.reports(Duration::ZERO)? {
            let (work, found) = match report {
                Report::Done(done) => (done.work, Some(done.found)),
                Report::Panicked(work) => (work, None),
                _ => continue,
            };
            let claim = self.claims.remove(&job_key(&work));
            ended.extend(claim.zip(found.filter(|found| !found.is_empty())));
        }
        Ok(ended)
    }
}

impl Drop for Checks {
    /// What is left is stopped: its results are needed no more.
    fn drop(&mut self) {
        self.stop.stop();
    }
}
