//! The bytes of Zebra's books: readers of its files and its hash, written from the description of
//! the format and none of it shared with the program.

use std::io::Read;
use std::sync::OnceLock;

use rosebill::othello::board::{Position, Side, Square};

pub const BLACK: u16 = 1;
pub const WHITE: u16 = 2;
pub const WIN_LOSS: u16 = 4;
pub const SCRATCH: u16 = 8;
pub const EXACT: u16 = 16;
/// Marks that mean nothing.
pub const UNUSED: u16 = 0x03c0;

/// Two words that stand for a board in any orientation, whoever moves.
pub type Hash = (i32, i32);

/// A node as its bytes have it, scores from Black's side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Node {
    pub black: i16,
    pub white: i16,
    pub alternative: i16,
    pub alternative_score: i16,
    pub flags: u16,
}

impl Node {
    pub fn side(&self) -> Side {
        if self.flags & BLACK != 0 { Side::Black } else { Side::White }
    }

    pub fn is_solved(&self) -> bool {
        self.flags & (WIN_LOSS | EXACT) != 0
    }

    pub fn is_drawn(&self) -> bool {
        self.is_solved() && self.black == 0 && self.white == 0
    }
}

/// The random numbers behind the hash: additive feedback of degree 31 and separation 3.
fn keys() -> &'static [i32] {
    static KEYS: OnceLock<Vec<i32>> = OnceLock::new();
    KEYS.get_or_init(|| {
        let mut numbers = vec![0u32; 31];
        for at in 1..31 {
            numbers[at] = numbers[at - 1].wrapping_mul(1_103_515_245).wrapping_add(12_345);
        }
        // Each number is the sum of those 31 and 3 places before, in the order of the ring.
        let mut ring = numbers;
        let (mut front, mut rear) = (3, 0);
        let mut draw = || {
            ring[front] = ring[front].wrapping_add(ring[rear]);
            let drawn = (ring[front] >> 1).cast_signed();
            (front, rear) = ((front + 1) % 31, (rear + 1) % 31);
            drawn
        };
        for _ in 0..310 {
            draw();
        }
        let key = |_| if draw() % 2 == 1 { draw() } else { -draw() };
        (0..2 * 8 * 6561).map(key).collect()
    })
}

/// Where a real square of row and column 0..8 lands in an orientation.
fn landing(orientation: usize, (row, column): (usize, usize)) -> (usize, usize) {
    [
        (row, column),
        (row, 7 - column),
        (7 - row, 7 - column),
        (7 - row, column),
        (column, row),
        (column, 7 - row),
        (7 - column, 7 - row),
        (7 - column, row),
    ][orientation]
}

/// The hash of a board seen by Black, and its orientation.
pub fn hash(board: Position) -> (Hash, usize) {
    // What each cell adds to the pattern of its line, from the left and from the right.
    let mut rows = [[0usize; 2]; 8];
    let mut columns = [[0usize; 2]; 8];
    const POWERS: [usize; 8] = [1, 3, 9, 27, 81, 243, 729, 2187];
    let mut discs = board.occupied();
    while discs != 0 {
        let at = discs.trailing_zeros() as usize;
        discs &= discs - 1;
        let digit = if board.mover >> at & 1 != 0 { 1 } else { 2 };
        let (row, column) = (at / 8, at % 8);
        rows[row][0] += digit * POWERS[column];
        rows[row][1] += digit * POWERS[7 - column];
        columns[column][0] += digit * POWERS[row];
        columns[column][1] += digit * POWERS[7 - row];
    }
    // Which lines stand in the orientation, whether read from the end, and in which order.
    let images = [
        (rows, 0, false),
        (rows, 1, false),
        (rows, 1, true),
        (rows, 0, true),
        (columns, 0, false),
        (columns, 1, false),
        (columns, 1, true),
        (columns, 0, true),
    ];
    let keys = keys();
    let words = |(lines, direction, turned): ([[usize; 2]; 8], usize, bool)| {
        let mut words = [0i32; 2];
        for line in 0..8 {
            let pattern = lines[if turned { 7 - line } else { line }][direction];
            for (half, word) in words.iter_mut().enumerate() {
                *word ^= keys[(half * 8 + line) * 6561 + pattern];
            }
        }
        words
    };
    let all = images.map(words);
    let orientation = (0..8).min_by_key(|&at| all[at]).unwrap();
    let [first, second] = all[orientation];
    ((first.abs(), second.abs()), orientation)
}

/// How a move is written in an orientation: `10 * row + column` from 1.
pub fn written_move(orientation: usize, square: Square) -> i16 {
    let real = (usize::from(square.row()), usize::from(square.column()));
    let (row, column) = landing(orientation, real);
    10 * (row + 1) as i16 + (column + 1) as i16
}

