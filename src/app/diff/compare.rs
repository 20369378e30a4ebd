//! One layer of two books, side by side.

use std::cmp::Ordering;
use std::vec::IntoIter;

use crate::openbook::lines::By;
use crate::openbook::{Child, LayerValues, Link, Node, NodeSource, PROVEN_BONUS, Rest, Values};
use crate::othello::board::{After, Bitboard, Key, Square};
use crate::othello::score::Score;
use crate::store::{LayerParts, Reader, StoreError, storage_order};

/// What one of two books has, or both, in the order of the store.
pub(super) enum Pair {
    /// A position of the first book alone, with its values.
    First(Key, Values),
    /// A position of the second book alone.
    Second(Key, Values),
    Both(Key, Both),
}

impl Pair {
    pub(super) fn key(&self) -> Key {
        match *self {
            Self::First(key, _) | Self::Second(key, _) | Self::Both(key, _) => key,
        }
    }
}

/// What two books say of a position.
pub(super) struct Both {
    /// The values in each, with facts.
    pub(super) values: [Values; 2],
    /// Whether no best move of the one is one of the other.
    pub(super) best_move_changed: bool,
    /// Whether anything else is said: of values, moves, or how they were searched.
    pub(super) differs: bool,
}

impl Both {
    /// The value that moved most, and by how much, in centidiscs. What a proof adds to a seeking value is
    /// no distance.
    pub(super) fn moved(&self) -> (By, i32) {
        let apart = |by: By| {
            let [a, b] = self.values.map(|values| by.value(values).centidiscs());
            let is_bonus = a / PROVEN_BONUS != b / PROVEN_BONUS;
            if is_bonus { 0 } else { (i32::from(a) - i32::from(b)).abs() }
        };
        let all = [By::Guess, By::DrawSeeking, By::WinSeeking].map(|by| (by, apart(by)));
        // The first of equals.
        all.into_iter().rev().max_by_key(|&(_, apart)| apart).unwrap_or_default()
    }

    /// By how much the value moved that moved most, in centidiscs.
    pub(super) fn moved_by(&self) -> i32 {
        self.moved().1
    }

    /// Whether something else is proven.
    pub(super) fn proof_changed(&self) -> bool {
        let [a, b] = self.values;
        a.bounds() != b.bounds()
    }

    /// Whether the books prove what cannot both be true.
    pub(super) fn contradicts(&self) -> bool {
        let [a, b] = self.values;
        a.bounds().meet(b.bounds()).is_none()
    }
}

/// The nodes of a layer, one by one, with what is known from facts.
struct Nodes<'r> {
    reader: &'r Reader,
    parts: LayerParts<'r>,
    has_facts: bool,
    part: IntoIter<Node>,
}

impl<'r> Nodes<'r> {
    fn of(reader: &'r Reader, discs: u8) -> Result<Self, StoreError> {
        let has_facts = reader.has_facts()?;
        let parts = LayerParts::new(reader, discs);
        Ok(Self { reader, parts, has_facts, part: Vec::new().into_iter() })
    }

    fn next(&mut self) -> Result<Option<Node>, StoreError> {
        loop {
            if let Some(node) = self.part.next() {
                return Ok(Some(node));
            }
            let Some(mut part) = self.parts.next_part()? else { return Ok(None) };
            if self.has_facts {
                let keys: Vec<Key> = part.iter().map(|node| node.key).collect();
                for (node, known) in part.iter_mut().zip(self.reader.known(&keys)?) {
                    node.values = known.unwrap_or(node.values);
                }
            }
            self.part = part.into_iter();
        }
    }
}

