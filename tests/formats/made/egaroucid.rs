//! Books of Egaroucid: 25 bytes a record, and the two older layouts.

use rosebill::othello::board::{After, Position, Square};

use super::{games, number_of, smallest};

#[derive(Clone, Copy, Debug)]
pub struct Record {
    /// In Egaroucid's orientation.
    pub words: [u64; 2],
    pub value: i8,
    pub level: i8,
    pub lines: u32,
    /// Value, move, level.
    pub leaf: [i8; 3],
}

pub fn file(records: &[Record]) -> Vec<u8> {
    let mut bytes = b"DICUORAGE\x03".to_vec();
    bytes.extend((records.len() as i32).to_le_bytes());
    for record in records {
        record.words.iter().for_each(|word| bytes.extend(word.to_le_bytes()));
        bytes.extend([record.value, record.level].map(i8::cast_unsigned));
        bytes.extend(record.lines.to_le_bytes());
        bytes.extend(record.leaf.map(i8::cast_unsigned));
    }
    bytes
}

/// The program's own start of a version 2 file: 41 bytes.
pub fn start_of_version_2() -> Vec<u8> {
    let mut bytes = b"DICUORAGE\x02\x01\0\0\0".to_vec();
    bytes.extend(0x08_1000_0000u64.to_le_bytes());
    bytes.extend(0x10_0800_0000u64.to_le_bytes());
    bytes.extend([0, 70, 4, 0, 19, 0, 26, 0, 37, 0, 44]);
    bytes
}

/// And of the oldest, without a header: 21 bytes.
pub fn start_of_version_1() -> Vec<u8> {
    let mut bytes = vec![1, 0, 0, 0];
    bytes.extend(0x08_1000_0000u64.to_le_bytes());
    bytes.extend(0x10_0800_0000u64.to_le_bytes());
    bytes.push(64);
    bytes
}

/// A book with leaves in all states, and how many of them stand half a turn away.
pub fn wide() -> (Vec<Record>, usize) {
    let stored = games().into_iter().filter_map(|position| match position {
        _ if position.can_move() => Some(position),
        _ if position.passed().can_move() => Some(position.passed()),
        // One finished game, without empties.
        _ => Some(position).filter(|position| position.empties() == 0),
    });
    let mut ended = false;
    let mut boards = smallest(stored, |image| (image.mover, image.opponent));
    boards.retain(|board| board.can_move() || !std::mem::replace(&mut ended, true));
    let after = |board: Position, square| {
        let next = board.play(square).unwrap();
        let next = if next.can_move() { next } else { next.passed() };
        smallest([next], |image| (image.mover, image.opponent))[0]
    };
    let mut turned = 0;
    let records = boards.iter().map(|&board| {
        let left: Vec<_> =
            board.legal_moves().filter(|&square| !boards.contains(&after(board, square))).collect();
        let level = [21, 12, 7][board.mover as usize % 3];
        let exact = board.empties() <= 14;
        let even = |score: i16| if exact { score & !1 } else { score } as i8;
        // A move that ends the game is worth what the board says, and no leaf else.
        let end = |square: Square| match board.after(square) {
            Some(After::Over(discs)) => Some(discs),
            _ => None,
        };
        let (ends, left): (Vec<_>, Vec<_>) =
            left.into_iter().partition(|&square| end(square).is_some());
        let only_ends = !ends.is_empty() && ends.len() == board.legal_moves().len();
        let best_end = ends.iter().filter_map(|&square| Some((end(square)?, square))).max();
        let leaf = match left.first() {
            None => match best_end {
                Some((discs, square)) => [discs, square.number() as i8, level],
                None => [-126, 65, level],
            },
            Some(_) if board.opponent % 7 == 0 => [-126, 125, -1],
            Some(&square) => {
                // The words are the same numbers half a turn away, and so is the square.
                let half_turn = 63 - square.number() as i8;
                let legal = board.legal_moves().any(|other| other.number() as i8 == half_turn);
                let wrong = !legal && board.mover % 5 == 0;
                turned += usize::from(wrong);
                let stored = if wrong { half_turn } else { square.number() as i8 };
                [even(number_of(board, 18)), stored, level]
            }
        };
        let finished = !board.can_move();
        let difference = board.mover.count_ones() as i8 - board.opponent.count_ones() as i8;
        Record {
            words: [board.mover, board.opponent],
            value: match best_end.filter(|_| only_ends) {
                Some((discs, _)) => discs,
                None if finished => difference,
                None => even(number_of(board, 18)),
            },
            level: if finished { 60 } else { level },
            lines: 1,
            leaf,
        }
    });
    let records = records.collect();
    (records, turned)
}
