//! `rosebill games stats`.

use super::filter::{position_or_player, tell_namesakes};
use crate::app::amounts::whole;
use crate::app::games::{
    FilterError, GameDatabase, GameFilter, GameSort, GameStats, ListOptions, ListedGame, MoveStats,
    PlayerHere, game_stats, games_at, games_here, list_games, who_played,
};
use crate::app::json::object;
use crate::app::{Reader, ShowOptions, Shown, show};
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::place::Positions;
use crate::faces::cli::table::Table;
use crate::faces::figures::{signed, whole_percents};
use crate::faces::render::json::{games_here_json, guess_of};
use crate::faces::render::{Command, as_typed, day, player_name as name, result};
use crate::files::counted::{counted, grouped};
use crate::files::games::{Asked, opening_of_line};
use crate::othello::board::{Line, Side};
use crate::othello::score::Score;
use std::ffi::OsString;

/// Arguments of `games stats`.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples: rosebill games stats f5d6c3; rosebill games stats tiger --player aspenryd\n\n\
    Games that came to the position are counted, in whatever order of moves. Scores are discs from \
    Black's side. The theoretical score is that of perfect play from a late position of each game \
    (WTHOR has it for 24 empties). 'book' is the book's value of the move ('guess' in JSON) as 'rosebill \
    show' has it: in discs for the side that makes the move. The exit code is 1 when no game came there."
)]
pub struct Arguments {
    /// A line such as f5 d6 c3, an opening's name, a board, or a file with
    /// one of them on each line, or one board drawn in it (- for standard input) [default: the start]
    #[arg(value_name = "POSITION|FILE")]
    position: Vec<OsString>,
    /// Leave out moves with fewer games
    #[arg(long, value_name = "GAMES", default_value_t = 1, value_parser = whole)]
    least_games: u64,
    /// List the players that chose each move most often, too
    #[arg(long = "players")]
    lists_players: bool,
    #[command(flatten)]
    filter: GameFilter,
}

/// Names of players, and games, that are shown of a position.
const TOLD: usize = 3;

/// The columns of the table.
const TITLES: [&str; 9] =
    ["move", "games", "share", "b/d/w %", "score", "theory", "book", "years", "name"];
/// Which of them is the book's.
const BOOK: usize = 6;

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let words = &arguments.position;
    let positions = position_or_player(Positions::read(words, context), words, context)?;
    let book = context.read_book()?;
    let database = GameDatabase::open(&book)?;
    tell_namesakes(arguments.filter.names(), &database, context)?;
    let filter = &arguments.filter;
    let mut status = Status::Done;
    for numbered in &positions.list {
        let found = game_stats(&database, &numbered.asked.line, filter)?;
        let found = found.map(|mut stats| {
            stats.moves.retain(|played| played.tally.games >= arguments.least_games);
            stats
        });
        if found.as_ref().is_none_or(|stats| stats.tally.games == 0) {
            status = Status::NotFound;
        }
        if context.output.is_json() {
            let index = positions.index(numbered);
            print_json(index, &numbered.asked, found.as_ref(), &database, context)?;
        } else {
            print(arguments, &numbered.asked, found.as_ref(), &database, context)?;
        }
    }
    Ok(positions.ended(status))
}

/// A line as it can be typed, with its board where that is another one; the start in words.
pub(super) fn line_text(line: &Line) -> String {
    let moves = line.whole_text();
    if moves.is_empty() { "the start".to_owned() } else { moves }
}

fn print_json(
    index: Option<usize>,
    asked: &Asked,
    stats: Option<&GameStats>,
    database: &GameDatabase<'_>,
    context: &mut Context,
) -> anyhow::Result<()> {
    let shown = guesses(database.book(), asked)?;
    let here = stats.map(|stats| games_at(database, stats, TOLD)).transpose()?.unwrap_or_default();
    context.output.object(&object! {
        index?: index,
        position: asked.placed(),
        line: asked.line.to_string(),
        name: opening_of_line(&asked.line),
        ..games: games_here_json(asked, stats, &here, shown.as_ref()),
    })?;
    Ok(())
}

fn print(
    arguments: &Arguments,
    asked: &Asked,
    stats: Option<&GameStats>,
    database: &GameDatabase<'_>,
    context: &mut Context,
) -> anyhow::Result<()> {
    let name = opening_of_line(&asked.line);
    let title = match &name {
        Some(name) => format!("{}  {name}", asked.line.whole_text()),
        None => line_text(&asked.line),
    };
    context.output.folded(&title, "  ", 2)?;
    let Some(stats) = stats.filter(|stats| stats.tally.games > 0) else {
        if database.is_empty() {
            return Ok(context.answer(&FilterError::NoGames)?);
        }
        if asked.line.end().is_none() {
            context.output.line("the game is over here")?;
            let title = "the games of a whole line";
            return Ok(context.print_command(title, &Command::new("games list"))?);
        }
        let text = "no matching game reaches this position: try fewer moves, or fewer conditions";
        return Ok(context.output.folded(text, " ", 2)?);
    };
    let order = stats.this_order.filter(|&order| order != stats.tally.games);
    let order = order
        .map_or(String::new(), |order| format!(", {} of them by this move order", grouped(order)));
    let side = if stats.placed.side == Side::Black { "black" } else { "white" };
    let guesses = guesses(database.book(), asked)?;
    let guess = |played: &MoveStats| guess_of(guesses.as_ref()?, played.square);
    let with_book = stats.moves.iter().any(|played| guess(played).is_some());
    let mut text = format!(
        "{}{order}; {side} to move; results and scores from Black's side",
        counted(stats.tally.games, "game")
    );
    if with_book && side == "white" {
        text.push_str("; the book's values from White's");
    }
    context.output.folded(&text, "; ", 2)?;
    context.output.line("")?;
    // What no row has needs no column.
    let kept = |index: &usize| with_book || *index != BOOK;
    let titles: Vec<&str> =
        (0..TITLES.len()).filter(kept).filter_map(|at| TITLES.get(at).copied()).collect();
    let mut table = Table::new(&titles);
    for played in &stats.moves {
        let cells = (0..).zip(row(asked, played, stats.tally.games, guess(played)));
        table.row(cells.filter(|(index, _)| kept(index)).map(|(_, cell)| cell));
    }
    if stats.moves.is_empty() {
        let least = arguments.least_games;
        context.output.line(format_args!("no move has {least} games or more (--least-games)"))?;
    } else {
        context.output.table(&table)?;
    }
    print_who(arguments, asked, stats, database, context)
}

