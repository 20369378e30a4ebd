//! What differs between two books.
//!
//! Both hold their positions in the same order, so they are gone through side by side, layer by layer.
//! In memory are some thousand positions of each book, what is to be listed, and the values of two
//! neighbouring layers of each, some 30 bytes a position, from which best moves are found.

mod compare;
mod nearest;

use std::cmp::Reverse;
use std::collections::HashSet;

use foldhash::fast::FixedState;
use serde::Serialize;

use crate::files::games::opening_of_line;
use crate::openbook::regret::RegretLimits;
use crate::openbook::{LayerValues, NodeView, Values, WithFacts, deepest_first};
use crate::othello::board::{Key, Line, Placed, Square, write_from_f5};
use crate::store::{Reader, StoreError};

use super::json::{in_discs, object, serialize};
use super::within::Walk;
use crate::openbook::lines::By;
use crate::openbook::way::line_to;
use compare::{Both, Pair, compare_layer};
use nearest::Nearest;

/// Positions between two words of how far it has come.
const TOLD_EVERY: u64 = 50_000;

/// What counts as a difference, and how much of it is listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct DiffOptions {
    /// A value has moved when it did so by more than this, in centidiscs.
    pub by: i32,
    /// The most positions in each list.
    pub limit: usize,
    /// Where given, only positions that lines from here reach in either book are compared.
    pub from: Option<Placed>,
    /// Where given, only those changed positions are listed whose best move is another one and which a line from
    /// the start reaches that gives away no more than so much by the values of the first book, in centidiscs.
    pub best_within: Option<i32>,
}

/// How far values moved.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct MoveSizes {
    /// How many moved by more than each of [`Self::MORE_THAN`].
    pub counts: [u64; Self::MORE_THAN.len()],
    /// By how much the one moved that moved most, in centidiscs.
    pub most: i32,
}

impl MoveSizes {
    /// In centidiscs.
    pub(crate) const MORE_THAN: [i32; 5] = [0, 50, 100, 200, 400];

    fn count(&mut self, moved_by: i32) {
        for (count, more_than) in self.counts.iter_mut().zip(Self::MORE_THAN) {
            *count += u64::from(moved_by > more_than);
        }
        self.most = self.most.max(moved_by);
    }
}

/// The positions of two books with equally many discs, counted.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct LayerDiff {
    /// Discs on the board; 0 for all layers together.
    #[serde(skip_serializing_if = "is_all")]
    pub discs: u8,
    /// Positions that both have.
    pub both: u64,
    /// Positions that the first book alone has.
    pub only_a: u64,
    /// Positions that the second book alone has.
    pub only_b: u64,
    /// Of those of both: the books say anything else, values, moves, or how they were searched.
    pub differ: u64,
    /// Of those of both: values moved by more than was asked for.
    pub moved: u64,
    /// Of those of both: they have another best move.
    pub best_move_changed: u64,
    /// Of those of both: something else is proven.
    #[serde(rename = "proof_changed")]
    pub proofs: u64,
    /// Of those of both: the books prove what cannot both be true.
    pub contradicted: u64,
}

fn is_all(&discs: &u8) -> bool {
    discs == 0
}

impl LayerDiff {
    fn count(&mut self, both: &Both, by: i32) {
        self.both += 1;
        self.differ += u64::from(both.differs);
        self.moved += u64::from(both.moved_by() > by);
        self.best_move_changed += u64::from(both.best_move_changed);
        self.proofs += u64::from(both.proof_changed());
        self.contradicted += u64::from(both.contradicts());
    }

    fn add(&mut self, other: &Self) {
        self.only_a += other.only_a;
        self.only_b += other.only_b;
        self.both += other.both;
        self.differ += other.differ;
        self.moved += other.moved;
        self.best_move_changed += other.best_move_changed;
        self.proofs += other.proofs;
        self.contradicted += other.contradicted;
    }
}

/// Where a listed position is.
#[derive(Clone, Debug)]
pub struct DiffPlace {
    /// A line from the start to it; where the book has no such line, one without moves from its board.
    pub line: Line,
    /// The board that is to be played on.
    pub placed: Placed,
}

impl DiffPlace {
    /// Whether a line from the start leads there.
    pub(crate) fn is_from_the_start(&self) -> bool {
        self.line.start() == Placed::START
    }

