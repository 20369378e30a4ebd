//! What the fields of a node can say. A file that Zebra wrote has no other values, so a file that
//! is none is refused at its first node.

use crate::files::books::Fault;
use crate::othello::score::MAX_DISCS;

use super::layout::{PROVEN, square_of};
use super::{ZebraHash, ZebraNode};

/// No alternative is stored, or no move is left for one.
const NO_ALTERNATIVE: std::ops::RangeInclusive<i16> = -2..=-1;

/// Bits of the flags that mean nothing.
const UNUSED: u16 = 0b11_1100_0000;

/// A hash cannot be that of a board.
pub(super) fn check_hash((first, second): ZebraHash) -> Result<(), Fault> {
    if first < 0 || second < 0 || (first, second) == (0, 0) {
        let found = format!("hash {first}, {second}");
        return Err(Fault::new(found, "two numbers that are not negative, and not both 0"));
    }
    Ok(())
}

/// A score cannot be one: midgame, proven, 9999 for none.
pub(super) fn check_score(score: i16) -> Result<(), Fault> {
    let most = PROVEN + i16::from(MAX_DISCS);
    if (-most..=most).contains(&score) {
        return Ok(());
    }
    Err(Fault::new(format!("score {score}"), format!("-{most} to {most}")))
}

/// An alternative is no square, and no word for none.
pub(super) fn check_alternative(number: i16) -> Result<(), Fault> {
    if NO_ALTERNATIVE.contains(&number) || square_of(number).is_some() {
        return Ok(());
    }
    let expected = "a square as 10 * row + column, or -1 or -2 for none";
    Err(Fault::new(format!("alternative {number}"), expected))
}

/// A move is no square.
pub(super) fn check_move(number: i16) -> Result<(), Fault> {
    if square_of(number).is_some() {
        return Ok(());
    }
    Err(Fault::new(format!("move {number}"), "a square as 10 * row + column"))
}

/// Flags cannot be those of a node.
pub(super) fn check_flags(flags: u16) -> Result<(), Fault> {
    if flags & UNUSED == 0 && flags & 3 != ZebraNode::BLACK | ZebraNode::WHITE {
        return Ok(());
    }
    let expected = "one side to move at most, and nothing in bits 6 to 9";
    Err(Fault::new(format!("flags {flags:#06x}"), expected))
}

impl ZebraNode {
    /// Whether all fields say what such fields can say.
    pub(super) fn check(&self) -> Result<(), Fault> {
        check_score(self.black_score)?;
        check_score(self.white_score)?;
        check_alternative(self.alternative)?;
        check_score(self.alternative_score)?;
        check_flags(self.flags)
    }
}
