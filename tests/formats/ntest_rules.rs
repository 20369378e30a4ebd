//! What NTest makes of a book when it loads it, from the bytes alone: a reader, a reckoning of its
//! values and its rules of correction, all written from the description of the file and none of it
//! shared with the program.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use rosebill::othello::board::{After, Position, Square, Symmetry};

/// No unlisted move is left, as a cutoff; not searched yet is the same with the other sign.
const NO_MOVE_LEFT: i32 = -16_400;
/// A wipe-out in centidiscs.
const MOST: i32 = 6_400;
/// The bonus of a proven result in the two seeking values, in centidiscs.
const PROVEN: i32 = 10_000;
/// Boards of faults that are kept.
const EXAMPLES: usize = 10;

/// A search result of NTest: what its level asks for, or what a node had.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Height {
    pub plies: i32,
    pub prune: i32,
    /// Only win, loss and draw were told apart.
    pub win_loss: bool,
}

impl Height {
    /// More is more thorough.
    fn order(self) -> i32 {
        256 * self.plies - 2 * self.prune - i32::from(self.win_loss)
    }

    fn less_one_ply(self) -> Self {
        Self { plies: self.plies - 1, ..self }
    }
}

/// The level `sN` in the name of an NTest book.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct NtestLevel(pub i32);

impl NtestLevel {
    /// The most empties at which positions are searched to the end with each selectivity.
    fn ends(self) -> [i32; 6] {
        const COSTS: [f64; 6] = [0.738, 0.601, 0.549, 0.495, 0.438, 0.400];
        let mut ends = COSTS.map(|cost| (15.0 + f64::from(self.0 - 6) * 0.5 / cost) as i32);
        // A full solve needs no second search for the best other move, so it goes one deeper.
        ends[0] += 1;
        for selectivity in 1..6 {
            ends[selectivity] = ends[selectivity].max(ends[0]);
        }
        // Far from the end the two boldest searches cost the same.
        if ends[5] > 26 {
            ends[5] = ends[4].max(26);
        }
        ends
    }

    /// The least that a branch or a solved node must have been searched.
    pub fn least(self, empties: i32) -> Height {
        let ends = self.ends();
        match ends.iter().position(|&end| empties <= end) {
            Some(prune) => Height {
                plies: empties - 8,
                prune: prune as i32,
                win_loss: prune > 0 || empties > ends[0] - 4,
            },
            None => Height { plies: self.0, prune: 4, win_loss: false },
        }
    }
}

/// A node as its bytes have it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Node {
    pub position: Position,
    pub games: [u32; 2],
    pub height: Height,
    /// The search reached the end of the game.
    pub known: bool,
    /// It did so at full width.
    pub proven: bool,
    /// It was the root of a search, or was played.
    pub root: bool,
    /// Value or cutoff, in centidiscs.
    pub number: i32,
    /// Format 1: the three values.
    pub stored: Option<[i32; 3]>,
}

impl Node {
    pub fn is_branch(&self) -> bool {
        self.root && !self.proven
    }

    fn is_unsolved_leaf(&self) -> bool {
        !self.root && !self.proven
    }
}

/// What can be wrong with a book.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fault {
    /// A board that no node has: another orientation, no move, fewer than 9 empties, or a second
    /// time.
    Board,
    /// Marks, height and selectivity that no search gives together.
    Marks,
    /// A value or cutoff that is none.
    Number,
    /// An unsolved leaf with games: NTest takes it for a branch, without its value.
    PlayedLeaf,
    /// No move is left, but the cutoff says otherwise: NTest sets it.
    Cutoff,
    /// The cutoff says that no move is left, and one is. NTest lets that be.
    CutoffTooSoon,
    /// A branch without a single move that has a value.
    NoValue,
    /// Rule 1: a branch is searched less than the level asks for.
    Height,
    /// Rule 1 to the letter: a solved node has no exact score where the level asks for one. NTest
    /// lets that be.
    NotExact,
    /// Rule 2: a successor is searched less than its branch, less one ply.
    Successor,
    /// Rule 3: a branch with moves left has no unsolved leaf at or above its cutoff.
    Deviation,
    /// Format 1: the stored values are not those that follow.
    Stored,
}

