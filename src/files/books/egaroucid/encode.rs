//! Our nodes as Egaroucid has them: whole discs, one level, a leaf.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::files::books::likeliest::likeliest;
use crate::files::books::{ExportReport, Format};
use crate::openbook::{Node, Rest, Searched, SourceId, child_of};
use crate::othello::board::{Bitboard, Key, Position, Square, Squares};
use crate::othello::score::{CENTIDISCS, Score};
use crate::othello::search::{Level, Proof, Selectivity};
use crate::store::KnownSource;

use super::decode::searched_at;
use super::layout::{NO_LEVEL, TYPED, TYPED_NAME};
use super::{EgaroucidLeaf, EgaroucidRecord, level_of};

/// Egaroucid stops counting lines here.
pub(crate) const MOST_LINES: u64 = 4_000_000_000;

/// The level of what is proven to the disc.
const EXACT: i8 = 60;

/// The moves of a node in the book that is written.
#[derive(Clone, Copy, Debug)]
pub struct Moves {
    pub legal: Squares,
    /// Those that have a record of their own, those that end the game too.
    pub linked: Bitboard,
    /// How many lines go through the node.
    pub lines: u64,
    /// Whether the best other move is among the linked ones, as far as its score shows.
    pub holds_leaf: bool,
}

/// The levels of a record: of its value, and of its leaf.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecordLevels {
    pub value: i8,
    pub leaf: i8,
}

impl EgaroucidRecord {
    /// A node of ours. None when it has no value at all, which is counted.
    pub fn of(
        node: &Node,
        Moves { legal, linked, lines, holds_leaf }: Moves,
        levels: RecordLevels,
        report: &mut ExportReport,
    ) -> Option<Self> {
        let position = node.key.position();
        let open = legal.0 & !linked;
        if node.rest().is_none() && linked == 0 {
            report.left_out += 1;
            return None;
        }
        let is_linked = |square: Square| linked & square.bit() != 0;
        let leaf = match node.rest() {
            Some(Rest { square: Some(square), .. }) if is_linked(square) => None,
            // Within what it proves: a file may call a loss one of a single disc.
            Some(rest @ Rest { square: Some(square), .. }) => Some((square, rest.values().guess)),
            Some(_) if holds_leaf => None,
            // A value of all moves that are no links must not be lost; without links the record's own
            // value says it.
            Some(rest @ Rest { square: None, .. }) if linked != 0 => {
                let likely = likeliest(position, open);
                report.likely_moves += u64::from(likely.is_some());
                likely.map(|square| (square, rest.values().guess))
            }
            _ => None,
        };
        let leaf = match leaf {
            // The bit number in the stored words: they are written as they are, and so are their
            // squares.
            Some((square, score)) => {
                let (value, level) = (discs(score, report), levels.leaf);
                EgaroucidLeaf { value, played: square.number() as i8, level }
            }
            None if open == 0 => EgaroucidLeaf::exhausted(levels.leaf),
            None => {
                if node.rest().is_none() {
                    report.count_open(node);
                }
                EgaroucidLeaf::UNKNOWN
            }
        };
        let value = discs(node.values.guess, report);
        report.positions += 1;
        let lines = lines.min(MOST_LINES) as u32;
        Some(Self { position, value, level: levels.value, lines, leaf })
    }

    pub(crate) const fn finished(position: Position) -> Self {
        let leaf = EgaroucidLeaf::exhausted(EXACT);
        Self { position, value: position.final_score(), level: EXACT, lines: 0, leaf }
    }
}

/// Whole discs, halves towards zero.
pub(crate) const fn whole_discs(score: Score) -> i8 {
    let centidiscs = score.centidiscs();
    let half = if centidiscs < 0 { -49 } else { 49 };
    ((centidiscs + half) / CENTIDISCS) as i8
}

fn discs(score: Score, report: &mut ExportReport) -> i8 {
    report.rounded += u64::from(score.centidiscs() % CENTIDISCS != 0);
    whole_discs(score)
}

/// The best move out of the book as the position that it leads to: Egaroucid's own "fix" looks at records
/// alone, so a leaf that is better than all of them must be one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct EgaroucidDeviation {
    pub key: Key,
    /// Its value in discs, for its side to move.
    pub value: i8,
    /// The plies and the selectivity that it was searched with, and whether it is exact.
    pub searched: (u8, Selectivity, bool),
}

