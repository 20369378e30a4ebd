//! What to search next: each policy ranks the open ends of a book in its own way.

mod best;
mod deepen;
mod deviate;
mod doubt;
mod fill;
mod frontier;
mod kept;
mod lines;
mod played;
mod popular;
mod request;
mod rules;
mod solve;

use crate::othello::search::Level;

use super::NodeSource;

pub use best::{Best, Deeper};
pub use deepen::Deepen;
pub use deviate::Deviate;
pub use doubt::Doubt;
pub use fill::Fill;
pub use kept::Kept;
pub use lines::Lines;
pub use played::Played;
pub use popular::Popular;
pub use request::{GiveUp, Leaf, Reason, Request};
pub use solve::Solve;

/// A ranking that goes through the whole book is shared by one leaf for so many positions, so that the cost of
/// a choice does not rise with the book.
const POSITIONS_FOR_EACH: u64 = 12;
/// No more leaves than this are kept, of some 200 bytes each.
const MOST_KEPT: u64 = 1 << 18;

/// How many leaves of a ranking that goes through all these positions are kept, and never fewer than `least`.
fn share_of(positions: u64, least: usize) -> usize {
    least.max((positions / POSITIONS_FOR_EACH).min(MOST_KEPT) as usize)
}

/// A policy whose ranking goes through the whole book.
trait Whole: Copy + Send {
    /// So many leaves are kept of the first ranking, and in the smallest book.
    const LEAST: usize;
    /// Whether a ranking goes through the whole book, however few leaves are asked for.
    const GOES_THROUGH_ALL: bool = false;
    /// As [`Policy::ranks_by_centidiscs`].
    const BY_CENTIDISCS: bool = true;

    /// What comes first.
    fn rank<S: NodeSource + ?Sized>(
        self,
        book: &S,
        request: &Request<'_>,
    ) -> Result<Vec<Leaf>, S::Error>;
}

impl<S: NodeSource + ?Sized, W: Whole> Policy<S> for W {
    fn batch(&self, positions: u64, searches: u64) -> usize {
        // The first search begins early.
        match searches == 0 && !W::GOES_THROUGH_ALL {
            true => W::LEAST,
            false => share_of(positions, W::LEAST),
        }
    }

    fn ranks_by_centidiscs(&self) -> bool {
        W::BY_CENTIDISCS
    }

    fn next(&self, book: &S, request: &Request<'_>) -> Result<Vec<Leaf>, S::Error> {
        self.rank(book, request)
    }

    fn next_kept(
        &self,
        book: &S,
        request: &Request<'_>,
        kept: &mut Kept,
    ) -> Result<Vec<Leaf>, S::Error> {
        match kept.loaded(book)? {
            Some(loaded) => self.rank(&loaded, request),
            None => self.rank(book, request),
        }
    }
}

/// A way to choose what is searched next.
pub trait Policy<S: NodeSource + ?Sized>: Send {
    /// How many leaves are to be asked for at once and kept in a book of so many positions, after so many searches:
    /// more than one where ranking goes through a great part of the book, and results hardly change the rank of
    /// what is left.
    fn batch(&self, _positions: u64, _searches: u64) -> usize {
        1
    }

    /// Whether [`Leaf::priority`] is in centidiscs, as regret is.
    fn ranks_by_centidiscs(&self) -> bool {
        true
    }

    /// How deep what it wants searched deeper is searched ([`Reason::Deepen`]); none: as deep as all.
    fn deeper(&self) -> Option<Level> {
        None
    }

    /// As [`Policy::next`], by what was kept of the choice before where that is quicker: the same leaves for the same
    /// reasons, but of ways that cost the same and give away the same any may be given.
    fn next_kept(
        &self,
        book: &S,
        request: &Request<'_>,
        _kept: &mut Kept,
    ) -> Result<Vec<Leaf>, S::Error> {
        self.next(book, request)
    }

    /// The next leaves, most urgent first, from the book as it is: nothing is remembered between
    /// calls but what is a shortcut, since growing removes nothing. Fewer than asked for when no more
    /// are within the limits. A node on which a search is due is among them when it is reached within
    /// the limits, where the policy comes to it. Once [`Request::give_up`] is due there may be any
    /// number of leaves, and few of them say nothing of how many there are.
    fn next(&self, book: &S, request: &Request<'_>) -> Result<Vec<Leaf>, S::Error>;
}
