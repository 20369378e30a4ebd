//! Matches: evaluators, levels, books and other programs against each other.
//!
//! Every opening is played twice, with colours changed, so that a lopsided one favours neither
//! side. Our own players search alone on the thread of their game, so equal processor time is equal
//! strength of machine, whatever else runs on it. Other programs are processes of their own, for each game that is
//! played at once.

mod engine;
mod fault;
mod game;
mod openings;
mod pair;
mod player;
mod saved;
mod seat;
mod standings;
mod statistics;
mod tally;

pub(crate) use fault::MatchError;
pub(crate) use openings::{
    OpeningRequest, PlayedError, Pool, balanced_openings, played_openings, read_openings,
};
pub(crate) use pair::Pair;
pub use player::{EnginePlayer, OwnPlayer, Pace, Player, Protocol};
pub(crate) use saved::MatchNames;
pub(crate) use standings::{Standing, Standings};
pub use statistics::{Elo, Sprt, SprtError, SprtState};
pub use tally::Tally;

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use crate::othello::board::Line;
use crate::othello::search::Stop;

use game::play_game;
use seat::Seat;

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
    /// The match ends when this has decided.
    pub sprt: Option<Sprt>,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct MatchResult {
    /// The openings played to the end, in their order.
    pub pairs: Vec<Pair>,
    /// What they add up to.
    pub tally: Tally,
    /// What the test says that was asked for.
    pub sprt: Option<SprtState>,
}

/// The tally so far is reported no more often than this: adding many openings up takes its time,
/// too.
const PACE: Duration = Duration::from_millis(100);

/// Plays a match, many games at once on the threads of the current pool, beginning with the pairs that have been
/// played before. `progress` gets the tally so far, some times a second; `keep` gets the other openings themselves in
/// their order, each as soon as those before it are played, too. When stopped, the result holds the openings played to
/// the end.
pub(crate) fn play_match(
    request: &MatchRequest<'_>,
    before: Vec<Pair>,
    stop: &Stop,
    progress: &(dyn Fn(&Tally) + Sync),
    keep: &mut (dyn FnMut(&Pair) + Send),
) -> Result<MatchResult, MatchError> {
    let (sender, receiver) = channel::<Pair>();
    let (next, has_failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let is_played: HashSet<usize> = before.iter().map(|pair| pair.opening).collect();
    let state = |tally: &Tally| Some(request.sprt?.state(&tally.pairs_by_half_points));
    let decided = |pairs: &[Pair]| {
        request.sprt.is_some() && state(&Tally::of(pairs)).is_some_and(|it| it.accepted.is_some())
    };
    let is_decided = &AtomicBool::new(decided(&before));
    std::thread::scope(|scope| {
        let is_played = &is_played;
        // The sums do not depend on the order in which games end: only that of shown tallies does.
        let adder = scope.spawn(move || {
            let mut pairs = before;
            let mut waiting: BTreeMap<usize, Pair> = BTreeMap::new();
            let (mut due, mut told) = (0, None::<Instant>);
            for pair in receiver {
                pairs.push(pair.clone());
                if decided(&pairs) {
                    is_decided.store(true, Ordering::Relaxed);
                }
                if told.is_none_or(|told| told.elapsed() >= PACE) {
                    progress(&Tally::of(&pairs));
                    told = Some(Instant::now());
                }
                waiting.insert(pair.opening, pair);
                loop {
                    match waiting.remove(&due) {
                        Some(pair) => keep(&pair),
                        None if is_played.contains(&due) => {}
                        None => break,
                    }
                    due += 1;
                }
            }
            waiting.values().for_each(keep);
            pairs.sort_by_key(|pair: &Pair| pair.opening);
            let tally = Tally::of(&pairs);
            MatchResult { tally, pairs, sprt: state(&tally) }
        });
        // One opening after the other, so that few wait for those before them.
        let played = rayon::broadcast(|_| {
            let mut seats = None;
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(opening) = request.openings.get(number) else { return Ok(()) };
                if is_played.contains(&number) {
                    continue;
                }
                let is_over =
                    has_failed.load(Ordering::Relaxed) || is_decided.load(Ordering::Relaxed);
                if stop.is_stopped() || is_over {
                    return Ok(());
                }
                let pair = play_pair(request, &mut seats, (number, opening), stop)
                    .inspect_err(|_| has_failed.store(true, Ordering::Relaxed))?;
                if let Some(pair) = pair {
                    // The adder listens until the last sender is gone.
                    let _ = sender.send(pair);
                }
            }
        });
        drop(sender);
        let result = adder.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        played.into_iter().collect::<Result<(), MatchError>>().map(|()| result)
    })
}

/// Plays an opening with both colours, at seats that are taken for the first one; none when it was stopped.
fn play_pair(
    request: &MatchRequest<'_>,
    seats: &mut Option<(Seat, Seat)>,
    (opening, line): (usize, &Line),
    stop: &Stop,
) -> Result<Option<Pair>, MatchError> {
    let (first, second) = match seats {
        Some(seats) => seats,
        None => seats.insert((
            Seat::new(request.first, request.table_megabytes)?,
            Seat::new(request.second, request.table_megabytes)?,
        )),
    };
    let Some(as_black) = play_game(first, second, line, stop)? else { return Ok(None) };
    let Some(as_white) = play_game(second, first, line, stop)? else { return Ok(None) };
    Ok(Some(Pair { opening, as_black, as_white: as_white.seen_by_other() }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::eval::by_name;
    use crate::othello::search::{MoveOrdering, Selectivity};

    fn player(name: &str, depth: u8) -> Player {
        Player::Own(OwnPlayer {
            evaluator: by_name(name).unwrap(),
            pace: Pace::Depth { depth, selectivity: Selectivity::FULL, solve_from: 6 },
            book: None,
            ordering: MoveOrdering::default(),
        })
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
            let request = MatchRequest { first, second, openings, table_megabytes: 1, sprt: None };
            let mut kept = Vec::new();
            let mut keep = |pair: &Pair| kept.push(pair.clone());
            let result =
                play_match(&request, Vec::new(), &Stop::new(), &|_| (), &mut keep).unwrap();
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
        let Player::Own(own) = strong.clone() else { panic!("it is our own") };
        let quick = Player::Own(OwnPlayer { ordering: MoveOrdering::Quick, ..own });
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
