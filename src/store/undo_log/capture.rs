//! Noting rows before they change. Temporary triggers hand each row to a function of ours, so no statement that
//! writes need know of it, and no other program that opens the book runs them. They are made from the columns that
//! the tables have.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard};

use foldhash::fast::FixedState;
use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, params};

use super::image::{self, MOST_VALUES};
use crate::othello::lock::lock;

/// A table whose rows are taken back.
pub(super) struct Table {
    pub(super) name: &'static str,
    /// Whether a change of it is one that is worth taking back. A source that was only made known is none.
    is_search: bool,
}

/// The tables whose rows are taken back. Images name a table by its place here.
pub(super) const TABLES: [Table; 9] = [
    Table { name: "node", is_search: true },
    Table { name: "layer", is_search: true },
    Table { name: "source", is_search: false },
    Table { name: "original", is_search: true },
    Table { name: "fact", is_search: true },
    Table { name: "known", is_search: true },
    Table { name: "record", is_search: true },
    Table { name: "bound", is_search: true },
    Table { name: "judgement", is_search: true },
];

/// Columns of the largest primary key whose rows are recognized when they change again.
const KEY: usize = 5;

/// Rows that are recognized when they change again, at least: some 50 bytes each. The others are noted again, which
/// takes room and does no harm.
const RECOGNIZED: usize = 1 << 16;

/// Bytes that may wait in memory to be written; they are written at every commit.
const MOST_WAITING: usize = 64 << 20;

/// A table and the primary key of one of its rows.
type RowKey = (u8, [i64; KEY]);

/// Rows that were noted recently: when the new ones are full they become the old ones, and the old ones go.
#[derive(Default)]
struct Noted {
    new: HashSet<RowKey, FixedState>,
    old: HashSet<RowKey, FixedState>,
}

impl Noted {
    /// Whether a row was noted recently; from now on it was.
    fn has_or_add(&mut self, key: RowKey) -> bool {
        if self.new.contains(&key) {
            return true;
        }
        let was_old = self.old.contains(&key);
        if self.new.len() >= RECOGNIZED {
            self.old = std::mem::take(&mut self.new);
        }
        self.new.insert(key);
        was_old
    }
}

/// What a table is made of.
#[derive(Default, Clone, Debug)]
pub(super) struct Columns {
    pub(super) names: Vec<String>,
    /// Those of the primary key, by their places, ascending.
    pub(super) key: Vec<usize>,
}

/// Rows as they were before they changed.
#[derive(Default)]
struct Waiting {
    keys: Vec<Vec<usize>>,
    noted: Noted,
    images: Vec<u8>,
    has_searches: bool,
    /// More was changed than can be kept in memory.
    is_too_much: bool,
}

impl Waiting {
    fn note(&mut self, table: u8, values: &Context<'_>, was_there: bool) {
        if self.is_too_much {
            return;
        }
        // The triggers name no other table.
        let of_key = &self.keys[usize::from(table)];
        let count = values.len() - 1;
        let value = |column: usize| values.get_raw(column + 1);
        // Of a row that was not there only its key is given.
        let place = |part: usize| if was_there { of_key.get(part).copied() } else { Some(part) };
        let mut key = [0; KEY];
        let is_recognized = of_key.len() <= KEY
            && key.iter_mut().take(of_key.len()).enumerate().all(|(part, to)| {
                match place(part).map(value) {
                    Some(ValueRef::Integer(number)) => {
                        *to = number;
                        true
                    }
                    _ => false,
                }
            });
        if is_recognized && self.noted.has_or_add((table, key)) {
            return;
        }
        self.has_searches |= TABLES.get(usize::from(table)).is_some_and(|table| table.is_search);
        image::begin(&mut self.images, table, count, was_there);
        (0..count).for_each(|column| image::push(&mut self.images, value(column)));
        if self.images.len() > MOST_WAITING {
            self.is_too_much = true;
            self.images = Vec::new();
        }
    }
}

/// The rows of a connection that were noted and not written yet.
#[derive(Clone, Default)]
pub(super) struct Capture(Arc<Mutex<Waiting>>);

impl std::fmt::Debug for Capture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} bytes wait", self.waiting().images.len())
    }
}

