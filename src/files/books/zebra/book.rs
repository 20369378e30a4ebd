//! A book for Zebra: what is reached from the start position, with the scores that Zebra's own
//! minimax makes of it.
//!
//! On the way down through the layers the side to move is found, on the way up what each node is
//! worth. Nodes come out deepest first, except the start position; Zebra takes any order.

use std::fs::File;
use std::io::{self, BufWriter};
use std::sync::Arc;

use super::{ZebraBinWriter, ZebraEntry, ZebraLink, ZebraReader, ZebraShape, write_zebra};
use crate::files::books::format::{BookFacts, BookFormat, BookSource, Head, Mark, ReadResult};
use crate::files::books::not_held::BY_HAND;
use crate::files::books::{ExportReport, NotHeld};
use crate::files::packed::Packing;
use crate::openbook::{Held, Legacy, Link, Node, NodeSource, SourceOrder, deepest_first};
use crate::othello::board::{Key, Position, Side, Squares};
use crate::othello::eval::{Evaluator, PatternEvaluator};
use crate::othello::score::Score;

use super::reach::{Reach, Turns};
use crate::files::books::children::{Child, LayerMaker, each_with_links};
use crate::files::books::write::{KeyMap, Steps, WriteError, WriteJob, WriteResult};

pub(crate) struct ZebraBook(pub(crate) ZebraShape);

const NOT_HELD: &[NotHeld] = &[
    NotHeld::of("hundredths of a disc", "1/128 disc"),
    NotHeld::of("our guess", "Zebra's minimax: an estimate beats a proven loss"),
    NotHeld::of("likely size of a proven win or loss", "the size that is proven"),
    NotHeld::of("proof of a best move out of the book", "its score, as an estimate"),
    NotHeld::of("program, selectivity, day", "depth alone"),
    NotHeld::of("draw-seeking, win-seeking", "follow from the proofs; neutral draws are written"),
    NotHeld::of("positions on no line from the start", "left out"),
    NotHeld::of("boards with either side to move", "left out: both have one hash"),
    BY_HAND,
];

impl BookFormat for ZebraBook {
    fn facts(&self) -> BookFacts {
        let facts = match self.0 {
            ZebraShape::Bin => BookFacts::of("zebra", "Zebra book", &["bin"]),
            ZebraShape::Text => BookFacts::of("zebra-text", "Zebra text book", &[]),
            ZebraShape::Packed => BookFacts::of("zebra-cmp", "Zebra packed book", &["cmp"]),
            ZebraShape::Gzipped => {
                BookFacts::of("zebra-cmp-z", "Zebra packed book, compressed", &["z", "gz"])
            }
        };
        BookFacts { not_held: NOT_HELD, ..facts }
    }

    fn sniff(&self, head: &Head<'_>) -> Option<Mark> {
        let begins = |mark: &[u8]| head.bytes.starts_with(mark);
        match self.0 {
            ZebraShape::Bin => begins(&[0x9e, 0x0a, 0x02, 0x0b]).then_some(Mark::Bytes),
            ZebraShape::Text => {
                let text = head.bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(head.bytes);
                let marks: [&[u8]; 2] = [b"2718\n2818\n", b"2718\r\n2818"];
                marks.iter().any(|mark| text.starts_with(mark)).then_some(Mark::Bytes)
            }
            // Any bytes may be packed moves.
            ZebraShape::Packed => {
                matches!(head.ending().as_str(), "cmp" | "z" | "gz").then_some(Mark::Ending)
            }
            ZebraShape::Gzipped => begins(Packing::Gzip.mark()).then_some(Mark::Bytes),
        }
    }

    fn read<'a>(&self, source: BookSource<'a>) -> ReadResult<'a> {
        let BookSource { input, file, options, .. } = source;
        Ok(Box::new(ZebraReader::with_options(input, &file, self.0, options)?))
    }

    /// All nodes on lines from the start.
    fn write(&self, job: WriteJob<'_>, steps: &mut Steps<'_>) -> WriteResult {
        let WriteJob { book, output, .. } = job;
        if book.node(&Key::of(Position::START))?.is_none() {
            return Err(WriteError::NoStart);
        }
        let Reach { layers, left_out, shared } = Reach::of(book, steps)?;
        let mut maker = Maker {
            left_out,
            turns: Vec::new().into_iter(),
            evaluator: None,
            sink: Sink::new(output, self.0)?,
            start: None,
            report: ExportReport::default(),
            here: KeyMap::default(),
            below: KeyMap::default(),
        };
        maker.report.zebra.shared_boards = shared;
        let discs: Vec<u8> = layers.iter().map(|&(discs, _)| discs).collect();
        let mut turns = layers.into_iter().rev().map(|(_, turns)| turns);
        deepest_first(discs, |discs, below| {
            maker.below = below.unwrap_or_default();
            maker.turns = turns.next().unwrap_or_default().into_iter();
            each_with_links(book, discs, &mut maker, steps)?;
            Ok::<_, WriteError>(std::mem::take(&mut maker.here))
        })?;
        maker.sink.finish(maker.start.ok_or(WriteError::NoStart)?)?;
        Ok(maker.report)
    }
}

