//! The searches of a position that a book keeps, and what they prove.
//!
//! Of several records of a position that one is kept which is the greatest, by a total order on
//! content, for one move at least. So two books are merged by putting their records together, in any
//! order and grouping.

use std::cmp::{Ordering, Reverse};
use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::othello::board::{Key, Square};
use crate::othello::score::{CENTIDISCS, Score};
use crate::othello::search::{Level, Proof, Selectivity};

use super::{Bounds, Evidence, MoveMask, Source, SourceId, Values};

/// How a node was searched: the provenance of its rest, kept also when no rest is left.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Searched {
    /// Plies looked ahead from the node.
    pub depth: u8,
    pub selectivity: Selectivity,
    /// The source of the search.
    pub source: SourceId,
}

impl Searched {
    /// The most plies that a search can look ahead: all squares that are empty at the start.
    pub(crate) const MOST_PLIES: u8 = 60;

    /// Whether a search like this finds out what a level asks for at so many empties.
    pub(crate) fn meets(&self, level: Level, empties: u8) -> bool {
        level.is_met_by(empties, self.depth, self.selectivity)
    }
}

/// The best move that is not a link, in the key's orientation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rest {
    /// The move; none where another program's book knows a value but no move.
    pub square: Option<Square>,
    /// Its score for the side to move of the node.
    pub score: Score,
    /// What the score proves: it bounds every move that is not a link.
    pub proof: Proof,
}

impl Rest {
    /// Whether its score is one: no more than all discs, and where it is exact an even number of them, as any result.
    pub(crate) fn has_possible_score(self) -> bool {
        let is_even = self.score.centidiscs() % (2 * CENTIDISCS) == 0;
        (Score::MIN..=Score::MAX).contains(&self.score) && (self.proof != Proof::Exact || is_even)
    }

    /// What it says the moves that are not links are worth.
    #[inline]
    pub fn values(self) -> Values {
        Values::of_search(self.score, self.proof)
    }
}

/// A search of a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Record {
    /// Its best move and what that is worth.
    pub rest: Rest,
    pub searched: Searched,
    /// The moves that it left out; it covered all others.
    pub left_out: MoveMask,
}

impl Record {
    #[inline]
    pub fn error(&self, empties: u8) -> Evidence {
        match self.rest.proof {
            Proof::Exact => Evidence::EXACT,
            _ => Evidence::of_search(empties, self.searched.depth, self.searched.selectivity),
        }
    }

    /// What it proves of its position: from below what one move is worth the position is worth, too; from
    /// above only where it covered all moves.
    pub fn proves(&self) -> Bounds {
        let (lower, upper) = self.rest.proof.bounds(self.rest.score);
        Bounds { lower, upper: if self.left_out.is_empty() { upper } else { 64 } }
    }

    /// How strong it is, more is stronger: depth, selectivity, proof, and the moves left out. Of two searches
    /// that are alike the one that left a move out knew a position behind it.
    fn strength(&self, key: Key) -> impl Ord + use<> {
        let Searched { depth, selectivity, .. } = self.searched;
        let depth = depth.min(key.position().empties());
        (depth, selectivity.percent(), proof_rank(self.rest.proof), self.left_out.len())
    }

    /// Whether a search as deep and as sure as this one, or more so, is at hand.
    pub(crate) fn is_met_by(&self, key: Key, other: &Self) -> bool {
        let rank = |record: &Self| {
            let Searched { depth, selectivity, .. } = record.searched;
            let is_exact = record.rest.proof == Proof::Exact;
            (is_exact, depth.min(key.position().empties()), selectivity.percent())
        };
        rank(other) >= rank(self)
    }
}

/// How much a proof says.
const fn proof_rank(proof: Proof) -> u8 {
    match proof {
        Proof::None => 0,
        Proof::NotLost | Proof::NotWon => 1,
        Proof::Win | Proof::Loss => 2,
        Proof::Exact => 3,
    }
}

