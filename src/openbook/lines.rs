//! The best lines of a book.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

use crate::openbook::regret::{Regret, RegretLimits};
use crate::openbook::{MoveKind, NodeSource, NodeView, Rest, Values, WithFacts};
use crate::othello::board::{After, Key, Placed, Side, Square, write_from_f5};
use crate::othello::score::Score;

/// Which value decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum By {
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
    pub fn value(self, values: Values) -> Score {
        match self {
            Self::Contempt(draw) => values.with_contempt(draw),
            Self::Guess => values.guess,
            Self::DrawSeeking => values.draw_seeking,
            Self::WinSeeking => values.win_seeking,
        }
    }

    /// The same wish as seen by the opponent.
    pub(crate) fn for_opponent(self) -> Self {
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
    pub fn regret(&self) -> Score {
        let sum = self.own_regret.centidiscs().saturating_add(self.other_regret.centidiscs());
        Score::from_centidiscs(sum)
    }
}

/// A line under way, or one that is finished.
#[derive(Clone)]
struct OpenLine {
    regret: Regret,
    moves: Vec<Square>,
    at: At,
    values: Values,
    end: MoveKind,
}

/// Where a line under way has come.
#[derive(Clone, Copy)]
enum At {
    /// It can go on from here.
    Open(Placed),
    /// It ended, with a move out of the book or with none at this position.
    End(Key, Option<Square>),
}

/// Which lines are wanted.
#[derive(Clone, Copy, Debug)]
pub struct LineTerms {
    pub count: usize,
    /// Which value decides.
    pub by: By,
    /// What they may give away from where they start.
    pub limits: RegretLimits,
}

impl LineTerms {
    /// So many by the best guess, whatever they give away.
    pub fn best(count: usize) -> Self {
        Self { count, by: By::Guess, limits: RegretLimits::default() }
    }
}

/// The lines within the limits with the smallest total regret, each to another end, best first. A line
/// ends with the first move out of the book, or at a position of the book whose value is not that of a
/// move: none of them has one, or all that have are worse. Values are with facts, what others have
/// proven. There is no line only where the position is not in the book: the best one gives nothing away.
pub fn lines<S: NodeSource + ?Sized>(
    book: &S,
    placed: Placed,
    terms: LineTerms,
) -> Result<Vec<BookLine>, S::Error> {
    let known = WithFacts::of(book)?;
    let mut found = searched_lines(&known, placed, terms)?;
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
pub(crate) fn searched_lines<S: NodeSource + ?Sized>(
    book: &S,
    placed: Placed,
    terms: LineTerms,
) -> Result<Vec<BookLine>, S::Error> {
    let mut open = OpenLines::default();
    let mut entered: HashMap<(Key, Side), Vec<Regret>> = HashMap::new();
    let mut ended = HashSet::new();
    let mut found = Vec::new();
    let Some(root) = book.node(&Key::of(placed.position))? else { return Ok(found) };
    open.push(OpenLine {
        regret: Regret::default(),
        moves: Vec::new(),
        at: At::Open(placed),
        values: root.values,
        end: MoveKind::Link,
    });
    while let Some(line) = open.pop() {
        if found.len() >= terms.count {
            break;
        }
        match line.at {
            At::End(key, square) => {
                // Two lines to one position, of which each is allowed what the other is not.
                if !ended.insert((key, square)) {
                    continue;
                }
                let mut moves = line.moves;
                if placed == Placed::START {
                    write_from_f5(&mut moves);
                }
                found.push(BookLine {
                    own_regret: centidiscs(line.regret.of(placed.side)),
                    other_regret: centidiscs(line.regret.of(placed.side.other())),
                    moves,
                    values: line.values,
                    searched_values: None,
                    end: line.end,
                });
            }
            At::Open(at) => {
                // Without limits by side the side to move does not matter.
                let side = if terms.limits.tell_sides() { at.side } else { Side::Black };
                let before = entered.entry((Key::of(at.position), side)).or_default();
                let is_no_worse = |&known| terms.limits.is_no_worse(known, line.regret);
                if !before.iter().any(is_no_worse) {
                    before.push(line.regret);
                    extend(book, &mut open, &line, at, placed.side, terms)?;
                }
            }
        }
    }
    Ok(found)
}

/// Adds the continuations of a line by one move, or the line itself as one that ends here.
fn extend<S: NodeSource + ?Sized>(
    book: &S,
    open: &mut OpenLines,
    line: &OpenLine,
    at: Placed,
    first: Side,
    terms: LineTerms,
) -> Result<(), S::Error> {
    let own = at.side == first;
    let by = if own { terms.by } else { terms.by.for_opponent() };
    let NodeView { key, symmetry, node, moves, .. } = NodeView::of(book, at.position)?;
    let valued = || moves.iter().filter_map(|found| Some((found, found.values?)));
    // Books of other programs know what positions are worth by moves that they do not name.
    let unnamed = node.and_then(|node| node.rest()).filter(|rest| rest.square.is_none());
    let unnamed = unnamed.map(Rest::values);
    let best_move = valued().map(|(_, values)| by.value(values)).max();
    let best = best_move.max(unnamed.map(|values| by.value(values)));
    if best_move.is_none() || best_move < best {
        let values = unnamed.map_or(line.values, |values| values.seen_by_parent(own));
        open.push(OpenLine { at: At::End(key, None), values, ..line.clone() });
    }
    let Some(best) = best else { return Ok(()) };
    for (found, values) in valued() {
        let loss = i32::from(best.centidiscs()) - i32::from(by.value(values).centidiscs());
        let regret = line.regret.and(at.side, loss);
        if !terms.limits.allow_move(at.side, loss) || !terms.limits.allow(regret) {
            continue;
        }
        let next = at.followed_by(found.after).filter(|_| found.kind == MoveKind::Link);
        let ended = At::End(key, Some(key.first_image(symmetry.square(found.square))));
        let mut next = OpenLine {
            regret,
            values: values.seen_by_parent(own),
            end: found.kind,
            at: next.map_or(ended, At::Open),
            ..line.clone()
        };
        next.moves.push(found.square);
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
        self.order.push(Reverse((line.regret.total(), Reverse(line.moves.len()), self.all.len())));
        self.all.push(Some(line));
    }

    fn pop(&mut self) -> Option<OpenLine> {
        let Reverse((_, _, index)) = self.order.pop()?;
        self.all[index].take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openbook::{MemoryBook, Searched, SourceId};
    use crate::othello::board::Line;
    use crate::othello::search::{Proof, Selectivity};

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
        let Ok(found) = lines(book, from.board(), LineTerms::best(10));
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
