//! Options that choose games.

use std::ffi::OsString;

use anyhow::bail;
use clap::ValueEnum;

use crate::app::games::{GameDatabase, GameFilter, GameOutcome, find_players, namesakes};
use crate::faces::cli::amounts::{at_least, within};
use crate::faces::cli::context::Context;
use crate::faces::render::quoted;
use crate::files::games::{AskedError, NameError};

/// Who won.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum ResultArgument {
    Black,
    Draw,
    White,
}

/// Options that choose games; all together.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Which games")]
pub struct FilterArguments {
    /// A player with either colour: a whole name means that player, however it is spelt, else all of
    /// whom words of the name begin so; may be repeated, for games of any of them. For games between
    /// two: --black ONE --white OTHER, and the other way round
    #[arg(long, value_name = "NAME")]
    player: Vec<String>,
    /// A player with Black
    #[arg(long, value_name = "NAME")]
    black: Vec<String>,
    /// A player with White
    #[arg(long, value_name = "NAME")]
    white: Vec<String>,
    /// Words of the event
    #[arg(long, value_name = "WORDS")]
    event: Option<String>,
    /// The first year
    #[arg(long, value_name = "YEAR", value_parser = within::<u16>(0..=9999))]
    from_year: Option<u16>,
    /// The last year
    #[arg(long, value_name = "YEAR", value_parser = within::<u16>(0..=9999))]
    to_year: Option<u16>,
    /// The year
    #[arg(long, value_name = "YEAR", value_parser = within::<u16>(0..=9999), conflicts_with_all = ["from_year", "to_year"])]
    year: Option<u16>,
    /// The file or collection that the games came from: its whole name ('rosebill games sources'),
    /// else all of which words begin so
    #[arg(long, value_name = "WORDS")]
    source: Option<String>,
    /// Games with a program, or without [yes, no]
    #[arg(long, value_name = "YES|NO", value_parser = yes_or_no)]
    programs: Option<bool>,
    /// XOT games, or others [yes, no]
    #[arg(long, value_name = "YES|NO", value_parser = yes_or_no)]
    xot: Option<bool>,
    /// Games with a theoretical score, or without [yes, no]
    #[arg(long, value_name = "YES|NO", value_parser = yes_or_no)]
    theory: Option<bool>,
    /// Who won
    #[arg(long)]
    result: Option<ResultArgument>,
    /// Both players were rated, and so high at least
    #[arg(long, value_parser = at_least::<0, u16>)]
    rating: Option<u16>,
}

fn yes_or_no(text: &str) -> Result<bool, &'static str> {
    match text {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err("expected yes or no"),
    }
}

/// A position that was read from these words; where they are none, but the name of a player, the error says
/// how a player is asked for.
pub(in crate::faces::cli::commands) fn position_or_player<T>(
    read: anyhow::Result<T>,
    words: &[OsString],
    context: &Context,
) -> anyhow::Result<T> {
    let error = match read {
        Ok(read) => return Ok(read),
        Err(error) => error,
    };
    if !matches!(error.downcast_ref(), Some(AskedError::Name(NameError::Unknown { .. }))) {
        return Err(error);
    }
    let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
    let name = words.join(" ");
    // Only to say more: what is wrong with the book is another question.
    let is_player = || -> anyhow::Result<bool> {
        let book = context.read_book()?;
        Ok(!find_players(&GameDatabase::open(&book)?, &name)?.is_empty())
    };
    match is_player() {
        Ok(true) => bail!("{error}; for a player: --player {}", quoted(&name)),
        _ => Err(error),
    }
}

/// Notes the other players with a name that means one player.
pub(in crate::faces::cli::commands) fn tell_namesakes<'n>(
    names: impl IntoIterator<Item = &'n String>,
    database: &GameDatabase<'_>,
    context: &Context,
) -> anyhow::Result<()> {
    for name in names {
        if let Some(namesakes) = namesakes(database, name)? {
            context.note(namesakes);
        }
    }
    Ok(())
}

impl FilterArguments {
    /// The same options as words of a command.
    pub(in crate::faces::cli::commands) fn as_typed(&self) -> Vec<String> {
        let mut typed = Vec::new();
        let mut add = |option: &str, value: &str| {
            typed.extend([format!("--{option}"), value.to_owned()]);
        };
        self.player.iter().for_each(|name| add("player", name));
        self.black.iter().for_each(|name| add("black", name));
        self.white.iter().for_each(|name| add("white", name));
        let yes_or_no = |wanted: bool| if wanted { "yes" } else { "no" }.to_owned();
        let result = self.result.map(|result| match result {
            ResultArgument::Black => "black".to_owned(),
            ResultArgument::Draw => "draw".to_owned(),
            ResultArgument::White => "white".to_owned(),
        });
        for (option, value) in [
            ("event", self.event.clone()),
            ("from-year", self.from_year.map(|year| year.to_string())),
            ("to-year", self.to_year.map(|year| year.to_string())),
            ("year", self.year.map(|year| year.to_string())),
            ("source", self.source.clone()),
            ("programs", self.programs.map(yes_or_no)),
            ("xot", self.xot.map(yes_or_no)),
            ("theory", self.theory.map(yes_or_no)),
            ("result", result),
            ("rating", self.rating.map(|rating| rating.to_string())),
        ] {
            if let Some(value) = value {
                add(option, &value);
            }
        }
        typed
    }

    /// Notes the players that these names do not mean.
    pub(in crate::faces::cli::commands) fn tell_namesakes(
        &self,
        database: &GameDatabase<'_>,
        context: &Context,
    ) -> anyhow::Result<()> {
        let names = [&self.player, &self.black, &self.white].into_iter().flatten();
        tell_namesakes(names, database, context)
    }

    /// What they choose.
    pub(in crate::faces::cli::commands) fn filter(&self) -> GameFilter {
        GameFilter {
            players: self.player.clone(),
            black: self.black.clone(),
            white: self.white.clone(),
            event: self.event.clone(),
            from_year: self.from_year.or(self.year),
            to_year: self.to_year.or(self.year),
            source: self.source.clone(),
            programs: self.programs,
            xot: self.xot,
            theory: self.theory,
            outcome: self.result.map(|result| match result {
                ResultArgument::Black => GameOutcome::Black,
                ResultArgument::Draw => GameOutcome::Draw,
                ResultArgument::White => GameOutcome::White,
            }),
            rating: self.rating,
        }
    }
}
