//! `rosebill grow`.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::bail;
use clap::ValueEnum;
use serde::Serialize;

use super::new::open_or_create;
use crate::board::{Line, Square};
use crate::book::NodeSource;
use crate::book::policy::{
    Best, Deepen, Deviate, Fill, Leaf, Lines, Played, Policy, Popular, Solve,
};
use crate::book::regret::{Regret, RegretLimits};
use crate::cli::context::stop_on_interrupt;
use crate::cli::duration::{parse_duration, show_duration};
use crate::cli::json::ValuesJson;
use crate::cli::progress::Progress;
use crate::cli::table::Table;
use crate::cli::{Context, Status};
use crate::eval::PatternEvaluator;
use crate::games::opening_of_line;
use crate::ops::{
    Depth, Ended, GrowOptions, GrowStatus, GrowSummary, grow, next_leaves, read_game_lines,
};
use crate::score::Score;
use crate::search::{Level, Selectivity};
use crate::store::{Reader, StoreError};

/// Arguments of `grow`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill grow --time 60s\n\n\
    Ctrl-C ends it with everything kept; the same command again goes on where it stopped.")]
pub struct Arguments {
    /// What is searched next
    #[arg(long, value_enum, default_value_t = PolicyName::Best)]
    policy: PolicyName,
    /// Grow from the end of this line; may be given several times [default: the start]
    #[arg(long, value_name = "MOVES")]
    from: Vec<Line>,
    /// The longest time, such as 60s, 5m or 1h30m
    #[arg(long, value_parser = parse_duration, allow_hyphen_values = true)]
    time: Option<Duration>,
    /// The most new positions
    #[arg(long, value_name = "N")]
    positions: Option<u64>,
    /// The most searches; a position that takes two may add one more
    #[arg(long, value_name = "N")]
    searches: Option<u64>,
    /// Level 0 to 60: fixes depth and selectivity for each number of empties [default: 12]
    #[arg(long, conflicts_with_all = ["depth", "selectivity"])]
    level: Option<Level>,
    /// Plies to look ahead, instead of a level
    #[arg(long, value_parser = clap::value_parser!(u8).range(0..=60))]
    depth: Option<u8>,
    /// Confidence of these searches in percent: 73, 87, 95, 98, 99 or 100
    #[arg(long, requires = "depth")]
    selectivity: Option<Selectivity>,
    /// With --policy lines: a line whose positions are added; may be given several times
    #[arg(long, value_name = "MOVES")]
    line: Vec<Line>,
    /// With --policy lines or popular: files of games, WTHOR (.wtb) or text with a game a line
    #[arg(long, value_name = "FILE", num_args = 1..)]
    games: Vec<PathBuf>,
    /// With --policy popular: the fewest games that reach a position
    ///
    /// [default: 10]
    #[arg(long, value_name = "N")]
    least_games: Option<u32>,
    /// With --policy deviate: the most that a single move gives away, in discs; --regret is then
    /// twice as much unless it is given
    ///
    /// [default: 2]
    #[arg(long, value_name = "DISCS", value_parser = discs)]
    deviate: Option<i32>,
    /// With --policy solve: the most empties of a position that is solved
    ///
    /// [default: 24]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=60))]
    solve_empties: Option<u8>,
    /// Only list what would be searched first, and why
    #[arg(long, visible_alias = "explain")]
    dry_run: bool,
    /// Give up lines on which both sides together lost more than this, in discs
    #[arg(long, value_name = "DISCS", value_parser = discs)]
    regret: Option<i32>,
    /// Give up lines on which one side lost more than this, in discs
    #[arg(long, value_name = "DISCS", value_parser = discs)]
    side_regret: Option<i32>,
    /// What a draw is worth to Black, in discs: growth then goes where players go who seek draws
    /// (100) or avoid them (-100), instead of following the guess
    #[arg(long, value_name = "DISCS", allow_hyphen_values = true, value_parser = contempt)]
    contempt: Option<Score>,
    /// Add no position with more discs than this
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u8).range(5..=64))]
    max_discs: Option<u8>,
    /// Searches at once [default: all processors]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// MiB of transposition table for each thread
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    table: Option<u32>,
}

/// Discs, up to two decimals, as centidiscs.
pub(super) fn discs(text: &str) -> Result<i32, String> {
    let discs: f64 = text.parse().map_err(|_| format!("'{text}' is no number of discs"))?;
    if (0.0..=1000.0).contains(&discs) {
        Ok((discs * 100.0).round() as i32)
    } else {
        Err(format!("{text}: expected 0 to 1000 discs"))
    }
}

/// What a draw is worth, in discs.
pub(super) fn contempt(text: &str) -> Result<Score, String> {
    let discs: f64 = text.parse().map_err(|_| format!("'{text}' is no number of discs"))?;
    if (-100.0..=100.0).contains(&discs) {
        Ok(Score::from_centidiscs((discs * 100.0).round() as i16))
    } else {
        Err(format!("{text}: expected -100 to 100 discs"))
    }
}

