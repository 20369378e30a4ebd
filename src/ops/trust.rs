//! How far the values of a book can be trusted: a letter for how its lines end, the error to expect,
//! and how much there is to remember.

use std::collections::{HashMap, HashSet};

use foldhash::fast::FixedState;

use crate::board::{After, Key, Square};
use crate::book::regret::of_move;
use crate::book::{Node, NodeSource, Values, child_of};
use crate::search::{Proof, standard_error};

/// How the lines of best play end, from A to F, as users of Egaroucid know it. Lines follow every
/// move that gives away less than two discs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Grade {
    /// All ends are exact.
    A,
    /// At least one is exact, the others are read out: searched to the end with less than certainty.
    B,
    /// All are read out.
    C,
    /// At least one is exact, and some were not searched to the end.
    D,
    /// At least one is read out, none exact, and some were not searched to the end.
    E,
    /// None was searched to the end.
    F,
}

impl Grade {
    /// The letter.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::A => 'A',
            Self::B => 'B',
            Self::C => 'C',
            Self::D => 'D',
            Self::E => 'E',
            Self::F => 'F',
        }
    }

    /// In words.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::A => "all ends are exact",
            Self::B => "all ends are read out, some are exact",
            Self::C => "all ends are read out",
            Self::D => "some ends are exact",
            Self::E => "some ends are read out",
            Self::F => "no end is read out",
        }
    }
}

/// How far the value of a position can be trusted.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Trust {
    /// How best play ends; none when it leads through more positions than were to be looked at.
    pub grade: Option<Grade>,
    /// The standard error of the guess in discs: that of the search which the guess comes from; 0
    /// where it is exact.
    pub error: Option<f64>,
    /// In how many positions the side to move must know its way to stay on best lines, whatever
    /// best moves the other side chooses; none as for `grade`.
    pub remember: Option<u64>,
    /// The same for the other side.
    pub other_remembers: Option<u64>,
}

/// Moves that give away less than this follow the best ones, in centidiscs.
const NEAR: i32 = 200;
/// Moves that give away less than this count as best, as they do in a book of whole discs.
const BEST: i32 = 50;

/// Looks at a node and at what best play leads to, at most `limit` positions for each question.
///
/// # Errors
/// The book cannot be read.
pub fn trust<S: NodeSource + ?Sized>(book: &S, key: Key, limit: usize) -> Result<Trust, S::Error> {
    let mut walk = Walk { book, known: HashMap::default() };
    let Some(node) = walk.node(key)? else { return Ok(Trust::default()) };
    Ok(Trust {
        grade: walk.grade(node, limit)?,
        error: expected_error(book, key)?,
        remember: Memory::of(&mut walk, limit, node, true)?,
        other_remembers: Memory::of(&mut walk, limit, node, false)?,
    })
}

/// The standard error in discs of the guess of a node, found along the moves that have it: that of
/// the search at their end. Where that is exact, what can be wrong is that another move is better:
/// then it is the largest error of the moves on the way that give away less than two discs. 0 where
/// the node is exact, none where nothing was searched.
///
/// # Errors
/// The book cannot be read.
pub fn expected_error<S: NodeSource + ?Sized>(book: &S, key: Key) -> Result<Option<f64>, S::Error> {
    let Some(mut node) = book.node(&key)? else { return Ok(None) };
    let mut doubt = 0.0_f64;
    while !node.values.is_exact() {
        let mut moves = node_moves(book, &node)?;
        // A bound of the node may hold its guess off that of its moves: the best of them counts,
        // the first of equals.
        moves.reverse();
        let best = moves.iter().enumerate().max_by_key(|(_, found)| found.values.guess);
        let Some((index, _)) = best else { return Ok(None) };
        let best = moves.swap_remove(index);
        let near = moves.iter().filter(|found| {
            of_move(best.values, found.values.guess) < NEAR && !found.values.is_exact()
        });
        doubt = near.map(|found| found.error).fold(doubt, f64::max);
        match best.child {
            Some(child) => node = child,
            None if best.values.is_exact() => break,
            None => return Ok(Some(best.error)),
        }
    }
    Ok(Some(doubt))
}

/// A move of which something is known.
struct KnownMove {
    /// For the side that makes it.
    values: Values,
    /// The standard error of the search of what comes after it.
    error: f64,
    child: Option<Node>,
}

/// The rest, then the links, then what ends the game.
fn node_moves<S: NodeSource + ?Sized>(book: &S, node: &Node) -> Result<Vec<KnownMove>, S::Error> {
    let position = node.key.position();
    let mut moves = Vec::new();
    if let Some(rest) = node.rest {
        let values = Values::of_search(rest.score, rest.proof);
        moves.push(KnownMove { values, error: error_of_rest(node), child: None });
    }
    // Symmetric moves are one.
    let mut links: Vec<(Key, bool)> =
        node.linked().filter_map(|square| child_of(position, square)).collect();
    links.sort_unstable();
    links.dedup();
    let keys: Vec<Key> = links.iter().map(|&(key, _)| key).collect();
    for (child, (_, same_side)) in book.nodes(&keys)?.into_iter().zip(links) {
        let Some(child) = child else { continue };
        let values = child.values.seen_by_parent(same_side);
        moves.push(KnownMove { values, error: error_of_rest(&child), child: Some(child) });
    }
    for square in node.unlinked() {
        if let Some(After::Over(discs)) = position.after(square) {
            moves.push(KnownMove { values: Values::of_final(discs), error: 0.0, child: None });
        }
    }
    Ok(moves)
}

