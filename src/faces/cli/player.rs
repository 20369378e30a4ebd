//! Arguments of commands that play.

use super::config::Origin;
use super::context::Context;
use super::engine::evaluators;
use crate::app::amounts::{contempt, discs, whole, within};
use crate::app::player::{Player, PlayerOptions};
use crate::othello::score::Score;
use crate::othello::search::MoveOrdering;

/// Flags of everything that plays.
#[derive(clap::Args, Debug)]
pub struct PlayerArguments {
    /// Threads for each search
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = within::<u16>(1..=1024))]
    threads: u16,
    /// Memory for the transposition table in MiB [default: the setting, 64 without one]
    #[arg(long, value_name = "MIB", value_parser = within::<u32>(1..=1 << 20))]
    table: Option<u32>,
    #[arg(long, default_value = "rosebill", value_name = "NAME", help = evaluators())]
    evaluator: String,
    /// How moves are sorted: rosebill, or quick, by the kind of square alone
    #[arg(long, default_value = "rosebill", value_name = "NAME")]
    ordering: MoveOrdering,
    /// Draw one of the book moves that are worth at most so much less than the best
    #[arg(long, value_name = "DISCS", default_value = "0", value_parser = discs)]
    variety: i32,
    /// Seed of the random choices: the same seed gives the same moves [default: a new one each time]
    #[arg(long, value_name = "N", value_parser = whole)]
    seed: Option<u64>,
    /// What a draw is worth to Black, in discs, -100 to 100: decides between book moves
    #[arg(long, value_name = "DISCS", default_value = "0", value_parser = contempt)]
    contempt: Score,
    /// Play without a book
    #[arg(long, conflicts_with = "book")]
    no_book: bool,
}

impl PlayerArguments {
    /// The player that is asked for. A book that is named must be there; without a usual one it plays
    /// all the same.
    pub fn player(&self, context: &Context) -> anyhow::Result<Player> {
        self.check_book(context)?;
        self.player_anyway(context)
    }

    /// Refuses a book that was named and cannot be read.
    pub fn check_book(&self, context: &Context) -> anyhow::Result<()> {
        if context.settings().book.origin == Origin::Flag && !self.no_book {
            context.book().read()?;
        }
        Ok(())
    }

    /// The player that is asked for, which takes the book as soon as there is one.
    pub fn player_anyway(&self, context: &Context) -> anyhow::Result<Player> {
        let settings = context.settings();
        let book = (!self.no_book).then(|| context.book_to_ask());
        let table = settings.table_megabytes.value;
        Ok(Player::new(PlayerOptions {
            threads: context.threads(Some(self.threads.into())),
            table_megabytes: self.table.map_or(table, |mebibytes| mebibytes as usize),
            evaluator: self.evaluator.clone(),
            ordering: self.ordering,
            variety: Score::from_centidiscs(i16::try_from(self.variety).unwrap_or(i16::MAX)),
            seed: self.seed,
            book,
        })?)
    }

    /// What a draw is worth to Black.
    pub const fn contempt(&self) -> Score {
        self.contempt
    }
}