    /// How many moves were played before it.
    pub(crate) fn ply(&self) -> u8 {
        self.placed.position.discs().saturating_sub(4)
    }
}

serialize! {
    place(DiffPlace) => object! {
        ply: place.ply(),
        line: place.is_from_the_start().then_some(&place.line),
        name: opening_of_line(&place.line),
        position: place.placed,
    },
}

/// What a book says of a position, for the side to move there.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Said {
    pub values: Values,
    /// The best move; none where it is not known.
    pub best_move: Option<Square>,
}

/// A position of both books of which they say something else.
#[derive(Serialize, Clone, Debug)]
pub struct ChangedPosition {
    #[serde(flatten)]
    pub place: DiffPlace,
    /// What the first book says.
    pub a: Said,
    /// What the second book says.
    pub b: Said,
    /// Which of the three values moved most.
    #[serde(rename = "moved_most")]
    pub moved: By,
    /// By how much, in centidiscs. The 100 discs that a proof adds to a seeking value do not count.
    #[serde(serialize_with = "in_discs")]
    pub moved_by: i32,
    /// Whether that is more than was asked for.
    #[serde(rename = "moved")]
    pub has_moved: bool,
    /// Whether it has another best move.
    pub best_move_changed: bool,
    /// Whether something else is proven.
    pub proof_changed: bool,
    /// Whether the books prove what cannot both be true.
    #[serde(rename = "contradicted")]
    pub contradicts: bool,
}

/// A position of one book alone.
#[derive(Clone, Debug)]
pub struct SinglePosition {
    pub place: DiffPlace,
    /// What that book says.
    pub said: Said,
}

/// What differs between two books.
#[derive(Clone, Default, Debug)]
pub struct BookDiff {
    /// How many positions the two books have, compared or not.
    pub positions: [u64; 2],
    /// Counts by number of discs, ascending.
    pub layers: Vec<LayerDiff>,
    /// How far the values of positions of both moved.
    pub sizes: MoveSizes,
    /// How many positions could be listed as changed.
    pub listable: u64,
    /// Positions of which the books say something else: those with the fewest moves before them first,
    /// among these first what cannot both be true, and then what moved most.
    pub changed: Vec<ChangedPosition>,
    /// Positions that the first book alone has: those with the fewest moves before them first, among
    /// these the most even.
    pub only_a: Vec<SinglePosition>,
    /// The same of the second book.
    pub only_b: Vec<SinglePosition>,
}

impl BookDiff {
    /// All layers together.
    pub(crate) fn total(&self) -> LayerDiff {
        let mut total = LayerDiff::default();
        self.layers.iter().for_each(|layer| total.add(layer));
        total
    }

    /// Whether both books have the same positions and say the same of them.
    pub(crate) fn is_equal(&self) -> bool {
        let LayerDiff { only_a, only_b, differ, .. } = self.total();
        only_a + only_b + differ == 0
    }
}

