//! What Edax's own `book merge` and `book fix` make of books: its rules written from the description
//! of the format, over the bytes, with none of the program's own code for its books.

use std::collections::{BTreeMap, HashMap};

use rosebill::othello::board::{Position, Square};

use crate::made::edax::{NO_LEAF, NO_MOVE, PASS, canonical};

/// What can be wrong with a book.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fault {
    /// The header counts another number of records.
    Count,
    /// Squares of two colours, or not the smallest of the eight images.
    Board,
    /// A second record of a board.
    Twice,
    /// A level above 60.
    Level,
    /// An illegal link, or the same one twice.
    Link,
    /// A link whose child has no record: Edax crashes.
    NoChild,
    /// A legal move that leads to a record and is no link.
    MissingLink,
    /// The score of a link is not what its child is worth.
    LinkScore,
    /// Links not by falling score.
    LinkOrder,
    /// An illegal leaf.
    Leaf,
    /// The leaf is a link.
    LeafIsLink,
    /// A value, a bound or a counter is not what leaf and links give.
    Values,
    /// The start position has no record.
    NoStart,
    /// Nothing leads from the start to the record.
    Unreached,
}

type Board = (u64, u64);

#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// Wins, draws, losses, lines.
    pub counts: [u32; 4],
    /// Value, lower, upper.
    pub values: [i16; 3],
    pub level: u8,
    /// Scores and moves.
    pub links: Vec<(i8, u8)>,
    pub leaf: (i8, u8),
}

impl Record {
    /// The record with its links in an order of its own: that of equal scores is free.
    pub fn sorted(mut self) -> Self {
        self.links.sort_by_key(|&(score, played)| (-score, played));
        self
    }
}

/// A book as its bytes say.
#[derive(Clone, Default)]
pub struct EdaxBook {
    /// Level, empties, midgame error, endcut error.
    pub settings: [i32; 4],
    pub records: BTreeMap<Board, Record>,
    /// What reading alone finds.
    faults: Vec<Fault>,
}

pub const START: Board = (0x08_1000_0000, 0x10_0800_0000);

const fn position((mover, opponent): Board) -> Position {
    Position { mover, opponent }
}

fn image(board: Position) -> Board {
    let Position { mover, opponent } = canonical_quickly(board);
    (mover, opponent)
}

/// The smallest of the eight images, by turning words and not squares.
pub fn canonical_quickly(board: Position) -> Position {
    let mirrored = |word: u64| {
        let swap = |word: u64, mask: u64, by: u32| (word >> by) & mask | (word & mask) << by;
        let word = swap(word, 0x5555_5555_5555_5555, 1);
        let word = swap(word, 0x3333_3333_3333_3333, 2);
        swap(word, 0x0f0f_0f0f_0f0f_0f0f, 4)
    };
    let transposed = |word: u64| {
        let swap = |word: u64, mask: u64, by: u32| {
            let changed = (word ^ word >> by) & mask;
            word ^ changed ^ changed << by
        };
        let word = swap(word, 0x00aa_00aa_00aa_00aa, 7);
        let word = swap(word, 0x0000_cccc_0000_cccc, 14);
        swap(word, 0x0000_0000_f0f0_f0f0, 28)
    };
    let mut smallest = board;
    for image in 1..8 {
        let turned = |mut word: u64| {
            if image & 1 != 0 {
                word = mirrored(word);
            }
            if image & 2 != 0 {
                word = word.swap_bytes();
            }
            if image & 4 != 0 {
                word = transposed(word);
            }
            word
        };
        let next = Position { mover: turned(board.mover), opponent: turned(board.opponent) };
        if (next.mover, next.opponent) < (smallest.mover, smallest.opponent) {
            smallest = next;
        }
    }
    smallest
}

/// Search depth and whether it is exact, selective to the end, or midgame, by the table of levels.
pub fn plan(level: u8, empties: u8) -> (u8, bool) {
    let band = |exact: u8, most: u8| match empties {
        _ if empties <= exact => (empties, true),
        _ if empties <= most => (empties, false),
        _ => (level, false),
    };
    match level {
        0 => (0, true),
        1..=10 if empties <= 2 * level => (empties, true),
        1..=10 => (level, true),
        11..=12 => band(21, 24),
        13..=18 => band(21, 27),
        19..=21 => band(24, 30),
        22..=24 => band(24, 33),
        25..=27 => band(27, 33),
        28..=29 => band(27, 36),
        30..=31 => band(30, 36),
        32..=35 => band(30, 39),
        36..=59 => band(level - 6, level + 9),
        _ => (empties, true),
    }
}

