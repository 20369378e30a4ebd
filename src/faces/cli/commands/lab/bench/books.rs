//! `rosebill lab bench books`.

use crate::app::amounts::{at_least, whole, within};
use crate::app::{BookFile, Depth, GrowOptions, PolicySpec};
use crate::faces::cli::context::Context;
use crate::faces::cli::duration::parse_duration;
use crate::faces::cli::exit::Status;
use crate::faces::cli::interrupt::stop_on_interrupt;
use crate::faces::cli::progress::Progress;
use crate::faces::cli::table::Table;
use crate::lab::bench::{
    Errors, GAME_MOVES, Quality, Regrets, Yardstick, grow_for, measure_errors, measure_quality,
    popular_openings, read_known_values,
};
use crate::lab::contest::{MatchRequest, OwnPlayer, Pace, Player, play_match};
use crate::othello::eval::{PatternEvaluator, by_name};
use crate::othello::search::{Level, MoveOrdering, Stop};
use clap::{Args, ValueEnum};
use serde_json::json;
use std::path::PathBuf;
use std::time::Duration;

/// Processor time that is spent on each book by default.
const CPU: Duration = Duration::from_mins(10);

/// Arguments of `lab bench books`.
#[derive(Args, Debug)]
#[command(after_help = "Example: rosebill lab bench books --folder books --cpu-time 10m \\\n    \
    --reference values.csv --proven proven.csv --games 'WTH_2020.wtb'\n\n\
    A book that is in the folder already, such as best.db, or best-16.db for 16 in flight, is grown \
    no further: it is measured as it is. CSV files need the columns board, side, proven_lower, proven_upper, and value for \
    --reference.")]
pub struct Arguments {
    /// Folder of the books, one for each policy, made where they are missing
    #[arg(long, value_name = "FOLDER")]
    folder: PathBuf,
    /// Processor time that is spent on each book [default: 10m, or no limit with --searches]
    #[arg(long, value_parser = parse_duration)]
    cpu_time: Option<Duration>,
    /// Searches that are spent on each book
    #[arg(long, value_name = "N", value_parser = whole)]
    searches: Option<u64>,
    /// Searches that are handed out at once, as if to this many machines: a book for each number
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "1",
        value_parser = within::<u32>(1..=100_000))]
    in_flight: Vec<u32>,
    /// Level that all are grown at
    #[arg(long)]
    level: Option<Level>,
    /// The policy `best` searches other moves near the best lines again, to this level
    #[arg(long)]
    deepen: Option<Level>,
    /// Only these, with commas between them, as in best,played
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = [
        Contender::Best,
        Contender::Deviate,
        Contender::Played,
    ])]
    policies: Vec<Contender>,
    /// Values of positions
    #[arg(long, value_name = "CSV")]
    reference: Option<PathBuf>,
    /// Compare the error that is to be expected of these values with what is found, in groups
    #[arg(long, requires = "reference")]
    errors: bool,
    /// Proven results of positions
    #[arg(long, value_name = "CSV")]
    proven: Option<PathBuf>,
    /// A larger book, whose values judge what the ways to the positions give away
    #[arg(long, value_name = "FILE")]
    judge: Option<PathBuf>,
    /// Measure how long these games stay in the book
    #[arg(long, value_name = "FILE", num_args = 1..)]
    games: Vec<PathBuf>,
    /// Let the books play each other this often, from the commonest openings of the games
    #[arg(long, value_name = "N", default_value_t = 0, requires = "games", value_parser = at_least::<0, u32>)]
    match_games: u32,
    /// Level that both sides search at out of the book
    #[arg(long, default_value = "8")]
    match_level: Level,
    /// Plies of the openings
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = within::<u8>(0..=20))]
    match_plies: u8,
}

/// A book that is compared with others: how it is grown, with so many searches handed out at once.
#[derive(Clone, Copy, Debug)]
struct Entrant {
    contender: Contender,
    in_flight: u32,
}

impl Entrant {
    fn name(self) -> String {
        match self.in_flight {
            1 => self.contender.name().to_owned(),
            count => format!("{}-{count}", self.contender.name()),
        }
    }
}

impl Arguments {
    fn entrants(&self) -> Vec<Entrant> {
        let of = |&contender: &Contender| {
            self.in_flight.iter().map(move |&in_flight| Entrant { contender, in_flight })
        };
        self.policies.iter().flat_map(of).collect()
    }

    fn book(&self, entrant: Entrant) -> PathBuf {
        self.folder.join(format!("{}.db", entrant.name()))
    }
}

