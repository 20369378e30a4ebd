//! Where growth starts, and what it is led to from there.

use std::collections::VecDeque;
use std::fmt;

use crate::files::games::Asked;
use crate::openbook::NodeSource;
use crate::openbook::policy::Leaf;
use crate::othello::board::{Key, Line, Placed, Position, Side, Square, write_from_f5};
use crate::store::StoreError;

/// Where growth starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GrowStart {
    /// The board. Where the side to move must pass, growth starts after the pass.
    pub placed: Placed,
    /// The moves that led there, if it was given by them: the positions on the way are added, too.
    pub line: Option<Line>,
}

impl Default for GrowStart {
    fn default() -> Self {
        Line::default().into()
    }
}

impl From<Line> for GrowStart {
    fn from(line: Line) -> Self {
        Self { placed: line.board(), line: Some(line) }
    }
}

impl From<&Asked> for GrowStart {
    fn from(asked: &Asked) -> Self {
        let line = asked.is_from_the_start().then(|| asked.line.clone());
        Self { placed: asked.placed(), line }
    }
}

impl fmt::Display for GrowStart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.line {
            Some(line) => line.fmt(f),
            None => f.write_str(&self.placed.position.board_text(self.placed.side)),
        }
    }
}

impl GrowStart {
    /// The board to be played on; none when the game is over.
    pub(in crate::app) fn root(&self) -> Option<Placed> {
        self.placed.to_play()
    }

    /// The boards on the way that a book may hold, the one to be played on last.
    pub(super) fn way(&self) -> impl Iterator<Item = Placed> {
        let steps = self.line.iter().flat_map(|line| line.steps());
        steps.map(|step| step.before).chain(self.root())
    }

    /// What a leaf that was reached from here wants searched.
    fn target(&self, leaf: &Leaf) -> Target {
        let moves = leaf.line.iter().copied().chain(leaf.rest_square);
        let line = self.line.as_ref().map(|line| {
            let mut whole: Vec<Square> = line.squares().chain(moves).collect();
            if line.is_empty() {
                write_from_f5(&mut whole);
            }
            whole
        });
        Target { line, position: leaf.child.unwrap_or(leaf.key).position() }
    }
}

/// A position that is searched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    /// The moves from the start of the game, where they are known.
    pub line: Option<Vec<Square>>,
    pub position: Position,
}

impl Target {
    pub(super) fn of(leaf: &Leaf, starts: &[GrowStart]) -> Self {
        match leaf.root.and_then(|root| starts.get(root)) {
            Some(start) => start.target(leaf),
            None => leaf.key.into(),
        }
    }
}

impl From<Key> for Target {
    fn from(key: Key) -> Self {
        Self { line: None, position: key.position() }
    }
}

/// As commands take positions: a line, else a board, on which the side to move is Black.
impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.line {
            Some(line) => line.iter().try_for_each(|square| square.fmt(f)),
            None => f.write_str(&self.position.board_text(Side::Black)),
        }
    }
}

/// The positions to start from, with those on the way, that are not in the book yet.
pub(super) fn missing(
    book: &impl NodeSource<Error = StoreError>,
    starts: &[GrowStart],
    max_discs: Option<u8>,
) -> Result<VecDeque<(Key, Target)>, StoreError> {
    let most = max_discs.unwrap_or(64);
    let mut missing: VecDeque<(Key, Target)> = VecDeque::new();
    for start in starts {
        for (plies, placed) in start.way().enumerate() {
            let key = Key::of(placed.position);
            let is_listed = missing.iter().any(|(known, _)| *known == key);
            if key.discs() <= most && !is_listed && book.node(&key)?.is_none() {
                let line = start.line.as_ref().map(|line| line.squares().take(plies).collect());
                missing.push_back((key, Target { line, position: placed.position }));
            }
        }
    }
    Ok(missing)
}
