//! Games that are kept, and games that are gone on with.

use std::path::{Path, PathBuf};

use crate::app::json::object;
use crate::app::player::GameInPlay;
use crate::app::{SavedGames, today};
use crate::faces::cli::exit::told;
use crate::faces::cli::present_file::check_new;
use crate::files::games::{Date, Game, Player as Name};
use crate::othello::board::Side;

use super::table::Table;

impl Table<'_> {
    /// Saves all games with moves, where that was asked for, and where a user who types has interrupted one.
    pub(super) fn keep(&mut self, is_interrupted: bool) -> anyhow::Result<()> {
        let mut games = std::mem::take(&mut self.earlier);
        games.push(self.named_game());
        games.retain(|game| !game.moves.is_empty());
        let is_interrupted = is_interrupted && self.source.is_editor() && !games.is_empty();
        let unasked = || is_interrupted.then(free_name).flatten();
        let Some(path) = self.setting.save.clone().or_else(unasked) else { return Ok(()) };
        match games.is_empty() {
            true => Ok(self.note("no game was played: nothing is kept")?),
            false => self.save(&path, &games),
        }
    }

    pub(super) fn save_as(&mut self, path: &Path) -> anyhow::Result<()> {
        if self.game.plies().is_empty() {
            self.fault("no move was played: nothing to keep")?;
        } else if let Err(error) = self.save(path, &[self.named_game()]) {
            // The game goes on: another name may do.
            self.fault(&format!("not kept: {}", told(error.as_ref())))?;
        }
        Ok(())
    }

    /// Goes on with the first game of a file; whether there is one.
    pub(super) fn open(&mut self, path: &Path) -> anyhow::Result<bool> {
        match GameInPlay::open(path) {
            Ok((game, header)) => {
                self.begin(game);
                self.opened = Some(header);
                // Its moves can be taken back.
                self.opening = 0;
                Ok(true)
            }
            Err(error) => {
                self.fault(&format!("not opened: {error}"))?;
                Ok(false)
            }
        }
    }

    pub(super) fn named_game(&self) -> Game {
        // A game that was opened stays that of its players until a move is made in it.
        if let Some(opened) = self.opened.as_ref().filter(|opened| {
            let game = self.game.game();
            (game.start, &game.moves) == (opened.start, &opened.moves)
        }) {
            return opened.clone();
        }
        let name = |side| Name {
            name: match self.setting.you.moves_for(side) {
                true => self.setting.name.clone(),
                false => Some(self.setting.rosebill()),
            },
            rating: None,
        };
        Game {
            date: Date::read(&today()).map(|(date, _)| date),
            black: name(Side::Black),
            white: name(Side::White),
            time_control: self.setting.control.map(|control| control.to_string()),
            ..self.game.game()
        }
    }

    fn save(&mut self, path: &Path, games: &[Game]) -> anyhow::Result<()> {
        check_new(path)?;
        let mut saved = SavedGames::create(path)?;
        games.iter().try_for_each(|game| saved.add(game))?;
        let written = saved.finish()?;
        let (path, count) = (path.display(), written.games);
        let games =
            if count == 1 { "the game is".to_owned() } else { format!("{count} games are") };
        let saved = || object! { kind: "saved", file: path.to_string(), games: count };
        Ok(self.tell(&format!("{games} kept in {path}"), saved)?)
    }
}

/// A name that no file has yet.
fn free_name() -> Option<PathBuf> {
    let names = (1..1000).map(|number| match number {
        1 => format!("rosebill-{}.pgn", today()),
        number => format!("rosebill-{}-{number}.pgn", today()),
    });
    names.map(PathBuf::from).find(|path| !path.exists())
}