/// A way to grow, with the settings that it is compared with.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Contender {
    /// Smallest regret first
    Best,
    /// Two discs a move, four in all
    Deviate,
    /// Played lines, as NTest does
    Played,
}

impl Contender {
    const fn name(self) -> &'static str {
        match self {
            Self::Best => "best",
            Self::Deviate => "deviate",
            Self::Played => "played",
        }
    }

    const fn policy(self, deepen: Option<Level>) -> PolicySpec {
        match self {
            Self::Best => PolicySpec::Best { deepen },
            Self::Deviate => PolicySpec::Deviate,
            Self::Played => PolicySpec::Played,
        }
    }
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let mut yardstick = Yardstick::default();
    if let Some(path) = &arguments.reference {
        yardstick.references = read_known_values(path)?;
    }
    if let Some(path) = &arguments.proven {
        yardstick.proven = read_known_values(path)?;
    }
    if let Some(path) = &arguments.judge {
        yardstick.regrets = Regrets::of(&BookFile::at(path).read()?)?;
    }
    yardstick.add_games(&arguments.games)?;
    let stop = stop_on_interrupt()?;
    std::fs::create_dir_all(&arguments.folder)?;
    let mut found = Vec::new();
    let unlimited = if arguments.searches.is_some() { Duration::MAX } else { CPU };
    let cpu = arguments.cpu_time.unwrap_or(unlimited);
    for entrant in arguments.entrants() {
        let path = arguments.book(entrant);
        if !path.exists() {
            context.note(format_args!("growing {}", path.display()));
            let mut book = BookFile::at(&path).create()?;
            let spent = Stop::new();
            let mut progress = Progress::new(context.quiet);
            let evaluator = PatternEvaluator::embedded()?;
            let options = options(arguments, entrant, context)?;
            grow_for(&mut book, &evaluator, &options, cpu, &spent, &mut |status| {
                progress.show(|| format!("{}: {} positions", entrant.name(), status.positions));
                if stop.is_stopped() {
                    spent.stop();
                }
            })?;
        }
        if stop.is_stopped() {
            return Ok(Status::Interrupted);
        }
        found.push((entrant, measure_quality(&BookFile::at(&path).read()?, &yardstick)?));
    }
    print(&found, context)?;
    if arguments.errors {
        for &(entrant, _) in &found {
            let book = BookFile::at(arguments.book(entrant)).read()?;
            print_errors(entrant, &measure_errors(&book, &yardstick.references)?, context)?;
        }
    }
    if arguments.match_games > 0 {
        play(arguments, &stop, context)?;
    }
    let contradictions: u64 = found.iter().map(|(_, quality)| quality.contradictions).sum();
    Ok(if contradictions == 0 { Status::Done } else { Status::NotFound })
}

fn options(
    arguments: &Arguments,
    entrant: Entrant,
    context: &Context,
) -> anyhow::Result<GrowOptions> {
    let settings = context.settings();
    let depth = Depth::Level(arguments.level.unwrap_or(settings.level.value));
    // One search at a time: what is compared is the choice, and the same every time.
    Ok(GrowOptions {
        policy: entrant.contender.policy(arguments.deepen).policy(
            &arguments.book(entrant),
            depth,
            &mut |_| {},
        )?,
        depth,
        table_megabytes: settings.table_megabytes.value,
        searches: arguments.searches,
        in_flight: Some(entrant.in_flight as usize),
        asked: format!("bench books {}", entrant.name()),
        ..GrowOptions::default()
    })
}

/// Every book plays every other.
fn play(arguments: &Arguments, stop: &Stop, context: &mut Context) -> anyhow::Result<()> {
    let count = arguments.match_games.div_ceil(2) as usize;
    let openings = popular_openings(&arguments.games, arguments.match_plies.into(), count)?;
    let player = |entrant: Entrant| -> anyhow::Result<Player> {
        Ok(Player::Own(OwnPlayer {
            evaluator: by_name("rosebill")?,
            pace: Pace::Level(arguments.match_level),
            ordering: MoveOrdering::default(),
            book: Some(arguments.book(entrant)),
        }))
    };
    let threads = context.threads(None);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let entrants = arguments.entrants();
    for (index, &entrant) in entrants.iter().enumerate() {
        for &other in &entrants[index + 1..] {
            let (first, second) = (player(entrant)?, player(other)?);
            let table_megabytes = 16;
            let request = MatchRequest {
                first: &first,
                second: &second,
                openings: &openings,
                table_megabytes,
                sprt: None,
            };
            let play = || play_match(&request, Vec::new(), stop, &|_| (), &mut |_| ());
            let tally = pool.install(play)?.tally;
            if context.output.is_json() {
                context.output.object(&json!({
                    "bench": "match",
                    "first": entrant.name(),
                    "second": other.name(),
                    "tally": tally,
                }))?;
            } else {
                context.output.line(format_args!(
                    "{} - {}: {tally}, moves from books {} - {}",
                    entrant.name(),
                    other.name(),
                    tally.book_moves[0],
                    tally.book_moves[1],
                ))?;
            }
            context.output.flush()?;
        }
    }
    Ok(())
}

