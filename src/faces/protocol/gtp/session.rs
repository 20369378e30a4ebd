//! A session: commands of GTP in, answers out, one after the other.

use std::path::Path;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use crate::app::player::{
    Choice, Clock, GameInPlay, Pace, Period, Player, PlayerError, Thought, TimeControl,
};
use crate::faces::protocol::{Input, Replies, Running};
use crate::faces::render::{board_lines, logged};
use crate::othello::board::{Side, Square};
use crate::othello::one_line::one_line;
use crate::othello::program::VERSION;
use crate::othello::score::Score;
use crate::othello::search::{CpuTime, Level, Stop};

use super::command::{Command, cleaned};
use super::gogui;

/// The most characters of a failure that are shown.
const MOST_TOLD: usize = 300;

/// As programs call the game.
const GAME: &str = "Othello";

/// What can be asked for, in the order in which it is listed.
const COMMANDS: [&str; 37] = [
    "boardsize",
    "clear_board",
    "cputime",
    "final_score",
    "genmove",
    "gogui-analyze_commands",
    "gogui-interrupt",
    "gogui-play_sequence",
    "gogui-rules_board",
    "gogui-rules_board_size",
    "gogui-rules_final_result",
    "gogui-rules_game_id",
    "gogui-rules_legal_moves",
    "gogui-rules_side_to_move",
    "gogui-setup",
    "gogui-setup_player",
    "known_command",
    "komi",
    "list_commands",
    "list_games",
    "loadsgf",
    "name",
    "play",
    "protocol_version",
    "quit",
    "reg_genmove",
    "rosebill-book",
    "rosebill-line",
    "rosebill-opening",
    "rosebill-values",
    "set_game",
    "set_level",
    "showboard",
    "time_left",
    "time_settings",
    "undo",
    "version",
];

/// What a command answers, or why it fails.
pub(super) type Answer = Result<String, String>;

/// A session with a program that speaks GTP.
pub struct Session {
    pub(super) player: Player,
    pub(super) level: Option<Level>,
    pub(super) draw_for_black: Score,
    pub(super) game: GameInPlay,
    /// How many moves and passes there were before each command that made some.
    pub(super) undo: Vec<usize>,
    control: Option<TimeControl>,
    /// The time for each move, should the clocks that are sent mean that.
    each: Option<Duration>,
    /// The clocks of Black and of White.
    clocks: [Option<Clock>; 2],
    pub(super) running: Running,
    /// Where each iteration of a search is reported.
    log: Option<Replies>,
    /// Since when processor time counts.
    began: CpuTime,
    has_quit: bool,
}

impl Session {
    /// Begins, at the start of a game. Without a level moves are searched as deep as the clock allows,
    /// and without a clock as deep as the usual time allows.
    pub fn new(player: Player, level: Option<Level>) -> Self {
        Self {
            player,
            level,
            draw_for_black: Score::ZERO,
            game: GameInPlay::default(),
            undo: Vec::new(),
            control: None,
            each: None,
            clocks: [None; 2],
            running: Running::default(),
            log: None,
            began: CpuTime::now(),
            has_quit: false,
        }
    }

    /// The same session in which a draw is worth so much to Black, in discs.
    #[must_use]
    pub fn with_contempt(self, draw_for_black: Score) -> Self {
        Self { draw_for_black, ..self }
    }

    /// The same session, which reports each iteration of its searches there in a line.
    #[must_use]
    pub fn with_log(self, log: Replies) -> Self {
        Self { log: Some(log), ..self }
    }

    /// The search that runs, for the thread that reads.
    pub fn running(&self) -> Running {
        self.running.clone()
    }

    /// Whether the end was asked for.
    pub const fn has_quit(&self) -> bool {
        self.has_quit
    }

    /// Answers a line; none where it asks for nothing.
    pub fn answer(&mut self, line: &str) -> Option<String> {
        let received = Instant::now();
        let line = cleaned(line);
        let command = Command::read(&line)?;
        let id = command.id.unwrap_or_default();
        let (mark, text) = match self.run(&command, received) {
            Ok(text) => ('=', text),
            Err(why) => ('?', one_line(&why, MOST_TOLD)),
        };
        // Also before a line break: GoGui takes all behind the first blank, and else loses the first square.
        let between = if text.is_empty() { "" } else { " " };
        Some(format!("{mark}{id}{between}{text}\n\n"))
    }

