//! `rosebill games report`, `rosebill games player --losses`.

use super::filter::tell_namesakes;
use super::stats::line_text;
use crate::app::amounts::at_least;
use crate::app::analysis::{LossGroup, LossOptions, LossReport, LossSum, Phase, Recurring, losses};
use crate::app::games::{FilterError, GameDatabase, GameFilter, ListOptions, Person};
use crate::app::json::object;
use crate::faces::cli::commands::analyze::how_known;
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::progress::Progress;
use crate::faces::cli::table::Table;
use crate::faces::render::Command;
use crate::files::counted::{counted, grouped};
use serde::Serialize;

/// Arguments of `games report`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill games report --event meijin --years 2010-\n\n\
    Moves count that 'rosebill analyze' has valued, or that the book knows as surely as a search of \
    level 12 would. A loss is what a move costs against the best one, in discs. \
    'moves' are those that are valued; of a year the number of all is given, too. Mistakes that were made \
    again come in the order of what they cost in all, as far as that is sure. The exit code is 1 when \
    nothing is known of these games.")]
pub struct Arguments {
    /// How many openings, players and mistakes are listed
    #[arg(long, value_name = "ROWS", default_value_t = 10, value_parser = at_least::<0, usize>)]
    limit: usize,
    #[command(flatten)]
    filter: GameFilter,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let book = context.read_book()?;
    let database = GameDatabase::open(&book)?;
    tell_namesakes(arguments.filter.names(), &database, context)?;
    let games = ListOptions { filter: arguments.filter.clone(), ..ListOptions::default() };
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
    let is_of_all = games.filter.is_empty();
    let options = LossOptions { games, player: player.cloned(), recurring: limit };
    let mut progress = Progress::new(context.quiet);
    let report = losses(database, &options, |games, of| {
        progress.show_share("", games, Some(of), "game");
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
        0 => context.note("no game matches: try fewer conditions"),
        _ if unvalued == 0 => return Ok(Status::Done),
        _ => {
            let same =
                if is_of_all { "" } else { " with 'rosebill analyze' and the same conditions" };
            match report.all.moves {
                0 => context
                    .note(format_args!("nothing is known of these games: analyze them{same}")),
                _ => context.note(format_args!(
                    "{} without a value: analyze them{same}",
                    counted(unvalued, "move")
                )),
            }
            let command = match player {
                Some(player) => Command::new("analyze").with(["--player", &player.name]),
                None => Command::new("analyze").with(["--all"]),
            };
            if is_of_all {
                context.hint(&[command]);
            }
        }
    }
    Ok(if report.all.moves > 0 { Status::Done } else { Status::NotFound })
}

fn as_json(report: &LossReport, player: Option<&Person>, limit: usize) -> impl Serialize {
    let [black, white] = report.sides;
    let [opening, midgame, endgame] = report.phases;
    let years = report.years.iter().map(|(year, known)| {
        object! {
            year,
            games: known.games,
            // All moves of its games, valued or not.
            moves: known.moves,
            ..sum: known.sum,
        }
    });
    object! {
        player: player.map(|player| player.name.clone()),
        games: report.games,
        games_valued: report.analysed,
        moves: report.moves,
        all: report.all,
        black,
        white,
        opening,
        midgame,
        endgame,
        openings: report.openings.iter().take(limit).cloned().collect::<Vec<_>>(),
        years: years.collect::<Vec<_>>(),
        // Opponents of one player, else players.
        players: report.players.iter().take(limit).cloned().collect::<Vec<_>>(),
        recurring: report.recurring.clone(),
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
        grouped(report.all.moves),
        counted(report.moves, "move"),
        grouped(report.analysed),
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
            let (games, of) = (grouped(known.games), grouped(known.moves));
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
            table.row([name, grouped(group.games), moves, loss, mean]);
        }
        output.table(&table)?;
        if groups.len() < of {
            output.line(format_args!(
                "  {} more: --limit {of}",
                grouped((of - groups.len()) as u64)
            ))?;
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
        grouped(sum.moves),
        tenths(sum.discs()),
        sum.mean().map_or_else(String::new, |mean| format!("{mean:.2}")),
    ]
}

/// A sum of discs, which is never below 0, with one decimal.
fn tenths(discs: f64) -> String {
    let text = format!("{discs:.1}");
    match text.split_once('.') {
        Some((whole, tenth)) => {
            format!("{}.{tenth}", whole.parse().map_or_else(|_| whole.to_owned(), grouped))
        }
        None => text,
    }
}

fn recurring_row(mistake: &Recurring) -> [String; 7] {
    [
        grouped(mistake.times),
        mistake.played.to_string(),
        format!("{:.2}", mistake.loss.discs()),
        tenths(mistake.total()),
        mistake.best.to_string(),
        how_known(mistake.known),
        line_text(&mistake.line),
    ]
}