/// Where nodes go: only `book.bin` need not have them all at once.
enum Sink {
    Bin(ZebraBinWriter<BufWriter<File>>),
    Other(BufWriter<File>, ZebraShape, Vec<ZebraEntry>),
}

impl Sink {
    fn new(output: BufWriter<File>, shape: ZebraShape) -> io::Result<Self> {
        match shape {
            ZebraShape::Bin => ZebraBinWriter::new(output).map(Self::Bin),
            shape => Ok(Self::Other(output, shape, Vec::new())),
        }
    }

    fn write(&mut self, entry: ZebraEntry) -> io::Result<()> {
        match self {
            Self::Bin(writer) => writer.write(&entry),
            Self::Other(_, _, entries) => {
                entries.push(entry);
                Ok(())
            }
        }
    }

    fn finish(self, start: ZebraEntry) -> io::Result<()> {
        match self {
            Self::Bin(writer) => writer.finish(&start),
            Self::Other(mut output, shape, mut entries) => {
                entries.push(start);
                entries.reverse();
                write_zebra(&mut output, shape, &entries)
            }
        }
    }
}

/// The scores of a position's nodes for Black: where Black and where White is to move.
#[derive(Clone, Copy, Default)]
struct Scores([Option<i16>; 2]);

impl Scores {
    const fn of(self, side: Side) -> Option<i16> {
        let [black, white] = self.0;
        match side {
            Side::Black => black,
            Side::White => white,
        }
    }

    const fn set(&mut self, side: Side, score: i16) {
        let [black, white] = &mut self.0;
        match side {
            Side::Black => *black = Some(score),
            Side::White => *white = Some(score),
        }
    }
}

/// Makes nodes of Zebra's, layer after layer.
struct Maker {
    left_out: KeyMap<Option<Legacy>>,
    /// The side to move at the positions of the layer that are still to come.
    turns: std::vec::IntoIter<Turns>,
    /// Seldom needed.
    evaluator: Option<Arc<PatternEvaluator>>,
    sink: Sink,
    start: Option<ZebraEntry>,
    report: ExportReport,
    here: KeyMap<Scores>,
    below: KeyMap<Scores>,
}

impl LayerMaker for Maker {
    type Facts = Scores;

    fn below(&self) -> &KeyMap<Scores> {
        &self.below
    }

    fn node(
        &mut self,
        node: &Node,
        _legal: Squares,
        links: &[Child<Scores>],
    ) -> Result<(), WriteError> {
        let turns = self.turns.next().unwrap_or_default();
        let mut scores = Scores::default();
        for side in turns.sides() {
            let entry = self.entry(node, links, side)?;
            scores.set(side, entry.node.black_score);
            if node.key == Key::of(Position::START) {
                self.start = Some(entry);
            } else {
                self.sink.write(entry)?;
            }
        }
        let nodes = turns.sides().count() as u64;
        self.report.zebra.nodes += nodes;
        if nodes == 0 {
            self.report.zebra.unreached += 1;
        } else {
            self.report.positions += 1;
            self.here.insert(node.key, scores);
        }
        Ok(())
    }
}

impl Maker {
    fn entry(
        &mut self,
        node: &Node,
        links: &[Child<Scores>],
        side: Side,
    ) -> Result<ZebraEntry, WriteError> {
        let mut node = *node;
        let mut written = Vec::with_capacity(links.len());
        let mut removed = Vec::new();
        for &Child { square, key, same_side, known } in links {
            let turn = if same_side { side } else { side.other() };
            if let Some(score) = known.and_then(|scores| scores.of(turn)) {
                written.push(ZebraLink { square, score });
            } else if let Some(&Some(legacy)) = self.left_out.get(&key) {
                removed.push((Link { square, child: key, same_side }, legacy));
            }
        }
        node.fold(&mut Held::of(&node), &removed, &SourceOrder::default());
        let evaluator = &mut self.evaluator;
        let judge = |position| judged(evaluator, position);
        ZebraEntry::of(&node, side, &written, judge, &mut self.report)
    }
}

/// What a position seems to be worth to its side to move.
fn judged(
    evaluator: &mut Option<Arc<PatternEvaluator>>,
    position: Position,
) -> Result<Score, WriteError> {
    let evaluator = match evaluator {
        Some(evaluator) => evaluator,
        None => evaluator.insert(PatternEvaluator::embedded().map_err(io::Error::other)?),
    };
    Ok(evaluator.evaluate(&evaluator.state(position), position))
}