/// Faults of one kind.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Found {
    pub count: usize,
    /// The first few boards.
    pub boards: Vec<Position>,
}

/// What was found in a book.
#[derive(Clone, Default)]
pub struct NtestCheck {
    pub nodes: usize,
    pub branches: usize,
    pub faults: BTreeMap<Fault, Found>,
    /// Best guess, draws to the mover, draws to the opponent, in centidiscs for the side to move,
    /// by position in NTest's orientation.
    pub values: HashMap<Position, [i32; 3]>,
}

impl NtestCheck {
    /// All faults with their counts.
    pub fn counts(&self) -> Vec<(Fault, usize)> {
        self.faults.iter().map(|(&fault, found)| (fault, found.count)).collect()
    }

    /// The three values of a position in any orientation.
    pub fn values_of(&self, position: Position) -> Option<[i32; 3]> {
        self.values.get(&canonical(position)).copied()
    }

    fn note(&mut self, fault: Fault, position: Position) {
        let found = self.faults.entry(fault).or_default();
        found.count += 1;
        if found.boards.len() < EXAMPLES {
            found.boards.push(position);
        }
    }
}

impl fmt::Display for NtestCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} nodes, {} branches", self.nodes, self.branches)?;
        for (fault, found) in &self.faults {
            write!(f, "; {fault:?} {}", found.count)?;
            for board in found.boards.iter().take(2) {
                write!(f, " [{board:?}]")?;
            }
        }
        Ok(())
    }
}

/// Of the eight images the one with the smallest discs of the mover, then the smallest empties.
pub fn canonical(position: Position) -> Position {
    let images = Symmetry::all().map(|symmetry| symmetry.position(position));
    images.min_by_key(|image| (image.mover, image.empty_squares())).unwrap()
}

/// The checksum over the items of a file.
#[derive(Default)]
struct Sum {
    state: [u32; 3],
    phase: usize,
}

impl Sum {
    fn item(&mut self, item: u32) {
        self.state[self.phase] = self.state[self.phase].wrapping_add(item);
        self.phase = (self.phase + 1) % 3;
        if self.phase != 0 {
            return;
        }
        let [mut a, mut b, mut c] = self.state;
        for [first, second, third] in [[13, 8, 13], [12, 16, 5], [3, 10, 15]] {
            a = a.wrapping_sub(b).wrapping_sub(c) ^ c >> first;
            b = b.wrapping_sub(c).wrapping_sub(a) ^ a << second;
            c = c.wrapping_sub(a).wrapping_sub(b) ^ b >> third;
        }
        self.state = [a, b, c];
    }

    fn bytes(&mut self, bytes: &[u8]) {
        for word in bytes.chunks(4) {
            self.item(u32::from_le_bytes(word.try_into().unwrap()));
        }
    }
}

/// Takes bytes from the front, and sums them up.
struct Input<'a> {
    bytes: &'a [u8],
    sum: Sum,
}

impl<'a> Input<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], String> {
        let (taken, rest) = self.bytes.split_at_checked(count).ok_or("the file ends too soon")?;
        self.bytes = rest;
        Ok(taken)
    }

    fn summed(&mut self, count: usize) -> Result<&'a [u8], String> {
        let taken = self.take(count)?;
        self.sum.bytes(taken);
        Ok(taken)
    }

    fn word(&mut self) -> Result<u32, String> {
        Ok(u32::from_le_bytes(self.take(4)?.try_into().unwrap()))
    }
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
}

fn i32_at(bytes: &[u8], at: usize) -> i32 {
    i32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

fn i16_at(bytes: &[u8], at: usize) -> i32 {
    i32::from(i16::from_le_bytes(bytes[at..at + 2].try_into().unwrap()))
}

fn u16_at(bytes: &[u8], at: usize) -> u32 {
    u32::from(u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap()))
}

fn board(bytes: &[u8]) -> Result<Position, String> {
    let (empty, mover) = (u64_at(bytes, 0), u64_at(bytes, 8));
    if empty & mover != 0 {
        return Err("a square is empty and has a disc".to_owned());
    }
    Ok(Position { mover, opponent: !(empty | mover) })
}

