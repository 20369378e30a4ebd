//! Effort goes where good players go.

use crate::openbook::NodeSource;
use crate::othello::search::Level;

use super::frontier::Frontier;
use super::rules::{Arrival, Offer, Offers, Rests, Rules};
use super::{Deepen, Kept, Leaf, Policy, Reason, Request};

/// Drop-out expansion: the leaf whose line gives least away is next, with a penalty for each ply
/// so that long forced lines do not take everything (source: Buro, "Toward opening book learning").
/// The priority is the total regret plus the penalties, in centidiscs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Best {
    /// For each ply from the root, in centidiscs, not negative.
    pub penalty: i32,
    /// What is searched again, and deeper, before more is expanded.
    pub deeper: Option<Deeper>,
}

impl Default for Best {
    fn default() -> Self {
        Self { penalty: 25, deeper: None }
    }
}

/// When the best other move of a node is searched deeper than growth searches: a move that a shallow
/// search holds for a little worse than it is lies hidden until growth has come to all that costs less.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deeper {
    pub to: Deepen,
    /// It is as urgent as a leaf that costs so much more than the node itself, in centidiscs: the
    /// smaller, the more of the time goes to deeper searches. What they cost is in it.
    pub after: i32,
    /// A move that gives away more than this is not looked at again, in centidiscs: a deeper search
    /// hardly ever makes it good.
    pub hopeless: i32,
}

impl Deeper {
    /// With the prices that were measured (the notes of the book).
    pub const fn to(level: Level) -> Self {
        Self { to: Deepen { level }, after: 150, hopeless: 350 }
    }
}

/// Rests to be expanded, and those to be searched deeper.
struct InTwoStages {
    rests: Rests,
    deeper: Deeper,
}

impl<S: NodeSource + ?Sized> Offers<S> for InTwoStages {
    fn of(&self, book: &S, at: &Arrival, offers: &mut Vec<Offer>) -> Result<(), S::Error> {
        let first = offers.len();
        self.rests.of(book, at, offers)?;
        let Deeper { to, after, hopeless } = self.deeper;
        let open = offers.get(first).filter(|rest| rest.reason == Reason::Expand);
        if let Some(&rest) = open.filter(|rest| rest.more <= hopeless && to.wants(&at.node)) {
            offers.push(Offer {
                reason: Reason::Deepen,
                square: None,
                child: None,
                // It costs what the node does, and so much more.
                surcharge: after - rest.more,
                least: None,
                ..rest
            });
        }
        Ok(())
    }

    fn raises(&self) -> bool {
        true
    }
}

impl Best {
    const fn rules<'a>(&self, request: &'a Request<'a>) -> Rules<'a> {
        Rules { request, penalty: if self.penalty < 0 { 0 } else { self.penalty } }
    }
}

impl<S: NodeSource + ?Sized> Policy<S> for Best {
    fn deeper(&self) -> Option<Level> {
        self.deeper.map(|deeper| deeper.to.level)
    }

    fn next(&self, book: &S, request: &Request<'_>) -> Result<Vec<Leaf>, S::Error> {
        let (rules, rests) = (self.rules(request), Rests(request.judge));
        match self.deeper {
            None => Frontier::new(book, rules, rests).run(),
            Some(deeper) => Frontier::new(book, rules, InTwoStages { rests, deeper }).run(),
        }
    }

    fn next_kept(
        &self,
        book: &S,
        request: &Request<'_>,
        kept: &mut Kept,
    ) -> Result<Vec<Leaf>, S::Error> {
        let (rules, rests) = (self.rules(request), Rests(request.judge));
        let chosen = match self.deeper {
            None => kept.next(book, rules, &rests)?,
            Some(deeper) => kept.next(book, rules, &InTwoStages { rests, deeper })?,
        };
        chosen.map_or_else(|| self.next(book, request), Ok)
    }
}
