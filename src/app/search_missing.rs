//! What a book does not know of a position, searched at once.

use super::show::{Shown, ShownMove};
use crate::openbook::lines::By;
use crate::openbook::trust::Sure;
use crate::openbook::{BookMove, Bounds, Evidence, MoveKind, NodeSource, Values};
use crate::othello::board::{After, Key, Line, Position};
use crate::othello::search::{AnySearcher, Level, Limits, MoveScore, Selectivity, Stop};

/// Searches what follows each move of a shown position whose value is not known, at a level, and
/// orders the moves anew by the value that counts for the side to move there. Nothing is written.
/// Where the position is not in the book, best play is the best of these moves with its line.
/// False when `stop` was raised before it was done.
pub(crate) fn search_missing(
    shown: &mut Shown,
    by: By,
    searcher: &mut AnySearcher,
    level: Level,
    stop: &Stop,
) -> bool {
    let of_move = |found: &ShownMove| shown.proven_of_missing(found.found.square);
    let proven: Vec<Bounds> = shown.moves.iter().map(of_move).collect();
    for (shown, proven) in shown.moves.iter_mut().zip(proven) {
        let same_side = matches!(shown.found.after, After::Same(_));
        let (None, Some(next)) = (shown.found.values, shown.found.after.position()) else {
            continue;
        };
        let empties = next.empties();
        let outcome = searcher.search(next, 0, &Limits::level(level, empties), stop);
        if stop.is_stopped() {
            return false;
        }
        let values = Values::of_search(outcome.value, outcome.proof).seen_by_parent(same_side);
        let (values, sure) = believed(values, proven, empties, outcome.depth, outcome.selectivity);
        shown.found.values = Some(values);
        shown.sure = Some(sure);
        shown.searched_now = Some(outcome);
    }
    shown.order(if shown.passed { by.for_opponent() } else { by });
    if !shown.in_book()
        && let Some(best) = shown.moves.first()
    {
        let after = best.searched_now.iter().flat_map(|outcome| &outcome.line);
        shown.best_play = std::iter::once(best.found.square).chain(after.copied()).collect();
    }
    true
}

/// What a search of this position, that is not in the book, makes of a move there that is `proven` to be
/// worth no less and no more than that: the same as [`search_missing`] says of a move. None of a move that is
/// illegal there.
pub(crate) fn weighed(position: Position, found: &MoveScore, proven: Bounds) -> Option<ShownMove> {
    let after = position.after(found.square)?;
    // The move itself is one of the plies.
    let (empties, depth) = (position.empties() - 1, found.depth.saturating_sub(1));
    let values = Values::of_search(found.value, found.proof);
    let (values, sure) = believed(values, proven, empties, depth, found.selectivity);
    let found = BookMove {
        square: found.square,
        after,
        kind: MoveKind::Unknown,
        values: Some(values),
        searched: None,
        child: None,
        held_by: None,
    };
    let sure = Some(sure);
    Some(ShownMove {
        found,
        searched_values: None,
        sure,
        held: None,
        is_covered: false,
        searched_now: None,
    })
}

/// Values of a search inside proven bounds, and how sure they are by what was searched behind the move: so many plies of so many empty squares.
fn believed(
    values: Values,
    proven: Bounds,
    empties: u8,
    depth: u8,
    selectivity: Selectivity,
) -> (Values, Sure) {
    let values = values.believing(&[proven]);
    let evidence = match values.is_exact() {
        true => Evidence::EXACT,
        false => Evidence::of_search(empties, depth, selectivity),
    };
    (values, Sure::at(empties, evidence))
}

