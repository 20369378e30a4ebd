//! What the positions of a game are worth, from the last to the first.

use crate::board::Placed;
use crate::ops::analysis::{
    AnalysisBook, AnalysisEvent, AnalysisOptions, DEFAULT_EXACT_FROM, GameToAnalyse, analyse_games,
};
use crate::ops::games::GameDatabase;
use crate::score::Score;
use crate::search::{Level, Stop};

use super::game_in_play::{GameInPlay, Ply};
use super::person::{Player, PlayerError};

impl Player {
    /// Values every position of a game for its side to move, as an analysis of the game does, and tells
    /// each with the number of moves and passes before it: first the last one, the others as they
    /// become known. What could not be valued has no value. Nothing is stored. False when `stop` was
    /// raised before the end.
    ///
    /// # Errors
    /// The book cannot be read, or a search fails.
    pub fn values_along(
        &mut self,
        game: &GameInPlay,
        level: Level,
        stop: &Stop,
        each: &mut dyn FnMut(usize, Option<Score>),
    ) -> Result<bool, PlayerError> {
        let options = AnalysisOptions {
            level,
            // A low level asks for little.
            exact_from: DEFAULT_EXACT_FROM.min(2 * level.number()),
            threads: self.options.threads,
            table_megabytes: self.options.table_megabytes,
            stop: stop.clone(),
            ..AnalysisOptions::default()
        };
        let last = self.last_value(game.now(), &options);
        if stop.is_stopped() {
            return Ok(false);
        }
        each(game.plies().len(), Some(last));
        // The last position can be one behind a pass, too.
        let behind_pass = |number: usize, value: Option<Score>, each: &mut dyn FnMut(_, _)| {
            if number > 0 && game.plies().get(number - 1).is_some_and(is_pass) {
                each(number - 1, value.map(|value| -value));
            }
        };
        behind_pass(game.plies().len(), Some(last), each);
        // The numbers of the moves among moves and passes.
        let moves = game.plies().iter().enumerate().filter(|(_, ply)| !is_pass(ply));
        let numbers: Vec<usize> = moves.map(|(number, _)| number).collect();
        let asked = GameToAnalyse { game: game.game(), id: None };
        let database = match (&self.book, &self.games) {
            (Some(book), Some(games)) => {
                let Some(games) = games.loaded(book, stop)? else { return Ok(false) };
                Some(GameDatabase::with(book, games))
            }
            _ => None,
        };
        let book = database.as_ref().map(|database| AnalysisBook { database, file: None });
        let summary = analyse_games(book, [Ok(asked)], &options, |event| {
            if let AnalysisEvent::Move(analysed, index) = event
                && !stop.is_stopped()
                && let Some((&number, played)) = numbers.get(index).zip(analysed.moves.get(index))
            {
                let value = played.value.map(|value| value.before);
                each(number, value);
                behind_pass(number, value, each);
            }
            Ok(())
        })?;
        Ok(!summary.stopped && !stop.is_stopped())
    }

    /// The value of the last position, which no move was made in.
    fn last_value(&mut self, now: Placed, options: &AnalysisOptions) -> Score {
        let Placed { position, .. } = now;
        let limits = options.limits(position.empties());
        self.searcher.search(position, 0, &limits, &options.stop).value
    }
}

fn is_pass(ply: &Ply) -> bool {
    ply.square.is_none()
}
