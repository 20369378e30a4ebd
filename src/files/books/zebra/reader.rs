//! Zebra's nodes in neutral terms.

use std::io::{BufReader, Cursor, Read};

use crate::files::books::lines::BookLines;
use crate::files::books::{
    DefectKind, Defects, Format, FormatError, Place, ReadOptions, Record, RecordReader,
};
use crate::files::bytes::ByteSource;
use crate::files::packed::Packing;
use crate::openbook::{Rest, Source};
use crate::othello::board::Side;
use crate::othello::score::{MAX_DISCS, Score};
use crate::othello::search::{Proof, Selectivity};

use super::hashed::{Hashed, read_bin, read_text};
use super::layout::{NO_SCORE, PROVEN, seen_by, square_of};
use super::packed::{Packed, read_packed};
use super::start::check_start;
use super::{ZebraEntry, ZebraNode, ZebraShape, zebra_hash};

/// Zebra's midgame search is selective; how much is not in the book. This is the least selectivity
/// that our own searches have.
const MIDGAME: Selectivity = Selectivity::OURS[0];

/// Bytes of a file that say whether it is one of Zebra's.
const HEAD: u64 = 16;

/// Unpacked bytes that are passed on at a time.
const PIECE: usize = 1 << 16;

/// Reads a Zebra book. The boards come from a walk through the whole game tree. A packed book is
/// walked in the order of its bytes, and takes no memory that grows with it; the nodes of the other
/// forms are in memory until the walk comes to them, 25 to 50 bytes each.
pub struct ZebraReader {
    nodes: Nodes,
    sources: [Source; 1],
    defects: Defects,
}

/// The nodes that no walk has come to yet.
enum Nodes {
    Hashed(Hashed),
    Packed(Box<Packed>),
}

impl ZebraReader {
    /// Reads all nodes. What is not as Zebra writes it is refused.
    pub fn new(input: impl Read, file: &str, shape: ZebraShape) -> Result<Self, FormatError> {
        Self::with_options(input, file, shape, ReadOptions::default())
    }

    /// As [`Self::new`]; leniently, nodes that cannot be right are noted and passed over.
    pub fn with_options(
        mut input: impl Read,
        file: &str,
        shape: ZebraShape,
        options: ReadOptions,
    ) -> Result<Self, FormatError> {
        // Whether it is such a file at all is seen before the rest of it is taken.
        let mut head = Vec::new();
        let failed = |error| FormatError::io(file, error);
        input.by_ref().take(HEAD).read_to_end(&mut head).map_err(failed)?;
        check_start(shape, &head).map_err(|fault| FormatError::at(file, Place::Byte(0), fault))?;
        let input = BufReader::with_capacity(PIECE, Cursor::new(head).chain(input));
        let mut defects = Defects::default();
        let nodes = match shape {
            ZebraShape::Bin => {
                let bytes = ByteSource::new(input, file);
                Nodes::Hashed(read_bin(bytes, options, &mut defects)?)
            }
            ZebraShape::Text => Nodes::Hashed(read_text(
                BookLines::new(input, file, options),
                options,
                &mut defects,
            )?),
            ZebraShape::Packed => {
                let bytes = ByteSource::new(input, file);
                Nodes::Packed(Box::new(read_packed(bytes, options, &mut defects)?))
            }
            ZebraShape::Gzipped => {
                let unpacked = BufReader::with_capacity(PIECE, Packing::Gzip.unpacked(input));
                let bytes = ByteSource::unpacked(unpacked, file);
                Nodes::Packed(Box::new(read_packed(bytes, options, &mut defects)?))
            }
        };
        let source = Source {
            engine: "zebra".to_owned(),
            format: Format::Zebra.name().to_owned(),
            ..Source::default()
        };
        Ok(Self { nodes, sources: [source], defects })
    }

    /// The next node of the walk with its place in the file; none at the end.
    pub(crate) fn next_node(&mut self) -> Result<Option<(Place, ZebraEntry)>, FormatError> {
        match &mut self.nodes {
            Nodes::Hashed(nodes) => Ok(nodes.next_node(&mut self.defects)),
            Nodes::Packed(nodes) => nodes.next_node(),
        }
    }

    /// All nodes that are left.
    pub fn entries(&mut self) -> Result<Vec<ZebraEntry>, FormatError> {
        let mut entries = Vec::new();
        while let Some((_, entry)) = self.next_node()? {
            entries.push(entry);
        }
        Ok(entries)
    }

    /// A node in neutral terms; none where its score belongs to another side to move.
    fn neutral(&mut self, place: Place, entry: &ZebraEntry) -> Option<Record> {
        let ZebraEntry { board, turn, node } = entry;
        let side = turn.unwrap_or(Side::White);
        // Zebra takes a node without a mark for White's. A pass changes nothing about a score.
        let marked = node.side().unwrap_or(Side::White);
        let is_same = marked == side || !seen_by(*board, marked).can_move();
        if turn.is_some() && !is_same {
            self.defects.note(DefectKind::SideToMove, || {
                format!("{place}: {marked} is marked, {side} is to move at {board:?}")
            });
            return None;
        }
        let position = seen_by(*board, side);
        let sign: i16 = if side == Side::Black { 1 } else { -1 };
        let empties = position.empties();
        let solved = node.is_solved().then(|| solved(node, sign)).flatten();
        let rest = solved.or_else(|| alternative(node, *board, sign));
        let (depth, selectivity) = match solved.map(|rest| rest.proof) {
            Some(Proof::Exact) => (empties, Selectivity::FULL),
            // No search says by how much.
            Some(_) => (0, Selectivity::FULL),
            None => (node.depth().min(empties), MIDGAME),
        };
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
            depth,
            selectivity,
            source: 0,
            stored,
            kept: None,
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

/// A solved node's result. The size of a win that was only distinguished from a loss is no size.
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
fn alternative(
    node: &ZebraNode,
    board: crate::othello::board::Position,
    sign: i16,
) -> Option<Rest> {
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
        while let Some((place, entry)) = self.next_node()? {
            let record = self.neutral(place, &entry);
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
