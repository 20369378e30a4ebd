//! Where the moves of many positions lead, found together: it is what a whole book is asked for.

use std::ops::Range;

use super::{Cpu, CpuLevel, CpuTask, Key, Position, Square, Squares};

/// A legal move that does not end the game, and what follows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Successor {
    /// Its place among the legal moves of its position, in ascending square order.
    pub index: u8,
    /// The move, in the orientation of its position.
    pub square: Square,
    /// The position that is played next, a pass that follows taken.
    pub next: Key,
    /// Whether the same side moves again there, because the other must pass.
    pub same_side: bool,
}

/// What is found of one position.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Moves {
    legal: Squares,
    among: Range<usize>,
    ends: bool,
}

/// The successors of a batch of positions. Kept for the next batch, it keeps its memory.
#[derive(Clone, Default, Debug)]
pub(crate) struct Successors {
    positions: Vec<Moves>,
    all: Vec<Successor>,
    /// The boards after the moves, before they are turned.
    boards: Vec<Position>,
}

impl Successors {
    /// Forgets the batch before and finds the successors of these positions, each as
    /// [`Position::after`] and [`Key::of`] would.
    pub(crate) fn find(&mut self, level: CpuLevel, positions: impl Iterator<Item = Position>) {
        self.find_some(level, positions.map(|position| (position, u64::MAX)));
    }

    /// As [`Successors::find`], but only those of some moves of each position: bit `i` of the number
    /// asks for the `i`-th legal move. No other is looked at.
    pub(crate) fn find_some(
        &mut self,
        level: CpuLevel,
        positions: impl Iterator<Item = (Position, u64)>,
    ) {
        level.run(Find { successors: self, positions });
    }

    /// All successors of the batch, position after position.
    pub(crate) fn all(&self) -> &[Successor] {
        &self.all
    }

    /// Where among all the successors of the `index`-th position are.
    pub(crate) fn range(&self, index: usize) -> Range<usize> {
        self.positions[index].among.clone()
    }

    /// The legal moves of the `index`-th position, those that end the game too.
    pub(crate) fn legal(&self, index: usize) -> Squares {
        self.positions[index].legal
    }

    /// Whether a move that was looked at of the `index`-th position ends the game.
    pub(crate) fn has_end(&self, index: usize) -> bool {
        self.positions[index].ends
    }
}

struct Find<'a, P> {
    successors: &'a mut Successors,
    positions: P,
}

impl<P: Iterator<Item = (Position, u64)>> CpuTask for Find<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let Self { successors: Successors { positions, all, boards }, positions: given } = self;
        positions.clear();
        all.clear();
        boards.clear();
        for (position, asked) in given {
            let legal = Squares(cpu.legal_moves(position.mover, position.opponent));
            let first = all.len();
            let mut ends = false;
            let mut left = legal.0;
            let mut asked = asked;
            let mut index = 0;
            while left != 0 && asked != 0 {
                let square = Square::new(left.trailing_zeros() as u8);
                left &= left - 1;
                let is_asked = asked & 1 != 0;
                asked >>= 1;
                if !is_asked {
                    index += 1;
                    continue;
                }
                let turned = cpu.flips(square, position.mover, position.opponent);
                let mut next = position.with_move(square, turned);
                let mut same_side = false;
                if cpu.legal_moves(next.mover, next.opponent) == 0 {
                    next = next.passed();
                    same_side = true;
                }
                if same_side && cpu.legal_moves(next.mover, next.opponent) == 0 {
                    ends = true;
                } else {
                    boards.push(next);
                    all.push(Successor { index, square, next: Key::from_stored(next), same_side });
                }
                index += 1;
            }
            positions.push(Moves { legal, among: first..all.len(), ends });
        }
        let mut successors = all.iter_mut();
        each_key(cpu, boards, |key| {
            if let Some(successor) = successors.next() {
                successor.next = key;
            }
        });
    }
}

/// The keys of many positions one after the other, found by fours.
#[inline(always)]
fn each_key<C: Cpu>(cpu: C, positions: &[Position], mut take: impl FnMut(Key)) {
    let (fours, rest) = positions.as_chunks::<4>();
    for four in fours {
        let [a, b, c, d] = cpu.keys(*four);
        take(a);
        take(b);
        take(c);
        take(d);
    }
    for position in rest {
        take(Key::of(*position));
    }
}

/// The keys of many positions, in their order: as [`Key::of`], but quicker.
pub(crate) fn keys_of(level: CpuLevel, positions: &[Position]) -> Vec<Key> {
    struct Keys<'a>(&'a [Position]);

    impl CpuTask for Keys<'_> {
        type Output = Vec<Key>;

        #[inline(always)]
        fn run<C: Cpu>(self, cpu: C) -> Vec<Key> {
            let mut keys = Vec::with_capacity(self.0.len());
            each_key(cpu, self.0, |key| keys.push(key));
            keys
        }
    }

    level.run(Keys(positions))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::board::After;
    use crate::othello::random::Random;

    /// Positions of random games to the very end, and boards that no game reaches.
    fn positions() -> Vec<Position> {
        let mut random = Random::new(7);
        let mut positions = Vec::new();
        for _ in 0..60 {
            let mut position = Position::START;
            while position.can_move() {
                positions.push(position);
                let moves = position.legal_moves();
                let square = moves.clone().nth(random.below(moves.len())).unwrap();
                match position.after(square).and_then(After::position) {
                    Some(next) => position = next,
                    None => break,
                }
            }
        }
        positions.push(Position { mover: 0, opponent: u64::MAX });
        positions.push(Position { mover: 1, opponent: 2 });
        positions
    }

    #[test]
    fn all_kinds_of_processor_find_what_single_moves_find() {
        let positions = positions();
        let mut ends = 0;
        let mut passes = 0;
        for level in CpuLevel::ALL.into_iter().filter(|level| level.is_available()) {
            let mut found = Successors::default();
            for batch in positions.chunks(33) {
                found.find(level, batch.iter().copied());
                for (index, position) in batch.iter().enumerate() {
                    let mut expected = Vec::new();
                    let mut has_end = false;
                    for (index, square) in position.legal_moves().enumerate() {
                        let (next, same_side) = match position.after(square).unwrap() {
                            After::Opponent(next) => (next, false),
                            After::Same(next) => (next, true),
                            After::Over(_) => {
                                has_end = true;
                                continue;
                            }
                        };
                        let (index, next) = (index as u8, Key::of(next));
                        expected.push(Successor { index, square, next, same_side });
                    }
                    assert_eq!(found.all()[found.range(index)], expected, "{position:?}");
                    assert_eq!(found.has_end(index), has_end, "{position:?}");
                    assert_eq!(found.legal(index), position.legal_moves());
                    ends += usize::from(has_end);
                    passes += expected.iter().filter(|successor| successor.same_side).count();
                }
            }
            // Every third move only.
            let (mut all, mut some) = (Successors::default(), Successors::default());
            all.find(level, positions.iter().copied());
            let third = 0o1_111_111_111_111_111_111_111;
            some.find_some(level, positions.iter().map(|&position| (position, third)));
            let expected: Vec<_> =
                all.all().iter().filter(|found| found.index % 3 == 0).copied().collect();
            assert_eq!(some.all(), expected);
            let keys: Vec<_> = positions.iter().map(|&position| Key::of(position)).collect();
            for count in [0, 3, 4, 5, positions.len()] {
                assert_eq!(keys_of(level, &positions[..count]), keys[..count]);
            }
        }
        assert!(ends > 50 && passes > 20, "{ends} ends, {passes} passes");
    }
}
