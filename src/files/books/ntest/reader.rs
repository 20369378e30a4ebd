//! Reading an NTest book, node after node.

use std::io::Read;
use std::ops::RangeInclusive;

use crate::files::books::{
    DefectKind, Defects, Format, FormatError, Place, ReadOptions, Record, RecordReader,
};
use crate::files::bytes::{ByteSource, Fields};
use crate::openbook::{Rest, Source};
use crate::othello::board::{Position, Square};
use crate::othello::score::Score;
use crate::othello::search::{Proof, Selectivity};

use super::checksum::Checksum;
use super::layout::{EXHAUSTED, NODE_BYTES, NOT_SEARCHED, RAW_BYTES, SOLVER_EMPTIES};
use super::{NtestKind, NtestNode, canonical};

/// Ends the children of a node.
const END: u8 = 0xff;

/// d4, e4, d5 and e5, which are never empty.
const CENTER: u64 = 0x0000_0018_1800_0000;

/// Whether a file that starts like this may be an NTest book: format 1 or 2, a count, and then the empty
/// squares and the mover's of a board that can come about.
pub(crate) fn looks_like_ntest(head: &[u8]) -> bool {
    let mut fields = Fields(head);
    let (version, count) = (fields.i32(), fields.i32());
    let (empty, mover) = (fields.u64(), fields.u64());
    let can_come_about = || empty & CENTER == 0 && mover != 0;
    let is_board = count == 0 || head.len() < RAW_BYTES || can_come_about();
    let is_header = head.len() >= 12 && (1..=2).contains(&version) && count >= 0;
    is_header && empty & mover == 0 && is_board
}

/// Reads an NTest book of either format with memory for one line of play.
pub struct NtestReader<R> {
    bytes: ByteSource<R>,
    version: i32,
    count: u64,
    read: u64,
    checksum: Checksum,
    /// Boards on the path from the root of the current tree, in NTest's orientation.
    path: Vec<Position>,
    options: ReadOptions,
    sources: [Source; 1],
    defects: Defects,
    /// Whether the file ended too soon.
    is_cut: bool,
    done: bool,
}

impl<R: Read> NtestReader<R> {
    pub fn new(input: R, file: &str, options: ReadOptions) -> Result<Self, FormatError> {
        Self::of_versions(1..=2, input, file, options)
    }

    /// As [`NtestReader::new`], of the older format alone.
    pub fn first(input: R, file: &str, options: ReadOptions) -> Result<Self, FormatError> {
        Self::of_versions(1..=1, input, file, options)
    }

    fn of_versions(
        versions: RangeInclusive<i32>,
        input: R,
        file: &str,
        options: ReadOptions,
    ) -> Result<Self, FormatError> {
        let mut bytes = ByteSource::new(input, file);
        let header = bytes.header::<8>("an NTest header of 8 bytes")?;
        let mut fields = Fields(&header);
        let (version, count) = (fields.i32(), fields.i32());
        if !versions.contains(&version) {
            let found = format!("book format {version}");
            let known = if versions.contains(&2) { "format 1 or 2" } else { "format 1" };
            return Err(bytes.error(0, found, format!("{known} of NTest")));
        }
        let Ok(count) = u64::try_from(count) else {
            return Err(bytes.error(4, format!("{count} nodes"), "no negative count"));
        };
        let source = Source {
            engine: "ntest".to_owned(),
            // The file's name may say the level; the file itself does not.
            format: Format::Ntest.name().to_owned(),
            ..Source::default()
        };
        Ok(Self {
            bytes,
            version,
            count,
            read: 0,
            checksum: Checksum::default(),
            path: Vec::new(),
            options,
            sources: [source],
            defects: Defects::default(),
            is_cut: false,
            done: false,
        })
    }

    /// The format: 1 or 2.
    pub const fn version(&self) -> i32 {
        self.version
    }