/// The players here, and the latest games.
fn print_who(
    arguments: &Arguments,
    asked: &Asked,
    stats: &GameStats,
    database: &GameDatabase<'_>,
    context: &mut Context,
) -> anyhow::Result<()> {
    let who = who_played(database, stats, TOLD)?;
    context.output.line("")?;
    if arguments.lists_players {
        for played in &stats.moves {
            let chose = players_text(who.chose(played.square));
            context.output.folded(&format!("{}  {chose}", played.square), ", ", 4)?;
        }
        context.output.line("")?;
    }
    if !who.players.is_empty() {
        let all = counted(who.different as u64, "player");
        let text = format!("most often here, of {all}: {}", players_text(&who.players));
        context.output.folded(&text, ", ", 2)?;
    }
    context.output.line("latest:")?;
    for listed in games_here(database, stats, GameSort::Date, TOLD)? {
        context.output.folded(&game_text(&listed), "  ", 10)?;
    }
    if stats.games.len() > TOLD {
        let moves = asked.line.whole_text();
        let place = Some(moves.clone()).filter(|moves| !moves.is_empty());
        let count = counted(stats.tally.games, "game");
        // The list has those that have no move from here, too.
        let mut filter = arguments.filter.clone();
        filter.through.extend((!moves.is_empty()).then(|| asked.line.clone()));
        let all = ListOptions { filter, limit: 0, ..ListOptions::default() };
        let more = list_games(database, &all)?.1.saturating_sub(stats.tally.games);
        let others = match (more, moves.is_empty()) {
            (0, _) => String::new(),
            (more, true) => format!(", and {more} without moves or from another board"),
            (more, false) => format!(", and {more} that ended here"),
        };
        let command = Command::new("games list").with(place).with(as_typed(&arguments.filter));
        context.print_command(&format!("all {count}{others}"), &command)?;
    }
    Ok(())
}

fn row(asked: &Asked, played: &MoveStats, of: u64, guess: Option<Score>) -> [String; 9] {
    let MoveStats { square, tally, years } = played;
    let with_result = tally.black + tally.draw + tally.white;
    let results = [tally.black, tally.draw, tally.white].map(|count| count as f64);
    let [black, draw, white] = whole_percents(results);
    let number = |mean: Option<f64>| mean.map_or_else(|| "-".to_owned(), |mean| signed(mean, 1));
    [
        square.to_string(),
        grouped(tally.games),
        format!("{:.1} %", 100.0 * tally.games as f64 / of.max(1) as f64),
        match with_result {
            0 => "-".to_owned(),
            _ => format!("{black}/{draw}/{white}"),
        },
        number(tally.mean_score()),
        number(tally.mean_theoretical()),
        guess.map_or_else(String::new, |guess| guess.to_string()),
        match years {
            Some((first, last)) if first == last => first.to_string(),
            Some((first, last)) => format!("{first}-{last}"),
            None => String::new(),
        },
        // A name that the line has already says nothing of the move.
        opening_of_line(&asked.line.then(&[*square]))
            .filter(|&name| opening_of_line(&asked.line) != Some(name))
            .unwrap_or_default()
            .to_owned(),
    ]
}

fn players_text(players: &[PlayerHere]) -> String {
    let player = |PlayerHere { name, score }: &PlayerHere| match score.percent() {
        Some(percent) => format!("{name} {} (scored {percent:.0} %)", grouped(score.games)),
        None => format!("{name} {}", grouped(score.games)),
    };
    players.iter().map(player).collect::<Vec<_>>().join(", ")
}

fn game_text(ListedGame { id, game, .. }: &ListedGame) -> String {
    let (black, white) = (name(&game.black), name(&game.white));
    let facts = [day(game), game.event.clone().unwrap_or_default()];
    let facts: Vec<String> = facts.into_iter().filter(|fact| !fact.is_empty()).collect();
    let facts = facts.join(" ");
    format!("  {:>6}  {black} {} {white}  {facts}", id.0, result(game)).trim_end().to_owned()
}

/// What the book says of the moves of a position.
fn guesses(book: &Reader, asked: &Asked) -> anyhow::Result<Option<Shown>> {
    let shown = show(book, asked.placed(), &ShowOptions::default())?;
    Ok((shown.in_book() && !shown.passed).then_some(shown))
}
