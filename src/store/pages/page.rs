//! One page of a b-tree, as the file format of SQLite describes it: its cells and their columns.
//! Nothing that it says is believed: whatever does not fit is none.

use super::{Pages, number_at};

/// What a page of a b-tree holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::store) enum PageKind {
    /// Rows, and what leads to the pages between them: of an index or of a table without row numbers.
    IndexInterior = 2,
    /// Numbers of rows, and what leads to the pages between them.
    TableInterior = 5,
    /// Rows of an index, or of a table without row numbers.
    IndexLeaf = 10,
    /// Numbered rows.
    TableLeaf = 13,
}

/// A page of a b-tree.
pub(in crate::store) struct Page<'p> {
    pub(in crate::store) kind: PageKind,
    bytes: &'p [u8],
    /// Where the header starts, after that of the file on the first page.
    at: usize,
    cells: usize,
}

/// A value of a row.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::store) enum Column<'p> {
    Null,
    Integer(i64),
    Real(f64),
    Text(&'p str),
    Blob(&'p [u8]),
}

impl Column<'_> {
    /// The number that it is; none where it is something else.
    pub(in crate::store) const fn integer(self) -> Option<i64> {
        match self {
            Self::Integer(value) => Some(value),
            _ => None,
        }
    }
}

pub(in crate::store) struct Cell<'p> {
    /// The page of what comes before.
    pub(in crate::store) before: Option<u32>,
    /// The number of the row, in a table that has them.
    pub(in crate::store) row: Option<i64>,
    /// The size of the whole row in bytes, of which these are the first.
    size: usize,
    local: &'p [u8],
    /// The page where the row goes on.
    more: Option<u32>,
}

impl<'p> Page<'p> {
    /// Takes the bytes of a page; none when they are no page of a b-tree.
    pub(in crate::store) fn of(number: u32, bytes: &'p [u8]) -> Option<Self> {
        let at = if number == 1 { 100 } else { 0 };
        let kind = match bytes.get(at)? {
            2 => PageKind::IndexInterior,
            5 => PageKind::TableInterior,
            10 => PageKind::IndexLeaf,
            13 => PageKind::TableLeaf,
            _ => return None,
        };
        let cells = usize::from(u16::from_be_bytes([*bytes.get(at + 3)?, *bytes.get(at + 4)?]));
        let page = Self { kind, bytes, at, cells };
        (page.pointers() + 2 * cells <= bytes.len()).then_some(page)
    }

    const fn is_interior(&self) -> bool {
        matches!(self.kind, PageKind::IndexInterior | PageKind::TableInterior)
    }

    /// Where the list of the cells' places starts.
    const fn pointers(&self) -> usize {
        self.at + if self.is_interior() { 12 } else { 8 }
    }

    /// The page of what comes after the last cell.
    pub(in crate::store) fn last(&self) -> Option<u32> {
        if self.is_interior() { number_at(self.bytes, self.at + 8) } else { None }
    }

    /// The cells in their order; none for each that cannot be read.
    pub(in crate::store) fn cells(&self) -> impl Iterator<Item = Option<Cell<'p>>> {
        (0..self.cells).map(|index| self.cell(index))
    }

    /// How many cells it has.
    pub(in crate::store) const fn count(&self) -> usize {
        self.cells
    }

    /// One of its cells; none when it cannot be read.
    pub(in crate::store) fn cell(&self, index: usize) -> Option<Cell<'p>> {
        let pointer = self.pointers() + 2 * index;
        let place = u16::from_be_bytes(self.bytes.get(pointer..pointer + 2)?.try_into().ok()?);
        let mut place = usize::from(place);
        if place < self.pointers() + 2 * self.cells {
            return None;
        }
        let before = if self.is_interior() {
            place += 4;
            Some(number_at(self.bytes, place - 4)?)
        } else {
            None
        };
        let size = match self.kind {
            PageKind::TableInterior => 0,
            _ => usize::try_from(variable(self.bytes, &mut place)?).ok()?,
        };
        let row = match self.kind {
            PageKind::TableInterior | PageKind::TableLeaf => {
                Some(variable(self.bytes, &mut place)?.cast_signed())
            }
            _ => None,
        };
        let here = self.local_size(size);
        let local = self.bytes.get(place..place.checked_add(here)?)?;
        let more = if here < size { Some(number_at(self.bytes, place + here)?) } else { None };
        Some(Cell { before, row, size, local, more })
    }

    /// How much of a row of so many bytes is on this page.
    const fn local_size(&self, size: usize) -> usize {
        let usable = self.bytes.len();
        let most = match self.kind {
            PageKind::TableLeaf => usable - 35,
            _ => (usable - 12) * 64 / 255 - 23,
        };
        if size <= most {
            return size;
        }
        let fewest = (usable - 12) * 32 / 255 - 23;
        let all_but_full_pages = fewest + (size - fewest) % (usable - 4);
        if all_but_full_pages <= most { all_but_full_pages } else { fewest }
    }
}

