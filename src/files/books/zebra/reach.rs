//! Which positions of a book lie on lines from the start, and the side to move there.
//!
//! Zebra keeps colours: a position that is reached with Black and with White to move is two nodes.
//! What it does not keep is whose turn it is. Where both can move on one board and both are reached,
//! because a side had to pass on one of the lines, one node would stand for both, with the score of
//! the one: neither is kept. The moves that lead there are then moves out of the book.

use crate::openbook::Legacy;
use crate::othello::board::{Key, Placed, Position, Side};
use crate::store::Reader;

use crate::files::books::write::{KeyMap, Steps, WriteError};

/// Which sides are to move where a position is reached.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Turns(u8);

impl Turns {
    const fn bit(side: Side) -> u8 {
        match side {
            Side::Black => 1,
            Side::White => 2,
        }
    }

    const fn of(side: Side) -> Self {
        Self(Self::bit(side))
    }

    const fn add(&mut self, side: Side) {
        self.0 |= Self::bit(side);
    }

    /// Takes a side out; whether it was in.
    const fn remove(&mut self, side: Side) -> bool {
        let was_in = self.contains(side);
        self.0 &= !Self::bit(side);
        was_in
    }

    /// Whether this side is to move on some line.
    pub(super) const fn contains(self, side: Side) -> bool {
        self.0 & Self::bit(side) != 0
    }

    /// Black, then White.
    pub(super) fn sides(self) -> impl Iterator<Item = Side> {
        [Side::Black, Side::White].into_iter().filter(move |&side| self.contains(side))
    }
}

/// The side to move at each position of a book.
#[derive(Default)]
pub(super) struct Reach {
    /// By number of discs, in ascending order; within a layer in the order of the store.
    pub(super) layers: Vec<(u8, Vec<Turns>)>,
    /// What the positions of boards that are left out are worth.
    pub(super) left_out: KeyMap<Option<Legacy>>,
    /// How many boards are left out.
    pub(super) shared: u64,
}

impl Reach {
    /// Follows the links from the start, layer by layer.
    pub(super) fn of(book: &Reader, steps: &Steps<'_>) -> Result<Self, WriteError> {
        let mut reach = Self::default();
        let mut reached = KeyMap::default();
        reached.insert(Key::of(Position::START), Turns::of(Side::Black));
        for (discs, count) in book.counts()?.layers {
            if steps.stop.is_stopped() {
                return Err(WriteError::Stopped);
            }
            let mut turns = Vec::with_capacity(usize::try_from(count).unwrap_or_default());
            let mut below: KeyMap<Turns> = KeyMap::default();
            book.for_each_in_layer(discs, |node| -> Result<(), WriteError> {
                let here = reached.get(&node.key).copied().unwrap_or_default();
                turns.push(here);
                if let Some(left_out) = reach.left_out.get_mut(&node.key) {
                    *left_out = Some(Legacy::of(&node));
                }
                if here == Turns::default() {
                    return Ok(());
                }
                for link in node.children() {
                    let turns = below.entry(link.child).or_default();
                    for side in here.sides() {
                        turns.add(if link.same_side { side } else { side.other() });
                    }
                }
                Ok(())
            })?;
            reach.leave_out_shared(&reached, &mut below);
            reach.layers.push((discs, turns));
            reached = below;
        }
        Ok(reach)
    }

    /// Leaves out the boards that moves on the positions above reach with either side to move, also
    /// those that are no links: Zebra takes a move for a link where it finds the board.
    fn leave_out_shared(&mut self, above: &KeyMap<Turns>, below: &mut KeyMap<Turns>) {
        let count = |side| above.values().filter(|turns| turns.contains(side)).count();
        // A move of each side is needed to reach one board with both to move.
        let few = match count(Side::Black) <= count(Side::White) {
            true => Side::Black,
            false => Side::White,
        };
        let mut after_few: KeyMap<Side> = KeyMap::default();
        each_board_after(above, few, |board, turn| {
            after_few.insert(board, turn);
        });
        if after_few.is_empty() {
            return;
        }
        each_board_after(above, few.other(), |board, turn| {
            if after_few.get(&board).is_none_or(|&other| other == turn) {
                return;
            }
            for (side, key) in
                [(Side::Black, board), (Side::White, Key::of(board.position().passed()))]
            {
                if below.get_mut(&key).is_some_and(|turns| turns.remove(side)) {
                    self.shared += 1;
                    self.left_out.insert(key, None);
                }
            }
        });
    }
}

/// Returns the boards after all moves of a side, seen by Black, and the side to move there.
fn each_board_after(above: &KeyMap<Turns>, side: Side, mut each: impl FnMut(Key, Side)) {
    for (key, _) in above.iter().filter(|(_, turns)| turns.contains(side)) {
        let before = Placed { position: key.position(), side };
        for next in before.position.legal_moves().filter_map(|square| before.after(square)) {
            let Placed { position, side } = next;
            each(Key::of(if side == Side::Black { position } else { position.passed() }), side);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openbook::{Searched, SourceId};
    use crate::othello::board::Line;
    use crate::othello::search::{Selectivity, Stop};
    use crate::store::Book;

    fn reach(lines: &[&str]) -> Reach {
        let folder = tempfile::tempdir().unwrap();
        let mut book = Book::create(folder.path().join("book.db")).unwrap();
        let searched =
            Searched { depth: 0, selectivity: Selectivity::OURS[0], source: SourceId(0) };
        for line in lines {
            let line: Line = line.parse().unwrap();
            let all = line.steps().iter().map(|step| step.before.position);
            for position in all.chain([line.board().position]) {
                book.insert(Key::of(position), None, searched).unwrap();
            }
        }
        book.commit().unwrap();
        let (stop, progress) = (Stop::new(), &mut |_| {});
        Reach::of(book.reader(), &Steps { progress, stop: &stop, done: 0, of: 0 }).unwrap()
    }

    /// The side to move in each layer, over all of its positions.
    fn sides(reach: &Reach) -> String {
        let side = |side, turns: &[Turns]| turns.iter().any(|turns| turns.contains(side));
        let layers = reach.layers.iter().map(|(_, turns)| {
            match (side(Side::Black, turns), side(Side::White, turns)) {
                (true, true) => '*',
                (true, false) => 'X',
                (false, true) => 'O',
                (false, false) => '-',
            }
        });
        layers.collect()
    }

    #[test]
    fn sides_take_turns_but_for_passes() {
        assert_eq!(sides(&reach(&["f5d6c3"])), "XOXO");
        // White must pass after c1.
        assert_eq!(sides(&reach(&["d3c3f5d2d1e1b2c1a3"])), "XOXOXOXOOX");
    }

    #[test]
    fn one_position_of_both_colours_is_kept_for_both() {
        let reach = reach(&["d3c3f5f4f3d2d1e1b3c1", "d3c5c6e3b5a5a4c3a6c7"]);
        assert_eq!(reach.shared, 0);
        let (_, last) = reach.layers.last().unwrap();
        assert_eq!(last.iter().map(|turns| turns.sides().count()).collect::<Vec<_>>(), [2]);
    }

    #[test]
    fn boards_with_either_side_to_move_are_taken_out_with_what_they_are_worth() {
        let reach = reach(&["d3c3e6d2d1e1b2c1d6c4", "d3c3e6d2d1e1b2d6c4c1"]);
        assert_eq!((reach.shared, reach.left_out.len()), (2, 2));
        assert!(reach.left_out.values().all(Option::is_some));
        let (_, last) = reach.layers.last().unwrap();
        assert_eq!(last, &[Turns::default(); 2]);
    }
}
