//! The b-tree that the nodes are in, page by page and without SQLite.

use std::collections::HashSet;

use crate::openbook::Node;

use super::Pages;
use super::page::{Page, PageKind};
use crate::store::row::{self, storage_order};

/// Where the tree starts: the first table of the first migration, in every book.
pub(in crate::store) const ROOT: u32 = 2;

/// Levels that a tree has fewer of: SQLite itself goes no deeper (source: its `BTCURSOR_MAX_DEPTH`).
pub(in crate::store) const DEEPEST: u8 = 20;

/// Where a node is in the order of the file: its discs and the boards as they are stored.
pub(in crate::store) type RowOrder = (u8, i64, i64);

pub(in crate::store) struct NodePage {
    /// Those that can be read, in their order.
    pub(in crate::store) nodes: Vec<Node>,
    /// The pages of what comes before each of them and after the last, unless it is a leaf.
    children: Vec<u32>,
    /// How many rows mean nothing.
    pub(in crate::store) meaningless: u64,
}

impl NodePage {
    /// Reads a page; none when it holds anything but nodes.
    pub(in crate::store) fn read(pages: &Pages, number: u32) -> Option<Self> {
        Self::of(number, &pages.read(number)?)
    }

    /// Takes the bytes of a page; none when it holds anything but nodes.
    pub(in crate::store) fn of(number: u32, bytes: &[u8]) -> Option<Self> {
        let page = Page::of(number, bytes)?;
        if !matches!(page.kind, PageKind::IndexInterior | PageKind::IndexLeaf) {
            return None;
        }
        let mut found = Self { nodes: Vec::new(), children: Vec::new(), meaningless: 0 };
        for cell in page.cells() {
            let node = cell.as_ref().and_then(|cell| row::stored_node(&cell.columns()?));
            match node {
                Some(node) => found.nodes.push(node),
                None => found.meaningless += 1,
            }
            found.children.extend(cell.and_then(|cell| cell.before));
        }
        found.children.extend(page.last());
        (!found.nodes.is_empty() || found.meaningless == 0).then_some(found)
    }

    /// Whether all of it can be read, is in order, and between these places.
    fn is_sound(&self, range: Range) -> bool {
        let places = || self.nodes.iter().map(|node| storage_order(node.key));
        self.meaningless == 0
            && places().is_sorted_by(|one, next| one < next)
            && places().all(|place| range.holds(place))
    }
}

/// What is between two places, both excluded; none is the end of the book.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(in crate::store) struct Range {
    after: Option<RowOrder>,
    before: Option<RowOrder>,
}

impl Range {
    pub(in crate::store) fn holds(self, place: RowOrder) -> bool {
        self.after.is_none_or(|after| after < place)
            && self.before.is_none_or(|before| place < before)
    }
}

/// What was found on the way through the tree.
pub(in crate::store) struct Walked {
    /// The sound pages that it leads to.
    pub(in crate::store) sound: HashSet<u32>,
    /// The pages that cannot be read, or hold what does not belong there, and what should be on them
    /// and below them.
    pub(in crate::store) gaps: Vec<(u32, Range)>,
}

/// Goes through the tree from its root. Of the leaves one in so many is looked at.
pub(in crate::store) fn walk(pages: &Pages, one_in: usize) -> Walked {
    let mut walk = Walk {
        pages,
        one_in,
        leaves: 0,
        walked: Walked { sound: HashSet::new(), gaps: Vec::new() },
    };
    walk.visit(ROOT, Range::default(), 0);
    walk.walked
}

struct Walk<'p> {
    pages: &'p Pages,
    one_in: usize,
    leaves: usize,
    walked: Walked,
}

impl Walk<'_> {
    /// Goes through a page and what is below it; says whether it is a leaf that was read.
    fn visit(&mut self, number: u32, range: Range, depth: u8) -> bool {
        let page = if depth < DEEPEST { NodePage::read(self.pages, number) } else { None };
        let page = page.filter(|page| page.is_sound(range));
        // A page that was there before leads in a circle.
        let Some(page) = page.filter(|_| self.walked.sound.insert(number)) else {
            self.walked.gaps.push((number, range));
            return false;
        };
        let mut places = page.nodes.iter().map(|node| storage_order(node.key));
        let mut after = range.after;
        // All leaves are equally deep.
        let mut are_leaves = false;
        for &child in &page.children {
            let next = places.next();
            let between = Range { after, before: next.or(range.before) };
            after = next;
            self.leaves += usize::from(are_leaves);
            if !are_leaves || self.leaves.is_multiple_of(self.one_in) {
                are_leaves |= self.visit(child, between, depth + 1);
            }
        }
        page.children.is_empty()
    }
}
