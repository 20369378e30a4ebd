//! The best lines of a book.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use crate::board::{After, Key, Placed, Position, Square, write_from_f5};
use crate::book::{MoveKind, NodeSource, NodeView, Rest, Values, WithFacts};
use crate::score::Score;

/// Which value decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum By {
    /// The best guess.
    #[default]
    Guess,
    /// The side to move at the start of the lines is happy with draws, its opponent avoids them.
    DrawSeeking,
    /// The side to move at the start of the lines avoids draws, its opponent is happy with them.
    WinSeeking,
    /// A draw is worth so much to the side to move at the start of the lines, and as much less to
    /// its opponent.
    Contempt(Score),
}

impl By {
    /// What values are worth to the side whose values they are.
    #[must_use]
    pub fn value(self, values: Values) -> Score {
        match self {
            Self::Contempt(draw) => values.with_contempt(draw),
            Self::Guess => values.guess,
            Self::DrawSeeking => values.draw_seeking,
            Self::WinSeeking => values.win_seeking,
        }
    }

    /// The same wish as seen by the opponent.
    #[must_use]
    pub fn for_opponent(self) -> Self {
        match self {
            Self::Contempt(draw) => Self::Contempt(-draw),
            Self::Guess => Self::Guess,
            Self::DrawSeeking => Self::WinSeeking,
            Self::WinSeeking => Self::DrawSeeking,
        }
    }
}

/// A line of play through the book.
#[derive(Clone, Debug)]
pub struct BookLine {
    /// The moves from the position that was asked for; the last one may leave the book. None where
    /// that position has no move with a value, as where a book of another program ends.
    pub moves: Vec<Square>,
    /// What the side to move at the start of the line gave away along it, in discs.
    pub own_regret: Score,
    /// What the other side gave away, in discs.
    pub other_regret: Score,
    /// The values at the end, for the side to move at the start of the line.
    pub values: Values,
    /// What searches alone say of the end, where facts make a difference.
    pub searched_values: Option<Values>,
    /// How the last move is known: a link where the line ends in the book.
    pub end: MoveKind,
}

impl BookLine {
    /// What both sides gave away along it, in discs.
    #[must_use]
    pub fn regret(&self) -> Score {
        let sum = self.own_regret.centidiscs().saturating_add(self.other_regret.centidiscs());
        Score::from_centidiscs(sum)
    }
}

/// A line under way, or one that is finished.
#[derive(Clone)]
struct OpenLine {
    own_regret: i32,
    other_regret: i32,
    moves: Vec<Square>,
    /// Where to go on, and whether the side that started is to move there; none at the end.
    at: Option<(Position, bool)>,
    values: Values,
    end: MoveKind,
}

/// The `count` lines with the smallest total regret, each to another end, best first. A line ends with
/// the first move out of the book, or at a position of the book whose value is not that of a move: none
/// of them has one, or all that have are worse. Values are with facts, what others have proven. There is
/// no line only where the position is not in the book.
///
/// # Errors
/// The book cannot be read.
pub fn lines<S: NodeSource + ?Sized>(
    book: &S,
    placed: Placed,
    count: usize,
    by: By,
) -> Result<Vec<BookLine>, S::Error> {
    let known = WithFacts::of(book)?;
    let mut found = searched_lines(&known, placed, count, by)?;
    for line in found.iter_mut().filter(|line| line.end == MoveKind::Link) {
        let end =
            line.moves.iter().try_fold((placed.position, true), |(at, own), &square| {
                match at.after(square)? {
                    After::Opponent(next) => Some((next, !own)),
                    After::Same(next) => Some((next, own)),
                    After::Over(_) => None,
                }
            });
        let Some((end, own)) = end else { continue };
        let searched = known.searched(&Key::of(end), line.values.seen_by_parent(own))?;
        line.searched_values = searched.map(|values| values.seen_by_parent(own));
    }
    Ok(found)
}

/// As [`lines`], by searches alone.
///
/// # Errors
/// The book cannot be read.
pub(super) fn searched_lines<S: NodeSource + ?Sized>(
    book: &S,
    placed: Placed,
    count: usize,
    by: By,
) -> Result<Vec<BookLine>, S::Error> {
    let mut open = OpenLines::default();
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    let Some(root) = book.node(&Key::of(placed.position))? else { return Ok(found) };
    open.push(OpenLine {
        own_regret: 0,
        other_regret: 0,
        moves: Vec::new(),
        at: Some((placed.position, true)),
        values: root.values,
        end: MoveKind::Link,
    });
    while let Some(line) = open.pop() {
        if found.len() >= count {
            break;
        }
        let Some((position, own)) = line.at else {
            let mut moves = line.moves;
            if placed == Placed::START {
                write_from_f5(&mut moves);
            }
            found.push(BookLine {
                own_regret: centidiscs(line.own_regret),
                other_regret: centidiscs(line.other_regret),
                moves,
                values: line.values,
                searched_values: None,
                end: line.end,
            });
            continue;
        };
        if seen.insert(Key::of(position)) {
            extend(
                book,
                &mut open,
                &line,
                position,
                own,
                if own { by } else { by.for_opponent() },
            )?;
        }
    }
    Ok(found)
}

