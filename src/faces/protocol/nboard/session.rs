//! A session: lines of NBoard in, replies out.

use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use crate::app::player::{Clock, GameInPlay, Player, TimeControl, TimeControlError};
use crate::faces::protocol::lines::LAST_SEARCH;
use crate::faces::protocol::{Input, Replies};
use crate::files::games::{Entry, Game, GameFormat, MoveFault, Played, ReadOptions, read};
use crate::othello::board::Side;
use crate::othello::one_line::one_line;
use crate::othello::score::Score;
use crate::othello::search::Level;

use super::command::Command;
use super::request::{Request, Task};
use super::worker::Worker;

/// As it is called in NBoard, with its level: one word.
const NAME: &str = "Rosebill";

/// The most characters of a fault that are shown.
const MOST_TOLD: usize = 300;

/// What holds until NBoard says otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// How deep searches go.
    pub level: Level,
    /// The least level at which games are learned: what is in the book is played at once, at any depth.
    pub least_learned: Level,
    /// What a draw is worth to Black, in discs.
    pub draw_for_black: Score,
}

/// What follows a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Then {
    /// The next line.
    GoOn,
    Leave,
}

pub struct Session {
    worker: Worker,
    replies: Replies,
    options: Options,
    game: GameInPlay,
    /// The game as it was read: players, date, place.
    facts: Game,
    /// Why the game that NBoard has now is not this one: it could not be read.
    unreadable: Option<String>,
    /// The side that a move was asked for last, and when.
    asked: Option<(Side, Instant)>,
}

impl Session {
    /// Begins, at the start of a game.
    pub fn new(player: Player, replies: Replies, options: Options) -> std::io::Result<Self> {
        Ok(Self {
            worker: Worker::start(player, replies.clone())?,
            replies,
            options,
            game: GameInPlay::default(),
            facts: Game::default(),
            unreadable: None,
            asked: None,
        })
    }

    /// Obeys a line. What takes time goes on behind it; a change of the game and a ping stop it, as does the next
    /// request unless a move is being chosen, and nothing more is printed of it then.
    pub fn line(&mut self, line: &str) -> Then {
        match Command::read(line) {
            Command::Nboard => self.say_name(),
            Command::Depth(level) => {
                self.options.level = level;
                self.say_name();
            }
            Command::Contempt(draw) => self.options.draw_for_black = draw,
            Command::Game(text) => {
                self.worker.silence();
                self.asked = None;
                self.set_game(&text);
            }
            Command::Move(entry) => {
                self.worker.silence();
                // It goes on from a game that is not known.
                if self.unreadable.is_none() {
                    self.play(&entry);
                }
            }
            Command::Ping(number) => {
                self.worker.silence();
                self.replies.line(format_args!("pong {number}"));
            }
            Command::Hint(count) => self.hand_out(Task::Hint(count)),
            Command::Go => {
                if self.unreadable.is_none() {
                    self.asked = Some((self.game.now().side, Instant::now()));
                }
                self.hand_out(Task::Go(self.time()));
            }
            Command::Analyze => self.hand_out(Task::Analyze),
            Command::Learn => self.hand_out(Task::Learn),
            Command::Quit => {
                self.worker.finish(Duration::ZERO);
                return Then::Leave;
            }
            Command::Unknown => {}
        }
        if self.replies.are_closed() { Then::Leave } else { Then::GoOn }
    }

    /// Ends when the input has ended: what was asked for last is still answered if that is soon.
    pub fn finish(&mut self) {
        self.worker.finish(LAST_SEARCH);
    }

    /// Has a request answered; without a game that could be read, says why there is no answer. It is said here and
    /// not with the game, as NBoard drops all that comes before the pong of its request. A driver that waits for a
    /// move gets a pass: it must not wait for ever, and no other move is sure to be refused where it is wrong.
    fn hand_out(&mut self, task: Task) {
        if let Some(why) = &self.unreadable {
            self.worker.silence();
            if matches!(task, Task::Go(_)) {
                // NBoard clears the status at this line.
                self.replies.line("=== PA");
            }
            return self.refuse(&format!("The game cannot be read: {why}"));
        }
        let Options { level, least_learned, draw_for_black } = self.options;
        let level = if task == Task::Learn { level.max(least_learned) } else { level };
        let (game, facts) = (self.game.clone(), self.facts.clone());
        let since = Instant::now();
        self.worker.hand_out(Request { task, game, facts, level, draw_for_black, since });
    }

