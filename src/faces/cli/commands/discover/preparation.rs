//! `rosebill discover preparation`.

use std::path::PathBuf;

use serde::Serialize;

use super::common::{PlaceArguments, guess_text, name_text, not_found};
use super::mistakes::mistake_table;
use super::traps::SideArgument;
use crate::app::Reader;
use crate::app::amounts::{at_least, discs};
use crate::app::discover::{
    Habit, LearnedLine, PoorLine, Preparation, PreparationOptions, SidePreparation, WINDOW,
    preparation, write_book_part, write_lines,
};
use crate::app::json::{hundredths, object};
use crate::faces::cli::commands::games::filter::tell_namesakes;
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::present_file::ForceArguments;
use crate::faces::cli::table::Table;
use crate::faces::figures::signed;
use crate::files::counted::{counted, grouped};
use crate::files::games::{Game, Player, opening_of_line};
use crate::othello::board::{Line, Side};
use crate::othello::score::Score;

/// Arguments of `discover preparation`.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples: rosebill discover preparation takizawa masaki --learn 5\n          \
             rosebill discover preparation aspenryd --side white --pgn aspenryd.pgn --book-part aspenryd.db\n\n\
    For each color of the player: where good values are left, where the score is worse than usual (small \
    samples: each is at least one standard error below the player's mean), and lines to learn. Your \
    moves on these give little away, and lead to where the player loses most; the last one answers \
    the player's usual move. 'chance' is how likely the player's moves on the line are by earlier games, recent ones \
    counted more, 'gain' what they lose, less what yours do, in discs. With --lines the lines to learn are printed. A book \
    part holds their positions, and no games. The exit code is 1 when nothing is found, and when \
    no player, or more than one, has such a name."
)]
pub struct Arguments {
    /// The player: the whole name, however it is spelled, or the beginnings of its words
    #[arg(required = true, value_name = "NAME")]
    name: Vec<String>,
    /// Only one color of the player [default: both]
    #[arg(long)]
    side: Option<SideArgument>,
    /// Only what the player had in at least this many games
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = at_least::<2, u64>)]
    least_games: u64,
    /// The least loss of a move of the player that is listed, in discs
    #[arg(long, value_name = "DISCS", value_parser = discs, default_value = "2")]
    loss: i32,
    /// The most that an own move on a line to learn may give away, in discs
    #[arg(long, value_name = "DISCS", value_parser = discs, default_value = "1")]
    own_loss: i32,
    /// How many lines to learn against each color
    #[arg(long, value_name = "LINES", default_value_t = 8, value_parser = at_least::<0, usize>)]
    learn: usize,
    /// Write the positions of the lines to learn into this new book file
    #[arg(long, value_name = "NEWFILE")]
    book_part: Option<PathBuf>,
    /// Write the lines to learn as games into this file, with how often the player makes each move and
    /// what it costs: {62 %; -2.1}
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    #[command(flatten)]
    replaced: ForceArguments,
    #[command(flatten)]
    place: PlaceArguments,
}

fn side_json(side: &SidePreparation) -> impl Serialize + '_ {
    let poor = side.poor.iter().map(|poor| {
        object! {
            line: &poor.line,
            name: opening_of_line(&poor.line),
            games: poor.games,
            percent: hundredths(poor.percent),
            guess: poor.guess,
        }
    });
    let learn = side.learn.iter().map(|learned| {
        object! {
            line: &learned.line,
            name: opening_of_line(&learned.line),
            chance: (learned.chance * 10_000.0).round() / 10_000.0,
            gain: hundredths(learned.gain),
            games: learned.games,
        }
    });
    object! {
        games: side.games,
        percent: side.percent.map(hundredths),
        departures: &side.leaves,
        poor: poor.collect::<Vec<_>>(),
        learn: learn.collect::<Vec<_>>(),
    }
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    if let Some(target) = &arguments.pgn {
        arguments.replaced.check(target, None)?;
    }
    let book = context.read_book()?;
    let database = arguments.place.database(&book, context)?;
    tell_namesakes([&arguments.name.join(" ")], &database, context)?;
    let sides = arguments.side.map_or(vec![Side::Black, Side::White], |side| vec![side.into()]);
    let found = preparation(
        &database,
        &PreparationOptions {
            place: arguments.place.place(arguments.least_games),
            name: arguments.name.join(" "),
            sides,
            loss: arguments.loss,
            own_loss: arguments.own_loss,
            learn: arguments.learn,
            window: arguments.place.window(WINDOW),
        },
    )?;
    let is_empty = |side: &SidePreparation| {
        side.learn.is_empty()
            && (arguments.place.lines || (side.leaves.is_empty() && side.poor.is_empty()))
    };
    if found.sides.iter().all(is_empty) {
        return Ok(not_found("the games of the player and the book say nothing", context));
    }
    write_files(arguments, &found, &book, context)?;
    if arguments.pgn.as_ref().is_some_and(|target| target.as_os_str() == "-") {
        return Ok(Status::Done);
    }
    if arguments.place.lines {
        arguments.place.print_lines(learned(&found).map(|(_, learned)| &learned.line), context)?;
    } else if context.output.is_json() {
        let of = |side: Side| found.sides.iter().find(|of| of.side == side).map(side_json);
        let (black, white) = (of(Side::Black), of(Side::White));
        context.output.object(&object! { player: &found.player.name, black, white })?;
    } else {
        print(&found, context)?;
    }
    Ok(Status::Done)
}

