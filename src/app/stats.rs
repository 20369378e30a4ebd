//! A book in numbers.

use std::collections::{BTreeMap, HashMap};

use foldhash::fast::FixedState;
use serde::Serialize;

use crate::openbook::trust::Trust;
use crate::openbook::{Node, NodeSource, SourceId, Values, WithFacts};
use crate::othello::board::{Key, Position};
use crate::store::{KnownSource, Reader, StoreError};

/// The nodes of one number of discs.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct LayerStats {
    /// Discs on the board.
    pub discs: u8,
    pub positions: u64,
    /// Nodes without a link.
    pub leaves: u64,
    /// Links that start here; symmetric moves that lead to one node each count.
    pub links: u64,
    /// Nodes whose result is known to the disc, from searches or facts.
    pub exact: u64,
    /// Nodes whose outcome (win, loss or draw) is proven; exact ones included.
    pub proven: u64,
    /// Those of them that searches alone have proven.
    #[serde(skip)]
    pub proven_by_searches: u64,
}

/// How many nodes were searched in one way.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct SearchedAs {
    /// Plies.
    pub depth: u8,
    /// Selectivity in percent.
    pub selectivity: u8,
}

/// A book in numbers.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Stats {
    pub positions: u64,
    /// Nodes on which a search is due.
    pub search_due: u64,
    /// Links that are held: the search above them is surer, and answers for them.
    pub held: u64,
    /// The mean of what is expected to be wrong with the values of all nodes, by searches alone, in discs.
    pub evidence: f64,
    /// By number of discs.
    pub layers: Vec<LayerStats>,
    /// The values of the start position, with facts.
    pub root: Option<Values>,
    /// How far they can be trusted.
    pub trust: Trust,
    /// By depth and selectivity.
    pub searched: BTreeMap<SearchedAs, u64>,
    /// By the program that searched.
    pub sources: Vec<(KnownSource, u64)>,
}

impl Stats {
    /// The sum of a figure over all layers.
    pub(crate) fn sum(&self, figure: impl Fn(&LayerStats) -> u64) -> u64 {
        self.layers.iter().map(figure).sum()
    }

    /// The ways to search that most positions were searched in, at most so many, the deepest last; and the
    /// sum of all others: how many ways, and how many positions.
    pub(crate) fn most_searched(&self, most: usize) -> (Vec<(SearchedAs, u64)>, (usize, u64)) {
        let mut ways: Vec<_> = self.searched.iter().map(|(&way, &count)| (way, count)).collect();
        // Of ways with as many positions the deeper ones are kept.
        ways.sort_unstable_by_key(|&(way, positions)| std::cmp::Reverse((positions, way)));
        let others = ways.split_off(most.min(ways.len()));
        ways.sort_unstable();
        (ways, (others.len(), others.iter().map(|&(_, positions)| positions).sum()))
    }
}

/// The values of the start position, with facts, and how far they can be trusted; no values where the book
/// does not have it.
pub(crate) fn value_of_start<S: NodeSource + ?Sized>(
    book: &S,
) -> Result<(Option<Values>, Trust), S::Error> {
    let start = Key::of(Position::START);
    let known = WithFacts::of(book)?.node(&start)?.map(|node| node.values);
    // Its trust is reported for searches alone.
    Ok((known, book.node(&start)?.as_ref().map(Trust::of).unwrap_or_default()))
}

/// Counts a whole book.
pub(crate) fn stats(book: &Reader) -> Result<Stats, StoreError> {
    let book = book.snapshot()?;
    let mut stats = Stats::default();
    let mut evidence = 0_u64;
    let mut by_source: BTreeMap<SourceId, u64> = BTreeMap::new();
    let mut known: HashMap<Key, Values, FixedState> = HashMap::default();
    book.facts().for_each_known(|key, values| {
        known.insert(key, values);
    })?;
    let worth = |node: &Node| known.get(&node.key).copied().unwrap_or(node.values);
    book.for_each_node(|node| -> Result<(), StoreError> {
        let discs = node.key.discs();
        if stats.layers.last().is_none_or(|layer| layer.discs != discs) {
            stats.layers.push(LayerStats { discs, ..LayerStats::default() });
        }
        if let Some(layer) = stats.layers.last_mut() {
            layer.positions += 1;
            layer.leaves += u64::from(node.links.is_empty());
            layer.links += node.links.len() as u64;
            let values = worth(&node);
            layer.exact += u64::from(values.is_exact());
            layer.proven += u64::from(values.is_decided());
            layer.proven_by_searches += u64::from(node.values.is_decided());
        }
        stats.positions += 1;
        stats.search_due += u64::from(node.is_incomplete());
        evidence += u64::from(node.evidence.hundredths());
        let searched = SearchedAs {
            depth: node.searched.depth,
            selectivity: node.searched.selectivity.percent(),
        };
        *stats.searched.entry(searched).or_default() += 1;
        *by_source.entry(node.searched.source).or_default() += 1;
        Ok(())
    })?;
    (stats.root, stats.trust) = value_of_start(&*book)?;
    stats.held = book.count_held_links()?;
    stats.evidence = evidence as f64 / 100.0 / stats.positions.max(1) as f64;
    let sources = book.sources()?.into_iter();
    stats.sources = sources
        .map(|source| {
            let count = by_source.get(&source.id).copied().unwrap_or_default();
            (source, count)
        })
        .collect();
    Ok(stats)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_ways_to_search_are_told_than_asked_for() {
        let way = |depth| SearchedAs { depth, selectivity: 73 };
        // Seven ways of one position each.
        let mut searched: BTreeMap<_, u64> = (1..=7).map(|depth| (way(depth), 1)).collect();
        searched.insert(way(20), 5);
        searched.insert(way(3), 9);
        let stats = Stats { searched, ..Stats::default() };
        let (told, others) = stats.most_searched(4);
        assert_eq!(told, [(way(3), 9), (way(6), 1), (way(7), 1), (way(20), 5)]);
        assert_eq!(others, (4, 4));
        assert_eq!(stats.most_searched(8).1, (0, 0));
    }
}
