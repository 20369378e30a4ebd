//! A book for NTest: kinds and heights as NTest would have them.

use std::collections::hash_map::Entry;
use std::fs::File;
use std::io::BufWriter;

use crate::board::{After, Key, Position, Square};
use crate::book::{Node, Rest};
use crate::formats::ntest::{NtestNode, NtestVersion, canonical, write_ntest};
use crate::score::Score;
use crate::search::Proof;
use crate::store::Reader;

use super::original::Originals;
use super::{ExportReport, Failure, KeyMap, Steps};

/// NTest keeps positions with 9 to 60 empties.
const FEWEST_EMPTIES: u8 = 9;
/// The last plies belong to NTest's solver.
const SOLVER_EMPTIES: u8 = 8;
/// A cutoff where no unlisted move is left.
const EXHAUSTED: i16 = -16_400;
/// A cutoff where a search is due.
const NOT_SEARCHED: i16 = 16_400;
/// Selectivity of midgame searches.
const MIDGAME_PRUNE: u8 = 4;

/// All nodes with at least 9 empties.
///
/// A node that came from an NTest file and has not changed is written as it stood there, so that a
/// book that is only NTest's comes back byte for byte.
///
/// A branch of NTest has the value of its best listed move. Where our best move is the rest, the
/// position after it is listed as a leaf.
pub(super) fn book(
    book: &Reader,
    mut output: BufWriter<File>,
    version: NtestVersion,
    steps: &mut Steps<'_>,
) -> Result<ExportReport, Failure> {
    let originals = Originals::of(book)?;
    let mut report = ExportReport::default();
    let mut nodes = Vec::new();
    // Positions after a best move that is in no book, and their place among the nodes.
    let mut added = KeyMap::default();
    for (discs, _) in book.counts()?.layers {
        if 64 - discs < FEWEST_EMPTIES {
            continue;
        }
        book.for_each_in_layer(discs, |node| -> Result<(), Failure> {
            steps.step()?;
            report.positions += 1;
            if let Some(original) = originals.unchanged(&node) {
                nodes.push(original);
                report.unchanged += 1;
                return Ok(());
            }
            let before = nodes.len();
            make(&node, &mut nodes, &mut added, &mut report);
            for made in nodes.iter_mut().skip(before) {
                made.games = originals.games(Key::of(made.position));
            }
            Ok(())
        })?;
    }
    report.left_out = steps.of - report.positions;
    write_ntest(&mut output, version, &nodes)?;
    Ok(report)
}

fn make(
    node: &Node,
    nodes: &mut Vec<NtestNode>,
    added: &mut KeyMap<usize>,
    report: &mut ExportReport,
) {
    let position = node.key.position();
    let empties = position.empties();
    let has_children = !node.links.is_empty() && empties > FEWEST_EMPTIES;
    if !has_children {
        let Some(rest) = value_of(node) else {
            report.search_due += 1;
            return;
        };
        let depth = node.searched.depth;
        nodes.push(leaf(position, rest, depth, node.searched.selectivity.percent()));
        return;
    }
    let whole = node.rest.filter(|rest| rest.square.is_none() && rest.proof != Proof::None);
    if let Some(rest) = whole {
        nodes.push(leaf(position, rest, empties, 100));
        return;
    }
    let mut cutoff = match node.rest {
        Some(rest) => rest.score.centidiscs(),
        None if node.is_incomplete() => {
            report.search_due += 1;
            NOT_SEARCHED
        }
        None => EXHAUSTED,
    };
    // Our best move leads out of the book: NTest must find a position there.
    if let Some(Rest { square: Some(square), score, proof }) = node.rest
        && score == node.values.guess
        && let Some((next, score)) = after(position, square, score)
        && next.empties() >= FEWEST_EMPTIES
    {
        let proof = if score == -node.values.guess { proof.seen_by_other() } else { proof };
        let rest = Rest { square: None, score, proof };
        let depth = node.searched.depth.saturating_sub(1);
        let made = leaf(next, rest, depth, node.searched.selectivity.percent());
        // Two positions may lead there: the deeper search of the two counts.
        match added.entry(Key::of(next)) {
            Entry::Vacant(entry) => {
                entry.insert(nodes.len());
                nodes.push(made);
                report.added += 1;
            }
            Entry::Occupied(entry) => {
                if let Some(known) = nodes.get_mut(*entry.get()) {
                    report.disagree += u64::from(known.number != made.number);
                    if known.height < made.height {
                        *known = made;
                    }
                }
            }
        }
        if node.unlinked().count() == 1 {
            cutoff = EXHAUSTED;
        }
    }
    let shape = leaf(
        position,
        Rest { square: None, score: Score::ZERO, proof: Proof::None },
        node.searched.depth,
        node.searched.selectivity.percent(),
    );
    nodes.push(NtestNode { root: true, number: cutoff, ..shape });
}

/// The position after a move, and the move's score from the point of view of the side to move
/// there; none where the game ends.
fn after(position: Position, square: Square, score: Score) -> Option<(Position, Score)> {
    match position.after(square)? {
        After::Opponent(next) => Some((next, -score)),
        After::Same(next) => Some((next, score)),
        After::Over(_) => None,
    }
}

/// A node's value as a whole, with what is proven of it; none when nothing is known.
fn value_of(node: &Node) -> Option<Rest> {
    if node.rest.is_none() && node.is_incomplete() && node.links.is_empty() {
        return None;
    }
    let values = node.values;
    let proof = if values.is_exact() {
        Proof::Exact
    } else if values.lower > 0 {
        Proof::Win
    } else if values.upper < 0 {
        Proof::Loss
    } else {
        Proof::None
    };
    Some(Rest { square: None, score: values.guess, proof })
}

/// A leaf, or a solved node where the sign is proven.
fn leaf(position: Position, rest: Rest, depth: u8, percent: u8) -> NtestNode {
    let empties = position.empties();
    let solved = matches!(rest.proof, Proof::Exact | Proof::Win | Proof::Loss);
    let known = solved || depth >= empties;
    let end = empties.saturating_sub(SOLVER_EMPTIES);
    // Full width to the end without a proof is no state of NTest's: the next lower confidence.
    let prune = match percent {
        _ if solved => 0,
        _ if !known => MIDGAME_PRUNE,
        97.. => 1,
        91..=96 => 2,
        70..=90 => 3,
        60..=69 => 4,
        _ => 5,
    };
    NtestNode {
        position: canonical(position),
        games: [0, 0],
        height: if known { end } else { depth.min(end.saturating_sub(1)) },
        prune,
        wld: solved && rest.proof != Proof::Exact,
        known,
        proven: solved,
        root: solved,
        number: rest.score.centidiscs(),
        stored: None,
    }
}
