//! What a file of another program repeats of the book that it was made of.
//!
//! Such files have no place for the best move of a search that leads to no position: some hold it as a
//! position of its own, and for what the book works out a position that seems to have been searched. When
//! the file comes back, these are not to take the place of the searches that they come from.

use std::collections::{HashMap, HashSet};

use foldhash::fast::FixedState;

use crate::openbook::{Bounds, Held, Node, NodeSource, Record, Rest, SourceId, Values, child_of};
use crate::othello::board::{Key, Square};
use crate::othello::score::Score;

use super::new_node::NewNode;
use super::{Reader, StoreError};

/// How the files of a program repeat what a book says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Repeats {
    pub in_unit: fn(Score) -> Score,
    /// Whether values that a book computes are in the file as if they had been searched.
    pub of_values: bool,
}

/// What a search of ours says of its best move, for the side to move after it.
struct BestMove {
    values: Values,
    score: Score,
    /// Plies of the search.
    depth: u8,
}

type BestMoves = HashMap<Key, Vec<BestMove>, FixedState>;

/// What our own searches say of positions that a file has, too, and of their moves. Positions come layer by
/// layer.
pub(super) struct Known {
    repeats: Repeats,
    own: HashSet<SourceId>,
    /// The discs of the positions that come.
    discs: u8,
    /// The best moves that lead to no node, by the position after them: those that come now, and those a disc
    /// further on.
    here: BestMoves,
    next: BestMoves,
}

impl Known {
    fn of(book: &Reader, repeats: Repeats) -> Result<Self, StoreError> {
        let sources = book.sources()?.into_iter();
        let own = sources.filter(|known| known.source.is_own()).map(|known| known.id).collect();
        let [here, next] = [BestMoves::default(), BestMoves::default()];
        Ok(Self { repeats, own, discs: 0, here, next })
    }

    /// Of a file that was made of the book: most of what these records, the first of the file, say of positions that
    /// the book has searched itself is what the book says. Of another file a few do so by chance, and are records
    /// like others.
    pub(super) fn of_file(
        book: &Reader,
        repeats: Repeats,
        records: &[NewNode],
    ) -> Result<Option<Self>, StoreError> {
        let known = Self::of(book, repeats)?;
        let (mut searched, mut same) = (0, 0);
        for record in records.iter().filter(|record| record.rest.is_some()) {
            let Some(node) = book.node(&record.key)? else { continue };
            if known.own.contains(&node.searched.source) {
                searched += 1;
                same += usize::from(known.is_known(&node, &book.held_of(&node)?, record));
            }
        }
        Ok(Some(known).filter(|_| 2 * same > searched))
    }

    /// Whether a position has as many discs as the one that came last.
    pub(super) const fn is_at(&self, key: Key) -> bool {
        self.discs == key.discs()
    }

    /// Whether a file's record of a position says what our own search of it says, or what the book works out
    /// from that, and no more. Which moves it left out does not matter: they may be moves to such positions.
    pub(super) fn is_known(&self, node: &Node, held: &Held, record: &NewNode) -> bool {
        if !self.own.contains(&node.searched.source) {
            return false;
        }
        let Some(rest) = record.rest else {
            // It says how a position was searched of which all moves are in the file.
            return self.repeats.of_values;
        };
        let is_score = |score| (self.repeats.in_unit)(score) == rest.score;
        let of_value = self.repeats.of_values
            && says_no_more(rest, node.values)
            && is_score(node.values.guess);
        let is_of_record = |ours: &Record| {
            let values = ours.rest.values();
            self.own.contains(&ours.searched.source)
                && says_no_more(rest, values)
                && (is_score(ours.rest.score) || is_score(values.guess))
                && rest.square.is_none_or(|square| ours.rest.square == Some(square))
                && self.is_no_deeper(record, ours.searched.depth)
        };
        of_value || held.records.iter().any(is_of_record)
    }

    /// Whether a file's record was not searched deeper than that, as far as its depth shows: one that repeats a
    /// value to the hundredth says of its depth what its program asks for.
    fn is_no_deeper(&self, record: &NewNode, depth: u8) -> bool {
        self.repeats.of_values || record.searched.depth <= depth
    }

