//! NTest files that the book was made from: what has not changed since is written as it was, with
//! the number of times that a position was played.

use super::{NtestKind, NtestLevel, NtestNode, NtestReader};
use crate::files::books::{Format, ReadOptions};
use crate::openbook::{MoveMask, Node, SourceId};
use crate::othello::board::{After, Key};
use crate::store::Reader;

use crate::files::books::kept_files::kept_files;
use crate::files::books::write::{KeyMap, WriteError};
use crate::openbook::ending::rest_with_ending;

/// The kept files of a book.
pub(super) struct Originals(Vec<(Vec<SourceId>, KeyMap<NtestNode>)>);

impl Originals {
    pub(super) fn of(book: &Reader) -> Result<Self, WriteError> {
        let files = kept_files(book, Format::Ntest)?.into_iter();
        // A file that cannot be read any more is as good as none.
        Ok(Self(files.filter_map(|file| Some((file.sources, nodes_of(&file.bytes)?))).collect()))
    }

    /// Whether the book was made from no such file.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The highest level that all branches of these files support.
    pub(super) fn level(&self) -> Option<NtestLevel> {
        let nodes = self.0.iter().flat_map(|(_, file)| file.values());
        let branches = nodes.filter(|node| node.kind() == NtestKind::Branch);
        let lowest = branches
            .map(|node| NtestLevel::supported(node.search(), node.position.empties()))
            .min();
        lowest.flatten()
    }

    /// The node as in its file, when neither its search nor its links changed since.
    pub(super) fn unchanged(&self, node: &Node) -> Option<NtestNode> {
        let (file, original) = self.of_search(node)?;
        let position = node.key.position();
        let linked = position.legal_moves().filter(|&square| match position.after(square) {
            Some(After::Opponent(next) | After::Same(next)) => file.contains_key(&Key::of(next)),
            _ => false,
        });
        let links = MoveMask::of_squares(node.key, linked.fold(0, |set, at| set | at.bit()));
        let (depth, selectivity) = original.searched();
        let mut then = Node { record: original.rest(), links, left_out: links, ..*node };
        then.drop_linked_rest();
        then.record = rest_with_ending(then.record, &then);
        let same_search = (depth, selectivity) == (node.searched.depth, node.searched.selectivity);
        (same_search && then.record == node.rest() && then.links == node.links).then_some(*original)
    }

    /// Whether a search came from a file in which the position had no moves.
    pub(super) fn has_no_moves(&self, node: &Node) -> bool {
        self.of_search(node).is_some_and(|(_, original)| original.kind() != NtestKind::Branch)
    }

    /// The file that a node's search came from, and the node as it was there.
    fn of_search(&self, node: &Node) -> Option<(&KeyMap<NtestNode>, &NtestNode)> {
        let is_source = |sources: &[SourceId]| sources.contains(&node.searched.source);
        let (_, file) = self.0.iter().find(|(sources, _)| is_source(sources))?;
        Some((file, file.get(&node.key)?))
    }

    /// How often a position was played, in private and in public games.
    pub(super) fn games(&self, key: Key) -> [u32; 2] {
        let of_files = self.0.iter().filter_map(|(_, file)| file.get(&key));
        of_files.fold([0; 2], |[private, public], node| {
            let [more_private, more_public] = node.games;
            [private.saturating_add(more_private), public.saturating_add(more_public)]
        })
    }
}

fn nodes_of(bytes: &[u8]) -> Option<KeyMap<NtestNode>> {
    let options = ReadOptions { lenient: false };
    let mut reader = NtestReader::new(bytes, "", options).ok()?;
    let mut nodes = KeyMap::default();
    while let Some((_, node)) = reader.next_node().ok()? {
        nodes.entry(Key::of(node.position)).or_insert(node);
    }
    Some(nodes)
}
