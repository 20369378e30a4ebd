//! The players of a match, as they are typed.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, anyhow, bail};

use crate::app::amounts::within;
use crate::app::player::TimeControl;
use crate::faces::cli::context::Context;
use crate::faces::cli::duration::parse_duration;
use crate::faces::cli::other_book::read_other_book;
use crate::lab::contest::{EnginePlayer, OwnPlayer, Pace, Player, Protocol};
use crate::othello::eval::{Explain, by_name};
use crate::othello::search::{Level, LevelError, MoveOrdering, Selectivity};

/// How far players look that do not say so themselves.
#[derive(clap::Args, Debug)]
pub(super) struct PaceArguments {
    /// Time for each move, such as 10ms or 1s; rosebill's own in processor time
    #[arg(long, value_parser = parse_duration, conflicts_with_all = ["level", "depth", "clock"])]
    time: Option<Duration>,
    /// A clock for each game: main time, and what each move adds, such as 1:00 or 5:00/3
    #[arg(long, conflicts_with_all = ["level", "depth"])]
    clock: Option<TimeControl>,
    /// Level 0 to 60: fixes depth and selectivity for each number of empties [default: 6]
    #[arg(long, conflicts_with = "depth")]
    level: Option<Level>,
    /// Plies to look ahead
    #[arg(long, value_parser = within::<u8>(0..=60))]
    depth: Option<u8>,
    /// With --depth: selectivity in percent, 73, 87, 95, 98, 99 or 100 (full width) [default: 100]
    #[arg(long, requires = "depth")]
    selectivity: Option<Selectivity>,
    /// With --depth: positions with at most this many empties are solved [default: 10]
    #[arg(long, value_name = "EMPTIES", value_parser = within::<u8>(0..=60))]
    solve_from: Option<u8>,
    /// A program that takes longer for a move has lost the game
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = parse_duration)]
    patience: Duration,
}

const DEFAULT_LEVEL: u8 = 6;
const DEFAULT_SOLVE_FROM: u8 = 10;

/// What a player is called, and the player.
pub(super) type Named = (String, Player);

impl PaceArguments {
    /// An option that would be without effect is refused.
    pub(super) fn check_without_effect(&self) -> anyhow::Result<()> {
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
        Ok(())
    }

    /// The pace of those that have none of their own.
    fn pace(&self) -> Pace {
        match (self.time, self.clock, self.depth) {
            (Some(time), ..) => Pace::Time(time),
            (_, Some(clock), _) => Pace::Clock(clock),
            (.., Some(depth)) => Pace::Depth {
                depth,
                selectivity: self.selectivity.unwrap_or_default(),
                solve_from: self.solve_from.unwrap_or(DEFAULT_SOLVE_FROM),
            },
            _ => Pace::Level(self.level.or(Level::new(DEFAULT_LEVEL)).unwrap_or(Level::MAX)),
        }
    }

    /// The pace that was asked for, in words; none where it is the default.
    pub(super) fn asked(&self) -> Option<String> {
        match (self.time, self.clock, self.depth, self.level) {
            (Some(time), ..) => Some(format!("{} a move", humantime::format_duration(time))),
            (_, Some(clock), ..) => Some(format!("clock {clock}")),
            (_, _, Some(depth), _) => {
                let selectivity = self.selectivity.unwrap_or_default();
                let solved = self.solve_from.unwrap_or(DEFAULT_SOLVE_FROM);
                Some(format!("depth {depth}@{selectivity}, solved from {solved}"))
            }
            (.., Some(level)) => Some(format!("level {level}")),
            _ => None,
        }
    }

    /// Reads a player: one of our own, or a program behind the name of its protocol.
    pub(super) fn player(&self, text: &str, context: &Context) -> anyhow::Result<Named> {
        let read = match program(text) {
            Some((protocol, pace, command)) => self.engine(protocol, pace, command),
            None => self.own(text, context),
        };
        read.with_context(|| format!("player '{text}'"))
    }

