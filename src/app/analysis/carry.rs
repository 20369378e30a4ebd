//! Analyses that go from one book to another.

use std::collections::HashMap;

use crate::store::{Book, PositionSearcher, Reader, SearcherId, StoreError, Wreck};

use super::knowledge::{Equals, joined};

/// Takes the analyses of another book in; it is not committed yet. Of two analyses of a position the
/// stronger one is kept; of equally strong ones of the same evaluator all moves.
pub(in crate::app) fn merge_analyses(book: &mut Book, other: &Reader) -> Result<(), StoreError> {
    let theirs = other.analyses().searchers()?;
    let mut numbers: HashMap<SearcherId, SearcherId> = HashMap::new();
    for (id, searcher) in &theirs {
        numbers.insert(*id, book.analyses().searcher_id(searcher)?);
    }
    let evaluators: HashMap<SearcherId, String> = book
        .reader()
        .analyses()
        .searchers()?
        .into_iter()
        .map(|(id, searcher)| (id, searcher.evaluator))
        .collect();
    other.analyses().for_each(|key, mut analysis| {
        // What is damaged stays behind, as what has no searcher does.
        let Some(&number) = numbers.get(&analysis.searcher) else { return Ok(()) };
        if !analysis.makes_sense(key) {
            return Ok(());
        }
        analysis.searcher = number;
        let whole = match book.reader().analyses().of(key)? {
            Some(present) if present.best().is_some() => {
                let is_same =
                    evaluators.get(&present.searcher) == evaluators.get(&analysis.searcher);
                joined(present, analysis, if is_same { Equals::Join } else { Equals::Present })
            }
            _ => analysis,
        };
        book.analyses().keep(key, &whole)
    })
}

/// Saves the analyses of a damaged book into a new one, as far as they make sense. Commits; returns
/// how many moves there are now, and how many positions meant nothing.
pub(in crate::app) fn salvage_analyses(
    wreck: &Wreck,
    book: &mut Book,
) -> Result<(u64, u64), StoreError> {
    let (mut moves, mut meaningless) = (0, 0);
    for mut saved in wreck.analyses() {
        let engine = "unknown searcher of a damaged book".to_owned();
        let unknown = || PositionSearcher { engine, ..PositionSearcher::default() };
        saved.analysis.searcher =
            book.analyses().searcher_id(&saved.searcher.clone().unwrap_or_else(unknown))?;
        if saved.makes_sense() {
            moves += saved.analysis.moves.len() as u64;
            book.analyses().keep(saved.key, &saved.analysis)?;
        } else {
            meaningless += 1;
        }
    }
    book.commit()?;
    Ok((moves, meaningless))
}
