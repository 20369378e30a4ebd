//! Books of Zebra: hashes and fields, the same as text, and packed.

use std::collections::{HashMap, HashSet};

use rosebill::othello::board::{Position, Square};

use super::{game, number_of};

const BLACK: u16 = 1;
const WHITE: u16 = 2;
const WON: u16 = 4;
const EXACT: u16 = 16;

/// Discs of Black and White and whose turn it really is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    pub black: u64,
    pub white: u64,
    pub blacks_turn: bool,
}

impl Board {
    pub const START: Self =
        Self { black: 0x08_1000_0000, white: 0x10_0800_0000, blacks_turn: true };

    pub fn position(self) -> Position {
        match self.blacks_turn {
            true => Position { mover: self.black, opponent: self.white },
            false => Position { mover: self.white, opponent: self.black },
        }
    }

    /// After a move; a pass is made at once. None at the end of the game.
    fn after(self, square: Square) -> Option<Self> {
        let next = self.position().play(square).unwrap();
        let turn = |position: Position, blacks_turn: bool| match blacks_turn {
            true => Self { black: position.mover, white: position.opponent, blacks_turn },
            false => Self { black: position.opponent, white: position.mover, blacks_turn },
        };
        match () {
            () if next.can_move() => Some(turn(next, !self.blacks_turn)),
            () if next.passed().can_move() => Some(turn(next.passed(), self.blacks_turn)),
            () => None,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Node {
    pub board: Board,
    pub scores: [i16; 2],
    pub alternative: i16,
    pub alternative_score: i16,
    pub flags: u16,
}

impl Node {
    pub const fn is_drawn(&self) -> bool {
        self.flags & (WON | EXACT) != 0 && self.scores[0] == 0 && self.scores[1] == 0
    }
}

/// Zebra's keys for a line's pattern, two tables of eight lines of 3^8.
struct Keys(Vec<i32>);

impl Keys {
    fn new() -> Self {
        let mut state = [0u32; 31];
        for index in 1..31 {
            state[index] = state[index - 1].wrapping_mul(1_103_515_245).wrapping_add(12_345);
        }
        let (mut front, mut rear) = (3, 0);
        let mut next = || {
            state[front] = state[front].wrapping_add(state[rear]);
            let result = (state[front] >> 1) as i32;
            (front, rear) = ((front + 1) % 31, (rear + 1) % 31);
            result
        };
        (0..310).for_each(|_| {
            next();
        });
        Self((0..2 * 8 * 6561).map(|_| if next() % 2 != 0 { next() } else { -next() }).collect())
    }

    /// The hash of a board and the number of its orientation.
    fn hash(&self, board: Board) -> ([i32; 2], usize) {
        // Row and column of a square after turning, all from 0.
        let turned = |orientation: usize, row: usize, column: usize| match orientation {
            0 => (row, column),
            1 => (row, 7 - column),
            2 => (7 - row, 7 - column),
            3 => (7 - row, column),
            4 => (column, row),
            5 => (column, 7 - row),
            6 => (7 - column, 7 - row),
            _ => (7 - column, row),
        };
        let all = (0..8).map(|orientation| {
            let mut patterns = [0usize; 8];
            for square in 0..64 {
                let (row, column) = turned(orientation, square / 8, square % 8);
                let digit = (board.black >> square & 1) + 2 * (board.white >> square & 1);
                patterns[row] += digit as usize * 3usize.pow(column as u32);
            }
            let hash = [0, 1].map(|table| {
                (0..8)
                    .fold(0, |hash, line| hash ^ self.0[(table * 8 + line) * 6561 + patterns[line]])
            });
            (hash, orientation)
        });
        let (hash, orientation) = all.min().unwrap();
        (hash.map(i32::abs), orientation)
    }

    /// A square in the orientation of its board's hash, as ten times the row and the column.
    fn square(orientation: usize, square: Square) -> i16 {
        let (row, column) =
            (i16::from(square.number() / 8) + 1, i16::from(square.number() % 8) + 1);
        let (row, column) = match orientation {
            0 => (row, column),
            1 => (row, 9 - column),
            2 => (9 - row, 9 - column),
            3 => (9 - row, column),
            4 => (column, row),
            5 => (column, 9 - row),
            6 => (9 - column, 9 - row),
            _ => (9 - column, row),
        };
        10 * row + column
    }
}

/// How a solved draw counts for its parent, for each of the two scores.
pub type Draws = [i16; 2];

pub const NEUTRAL: Draws = [0, 0];
pub const BLACK_WINS: Draws = [29_999, 29_999];
pub const WHITE_WINS: Draws = [-29_999, -29_999];
/// As files have it.
pub const OPPONENT_WINS: Draws = [-29_999, 29_999];

pub struct Book {
    keys: Keys,
    /// The start first.
    pub nodes: Vec<Node>,
    index: HashMap<[i32; 2], usize>,
}

impl Book {
    /// The book of some games: estimates early, solved nodes late, draws among them.
    pub fn new() -> Self {
        let keys = Keys::new();
        let mut boards = vec![];
        for seed in 0..14 {
            let mut board = Board::START;
            boards.push(board);
            // The same games as in the other books, with colours.
            for next in &game(seed, [8, 12, 30, 46][seed as usize % 4])[1..] {
                let square = board
                    .position()
                    .legal_moves()
                    .find(|&square| board.position().play(square) == Some(*next));
                let Some(after) = square.and_then(|square| board.after(square)) else { break };
                board = after;
                boards.push(board);
            }
        }
        let mut book = Self { keys, nodes: vec![], index: HashMap::new() };
        for board in boards {
            let (hash, _) = book.keys.hash(board);
            if !book.index.contains_key(&hash) {
                book.index.insert(hash, book.nodes.len());
                let node = Node {
                    board,
                    scores: [0; 2],
                    alternative: -1,
                    alternative_score: 9999,
                    flags: 0,
                };
                book.nodes.push(node);
            }
        }
        for index in 0..book.nodes.len() {
            book.nodes[index] = book.filled(index);
        }
        book.nodes = book.minimax(OPPONENT_WINS);
        // In the order in which Zebra walks.
        let order = book.walked().order;
        book.nodes = order.into_iter().map(|index| book.nodes[index].clone()).collect();
        let hashes = book.nodes.iter().map(|node| book.keys.hash(node.board).0);
        book.index = hashes.enumerate().map(|(index, hash)| (hash, index)).collect();
        book
    }

    fn filled(&self, index: usize) -> Node {
        let mut node = self.nodes[index].clone();
        let board = node.board;
        let squares: Vec<_> = board.position().legal_moves().collect();
        let left = squares.iter().find(|&&square| {
            board
                .after(square)
                .is_some_and(|next| !self.index.contains_key(&self.keys.hash(next).0))
        });
        node.flags = if board.blacks_turn { BLACK } else { WHITE };
        let inner = squares.iter().any(|&square| {
            board.after(square).is_some_and(|next| self.index.contains_key(&self.keys.hash(next).0))
        });
        let mixed = number_of(board.position(), 30);
        if !inner && board.position().empties() <= 32 {
            // Proven, one way or the other.
            node.flags |= if mixed % 3 == 0 { WON } else { EXACT | WON };
            let drawn = mixed.rem_euclid(5) < 2;
            let discs = match mixed % 3 {
                _ if drawn => 0,
                0 => 2,
                _ => mixed.abs() / 2 * 2,
            };
            let score = if discs == 0 { 0 } else { mixed.signum() * (30_000 + discs) };
            node.scores = [score; 2];
        } else if let Some(&square) = left {
            let (_, orientation) = self.keys.hash(board);
            node.alternative = Keys::square(orientation, square);
            node.alternative_score = number_of(board.position(), 1500);
            node.flags |= 14 << 10;
        } else {
            node.alternative = -2;
        }
        node
    }

    /// The nodes of the book with the scores of Zebra's minimax in a draw mode.
    pub fn minimax(&self, draws: Draws) -> Vec<Node> {
        let mut nodes = self.nodes.clone();
        let mut order: Vec<usize> = (0..nodes.len()).collect();
        order.sort_by_key(|&index| nodes[index].board.position().empties());
        for index in order {
            let node = &nodes[index];
            if node.flags & (WON | EXACT) != 0 {
                continue;
            }
            let children: HashSet<usize> =
                self.children(node.board).into_iter().map(|(_, child)| child).collect();
            let scores = [0, 1].map(|side| {
                let of_children = children.iter().map(|&child| {
                    let child = &nodes[child];
                    if child.is_drawn() { draws[side] } else { child.scores[side] }
                });
                let alternative = Some(node.alternative_score).filter(|&score| score != 9999);
                let all = of_children.chain(alternative);
                if node.board.blacks_turn { all.max() } else { all.min() }.unwrap()
            });
            nodes[index].scores = scores;
        }
        nodes
    }

    fn children(&self, board: Board) -> Vec<(Square, usize)> {
        let squares = board.position().legal_moves();
        squares
            .filter_map(|square| {
                let next = self.keys.hash(board.after(square)?).0;
                Some((square, *self.index.get(&next)?))
            })
            .collect()
    }

    pub fn hash(&self, board: Board) -> ([i32; 2], usize) {
        self.keys.hash(board)
    }

    fn fields(&self, node: &Node) -> ([i32; 2], [i16; 5]) {
        let [black, white] = node.scores;
        let fields =
            [black, white, node.alternative, node.alternative_score, node.flags.cast_signed()];
        (self.keys.hash(node.board).0, fields)
    }

    /// `book.bin`.
    pub fn bin(&self) -> Vec<u8> {
        let mut bytes = [2718i16.to_le_bytes(), 2818i16.to_le_bytes()].concat();
        bytes.extend((self.nodes.len() as i32).to_le_bytes());
        for node in &self.nodes {
            let (hash, fields) = self.fields(node);
            hash.iter().for_each(|word| bytes.extend(word.to_le_bytes()));
            fields.iter().for_each(|field| bytes.extend(field.to_le_bytes()));
        }
        bytes
    }

    /// The text form.
    pub fn text(&self) -> String {
        let mut text = format!("2718\n2818\n{}\n", self.nodes.len());
        for node in &self.nodes {
            let ([first, second], [black, white, alternative, score, _]) = self.fields(node);
            let flags = node.flags;
            text += &format!("{first} {second} {black} {white} {alternative} {score} {flags}\n");
        }
        text
    }

    /// `book.cmp`, in Zebra's order of squares.
    pub fn packed(&self) -> Vec<u8> {
        let Walk { order, counts, moves, .. } = self.walked();
        let mut bytes = (order.len() as i32).to_le_bytes().to_vec();
        bytes.extend((moves.len() as i32).to_le_bytes());
        counts.iter().chain(&moves).for_each(|number| bytes.extend(number.to_le_bytes()));
        let column = |of: &dyn Fn(&Node) -> Vec<i16>| -> Vec<u8> {
            let numbers = order.iter().flat_map(|&index| of(&self.nodes[index]));
            numbers.flat_map(i16::to_le_bytes).collect()
        };
        bytes.extend(column(&|node| node.scores.to_vec()));
        bytes.extend(column(&|node| vec![node.alternative]));
        bytes.extend(column(&|node| vec![node.alternative_score]));
        bytes.extend(column(&|node| vec![node.flags.cast_signed()]));
        bytes
    }

    fn walked(&self) -> Walk {
        let mut walk = Walk { order: vec![], counts: vec![], moves: vec![], met: HashSet::new() };
        self.walk(Board::START, &mut walk);
        walk
    }

    fn walk(&self, board: Board, walk: &mut Walk) {
        const ORDER: [u8; 60] = [
            11, 18, 81, 88, 13, 16, 31, 38, 61, 68, 83, 86, 33, 36, 63, 66, 14, 15, 41, 48, 51, 58,
            84, 85, 34, 35, 43, 46, 53, 56, 64, 65, 24, 25, 42, 47, 52, 57, 74, 75, 23, 26, 32, 37,
            62, 67, 73, 76, 12, 17, 21, 28, 71, 78, 82, 87, 22, 27, 72, 77,
        ];
        let index = self.index[&self.keys.hash(board).0];
        walk.order.push(index);
        walk.met.insert(index);
        let mut children = self.children(board);
        children.sort_by_key(|(square, _)| {
            let number = 10 * (square.number() / 8 + 1) + square.number() % 8 + 1;
            ORDER.iter().position(|&other| other == number)
        });
        let mut block = vec![];
        for (square, child) in children {
            if !walk.met.contains(&child) && block.iter().all(|&(_, other)| other != child) {
                block.push((square, child));
            }
        }
        walk.counts.push(block.len() as i16);
        walk.moves.extend(block.iter().map(|(square, _)| Keys::square(0, *square)));
        for (square, _) in block {
            self.walk(board.after(square).unwrap(), walk);
        }
    }
}

/// A walk over all nodes, each once.
struct Walk {
    order: Vec<usize>,
    counts: Vec<i16>,
    moves: Vec<i16>,
    met: HashSet<usize>,
}
