//! How a link that is held is made to count.

use crate::othello::search::Selectivity;

use super::{Evidence, Node, NodeSource, Record};

/// The least depth, with its selectivity, at which a search of `child` makes the link to it count beside the
/// record of `node` that answers for it. None where no search does: the record is exact, or a person has
/// judged `child`; or where `child` was searched like that and another search would cover no more moves.
pub(crate) fn raising_depth<S: NodeSource + ?Sized>(
    source: &S,
    node: &Node,
    record: &Record,
    child: &Node,
) -> Result<Option<(u8, Selectivity)>, S::Error> {
    let empties = child.key.position().empties();
    let error = record.error(node.key.position().empties());
    let selectivity = record.searched.selectivity;
    let bears = |&depth: &u8| Evidence::of_search(empties, depth, selectivity).bears(error);
    let Some(depth) = (0..=empties).find(bears) else { return Ok(None) };
    if child.more && source.held(child)?.judgement.is_some() {
        return Ok(None);
    }
    let own = child.own_record().filter(|own| {
        (own.searched.depth, own.searched.selectivity) >= (depth, selectivity) && !child.due
    });
    let covers_more = match own {
        Some(own) => own.misses_weak_links(source, child)?,
        None => true,
    };
    Ok(covers_more.then_some((depth, selectivity)))
}

impl Record {
    /// Whether it left moves out that lead to positions which are less sure than itself: a search as deep
    /// would cover them.
    fn misses_weak_links<S: NodeSource + ?Sized>(
        &self,
        source: &S,
        node: &Node,
    ) -> Result<bool, S::Error> {
        let error = self.error(node.key.position().empties());
        let children = node.children().zip(node.links.indices());
        let left_out = children.filter(|(_, index)| self.left_out.contains(*index));
        let keys: Vec<_> = left_out.map(|(link, _)| link.child).collect();
        let found = source.nodes(&keys)?;
        Ok(found.iter().flatten().any(|child| !child.evidence.bears(error)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openbook::{
        MemoryBook, MoveMask, Rest, Searched, SourceId, child_of, holding_record,
    };
    use crate::othello::board::{Key, Line, Square};
    use crate::othello::score::Score;
    use crate::othello::search::Proof;

    fn key(line: &str) -> Key {
        Key::of(line.parse::<Line>().unwrap().board().position)
    }

    fn add(book: &mut MemoryBook, line: &str, depth: u8) {
        let key = key(line);
        let is_new = |square: &Square| {
            let child = child_of(key.position(), *square).map(|(child, _)| child);
            child.is_none_or(|child| matches!(book.node(&child), Ok(None)))
        };
        let square = key.position().legal_moves().find(is_new);
        let rest = Some(Rest { square, score: Score::ZERO, proof: Proof::None });
        let selectivity = Selectivity::LOWEST;
        book.insert(key, rest, Searched { depth, selectivity, source: SourceId(0) }).unwrap();
        book.settle();
    }

    /// What raises the move from the start, where it is held.
    fn raises(book: &MemoryBook) -> Option<Option<(u8, Selectivity)>> {
        let Ok(nodes) = NodeSource::nodes(book, &[key(""), key("f5")]);
        let [Some(node), Some(child)] = nodes[..] else { panic!("a node is missing") };
        let Ok(held) = book.held(&node);
        let link = node.children().next().unwrap();
        let record = holding_record(&node, &held, link, &child)?;
        let Ok(least) = raising_depth(book, &node, &record, &child);
        Some(least)
    }

    #[test]
    fn the_least_search_that_raises_a_move_does_it() {
        let mut book = MemoryBook::new();
        add(&mut book, "", 14);
        add(&mut book, "f5", 2);
        let Some(Some((depth, Selectivity::LOWEST))) = raises(&book) else {
            panic!("it is not held, or nothing raises it")
        };
        assert!((3..=14).contains(&depth), "{depth}");
        add(&mut book, "f5", depth - 1);
        assert!(raises(&book).is_some());
        add(&mut book, "f5", depth);
        assert_eq!(raises(&book), None);
    }

    #[test]
    fn a_search_that_left_weak_moves_out_is_made_again() {
        let mut book = MemoryBook::new();
        add(&mut book, "", 14);
        add(&mut book, "f5d6", 2);
        // It was searched for its other moves only.
        add(&mut book, "f5", 20);
        assert!(matches!(raises(&book), Some(Some((depth, _))) if depth < 20));
        // As deep, for all of its moves.
        let Ok(Some(mut child)) = book.node(&key("f5")) else { panic!("it is missing") };
        child.left_out = MoveMask::NONE;
        let Ok(Some(node)) = book.node(&key("")) else { panic!("it is missing") };
        let record = node.own_record().unwrap();
        assert_eq!(raising_depth(&book, &node, &record, &child), Ok(None));
    }
}
