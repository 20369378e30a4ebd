//! From bytes to nodes with boards, by walking the game from the start.

use std::collections::HashMap;

use crate::board::{Position, Side};
use crate::formats::bytes::{Fields, quoted};
use crate::formats::{DefectKind, Defects, Fault};

use super::layout::{
    GZIP, HEADER_BYTES, MAGIC, RECORD_BYTES, moves, next_turn, number_of, play, square_of,
    walking_side,
};
use super::{ZebraEntry, ZebraHash, ZebraNode, ZebraShape, zebra_hash};

/// A fault and the byte that it stands at.
pub(super) type At<T> = Result<T, (u64, Fault)>;

fn fault<T>(at: usize, found: impl Into<String>, expected: impl Into<String>) -> At<T> {
    Err((at as u64, Fault::new(found, expected)))
}

/// Whether a file starts as one of this shape does. A packed book has no mark.
pub(super) fn check_start(shape: ZebraShape, head: &[u8]) -> At<()> {
    let [first, second] = MAGIC;
    let (is_sound, length, expected) = match shape {
        ZebraShape::Packed => return Ok(()),
        ZebraShape::Gzipped => (head.starts_with(&GZIP), 2, "1f 8b, the start of a gzip'd file"),
        ZebraShape::Bin => {
            let mut fields = Fields(head);
            let is_sound = head.len() >= HEADER_BYTES && [fields.i16(), fields.i16()] == MAGIC;
            (is_sound, 4, "the numbers 2718 and 2818 (9e 0a 02 0b), the start of a Zebra book")
        }
        ZebraShape::Text => {
            let text = String::from_utf8_lossy(head);
            let mut lines = text.lines().map(|line| line.trim().parse().ok());
            let is_sound = [lines.next(), lines.next()] == [Some(Some(first)), Some(Some(second))];
            (is_sound, 9, "lines with 2718 and 2818, the start of a Zebra text book")
        }
    };
    match head.get(..length).unwrap_or(head) {
        _ if is_sound => Ok(()),
        start if shape == ZebraShape::Text => fault(0, quoted(start), expected),
        [] => fault(0, quoted(&[]), expected),
        start => {
            let bytes: Vec<_> = start.iter().map(|byte| format!("{byte:02x}")).collect();
            fault(0, format!("bytes {}", bytes.join(" ")), expected)
        }
    }
}

/// Reads `book.bin`.
pub(super) fn read_bin(bytes: &[u8], defects: &mut Defects) -> At<Vec<ZebraEntry>> {
    let mut fields = Fields(bytes);
    let (_magic, count) = (fields.u32(), fields.i32());
    let records = bytes.get(HEADER_BYTES..).unwrap_or_default();
    let Some(count) = usize::try_from(count).ok().filter(|count| {
        count.checked_mul(RECORD_BYTES).is_some_and(|length| length <= records.len())
    }) else {
        return fault(4, format!("{count} nodes in {} bytes", bytes.len()), "18 bytes a node");
    };
    if count * RECORD_BYTES != records.len() {
        let at = HEADER_BYTES + count * RECORD_BYTES;
        defects.note(DefectKind::TrailingBytes, || format!("byte {at}"));
    }
    let nodes = records.chunks_exact(RECORD_BYTES).take(count).map(|record| {
        let mut fields = Fields(record);
        let hash = (fields.i32(), fields.i32());
        let node = ZebraNode {
            black_score: fields.i16(),
            white_score: fields.i16(),
            alternative: fields.i16(),
            alternative_score: fields.i16(),
            flags: fields.u16(),
        };
        (hash, node)
    });
    place(nodes.collect(), defects)
}

/// Reads the text form.
pub(super) fn read_text(bytes: &[u8], defects: &mut Defects) -> At<Vec<ZebraEntry>> {
    const LINE: &str = "hash, hash, two scores, alternative, its score and flags";
    let mut nodes = Vec::new();
    let mut count = 0;
    let mut at = 0;
    for (number, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        let start = at;
        at += line.len() + 1;
        let text = std::str::from_utf8(line).unwrap_or_default();
        if number == 2 {
            let Ok(stated) = text.trim().parse() else {
                return fault(start, "another third line", "the number of nodes");
            };
            count = stated;
        }
        // Two magic numbers and the count.
        if number < 3 || line.trim_ascii().is_empty() {
            continue;
        }
        let mut numbers = text.split_ascii_whitespace().map(|field| field.parse::<i32>().ok());
        let mut next = || numbers.next().flatten();
        let fields = [next(), next(), next(), next(), next(), next(), next()];
        let [
            Some(first),
            Some(second),
            Some(black),
            Some(white),
            Some(alternative),
            Some(score),
            Some(flags),
        ] = fields
        else {
            return fault(start, "no seven numbers", LINE);
        };
        let small = |number: i32| i16::try_from(number).ok();
        let (Some(black_score), Some(white_score), Some(alternative), Some(alternative_score)) =
            (small(black), small(white), small(alternative), small(score))
        else {
            return fault(start, "a number too large", LINE);
        };
        let flags = (flags & 0xffff) as u16;
        let node = ZebraNode { black_score, white_score, alternative, alternative_score, flags };
        nodes.push(((first, second), node));
    }
    if nodes.len() < count {
        let found = format!("the end of the file after {} of {count} nodes", nodes.len());
        return fault(bytes.len(), found, LINE);
    }
    if nodes.len() > count {
        defects.note(DefectKind::CountDiffers, || {
            format!("the header counts {count} nodes, the file holds {}", nodes.len())
        });
    }
    place(nodes, defects)
}

