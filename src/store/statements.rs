//! The statements that write nodes.

use rusqlite::Statement;

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
    bind(statement, 0, node, row::pack_rest(node))?;
    statement.raw_execute().map(|rows| rows != 0)
}

/// Binds the columns of the `index`-th node of a statement, in the order of the table; `rest` is its search as
/// it is packed.
pub(super) fn bind(
    statement: &mut Statement<'_>,
    index: usize,
    node: &Node,
    rest: i64,
) -> rusqlite::Result<()> {
    let before = index * NODE_COLUMNS;
    let (discs, mover, opponent) = storage_order(node.key);
    let ValueColumns { guess, draw_seeking, win_seeking, .. } = node.values.into();
    statement.raw_bind_parameter(before + 1, discs)?;
    statement.raw_bind_parameter(before + 2, mover)?;
    statement.raw_bind_parameter(before + 3, opponent)?;
    statement.raw_bind_parameter(before + 4, guess)?;
    statement.raw_bind_parameter(before + 5, draw_seeking)?;
    statement.raw_bind_parameter(before + 6, win_seeking)?;
    statement.raw_bind_parameter(before + 7, row::pack_bounds(node))?;
    statement.raw_bind_parameter(before + 8, rest)?;
    statement.raw_bind_parameter(before + 9, row::pack_links(node))
}
