//! What one running search carries along.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::othello::eval::Evaluator;

use super::Stop;
use super::ThreadTime;
use super::near::NearTable;
use super::ordering::MoveOrdering;
use super::probcut::Margins;
use super::shared_node::Halt;
use super::table::Table;
use super::team::Team;
use super::{Progress, Watch};

/// Nodes between two looks at the clock and the flag.
const POLL_EVERY: u64 = 2048;

/// The same below a node that is shared out: what is searched after that is decided is lost.
const POLL_WHEN_SHARED: u64 = 256;

/// When a running search must break off.
#[derive(Clone)]
pub(super) struct Deadline {
    pub stop: Stop,
    pub time: Option<Instant>,
    /// When the search began in the processor time of its thread, and the most it may take.
    pub cpu_time: Option<(ThreadTime, Duration)>,
    pub nodes: Option<u64>,
}

impl Deadline {
    /// Whether a search that visited so many positions must break off.
    pub(crate) fn has_passed(&self, visited: u64) -> bool {
        let Self { stop, time, cpu_time, nodes } = self;
        stop.is_stopped()
            || time.is_some_and(|end| Instant::now() >= end)
            || cpu_time.is_some_and(|(start, most)| start.elapsed() >= most)
            || nodes.is_some_and(|most| visited >= most)
    }

    /// An equal share, for one of `parts` searches that are still to come, of what is left of time
    /// and nodes after so many nodes. The bound of processor time stays that of all searches together.
    pub(crate) fn share(&self, nodes: u64, parts: u32) -> Self {
        let time = self.time.map(|end| {
            let now = Instant::now();
            now + end.saturating_duration_since(now) / parts.max(1)
        });
        let most =
            self.nodes.map(|most| nodes + most.saturating_sub(nodes) / u64::from(parts.max(1)));
        Self { time, nodes: most, ..self.clone() }
    }
}

/// One running search.
pub(super) struct SearchState<'a, E: Evaluator> {
    pub evaluator: &'a E,
    pub margins: &'static Margins,
    pub table: &'a Table,
    pub near: &'a mut NearTable,
    pub deadline: Deadline,
    /// Positions visited.
    pub nodes: u64,
    next_poll: u64,
    /// Set once the search must break off; what it returns from then on is meaningless and is
    /// kept nowhere.
    pub aborted: bool,
    /// The selectivity level of this iteration, an index into `Selectivity::OURS`.
    pub sureness: u8,
    /// How moves are rated.
    pub ordering: MoveOrdering,
    /// The threads that may help.
    pub team: Option<&'a Team<E::State>>,
    /// Set when the node that this thread helps with is decided.
    pub halt: Option<Arc<Halt>>,
    /// Hears how far the search has come; none for helpers.
    pub watch: Option<&'a mut Watch<'a>>,
}

impl<'a, E: Evaluator> SearchState<'a, E> {
    pub(crate) fn new(
        evaluator: &'a E,
        table: &'a Table,
        near: &'a mut NearTable,
        deadline: Deadline,
    ) -> Self {
        Self {
            evaluator,
            margins: evaluator.margins(),
            table,
            near,
            deadline,
            nodes: 0,
            next_poll: 0,
            aborted: false,
            sureness: 0,
            ordering: MoveOrdering::default(),
            team: None,
            halt: None,
            watch: None,
        }
    }

    /// Makes ready for the next search, which must end by then; nodes go on counting.
    pub(crate) fn start_over(&mut self, deadline: Deadline) {
        self.deadline = deadline;
        self.aborted = false;
        self.poll();
    }

    /// Counts a node; true when the search must break off.
    #[inline]
    pub(crate) fn enter(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes >= self.next_poll {
            self.poll();
        }
        self.aborted
    }

    /// Looks at everything that can break the search off.
    #[cold]
    pub(crate) fn poll(&mut self) {
        let every = if self.halt.is_some() { POLL_WHEN_SHARED } else { POLL_EVERY };
        self.next_poll = self.nodes + every;
        if let Some(most) = self.deadline.nodes {
            self.next_poll = self.next_poll.min(most);
        }
        self.aborted |= self.halt.as_ref().is_some_and(|halt| halt.is_set())
            || self.deadline.has_passed(self.nodes);
        self.report(Progress::Nodes(self.nodes));
    }

    pub(crate) fn report(&mut self, progress: Progress<'_>) {
        if let Some(watch) = &mut self.watch {
            watch(progress);
        }
    }
}