/// How strong a stated search is where a file holds several of one position, more is stronger: one with a
/// value, then the deeper, the less selective, the one that proves more.
pub fn strength(key: Key, rest: Option<Rest>, searched: (u8, u8)) -> impl Ord + use<> {
    let (depth, percent) = searched;
    let proof = rest.map_or(0, |rest| proof_rank(rest.proof));
    (rest.is_some(), proof, depth.min(key.position().empties()), percent)
}

/// The order of sources by what they are, never by their numbers: own before foreign, then the later day,
/// then by their texts. Where nothing is known of them, as in memory, by their numbers.
#[derive(Clone, Default, Debug)]
pub struct SourceOrder(Option<HashMap<SourceId, u32, FixedState>>);

impl SourceOrder {
    /// The order of these sources.
    pub fn of(sources: impl IntoIterator<Item = (SourceId, Source)>) -> Self {
        let mut sources: Vec<(SourceId, Source)> = sources.into_iter().collect();
        sources.sort_by(|(_, one), (_, other)| {
            let rank = |source: &Source| (source.is_own(), source.day.clone());
            rank(one).cmp(&rank(other)).then_with(|| one.texts().cmp(&other.texts()))
        });
        Self(Some(sources.into_iter().map(|(id, _)| id).zip(0..).collect()))
    }

    /// Whether there is such a source.
    pub(crate) fn knows(&self, source: SourceId) -> bool {
        self.0.as_ref().is_none_or(|known| known.contains_key(&source))
    }

    /// The place of a source, greater is stronger. One that is not known comes first of all.
    fn place(&self, source: SourceId) -> Option<u32> {
        match &self.0 {
            Some(known) => known.get(&source).copied(),
            None => Some(source.0),
        }
    }

    /// Compares two records of a position: the greater one answers for the moves that both covered.
    pub(crate) fn compare(&self, key: Key, one: &Record, other: &Record) -> Ordering {
        let content = |record: &Record| {
            let Rest { square, score, .. } = record.rest;
            let square = square.map(Square::number);
            (record.rest.proof, score, Reverse(square), record.left_out.bits())
        };
        one.strength(key)
            .cmp(&other.strength(key))
            .then_with(|| self.place(one.searched.source).cmp(&self.place(other.searched.source)))
            .then_with(|| content(one).cmp(&content(other)))
    }

    /// The stronger of two searches of which no score is known.
    pub(crate) fn stronger(&self, one: Searched, other: Searched) -> Searched {
        let rank = |searched: &Searched| {
            (searched.depth, searched.selectivity.percent(), self.place(searched.source))
        };
        if rank(&other) > rank(&one) { other } else { one }
    }

    /// Sorts bounds in the order in which they are believed: those of the strongest source first.
    pub(crate) fn sort_bounds(&self, bounds: &mut [SourcedBounds]) {
        bounds.sort_by_key(|known| {
            (Reverse(self.place(known.source)), known.bounds.lower, known.bounds.upper)
        });
    }
}

/// What a source has proven of a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SourcedBounds {
    /// For the side to move.
    pub bounds: Bounds,
    /// Where the proof comes from.
    pub source: SourceId,
}

/// What a person said of a position.
#[derive(serde::Serialize, Clone, PartialEq, Eq, Debug)]
pub struct Judgement {
    /// Its value for the side to move.
    #[serde(rename = "value")]
    pub score: crate::othello::score::Score,
    /// When, as 2026-11-20.
    pub day: String,
    /// The program or person; empty where that is not known.
    pub author: String,
}

impl Judgement {
    /// Of two the valid one: the later, then the larger value, then by its author's name.
    pub(crate) fn stands_before(&self, other: &Self) -> bool {
        (&self.day, self.score, &self.author) > (&other.day, other.score, &other.author)
    }
}

/// All that a book has of a position beside its place in the graph.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Held {
    /// Its records, the greatest first.
    pub records: Vec<Record>,
    /// Bounds that its records do not prove by themselves, in the order in which they are believed.
    pub bounds: Vec<SourcedBounds>,
    /// What a person said.
    pub judgement: Option<Judgement>,
}

impl Held {
    /// Whether a node's row cannot hold it all.
    pub(crate) fn is_more(&self) -> bool {
        self.records.len() > 1 || !self.bounds.is_empty() || self.judgement.is_some()
    }

