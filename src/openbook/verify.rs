//! The invariants of a book, by number.

use std::fmt;

use crate::othello::board::{Key, Squares};

use super::derive::{Deriver, Leads};
use super::layer::MovesBelow;
use super::propagate::{HeldOfLayer, set_answering};
use super::{Bounds, Held, LayerValues, LineEnds, MoveMask, Node, Record, Searched, SourceOrder};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Invariant {
    /// The key is canonical, in its layer, and a position in which the side to move has a move.
    Key = 1,
    /// The best moves of records are legal moves that they covered, and each record is the greatest of a move or bounds one.
    Record = 2,
    /// The links are the moves that lead to nodes.
    Moves = 3,
    /// The values are what follows from the links that count, records, bounds and judgements, bit for bit.
    Values = 4,
    /// `win_seeking <= draw_seeking`, `lower <= upper`, and the guess is within the bounds.
    Order = 5,
    /// The source is known, and searched no deeper than a board is.
    Source = 6,
    /// The counts of the layers are right.
    Layers = 7,
    /// Facts can be true beside our own proofs and each other, and what is known from them follows from
    /// links, rests and facts, bit for bit.
    Facts = 8,
    /// Evidence, what is due, and which record answers are what follows from links and records.
    Evidence = 9,
}

/// B1 to B9.
impl fmt::Display for Invariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "B{}", *self as u8)
    }
}

/// An invariant that does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    pub invariant: Invariant,
    /// Where; none when it concerns no single node.
    pub key: Option<Key>,
    pub what: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.invariant, self.what)?;
        match self.key {
            Some(key) => write!(f, ", at {:?}", key.position()),
            None => Ok(()),
        }
    }
}

/// What was found in a book.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Report {
    /// Nodes that were looked at.
    pub positions: u64,
    /// Nodes on which a search is due: no violation.
    pub search_due: u64,
    /// Links that are held: the record above them is surer, and answers for them. No violation.
    pub held: u64,
    /// How many invariants do not hold.
    pub violations: u64,
    /// Those of them that are facts which are not believed: they change no value.
    pub not_believed: u64,
    /// Proofs that contradict a stronger one of the same position, which is believed: no violation.
    pub contradictions: u64,
    /// The first of all these.
    pub first: Vec<Violation>,
}

impl Report {
    /// How many violations are described.
    pub(crate) const DESCRIBED: usize = 100;

    /// Whether everything holds.
    pub const fn is_sound(&self) -> bool {
        self.violations == 0
    }

    /// Notes a violation.
    pub(crate) fn note(&mut self, invariant: Invariant, key: Option<Key>, what: impl Into<String>) {
        self.violations += 1;
        self.describe(invariant, key, what);
    }

    /// Describes something without counting it as a violation.
    pub(crate) fn describe(
        &mut self,
        invariant: Invariant,
        key: Option<Key>,
        what: impl Into<String>,
    ) {
        if self.first.len() < Self::DESCRIBED {
            self.first.push(Violation { invariant, key, what: what.into() });
        }
    }
}

/// Checks the nodes of a layer against the layer below it, which they may link to, and notes what does not hold.
pub(crate) struct LayerCheck<'a> {
    order: &'a SourceOrder,
    /// What is kept beside the rows.
    beside: &'a HeldOfLayer,
    waiting: Vec<Node>,
    below: MovesBelow<'a>,
    deriver: Deriver,
    leads: Vec<Leads>,
}

impl<'a> LayerCheck<'a> {
    /// A check of nodes above these, of a book that has these sources.
    pub(crate) fn new(
        below: &'a LayerValues,
        beside: &'a HeldOfLayer,
        order: &'a SourceOrder,
    ) -> Self {
        let (waiting, leads) = (Vec::with_capacity(MovesBelow::TOGETHER), Vec::new());
        let (below, deriver) = (MovesBelow::of(below), Deriver::default());
        Self { order, beside, waiting, below, deriver, leads }
    }

    /// Takes the next node of the layer.
    pub(crate) fn push(&mut self, node: Node, report: &mut Report) {
        report.positions += 1;
        if let Err(what) = check_key(node.key) {
            // Nothing else means anything on such a board.
            report.note(Invariant::Key, Some(node.key), what);
            return;
        }
        self.waiting.push(node);
        if self.waiting.len() == MovesBelow::TOGETHER {
            self.check_waiting(report);
        }
    }

    /// Checks the last ones.
    pub(crate) fn finish(mut self, report: &mut Report) {
        self.check_waiting(report);
    }

    fn check_waiting(&mut self, report: &mut Report) {
        self.below.find(&self.waiting, |_| u64::MAX);
        let waiting = std::mem::take(&mut self.waiting);
        for (number, node) in waiting.iter().enumerate() {
            self.check(number, node, report);
        }
        self.waiting = waiting;
        self.waiting.clear();
    }