/// What was to be expected of values and what is found, in discs.
fn print_errors(entrant: Entrant, errors: &Errors, context: &mut Context) -> anyhow::Result<()> {
    let by_expected = errors.by_expected.iter().map(|group| (None, group));
    let by_moves = (1..).map(Some).zip(&errors.by_good_moves);
    let mut table = Table::new(&["book", "good moves", "positions", "expected", "found", "bias"]);
    for (good_moves, group) in by_expected.chain(by_moves) {
        if context.output.is_json() {
            context.output.object(&json!({
                "bench": "errors",
                "policy": entrant.contender.name(),
                "in_flight": entrant.in_flight,
                "good_moves": good_moves,
                "positions": group.positions,
                "expected": measured(group.positions, group.expected),
                "found": measured(group.positions, group.found),
                "bias": measured(group.positions, group.bias),
            }))?;
        }
        table.row([
            entrant.name(),
            good_moves.map_or_else(|| "any".to_owned(), |moves: u32| moves.to_string()),
            group.positions.to_string(),
            cell(group.positions, format_args!("{:.2}", group.expected)),
            cell(group.positions, format_args!("{:.2}", group.found)),
            cell(group.positions, format_args!("{:+.2}", group.bias)),
        ]);
    }
    if !context.output.is_json() {
        context.output.table(&table)?;
    }
    Ok(())
}

/// What was measured on so many; nothing where there was nothing to measure on.
fn measured<T>(on: u64, what: T) -> Option<T> {
    (on > 0).then_some(what)
}

/// The same as text, which is empty where there was nothing to measure on.
fn cell(on: u64, what: impl std::fmt::Display) -> String {
    measured(on, what).map_or_else(String::new, |what| what.to_string())
}

fn print(found: &[(Entrant, Quality)], context: &mut Context) -> anyhow::Result<()> {
    if context.output.is_json() {
        for (entrant, quality) in found {
            context.output.object(&json!({
                "bench": "books",
                "policy": entrant.contender.name(),
                "in_flight": entrant.in_flight,
                "positions": quality.positions,
                "values": quality.root,
                "shared": quality.shared,
                "mean_error": measured(quality.shared, quality.mean_error),
                "root_mean_square": measured(quality.shared, quality.root_mean_square),
                "bias": measured(quality.shared, quality.bias),
                "near_shared": quality.near_shared,
                "near_error": measured(quality.near_shared, quality.near_error),
                "shared_proven": quality.shared_proven,
                "contradictions": measured(quality.shared_proven, quality.contradictions),
                "outside": measured(quality.shared_proven, quality.outside),
                "judged": quality.judged,
                "mean_regret": measured(quality.judged, quality.mean_regret),
                "games": quality.games,
                "in_book": measured(
                    quality.games,
                    GAME_MOVES.iter().zip(quality.in_book).collect::<Vec<_>>(),
                ),
            }))?;
        }
        return Ok(());
    }
    let mut table = Table::new(&[
        "book",
        "positions",
        "start",
        "shared",
        "mean error",
        "bias",
        "near",
        "mean error",
        "proven",
        "contradicted",
        "guess outside",
        "mean regret",
        "in book after 8",
        "12",
        "16",
        "20 moves",
    ]);
    for (entrant, quality) in found {
        let mut row = vec![
            entrant.name(),
            quality.positions.to_string(),
            quality.root.map_or_else(String::new, |root| root.guess.to_string()),
            quality.shared.to_string(),
            cell(quality.shared, format_args!("{:.2}", quality.mean_error)),
            cell(quality.shared, format_args!("{:+.2}", quality.bias)),
            quality.near_shared.to_string(),
            cell(quality.near_shared, format_args!("{:.2}", quality.near_error)),
            quality.shared_proven.to_string(),
            cell(quality.shared_proven, quality.contradictions),
            cell(quality.shared_proven, quality.outside),
            cell(quality.judged, format_args!("{:.2}", quality.mean_regret)),
        ];
        let share = |share| cell(quality.games, format_args!("{:.1} %", share * 100.0));
        row.extend(quality.in_book.map(share));
        table.row(row);
    }
    context.output.table(&table)?;
    Ok(())
}
