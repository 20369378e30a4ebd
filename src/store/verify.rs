//! Looking a whole book through.

use std::collections::HashSet;

use crate::openbook::verify::{Invariant, LayerCheck, Report};
use crate::openbook::{Child, Held, LayerValues, LineEnds, Link, deepest_first, holding_record};

use super::{Reader, StoreError, row};

impl Reader {
    /// Checks every invariant on every node, streaming two layers, as they are at one moment.
    pub fn verify(&self) -> Result<Report, StoreError> {
        let _snapshot = self.snapshot()?;
        let order = self.order_of_sources()?;
        let sources: HashSet<_> = self.sources()?.into_iter().map(|known| known.id).collect();
        let counted = self.counted_layers()?;
        let mut report = Report::default();
        let layers = self.stored_layers()?;
        let is_rewritten = self.has_schema(row::EVIDENCE)? && self.meta(row::REWRITE)?.is_none();
        deepest_first(layers.iter().copied(), |discs, below: Option<LayerValues>| {
            let below = below.unwrap_or_default();
            let mut layer = LayerValues::default();
            let beside = self.held_of_layer(discs)?;
            let mut check = LayerCheck::new(&below, &beside, &order);
            self.each_in_layer(discs, |node| {
                check.push(node, &mut report);
                if is_rewritten && node.lines == LineEnds::NOT_KNOWN {
                    let what = "how lines end, and what is to be learned, is not known";
                    report.note(Invariant::Evidence, Some(node.key), what);
                }
                if node.key.discs() != discs {
                    let what = format!("the position is in the layer of {discs} discs");
                    report.note(Invariant::Key, Some(node.key), what);
                }
                layer.push(node.key, Child::from(&node));
                Ok::<_, StoreError>(())
            })?;
            check.finish(&mut report);
            let expected =
                counted.iter().find(|&&(known, _)| known == discs).map_or(0, |&(_, count)| count);
            if expected != layer.len() as u64 {
                let found = layer.len();
                let what = format!("{found} positions of {discs} discs, counted {expected}");
                report.note(Invariant::Layers, None, what);
            }
            layer.build_index();
            Ok::<_, StoreError>(layer)
        })?;
        self.facts().verify(&sources, &mut report)?;
        for (discs, count) in counted.into_iter().filter(|(discs, _)| !layers.contains(discs)) {
            let what = format!("no position of {discs} discs, counted {count}");
            report.note(Invariant::Layers, None, what);
        }
        Ok(report)
    }

    /// How many links are held, streaming two layers, as they are at one moment.
    pub(crate) fn count_held_links(&self) -> Result<u64, StoreError> {
        let _snapshot = self.snapshot()?;
        let mut count = 0;
        deepest_first(self.stored_layers()?, |discs, below: Option<LayerValues>| {
            let below = below.unwrap_or_default();
            let mut layer = LayerValues::default();
            let beside = self.held_of_layer(discs)?;
            self.each_in_layer(discs, |node| {
                layer.push(node.key, Child::from(&node));
                // A link that no record covered counts.
                if !node.more
                    && (node.record.is_none() || node.links.without(node.left_out).is_empty())
                {
                    return Ok::<_, StoreError>(());
                }
                let held = beside.get(&node.key).cloned().unwrap_or_else(|| Held::of(&node));
                let is_held = |link: &Link| {
                    let child = below.get(link.child);
                    child.is_some_and(|child| holding_record(&node, &held, *link, child).is_some())
                };
                count += node.children().filter(is_held).count() as u64;
                Ok(())
            })?;
            layer.build_index();
            Ok::<_, StoreError>(layer)
        })?;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::params;

    use super::*;
    use crate::openbook::{Node, NodeSource, Rest, Searched, Source};
    use crate::othello::board::{Key, Position};
    use crate::othello::score::Score;
    use crate::othello::search::{Proof, Selectivity};
    use crate::store::Book;

    #[test]
    fn what_an_older_program_did_not_keep_is_not_known_until_the_first_write() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let mut book = Book::create(&path).unwrap();
        let source = book.source_id(&Source::default()).unwrap();
        let searched = Searched { depth: 4, selectivity: Selectivity::FULL, source };
        let start = Key::of(Position::START);
        let next = crate::openbook::child_of(start.position(), "f5".parse().unwrap()).unwrap().0;
        for key in [start, next] {
            let square = key.position().legal_moves().next();
            let rest = Rest { square, score: Score::ZERO, proof: Proof::None };
            book.insert(key, Some(rest), searched).unwrap();
        }
        book.commit().unwrap();
        let is_known = |book: &Reader| {
            let lines = book.node(&start).unwrap().unwrap().lines;
            assert!(lines == LineEnds::USUAL || lines == LineEnds::NOT_KNOWN);
            (lines == LineEnds::USUAL, book.verify().unwrap().violations)
        };
        assert_eq!(is_known(book.reader()), (true, 0));
        let not_known = row::pack_bounds(&Node::new(start, None, searched));
        let connection = &book.reader().connection;
        connection.execute("UPDATE node SET bounds = ?1", params![not_known]).unwrap();
        assert_eq!(is_known(book.reader()), (false, 2));
        let sql = "INSERT INTO meta (name, value) VALUES (?1, '10')";
        connection.execute(sql, params![row::REWRITE]).unwrap();
        assert_eq!(is_known(book.reader()), (false, 0));
        drop(book);
        assert_eq!(is_known(&Reader::open(&path).unwrap()), (false, 0));
        assert_eq!(is_known(Book::open(&path).unwrap().reader()), (true, 0));
        assert_eq!(is_known(&Reader::open(&path).unwrap()), (true, 0));
    }
}
