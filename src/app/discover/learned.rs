//! A small tree to learn against a player: what to play, and the replies to expect.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::judged::{Judged, MoveLoss};
use super::question::{DiscoverError, Ground};
use super::sweep::{Going, Reached};
use crate::othello::board::{Key, Line, Square};

#[derive(Clone, PartialEq, Debug)]
pub struct LearnedLine {
    /// The moves; the last one is the own answer to what the player usually does.
    pub line: Line,
    /// How likely the player's moves on it are, 0..=1, by the player's games, recent ones counted
    /// more.
    pub chance: f64,
    /// What the player gives away on it, less what the own moves do, in discs.
    pub gain: f64,
    /// In how many of the player's games the last of these moves was made.
    pub games: u64,
    /// What is to be expected of the player at each of its moves; none at the own ones, and at those
    /// that led to where the question starts.
    pub habits: Vec<Option<Habit>>,
}

/// What a player usually does at a position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Habit {
    /// How likely the move is, 0..=1, by the player's games there, recent ones counted more.
    pub share: f64,
    /// What it gives away; none where the book does not know it.
    pub loss: Option<MoveLoss>,
}

/// So many games, of which nothing is known, are added to those that the player had a position in.
const UNKNOWN_GAMES: f64 = 2.0;

/// The own move at a position.
#[derive(Clone, Copy)]
struct Choice {
    square: Square,
    child: Option<Key>,
    /// What it gives away, in discs.
    loss: f64,
}

/// The tree: at the own positions one move, at the player's those that were played.
pub(super) struct Tree<'g, 'd, 'b> {
    ground: &'g Ground<'d, 'b>,
    /// What the player did in fewer games is no habit.
    least: u64,
    /// By positions: what is to be gained on average from there on, in discs.
    gains: Vec<f64>,
    /// By positions: the move; none at the player's, and where the book knows none.
    choices: Vec<Option<Choice>>,
}

/// A line on its way.
struct Open {
    at: Key,
    moves: Vec<Square>,
    /// For each of the moves.
    habits: Vec<Option<Habit>>,
    chance: f64,
    gain: f64,
    games: u64,
}

impl<'g, 'd, 'b> Tree<'g, 'd, 'b> {
    /// Chooses the own moves among those that give away at most `own_loss` centidiscs each: those behind
    /// which the player loses most, by the player's games.
    pub(super) fn of(
        ground: &'g Ground<'d, 'b>,
        own_loss: i32,
        least: u64,
    ) -> Result<Self, DiscoverError> {
        let count = ground.sweep.positions.len();
        let mut tree = Self { ground, least, gains: vec![0.0; count], choices: vec![None; count] };
        // Every move leads to a later position.
        for (at, reached) in ground.sweep.positions.iter().enumerate().rev() {
            let judged = Judged::of(&ground.book, reached.key)?;
            let (gain, choice) = if is_his(reached) {
                (tree.gain_of_his(reached, judged.as_ref()), None)
            } else {
                let choice = judged.and_then(|judged| tree.choose(&judged, own_loss));
                (choice.map_or(0.0, |(gain, _)| gain), choice.map(|(_, choice)| choice))
            };
            // Both have a place for each position of the sweep.
            (tree.gains[at], tree.choices[at]) = (gain, choice);
        }
        Ok(tree)
    }

    fn gain_from(&self, child: Option<Key>) -> f64 {
        let index = child.and_then(|child| self.ground.sweep.index(child));
        index.map_or(0.0, |index| self.gains[index])
    }

    fn gain_of_his(&self, reached: &Reached, judged: Option<&Judged>) -> f64 {
        let each = reached.moves.iter().map(|going| {
            let loss = judged.and_then(|judged| judged.loss(going.square));
            let loss = loss.map_or(0.0, |loss| loss.loss.discs());
            share_of(going, reached) * (loss + self.gain_from(going.child))
        });
        let games = reached.all.own as f64;
        each.sum::<f64>() * games / (games + UNKNOWN_GAMES)
    }

    /// The move with the most to be gained; of equals the first, which is the best by the book.
    fn choose(&self, judged: &Judged, own_loss: i32) -> Option<(f64, Choice)> {
        let mut moves: Vec<_> = judged.moves.iter().collect();
        moves.sort_by_key(|found| Reverse(found.values.guess));
        let mut best: Option<(f64, Choice)> = None;
        for found in moves {
            let (Some(square), loss) = (found.square, judged.loss_of(found.values.guess)) else {
                continue;
            };
            if i32::from(loss.centidiscs()) > own_loss {
                continue;
            }
            let child = crate::openbook::child_of(judged.node.key.position(), square);
            let child = child.map(|(child, _)| child);
            if !self.ground.allows(child, Some(MoveLoss { loss, at_least: false })) {
                continue;
            }
            let gain = self.gain_from(child) - loss.discs();
            if best.as_ref().is_none_or(|(most, _)| gain > *most) {
                best = Some((gain, Choice { square, child, loss: loss.discs() }));
            }
        }
        best
    }

