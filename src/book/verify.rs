//! The invariants of a book, by number.

use std::collections::HashSet;
use std::fmt;

use crate::board::Key;

use super::propagate::Maximum;
use super::{LayerValues, Node, Searched, SourceId};

/// An invariant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Invariant {
    /// The key is canonical, in its layer, and a position in which the side to move has a move.
    Key = 1,
    /// The rest is legal and not a link.
    Rest = 2,
    /// Every legal move is a link, the rest, or bounded by the rest; links lead to nodes.
    Moves = 3,
    /// The values are the negamax of links and rest, bit for bit.
    Negamax = 4,
    /// `win_seeking <= draw_seeking`, `lower <= upper`, and the guess is within the bounds.
    Order = 5,
    /// The source is known, and searched no deeper than a board is.
    Source = 6,
    /// The counts of the layers are right.
    Layers = 7,
    /// Facts can be true beside our own proofs and each other, and what is known from them follows from
    /// links, rests and facts, bit for bit.
    Facts = 8,
}

/// B1 to B8.
impl fmt::Display for Invariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "B{}", *self as u8)
    }
}

/// An invariant that does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// Which.
    pub invariant: Invariant,
    /// Where; none when it concerns no single node.
    pub key: Option<Key>,
    /// What is wrong.
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
    pub incomplete: u64,
    /// How many invariants do not hold.
    pub violations: u64,
    /// Those of them that are facts which are not believed: they change no value.
    pub not_believed: u64,
    /// The first of them.
    pub first: Vec<Violation>,
}

impl Report {
    /// How many violations are described.
    pub const DESCRIBED: usize = 100;

    /// Whether everything holds.
    #[must_use]
    pub const fn is_sound(&self) -> bool {
        self.violations == 0
    }

    /// Notes a violation.
    pub fn note(&mut self, invariant: Invariant, key: Option<Key>, what: impl Into<String>) {
        self.violations += 1;
        if self.first.len() < Self::DESCRIBED {
            self.first.push(Violation { invariant, key, what: what.into() });
        }
    }
}

/// Checks one node against the layer below it, which it may link to, and notes what does not hold.
pub fn check(node: &Node, below: &LayerValues, sources: &HashSet<SourceId>, report: &mut Report) {
    report.positions += 1;
    let key = node.key;
    let position = key.position();
    if let Err(what) = check_key(key) {
        report.note(Invariant::Key, Some(key), what);
        // Nothing else means anything on such a board.
        return;
    }
    report.incomplete += u64::from(node.is_incomplete());
    let legal = position.legal_moves();
    if !node.links.without(super::MoveMask::all_of(legal.len())).is_empty() {
        report.note(Invariant::Moves, Some(key), "a link is set for a move that does not exist");
    }
    let mut unlinked = 0;
    let mut best = Maximum::default();
    for (index, square) in legal.enumerate() {
        let linked = node.links.contains(index);
        unlinked += u32::from(!linked);
        let child = super::child_of(position, square);
        let found = child.and_then(|(key, same_side)| Some((below.get(key)?, same_side)));
        match (linked, found) {
            (true, Some((values, same_side))) => best.raise(Some(values), same_side),
            (true, None) => {
                best.raise(None, false);
                let what = format!("the link {square} leads to no node");
                report.note(Invariant::Moves, Some(key), what);
            }
            (false, Some(_)) => {
                let what = format!("the move {square} leads to a node but is not a link");
                report.note(Invariant::Moves, Some(key), what);
            }
            (false, None) => {}
        }
    }
    if let Some(rest) = node.rest {
        if unlinked == 0 {
            report.note(Invariant::Moves, Some(key), "there is a rest though all moves are links");
        }
        match rest.square {
            Some(square) if !legal.contains(square) => {
                let what = format!("the rest {square} is not a legal move");
                report.note(Invariant::Rest, Some(key), what);
            }
            Some(square) if node.links.squares(key) & square.bit() != 0 => {
                report.note(Invariant::Rest, Some(key), format!("the rest {square} is a link"));
            }
            _ => {}
        }
    }
    let expected = best.with_rest(node);
    let values = node.values;
    if values != expected {
        let what = format!(
            "the values are {} {} {} {}..{}, those of links and rest are {} {} {} {}..{}",
            values.guess,
            values.draw_seeking,
            values.win_seeking,
            values.lower,
            values.upper,
            expected.guess,
            expected.draw_seeking,
            expected.win_seeking,
            expected.lower,
            expected.upper,
        );
        report.note(Invariant::Negamax, Some(key), what);
    }
    let guess = i32::from(values.guess.centidiscs());
    let within = i32::from(values.lower) * 100 <= guess && guess <= i32::from(values.upper) * 100;
    if values.win_seeking > values.draw_seeking || values.lower > values.upper || !within {
        report.note(Invariant::Order, Some(key), "the values are in the wrong order");
    }
    if !sources.contains(&node.searched.source) {
        let what = format!("there is no source {}", node.searched.source.0);
        report.note(Invariant::Source, Some(key), what);
    }
    if node.searched.depth > Searched::MOST_PLIES {
        let what = format!("no search is {} plies deep", node.searched.depth);
        report.note(Invariant::Source, Some(key), what);
    }
}

/// Whether a key is canonical and a position in which the side to move has a move.
///
/// # Errors
/// What is wrong with it.
pub fn check_key(key: Key) -> Result<(), &'static str> {
    let position = key.position();
    if position.mover & position.opponent != 0 {
        return Err("a square holds two discs");
    }
    if !position.empty_centre().is_empty() {
        return Err("a square of the centre is empty");
    }
    if Key::from_canonical(position).is_none() {
        return Err("the position is not in its canonical orientation");
    }
    if !position.can_move() {
        return Err("the side to move has no move");
    }
    Ok(())
}
