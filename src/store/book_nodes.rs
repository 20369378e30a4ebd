//! A book that is written, as the nodes that the floor below works on.

use crate::othello::board::{Key, KeyFilter};
use std::sync::Arc;

use crate::openbook::{Bounds, Held, Node, NodeSource, NodeStore, SourceOrder, Values};

use super::statements::{INSERT, REPLACE, execute};
use super::{Book, StoreError};

impl NodeSource for Book {
    type Error = StoreError;

    fn node(&self, key: &Key) -> Result<Option<Node>, StoreError> {
        self.reader.node(key)
    }

    fn nodes(&self, keys: &[Key]) -> Result<Vec<Option<Node>>, StoreError> {
        self.reader.nodes(keys)
    }

    fn filter(&self, most: u64) -> Result<Option<KeyFilter>, StoreError> {
        self.reader.filter(most)
    }

    fn all_nodes(&self, most: usize) -> Result<Option<Vec<Node>>, StoreError> {
        self.reader.all_nodes(most)
    }

    fn held(&self, node: &Node) -> Result<Held, StoreError> {
        self.reader.held_of(node)
    }

    fn has_facts(&self) -> Result<bool, StoreError> {
        self.reader.facts().has_any()
    }

    fn facts_of(&self, key: &Key) -> Result<Vec<Bounds>, StoreError> {
        self.reader.facts_of(key)
    }

    fn known(&self, keys: &[Key]) -> Result<Vec<Option<Values>>, StoreError> {
        self.reader.facts().known(keys)
    }
}

impl NodeStore for Book {
    fn add(&mut self, node: &Node) -> Result<(), StoreError> {
        self.write(INSERT, node)?;
        *self.added.entry(node.key.discs()).or_default() += 1;
        Ok(())
    }

    fn replace(&mut self, node: &Node) -> Result<(), StoreError> {
        self.write(REPLACE, node)
    }

    fn held_apart(&self, key: &Key) -> Result<Held, StoreError> {
        match self.has_bounds()? {
            true => Ok(self.reader.held_beside(*key)?.into_held()),
            false => Ok(Held::default()),
        }
    }

    fn set_held(&mut self, node: &Node, held: &Held) -> Result<(), StoreError> {
        self.note_written(node.key);
        self.write_held(node, held)
    }

    fn remove(&mut self, node: &Node) -> Result<(), StoreError> {
        self.note_written(node.key);
        self.clear_of_node(node.key)?;
        self.delete(node.key)?;
        self.remember(node.key, None);
        Ok(())
    }

    fn source_order(&self) -> Result<Arc<SourceOrder>, StoreError> {
        self.reader.order_of_sources()
    }

    fn became_due(&mut self, key: Key) {
        if let Some(due) = &mut self.became_due {
            due.push(key);
        }
    }

    fn set_known(&mut self, key: Key, values: Option<Values>) -> Result<(), StoreError> {
        self.write_known(key, values)
    }
}

impl Book {
    fn write(&mut self, sql: &str, node: &Node) -> Result<(), StoreError> {
        self.note_written(node.key);
        let reader = &self.reader;
        reader
            .connection
            .prepare_cached(sql)
            .and_then(|mut statement| execute(&mut statement, node))
            .map_err(|cause| reader.failed(cause))?;
        self.remember(node.key, Some(*node));
        Ok(())
    }

    fn remember(&mut self, key: Key, node: Option<Node>) {
        if let Some(recall) = &mut self.reader.recall {
            recall.get_mut().wrote(key, node);
        }
    }

    fn note_written(&mut self, key: Key) {
        if let Some(written) = &mut self.written {
            written.note(key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openbook::{Rest, Searched, SourceId};
    use crate::othello::score::Score;
    use crate::othello::search::{Proof, Selectivity};
    use crate::store::Reader;
    use crate::store::sample::reachable;

    /// What is remembered is what the file says, whatever was done since it was read.
    #[test]
    fn nodes_are_remembered_as_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let mut book = Book::create(&path).unwrap();
        book.remember_nodes(100);
        let mut keys = reachable(8);
        keys.extend(reachable(9));
        let searched = Searched { depth: 3, selectivity: Selectivity::FULL, source: SourceId(0) };
        let rest = |key: Key, discs: i16| {
            let square = key.position().legal_moves().next();
            square.map(|square| Rest {
                square: Some(square),
                score: Score::from_discs(discs as i8),
                proof: Proof::None,
            })
        };
        for (number, &key) in keys.iter().enumerate() {
            book.insert(key, rest(key, number as i16 % 9 - 4), searched).unwrap();
            if number % 7 == 0 {
                book.settle().unwrap();
            }
            if number == 60 {
                book.commit().unwrap();
            }
            if number == 90 {
                book.rollback();
                assert_eq!(book.node(&keys[80]).unwrap(), None);
            }
        }
        book.set_rest(keys[0], rest(keys[0], 9), searched).unwrap();
        // What is gone is gone, and may come back.
        for &key in &keys[20..40] {
            assert!(book.remove_node(key).unwrap());
            assert_eq!(book.node(&key).unwrap(), None);
        }
        for &key in &keys[30..50] {
            book.insert(key, rest(key, 2), searched).unwrap();
        }
        book.commit().unwrap();
        let remembered = book.nodes(&keys).unwrap();
        assert_eq!(remembered, Reader::open(&path).unwrap().nodes(&keys).unwrap());
        assert!(remembered.iter().flatten().count() > 100);
        // Work on the whole book ends it: what it changes would not be seen.
        book.forget_values().unwrap();
        let forgotten = book.nodes(&keys).unwrap();
        assert_ne!(forgotten, remembered);
    }
}
