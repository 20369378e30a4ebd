//! The statements that write nodes.

use rusqlite::types::Null;
use rusqlite::{CachedStatement, Statement};

use crate::openbook::Node;

use super::row::{self, ValueColumns, storage_order};

/// Adds a node.
pub(super) const INSERT: &str = concat!(
    "INSERT INTO node (discs, ",
    row::columns!(),
    ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)"
);

/// Columns of the table, each a parameter of these statements.
const NODE_COLUMNS: usize = 9;

/// What becomes of the nodes of a statement when one of them is in the book already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OnClash {
    NoneOfThem,
    /// Those before it may stay, since the whole transaction will be rolled back: that is quicker.
    RollBack,
}

/// Adds so many nodes, one after the other: SQLite then looks for the place of the first only, if
/// they are sorted.
pub(super) fn insert_many(count: usize, on_clash: OnClash) -> String {
    let insert = match on_clash {
        OnClash::NoneOfThem => "INSERT",
        OnClash::RollBack => "INSERT OR FAIL",
    };
    let row = format!("({})", ["?"; NODE_COLUMNS].join(", "));
    let rows = vec![row; count].join(", ");
    format!("{insert} INTO node (discs, {}) VALUES {rows}", row::COLUMNS)
}

/// Adds a node unless it is there.
pub(super) const INSERT_NEW: &str = concat!(
    "INSERT INTO node (discs, ",
    row::columns!(),
    ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT DO NOTHING"
);

/// Replaces all that is known of a node.
pub(super) const REPLACE: &str = "UPDATE node SET guess = ?4, draw_seeking = ?5, \
    win_seeking = ?6, bounds = ?7, rest = ?8, links = ?9 \
    WHERE discs = ?1 AND mover = ?2 AND opponent = ?3";

/// Runs a statement that takes a node's columns in the order of the table; returns whether a row was
/// written.
pub(super) fn execute(statement: &mut Statement<'_>, node: &Node) -> rusqlite::Result<bool> {
    for (column, place) in columns(node, row::pack_rest(node)).into_iter().zip(1..) {
        give(statement, place, column)?;
    }
    statement.raw_execute().map(|rows| rows != 0)
}

/// The columns of a node, in the order of the table; `rest` is its search as it is packed.
fn columns(node: &Node, rest: i64) -> [Option<i64>; NODE_COLUMNS] {
    let (discs, mover, opponent) = storage_order(node.key);
    let ValueColumns { guess, draw_seeking, win_seeking, .. } = node.values.into();
    [
        Some(i64::from(discs)),
        Some(mover),
        Some(opponent),
        Some(guess),
        draw_seeking,
        win_seeking,
        row::pack_bounds(node),
        Some(rest),
        Some(row::pack_links(node)),
    ]
}

fn give(statement: &mut Statement<'_>, place: usize, column: Option<i64>) -> rusqlite::Result<()> {
    match column {
        Some(number) => statement.raw_bind_parameter(place, number),
        None => statement.raw_bind_parameter(place, Null),
    }
}

/// A statement that writes several nodes again and again. SQLite keeps what its parameters hold, and half of them
/// hold the same next time.
pub(super) struct Many<'c> {
    statement: CachedStatement<'c>,
    held: Vec<Option<i64>>,
}

impl<'c> Many<'c> {
    /// A statement that takes the columns of so many nodes; nothing was given to it yet.
    pub(super) fn of(statement: CachedStatement<'c>, nodes: usize) -> Self {
        Self { statement, held: vec![None; nodes * NODE_COLUMNS] }
    }

    /// Gives it the columns of its `index`-th node.
    pub(super) fn bind(&mut self, index: usize, node: &Node, rest: i64) -> rusqlite::Result<()> {
        let first = index * NODE_COLUMNS;
        let held = &mut self.held[first..first + NODE_COLUMNS];
        for ((held, column), place) in held.iter_mut().zip(columns(node, rest)).zip(first + 1..) {
            if *held != column {
                give(&mut self.statement, place, column)?;
                *held = column;
            }
        }
        Ok(())
    }

    /// Runs it.
    pub(super) fn execute(&mut self) -> rusqlite::Result<usize> {
        self.statement.raw_execute()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openbook::{LineEnds, NodeSource, Rest, Searched, SourceId, Values};
    use crate::othello::score::Score;
    use crate::othello::search::{Proof, Selectivity};
    use crate::store::Book;
    use crate::store::sample::reachable;

    /// What a parameter holds from the time before is never another node's.
    #[test]
    fn many_at_once_are_written_as_each_alone_would_be() {
        const AT_ONCE: usize = 4;
        let folder = tempfile::tempdir().unwrap();
        let book = Book::create(folder.path().join("a.db")).unwrap();
        let nodes: Vec<Node> = (0..)
            .zip(reachable(8))
            .map(|(number, key)| {
                let of = |part: i16| number / part % 3;
                let proof = [Proof::None, Proof::Win, Proof::Loss][of(3) as usize];
                let rest = Rest { square: None, score: Score::from_discs(of(5) as i8), proof };
                let searched = Searched {
                    depth: of(2) as u8,
                    selectivity: Selectivity::FULL,
                    source: SourceId(of(7) as u32),
                };
                let lines = [LineEnds::USUAL, LineEnds::EXACT][usize::from(number % 4 == 0)];
                Node {
                    values: Values::of_search(rest.score, proof),
                    lines,
                    ..Node::new(key, Some(rest), searched)
                }
            })
            .collect();
        let connection = &book.reader.connection;
        let sql = insert_many(AT_ONCE, OnClash::NoneOfThem);
        let mut many = Many::of(connection.prepare_cached(&sql).unwrap(), AT_ONCE);
        let (batches, _) = nodes.as_chunks::<AT_ONCE>();
        for batch in batches {
            for (index, node) in batch.iter().enumerate() {
                many.bind(index, node, row::pack_rest(node)).unwrap();
            }
            many.execute().unwrap();
        }
        assert!(batches.len() > 5);
        for node in batches.iter().flatten() {
            assert_eq!(book.node(&node.key).unwrap(), Some(*node));
        }
    }
}
