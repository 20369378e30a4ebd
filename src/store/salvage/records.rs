//! Records, bounds and judgements that are left in a damaged book. Rows of records have six integers, the
//! fifth of them negative; those of bounds five, the last of them small; judgements end with two texts.

use std::collections::BTreeMap;

use crate::openbook::verify::check_key;
use crate::openbook::{Held, Judgement, Node, Record, SourceId, SourcedBounds};
use crate::othello::board::Key;
use crate::store::evidence_tables::stored_record;
use crate::store::pages::page::Column;
use crate::store::row::{bounds_of_code, storage_order, stored_guess, stored_key};

/// What was found, by position.
#[derive(Default, Debug)]
pub(super) struct HeldWreck {
    records: BTreeMap<(u8, i64, i64), BTreeMap<i64, Record>>,
    apart: BTreeMap<(u8, i64, i64), (Key, Held)>,
}

impl HeldWreck {
    /// Takes a row of a table without row numbers; false when it is nothing of the kind.
    pub(super) fn note(&mut self, columns: &[Column<'_>]) -> bool {
        self.take(columns).is_some()
    }

    fn take(&mut self, columns: &[Column<'_>]) -> Option<()> {
        let [discs, mover, opponent, content @ ..] = columns else { return None };
        let key = stored_key(mover.integer()?, opponent.integer()?)?;
        if i64::from(key.discs()) != discs.integer()? || check_key(key).is_err() {
            return None;
        }
        let at = storage_order(key);
        match content {
            [place, rest, left_out] if left_out.integer().is_some() => {
                let record = stored_record(rest.integer()?, left_out.integer()?)?;
                self.records.entry(at).or_default().insert(place.integer()?, record);
            }
            [source, bounds] => {
                let bounds = bounds_of_code(bounds.integer()?)?;
                let source = SourceId(u32::try_from(source.integer()?).ok()?);
                self.held(at, key).bounds.push(SourcedBounds { bounds, source });
            }
            [value, Column::Text(day), Column::Text(author)] => {
                let score = stored_guess(value.integer()?)?;
                let (day, author) = ((*day).to_owned(), (*author).to_owned());
                self.held(at, key).judgement = Some(Judgement { score, day, author });
            }
            _ => return None,
        }
        Some(())
    }

    fn held(&mut self, at: (u8, i64, i64), key: Key) -> &mut Held {
        &mut self.apart.entry(at).or_insert_with(|| (key, Held::default())).1
    }

    /// All that is left of a node, its own record among it.
    pub(super) fn of(&self, node: &Node) -> Held {
        let at = storage_order(node.key);
        let mut held = self.apart.get(&at).map_or_else(Held::default, |(_, held)| held.clone());
        held.records.extend(node.own_record());
        let others = self.records.get(&at).into_iter().flat_map(BTreeMap::values);
        held.records.extend(others);
        held
    }

    /// What is proven of positions, in the book or not.
    pub(super) fn apart(&self) -> impl Iterator<Item = (Key, Held)> {
        self.apart.values().map(|(key, held)| (*key, Held { judgement: None, ..held.clone() }))
    }
}
