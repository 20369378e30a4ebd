//! `rosebill games report`, `rosebill games player --losses`.

use serde::Serialize;

use super::filter::FilterArguments;
use super::stats::line_text;
use crate::app::analysis::{
    LossGroup, LossOptions, LossReport, LossSum, LossYear, Phase, Recurring, losses,
};
use crate::app::games::{FilterError, GameDatabase, ListOptions, Person};
use crate::faces::cli::amounts::at_least;
use crate::faces::cli::commands::analyze::how_known;
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::progress::Progress;
use crate::faces::cli::table::Table;
use crate::faces::render::Command;
use crate::faces::render::json::thousandths;
use crate::files::counted::counted;

/// Arguments of `games report`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill games report --event meijin --from-year 2010\n\n\
    Moves count that 'rosebill analyze' has valued, or that the book knows as surely as a search of \
    level 12 would. A loss is what a move costs against the best one, in discs. \
    'moves' are those that are valued; of a year it is told how many there are in all. Mistakes that were made \
    again come in the order of what they cost in all, as far as that is sure. The exit code is 1 when \
    nothing is known of these games.")]
pub struct Arguments {
    /// At most so many openings, players and mistakes
    #[arg(long, value_name = "ROWS", default_value_t = 10, value_parser = at_least::<0, usize>)]
    limit: usize,
    #[command(flatten)]
    filter: FilterArguments,
}

#[derive(Serialize)]
struct ReportJson<'a> {
    player: Option<&'a str>,
    games: u64,
    analysed: u64,
    moves: u64,
    all: SumJson,
    black: SumJson,
    white: SumJson,
    opening: SumJson,
    midgame: SumJson,
    endgame: SumJson,
    openings: Vec<GroupJson<'a>>,
    years: Vec<YearJson>,
    /// Opponents of one player, else players.
    players: Vec<GroupJson<'a>>,
    recurring: Vec<RecurringJson>,
}

#[derive(Serialize)]
struct SumJson {
    moves: u64,
    loss: f64,
    mean: Option<f64>,
}

impl From<LossSum> for SumJson {
    fn from(sum: LossSum) -> Self {
        Self { moves: sum.moves, loss: sum.discs(), mean: sum.mean().map(thousandths) }
    }
}

#[derive(Serialize)]
struct GroupJson<'a> {
    name: &'a str,
    games: u64,
    #[serde(flatten)]
    sum: SumJson,
}

impl<'a> From<&'a LossGroup> for GroupJson<'a> {
    fn from(group: &'a LossGroup) -> Self {
        Self { name: &group.name, games: group.games, sum: group.sum.into() }
    }
}

#[derive(Serialize)]
struct YearJson {
    name: String,
    games: u64,
    /// All moves of its games, valued or not.
    moves_played: u64,
    #[serde(flatten)]
    sum: SumJson,
}

impl From<(&u16, &LossYear)> for YearJson {
    fn from((year, known): (&u16, &LossYear)) -> Self {
        let LossYear { games, moves, sum } = *known;
        Self { name: year.to_string(), games, moves_played: moves, sum: sum.into() }
    }
}

#[derive(Serialize)]
struct RecurringJson {
    line: String,
    #[serde(rename = "move")]
    played: String,
    best: String,
    times: u64,
    loss: f64,
    total: f64,
    known: &'static str,
}

impl From<&Recurring> for RecurringJson {
    fn from(mistake: &Recurring) -> Self {
        Self {
            line: mistake.line.whole_text(),
            played: mistake.played.to_string(),
            best: mistake.best.to_string(),
            times: mistake.times,
            loss: mistake.loss.discs(),
            total: mistake.total(),
            known: mistake.known.name(),
        }
    }
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let book = context.read_book()?;
    let database = GameDatabase::open(&book)?;
    arguments.filter.tell_namesakes(&database, context)?;
    let games = ListOptions { filter: arguments.filter.filter(), ..ListOptions::default() };
    print(&database, games, None, arguments.limit, context)
}

/// What the moves of one player cost in these games.
pub(super) fn of_player(
    database: &GameDatabase<'_>,
    player: &Person,
    games: ListOptions,
    limit: usize,
    context: &mut Context,
) -> anyhow::Result<Status> {
    print(database, games, Some(player), limit, context)
}

