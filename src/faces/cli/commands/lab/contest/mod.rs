//! `rosebill lab match`.

mod openings;
mod print;

use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

use anyhow::{Context as _, bail};

use openings::OpeningArguments;

use crate::app::amounts::within;
use crate::app::{SaveError, SavedGames, today};
use crate::faces::cli::context::Context;
use crate::faces::cli::duration::parse_duration;
use crate::faces::cli::exit::Status;
use crate::faces::cli::interrupt::stop_on_interrupt;
use crate::faces::cli::new_file::check_new;
use crate::faces::cli::other_book::read_other_book;
use crate::faces::cli::progress::Progress;
use crate::files::games::{Date, SAVED_ENDINGS};
use crate::lab::contest::{
    MatchNames, MatchRequest, Pace, Pair, Player, Standings, Tally, play_match,
};
use crate::othello::board::Line;
use crate::othello::eval::{Explain, by_name};
use crate::othello::search::{Level, MoveOrdering, Selectivity};

/// Arguments of `match`.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Example: rosebill lab match rosebill phases --openings lines.txt --save games.pgn\n\n\
    Each opening is played with both colours: a pair. It is won with more points of its two games \
    than the other. The error is one standard deviation; a pair counts as one draw of luck, since \
    its two games depend on each other.\n\
    Openings come from --openings: 'balanced' ones that --opening-depth judges, 'xot', 'wthor' for \
    positions of the games in the book, each as likely as it was played, or a file: positions or \
    names with one on each line, or games in any format. No opening is played twice, so there may \
    be fewer games than asked for; the exit code is 3 when a line of the file cannot be played from.\n\
    A player is an evaluator (rosebill, zebra, ntest, squares, phases, edges, edges-plain, linear)\n\
    or a weights file, and may have a level of its own: 'rosebill@8'. With '+quick' it sorts moves by\n\
    the kind of square alone: 'linear+quick@4'. Errors are told from ten openings, twenty games, on."
)]
pub struct Arguments {
    /// Two players, or more with --round-robin: NAME, NAME+quick, NAME@LEVEL or NAME+quick@LEVEL
    #[arg(required = true, num_args = 2.., value_name = "PLAYER")]
    players: Vec<String>,
    /// Every player against every other
    #[arg(long)]
    round_robin: bool,
    /// Processor time for each move, such as 10ms or 1s
    #[arg(long, value_parser = parse_duration, conflicts_with_all = ["level", "depth"])]
    time: Option<Duration>,
    /// Level 0 to 60: fixes depth and selectivity for each number of empties [default: 6]
    #[arg(long, conflicts_with = "depth")]
    level: Option<Level>,
    /// Plies to look ahead
    #[arg(long, value_parser = within::<u8>(0..=60))]
    depth: Option<u8>,
    /// Confidence in percent: 73, 87, 95, 98, 99 or 100
    #[arg(long, requires = "depth")]
    selectivity: Option<Selectivity>,
    /// With --depth: positions with at most so many empties are solved [default: 10]
    #[arg(long, value_name = "EMPTIES", value_parser = within::<u8>(0..=60))]
    solve_from: Option<u8>,
    /// A book that the first player plays from
    #[arg(long, value_name = "FILE", conflicts_with = "round_robin")]
    book_a: Option<PathBuf>,
    /// A book that the second player plays from
    #[arg(long, value_name = "FILE", conflicts_with = "round_robin")]
    book_b: Option<PathBuf>,
    #[command(flatten)]
    openings: OpeningArguments,
    /// List the result of each opening
    #[arg(long)]
    pairs: bool,
    #[arg(long, value_name = "FILE", help = format!("Save the games in a new file: {SAVED_ENDINGS}"))]
    save: Option<PathBuf>,
    /// Memory for each player's table in MiB
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = within::<u32>(1..=1 << 20))]
    table: u32,
    /// Games at once, each on one thread; the configuration's number when left out
    #[arg(long, value_parser = within::<u16>(1..=1024))]
    threads: Option<u16>,
}

