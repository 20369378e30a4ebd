//! `rosebill games players`, `rosebill games player`.

use serde::Serialize;

use super::filter::tell_namesakes;
use crate::app::amounts::{at_least, one_or_more, whole};
use crate::app::games::{
    FilterError, GameDatabase, GameFilter, ListOptions, OpeningScore, PlayerError, PlayerReport,
    PlayerScore, YearOfOpenings, find_players, one_player, player_report,
};
use crate::app::json::object;
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::table::Table;
use crate::faces::render::json::found_player_json;
use crate::files::counted::grouped;

/// Arguments of `games players`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill games players has\n\n\
    A player of just this name comes first: where a command takes a name, it means that player. The exit \
    code is 1 when no player is found.")]
pub struct PlayersArguments {
    /// The beginnings of words of the name [default: all players]
    #[arg(value_name = "PREFIX")]
    text: Vec<String>,
    /// How many players are listed, those with most games first
    #[arg(long, value_name = "PLAYERS", default_value_t = 20, value_parser = one_or_more)]
    limit: usize,
}

/// Arguments of `games player`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples: rosebill games player takizawa masaki\n          \
    rosebill games player takizawa masaki --against 'tamenori hideshi'\n          \
    rosebill games player takizawa masaki --opening tiger --years 2022-\n          \
    rosebill games player takizawa masaki --openings\n\n\
    'scored' is the share of points: a win is one and a draw half of one. 'discs' is the mean difference of the games of which the \
    discs are known, above 0 where the player had more. The exit code is 1 when no player, or more than \
    one player, has such a name, and when two players have no game with each other.")]
pub struct PlayerArguments {
    /// The whole name, however it is spelled, or the beginnings of its words
    #[arg(required = true, value_name = "NAME")]
    name: Vec<String>,
    /// Openings with at least this many games
    #[arg(long, value_name = "GAMES", default_value_t = 5, value_parser = whole, conflicts_with = "losses")]
    least_games: u64,
    /// How many of the best openings are listed, and of the worst
    #[arg(long, value_name = "OPENINGS", default_value_t = 5, value_parser = at_least::<0, usize>)]
    limit: usize,
    /// Show instead what the player's moves cost, as far as 'rosebill analyze' or the book has valued
    /// them: by color, part of the game, year, opening and opponent, and the costliest habits
    #[arg(long, conflicts_with = "openings")]
    losses: bool,
    /// Show instead the openings year by year: how often and how well, which were new, and which were
    /// given up: not played again since the year before
    #[arg(long)]
    openings: bool,
    #[command(flatten)]
    filter: GameFilter,
}

impl PlayerArguments {
    /// Whether not all games of the player, or of two, are asked for.
    fn has_conditions(&self) -> bool {
        !GameFilter { against: Vec::new(), ..self.filter.clone() }.is_empty()
    }
}

pub(super) fn find(arguments: &PlayersArguments, context: &mut Context) -> anyhow::Result<Status> {
    let book = context.read_book()?;
    let database = GameDatabase::open(&book)?;
    let found = find_players(&database, &arguments.text.join(" "))?;
    let count = found.len();
    if found.is_empty() {
        match database.is_empty() {
            true => context.explain(&FilterError::NoGames),
            false => {
                context.note("no player has such a name: the beginnings of its words are enough")
            }
        }
        return Ok(Status::NotFound);
    }
    let mut table = Table::new(&["player", "games"]);
    for each @ (player, games) in found.iter().take(arguments.limit) {
        if context.output.is_json() {
            context.output.object(&found_player_json(each))?;
        } else {
            table.row([player.name.clone(), grouped(*games)]);
        }
    }
    if !context.output.is_json() {
        context.output.table(&table)?;
        if count > arguments.limit {
            context.note(format_args!("{count} players in all: --limit {count} shows them"));
        }
    }
    Ok(Status::Done)
}

pub(super) fn report(arguments: &PlayerArguments, context: &mut Context) -> anyhow::Result<Status> {
    let options = ListOptions { filter: arguments.filter.clone(), ..ListOptions::default() };
    let book = context.read_book()?;
    let database = GameDatabase::open(&book)?;
    if database.is_empty() {
        context.explain(&FilterError::NoGames);
        return Ok(Status::NotFound);
    }
    let name = arguments.name.join(" ");
    tell_namesakes([&name].into_iter().chain(arguments.filter.names()), &database, context)?;
    let done = match arguments.losses {
        true => one_player(&database, &name).map(|player| {
            super::losses::of_player(&database, &player, options, arguments.limit, context)
        }),
        false => player_report(&database, &name, &options)
            .map(|report| print(&report, arguments, context)),
    };
    match done {
        Err(PlayerError::Store(error)) => Err(error.into()),
        Err(PlayerError::Filter(error)) => Err(error.into()),
        Err(error) => {
            context.failure(&error);
            Ok(Status::NotFound)
        }
        Ok(printed) => printed,
    }
}

fn print(
    report: &PlayerReport,
    arguments: &PlayerArguments,
    context: &mut Context,
) -> anyhow::Result<Status> {
    if report.all.games == 0 {
        let name = &report.player.name;
        match report.against[..] {
            [_, ..] if !arguments.has_conditions() => {
                context.note(format_args!(
                    "no game between {name} and {}",
                    report.against.join(" or ")
                ));
            }
            _ => context.note(format_args!("no game of {name} matches: try fewer conditions")),
        }
        return Ok(Status::NotFound);
    }
    if context.output.is_json() {
        context.output.object(&as_json(report, arguments))?;
    } else {
        as_text(report, arguments, context)?;
    }
    Ok(Status::Done)
}

