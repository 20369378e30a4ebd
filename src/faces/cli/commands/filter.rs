//! Arguments that say which part of a book is written.

use crate::app::amounts::within;
use crate::app::export::ExportFilter;
use crate::app::{RegretLimits, Subtree};
use crate::files::games::Asked;
use crate::othello::search::Level;

/// Which part of a book is written.
#[derive(clap::Args, Debug)]
pub struct FilterArguments {
    /// Only what is reached from this position, and the way to it where it is given as a line
    #[arg(long, value_name = "POSITION")]
    pub(super) from: Option<Asked>,
    /// Only positions with at most this many discs
    #[arg(long, value_name = "D", value_parser = within::<u8>(4..=64))]
    max_discs: Option<u8>,
    #[command(flatten)]
    losses: RegretLimits,
    /// Only positions searched as this level or a higher one would, and reached by such ones
    #[arg(long, value_name = "LEVEL")]
    min_level: Option<Level>,
}

impl FilterArguments {
    /// The filter that they stand for.
    pub fn filter(&self) -> ExportFilter {
        let from = self.from.as_ref().map(|asked| Subtree::after(&asked.line));
        ExportFilter {
            from,
            max_discs: self.max_discs,
            limits: self.losses,
            min_level: self.min_level,
        }
    }
}
