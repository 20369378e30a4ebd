//! Our nodes as Egaroucid has them: whole discs, one level, a leaf.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::board::{Bitboard, Position, Squares};
use crate::book::{Node, Rest, SourceId};
use crate::formats::likeliest::likeliest;
use crate::formats::loss::{ONE_LEVEL, SEEKING, SIGNS, WHOLE_DISCS};
use crate::formats::{ExportReport, Format, Loss};
use crate::score::{CENTIDISCS, Score};
use crate::search::{Level, Proof};
use crate::store::KnownSource;

use super::layout::{NO_LEVEL, TYPED, TYPED_NAME};
use super::{EgaroucidLeaf, EgaroucidRecord, level_of};

/// Egaroucid stops counting lines here.
pub const MOST_LINES: u64 = 4_000_000_000;

/// The level of what is proven to the disc.
const EXACT: i8 = 60;

/// What Egaroucid's book has no place for.
pub(in crate::formats) const NOT_HELD: &[Loss] = &[
    WHOLE_DISCS,
    ONE_LEVEL,
    SIGNS,
    SEEKING,
    Loss::of("links", "every move to another record is one"),
];

/// The moves of a node in the book that is written.
#[derive(Clone, Copy, Debug)]
pub struct Moves {
    /// The legal ones.
    pub legal: Squares,
    /// Those that have a record of their own, those that end the game too.
    pub linked: Bitboard,
    /// How many lines go through the node.
    pub lines: u64,
}

impl EgaroucidRecord {
    /// A node of ours. None when it has no value at all, which is counted.
    #[must_use]
    pub fn of(
        node: &Node,
        Moves { legal, linked, lines }: Moves,
        level: i8,
        report: &mut ExportReport,
    ) -> Option<Self> {
        let position = node.key.position();
        let open = legal.0 & !linked;
        if node.rest().is_none() && linked == 0 {
            report.left_out += 1;
            return None;
        }
        let leaf = match node.rest() {
            Some(Rest { square: Some(square), score, .. }) => Some((square, score)),
            // A value of all moves that are no links must not be lost; without links the record's own
            // value says it.
            Some(Rest { square: None, score, .. }) if linked != 0 => {
                let likely = likeliest(position, open);
                report.likely_moves += u64::from(likely.is_some());
                likely.map(|square| (square, score))
            }
            _ => None,
        };
        let leaf = match leaf {
            // The bit number in the stored words: they are written as they are, and so are their
            // squares.
            Some((square, score)) => {
                EgaroucidLeaf { value: discs(score, report), played: square.number() as i8, level }
            }
            None if open == 0 => EgaroucidLeaf::exhausted(level),
            None => {
                report.search_due += u64::from(node.rest().is_none());
                EgaroucidLeaf::UNKNOWN
            }
        };
        let value = discs(node.values.guess, report);
        report.positions += 1;
        Some(Self { position, value, level, lines: lines.min(MOST_LINES) as u32, leaf })
    }

    /// A finished game.
    #[must_use]
    pub const fn finished(position: Position) -> Self {
        let leaf = EgaroucidLeaf::exhausted(EXACT);
        Self { position, value: position.final_score(), level: EXACT, lines: 0, leaf }
    }
}

/// Whole discs, halves towards zero.
fn discs(score: Score, report: &mut ExportReport) -> i8 {
    let centidiscs = score.centidiscs();
    report.rounded += u64::from(centidiscs % CENTIDISCS != 0);
    let half = if centidiscs < 0 { -49 } else { 49 };
    ((centidiscs + half) / CENTIDISCS) as i8
}

/// Finds the level of nodes.
pub struct EgaroucidLevels {
    /// The level for all records, where one is wanted.
    forced: Option<i8>,
    /// Levels of sources that are Egaroucid's own.
    of_source: HashMap<SourceId, i8, FixedState>,
    /// Levels found before, by empties, depth, confidence and whether it is exact.
    known: HashMap<(u8, u8, u8, bool), i8, FixedState>,
}

impl EgaroucidLevels {
    /// For a book with these sources.
    #[must_use]
    pub fn new(forced: Option<Level>, sources: &[KnownSource]) -> Self {
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

    /// The level of a node: the one that Egaroucid searched it at where that is known, else the
    /// highest that claims no more depth and confidence than the search had.
    pub fn of(&mut self, node: &Node) -> i8 {
        let searched = node.searched;
        if let Some(level) = self.forced.or_else(|| self.of_source.get(&searched.source).copied()) {
            return level;
        }
        let empties = node.key.position().empties();
        let exact = node.values.is_exact()
            || node.rest().is_some_and(|rest| rest.proof == Proof::Exact && node.links.is_empty());
        let facts = (empties, searched.depth, searched.selectivity.percent(), exact);
        let found = || level_of(empties, searched.depth, searched.selectivity, exact) as i8;
        *self.known.entry(facts).or_insert_with(found)
    }
}