/// How many positions growth from the end of a line must add to have it: none when it is in the book
/// or the game is over there, else it and those on the way that are missing.
pub(crate) fn missing_on<S: NodeSource + ?Sized>(book: &S, line: &Line) -> Result<u32, S::Error> {
    let Some(end) = line.end() else { return Ok(0) };
    if book.node(&Key::of(end.position))?.is_some() {
        return Ok(0);
    }
    let mut missing = 1;
    // From a board there is no way that growth knows of.
    if line.start() == Line::default().start() {
        for step in line.steps() {
            missing += u32::from(book.node(&Key::of(step.before.position))?.is_none());
        }
    }
    Ok(missing)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::{ShowOptions, show};
    use crate::openbook::{MemoryBook, Rest, Searched, SourceId};
    use crate::othello::eval::by_name;
    use crate::othello::score::Score;
    use crate::othello::search::{Proof, Selectivity};

    #[test]
    fn the_way_to_a_line_is_missing_too() {
        let missing = |line: Line| missing_on(&MemoryBook::default(), &line).unwrap_or_default();
        let line: Line = "f5d6c3".parse().unwrap();
        assert_eq!((missing(line.clone()), missing(Line::from_board(line.board()))), (4, 1));
        assert_eq!(missing("e6f4e3f6g5d6e7f5c5".parse().unwrap()), 0, "the game is over");
    }

    #[test]
    fn every_move_of_an_unknown_position_gets_a_value() {
        let line: crate::othello::board::Line = "f5d6c3".parse().unwrap();
        let Ok(mut shown) = show(&MemoryBook::default(), line.board(), &ShowOptions::default());
        assert!(shown.moves.iter().all(|shown| shown.found.values.is_none()));
        let mut searcher = AnySearcher::new(by_name("rosebill").unwrap(), 1);
        let level = Level::new(4).unwrap();
        assert!(search_missing(&mut shown, By::Guess, &mut searcher, level, &Stop::new()));
        let guesses: Vec<_> =
            shown.moves.iter().map(|shown| shown.found.values.unwrap().guess).collect();
        assert!(guesses.len() == 4 && guesses.is_sorted_by(|a, b| a >= b), "{guesses:?}");
        let played = line.then(&shown.best_play);
        assert_eq!(played.len(), line.len() + shown.best_play.len(), "{played}");
        assert_eq!(shown.best_play[0], shown.moves[0].found.square);
        let stopped = Stop::new();
        stopped.stop();
        let Ok(mut again) = show(&MemoryBook::default(), line.board(), &ShowOptions::default());
        assert!(!search_missing(&mut again, By::Guess, &mut searcher, level, &stopped));
    }
    #[test]
    fn no_move_is_worth_more_than_the_book_proves() {
        let line: Line = "f5d6c3".parse().unwrap();
        let key = Key::of(line.board().position);
        let mut book = MemoryBook::new();
        let square = key.position().legal_moves().next();
        let rest = Rest { square, score: Score::from_discs(-10), proof: Proof::Exact };
        let searched = Searched { depth: 57, selectivity: Selectivity::FULL, source: SourceId(0) };
        book.insert(key, Some(rest), searched).unwrap();
        let Ok(mut shown) = show(&book, line.board(), &ShowOptions::default());
        let mut searcher = AnySearcher::new(by_name("rosebill").unwrap(), 1);
        let level = Level::new(2).unwrap();
        assert!(search_missing(&mut shown, By::Guess, &mut searcher, level, &Stop::new()));
        assert_eq!(shown.moves.len(), 4);
        for shown in &shown.moves {
            let values = shown.found.values.unwrap();
            assert!(values.upper == -10 && values.guess <= Score::from_discs(-10), "{shown:?}");
            assert_eq!(shown.chances().map(|chances| chances.win), Some(0.0));
        }
    }

    #[test]
    fn bounds_that_leave_one_result_leave_no_error() {
        let position = "f5d6c3".parse::<Line>().unwrap().board().position;
        let found = MoveScore {
            square: position.legal_moves().next().unwrap(),
            score: Score::from_discs(3),
            value: Score::from_discs(3),
            depth: 9,
            selectivity: Selectivity::FULL,
            proof: Proof::None,
            line: Vec::new(),
            nodes: 1,
            complete: true,
        };
        let of = |lower, upper| {
            let shown = weighed(position, &found, Bounds { lower, upper }).unwrap();
            (shown.found.values.unwrap().guess, shown.sure.unwrap().evidence)
        };
        assert_eq!(of(0, 0), (Score::from_discs(0), Evidence::EXACT));
        let of_search = Evidence::of_search(56, 8, Selectivity::FULL);
        assert_eq!(of(-64, 64), (Score::from_discs(3), of_search));
        let elsewhere = MoveScore { square: "a1".parse().unwrap(), ..found };
        assert!(weighed(position, &elsewhere, Bounds::ALL).is_none());
    }
}