impl EgaroucidDeviation {
    /// Of the best move out of the book; where that is no move or its position is not free to hold the value,
    /// of the likeliest of those that are left. None where there is none.
    pub(crate) fn of(
        node: &Node,
        rest: Rest,
        left: Bitboard,
        is_free: impl Fn(Key) -> bool,
    ) -> Option<Self> {
        let position = node.key.position();
        let best = rest.square.filter(|square| left & square.bit() != 0);
        let others = left & !best.map_or(0, Square::bit);
        let led = |square: Square| child_of(position, square).filter(|&(key, _)| is_free(key));
        let (key, same_side) = best.and_then(led).or_else(|| led(likeliest(position, others)?))?;
        let value = whole_discs(rest.values().guess);
        let Searched { depth, selectivity, .. } = node.searched;
        Some(Self {
            key,
            value: if same_side { value } else { -value },
            searched: (depth.saturating_sub(1), selectivity, rest.proof == Proof::Exact),
        })
    }

    /// How well it was searched, more is better.
    pub(crate) fn strength(&self) -> impl Ord + use<> {
        let (depth, selectivity, is_exact) = self.searched;
        (is_exact, depth, selectivity)
    }

    /// Its record: nothing is known of its moves.
    pub(crate) fn record(&self, levels: &mut EgaroucidLevels) -> EgaroucidRecord {
        let position = self.key.position();
        let (depth, selectivity, is_exact) = self.searched;
        let level = levels.of_search(position.empties(), depth, selectivity, is_exact);
        let leaf = EgaroucidLeaf::UNKNOWN;
        EgaroucidRecord { position, value: self.value, level, lines: 1, leaf }
    }
}

/// Finds the level of nodes.
pub(crate) struct EgaroucidLevels {
    /// The level for all records, where one is wanted.
    forced: Option<i8>,
    /// Levels of sources that are Egaroucid's own.
    of_source: HashMap<SourceId, i8, FixedState>,
    /// Levels found before, by empties, depth, selectivity and whether it is exact.
    known: HashMap<(u8, u8, u8, bool), i8, FixedState>,
}

impl EgaroucidLevels {
    /// For a book with these sources.
    pub(crate) fn new(forced: Option<Level>, sources: &[KnownSource]) -> Self {
        let of_source = sources.iter().filter_map(|known| {
            let level = match known.source.level.as_str() {
                "" => NO_LEVEL,
                TYPED_NAME => TYPED,
                level => level.parse().ok()?,
            };
            (known.source.format == Format::Egaroucid.name()).then_some((known.id, level))
        });
        Self {
            forced: forced.map(|level| level.number() as i8),
            of_source: of_source.collect(),
            known: HashMap::default(),
        }
    }

    /// The levels of a node: the one that Egaroucid searched it at where that is known, else the
    /// highest that claims no more depth and selectivity than the search had.
    pub(crate) fn of(&mut self, node: &Node) -> RecordLevels {
        let Searched { depth, selectivity, source } = node.searched;
        let empties = node.key.position().empties();
        let own = self.of_source.get(&source).copied();
        // If nothing happened to the search since it was read.
        let is_as_read = |level: &i8| searched_at(*level, empties) == (depth, selectivity);
        if let Some(level) = self.forced.or_else(|| own.filter(is_as_read)) {
            return RecordLevels { value: level, leaf: level };
        }
        let leaf_is_exact = node.rest().map(|rest| rest.proof == Proof::Exact);
        // Without links the leaf is what the value comes from.
        let is_exact = match leaf_is_exact {
            Some(is_exact) if node.links.is_empty() => is_exact,
            leaf_is_exact => node.values.is_exact() && leaf_is_exact.unwrap_or(true),
        };
        let mut level = |is_exact| self.of_search(empties, depth, selectivity, is_exact);
        RecordLevels { value: level(is_exact), leaf: level(leaf_is_exact.unwrap_or(is_exact)) }
    }

    /// The highest level that claims no more than this search had.
    fn of_search(
        &mut self,
        empties: u8,
        depth: u8,
        selectivity: Selectivity,
        is_exact: bool,
    ) -> i8 {
        let facts = (empties, depth, selectivity.percent(), is_exact);
        let found = || level_of(empties, depth, selectivity, is_exact) as i8;
        self.forced.unwrap_or_else(|| *self.known.entry(facts).or_insert_with(found))
    }
}
