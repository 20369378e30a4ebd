//! The search for the cheapest leaves, kept up between choices.
//!
//! It finds what the walk ([`super::frontier`]) finds, but begins where the last choice ended. Of ways that cost the
//! same and give away the same the walk takes the first that it comes to, and this any: only the line that is shown
//! of a leaf depends on that.
//!
//! Where no limit holds for whole lines, what is cheapest below each node is kept ([`fold`]), else the ways that
//! were gone ([`tree`]). A value that moves near a root takes a choice down another line of the first, while all
//! ways through it cost something else by then.

mod choice;
mod fold;
mod mend;
mod shared;
mod tree;
mod walk;

use crate::board::Key;
use crate::book::NodeSource;

use super::request::Leaf;
use super::rules::{Offers, Rules};

use choice::Choice;
use fold::Fold;
use shared::Terms;
use tree::Tree;
use walk::Walk;

/// What a policy keeps of one choice for the next one. Its owner must report all nodes that were added,
/// changed or removed meanwhile.
#[derive(Default, Debug)]
pub struct Kept {
    /// Where no limit holds for whole lines.
    fold: Option<Box<Fold>>,
    /// Where one does.
    tree: Option<Box<Tree>>,
    /// Since the last choice.
    changed: Vec<Key>,
    /// It may take so many bytes.
    most_bytes: Option<usize>,
    is_too_large: bool,
}

impl Kept {
    /// Nothing yet, and never more than so many bytes: with what needs more, every choice is made anew.
    pub fn within(bytes: usize) -> Self {
        Self { most_bytes: Some(bytes), ..Self::default() }
    }

    /// Takes note of nodes that were added, changed or removed.
    pub fn note(&mut self, changed: impl IntoIterator<Item = Key>) {
        if self.tree.is_some() || self.fold.is_some() {
            self.changed.extend(changed);
        }
    }

    /// Keeps nothing of what is known: any node may have changed.
    pub fn forget(&mut self) {
        (self.fold, self.tree) = (None, None);
        self.changed.clear();
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> usize {
        let of_fold = self.fold.as_ref().map_or(0, |fold| fold.bytes());
        of_fold + self.tree.as_ref().map_or(0, |tree| tree.bytes())
    }

    /// Whether it needed more than it may take, so that nothing is kept.
    pub const fn is_too_large(&self) -> bool {
        self.is_too_large
    }

    /// What is cheapest; none where each choice has to be made anew.
    pub(super) fn next<S: NodeSource + ?Sized, O: Offers<S>>(
        &mut self,
        book: &S,
        rules: Rules<'_>,
        offers: &O,
    ) -> Result<Option<Vec<Leaf>>, S::Error> {
        // Where a ply costs nothing, what is found first of equals depends on the way there.
        if self.is_too_large || rules.penalty <= 0 {
            return Ok(None);
        }
        if rules.request.count == 0 {
            return Ok(Some(Vec::new()));
        }
        let changed = std::mem::take(&mut self.changed);
        if Fold::fits(rules) {
            return self.next_by_fold(book, rules, offers, changed);
        }
        self.fold = None;
        let tree = self.tree.take().filter(|tree| tree.terms == Terms::of(rules));
        let most_bytes = self.most_bytes.unwrap_or(usize::MAX);
        let (tree, is_new) = match tree {
            Some(tree) => (tree, false),
            None => (Box::new(Tree::of(rules)), true),
        };
        // After an error nothing is kept.
        let mut walk = Walk { book, rules, offers, tree, mended: 0, entered: 0 };
        let is_anew = is_new || !walk.mend(changed)?;
        if is_anew {
            *walk.tree = Tree::of(rules);
            walk.push_roots()?;
        }
        let chosen = walk.choose(most_bytes)?;
        let Walk { mended, entered, .. } = walk;
        tracing::debug!(is_anew, mended, entered, ways_in = walk.tree.ways_in, "chosen");
        match chosen.is_some() {
            true => self.tree = Some(walk.tree),
            false => self.is_too_large = true,
        }
        Ok(chosen)
    }

    fn next_by_fold<S: NodeSource + ?Sized, O: Offers<S>>(
        &mut self,
        book: &S,
        rules: Rules<'_>,
        offers: &O,
        changed: Vec<Key>,
    ) -> Result<Option<Vec<Leaf>>, S::Error> {
        self.tree = None;
        let fold = self.fold.take().filter(|fold| fold.terms == Terms::of(rules));
        let is_new = fold.is_none();
        let fold = fold.unwrap_or_else(|| Box::new(Fold::of(rules)));
        // After an error nothing is kept.
        let mut choice = Choice { book, rules, offers, fold };
        if !is_new {
            choice.mend(changed)?;
        }
        let chosen = choice.choose(self.most_bytes.unwrap_or(usize::MAX))?;
        tracing::debug!(is_new, nodes = choice.fold.len(), "chosen");
        match chosen.is_some() {
            true => self.fold = Some(choice.fold),
            false => self.is_too_large = true,
        }
        Ok(chosen)
    }
}
