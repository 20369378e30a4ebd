//! A position with its colours, as it is on a board between two players.

use super::{After, Position, Side, Square};

/// A position with the colour that is to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Placed {
    /// The discs, seen by the side to move.
    pub position: Position,
    /// The colour of the side to move.
    pub side: Side,
}

impl Placed {
    /// The start position, Black to move.
    pub const START: Self = Self { position: Position::START, side: Side::Black };

    /// A position whose colours are not known, as books store it: with Black to move.
    pub const fn black_to_move(position: Position) -> Self {
        Self { position, side: Side::Black }
    }

    /// The same board with the other side to move.
    #[must_use]
    pub const fn passed(self) -> Self {
        Self { position: self.position.passed(), side: self.side.other() }
    }

    /// The board to be played on: this one, or after the pass that it demands; none when the game is over.
    pub(crate) const fn to_play(self) -> Option<Self> {
        if self.position.can_move() {
            return Some(self);
        }
        let passed = self.passed();
        if passed.position.can_move() { Some(passed) } else { None }
    }

    /// The board to be played on after a move; none when the move is illegal or ends the game.
    pub const fn after(self, square: Square) -> Option<Self> {
        match self.position.after(square) {
            Some(after) => self.followed_by(after),
            None => None,
        }
    }

    /// The board to be played on after a move from here, when it is known what follows it; none when the game
    /// is over then.
    pub const fn followed_by(self, after: After) -> Option<Self> {
        match after {
            After::Opponent(position) => Some(Self { position, side: self.side.other() }),
            After::Same(position) => Some(Self { position, side: self.side }),
            After::Over(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse_board;
    use super::*;

    fn board(text: &str) -> Placed {
        parse_board(text).unwrap()
    }

    #[test]
    fn a_side_without_a_move_passes_it_on() {
        // White's only disc is on b1; behind c1 nothing of it is left.
        let start = board(&format!("XO{}X", "-".repeat(62)));
        assert_eq!(start.to_play(), Some(start));
        assert_eq!(start.after("c1".parse().unwrap()), None);
        assert_eq!(start.after("d1".parse().unwrap()), None);
        assert_eq!(start.passed().to_play(), Some(start));
        // Black plays c1, White has nothing to turn, and Black goes on below.
        let start = board(&format!("XO-----XO{}X", "-".repeat(55)));
        let next = start.after("c1".parse().unwrap()).unwrap();
        assert_eq!((next.side, next.position.discs()), (Side::Black, 5));
        let over = board(&format!("XXX{}O", "-".repeat(61)));
        assert_eq!(over.to_play(), None);
    }

    #[test]
    fn sides_take_turns() {
        let next = Placed::START.after("f5".parse().unwrap()).unwrap();
        assert_eq!(next.side, Side::White);
        assert_eq!(next.passed().side, Side::Black);
        assert_eq!(next.passed().passed(), next);
    }
}