    fn run(&mut self, command: &Command<'_>, received: Instant) -> Answer {
        if let Some(most) = most_arguments(command.name) {
            command.at_most(most)?;
        }
        match command.name {
            "protocol_version" => Ok("2".to_owned()),
            "name" => Ok("rosebill".to_owned()),
            "version" => Ok(VERSION.to_owned()),
            "known_command" => {
                let name = command.arguments.first().copied().unwrap_or_default();
                Ok(COMMANDS.contains(&name).to_string())
            }
            "list_commands" => Ok(COMMANDS.join("\n")),
            "quit" => {
                self.has_quit = true;
                Ok(String::new())
            }
            "boardsize" => match command.whole(0, "a size")? {
                8 => self.clear(),
                _ => Err("unacceptable size".to_owned()),
            },
            "clear_board" => self.clear(),
            "cputime" => Ok(format!("{:.3}", self.began.seconds())),
            "komi" => {
                let komi = command.arguments.first().and_then(|word| word.parse::<f64>().ok());
                komi.filter(|komi| komi.is_finite()).ok_or("syntax error: expected a number")?;
                Ok(String::new())
            }
            "play" => self.play(command.side(0)?, command.vertex(1)?),
            "list_games" => Ok(GAME.to_owned()),
            "set_game" => match command.arguments.first() {
                Some(game) if game.eq_ignore_ascii_case(GAME) => Ok(String::new()),
                _ => Err(format!("unsupported game: expected {GAME}")),
            },
            "set_level" => {
                let word = command.arguments.first().copied().unwrap_or_default();
                let level = word.parse().ok().filter(|level: &Level| level.number() > 0);
                let level = level.ok_or("unacceptable level: expected a number from 1 to 60")?;
                self.level = Some(level);
                Ok(String::new())
            }
            "genmove" => self.genmove(command.side(0)?, received),
            "reg_genmove" => {
                let mut game = self.game.clone();
                give_turn(&mut game, command.side(0)?)?;
                Ok(vertex(self.choose(&game, None)?.square))
            }
            "undo" => {
                let plies = self.undo.pop().ok_or("cannot undo")?;
                self.game.take_back_to(plies);
                Ok(String::new())
            }
            "showboard" => Ok(self.show_board()),
            "time_settings" => self.set_time(command),
            "time_left" => self.set_time_left(command),
            "final_score" => {
                let score = self.game.final_score().ok_or("cannot score: the game is not over")?;
                Ok(match score {
                    1.. => format!("B+{score}"),
                    0 => "0".to_owned(),
                    _ => format!("W+{}", -score),
                })
            }
            "loadsgf" => self.load(command),
            "gogui-analyze_commands" => Ok(gogui::ANALYZE_COMMANDS.to_owned()),
            // The thread that reads has seen the comment that interrupts.
            "gogui-interrupt" => Ok(String::new()),
            "gogui-play_sequence" => self.play_sequence(command),
            "gogui-setup" => self.set_up(command),
            "gogui-setup_player" => self.set_up_player(command.side(0)?),
            "rosebill-book" => self.book_moves(),
            "rosebill-line" => self.best_line(),
            "rosebill-opening" => Ok(self.opening()),
            "rosebill-values" => self.values(),
            "gogui-rules_game_id" => Ok(GAME.to_owned()),
            "gogui-rules_board" => Ok(self.rows()),
            "gogui-rules_board_size" => Ok("8".to_owned()),
            "gogui-rules_legal_moves" => Ok(self.legal_moves()),
            "gogui-rules_side_to_move" => Ok(self.game.now().side.name().to_owned()),
            "gogui-rules_final_result" => Ok(match self.game.final_score() {
                None => String::new(),
                Some(0) => "Draw".to_owned(),
                Some(score @ 1..) => format!("Black wins by {score} discs"),
                Some(score) => format!("White wins by {} discs", -score),
            }),
            _ => Err("unknown command".to_owned()),
        }
    }

    fn clear(&mut self) -> Answer {
        self.start(GameInPlay::default());
        Ok(String::new())
    }

    pub(super) fn start(&mut self, game: GameInPlay) {
        self.game = game;
        self.undo.clear();
        self.clocks = [self.control.map(Clock::new); 2];
    }