    fn engine(
        &self,
        protocol: Protocol,
        own: Option<&str>,
        command: &str,
    ) -> anyhow::Result<Named> {
        let words = shlex::split(command).filter(|words| !words.is_empty());
        let command =
            words.ok_or_else(|| anyhow!("expected a program and its arguments, in quotes"))?;
        let own_pace = own.map(read_pace).transpose()?;
        let pace = match (protocol, own_pace, self.pace()) {
            (Protocol::Gtp, Some(Pace::Level(_)), _) => {
                bail!("GTP knows no levels: expected one among the arguments of the program")
            }
            (Protocol::NBoard, Some(Pace::Time(_)), _)
            | (Protocol::NBoard, None, Pace::Time(_)) => {
                bail!(
                    "NBoard knows no time a move: expected --clock, or a level as in nboard@12:PROGRAM"
                )
            }
            (_, Some(pace), _) => Some(pace),
            (_, None, pace @ (Pace::Time(_) | Pace::Clock(_))) => Some(pace),
            // Engines of NBoard wait for a level; others have theirs among their arguments.
            (Protocol::NBoard, None, pace) => Some(pace),
            (Protocol::Gtp | Protocol::Edax, None, _) => None,
        };
        let mut title = command.clone();
        if let Some(name) = Path::new(&command[0]).file_name() {
            title[0] = name.to_string_lossy().into_owned();
        }
        let title = with_pace(title.join(" "), own);
        Ok((title, Player::Engine(EnginePlayer { protocol, command, pace, limit: self.patience })))
    }

    fn own(&self, text: &str, context: &Context) -> anyhow::Result<Named> {
        let (text, book) = match text.split_once("+book=") {
            Some((text, book)) => (text, Some(PathBuf::from(book))),
            None => match text.strip_suffix("+book") {
                Some(text) => (text, Some(context.book_path())),
                None => (text, None),
            },
        };
        let (name, own) =
            text.rsplit_once('@').map_or((text, None), |(name, own)| (name, Some(own)));
        let pace = own.map(read_pace).transpose()?.unwrap_or_else(|| self.pace());
        let (name, ordering) = match name.strip_suffix("+quick") {
            Some(name) => (name, MoveOrdering::Quick),
            None => (name, MoveOrdering::default()),
        };
        let evaluator = by_name(name)?;
        let mut title = evaluator.title();
        if ordering == MoveOrdering::Quick {
            title += "+quick";
        }
        title = with_pace(title, own);
        if let Some(book) = &book {
            read_other_book(book, None)?;
            title += "+book";
        }
        Ok((title, Player::Own(OwnPlayer { evaluator, pace, ordering, book })))
    }
}

/// The parts of a program: its protocol, a pace of its own, its command line.
fn program(text: &str) -> Option<(Protocol, Option<&str>, &str)> {
    let (head, command) = text.split_once(':')?;
    let (name, pace) = head.split_once('@').map_or((head, None), |(name, pace)| (name, Some(pace)));
    let (_, protocol) = Protocol::ALL.into_iter().find(|(known, _)| *known == name)?;
    Some((protocol, pace, command))
}

/// A level, or a time a move with its unit.
fn read_pace(text: &str) -> Result<Pace, LevelError> {
    let time = || parse_duration(text).ok().filter(|_| text.ends_with(char::is_alphabetic));
    match (text.parse::<Level>(), time()) {
        (Ok(level), _) => Ok(Pace::Level(level)),
        (Err(_), Some(time)) => Ok(Pace::Time(time)),
        (Err(error), None) => Err(error),
    }
}

fn with_pace(title: String, pace: Option<&str>) -> String {
    match pace {
        Some(pace) => format!("{title}@{pace}"),
        None => title,
    }
}

/// Players of one name get numbers behind it.
pub(super) fn tell_apart(players: &mut [Named]) {
    let names: Vec<String> = players.iter().map(|(name, _)| name.clone()).collect();
    for (place, (name, _)) in players.iter_mut().enumerate() {
        let same = |other: &&String| **other == *name;
        let before = names.iter().take(place).filter(same).count();
        if names.iter().filter(same).count() > 1 {
            *name = format!("{name} ({})", before + 1);
        }
    }
}
