//! What Egaroucid takes: its rules written from the description of the format, over the bytes, with
//! none of the program's own code for its books.

use std::collections::{BTreeMap, HashMap};

use rosebill::othello::board::{Position, Square};

use crate::edax_rules::canonical_quickly as canonical;

/// What can be wrong with a book.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fault {
    /// The header counts another number of records, or something follows the last one.
    Size,
    /// Squares of two colours, or not the smallest of the eight images.
    Board,
    /// A second record of a board.
    Twice,
    /// A value beyond 64, or a level that there is not.
    Value,
    /// A forced pass has no record.
    Pass,
    /// A finished game with another score, or another level than 60.
    End,
    /// A leaf move that is not legal.
    Leaf,
    /// "No move is left", and one is.
    NotExhausted,
    /// Not 1 more than the lines of all moves.
    Lines,
    /// The start position has no record.
    NoStart,
}

type Board = (u64, u64);

/// A record: value, level, lines, and the leaf's value, move and level.
pub type Record = (i8, i8, u32, [i8; 3]);

/// The records of a file in their order.
pub fn records(bytes: &[u8]) -> Vec<(Board, Record)> {
    assert_eq!(&bytes[..10], b"DICUORAGE\x03");
    let record = |raw: &[u8]| {
        let word = |at: usize| u64::from_le_bytes(raw[at..at + 8].try_into().unwrap());
        let byte = |at: usize| raw[at].cast_signed();
        let lines = u32::from_le_bytes(raw[18..22].try_into().unwrap());
        let leaf = [byte(22), byte(23), byte(24)];
        ((word(0), word(8)), (byte(16), byte(17), lines, leaf))
    };
    bytes[14..].chunks(25).filter(|raw| raw.len() == 25).map(record).collect()
}

/// The board that is stored after a move: a side that must pass has passed.
fn after(position: Position, square: Square) -> Position {
    let next = position.play(square).unwrap();
    let is_pass = !next.can_move() && next.passed().can_move();
    canonical(if is_pass { next.passed() } else { next })
}

/// All that is wrong with a book, with a board of each kind and how often.
pub fn faults(bytes: &[u8]) -> BTreeMap<Fault, (Board, usize)> {
    let mut faults: BTreeMap<Fault, (Board, usize)> = BTreeMap::new();
    let mut note = |fault: Fault, board: Board| faults.entry(fault).or_insert((board, 0)).1 += 1;
    let all = records(bytes);
    let count = i32::from_le_bytes(bytes[10..14].try_into().unwrap());
    let start = (0x08_1000_0000, 0x10_0800_0000);
    if count as usize != all.len() || bytes.len() != 14 + 25 * all.len() {
        note(Fault::Size, start);
    }
    let mut lines: HashMap<Board, u32> = HashMap::new();
    for &(board, (_, _, count, _)) in &all {
        if lines.insert(board, count).is_some() {
            note(Fault::Twice, board);
        }
    }
    if !lines.contains_key(&start) {
        note(Fault::NoStart, start);
    }
    for &(board, (value, level, count, [leaf, played, leaf_level])) in &all {
        let position = Position { mover: board.0, opponent: board.1 };
        if board.0 & board.1 != 0 || canonical(position) != position {
            note(Fault::Board, board);
        }
        let is_level = |level: i8| (-1..=60).contains(&level) || level == 70;
        if value.abs() > 64 || !is_level(level) || !is_level(leaf_level) {
            note(Fault::Value, board);
        }
        if !position.can_move() {
            if position.passed().can_move() {
                note(Fault::Pass, board);
            } else if value != position.final_score() || level != 60 {
                note(Fault::End, board);
            }
            continue;
        }
        let stored = |next: Position| {
            let both = [next, canonical(next.passed())];
            let is_end = !next.can_move() && !next.passed().can_move();
            let mut views = both.into_iter().take(if is_end { 2 } else { 1 });
            views.find_map(|view| {
                let count = lines.get(&(view.mover, view.opponent))?;
                // A finished game counts 1, whatever its own record says.
                Some(if is_end { 1 } else { *count })
            })
        };
        let children: Vec<Option<u32>> =
            position.legal_moves().map(|square| stored(after(position, square))).collect();
        let sum: u64 = children.iter().flatten().map(|&count| u64::from(count)).sum();
        if u64::from(count) != (sum + 1).min(4_000_000_000) {
            note(Fault::Lines, board);
        }
        let is_legal = Square::try_new(played.cast_unsigned())
            .is_some_and(|square| position.legal_moves().contains(square));
        match (leaf, played) {
            (-126, 65) => {
                if children.iter().any(Option::is_none) {
                    note(Fault::NotExhausted, board);
                }
            }
            (-126, 125) => {}
            _ if is_legal && leaf.abs() <= 64 => {}
            _ => note(Fault::Leaf, board),
        }
    }
    faults
}

/// How many values Egaroucid's own "fix" would change: the value of a record becomes the best of those that its
/// moves lead to, if there is one; leaves do not count. With `leaves` they do, as in its "fix (Edax)".
pub fn fixed(bytes: &[u8], leaves: bool) -> usize {
    let mut all = records(bytes);
    all.sort_by_key(|((mover, opponent), _)| std::cmp::Reverse((mover | opponent).count_ones()));
    let mut values: HashMap<Board, i8> = HashMap::new();
    let mut changed = 0;
    for (board, (value, _, _, [leaf, played, _])) in all {
        let position = Position { mover: board.0, opponent: board.1 };
        let worth = |square: Square| {
            let next = position.play(square).unwrap();
            let known = |view: Position| {
                let view = canonical(view);
                values.get(&(view.mover, view.opponent)).copied()
            };
            match (next.can_move(), next.passed().can_move()) {
                (true, _) => known(next).map(|value| -value),
                (false, true) => known(next.passed()),
                // A finished game may be stored as either side sees it.
                (false, false) => known(next).map(|value| -value).or_else(|| known(next.passed())),
            }
        };
        let mut best = position.legal_moves().filter_map(worth).max();
        if leaves && best.is_some() && (0..64).contains(&played) && leaf.abs() <= 64 {
            best = best.max(Some(leaf));
        }
        let fixed = best.unwrap_or(value);
        changed += usize::from(fixed != value);
        values.insert(board, fixed);
    }
    changed
}
