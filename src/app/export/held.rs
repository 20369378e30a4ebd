//! What other programs would take for links that count: they know no held ones.

use std::collections::HashSet;

use foldhash::fast::FixedState;

use super::super::output::ExportTarget;
use super::super::prune::prune;
use super::copy::temporary_copy;
use super::terms::ExportError;
use crate::openbook::MoveMask;
use crate::othello::board::Key;
use crate::store::unfinished::Unfinished;
use crate::store::{Book, Kept, Reader};

type Keys = HashSet<Key, FixedState>;

/// What comes of a book for programs that know no held links.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct WithoutHeld {
    /// Positions that only held links reach: they are left out.
    pub(super) only_held: u64,
    /// Positions with a held link to one that is reached otherwise, too: the receiving program values them by it.
    pub(super) seen_otherwise: u64,
}

/// A copy of a book without the positions that only held links reach, in a folder that vanishes with it.
pub(super) struct Cut {
    pub(super) book: Book,
    pub(super) report: WithoutHeld,
    _folder: Unfinished,
}

impl Cut {
    /// Cuts a book; none where no link is held.
    pub(super) fn of(book: &Reader, target: &ExportTarget) -> Result<Option<Self>, ExportError> {
        let Some((kept, report)) = plan(book)? else { return Ok(None) };
        let (book, _, folder) =
            temporary_copy(book, target, Some(book.stop()), |copy| Ok(prune(copy, &kept)?))?;
        Ok(Some(Self { book, report, _folder: folder }))
    }
}

/// Which positions stay; none where no link is held.
fn plan(book: &Reader) -> Result<Option<(Kept, WithoutHeld)>, ExportError> {
    let _snapshot = book.snapshot()?;
    let (mut kept, mut report) = (Kept::default(), WithoutHeld::default());
    let (mut reached, mut linked) = (Keys::default(), Keys::default());
    let mut is_any_held = false;
    for (discs, _) in book.counts()?.layers {
        let (mut reached_below, mut linked_below) = (Keys::default(), Keys::default());
        let mut with_held: Vec<Vec<Key>> = Vec::new();
        book.for_each_in_layer(discs, |node| -> Result<(), ExportError> {
            let stays = reached.contains(&node.key) || !linked.contains(&node.key);
            kept.push(discs, stays);
            let held = if stays { node.held_links(book)? } else { MoveMask::NONE };
            is_any_held |= !held.is_empty();
            let mut to_held = Vec::new();
            for (link, index) in node.children().zip(node.links.indices()) {
                linked_below.insert(link.child);
                if stays && !held.contains(index) {
                    reached_below.insert(link.child);
                } else if stays {
                    to_held.push(link.child);
                }
            }
            if !to_held.is_empty() {
                with_held.push(to_held);
            }
            Ok(())
        })?;
        let is_seen = |to: &&Vec<Key>| to.iter().any(|child| reached_below.contains(child));
        report.seen_otherwise += with_held.iter().filter(is_seen).count() as u64;
        (reached, linked) = (reached_below, linked_below);
    }
    report.only_held = kept.going();
    Ok(is_any_held.then_some((kept, report)))
}