/// Where a move leads; none when it is not legal.
fn next(board: Board, played: u8) -> Option<Board> {
    let from = position(board);
    if played == PASS {
        return (!from.can_move() && from.passed().can_move()).then(|| image(from.passed()));
    }
    let square = Square::try_new(played).filter(|&square| from.legal_moves().contains(square))?;
    from.play(square).map(image)
}

/// All that the side to move can do: its legal moves, or the pass.
fn moves(board: Board) -> Vec<u8> {
    let from = position(board);
    if from.can_move() {
        from.legal_moves().map(|square| square.number()).collect()
    } else if from.passed().can_move() {
        vec![PASS]
    } else {
        Vec::new()
    }
}

fn final_score(board: Board) -> i8 {
    let (mover, opponent) = (board.0.count_ones() as i8, board.1.count_ones() as i8);
    (mover - opponent) + (mover - opponent).signum() * (64 - mover - opponent)
}

impl EdaxBook {
    /// Reads a file; of two records of one board the first counts.
    pub fn of(bytes: &[u8]) -> Self {
        assert_eq!(&bytes[..9], b"XADEKOOB\x04");
        let number = |at: usize| i32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        let mut book = Self { settings: [18, 22, 26, 30].map(number), ..Self::default() };
        let (mut rest, mut count) = (&bytes[42..], 0);
        while !rest.is_empty() {
            let word = |at: usize| u64::from_le_bytes(rest[at..at + 8].try_into().unwrap());
            let counter = |at: usize| u32::from_le_bytes(rest[at..at + 4].try_into().unwrap());
            let score = |at: usize| i16::from_le_bytes(rest[at..at + 2].try_into().unwrap());
            let board = (word(0), word(8));
            let counts = [16, 20, 24, 28].map(counter);
            let values = [32, 34, 36].map(score);
            let (links, level) = (usize::from(rest[38]), rest[39]);
            let pairs: Vec<(i8, u8)> = rest[40..40 + 2 * (links + 1)]
                .chunks(2)
                .map(|pair| (pair[0].cast_signed(), pair[1]))
                .collect();
            rest = &rest[40 + 2 * (links + 1)..];
            let (leaf, links) = (pairs[links], pairs[..links].to_vec());
            count += 1;
            let record = Record { counts, values, level, links, leaf };
            match book.records.entry(board) {
                std::collections::btree_map::Entry::Vacant(free) => drop(free.insert(record)),
                std::collections::btree_map::Entry::Occupied(_) => book.faults.push(Fault::Twice),
            }
        }
        if number(38) != count {
            book.faults.push(Fault::Count);
        }
        book
    }

    /// Merges another book into this one: of two records of a board the first stays.
    pub fn merge(&mut self, other: &Self) {
        for (&board, record) in &other.records {
            self.records.entry(board).or_insert_with(|| record.clone());
        }
    }

    /// Adds links, drops leaves that became links, and recomputes what the start reaches. Returns the
    /// boards where Edax would search a leaf now.
    pub fn fix(&mut self) -> Vec<Board> {
        let boards: Vec<Board> = self.records.keys().copied().collect();
        for &board in &boards {
            let children: Vec<u8> = moves(board)
                .into_iter()
                .filter(|&played| self.records.contains_key(&next(board, played).unwrap()))
                .collect();
            let record = self.records.get_mut(&board).unwrap();
            record.links.retain(|(_, played)| children.contains(played));
            for played in children {
                if record.links.iter().all(|link| link.1 != played) {
                    record.links.push((0, played));
                }
                if record.leaf.1 == played {
                    record.leaf = NO_LEAF;
                }
            }
        }
        self.negamax();
        boards.into_iter().filter(|&board| self.is_due(board)).collect()
    }

    /// Whether the record has no leaf although something is left for one.
    pub fn is_due(&self, board: Board) -> bool {
        let record = &self.records[&board];
        record.leaf == NO_LEAF && record.links.len() < moves(board).len()
    }

    /// Recomputes values, bounds and counters of what the start reaches; returns it.
    fn negamax(&mut self) -> HashMap<Board, ()> {
        let mut done = HashMap::new();
        if self.records.contains_key(&START) {
            self.settle(START, &mut done);
        }
        done
    }

