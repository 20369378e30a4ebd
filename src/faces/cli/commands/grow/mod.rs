//! `rosebill grow`.

mod fleet;
mod list;
mod policy;
mod report;

use crate::app::amounts::{at_least, contempt, whole, within};
use crate::app::games::GameFilter;
use crate::app::{
    BookLevel, Depth, Ended, GrowOptions, GrowStart, GrowStatus, PolicyOption, PolicySpec, Reader,
    RegretLimits, check_starts, grow, open_or_begin, plan_raise,
};
use crate::faces::cli::config::Origin;
use crate::faces::cli::context::{BeginArguments, Context};
use crate::faces::cli::duration::parse_duration;
use crate::faces::cli::exit::Status;
use crate::faces::cli::fleet::trouble;
use crate::faces::cli::interrupt::Interrupt;
use crate::faces::cli::losses::given;
use crate::faces::cli::other_book::read_other_book;
use crate::faces::cli::place::start;
use crate::faces::cli::progress::Progress;
use crate::files::counted::counted;
use crate::files::games::Asked;
use crate::othello::board::Placed;
use crate::othello::eval::PatternEvaluator;
use crate::othello::score::Score;
use crate::othello::search::{Level, Selectivity};
use anyhow::bail;
use clap::ValueEnum;
use clap::builder::PossibleValue;
use policy::in_options;
use std::path::PathBuf;
use std::time::Duration;

/// Arguments of `grow`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill grow --time 60s\n\n\
    With --fleet, other machines search: see 'rosebill fleet work --help'.\n\n\
    --move-loss and --line-loss keep growth where both sides play well, so that it comes to an end: the \
    smaller they are, the smaller the book becomes. With black:0,white:3 it prepares Black's best \
    moves against all of White's within 3 discs. For --policy deviate they set the breadth: 2 discs a \
    move where no --move-loss is given, and where no --line-loss is, as much for both sides together \
    along a line as for a move of each.\n\n\
    Nothing that was searched deep is replaced by something shallower: a position is expanded at its own depth \
    where that is more than the level's. A move to a position that is less sure than the search before it is held, \
    and does not count: growth searches that position as deep as it takes where it goes along it, and --policy lines \
    --line MOVES makes all moves of a line count.\n\n\
    --policy deepen raises the book to --level: only what lacks it is searched; how many searches that \
    is, and about how long they take, is said first, and by --dry-run.\n\n\
    Ctrl-C ends it with everything kept; the same command again goes on where it stopped. The exit \
    code is 1 when the time was too short for a single search.")]