/// All lines to learn, with the colour of the player.
fn learned(found: &Preparation) -> impl Iterator<Item = (Side, &LearnedLine)> {
    found.sides.iter().flat_map(|of| of.learn.iter().map(|learned| (of.side, learned)))
}

fn write_files(
    arguments: &Arguments,
    found: &Preparation,
    book: &Reader,
    context: &Context,
) -> anyhow::Result<()> {
    let wants_files = arguments.book_part.is_some() || arguments.pgn.is_some();
    if wants_files && learned(found).next().is_none() {
        context.note("there is no line to learn: no file is written");
        return Ok(());
    }
    if let Some(target) = &arguments.book_part {
        let lines: Vec<Line> = learned(found).map(|(_, learned)| learned.line.clone()).collect();
        let positions = write_book_part(book, &lines, target)?;
        context.note(format_args!("{}: {}", target.display(), counted(positions, "position")));
    }
    if let Some(target) = &arguments.pgn {
        let games: Vec<_> = learned(found)
            .map(|(side, learned)| {
                let comments = learned.habits.iter().map(|habit| comment((*habit)?)).collect();
                (game(found, side, learned), comments)
            })
            .collect();
        write_lines(&games, target)?;
        if target.as_os_str() != "-" {
            let lines = counted(games.len() as u64, "line");
            context.note(format_args!("{}: {lines}", target.display()));
        }
    }
    Ok(())
}

/// A line to learn as a game against the player.
fn game(found: &Preparation, side: Side, learned: &LearnedLine) -> Game {
    let name = &found.player.name;
    let his = Player { name: Some(name.clone()), rating: None };
    let own = Player::default();
    let (black, white) = if side == Side::Black { (his, own) } else { (own, his) };
    let facts =
        [("Chance", format!("{:.0} %", 100.0 * learned.chance)), ("Gain", signed(learned.gain, 2))];
    Game {
        event: Some(format!("Preparation for {name}")),
        black,
        white,
        start: learned.line.start(),
        moves: learned.line.squares().collect(),
        extra: facts.into_iter().map(|(what, text)| (what.to_owned(), text)).collect(),
        ..Game::default()
    }
}

/// What is to be expected of the player at a move: `62 %; -2.1`, where it gives something away.
fn comment(Habit { share, loss }: Habit) -> Option<String> {
    let costs = loss.filter(|loss| loss.loss > Score::ZERO);
    let costs = costs.map_or_else(String::new, |loss| format!("; {}", -loss.loss));
    Some(format!("{:.0} %{costs}", 100.0 * share))
}

fn print(found: &Preparation, context: &mut Context) -> anyhow::Result<()> {
    for (number, side) in found.sides.iter().enumerate() {
        if number > 0 {
            context.output.line("")?;
        }
        let score = side.percent.map_or_else(String::new, |score| format!(", {score:.1} %"));
        let games = counted(side.games, "game");
        let colour = side.side.name();
        context.output.line(format_args!("{}, {colour}: {games}{score}", found.player.name))?;
        if !side.leaves.is_empty() {
            context.output.line("\nleaves good values")?;
            context.output.table(&mistake_table(&side.leaves, false))?;
        }
        if !side.poor.is_empty() {
            context.output.line("\nscores badly")?;
            let mut table = Table::new(&["games", "score", "guess", "name", "line"]);
            side.poor.iter().for_each(|poor| table.row(poor_row(poor)));
            context.output.table(&table)?;
        }
        if !side.learn.is_empty() {
            context.output.line(format_args!("\nto learn with {}", side.side.other().name()))?;
            let mut table = Table::new(&["chance", "gain", "games", "name", "line"]);
            side.learn.iter().for_each(|learned| table.row(learned_row(learned)));
            context.output.table(&table)?;
        }
    }
    Ok(())
}

fn poor_row(poor: &PoorLine) -> [String; 5] {
    [
        grouped(poor.games),
        format!("{:.1} %", poor.percent),
        guess_text(poor.guess),
        name_text(&poor.line),
        poor.line.to_string(),
    ]
}

fn learned_row(learned: &LearnedLine) -> [String; 5] {
    [
        format!("{:.1} %", 100.0 * learned.chance),
        signed(learned.gain, 1),
        grouped(learned.games),
        name_text(&learned.line),
        learned.line.to_string(),
    ]
}