    pub(super) fn play(&mut self, side: Side, square: Option<Square>) -> Answer {
        let before = self.game.plies().len();
        let played = give_turn(&mut self.game, side).and_then(|()| {
            let played = match square {
                Some(square) => self.game.play(square),
                None => self.game.pass(),
            };
            played.map_err(|fault| format!("illegal move: {fault}"))
        });
        match played {
            Ok(()) => self.undo.push(before),
            Err(_) => self.game.take_back_to(before),
        }
        played.map(|()| String::new())
    }

    fn genmove(&mut self, side: Side, received: Instant) -> Answer {
        let before = self.game.plies().len();
        give_turn(&mut self.game, side)?;
        let clock = self.clocks.get(side as usize).copied().flatten();
        let time = clock.map(|clock| clock.budget(self.game.now().position.empties()));
        let game = self.game.clone();
        let choice = self.choose(&game, time);
        let played = choice.and_then(|choice| {
            let square = choice.square;
            let played = match square {
                Some(square) => self.game.play(square),
                None => self.game.pass(),
            };
            played.map(|()| square).map_err(|fault| fault.to_string())
        });
        match &played {
            Ok(square) => {
                self.undo.push(before);
                let used = received.elapsed();
                self.game.took(used);
                if let Some(Some(clock)) = self.clocks.get_mut(side as usize)
                    && square.is_some()
                {
                    clock.spend(used);
                }
            }
            Err(_) => self.game.take_back_to(before),
        }
        played.map(vertex)
    }

    pub(super) fn choose(
        &mut self,
        game: &GameInPlay,
        time: Option<Duration>,
    ) -> Result<Choice, String> {
        let pace = Pace::of(self.level, time);
        let (draw, log) = (self.draw_for_black, self.log.clone());
        let empties = game.now().position.empties();
        let mut watch = |thought: Thought<'_>| {
            if let (Some(log), Some(line)) = (&log, logged(&thought, empties)) {
                log.line(line);
            }
        };
        self.with_book(|player, stop| player.choose(game, &pace, draw, stop, &mut watch))
    }

    /// Asks the player something, which a line or the end of the input can stop. A book that breaks must not cost the
    /// game: it is asked again without.
    pub(super) fn with_book<T>(
        &mut self,
        mut ask: impl FnMut(&mut Player, &Stop) -> Result<T, PlayerError>,
    ) -> Result<T, String> {
        let player = &mut self.player;
        if let Err(error) = player.look_for_book() {
            tracing::warn!("without the book from here on: {error}");
        }
        self.running.search(|stop| {
            let answer = ask(player, stop).or_else(|error| {
                if !player.has_book() {
                    return Err(error);
                }
                player.close_book();
                ask(player, stop)
            });
            answer.map_err(|error| error.to_string())
        })
    }

    fn set_time(&mut self, command: &Command<'_>) -> Answer {
        let (main, time) = (command.seconds(0)?, command.seconds(1)?);
        let moves = command.whole(2, "a number of stones")?;
        let control = TimeControl { main, ..TimeControl::default() };
        // By the protocol a period without moves is no limit at all. Where there is main time, match
        // programs mean an increment by it, and else, if they send the time that is left, that of a move.
        self.each = (main.is_zero() && !time.is_zero() && moves == 0).then_some(time);
        self.control = match (time.is_zero(), moves) {
            _ if self.each.is_some() => None,
            // No time at all is no clock.
            (true, _) => (!main.is_zero()).then_some(control),
            (false, 0) => Some(TimeControl { increment: time, ..control }),
            (false, moves) => Some(TimeControl { period: Some(Period { time, moves }), ..control }),
        };
        self.clocks = [self.control.map(Clock::new); 2];
        Ok(String::new())
    }

    fn set_time_left(&mut self, command: &Command<'_>) -> Answer {
        let side = command.side(0)?;
        let (left, moves) = (command.seconds(1)?, command.whole(2, "a number of stones")?);
        let control = self.control.unwrap_or_default();
        let moves = if self.each.is_some() { Some(1) } else { (moves > 0).then_some(moves) };
        if let Some(clock) = self.clocks.get_mut(side as usize) {
            clock.get_or_insert_with(|| Clock::new(control)).tell(left, moves);
        }
        Ok(String::new())
    }

    /// Takes the first game of a file in any format, up to before a move of it: a number behind its name, which
    /// may have blanks.
    fn load(&mut self, command: &Command<'_>) -> Answer {
        let last = command.text.rsplit_once(' ').and_then(|(file, last)| {
            last.parse().ok().map(|before: usize| (file.trim_end(), before))
        });
        let (file, before) = last.unwrap_or((command.text, usize::MAX));
        if file.is_empty() {
            return Err("syntax error: expected the name of a file".to_owned());
        }
        let cannot = |why: &dyn std::fmt::Display| format!("cannot load file: {why}");
        let (mut game, _) = GameInPlay::open(Path::new(file)).map_err(|error| cannot(&error))?;
        game.take_back_to(before.saturating_sub(1));
        let plies = game.plies().len();
        self.start(game);
        self.undo = (0..plies).collect();
        Ok(String::new())
    }

    fn show_board(&self) -> String {
        let now = self.game.now();
        let mut text = String::new();
        for line in board_lines(now, now.position.legal_moves().0) {
            text.push('\n');
            text.push_str(&line);
        }
        let (mover, other) = (now.position.mover.count_ones(), now.position.opponent.count_ones());
        let (black, white) = if now.side == Side::Black { (mover, other) } else { (other, mover) };
        let turn = match (self.game.is_over(), self.game.must_pass()) {
            (true, _) => "the game is over".to_owned(),
            (_, true) => format!("{} must pass", now.side),
            _ => format!("{} to move", now.side),
        };
        text.push_str(&format!("\nblack (X) {black}, white (O) {white}, {turn}"));
        text
    }

    /// The board as GoGui takes it: the eighth row on the first line, since it counts rows from below.
    fn rows(&self) -> String {
        let now = self.game.now();
        let squares: Vec<char> = now.position.squares_text(now.side).chars().collect();
        let mut text = String::new();
        for row in squares.chunks(8).rev() {
            for (column, &square) in row.iter().enumerate() {
                text.push(if column == 0 { '\n' } else { ' ' });
                text.push(if square == '-' { '.' } else { square });
            }
        }
        text
    }

    fn legal_moves(&self) -> String {
        if self.game.must_pass() {
            return "pass".to_owned();
        }
        let legal = self.game.now().position.legal_moves();
        let legal: Vec<String> = legal.map(|square| vertex(Some(square))).collect();
        legal.join(" ")
    }
}

