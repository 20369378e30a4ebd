//! The level that a book for NTest can be said to have.

use std::collections::{BTreeMap, HashMap};

use foldhash::fast::FixedState;

use super::{NtestLevel, thoroughness};
use crate::openbook::Node;
use crate::store::Reader;

use super::originals::Originals;
use super::part::layers;
use crate::files::books::write::WriteError;

/// Of a hundred branches so many must have been searched for the level of the book.
const ENOUGH: u64 = 95;

/// How many branches were searched for which level.
#[derive(Default)]
struct Support {
    /// By the highest level that they support, where they support one.
    by_level: BTreeMap<Option<NtestLevel>, u64>,
    /// Found before, by empties, depth and selectivity.
    known: HashMap<(u8, u8, u8), Option<NtestLevel>, FixedState>,
}

impl Support {
    fn count(&mut self, node: &Node) {
        let empties = node.key.position().empties();
        let facts = (empties, node.searched.depth, node.searched.selectivity.percent());
        let known = self.known.entry(facts);
        let level = *known.or_insert_with(|| NtestLevel::supported(thoroughness(node), empties));
        *self.by_level.entry(level).or_default() += 1;
    }

    fn of(&self) -> u64 {
        self.by_level.values().sum()
    }

    fn at(&self, level: NtestLevel) -> u64 {
        let enough = self.by_level.iter().filter(|&(&has, _)| has >= Some(level));
        enough.map(|(_, count)| count).sum()
    }

    /// The highest level that enough of them support.
    fn best(&self) -> Option<NtestLevel> {
        let is_best = |level: &NtestLevel| 100 * self.at(*level) >= ENOUGH * self.of();
        NtestLevel::all().rev().find(is_best)
    }

    /// The level that most of them support.
    fn most(&self) -> Option<NtestLevel> {
        *self.by_level.iter().max_by_key(|&(level, count)| (count, level))?.0
    }
}

/// The level of a book, and the one that most of its branches were searched for where that is
/// higher, with how many were not.
pub(super) struct BookLevel {
    pub(super) level: Option<NtestLevel>,
    pub(super) higher: Option<(NtestLevel, u64)>,
}

impl BookLevel {
    /// The highest level that 95 of 100 branches of a book support, and all those that came from
    /// NTest: those are written as they were.
    pub(super) fn of(book: &Reader, originals: &Originals) -> Result<Self, WriteError> {
        let lowest = NtestLevel::MIN;
        let (mut branches, mut leaves) = (Support::default(), Support::default());
        for discs in layers(book)? {
            book.for_each_in_layer(discs, |node| -> Result<(), WriteError> {
                // A position of which all moves are known needs no search for the others, and one
                // that every level solves is no branch at any.
                let is_branch = node.key.position().empties() > lowest.solves_from();
                let is_branch = is_branch && !originals.has_no_moves(&node);
                if is_branch && node.rest().is_some() && !node.values.is_decided() {
                    match node.links.is_empty() {
                        true => leaves.count(&node),
                        false => branches.count(&node),
                    }
                }
                Ok(())
            })?;
        }
        let support = if branches.of() > 0 { branches } else { leaves };
        let best = (support.of() > 0).then(|| support.best().unwrap_or(lowest));
        let level = [best, originals.level()].into_iter().flatten().min();
        let higher = support.most().filter(|most| level.is_some_and(|level| *most > level));
        Ok(Self { level, higher: higher.map(|most| (most, support.of() - support.at(most))) })
    }
}
