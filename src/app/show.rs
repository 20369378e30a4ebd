//! What a book knows of a position.

use std::cmp::Reverse;

use crate::openbook::held_move::HeldMove;
use crate::openbook::lines::By;
use crate::openbook::propagate::parents;
use crate::openbook::trust::{Sure, Trust, sure_of};
use crate::openbook::{
    BookMove, Bounds, Evidence, Judgement, MoveKind, NodeSource, NodeView, ReadOnce, Source,
    Values, WithFacts,
};
use crate::othello::board::{After, Key, Line, Placed, Square, same_move, write_from_f5};
use crate::othello::score::Score;
use crate::othello::search::{Chances, Outcome, chances};
use crate::store::{Reader, StoreError};

/// How a position is to be shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShowOptions {
    /// By which value moves are ordered and the best line goes.
    pub by: By,
    /// Whether values are with facts, what others have proven. [`Trust`] is in searches either way.
    pub with_facts: bool,
}

impl Default for ShowOptions {
    fn default() -> Self {
        Self { by: By::Guess, with_facts: true }
    }
}

#[derive(Clone, Debug)]
pub struct ShownMove {
    pub found: BookMove,
    /// What searches alone say it is worth, where facts make a difference.
    pub searched_values: Option<Values>,
    /// How sure its guess is; none where it is not known.
    pub sure: Option<Sure>,
    /// Where it leads to a position of the book and does not count: why, and what would make it.
    pub held: Option<HeldMove>,
    /// Whether a search of the position that counts covers it: then it is worth no more than that says.
    pub is_covered: bool,
    /// The search of what follows it, where the book knows no value and one was searched for
    /// (`search_missing`).
    pub searched_now: Option<Outcome>,
}

impl ShownMove {
    /// The chances of the side that makes it; none when its value is not known.
    pub(crate) fn chances(&self) -> Option<Chances> {
        Some(chances_of(self.found.values?, self.error().unwrap_or_default()))
    }

    /// The standard error of its guess, in discs; 0 where it is exact, none where it is not known.
    pub fn error(&self) -> Option<f64> {
        self.sure.map(Sure::error)
    }
}

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
    /// What searches alone say the position is worth, where facts make a difference.
    pub searched_values: Option<Values>,
    /// The moves, the best first by the value that was asked for, unknown ones last.
    pub moves: Vec<ShownMove>,
    /// How far the values can be trusted.
    pub trust: Trust,
    /// What a person said of the position.
    pub judgement: Option<Judgement>,
    /// The best moves from here on, through the book and its first move out of it.
    pub best_play: Vec<Square>,
}

impl Shown {
    /// Whether the position is in the book.
    pub fn in_book(&self) -> bool {
        self.view.as_ref().is_some_and(|view| view.node.is_some())
    }

    /// What the book proves of a move that it has no value for: it is worth no more than the position, or, where the
    /// search of the position covers it, than the best move outside the book.
    pub(crate) fn proven_of_missing(&self, square: Square) -> Bounds {
        let node = self.view.as_ref().and_then(|view| view.node);
        let is_covered =
            self.moves.iter().any(|shown| shown.found.square == square && shown.is_covered);
        let upper = node.map_or(Bounds::ALL.upper, |node| {
            let rest = node.rest().filter(|_| is_covered);
            let of_rest = rest.map_or(Bounds::ALL.upper, |rest| rest.values().upper);
            of_rest.min(node.values.upper)
        });
        Bounds { upper, ..Bounds::ALL }
    }

    /// What a move gives away against the best one, in discs; none when its value is not known.
    pub fn loss(&self, shown: &ShownMove) -> Option<Score> {
        let best =
            self.moves.iter().filter_map(|other| other.found.values).map(|of| of.guess).max();
        let loss =
            i32::from(best?.centidiscs()) - i32::from(shown.found.values?.guess.centidiscs());
        Some(Score::from_centidiscs(loss.try_into().unwrap_or(i16::MAX)))
    }

