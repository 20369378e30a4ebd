//! `phases`: an early, a middle and a late evaluation.

use super::{Term, Terms, count, percent, term};
use crate::othello::board::{CORNERS, Position, legal_moves, with_neighbours};

/// Evaporation, mobility, potential mobility, corners, coin parity and the last mover, weighted by
/// phase ("Othello Heuristics for Evaluation Functions", V.-M. Bogdan, 2024).
///
/// The text gives the terms, two thresholds without numbers, and what matters when: few discs and
/// mobility early, mobility and corners without evaporation in the middle, coin parity above all
/// late, where it also proposes to count the last mover. Ours are all numbers: the two
/// thresholds, the weights, what the last move is worth, and that it falls to the side that can move
/// when the number of empty squares is odd. The late weights are chosen so that, in the mean over
/// positions with 5 to 15 empty squares, coin parity says most (80 units, mobility 70, corners 60).
pub(crate) struct Phases;

/// Before so many moves the game is early.
const EARLY: u8 = 20;

/// From so many moves on it is late.
const LATE: u8 = 45;

/// Units for a percent of evaporation or coin parity, mobility, potential mobility, corners.
const WEIGHTS: [[f64; 4]; 3] = [[0.25, 1.0, 0.8, 1.5], [0.0, 1.0, 0.6, 2.0], [4.0, 2.0, 0.0, 1.0]];

/// Units for the last move of the game.
const LAST_MOVE: f64 = 20.0;

impl Phases {
    const fn played(position: Position) -> u8 {
        position.discs().saturating_sub(4)
    }

    /// Whether the late weights count.
    pub(super) const fn is_late(position: Position) -> bool {
        Self::played(position) >= LATE
    }
}

impl Terms for Phases {
    const NAME: &'static str = "phases";
    const DISCS_PER_UNIT: f64 = 0.1;

    fn terms(&self, position: Position) -> Vec<Term> {
        let Position { mover, opponent } = position;
        let moves = [legal_moves(mover, opponent), legal_moves(opponent, mover)].map(count);
        let (phase, name, discs) = if Self::played(position) < EARLY {
            // Few discs leave the other side few moves.
            (0, "evaporation, percent", percent(count(opponent), count(mover)))
        } else if Self::is_late(position) {
            (2, "coin parity, percent", percent(count(mover), count(opponent)))
        } else {
            (1, "evaporation, percent", 0.0)
        };
        let empty = position.empty_squares();
        let potential = percent(
            count(with_neighbours(opponent) & empty),
            count(with_neighbours(mover) & empty),
        );
        let corners = percent(count(mover & CORNERS), count(opponent & CORNERS));
        let [of_discs, of_mobility, of_potential, of_corners] = WEIGHTS[phase];
        let mut terms = vec![
            term(name, discs, of_discs),
            term("mobility, percent", percent(moves[0], moves[1]), of_mobility),
            term("potential mobility, percent", potential, of_potential),
            term("corners, percent", corners, of_corners),
        ];
        if Self::is_late(position) {
            terms.push(term("last mover", last_mover(position.empties(), moves), LAST_MOVE));
        }
        terms
    }
}

/// 1 when the side to move will make the last move of the game if neither side passes any more, -1
/// when the other side will, 0 when neither can move.
fn last_mover(empties: u8, [ours, theirs]: [f64; 2]) -> f64 {
    let next = if ours > 0.0 {
        1.0
    } else if theirs > 0.0 {
        -1.0
    } else {
        0.0
    };
    if empties % 2 == 1 { next } else { -next }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::board::Line;
    use crate::othello::eval::train::Random;

    #[test]
    fn early_discs_evaporate_and_late_ones_count() {
        let line: Line = "f5".parse().unwrap();
        // Black has four discs, White, the side to move, one.
        let terms = Phases.terms(line.end().unwrap().position);
        assert_eq!(terms[0], term("evaporation, percent", 60.0, 0.25));
        let late = Position { mover: 0x00ff_ffff_ffff_0000, opponent: 0x0000_0000_0000_ffff };
        assert_eq!(Phases.terms(late)[0].name, "coin parity, percent");
        assert!(Phases.terms(late)[0].count > 0.0);
    }

    /// In the mean over late positions coin parity says most, as the text wants it.
    #[test]
    fn late_in_the_game_coin_parity_says_most() {
        let (mut sums, mut positions) = ([0.0; 5], 0);
        for seed in 0..200 {
            let mut position = Position::START;
            let mut random = Random::for_item(7, seed);
            while !position.is_over() {
                if !position.can_move() {
                    position = position.passed();
                }
                if Phases::is_late(position) {
                    for (sum, term) in sums.iter_mut().zip(Phases.terms(position)) {
                        *sum += (term.count * term.weight).abs();
                    }
                    positions += 1;
                }
                let mut moves = position.legal_moves();
                let square = moves.nth(random.below(moves.len())).unwrap();
                position = position.play(square).unwrap();
            }
        }
        assert!(positions > 1000);
        let [parity, mobility, potential, corners, last] = sums;
        for other in [mobility, potential, corners, last] {
            assert!(parity > other, "{sums:?}");
        }
        assert!(last > 0.0);
    }

    #[test]
    fn an_odd_number_of_empty_squares_gives_the_last_move() {
        assert_eq!(last_mover(5, [3.0, 2.0]), 1.0);
        assert_eq!(last_mover(4, [3.0, 2.0]), -1.0);
        // The side to move must pass.
        assert_eq!(last_mover(5, [0.0, 2.0]), -1.0);
        assert_eq!(last_mover(4, [0.0, 2.0]), 1.0);
    }

    #[test]
    fn neighbours_do_not_wrap() {
        assert_eq!(with_neighbours(1), 0x0303);
        assert_eq!(with_neighbours(1 << 63), 0xc0c0 << 48);
    }
}