fn print(
    database: &GameDatabase<'_>,
    games: ListOptions,
    player: Option<&Person>,
    limit: usize,
    context: &mut Context,
) -> anyhow::Result<Status> {
    let options = LossOptions { games, player: player.cloned(), recurring: limit };
    let mut progress = Progress::new(context.quiet);
    let report = losses(database, &options, |games, of| {
        progress.show(|| format!("{games} of {of} games"));
    })?;
    drop(progress);
    // Without any game there is nothing to report of moves.
    let is_empty = report.games == 0 && database.is_empty();
    if context.output.is_json() {
        context.output.object(&as_json(&report, player, limit))?;
    } else if !is_empty {
        as_text(&report, player, limit, context)?;
    }
    let unvalued = report.moves.saturating_sub(report.all.moves);
    match report.games {
        0 if is_empty => context.explain(&FilterError::NoGames),
        0 => context.note("no game is like that: try fewer conditions"),
        _ if unvalued == 0 => return Ok(Status::Done),
        _ => {
            let same = if player.is_none() { ", with the same conditions" } else { "" };
            match report.all.moves {
                0 => context
                    .note(format_args!("nothing is known of these games: analyse them{same}")),
                _ => context.note(format_args!(
                    "{} without a value: analyse them{same}",
                    counted(unvalued, "move")
                )),
            }
            context.hint(&[match player {
                Some(player) => Command::new("analyze").with(["--player", &player.name]),
                None => Command::new("analyze").with(["--all"]),
            }]);
        }
    }
    Ok(if report.all.moves > 0 { Status::Done } else { Status::NotFound })
}

fn as_json<'a>(report: &'a LossReport, player: Option<&'a Person>, limit: usize) -> ReportJson<'a> {
    let [black, white] = report.sides.map(SumJson::from);
    let [opening, midgame, endgame] = report.phases.map(SumJson::from);
    ReportJson {
        player: player.map(|player| player.name.as_str()),
        games: report.games,
        analysed: report.analysed,
        moves: report.moves,
        all: report.all.into(),
        black,
        white,
        opening,
        midgame,
        endgame,
        openings: report.openings.iter().take(limit).map(GroupJson::from).collect(),
        years: report.years.iter().map(YearJson::from).collect(),
        players: report.players.iter().take(limit).map(GroupJson::from).collect(),
        recurring: report.recurring.iter().map(RecurringJson::from).collect(),
    }
}

fn as_text(
    report: &LossReport,
    player: Option<&Person>,
    limit: usize,
    context: &mut Context,
) -> anyhow::Result<()> {
    let whose = player.map_or(String::new(), |player| format!("{}: ", player.name));
    let output = &mut context.output;
    output.line(format_args!(
        "{whose}{} of {} valued, in {} of {}",
        report.all.moves,
        counted(report.moves, "move"),
        report.analysed,
        counted(report.games, "game")
    ))?;
    if report.all.moves == 0 {
        return Ok(());
    }
    output.line("")?;
    let mut table = Table::new(&["", "moves", "loss", "a move"]);
    table.row(sum_row("all", report.all));
    for (name, sum) in ["black", "white"].into_iter().zip(report.sides) {
        table.row(sum_row(name, sum));
    }
    for (phase, sum) in Phase::ALL.into_iter().zip(report.phases) {
        table.row(sum_row(phase.name(), sum));
    }
    output.table(&table)?;
    if !report.years.is_empty() {
        output.line("")?;
        let mut table = Table::new(&["year", "games", "moves", "of", "loss", "a move"]);
        for (year, known) in &report.years {
            let [name, moves, loss, mean] = sum_row(&year.to_string(), known.sum);
            let (games, of) = (known.games.to_string(), known.moves.to_string());
            table.row([name, games, moves, of, loss, mean]);
        }
        output.table(&table)?;
    }
    let openings: Vec<&LossGroup> = report.openings.iter().take(limit).collect();
    let players: Vec<&LossGroup> = report.players.iter().take(limit).collect();
    let against = if player.is_some() { "against" } else { "player" };
    for (title, groups, of) in
        [("opening", &openings, report.openings.len()), (against, &players, report.players.len())]
    {
        if groups.is_empty() {
            continue;
        }
        output.line("")?;
        let mut table = Table::new(&[title, "games", "moves", "loss", "a move"]);
        for group in groups {
            let [name, moves, loss, mean] = sum_row(&group.name, group.sum);
            table.row([name, group.games.to_string(), moves, loss, mean]);
        }
        output.table(&table)?;
        if groups.len() < of {
            output.line(format_args!("  {} more: --limit {of}", of - groups.len()))?;
        }
    }
    if !report.recurring.is_empty() {
        output.line("")?;
        let titles = ["times", "move", "costs", "in all", "best", "known", "at"];
        let mut table = Table::new(&titles);
        report.recurring.iter().for_each(|mistake| table.row(recurring_row(mistake)));
        output.table(&table)?;
    }
    Ok(())
}

fn sum_row(name: &str, sum: LossSum) -> [String; 4] {
    [
        name.to_owned(),
        sum.moves.to_string(),
        format!("{:.1}", sum.discs()),
        sum.mean().map_or_else(String::new, |mean| format!("{mean:.2}")),
    ]
}

fn recurring_row(mistake: &Recurring) -> [String; 7] {
    [
        mistake.times.to_string(),
        mistake.played.to_string(),
        format!("{:.2}", mistake.loss.discs()),
        format!("{:.1}", mistake.total()),
        mistake.best.to_string(),
        how_known(mistake.known),
        line_text(&mistake.line),
    ]
}
