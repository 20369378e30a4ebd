//! Books of NTest: format 2, a forest, and format 1, raw records.

use std::collections::HashSet;

use rosebill::othello::board::{After, Position};

use super::{games, number_of, smallest};

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Node {
    pub board: Position,
    pub games: [u32; 2],
    pub height: u16,
    pub prune: u16,
    pub wld: bool,
    pub known: bool,
    pub proven: bool,
    pub root: bool,
    /// Value, or cutoff of a branch.
    pub number: i16,
}

const fn empty(board: Position) -> u64 {
    !(board.mover | board.opponent)
}

pub fn canonical(board: Position) -> Position {
    smallest([board], |image| (image.mover, empty(image)))[0]
}

/// Jenkins' mixing of what was written, item by item.
#[derive(Default)]
struct Checked {
    bytes: Vec<u8>,
    state: [u32; 3],
    phase: usize,
}

impl Checked {
    fn item(&mut self, item: u32) {
        self.state[self.phase] = self.state[self.phase].wrapping_add(item);
        self.phase = (self.phase + 1) % 3;
        if self.phase == 0 {
            let [mut a, mut b, mut c] = self.state;
            for (x, y, z) in [(13, 8, 13), (12, 16, 5), (3, 10, 15)] {
                a = a.wrapping_sub(b).wrapping_sub(c) ^ c >> x;
                b = b.wrapping_sub(c).wrapping_sub(a) ^ a << y;
                c = c.wrapping_sub(a).wrapping_sub(b) ^ b >> z;
            }
            self.state = [a, b, c];
        }
    }

    fn words(&mut self, bytes: &[u8]) {
        for word in bytes.chunks(4) {
            self.item(u32::from_le_bytes(word.try_into().unwrap()));
        }
        self.bytes.extend(bytes);
    }

    fn byte(&mut self, byte: u8) {
        self.item(byte.into());
        self.bytes.push(byte);
    }

    fn board(&mut self, board: Position) {
        self.words(&empty(board).to_le_bytes());
        self.words(&board.mover.to_le_bytes());
    }

    fn file(self, version: i32, nodes: usize) -> Vec<u8> {
        let mut file = version.to_le_bytes().to_vec();
        file.extend((nodes as i32).to_le_bytes());
        file.extend(self.bytes);
        file.extend(self.state[0].to_le_bytes());
        file
    }
}

/// In the order in which NTest begins its trees.
fn sorted(nodes: &[Node]) -> Vec<Node> {
    let mut sorted = nodes.to_vec();
    sorted.sort_by_key(|node| {
        (std::cmp::Reverse(node.board.empties()), node.board.mover, empty(node.board))
    });
    sorted
}

/// Format 2, as NTest orders it.
pub fn forest(nodes: &[Node]) -> Vec<u8> {
    fn tree(at: &Node, nodes: &[Node], done: &mut HashSet<(u64, u64)>, out: &mut Checked) {
        done.insert((at.board.mover, at.board.opponent));
        let flags = u16::from(at.proven)
            | u16::from(at.root) << 1
            | u16::from(at.wld) << 2
            | u16::from(at.known) << 3
            | at.height << 4
            | at.prune << 10;
        let mut record = vec![];
        for field in [at.games[0] as u16, at.games[1] as u16, flags, at.number.cast_unsigned()] {
            record.extend(field.to_le_bytes());
        }
        out.words(&record);
        let corners = 0x8100_0000_0000_0081u64;
        let inner = 0x3c3c_ffff_ffff_3c3cu64;
        for group in [corners, inner, !(corners | inner)] {
            for square in at.board.legal_moves().filter(|square| group & square.bit() != 0) {
                // A position behind a pass begins a tree of its own.
                let Some(After::Opponent(next)) = at.board.after(square) else { continue };
                let next = canonical(next);
                if done.contains(&(next.mover, next.opponent)) {
                    continue;
                }
                if let Some(child) = nodes.iter().find(|node| node.board == next) {
                    out.byte(square.number());
                    tree(child, nodes, done, out);
                }
            }
        }
        out.byte(0xff);
    }
    let mut out = Checked::default();
    let mut done = HashSet::new();
    for node in sorted(nodes) {
        if !done.contains(&(node.board.mover, node.board.opponent)) {
            out.board(node.board);
            tree(&node, nodes, &mut done, &mut out);
        }
    }
    out.file(2, nodes.len())
}

