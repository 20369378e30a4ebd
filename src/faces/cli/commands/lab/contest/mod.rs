//! `rosebill lab match`.

mod openings;
mod players;
mod print;

use std::path::PathBuf;
use std::sync::Mutex;

use anyhow::bail;

use openings::{Chosen, OpeningArguments};
use players::{Named, PaceArguments, tell_apart};

use crate::app::amounts::within;
use crate::app::games::keep_games_at;
use crate::app::{BookFile, SaveError, SavedGames, today};
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::interrupt::stop_on_interrupt;
use crate::faces::cli::other_book::read_other_book;
use crate::faces::cli::output::fault;
use crate::faces::cli::present_file::check_new;
use crate::faces::cli::progress::Progress;
use crate::files::counted::counted;
use crate::files::games::{Date, Game, SAVED_ENDINGS};
use crate::lab::contest::{
    MatchNames, MatchRequest, Pair, Player, Sprt, Standings, Tally, play_match,
};
use crate::othello::eval::EVALUATOR_NAMES;

/// Arguments of `match`.
#[derive(clap::Args, Debug)]
#[command(after_help = format!(
    "Examples:\n  rosebill lab match rosebill@8 phases@8 --openings lines.txt --save games.pgn\n  \
    rosebill lab match rosebill@4 'gtp:gtp-rhino --level=5' --limit 40 --save games.pgn\n\n\
    A player is an evaluator ({}) or a weights file. It may be followed by '+quick', to sort moves by the kind of \
    square alone, a level or a time a move of its own, and a book: '+book' for that of --book, '+book=FILE' for \
    another one, as in 'linear+quick@4', 'rosebill@100ms+book'. Another program is named by its protocol and its \
    command line: 'gtp:PROGRAM', 'nboard:PROGRAM', or 'edax:PROGRAM' for the console of Edax; its level is given with \
    'nboard@12:PROGRAM', 'edax@16:PROGRAM', and for GTP among the arguments of the program.\n\n\
    Each opening is played with both colors: a pair. It is won with more points of its two games \
    than the other. The error is one standard deviation; a pair counts as one draw of luck, since \
    its two games depend on each other. Elo is given with the range in which it is with 95 %. Errors are given from \
    ten openings, twenty games, on.\n\n\
    A program that ends, hangs, moves illegally or oversteps its time loses the game by all discs, and is started \
    again. CPU seconds of a program are those of its process in the games.\n\n\
    Openings come from --openings: 'balanced' ones that --opening-depth judges, 'xot', 'wthor' for \
    positions of the games in the book, each as likely as it was played, or a file: positions or \
    names with one on each line, or games in any format. No opening is played twice, so there may \
    be fewer games than asked for; the exit code is 3 when a line of the file cannot be played from.",
    EVALUATOR_NAMES.join(", ")
))]
pub struct Arguments {
    /// Two players, or more with --round-robin: NAME, NAME@LEVEL, NAME@TIME, gtp:PROGRAM, nboard:PROGRAM, edax:PROGRAM
    #[arg(required = true, num_args = 2.., value_name = "PLAYER")]
    players: Vec<String>,
    /// Every player against every other
    #[arg(long)]
    round_robin: bool,
    #[command(flatten)]
    pace: PaceArguments,
    /// As '+book=FILE' behind the first player
    #[arg(long, value_name = "FILE", conflicts_with = "round_robin", hide = true)]
    book_a: Option<PathBuf>,
    /// As '+book=FILE' behind the second player
    #[arg(long, value_name = "FILE", conflicts_with = "round_robin", hide = true)]
    book_b: Option<PathBuf>,
    #[command(flatten)]
    openings: OpeningArguments,
    /// End when it is sure by which of two differences in Elo the first player is stronger, such as 0,5
    #[arg(long, value_name = "ELO,ELO", allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// List the result of each opening
    #[arg(long)]
    pairs: bool,
    #[arg(long, value_name = "NEWFILE", help = format!("Save the games in a new file: {SAVED_ENDINGS}"))]
    save: Option<PathBuf>,
    /// Go on with the match that was saved in this .pgn file, if it is there
    #[arg(long, requires = "save")]
    resume: bool,
    /// Keep the games in this book, too
    #[arg(long, value_name = "BOOK")]
    keep: Option<PathBuf>,
    /// Memory for each player's table in MiB
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = within::<u32>(1..=1 << 20))]
    table: u32,
    /// Games at once, each on one thread [default: the setting, else all processors]
    #[arg(long, value_parser = within::<u16>(1..=1024))]
    threads: Option<u16>,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    if arguments.players.len() > 2 && !arguments.round_robin {
        bail!("{} players: two play a match, more need --round-robin", arguments.players.len());
    }
    arguments.pace.check_without_effect()?;
    arguments.openings.check_without_effect()?;
    let players = arguments.players(context)?;
    if let Some(book) = arguments.keep.as_ref().filter(|book| book.exists()) {
        read_other_book(book, Some("--keep"))?;
    }
    let goes_on = arguments.resume && arguments.save.as_ref().is_some_and(|path| path.exists());
    if let Some(path) = arguments.save.as_ref().filter(|_| !goes_on) {
        check_new(path)?;
    }
    let stop = stop_on_interrupt()?;
    let threads = context.threads(arguments.threads.map(usize::from));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let (mut saved, before) = match &arguments.save {
        Some(path) if goes_on => {
            let (saved, games) = SavedGames::go_on_with_pairs(path)?;
            context.note(format_args!(
                "{}: {} before",
                path.display(),
                counted(games.len() as u64, "game")
            ));
            (Some(saved), games)
        }
        path => (path.as_deref().map(SavedGames::create).transpose()?, Vec::new()),
    };
    let chosen = pool.install(|| openings::choose(&arguments.openings, context, &stop))?;
    let pace = arguments.pace.asked();
    let date = Date::read(&today()).map(|(date, _)| date);
    let (mut standings, mut played) = (Standings::new(players.len()), !before.is_empty());
    let mut unplayed = Vec::new();
    let mut kept = Vec::new();
    for (place, (name, first)) in players.iter().enumerate() {
        for (other, (other_name, second)) in players.iter().enumerate().skip(place + 1) {
            if stop.is_stopped() {
                unplayed.push([name.as_str(), other_name.as_str()]);
                continue;
            }
            let (pace, xot) = (pace.as_deref(), chosen.xot);
            let names = MatchNames { first: name, second: other_name, pace, date, xot };
            let table_megabytes = arguments.table as usize;
            let (openings, sprt) = (chosen.lines.as_slice(), arguments.sprt);
            let request = MatchRequest { first, second, openings, table_megabytes, sprt };
            let progress = Mutex::new(Progress::new(context.quiet));
            let show = |tally: &Tally| {
                if let Ok(mut progress) = progress.lock() {
                    let before = format!("{name} - {other_name}: {tally} | ");
                    let of = 2 * openings.len() as u64;
                    progress.show_share(&before, tally.games, Some(of), "game");
                }
            };
            let mut unsaved = None;
            let mut keep = |pair: &Pair| {
                tell_faults(pair, &names);
                let Some(opening) = openings.get(pair.opening) else { return };
                for game in names.games(pair, opening) {
                    if let (Some(saved), None) = (&mut saved, &unsaved)
                        && let Err(error) = saved.add(&game)
                    {
                        // More games would be lost, too.
                        stop.stop();
                        unsaved = Some(error);
                    }
                    kept.extend(arguments.keep.is_some().then_some(game));
                }
            };
            let pairs = pairs_before(&names, &chosen, &before)?;
            let result = pool.install(|| play_match(&request, pairs, &stop, &show, &mut keep));
            drop(progress);
            if let Some(error) = unsaved {
                return Err(error.into());
            }
            let result = match result {
                Ok(result) => result,
                Err(error) => {
                    finish(saved, played, arguments, context)?;
                    return Err(error.into());
                }
            };
            played |= !result.pairs.is_empty();
            if arguments.pairs {
                print::pairs(&result, &names, &chosen.lines, context)?;
            }
            print::result(&result, 2 * chosen.lines.len(), arguments.sprt, &names, context)?;
            standings.add(place, other, &result.tally);
        }
    }
    print::unplayed(&unplayed, context)?;
    finish(saved, played, arguments, context)?;
    kept.extend(before);
    keep_in_book(&kept, arguments, context)?;
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

