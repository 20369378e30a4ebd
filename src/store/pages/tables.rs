//! Which pages and rows a table has, by what the file itself says of its tables.

use std::collections::{BTreeMap, HashSet};

use super::Pages;
use super::page::{Cell, Column, Page, PageKind, columns};

/// The page of the list of tables.
const LIST: u32 = 1;

pub(in crate::store) struct TablePages {
    /// The pages that the file leads to.
    pub(in crate::store) numbers: HashSet<u32>,
    /// Whether every page of it and of the list of tables could be read.
    pub(in crate::store) is_whole: bool,
}

/// Goes through what can be read of the rows of a table, whose leaves are of a kind. A table that is not
/// there has no pages, and is whole.
pub(in crate::store) fn rows_of_table(
    pages: &Pages,
    table: &str,
    leaf: PageKind,
    mut each: impl FnMut(&Cell<'_>),
) -> TablePages {
    let (mut roots, mut is_listed) = (Vec::new(), true);
    let list = rows_below(pages, vec![LIST], PageKind::TableLeaf, |cell| {
        let row = cell.whole(pages, |_| true);
        match row.as_deref().and_then(columns).as_deref() {
            Some([Column::Text("table"), Column::Text(name), _, Column::Integer(root), ..])
                if *name == table =>
            {
                roots.extend(u32::try_from(*root));
            }
            // All that is listed has a kind and a name.
            Some([Column::Text(_), Column::Text(_), ..]) => {}
            _ => is_listed = false,
        }
    });
    let rows = rows_below(pages, roots, leaf, &mut each);
    TablePages { is_whole: list.is_whole && is_listed && rows.is_whole, ..rows }
}

/// A row of the table of named facts, which alone has two texts and no row number.
pub(in crate::store) fn name_and_value(columns: &[Column<'_>]) -> Option<(String, String)> {
    match columns {
        &[Column::Text(name), Column::Text(value)] => Some((name.to_owned(), value.to_owned())),
        _ => None,
    }
}

/// The named facts of a book, as far as they can be read.
pub(in crate::store) fn named_facts(pages: &Pages) -> (BTreeMap<String, String>, TablePages) {
    let mut named = BTreeMap::new();
    let table = rows_of_table(pages, "meta", PageKind::IndexLeaf, |cell| {
        named.extend(cell.columns().as_deref().and_then(name_and_value));
    });
    (named, table)
}

/// Goes through what can be read of the rows below some pages, each page once.
fn rows_below(
    pages: &Pages,
    mut left: Vec<u32>,
    leaf: PageKind,
    mut each: impl FnMut(&Cell<'_>),
) -> TablePages {
    let mut found = TablePages { numbers: HashSet::new(), is_whole: true };
    while let Some(number) = left.pop() {
        let bytes = pages.read(number);
        let page = bytes.as_deref().and_then(|bytes| Page::of(number, bytes));
        let has_rows = page.as_ref().and_then(|page| match (leaf, page.kind) {
            (PageKind::TableLeaf, PageKind::TableInterior) => Some(false),
            (PageKind::IndexLeaf, PageKind::IndexInterior) => Some(true),
            (leaf, kind) => (kind == leaf).then_some(true),
        });
        let Some((page, has_rows)) = page.zip(has_rows) else {
            found.is_whole = false;
            continue;
        };
        if !found.numbers.insert(number) {
            // A page that was there before leads in a circle.
            found.is_whole = false;
            continue;
        }
        for cell in page.cells() {
            let Some(cell) = cell else {
                found.is_whole = false;
                continue;
            };
            left.extend(cell.before);
            if has_rows {
                each(&cell);
            }
        }
        left.extend(page.last());
    }
    found
}
