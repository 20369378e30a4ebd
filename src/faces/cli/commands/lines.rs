//! `rosebill lines`.

use super::show::is_one;
use crate::app::amounts::{contempt, whole, within};
use crate::app::games::popular_lines;
use crate::app::games::{FilterError, GameDatabase, GameFilter, PopularLine};
use crate::app::{By, LineTerms, Reader, RegretLimits, Values, lines, missing_on};
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::hint::not_in_book;
use crate::faces::cli::losses::given;
use crate::faces::cli::other_book::read_other_book;
use crate::faces::cli::place::Positions;
use crate::faces::cli::table::Table;
use crate::faces::render::json::{line_json, popular_line_json};
use crate::faces::render::{Paint, Painted};
use crate::files::counted::grouped;
use crate::files::games::{Asked, opening_of_line};
use crate::othello::board::Square;
use crate::othello::score::Score;
use anyhow::bail;
use clap::ValueEnum;
use std::ffi::OsString;
use std::path::PathBuf;

/// Arguments of `lines`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill lines f5d6c3 --limit 5 --by draw-seeking\n\n\
    Each line goes to another end, those with the smallest regret (what both sides give away) first. A line is \
    printed whole, from the start, and ends with the first move out of the book, or in the book where \
    no move has a value. Values are discs \
    for the side to move in the position that was asked about; the draw- and win-seeking ones are \
    shown where they differ from the guess, and what searches alone say where facts of others make a \
    difference. In JSON, 'line' is the whole line and 'continuation' what \
    comes after the position.\n\n\
    --move-loss and --line-loss make the lines fewer, counted from the position that was asked about; \
    they change neither values nor order.\n\n\
    With --by games, fashion is how often a line's moves are played beside the most popular ones: \
    100 % where each move is the most popular, 50 % where one is played half as often as that. In JSON \
    it is 1 and 0.5.")]
pub struct Arguments {
    /// A line such as f5 d6 c3, an opening's name, a board, or a file with
    /// one of them on each line, or one board drawn in it (- for standard input) [default: the start]
    #[arg(value_name = "POSITION|FILE")]
    position: Vec<OsString>,
    /// How many lines
    #[arg(long, short = 'n', value_name = "N", default_value_t = 10, value_parser = within::<u32>(1..))]
    limit: u32,
    /// The value that counts, or what is played most
    #[arg(long, value_name = "ORDER", value_enum, default_value_t = ByArgument::Guess)]
    by: ByArgument,
    /// With --by games: a line ends where fewer games are left [default: 10]
    #[arg(long, value_name = "GAMES", value_parser = whole)]
    least_games: Option<u64>,
    /// With --by games: take the games of another book
    #[arg(long, value_name = "BOOK")]
    games_from: Option<PathBuf>,
    /// What a draw is worth to the side to move, in discs, -100 to 100: this counts
    #[arg(
        long, value_name = "DISCS", value_parser = contempt,
        conflicts_with = "by"
    )]
    contempt: Option<Score>,
    #[command(flatten)]
    losses: RegretLimits,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum ByArgument {
    Guess,
    DrawSeeking,
    WinSeeking,
    Games,
}

impl From<ByArgument> for By {
    fn from(by: ByArgument) -> Self {
        match by {
            ByArgument::Guess | ByArgument::Games => Self::Guess,
            ByArgument::DrawSeeking => Self::DrawSeeking,
            ByArgument::WinSeeking => Self::WinSeeking,
        }
    }
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let by_games = arguments.by == ByArgument::Games;
    for (option, is_given) in [
        ("--least-games", arguments.least_games.is_some()),
        ("--games-from", arguments.games_from.is_some()),
    ] {
        if is_given && !by_games {
            bail!("{option} needs --by games");
        }
    }
    for (option, is_given) in given(arguments.losses) {
        if is_given && by_games {
            bail!("{option} does not go with --by games: games need not be in the book");
        }
    }
    let positions = Positions::read(&arguments.position, context)?;
    let book = context.read_book()?;
    let games_from = arguments.games_from.as_ref();
    let other = games_from.map(|path| read_other_book(path, Some("--games-from"))).transpose()?;
    let games_book = other.as_ref().unwrap_or(&book);
    let database = by_games.then(|| GameDatabase::open(games_book)).transpose()?;
    let name = |asked: &Asked| opening_of_line(&asked.line).unwrap_or_default().to_owned();
    positions.answer_each(context, name, |position, index, context| match &database {
        Some(database) => list_popular(arguments, &position.asked, index, database, context),
        None => list_lines(arguments, &position.asked, index, &book, context),
    })
}