/// The standard error of the search of a node's rest, in discs.
#[must_use]
pub fn error_of_rest(node: &Node) -> f64 {
    if node.rest.is_some_and(|rest| rest.proof == Proof::Exact) {
        return 0.0;
    }
    let searched = node.searched;
    standard_error(node.key.position().empties(), searched.depth, searched.selectivity)
}

/// Reads each node once.
struct Walk<'a, S: NodeSource + ?Sized> {
    book: &'a S,
    known: HashMap<Key, Option<Node>, FixedState>,
}

impl<S: NodeSource + ?Sized> Walk<'_, S> {
    fn node(&mut self, key: Key) -> Result<Option<Node>, S::Error> {
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let node = self.book.node(&key)?;
        self.known.insert(key, node);
        Ok(node)
    }

    /// The links of a node that give away less than `margin`, and whether the same side moves
    /// after them. Symmetric moves are one.
    fn links(&mut self, node: &Node, margin: i32) -> Result<Vec<(Node, bool)>, S::Error> {
        let mut links: Vec<(Node, bool)> = Vec::new();
        for square in node.linked() {
            let Some((key, same_side)) = child_of(node.key.position(), square) else { continue };
            let Some(child) = self.node(key)? else { continue };
            let guess = child.values.seen_by_parent(same_side).guess;
            let near = of_move(node.values, guess) < margin;
            if near && links.iter().all(|(known, _)| known.key != key) {
                links.push((child, same_side));
            }
        }
        Ok(links)
    }

    fn grade(&mut self, root: Node, limit: usize) -> Result<Option<Grade>, S::Error> {
        let mut seen: HashSet<Key, FixedState> = HashSet::default();
        let (mut exact, mut read_out, mut open) = (false, false, false);
        let mut next = vec![root];
        while let Some(node) = next.pop() {
            if !seen.insert(node.key) {
                continue;
            }
            if seen.len() > limit {
                return Ok(None);
            }
            if node.values.is_exact() {
                exact = true;
                continue;
            }
            next.extend(self.links(&node, NEAR)?.into_iter().map(|(child, _)| child));
            let rest = node.rest.map(|rest| Values::of_search(rest.score, rest.proof));
            if let Some(values) = rest
                && of_move(node.values, values.guess) < NEAR
            {
                if values.is_exact() {
                    exact = true;
                } else if node.searched.depth >= node.key.position().empties() {
                    read_out = true;
                } else {
                    open = true;
                }
            }
            open |= node.is_incomplete();
            if node.rest.is_none() && ends_near(&node) {
                exact = true;
            }
        }
        Ok(Some(match (exact, read_out, open) {
            (true, false, false) => Grade::A,
            (true, true, false) => Grade::B,
            (false, true, false) => Grade::C,
            (true, _, true) => Grade::D,
            (false, true, true) => Grade::E,
            (false, false, _) => Grade::F,
        }))
    }
}

/// Whether a move that ends the game is near the best.
fn ends_near(node: &Node) -> bool {
    let after = |square: Square| node.key.position().after(square);
    node.unlinked().any(|square| match after(square) {
        Some(After::Over(discs)) => of_move(node.values, Values::of_final(discs).guess) < NEAR,
        _ => false,
    })
}

/// Counts what must be remembered: of the own best moves the one with the least behind it, of the
/// other side's best moves all.
struct Memory<'w, 'a, S: NodeSource + ?Sized> {
    walk: &'w mut Walk<'a, S>,
    counts: HashMap<(Key, bool), u64, FixedState>,
    limit: usize,
}

impl<'w, 'a, S: NodeSource + ?Sized> Memory<'w, 'a, S> {
    fn of(
        walk: &'w mut Walk<'a, S>,
        limit: usize,
        node: Node,
        own: bool,
    ) -> Result<Option<u64>, S::Error> {
        Self { walk, counts: HashMap::default(), limit }.count(node, own)
    }

    /// No deeper than there are empties.
    fn count(&mut self, node: Node, own: bool) -> Result<Option<u64>, S::Error> {
        if let Some(&known) = self.counts.get(&(node.key, own)) {
            return Ok(Some(known));
        }
        if self.counts.len() >= self.limit {
            return Ok(None);
        }
        let mut all: u64 = 0;
        let mut least = u64::MAX;
        for (child, same_side) in self.walk.links(&node, BEST)? {
            let Some(behind) = self.count(child, own == same_side)? else { return Ok(None) };
            all = all.saturating_add(behind);
            least = least.min(behind);
        }
        // A line that leaves the book is one thing to know.
        let count = match (all, own) {
            (0, _) => 1,
            (_, true) => least,
            (all, false) => all,
        };
        self.counts.insert((node.key, own), count);
        Ok(Some(count))
    }
}