    /// The lines that are most likely to come onto the board.
    pub(super) fn lines(&self, count: usize) -> Result<Vec<LearnedLine>, DiscoverError> {
        let root = self.ground.sweep.root();
        let (moves, habits) = (Vec::new(), Vec::new());
        let mut open =
            vec![Some(Open { at: root, moves, habits, chance: 1.0, gain: 0.0, games: 0 })];
        // The order of the bits of a positive number is that of the numbers.
        let mut order = BinaryHeap::from([(1.0_f64.to_bits(), Reverse(0))]);
        let mut lines = Vec::new();
        let push = |order: &mut BinaryHeap<_>, open: &mut Vec<Option<Open>>, next: Open| {
            order.push((next.chance.to_bits(), Reverse(open.len())));
            open.push(Some(next));
        };
        while let Some((_, Reverse(index))) = order.pop() {
            if lines.len() >= count {
                break;
            }
            let Some(line) = open[index].take() else { continue };
            let here = self.ground.sweep.index(line.at);
            let reached = here.map(|here| &self.ground.sweep.positions[here]);
            match (reached, here.and_then(|here| self.choices[here])) {
                (Some(reached), _) if is_his(reached) => {
                    let before = open.len();
                    for next in self.replies(&line, reached)? {
                        push(&mut order, &mut open, next);
                    }
                    if open.len() == before {
                        lines.extend(self.finished(line));
                    }
                }
                (_, Some(Choice { square, child, loss })) => {
                    let mut next = Open { gain: line.gain - loss, ..line };
                    next.moves.push(square);
                    next.habits.push(None);
                    match child.filter(|&child| self.ground.sweep.index(child).is_some()) {
                        Some(child) => push(&mut order, &mut open, Open { at: child, ..next }),
                        None => lines.extend(self.finished(next)),
                    }
                }
                _ => {
                    // The games say no more; the book may know the answer.
                    let mut last = line;
                    let best = Judged::of(&self.ground.book, last.at)?;
                    let square = best.and_then(|judged| judged.best().and_then(|best| best.square));
                    if let Some(square) = square.filter(|_| last.games > 0) {
                        last.moves.push(square);
                        last.habits.push(None);
                        lines.extend(self.finished(last));
                    }
                }
            }
        }
        Ok(lines)
    }

    /// A line with each of the moves that the player usually makes at its end.
    fn replies(&self, line: &Open, reached: &Reached) -> Result<Vec<Open>, DiscoverError> {
        let judged = Judged::of(&self.ground.book, reached.key)?;
        let usual = reached.moves.iter().filter(|going| going.tried.own >= self.least);
        let replies = usual.filter_map(|going| {
            let loss = judged.as_ref().and_then(|judged| judged.loss(going.square));
            if !self.ground.allows(going.child, loss) {
                return None;
            }
            let share = share_of(going, reached);
            let habit = Some(Habit { share, loss });
            Some(Open {
                at: going.child?,
                moves: line.moves.iter().copied().chain([going.square]).collect(),
                habits: line.habits.iter().copied().chain([habit]).collect(),
                chance: line.chance * share,
                gain: line.gain + loss.map_or(0.0, |loss| loss.loss.discs()),
                games: going.tried.own,
            })
        });
        Ok(replies.collect())
    }

    fn finished(&self, open: Open) -> Option<LearnedLine> {
        let Open { moves, habits, chance, gain, games, .. } = open;
        (games > 0).then(|| {
            let line = self.ground.sweep.line_of(moves);
            let before = line.len().saturating_sub(habits.len());
            let habits = std::iter::repeat_n(None, before).chain(habits).collect();
            LearnedLine { line, chance, gain: gain + 0.0, games, habits }
        })
    }
}

/// How likely the player goes on with a move, by the player's games at the position, recent ones
/// counted more.
fn share_of(going: &Going, reached: &Reached) -> f64 {
    going.tried.weight / reached.all.weight
}

/// Whether the player is to move at a position; after passes it may be either side.
fn is_his(reached: &Reached) -> bool {
    2 * reached.all.own > reached.all.games
}
