//! Changing much of a layer by one statement that goes through it once: SQLite then is at every row
//! already, and need not look for it. What a row becomes it asks of functions of ours.

use std::cmp::Ordering;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::{Connection, params};

use crate::openbook::Node;

use super::row::{ValueColumns, pack_bounds, pack_links, pack_rest, storage_order};

/// What a column of a changed row becomes, by its place in the table.
fn column(node: &Node, place: i64) -> Option<i64> {
    let ValueColumns { guess, draw_seeking, win_seeking, .. } = node.values.into();
    match place {
        3 => Some(guess),
        4 => draw_seeking,
        5 => win_seeking,
        6 => pack_bounds(node),
        7 => Some(pack_rest(node)),
        _ => Some(pack_links(node)),
    }
}

/// The changes of a layer in the order of the store, and where the last one that was asked for is:
/// the next question is nearly always about the same row or the one after.
struct Changed {
    rows: Vec<Node>,
    at: AtomicUsize,
}

impl Changed {
    fn compare(&self, index: usize, boards: (i64, i64)) -> Option<Ordering> {
        let (_, mover, opponent) = storage_order(self.rows.get(index)?.key);
        Some((mover, opponent).cmp(&boards))
    }

    fn find(&self, boards: (i64, i64)) -> Option<&Node> {
        let at = self.at.load(Relaxed);
        let found = match self.compare(at, boards) {
            Some(Ordering::Equal) => at,
            Some(Ordering::Less) => match self.compare(at + 1, boards) {
                Some(Ordering::Equal) => at + 1,
                // Between the two.
                Some(Ordering::Greater) | None => return None,
                Some(Ordering::Less) => self.search(boards)?,
            },
            Some(Ordering::Greater) | None => self.search(boards)?,
        };
        self.at.store(found, Relaxed);
        self.rows.get(found)
    }

    fn search(&self, boards: (i64, i64)) -> Option<usize> {
        let place = |row: &Node| {
            let (_, mover, opponent) = storage_order(row.key);
            (mover, opponent)
        };
        self.rows.binary_search_by_key(&boards, place).ok()
    }
}

fn boards(context: &Context<'_>) -> rusqlite::Result<(i64, i64)> {
    Ok((context.get(0)?, context.get(1)?))
}

/// Which columns of rows are written. What is not need not be asked for, and no index goes by the values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Written {
    /// The values, proven bounds and ends of lines.
    Values,
    All,
}

/// Changes rows of a layer that are there, sorted by [`storage_order`].
pub(super) fn rewrite(
    connection: &Connection,
    discs: u8,
    rows: Vec<Node>,
    written: Written,
) -> rusqlite::Result<()> {
    const VALUES: &str = "guess = new_column(mover, opponent, 3), \
        draw_seeking = new_column(mover, opponent, 4), \
        win_seeking = new_column(mover, opponent, 5), \
        bounds = new_column(mover, opponent, 6)";
    let others = match written {
        Written::Values => "",
        Written::All => {
            ", rest = new_column(mover, opponent, 7), links = new_column(mover, opponent, 8)"
        }
    };
    let changed = Arc::new(Changed { rows, at: AtomicUsize::new(0) });
    let flags = FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_DIRECTONLY;
    let asked = Arc::clone(&changed);
    connection.create_scalar_function("is_changed", 2, flags, move |context| {
        Ok::<_, rusqlite::Error>(asked.find(boards(context)?).is_some())
    })?;
    connection.create_scalar_function("new_column", 3, flags, move |context| {
        let row = changed.find(boards(context)?);
        let place = context.get(2)?;
        Ok::<_, rusqlite::Error>(row.and_then(|row| column(row, place)))
    })?;
    let sql = format!(
        "UPDATE node SET {VALUES}{others} WHERE discs = ?1 AND is_changed(mover, opponent)"
    );
    let updated = connection.execute(&sql, params![discs]);
    connection.remove_function("is_changed", 2)?;
    connection.remove_function("new_column", 3)?;
    updated.map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openbook::{MoveMask, NodeSource, Rest, Searched, SourceId, Values};
    use crate::othello::board::{Key, Position};
    use crate::othello::score::Score;
    use crate::othello::search::{Proof, Selectivity};
    use crate::store::Book;
    use crate::store::sample::reachable;
    use crate::store::statements::{INSERT, REPLACE, execute};

    /// Values and a rest made up from a number.
    fn made_up(key: Key, number: i16) -> Node {
        let proof =
            [Proof::None, Proof::Win, Proof::NotWon][usize::from(number.unsigned_abs()) % 3];
        let score = Score::from_centidiscs(number % 6400);
        let source = SourceId(u32::from(number.unsigned_abs()));
        let record = (number % 5 != 0).then_some(Rest { square: None, score, proof });
        let searched = Searched { depth: 9, selectivity: Selectivity::FULL, source };
        Node {
            links: MoveMask::from_bits(u64::from(number.unsigned_abs() % 4)),
            values: Values::of_search(score, proof),
            ..Node::new(key, record, searched)
        }
    }

    #[test]
    fn one_statement_changes_what_one_a_row_would() {
        const DISCS: u8 = 9;
        let keys = reachable(DISCS);
        assert!(keys.len() > 100);
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| Book::create(folder.path().join(name)).unwrap();
        let (together, alone) = (file("together.db"), file("alone.db"));
        for book in [&together, &alone] {
            book.reader.connection.execute_batch("BEGIN").unwrap();
            let mut insert = book.reader.connection.prepare(INSERT).unwrap();
            keys.iter().for_each(|&key| assert!(execute(&mut insert, &made_up(key, 7)).unwrap()));
        }
        // All rows, runs and gaps of several lengths, the first and the last.
        for (round, step) in [(1, 1), (2, 2), (3, 3), (4, 7), (5, keys.len() - 1), (6, 40)] {
            let changed: Vec<Node> = (0..)
                .zip(&keys)
                .filter(|(index, _)| index % step == 0 || index % 13 < round)
                .map(|(index, &key)| made_up(key, (index * round * 31 % 3000) as i16 - 900))
                .collect();
            rewrite(&together.reader.connection, DISCS, changed.clone(), Written::All).unwrap();
            let mut replace = alone.reader.connection.prepare(REPLACE).unwrap();
            changed.iter().for_each(|node| assert!(execute(&mut replace, node).unwrap()));
            for &key in &keys {
                let [one, other] = [&together, &alone].map(|book| book.reader.node(&key).unwrap());
                assert_eq!(one, other, "round {round}");
            }
        }
        // Of these only the values are others.
        let valued: Vec<Node> = keys
            .iter()
            .map(|key| together.reader.node(key).unwrap().unwrap())
            .map(|node| Node { values: made_up(node.key, 433).values, ..node })
            .collect();
        rewrite(&together.reader.connection, DISCS, valued.clone(), Written::Values).unwrap();
        for node in valued {
            assert_eq!(together.reader.node(&node.key).unwrap(), Some(node));
        }
        // What is not there is not made.
        let absent = made_up(Key::of(Position::START), 3);
        rewrite(&together.reader.connection, DISCS, vec![absent], Written::All).unwrap();
        assert_eq!(together.reader.node(&absent.key).unwrap(), None);
    }
}