impl<'p> Cell<'p> {
    /// The columns of a row that is on its page as a whole.
    pub(in crate::store) fn columns(&self) -> Option<Vec<Column<'p>>> {
        if self.more.is_none() { columns(self.local) } else { None }
    }

    /// The bytes of the whole row; `is_free` hears of the pages that it goes on to, and says no to one
    /// that another row has. So a file can never make more work than it has pages.
    pub(in crate::store) fn whole(
        &self,
        pages: &Pages,
        mut is_free: impl FnMut(u32) -> bool,
    ) -> Option<Vec<u8>> {
        // More than the file has is no row.
        if self.size / pages.size > pages.last() as usize {
            return None;
        }
        let mut bytes = self.local.to_vec();
        let mut more = self.more;
        while bytes.len() < self.size {
            let number = more?;
            let page = pages.read(number)?;
            if !is_free(number) {
                return None;
            }
            more = number_at(&page, 0).filter(|&next| next != 0);
            let wanted = self.size - bytes.len();
            bytes.extend(page.get(4..)?.iter().take(wanted));
        }
        Some(bytes)
    }
}

pub(in crate::store) fn columns(row: &[u8]) -> Option<Vec<Column<'_>>> {
    let mut at = 0;
    let header = usize::try_from(variable(row, &mut at)?).ok()?;
    let mut place = header;
    let mut columns = Vec::new();
    while at < header {
        let kind = variable(row, &mut at)?;
        let size = match kind {
            0 | 8 | 9 => 0,
            1..=4 => kind as usize,
            5 => 6,
            6 | 7 => 8,
            12.. => usize::try_from((kind - 12) / 2).ok()?,
            _ => return None,
        };
        let bytes = row.get(place..place.checked_add(size)?)?;
        place += size;
        columns.push(match kind {
            0 => Column::Null,
            8 => Column::Integer(0),
            9 => Column::Integer(1),
            1..=6 => {
                let negative = bytes.first().is_some_and(|&first| first >= 0x80);
                let sign = if negative { -1 } else { 0 };
                Column::Integer(bytes.iter().fold(sign, |sum, &byte| sum << 8 | i64::from(byte)))
            }
            7 => Column::Real(f64::from_be_bytes(bytes.try_into().ok()?)),
            _ if kind % 2 == 0 => Column::Blob(bytes),
            _ => Column::Text(std::str::from_utf8(bytes).ok()?),
        });
    }
    (at == header && place == row.len()).then_some(columns)
}

/// A number of one to nine bytes, of which the first eight have seven bits each.
fn variable(bytes: &[u8], at: &mut usize) -> Option<u64> {
    let mut value = 0;
    for count in 1..=9 {
        let byte = *bytes.get(*at)?;
        *at += 1;
        if count == 9 {
            return Some(value << 8 | u64::from(byte));
        }
        value = value << 7 | u64::from(byte & 0x7f);
        if byte < 0x80 {
            break;
        }
    }
    Some(value)
}