/// Lists the best lines; false when there are none.
fn list_lines(
    arguments: &Arguments,
    asked: &Asked,
    index: Option<usize>,
    book: &Reader,
    context: &mut Context,
) -> anyhow::Result<bool> {
    let by = arguments.contempt.map_or_else(|| arguments.by.into(), By::Contempt);
    let terms = LineTerms { count: arguments.limit as usize, by, limits: arguments.losses };
    let found = lines(&*book.snapshot()?, asked.placed(), terms)?;
    if found.is_empty() {
        note_missing(book, asked, context)?;
        return Ok(false);
    }
    if context.output.is_json() {
        for line in &found {
            context.output.object(&line_json(asked, index, line))?;
        }
        return Ok(true);
    }
    let values = found.iter().map(|line| (line.values, line.searched_values));
    let mut table = LineTable::new("regret", values, None);
    for line in &found {
        let loss = line.regret();
        let text = loss.to_string().trim_start_matches('+').to_owned();
        let loss = Painted::new(Paint::of_loss(loss.discs()), text);
        let values = (line.values, line.searched_values);
        table.row(loss, values, None, asked, &line.moves);
    }
    table.print(asked, context)?;
    Ok(true)
}

/// Where a line of games ends by default: with fewer games than this.
const LEAST_GAMES: u64 = 10;

/// Lists the lines that are played most; false when there are none.
fn list_popular(
    arguments: &Arguments,
    asked: &Asked,
    index: Option<usize>,
    database: &GameDatabase<'_>,
    context: &mut Context,
) -> anyhow::Result<bool> {
    let count = arguments.limit as usize;
    let least = arguments.least_games.unwrap_or(LEAST_GAMES).max(1);
    let found = popular_lines(database, &asked.line, count, least, &GameFilter::default())?;
    if found.is_empty() {
        match &arguments.games_from {
            Some(path) if database.is_empty() => {
                context.note(format_args!("{} has no games", path.display()));
            }
            None if database.is_empty() => context.explain(&FilterError::NoGames),
            _ if least == 1 => context.note("no game came through this position"),
            _ => context.note("no line from here was played that often: try --least-games 1"),
        }
        return Ok(false);
    }
    let mut table = Table::new(&["fashion", "games", "name", "line"]);
    for popular in found {
        if context.output.is_json() {
            context.output.object(&popular_line_json(asked, index, &popular))?;
        } else {
            let PopularLine { moves, games, fashion } = popular;
            let line = asked.line.then(&moves);
            let fashion = format!("{:.0} %", 100.0 * fashion);
            let name = opening_of_line(&line).unwrap_or_default().to_owned();
            table.row([fashion, grouped(games), name, line.to_string()]);
        }
    }
    if !context.output.is_json() {
        context.output.table(&table)?;
    }
    Ok(true)
}

/// Says that a position is not in the book, and what to do, or why nothing can be done.
pub(super) fn note_missing(book: &Reader, asked: &Asked, context: &Context) -> anyhow::Result<()> {
    context.explain(&not_in_book(asked, missing_on(book, &asked.line)?));
    Ok(())
}

/// Lines with their values and names. The line comes last, where it can be as long as it is.
pub(super) struct LineTable {
    table: Table,
    seeking: bool,
    with_facts: bool,
}

/// The values of a row, and what searches alone say where facts make a difference.
type RowValues = (Values, Option<Values>);

impl LineTable {
    /// The values are those of all rows: what is the same in all of them has no column.
    pub(super) fn new(
        first: &'static str,
        values: impl Iterator<Item = RowValues> + Clone,
        more: Option<&'static str>,
    ) -> Self {
        let seeking = values.clone().any(|(values, _)| !is_one(values));
        let with_facts = values.clone().any(|(_, searched)| searched.is_some());
        let mut titles = vec![first, "guess"];
        if with_facts {
            titles.push("by\nsearch");
        }
        if seeking {
            titles.extend(["draw-\nseeking", "win-\nseeking"]);
        }
        titles.extend(more);
        titles.extend(["name", "line"]);
        Self { table: Table::new(&titles), seeking, with_facts }
    }

    pub(super) fn row(
        &mut self,
        first: Painted,
        (values, searched): RowValues,
        more: Option<String>,
        asked: &Asked,
        moves: &[Square],
    ) {
        let mut cells = vec![first, values.guess.to_string().into()];
        if self.with_facts {
            cells.push(searched.unwrap_or(values).guess.to_string().into());
        }
        if self.seeking {
            cells.extend(
                [values.draw_seeking, values.win_seeking].map(|value| value.to_string().into()),
            );
        }
        cells.extend(more.map(Painted::from));
        let line = asked.line.then(moves);
        cells.push(opening_of_line(&line).unwrap_or_default().into());
        // After a board its moves are enough: the board is said once.
        cells.push(line.to_string().into());
        self.table.row(cells);
    }

    pub(super) fn print(&self, asked: &Asked, context: &mut Context) -> anyhow::Result<()> {
        context.output.table(&self.table)?;
        if !asked.is_from_the_start() {
            let placed = asked.line.start();
            let board = placed.position.board_text(placed.side);
            context.output.folded(&format!("All lines start from: {board}"), ": ", 0)?;
            context.output.line("To ask about one, write this board before it.")?;
        }
        Ok(())
    }
}
