//! The searchers of growth: threads of this process, or others that take work and bring results.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::othello::search::Stop;

use super::work::{Depth, Done, Work};

/// Searches what growth hands out. Growth owns the book, decides what is searched next, and judges
/// what comes back; a crew knows nothing of the book.
pub trait Crew {
    /// How many pieces of work growth may have handed out at once; it may change.
    fn capacity(&self) -> usize;

    /// Takes work over. Every piece is answered by a report, unless growth ends before.
    fn give(&mut self, tasks: Vec<Assignment>);

    /// What came in; waits so long for the first report.
    fn reports(&mut self, patience: Duration) -> Result<Vec<Report>, CrewError>;

    /// All results of the reports that were handed over so far are in the book for good: if they
    /// are kept for the case that this process dies, they may be forgotten.
    fn committed(&mut self) {}

    /// The result of a claim: none where it counts.
    fn judged(&mut self, _claim: &Claim, _refusal: Option<Refusal>) {}

    /// Whether the worker that found it is noted in the book, so that it can be searched again.
    fn keeps_finders(&self) -> bool {
        false
    }

    /// The state of workers elsewhere; none without any: then positions that others could not
    /// search are left alone.
    fn status(&self) -> Option<CrewStatus> {
        None
    }
}

/// Why a crew can search no more, in a sentence.
pub type CrewError = Box<dyn std::error::Error + Send + Sync>;

/// A piece of work that is handed out.
#[derive(Clone, Debug)]
pub struct Assignment {
    pub work: Work,
    pub depth: Depth,
    /// Cancels it, and reports to growth how deep it has come.
    pub stop: Stop,
}

/// What a crew brings back.
#[derive(Clone, Debug)]
pub enum Report {
    /// Searched by this process.
    Done(Done),
    /// Searched by a worker elsewhere: it is judged.
    Claimed(Claim),
    /// What came does not count, whatever the book says.
    Refused {
        /// What was searched, as far as that is known: it is free to be handed out again.
        work: Option<Work>,
        why: Refusal,
    },
    /// No worker can do it: growth leaves it alone from now on.
    Failed {
        /// What was to be searched.
        work: Work,
        why: String,
    },
    /// A worker's results are wrong: what it found is searched again.
    Liar {
        worker: String,
    },
    Panicked(Work),
}

/// A result, and its worker.
#[derive(Clone, Debug)]
pub struct Claim {
    /// What was found.
    pub done: Done,
    pub worker: String,
}

/// Why a result does not count.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Refusal {
    /// It is no message of ours.
    Malformed,
    /// It is about another book.
    OtherBook,
    /// Another program searched, or the same with other weights.
    OtherProgram,
    /// It was searched to another depth, or with another table, than this run's.
    OtherTerms,
    /// The book has it already.
    Known,
    /// The moves that were left out are not those that lead into the book.
    OtherLinks,
    /// The book does not ask for it.
    Unasked,
    /// The move is none of those that were to be searched.
    IllegalMove,
    /// No search to this depth can give such a score, proof, depth or selectivity.
    Impossible,
    /// Its worker was shut out.
    ShutOut,
}

impl Refusal {
    /// In words: "doubled or late", ...
    pub const fn text(self) -> &'static str {
        match self {
            Self::Malformed => "malformed",
            Self::OtherBook => "of another book",
            Self::OtherProgram => "of another program",
            Self::OtherTerms => "of another level or table",
            Self::Known => "doubled or late",
            Self::OtherLinks => "outdated by other results",
            Self::Unasked => "not asked for",
            Self::IllegalMove => "with an illegal move",
            Self::Impossible => "impossible",
            Self::ShutOut => "of a worker that was shut out",
        }
    }
}

/// How many results were refused, by reason.
pub(crate) type Refused = BTreeMap<Refusal, u64>;

/// Whether workers elsewhere can be reached.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Contact {
    /// They can.
    Stands,
    /// They cannot: what lies between is away.
    #[default]
    Lost,
    /// They cannot: what lies between does not let us in any more.
    Refused,
}

/// The state of workers elsewhere.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct CrewStatus {
    /// Whether they can be reached just now.
    pub contact: Contact,
    /// Workers that gave a sign of life lately.
    pub workers: u64,
    pub threads: u64,
    /// Workers that were shut out.
    pub shut_out: u64,
    /// Results of theirs a second, lately.
    pub results_per_second: f64,
}
