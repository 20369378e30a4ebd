//! What all questions about book and games are asked with, and how their answers are written.

use serde::Serialize;

use crate::app::amounts::{discs, one_or_more};
use crate::app::discover::{MoveLoss, Place};
use crate::app::games::{GameDatabase, GameFilter};
use crate::app::{RegretLimits, error_to_expect};
use crate::faces::cli::commands::games::filter::tell_namesakes;
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::table::Table;
use crate::files::games::{Asked, opening_of_line};
use crate::othello::board::Line;
use crate::othello::score::Score;
use crate::store::Reader;

/// Where to look, and how much to tell.
#[derive(clap::Args, Debug)]
pub(super) struct PlaceArguments {
    /// Only below this position: a line such as f5d6c3, an opening's name or a board [default: the start]
    #[arg(long, value_name = "POSITION")]
    from: Option<Asked>,
    /// How many are listed
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = one_or_more)]
    limit: usize,
    /// Only positions whose guess is at most this many discs from even [default: 10]
    #[arg(long, value_name = "DISCS", value_parser = discs)]
    window: Option<i32>,
    #[command(flatten)]
    losses: RegretLimits,
    /// Print lines only, one on each line, as grow --line takes them
    #[arg(long)]
    pub(super) lines: bool,
    #[command(flatten)]
    pub(super) filter: GameFilter,
}

impl PlaceArguments {
    pub(super) fn place(&self, least_games: u64) -> Place {
        let from = self.from.as_ref().map(|asked| asked.line.clone()).unwrap_or_default();
        let losses = self.losses;
        Place { from, filter: self.filter.clone(), least_games, losses, limit: self.limit }
    }

    /// In centidiscs; `usual` where nothing is asked for.
    pub(super) fn window(&self, usual: i32) -> i32 {
        self.window.unwrap_or(usual)
    }

    /// The games of a book, with a note where the filter names one of several players.
    pub(super) fn database<'b>(
        &self,
        book: &'b Reader,
        context: &Context,
    ) -> anyhow::Result<GameDatabase<'b>> {
        let database = GameDatabase::open(book)?;
        tell_namesakes(self.filter.names(), &database, context)?;
        Ok(database)
    }

    /// Prints what was found: lines to grow, JSON, or a table. `nothing` says what was not.
    pub(super) fn print<T: Serialize>(
        &self,
        found: &[T],
        nothing: &str,
        line: impl Fn(&T) -> &Line,
        table: impl FnOnce(&[T]) -> Table,
        context: &mut Context,
    ) -> anyhow::Result<Status> {
        if found.is_empty() {
            return Ok(not_found(nothing, context));
        }
        if self.lines {
            self.print_lines(found.iter().map(line), context)?;
        } else if context.output.is_json() {
            for each in found {
                context.output.object(each)?;
            }
        } else {
            context.output.table(&table(found))?;
        }
        Ok(Status::Done)
    }

    /// Prints lines for `grow --line`.
    pub(super) fn print_lines<'l>(
        &self,
        lines: impl IntoIterator<Item = &'l Line>,
        context: &mut Context,
    ) -> anyhow::Result<()> {
        for line in lines {
            context.output.line(line.whole_text())?;
        }
        Ok(())
    }
}

/// A table with a row for each.
pub(super) fn table_of<T, const N: usize>(
    titles: [&'static str; N],
    row: impl Fn(&T) -> [String; N],
) -> impl FnOnce(&[T]) -> Table {
    move |found| {
        let mut table = Table::new(&titles);
        found.iter().for_each(|each| table.row(row(each)));
        table
    }
}

/// What to do when nothing is found.
pub(super) fn not_found(what: &str, context: &Context) -> Status {
    context.note(format_args!("{what}: try other limits, or grow the book with --policy popular"));
    Status::NotFound
}

/// A loss with the error to expect of it: `2.50 ±1.2`, `>=2.50 ±1.2` where it may be more, `2` where it is proven.
pub(super) fn loss_text(loss: MoveLoss, error: f64) -> String {
    let sign = if loss.at_least { ">=" } else { "" };
    let error = error_to_expect(error);
    let error = if error < 0.05 { String::new() } else { format!(" ±{error:.1}") };
    format!("{sign}{}{error}", loss.loss.to_string().trim_start_matches('+'))
}

/// Discs with a sign, two decimals at most.
pub(super) fn guess_text(guess: Option<Score>) -> String {
    guess.map_or_else(String::new, |guess| guess.to_string())
}

pub(super) fn year_text(year: Option<u16>) -> String {
    year.map_or_else(String::new, |year| year.to_string())
}

/// A part of a whole in percent.
pub(super) fn share_text(part: u64, whole: u64) -> String {
    format!("{:.0} %", 100.0 * part as f64 / whole.max(1) as f64)
}

/// The name that a line has at its end, or nothing.
pub(super) fn name_text(line: &Line) -> String {
    opening_of_line(line).unwrap_or_default().to_owned()
}
