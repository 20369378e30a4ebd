//! The lines that are played most.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use super::database::GameDatabase;
use super::filter::{FilterError, GameFilter};
use super::stats::game_stats;
use crate::othello::board::{Key, Line, Square};

/// A line that people play.
#[derive(Clone, PartialEq, Debug)]
pub struct PopularLine {
    /// The moves from the position that was asked for.
    pub moves: Vec<Square>,
    /// Games that made its last move in the position before it, which they may have come to by any order of moves.
    pub games: u64,
    /// How often its moves are played instead of the most popular ones: 1 for the line of most
    /// popular moves, the product of (games of the move / games of the most popular move) for
    /// others.
    pub fashion: f64,
}

/// Games that a line must share to go on: what is left of one is no line that people play, and to find it takes a look
/// at all games.
const SHARED: u64 = 2;

/// The line of most popular moves, then those that differ from it in moves that are nearly as
/// popular, each to another end. A line ends where fewer than `least` games, or a single
/// one, are left.
pub fn popular_lines(
    database: &GameDatabase<'_>,
    from: &Line,
    count: usize,
    least: u64,
    filter: &GameFilter,
) -> Result<Vec<PopularLine>, FilterError> {
    let mut open = BinaryHeap::new();
    let mut lines: Vec<(Line, u64, f64)> = Vec::new();
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    let push = |lines: &mut Vec<(Line, u64, f64)>,
                open: &mut BinaryHeap<(u64, usize, Reverse<usize>)>,
                line: Line,
                games: u64,
                fashion: f64| {
        // The order of the bits of a positive number is that of the numbers.
        open.push((fashion.to_bits(), line.len(), Reverse(lines.len())));
        lines.push((line, games, fashion));
    };
    push(&mut lines, &mut open, from.clone(), u64::MAX, 1.0);
    while let Some((_, _, Reverse(index))) = open.pop() {
        if found.len() >= count {
            break;
        }
        let Some((line, games, fashion)) = lines.get(index).cloned() else { continue };
        let Some(end) = line.end() else { continue };
        if !seen.insert(Key::of(end.position)) {
            continue;
        }
        let is_first = line.len() == from.len();
        let needed = if is_first { least } else { least.max(SHARED) };
        let stats = match games >= needed {
            // Only the end counts here, by whatever order it is reached.
            true => game_stats(database, &Line::from_board(end), filter)?,
            false => None,
        };
        let moves = stats.map(|stats| stats.moves).unwrap_or_default();
        let most = moves.first().map_or(0, |best| best.tally.games);
        if most < needed {
            if !is_first {
                let squares: Vec<Square> = line.squares().skip(from.len()).collect();
                found.push(PopularLine { moves: squares, games, fashion });
            }
            continue;
        }
        for played in moves.into_iter().filter(|played| played.tally.games >= least) {
            let share = played.tally.games as f64 / most as f64;
            let next = line.then(&[played.square]);
            push(&mut lines, &mut open, next, played.tally.games, fashion * share);
        }
    }
    Ok(found)
}
