//! Where a book is thin: lines that end soon although both sides play well.

use super::lines::{BookLine, LineTerms, searched_lines};
use crate::openbook::NodeSource;
use crate::othello::board::Placed;

/// So many of the best lines are looked at.
const LOOKED_AT: usize = 200;
/// Lines on which both sides together give away more, in centidiscs, are no loss.
const MOST_LOST: i32 = 400;

/// What a ply counts beside the loss, in centidiscs.
const PLY: i32 = 100;

/// The short lines from the start that give little away, at most `count`: those first that end
/// soonest, where a disc given away counts as a ply. Each ends with a move out of the book, or where no
/// move has a value yet.
pub(crate) fn thin_lines<S: NodeSource + ?Sized>(
    book: &S,
    count: usize,
) -> Result<Vec<BookLine>, S::Error> {
    let lost = |line: &BookLine| {
        i32::from(line.own_regret.centidiscs()) + i32::from(line.other_regret.centidiscs())
    };
    let mut found = searched_lines(book, Placed::START, LineTerms::best(LOOKED_AT))?;
    found.retain(|line| lost(line) <= MOST_LOST && !line.values.is_exact());
    found.sort_by_key(|line| PLY * line.moves.len() as i32 + lost(line));
    found.truncate(count);
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openbook::MemoryBook;

    #[test]
    fn a_book_without_the_start_has_no_lines() {
        let Ok(found) = thin_lines(&MemoryBook::default(), 5);
        assert!(found.is_empty());
    }
}
