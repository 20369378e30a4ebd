//! `--complete` of `export` and `convert`.

use crate::app::{Completion, DEFAULT_TABLE_MEGABYTES};
use crate::faces::cli::context::Context;
use crate::othello::search::Level;

/// What is searched before a book is written.
#[derive(clap::Args, Debug)]
pub struct CompleteArguments {
    /// Search what the receiving program would search or see otherwise, at this level or as deep as it
    /// takes, before the file is written: positions with moves that are not searched yet, and those that
    /// are less sure than the searches above them. The book stays as it is
    #[arg(long, value_name = "LEVEL")]
    complete: Option<Level>,
}

impl CompleteArguments {
    /// What they stand for; none where nothing is to be searched.
    pub(super) fn completion(&self, context: &Context) -> Option<Completion> {
        let threads = context.threads(None);
        let table_megabytes = DEFAULT_TABLE_MEGABYTES;
        self.complete.map(|level| Completion { level, threads, table_megabytes })
    }
}
