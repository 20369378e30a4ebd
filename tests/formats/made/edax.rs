//! Books of Edax: a header of 42 bytes, then records.

use std::collections::HashMap;

use rosebill::othello::board::Position;

use super::{game, games, number_of, smallest};

pub const PASS: u8 = 64;
pub const NO_MOVE: u8 = 65;
pub const NO_LEAF: (i8, u8) = (-127, NO_MOVE);

#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    pub board: Position,
    /// Wins, draws, losses, lines.
    pub counts: [u32; 4],
    /// Value, lower, upper.
    pub values: [i16; 3],
    pub level: u8,
    /// Scores and squares.
    pub links: Vec<(i8, u8)>,
    pub leaf: (i8, u8),
}

impl Record {
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = vec![];
        bytes.extend(self.board.mover.to_le_bytes());
        bytes.extend(self.board.opponent.to_le_bytes());
        self.counts.iter().for_each(|count| bytes.extend(count.to_le_bytes()));
        self.values.iter().for_each(|value| bytes.extend(value.to_le_bytes()));
        bytes.extend([self.links.len() as u8, self.level]);
        for &(score, square) in self.links.iter().chain([&self.leaf]) {
            bytes.extend([score.cast_unsigned(), square]);
        }
        bytes
    }

    pub fn empties(&self) -> u8 {
        self.board.empties()
    }
}

pub fn header(level: i32, empties: i32, count: i32) -> Vec<u8> {
    let mut bytes = b"XADEKOOB".to_vec();
    bytes.extend([4, 4]);
    // 2026-01-02 03:04:05 and a byte of padding.
    bytes.extend([0xea, 0x07, 1, 2, 3, 4, 5, 0]);
    for number in [level, empties, 2, 1, 0, count] {
        bytes.extend(number.to_le_bytes());
    }
    bytes
}

pub fn file(level: i32, records: &[Record]) -> Vec<u8> {
    let mut bytes = header(level, 24, records.len() as i32);
    records.iter().for_each(|record| bytes.extend(record.bytes()));
    bytes
}

/// The lines of Edax's portable text.
pub fn text(records: &[Record]) -> String {
    let mut text = String::new();
    for record in records {
        for square in 0..64 {
            let (mover, other) =
                (record.board.mover >> square & 1, record.board.opponent >> square & 1);
            text.push(['-', 'X', 'O'][(mover + 2 * other) as usize]);
        }
        let played = match record.leaf.1 {
            PASS => "PA".to_owned(),
            NO_MOVE => "--".to_owned(),
            square => format!("{}{}", char::from(b'A' + square % 8), square / 8 + 1),
        };
        text += &format!(" X,{},{played},{}\n", record.level, record.leaf.0);
    }
    text
}

/// Depth and whether a search is exact: of levels 1 and 21 only.
fn plan(level: u8, empties: u8) -> (u8, bool) {
    match level {
        1 => (if empties <= 2 { empties } else { 1 }, true),
        21 if empties <= 24 => (empties, true),
        21 => (if empties <= 30 { empties } else { 21 }, false),
        _ => panic!("no such level here"),
    }
}

/// What Edax's negamax gives each record from its leaf and its links; each is set by hand before.
pub fn settle(records: &mut [Record]) {
    // Fewest empties first; a pass after the board that it leads to.
    records
        .sort_by_key(|record| (record.empties(), record.links.iter().any(|link| link.1 == PASS)));
    let mut done: HashMap<(u64, u64), ([i16; 3], [u32; 4])> = HashMap::new();
    for record in records.iter_mut() {
        let [mut value, mut lower, mut upper] = [-127; 3];
        let mut counts = [0u32; 4];
        if record.leaf.0 > -127 {
            let score = i16::from(record.leaf.0);
            let (depth, exact) = plan(record.level, record.empties());
            let parity = |number: u8| i16::from(number % 2);
            let bias = parity(depth) - parity(record.empties());
            (lower, upper) = match (depth == record.empties(), exact) {
                (true, true) => (score, score),
                (true, false) => (score - 1, score + 1),
                _ => (score - 2 - bias, score + 2 - bias),
            };
            value = score;
            counts[3] = 1;
            if depth == record.empties() && exact {
                counts[(1 - score.signum()) as usize] = 1;
            }
        }
        for link in &mut record.links {
            let next = child(record.board, link.1);
            let ([v, l, u], [wins, draws, losses, lines]) = done[&(next.mover, next.opponent)];
            link.0 = -v as i8;
            (value, lower, upper) = (value.max(-v), lower.max(-u), upper.max(-l));
            for (count, more) in counts.iter_mut().zip([losses, draws, wins, lines]) {
                *count += more;
            }
        }
        record.links.sort_by_key(|&(score, square)| (-score, square));
        (record.values, record.counts) = ([value, lower, upper], counts);
        done.insert((record.board.mover, record.board.opponent), (record.values, counts));
    }
}

