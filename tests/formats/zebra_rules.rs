//! What Zebra's own minimax makes of a book: its rules written from the description of the format,
//! with none of the program's own code for its books.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use rosebill::othello::board::{Position, Side, Square};

use crate::zebra_bytes::{
    BLACK, EXACT, Hash, Node, SCRATCH, UNUSED, WHITE, WIN_LOSS, hash, play, records_of, seen_by,
    square_of, written_move,
};

/// No score.
const NO_SCORE: i16 = 9_999;
/// A proven result of no size.
const PROVEN: i32 = 30_000;
/// What a side has that has nothing: neither a child nor an alternative.
const NOTHING: i32 = -32_000;
/// A draw that counts as a win.
const WON_DRAW: i32 = 29_999;
/// Boards of faults that are kept.
const EXAMPLES: usize = 10;

/// Who profits from a proven draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Draws {
    Neutral,
    Black,
    White,
    /// Always the side that the program does not play.
    Opponent,
}

/// What can be wrong with a book.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fault {
    /// A second record of a hash, which is never found.
    Twice,
    /// A record on no line from the start.
    Unreached,
    /// A move leads to a record with the other side to move: two boards with one hash, or a wrong
    /// mark.
    WrongSide,
    /// No legal move, or a move without a score, or a score without a move.
    Alternative,
    /// No alternative because none is left, and one is.
    NotExhausted,
    /// Marks that contradict each other, or that mean nothing.
    Marks,
    /// A solved score that is none.
    Solved,
    /// An unsolved node without a child or an alternative: Zebra takes it for lost.
    NoValue,
    /// Zebra drops the alternative: it is no move out of the book.
    Dropped,
    /// Zebra completes the marks of a solved node.
    Marked,
    /// Zebra takes the node for solved by its children.
    Promoted,
    /// Of those, losses of the side to move with moves that nothing is known of.
    PromotedUnsoundly,
    /// Zebra gives an unsolved node other scores.
    Moved,
}

/// Faults of one kind.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Found {
    pub count: usize,
    /// The first few boards with the side to move that is marked.
    pub boards: Vec<(Position, Side)>,
}

/// What was found in a book.
#[derive(Clone, Default)]
pub struct ZebraCheck {
    pub nodes: usize,
    pub faults: BTreeMap<Fault, Found>,
    /// Nodes that are other ones after Zebra's minimax, whatever the difference; scratch marks do
    /// not count.
    pub changed: usize,
    /// The largest difference of a score that is no proof before or after, in 1/128 disc.
    pub largest: i32,
    /// Of those, differences of more than 1 and more than 8 discs.
    pub by_discs: [usize; 2],
    /// The black and the white score by board, seen by Black, and side to move, as Zebra has them
    /// after its minimax. The board is the one that the walk from the start met first.
    pub scores: HashMap<(Position, Side), [i32; 2]>,
    /// The scores of the start position.
    pub root: [i32; 2],
}

impl ZebraCheck {
    pub fn count(&self, fault: Fault) -> usize {
        self.faults.get(&fault).map_or(0, |found| found.count)
    }

    /// All faults with their counts.
    pub fn counts(&self) -> Vec<(Fault, usize)> {
        self.faults.iter().map(|(&fault, found)| (fault, found.count)).collect()
    }

    fn note(&mut self, fault: Fault, board: Position, side: Side) {
        let found = self.faults.entry(fault).or_default();
        found.count += 1;
        if found.boards.len() < EXAMPLES {
            found.boards.push((board, side));
        }
    }
}

impl fmt::Display for ZebraCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [one, eight] = self.by_discs;
        write!(f, "{} nodes, {} changed", self.nodes, self.changed)?;
        write!(f, " ({one} by more than 1 disc, {eight} by more than 8)")?;
        for (fault, found) in &self.faults {
            write!(f, "; {fault:?} {}", found.count)?;
            for (board, side) in found.boards.iter().take(2) {
                write!(f, " [{} {}]", board.squares_text(Side::Black), side.letter())?;
            }
        }
        Ok(())
    }
}

