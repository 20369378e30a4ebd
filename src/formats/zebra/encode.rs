//! Our nodes as Zebra has them.

use crate::board::{Key, Placed, Side, Squares};
use crate::book::Node;
use crate::formats::likeliest::likeliest;
use crate::formats::{ExportReport, Loss};
use crate::score::Score;

use super::layout::{NO_SCORE, PROVEN, number_of};
use super::{ZebraEntry, ZebraNode, zebra_hash};

/// No move is stored, as an alternative.
const NO_MOVE: i16 = -1;
/// No move is left, as an alternative.
const EXHAUSTED: i16 = -2;
/// The margin of a win whose size is not known.
const SMALLEST_WIN: i8 = 2;

/// What Zebra's book has no place for.
pub(in crate::formats) const NOT_HELD: &[Loss] = &[
    Loss::of("hundredths of a disc", "1/128 disc"),
    Loss::of("program, confidence, day", "depth alone"),
    Loss::of("draw-seeking, win-seeking", "follow from the proofs; neutral draws are written"),
    Loss::of("positions on no line from the start", "left out"),
];

impl ZebraEntry {
    /// A node, with its position as it is reached from the start.
    #[must_use]
    pub fn of(node: &Node, placed: Placed, report: &mut ExportReport) -> Self {
        let real = Key::with_symmetry(placed.position).1.inverse();
        let Placed { position, side } = placed;
        let board = if side == Side::Black { position } else { position.passed() };
        let sign: i16 = if side == Side::Black { 1 } else { -1 };
        let values = node.values;
        let (score, solved) = if values.is_exact() {
            let margin = i16::from(values.lower);
            let wins = margin.signum() * PROVEN;
            (wins + margin, ZebraNode::EXACT | ZebraNode::WLD)
        } else if values.lower > 0 {
            (PROVEN + i16::from(SMALLEST_WIN), ZebraNode::WLD)
        } else if values.upper < 0 {
            (-PROVEN - i16::from(SMALLEST_WIN), ZebraNode::WLD)
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
                None => likeliest(position, open.0)?,
            };
            Some((square, rest.score))
        });
        let (alternative, alternative_score) = match rest {
            Some((square, score)) => {
                report.rounded += u64::from(i32::from(score.centidiscs()) * 128 % 100 != 0);
                let square = orientation.square(square);
                (number_of(square), sign * parts(score))
            }
            None if node.unlinked().next().is_none() => (EXHAUSTED, NO_SCORE),
            None => {
                report.search_due += u64::from(node.is_incomplete());
                (NO_MOVE, NO_SCORE)
            }
        };
        let depth = u16::from(node.searched.depth.min(63));
        let turn = if side == Side::Black { ZebraNode::BLACK } else { ZebraNode::WHITE };
        let score = sign * score;
        let node = ZebraNode {
            black_score: score,
            white_score: score,
            alternative,
            alternative_score,
            flags: turn | solved | depth << ZebraNode::DEPTH_SHIFT,
        };
        Self { board, turn: Some(side), node }
    }
}

/// Centidiscs to the nearest 1/128 disc.
fn parts(score: Score) -> i16 {
    let scaled = i32::from(score.centidiscs()) * 128;
    let half = if scaled < 0 { -50 } else { 50 };
    ((scaled + half) / 100) as i16
}