#[derive(Serialize)]
struct SummaryJson {
    book: String,
    positions: u64,
    new_positions: u64,
    searches: u64,
    nodes: u64,
    seconds: f64,
    ended: &'static str,
    values: Option<ValuesJson>,
}

/// The policies by name.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum PolicyName {
    /// What good players reach first: smallest regret, with a price for each ply
    Best,
    /// Every move that gives little away, the shallowest first
    Deviate,
    /// All positions on given lines or games
    Lines,
    /// Positions that are missing between known ones
    Fill,
    /// Positions that were searched less than the level asks for, again
    Deepen,
    /// Ends that are not proven yet, from the bottom up
    Solve,
    /// The positions of real games, the most played first
    Popular,
    /// The ends of lines that are played out of the book, good moves more often, as NTest does
    Played,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    if arguments.dry_run {
        return list(arguments, context);
    }
    let evaluator = PatternEvaluator::embedded()?;
    let stop = stop_on_interrupt()?;
    let options = arguments.options(context)?;
    let mut book = open_or_create(context)?;
    let mut progress = Progress::new(context.quiet);
    let summary = grow(&mut book, &evaluator, &options, &stop, &mut |status| {
        progress.show(|| progress_text(status, arguments.time));
    })?;
    drop(progress);
    print(&summary, context)?;
    Ok(if summary.ended == Ended::Interrupted { Status::Interrupted } else { Status::Done })
}

impl Arguments {
    fn options(&self, context: &Context) -> anyhow::Result<GrowOptions> {
        let settings = context.settings();
        let depth = match self.depth {
            Some(depth) => {
                Depth::Fixed { depth, selectivity: self.selectivity.unwrap_or_default() }
            }
            None => Depth::Level(self.level.unwrap_or(settings.level.value)),
        };
        Ok(GrowOptions {
            from: self.from.clone(),
            policy: self.policy(depth)?,
            limits: RegretLimits {
                black: self.side_regret,
                white: self.side_regret,
                total: self.regret,
                single: None,
            },
            contempt: self.contempt,
            max_discs: self.max_discs,
            depth,
            time: self.time,
            positions: self.positions,
            searches: self.searches,
            threads: context.threads(self.threads.map(usize::from)),
            table_megabytes: self
                .table
                .map_or(settings.table_megabytes.value, |mebibytes| mebibytes as usize),
            asked: context.asked().to_owned(),
        })
    }
}

impl Arguments {
    /// An option that its policy does not know would be without effect.
    fn check_policy_options(&self) -> anyhow::Result<()> {
        use PolicyName::{Deviate, Lines, Popular, Solve};
        let asked: [(&str, bool, &[PolicyName]); 5] = [
            ("--line", !self.line.is_empty(), &[Lines]),
            ("--games", !self.games.is_empty(), &[Lines, Popular]),
            ("--least-games", self.least_games.is_some(), &[Popular]),
            ("--deviate", self.deviate.is_some(), &[Deviate]),
            ("--solve-empties", self.solve_empties.is_some(), &[Solve]),
        ];
        for (option, given, policies) in asked {
            if given && !policies.contains(&self.policy) {
                let names: Vec<String> = policies
                    .iter()
                    .filter_map(|name| Some(name.to_possible_value()?.get_name().to_owned()))
                    .collect();
                bail!("{option} needs --policy {}", names.join(" or "));
            }
        }
        Ok(())
    }

    fn policy(&self, depth: Depth) -> anyhow::Result<Box<dyn Policy<Reader>>> {
        self.check_policy_options()?;
        let deviate = self.deviate.unwrap_or(200);
        let total = self.regret.unwrap_or(2 * deviate);
        Ok(match self.policy {
            PolicyName::Best => Box::new(Best::default()),
            PolicyName::Deviate => Box::new(Deviate { single: deviate, total }),
            PolicyName::Fill => Box::new(Fill),
            PolicyName::Played => Box::new(Played::default()),
            PolicyName::Solve => Box::new(Solve { max_empties: self.solve_empties.unwrap_or(24) }),
            PolicyName::Deepen => match depth {
                Depth::Level(level) => Box::new(Deepen { level }),
                Depth::Fixed { .. } => bail!("--policy deepen takes a --level, not a --depth"),
            },
            PolicyName::Lines => {
                let mut lines: Vec<Vec<_>> =
                    self.line.iter().map(|line| line.squares().collect()).collect();
                lines.extend(self.games()?);
                if lines.is_empty() {
                    bail!("--policy lines needs --line MOVES or --games FILE");
                }
                Box::new(Lines::new(lines))
            }
            PolicyName::Popular => {
                let games = self.games()?;
                if games.is_empty() {
                    bail!("--policy popular needs --games FILE");
                }
                let moves = games.iter().map(Vec::as_slice);
                Box::new(Popular::of_games(moves, self.least_games.unwrap_or(10)))
            }
        })
    }

