//! `rosebill show`.

mod text;

use crate::app::amounts::contempt;
use crate::app::games::{GameDatabase, GameFilter, game_stats};
use crate::app::{
    By, ShowOptions, Shown, line_in_book, missing_on, proven_here, search_missing, show, source_of,
};
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::interrupt::stop_on_interrupt;
use crate::faces::cli::other_book::read_other_book;
use crate::faces::cli::place::Positions;
use crate::faces::render::json::{ShownFacts, played_json};
use crate::faces::render::source_text;
use crate::othello::eval::{AnyEvaluator, PatternEvaluator};
use crate::othello::score::Score;
use crate::othello::search::{AnySearcher, Level, Stop};
use std::ffi::OsString;
use std::path::PathBuf;
use text::Printed;

pub(super) use text::{bounds_text, is_one, parted, trust_lines};

/// Arguments of `show`.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples: rosebill show f5 d6 c3; rosebill show tiger; rosebill show lines.txt\n\n\
    Values are discs for the side to move; the draw- and win-seeking ones are shown where they \
    differ from the guess. 'sure' is the error to expect of a value, in discs, and how deep a search would be \
    that is as sure: a value rests on all that is known behind it. 'searched' is how the position itself was \
    searched: '12@73%' is 12 plies, at a selectivity of 73 %: branches were cut with that confidence. A move that is 'held' leads to positions that are \
    less sure than the search here, which answers for it until they are as sure. 'w/d/l %' are the chances of each result of perfect play, not those of people. \
    The exit code is 1 when a position is not in the book and --search was not given."
)]
pub struct Arguments {
    /// A line such as f5 d6 c3, an opening's name, a board, or a file with
    /// one of them on each line, or one board drawn in it (- for standard input) [default: the start]
    #[arg(value_name = "POSITION|FILE")]
    position: Vec<OsString>,
    /// What a draw is worth to the side to move, in discs, -100 to 100: orders the moves and leads
    /// the best line
    #[arg(long, value_name = "DISCS", value_parser = contempt)]
    contempt: Option<Score>,
    /// Take the games of another book, for what was played here
    #[arg(long, value_name = "BOOK")]
    games_from: Option<PathBuf>,
    /// Search the moves at once that the book has no value for, at this level [default: the
    /// setting, else 12]
    #[arg(long, value_name = "LEVEL", num_args = 0..=1, require_equals = true)]
    search: Option<Option<Level>>,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let positions = Positions::read(&arguments.position, context)?;
    let book = context.read_book()?;
    let mut options = ShowOptions::default();
    if let Some(draw) = arguments.contempt {
        options.by = By::Contempt(draw);
    }
    let mut search = match arguments.search {
        Some(level) => Some(MoveSearch::new(level, context)?),
        None => None,
    };
    let games_from = arguments.games_from.as_ref();
    let other = games_from.map(|path| read_other_book(path, Some("--games-from"))).transpose()?;
    let games = GameDatabase::open(other.as_ref().unwrap_or(&book))?;
    let mut status = Status::Done;
    for (number, position) in positions.list.iter().enumerate() {
        let asked = &position.asked;
        // Each is of one moment; a long list does not hold up a writer.
        let book = book.snapshot()?;
        let mut shown = show(&*book, asked.placed(), &options)?;
        if let Some(search) = &mut search
            && !search.search_missing(&mut shown, options.by)
        {
            return Ok(Status::Interrupted);
        }
        let played = match games.is_empty() {
            true => None,
            false => game_stats(&games, &asked.line, &GameFilter::default())?,
        };
        // After a pass the other side asks.
        let by = if shown.passed { options.by.for_opponent() } else { options.by };
        let source = source_of(&book, &shown)?.map(|source| source_text(&source));
        let proven = proven_here(&book, &shown)?;
        let way = &line_in_book(&*book, &shown, &asked.line)?;
        if context.output.is_json() {
            let index = positions.index(position);
            let games = played.map(|played| played_json(asked, Some(&played), Some(&shown)));
            let own = &context.own_book();
            let (shown, transpositions) = (&shown, None);
            let facts =
                ShownFacts { index, asked, shown, source, proven, transpositions, by, way, own };
            context.output.object(&facts.json(games))?;
        } else {
            if number > 0 {
                context.output.line("")?;
            }
            let missing = missing_on(&*book, &asked.line)?;
            let played = played.as_ref().filter(|played| played.tally.games > 0);
            let source = source.as_deref();
            let (shown, proven) = (&shown, &proven);
            let printed = Printed { asked, shown, source, proven, by, way, missing, played };
            text::print(&printed, context)?;
        }
        let is_known = shown.in_book() || shown.final_score.is_some() || search.is_some();
        if !is_known {
            status = Status::NotFound;
        }
    }
    Ok(positions.ended(status))
}

/// Searches what a book does not know.
struct MoveSearch {
    searcher: AnySearcher,
    level: Level,
    stop: Stop,
}

impl MoveSearch {
    fn new(level: Option<Level>, context: &Context) -> anyhow::Result<Self> {
        let settings = context.settings();
        let evaluator = AnyEvaluator::Pattern(PatternEvaluator::embedded()?);
        Ok(Self {
            searcher: AnySearcher::new(evaluator, settings.table_megabytes.value),
            level: level.unwrap_or(settings.level.value),
            stop: stop_on_interrupt()?,
        })
    }

    /// False when it was interrupted.
    fn search_missing(&mut self, shown: &mut Shown, by: By) -> bool {
        search_missing(shown, by, &mut self.searcher, self.level, &self.stop)
    }
}
