//! `rosebill bench books`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use serde_json::json;

use crate::cli::context::Context;
use crate::cli::duration::parse_duration;
use crate::cli::exit::Status;
use crate::cli::interrupt::stop_on_interrupt;
use crate::cli::progress::Progress;
use crate::cli::table::Table;
use crate::eval::{PatternEvaluator, by_name};
use crate::ops::bench::{
    GAME_MOVES, Quality, Yardstick, grow_for, measure_quality, popular_openings, read_known_values,
};
use crate::ops::contest::{MatchRequest, Pace, Player, play_match};
use crate::ops::{BookFile, Depth, GrowOptions, PolicyName, PolicyRequest};
use crate::render::json::ValuesJson;
use crate::search::{Level, MoveOrdering, Stop};

/// Arguments of `bench books`.
#[derive(Args, Debug)]
#[command(after_help = "Example: rosebill bench books --folder books --cpu 10m \\\n    \
    --reference values.csv --proven proven.csv --games 'WTH_2020.wtb'\n\n\
    A book that is in the folder already, such as best.db, is grown no further: it is measured as \
    it is. CSV files need the columns board, side, proven_lower, proven_upper, and value for \
    --reference.")]
pub struct Arguments {
    /// Where the books are, or are made: one for each policy
    #[arg(long, value_name = "FOLDER")]
    folder: PathBuf,
    /// Processor time that is spent on each book
    #[arg(long, default_value = "10m", value_parser = parse_duration, allow_hyphen_values = true)]
    cpu: Duration,
    /// Level that all are grown at
    #[arg(long)]
    level: Option<Level>,
    /// Only these
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = [
        Contender::Best,
        Contender::Deviate,
        Contender::Played,
    ])]
    policies: Vec<Contender>,
    /// Values of positions
    #[arg(long, value_name = "CSV")]
    reference: Option<PathBuf>,
    /// Proven results of positions
    #[arg(long, value_name = "CSV")]
    proven: Option<PathBuf>,
    /// Games: how long are they in the book?
    #[arg(long, value_name = "FILE", num_args = 1..)]
    games: Vec<PathBuf>,
    /// Let the books play each other so often, from the commonest openings of the games
    #[arg(long, value_name = "N", default_value_t = 0, requires = "games")]
    match_games: u32,
    /// Level that both sides search at out of the book
    #[arg(long, default_value = "8")]
    match_level: Level,
    /// Plies of the openings
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u8).range(0..=20))]
    match_plies: u8,
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

    const fn policy(self) -> PolicyName {
        match self {
            Self::Best => PolicyName::Best,
            Self::Deviate => PolicyName::Deviate,
            Self::Played => PolicyName::Played,
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
    yardstick.add_games(&arguments.games)?;
    let stop = stop_on_interrupt()?;
    std::fs::create_dir_all(&arguments.folder)?;
    let mut found = Vec::new();
    for &contender in &arguments.policies {
        let path = arguments.folder.join(format!("{}.db", contender.name()));
        if !path.exists() {
            context.note(format_args!("growing {}", path.display()));
            let mut book = BookFile::at(&path).create()?;
            let spent = Stop::new();
            let mut progress = Progress::new(context.quiet);
            let evaluator = PatternEvaluator::embedded()?;
            let options = options(arguments, contender, context)?;
            grow_for(&mut book, &evaluator, &options, arguments.cpu, &spent, &mut |status| {
                progress.show(|| format!("{}: {} positions", contender.name(), status.positions));
                if stop.is_stopped() {
                    spent.stop();
                }
            })?;
        }
        if stop.is_stopped() {
            return Ok(Status::Interrupted);
        }
        found.push((contender, measure_quality(&BookFile::at(&path).read()?, &yardstick)?));
    }
    print(&found, context)?;
    if arguments.match_games > 0 {
        play(arguments, &stop, context)?;
    }
    let contradictions: u64 = found.iter().map(|(_, quality)| quality.contradictions).sum();
    Ok(if contradictions == 0 { Status::Done } else { Status::NotFound })
}

fn options(
    arguments: &Arguments,
    contender: Contender,
    context: &Context,
) -> anyhow::Result<GrowOptions> {
    let settings = context.settings();
    let depth = Depth::Level(arguments.level.unwrap_or(settings.level.value));
    // One search at a time: what is compared is the choice, and the same every time.
    Ok(GrowOptions {
        policy: PolicyRequest { name: contender.policy(), ..PolicyRequest::default() }
            .policy(depth, &mut |_| {})?,
        depth,
        table_megabytes: settings.table_megabytes.value,
        asked: format!("bench books {}", contender.name()),
        ..GrowOptions::default()
    })
}

/// Every book plays every other.
fn play(arguments: &Arguments, stop: &Stop, context: &mut Context) -> anyhow::Result<()> {
    let count = arguments.match_games.div_ceil(2) as usize;
    let openings = popular_openings(&arguments.games, arguments.match_plies.into(), count)?;
    let player = |contender: Contender| -> anyhow::Result<Player> {
        Ok(Player {
            evaluator: by_name("rosebill")?,
            pace: Pace::Level(arguments.match_level),
            ordering: MoveOrdering::default(),
            book: Some(arguments.folder.join(format!("{}.db", contender.name()))),
        })
    };
    let threads = context.threads(None);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    for (index, &contender) in arguments.policies.iter().enumerate() {
        for &other in &arguments.policies[index + 1..] {
            let (first, second) = (player(contender)?, player(other)?);
            let table_megabytes = 16;
            let request = MatchRequest {
                first: &first,
                second: &second,
                openings: &openings,
                table_megabytes,
            };
            let tally = pool.install(|| play_match(&request, stop, &|_| ()))?.tally;
            if context.output.is_json() {
                context.output.object(&json!({
                    "bench": "match",
                    "first": contender.name(),
                    "second": other.name(),
                    "tally": tally,
                }))?;
            } else {
                context.output.line(format_args!(
                    "{} - {}: {tally}, moves from books {} - {}",
                    contender.name(),
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

fn print(found: &[(Contender, Quality)], context: &mut Context) -> anyhow::Result<()> {
    if context.output.is_json() {
        for (contender, quality) in found {
            context.output.object(&json!({
                "bench": "books",
                "policy": contender.name(),
                "positions": quality.positions,
                "values": quality.root.map(ValuesJson::from),
                "shared": quality.shared,
                "mean_error": quality.mean_error,
                "bias": quality.bias,
                "shared_proven": quality.shared_proven,
                "contradictions": quality.contradictions,
                "outside": quality.outside,
                "games": quality.games,
                "in_book": GAME_MOVES.iter().zip(quality.in_book).collect::<Vec<_>>(),
            }))?;
        }
        return Ok(());
    }
    let mut table = Table::new(&[
        "policy",
        "positions",
        "start",
        "shared",
        "mean error",
        "bias",
        "proven",
        "contradicted",
        "guess outside",
        "in book after 8",
        "12",
        "16",
        "20 moves",
    ]);
    for (contender, quality) in found {
        let mut row = vec![
            contender.name().to_owned(),
            quality.positions.to_string(),
            quality.root.map_or_else(String::new, |root| root.guess.to_string()),
            quality.shared.to_string(),
            format!("{:.2}", quality.mean_error),
            format!("{:+.2}", quality.bias),
            quality.shared_proven.to_string(),
            quality.contradictions.to_string(),
            quality.outside.to_string(),
        ];
        row.extend(quality.in_book.map(|share| format!("{:.1} %", share * 100.0)));
        table.row(row);
    }
    context.output.line(table)?;
    Ok(())
}
