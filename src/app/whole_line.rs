//! The line of an exact score, to the end of the game.

use crate::othello::board::{After, Position, Square};
use crate::othello::score::Score;
use crate::othello::search::{AnySearcher, Goal, Limits, Proof, Stop};

/// From so many empties on the moves are looked for one by one: that takes milliseconds.
const MOST_EMPTIES: u8 = 12;

/// The line of a search whose score is exact, for the side to move in `position`, gone on with to the
/// end of the game.
///
/// A search keeps what it needs for the score, and that is seldom the whole line: the moves of its
/// last plies, which are not kept, are solved again. Where the remembered line breaks off earlier,
/// or leaves the moves that hold the score, it ends where that is seen.
pub(super) fn whole_line(
    searcher: &mut AnySearcher,
    position: Position,
    score: Score,
    line: &[Square],
    stop: &Stop,
) -> Vec<Square> {
    // A side that must pass does so without a move in the line.
    let (position, score) =
        if position.can_move() { (position, score) } else { (position.passed(), -score) };
    let mut walk = Walk { position, mover: true, line: Vec::new() };
    for &square in line {
        if walk.position.empties() <= MOST_EMPTIES || !walk.play(square) {
            break;
        }
    }
    // What is left of a small position need not begin with a remembered move.
    if walk.line.is_empty() && line.first().is_some_and(|&first| !walk.play(first)) {
        return line.to_vec();
    }
    while walk.position.empties() <= MOST_EMPTIES && walk.position.can_move() {
        let outcome = searcher.search(walk.position, 0, &Limits::solve(Goal::Score), stop);
        let found = if walk.mover { outcome.score } else { -outcome.score };
        let holds = outcome.proof == Proof::Exact && found == score;
        if !(holds && outcome.best.is_some_and(|best| walk.play(best))) {
            break;
        }
    }
    walk.line
}

/// A line on its way.
struct Walk {
    position: Position,
    /// Whether the side to move is the one that moved first.
    mover: bool,
    line: Vec<Square>,
}

impl Walk {
    /// Plays a move; false when it is illegal.
    fn play(&mut self, square: Square) -> bool {
        let Some(after) = self.position.after(square) else { return false };
        match after {
            After::Opponent(next) => (self.position, self.mover) = (next, !self.mover),
            After::Same(next) => self.position = next,
            After::Over(_) => {
                // Neither side can move there, which ends the walk.
                self.position = self.position.play(square).unwrap_or(self.position);
            }
        }
        self.line.push(square);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::eval::by_name;
    use crate::othello::eval::train::Random;

    /// Played out, the line of an exact score gives that score.
    #[test]
    fn the_line_of_an_exact_score_leads_to_it() {
        let mut searcher = AnySearcher::new(by_name("rosebill").unwrap(), 4);
        let (mut whole, stop) = (0, Stop::new());
        for seed in 0..30 {
            let mut random = Random::for_item(3, seed);
            let mut start = Position::START;
            while start.empties() > 16 && start.can_move() {
                let mut moves = start.legal_moves();
                let square = moves.nth(random.below(moves.len())).unwrap();
                let Some(next) = start.after(square).unwrap().position() else { break };
                start = next;
            }
            if !start.can_move() {
                continue;
            }
            let found = searcher.search(start, 0, &Limits::solve(Goal::Score), &stop);
            let line = whole_line(&mut searcher, start, found.score, &found.line, &stop);
            assert_eq!(line.first(), found.best.as_ref());
            let mut walk = Walk { position: start, mover: true, line: Vec::new() };
            assert!(line.iter().all(|&square| walk.play(square)), "{line:?}");
            if walk.position.is_over() {
                whole += 1;
                let ours = line_score(start, &line);
                assert_eq!(Score::from_discs(ours), found.score, "{line:?}");
            }
        }
        assert!(whole >= 25, "{whole} of 30 lines are whole");
    }

    fn line_score(start: Position, line: &[Square]) -> i8 {
        let (mut position, mut sign) = (start, 1);
        for &square in line {
            match position.after(square).unwrap() {
                After::Opponent(next) => (position, sign) = (next, -sign),
                After::Same(next) => position = next,
                After::Over(discs) => return sign * discs,
            }
        }
        unreachable!("the game went on after {line:?}")
    }
}
