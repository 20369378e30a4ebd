//! Layers in parts: for threads that share one, and for a walk through two books side by side.

use rusqlite::params;

use crate::openbook::Node;

use super::layer_scan::OUT_OF_ORDER;
use super::{Reader, StoreError};

/// Nodes of a part. Small enough that threads end together and parts take little memory, large enough
/// that finding where the next part starts costs little.
pub(super) const PART: u32 = 1 << 13;

/// The nodes of one layer in storage order, asked for part by part, so that no more than a part is in
/// memory. What it gives is of one moment only where the reader has a snapshot
/// ([`Reader::snapshot`]).
#[derive(Debug)]
pub(crate) struct LayerParts<'r> {
    reader: &'r Reader,
    discs: u8,
    /// Where the next part starts: the mover's board of its first node, as it is stored.
    next: Option<i64>,
    /// Nodes of the parts before it.
    found: u64,
}

impl<'r> LayerParts<'r> {
    /// Before the first of the nodes with so many discs.
    pub(crate) fn new(reader: &'r Reader, discs: u8) -> Self {
        Self { reader, discs, next: Some(i64::MIN), found: 0 }
    }

    /// The nodes of the next part, some thousands; none at the end.
    pub(crate) fn next_part(&mut self) -> Result<Option<Vec<Node>>, StoreError> {
        let Some(first) = self.next else { return Ok(None) };
        self.next = self.reader.part_after(self.discs, first)?;
        let mut part = Vec::with_capacity(PART as usize);
        self.reader.each_in_part(self.discs, first, self.next, |node| part.push(node))?;
        self.found += part.len() as u64;
        if self.next.is_none() {
            self.reader.check_found(self.discs, self.found)?;
        }
        Ok(Some(part))
    }
}

impl Reader {
    /// The first mover's board of the part after the one that starts with this one.
    pub(super) fn part_after(&self, discs: u8, first: i64) -> Result<Option<i64>, StoreError> {
        let ask = |condition: &str, offset: u32| {
            let sql = format!(
                "SELECT mover FROM node WHERE discs = ?1 AND mover {condition} ?2 \
                 ORDER BY mover LIMIT 1 OFFSET ?3"
            );
            self.first(&sql, params![discs, first, offset], |row| Ok(row.get(0)?))
        };
        let next = match ask(">=", PART)? {
            Some(next) if next == first => ask(">", 0)?,
            next => next,
        };
        // Else a caller that asks for part after part would never come to the end of a damaged
        // book.
        if next.is_some_and(|next| next <= first) {
            return Err(self.damage(OUT_OF_ORDER));
        }
        Ok(next)
    }
}
