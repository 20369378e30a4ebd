//! Zebra's nodes in neutral terms.

use std::io::Read;

use crate::board::Side;
use crate::book::{Rest, Source};
use crate::formats::{
    DefectKind, Defects, Fault, Format, FormatError, Place, Record, RecordReader,
};
use crate::score::{MAX_DISCS, Score};
use crate::search::{Proof, Selectivity};

use super::layout::{NO_SCORE, PROVEN, seen_by, square_of};
use super::read::{check_start, read_bin, read_packed, read_text};
use super::{ZebraEntry, ZebraNode, ZebraShape, zebra_hash};

/// Zebra's midgame search is selective; how much is not in the book. This is the least confidence
/// that our own searches have.
const MIDGAME: Selectivity = Selectivity::OURS[0];

/// Bytes of a file that say whether it is one of Zebra's.
const HEAD: u64 = 16;

/// The most bytes that a gzip'd file may unpack to: far above any Zebra book.
const MOST_UNPACKED: u64 = 4 << 30;

/// Reads a Zebra book. The boards come from a walk through the whole game tree, so all nodes are
/// in memory, about 32 bytes each.
pub struct ZebraReader {
    entries: std::vec::IntoIter<ZebraEntry>,
    place: u64,
    sources: [Source; 1],
    defects: Defects,
}

impl ZebraReader {
    /// Reads all nodes and finds their boards.
    ///
    /// # Errors
    /// When the bytes are no such book.
    pub fn new(mut input: impl Read, file: &str, shape: ZebraShape) -> Result<Self, FormatError> {
        let failed = |error| FormatError::io(file, error);
        let wrong = |(at, fault): (u64, Fault)| {
            FormatError::content(file, Place::Byte(at), fault.found, fault.expected)
        };
        // Whether it is such a file at all is seen before the rest of it is taken.
        let mut bytes = Vec::new();
        input.by_ref().take(HEAD).read_to_end(&mut bytes).map_err(failed)?;
        check_start(shape, &bytes).map_err(wrong)?;
        if shape == ZebraShape::Gzipped {
            let packed = std::mem::take(&mut bytes);
            let unpacked = flate2::read::GzDecoder::new(packed.as_slice().chain(input));
            unpacked.take(MOST_UNPACKED).read_to_end(&mut bytes).map_err(failed)?;
        } else {
            input.read_to_end(&mut bytes).map_err(failed)?;
        }
        let mut defects = Defects::default();
        let entries = match shape {
            ZebraShape::Bin => read_bin(&bytes, &mut defects),
            ZebraShape::Text => read_text(&bytes, &mut defects),
            ZebraShape::Packed | ZebraShape::Gzipped => read_packed(&bytes, &mut defects),
        };
        let entries = entries.map_err(wrong)?;
        let source = Source {
            engine: "zebra".to_owned(),
            format: Format::Zebra.name().to_owned(),
            ..Source::default()
        };
        Ok(Self { entries: entries.into_iter(), place: 0, sources: [source], defects })
    }

    /// All nodes that are left.
    #[must_use]
    pub fn into_entries(self) -> Vec<ZebraEntry> {
        self.entries.collect()
    }

    /// A node in neutral terms; none where its score belongs to another side to move.
    fn neutral(&mut self, entry: &ZebraEntry) -> Option<Record> {
        let place = Place::Byte(self.place);
        let ZebraEntry { board, turn, node } = entry;
        let side = turn.unwrap_or(Side::White);
        // Zebra takes a node without a mark for White's. A pass changes nothing about a score.
        let marked = node.side().unwrap_or(Side::White);
        let is_same = marked == side || !seen_by(*board, marked).can_move();
        if turn.is_some() && !is_same {
            self.defects.note(DefectKind::SideToMove, || {
                format!("{marked} is marked, {side} is to move at {board:?}")
            });
            return None;
        }
        let position = seen_by(*board, side);
        let sign: i16 = if side == Side::Black { 1 } else { -1 };
        let empties = position.empties();
        let solved = node.is_solved().then(|| solved(node, sign)).flatten();
        let rest = solved.or_else(|| alternative(node, *board, sign));
        let stored = (node.black_score.unsigned_abs() < NO_SCORE.unsigned_abs())
            .then(|| centidiscs(sign * node.black_score));
        Some(Record {
            place,
            position,
            links: Vec::new(),
            rest,
            alone: rest.is_none().then_some(stored).flatten().map(|score| Rest {
                square: None,
                score,
                proof: Proof::None,
            }),
            depth: if solved.is_some() { empties } else { node.depth().min(empties) },
            selectivity: if solved.is_some() { Selectivity::FULL } else { MIDGAME },
            source: 0,
            stored,
        })
    }
}

/// 1/128 disc to the nearest centidisc.
fn centidiscs(score: i16) -> Score {
    let scaled = i32::from(score) * 100;
    let half = if scaled < 0 { -64 } else { 64 };
    let value = ((scaled + half) / 128)
        .clamp(i32::from(Score::MIN.centidiscs()), i32::from(Score::MAX.centidiscs()));
    Score::from_centidiscs(value as i16)
}

/// A solved node's result. The size of a win that was only told from a loss is no size.
fn solved(node: &ZebraNode, sign: i16) -> Option<Rest> {
    let score = node.black_score;
    if score == 0 {
        return Some(Rest { square: None, score: Score::ZERO, proof: Proof::Exact });
    }
    let margin = score.unsigned_abs().checked_sub(PROVEN.unsigned_abs())?;
    let margin = i8::try_from(margin).ok().filter(|margin| (1..=MAX_DISCS).contains(margin))?;
    let wins = (score > 0) == (sign > 0);
    let discs = if wins { margin } else { -margin };
    let proof = match (node.is_exact() && margin % 2 == 0, wins) {
        (true, _) => Proof::Exact,
        (false, true) => Proof::Win,
        (false, false) => Proof::Loss,
    };
    Some(Rest { square: None, score: Score::from_discs(discs), proof })
}

/// The best move out of the book.
fn alternative(node: &ZebraNode, board: crate::board::Position, sign: i16) -> Option<Rest> {
    if node.alternative_score == NO_SCORE {
        return None;
    }
    let (_, orientation) = zebra_hash(board.mover, board.opponent);
    let square = orientation.real(square_of(node.alternative)?);
    let score = sign.checked_mul(node.alternative_score)?;
    Some(Rest { square: Some(square), score: centidiscs(score), proof: Proof::None })
}

impl RecordReader for ZebraReader {
    fn next_record(&mut self) -> Result<Option<Record>, FormatError> {
        while let Some(entry) = self.entries.next() {
            let record = self.neutral(&entry);
            self.place += 1;
            if record.is_some() {
                return Ok(record);
            }
        }
        Ok(None)
    }

    fn sources(&self) -> &[Source] {
        &self.sources
    }

    fn defects(&mut self) -> &mut Defects {
        &mut self.defects
    }
}