    fn settle(&mut self, board: Board, done: &mut HashMap<Board, ()>) {
        if done.insert(board, ()).is_some() {
            return;
        }
        let mut record = self.records[&board].clone();
        let [mut value, mut lower, mut upper] = [-127i16; 3];
        let mut counts = [0u64; 4];
        if record.leaf.0 > -127 {
            let score = i16::from(record.leaf.0);
            let empties = 64 - (board.0 | board.1).count_ones() as u8;
            let (depth, exact) = plan(record.level, empties);
            let [_, _, midgame, endcut] = self.settings.map(|setting| setting as i16);
            let bias = i16::from(depth % 2) - i16::from(empties % 2);
            (lower, upper) = match (depth == empties, exact) {
                (true, true) => (score, score),
                (true, false) => (score - endcut, score + endcut),
                _ => (score - midgame - bias, score + midgame - bias),
            };
            value = score;
            counts[3] = 1;
            if depth == empties && exact {
                counts[(1 - score.signum()) as usize] = 1;
            }
        }
        for link in &mut record.links {
            let child = next(board, link.1).unwrap();
            self.settle(child, done);
            let Record { values: [v, l, u], counts: [wins, draws, losses, lines], .. } =
                self.records[&child];
            link.0 = -v as i8;
            (value, lower, upper) = (value.max(-v), lower.max(-u), upper.max(-l));
            for (count, more) in counts.iter_mut().zip([losses, draws, wins, lines]) {
                *count += u64::from(more);
            }
        }
        record.values = [value, lower, upper];
        record.counts = counts.map(|count| u32::try_from(count).unwrap_or(u32::MAX));
        self.records.insert(board, record.sorted());
    }

    /// All that is wrong with the book, with a board of each kind and how often.
    pub fn faults(&self) -> BTreeMap<Fault, (Board, usize)> {
        let mut faults: BTreeMap<Fault, (Board, usize)> = BTreeMap::new();
        let mut note =
            |fault: Fault, board: Board| faults.entry(fault).or_insert((board, 0)).1 += 1;
        self.faults.iter().for_each(|&fault| note(fault, START));
        let mut settled = self.clone();
        let is_sound = self.records.iter().all(|(&board, record)| {
            let found = self.faults_of(board, record);
            found.iter().for_each(|&fault| note(fault, board));
            !found.iter().any(|fault| matches!(fault, Fault::NoChild | Fault::Link))
        });
        if !self.records.contains_key(&START) {
            note(Fault::NoStart, START);
        }
        if is_sound {
            let reached = settled.negamax();
            for (&board, record) in &self.records {
                if !reached.contains_key(&board) {
                    note(Fault::Unreached, board);
                    continue;
                }
                let again = &settled.records[&board];
                if (record.values, record.counts) != (again.values, again.counts) {
                    note(Fault::Values, board);
                }
                if record.clone().sorted().links != again.links {
                    note(Fault::LinkScore, board);
                }
            }
        }
        faults
    }

    fn faults_of(&self, board: Board, record: &Record) -> Vec<Fault> {
        let mut faults = Vec::new();
        if board.0 & board.1 != 0 || image(position(board)) != board {
            faults.push(Fault::Board);
        }
        if record.level > 60 {
            faults.push(Fault::Level);
        }
        let all = moves(board);
        let is_link = |played: u8| record.links.iter().any(|link| link.1 == played);
        for (index, &(_, played)) in record.links.iter().enumerate() {
            let is_twice = record.links[..index].iter().any(|link| link.1 == played);
            match next(board, played) {
                Some(child) if all.contains(&played) && !is_twice => {
                    if !self.records.contains_key(&child) {
                        faults.push(Fault::NoChild);
                    }
                }
                _ => faults.push(Fault::Link),
            }
        }
        if !record.links.is_sorted_by_key(|link| -link.0) {
            faults.push(Fault::LinkOrder);
        }
        for &played in &all {
            let child = next(board, played).unwrap();
            if self.records.contains_key(&child) && !is_link(played) {
                faults.push(Fault::MissingLink);
            }
        }
        let is_leaf = match record.leaf {
            (score, NO_MOVE) if all.is_empty() => score == final_score(board),
            (score, NO_MOVE) => score == -127,
            (score, played) => all.contains(&played) && score.abs() <= 64,
        };
        if !is_leaf {
            faults.push(Fault::Leaf);
        }
        if record.leaf.1 != NO_MOVE && is_link(record.leaf.1) {
            faults.push(Fault::LeafIsLink);
        }
        faults
    }

    /// Records of finished games.
    pub fn ends(&self) -> usize {
        self.records.keys().filter(|&&board| moves(board).is_empty()).count()
    }

    /// Records of forced passes.
    pub fn passes(&self) -> usize {
        self.records.keys().filter(|&&board| moves(board) == [PASS]).count()
    }
}

#[test]
fn the_quick_image_is_the_image() {
    for position in crate::made::games() {
        assert_eq!(canonical_quickly(position), canonical(position));
    }
}