pub struct Arguments {
    /// What is searched next
    #[arg(long, value_enum, default_value_t)]
    policy: PolicySpec,
    /// Grow from this position: a line such as f5d6c3, an opening's name or a board; may be given several times [default: the start]
    #[arg(long, value_name = "POSITION", value_parser = start)]
    from: Vec<Asked>,
    /// The longest time, such as 60s, 5m or 1h30m
    #[arg(long, value_parser = parse_duration)]
    time: Option<Duration>,
    /// The most new positions
    #[arg(long, value_name = "N", value_parser = whole)]
    positions: Option<u64>,
    /// The most searches; a position that takes two may add one more
    #[arg(long, value_name = "N", value_parser = whole)]
    searches: Option<u64>,
    /// Level 0 to 60: fixes depth and selectivity for each number of empties [default: the setting, else
    /// that of most of the book's own searches, 12 for an empty book]
    #[arg(long, conflicts_with_all = ["depth", "selectivity"])]
    level: Option<Level>,
    /// Plies to look ahead, instead of a level
    #[arg(long, value_parser = within::<u8>(0..=60))]
    depth: Option<u8>,
    /// With --depth: selectivity in percent, 73, 87, 95, 98, 99 or 100 (full width) [default: 100]
    #[arg(long, requires = "depth")]
    selectivity: Option<Selectivity>,
    /// With --policy best: a higher level, to which the best other moves of positions near the best
    /// lines are searched again
    #[arg(long, value_name = "LEVEL", conflicts_with_all = ["depth", "selectivity"])]
    deepen: Option<Level>,
    /// With --policy lines: a line, or an opening's name, whose positions are added and whose moves are
    /// made to count; may be given several times, all from one board
    #[arg(long, value_name = "MOVES", value_parser = start)]
    line: Vec<Asked>,
    /// With --policy lines, popular or doubt: files of games in any format that `games import` reads
    #[arg(long, value_name = "FILE", num_args = 1..)]
    games: Vec<PathBuf>,
    /// With --policy popular or doubt: take the games of another book [default: those of this one]
    #[arg(long, value_name = "BOOK", conflicts_with = "games")]
    games_from: Option<PathBuf>,
    /// With --policy popular or doubt: the fewest games that reach a position
    ///
    /// [default: 10]
    #[arg(long, value_name = "N", value_parser = at_least::<0, u32>)]
    least_games: Option<u32>,
    /// With --policy solve: the most empties of a position that is solved
    ///
    /// [default: 24]
    #[arg(long, value_name = "N", value_parser = within::<u8>(1..=60))]
    solve_empties: Option<u8>,
    /// Only list what would be searched first, and why
    #[arg(long, visible_alias = "explain")]
    dry_run: bool,
    #[command(flatten)]
    losses: RegretLimits,
    /// What a draw is worth to Black, in discs, -100 to 100: growth then goes where players go that seek draws
    /// (100) or avoid them (-100), instead of following the guess
    #[arg(long, value_name = "DISCS", value_parser = contempt)]
    contempt: Option<Score>,
    /// Add and deepen no position with more discs than this
    #[arg(long, value_name = "D", value_parser = within::<u8>(5..=64))]
    max_discs: Option<u8>,
    /// Searches at once [default: the setting, else all processors; with --fleet none
    /// but the workers']
    #[arg(long, value_parser = within::<u16>(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    begin: BeginArguments,
    // With --policy popular or doubt.
    #[command(flatten)]
    which: GameFilter,
    #[command(flatten)]
    by: fleet::FleetGrowth,
    /// Positions that are handed out to be searched at once, but no more than a quarter of the book's:
    /// the fewer, the better each is chosen
    /// [default: twice the threads, with --fleet three times]
    #[arg(long, value_name = "N", value_parser = within::<u32>(1..=100_000))]
    in_flight: Option<u32>,
    /// Memory for the transposition table of each thread in MiB [default: the setting, 64 without one]
    #[arg(long, value_name = "MIB", value_parser = within::<u32>(1..=1 << 20))]
    table: Option<u32>,
}

