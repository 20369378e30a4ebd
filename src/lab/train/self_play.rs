//! Games that our own search plays against itself, to learn from.

use crate::app::amounts::within;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use rayon::prelude::*;

use super::TrainError;
use crate::app::amounts::whole;
use crate::othello::board::{After, Position, Square};
use crate::othello::eval::PatternEvaluator;
use crate::othello::eval::train::{GameFile, OwnGame, Random};
use crate::othello::score::Score;
use crate::othello::search::{Goal, Limits, Searcher, Selectivity, Stop};
use crate::store::check_of_no_book;

#[derive(Args, Clone, Debug)]
pub(crate) struct SelfPlayRequest {
    /// The file that games are added to; the same command again goes on where it ended
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Games that the file is to hold in the end
    #[arg(long, value_parser = whole)]
    pub count: u64,
    /// Another seed makes other games
    #[arg(long, default_value_t = 1, value_parser = whole)]
    pub seed: u64,
    /// Plies of a search
    #[arg(long, default_value_t = 6, value_parser = within::<u8>(1..=60))]
    pub depth: u8,
    /// Confidence of a search, percent: 73, 87, 95, 98, 99 or 100
    #[arg(long, default_value = "73")]
    pub selectivity: Selectivity,
    /// With at most this many empties both sides play perfectly
    #[arg(long, default_value_t = 14, value_parser = within::<u8>(1..=30))]
    pub perfect_from: u8,
}

/// How far the games are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SelfPlayProgress {
    pub games: u64,
    pub wanted: u64,
}

/// Games of a chunk: what a crash loses at most.
const CHUNK: u64 = 512;

/// Table of a search: those of a few plies need little.
const TABLE_MEGABYTES: usize = 16;

/// Fewest random moves at the beginning of a game.
const LEAST_OPENING: usize = 8;

/// Most random moves at the beginning of a game.
const MOST_OPENING: usize = 20;

/// An opening that leaves one side so far ahead is not played on: such games say little.
const UNBALANCED: Score = Score::from_discs(12);

/// Of a hundred moves so many are any of those that look nearly best.
const WAVERING_PERCENT: usize = 10;

/// How much less than the best a move may look worth to be nearly best, in centidiscs.
const NEARLY: i16 = 200;

/// Of a thousand moves so many are random.
const STRAY_PER_THOUSAND: usize = 12;

/// Plays games and adds them to a file, chunk by chunk: the same command again goes on where it
/// ended. The games do not depend on the number of threads. Says how many games the file holds.
pub(crate) fn play_games(
    request: &SelfPlayRequest,
    evaluator: &Arc<PatternEvaluator>,
    stop: &Stop,
    progress: &mut dyn FnMut(SelfPlayProgress),
) -> Result<u64, TrainError> {
    let failed = |source| TrainError::Io { path: request.out.clone(), source };
    check_of_no_book(&request.out).map_err(failed)?;
    let mut file = GameFile::open(&request.out).map_err(failed)?;
    let mut games = file.chunks() as u64 * CHUNK;
    while games < request.count && !stop.is_stopped() {
        let chunk: Option<Vec<OwnGame>> = (games..games + CHUNK)
            .into_par_iter()
            .map_init(
                || Searcher::new(Arc::clone(evaluator), TABLE_MEGABYTES),
                |searcher, number| {
                    let random = Random::for_item(request.seed, number);
                    let game = Play { searcher, random, request, stop }.game();
                    (!stop.is_stopped()).then_some(game)
                },
            )
            .collect();
        // What was stopped is no game.
        let Some(chunk) = chunk else { break };
        file.add(&chunk).map_err(failed)?;
        games += CHUNK;
        progress(SelfPlayProgress { games, wanted: request.count });
    }
    Ok(games)
}

/// One game in the making.
struct Play<'a> {
    searcher: &'a mut Searcher<PatternEvaluator>,
    random: Random,
    request: &'a SelfPlayRequest,
    stop: &'a Stop,
}

