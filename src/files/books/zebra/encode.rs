//! Our nodes as Zebra has them.
//!
//! Zebra recomputes the scores of all nodes that are not solved from what a file says of the others.
//! A node of ours gets the score that Zebra would give it, so that nothing changes there; where that
//! is not what our book thinks of the position, it is counted.

use crate::files::books::ExportReport;
use crate::files::books::likeliest::likeliest;
use crate::openbook::{Node, Values};
use crate::othello::board::{After, Bitboard, Position, Side, Square, Squares};
use crate::othello::score::Score;
use crate::othello::search::Proof;

use super::layout::{NO_SCORE, PROVEN, number_of, seen_by};
use super::{ZebraEntry, ZebraNode, zebra_hash};

/// No move is stored, as an alternative.
const NO_MOVE: i16 = -1;
/// No move is left, as an alternative.
const EXHAUSTED: i16 = -2;
/// The depth of a move that was judged by the position after it.
const ONE_PLY: u8 = 1;
/// A guess that Zebra's score misses by more than this, in centidiscs, is not held.
const TOLERANCE: i32 = 25;

/// A move that leads to another node of the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ZebraLink {
    /// The move, in the orientation of the key that it is made on.
    pub square: Square,
    /// The score of the node that it leads to, for Black.
    pub score: i16,
}

impl ZebraEntry {
    /// A node where this side is to move, with the moves that lead to other nodes of the file. The
    /// score is the one that Zebra's minimax gives it with neutral draws.
    ///
    /// Zebra takes a node of which nothing is known, or nothing but lost moves, for lost. There
    /// `judge` is asked what the positions after the other moves are worth to their side to move.
    pub fn of<E>(
        node: &Node,
        side: Side,
        links: &[ZebraLink],
        judge: impl FnMut(Position) -> Result<Score, E>,
        report: &mut ExportReport,
    ) -> Result<Self, E> {
        let position = node.key.position();
        let board = seen_by(position, side);
        let sign: i16 = if side == Side::Black { 1 } else { -1 };
        let below = links.iter().map(|link| sign * link.score).max();
        let linked = links.iter().fold(0, |set, link| set | link.square.bit());
        let open = position.legal_moves().0 & !linked;
        let proof = proven(node.values);
        let mut depth = node.searched.depth;
        let mut alternative = best_open(node, open, proof.is_some(), report);
        if proof.is_none() && alternative.is_none() && below.is_none_or(|best| best <= -PROVEN) {
            alternative = judged_open(position, open, judge)?;
            depth = ONE_PLY;
            report.zebra.static_moves += 1;
        } else if alternative.is_none() && node.is_incomplete() {
            report.search_due += 1;
        }
        let (_, orientation) = zebra_hash(board.mover, board.opponent);
        let (alternative, alternative_score) = match alternative {
            Some((square, score)) => {
                report.rounded += u64::from(i32::from(score.centidiscs()) * 128 % 100 != 0);
                (number_of(orientation.square(square)), parts(score))
            }
            None if open == 0 => (EXHAUSTED, NO_SCORE),
            None => (NO_MOVE, NO_SCORE),
        };
        let own = (alternative_score != NO_SCORE).then_some(alternative_score);
        let (score, marks) = match proof {
            Some(Proven { score, is_exact }) => {
                let exact = if is_exact { ZebraNode::EXACT } else { 0 };
                (score, ZebraNode::WLD | exact)
            }
            None => (below.max(own).unwrap_or_default(), 0),
        };
        note_loss(node, proof, score, report);
        let turn = if side == Side::Black { ZebraNode::BLACK } else { ZebraNode::WHITE };
        let score = sign * score;
        let node = ZebraNode {
            black_score: score,
            white_score: score,
            alternative,
            alternative_score: own.map_or(NO_SCORE, |own| sign * own),
            flags: turn | marks | u16::from(depth.min(63)) << ZebraNode::DEPTH_SHIFT,
        };
        Ok(Self { board, turn: Some(side), node })
    }
}

/// A proven result as Zebra has it.
#[derive(Clone, Copy)]
struct Proven {
    /// For the side to move: 0 for a draw, else the size that is proven beside [`PROVEN`].
    score: i16,
    is_exact: bool,
}

/// What is proven of the result, where the winner is known.
fn proven(values: Values) -> Option<Proven> {
    let Values { lower, upper, .. } = values;
    if !values.is_decided() {
        return None;
    }
    // All results are even.
    let least = if lower > 0 { lower } else { upper };
    let margin = i16::from(least) + i16::from(least % 2);
    Some(Proven { score: margin.signum() * PROVEN + margin, is_exact: values.is_exact() })
}

/// The best of the moves that lead to no node, where it is known.
fn best_open(
    node: &Node,
    open: Bitboard,
    is_proven: bool,
    report: &mut ExportReport,
) -> Option<(Square, Score)> {
    let position = node.key.position();
    let Some(rest) = node.rest() else {
        // While a search is due, what ends the game need not be the best, unless it wins.
        let is_due = node.is_incomplete();
        let endings = Squares(open).filter_map(|square| match position.after(square)? {
            After::Over(discs) if !is_due || discs > 0 => Some((square, Score::from_discs(discs))),
            _ => None,
        });
        return endings.reduce(better);
    };
    let square = match rest.square {
        Some(square) => square,
        // A solved node needs no move; Zebra finds one itself.
        None if is_proven => return None,
        None => {
            let square = likeliest(position, open)?;
            report.likely_moves += 1;
            square
        }
    };
    report.zebra.proven_moves += u64::from(!is_proven && rest.proof != Proof::None);
    Some((square, rest.score))
}