impl ValueEnum for PolicySpec {
    fn value_variants<'a>() -> &'a [Self] {
        Self::all()
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()).help(self.about()))
    }
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let mut options = arguments.options(context)?;
    // Before a book is made for nothing.
    check_starts(&options.from)?;
    if arguments.dry_run {
        return list::run(&options, arguments.raises_to(&options), context);
    }
    let fleet = arguments.by.address(context)?;
    let evaluator = PatternEvaluator::embedded()?;
    let starter = context.begins_with_starter(arguments.begin)?;
    let interrupt = Interrupt::listen()?;
    let (mut book, is_new, begun_with) = open_or_begin(&context.book(), starter)?;
    if is_new {
        context.note_new_book(begun_with);
    } else if begun_with > 0 {
        let positions = counted(begun_with, "position");
        context
            .note(format_args!("the book was empty, and begins with {positions} of the starter"));
    } else if starter {
        let has = counted(book.reader().counts()?.positions, "position");
        context.note(format_args!("the book has {has} already: the starter was not taken"));
    }
    if let Some(level) = arguments.level_of(book.reader(), context)? {
        options.depth = Depth::Level(level);
    }
    let raise = arguments.raises_to(&options);
    let plan = raise
        .map(|level| plan_raise(book.reader(), level, &options, &evaluator, &interrupt.stop))
        .transpose()?;
    if let Some(plan) = &plan {
        let threads = if fleet.is_some() { None } else { Some(options.threads) };
        context.note(report::plan_text(plan, threads));
    }
    let mut progress = Progress::new(context.quiet);
    let watch = &mut |status: &GrowStatus| {
        interrupt.keeps(status.kept);
        let trouble = status.crew.as_ref().and_then(|crew| trouble(crew.contact));
        progress
            .in_trouble(trouble)
            .show(|| report::progress(status, arguments.time, arguments.positions));
    };
    let grown = match fleet {
        None => grow(&mut book, &evaluator, &options, &interrupt.stop, watch).map_err(Into::into),
        Some(address) => {
            let threads = arguments.threads.map_or(0, |_| options.threads);
            let (book, terms) = ((&mut book, &evaluator), (&options, threads));
            arguments.by.grow(address, book, terms, &interrupt, context, watch)
        }
    };
    let summary = match grown {
        Ok(summary) => summary,
        Err(error) => {
            // A server that is not there leaves no book behind that nothing came into.
            let is_empty = book.reader().counts().is_ok_and(|counts| counts.positions == 0);
            if is_new && is_empty {
                book.remove();
            }
            drop(progress);
            if interrupt.stop.is_stopped() {
                context.failure(error.as_ref());
                return Ok(Status::Interrupted);
            }
            return Err(error);
        }
    };
    interrupt.keeps(summary.status.kept);
    drop(progress);
    // Threads of this process search without a worker, too.
    let worker = arguments.by.worker_command().filter(|_| arguments.threads.is_none());
    report::print(&summary, &options, (worker.as_ref(), plan.as_ref()), context)?;
    Ok(match summary.ended {
        Ended::Interrupted => Status::Interrupted,
        Ended::Time if summary.status.searches == 0 => Status::NotFound,
        _ => Status::Done,
    })
}

impl Arguments {
    /// The level asked for, on the command line or in the settings; none: the book's own.
    fn asked_level(&self, context: &Context) -> Option<Level> {
        let setting = &context.settings().level;
        self.level.or((setting.origin != Origin::Default).then_some(setting.value))
    }

    /// The level asked for, else the book's own, else the usual one.
    fn level(&self, context: &Context) -> anyhow::Result<Level> {
        let of_book = match context.book_path().exists() {
            true if self.asked_level(context).is_none() => BookLevel::of(&context.read_book()?)?,
            _ => None,
        };
        let usual = of_book.map_or(context.settings().level.value, BookLevel::level);
        Ok(self.asked_level(context).unwrap_or(usual))
    }

    /// How the level compares with the book's own, and that one where none was asked for: a book may have
    /// begun with the starter since the options were read.
    fn level_of(&self, book: &Reader, context: &Context) -> anyhow::Result<Option<Level>> {
        if self.depth.is_some() {
            return Ok(None);
        }
        let Some(of_book) = BookLevel::of(book)? else { return Ok(None) };
        let level = of_book.level();
        match (self.asked_level(context), of_book) {
            (Some(asked), _) if asked < level => context.note(format!(
                "level {asked} is below the book's own, {level}: positions that were searched deeper are \
                 expanded at their own depth"
            )),
            (Some(_), _) => {}
            (None, BookLevel::Own(_)) => {
                context.note(format!("growing at level {level}, that of most of the book's searches"));
            }
            (None, BookLevel::Foreign(_)) => context
                .note(format!("growing at level {level}, which half of the book's records meet")),
        }
        Ok(self.asked_level(context).is_none().then_some(level))
    }

    /// The level that the book is raised to, where that is what growth does.
    fn raises_to(&self, options: &GrowOptions) -> Option<Level> {
        match (&self.policy, options.depth) {
            (PolicySpec::Deepen, Depth::Level(level)) => Some(level),
            _ => None,
        }
    }

    fn options(&self, context: &Context) -> anyhow::Result<GrowOptions> {
        let settings = context.settings();
        let depth = match self.depth {
            Some(depth) => {
                Depth::Fixed { depth, selectivity: self.selectivity.unwrap_or_default() }
            }
            None => Depth::Level(self.level(context)?),
        };
        Ok(GrowOptions {
            from: self.roots()?,
            policy: self
                .policy()?
                .policy(&context.book_path(), depth, &mut |note| context.note(note))
                .map_err(in_options)?,
            limits: self.losses,
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
            in_flight: self.in_flight.map(|count| count as usize),
            asked: context.asked().to_owned(),
        })
    }
}

