//! Facts that are left in a damaged book. Their rows have six integers, which no other table's have.

use std::collections::{BTreeMap, HashSet};

use super::Fact;
use crate::board::{Key, Position};
use crate::book::verify::check_key;
use crate::book::{Bounds, SourceId};
use crate::store::page::{Cell, Column, Page, PageKind, columns};
use crate::store::pages::Pages;
use crate::store::row::{storage_order, unsigned};

/// Facts as they were found.
#[derive(Default, Debug)]
pub(in crate::store) struct FactWreck {
    facts: BTreeMap<((u8, i64, i64), SourceId), Fact>,
}

impl FactWreck {
    /// Takes a row of a table without row numbers; false when it is no fact.
    pub(in crate::store) fn note(&mut self, columns: &[Column<'_>]) -> bool {
        let Some(fact) = fact(columns) else { return false };
        self.facts.insert((storage_order(fact.key), fact.source), fact);
        true
    }

    /// Each fact once, with the number that its source had.
    pub(in crate::store) fn each(&self) -> impl Iterator<Item = Fact> {
        self.facts.values().copied()
    }
}

/// The name of their table.
const TABLE: &str = "fact";

/// How many rows of the table of facts mean nothing, when all of it can be read; none when a page of it,
/// or of the list of the tables, cannot be: nobody counts facts, so nobody knows then how many are lost.
pub(in crate::store) fn lost_facts(pages: &Pages) -> Option<u64> {
    let mut root = None;
    for_each_row(pages, 1, PageKind::TableLeaf, |cell| {
        let row = cell.whole(pages, |_| true)?;
        match columns(&row)?[..] {
            [Column::Text("table"), Column::Text(TABLE), _, Column::Integer(page), ..] => {
                root = Some(u32::try_from(page).ok()?);
            }
            // All that is listed has a kind and a name.
            [Column::Text(_), Column::Text(_), ..] => {}
            _ => return None,
        }
        Some(())
    })?;
    // A book of before there were facts.
    let Some(root) = root else { return Some(0) };
    let mut lost = 0;
    for_each_row(pages, root, PageKind::IndexLeaf, |cell| {
        let is_fact = cell.columns().is_some_and(|columns| fact(&columns).is_some());
        lost += u64::from(!is_fact);
        Some(())
    })?;
    Some(lost)
}

/// Goes through the rows of a tree whose leaves are of a kind; none when a page of it cannot be read, or
/// `each` says so of a row.
fn for_each_row(
    pages: &Pages,
    root: u32,
    leaf: PageKind,
    mut each: impl FnMut(&Cell<'_>) -> Option<()>,
) -> Option<()> {
    let (mut seen, mut left) = (HashSet::new(), vec![root]);
    while let Some(number) = left.pop() {
        // A page that was there before leads in a circle.
        let bytes = pages.read(number).filter(|_| seen.insert(number))?;
        let page = Page::of(number, &bytes)?;
        let has_rows = match (leaf, page.kind) {
            (PageKind::TableLeaf, PageKind::TableInterior) => false,
            (PageKind::IndexLeaf, PageKind::IndexInterior) => true,
            (leaf, kind) if kind == leaf => true,
            _ => return None,
        };
        for cell in page.cells() {
            let cell = cell?;
            left.extend(cell.before);
            if has_rows {
                each(&cell)?;
            }
        }
        left.extend(page.last());
    }
    Some(())
}

fn fact(columns: &[Column<'_>]) -> Option<Fact> {
    let integer = |column: &Column<'_>| match column {
        Column::Integer(value) => Some(*value),
        _ => None,
    };
    let integers: Option<Vec<i64>> = columns.iter().map(integer).collect();
    let [discs, mover, opponent, source, lower, upper] = integers?.try_into().ok()?;
    let position = Position { mover: unsigned(mover), opponent: unsigned(opponent) };
    if position.mover & position.opponent != 0 {
        return None;
    }
    let key = Key::from_stored(position);
    let bounds = Bounds::new(lower.try_into().ok()?, upper.try_into().ok()?)?;
    let fact = Fact { key, bounds, source: SourceId(source.try_into().ok()?) };
    (i64::from(key.discs()) == discs && check_key(key).is_ok()).then_some(fact)
}