    /// The next node as in the file, with its byte offset; none at the end. Leniently, the first thing
    /// that is wrong is noted, and the end: where a node starts follows from those before it.
    pub fn next_node(&mut self) -> Result<Option<(u64, NtestNode)>, FormatError> {
        if self.done {
            return Ok(None);
        }
        let node = if self.version == 1 { self.next_of_records() } else { self.next_of_forest() };
        let node = match node {
            Err(error) => self.note_end(error).map(|()| None),
            node => node,
        };
        if !matches!(node, Ok(Some(_))) {
            self.done = true;
        }
        node
    }

    /// Notes what was found where nothing behind can be read.
    fn note_end(&mut self, error: FormatError) -> Result<(), FormatError> {
        let kind = if self.is_cut { DefectKind::Truncated } else { DefectKind::BadRecord };
        self.options.tolerate(&mut self.defects, kind, error)?;
        let (count, read) = (self.count, self.read);
        if read != count {
            self.defects.note(DefectKind::CountDiffers, || {
                format!("the header counts {count} nodes, {read} can be read")
            });
        }
        Ok(())
    }

    fn next_of_records(&mut self) -> Result<Option<(u64, NtestNode)>, FormatError> {
        while self.read < self.count {
            let start = self.bytes.offset();
            let raw: [u8; RAW_BYTES] = self.piece("a node of 56 bytes")?;
            self.checksum.words(&raw);
            self.read += 1;
            if NtestNode::has_junk(&raw) {
                self.defects.note(DefectKind::Padding, || format!("byte {start}"));
            }
            let node = NtestNode::parse_raw(&raw);
            match self.check_turn(start, node.position) {
                Ok(()) => return Ok(Some((start, node))),
                Err(error) => {
                    self.options.tolerate(&mut self.defects, DefectKind::BadRecord, error)?;
                }
            }
        }
        self.finish()?;
        Ok(None)
    }

    /// No node is a pass or the end of a game, so each board has a move.
    fn check_turn(&self, start: u64, position: Position) -> Result<(), FormatError> {
        if position.can_move() {
            return Ok(());
        }
        let found = format!("{position:?} without a move");
        Err(self.bytes.error(start, found, "a board whose side to move has one"))
    }

    fn next_of_forest(&mut self) -> Result<Option<(u64, NtestNode)>, FormatError> {
        loop {
            let Some(&parent) = self.path.last() else {
                if self.read == self.count {
                    self.finish()?;
                    return Ok(None);
                }
                let start = self.bytes.offset();
                let board: [u8; 16] = self.piece("a board of 16 bytes")?;
                self.checksum.words(&board);
                let mut fields = Fields(&board);
                let (empty, mover) = (fields.u64(), fields.u64());
                let position = Position { mover, opponent: !(empty | mover) };
                if empty & mover != 0 {
                    let found = format!("empty squares {empty:016x} and discs {mover:016x}");
                    return Err(self.bytes.error(start, found, "sets that share no square"));
                }
                self.check_turn(start, position)?;
                return self.node(position).map(Some);
            };
            let at = self.bytes.offset();
            let [number]: [u8; 1] = self.piece("a move or the end of the children")?;
            self.checksum.item(u32::from(number));
            if number == END {
                self.path.pop();
                continue;
            }
            let next = Square::try_new(number).and_then(|square| parent.play(square));
            let Some(next) = next.filter(|next| next.can_move()) else {
                let found = match Square::try_new(number) {
                    Some(square) => format!("move {square}"),
                    None => format!("move {number}"),
                };
                let expected = format!("a legal move of {parent:?} that can be answered, or 255");
                return Err(self.bytes.error(at, found, expected));
            };
            return self.node(canonical(next)).map(Some);
        }
    }

    /// The record of a node whose board is known.
    fn node(&mut self, position: Position) -> Result<(u64, NtestNode), FormatError> {
        let start = self.bytes.offset();
        if self.read == self.count {
            let found = format!("a node after the {} of the header", self.count);
            return Err(self.bytes.error(start, found, "the end of the children"));
        }
        let raw: [u8; NODE_BYTES] = self.piece("a node of 8 bytes")?;
        self.checksum.words(&raw);
        self.read += 1;
        self.path.push(position);
        Ok((start, NtestNode::parse(position, &raw)))
    }