/// A record as the walk from the start met it.
struct Met {
    board: Position,
    node: Node,
    /// The records that its moves lead to, with their squares.
    children: Vec<(Square, usize)>,
}

/// Checks a file as `booktool -keepdraw -m` would with neutral draws, and in other draw modes as
/// without the first.
pub fn check(bytes: &[u8], draws: Draws) -> Result<ZebraCheck, String> {
    let records = records_of(bytes)?;
    let mut check = ZebraCheck { nodes: records.len(), ..ZebraCheck::default() };
    let met = walk(&records, &mut check)?;
    let mut scores = vec![[0; 2]; met.len()];
    // A child has one disc more, so it was met later.
    for (index, node) in met.iter().enumerate().rev() {
        scores[index] = minimax(node, &met, &scores, draws, &mut check);
        // What a draw counts for above is not what is stored of it.
        let own = if node.node.is_drawn() { [0; 2] } else { scores[index] };
        check.scores.insert((node.board, node.node.side()), own);
    }
    check.root = scores[0];
    Ok(check)
}

/// All records that are on a line from the start, those with fewer discs first.
fn walk(records: &[(Hash, Node)], check: &mut ZebraCheck) -> Result<Vec<Met>, String> {
    let mut by_hash: HashMap<Hash, (&Node, Option<usize>)> = HashMap::new();
    for (hash, node) in records {
        if by_hash.contains_key(hash) {
            check.faults.entry(Fault::Twice).or_default().count += 1;
        }
        by_hash.entry(*hash).or_insert((node, None));
    }
    let start = hash(Position::START).0;
    match records.first() {
        Some((first, _)) if *first == start => {}
        _ => return Err("the first record is not the start position".to_owned()),
    }
    let mut met: Vec<Met> = Vec::new();
    let meet = |board, met: &mut Vec<Met>, by_hash: &mut HashMap<Hash, (&Node, Option<usize>)>| {
        let (node, index) = by_hash.get_mut(&hash(board).0)?;
        let index = *index.get_or_insert_with(|| {
            met.push(Met { board, node: **node, children: Vec::new() });
            met.len() - 1
        });
        Some(index)
    };
    meet(Position::START, &mut met, &mut by_hash);
    let mut at = 0;
    while at < met.len() {
        let (board, side) = (met[at].board, met[at].node.side());
        for square in seen_by(board, side).legal_moves() {
            let next = play(board, side, square).unwrap();
            let Some(child) = meet(next, &mut met, &mut by_hash) else { continue };
            met[at].children.push((square, child));
            let turn =
                [side.other(), side].into_iter().find(|&turn| seen_by(next, turn).can_move());
            let marked = met[child].node;
            let is_marked = marked.flags & (BLACK | WHITE) != 0;
            if turn.is_some_and(|turn| turn != marked.side() || !is_marked) {
                check.note(Fault::WrongSide, next, marked.side());
            }
        }
        at += 1;
    }
    let distinct = records.len() - check.count(Fault::Twice);
    if met.len() < distinct {
        check.faults.entry(Fault::Unreached).or_default().count += distinct - met.len();
    }
    Ok(met)
}