/// Walks from the start and finds each board's record by its hash.
fn place(records: Vec<(ZebraHash, ZebraNode)>, defects: &mut Defects) -> At<Vec<ZebraEntry>> {
    let mut by_hash: HashMap<ZebraHash, ZebraNode, foldhash::fast::FixedState> = HashMap::default();
    let total = records.len();
    for (hash, node) in records {
        by_hash.entry(hash).or_insert(node);
    }
    let mut entries = Vec::new();
    let mut stack = vec![(Position::START, Some(Side::Black))];
    while let Some((board, turn)) = stack.pop() {
        // Taken out, so that each record is met once.
        let Some(node) = by_hash.remove(&zebra_hash(board.mover, board.opponent).0) else {
            continue;
        };
        entries.push(ZebraEntry { board, turn, node });
        let Some(side) = walking_side(&node, board, turn) else { continue };
        let first = stack.len();
        for square in moves(board, side) {
            if let Some(next) = play(board, side, square)
                && by_hash.contains_key(&zebra_hash(next.mover, next.opponent).0)
            {
                stack.push((next, next_turn(next, side)));
            }
        }
        if let Some(children) = stack.get_mut(first..) {
            children.reverse();
        }
    }
    if entries.len() < total {
        let lost = total - entries.len();
        for _ in 0..lost.min(1_000_000) {
            defects.note(DefectKind::Unreachable, || {
                format!("{lost} of {total} nodes are on no line from the start")
            });
        }
    }
    Ok(entries)
}

/// Reads `book.cmp`.
pub(super) fn read_packed(bytes: &[u8], defects: &mut Defects) -> At<Vec<ZebraEntry>> {
    let mut fields = Fields(bytes);
    let (count, links) = (fields.i32(), fields.i32());
    let length = |count: i32, size: usize| usize::try_from(count).ok()?.checked_mul(size);
    let expected = length(count, 12)
        .zip(length(links, 2))
        .and_then(|(nodes, links)| nodes.checked_add(links)?.checked_add(HEADER_BYTES));
    if expected.is_none_or(|expected| expected > bytes.len()) || count == 0 {
        let found = format!("{count} nodes and {links} moves in {} bytes", bytes.len());
        return fault(0, found, "12 bytes a node and 2 a move");
    }
    let (count, links) = (count.unsigned_abs() as usize, links.unsigned_abs() as usize);
    if let Some(expected) = expected.filter(|&expected| expected < bytes.len()) {
        defects.note(DefectKind::TrailingBytes, || format!("byte {expected}"));
    }
    // The arrays stand one after the other.
    let number = |array: usize, index: usize| -> i16 {
        let at = array + 2 * index;
        Fields(bytes.get(at..at + 2).unwrap_or_default()).i16()
    };
    let counts_at = HEADER_BYTES;
    let moves_at = counts_at + 2 * count;
    let scores_at = moves_at + 2 * links;
    let alternatives_at = scores_at + 4 * count;
    let alternative_scores_at = alternatives_at + 2 * count;
    let flags_at = alternative_scores_at + 2 * count;

    let mut entries: Vec<ZebraEntry> = Vec::new();
    let mut next_link = 0;
    // Board, side that moves, and the moves still to be walked.
    let mut path: Vec<(Position, Option<Side>, std::ops::Range<usize>)> = Vec::new();
    let mut visit = Some((Position::START, Some(Side::Black)));
    loop {
        if let Some((board, turn)) = visit.take() {
            let index = entries.len();
            if index == count {
                return fault(counts_at, format!("more nodes than {count}"), "a whole tree");
            }
            let node = ZebraNode {
                black_score: number(scores_at, 2 * index),
                white_score: number(scores_at, 2 * index + 1),
                alternative: number(alternatives_at, index),
                alternative_score: number(alternative_scores_at, index),
                flags: number(flags_at, index).cast_unsigned(),
            };
            let children = number(counts_at, index);
            let end = usize::try_from(children).ok().map(|children| next_link + children);
            let Some(end) = end.filter(|&end| end <= links) else {
                let at = counts_at + 2 * index;
                return fault(at, format!("{children} children"), format!("{links} in all"));
            };
            entries.push(ZebraEntry { board, turn, node });
            path.push((board, walking_side(&node, board, turn), next_link..end));
            next_link = end;
        }
        let Some((board, side, rest)) = path.last_mut() else { break };
        let Some(at) = rest.next() else {
            path.pop();
            continue;
        };
        let stored = number(moves_at, at);
        let next = square_of(stored)
            .zip(*side)
            .and_then(|(square, side)| Some((play(*board, side, square)?, side)));
        let Some((next, side)) = next else {
            let at = moves_at + 2 * at;
            let expected = match square_of(stored).map(number_of) {
                Some(_) => "a legal move of the walk",
                None => "a square as 10 * row + column",
            };
            return fault(at, format!("move {stored}"), expected);
        };
        visit = Some((next, next_turn(next, side)));
    }
    if entries.len() < count {
        defects.note(DefectKind::Unreachable, || {
            format!("the tree ends after {} of {count} nodes", entries.len())
        });
    }
    Ok(entries)
}