    fn piece<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], FormatError> {
        let mut bytes = [0; N];
        let filled = self.bytes.fill(&mut bytes)?;
        if filled == N {
            return Ok(bytes);
        }
        self.is_cut = true;
        let at = self.bytes.offset();
        let found = format!("the end of the file after {} of {} nodes", self.read, self.count);
        Err(self.bytes.error(at, found, what))
    }

    fn finish(&mut self) -> Result<(), FormatError> {
        let at = self.bytes.offset();
        let stored = u32::from_le_bytes(self.piece("a checksum of 4 bytes")?);
        let computed = self.checksum.value();
        if stored != computed {
            let found = format!("checksum {stored:08x}");
            let error = self.bytes.error(at, found, format!("{computed:08x}"));
            self.options.tolerate(&mut self.defects, DefectKind::Checksum, error)?;
        }
        let mut more = [0; 1];
        if self.bytes.fill(&mut more)? != 0 {
            self.defects.note(DefectKind::TrailingBytes, || format!("byte {}", at + 4));
        }
        Ok(())
    }
}

/// NTest's selectivities 0..=5 in percent.
const CONFIDENCE: [u8; 6] = [100, 97, 91, 70, 60, 50];

impl NtestNode {
    /// What a book keeps of the node: a leaf's or solved node's value, or the bound of a branch on
    /// the moves that are not in the book. Which move comes nearest is not known.
    pub fn rest(&self) -> Option<Rest> {
        let proof = match self.kind() {
            NtestKind::Branch if self.number == EXHAUSTED || self.number == NOT_SEARCHED => {
                return None;
            }
            NtestKind::Branch | NtestKind::Leaf => Proof::None,
            // NTest leaves the empties out of its sizes, so only the sign is proven by our rules.
            NtestKind::Solved => match self.number.signum() {
                1 => Proof::Win,
                0 => Proof::Exact,
                _ => Proof::Loss,
            },
        };
        Some(Rest { square: None, score: score(self.number), proof })
    }

    /// Depth in plies and selectivity of the search that its size comes from: no plies where only the sign was
    /// solved.
    pub fn searched(&self) -> (u8, Selectivity) {
        let empties = self.position.empties();
        if self.kind() == NtestKind::Solved && self.wld && self.number != 0 {
            return (0, Selectivity::FULL);
        }
        let percent = CONFIDENCE.get(usize::from(self.prune)).copied().unwrap_or(50);
        let to_the_end =
            self.proven || self.known || self.height.saturating_add(SOLVER_EMPTIES) >= empties;
        let depth = if to_the_end { empties } else { self.height.min(60) };
        (depth, Selectivity::from_percent(percent).unwrap_or_default())
    }
}

fn score(centidiscs: i16) -> Score {
    Score::from_centidiscs(centidiscs.clamp(Score::MIN.centidiscs(), Score::MAX.centidiscs()))
}

fn neutral(start: u64, node: &NtestNode) -> Record {
    let (depth, selectivity) = node.searched();
    Record {
        place: Place::Byte(start),
        position: node.position,
        links: Vec::new(),
        rest: node.rest(),
        alone: None,
        depth,
        selectivity,
        source: 0,
        stored: node.stored.map(|[guess, ..]| score(guess)),
        kept: None,
    }
}

impl<R: Read> RecordReader for NtestReader<R> {
    fn next_record(&mut self) -> Result<Option<Record>, FormatError> {
        Ok(self.next_node()?.map(|(start, node)| neutral(start, &node)))
    }

    fn sources(&self) -> &[Source] {
        &self.sources
    }

    fn defects(&mut self) -> &mut Defects {
        &mut self.defects
    }
}
