//! `book.cmp`: a tree of nodes without hashes, as six arrays one after the other. The walk goes
//! through all of them at once from the first number to the last, so each is put aside as it comes:
//! in memory while it is short, else in a temporary file.

use std::io::{self, BufRead, BufReader, Read, Seek, Write};

use tempfile::SpooledTempFile;

use crate::files::books::{DefectKind, Defects, Fault, FormatError, Place, ReadOptions};
use crate::files::bytes::{ByteSource, Fields};
use crate::othello::board::{Position, Side};

use super::facts::{check_alternative, check_flags, check_move, check_score};
use super::layout::{HEADER_BYTES, next_turn, play, square_of, walking_side};
use super::{ZebraEntry, ZebraNode};

/// Bytes of an array that are held in memory.
const IN_MEMORY: usize = 8 << 20;

/// Bytes of an array that are taken or read at a time.
const PIECE: usize = 1 << 16;

/// A game has 60 moves.
const DEEPEST: usize = 60;

/// Numbers as in the file: two bytes each.
struct Column {
    numbers: BufReader<SpooledTempFile>,
    /// Where it starts in the file.
    at: u64,
}

impl Column {
    fn next(&mut self, file: &str) -> Result<i16, FormatError> {
        // A call for two bytes takes longer than they do.
        if let Some((&bytes, _)) = self.numbers.buffer().split_first_chunk() {
            self.numbers.consume(bytes.len());
            return Ok(i16::from_le_bytes(bytes));
        }
        let mut bytes = [0; 2];
        self.numbers.read_exact(&mut bytes).map_err(|error| aside(file, &error))?;
        Ok(i16::from_le_bytes(bytes))
    }
}

fn aside(file: &str, error: &io::Error) -> FormatError {
    FormatError::io(file, io::Error::new(error.kind(), format!("temporary file: {error}")))
}

/// A node whose children are being walked.
struct Open {
    board: Position,
    side: Option<Side>,
    /// Children to come.
    left: u8,
}

/// A packed book that has been read and is to be walked.
pub(super) struct Packed {
    file: String,
    place: fn(u64) -> Place,
    children: Column,
    moves: Column,
    scores: Column,
    alternatives: Column,
    alternative_scores: Column,
    flags: Column,
    /// Nodes and moves walked so far.
    walked: u64,
    played: u64,
    /// From the start to the node at hand.
    path: Vec<Open>,
    /// The moves of the path that are still to be walked, the last one first, with their places.
    pending: Vec<(u64, i16)>,
    visit: Option<(Position, Option<Side>)>,
}

/// More nodes than any book has: this recognizes texts and chance bytes.
const MOST_BELIEVED: i32 = 1 << 28;

/// Whether a file that starts like this may be a packed book, which has no mark: by its numbers of nodes and
/// of moves.
pub(crate) fn may_be_packed(head: &[u8]) -> bool {
    let mut fields = Fields(head);
    let is_whole = head.len() >= HEADER_BYTES;
    let (count, links) = if is_whole { (fields.i32(), fields.i32()) } else { (0, 0) };
    (1..MOST_BELIEVED).contains(&count) && (count / 2 - 1..count).contains(&links)
}

/// Reads `book.cmp`, or what `book.cmp.z` unpacks to.
pub(super) fn read_packed<R: Read>(
    bytes: ByteSource<R>,
    options: ReadOptions,
    defects: &mut Defects,
) -> Result<Packed, FormatError> {
    Arrays { bytes, options, count: 0 }.read(defects)
}

/// The arrays while they are read.
struct Arrays<R> {
    bytes: ByteSource<R>,
    options: ReadOptions,
    /// Nodes by the header.
    count: u64,
}

