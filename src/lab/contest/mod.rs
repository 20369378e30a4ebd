//! Matches: evaluators, levels and books against each other.
//!
//! Every opening is played twice, with colours changed, so that a lopsided one favours neither
//! side. Both sides search alone on the thread of their game, so equal processor time is equal
//! strength of machine, whatever else runs on it.

mod game;
mod openings;
mod pair;
mod player;
mod saved;
mod standings;
mod tally;

pub(crate) use openings::{
    OpeningRequest, PlayedError, Pool, balanced_openings, played_openings, read_openings,
};
pub(crate) use pair::Pair;
pub use player::{Pace, Player};
pub(crate) use saved::MatchNames;
pub(crate) use standings::{Standing, Standings};
pub use tally::Tally;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use crate::othello::board::Line;
use crate::othello::search::Stop;
use crate::store::StoreError;

use game::{Seat, play_game};

/// Two players and what they play.
#[derive(Clone, Copy)]
pub(crate) struct MatchRequest<'a> {
    /// The first player: results are seen by this one.
    pub first: &'a Player,
    pub second: &'a Player,
    /// Each is played twice.
    pub openings: &'a [Line],
    /// Memory for each player's table in MiB.
    pub table_megabytes: usize,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct MatchResult {
    /// The openings played to the end, in their order.
    pub pairs: Vec<Pair>,
    /// What they add up to.
    pub tally: Tally,
}

/// The tally so far is reported no more often than this: adding many openings up takes its time,
/// too.
const PACE: Duration = Duration::from_millis(100);

/// Plays a match, many games at once on the threads of the current pool. `progress` gets the tally
/// so far, some times a second; `keep` gets the openings themselves in their order, each as soon as those
/// before it are played, too. When stopped, the result holds the openings played to the end.
pub(crate) fn play_match(
    request: &MatchRequest<'_>,
    stop: &Stop,
    progress: &(dyn Fn(&Tally) + Sync),
    keep: &mut (dyn FnMut(&Pair) + Send),
) -> Result<MatchResult, StoreError> {
    let (sender, receiver) = channel::<Pair>();
    let (next, has_failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    std::thread::scope(|scope| {
        // The sums do not depend on the order in which games end: only that of shown tallies does.
        let adder = scope.spawn(move || {
            let mut pairs = Vec::new();
            let mut waiting: BTreeMap<usize, Pair> = BTreeMap::new();
            let (mut due, mut told) = (0, None::<Instant>);
            for pair in receiver {
                pairs.push(pair.clone());
                if told.is_none_or(|told| told.elapsed() >= PACE) {
                    progress(&Tally::of(&pairs));
                    told = Some(Instant::now());
                }
                waiting.insert(pair.opening, pair);
                while let Some(pair) = waiting.remove(&due) {
                    keep(&pair);
                    due += 1;
                }
            }
            waiting.values().for_each(keep);
            pairs.sort_by_key(|pair: &Pair| pair.opening);
            MatchResult { tally: Tally::of(&pairs), pairs }
        });
        // One opening after the other, so that few wait for those before them.
        let played = rayon::broadcast(|_| {
            let mut seats = None;
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(opening) = request.openings.get(number) else { return Ok(()) };
                if stop.is_stopped() || has_failed.load(Ordering::Relaxed) {
                    return Ok(());
                }
                let pair = play_pair(request, &mut seats, (number, opening), stop)
                    .inspect_err(|_| has_failed.store(true, Ordering::Relaxed))?;
                if !stop.is_stopped() {
                    // The adder listens until the last sender is gone.
                    let _ = sender.send(pair);
                }
            }
        });
        drop(sender);
        let result = adder.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        played.into_iter().collect::<Result<(), StoreError>>().map(|()| result)
    })
}

/// Plays an opening with both colours, at seats that are taken for the first one.
fn play_pair(
    request: &MatchRequest<'_>,
    seats: &mut Option<(Seat, Seat)>,
    (number, opening): (usize, &Line),
    stop: &Stop,
) -> Result<Pair, StoreError> {
    let (first, second) = match seats {
        Some(seats) => seats,
        None => seats.insert((
            Seat::new(request.first, request.table_megabytes)?,
            Seat::new(request.second, request.table_megabytes)?,
        )),
    };
    let as_black = play_game(first, second, opening, stop)?;
    let as_white = play_game(second, first, opening, stop)?.seen_by_other();
    Ok(Pair::new(number, as_black, as_white))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::eval::by_name;
    use crate::othello::search::{MoveOrdering, Selectivity};

    fn player(name: &str, depth: u8) -> Player {
        Player {
            evaluator: by_name(name).unwrap(),
            pace: Pace::Depth { depth, selectivity: Selectivity::FULL, solve_from: 6 },
            book: None,
            ordering: MoveOrdering::default(),
        }
    }

    #[test]
    fn a_match_repeats_and_looking_ahead_wins() {
        let request = OpeningRequest { count: 6, seed: 4, depth: 2 };
        let openings = balanced_openings(&request, &Stop::new(), &mut |_| ()).unwrap();
        assert_eq!(openings, balanced_openings(&request, &Stop::new(), &mut |_| ()).unwrap());
        assert_eq!(openings.len(), 6);
        let (strong, weak) = (player("rosebill", 3), player("squares", 0));
        let played = |first, second| {
            let openings = &openings;
            let request = MatchRequest { first, second, openings, table_megabytes: 1 };
            let mut kept = Vec::new();
            let mut keep = |pair: &Pair| kept.push(pair.clone());
            let result = play_match(&request, &Stop::new(), &|_| (), &mut keep).unwrap();
            let numbers: Vec<_> = result.pairs.iter().map(|pair| pair.opening).collect();
            assert_eq!(numbers, [0, 1, 2, 3, 4, 5], "in the order of the openings");
            assert_eq!(kept, result.pairs, "in this order from the first on");
            result.tally
        };
        let tally = played(&strong, &weak);
        assert_eq!((tally.games, tally.won + tally.drawn + tally.lost), (12, 12));
        assert!(tally.won >= 10, "{tally:?}");
        let other = played(&weak, &strong);
        assert_eq!((other.won, other.drawn, other.lost), (tally.lost, tally.drawn, tally.won));
        assert!((other.mean_difference.unwrap() + tally.mean_difference.unwrap()).abs() < 1e-9);
        // Another ordering changes what a search costs.
        let quick = Player { ordering: MoveOrdering::Quick, ..strong.clone() };
        let other_order = played(&quick, &weak);
        assert_ne!(other_order.nodes[0], tally.nodes[0]);
        // Against itself every opening comes out even.
        let even = played(&strong, &strong);
        assert_eq!(
            (even.percent, even.mean_difference, even.mean_difference_error),
            (Some(50.0), Some(0.0), None)
        );
        assert_eq!((even.pairs, even.pairs_drawn), (6, 6));
    }
}