    /// How its records were searched, to be changed.
    pub(crate) fn searches_mut(&mut self) -> impl Iterator<Item = &mut Searched> {
        self.records.iter_mut().map(|record| &mut record.searched)
    }

    /// Takes another search in: of all records those are kept that are the greatest for a move.
    pub(crate) fn add(&mut self, key: Key, record: Record, order: &SourceOrder) {
        if !self.records.contains(&record) {
            self.records.push(record);
        }
        self.tidy(key, order);
    }

    /// Replaces all others by a search, none where nothing was left to search; what these have proven
    /// stays.
    pub(crate) fn replace(&mut self, key: Key, record: Option<Record>, order: &SourceOrder) {
        let before = std::mem::take(&mut self.records);
        self.bounds.extend(before.iter().map(sourced));
        let bounds_a_part =
            |known: &Record| known.rest.values().upper < 64 && !known.left_out.is_empty();
        self.records = record.into_iter().chain(before.into_iter().filter(bounds_a_part)).collect();
        self.tidy(key, order);
    }

    /// Takes all in that another book has of the position.
    pub fn join(&mut self, key: Key, other: &Self, order: &SourceOrder) {
        for record in &other.records {
            if !self.records.contains(record) {
                self.records.push(*record);
            }
        }
        self.bounds.extend(&other.bounds);
        if let Some(theirs) = &other.judgement
            && self.judgement.as_ref().is_none_or(|ours| theirs.stands_before(ours))
        {
            self.judgement = Some(theirs.clone());
        }
        self.tidy(key, order);
    }

    /// Keeps the records that say something of a move, and the bounds that say something.
    ///
    /// Those are the greatest that covers it, and the one that proves the least upper bound of it.
    pub(crate) fn tidy(&mut self, key: Key, order: &SourceOrder) {
        if self.records.len() > 1 {
            self.records.sort_by(|one, other| order.compare(key, other, one));
            let upper = |record: &Record| record.rest.values().upper;
            let by_strength: Vec<usize> = (0..self.records.len()).collect();
            let mut by_upper = by_strength.clone();
            by_upper.retain(|&at| upper(&self.records[at]) < 64);
            by_upper.sort_by_key(|&at| upper(&self.records[at]));
            let all = MoveMask::all_of(key.position().legal_moves().len());
            let mut says = vec![false; self.records.len()];
            for order in [by_strength, by_upper] {
                let mut seen = MoveMask::NONE;
                for at in order {
                    let covered = all.without(self.records[at].left_out);
                    says[at] |= !covered.without(seen).is_empty();
                    seen = seen.union(covered);
                }
            }
            let mut says = says.into_iter();
            let (kept, gone): (Vec<Record>, Vec<Record>) = std::mem::take(&mut self.records)
                .into_iter()
                .partition(|_| says.next().unwrap_or(true));
            self.records = kept;
            self.bounds.extend(gone.iter().map(sourced));
        }
        if self.bounds.is_empty() {
            return;
        }
        let proven: Vec<SourcedBounds> = self.records.iter().map(sourced).collect();
        let all = std::mem::take(&mut self.bounds);
        let says_less = |one: &SourcedBounds, other: &SourcedBounds| {
            one.source == other.source && one.bounds.meet(other.bounds) == Some(other.bounds)
        };
        for (index, known) in all.iter().enumerate() {
            let is_open = known.bounds == Bounds::ALL;
            let is_in_record = proven.iter().any(|other| says_less(known, other));
            let is_in_other = all.iter().enumerate().any(|(place, other)| {
                // Of equal ones the first stays.
                place != index && says_less(known, other) && (known != other || place < index)
            });
            if !is_open && !is_in_record && !is_in_other {
                self.bounds.push(*known);
            }
        }
        order.sort_bounds(&mut self.bounds);
    }
}

/// What a record proves of its position, with where it comes from.
fn sourced(record: &Record) -> SourcedBounds {
    SourcedBounds { bounds: record.proves(), source: record.searched.source }
}