    /// Keeps one of moves that are images of each other, the one that best play begins with among its
    /// own. Returns for each legal move the one that now stands for it.
    pub(crate) fn fold_images(&mut self) -> Vec<(Square, Square)> {
        let position = self.placed.position;
        let legal: Vec<Square> = self.moves.iter().map(|shown| shown.found.square).collect();
        let first = self.best_play.first().copied();
        let stands_for = |square: Square| {
            let mut kept = first.into_iter().chain(legal.iter().copied());
            kept.find(|&kept| same_move(position, kept, square)).unwrap_or(square)
        };
        let folded: Vec<(Square, Square)> =
            legal.iter().map(|&square| (square, stands_for(square))).collect();
        self.moves.retain(|shown| folded.contains(&(shown.found.square, shown.found.square)));
        folded
    }

    /// Puts the best moves first, by the value that counts for the side to move here.
    pub(super) fn order(&mut self, by: By) {
        self.moves.sort_by_key(|ShownMove { found, .. }| {
            (Reverse(found.values.map(|values| by.value(values))), found.square)
        });
    }

    /// The chances of the side to move: to win with the move most likely to, and to lose with the
    /// one least likely to. None when no value is known.
    pub fn chances(&self) -> Option<Chances> {
        let node = self.view.as_ref().and_then(|view| view.node);
        if let Some(judged) = node.filter(|_| self.judgement.is_some()) {
            return Some(chances_of(judged.values, self.trust.error().unwrap_or_default()));
        }
        let all = self.moves.iter().filter_map(ShownMove::chances);
        let best = all.reduce(|a, b| Chances {
            win: a.win.max(b.win),
            draw: 0.0,
            loss: a.loss.min(b.loss),
        });
        let Some(best) = best else {
            // Books of other programs may value a position and none of its moves.
            let valued = node.filter(|node| node.rest().is_some())?;
            return Some(chances_of(valued.values, self.trust.error().unwrap_or_default()));
        };
        let open = Chances { draw: (1.0 - best.win - best.loss).max(0.0), ..best };
        // A fact may prove of the position what none proves of its moves.
        Some(node.map_or(open, |node| within_bounds(open, node.values)))
    }
}

/// Looks a position up.
pub fn show<S: NodeSource + ?Sized>(
    book: &S,
    placed: Placed,
    options: &ShowOptions,
) -> Result<Shown, S::Error> {
    let mut shown = Shown {
        placed,
        passed: false,
        final_score: None,
        view: None,
        searched_values: None,
        moves: Vec::new(),
        trust: Trust::default(),
        judgement: None,
        best_play: Vec::new(),
    };
    let mut by = options.by;
    if !placed.position.can_move() {
        if placed.position.is_over() {
            shown.final_score = Some(placed.position.final_score());
            return Ok(shown);
        }
        shown.placed = placed.passed();
        shown.passed = true;
        by = by.for_opponent();
    }
    let book = &ReadOnce::new(book);
    let known = match options.with_facts {
        true => WithFacts::of(book)?,
        false => WithFacts::without(book),
    };
    let view = NodeView::of(&known, shown.placed.position)?;
    if let Some(node) = view.node {
        // Growth goes by searches, and so do its reports of progress.
        shown.trust = book.node(&node.key)?.as_ref().map(Trust::of).unwrap_or_default();
        shown.searched_values = known.searched(&node.key, node.values)?;
        if node.more {
            shown.judgement = book.held(&node)?.judgement;
        }
    }
    let empties = shown.placed.position.empties();
    let covered = match book.node(&view.key)? {
        Some(node) => node.covered(book)?.squares(node.key),
        None => 0,
    };
    for found in &view.moves {
        let record = found.held_by.or_else(|| view.node?.own_record());
        let sure = match (found.kind, found.child) {
            _ if found.is_of_record() => {
                record.map(|record| Sure::at(empties, record.error(empties)))
            }
            (MoveKind::Link | MoveKind::Held, Some(child)) => sure_of(&child),
            (MoveKind::Terminal, _) => Some(Sure::at(0, Evidence::EXACT)),
            _ => None,
        };
        let held = match &view.node {
            Some(node) => HeldMove::of(book, node, found)?,
            None => None,
        };
        let searched = match found.child {
            Some(child) => known.searched(&child.key, child.values)?,
            None => None,
        };
        let is_same = matches!(found.after, After::Same(_));
        let searched_values = searched.map(|values| values.seen_by_parent(is_same));
        let found = *found;
        let is_covered = covered & view.symmetry.square(found.square).bit() != 0;
        let searched_now = None;
        shown.moves.push(ShownMove {
            found,
            searched_values,
            sure,
            held,
            is_covered,
            searched_now,
        });
    }
    shown.order(by);
    shown.view = Some(view);
    shown.best_play = best_play(&known, shown.placed, by)?;
    Ok(shown)
}

