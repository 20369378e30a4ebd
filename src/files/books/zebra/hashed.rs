//! `book.bin` and its text form: nodes by their hashes, and boards by walking the game from the
//! start.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::{BufRead, Read};

use crate::files::books::lines::BookLines;
use crate::files::books::{DefectKind, Defects, Fault, FormatError, Place, ReadOptions};
use crate::files::bytes::{ByteSource, Fields};
use crate::othello::board::{Position, Side};

use super::facts::check_hash;
use super::layout::{HEADER_BYTES, RECORD_BYTES, moves, next_turn, play, walking_side};
use super::{ZebraEntry, ZebraHash, ZebraNode, zebra_hash};

/// The nodes of a book that no walk has come to yet: 25 to 50 bytes of memory each.
pub(super) struct Hashed {
    nodes: HashMap<ZebraHash, Stored, foldhash::fast::FixedState>,
    total: u64,
    place: fn(u32) -> Place,
    options: ReadOptions,
    /// Boards, seen by Black, that may have a node, with the side whose turn it is.
    stack: Vec<(Position, Option<Side>)>,
}

/// A node and the number of its record or line.
struct Stored {
    number: u32,
    node: ZebraNode,
}

impl Hashed {
    fn new(place: fn(u32) -> Place, options: ReadOptions) -> Self {
        let stack = vec![(Position::START, Some(Side::Black))];
        Self { nodes: HashMap::default(), total: 0, place, options, stack }
    }

    /// Takes a node; one that cannot be right only leniently, as if it were not there.
    fn take(
        &mut self,
        file: &str,
        number: u32,
        hash: ZebraHash,
        node: ZebraNode,
        defects: &mut Defects,
    ) -> Result<(), FormatError> {
        let place = (self.place)(number);
        if let Err(fault) = self.check(hash, &node) {
            let error = FormatError::at(file, place, fault);
            return self.options.tolerate(defects, DefectKind::BadRecord, error);
        }
        self.total += 1;
        match self.nodes.entry(hash) {
            Entry::Vacant(slot) => drop(slot.insert(Stored { number, node })),
            Entry::Occupied(first) => {
                let found = format!("the hash of {} again", (self.place)(first.get().number));
                let error = FormatError::content(file, place, found, "one node a position");
                self.options.tolerate(defects, DefectKind::DuplicateRecord, error)?;
            }
        }
        Ok(())
    }

    /// Whether a node can be right. The first one of a file is that of the start.
    fn check(&self, hash: ZebraHash, node: &ZebraNode) -> Result<(), Fault> {
        check_hash(hash)?;
        let Position { mover, opponent } = Position::START;
        let is_start = hash == zebra_hash(mover, opponent).0;
        if self.total == 0 && !is_start && !self.options.lenient {
            let (first, second) = hash;
            let found = format!("hash {first}, {second} in the first node");
            return Err(Fault::new(found, "that of the start, where every book begins"));
        }
        node.check()
    }

    /// The next node of the walk; none at its end.
    pub(super) fn next_node(&mut self, defects: &mut Defects) -> Option<(Place, ZebraEntry)> {
        while let Some((board, turn)) = self.stack.pop() {
            // Taken out, so that each node is met once.
            let stored = self.nodes.remove(&zebra_hash(board.mover, board.opponent).0);
            let Some(Stored { number, node }) = stored else { continue };
            if let Some(side) = walking_side(&node, board, turn) {
                let first = self.stack.len();
                for square in moves(board, side) {
                    if let Some(next) = play(board, side, square)
                        && self.nodes.contains_key(&zebra_hash(next.mover, next.opponent).0)
                    {
                        self.stack.push((next, next_turn(next, side)));
                    }
                }
                if let Some(children) = self.stack.get_mut(first..) {
                    children.reverse();
                }
            }
            return Some(((self.place)(number), ZebraEntry { board, turn, node }));
        }
        let (lost, total) = (self.nodes.len() as u64, self.total);
        self.nodes = HashMap::default();
        defects.note_times(DefectKind::Unreachable, lost, || {
            format!("{lost} of {total} nodes are on no line from the start")
        });
        None
    }
}

