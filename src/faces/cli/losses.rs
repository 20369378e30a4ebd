//! Options for what may be given away.

use crate::app::RegretLimits;

/// Each option of these limits with whether it is given.
pub fn given(limits: RegretLimits) -> [(&'static str, bool); 2] {
    [("--move-loss", limits.move_loss.is_set()), ("--line-loss", limits.line_loss.is_set())]
}