/// The source of a shown position's search; none when it is not in the book.
pub(crate) fn source_of(book: &Reader, shown: &Shown) -> Result<Option<Source>, StoreError> {
    let Some(node) = shown.view.as_ref().and_then(|view| view.node) else { return Ok(None) };
    let known = book.sources()?.into_iter().find(|known| known.id == node.searched.source);
    Ok(known.map(|known| known.source))
}

/// The line to a shown position that is to be given to growth ([`crate::app::PolicySpec::Lines`]) with a held move
/// behind it, so that nothing before its end is added: the line itself, or the board at its end where the book has
/// not all of its positions. Where no move is held the line is what it is.
pub(crate) fn line_in_book<S: NodeSource + ?Sized>(
    book: &S,
    shown: &Shown,
    line: &Line,
) -> Result<Line, S::Error> {
    let is_any_held = shown.moves.iter().any(|shown| shown.held.is_some());
    for step in line.steps().iter().filter(|_| is_any_held) {
        let position = step.before.position;
        let position = if position.can_move() { position } else { position.passed() };
        if book.node(&Key::of(position))?.is_none() {
            return Ok(Line::from_board(line.board()));
        }
    }
    Ok(line.clone())
}

/// Whether the book knows another way to where a move leads: a position of it, other than the one that
/// is shown, from which a move leads there too.
pub(crate) fn is_transposition<S: NodeSource + ?Sized>(
    book: &S,
    shown: &Shown,
    found: &BookMove,
) -> Result<bool, S::Error> {
    let Some(child) = found.child else { return Ok(false) };
    let own = Key::of(shown.placed.position);
    Ok(parents(book, child.key)?.iter().any(|parent| parent.key != own))
}

/// The best moves from a position by a value. Ends with the first move that leaves the book.
pub(crate) fn best_play<S: NodeSource + ?Sized>(
    book: &S,
    placed: Placed,
    mut by: By,
) -> Result<Vec<Square>, S::Error> {
    let mut line = Vec::new();
    let mut at = Some(placed.position);
    while let Some(position) = at {
        if book.node(&Key::of(position))?.is_none() {
            break;
        }
        let view = NodeView::of(book, position)?;
        let valued = view.moves.iter().filter_map(|found| Some((found, by.value(found.values?))));
        // The first of equals.
        let best = valued.reduce(|best, next| if next.1 > best.1 { next } else { best });
        let Some((best, _)) = best else { break };
        line.push(best.square);
        at = match best.after {
            After::Opponent(next) => {
                by = by.for_opponent();
                Some(next)
            }
            After::Same(next) => Some(next),
            After::Over(_) => None,
        };
    }
    if placed == Placed::START {
        write_from_f5(&mut line);
    }
    Ok(line)
}

/// The chances of the side whose values these are, with a guess of this standard error in discs;
/// what is proven is certain.
fn chances_of(values: Values, error: f64) -> Chances {
    within_bounds(chances(values.guess, error), values)
}

/// Chances as far as proofs leave them open: what is proven to be impossible goes to the nearest possible
/// result.
fn within_bounds(open: Chances, values: Values) -> Chances {
    let certain = |win, draw, loss| Chances { win, draw, loss };
    match (values.lower, values.upper) {
        (1.., _) => certain(1.0, 0.0, 0.0),
        (_, ..0) => certain(0.0, 0.0, 1.0),
        (0, 0) => certain(0.0, 1.0, 0.0),
        (0, _) => certain(open.win, open.draw + open.loss, 0.0),
        (_, 0) => certain(0.0, open.draw + open.win, open.loss),
        _ => open,
    }
}