    fn check(&mut self, number: usize, node: &Node, report: &mut Report) {
        report.search_due += u64::from(node.is_incomplete());
        let key = Some(node.key);
        let legal = self.below.legal(number);
        let all = MoveMask::all_of(legal.len());
        if !node.links.without(all).is_empty() {
            report.note(Invariant::Moves, key, "a link is set for a move that does not exist");
        }
        self.leads.clear();
        let mut lost = node.links;
        for (successor, of_child) in self.below.moves(number) {
            if of_child.is_none() {
                continue;
            }
            let link = Leads::of(successor, of_child);
            lost = lost.without(MoveMask::NONE.with(link.index));
            if node.links.contains(link.index) {
                self.leads.push(link);
            } else {
                let square = successor.square;
                let what = format!("the move {square} leads to a node but is not a link");
                report.note(Invariant::Moves, key, what);
            }
        }
        for (_, square) in legal.enumerate().filter(|&(index, _)| lost.contains(index)) {
            report.note(Invariant::Moves, key, format!("the link {square} leads to no node"));
        }
        let held = self.beside.get(&node.key);
        check_records(node, legal, held, self.order, report);
        let mut expected = *node;
        let derived = match held {
            Some(held) => {
                let derived = self.deriver.derive(node.key, held, &self.leads);
                set_answering(&mut expected, held, &derived);
                derived
            }
            None => {
                let derived = self.deriver.derive_row(node, legal, &self.leads);
                expected.set_derived(&derived);
                derived
            }
        };
        report.held += (self.leads.len() - derived.counting.len()) as u64;
        expected.more = held.is_some_and(Held::is_more);
        compare(node, &expected, report);
    }
}

/// Compares what is stored of a node with what follows for it.
fn compare(node: &Node, expected: &Node, report: &mut Report) {
    let key = node.key;
    let values = node.values;
    if values != expected.values {
        let what = format!(
            "the values are {} {} {} {}..{}, those of links and records are {} {} {} {}..{}",
            values.guess,
            values.draw_seeking,
            values.win_seeking,
            values.lower,
            values.upper,
            expected.values.guess,
            expected.values.draw_seeking,
            expected.values.win_seeking,
            expected.values.lower,
            expected.values.upper,
        );
        report.note(Invariant::Values, Some(key), what);
    }
    // The row of an older program, which kept neither.
    let is_old = node.lines == LineEnds::NOT_KNOWN;
    for (is_right, what) in [
        (is_old || node.evidence == expected.evidence, "the evidence"),
        (is_old || node.lines == expected.lines, "how lines end, or what is to be learned,"),
        (node.due == expected.due, "the mark of a due search"),
        (node.stands == expected.stands, "the mark of a standing record"),
        (node.own_record() == expected.own_record(), "the record that answers"),
        (node.more == expected.more, "the mark of what is kept beside the position"),
    ] {
        if !is_right {
            report.note(Invariant::Evidence, Some(key), format!("{what} is wrong"));
        }
    }
    let guess = i32::from(values.guess.centidiscs());
    let within = i32::from(values.lower) * 100 <= guess && guess <= i32::from(values.upper) * 100;
    if values.win_seeking > values.draw_seeking || values.lower > values.upper || !within {
        report.note(Invariant::Order, Some(key), "the values are in the wrong order");
    }
}

/// Checks the records and bounds of a position by themselves. `held` is what is kept beside its row.
fn check_records(
    node: &Node,
    legal: Squares,
    held: Option<&Held>,
    order: &SourceOrder,
    report: &mut Report,
) {
    let key = node.key;
    let own = node.own_record();
    let records = held.map_or(own.as_slice(), |held| &held.records);
    for record in records {
        let Some(square) = record.rest.square else { continue };
        if !legal.contains(square) {
            let what = format!("the best move {square} is not a legal move");
            report.note(Invariant::Record, Some(key), what);
        } else if record.left_out.contains(legal.index_of(square)) {
            let what = format!("the best move {square} was left out of its search");
            report.note(Invariant::Record, Some(key), what);
        }
    }
    for searched in records.iter().map(|record| record.searched).chain([node.searched]) {
        if !order.knows(searched.source) {
            let what = format!("there is no source {}", searched.source.0);
            report.note(Invariant::Source, Some(key), what);
        }
        if searched.depth > Searched::MOST_PLIES {
            let what = format!("no search is {} plies deep", searched.depth);
            report.note(Invariant::Source, Some(key), what);
        }
    }
    let Some(held) = held else { return };
    let mut tidy = held.clone();
    tidy.tidy(key, order);
    if tidy != *held {
        let what = "a record is kept that answers for no move, or bounds that say nothing";
        report.note(Invariant::Record, Some(key), what);
    }
    let of_bounds = held.bounds.iter().map(|known| known.bounds);
    let mut known = Bounds::ALL;
    for bounds in records.iter().map(Record::proves).chain(of_bounds) {
        match known.meet(bounds) {
            Some(both) => known = both,
            None => {
                report.contradictions += 1;
                let what = format!("{bounds} is proven, and {known}: both cannot be true");
                report.describe(Invariant::Record, Some(key), what);
            }
        }
    }
}

/// Whether a key is canonical and a position in which the side to move has a move.
pub(crate) fn check_key(key: Key) -> Result<(), &'static str> {
    let position = key.position();
    if position.mover & position.opponent != 0 {
        return Err("a square holds two discs");
    }
    if !position.empty_centre().is_empty() {
        return Err("a square of the center is empty");
    }
    if Key::from_canonical(position).is_none() {
        return Err("the position is not in its canonical orientation");
    }
    if !position.can_move() {
        return Err("the side to move has no move");
    }
    Ok(())
}
