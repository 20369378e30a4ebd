//! The history that is left in a damaged book. Its rows are recognized by how many columns they have,
//! and of which kinds.

use std::collections::BTreeMap;

use crate::openbook::Values;
use crate::openbook::verify::check_key;
use crate::othello::board::Key;
use crate::store::RunId;
use crate::store::history::HistoryPoint;
use crate::store::history::values_of;
use crate::store::pages::page::Column;
use crate::store::row::{stored_key, unsigned};

/// A history as it was found.
#[derive(Default, Debug)]
pub(super) struct HistoryWreck {
    points: BTreeMap<i64, HistoryPoint>,
    positions: BTreeMap<i64, Key>,
    /// By checkpoint and position.
    values: BTreeMap<(i64, i64), Option<Values>>,
}

impl HistoryWreck {
    /// Takes a numbered row; false when it is of no history.
    pub(super) fn note_row(&mut self, number: u32, columns: &[Column<'_>]) -> bool {
        match *columns {
            [
                Column::Null,
                Column::Integer(_),
                Column::Integer(positions),
                Column::Integer(searches),
                Column::Integer(milliseconds),
                Column::Text(taken),
            ] => {
                let point = HistoryPoint {
                    // The list of runs is not saved.
                    run: RunId(0),
                    positions: unsigned(positions),
                    searches: unsigned(searches),
                    milliseconds: unsigned(milliseconds),
                    taken: taken.to_owned(),
                };
                if !point.can_be() {
                    return false;
                }
                self.points.insert(number.into(), point);
            }
            [
                Column::Null,
                Column::Integer(discs),
                Column::Integer(mover),
                Column::Integer(opponent),
            ] => {
                let key = stored_key(mover, opponent);
                let key = key.filter(|&key| check_key(key).is_ok());
                let Some(key) = key.filter(|key| i64::from(key.discs()) == discs) else {
                    return false;
                };
                self.positions.insert(number.into(), key);
            }
            _ => return false,
        }
        true
    }

    /// Takes a row of a table without row numbers, if it is a value.
    pub(super) fn note_value(&mut self, columns: &[Column<'_>]) {
        let optional = |column: &Column<'_>| match column {
            Column::Null => Some(None),
            Column::Integer(value) => Some(Some(*value)),
            _ => None,
        };
        let columns: Option<Vec<Option<i64>>> = columns.iter().map(optional).collect();
        if let Some([Some(position), Some(point), values @ ..]) = columns.as_deref()
            && let Ok(values) = <[Option<i64>; 4]>::try_from(values)
            && let Some(values) = values_of(values)
        {
            self.values.insert((*point, *position), values);
        }
    }

    /// The checkpoints, the oldest first, each with the values that it says of positions.
    pub(super) fn points(
        &self,
    ) -> impl Iterator<Item = (&HistoryPoint, Vec<(Key, Option<Values>)>)> {
        let mut before: Option<&HistoryPoint> = None;
        let follows = self.points.iter().filter(move |(_, point)| {
            let can_follow = before.is_none_or(|before| point.can_follow(before));
            if can_follow {
                before = Some(point);
            }
            can_follow
        });
        follows.map(|(&point, said)| {
            let of_point = self.values.range((point, i64::MIN)..=(point, i64::MAX));
            let values = of_point.filter_map(|(&(_, position), &values)| {
                Some((*self.positions.get(&position)?, values))
            });
            (said, values.collect())
        })
    }
}
