//! Requests of NBoard, answered: what takes time, so that it can be stopped.

use std::time::{Duration, Instant};

use crate::app::LiveStep;
use crate::app::player::{GameInPlay, Hint, Pace, Player, PlayerError, Thought};
use crate::faces::protocol::Replies;
use crate::files::games::Game;
use crate::othello::board::Side;
use crate::othello::one_line::one_line;
use crate::othello::score::Score;
use crate::othello::search::{Level, Stop};

use super::reply;

/// The most characters in the status line.
const MOST_TOLD: usize = 300;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Task {
    /// Report so many best moves.
    Hint(usize),
    /// Choose a move, in no more than this time.
    Go(Option<Duration>),
    /// Value every position.
    Analyze,
    Learn,
}

/// A task with all that it needs to know.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) task: Task,
    pub(super) game: GameInPlay,
    /// Players, date and place.
    pub(super) facts: Game,
    pub(super) level: Level,
    pub(super) draw_for_black: Score,
    /// Since when it waits.
    pub(super) since: Instant,
}

/// Where a request's answers go: nowhere, once it is stopped.
pub(super) struct Answers<'a> {
    pub(super) replies: &'a Replies,
    pub(super) stop: &'a Stop,
}

impl Answers<'_> {
    fn line(&self, text: impl std::fmt::Display) {
        self.replies.line_unless(self.stop, text);
    }

    pub(super) fn status(&self, text: &str) {
        self.line(format!("status {}", one_line(text, MOST_TOLD)).trim_end());
    }
}

impl Request {
    /// Does what is asked for. A book that cannot be read is reported, and left out from then on.
    pub(super) fn answer(&self, player: &mut Player, answers: &Answers<'_>) {
        if let Err(error) = player.look_for_book() {
            answers.status(&format!("Without the book from here on: {error}"));
        }
        let done = self.try_to_answer(player, answers);
        let Err(error) = done else { return };
        if player.has_book() && !answers.stop.is_stopped() {
            player.close_book();
            answers.status(&format!("Without the book from here on: {error}"));
            if let Err(error) = self.try_to_answer(player, answers) {
                answers.status(&error.to_string());
            }
        } else {
            answers.status(&error.to_string());
        }
    }

    fn try_to_answer(&self, player: &mut Player, answers: &Answers<'_>) -> Result<(), PlayerError> {
        match self.task {
            Task::Hint(count) => self.hint(count, player, answers),
            Task::Go(time) => self.go(time, player, answers),
            Task::Analyze => self.analyze(player, answers),
            Task::Learn => {
                self.learn(player, answers);
                Ok(())
            }
        }
    }

    fn hint(
        &self,
        count: usize,
        player: &mut Player,
        answers: &Answers<'_>,
    ) -> Result<(), PlayerError> {
        let placed = self.game.now();
        if self.game.is_over() {
            answers.status("The game is over");
            return Ok(());
        }
        answers.status("Looking for the best moves");
        let must_pass = self.game.must_pass();
        player.hints(
            placed,
            count,
            self.level,
            self.draw_for_black,
            answers.stop,
            &mut |hint| match hint {
                Hint::Pass => answers.line(reply::search_pass(placed, None)),
                Hint::Book(hint) => answers.line(reply::book(hint)),
                Hint::Move(found) => answers.line(match must_pass {
                    true => reply::search_pass(placed, Some(found)),
                    false => reply::search(placed, found),
                }),
                Hint::Searched(LiveStep { nodes, seconds, .. }) => {
                    answers.line(reply::nodestats(*nodes, *seconds));
                }
                Hint::Nodes(nodes, seconds) => answers.line(reply::nodestats(nodes, seconds)),
            },
        )?;
        answers.status("");
        Ok(())
    }

    fn go(
        &self,
        time: Option<Duration>,
        player: &mut Player,
        answers: &Answers<'_>,
    ) -> Result<(), PlayerError> {
        answers.status("Thinking");
        // What was stopped before may have taken a moment to be gone.
        let time = time.map(|time| time.saturating_sub(self.since.elapsed()));
        let pace = Pace { level: Some(self.level), time, nodes: None };
        let now = self.game.now();
        let mut watch = |thought: Thought<'_>| {
            if let Some(found) = thought.found {
                answers.line(reply::iteration(now, found));
            }
            answers.line(reply::nodestats(thought.nodes, thought.time.as_secs_f64()));
        };
        let draw = self.draw_for_black;
        let choice = player.choose(&self.game, &pace, draw, answers.stop, &mut watch)?;
        if choice.nodes() > 0 {
            answers.line(reply::nodestats(choice.nodes(), choice.time.as_secs_f64()));
        }
        answers.line(reply::chosen(&choice));
        Ok(())
    }

    fn analyze(&self, player: &mut Player, answers: &Answers<'_>) -> Result<(), PlayerError> {
        answers.status("Analyzing the game");
        let first = self.game.game().start.side;
        player.values_along(&self.game, self.level, answers.stop, &mut |plies, value| {
            // NBoard draws Black's view, whichever side is to move; a pass is a ply here.
            let is_blacks = (first == Side::Black) == plies.is_multiple_of(2);
            let for_black = value.map(|value| if is_blacks { value } else { -value });
            answers.line(reply::analysis(plies, for_black));
        })?;
        answers.status("");
        Ok(())
    }

    fn learn(&self, player: &mut Player, answers: &Answers<'_>) {
        answers.status("Learning the game");
        let played = self.game.game();
        let mut game = Game {
            start: played.start,
            moves: played.moves,
            milliseconds: played.milliseconds,
            black_discs: played.black_discs,
            ..self.facts.clone()
        };
        game.unmirror();
        let mut told = Instant::now();
        let learned = player.learn(&game, self.level, answers.stop, &mut |learning| {
            if told.elapsed() >= Duration::from_millis(500) {
                told = Instant::now();
                let (added, missing) = (learning.added, learning.missing);
                answers.status(&format!("Learning the game: {added} of {missing} positions"));
            }
        });
        match learned {
            Ok(learning) if learning.stopped => {}
            Ok(_) => answers.line("learned"),
            Err(error) => answers.status(&format!("The game is not learned: {error}")),
        }
    }
}
