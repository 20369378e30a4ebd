//! A line of play without its orientation.

use super::line::turn_of_start_to_f5;
use super::position::Side;
use super::{Key, Placed, Position, Square, Symmetry};

/// A game's moves without their orientation: all images of a game have one.
///
/// From the start position, or its mirror image, the line is turned so that its first move is f5;
/// from another board it begins with the smallest image of the board. Wherever a position is symmetric
/// later on, the rest may be mirrored without becoming another game: the next move is then the first of
/// its images, so that `f5f6e6d6` is `f5f6e6f4`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Identity {
    /// The board in this orientation: discs of the side to move, of the other side, and whether
    /// Black is to move.
    start: (u64, u64, bool),
    moves: Vec<u8>,
}

impl Identity {
    /// The identity of moves from a board. From a move on that cannot be played all keep one orientation.
    pub(crate) fn of_line(start: Placed, moves: &[Square]) -> Self {
        let to_f5 = moves.first().and_then(|&first| turn_of_start_to_f5(start, first));
        let mut turn = to_f5.unwrap_or_else(|| Key::with_symmetry(start.position).1);
        let Position { mover, opponent } = turn.position(start.position);
        let mut board = Some(start.position);
        let mut turned = Vec::with_capacity(moves.len());
        for (ply, &square) in moves.iter().enumerate() {
            let is_free = ply > 0 || to_f5.is_none();
            if let Some(position) = board.filter(|board| is_free && board.is_symmetric()) {
                let image = turn.position(position);
                let same = Symmetry::all().filter(|other| other.position(position) == image);
                turn = same.min_by_key(|other| other.square(square)).unwrap_or(turn);
            }
            turned.push(turn.square(square).number());
            // A pass leaves a board as symmetric as it is.
            board =
                board.and_then(|board| board.play(square).or_else(|| board.passed().play(square)));
        }
        Self { start: (mover, opponent, start.side == Side::Black), moves: turned }
    }

    /// The fingerprint that books before schema 8 had of a line: there one symmetry turned all moves, and
    /// a game that was mirrored at a symmetric position was another one.
    pub fn older_fingerprint(start: Placed, moves: &[Square]) -> u64 {
        let image = |symmetry: Symmetry| {
            let board = symmetry.position(start.position);
            let moves = moves.iter().map(|&square| symmetry.square(square).number());
            Self {
                start: (board.mover, board.opponent, start.side == Side::Black),
                moves: moves.collect(),
            }
        };
        let to_f5 = moves.first().and_then(|&first| turn_of_start_to_f5(start, first));
        let older = match to_f5 {
            Some(symmetry) => image(symmetry),
            None => Symmetry::all().map(image).min().unwrap_or_else(|| image(Symmetry::IDENTITY)),
        };
        older.fingerprint()
    }

    pub fn moves(&self) -> impl Iterator<Item = Square> {
        self.moves.iter().filter_map(|&number| Square::try_new(number))
    }

    /// A number by which equal lines are found again. It is the same on every machine and in every
    /// version: FNV-1a of 64 bits over the discs of the side to move and of the other side (eight
    /// bytes each, the highest first), 1 if Black is to move, else 0, and then a byte for each move,
    /// 0 for a1 to 63 for h8. Different lines may share a number.
    pub fn fingerprint(&self) -> u64 {
        let (mover, opponent, black) = self.start;
        let start = mover.to_be_bytes().into_iter().chain(opponent.to_be_bytes());
        let bytes = start.chain([u8::from(black)]).chain(self.moves.iter().copied());
        bytes.fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Line, parse_board};
    use super::*;
    use proptest::prelude::*;

    fn line(text: &str) -> Line {
        text.parse().unwrap_or_else(|error| panic!("{error}"))
    }

    fn identity(line: &Line) -> Identity {
        Identity::of_line(line.start(), &line.squares().collect::<Vec<_>>())
    }

    fn text(identity: &Identity) -> String {
        identity.moves().map(|square| square.to_string()).collect()
    }

    /// All ways to write a line: where a position is symmetric the rest may be mirrored.
    fn ways(line: &Line) -> Vec<Line> {
        let mut all: Vec<(Line, Symmetry)> = Symmetry::all()
            .map(|turn| {
                let position = turn.position(line.start().position);
                (Line::from_board(Placed { position, ..line.start() }), turn)
            })
            .collect();
        for step in line.steps() {
            let mut next = Vec::new();
            for (way, turn) in all {
                let image = turn.position(step.before.position);
                let mut squares: Vec<(Square, Symmetry)> = Symmetry::all()
                    .filter(|other| other.position(step.before.position) == image)
                    .map(|other| (other.square(step.square), other))
                    .collect();
                squares.sort_by_key(|&(square, _)| square);
                squares.dedup_by_key(|&mut (square, _)| square);
                for (square, other) in squares {
                    let mut way = way.clone();
                    assert!(way.push(square), "{way} {square}");
                    next.push((way, other));
                }
            }
            all = next;
        }
        all.into_iter().map(|(way, _)| way).collect()
    }

