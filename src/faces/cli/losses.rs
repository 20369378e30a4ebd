//! Arguments for what may be given away.

use crate::app::{LossLimit, RegretLimits};

/// What moves and lines may give away, for all commands that follow lines of the book.
#[derive(clap::Args, Clone, Copy, Default, Debug)]
pub struct LossArguments {
    /// Follow only moves that give away at most so many discs, 0 for best moves alone: a number for
    /// both sides, or black:D,white:D, where a side that is left out has no limit
    #[arg(long, value_name = "D")]
    move_loss: Option<LossLimit>,
    /// Follow only lines along which each side by itself gives away at most so many discs in all:
    /// a number for both sides, or black:D,white:D, as for --move-loss
    #[arg(long, value_name = "D")]
    line_loss: Option<LossLimit>,
}

impl LossArguments {
    /// The limits that they stand for.
    pub fn limits(self) -> RegretLimits {
        RegretLimits {
            move_loss: self.move_loss.unwrap_or_default(),
            line_loss: self.line_loss.unwrap_or_default(),
            total: None,
        }
    }

    /// Each option with whether it is given.
    pub const fn given(self) -> [(&'static str, bool); 2] {
        [("--move-loss", self.move_loss.is_some()), ("--line-loss", self.line_loss.is_some())]
    }
}