/// Gives all positions of a layer that one of two books has or both, in the order of the store. `below`
/// are the values of the next layer of each; returns those of this one.
pub(super) fn compare_layer(
    books: [&Reader; 2],
    discs: u8,
    below: &[LayerValues; 2],
    mut each: impl FnMut(Pair),
) -> Result<[LayerValues; 2], StoreError> {
    let mut layer = [LayerValues::default(), LayerValues::default()];
    let [mut a, mut b] = [Nodes::of(books[0], discs)?, Nodes::of(books[1], discs)?];
    let mut next = (a.next()?, b.next()?);
    loop {
        let order = match &next {
            (None, None) => break,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(one), Some(other)) => storage_order(one.key).cmp(&storage_order(other.key)),
        };
        let one = if order.is_le() { next.0.take() } else { None };
        let other = if order.is_ge() { next.1.take() } else { None };
        if let Some(node) = &one {
            layer[0].push(node.key, Child::from(node));
            next.0 = a.next()?;
        }
        if let Some(node) = &other {
            layer[1].push(node.key, Child::from(node));
            next.1 = b.next()?;
        }
        match (one, other) {
            (Some(node), None) => each(Pair::First(node.key, node.values)),
            (None, Some(node)) => each(Pair::Second(node.key, node.values)),
            (Some(one), Some(other)) => each(Pair::Both(one.key, compare(&one, &other, below))),
            (None, None) => {}
        }
    }
    layer.iter_mut().for_each(LayerValues::build_index);
    Ok(layer)
}

fn compare(a: &Node, b: &Node, below: &[LayerValues; 2]) -> Both {
    let searched = |node: &Node| (node.searched.depth, node.searched.selectivity);
    let differs = a.values != b.values
        || a.links != b.links
        || a.record != b.record
        || searched(a) != searched(b);
    let links: Vec<Link> = a.children().collect();
    let best_of_a = best_moves(a, &links, &below[0]);
    let best_of_b = match a.links == b.links {
        true => best_moves(b, &links, &below[1]),
        false => best_moves(b, &b.children().collect::<Vec<_>>(), &below[1]),
    };
    Both {
        values: [a.values, b.values],
        best_move_changed: are_others(a.key, best_of_a, best_of_b),
        differs,
    }
}

/// Squares of the moves with the best guess; none when the best value is that of a rest without a move,
/// or when nothing is known.
fn best_moves(node: &Node, links: &[Link], below: &LayerValues) -> Bitboard {
    let (mut all, mut believed) = (Best::default(), Best::default());
    let mut offer = |guess: Score, bit: Bitboard| {
        all.offer(guess, bit);
        // What seems better than the position itself is held: its record answers for that move.
        if guess <= node.values.guess {
            believed.offer(guess, bit);
        }
    };
    for link in links {
        if let Some(child) = below.get(link.child) {
            offer(link.worth(child.values).guess, link.square.bit());
        }
    }
    if let Some(rest @ Rest { square, .. }) = node.rest() {
        offer(rest.values().guess, square.map_or(0, Square::bit));
    } else {
        for square in node.unlinked() {
            if let Some(After::Over(discs)) = node.key.position().after(square) {
                offer(Score::from_discs(discs), square.bit());
            }
        }
    }
    believed.guess.map_or(all.squares, |_| believed.squares)
}

/// The best of some moves.
#[derive(Default)]
struct Best {
    guess: Option<Score>,
    squares: Bitboard,
}

impl Best {
    fn offer(&mut self, guess: Score, bit: Bitboard) {
        if self.guess.is_none_or(|best| guess > best) {
            *self = Self { guess: Some(guess), squares: bit };
        } else if self.guess == Some(guess) {
            self.squares |= bit;
        }
    }
}

/// Whether none of some moves is one of others, or its image; never where one side is not known.
fn are_others(key: Key, some: Bitboard, others: Bitboard) -> bool {
    if some == 0 || others == 0 || some & others != 0 {
        return false;
    }
    let is_one = |square: Square, among: Bitboard| {
        key.symmetries().any(|symmetry| symmetry.square(square).bit() & among != 0)
    };
    !(0..64).filter_map(Square::try_new).any(|at| some & at.bit() != 0 && is_one(at, others))
}