/// Format 1, with garbage where NTest has some; `values` are the three that it stores.
pub fn records(nodes: &[Node], values: impl Fn(&Node) -> [i32; 3], garbage: u8) -> Vec<u8> {
    let mut out = Checked::default();
    for node in sorted(nodes) {
        let branch = node.root && !node.proven;
        let mut rest = vec![];
        rest.extend(i32::from(node.height).to_le_bytes());
        rest.extend(i32::from(node.prune).to_le_bytes());
        rest.extend([u8::from(node.wld), u8::from(node.known), garbage, garbage]);
        rest.extend((if branch { i32::from(node.number) } else { 0 }).to_le_bytes());
        values(&node).iter().for_each(|&value| rest.extend((value as i16).to_le_bytes()));
        rest.extend([1, 1, u8::from(node.proven), garbage, garbage, garbage]);
        node.games.iter().for_each(|games| rest.extend(games.to_le_bytes()));
        rest.extend([u8::from(node.root) | garbage & 0xfe, garbage, garbage, garbage]);
        out.board(node.board);
        out.words(&rest);
    }
    out.file(1, nodes.len())
}

/// The book that NTest made of the game f5 d6 at level s4; its checksum is 0xB2F5D71F.
pub fn tiny() -> Vec<Node> {
    let node = |mover: u64, empty: u64, root: bool, height: u16, number: i16| Node {
        board: Position { mover, opponent: !(mover | empty) },
        games: [0, u32::from(root)],
        height,
        prune: 4,
        wld: false,
        known: false,
        proven: false,
        root,
        number,
    };
    vec![
        node(0x08_1000_0000, 0xffff_ffe7_e7ff_ffff, true, 4, -16_400),
        node(0x00_0800_0000, 0xffff_efe7_e7ff_ffff, true, 4, -48),
        node(0x00_1808_0000, 0xffff_ffe3_e7f7_ffff, true, 4, -130),
        node(0x00_1400_0000, 0xffff_f7e7_e3fb_ffff, false, 3, 247),
        node(0x00_0808_0000, 0xffff_ffe3_c7f7_ffff, false, 3, 130),
        node(0x08_1008_0000, 0xffff_ffe7_e7f3_ffff, false, 3, 48),
    ]
}

/// Some games with passes, ends and solved nodes, down to 9 empties.
pub fn wide() -> Vec<Node> {
    let after_passes = games().into_iter().filter_map(|position| match position {
        _ if position.empties() < 9 => None,
        _ if position.can_move() => Some(position),
        _ => Some(position.passed()).filter(|position| position.can_move()),
    });
    let boards = smallest(after_passes, |image| (image.mover, empty(image)));
    let inside =
        |next: &After| next.position().is_some_and(|next| boards.contains(&canonical(next)));
    let successors = |board: Position| {
        let next = board.legal_moves().map(|square| board.after(square).unwrap());
        next.collect::<Vec<_>>()
    };
    let is_branch = |board| successors(board).iter().any(inside);
    let is_proven = |board: Position| !is_branch(board) && board.empties() <= 30;
    // What a leaf among the successors is worth for who moves.
    let leaf = |next: &After| {
        let (board, sign) = match next {
            After::Opponent(next) => (canonical(*next), -1),
            After::Same(next) => (canonical(*next), 1),
            After::Over(_) => return None,
        };
        let leaf = inside(next) && !is_branch(board) && !is_proven(board);
        leaf.then(|| sign * number_of(board, 1200))
    };
    let node = |&board: &Position| {
        let (root, proven) = (is_branch(board), is_proven(board));
        let next = successors(board);
        let all = next.iter().all(|next| inside(next) || next.position().is_none());
        // No unlisted move is better than the best leaf; without a leaf nothing is known of them.
        let best_leaf = next.iter().filter_map(leaf).max();
        let empties = u16::from(board.empties());
        // A proven result of less than two discs has no size of its own in our book.
        let discs = number_of(board, 20);
        let number = match best_leaf {
            Some(best) if root && !all => best - 30,
            _ if root => -16_400,
            _ if proven => 100 * (discs + 2 * discs.signum()),
            _ => number_of(board, 1200),
        };
        Node {
            board,
            games: [board.mover as u32 % 5, board.opponent as u32 % 3],
            height: if proven { empties - 8 } else { 12 },
            prune: if proven { 0 } else { 4 },
            wld: proven && discs % 3 == 0 && discs != 0,
            known: proven,
            proven,
            root,
            number,
        }
    };
    boards.iter().map(node).collect()
}