pub fn square_of(number: i16) -> Option<Square> {
    let (row, column) = (number / 10 - 1, number % 10 - 1);
    let sound = (0..8).contains(&row) && (0..8).contains(&column);
    sound.then(|| Square::new((8 * row + column) as u8))
}

pub fn seen_by(board: Position, side: Side) -> Position {
    if side == Side::Black { board } else { board.passed() }
}

/// A board seen by Black, after a move of a side.
pub fn play(board: Position, side: Side, square: Square) -> Option<Position> {
    let next = seen_by(board, side).play(square)?;
    Some(seen_by(next, side.other()))
}

fn i16_at(bytes: &[u8], at: usize) -> Result<i16, String> {
    let pair = bytes.get(at..at + 2).ok_or("the file ends too soon")?;
    Ok(i16::from_le_bytes(pair.try_into().unwrap()))
}

fn i32_at(bytes: &[u8], at: usize) -> Result<i32, String> {
    let word = bytes.get(at..at + 4).ok_or("the file ends too soon")?;
    Ok(i32::from_le_bytes(word.try_into().unwrap()))
}

/// All records of a `book.bin`.
fn read_bin(bytes: &[u8]) -> Result<Vec<(Hash, Node)>, String> {
    if (i16_at(bytes, 0)?, i16_at(bytes, 2)?) != (2718, 2818) {
        return Err("no book.bin".to_owned());
    }
    let count = i32_at(bytes, 4)? as usize;
    if bytes.len() != 8 + 18 * count {
        return Err(format!("{} bytes for {count} nodes", bytes.len()));
    }
    let record = |at: usize| {
        let node = Node {
            black: i16_at(bytes, at + 8)?,
            white: i16_at(bytes, at + 10)?,
            alternative: i16_at(bytes, at + 12)?,
            alternative_score: i16_at(bytes, at + 14)?,
            flags: i16_at(bytes, at + 16)?.cast_unsigned(),
        };
        Ok(((i32_at(bytes, at)?, i32_at(bytes, at + 4)?), node))
    };
    (0..count).map(|index| record(8 + 18 * index)).collect()
}

/// All nodes of a `book.cmp` with the hashes of their boards, as Zebra unpacks it.
fn read_packed(bytes: &[u8]) -> Result<Vec<(Hash, Node)>, String> {
    let (count, links) = (i32_at(bytes, 0)? as usize, i32_at(bytes, 4)? as usize);
    if bytes.len() != 8 + 12 * count + 2 * links {
        return Err(format!("{} bytes for {count} nodes and {links} moves", bytes.len()));
    }
    let moves = 8 + 2 * count;
    let scores = moves + 2 * links;
    let mut records = Vec::with_capacity(count);
    let mut next_link = 0;
    let mut path = vec![(Position::START, Side::Black, 0..0)];
    let mut is_new = true;
    while let Some((board, side, rest)) = path.last_mut() {
        if std::mem::take(&mut is_new) {
            let index = records.len();
            if index == count {
                return Err("more moves than nodes".to_owned());
            }
            let node = Node {
                black: i16_at(bytes, scores + 4 * index)?,
                white: i16_at(bytes, scores + 4 * index + 2)?,
                alternative: i16_at(bytes, scores + 4 * count + 2 * index)?,
                alternative_score: i16_at(bytes, scores + 6 * count + 2 * index)?,
                flags: i16_at(bytes, scores + 8 * count + 2 * index)?.cast_unsigned(),
            };
            let children = i16_at(bytes, 8 + 2 * index)? as usize;
            (*side, *rest) = (node.side(), next_link..next_link + children);
            next_link += children;
            records.push((hash(*board).0, node));
        }
        let Some(link) = rest.next() else {
            path.pop();
            continue;
        };
        let number = i16_at(bytes, moves + 2 * link)?;
        let next = square_of(number).and_then(|square| play(*board, *side, square));
        path.push((next.ok_or(format!("move {number}"))?, Side::Black, 0..0));
        is_new = true;
    }
    match records.len() == count && next_link == links {
        true => Ok(records),
        false => Err(format!("{} of {count} nodes in the tree", records.len())),
    }
}

/// All records of a file, packed by gzip or not; hashes are those of the file, or of the boards.
pub fn records_of(bytes: &[u8]) -> Result<Vec<(Hash, Node)>, String> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return read_bin(bytes).or_else(|_| read_packed(bytes));
    }
    let mut unpacked = Vec::new();
    let mut packed = flate2::read::GzDecoder::new(bytes);
    packed.read_to_end(&mut unpacked).map_err(|error| error.to_string())?;
    read_packed(&unpacked)
}