/// How many arguments a command takes at most; none where that is not looked at: of a command that we do not
/// know, of one with the name of a file, and of those that set up a game, to which controllers send more for the sake of games that need it.
fn most_arguments(name: &str) -> Option<usize> {
    match name {
        "time_left" | "time_settings" => Some(3),
        "play" => Some(2),
        "genmove" | "gogui-setup_player" | "known_command" | "reg_genmove" | "set_game"
        | "set_level" => Some(1),
        "boardsize"
        | "clear_board"
        | "gogui-play_sequence"
        | "gogui-setup"
        | "komi"
        | "loadsgf" => None,
        _ => COMMANDS.contains(&name).then_some(0),
    }
}

/// Makes it a side's turn. A pass that the other side is forced to is made; there is none where it can
/// move.
fn give_turn(game: &mut GameInPlay, side: Side) -> Result<(), String> {
    let now = game.now().side;
    if now == side || game.is_over() {
        return Ok(());
    }
    let legal = game.now().position.legal_moves();
    game.pass().map_err(|_| format!("illegal move: it is {now}'s turn; expected {legal}"))
}

/// A move in capitals: GoGui looks for those among the legal ones.
pub(super) fn vertex(square: Option<Square>) -> String {
    square.map_or_else(|| "pass".to_owned(), |square| square.to_string().to_ascii_uppercase())
}

/// Answers lines until one says to quit or no more come.
pub fn serve(mut session: Session, lines: &Receiver<Input>, replies: &Replies) {
    for input in lines {
        session.running.begin_answer();
        match input {
            Input::Line(line) => {
                if let Some(answer) = session.answer(&line) {
                    replies.text(&answer);
                }
            }
            Input::TooLong => replies.text("? syntax error: a line that is too long\n\n"),
        }
        if session.has_quit() || replies.are_closed() {
            return;
        }
    }
}
