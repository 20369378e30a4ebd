//! Which workers are believed: a share of each worker's results is searched again here.

use std::collections::HashMap;

use crate::app::SpotResult;

/// So many impossible results, and a worker is shut out without another search.
const MOST_IMPOSSIBLE: u64 = 10;

/// What is known of a worker.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Record {
    pub results: u64,
    /// Checks that were begun, whether or not they have ended.
    begun: u64,
    pub checked: u64,
    pub agreed: u64,
    impossible: u64,
    pub is_shut_out: bool,
}

/// All workers by name.
#[derive(Debug)]
pub(super) struct Trust {
    /// The share of results that are checked, 0 to 1.
    share: f64,
    records: HashMap<String, Record>,
}

impl Trust {
    pub fn new(share: f64) -> Self {
        Self { share, records: HashMap::new() }
    }

    pub(crate) fn is_checking(&self) -> bool {
        self.share > 0.0
    }

    pub fn record(&self, worker: &str) -> Record {
        self.records.get(worker).copied().unwrap_or_default()
    }

    pub(crate) fn shut_out(&self) -> u64 {
        self.records.values().filter(|record| record.is_shut_out).count() as u64
    }

    /// Notes a result that counts; whether a check of its worker is due: it is with the first of
    /// every worker, and stays so until [`Self::begins_check`] is called.
    pub(crate) fn wants_check(&mut self, worker: &str) -> bool {
        let share = self.share;
        let record = self.known(worker);
        record.results += 1;
        (record.results as f64 * share).ceil() > record.begun as f64
    }

    /// Notes that a result of a worker is being checked.
    pub(crate) fn begins_check(&mut self, worker: &str) {
        self.known(worker).begun += 1;
    }

    /// Notes an impossible result; true when that makes its worker shut out.
    pub(crate) fn impossible(&mut self, worker: &str) -> bool {
        let record = self.known(worker);
        record.impossible += 1;
        let is_new = !record.is_shut_out && record.impossible >= MOST_IMPOSSIBLE;
        record.is_shut_out |= is_new;
        is_new
    }

    /// Compares what a worker found with what is found here; true when that makes it shut out.
    pub(crate) fn compared(
        &mut self,
        worker: &str,
        claimed: &[SpotResult],
        own: &[SpotResult],
    ) -> bool {
        let record = self.known(worker);
        record.checked += 1;
        let agrees = claimed == own;
        record.agreed += u64::from(agrees);
        let is_new = !agrees && !record.is_shut_out;
        record.is_shut_out |= is_new;
        is_new
    }

    fn known(&mut self, worker: &str) -> &mut Record {
        self.records.entry(worker.to_owned()).or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::search::Selectivity;

    #[test]
    fn a_share_is_checked_and_the_first_of_everyone() {
        let checks = |trust: &mut Trust, worker| {
            let wants = trust.wants_check(worker);
            if wants {
                trust.begins_check(worker);
            }
            wants
        };
        let mut trust = Trust::new(0.01);
        assert_eq!((0..1000).filter(|_| checks(&mut trust, "a")).count(), 10);
        assert!(checks(&mut trust, "b") && !checks(&mut trust, "b"));
        let mut none = Trust::new(0.0);
        assert!(!none.is_checking() && !checks(&mut none, "a"));
        let mut all = Trust::new(1.0);
        assert!((0..5).all(|_| checks(&mut all, "a")));
    }

    #[test]
    fn a_check_that_finds_no_room_stays_due() {
        let mut trust = Trust::new(0.01);
        assert!(trust.wants_check("a") && trust.wants_check("a"));
        trust.begins_check("a");
        assert!(!trust.wants_check("a"));
    }

    #[test]
    fn who_differs_once_is_shut_out_and_told_once() {
        let mut trust = Trust::new(1.0);
        let found = |depth| SpotResult { rest: None, depth, selectivity: Selectivity::FULL };
        assert!(!trust.compared("a", &[found(1)], &[found(1)]));
        assert!(trust.compared("a", &[found(1)], &[found(2)]));
        assert!(!trust.compared("a", &[found(1)], &[found(2)]));
        let record = trust.record("a");
        assert_eq!((record.checked, record.agreed, record.is_shut_out), (3, 1, true));
        assert_eq!((0..20).filter(|_| trust.impossible("b")).count(), 1);
        assert_eq!(trust.shut_out(), 2);
    }
}