fn as_json(report: &PlayerReport, arguments: &PlayerArguments) -> impl Serialize {
    let Chosen { best, worst, .. } = Chosen::of(report, arguments);
    object! {
        name: report.player.name.clone(),
        program: report.player.program,
        against?: (!report.against.is_empty()).then(|| report.against.join(", ")),
        ..all: report.all,
        black: report.black,
        white: report.white,
        openings: best.into_iter().chain(worst).collect::<Vec<_>>(),
        years: (report.years.iter())
            .map(|(&year, &score)| object! { year, ..score: score })
            .collect::<Vec<_>>(),
        by_year?: arguments.openings.then(|| report.openings_by_year(arguments.least_games)),
    }
}

/// The openings that are shown: those with enough games, the best and the worst of them.
struct Chosen<'a> {
    best: Vec<&'a OpeningScore>,
    worst: Vec<&'a OpeningScore>,
    /// How many are between them.
    between: usize,
}

impl<'a> Chosen<'a> {
    fn of(report: &'a PlayerReport, arguments: &PlayerArguments) -> Self {
        let known = |known: &&OpeningScore| known.score.games >= arguments.least_games;
        let mut openings: Vec<&OpeningScore> = report.openings.iter().filter(known).collect();
        openings.sort_by(|one, other| {
            let percent = |score: &PlayerScore| score.percent().unwrap_or(50.0);
            let by = percent(&other.score).total_cmp(&percent(&one.score));
            by.then(other.score.games.cmp(&one.score.games))
        });
        // Of few openings the worse half is not among the best.
        let half = openings.len().div_ceil(2);
        let mut rest = openings.split_off(half.min(arguments.limit));
        let between = rest.len() - rest.len().min(arguments.limit);
        let worst = rest.split_off(between);
        Self { best: openings, worst, between }
    }
}

fn as_text(
    report: &PlayerReport,
    arguments: &PlayerArguments,
    context: &mut Context,
) -> anyhow::Result<()> {
    let against = match report.against.is_empty() {
        true => String::new(),
        false => format!(" against {}", report.against.join(", ")),
    };
    context.output.line(format_args!("{}{against}", report.player.name))?;
    context.output.line("")?;
    if arguments.openings {
        return openings_as_text(report, arguments.least_games, context);
    }
    let mut table = Table::new(&columns(""));
    for (what, score) in [("all", &report.all), ("black", &report.black), ("white", &report.white)]
    {
        table.row(row(what.to_owned(), score));
    }
    context.output.table(&table)?;
    let Chosen { best, worst, between } = Chosen::of(report, arguments);
    let title = if worst.is_empty() && best.len() == 1 { "opening" } else { "best openings" };
    for (title, some) in [(title, &best), ("worst openings", &worst)] {
        if some.is_empty() {
            continue;
        }
        context.output.line("")?;
        let mut table = Table::new(&columns(title));
        for known in some {
            table.row(row(format!("{} ({})", known.opening, known.side.name()), &known.score));
        }
        context.output.table(&table)?;
    }
    if between > 0 && arguments.limit > 0 {
        let all = (best.len() + worst.len() + between).div_ceil(2);
        context.output.line(format_args!("  {between} between them: --limit {all}"))?;
    }
    if !report.years.is_empty() {
        context.output.line("")?;
        let mut table = Table::new(&columns("year"));
        report.years.iter().for_each(|(year, score)| table.row(row(year.to_string(), score)));
        context.output.table(&table)?;
    }
    Ok(())
}

fn openings_as_text(
    report: &PlayerReport,
    least: u64,
    context: &mut Context,
) -> anyhow::Result<()> {
    let [_, titles @ ..] = columns("");
    let mut table = Table::new(&[&["year", "", "opening"][..], &titles].concat());
    let mut is_empty = true;
    for YearOfOpenings { year, played, new, given_up } in report.openings_by_year(least) {
        is_empty &= played.is_empty();
        let mut year = Some(year.to_string());
        let mut add = |what: &str, known: &OpeningScore| {
            let name = format!("{} ({})", known.opening, known.side.name());
            let front = [year.take().unwrap_or_default(), what.to_owned()];
            table.row(front.into_iter().chain(row(name, &known.score)));
        };
        let word = |at: usize| if new.contains(&at) { "new" } else { "" };
        played.iter().enumerate().for_each(|(at, known)| add(word(at), known));
        given_up.iter().for_each(|known| add("given up", known));
    }
    if is_empty {
        context.note(format_args!(
            "no opening has {least} games in years that are known: try fewer --least-games"
        ));
        return Ok(());
    }
    context.output.table(&table)?;
    Ok(())
}

const fn columns(first: &str) -> [&str; 7] {
    [first, "games", "won", "drawn", "lost", "scored", "discs"]
}

fn row(what: String, score: &PlayerScore) -> [String; 7] {
    let PlayerScore { games, won, drawn, lost, .. } = score;
    let percent = score.percent().map_or_else(String::new, |percent| format!("{percent:.1} %"));
    let discs = score.mean_difference().map_or_else(String::new, |mean| format!("{mean:+.1}"));
    let [games, won, drawn, lost] = [games, won, drawn, lost].map(|&count| grouped(count));
    [what, games, won, drawn, lost, percent, discs]
}
