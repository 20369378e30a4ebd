//! `phases`: an early, a middle and a late evaluation.

use super::{CORNERS, Terms, count, percent};
use crate::board::{Bitboard, Position, legal_moves};

/// Evaporation, mobility, potential mobility, corners and coin parity, weighted by phase ("Othello
/// Heuristics for Evaluation Functions", V.-M. Bogdan, 2024). The text gives the terms and two
/// thresholds but no numbers; the weights here are ours.
pub struct Phases;

/// Before so many moves the game is early.
const EARLY: u8 = 20;

/// From so many moves on it is late.
const LATE: u8 = 45;

/// Weights of evaporation or coin parity, mobility, potential mobility, corners.
const WEIGHTS: [[f64; 4]; 3] = [[0.25, 1.0, 0.8, 1.5], [0.0, 1.0, 0.6, 2.0], [0.6, 0.6, 0.0, 2.0]];

impl Terms for Phases {
    const NAME: &'static str = "phases";
    const DISCS_PER_UNIT: f64 = 0.1;

    fn terms(&self, position: Position) -> Vec<(&'static str, f64)> {
        let Position { mover, opponent } = position;
        let played = position.discs().saturating_sub(4);
        let (phase, discs, discs_name) = if played < EARLY {
            // Few discs leave the other side few moves.
            (0, percent(count(opponent), count(mover)), "evaporation")
        } else if played < LATE {
            (1, 0.0, "evaporation")
        } else {
            (2, percent(count(mover), count(opponent)), "coin parity")
        };
        let mobility =
            percent(count(legal_moves(mover, opponent)), count(legal_moves(opponent, mover)));
        let empty = position.empty_squares();
        let potential = percent(count(around(opponent) & empty), count(around(mover) & empty));
        let corners = percent(count(mover & CORNERS), count(opponent & CORNERS));
        let [of_discs, of_mobility, of_potential, of_corners] = WEIGHTS[phase];
        vec![
            (discs_name, of_discs * discs),
            ("mobility", of_mobility * mobility),
            ("potential mobility", of_potential * potential),
            ("corners", of_corners * corners),
        ]
    }
}

/// The squares beside a disc of the set.
fn around(discs: Bitboard) -> Bitboard {
    const NOT_A: Bitboard = 0xfefe_fefe_fefe_fefe;
    const NOT_H: Bitboard = 0x7f7f_7f7f_7f7f_7f7f;
    let sideways = discs | ((discs << 1) & NOT_A) | ((discs >> 1) & NOT_H);
    sideways | (sideways << 8) | (sideways >> 8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Line;

    #[test]
    fn early_discs_evaporate_and_late_ones_count() {
        let line: Line = "f5".parse().unwrap();
        // Black has four discs, White, who is to move, one.
        let terms = Phases.terms(line.end().unwrap().position);
        assert_eq!(terms[0], ("evaporation", 0.25 * 60.0));
        let late = Position { mover: 0x00ff_ffff_ffff_0000, opponent: 0x0000_0000_0000_ffff };
        assert_eq!(Phases.terms(late)[0].0, "coin parity");
        assert!(Phases.terms(late)[0].1 > 0.0);
    }

    #[test]
    fn neighbours_do_not_wrap() {
        assert_eq!(around(1), 0x0303);
        assert_eq!(around(1 << 63), 0xc0c0 << 48);
    }
}
