//! `rosebill games list`.

use super::filter::{position_or_player, tell_namesakes};
use crate::app::amounts::{at_least, one_or_more};
use crate::app::games::{
    FilterError, GameDatabase, GameFilter, GameId, GameSort, ListOptions, ListedGame, list_games,
};
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::place::Positions;
use crate::faces::cli::table::Table;
use crate::faces::render::json::listed_json;
use crate::faces::render::{day, player_name as name, result};
use crate::files::counted::counted;
use crate::files::games::{Player, opening_of_line};
use crate::othello::board::Line;
use anyhow::bail;
use clap::ValueEnum;
use std::ffi::OsString;

/// The order of a list.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) enum SortArgument {
    #[default]
    Date,
    Result,
    Player,
    Rating,
}

impl From<SortArgument> for GameSort {
    fn from(sort: SortArgument) -> Self {
        match sort {
            SortArgument::Date => Self::Date,
            SortArgument::Result => Self::Result,
            SortArgument::Player => Self::Player,
            SortArgument::Rating => Self::Rating,
        }
    }
}

/// Which games, and in which order.
#[derive(clap::Args, Debug)]
pub(super) struct ChoiceArguments {
    /// Only games through this position, as --position: a line, an opening's name or a board
    #[arg(value_name = "POSITION")]
    position: Vec<OsString>,
    /// Only those that came there by another order of moves
    #[arg(long, requires = "position")]
    other_order: bool,
    /// The latest first, Black's largest win, by name, or the highest ratings
    #[arg(long, value_enum, default_value_t)]
    sort: SortArgument,
    /// List in the opposite order
    #[arg(long)]
    reverse: bool,
    #[command(flatten)]
    pub(super) filter: GameFilter,
}

impl ChoiceArguments {
    /// What they choose.
    pub(super) fn options(&self, context: &Context) -> anyhow::Result<ListOptions> {
        let words = &self.position;
        let through = position_or_player(position(words, context), words, context)?;
        if let Some(line) = through.as_ref().filter(|line| self.other_order && line.is_empty()) {
            bail!("{}: no order of moves: expected a line such as f5f6e6", line.whole_text());
        }
        let mut filter = self.filter.clone();
        filter.through.extend(through.clone());
        Ok(ListOptions {
            filter,
            other_order_than: through.filter(|_| self.other_order),
            sort: self.sort.into(),
            reverse: self.reverse,
            limit: usize::MAX,
            after: None,
        })
    }
}

/// The one position of an argument, where there is one.
pub(super) fn position(words: &[OsString], context: &Context) -> anyhow::Result<Option<Line>> {
    if words.is_empty() {
        return Ok(None);
    }
    let positions = Positions::read(words, context)?;
    match positions.list.as_slice() {
        [one] => Ok(Some(one.asked.line.clone())),
        several => bail!("{} positions: expected one", several.len()),
    }
}

/// Arguments of `games list`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples: rosebill games list --player aspenryd --years 2010-\n          \
             rosebill games list tiger --sort rating --limit 50\n          \
             rosebill games list f5d6c3d3c4f4f6 --other-order\n\n\
    The number in front shows a game: rosebill games show NUMBER. The last number of a page leads on \
    to the next: --after NUMBER. The exit code is 1 when no game is found.")]
pub struct Arguments {
    #[command(flatten)]
    choice: ChoiceArguments,
    /// How many games are listed
    #[arg(long, value_name = "GAMES", default_value_t = 20, value_parser = one_or_more)]
    limit: usize,
    /// Start after this game in the same order: the next page
    #[arg(long, value_name = "NUMBER", value_parser = at_least::<0, u32>)]
    after: Option<u32>,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let options = ListOptions {
        // One more shows whether there is a next page.
        limit: arguments.limit.saturating_add(1),
        after: arguments.after.map(GameId),
        ..arguments.choice.options(context)?
    };
    let book = context.read_book()?;
    let database = GameDatabase::open(&book)?;
    tell_namesakes(arguments.choice.filter.names(), &database, context)?;
    let (mut page, count) = list_games(&database, &options)?;
    let is_last = page.len() <= arguments.limit;
    page.truncate(arguments.limit);
    if context.output.is_json() {
        for listed in &page {
            context.output.object(&listed_json(listed)?)?;
        }
    } else if !page.is_empty() {
        let mut table =
            Table::new(&["game", "date", "black", "result", "white", "opening", "event"]);
        let with_ratings = arguments.choice.sort == SortArgument::Rating;
        page.iter().for_each(|listed| table.row(row(listed, with_ratings)));
        context.output.table(&table)?;
        let has_rating = |listed: &ListedGame| {
            [&listed.game.black, &listed.game.white].iter().any(|player| player.rating.is_some())
        };
        if with_ratings && !page.iter().any(has_rating) {
            context.note("no game here has ratings: they come by their numbers");
        }
    }
    match page.last().map(|listed| listed.id.0) {
        _ if count == 0 && database.is_empty() => context.explain(&FilterError::NoGames),
        _ if count == 0 => context.note("no game matches: try fewer conditions"),
        None => context.note(format_args!(
            "no game behind that one: it is the last of {}",
            counted(count, "game")
        )),
        Some(last) if !is_last => {
            context.note(format_args!(
                "{} in all; the next page: --after {last}",
                counted(count, "game")
            ));
        }
        Some(_) => {}
    }
    Ok(if page.is_empty() { Status::NotFound } else { Status::Done })
}

fn row(ListedGame { id, game, .. }: &ListedGame, with_ratings: bool) -> [String; 7] {
    let player = |player: &Player| match player.rating.filter(|_| with_ratings) {
        Some(rating) => format!("{} ({rating})", name(player)),
        None => name(player).to_owned(),
    };
    let opening = opening_of_line(&Line::from_board(game.start).then(&game.moves));
    [
        id.0.to_string(),
        day(game),
        player(&game.black),
        result(game),
        player(&game.white),
        opening.unwrap_or_default().to_owned(),
        game.event.clone().unwrap_or_default(),
    ]
}