/// The pairs of a match that were played before.
fn pairs_before(
    names: &MatchNames<'_>,
    chosen: &Chosen,
    before: &[Game],
) -> anyhow::Result<Vec<Pair>> {
    let found = chosen.lines.iter().enumerate().map(|(number, opening)| {
        names.pair(number, opening, before).map_err(|number| {
            anyhow::anyhow!(
                "opening {} was another one in the saved match: expected the same --openings, --games and --seed",
                number + 1
            )
        })
    });
    found.filter_map(Result::transpose).collect()
}

/// A game that was lost otherwise than on the board.
fn tell_faults(pair: &Pair, names: &MatchNames<'_>) {
    for (game, number) in pair.games().into_iter().zip(1..) {
        if let Some(forfeit) = &game.forfeit {
            let loser = if forfeit.by_self { names.first } else { names.second };
            let round = pair.opening + 1;
            fault(format_args!("game {round}.{number}: {loser} lost: {}", forfeit.why));
        }
    }
}

fn finish(
    saved: Option<SavedGames>,
    played: bool,
    arguments: &Arguments,
    context: &Context,
) -> Result<(), SaveError> {
    // There is no file without a game.
    if let Some((saved, path)) = saved.filter(|_| played).zip(arguments.save.as_deref()) {
        print::saved(&saved.finish()?, path, context);
    }
    Ok(())
}

fn keep_in_book(games: &[Game], arguments: &Arguments, context: &Context) -> anyhow::Result<()> {
    if let Some(path) = arguments.keep.as_ref().filter(|_| !games.is_empty()) {
        let new = keep_games_at(&BookFile::at(path), games, "matches", &today())?;
        context.note(format_args!("{}: {} new", path.display(), counted(new, "game")));
    }
    Ok(())
}

impl Arguments {
    /// The players with their names, no two of which are the same.
    fn players(&self, context: &Context) -> anyhow::Result<Vec<Named>> {
        let read = self.players.iter().map(|text| self.pace.player(text, context));
        let mut players = read.collect::<anyhow::Result<Vec<_>>>()?;
        tell_apart(&mut players);
        let books = [(&self.book_a, "--book-a"), (&self.book_b, "--book-b")];
        for ((_, player), (path, option)) in players.iter_mut().zip(books) {
            let Some(path) = path else { continue };
            read_other_book(path, Some(option))?;
            match player {
                Player::Own(own) => own.book = Some(path.clone()),
                Player::Engine(_) => bail!("{option}: a program plays by its own book"),
            }
        }
        Ok(players)
    }
}