/// Adds the continuations of a line by one move, or the line itself as one that ends here.
fn extend<S: NodeSource + ?Sized>(
    book: &S,
    open: &mut OpenLines,
    line: &OpenLine,
    position: Position,
    own: bool,
    by: By,
) -> Result<(), S::Error> {
    let NodeView { node, moves, .. } = NodeView::of(book, position)?;
    let valued = || moves.iter().filter_map(|found| Some((found, found.values?)));
    // Books of other programs know what positions are worth by moves that they do not name.
    let unnamed = node.and_then(|node| node.rest()).filter(|rest| rest.square.is_none());
    let unnamed = unnamed.map(Rest::values);
    let best_move = valued().map(|(_, values)| by.value(values)).max();
    let best = best_move.max(unnamed.map(|values| by.value(values)));
    if best_move.is_none() || best_move < best {
        let values = unnamed.map_or(line.values, |values| values.seen_by_parent(own));
        open.push(OpenLine { at: None, values, ..line.clone() });
    }
    let Some(best) = best else { return Ok(()) };
    for (found, values) in valued() {
        let regret = i32::from(best.centidiscs()) - i32::from(by.value(values).centidiscs());
        let mut next = line.clone();
        *(if own { &mut next.own_regret } else { &mut next.other_regret }) += regret;
        next.moves.push(found.square);
        next.values = values.seen_by_parent(own);
        next.end = found.kind;
        next.at = match found.after {
            _ if found.kind != MoveKind::Link => None,
            After::Opponent(position) => Some((position, !own)),
            After::Same(position) => Some((position, own)),
            After::Over(_) => None,
        };
        open.push(next);
    }
    Ok(())
}

fn centidiscs(regret: i32) -> Score {
    Score::from_centidiscs(regret.try_into().unwrap_or(i16::MAX))
}

/// Lines under way: smallest total regret first, then the longest, then the one found first.
#[derive(Default)]
struct OpenLines {
    order: BinaryHeap<Reverse<(i32, Reverse<usize>, usize)>>,
    all: Vec<Option<OpenLine>>,
}

impl OpenLines {
    fn push(&mut self, line: OpenLine) {
        let total = line.own_regret + line.other_regret;
        self.order.push(Reverse((total, Reverse(line.moves.len()), self.all.len())));
        self.all.push(Some(line));
    }

    fn pop(&mut self) -> Option<OpenLine> {
        let Reverse((_, _, index)) = self.order.pop()?;
        self.all.get_mut(index)?.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Line;
    use crate::book::{MemoryBook, Searched, SourceId};
    use crate::search::{Proof, Selectivity};

    /// A book of positions with what another program knows: a value, and perhaps the move.
    fn foreign(positions: &[(&str, Option<&str>, f64)]) -> MemoryBook {
        let mut book = MemoryBook::new();
        for &(line, square, discs) in positions {
            let (key, symmetry) =
                Key::with_symmetry(line.parse::<Line>().unwrap().board().position);
            let square = square.map(|name| symmetry.square(name.parse().unwrap()));
            let rest = Rest {
                square,
                score: Score::from_centidiscs((100.0 * discs) as i16),
                proof: Proof::None,
            };
            let searched =
                Searched { depth: 1, selectivity: Selectivity::FULL, source: SourceId(0) };
            book.insert(key, Some(rest), searched).unwrap();
        }
        book.settle();
        book
    }

    fn told(book: &MemoryBook, from: &str) -> Vec<(String, f64, f64, MoveKind)> {
        let from: Line = from.parse().unwrap();
        let Ok(found) = lines(book, from.board(), 10, By::Guess);
        let told = |line: &BookLine| {
            (
                from.then(&line.moves).to_string(),
                line.regret().discs(),
                line.values.guess.discs(),
                line.end,
            )
        };
        found.iter().map(told).collect()
    }

    #[test]
    fn a_line_ends_in_the_book_where_no_move_has_a_value() {
        let book = foreign(&[("", Some("f5"), 0.0), ("f5d6", None, 2.0), ("f5", Some("f4"), -3.0)]);
        // Two ends: the position behind d6, and the move f4, which is a disc worse for its side.
        let found = told(&book, "");
        assert_eq!(
            found,
            [
                ("f5d6".to_owned(), 0.0, 2.0, MoveKind::Link),
                ("f5f4".to_owned(), 1.0, 3.0, MoveKind::Rest),
            ]
        );
        // The end itself is a line of no moves, and what is not in the book has none.
        assert_eq!(told(&book, "f5d6"), [("f5d6".to_owned(), 0.0, 2.0, MoveKind::Link)]);
        assert_eq!(told(&book, "f5d6c3"), []);
    }

    #[test]
    fn a_line_ends_where_a_move_without_a_name_is_better_than_all_others() {
        let book = foreign(&[("f5d6c3", None, 5.0), ("f5d6c3d3", Some("c4"), -1.0)]);
        let found = told(&book, "f5d6c3");
        assert_eq!(
            found,
            [
                ("f5d6c3".to_owned(), 0.0, 5.0, MoveKind::Link),
                ("f5d6c3d3c4".to_owned(), 4.0, 1.0, MoveKind::Rest),
            ]
        );
    }
}
