//! What came back: judged, put into the book, or asked for again.

use std::time::{Duration, Instant};

use super::Growth;
use crate::book::policy::GiveUp;
use crate::book::propagate::parents;
use crate::book::{Inserted, NodeSource, Searched};
use crate::ops::clock::today;
use crate::ops::grow::crew::{Claim, Refusal, Report};
use crate::ops::grow::judge::refusal;
use crate::ops::grow::start::Target;
use crate::ops::grow::terms::GrowError;
use crate::ops::grow::under_way::UnderWay;
use crate::ops::grow::work::{Done, SpotResult, Work};
use crate::store::StoreError;

impl Growth<'_> {
    /// Takes what has come in until nothing more has, for so long at most and unless it is given up.
    pub(super) fn take_all(
        &mut self,
        longest: Duration,
        give_up: GiveUp<'_>,
    ) -> Result<(), GrowError> {
        let started = Instant::now();
        while started.elapsed() < longest
            && !give_up.is_due()
            && self.take_reports(Duration::ZERO)?
        {
            self.commit_if_due()?;
        }
        Ok(())
    }

    /// Takes what has come in; false when that was nothing.
    pub(super) fn take_reports(&mut self, patience: Duration) -> Result<bool, GrowError> {
        let reports = self.crew.reports(patience).map_err(GrowError::Crew)?;
        let is_some = !reports.is_empty();
        if is_some {
            self.agenda.book_changed();
        }
        for report in reports {
            self.take_report(report)?;
        }
        // Once for all: near the root they have the same positions above them.
        self.meter.lap(|spent| &mut spent.other);
        self.book.settle()?;
        self.meter.lap(|spent| &mut spent.propagate);
        Ok(is_some)
    }

    fn take_report(&mut self, report: Report) -> Result<(), GrowError> {
        match report {
            Report::Done(done) => {
                self.under_way.take(&done.work);
                self.take_in(&done)?;
            }
            Report::Claimed(claim) => self.take_claim(&claim)?,
            Report::Refused { work, why } => {
                let ours = work.and_then(|work| self.under_way.take(&work));
                self.refuse(why, ours)?;
            }
            Report::Failed { work, why } => self.set_aside(&work, why)?,
            Report::Liar { worker } => self.search_again(&worker)?,
            // What came before is committed.
            Report::Panicked(work) => {
                self.book.settle()?;
                self.commit()?;
                let place = work.keys().next().map(|key| format!("{:?}", key.position()));
                return Err(GrowError::Panic(place.unwrap_or_default()));
            }
        }
        Ok(())
    }

    /// Puts a result into the book if it still counts. Else its work is free to be handed out again.
    fn take_claim(&mut self, claim: &Claim) -> Result<(), StoreError> {
        let done = &claim.done;
        let ours = self.under_way.take(&done.work);
        self.meter.lap(|spent| &mut spent.other);
        let refusal = match &ours {
            // Searched for an earlier run, to what was asked for then.
            Some(ours) if ours.depth != done.depth => Some(Refusal::OtherTerms),
            _ => refusal(self.book, done, ours.is_some())?,
        };
        self.meter.lap(|spent| &mut spent.check);
        match refusal {
            None => {
                self.take_in(done)?;
                if self.crew.keeps_finders() {
                    done.work
                        .keys()
                        .try_for_each(|key| self.book.note_worker(key, &claim.worker))?;
                }
            }
            Some(why) => self.refuse(why, ours)?,
        }
        self.crew.judged(claim, refusal);
        Ok(())
    }

    /// Counts a result that does not count, and asks for its work again, if it was handed out.
    fn refuse(&mut self, why: Refusal, ours: Option<UnderWay>) -> Result<(), StoreError> {
        *self.refused.entry(why).or_default() += 1;
        match ours {
            // What policies offer is ranked anew.
            None | Some(UnderWay { work: Work::Expand { .. }, .. }) => {}
            Some(UnderWay { work: Work::Rest { spot, .. }, .. }) => {
                self.agenda.note_due(self.book.node(&spot.key)?);
            }
            Some(UnderWay { work: Work::New(spot), target, .. }) => {
                self.agenda.add_missing(spot.key, target);
            }
        }
        Ok(())
    }

    /// Leaves alone what nobody can search.
    fn set_aside(&mut self, work: &Work, why: String) -> Result<(), StoreError> {
        if self.under_way.take(work).is_none() {
            return self.refuse(Refusal::Unasked, None);
        }
        self.under_way.leave_alone(work.keys());
        if let Some(key) = work.keys().last() {
            self.book.note_failed(key, &why, &today())?;
            self.failed.insert(key);
            self.set_aside.push((Target::from(key), why));
        }
        Ok(())
    }

    /// Sets what a worker found due again.
    fn search_again(&mut self, worker: &str) -> Result<(), StoreError> {
        for key in self.book.take_from_worker(worker)? {
            if let Some(node) = self.book.node(&key)? {
                self.book.set_rest(key, None, node.searched)?;
                self.agenda.note_due(self.book.node(&key)?);
            }
        }
        self.book.settle().map(drop)
    }

    /// Puts a result into the book.
    fn take_in(&mut self, done: &Done) -> Result<(), StoreError> {
        // Of others' results nobody checks this number.
        self.figures.nodes = self.figures.nodes.saturating_add(done.nodes);
        let is_deeper = done.depth != self.options.depth;
        let source = if is_deeper { self.deeper_source } else { self.source };
        let searched = |found: &SpotResult| Searched {
            depth: found.depth,
            selectivity: found.selectivity,
            source,
        };
        let (new, rest) = match (done.work, done.found.as_slice()) {
            (Work::Rest { spot, .. }, [found]) => (None, Some((spot, found))),
            (Work::New(spot), [found]) => (Some((spot, found)), None),
            (Work::Expand { child, parent }, [first, second]) => {
                (Some((child, first)), Some((parent, second)))
            }
            // Cut short.
            _ => return Ok(()),
        };
        self.figures.searches += done.found.len() as u64;
        for (spot, found) in [new, rest].into_iter().flatten() {
            tracing::debug!(
                position = ?spot.key.position(),
                score = found.rest.map(|rest| rest.score.to_string()),
                depth = found.depth,
                confidence = found.selectivity.percent(),
                nodes_of_work = done.nodes,
                "searched"
            );
        }
        if let Some((spot, found)) = new {
            let inserted = self.book.insert(spot.key, found.rest, searched(found))?;
            self.figures.new_positions += u64::from(inserted == Inserted::New);
        }
        if let Some((spot, found)) = rest {
            self.book.set_rest(spot.key, found.rest, searched(found))?;
        }
        for key in [new, rest].into_iter().flatten().map(|(spot, _)| spot.key) {
            // Somebody could, after all.
            if self.failed.remove(&key) {
                self.book.forget_failed(key)?;
            }
            self.agenda.note_due(self.book.node(&key)?);
        }
        if let Some((spot, _)) = new {
            parents(self.book, spot.key)?
                .into_iter()
                .for_each(|parent| self.agenda.note_due(Some(parent)));
        }
        self.meter.lap(|spent| &mut spent.insert);
        Ok(())
    }
}
