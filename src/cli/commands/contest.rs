//! `rosebill match`.

use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

use anyhow::{Context as _, bail};
use serde::Serialize;

use crate::cli::context::Context;
use crate::cli::duration::parse_duration;
use crate::cli::exit::Status;
use crate::cli::interrupt::stop_on_interrupt;
use crate::cli::progress::Progress;
use crate::cli::table::Table;
use crate::eval::{Explain, by_name};
use crate::ops::contest::{
    MatchRequest, OpeningRequest, Pace, Player, Tally, balanced_openings, play_match,
};
use crate::search::{Level, MoveOrdering, Selectivity};

/// Arguments of `match`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill match rosebill phases --games 400 --time 10ms\n\n\
    Each opening is played with both colours. The error is one standard deviation.\n\
    A player is an evaluator (rosebill, zebra, ntest, squares, phases, edges, linear) or a weights\n\
    file, and may have a level of its own: 'rosebill@8'. With '+quick' it sorts moves by the kind of\n\
    square alone: 'linear+quick@4'. Errors are told from ten openings, twenty games, on.")]
pub struct Arguments {
    /// Two players, or more with --round-robin: NAME, NAME+quick, NAME@LEVEL or NAME+quick@LEVEL
    #[arg(required = true, num_args = 2.., value_name = "PLAYER")]
    players: Vec<String>,
    /// Every player against every other
    #[arg(long)]
    round_robin: bool,
    /// Games of each match, rounded up to pairs
    #[arg(long, default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Processor time for each move, such as 10ms or 1s
    #[arg(long, value_parser = parse_duration, allow_hyphen_values = true, conflicts_with_all = ["level", "depth"])]
    time: Option<Duration>,
    /// Level 0 to 60: fixes depth and selectivity for each number of empties [default: 6]
    #[arg(long, conflicts_with = "depth")]
    level: Option<Level>,
    /// Plies to look ahead
    #[arg(long, value_parser = clap::value_parser!(u8).range(0..=60))]
    depth: Option<u8>,
    /// Confidence in percent: 73, 87, 95, 98, 99 or 100
    #[arg(long, requires = "depth")]
    selectivity: Option<Selectivity>,
    /// With --depth: positions with at most so many empties are solved
    #[arg(long, default_value_t = 10, requires = "depth")]
    solve_from: u8,
    /// A book that the first player plays from
    #[arg(long, value_name = "FILE", conflicts_with = "round_robin")]
    book_a: Option<PathBuf>,
    /// A book that the second player plays from
    #[arg(long, value_name = "FILE", conflicts_with = "round_robin")]
    book_b: Option<PathBuf>,
    /// Another seed chooses other openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Plies of the search that says whether an opening is balanced
    #[arg(long, default_value_t = 8)]
    opening_depth: u8,
    /// Memory for each player's table in MiB
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    table: u32,
    /// Games at once, each on one thread; the configuration's number when left out
    #[arg(long)]
    threads: Option<usize>,
}

/// One match as JSON: the players, then [`Tally`].
#[derive(Serialize)]
struct MatchJson<'a> {
    first: &'a str,
    second: &'a str,
    #[serde(flatten)]
    tally: Tally,
}

const DEFAULT_LEVEL: u8 = 6;

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    if arguments.players.len() > 2 && !arguments.round_robin {
        bail!("{} players: two play a match, more need --round-robin", arguments.players.len());
    }
    let mut players = arguments
        .players
        .iter()
        .map(|text| arguments.player(text))
        .collect::<anyhow::Result<Vec<_>>>()?;
    if let [first, second] = players.as_mut_slice() {
        first.1.book.clone_from(&arguments.book_a);
        second.1.book.clone_from(&arguments.book_b);
    }
    let stop = stop_on_interrupt()?;
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(context.threads(arguments.threads)).build()?;
    let openings = pool.install(|| {
        let count = arguments.games.div_ceil(2) as usize;
        let (seed, depth) = (arguments.seed, arguments.opening_depth);
        balanced_openings(&OpeningRequest { count, seed, depth }, &stop)
    })?;
    let mut standings = Standings::new(players.len());
    for (place, (name, first)) in players.iter().enumerate() {
        for (other, (other_name, second)) in players.iter().enumerate().skip(place + 1) {
            let table_megabytes = arguments.table as usize;
            let request = MatchRequest { first, second, openings: &openings, table_megabytes };
            let progress = Mutex::new(Progress::new(context.quiet));
            let show = |tally: &Tally| {
                if let Ok(mut progress) = progress.lock() {
                    progress.show(|| format!("{name} - {other_name}: {}", tally));
                }
            };
            let tally = pool.install(|| play_match(&request, &stop, &show))?;
            drop(progress);
            print_match(context, name, other_name, &tally)?;
            standings.add(place, other, &tally);
            if stop.is_stopped() {
                return Ok(Status::Interrupted);
            }
        }
    }
    if arguments.round_robin && !context.output.is_json() {
        context.output.line("")?;
        let names: Vec<_> = players.iter().map(|(name, _)| name.as_str()).collect();
        context.output.line(standings.table(&names))?;
    }
    Ok(Status::Done)
}