const DEFAULT_LEVEL: u8 = 6;
const DEFAULT_SOLVE_FROM: u8 = 10;

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    if arguments.players.len() > 2 && !arguments.round_robin {
        bail!("{} players: two play a match, more need --round-robin", arguments.players.len());
    }
    arguments.check_without_effect()?;
    let mut players = arguments
        .players
        .iter()
        .map(|text| arguments.player(text))
        .collect::<anyhow::Result<Vec<_>>>()?;
    tell_apart(&mut players);
    if let [first, second] = players.as_mut_slice() {
        first.1.book.clone_from(&arguments.book_a);
        second.1.book.clone_from(&arguments.book_b);
    }
    for (path, option) in [(&arguments.book_a, "--book-a"), (&arguments.book_b, "--book-b")] {
        path.as_ref().map(|path| read_other_book(path, Some(option))).transpose()?;
    }
    if let Some(path) = &arguments.save {
        check_new(path)?;
    }
    let stop = stop_on_interrupt()?;
    let threads = context.threads(arguments.threads.map(usize::from));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let mut saved = arguments.save.as_deref().map(SavedGames::create).transpose()?;
    let chosen = pool.install(|| openings::choose(&arguments.openings, context, &stop))?;
    let date = Date::read(&today()).map(|(date, _)| date);
    let (mut standings, mut played) = (Standings::new(players.len()), false);
    let mut unplayed = Vec::new();
    for (place, (name, first)) in players.iter().enumerate() {
        for (other, (other_name, second)) in players.iter().enumerate().skip(place + 1) {
            if stop.is_stopped() {
                unplayed.push([name.as_str(), other_name.as_str()]);
                continue;
            }
            let names = MatchNames { first: name, second: other_name, date, xot: chosen.xot };
            let table_megabytes = arguments.table as usize;
            let request = MatchRequest { first, second, openings: &chosen.lines, table_megabytes };
            let progress = Mutex::new(Progress::new(context.quiet));
            let show = |tally: &Tally| {
                if let Ok(mut progress) = progress.lock() {
                    progress.show(|| format!("{name} - {other_name}: {}", tally));
                }
            };
            let mut unsaved = None;
            let mut keep = |pair: &Pair| {
                if let (Some(saved), None) = (&mut saved, &unsaved)
                    && let Err(error) = save(pair, &names, &chosen.lines, saved)
                {
                    // More games would be lost, too.
                    stop.stop();
                    unsaved = Some(error);
                }
            };
            let result = pool.install(|| play_match(&request, &stop, &show, &mut keep))?;
            drop(progress);
            if let Some(error) = unsaved {
                return Err(error.into());
            }
            played |= !result.pairs.is_empty();
            if arguments.pairs {
                print::pairs(&result, &names, &chosen.lines, context)?;
            }
            print::result(&result.tally, 2 * chosen.lines.len(), &names, context)?;
            standings.add(place, other, &result.tally);
        }
    }
    print::unplayed(&unplayed, context)?;
    // There is no file without a game.
    if let Some((saved, path)) = saved.filter(|_| played).zip(arguments.save.as_deref()) {
        print::saved(&saved.finish()?, path, context);
    }
    if stop.is_stopped() {
        return Ok(Status::Interrupted);
    }
    if arguments.round_robin && !context.output.is_json() {
        context.output.line("")?;
        let names: Vec<_> = players.iter().map(|(name, _)| name.as_str()).collect();
        print::standings(&standings.ranked(), &names, context)?;
    }
    Ok(if chosen.whole { Status::Done } else { Status::Partly })
}

/// Players of one name get numbers behind it.
fn tell_apart(players: &mut [(String, Player)]) {
    let names: Vec<String> = players.iter().map(|(name, _)| name.clone()).collect();
    for (place, (name, _)) in players.iter_mut().enumerate() {
        let same = |other: &&String| **other == *name;
        let before = names.iter().take(place).filter(same).count();
        if names.iter().filter(same).count() > 1 {
            *name = format!("{name} ({})", before + 1);
        }
    }
}

fn save(
    pair: &Pair,
    names: &MatchNames<'_>,
    openings: &[Line],
    saved: &mut SavedGames,
) -> Result<(), SaveError> {
    let Some(opening) = openings.get(pair.opening) else { return Ok(()) };
    names.games(pair, opening).iter().try_for_each(|game| saved.add(game))
}

impl Arguments {
    /// An option that would be without effect is refused.
    fn check_without_effect(&self) -> anyhow::Result<()> {
        // The parser lets it pass where another option excludes --depth.
        let of_depth = [
            ("--solve-from", self.solve_from.is_some()),
            ("--selectivity", self.selectivity.is_some()),
        ];
        for (option, is_given) in of_depth {
            if is_given && self.depth.is_none() {
                bail!("{option} needs --depth");
            }
        }
        self.openings.check_without_effect()
    }

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
                let solve_from = self.solve_from.unwrap_or(DEFAULT_SOLVE_FROM);
                Pace::Depth { depth, selectivity, solve_from }
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
