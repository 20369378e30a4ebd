//! How far the values of a book can be trusted: a letter for how its lines end, the error to expect,
//! and how much there is to remember.

use crate::openbook::{Evidence, LineEnds, Node};
use crate::othello::score::Score;
use crate::othello::search::chance_above;

/// How the lines of best play end, from A to F, as users of other programs know it. Lines follow every
/// move that gives away less than two discs; where a win is proven, the winner follows only moves that are
/// proven to win.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Grade {
    /// All ends are proven: exact, or the winner.
    A,
    /// At least one is proven, the others are searched to the end with less than certainty.
    B,
    /// All are searched to the end, none with certainty.
    C,
    /// At least one is proven, and some were not searched to the end.
    D,
    /// At least one is searched to the end, none proven, and some are not.
    E,
    /// None was searched to the end.
    F,
}

impl Grade {
    /// That of lines with these ends; none where they are not known.
    fn of(ends: u8) -> Option<Self> {
        let has = |end: u8| ends & end != 0;
        match (has(LineEnds::PROVEN), has(LineEnds::READ_OUT), has(LineEnds::OPEN)) {
            (false, false, false) => None,
            (true, false, false) => Some(Self::A),
            (true, true, false) => Some(Self::B),
            (false, true, false) => Some(Self::C),
            (true, _, true) => Some(Self::D),
            (false, true, true) => Some(Self::E),
            (false, false, true) => Some(Self::F),
        }
    }

    pub const fn letter(self) -> char {
        match self {
            Self::A => 'A',
            Self::B => 'B',
            Self::C => 'C',
            Self::D => 'D',
            Self::E => 'E',
            Self::F => 'F',
        }
    }

    pub const fn text(self) -> &'static str {
        match self {
            Self::A => "all lines end in proven results",
            Self::B => "all lines are searched to the end, some are proven",
            Self::C => "all lines are searched to the end",
            Self::D => "some lines end in proven results",
            Self::E => "some lines are searched to the end",
            Self::F => "no line is searched to the end",
        }
    }
}

/// How sure it is that a loss with this standard error, in discs, is any at all, 0..=1: as much more than
/// a coin knows of it.
pub(crate) fn sureness(loss: Score, error: f64) -> f64 {
    (2.0 * chance_above(loss, error, 0.0) - 1.0).max(0.0)
}

/// How far the value of a position can be trusted.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Trust {
    /// How best play ends; none where that is not known, as in a book of an older program.
    pub grade: Option<Grade>,
    /// How sure the guess is; none where nothing is known.
    pub sure: Option<Sure>,
    /// In how many positions the side to move must know its way to stay on best lines, whatever
    /// best moves the other side chooses; none where that is not known.
    pub to_learn: Option<u64>,
    /// The same for the other side.
    pub other_to_learn: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sure {
    /// Its expected error.
    pub evidence: Evidence,
    /// It is as sure as a search of so many plies, as levels search.
    pub plies: u8,
}

impl Sure {
    /// Of a value of a position with so many empties.
    pub(crate) fn at(empties: u8, evidence: Evidence) -> Self {
        Self { evidence, plies: evidence.plies(empties) }
    }

    /// Whether nothing can be wrong.
    pub fn is_exact(self) -> bool {
        self.evidence == Evidence::EXACT
    }

    /// The standard error, in discs.
    pub fn error(self) -> f64 {
        self.evidence.standard_error()
    }
}

impl Trust {
    /// The standard error of the guess in discs; 0 where it is exact, none where nothing is known.
    pub fn error(&self) -> Option<f64> {
        self.sure.map(Sure::error)
    }

    /// What a book keeps of a node.
    pub fn of(node: &Node) -> Self {
        let LineEnds { ends, own, other } = node.lines;
        Self {
            grade: Grade::of(ends),
            sure: sure_of(node),
            to_learn: LineEnds::number(own),
            other_to_learn: LineEnds::number(other),
        }
    }
}

/// The standard error to expect of a node's guess, in discs; 0 where it is exact, none where nothing is known.
pub(crate) fn expected_error(node: &Node) -> Option<f64> {
    sure_of(node).map(Sure::error)
}

/// How sure a node's guess is; none where nothing is known.
pub(crate) fn sure_of(node: &Node) -> Option<Sure> {
    let is_known = node.record.is_some() || !node.links.is_empty() || !node.due;
    let evidence = match node.values.is_exact() {
        true => Some(Evidence::EXACT),
        false => is_known.then_some(node.evidence),
    };
    evidence.map(|evidence| Sure::at(node.key.position().empties(), evidence))
}
