//! Facts that are left in a damaged book. Their rows have six integers, which no other table's have.

use std::collections::BTreeMap;

use crate::openbook::verify::check_key;
use crate::openbook::{Bounds, SourceId};
use crate::store::facts::Fact;
use crate::store::pages::Pages;
use crate::store::pages::page::{Column, PageKind};
use crate::store::pages::tables::rows_of_table;
use crate::store::row::{storage_order, stored_key};

/// Facts as they were found.
#[derive(Default, Debug)]
pub(super) struct FactWreck {
    facts: BTreeMap<((u8, i64, i64), SourceId), Fact>,
}

impl FactWreck {
    /// Takes a row of a table without row numbers; false when it is no fact.
    pub(super) fn note(&mut self, columns: &[Column<'_>]) -> bool {
        let Some(fact) = fact(columns) else { return false };
        self.facts.insert((storage_order(fact.key), fact.source), fact);
        true
    }

    /// Each fact once, with the number that its source had.
    pub(super) fn each(&self) -> impl Iterator<Item = Fact> {
        self.facts.values().copied()
    }
}

/// The name of their table.
const TABLE: &str = "fact";

/// How many rows of the table of facts mean nothing, when all of it can be read; none when a page of it,
/// or of the list of the tables, cannot be: facts are not counted, so it is then unknown how many are
/// lost.
pub(super) fn lost_facts(pages: &Pages) -> Option<u64> {
    let mut lost = 0;
    // A book of before there were facts has no such table.
    let table = rows_of_table(pages, TABLE, PageKind::IndexLeaf, |cell| {
        let is_fact = cell.columns().is_some_and(|columns| fact(&columns).is_some());
        lost += u64::from(!is_fact);
    });
    table.is_whole.then_some(lost)
}

fn fact(columns: &[Column<'_>]) -> Option<Fact> {
    let integers: Option<Vec<i64>> = columns.iter().map(|column| column.integer()).collect();
    let [discs, mover, opponent, source, lower, upper] = integers?.try_into().ok()?;
    let key = stored_key(mover, opponent)?;
    let bounds = Bounds::new(lower.try_into().ok()?, upper.try_into().ok()?)?;
    let fact = Fact { key, bounds, source: SourceId(source.try_into().ok()?) };
    (i64::from(key.discs()) == discs && check_key(key).is_ok()).then_some(fact)
}