/// Finds out what differs between two books, each as it is at one moment. `watch` gets now and then how
/// many positions of both together were looked at, and of how many.
pub(crate) fn diff(
    a: &Reader,
    b: &Reader,
    options: &DiffOptions,
    mut watch: impl FnMut(u64, u64),
) -> Result<BookDiff, StoreError> {
    let (a, b) = (a.snapshot()?, b.snapshot()?);
    let counts = [a.counts()?, b.counts()?];
    let mut layers: Vec<u8> =
        counts.iter().flat_map(|counts| counts.layers.iter().map(|&(discs, _)| discs)).collect();
    layers.sort_unstable();
    layers.dedup();
    let all = counts.iter().map(|counts| counts.positions).sum();
    let DiffOptions { by, limit, from, best_within } = *options;
    let positions = counts.each_ref().map(|counts| counts.positions);
    let mut found = BookDiff { positions, ..BookDiff::default() };
    let within = best_within.map(|line_loss| reached(&[&a], Placed::START, Some(line_loss)));
    let within = within.transpose()?;
    let part = from.map(|from| reached(&[&a, &b], from, None)).transpose()?;
    let (mut changed, mut only_a, mut only_b) =
        (Nearest::new(limit), Nearest::new(limit), Nearest::new(limit));
    let mut done = 0;
    deepest_first(layers, |discs, below: Option<[LayerValues; 2]>| {
        let mut layer = LayerDiff { discs, ..LayerDiff::default() };
        let values = compare_layer([&a, &b], discs, &below.unwrap_or_default(), |pair| {
            let before = done / TOLD_EVERY;
            done += if matches!(pair, Pair::Both(..)) { 2 } else { 1 };
            if done / TOLD_EVERY > before {
                watch(done, all);
            }
            if part.as_ref().is_some_and(|part| !part.contains(&pair.key())) {
                return;
            }
            match pair {
                Pair::First(key, values) => {
                    layer.only_a += 1;
                    only_a.offer(evenness(values), key, values);
                }
                Pair::Second(key, values) => {
                    layer.only_b += 1;
                    only_b.offer(evenness(values), key, values);
                }
                Pair::Both(key, both) => {
                    layer.count(&both, by);
                    found.sizes.count(both.moved_by());
                    let is_listed = match &within {
                        Some(within) => both.best_move_changed && within.contains(&key),
                        None => {
                            both.moved_by() > by || both.best_move_changed || both.proof_changed()
                        }
                    };
                    if is_listed {
                        found.listable += 1;
                        changed.offer(Reverse((both.contradicts(), both.moved_by())), key, both);
                    }
                }
            }
        })?;
        found.layers.push(layer);
        changed.end_layer();
        only_a.end_layer();
        only_b.end_layer();
        Ok::<_, StoreError>(values)
    })?;
    found.layers.reverse();
    for (key, both) in changed.all() {
        let place = place(&[&a, &b], key)?;
        let [values_in_a, values_in_b] = both.values;
        let (moved, moved_by) = both.moved();
        found.changed.push(ChangedPosition {
            a: Said { values: values_in_a, best_move: best_move(&a, &place)? },
            b: Said { values: values_in_b, best_move: best_move(&b, &place)? },
            moved,
            moved_by,
            has_moved: moved_by > by,
            best_move_changed: both.best_move_changed,
            proof_changed: both.proof_changed(),
            contradicts: both.contradicts(),
            place,
        });
    }
    found.only_a = singles(&a, only_a)?;
    found.only_b = singles(&b, only_b)?;
    Ok(found)
}

/// The positions that lines from one reach in any of these books, of lines that give away no more than so
/// much, in centidiscs.
fn reached(
    books: &[&Reader],
    from: Placed,
    line_loss: Option<i32>,
) -> Result<HashSet<Key, FixedState>, StoreError> {
    let mut reached = HashSet::default();
    let limits = RegretLimits { total: line_loss, ..RegretLimits::default() };
    let walk = Walk::from(from, limits);
    for book in books {
        walk.run(book, |_, node, is_reached| {
            if is_reached {
                reached.insert(node.key);
            }
            true
        })?;
    }
    Ok(reached)
}

/// How far a position is from even, in centidiscs.
fn evenness(values: Values) -> u16 {
    values.guess.centidiscs().unsigned_abs()
}

fn singles(
    book: &Reader,
    nearest: Nearest<u16, Values>,
) -> Result<Vec<SinglePosition>, StoreError> {
    let single = |(key, values)| {
        let place = place(&[book], key)?;
        let best_move = best_move(book, &place)?;
        Ok(SinglePosition { place, said: Said { values, best_move } })
    };
    nearest.all().map(single).collect()
}

/// The move that a book thinks best, on the board of a place.
fn best_move(book: &Reader, place: &DiffPlace) -> Result<Option<Square>, StoreError> {
    let view = NodeView::of(&WithFacts::of(book)?, place.placed.position)?;
    let best = view.moves.first().filter(|found| found.values.is_some());
    let mut best: Vec<Square> = best.map(|found| found.square).into_iter().collect();
    if place.placed == Placed::START {
        write_from_f5(&mut best);
    }
    Ok(best.first().copied())
}

/// A line to a position in one of the books, of the first that has one; else its board.
fn place(books: &[&Reader], key: Key) -> Result<DiffPlace, StoreError> {
    for book in books {
        if let Some(moves) = line_to(*book, key)? {
            let line = Line::default().then(&moves);
            return Ok(DiffPlace { placed: line.board(), line });
        }
    }
    let placed = Placed::black_to_move(key.position());
    Ok(DiffPlace { line: Line::from_board(placed), placed })
}