    /// A line of legal moves by numbers, from the start position or after a symmetric opening.
    fn played(opening: &str, choices: &[u8]) -> Line {
        let mut line = line(opening);
        for &choice in choices {
            let Some(end) = line.end() else { break };
            let legal: Vec<Square> = end.position.legal_moves().collect();
            assert!(line.push(legal[usize::from(choice) % legal.len()]));
        }
        line
    }

    #[test]
    fn a_game_that_is_mirrored_at_a_symmetric_position_is_the_same() {
        // The opening "Diagonal", from liveothello and from WTHOR.
        let (one, other) = (line("e6f6f5f4e3c5c4e7c6e2"), line("f5f6e6f4e3c5c4e7c6e2"));
        assert_eq!(identity(&one), identity(&other));
        assert_eq!(text(&identity(&one)), "f5f6e6f4e3c5c4e7c6e2");
        assert_eq!(text(&identity(&line("f5f6e6d6"))), "f5f6e6f4");
        assert_eq!(identity(&line("f5f6e6d6c5")), identity(&line("f5f6e6f4e3")));
        assert_ne!(identity(&line("f5f6e6d6c4")), identity(&line("f5f6e6f4e3")));
    }

    #[test]
    fn a_start_that_is_symmetric_leaves_the_first_move_free() {
        // White begins at the start position or its mirror image, and a board that a diagonal cuts.
        let boards = [
            "---------------------------OX------XO--------------------------- O",
            "---------------------------XO------OX--------------------------- O",
            "---------------------------OX------XOX------XX------------------ O",
        ];
        for board in boards {
            let start = parse_board(board).unwrap_or_else(|error| panic!("{error}"));
            assert!(start.position.is_symmetric() && start.position.can_move());
            for first in start.position.legal_moves() {
                let line = Line::from_board(start).then(&[first]);
                for way in ways(&line) {
                    assert_eq!(identity(&way), identity(&line), "{way} {line}");
                }
            }
        }
    }

    /// Stored in books: they may never change. They are those of the rule before, too.
    #[test]
    fn fingerprints_stay() {
        for (moves, number) in [
            ("f5d6c3d3c4", 0x0e32_ed13_036a_93ef),
            ("", 0xbc8b_23fe_52ae_2d5c),
            ("f5f6e6f4e3c5c4e7c6e2", 0x1c4a_efc8_347b_293b),
        ] {
            let line = line(moves);
            let found = identity(&line).fingerprint();
            assert_eq!(found, number, "{found:016x} of {moves}");
            let moves: Vec<Square> = line.squares().collect();
            assert_eq!(found, Identity::older_fingerprint(line.start(), &moves), "{line}");
        }
    }

    proptest! {
        #[test]
        fn all_ways_to_write_a_game_have_one_identity(
            choices in proptest::collection::vec(0_u8..20, 0..60),
            opening in 0_usize..4,
        ) {
            let opening = ["", "f5f6e6", "f5f6e6f4e3d6", "f5d6c4d3c3f4e6"][opening];
            let line = played(opening, &choices);
            let own = identity(&line);
            // The orientation of the identity is a way to write it, too.
            let ways = ways(&line);
            let moves: Vec<Square> = own.moves().collect();
            prop_assert!(ways.iter().any(|way| way.squares().eq(moves.iter().copied())));
            for way in &ways {
                prop_assert_eq!(&identity(way), &own, "{} {}", way, line);
            }
            // Another last move that is no image of it is another game.
            if let Some(last) = line.steps().last() {
                let before: Vec<Square> = line.squares().take(line.len() - 1).collect();
                for square in last.before.position.legal_moves() {
                    let other = Line::from_board(line.start()).then(&before).then(&[square]);
                    let is_image = super::super::same_move(last.before.position, square, last.square);
                    prop_assert_eq!(identity(&other) == own, is_image, "{} {}", other, line);
                }
            }
            // Nothing changes where no position is symmetric after the first move.
            let steps = line.steps().iter().skip(1);
            if !steps.clone().any(|step| step.before.position.is_symmetric()) {
                let moves: Vec<Square> = line.squares().collect();
                let older = Identity::older_fingerprint(line.start(), &moves);
                prop_assert_eq!(own.fingerprint(), older);
            }
        }
    }
}