/// All nodes of a file in either format.
pub fn nodes_of(bytes: &[u8]) -> Result<Vec<Node>, String> {
    let mut input = Input { bytes, sum: Sum::default() };
    let (version, count) = (input.word()?, input.word()? as usize);
    let mut nodes = Vec::new();
    while nodes.len() < count {
        match version {
            1 => nodes.push(record(input.summed(56)?)?),
            2 => tree(&mut input, &mut nodes)?,
            _ => return Err(format!("format {version}")),
        }
    }
    if nodes.len() != count {
        return Err(format!("{} nodes for {count}", nodes.len()));
    }
    let sum = input.sum.state[0];
    let stored = input.word()?;
    match (stored == sum, input.bytes.is_empty()) {
        (true, true) => Ok(nodes),
        (false, _) => Err(format!("checksum {stored:08x} for {sum:08x}")),
        (true, false) => Err("bytes after the checksum".to_owned()),
    }
}

fn record(bytes: &[u8]) -> Result<Node, String> {
    let (root, proven) = (bytes[52] & 1 != 0, bytes[40] != 0);
    let values = [32, 34, 36].map(|at| i16_at(bytes, at));
    Ok(Node {
        position: board(bytes)?,
        games: [44, 48].map(|at| i32_at(bytes, at).cast_unsigned()),
        height: Height {
            plies: i32_at(bytes, 16),
            prune: i32_at(bytes, 20),
            win_loss: bytes[24] != 0,
        },
        known: bytes[25] != 0,
        proven,
        root,
        number: if root && !proven { i32_at(bytes, 28) } else { values[0] },
        stored: Some(values),
    })
}

/// A tree with its board, root first.
fn tree(input: &mut Input<'_>, nodes: &mut Vec<Node>) -> Result<(), String> {
    let mut path = vec![board(input.summed(16)?)?];
    let mut is_new = true;
    while let Some(&position) = path.last() {
        if std::mem::take(&mut is_new) {
            let bytes = input.summed(8)?;
            let flags = u16_at(bytes, 4);
            nodes.push(Node {
                position,
                games: [u16_at(bytes, 0), u16_at(bytes, 2)],
                height: Height {
                    plies: (flags >> 4 & 63) as i32,
                    prune: (flags >> 10) as i32,
                    win_loss: flags & 4 != 0,
                },
                known: flags & 8 != 0,
                proven: flags & 1 != 0,
                root: flags & 2 != 0,
                number: i16_at(bytes, 6),
                stored: None,
            });
        }
        let number = input.take(1)?[0];
        input.sum.item(u32::from(number));
        if number == 0xff {
            path.pop();
            continue;
        }
        let square = Square::try_new(number).ok_or(format!("move {number}"))?;
        let Some(After::Opponent(next)) = position.after(square) else {
            return Err(format!("child {square} of {position:?}"));
        };
        path.push(canonical(next));
        is_new = true;
    }
    Ok(())
}

/// Checks a file as NTest would under a name with this level; without one rule 1 is left out.
pub fn check(bytes: &[u8], level: Option<NtestLevel>) -> Result<NtestCheck, String> {
    let mut nodes = nodes_of(bytes)?;
    let mut check = NtestCheck { nodes: nodes.len(), ..NtestCheck::default() };
    // Fewest empties first, as NTest goes.
    nodes.sort_by_key(|node| (node.position.empties(), node.position.mover));
    let mut by_board: HashMap<Position, &Node> = HashMap::new();
    for node in &nodes {
        let position = node.position;
        let is_sound = (9..=60).contains(&position.empties())
            && position.can_move()
            && canonical(position) == position;
        let is_second = by_board.insert(position, node).is_some();
        if !is_sound || is_second {
            check.note(Fault::Board, position);
        }
    }
    for node in &nodes {
        facts(node, &mut check);
        let values = if node.is_branch() {
            check.branches += 1;
            branch(node, level, &by_board, &mut check)
        } else if node.proven {
            if level.is_some_and(|level| node.height.order() < least(level, node).order()) {
                check.note(Fault::NotExact, node.position);
            }
            solved(node.number)
        } else {
            [node.number; 3]
        };
        if node.stored.is_some_and(|stored| stored != values) {
            check.note(Fault::Stored, node.position);
        }
        check.values.insert(node.position, values);
    }
    Ok(check)
}

