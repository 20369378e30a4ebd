//! Arguments of commands that search.

use super::context::Context;
use super::interrupt::stop_on_interrupt;
use crate::app::Engine;
use crate::app::amounts::within;
use crate::othello::eval::{AnyEvaluator, EVALUATOR_NAMES, by_name};
use crate::othello::search::MoveOrdering;

/// What `--evaluator` takes.
pub(super) fn evaluators() -> String {
    format!("What judges positions: {}, or a weights file", EVALUATOR_NAMES.join(", "))
}

/// Flags of everything that searches one position after another.
#[derive(clap::Args, Debug)]
pub struct EngineArguments {
    /// Memory for the transposition table of each thread in MiB [default: the setting, 64 without one]
    #[arg(long, value_name = "MIB", value_parser = within::<u32>(1..=1 << 20))]
    table: Option<u32>,
    #[arg(long, default_value = "rosebill", value_name = "NAME", help = evaluators())]
    evaluator: String,
    /// Threads: one for each position of a file, or several for each when it has fewer positions
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = within::<u16>(1..=1024))]
    threads: u16,
    /// How moves are sorted: rosebill, or quick, by the kind of square alone
    #[arg(long, default_value = "rosebill", value_name = "NAME")]
    ordering: MoveOrdering,
    /// Search every legal move as if the others did not exist, and list them best first
    #[arg(long, alias = "all")]
    all_moves: bool,
}

impl EngineArguments {
    /// What judges positions.
    pub fn evaluator(&self) -> anyhow::Result<AnyEvaluator> {
        Ok(by_name(&self.evaluator)?)
    }

    /// An engine that Ctrl-C stops.
    pub fn engine(&self, context: &Context) -> anyhow::Result<Engine> {
        let default = context.settings().table_megabytes.value;
        Ok(Engine {
            evaluator: self.evaluator()?,
            table_megabytes: self.table.map_or(default, |mebibytes| mebibytes as usize),
            threads: context.threads(Some(self.threads.into())),
            ordering: self.ordering,
            every_move: self.all_moves,
            stop: stop_on_interrupt()?,
        })
    }
}
