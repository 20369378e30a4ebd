//! Who is believed: a share of each worker's results is searched again here.

use std::collections::HashMap;

use crate::ops::SpotResult;

/// So many impossible results, and a worker is shut out without another search.
const MOST_IMPOSSIBLE: u64 = 10;

/// What is known of a worker.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Record {
    pub results: u64,
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

    pub fn is_checking(&self) -> bool {
        self.share > 0.0
    }

    pub fn record(&self, worker: &str) -> Record {
        self.records.get(worker).copied().unwrap_or_default()
    }

    pub fn shut_out(&self) -> u64 {
        self.records.values().filter(|record| record.is_shut_out).count() as u64
    }

    /// Notes a result that counts; whether it is to be checked: the first of every worker is.
    pub fn wants_check(&mut self, worker: &str) -> bool {
        let share = self.share;
        let record = self.known(worker);
        let checks = |results: u64| (results as f64 * share).ceil();
        record.results += 1;
        checks(record.results) > checks(record.results - 1)
    }

    /// Notes an impossible result; true when that makes its worker shut out.
    pub fn impossible(&mut self, worker: &str) -> bool {
        let record = self.known(worker);
        record.impossible += 1;
        let is_new = !record.is_shut_out && record.impossible >= MOST_IMPOSSIBLE;
        record.is_shut_out |= is_new;
        is_new
    }

    /// Compares what a worker found with what is found here; true when that makes it shut out.
    pub fn compared(&mut self, worker: &str, claimed: &[SpotResult], own: &[SpotResult]) -> bool {
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
    use crate::search::Selectivity;

    #[test]
    fn a_share_is_checked_and_the_first_of_everyone() {
        let mut trust = Trust::new(0.01);
        let checks = (0..1000).filter(|_| trust.wants_check("a")).count();
        assert_eq!(checks, 10);
        assert!(trust.wants_check("b") && !trust.wants_check("b"));
        let mut none = Trust::new(0.0);
        assert!(!none.is_checking() && !none.wants_check("a"));
        let mut all = Trust::new(1.0);
        assert!((0..5).all(|_| all.wants_check("a")));
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
