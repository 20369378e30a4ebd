//! What an Edax book says that nodes have no place for: its settings, its records of finished games
//! and forced passes, and leaves that the end of a game beats. It is kept as a small Edax book.

use crate::files::books::edax::{EdaxHeader, EdaxLeaf, EdaxLink, EdaxMove, EdaxReader, EdaxRecord};
use crate::files::books::{Entry, Format, ReadOptions, Turn};
use crate::openbook::Source;
use crate::othello::board::Position;
use crate::othello::score::CENTIDISCS;

/// More records than these are not kept: no real book has so many.
const MOST: usize = 1 << 20;

/// Collects it while a file's entries become nodes.
pub(super) struct Aside {
    header: Option<EdaxHeader>,
    /// The level of each source.
    levels: Vec<u8>,
    records: Vec<EdaxRecord>,
}

impl Aside {
    /// For a file of this format with this header; none where its nodes say everything, or where
    /// the whole file is kept.
    pub(super) fn of(format: Format, header: &[u8], sources: &[Source]) -> Option<Self> {
        let header = match format {
            Format::Edax => {
                Some(*EdaxReader::new(header, "", ReadOptions::default()).ok()?.header())
            }
            Format::EdaxText => None,
            _ => return None,
        };
        let levels = sources.iter().map(|source| source.level.parse().unwrap_or(0)).collect();
        Some(Self { header, levels, records: Vec::new() })
    }

    /// Takes the record of a finished game, or of a forced pass.
    pub(super) fn take(&mut self, entry: &Entry) {
        let position = entry.key.position();
        let score = entry.rest.map_or(0, |rest| (rest.score.centidiscs() / CENTIDISCS) as i8);
        match entry.turn {
            Turn::Over => {
                let leaf = EdaxLink { score: position.final_score(), played: EdaxMove::None };
                self.push(entry, position, None, leaf);
            }
            Turn::Pass { is_link } => {
                // Seen from the side that passes.
                let pass = EdaxLink { score: -score, played: EdaxMove::Pass };
                let (link, leaf) =
                    if is_link { (Some(pass), EdaxRecord::NO_LEAF) } else { (None, pass) };
                self.push(entry, position.passed(), link, leaf);
            }
            Turn::Move => {
                if let Some(square) = entry.rest.and_then(|rest| rest.square) {
                    let leaf = EdaxLink { score, played: EdaxMove::Square(square) };
                    self.push(entry, position, None, leaf);
                }
            }
        }
    }

    fn push(&mut self, entry: &Entry, board: Position, link: Option<EdaxLink>, leaf: EdaxLeaf) {
        if self.is_too_much() {
            return;
        }
        let level = self.levels.get(entry.source as usize).copied().unwrap_or(0);
        self.records.push(EdaxRecord::bare(board, level, link, leaf));
    }

    /// Whether there is more than is kept: then nothing is.
    pub(super) const fn is_too_much(&self) -> bool {
        self.records.len() > MOST
    }

    /// The small book; none where there is nothing to keep, or too much.
    pub(super) fn into_bytes(self) -> Option<Vec<u8>> {
        let is_too_much = self.is_too_much();
        let Self { header, records, .. } = self;
        if is_too_much || (header.is_none() && records.is_empty()) {
            return None;
        }
        let header = header.unwrap_or_else(|| EdaxHeader::new((0, 0, 0, 0, 0, 0)));
        let mut bytes = Vec::new();
        EdaxHeader { count: records.len() as u32, ..header }.write(&mut bytes).ok()?;
        records.iter().try_for_each(|record| record.write(&mut bytes)).ok()?;
        Some(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_kept_of_more_than_any_book_has_and_that_can_be_told() {
        let leaf = EdaxLink { score: 0, played: EdaxMove::None };
        let record = EdaxRecord::bare(Position::START, 1, None, leaf);
        for (count, is_too_much) in [(1, false), (MOST, false), (MOST + 1, true)] {
            let aside =
                Aside { header: None, levels: Vec::new(), records: vec![record.clone(); count] };
            assert_eq!(aside.is_too_much(), is_too_much, "{count}");
            assert_eq!(aside.into_bytes().is_none(), is_too_much, "{count}");
        }
    }
}