    /// Notes the best moves of our own searches of a position that lead to no node. Where a file may hold their
    /// score at another move, which is worth no more, all others, too.
    pub(super) fn note(&mut self, node: &Node, held: &Held) {
        for record in &held.records {
            let is_best = |square: &Square| record.rest.square == Some(*square);
            if !self.own.contains(&record.searched.source) || node.linked().any(|at| is_best(&at)) {
                continue;
            }
            let of_values = self.repeats.of_values;
            for square in node.unlinked().filter(|square| !of_values || is_best(square)) {
                let Some((child, same_side)) = child_of(node.key.position(), square) else {
                    continue;
                };
                let Rest { score, .. } = record.rest;
                self.next.entry(child).or_default().push(BestMove {
                    values: record.rest.values().seen_by_parent(same_side),
                    score: if same_side { score } else { -score },
                    depth: record.searched.depth,
                });
            }
        }
    }

    /// Whether a position that comes is nothing but the best move of a search of ours of the position before
    /// it, with what that search says of it.
    pub(super) fn is_best_move(&mut self, record: &NewNode) -> bool {
        let discs = record.key.discs();
        if self.discs != discs {
            self.here = std::mem::take(&mut self.next);
            if self.discs + 1 != discs {
                self.here.clear();
            }
            self.discs = discs;
        }
        // No move; and no position behind it, unless the value to the hundredth says enough: a line to other
        // positions may lead through it by chance.
        let is_leaf = self.repeats.of_values || record.left_out.is_empty();
        let is_bare = is_leaf && record.held.is_none();
        let Some(rest) = record.rest.filter(|rest| is_bare && rest.square.is_none()) else {
            return false;
        };
        let is_score = |score| (self.repeats.in_unit)(score) == rest.score;
        self.here.get(&record.key).is_some_and(|best_moves| {
            best_moves.iter().any(|best| {
                let is_proven = best.values.bounds() != Bounds::ALL;
                says_no_more(rest, best.values)
                    && (is_proven || self.is_no_deeper(record, best.depth))
                    && (is_score(best.score) || is_score(best.values.guess))
            })
        })
    }
}

/// Whether a score of a file proves no more than these values.
fn says_no_more(rest: Rest, values: Values) -> bool {
    rest.values().bounds().meet(values.bounds()) == Some(values.bounds())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openbook::{MoveMask, Searched, Source};
    use crate::othello::search::{Proof, Selectivity};
    use crate::store::Book;
    use crate::store::sample::reachable;

    /// Of a file that was made of the book all is known; of another one, in which two scores are the same by
    /// chance, nothing is, and it says nothing new when it comes again.
    #[test]
    fn what_is_the_same_by_chance_is_no_repeat() {
        const REPEATS: Repeats = Repeats { in_unit: |score| score, of_values: true };
        let keys = reachable(8);
        assert!(keys.len() > 50);
        let folder = tempfile::tempdir().unwrap();
        for (others, depth_then) in [(0, 9), (100, 20)] {
            let mut book = Book::create(folder.path().join(format!("{others}.db"))).unwrap();
            let ours = book.source_id(&Source { engine: "ours".into(), ..Source::default() });
            let theirs = Source { format: "ntest".into(), ..Source::default() };
            let (ours, theirs) = (ours.unwrap(), book.source_id(&theirs).unwrap());
            let records = |source, depth, more: i16| -> Vec<NewNode> {
                let searched = Searched { depth, selectivity: Selectivity::FULL, source };
                let score =
                    |at: i16| Score::from_centidiscs(7 * at + if at < 2 { 0 } else { more });
                let rest = |at| Rest { square: None, score: score(at), proof: Proof::None };
                let record = |(at, &key)| NewNode {
                    key,
                    rest: Some(rest(at)),
                    searched,
                    left_out: MoveMask::NONE,
                    held: None,
                };
                (0..).zip(&keys).map(record).collect()
            };
            book.bulk_load(records(ours, 9, 0)).unwrap();
            book.settle().unwrap();
            for replaced in [others.min(1) * keys.len() as u64, 0] {
                let file = book.bulk_load_file(records(theirs, 20, others as i16), Some(REPEATS));
                assert_eq!(file.unwrap().loaded.replaced, replaced);
                book.settle().unwrap();
                for key in &keys {
                    assert_eq!(
                        book.reader().node(key).unwrap().unwrap().searched.depth,
                        depth_then
                    );
                }
            }
        }
    }
}
