//! What a worker's message is to growth, as far as the book need not be asked.

use std::time::Duration;

use super::Coordinator;
use crate::app::{Claim, Depth, Refusal, Report, Work};
use crate::fleet::failures::{Failure, MOST_DELIVERIES};
use crate::fleet::link::Incoming;
use crate::fleet::message::JobResult;
use crate::fleet::queue::job_key;

/// What a worker says of a job of this run's terms.
enum Said {
    Found(Claim),
    Nothing { work: Work, worker: String, why: String },
}

impl Coordinator {
    /// What a message is to growth; none where growth need not know.
    pub(super) fn report(&mut self, incoming: Incoming) -> Option<Report> {
        self.unacknowledged.push(incoming.acker);
        match self.read(&incoming.message.payload) {
            Ok(Said::Found(claim)) => Some(Report::Claimed(claim)),
            Ok(Said::Nothing { work, worker, why }) => self.came_to_nothing(work, &worker, why),
            Err((work, why)) => {
                if let Some(work) = &work {
                    self.come_back(work);
                }
                Some(self.refused(work, why))
            }
        }
    }

    fn refused(&mut self, work: Option<Work>, why: Refusal) -> Report {
        *self.refused.entry(why).or_default() += 1;
        Report::Refused { work, why }
    }

    /// A job of which nothing came is given to others, unless it is to be set aside.
    fn came_to_nothing(&mut self, work: Work, worker: &str, why: String) -> Option<Report> {
        let key = job_key(&work);
        let given = self.given.get(&key).filter(|(given, _)| *given == work);
        let is_ours = given.is_some();
        // No worker alone decides that: so many deliveries take so long.
        let least = self.ack_wait * MOST_DELIVERIES as u32;
        let may_be_so_often = given.is_some_and(|(_, since)| since.elapsed() >= least);
        let is_over = match Failure::named(&why) {
            Some(Failure::GivenBack) => {
                if is_ours {
                    self.publish_again(key, Duration::ZERO);
                }
                return None;
            }
            _ if !is_ours => return Some(self.refused(None, Refusal::Unasked)),
            Some(Failure::Deaths) if may_be_so_often => true,
            _ => self.failures.add(key, worker),
        };
        if !is_over {
            tracing::warn!(worker, %why, "a job failed there: others are to try it");
            // At once it would go to the worker that has just failed at it, and is idle.
            self.publish_again(key, self.ack_wait);
            return None;
        }
        self.failed += 1;
        self.failures.forget(key);
        self.come_back(&work);
        Some(Report::Failed { work, why })
    }

    /// What a message says, as far as the book need not be asked.
    fn read(&self, payload: &[u8]) -> Result<Said, (Option<Work>, Refusal)> {
        let no_work = |why| (None, why);
        let result = JobResult::read(payload).map_err(|error| {
            tracing::debug!(%error, "a result was refused");
            no_work(Refusal::Malformed)
        })?;
        let done = result.done().map_err(|error| {
            tracing::debug!(%error, "a result was refused");
            no_work(Refusal::Malformed)
        })?;
        let job = &result.job;
        if job.book != self.book {
            return Err(no_work(Refusal::OtherBook));
        }
        if job.signature != self.signature.to_string() {
            return Err(no_work(Refusal::OtherProgram));
        }
        // A leaf that was searched deeper than the level keeps a depth of its own, which growth compares.
        let is_asked = match done.depth {
            Depth::Fixed { .. } => true,
            level => self.depths.contains(&level),
        };
        if !is_asked || job.table as usize != self.table_megabytes {
            return Err(no_work(Refusal::OtherTerms));
        }
        if self.trust.record(&result.worker).is_shut_out {
            return Err((Some(done.work), Refusal::ShutOut));
        }
        let (work, worker) = (done.work, result.worker);
        Ok(match result.failed {
            Some(why) => Said::Nothing { work, worker, why: JobResult::reason(&why) },
            None => Said::Found(Claim { done, worker }),
        })
    }
}