impl<R: Read> Arrays<R> {
    fn read(mut self, defects: &mut Defects) -> Result<Packed, FormatError> {
        let mut header = [0; HEADER_BYTES];
        let filled = self.bytes.fill(&mut header)?;
        let mut fields = Fields(&header);
        let (count, links) = (fields.i32(), fields.i32());
        let whole = u64::try_from(count).ok().zip(u64::try_from(links).ok());
        let lenient = self.options.lenient;
        let Some((count, links)) = whole.filter(|&(count, links)| {
            // All nodes but the first hang on a move. Zebra counts those too that it cannot reach,
            // but it does not lose the most of a book.
            filled == HEADER_BYTES && links < count && (lenient || links + 1 >= count / 2)
        }) else {
            let found = format!("{count} nodes and {links} moves");
            let expected = "a node at least, and a move for each but the first";
            return Err(self.bytes.error(0, found, expected));
        };
        self.count = count;
        let (children, nodes) = self.tree(links)?;
        let moves = self.array(links, nodes - 1, check_move)?;
        let scores = self.array(2 * count, 2 * nodes, check_score)?;
        let alternatives = self.array(count, nodes, check_alternative)?;
        let alternative_scores = self.array(count, nodes, check_score)?;
        let flags = self.array(count, nodes, |flags| check_flags(flags.cast_unsigned()))?;
        self.end(defects)?;
        if nodes < count {
            defects.note(DefectKind::Unreachable, || {
                format!("the tree ends after {nodes} of {count} nodes")
            });
        }
        Ok(Packed {
            file: self.bytes.file().to_owned(),
            place: self.bytes.places(),
            children,
            moves,
            scores,
            alternatives,
            alternative_scores,
            flags,
            walked: 0,
            played: 0,
            path: Vec::new(),
            pending: Vec::new(),
            visit: Some((Position::START, Some(Side::Black))),
        })
    }

    /// The numbers of children, and how many nodes their tree has. Where Zebra could not reach all
    /// nodes, what follows the tree is junk.
    fn tree(&mut self, links: u64) -> Result<(Column, u64), FormatError> {
        let start = self.bytes.offset();
        let lenient = self.options.lenient;
        let mut left: Vec<u64> = Vec::new();
        let (mut nodes, mut all) = (0, 0);
        let mut is_whole = false;
        let column = self.take(self.count, |number| {
            if is_whole {
                return Ok(false);
            }
            nodes += 1;
            let fault = |expected: String| Fault::new(format!("{number} children"), expected);
            let children = u64::try_from(number)
                .ok()
                .filter(|&children| children <= DEEPEST as u64)
                .ok_or_else(|| fault(format!("0 to {DEEPEST}")))?;
            all += children;
            if all > links {
                return Err(fault(format!("{links} in all nodes together")));
            }
            left.push(children);
            if left.len() > DEEPEST + 1 {
                return Err(fault(format!("a game of at most {DEEPEST} moves")));
            }
            while left.pop_if(|left| *left == 0).is_some() {}
            match left.last_mut() {
                Some(left) => *left -= 1,
                None if all != links && !lenient => {
                    let found = format!("the end of a tree with {all} moves");
                    return Err(Fault::new(found, format!("{links} moves, as in the header")));
                }
                None => is_whole = true,
            }
            Ok(true)
        })?;
        if !is_whole {
            let found = format!("a tree that does not end with node {nodes}");
            return Err(self.bytes.error(start, found, "as many nodes as children"));
        }
        Ok((column, nodes))
    }

    /// An array of so many numbers, of which the first `used` mean something.
    fn array(
        &mut self,
        count: u64,
        used: u64,
        check: impl Fn(i16) -> Result<(), Fault>,
    ) -> Result<Column, FormatError> {
        let lenient = self.options.lenient;
        let mut left = used;
        self.take(count, |number| {
            let is_used = left > 0;
            left = left.saturating_sub(1);
            match check(number) {
                Err(fault) if is_used && !lenient => Err(fault),
                _ => Ok(is_used),
            }
        })
    }