/// The board after a move of a record, in the image that is stored.
pub fn child(board: Position, played: u8) -> Position {
    let next = match played {
        PASS => board.passed(),
        square => board.play(rosebill::othello::board::Square::new(square)).unwrap(),
    };
    canonical(next)
}

pub fn canonical(board: Position) -> Position {
    smallest([board], |image| (image.mover, image.opponent))[0]
}

/// A book of these positions at a level: all links, and a leaf wherever a move is left.
pub fn of(positions: Vec<Position>, level: u8) -> Vec<Record> {
    // A board whose mover must pass stands beside the one after the pass.
    let mut all = positions.clone();
    for position in positions {
        if !position.can_move() && position.passed().can_move() {
            all.push(position.passed());
        }
    }
    let boards = smallest(all, |image| (image.mover, image.opponent));
    let known = |board: Position| boards.contains(&board);
    let mut records: Vec<_> = boards
        .iter()
        .map(|&board| {
            let squares = board.legal_moves().map(|square| square.number());
            let (links, left): (Vec<u8>, Vec<u8>) =
                squares.partition(|&square| known(child(board, square)));
            let exact = plan(level, board.empties()) == (board.empties(), true);
            let score = number_of(board, 20) as i8;
            let score = if exact { score & !1 } else { score };
            let leaf = match left.first() {
                Some(&square) => (score, square),
                None if board.can_move() || board.passed().can_move() => NO_LEAF,
                None => (final_score(board), NO_MOVE),
            };
            let links = match board.can_move() {
                false if board.passed().can_move() => vec![PASS],
                _ => links,
            };
            let links = links.into_iter().map(|square| (0, square)).collect();
            Record { board, counts: [0; 4], values: [0; 3], level, links, leaf }
        })
        .collect();
    settle(&mut records);
    records.reverse();
    records
}

fn final_score(board: Position) -> i8 {
    let difference = board.mover.count_ones() as i8 - board.opponent.count_ones() as i8;
    difference + difference.signum() * board.empties() as i8
}

/// The two records that Edax 4.4 writes after one search of the position behind any first move; its
/// 134 bytes are a known file.
pub fn tiny() -> Vec<u8> {
    let start = Record {
        board: Position { mover: 0x08_1000_0000, opponent: 0x10_0800_0000 },
        counts: [0, 0, 0, 4],
        values: [-1, -3, 1],
        level: 21,
        links: vec![(-1, 19), (-1, 26), (-1, 37), (-1, 44)],
        leaf: NO_LEAF,
    };
    let first = Record {
        board: Position { mover: 0x0800_0000, opponent: 0x38_1000_0000 },
        counts: [0, 0, 0, 1],
        values: [1, -1, 3],
        level: 21,
        links: vec![],
        leaf: (1, 29),
    };
    file(21, &[start, first])
}

/// What Edax's "new" writes: the start alone, nothing computed.
pub fn fresh() -> Vec<u8> {
    let start = Record {
        board: Position { mover: 0x08_1000_0000, opponent: 0x10_0800_0000 },
        counts: [0; 4],
        values: [0, -127, 127],
        level: 1,
        links: vec![],
        leaf: (0, 19),
    };
    file(1, &[start])
}

/// A line of 38 records of level 1, down to 23 empties.
pub fn line() -> Vec<Record> {
    of(game(2, 37), 1)
}

/// Some games with passes and ends, at level 21.
pub fn wide() -> Vec<Record> {
    of(games(), 21)
}
