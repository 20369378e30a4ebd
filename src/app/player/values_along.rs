//! What the positions of a game are worth, from the last to the first.

use crate::app::analysis::{
    AnalysedGame, AnalysisBook, AnalysisEvent, AnalysisOptions, DEFAULT_EXACT_FROM, GameToAnalyse,
    analyse_games,
};
use crate::app::games::GameDatabase;
use crate::files::games::Game;
use crate::openbook::NodeView;
use crate::othello::board::Placed;
use crate::othello::score::Score;
use crate::othello::search::{AnySearcher, Level, Stop};
use crate::store::Reader;

use super::game_counts::GameCounts;
use super::game_in_play::{GameInPlay, Ply};
use super::person::{Player, PlayerError};

impl Player {
    /// Values every position of a game for its side to move, as an analysis of the game does, and
    /// reports each with the number of moves and passes before it: first the last one, the others as
    /// they become known. What could not be valued has no value. Nothing is stored. False when `stop`
    /// was
    /// raised before the end.
    pub(crate) fn values_along(
        &mut self,
        game: &GameInPlay,
        level: Level,
        stop: &Stop,
        each: &mut dyn FnMut(usize, Option<Score>),
    ) -> Result<bool, PlayerError> {
        let options = self.analysis_options(level, stop);
        let database = database(self.book.as_ref(), self.games.as_ref(), stop)?;
        if stop.is_stopped() {
            return Ok(false);
        }
        let last = last_value(&mut self.searcher, database.as_ref(), game.now(), &options)?;
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

    /// Analyses a game, and reports how many of its moves are done; none where `stop` was raised before the end. Nothing
    /// is stored.
    pub(crate) fn analyse(
        &self,
        game: Game,
        level: Level,
        stop: &Stop,
        each: &mut dyn FnMut(usize),
    ) -> Result<Option<AnalysedGame>, PlayerError> {
        let database = database(self.book.as_ref(), self.games.as_ref(), stop)?;
        let book = database.as_ref().map(|database| AnalysisBook { database, file: None });
        let (mut analysed, mut done) = (None, 0);
        let asked = [Ok(GameToAnalyse { game, id: None })];
        analyse_games(book, asked, &self.analysis_options(level, stop), |event| {
            match event {
                AnalysisEvent::Move(..) => {
                    done += 1;
                    each(done);
                }
                AnalysisEvent::Game(game) => analysed = Some(game.clone()),
                AnalysisEvent::Begun(_) | AnalysisEvent::Progress(_) => {}
            }
            Ok(())
        })?;
        Ok(analysed.filter(|_| !stop.is_stopped()))
    }

    fn analysis_options(&self, level: Level, stop: &Stop) -> AnalysisOptions {
        AnalysisOptions {
            level,
            // A low level asks for little.
            exact_from: DEFAULT_EXACT_FROM.min(2 * level.number()),
            threads: self.options.threads,
            table_megabytes: self.options.table_megabytes,
            stop: stop.clone(),
            ..AnalysisOptions::default()
        }
    }
}

/// The book with its games; none without one, or where `stop` was raised.
fn database<'b>(
    book: Option<&'b Reader>,
    games: Option<&GameCounts>,
    stop: &Stop,
) -> Result<Option<GameDatabase<'b>>, PlayerError> {
    let (Some(book), Some(games)) = (book, games) else { return Ok(None) };
    let games = games.loaded(book, stop)?;
    Ok(games.map(|games| GameDatabase::with(book, games)))
}

/// The value of the last position, which no move was made in: like the others, the book's counts where it
/// is as sure as the search would be.
fn last_value(
    searcher: &mut AnySearcher,
    database: Option<&GameDatabase<'_>>,
    now: Placed,
    options: &AnalysisOptions,
) -> Result<Score, PlayerError> {
    let position = now.position;
    if let Some(database) = database.filter(|_| !position.is_over()) {
        let passes = !position.can_move();
        let before = if passes { now.passed() } else { now };
        if let Some(value) = known_value(database, before, options)? {
            return Ok(if passes { -value } else { value });
        }
    }
    let limits = options.limits(position.empties());
    Ok(searcher.search(position, 0, &limits, &options.stop).value)
}

/// The value of a position of the book, in which a side can move: that of a game which goes on with its
/// best move. None where the book does not have it, or the analysis was stopped.
fn known_value(
    database: &GameDatabase<'_>,
    placed: Placed,
    options: &AnalysisOptions,
) -> Result<Option<Score>, PlayerError> {
    let view = NodeView::of(&*database.book().snapshot()?, placed.position)?;
    let (Some(_), Some(best)) = (view.node, view.moves.first()) else { return Ok(None) };
    let game = Game { start: placed, moves: vec![best.square], ..Game::default() };
    let mut known = None;
    let book = Some(AnalysisBook { database, file: None });
    analyse_games(book, [Ok(GameToAnalyse { game, id: None })], options, |event| {
        if let AnalysisEvent::Move(analysed, 0) = event {
            let value = analysed.moves.first().and_then(|played| played.value);
            known = value.map(|value| value.before);
        }
        Ok(())
    })?;
    Ok(known)
}

fn is_pass(ply: &Ply) -> bool {
    ply.square.is_none()
}