impl Arguments {
    /// A player with what it is called.
    fn player(&self, text: &str) -> anyhow::Result<(String, Player)> {
        let (name, level) = match text.rsplit_once('@') {
            Some((name, level)) => {
                (name, Some(level.parse::<Level>().with_context(|| format!("player '{text}'"))?))
            }
            None => (text, None),
        };
        let (name, ordering) = match name.strip_suffix("+quick") {
            Some(name) => (name, MoveOrdering::Quick),
            None => (name, MoveOrdering::default()),
        };
        let evaluator = by_name(name)?;
        let pace = match (level, self.time, self.depth) {
            (Some(level), ..) => Pace::Level(level),
            (None, Some(time), _) => Pace::Time(time),
            (None, None, Some(depth)) => {
                let selectivity = self.selectivity.unwrap_or_default();
                Pace::Depth { depth, selectivity, solve_from: self.solve_from }
            }
            (None, None, None) => {
                let level = self.level.or(Level::new(DEFAULT_LEVEL)).unwrap_or(Level::MAX);
                Pace::Level(level)
            }
        };
        let mut title = evaluator.title();
        if ordering == MoveOrdering::Quick {
            title += "+quick";
        }
        let title = level.map_or(title.clone(), |level| format!("{title}@{level}"));
        Ok((title, Player { evaluator, pace, ordering, book: None }))
    }
}

fn print_match(
    context: &mut Context,
    first: &str,
    second: &str,
    tally: &Tally,
) -> anyhow::Result<()> {
    let output = &mut context.output;
    if output.is_json() {
        output.object(&MatchJson { first, second, tally: *tally })?;
    } else {
        output.folded(&format!("{first} - {second}: {tally}"), ", ", 4)?;
        let [ours, theirs] = tally.seconds;
        let [our_nodes, their_nodes] = tally.nodes;
        let [our_book, their_book] = tally.book_moves;
        output.line(format_args!(
            "    CPU seconds {ours:.2} - {theirs:.2}, nodes {our_nodes} - {their_nodes}, moves \
             from books {our_book} - {their_book}"
        ))?;
    }
    Ok(output.flush()?)
}

/// The scores of a round robin.
struct Standings(Vec<Vec<Option<f64>>>);

impl Standings {
    fn new(players: usize) -> Self {
        Self(vec![vec![None; players]; players])
    }

    fn add(&mut self, first: usize, second: usize, tally: &Tally) {
        for (one, other, score) in
            [(first, second, tally.score), (second, first, 1.0 - tally.score)]
        {
            if let Some(cell) = self.0.get_mut(one).and_then(|row| row.get_mut(other)) {
                *cell = Some(score);
            }
        }
    }

    /// Percent of the points of each player against each, best on the whole first.
    fn table(&self, names: &[&str]) -> Table {
        let mean = |row: &[Option<f64>]| {
            let scores: Vec<f64> = row.iter().flatten().copied().collect();
            scores.iter().sum::<f64>() / scores.len().max(1) as f64
        };
        let mut order: Vec<(f64, &str, &[Option<f64>], usize)> = (self.0.iter().zip(names))
            .enumerate()
            .map(|(place, (row, &name))| (mean(row), name, row.as_slice(), place))
            .collect();
        order.sort_by(|a, b| b.0.total_cmp(&a.0));
        let numbers: Vec<String> = (1..=order.len()).map(|number| format!("#{number}")).collect();
        let mut titles = vec!["", "player", "all"];
        titles.extend(numbers.iter().map(String::as_str));
        let mut table = Table::new(&titles);
        let percent = |score: f64| format!("{:.1}", 100.0 * score);
        for ((all, name, row, _), number) in order.iter().zip(&numbers) {
            let mut cells = vec![number.clone(), (*name).to_owned(), percent(*all)];
            cells.extend(
                order
                    .iter()
                    .map(|&(.., place)| row.get(place).copied().flatten())
                    .map(|score| score.map_or_else(String::new, percent)),
            );
            table.row(cells);
        }
        table
    }
}