fn least(level: NtestLevel, node: &Node) -> Height {
    level.least(i32::from(node.position.empties()))
}

/// What a node must be in itself.
fn facts(node: &Node, check: &mut NtestCheck) {
    let end = i32::from(node.position.empties()) - 8;
    let Height { plies, prune, win_loss } = node.height;
    let marks_fit = node.known == (plies >= end)
        && node.proven == (node.known && prune == 0)
        && (1..=end.max(1)).contains(&plies)
        && (0..=5).contains(&prune)
        && (node.known || (prune == 4 && !win_loss));
    if !marks_fit {
        check.note(Fault::Marks, node.position);
    }
    let is_cutoff = node.is_branch() && node.number.abs() == -NO_MOVE_LEFT;
    if node.number.abs() > MOST && !is_cutoff {
        check.note(Fault::Number, node.position);
    }
    if node.is_unsolved_leaf() && node.games != [0, 0] {
        check.note(Fault::PlayedLeaf, node.position);
    }
}

/// The values of a branch, and whether it keeps the rules.
fn branch(
    node: &Node,
    level: Option<NtestLevel>,
    book: &HashMap<Position, &Node>,
    check: &mut NtestCheck,
) -> [i32; 3] {
    let position = node.position;
    let mut best = [NO_MOVE_LEFT; 3];
    let mut best_leaf = None;
    let mut moves_left = 0;
    let mut low = None;
    for square in position.legal_moves() {
        let (next, same_side) = match position.after(square).unwrap() {
            After::Opponent(next) => (canonical(next), false),
            After::Same(next) => (canonical(next), true),
            After::Over(discs) => {
                best = larger(best, solved(100 * i32::from(discs)));
                continue;
            }
        };
        let Some(child) = book.get(&next) else {
            moves_left += 1;
            continue;
        };
        let [guess, mover, opponent] = check.values.get(&next).copied().unwrap_or_default();
        let values = if same_side { [guess, mover, opponent] } else { [-guess, -opponent, -mover] };
        best = larger(best, values);
        if child.is_unsolved_leaf() {
            best_leaf = best_leaf.max(Some(values[0]));
        }
        // A solved one is never searched again.
        if !child.proven && child.height.order() < node.height.less_one_ply().order() {
            low = Some(next);
        }
    }
    if let Some(low) = low {
        check.note(Fault::Successor, low);
    }
    if level.is_some_and(|level| node.height.order() < least(level, node).order()) {
        check.note(Fault::Height, position);
    }
    match (moves_left, node.number) {
        (0, NO_MOVE_LEFT) => {}
        (0, _) => check.note(Fault::Cutoff, position),
        (_, NO_MOVE_LEFT) => check.note(Fault::CutoffTooSoon, position),
        (_, cutoff) if best_leaf.is_none_or(|value| value < cutoff) => {
            check.note(Fault::Deviation, position);
        }
        _ => {}
    }
    if best == [NO_MOVE_LEFT; 3] {
        check.note(Fault::NoValue, position);
    }
    best
}

fn larger(a: [i32; 3], b: [i32; 3]) -> [i32; 3] {
    [a[0].max(b[0]), a[1].max(b[1]), a[2].max(b[2])]
}

fn solved(value: i32) -> [i32; 3] {
    match value {
        1.. => [value, value + PROVEN, value + PROVEN],
        0 => [0, PROVEN, -PROVEN],
        _ => [value, value - PROVEN, value - PROVEN],
    }
}

/// The highest level that so many of a hundred branches have been searched for.
pub fn supported_level(bytes: &[u8], percent: usize) -> Option<NtestLevel> {
    let nodes = nodes_of(bytes).unwrap();
    let branches: Vec<&Node> = nodes.iter().filter(|node| node.is_branch()).collect();
    (1..=40).rev().map(NtestLevel).find(|&level| {
        let is_enough = |node: &&&Node| node.height.order() >= least(level, node).order();
        100 * branches.iter().filter(is_enough).count() >= percent * branches.len()
    })
}