impl Capture {
    /// Gives a connection the functions that note rows.
    pub(super) fn of(connection: &Connection) -> rusqlite::Result<Self> {
        let capture = Self::default();
        for (name, was_there) in [("note_row", true), ("note_no_row", false)] {
            let noted = capture.clone();
            let note = move |values: &Context<'_>| {
                noted.waiting().note(values.get(0)?, values, was_there);
                Ok::<Option<i64>, rusqlite::Error>(None)
            };
            connection.create_scalar_function(name, -1, FunctionFlags::SQLITE_DIRECTONLY, note)?;
        }
        Ok(capture)
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        lock(&self.0)
    }

    /// From here on every change is noted.
    pub(super) fn arm(&self, connection: &Connection) -> rusqlite::Result<()> {
        // Else a row that another one replaces would go without a word.
        connection.execute_batch("PRAGMA recursive_triggers = ON")?;
        let mut keys = Vec::new();
        for (table, Table { name, .. }) in TABLES.iter().enumerate() {
            let columns = columns_of(connection, name)?;
            connection.execute_batch(&triggers(table, name, &columns))?;
            keys.push(columns.key);
        }
        self.waiting().keys = keys;
        Ok(())
    }

    /// From here on nothing is noted, and what waits is forgotten.
    pub(super) fn disarm(&self, connection: &Connection) -> rusqlite::Result<()> {
        for Table { name, .. } in &TABLES {
            let mut sql = String::new();
            for kind in KINDS {
                _ = write!(sql, "DROP TRIGGER IF EXISTS temp.undo_{name}_{kind};");
            }
            connection.execute_batch(&sql)?;
        }
        self.forget();
        Ok(())
    }

    /// Forgets what waits: it was taken back, or is not wanted.
    pub(super) fn forget(&self) {
        let mut waiting = self.waiting();
        let keys = std::mem::take(&mut waiting.keys);
        *waiting = Waiting { keys, ..Waiting::default() };
    }

    /// From here on rows are noted again that were noted before: another change begins. What waits belongs to it.
    pub(super) fn begin_anew(&self) {
        self.waiting().noted = Noted::default();
    }

    /// Bytes that wait.
    pub(super) fn len(&self) -> usize {
        self.waiting().images.len()
    }

    /// Whether more was changed than can be noted.
    pub(super) fn is_too_much(&self) -> bool {
        self.waiting().is_too_much
    }

    /// Whether something waits that is worth taking back.
    pub(super) fn has_searches(&self) -> bool {
        self.waiting().has_searches
    }

    /// Takes what waits, to be written.
    pub(super) fn take(&self) -> Vec<u8> {
        let mut waiting = self.waiting();
        waiting.has_searches = false;
        std::mem::take(&mut waiting.images)
    }
}

/// The triggers of a table, by what they are about.
const KINDS: [&str; 4] = ["delete", "update", "insert", "move"];

fn triggers(table: usize, name: &str, columns: &Columns) -> String {
    let list = |of: &mut dyn Iterator<Item = &String>, row: &str| {
        of.fold(String::new(), |list, column| format!("{list}, {row}.\"{column}\""))
    };
    let in_key = |place: &usize| columns.names.get(*place);
    let old = list(&mut columns.names.iter(), "old");
    let new_key = list(&mut columns.key.iter().filter_map(in_key), "new");
    let old_key = list(&mut columns.key.iter().filter_map(in_key), "old");
    let key = columns.key.iter().filter_map(in_key);
    let key = key.map(|column| format!("\"{column}\"")).collect::<Vec<_>>().join(", ");
    let (new_place, old_place) =
        (new_key.trim_start_matches(", "), old_key.trim_start_matches(", "));
    let kinds = KINDS.map(|kind| {
        let (event, condition, note) = match kind {
            "delete" => ("DELETE".to_owned(), String::new(), format!("note_row({table}{old})")),
            "update" => ("UPDATE".to_owned(), String::new(), format!("note_row({table}{old})")),
            "insert" => {
                ("INSERT".to_owned(), String::new(), format!("note_no_row({table}{new_key})"))
            }
            _ => (
                format!("UPDATE OF {key}"),
                format!("WHEN ({new_place}) IS NOT ({old_place})"),
                format!("note_no_row({table}{new_key})"),
            ),
        };
        format!(
            "CREATE TEMP TRIGGER IF NOT EXISTS undo_{name}_{kind} AFTER {event} ON main.{name} {condition} \
             BEGIN SELECT {note}; END;"
        )
    });
    kinds.concat()
}

pub(super) fn columns_of(connection: &Connection, table: &str) -> rusqlite::Result<Columns> {
    let sql = "SELECT name, pk FROM pragma_table_info(?1, 'main') ORDER BY cid";
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query(params![table])?;
    let mut columns = Columns::default();
    while let Some(row) = rows.next()? {
        if row.get::<_, i64>(1)? > 0 {
            columns.key.push(columns.names.len());
        }
        columns.names.push(row.get(0)?);
    }
    debug_assert!(columns.names.len() <= MOST_VALUES && !columns.key.is_empty(), "{table}");
    Ok(columns)
}