impl Play<'_> {
    fn game(mut self) -> OwnGame {
        loop {
            if let Some((moves, position)) = self.opening() {
                return self.play_on(moves, position);
            }
            if self.stop.is_stopped() {
                return OwnGame::default();
            }
        }
    }

    /// Random moves to a position that is not lost yet.
    fn opening(&mut self) -> Option<(Vec<(Square, bool)>, Position)> {
        let plies = LEAST_OPENING + self.random.below(MOST_OPENING - LEAST_OPENING + 1);
        let (mut position, mut moves) = (Position::START, Vec::with_capacity(60));
        for _ in 0..plies {
            let square = self.any_move(position)?;
            moves.push((square, true));
            position = position.after(square)?.position()?;
        }
        let limits = Limits::depth(self.request.depth, self.request.selectivity);
        let score = self.searcher.search(position, 0, &limits, self.stop).score;
        (score.centidiscs().abs() <= UNBALANCED.centidiscs()).then_some((moves, position))
    }

    fn play_on(mut self, mut moves: Vec<(Square, bool)>, mut position: Position) -> OwnGame {
        let perfect_from = self.request.perfect_from;
        while let Some((square, random)) = self.choose(position) {
            moves.push((square, random));
            match position.after(square) {
                Some(After::Opponent(next) | After::Same(next)) => position = next,
                Some(After::Over(_)) | None => break,
            }
        }
        OwnGame { moves, perfect_from }
    }

    /// A move, and whether it is random.
    fn choose(&mut self, position: Position) -> Option<(Square, bool)> {
        let SelfPlayRequest { depth, selectivity, perfect_from, .. } = *self.request;
        if position.empties() <= perfect_from {
            let limits = Limits::solve(Goal::Score);
            return Some((self.searcher.search(position, 0, &limits, self.stop).best?, false));
        }
        if self.random.below(1000) < STRAY_PER_THOUSAND {
            return Some((self.any_move(position)?, true));
        }
        let limits = Limits::depth(depth, selectivity);
        if !self.random.percent(WAVERING_PERCENT) {
            return Some((self.searcher.search(position, 0, &limits, self.stop).best?, false));
        }
        let moves = self.searcher.all_moves(position, &limits, self.stop);
        let best = moves.first()?.score.centidiscs();
        let near = moves.partition_point(|each| each.score.centidiscs() >= best - NEARLY);
        Some((moves.get(self.random.below(near))?.square, false))
    }

    fn any_move(&mut self, position: Position) -> Option<Square> {
        let mut moves = position.legal_moves();
        moves.nth(self.random.below(moves.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::eval::train::{TrainingGame, positions_of, read_own_games};

    #[test]
    fn games_repeat_and_are_played_to_their_ends() {
        let folder = tempfile::tempdir().unwrap();
        let evaluator = PatternEvaluator::embedded().unwrap();
        let run = |name: &str, count| {
            let request = SelfPlayRequest {
                out: folder.path().join(name),
                count,
                seed: 3,
                depth: 1,
                selectivity: Selectivity::FULL,
                perfect_from: 4,
            };
            play_games(&request, &evaluator, &Stop::new(), &mut |_| ()).unwrap();
            std::fs::read(request.out).unwrap()
        };
        let whole = run("a", 2 * CHUNK);
        run("b", CHUNK);
        assert_eq!(run("b", 2 * CHUNK), whole);
        let games = read_own_games(&folder.path().join("a")).unwrap();
        assert_eq!(games.len() as u64, 2 * CHUNK);
        for game in games {
            let moves = game.moves.len();
            assert!(game.moves.iter().take(LEAST_OPENING).all(|&(_, random)| random));
            let game = TrainingGame::from(game);
            let positions = positions_of(&game);
            assert_eq!(positions.len(), moves);
            let (last, _) = positions[moves - 1];
            assert!(matches!(last.after(game.moves[moves - 1]), Some(After::Over(_))));
        }
    }
}