    fn games(&self) -> anyhow::Result<Vec<Vec<Square>>> {
        let mut games = Vec::new();
        for file in &self.games {
            games.extend(read_game_lines(file)?);
        }
        Ok(games)
    }
}

/// How many leaves a dry run lists.
const LISTED: usize = 20;

#[derive(Serialize)]
struct LeafJson {
    line: String,
    reason: &'static str,
    black_regret: f64,
    white_regret: f64,
    priority: i32,
    guess: Option<f64>,
    board: String,
}

/// Lists what growth would take first.
fn list(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let options = arguments.options(context)?;
    let book = Reader::open(context.book_path())?;
    let book = book.snapshot()?;
    let rows = next_leaves(&book, &options, LISTED)?;
    let rows: Vec<LeafJson> =
        rows.iter().map(|(leaf, line)| leaf_json(&book, leaf, line)).collect::<Result<_, _>>()?;
    if rows.is_empty() {
        context.note("nothing is left to search within the bounds");
        return Ok(Status::NotFound);
    }
    if context.output.is_json() {
        for row in &rows {
            context.output.object(row)?;
        }
        return Ok(Status::Done);
    }
    let mut table = Table::new(&["why", "black lost", "white lost", "guess", "line"]);
    for row in rows {
        table.row([
            row.reason.to_owned(),
            format!("{:.2}", row.black_regret),
            format!("{:.2}", row.white_regret),
            row.guess.map_or_else(String::new, |guess| format!("{guess:+.2}")),
            if row.line.is_empty() { row.board } else { row.line },
        ]);
    }
    context.output.line(table)?;
    Ok(Status::Done)
}

fn leaf_json(book: &Reader, leaf: &Leaf, line: &[Square]) -> Result<LeafJson, StoreError> {
    let discs = |centidiscs: i32| f64::from(centidiscs) / 100.0;
    Ok(LeafJson {
        line: line.iter().map(ToString::to_string).collect(),
        reason: leaf.reason.name(),
        black_regret: discs(leaf.regret.black),
        white_regret: discs(leaf.regret.white),
        priority: leaf.priority,
        guess: book.node(&leaf.key)?.map(|node| node.values.guess.discs()),
        board: format!("{:?}", leaf.key.position()),
    })
}

/// What matters most comes first: a terminal may cut the rest off.
fn progress_text(status: &GrowStatus, time: Option<Duration>) -> String {
    let seconds = status.elapsed.as_secs_f64().max(1e-3);
    let mut clock = show_duration(status.elapsed);
    if let Some(time) = time {
        let left = show_duration(time.saturating_sub(status.elapsed));
        clock = format!("{clock}, {left} left");
    }
    let root = status.root.map_or_else(String::new, |root| {
        format!(" | guess {} draw {} win {}", root.guess, root.draw_seeking, root.win_seeking)
    });
    let latest = status.latest.as_ref().map_or_else(String::new, |latest| {
        let discs = |centidiscs: i32| f64::from(centidiscs) / 100.0;
        let line: Option<Line> = latest.to_string().parse().ok();
        let name = line.as_ref().and_then(opening_of_line);
        let name = name.map_or_else(String::new, |name| format!("{name} "));
        let Regret { black, white } = latest.regret;
        format!(" | regret {:.2}+{:.2}: {name}{latest}", discs(black), discs(white))
    });
    format!(
        "{clock} | {} positions (+{}){root} | {:.0} searches/s | {:.1} Mn/s{latest}",
        status.positions,
        status.new_positions,
        status.searches as f64 / seconds,
        status.nodes as f64 / seconds / 1e6,
    )
}

fn print(summary: &GrowSummary, context: &mut Context) -> anyhow::Result<()> {
    let path = context.book_path();
    let status = &summary.status;
    let output = &mut context.output;
    if output.is_json() {
        output.object(&SummaryJson {
            book: path.display().to_string(),
            positions: status.positions,
            new_positions: status.new_positions,
            searches: status.searches,
            nodes: status.nodes,
            seconds: status.elapsed.as_secs_f64(),
            ended: summary.ended.text(),
            values: status.root.map(ValuesJson::from),
        })?;
        return Ok(());
    }
    output.line(format_args!("{}: {}", path.display(), summary.ended.text()))?;
    output.line(format_args!(
        "{} positions, {} of them new, {} searches, {:.1} million nodes in {:.1} s",
        status.positions,
        status.new_positions,
        status.searches,
        status.nodes as f64 / 1e6,
        status.elapsed.as_secs_f64()
    ))?;
    if let Some(root) = status.root {
        output.line(format_args!(
            "guess {}, draw-seeking {}, win-seeking {} (discs, for the side to move)",
            root.guess, root.draw_seeking, root.win_seeking
        ))?;
    }
    Ok(())
}
