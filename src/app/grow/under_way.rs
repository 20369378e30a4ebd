//! What growth has handed out and not got back.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Instant;

use foldhash::fast::FixedState;

use crate::othello::board::Key;
use crate::othello::search::Stop;

use super::start::Target;
use super::work::{Depth, Work};

/// A piece of work under way.
pub(super) struct UnderWay {
    pub work: Work,
    pub depth: Depth,
    pub target: Target,
    pub started: Instant,
    /// Reports how deep its search is.
    pub stop: Stop,
}

#[derive(Default)]
pub(super) struct AllUnderWay {
    /// The oldest first.
    by_age: BTreeMap<u64, UnderWay>,
    ages: HashMap<Key, u64, FixedState>,
    next: u64,
    /// Nodes that are being worked on, or that are to be left alone.
    busy: HashSet<Key, FixedState>,
    /// Of those, the nodes that are to be left alone.
    left_alone: HashSet<Key, FixedState>,
    /// How many will add a position.
    new: u64,
    searches: u64,
}

impl AllUnderWay {
    pub(crate) fn add(&mut self, under_way: UnderWay) {
        let work = under_way.work;
        self.busy.extend(work.keys());
        self.new += u64::from(work.adds_position());
        self.searches += work.keys().count() as u64;
        self.ages.extend(work.keys().next().map(|key| (key, self.next)));
        self.by_age.insert(self.next, under_way);
        self.next += 1;
    }

    /// Takes off what has come back; none when exactly this is not under way.
    pub(crate) fn take(&mut self, work: &Work) -> Option<UnderWay> {
        let key = work.keys().next()?;
        let age = *self.ages.get(&key)?;
        if self.by_age.get(&age)?.work != *work {
            return None;
        }
        self.ages.remove(&key);
        let taken = self.by_age.remove(&age);
        work.keys().for_each(|key| {
            self.busy.remove(&key);
        });
        self.new -= u64::from(work.adds_position());
        self.searches -= work.keys().count() as u64;
        taken
    }

    /// Leaves nodes alone from now on.
    pub(crate) fn leave_alone(&mut self, keys: impl IntoIterator<Item = Key>) {
        for key in keys {
            self.busy.insert(key);
            self.left_alone.insert(key);
        }
    }

    /// Whether a node is left alone.
    pub(crate) fn is_left_alone(&self, key: &Key) -> bool {
        self.left_alone.contains(key)
    }

    /// Leaves a node alone no longer.
    pub(crate) fn release(&mut self, key: &Key) {
        if self.left_alone.remove(key) {
            self.busy.remove(key);
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.by_age.len()
    }

    pub(crate) fn oldest(&self) -> Option<&UnderWay> {
        self.by_age.first_key_value().map(|(_, oldest)| oldest)
    }

    pub(crate) const fn busy(&self) -> &HashSet<Key, FixedState> {
        &self.busy
    }

    /// How many positions it will add.
    pub(crate) const fn new_positions(&self) -> u64 {
        self.new
    }

    pub(crate) const fn searches(&self) -> u64 {
        self.searches
    }
}