    /// Takes a game over. Behind one that cannot be read there is none: what is asked then is asked of another
    /// game than the one before. A clock that cannot be read is reported, and there is none then.
    fn set_game(&mut self, text: &str) {
        match read_game(text) {
            Ok((facts, game)) => (self.facts, self.game, self.unreadable) = (facts, game, None),
            Err(why) => return self.unreadable = Some(why),
        }
        let controls = [Side::Black, Side::White].map(|side| self.control(side));
        if let Some(Err(error)) = controls.iter().flatten().find(|control| control.is_err()) {
            self.refuse(&format!("The game is played without its clock: {error}"));
        }
    }

    /// Plays a move or a pass; one that is illegal is reported, and changes nothing.
    fn play(&mut self, entry: &Entry) {
        // Some hand our own move back without the time that it took.
        let asked = self.asked.take().filter(|(side, _)| *side == self.game.now().side);
        let took = match entry.milliseconds {
            Some(milliseconds) => Duration::from_millis(milliseconds.into()),
            None => asked.map_or(Duration::ZERO, |(_, since)| since.elapsed()),
        };
        let played = match &entry.played {
            Played::Square(square) => self.game.play(*square),
            Played::Pass => self.game.pass(),
            Played::Unreadable(_) | Played::Cut(_) => Err(MoveFault::Unreadable),
        };
        match played {
            Ok(()) => self.game.took(took),
            Err(fault) => self.refuse(&format!("The move cannot be played: {fault}")),
        }
    }

    fn say_name(&self) {
        self.replies.line(format_args!("set myname {NAME}{}", self.options.level.number()));
    }

    fn refuse(&self, why: &str) {
        self.replies.line(format_args!("status {}", one_line(why, MOST_TOLD)));
    }

    /// What the game says of a side's clock.
    fn control(&self, side: Side) -> Option<Result<TimeControl, TimeControlError>> {
        let own = self.facts.extra.get(if side == Side::Black { "TB" } else { "TW" });
        Some(own.or(self.facts.time_control.as_ref())?.parse())
    }

    /// How long the next move may take by the clock of the game, if it has one.
    fn time(&self) -> Option<Duration> {
        let side = self.game.now().side;
        let control = self.control(side)?.ok()?;
        if control == TimeControl::default() {
            return None;
        }
        let mut clock = Clock::new(control);
        let own = self.game.plies().iter().filter(|ply| ply.before.side == side);
        own.filter(|ply| ply.square.is_some()).for_each(|ply| clock.spend(ply.time));
        Some(clock.budget(self.game.now().position.empties()))
    }
}

/// A game as NBoard sends it, up to a pass that ends it.
fn read_game(text: &str) -> Result<(Game, GameInPlay), String> {
    let (format, example) = GameFormat::NBOARD;
    // NBoard knows a game in its own squares only.
    let options =
        ReadOptions { format: Some(format), keeps_squares: true, ..ReadOptions::default() };
    let mut games = read(text.as_bytes(), "game", &options).map_err(|error| error.to_string())?;
    let read = match games.next() {
        Some(Ok(read)) => read,
        Some(Err(defect)) => return Err(defect.why.to_string()),
        None => return Err(format!("expected {example}")),
    };
    let game = GameInPlay::of(&read.game, read.passed).map_err(|fault| fault.to_string())?;
    Ok((read.game, game))
}

/// Obeys lines until one says to leave or no more come.
pub fn serve(mut session: Session, lines: &Receiver<Input>) {
    for input in lines {
        let then = match input {
            Input::Line(line) => session.line(&line),
            Input::TooLong => {
                // Nothing but a game is ever so long.
                session.worker.silence();
                session.unreadable = Some("its line is too long".to_owned());
                session.refuse("A line is too long and was left out");
                Then::GoOn
            }
        };
        if then == Then::Leave {
            return;
        }
    }
    session.finish();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::player::PlayerOptions;

    #[test]
    fn own_moves_that_come_back_without_a_time_cost_what_they_took() {
        let player = Player::new(PlayerOptions::default()).unwrap();
        let replies = Replies::to(std::io::sink());
        let level = Level::new(1).unwrap();
        let options = Options { level, least_learned: level, draw_for_black: Score::ZERO };
        let mut session = Session::new(player, replies, options).unwrap();
        session.line("go");
        std::thread::sleep(Duration::from_millis(30));
        session.line("move F5");
        // The other side's, and one with its time, are taken as they come.
        session.line("move D6");
        session.line("go");
        session.line("move C3//0.50");
        let times: Vec<u128> =
            session.game.plies().iter().map(|ply| ply.time.as_millis()).collect();
        assert!(times[0] >= 30, "{times:?}");
        assert_eq!(times[1..], [0, 500]);
    }
}