/// The best of some moves by what the positions after them seem to be worth.
fn judged_open<E>(
    position: Position,
    open: Bitboard,
    mut judge: impl FnMut(Position) -> Result<Score, E>,
) -> Result<Option<(Square, Score)>, E> {
    let mut best = None;
    for square in Squares(open) {
        let Some(after) = position.after(square) else { continue };
        let score = match after {
            After::Opponent(next) => -judge(next)?,
            After::Same(next) => judge(next)?,
            After::Over(discs) => Score::from_discs(discs),
        };
        best = Some(best.map_or((square, score), |best| better(best, (square, score))));
    }
    Ok(best)
}

/// The better of two moves; of equal ones the first.
fn better(first: (Square, Score), second: (Square, Score)) -> (Square, Score) {
    if second.1 > first.1 { second } else { first }
}

/// Counts what the book values differently from the score.
fn note_loss(node: &Node, proof: Option<Proven>, score: i16, report: &mut ExportReport) {
    let held = i32::from(score) - proof.map_or(0, |_| i32::from(score.signum() * PROVEN));
    // A margin is in discs, an estimate in parts of one.
    let held = if proof.is_some() { held * 128 } else { held };
    let guess = i32::from(node.values.guess.centidiscs());
    if (held * 100 - guess * 128).abs() > 128 * TOLERANCE {
        match proof {
            Some(_) => report.zebra.other_size += 1,
            None => report.zebra.other_guess += 1,
        }
    }
}

/// Centidiscs to the nearest 1/128 disc.
fn parts(score: Score) -> i16 {
    let scaled = i32::from(score.centidiscs()) * 128;
    let half = if scaled < 0 { -50 } else { 50 };
    ((scaled + half) / 100) as i16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openbook::{Rest, Searched, SourceId};
    use crate::othello::board::{Key, Line};
    use crate::othello::search::Selectivity;

    fn values(lower: i8, upper: i8) -> Values {
        Values { lower, upper, ..Values::of_final(0) }
    }

    #[test]
    fn what_is_proven_is_the_least_size() {
        for (lower, upper, expected) in [
            (-64, 64, None),
            (0, 64, None),
            (-64, 0, None),
            (0, 0, Some((0, true))),
            (2, 64, Some((30_002, false))),
            (6, 64, Some((30_006, false))),
            // No result is odd.
            (5, 64, Some((30_006, false))),
            (-64, -2, Some((-30_002, false))),
            (-12, -7, Some((-30_008, false))),
            (64, 64, Some((30_064, true))),
            (-64, -64, Some((-30_064, true))),
        ] {
            let found = proven(values(lower, upper)).map(|found| (found.score, found.is_exact));
            assert_eq!(found, expected, "{lower} {upper}");
        }
    }

    #[test]
    fn centidiscs_become_the_nearest_part() {
        for (centidiscs, expected) in
            [(0, 0), (100, 128), (-100, -128), (1, 1), (-1, -1), (38, 49), (6_400, 8_192)]
        {
            assert_eq!(parts(Score::from_centidiscs(centidiscs)), expected);
        }
    }

    /// After f5, without links.
    fn node(rest: Option<Rest>) -> Node {
        let key = Key::of("f5".parse::<Line>().unwrap().board().position);
        let searched =
            Searched { depth: 12, selectivity: Selectivity::OURS[0], source: SourceId(0) };
        let values = rest.map_or(crate::openbook::UNKNOWN, Rest::values);
        Node { values, due: false, ..Node::new(key, rest, searched) }
    }

    fn entry(node: &Node, side: Side, links: &[ZebraLink], static_score: i16) -> ZebraNode {
        let judge = |_: Position| Ok::<_, ()>(Score::from_centidiscs(static_score));
        let mut report = ExportReport::default();
        ZebraEntry::of(node, side, links, judge, &mut report).unwrap().node
    }

    fn rest(square: Square, centidiscs: i16) -> Option<Rest> {
        let score = Score::from_centidiscs(centidiscs);
        Some(Rest { square: Some(square), score, proof: Proof::None })
    }

    #[test]
    fn the_score_is_the_best_for_the_side_to_move() {
        let squares: Vec<_> = node(None).key.position().legal_moves().collect();
        let [first, second, third] = squares[..] else { panic!("{squares:?}") };
        let known = node(rest(first, 100));
        let links = |scores: [i16; 2]| {
            [second, third]
                .into_iter()
                .zip(scores)
                .map(|(square, score)| ZebraLink { square, score })
        };
        for (side, scores, expected) in [
            (Side::Black, [127, -300], 128),
            (Side::Black, [129, -300], 129),
            (Side::Black, [-30_002, -30_002], 128),
            (Side::White, [-127, 300], -128),
            (Side::White, [-129, 300], -129),
        ] {
            let links: Vec<_> = links(scores).collect();
            let found = entry(&known, side, &links, 0);
            assert_eq!((found.black_score, found.white_score), (expected, expected));
            let for_black = if side == Side::Black { 128 } else { -128 };
            assert_eq!((found.alternative_score, found.depth()), (for_black, 12));
        }
    }

    #[test]
    fn only_who_seems_lost_is_judged() {
        let due = node(None);
        let first = due.key.position().legal_moves().next().unwrap();
        for (side, score, expected) in [
            (Side::Black, -30_000, (-256, -256)),
            (Side::Black, -29_999, (-29_999, NO_SCORE)),
            (Side::White, 30_002, (256, 256)),
            (Side::White, 8_192, (8_192, NO_SCORE)),
        ] {
            let links = [ZebraLink { square: first, score }];
            // What is good for the one is bad for the other.
            let found = entry(&due, side, &links, 200);
            assert_eq!((found.black_score, found.alternative_score), expected, "{side} {score}");
        }
    }
}
