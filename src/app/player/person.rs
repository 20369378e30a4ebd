//! The player: a searcher, a book that is read, and dice.

use std::hash::BuildHasher;

use thiserror::Error;

use crate::app::analysis::AnalysisError;
use crate::app::games::FilterError;
use crate::app::{BookFile, By, DEFAULT_TABLE_MEGABYTES};
use crate::othello::board::Side;
use crate::othello::eval::{EvaluatorError, by_name};
use crate::othello::random::Random;
use crate::othello::score::Score;
use crate::othello::search::{AnySearcher, MoveOrdering};
use crate::store::{Reader, StoreError};

use super::game_counts::GameCounts;

#[derive(Clone, Debug)]
pub struct PlayerOptions {
    /// Threads for each search.
    pub threads: usize,
    /// MiB of transposition table.
    pub table_megabytes: usize,
    /// What judges positions: a name or a weights file.
    pub evaluator: String,
    /// How moves are sorted.
    pub ordering: MoveOrdering,
    /// Among book moves that are worth at most so much less than the best, in discs, one is drawn.
    pub variety: Score,
    /// What is drawn by; none draws anew each time.
    pub seed: Option<u64>,
    /// The book; none plays without.
    pub book: Option<BookFile>,
}

impl Default for PlayerOptions {
    fn default() -> Self {
        Self {
            threads: 1,
            table_megabytes: DEFAULT_TABLE_MEGABYTES,
            evaluator: "rosebill".to_owned(),
            ordering: MoveOrdering::default(),
            variety: Score::ZERO,
            seed: None,
            book: None,
        }
    }
}

/// Why a player cannot do what was asked.
#[derive(Debug, Error)]
pub enum PlayerError {
    #[error("{0}")]
    Store(#[from] StoreError),
    #[error("{0}")]
    Games(#[from] FilterError),
    #[error(transparent)]
    Evaluator(#[from] EvaluatorError),
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
}

/// Plays, gives hints and explains games. The book is only read.
pub struct Player {
    pub(super) options: PlayerOptions,
    pub(super) searcher: AnySearcher,
    pub(super) book: Option<Reader>,
    /// Whether the book could not be read.
    is_left_out: bool,
    pub(super) games: Option<GameCounts>,
    pub(super) random: Random,
}

impl Player {
    /// A player; the book is opened where there is one.
    pub fn new(options: PlayerOptions) -> Result<Self, PlayerError> {
        let searcher = AnySearcher::new(by_name(&options.evaluator)?, options.table_megabytes);
        let seed = options.seed.unwrap_or_else(|| std::hash::RandomState::new().hash_one(0));
        let mut player = Self {
            // No clock runs yet.
            searcher: searcher
                .on_threads(options.threads)
                .with_ordering(options.ordering)
                .prepared(),
            options,
            book: None,
            is_left_out: false,
            games: None,
            random: Random::new(seed),
        };
        player.open_book()?;
        Ok(player)
    }

    /// Whether there is a book to play from.
    pub(crate) const fn has_book(&self) -> bool {
        self.book.is_some()
    }

    /// Opens a book that has been made since there was none, or was put in place of the one that is open:
    /// to be called before it is asked. That costs a look at the folder and at a few pages at most.
    pub(crate) fn look_for_book(&mut self) -> Result<(), PlayerError> {
        let exists = || self.options.book.as_ref().is_some_and(BookFile::exists);
        // A book that was deleted is asked as long as it is open, and one that is read instead until there is another.
        let is_another = |book: &Reader| {
            let own = self.options.book.as_ref().map(|file| file.path.as_path());
            !book.is_current() || Some(book.path()) != own
        };
        if self.book.as_ref().is_some_and(is_another) && exists() {
            (self.book, self.games) = (None, None);
        }
        if self.has_book() || self.is_left_out {
            return Ok(());
        }
        let opened = self.open_book();
        self.is_left_out = opened.is_err();
        opened
    }

    /// Opens the book, where there is one: again, for one that was just made.
    pub(crate) fn open_book(&mut self) -> Result<(), PlayerError> {
        if let Some(file) = self.options.book.as_ref().filter(|file| file.readable().is_some()) {
            self.book = Some(file.read()?);
            self.games = Some(GameCounts::of(file.clone()));
        }
        Ok(())
    }

    /// Takes the book that was left out again; false where there is none.
    pub(crate) fn take_book(&mut self) -> Result<bool, PlayerError> {
        self.is_left_out = false;
        self.look_for_book()?;
        Ok(self.has_book())
    }

    /// Goes on without the book.
    pub(crate) fn close_book(&mut self) {
        self.is_left_out = true;
        (self.book, self.games) = (None, None);
    }
}

/// What decides between moves of a side, where a draw is worth so much to Black, in discs.
pub(super) fn wish(draw_for_black: Score, side: Side) -> By {
    match (draw_for_black, side) {
        (Score::ZERO, _) => By::Guess,
        (draw, Side::Black) => By::Contempt(draw),
        (draw, Side::White) => By::Contempt(-draw),
    }
}
