//! Growth by a fleet: `rosebill grow --fleet`.

use std::time::Duration;

use crate::app::amounts::percent;
use crate::faces::cli::credentials::without_credentials;
use crate::faces::cli::duration::parse_duration;
use crate::faces::cli::fleet::FleetArguments;
use crate::faces::render::Command;

/// Flags of growth by a fleet.
#[derive(clap::Args, Debug)]
pub struct FleetGrowth {
    #[command(flatten)]
    pub at: FleetArguments,
    /// With --fleet: the share of results that is searched again here and compared, such as 1%; a
    /// worker that differs is shut out, and what it found is searched again
    #[arg(long, value_name = "PERCENT", value_parser = percent, requires = "fleet")]
    #[cfg_attr(not(feature = "fleet"), allow(dead_code))] // understood, and never come to
    pub recheck: Option<f64>,
    /// With --fleet: try again what was set aside in earlier runs because no worker could search it
    #[arg(long, requires = "fleet")]
    #[cfg_attr(not(feature = "fleet"), allow(dead_code))]
    pub again: bool,
    /// With --fleet: a dead worker's jobs are given to others after this time
    #[arg(long, hide = true, value_parser = parse_duration, requires = "fleet")]
    #[cfg_attr(not(feature = "fleet"), allow(dead_code))]
    pub ack_wait: Option<Duration>,
}

impl FleetGrowth {
    /// The command that joins the fleet as a worker; none where growth needs no fleet.
    pub fn worker_command(&self) -> Option<Command> {
        let address = self.at.fleet.as_ref()?;
        let address = Some(without_credentials(address)).filter(|address| !address.is_empty());
        Some(Command::new("fleet work").of_no_book().with(["--fleet"]).with(address))
    }
}

#[cfg(feature = "fleet")]
mod crew {
    use std::sync::Arc;

    use super::FleetGrowth;
    use crate::app::{Book, GrowOptions, GrowStatus, GrowSummary, grow_with};
    use crate::faces::cli::context::Context;
    use crate::faces::cli::interrupt::Interrupt;
    use crate::fleet::{Address, Coordinator, CoordinatorOptions, DEFAULT_ACK_WAIT};
    use crate::othello::eval::{Evaluator, PatternEvaluator};

    impl FleetGrowth {
        /// Where the fleet is; none where growth needs none.
        pub fn address(&self, context: &Context) -> anyhow::Result<Option<Address>> {
            self.at.fleet.as_ref().map(|_| self.at.address(context)).transpose()
        }

        /// Grows a book by a fleet, and with so many threads of this process.
        pub fn grow(
            &self,
            address: Address,
            (book, evaluator): (&mut Book, &Arc<PatternEvaluator>),
            (options, threads): (&GrowOptions, usize),
            interrupt: &Interrupt,
            context: &Context,
            watch: &mut dyn FnMut(&GrowStatus),
        ) -> anyhow::Result<GrowSummary> {
            let title = context.book_path();
            let title = title.file_stem().unwrap_or_default().to_string_lossy();
            let options_of_fleet = CoordinatorOptions {
                address,
                title: crate::othello::one_line::one_line(&title, 60),
                threads,
                recheck: self.recheck.unwrap_or_default(),
                again: self.again,
                ack_wait: self.ack_wait.unwrap_or(DEFAULT_ACK_WAIT),
            };
            let mut told = None;
            let mut note = |what: String| {
                if told.as_ref() != Some(&what) {
                    context.note(format_args!("{what}; waiting for it"));
                    told = Some(what);
                }
            };
            let stop = &interrupt.stop;
            let mut crew =
                Coordinator::start(book, evaluator, options_of_fleet, options, stop, &mut note)?;
            Ok(grow_with(book, &mut crew, &evaluator.name(), options, stop, watch)?)
        }
    }
}

#[cfg(not(feature = "fleet"))]
mod crew {
    use std::sync::Arc;

    use super::FleetGrowth;
    use crate::app::{Book, GrowOptions, GrowStatus, GrowSummary};
    use crate::faces::cli::context::Context;
    use crate::faces::cli::fleet::NOT_BUILT;
    use crate::faces::cli::interrupt::Interrupt;
    use crate::othello::eval::PatternEvaluator;

    impl FleetGrowth {
        /// Says how to get a program that knows fleets, if one is asked for.
        pub fn address(&self, context: &Context) -> anyhow::Result<Option<()>> {
            match &self.at.fleet {
                Some(_) => match self.at.address(context)? {},
                None => Ok(None),
            }
        }

        /// Never comes to that.
        pub fn grow(
            &self,
            (): (),
            _: (&mut Book, &Arc<PatternEvaluator>),
            _: (&GrowOptions, usize),
            _: &Interrupt,
            _: &Context,
            _: &mut dyn FnMut(&GrowStatus),
        ) -> anyhow::Result<GrowSummary> {
            anyhow::bail!(NOT_BUILT)
        }
    }
}
