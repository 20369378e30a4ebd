//! Exporting a part of a book: a copy of it is cut as `prune` would, so that values stay what they
//! were and a move that leads to a position left out becomes the rest of the position before it.

use crate::openbook::NodeSource;
use crate::othello::board::{Key, Placed};
use crate::store::unfinished::Unfinished;
use crate::store::{Book, Reader};

use super::super::output::ExportTarget;
use super::super::prune::{PruneOptions, plan_prune, prune};
use super::copy::temporary_copy;
use super::few::FewReach;
use super::terms::{ExportError, ExportFilter, ExportOptions};

/// A cut copy of a book, in a folder that vanishes with it.
pub(super) struct Part {
    pub(super) book: Book,
    /// Positions that are not in it.
    pub(super) left_out: u64,
    /// What to say where the level that was asked for leaves less than a tenth of what else would be in it.
    pub(super) few: Option<FewReach>,
    _folder: Unfinished,
}

impl Part {
    pub(super) fn of(
        book: &Reader,
        target: &ExportTarget,
        options: &ExportOptions,
    ) -> Result<Self, ExportError> {
        let filter = &options.filter;
        if let Some(from) = &filter.from {
            let root = from.root();
            if book.node(&Key::of(root.position))?.is_none() {
                return Err(ExportError::NotInBook);
            }
            // Zebra keeps no boards: nothing is known but by the way from the start.
            let is_reached = root == Placed::START || !from.way.is_empty();
            if options.format.zebra_shape().is_some() && !is_reached {
                return Err(ExportError::NoWay);
            }
        }
        let (book, (left_out, few), folder) =
            temporary_copy(book, target, Some(&options.stop), |copy| cut(book, copy, filter))?;
        Ok(Self { book, left_out, few, _folder: folder })
    }
}

/// Cuts the copy of a book; how many positions are not in it any more, and what is to be said of few that are.
fn cut(
    book: &Reader,
    copy: &mut Book,
    filter: &ExportFilter,
) -> Result<(u64, Option<FewReach>), ExportError> {
    let way = filter.from.as_ref().map_or(0, |from| from.way.len() as u64);
    let options = PruneOptions {
        max_discs: filter.max_discs,
        window: None,
        only: filter.from.clone(),
        limits: filter.limits,
        min_level: filter.min_level,
        least_games: None,
    };
    let kept = plan_prune(copy.reader(), &options)?;
    let mut few = None;
    if let Some(level) = options.min_level
        && kept.going() > 0
    {
        let of = plan_prune(copy.reader(), &PruneOptions { min_level: None, ..options })?.staying();
        let staying = kept.staying();
        if staying < of / 10 || staying <= 1 + way && staying < of {
            few = Some(FewReach::of(book, level, staying, of)?);
        }
        // The position that lines are followed from stays whatever it was searched at, and so do those
        // below it whose moves are all in the book.
        if let Some(few) = few.take_if(|few| staying <= 1 + way || few.searched == 0) {
            return Err(ExportError::NothingLeft(few));
        }
    }
    prune(copy, &kept)?;
    Ok((kept.going(), few))
}

#[cfg(test)]
mod tests {
    use crate::app::export::{ExportError, ExportFilter, ExportOptions, ExportTarget, export_at};
    use crate::app::new_book;

    /// The copy of a large book takes too long to wait for.
    #[test]
    fn a_part_that_nobody_wants_any_more_is_not_copied() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.db");
        new_book(&crate::app::BookFile::at(&path), true).unwrap();
        let target = folder.path().join("part.json");
        std::fs::write(&target, "before").unwrap();
        let filter = ExportFilter { max_discs: Some(20), ..ExportFilter::default() };
        let options = ExportOptions { filter, ..ExportOptions::default() };
        options.stop.stop();
        let done = export_at(&path, &ExportTarget::of(&target), &options, |_| {});
        assert!(matches!(done, Err(ExportError::Stopped(_))), "{done:?}");
        assert_eq!(std::fs::read(&target).unwrap(), b"before");
        let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().flatten().collect();
        assert!(left.iter().all(|file| !file.file_name().to_string_lossy().contains("unfinished")));
    }
}
