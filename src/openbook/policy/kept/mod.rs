//! The search for the cheapest leaves, kept up between choices.
//!
//! It finds what the walk ([`super::frontier`]) finds, but begins where the last choice ended. Of ways that cost the
//! same and give away the same the walk takes the first that it comes to, and this any: only the line that is shown
//! of a leaf depends on that.
//!
//! What is cheapest below each node is kept ([`fold`]), and ways from the roots go by it ([`ways`]).

mod choice;
mod fold;
mod loaded;
mod shared;
mod ways;

use crate::openbook::NodeSource;
use crate::othello::board::Key;

use super::request::Leaf;
use super::rules::{Offers, Rules};

use choice::Choice;
use fold::Fold;
use loaded::Nodes;
use shared::Terms;

pub(super) use loaded::Loaded;

/// What a policy keeps of one choice for the next one. Its owner must report all nodes that were added,
/// changed or removed meanwhile.
#[derive(Default, Debug)]
pub struct Kept {
    /// Where a choice goes by what is cheapest.
    fold: Option<Box<Fold>>,
    /// Where most of the book is gone through.
    nodes: Option<Nodes>,
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
        if self.fold.is_some() || self.nodes.is_some() {
            self.changed.extend(changed);
        }
    }

    /// Keeps nothing of what is known: any node may have changed.
    pub fn forget(&mut self) {
        (self.fold, self.nodes) = (None, None);
        self.changed.clear();
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> usize {
        let of_fold = self.fold.as_ref().map_or(0, |fold| fold.bytes());
        let of_nodes = self.nodes.as_ref().map_or(0, |nodes| nodes.len() * loaded::EACH);
        of_fold + of_nodes
    }

    /// Whether it needed more than it may take, so that nothing is kept.
    pub const fn is_too_large(&self) -> bool {
        self.is_too_large
    }

    /// The book with all nodes in memory, for a ranking that goes through most of them; none where they are too
    /// many, or reading them is as quick.
    pub(super) fn loaded<'a, S: NodeSource + ?Sized>(
        &'a mut self,
        book: &'a S,
    ) -> Result<Option<Loaded<'a, S>>, S::Error> {
        if self.is_too_large {
            return Ok(None);
        }
        let changed = std::mem::take(&mut self.changed);
        // After an error nothing is kept.
        match self.nodes.take() {
            Some(mut known) => {
                for key in changed {
                    match book.node(&key)? {
                        Some(node) => known.insert(key, node),
                        None => known.remove(&key),
                    };
                }
                self.nodes = Some(known);
            }
            None => {
                let most = self.most_bytes.unwrap_or(usize::MAX) / loaded::EACH;
                let all = book.all_nodes(most)?;
                self.is_too_large = all.is_none();
                self.nodes = all.map(|all| all.into_iter().map(|node| (node.key, node)).collect());
            }
        }
        Ok(self.nodes.as_ref().map(|nodes| Loaded { book, nodes }))
    }

    /// What is cheapest; none where each choice has to be made anew. Where more is kept than may be, much of it is of
    /// what was cheap once: it is forgotten, and only a choice that needs so much by itself is too large.
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
        let fold = self.fold.take().filter(|fold| fold.terms == Terms::of(rules));
        let most_bytes = self.most_bytes.unwrap_or(usize::MAX);
        let mut is_anew = fold.is_none();
        let fold = fold.unwrap_or_else(|| Box::new(Fold::of(rules)));
        // After an error nothing is kept.
        let mut choice = Choice { book, rules, offers, fold };
        let mut chosen = None;
        if !is_anew {
            choice.mend(changed)?;
            chosen = choice.choose(most_bytes)?;
            is_anew = chosen.is_none();
        }
        if is_anew {
            *choice.fold = Fold::of(rules);
            chosen = choice.choose(most_bytes)?;
        }
        tracing::debug!(is_anew, nodes = choice.fold.len(), "chosen");
        match chosen.is_some() {
            true => self.fold = Some(choice.fold),
            false => self.is_too_large = true,
        }
        Ok(chosen)
    }
}
