//! Matches: evaluators, levels and books against each other.
//!
//! Every opening is played twice, with colours changed, so that a lopsided one favours nobody. Both
//! sides search alone on the thread of their game, so equal processor time is equal strength of
//! machine, whatever else runs on it.

mod game;
mod openings;
mod pair;
mod player;
mod saved;
mod tally;

pub use openings::{
    OpeningFile, OpeningFileError, OpeningRequest, PlayedError, Pool, balanced_openings,
    played_openings, read_openings,
};
pub use pair::{Pair, PairGame};
pub use player::{Pace, Player};
pub use saved::MatchNames;
pub use tally::Tally;

use std::sync::mpsc::channel;

use rayon::prelude::*;

use crate::board::Line;
use crate::search::Stop;
use crate::store::StoreError;

use game::{Seat, play_game};

/// Two players and what they play.
#[derive(Clone, Copy)]
pub struct MatchRequest<'a> {
    /// The first player: results are seen by this one.
    pub first: &'a Player,
    /// The second player.
    pub second: &'a Player,
    /// Each is played twice.
    pub openings: &'a [Line],
    /// Memory for each player's table in MiB.
    pub table_megabytes: usize,
}

/// What came of a match.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MatchResult {
    /// The openings played to the end, in their order.
    pub pairs: Vec<Pair>,
    /// What they add up to.
    pub tally: Tally,
}

/// Plays a match, many games at once on the threads of the current pool. `progress` gets the tally
/// so far after each opening. When stopped, the result holds the openings played to the end.
///
/// # Errors
/// When a book cannot be read.
pub fn play_match(
    request: &MatchRequest<'_>,
    stop: &Stop,
    progress: &(dyn Fn(&Tally) + Sync),
) -> Result<MatchResult, StoreError> {
    let (sender, receiver) = channel();
    std::thread::scope(|scope| {
        // The sums do not depend on who finishes first: only the order of shown tallies does.
        let adder = scope.spawn(move || {
            let mut pairs = Vec::new();
            for pair in receiver {
                pairs.push(pair);
                progress(&Tally::of(&pairs));
            }
            pairs.sort_by_key(|pair: &Pair| pair.opening);
            MatchResult { tally: Tally::of(&pairs), pairs }
        });
        let played = request.openings.par_iter().enumerate().try_for_each_init(
            || None,
            |seats, (number, opening)| {
                let (first, second) = match seats {
                    Some(seats) => seats,
                    None => seats.insert((
                        Seat::new(request.first, request.table_megabytes)?,
                        Seat::new(request.second, request.table_megabytes)?,
                    )),
                };
                let as_black = play_game(first, second, opening, stop)?;
                let as_white = play_game(second, first, opening, stop)?.seen_by_other();
                if !stop.is_stopped() {
                    // The adder listens until the last sender is gone.
                    let _ = sender.send(Pair::new(number, as_black, as_white));
                }
                Ok(())
            },
        );
        drop(sender);
        let result = adder.join().unwrap_or_default();
        played.map(|()| result)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::by_name;
    use crate::search::{MoveOrdering, Selectivity};

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
            let result = play_match(&request, &Stop::new(), &|_| ()).unwrap();
            let numbers: Vec<_> = result.pairs.iter().map(|pair| pair.opening).collect();
            assert_eq!(numbers, [0, 1, 2, 3, 4, 5], "in the order of the openings");
            result.tally
        };
        let tally = played(&strong, &weak);
        assert_eq!((tally.games, tally.wins + tally.draws + tally.losses), (12, 12));
        assert!(tally.wins >= 10, "{tally:?}");
        let other = played(&weak, &strong);
        assert_eq!(
            (other.wins, other.draws, other.losses),
            (tally.losses, tally.draws, tally.wins)
        );
        assert!((other.discs + tally.discs).abs() < 1e-9);
        // Another ordering changes what a search costs.
        let quick = Player { ordering: MoveOrdering::Quick, ..strong.clone() };
        let other_order = played(&quick, &weak);
        assert_ne!(other_order.nodes[0], tally.nodes[0]);
        // Against itself every opening comes out even.
        let even = played(&strong, &strong);
        assert_eq!((even.score, even.discs, even.discs_error), (0.5, 0.0, None));
        assert_eq!((even.pairs, even.pair_draws), (6, 6));
    }
}
