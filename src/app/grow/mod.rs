//! Growing a book: rank, take, search, store, propagate.
//!
//! One thread owns the book; it ranks what is to be searched, hands it to a crew, and puts the
//! results into the book as they come. The searchers are a detail: threads of this process
//! ([`Threads`]) or any other [`Crew`]. Each search is handed out once. The book is committed at
//! least once a second, so that being killed costs no more than that.

mod agenda;
mod crew;
mod easier;
mod games;
mod growth;
mod history;
mod judge;
mod level;
mod policy;
mod raise;
mod spent;
#[cfg(feature = "workshop")]
pub(crate) mod stand_in;
mod start;
mod terms;
mod threads;
mod under_way;
mod work;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::app::undo::tidy_saved;
use crate::openbook::NodeSource;
use crate::openbook::policy::{GiveUp, Leaf, Reason, Request};
use crate::openbook::regret::Judge;
use crate::openbook::way::line_to_new;
use crate::othello::board::{Key, Placed, Square};
use crate::othello::eval::Evaluator;
use crate::othello::search::Stop;
use crate::store::{Book, Reader};

pub(crate) use crew::Refused;
pub use crew::{Assignment, Claim, Contact, Crew, CrewError, CrewStatus, Refusal, Report};
pub use games::GamesError;
pub(crate) use games::read_game_lines;
use growth::Growth;
pub(crate) use level::BookLevel;
pub(crate) use policy::PolicyOption;
pub use policy::{PlayedGames, PolicyError, PolicyNeed, PolicySpec};
pub(crate) use raise::{RaisePlan, plan_raise};
pub use spent::Spent;
use start::missing;
pub use start::{GrowStart, Target};
pub(crate) use terms::DEFAULT_TABLE_MEGABYTES;
pub use terms::{
    Candidate, EarlierWork, Easier, Ended, GrowError, GrowOptions, GrowStatus, GrowSummary,
    Searching, Taken,
};
pub(crate) use threads::Threads;
pub use work::{DEFAULT_LEVEL, Depth, Done, Spot, SpotResult, Work, run as run_work};

/// Grows a book on threads of this process until a limit is reached, nothing is left, or `stop` is
/// raised. `watch` gets the progress several times a second.
///
/// # Errors
/// When the book cannot be written; what was committed stays.
pub fn grow<E: Evaluator + 'static>(
    book: &mut Book,
    evaluator: &Arc<E>,
    options: &GrowOptions,
    stop: &Stop,
    watch: &mut dyn FnMut(&GrowStatus),
) -> Result<GrowSummary, GrowError> {
    let GrowOptions { threads, table_megabytes, in_flight, .. } = *options;
    let mut crew = Threads::new(evaluator, threads, table_megabytes, in_flight)?;
    grow_with(book, &mut crew, &evaluator.name(), options, stop, watch)
}

/// Nodes that are kept in memory, twice so many at most, of some 80 bytes each: ranking goes through the
/// top of the book again and again.
const REMEMBERED: usize = 1 << 18;

/// As [`grow`], with any crew; `evaluator` is the name of what all of its searchers judge with.
///
/// # Errors
/// When the book cannot be written, or the crew can search no more; what was committed stays.
pub fn grow_with(
    book: &mut Book,
    crew: &mut dyn Crew,
    evaluator: &str,
    options: &GrowOptions,
    stop: &Stop,
    watch: &mut dyn FnMut(&GrowStatus),
) -> Result<GrowSummary, GrowError> {
    let start = [GrowStart::default()];
    let starts = starts(options, &start);
    let roots = roots(starts)?;
    let cancel = Stop::new();
    book.remember_nodes(REMEMBERED);
    book.wait_for_others(Some(stop.clone()));
    let summary = Growth::start(book, crew, evaluator, options, (starts, &roots), &cancel)
        .and_then(|growth| growth.run(stop, watch));
    book.forget_nodes();
    book.wait_for_others(None);
    cancel.stop();
    if summary.is_err() {
        book.rollback();
    }
    // What is kept for undo may have become too much.
    tidy_saved(book.reader());
    summary
}

/// What growth with these options would search first: nothing is searched or written.
pub fn next_leaves(
    book: &Reader,
    options: &GrowOptions,
    count: usize,
) -> Result<Vec<Candidate>, GrowError> {
    let _snapshot = book.snapshot()?;
    let start = [GrowStart::default()];
    let starts = starts(options, &start);
    let roots = roots(starts)?;
    let request = Request {
        roots: &roots,
        count,
        in_flight: &HashSet::default(),
        max_discs: options.max_discs,
        limits: options.limits,
        judge: Judge { contempt: options.contempt },
        depth: options.depth,
        give_up: GiveUp::default(),
    };
    let missing = missing(book, starts, options.max_discs)?;
    let are_listed: HashSet<Key> = missing.iter().map(|(key, _)| *key).collect();
    let missing = missing.into_iter().map(|(key, target)| (Leaf::to_add(key), target));
    let leaves = options.policy.next(book, &request)?.into_iter();
    let leaves = leaves
        .filter(|leaf| leaf.reason != Reason::Add || !are_listed.contains(&leaf.key))
        .map(|leaf| (Target::of(&leaf, starts), leaf))
        .map(|(to, leaf)| (leaf, to));
    let candidate = |(leaf, target): (Leaf, Target)| {
        let guess = book.node(&leaf.key)?.map(|node| node.values.guess);
        let priority = match leaf.priority {
            i32::MIN => None,
            rank if options.policy.ranks_by_centidiscs() => Some(f64::from(rank) / 100.0),
            rank => Some(f64::from(rank)),
        };
        Ok(Candidate { leaf, target, guess, priority })
    };
    let found: Result<Vec<Candidate>, GrowError> =
        missing.chain(leaves).take(count).map(candidate).collect();
    let mut found = found?;
    name_lines(book, &mut found)?;
    Ok(found)
}

/// Gives lines to positions that policies found without one.
fn name_lines(book: &Reader, found: &mut [Candidate]) -> Result<(), GrowError> {
    let mut known: HashMap<Key, Vec<Square>> = HashMap::new();
    for candidate in found {
        let target = &mut candidate.target;
        let key = Key::of(target.position);
        if target.line.is_none() {
            target.line = line_to_new(book, key, &known)?;
        }
        if let Some(line) = &target.line {
            known.entry(key).or_insert_with(|| line.clone());
        }
    }
    Ok(())
}

/// Whether growth can start at all of these.
pub(crate) fn check_starts(starts: &[GrowStart]) -> Result<(), GrowError> {
    roots(starts).map(|_| ())
}

/// Where growth starts: where that is not said, at the start of the game.
fn starts<'a>(options: &'a GrowOptions, start: &'a [GrowStart]) -> &'a [GrowStart] {
    if options.from.is_empty() { start } else { &options.from }
}

fn roots(starts: &[GrowStart]) -> Result<Vec<Placed>, GrowError> {
    let root = |start: &GrowStart| {
        if let Some(square) = start.placed.position.empty_centre().next() {
            return Err(GrowError::NoCentre { start: start.clone(), square });
        }
        start.root().ok_or_else(|| GrowError::Over(start.clone()))
    };
    starts.iter().map(root).collect()
}
