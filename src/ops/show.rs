//! What a book knows of a position.

use crate::board::{After, Key, Placed, Square, write_from_f5};
use crate::book::{BookMove, NodeSource, NodeView, Searched, Values};
use crate::search::{Chances, chances, standard_error};

/// A position as it is shown.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The board; where the side to move had to pass, the other side is to move here.
    pub placed: Placed,
    /// Whether the side to move that was asked for had to pass.
    pub passed: bool,
    /// The final score in discs, for the side to move, of a finished game.
    pub final_score: Option<i8>,
    /// The node and its moves; none when the game is over.
    pub view: Option<NodeView>,
    /// The best moves from here on by the guess, through the book and its first move out of it.
    pub best_play: Vec<Square>,
}

impl Shown {
    /// Whether the position is in the book.
    #[must_use]
    pub fn in_book(&self) -> bool {
        self.view.as_ref().is_some_and(|view| view.node.is_some())
    }

    /// The chances of the side to move: to win with the move most likely to, and to lose with the
    /// one least likely to. None when no value is known.
    #[must_use]
    pub fn chances(&self) -> Option<Chances> {
        let all = self.view.as_ref()?.moves.iter().filter_map(move_chances);
        let best = all.reduce(|a, b| Chances {
            win: a.win.max(b.win),
            draw: 0.0,
            loss: a.loss.min(b.loss),
        })?;
        Some(Chances { draw: (1.0 - best.win - best.loss).max(0.0), ..best })
    }
}

/// Looks a position up.
///
/// # Errors
/// The book cannot be read.
pub fn show<S: NodeSource + ?Sized>(book: &S, placed: Placed) -> Result<Shown, S::Error> {
    let mut shown =
        Shown { placed, passed: false, final_score: None, view: None, best_play: Vec::new() };
    if !placed.position.can_move() {
        if placed.position.is_over() {
            shown.final_score = Some(placed.position.final_score());
            return Ok(shown);
        }
        shown.placed = Placed { position: placed.position.passed(), side: placed.side.other() };
        shown.passed = true;
    }
    shown.view = Some(NodeView::of(book, shown.placed.position)?);
    shown.best_play = best_play(book, shown.placed)?;
    Ok(shown)
}

/// The best moves from a position by the guess. Ends with the first move that leaves the book.
///
/// # Errors
/// The book cannot be read.
pub fn best_play<S: NodeSource + ?Sized>(
    book: &S,
    placed: Placed,
) -> Result<Vec<Square>, S::Error> {
    let mut line = Vec::new();
    let mut at = Some(placed.position);
    while let Some(position) = at {
        if book.node(&Key::of(position))?.is_none() {
            break;
        }
        let view = NodeView::of(book, position)?;
        let Some(best) = view.moves.iter().find(|found| found.values.is_some()) else { break };
        line.push(best.square);
        at = position.after(best.square).and_then(After::position);
    }
    if placed == Placed::START {
        write_from_f5(&mut line);
    }
    Ok(line)
}

/// The chances of the side that makes a move; none when its value is not known. The value of a link
/// was searched from the position after it.
#[must_use]
pub fn move_chances(found: &BookMove) -> Option<Chances> {
    let empties = found.after.position().map_or(0, |position| position.empties());
    Some(chances_of(found.values?, found.searched, empties))
}

/// The chances of the side whose values these are. Where the result is not proven, the guess is
/// taken to err as a search of this depth and selectivity does with so many empties; what is
/// proven is certain.
fn chances_of(values: Values, searched: Option<Searched>, empties: u8) -> Chances {
    let certain = |win, draw, loss| Chances { win, draw, loss };
    match (values.lower, values.upper) {
        (1.., _) => certain(1.0, 0.0, 0.0),
        (_, ..0) => certain(0.0, 0.0, 1.0),
        (0, 0) => certain(0.0, 1.0, 0.0),
        (lower, upper) => {
            let error = searched.map_or(0.0, |searched| {
                standard_error(empties, searched.depth, searched.selectivity)
            });
            let open = chances(values.guess, error);
            // What is proven to be impossible goes to the nearest possible result.
            match (lower, upper) {
                (0, _) => certain(open.win, open.draw + open.loss, 0.0),
                (_, 0) => certain(0.0, open.draw + open.win, open.loss),
                _ => open,
            }
        }
    }
}
