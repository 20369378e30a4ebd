//! A book for Zebra: what is reached from the start position.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufWriter, Write};

use crate::board::{After, Key, Placed, Side, Squares, Symmetry};
use crate::book::{Node, NodeSource};
use crate::formats::Format;
use crate::formats::zebra::{ZebraEntry, ZebraNode, ZebraShape, write_zebra, zebra_hash};
use crate::score::Score;
use crate::store::Reader;

use super::{ExportReport, Failure, Steps};

/// A score that is none, and a move that is none or that nothing is left for.
const NO_SCORE: i16 = 9999;
const NO_MOVE: i16 = -1;
const EXHAUSTED: i16 = -2;
/// Added to the margin of a proven win.
const PROVEN: i16 = 30_000;
/// The margin of a win whose size is not known.
const SMALLEST_WIN: i8 = 2;

/// All nodes on lines from the start.
pub(super) fn book(
    book: &Reader,
    output: BufWriter<File>,
    format: Format,
    steps: &mut Steps<'_>,
) -> Result<ExportReport, Failure> {
    let mut report = ExportReport::default();
    let mut entries = Vec::new();
    let mut seen: HashSet<Key, foldhash::fast::FixedState> = HashSet::default();
    let mut stack = vec![Placed::START];
    while let Some(placed) = stack.pop() {
        let (key, symmetry) = Key::with_symmetry(placed.position);
        if !seen.insert(key) {
            continue;
        }
        let Some(node) = book.node(&key)? else { continue };
        steps.step()?;
        report.positions += 1;
        let real = symmetry.inverse();
        entries.push(entry(&node, placed, real, &mut report));
        for square in node.linked() {
            let next = match placed.position.after(real.square(square)) {
                Some(After::Opponent(next)) => Placed { position: next, side: placed.side.other() },
                Some(After::Same(next)) => Placed { position: next, side: placed.side },
                _ => continue,
            };
            stack.push(next);
        }
    }
    report.left_out = steps.of - report.positions;
    write(output, format, &entries)?;
    Ok(report)
}

/// Writes nodes in one of Zebra's files.
pub(super) fn write(
    mut output: BufWriter<File>,
    format: Format,
    entries: &[ZebraEntry],
) -> std::io::Result<()> {
    let shape = format.zebra_shape().unwrap_or(ZebraShape::Bin);
    if format != Format::ZebraCmpZ {
        return write_zebra(&mut output, shape, entries);
    }
    // Zebra's own archive has this name inside; without a time the bytes depend on the book only.
    let gzip = flate2::GzBuilder::new().filename("book.cmp");
    let mut packed = gzip.write(output, flate2::Compression::best());
    write_zebra(&mut packed, shape, entries)?;
    packed.finish()?.flush()
}

fn entry(node: &Node, placed: Placed, real: Symmetry, report: &mut ExportReport) -> ZebraEntry {
    let Placed { position, side } = placed;
    let board = if side == Side::Black { position } else { position.passed() };
    let sign: i16 = if side == Side::Black { 1 } else { -1 };
    let values = node.values;
    let (score, solved) = if values.is_exact() {
        let margin = i16::from(values.lower);
        let wins = margin.signum() * PROVEN;
        (wins + margin, ZebraNode::EXACT_MARKS)
    } else if values.lower > 0 {
        (PROVEN + i16::from(SMALLEST_WIN), ZebraNode::WLD_MARK)
    } else if values.upper < 0 {
        (-PROVEN - i16::from(SMALLEST_WIN), ZebraNode::WLD_MARK)
    } else {
        (parts(values.guess), 0)
    };
    let (_, orientation) = zebra_hash(board.mover, board.opponent);
    // A value without a move gets the likeliest one: Zebra wants a move.
    let open = Squares(position.legal_moves().0 & !real.bits(node.links.squares(node.key)));
    let rest = node.rest.filter(|_| solved == 0 || node.links.is_empty()).and_then(|rest| {
        report.likely_moves += u64::from(rest.square.is_none());
        let square = match rest.square {
            Some(square) => real.square(square),
            None => super::likeliest(position, open.0)?,
        };
        Some((square, rest.score))
    });
    let (alternative, alternative_score) = match rest {
        Some((square, score)) => {
            report.rounded += u64::from(i32::from(score.centidiscs()) * 128 % 100 != 0);
            let square = orientation.square(square);
            (10 * i16::from(square.row() + 1) + i16::from(square.column() + 1), sign * parts(score))
        }
        None if node.unlinked().next().is_none() => (EXHAUSTED, NO_SCORE),
        None => {
            report.search_due += u64::from(node.is_incomplete());
            (NO_MOVE, NO_SCORE)
        }
    };
    let depth = u16::from(node.searched.depth.min(63));
    let turn = if side == Side::Black { 1 } else { 2 };
    let score = sign * score;
    let node = ZebraNode {
        black_score: score,
        white_score: score,
        alternative,
        alternative_score,
        flags: turn | solved | depth << 10,
    };
    ZebraEntry { board, turn: Some(side), node }
}

/// Centidiscs to the nearest 1/128 disc.
fn parts(score: Score) -> i16 {
    let scaled = i32::from(score.centidiscs()) * 128;
    let half = if scaled < 0 { -50 } else { 50 };
    ((scaled + half) / 100) as i16
}
