//! `rosebill show`.

mod facts;
mod text;

use std::ffi::OsString;
use std::path::PathBuf;

use serde::Serialize;

use crate::board::Square;
use crate::cli::amounts::contempt;
use crate::cli::context::Context;
use crate::cli::exit::Status;
use crate::cli::interrupt::stop_on_interrupt;
use crate::cli::json::{ChancesJson, PositionJson, ValuesJson};
use crate::cli::place::Positions;
use crate::cli::source::source_text;
use crate::eval::{AnyEvaluator, PatternEvaluator};
use crate::games::Asked;
use crate::ops::games::{GameDatabase, GameFilter, game_stats};
use crate::ops::{
    BookFile, By, MoveKind, ShowOptions, Shown, ShownMove, Trust, missing_on, search_missing, show,
};
use crate::score::Score;
use crate::search::{AnySearcher, Level, Stop};

use super::games::stats::{GamesJson, games_json};
use facts::{kind_name, move_name, name, others, searched, worth};
use text::Printed;
pub(super) use text::{bounds_text, is_one, trust_lines};

/// Arguments of `show`.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples: rosebill show f5 d6 c3; rosebill show tiger; rosebill show lines.txt\n\n\
    Values are discs for the side to move; the draw- and win-seeking ones are shown where they \
    differ from the guess. '12@73%' is a search of 12 plies that is 73 % sure of what it left out. \
    The exit code is 1 when a position is not in the book and --search was not given."
)]
pub struct Arguments {
    /// A line such as f5 d6 c3, an opening's name, 64 squares and the side to move, or a file with
    /// one of them on each line (- for standard input) [default: the start]
    #[arg(value_name = "POSITION|FILE")]
    position: Vec<OsString>,
    /// What a draw is worth to the side to move, in discs, -100 to 100: orders the moves and leads
    /// the best line
    #[arg(long, value_name = "DISCS", allow_hyphen_values = true, value_parser = contempt)]
    contempt: Option<Score>,
    /// Follow best play to all its ends, however many, for its grade and how much there is to learn
    #[arg(long)]
    all_ends: bool,
    /// Take the games of another book, for what was played here
    #[arg(long, value_name = "BOOK")]
    games_from: Option<PathBuf>,
    /// Search the moves at once that the book has no value for, at this level, --search=16 say
    /// [default level: that of grow]
    #[arg(long, value_name = "LEVEL", num_args = 0..=1, require_equals = true)]
    search: Option<Option<Level>>,
}

/// How far the values of a position can be trusted.
#[derive(Serialize)]
pub(super) struct TrustJson {
    grade: Option<char>,
    error: Option<f64>,
    remember: Option<u64>,
    other_remembers: Option<u64>,
}

impl From<Trust> for TrustJson {
    fn from(trust: Trust) -> Self {
        Self {
            grade: trust.grade.map(crate::ops::Grade::letter),
            error: trust.error.map(rounded),
            remember: trust.remember,
            other_remembers: trust.other_remembers,
        }
    }
}

fn rounded(error: f64) -> f64 {
    (error * 100.0).round() / 100.0
}

#[derive(Serialize)]
struct ShownJson {
    /// Which of several positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<usize>,
    position: PositionJson,
    line: Option<String>,
    name: Option<&'static str>,
    in_book: bool,
    passed: bool,
    over: bool,
    score: Option<i8>,
    values: Option<ValuesJson>,
    chances: Option<ChancesJson>,
    depth: Option<u8>,
    selectivity: Option<u8>,
    source: Option<String>,
    #[serde(flatten)]
    trust: TrustJson,
    best_line: String,
    moves: Vec<MoveJson>,
    other_moves: Vec<String>,
    /// What was played, where there are games.
    #[serde(skip_serializing_if = "Option::is_none")]
    games: Option<GamesJson>,
}

#[derive(Serialize)]
struct MoveJson {
    #[serde(rename = "move")]
    square: String,
    in_book: bool,
    kind: &'static str,
    values: ValuesJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    worth: Option<f64>,
    chances: ChancesJson,
    error: Option<f64>,
    depth: Option<u8>,
    selectivity: Option<u8>,
    name: Option<&'static str>,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let positions = Positions::read(&arguments.position)?;
    let book = context.read_book()?;
    let mut options = ShowOptions::default();
    if let Some(draw) = arguments.contempt {
        options.by = By::Contempt(draw);
    }
    if arguments.all_ends {
        options.trust_limit = usize::MAX;
    }
    let mut search = match arguments.search {
        Some(level) => Some(MoveSearch::new(level, context)?),
        None => None,
    };
    let other = arguments.games_from.as_ref().map(|path| BookFile::at(path).read()).transpose()?;
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
        let source = match shown.view.as_ref().and_then(|view| view.node) {
            Some(node) => {
                let mut known = book.sources()?.into_iter();
                let known = known.find(|known| known.id == node.searched.source);
                known.map(|known| source_text(&known.source))
            }
            None => None,
        };
        if context.output.is_json() {
            let index = positions.index(position);
            let mut json = as_json(index, asked, &shown, source, by);
            json.games = played.map(|played| games_json(asked, Some(&played), Some(&shown)));
            context.output.object(&json)?;
        } else {
            if number > 0 {
                context.output.line("")?;
            }
            let missing = missing_on(&*book, &asked.line)?;
            let played = played.as_ref().filter(|played| played.tally.games > 0);
            let source = source.as_deref();
            text::print(&Printed { asked, shown: &shown, source, by, missing, played }, context)?;
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

fn as_json(
    index: Option<usize>,
    asked: &Asked,
    shown: &Shown,
    source: Option<String>,
    by: By,
) -> ShownJson {
    let node = shown.view.as_ref().and_then(|view| view.node);
    ShownJson {
        index,
        position: shown.placed.into(),
        line: asked.is_from_the_start().then(|| asked.line.to_string()),
        name: name(asked, shown),
        in_book: shown.in_book(),
        passed: shown.passed,
        over: shown.final_score.is_some(),
        score: shown.final_score,
        values: node.map(|node| node.values.into()),
        chances: node.and_then(|_| shown.chances()).map(ChancesJson::from),
        depth: node.map(|node| node.searched.depth),
        selectivity: node.map(|node| node.searched.selectivity.percent()),
        source,
        trust: shown.trust.into(),
        best_line: join(&shown.best_play),
        moves: shown.moves.iter().filter_map(|shown| move_json(shown, by)).collect(),
        other_moves: others(shown),
        games: None,
    }
}

fn move_json(shown: &ShownMove, by: By) -> Option<MoveJson> {
    let found = &shown.found;
    Some(MoveJson {
        square: found.square.to_string(),
        in_book: found.kind == MoveKind::Link,
        kind: if shown.searched_now.is_some() { "searched" } else { kind_name(found.kind) },
        values: found.values?.into(),
        worth: worth(found, by).map(Score::discs),
        chances: shown.chances()?.into(),
        error: shown.error.map(rounded),
        depth: searched(shown).map(|searched| searched.0),
        selectivity: searched(shown).map(|searched| searched.1.percent()),
        name: move_name(found),
    })
}

fn join(moves: &[Square]) -> String {
    moves.iter().map(ToString::to_string).collect()
}