/// Reads `book.bin`.
pub(super) fn read_bin<R: Read>(
    mut bytes: ByteSource<R>,
    options: ReadOptions,
    defects: &mut Defects,
) -> Result<Hashed, FormatError> {
    let mut header = [0; HEADER_BYTES];
    bytes.fill(&mut header)?;
    let mut fields = Fields(&header);
    let (_magic, count) = (fields.u32(), fields.i32());
    let Some(count) = u32::try_from(count).ok().filter(|&count| count > 0) else {
        return Err(bytes.error(4, format!("{count} nodes"), "one at least, that of the start"));
    };
    let mut book = Hashed::new(|number| Place::Byte(offset(number)), options);
    for number in 0..count {
        let mut record = [0; RECORD_BYTES];
        let filled = bytes.fill(&mut record)?;
        if filled < RECORD_BYTES {
            let found = format!("the end of the file after {number} of {count} nodes");
            let error = bytes.error(bytes.offset(), found, "18 bytes a node");
            options.tolerate(defects, DefectKind::Truncated, error)?;
            return Ok(book);
        }
        let mut fields = Fields(&record);
        let hash = (fields.i32(), fields.i32());
        let node = ZebraNode {
            black_score: fields.i16(),
            white_score: fields.i16(),
            alternative: fields.i16(),
            alternative_score: fields.i16(),
            flags: fields.u16(),
        };
        book.take(bytes.file(), number, hash, node, defects)?;
    }
    let mut more = [0; 1];
    if bytes.fill(&mut more)? != 0 {
        defects.note(DefectKind::TrailingBytes, || format!("byte {}", offset(count)));
    }
    Ok(book)
}

/// Where a record of `book.bin` starts.
fn offset(number: u32) -> u64 {
    HEADER_BYTES as u64 + u64::from(number) * RECORD_BYTES as u64
}

pub(super) fn read_text<R: BufRead>(
    mut lines: BookLines<R>,
    options: ReadOptions,
    defects: &mut Defects,
) -> Result<Hashed, FormatError> {
    const LINE: &str = "hash, hash, two scores, alternative, its score and flags";
    let wrong = |lines: &BookLines<R>, number: u64, fault: Fault| {
        FormatError::at(lines.file(), Place::Line(number), fault)
    };
    let mut book = Hashed::new(|number| Place::Line(u64::from(number)), options);
    // Two numbers that are known by now, and the number of nodes.
    let mut count = None;
    for _ in 0..3 {
        count = lines.next_line()?.and_then(|(_, line)| line.trim().parse::<u32>().ok());
    }
    let Some(count) = count else {
        return Err(wrong(&lines, 3, Fault::new("another third line", "the number of nodes")));
    };
    let mut last = 3;
    while let Some((number, line)) = lines.next_line()? {
        last = number;
        if line.trim().is_empty() {
            continue;
        }
        let Some((hash, node)) = parse(&line) else {
            let error = wrong(&lines, number, Fault::new("no seven numbers of a node", LINE));
            options.tolerate(defects, DefectKind::BadRecord, error)?;
            continue;
        };
        let short = u32::try_from(number).unwrap_or(u32::MAX);
        book.take(lines.file(), short, hash, node, defects)?;
    }
    let (found, stated) = (book.total, u64::from(count));
    if found < stated && !options.lenient {
        let fault = Fault::new(format!("the end of the file after {found} of {count} nodes"), LINE);
        return Err(wrong(&lines, last + 1, fault));
    }
    defects.compare_counts("nodes", stated, found);
    Ok(book)
}

/// The seven numbers of a line.
fn parse(line: &str) -> Option<(ZebraHash, ZebraNode)> {
    let mut numbers = line.split_ascii_whitespace().map(|field| field.parse::<i32>().ok());
    let mut next = || numbers.next().flatten();
    let small = |number: i32| i16::try_from(number).ok();
    let hash = (next()?, next()?);
    let node = ZebraNode {
        black_score: small(next()?)?,
        white_score: small(next()?)?,
        alternative: small(next()?)?,
        alternative_score: small(next()?)?,
        flags: u16::try_from(next()?).ok()?,
    };
    Some((hash, node))
}
