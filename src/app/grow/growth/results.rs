//! What came back: judged, put into the book, or asked for again.

use std::time::{Duration, Instant};

use super::Growth;
use crate::app::clock::today;
use crate::app::grow::crew::{Claim, Refusal, Report};
use crate::app::grow::judge::refusal;
use crate::app::grow::start::Target;
use crate::app::grow::terms::GrowError;
use crate::app::grow::under_way::UnderWay;
use crate::app::grow::work::{Done, Spot, SpotResult, Work};
use crate::openbook::policy::GiveUp;
use crate::openbook::propagate::parents;
use crate::openbook::{Found, Inserted, MoveMask, Node, NodeSource, Searched};
use crate::othello::board::Key;
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
        let reports = match self.crew.reports(patience) {
            Ok(reports) => reports,
            // What came before is committed.
            Err(error) => {
                self.book.settle()?;
                self.commit()?;
                return Err(GrowError::Crew(error));
            }
        };
        let is_some = !reports.is_empty();
        if is_some {
            self.agenda.book_changed();
        }
        // One that ends growth comes last: those beside it are acknowledged by the commit.
        let (last, reports): (Vec<_>, Vec<_>) =
            reports.into_iter().partition(|report| matches!(report, Report::Panicked(_)));
        for report in reports.into_iter().chain(last) {
            self.take_report(report)?;
        }
        // Once for all: near the root they have the same positions above them.
        self.meter.lap(|spent| &mut spent.other);
        self.book.settle()?;
        for key in self.book.take_due() {
            self.note_due(self.book.node(&key)?);
        }
        self.meter.lap(|spent| &mut spent.propagate);
        Ok(is_some)
    }

    fn take_report(&mut self, report: Report) -> Result<(), GrowError> {
        match report {
            Report::Done(done) => {
                self.under_way.take(&done.work);
                self.take_in(&done, true)?;
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
                // What this run has not handed out an earlier one did.
                let key = done.work.keys().next();
                let came_late = key.is_some_and(|key| self.came_to_nothing.remove(&key));
                self.take_in(done, ours.is_some() || came_late)?;
                if self.crew.keeps_finders() {
                    done.work
                        .keys()
                        .try_for_each(|key| self.book.fleet().note_worker(key, &claim.worker))?;
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
        self.came_to_nothing.extend(ours.iter().filter_map(|ours| ours.work.keys().next()));
        match ours {
            // What policies offer is ranked anew.
            None | Some(UnderWay { work: Work::Expand { .. }, .. }) => {}
            Some(UnderWay { work: Work::Rest { spot, .. }, .. }) => {
                self.note_due(self.book.node(&spot.key)?);
            }
            Some(UnderWay { work: Work::New(spot), target, .. }) => {
                self.agenda.add_missing(spot.key, target);
            }
        }
        Ok(())
    }

    /// Leaves alone what no worker can search.
    fn set_aside(&mut self, work: &Work, why: String) -> Result<(), StoreError> {
        if self.under_way.take(work).is_none() {
            return self.refuse(Refusal::Unasked, None);
        }
        self.came_to_nothing.extend(work.keys().next());
        self.under_way.leave_alone(work.keys());
        work.keys().for_each(|key| self.agenda.forget_due(key));
        if let Some(key) = work.keys().last() {
            self.book.fleet().note_failed(key, &why, &today())?;
            self.failed.insert(key);
            self.set_aside.push((Target::from(key), why));
        }
        Ok(())
    }

    /// Notes that a search is due on a node, unless it is left alone.
    fn note_due(&mut self, node: Option<Node>) {
        self.agenda.note_due(node.filter(|node| !self.under_way.is_left_alone(&node.key)));
    }

    /// Leaves a node alone no longer: it could be searched, after all.
    fn release(&mut self, key: Key) -> Result<(), StoreError> {
        self.under_way.release(&key);
        if self.failed.remove(&key) {
            self.book.fleet().forget_failed(key)?;
            self.set_aside.retain(|(target, _)| *target != Target::from(key));
        }
        Ok(())
    }

    /// Sets what a worker found due again.
    fn search_again(&mut self, worker: &str) -> Result<(), StoreError> {
        for key in self.book.fleet().take_from_worker(worker)? {
            if let Some(node) = self.book.node(&key)? {
                self.book.set_rest(key, None, node.searched)?;
                self.note_due(self.book.node(&key)?);
            }
        }
        self.book.settle().map(drop)
    }

    /// Puts a result into the book, and counts it with what this run has handed out or with the rest.
    fn take_in(&mut self, done: &Done, is_ours: bool) -> Result<(), StoreError> {
        let source = self.source_of(done.depth)?;
        let search = |spot: &Spot, found: &SpotResult| Found {
            rest: found.rest,
            searched: Searched { depth: found.depth, selectivity: found.selectivity, source },
            left_out: Some(MoveMask::of_squares(spot.key, spot.linked)),
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
        let mut is_new = false;
        if let Some((spot, found)) = new {
            let inserted = self.book.take(spot.key, &search(&spot, found))?;
            is_new = inserted == Inserted::New;
        }
        if let Some((spot, found)) = rest {
            self.book.add_search(spot.key, &search(&spot, found))?;
        }
        let figures = if is_ours { &mut self.figures } else { &mut self.earlier };
        figures.new_positions += u64::from(is_new);
        figures.searches += done.found.len() as u64;
        // This number of others' results is not checked.
        figures.nodes = figures.nodes.saturating_add(done.nodes);
        for key in [new, rest].into_iter().flatten().map(|(spot, _)| spot.key) {
            self.release(key)?;
            self.note_due(self.book.node(&key)?);
        }
        if let Some((spot, _)) = new {
            for parent in parents(self.book, spot.key)? {
                // It was left alone for the sake of this node.
                if !self.failed.contains(&parent.key) {
                    self.under_way.release(&parent.key);
                }
                self.note_due(Some(parent));
            }
        }
        self.meter.lap(|spent| &mut spent.insert);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::grow::terms::GrowOptions;
    use crate::app::grow::{Assignment, Crew, CrewError, GrowStart};
    use crate::openbook::SourceId;
    use crate::othello::board::{Placed, Position};
    use crate::othello::search::{Selectivity, Stop};
    use crate::store::Book;

    struct Nobody;

    impl Crew for Nobody {
        fn capacity(&self) -> usize {
            1
        }

        fn give(&mut self, _: Vec<Assignment>) {}

        fn reports(&mut self, _: Duration) -> Result<Vec<Report>, CrewError> {
            Ok(Vec::new())
        }
    }

    /// Else growth goes over all of them again and again, and commits as if it were about to do them.
    #[test]
    fn what_is_left_alone_is_not_due() {
        let folder = tempfile::tempdir().unwrap();
        let mut book = Book::create(folder.path().join("a.db")).unwrap();
        let key = Key::of(Position::START);
        let searched = Searched { depth: 1, selectivity: Selectivity::FULL, source: SourceId(0) };
        book.insert(key, None, searched).unwrap();
        let (options, starts, roots) =
            (GrowOptions::default(), [GrowStart::default()], [Placed::START]);
        let (mut crew, cancel) = (Nobody, Stop::new());
        let at = (&starts[..], &roots[..]);
        let mut growth = Growth::start(&mut book, &mut crew, "", &options, at, &cancel).unwrap();
        let note = |growth: &mut Growth<'_>| {
            let node = growth.book.node(&key).unwrap();
            growth.note_due(node);
            growth.agenda.has_due()
        };
        assert!(note(&mut growth));
        let spot = Spot { key, linked: 0 };
        let work = Work::Rest { spot, solve: false };
        growth.take_up(work, key.into(), options.depth);
        growth.set_aside(&work, "five died".to_owned()).unwrap();
        assert!(!growth.agenda.has_due(), "it is due and no worker can do it");
        assert!(!note(&mut growth));
        growth.release(key).unwrap();
        assert!(note(&mut growth), "it is lost");
        assert!(growth.book.reader().fleet().failed().unwrap().is_empty());
    }
}
