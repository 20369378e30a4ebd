//! What the way to each position of a book gives away, as another book judges it.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::openbook::regret::of_move;
use crate::othello::board::{Key, Position};
use crate::store::{Reader, StoreError};

/// For each position of a book the least that a line from the start to it gives away, by both sides, in
/// centidiscs.
#[derive(Clone, Default, Debug)]
pub(crate) struct Regrets(HashMap<Key, i32, FixedState>);

impl Regrets {
    /// As this book sees it, which must not change meanwhile.
    pub(crate) fn of(book: &Reader) -> Result<Self, StoreError> {
        let mut least: HashMap<Key, i32, FixedState> = HashMap::default();
        least.insert(Key::of(Position::START), 0);
        // A move adds a disc: all that lead to a position are looked at before it is.
        book.for_each_node(|node| {
            let Some(&so_far) = least.get(&node.key) else { return Ok(()) };
            for found in node.linked_moves(book)? {
                let Some((child, _)) = found.child else { continue };
                let regret = so_far + of_move(node.values, found.values.guess);
                let known = least.entry(child.key).or_insert(regret);
                *known = regret.min(*known);
            }
            Ok::<_, StoreError>(())
        })?;
        Ok(Self(least))
    }

    /// What the way to a position gives away, in centidiscs; none where no line leads.
    pub(crate) fn get(&self, key: &Key) -> Option<i32> {
        self.0.get(key).copied()
    }
}
