//! Which pages a table has, by what the file itself says of its tables.

use std::collections::HashSet;

use super::page::{Column, Page, PageKind};
use super::pages::Pages;

/// The page of the list of tables.
const SCHEMA: u32 = 1;

/// The pages of a table with row numbers; those of them that what is left of the file leads to.
pub(super) fn pages_of_table(pages: &Pages, table: &str) -> HashSet<u32> {
    let mut roots = Vec::new();
    for number in below(pages, SCHEMA) {
        let Some(bytes) = pages.read(number) else { continue };
        let Some(page) = Page::of(number, &bytes) else { continue };
        for cell in page.cells().flatten() {
            let Some(row) = cell.whole(pages, |_| true) else { continue };
            if let Some([Column::Text("table"), Column::Text(name), _, Column::Integer(root), ..]) =
                super::page::columns(&row).as_deref()
                && *name == table
            {
                roots.extend(u32::try_from(*root));
            }
        }
    }
    roots.into_iter().flat_map(|root| below(pages, root)).collect()
}

/// A page and all that it leads to, each once.
fn below(pages: &Pages, root: u32) -> HashSet<u32> {
    let (mut found, mut next) = (HashSet::new(), vec![root]);
    while let Some(number) = next.pop() {
        let Some(bytes) = pages.read(number) else { continue };
        let page = Page::of(number, &bytes);
        let is_table =
            |page: &Page<'_>| matches!(page.kind, PageKind::TableInterior | PageKind::TableLeaf);
        let Some(page) = page.filter(is_table) else { continue };
        if found.insert(number) {
            next.extend(page.cells().flatten().filter_map(|cell| cell.before));
            next.extend(page.last());
        }
    }
    found
}