/// The scores that a node hands up, and what Zebra changes of it.
fn minimax(
    met: &Met,
    all: &[Met],
    scores: &[[i32; 2]],
    draws: Draws,
    check: &mut ZebraCheck,
) -> [i32; 2] {
    let Met { board, node, children } = met;
    let (board, side, before) = (*board, node.side(), *node);
    let mut after = before;
    after.flags &= !SCRATCH;
    if before.is_drawn() && before.flags & EXACT == 0 {
        after.flags |= EXACT;
    }
    if after.flags & EXACT != 0 {
        after.flags |= WIN_LOSS;
    }
    if after.flags != before.flags & !SCRATCH {
        check.note(Fault::Marked, board, side);
    }
    facts(met, all, check);

    // From the view of the side to move a larger number is better.
    let sign = if side == Side::Black { 1 } else { -1 };
    let mut best = [NOTHING; 2];
    if before.alternative_score != NO_SCORE {
        best = [sign * i32::from(before.alternative_score); 2];
        let (_, orientation) = hash(board);
        let legal = seen_by(board, side).legal_moves();
        let is_open = legal.into_iter().any(|square| {
            written_move(orientation, square) == before.alternative
                && !children.iter().any(|&(linked, _)| linked == square)
        });
        if !is_open {
            (after.alternative, after.alternative_score) = (-1, NO_SCORE);
            check.note(Fault::Dropped, board, side);
        }
    }
    for &(_, child) in children {
        let [black, white] = scores[child];
        best = [best[0].max(sign * black), best[1].max(sign * white)];
    }
    if !before.is_solved() {
        let [black, white] = best;
        let is_won = black >= PROVEN && white >= PROVEN;
        let is_lost = black <= -PROVEN && white <= -PROVEN;
        let smaller = if is_won { black.min(white) } else { black.max(white) };
        let new = match !children.is_empty() && (is_won || is_lost) {
            true => {
                after.flags |= WIN_LOSS;
                check.note(Fault::Promoted, board, side);
                let legal = seen_by(board, side).legal_moves().len();
                if is_lost && children.len() < legal {
                    check.note(Fault::PromotedUnsoundly, board, side);
                }
                [smaller; 2]
            }
            false => best,
        };
        [after.black, after.white] = new.map(|score| (sign * score) as i16);
        if [after.black, after.white] != [before.black, before.white] {
            check.note(Fault::Moved, board, side);
            let moved = [(before.black, after.black), (before.white, after.white)];
            let is_estimate = |score: i16| score.abs() < NO_SCORE;
            let moved =
                moved.into_iter().filter(|&(old, new)| is_estimate(old) && is_estimate(new));
            let most = moved.map(|(old, new)| (i32::from(old) - i32::from(new)).abs()).max();
            let most = most.unwrap_or_default();
            check.largest = check.largest.max(most);
            check.by_discs[0] += usize::from(most > 128);
            check.by_discs[1] += usize::from(most > 8 * 128);
        }
    }
    check.changed += usize::from(after != Node { flags: before.flags & !SCRATCH, ..before });
    if after.is_drawn() {
        return match draws {
            Draws::Neutral => [0, 0],
            Draws::Black => [WON_DRAW; 2],
            Draws::White => [-WON_DRAW; 2],
            Draws::Opponent => [-WON_DRAW, WON_DRAW],
        };
    }
    [after.black, after.white].map(i32::from)
}

/// What a node must be in itself.
fn facts(met: &Met, all: &[Met], check: &mut ZebraCheck) {
    let Met { board, node, children } = met;
    let (board, side) = (*board, node.side());
    let legal = seen_by(board, side).legal_moves();
    debug_assert!(children.iter().all(|&(_, child)| all[child].board.discs() > board.discs()));
    if node.flags & UNUSED != 0 || node.flags & (BLACK | WHITE) == BLACK | WHITE {
        check.note(Fault::Marks, board, side);
    }
    let is_exhausted = children.len() == legal.len();
    let has_score = node.alternative_score != NO_SCORE;
    let is_move = square_of(node.alternative).is_some();
    if has_score != is_move || (!is_move && ![-1, -2].contains(&node.alternative)) {
        check.note(Fault::Alternative, board, side);
    }
    if node.alternative == -2 && !is_exhausted {
        check.note(Fault::NotExhausted, board, side);
    }
    let margin = i32::from(node.black).abs() - PROVEN;
    let is_size = node.black == 0 || ((2..=64).contains(&margin) && margin % 2 == 0);
    if node.is_solved() && (node.black != node.white || !is_size) {
        check.note(Fault::Solved, board, side);
    }
    if !node.is_solved() && !has_score && children.is_empty() {
        check.note(Fault::NoValue, board, side);
    }
}