impl Arguments {
    /// The policy with its options: one that it does not know would be without effect.
    fn policy(&self) -> anyhow::Result<PolicySpec> {
        let mut policy = self.policy.clone();
        let of_lines = |policy: &&PolicySpec| policy.follows_lines();
        let from = |policy: &&PolicySpec| {
            policy.follows_lines() || matches!(policy, PolicySpec::Lines { .. })
        };
        let [move_loss, line_loss] = given(self.losses);
        let contempt = ("--contempt", self.contempt.is_some());
        for (option, given) in [move_loss, line_loss, contempt] {
            check(option, given && !of_lines(&&policy), PolicySpec::all().iter().filter(of_lines))?;
        }
        let elsewhere = !self.from.is_empty() && !from(&&policy);
        check("--from", elsewhere, PolicySpec::all().iter().filter(from))?;
        for (name, given) in options(self.deepen, &self.line, &self.games).into_iter().chain([
            ("--games-from", self.games_from.clone().map(PolicyOption::GamesFrom)),
            ("--least-games", self.least_games.map(PolicyOption::LeastGames)),
            (OF_GAMES, self.which()),
            ("--solve-empties", self.solve_empties.map(PolicyOption::SolveEmpties)),
        ]) {
            if let Some(option) = given {
                check(name, !policy.take(option.clone()), option.policies())?;
            }
        }
        if let Some(path) = &self.games_from {
            read_other_book(path, Some("--games-from"))?;
        }
        Ok(policy)
    }

    fn which(&self) -> Option<PolicyOption> {
        (!self.which.is_empty()).then(|| PolicyOption::Which(self.which.clone()))
    }

    /// Where growth starts: from what is asked for, or from the board that the given lines start from.
    fn roots(&self) -> anyhow::Result<Vec<GrowStart>> {
        let from: Vec<GrowStart> = self.from.iter().map(GrowStart::from).collect();
        let Some(first) = self.line.first().map(|asked| asked.line.start()) else {
            return Ok(from);
        };
        if let Some(other) = self.line.iter().find(|asked| asked.line.start() != first) {
            bail!("--line {}: starts from another board than the first", other.line.whole_text());
        }
        if first == Placed::START {
            return Ok(from);
        }
        if from.iter().any(|root| root.placed != first) {
            bail!("--line starts from another board than --from: give it without --from");
        }
        Ok(vec![GrowStart { placed: first, line: None }])
    }
}

/// The options by which games are chosen.
const OF_GAMES: &str = "the choice of games";

/// Those of [`PolicyOption`] that growth and its bench share, by the options that they are given with.
pub(in crate::faces::cli::commands) fn options(
    deepen: Option<Level>,
    lines: &[Asked],
    games: &[PathBuf],
) -> [(&'static str, Option<PolicyOption>); 3] {
    let of = |lines: &[Asked]| lines.iter().map(|asked| asked.line.clone()).collect();
    [
        ("--deepen", deepen.map(PolicyOption::Deepen)),
        ("--line", (!lines.is_empty()).then(|| PolicyOption::Lines(of(lines)))),
        ("--games", (!games.is_empty()).then(|| PolicyOption::Games(games.to_vec()))),
    ]
}

/// Fails where an option is given that only other policies have.
fn check<'p>(
    option: &str,
    is_wrong: bool,
    policies: impl Iterator<Item = &'p PolicySpec>,
) -> anyhow::Result<()> {
    if is_wrong {
        let names: Vec<_> = policies.map(PolicySpec::name).collect();
        let instead = match option {
            OF_GAMES => {
                "; for --policy lines write those games with 'games export', and give --games"
            }
            _ => "",
        };
        bail!("{option} needs --policy {}{instead}", names.join(" or "));
    }
    Ok(())
}
