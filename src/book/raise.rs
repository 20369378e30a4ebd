//! How a link that is held is made to count.

use crate::search::Selectivity;

use super::{Evidence, Node, NodeSource, Record};

/// The least depth, with its confidence, at which a search of `child` makes the link to it count beside the
/// record of `node` that answers for it. None where no search does: the record is exact, or a person has
/// judged `child`; or where `child` was searched like that and another search would cover no more moves.
///
/// # Errors
/// The source cannot be read.
pub fn raising_depth<S: NodeSource + ?Sized>(
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
