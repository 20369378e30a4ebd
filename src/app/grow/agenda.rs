//! What growth does next: what lines ask for, what it took away itself, and what the policy ranks.

use std::collections::{BTreeSet, HashSet, VecDeque};

use foldhash::fast::FixedState;

use crate::openbook::policy::{Kept, Leaf, Policy, Reason, Request};
use crate::openbook::{Node, NodeSource};
use crate::othello::board::Key;
use crate::store::{Reader, StoreError, Written};

use super::start::Target;

/// Nodes that are being worked on, or that are to be left alone.
type Busy = HashSet<Key, FixedState>;

/// What is to be handed out.
pub(super) struct Agenda {
    /// Positions that the lines ask for and that are not in the book.
    missing: VecDeque<(Key, Target)>,
    /// Nodes on which a search is due because of what was just added, by discs: growth repairs
    /// what it took away before it goes on.
    due: BTreeSet<(u8, Key)>,
    /// What is left of the last ranking.
    ranked: VecDeque<Leaf>,
    /// What the policy keeps for the next one.
    kept: Kept,
    /// Whether ranking anew would find nothing more, since nothing has come in since.
    is_exhausted: bool,
}

impl Agenda {
    /// Begins with positions that the lines ask for. What a policy keeps may take so many bytes.
    pub(crate) fn new(missing: VecDeque<(Key, Target)>, most_bytes: usize) -> Self {
        let (due, ranked) = (BTreeSet::new(), VecDeque::new());
        Self { missing, due, ranked, kept: Kept::within(most_bytes), is_exhausted: false }
    }

    /// The next position that the lines ask for, and that is still not in the book.
    pub(crate) fn next_missing(
        &mut self,
        book: &impl NodeSource<Error = StoreError>,
        busy: &Busy,
    ) -> Result<Option<(Key, Target)>, StoreError> {
        while let Some((key, target)) = self.missing.pop_front() {
            if book.node(&key)?.is_none() && !busy.contains(&key) {
                return Ok(Some((key, target)));
            }
        }
        Ok(None)
    }

    /// Puts a position that the lines ask for behind the others.
    pub(crate) fn add_missing(&mut self, key: Key, target: Target) {
        self.missing.push_back((key, target));
    }

    /// Notes a node that has lost its rest, or got one that is a link by now.
    pub(crate) fn note_due(&mut self, node: Option<Node>) {
        if let Some(node) = node.filter(Node::is_incomplete) {
            self.due.insert((node.key.discs(), node.key));
        }
    }

    /// Takes back that a search is due on a node: no worker can do it.
    pub(crate) fn forget_due(&mut self, key: Key) {
        self.due.remove(&(key.discs(), key));
    }

    /// Whether nodes are noted on which a search is due.
    pub(crate) fn has_due(&self) -> bool {
        !self.due.is_empty()
    }

    /// Up to so many nodes on which a search is due.
    pub(crate) fn next_due(
        &mut self,
        book: &impl NodeSource<Error = StoreError>,
        busy: &Busy,
        count: usize,
    ) -> Result<Vec<Key>, StoreError> {
        let (mut next, mut taken) = (Vec::new(), Vec::new());
        for &(discs, key) in &self.due {
            if next.len() == count {
                break;
            }
            if !busy.contains(&key) {
                taken.push((discs, key));
                let is_due = book.node(&key)?.is_some_and(|node| node.is_incomplete());
                next.extend(is_due.then_some(key));
            }
        }
        for entry in &taken {
            self.due.remove(entry);
        }
        Ok(next)
    }

    /// Ranks anew, unless nothing more would be found. When that is given up nothing is known of what
    /// is left.
    pub(crate) fn rank(
        &mut self,
        policy: &dyn Policy<Reader>,
        book: &Reader,
        request: &Request<'_>,
    ) -> Result<(), StoreError> {
        if self.is_exhausted {
            return Ok(());
        }
        let leaves = policy.next_kept(book, request, &mut self.kept)?;
        if !request.give_up.is_due() {
            self.is_exhausted = leaves.len() < request.count;
            self.ranked = leaves.into();
        }
        Ok(())
    }

    /// Takes note of what was written since the last ranking.
    pub(crate) fn note_written(&mut self, written: Written) {
        match written {
            Written::Nodes(keys) => self.kept.note(keys),
            Written::Any => self.kept.forget(),
        }
    }

    /// Whether the policy would have to keep more for the next ranking than it may.
    pub(crate) const fn keeps_nothing(&self) -> bool {
        self.kept.is_too_large()
    }

    /// Something has come in: ranking anew may find more.
    pub(crate) const fn book_changed(&mut self) {
        self.is_exhausted = false;
    }

    /// Up to so many leaves of the last ranking that still ask for something.
    pub(crate) fn next_leaves(
        &mut self,
        book: &impl NodeSource<Error = StoreError>,
        busy: &Busy,
        count: usize,
    ) -> Result<Vec<Leaf>, StoreError> {
        let mut leaves = Vec::new();
        while leaves.len() < count
            && let Some(leaf) = self.ranked.pop_front()
        {
            let is_busy = busy.contains(&leaf.key)
                || leaf.child.as_ref().is_some_and(|child| busy.contains(child));
            let is_there = leaf.reason == Reason::Add && book.node(&leaf.key)?.is_some();
            if !is_busy && !is_there {
                leaves.push(leaf);
            }
        }
        Ok(leaves)
    }
}
