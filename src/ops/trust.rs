//! How far the values of a book can be trusted: a letter for how its lines end, the error to expect,
//! and how much there is to remember.

use std::collections::{HashMap, HashSet};

use foldhash::fast::FixedState;

use super::expected_error::expected_error;
use crate::board::Key;
use crate::book::regret::of_move;
use crate::book::{
    LineEnd, MoveKind, Node, NodeMove, NodeSource, ReadOnce, Searched, end_of_best_line,
};
use crate::score::Score;
use crate::search::{Selectivity, chance_above};

/// How the lines of best play end, from A to F, as users of Egaroucid know it. Lines follow every
/// move that gives away less than two discs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Grade {
    /// All ends are exact.
    A,
    /// At least one is exact, the others are searched to the end with less than certainty.
    B,
    /// All are searched to the end, none with certainty.
    C,
    /// At least one is exact, and some were not searched to the end.
    D,
    /// At least one is searched to the end, none exact, and some are not.
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
            Self::A => "all lines end in exact results",
            Self::B => "all lines are searched to the end, some exactly",
            Self::C => "all lines are searched to the end",
            Self::D => "some lines end in exact results",
            Self::E => "some lines are searched to the end",
            Self::F => "no line is searched to the end",
        }
    }
}

/// How sure it is that a loss with this standard error, in discs, is any at all, 0..=1: as much more than
/// a coin knows of it.
pub(super) fn sureness(loss: Score, error: f64) -> f64 {
    (2.0 * chance_above(loss, error, 0.0) - 1.0).max(0.0)
}

/// How far the value of a position can be trusted.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Trust {
    /// How best play ends; none when it leads through more positions than were to be looked at.
    pub grade: Option<Grade>,
    /// The standard error of the guess in discs ([`expected_error`]); 0 where it is exact.
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
    let book = ReadOnce::new(book);
    let Some(node) = book.node(&key)? else { return Ok(Trust::default()) };
    let is_near = |node: &Node, found: &NodeMove| {
        let loss = of_move(node.values, found.values.guess);
        loss < NEAR && found.child.is_some_and(|(child, _)| !child.values.is_exact())
    };
    let is_best = |node: &Node, found: &NodeMove| of_move(node.values, found.values.guess) < BEST;
    let is_read = read_together(&book, node, limit, is_near)?;
    let grade = if is_read { Some(grade(&book, node)?) } else { None };
    let (mut remember, mut other_remembers) = (None, None);
    if read_together(&book, node, limit, is_best)? {
        remember = Some(Memory::of(&book, node, true)?);
        other_remembers = Some(Memory::of(&book, node, false)?);
    }
    Ok(Trust { grade, error: expected_error(&book, key)?, remember, other_remembers })
}

/// So many positions are read at once with where their moves lead: enough for a slow disk to be waited for seldom,
/// and few enough that little is read for nothing where the limit is passed.
const TOGETHER: usize = 64;

/// Reads a node, those that it is left for by moves that are to be followed, and where all of their moves lead:
/// many that are equally far away at once. False when there are more than `limit`, which are then not read to the
/// end.
fn read_together<S: NodeSource + ?Sized>(
    book: &ReadOnce<'_, S>,
    root: Node,
    limit: usize,
    is_followed: impl Fn(&Node, &NodeMove) -> bool,
) -> Result<bool, S::Error> {
    let mut seen: HashSet<Key, FixedState> = HashSet::from_iter([root.key]);
    let mut wave = vec![root];
    while !wave.is_empty() {
        let mut next = Vec::new();
        for part in wave.chunks(TOGETHER) {
            if seen.len() > limit {
                return Ok(false);
            }
            let links = part.iter().flat_map(Node::children);
            book.nodes(&links.map(|link| link.child).collect::<Vec<_>>())?;
            for node in part {
                for found in node.linked_moves(book)? {
                    if is_followed(node, &found)
                        && let Some((child, _)) = found.child
                        && seen.insert(child.key)
                    {
                        next.push(child);
                    }
                }
            }
        }
        wave = next;
    }
    Ok(true)
}

/// The search behind the guess of a node: the plies along the moves that have the guess, and the depth
/// and the confidence of the search at their end. A depth of all empties there with certainty where the
/// end is exact; none where nothing was searched.
///
/// # Errors
/// The book cannot be read.
pub fn search_behind<S: NodeSource + ?Sized>(
    book: &S,
    key: Key,
) -> Result<Option<(u8, Searched)>, S::Error> {
    let Some(node) = book.node(&key)? else { return Ok(None) };
    let LineEnd { node, plies, left_by } =
        end_of_best_line(book, node, |node| node.values.is_exact())?;
    let is_exact = node.values.is_exact() || left_by.is_some_and(|left| left.values.is_exact());
    let searched = match is_exact {
        true => Some(Searched {
            depth: node.key.position().empties(),
            selectivity: Selectivity::FULL,
            ..node.searched
        }),
        false => left_by.map(|_| node.searched),
    };
    Ok(searched.map(|searched| (plies, searched)))
}

fn grade<S: NodeSource + ?Sized>(book: &S, root: Node) -> Result<Grade, S::Error> {
    let mut seen: HashSet<Key, FixedState> = HashSet::default();
    let (mut exact, mut read_out, mut open) = (false, false, false);
    let mut next = vec![root];
    while let Some(node) = next.pop() {
        if !seen.insert(node.key) {
            continue;
        }
        if node.values.is_exact() {
            exact = true;
            continue;
        }
        open |= node.is_incomplete();
        for found in node.moves(book)? {
            if of_move(node.values, found.values.guess) >= NEAR {
                continue;
            }
            match found.child {
                Some((child, _)) => next.push(child),
                // A rest covers the moves that end the game, too.
                None if found.kind == MoveKind::Terminal => exact |= node.rest.is_none(),
                None if found.values.is_exact() => exact = true,
                None if node.searched.depth >= node.key.position().empties() => read_out = true,
                None => open = true,
            }
        }
    }
    Ok(match (exact, read_out, open) {
        (true, false, false) => Grade::A,
        (true, true, false) => Grade::B,
        (false, true, false) => Grade::C,
        (true, _, true) => Grade::D,
        (false, true, true) => Grade::E,
        (false, false, _) => Grade::F,
    })
}

/// Counts what must be remembered: of the own best moves the one with the least behind it, of the
/// other side's best moves all.
struct Memory<'a, S: ?Sized> {
    book: &'a S,
    counts: HashMap<(Key, bool), u64, FixedState>,
}

impl<'a, S: NodeSource + ?Sized> Memory<'a, S> {
    fn of(book: &'a S, node: Node, own: bool) -> Result<u64, S::Error> {
        Self { book, counts: HashMap::default() }.count(node, own)
    }

    /// No deeper than there are empties.
    fn count(&mut self, node: Node, own: bool) -> Result<u64, S::Error> {
        if let Some(&known) = self.counts.get(&(node.key, own)) {
            return Ok(known);
        }
        let mut all: u64 = 0;
        let mut least = u64::MAX;
        for found in node.linked_moves(self.book)? {
            let Some((child, same_side)) = found.child else { continue };
            if of_move(node.values, found.values.guess) >= BEST {
                continue;
            }
            let behind = self.count(child, own == same_side)?;
            all = all.saturating_add(behind);
            least = least.min(behind);
            // There is nothing less to remember than one position.
            if own && least == 1 {
                break;
            }
        }
        // A line that leaves the book is one thing to know.
        let count = match (all, own) {
            (0, _) => 1,
            (_, true) => least,
            (all, false) => all,
        };
        self.counts.insert((node.key, own), count);
        Ok(count)
    }
}