    /// Takes so many numbers and puts them aside, but from the first one on that `keeps` does not want.
    fn take(
        &mut self,
        count: u64,
        mut keeps: impl FnMut(i16) -> Result<bool, Fault>,
    ) -> Result<Column, FormatError> {
        let start = self.bytes.offset();
        let end = start + 2 * count;
        let mut numbers = SpooledTempFile::new(IN_MEMORY);
        let mut piece = vec![0; PIECE];
        let mut is_wanted = true;
        while self.bytes.offset() < end {
            let at = self.bytes.offset();
            let length = piece.len().min(usize::try_from(end - at).unwrap_or(usize::MAX));
            let filled = self.bytes.fill(piece.get_mut(..length).unwrap_or_default())?;
            if is_wanted {
                let found = piece.get(..filled).unwrap_or_default();
                let mut kept = 0;
                for number in found.as_chunks::<2>().0 {
                    let keep = keeps(i16::from_le_bytes(*number)).map_err(|fault| {
                        self.bytes.error(at + kept as u64, fault.found, fault.expected)
                    })?;
                    if !keep {
                        is_wanted = false;
                        break;
                    }
                    kept += number.len();
                }
                numbers
                    .write_all(found.get(..kept).unwrap_or_default())
                    .map_err(|error| aside(self.bytes.file(), &error))?;
            }
            if filled < length {
                let found = format!("the end of the file before the end of {} nodes", self.count);
                let expected = "12 bytes a node and 2 a move";
                return Err(self.bytes.error(self.bytes.offset(), found, expected));
            }
        }
        numbers.rewind().map_err(|error| aside(self.bytes.file(), &error))?;
        Ok(Column { numbers: BufReader::with_capacity(PIECE, numbers), at: start })
    }

    /// Looks at what follows the last array: of a gzip'd file it is the checksum.
    fn end(&mut self, defects: &mut Defects) -> Result<(), FormatError> {
        let at = self.bytes.offset();
        match self.bytes.fill(&mut [0]) {
            Ok(0) => Ok(()),
            Ok(_) => {
                let place = self.bytes.places()(at);
                defects.note(DefectKind::TrailingBytes, || place.to_string());
                Ok(())
            }
            // All nodes have been read.
            Err(error @ FormatError::Content { .. }) if self.options.lenient => {
                defects.note(DefectKind::Checksum, || error.to_string());
                Ok(())
            }
            Err(error) => Err(error),
        }
    }
}

impl Packed {
    /// The next node of the walk; none at its end.
    pub(super) fn next_node(&mut self) -> Result<Option<(Place, ZebraEntry)>, FormatError> {
        while self.visit.is_none() {
            let Some(open) = self.path.last_mut() else { return Ok(None) };
            if open.left == 0 {
                self.path.pop();
                continue;
            }
            open.left -= 1;
            let Some((at, stored)) = self.pending.pop() else { return Ok(None) };
            let next = square_of(stored)
                .zip(open.side)
                .and_then(|(square, side)| Some((play(open.board, side, square)?, side)));
            let Some((next, side)) = next else {
                let (found, expected) = (format!("move {stored}"), "a legal move of the walk");
                return Err(FormatError::content(&self.file, (self.place)(at), found, expected));
            };
            self.visit = Some((next, next_turn(next, side)));
        }
        let Some((board, turn)) = self.visit.take() else { return Ok(None) };
        let file = &self.file;
        let node = ZebraNode {
            black_score: self.scores.next(file)?,
            white_score: self.scores.next(file)?,
            alternative: self.alternatives.next(file)?,
            alternative_score: self.alternative_scores.next(file)?,
            flags: self.flags.next(file)?.cast_unsigned(),
        };
        let place = (self.place)(self.alternatives.at + 2 * self.walked);
        self.walked += 1;
        let left = self.children.next(file)?;
        let first = self.pending.len();
        for _ in 0..left {
            self.pending.push((self.moves.at + 2 * self.played, self.moves.next(file)?));
            self.played += 1;
        }
        if let Some(moves) = self.pending.get_mut(first..) {
            moves.reverse();
        }
        let left = u8::try_from(left).unwrap_or_default();
        self.path.push(Open { board, side: walking_side(&node, board, turn), left });
        Ok(Some((place, ZebraEntry { board, turn, node })))
    }
}
