//! UGI, the Universal Game Interface: UCI without chess, as cutegames speaks it. The first player is Black, a pass is
//! `0000`, and a score is in hundredths of a disc for the side to move.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::Receiver;
use std::time::Duration;

use crate::app::player::{Clock, GameInPlay, Pace, Player, Thought, TimeControl, with_passes};
use crate::faces::protocol::{Input, Replies, Running};
use crate::othello::board::{Position, Side, Square, parse_board};
use crate::othello::one_line::one_line;
use crate::othello::program::VERSION;
use crate::othello::score::Score;
use crate::othello::search::{Level, Stop};

/// The most characters of a failure that are shown.
const MOST_TOLD: usize = 300;

/// Of the time for a move so much is left for its way.
const OVERHEAD: Duration = Duration::from_millis(5);

/// A session with a program that speaks UGI.
pub struct Session {
    player: Player,
    level: Option<Level>,
    draw_for_black: Score,
    game: GameInPlay,
    /// Whether the last `position` could not be read: the game is the one before.
    is_unreadable: bool,
    running: Running,
    replies: Replies,
    waiting: Waiting,
}

/// `isready` that was answered while a search ran, before its turn.
#[derive(Clone, Default)]
pub struct Waiting(Arc<AtomicU32>);

impl Waiting {
    /// Answers it at once, where a search runs.
    pub fn line_was_read(&self, input: &Input, running: &Running, replies: &Replies) {
        if matches!(input, Input::Line(line) if line.trim() == "isready") && running.is_searching()
        {
            self.0.fetch_add(1, Ordering::Relaxed);
            replies.line("readyok");
        }
    }

    /// Whether one was answered that comes to its turn now.
    fn take_ready(&self) -> bool {
        let less = |count: u32| count.checked_sub(1);
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_ok()
    }
}

/// Whether a line ends the search that runs.
pub fn is_interrupt(line: &str) -> bool {
    matches!(line, "stop" | "quit")
}

impl Session {
    /// Begins, at the start of a game. The level is that of searches which are asked for without a limit.
    pub fn new(
        player: Player,
        replies: Replies,
        level: Option<Level>,
        draw_for_black: Score,
    ) -> Self {
        let (game, running) = (GameInPlay::default(), Running::default());
        let (is_unreadable, waiting) = (false, Waiting::default());
        Self { player, level, draw_for_black, game, is_unreadable, running, replies, waiting }
    }

    /// What the thread that reads answers by itself.
    pub fn waiting(&self) -> Waiting {
        self.waiting.clone()
    }

    /// The search that runs, for the thread that reads.
    pub fn running(&self) -> Running {
        self.running.clone()
    }

    /// Obeys a line; false where it is the last. What is not known is left out.
    pub fn line(&mut self, line: &str) -> bool {
        let mut words = line.split_whitespace();
        let done = match words.next().unwrap_or_default() {
            "ugi" => {
                self.replies.line(format_args!("id name rosebill {VERSION}"));
                self.replies.line("id author the rosebill authors\nugiok");
                Ok(())
            }
            "isready" => {
                if !self.waiting.take_ready() {
                    self.replies.line("readyok");
                }
                Ok(())
            }
            "uginewgame" => {
                (self.game, self.is_unreadable) = (GameInPlay::default(), false);
                Ok(())
            }
            "position" => {
                let set = self.set_position(words);
                self.is_unreadable = set.is_err();
                set
            }
            "query" => {
                self.replies.line(format_args!("response {}", self.response(words.next())));
                Ok(())
            }
            "go" => self.go(&words.collect::<Vec<_>>()),
            "quit" => return false,
            _ => Ok(()),
        };
        if let Err(why) = done {
            self.replies.line(format_args!("info string {}", one_line(&why, MOST_TOLD)));
        }
        !self.replies.are_closed()
    }

    /// `startpos` or `fen BOARD SIDE`, then perhaps `moves` with them: all of it, or nothing.
    fn set_position<'w>(&mut self, mut words: impl Iterator<Item = &'w str>) -> Result<(), String> {
        let mut game = match words.next() {
            Some("startpos") => GameInPlay::default(),
            Some("fen") => {
                let (board, side) = (words.next().unwrap_or_default(), words.next());
                let side = match side.map(str::to_ascii_lowercase).as_deref() {
                    Some("w" | "o") => 'O',
                    Some("b" | "x" | "*") => 'X',
                    _ => {
                        return Err("expected the side to move behind the board, x or o".to_owned());
                    }
                };
                let board = format!("{} {side}", spelled_out(board));
                let placed = parse_board(&board).map_err(|error| error.to_string())?;
                GameInPlay::from_board(placed)
            }
            _ => return Err("expected startpos or fen".to_owned()),
        };
        for word in words.skip_while(|word| *word != "moves").skip(1) {
            let played = match word {
                "0000" | "pass" | "pa" | "--" => game.pass(),
                square => match square.parse() {
                    Ok(square) => game.play(square),
                    Err(_) => return Err(format!("'{word}' is not a move such as d3, or 0000")),
                },
            };
            played.map_err(|fault| format!("{word} cannot be played: {fault}"))?;
        }
        self.game = game;
        Ok(())
    }

    fn response(&self, question: Option<&str>) -> &'static str {
        let told = |is_so| if is_so { "true" } else { "false" };
        match (question, self.game.final_score()) {
            (Some("gameover"), score) => told(score.is_some()),
            (Some("p1turn"), _) => told(self.game.now().side == Side::Black),
            (Some("result"), Some(1..)) => "p1win",
            (Some("result"), Some(0)) => "draw",
            (Some("result"), Some(_)) => "p2win",
            _ => "none",
        }
    }

    fn go(&mut self, limits: &[&str]) -> Result<(), String> {
        if self.is_unreadable {
            // A move is waited for, and there is none in the game before.
            self.replies.line("bestmove 0000");
            return Err("the last position could not be read".to_owned());
        }
        let (now, draw) = (self.game.now(), self.draw_for_black);
        // A move is waited for in any case.
        let pace = self.pace(limits, now.position.empties()).unwrap_or_else(|why| {
            self.replies.line(format_args!("info string {}", one_line(&why, MOST_TOLD)));
            Pace::of(self.level, None)
        });
        let (game, player, replies) = (&self.game, &mut self.player, &self.replies);
        if let Err(error) = player.look_for_book() {
            tracing::warn!("without the book from here on: {error}");
        }
        let mut watch = |thought: Thought<'_>| {
            let (nodes, time) = (thought.nodes, thought.time.as_millis());
            replies.line(match thought.found {
                None => format!("info nodes {nodes} time {time}"),
                Some(found) => format!(
                    "info depth {} score cp {} nodes {nodes} time {time} pv {}",
                    found.depth,
                    found.value.centidiscs(),
                    line(now.position, &found.line)
                ),
            });
        };
        let choice = self.running.search(|stop: &Stop| {
            player.choose(game, &pace, draw, stop, &mut watch).or_else(|_| {
                // A book that breaks must not cost the game.
                player.close_book();
                player.choose(game, &pace, draw, stop, &mut watch)
            })
        });
        let square = choice.map_err(|error| error.to_string())?.square;
        self.replies.line(format_args!("bestmove {}", name(square)));
        Ok(())
    }

    /// How long and how deep is searched: `wtime` and `btime` are the clocks of UCI.
    fn pace(&self, limits: &[&str], empties: u8) -> Result<Pace, String> {
        let number = |name: &str| -> Result<Option<u64>, String> {
            let Some(at) = limits.iter().position(|word| *word == name) else { return Ok(None) };
            let number = limits.get(at + 1).and_then(|word| word.parse::<i64>().ok());
            // A clock that has run out can be below zero.
            let number = number.map(|number| u64::try_from(number).unwrap_or_default());
            number.map(Some).ok_or_else(|| format!("expected a whole number behind {name}"))
        };
        let time = |name| number(name).map(|found| found.map(Duration::from_millis));
        let names = match self.game.now().side {
            Side::Black => [("p1time", "p1inc"), ("btime", "binc")],
            Side::White => [("p2time", "p2inc"), ("wtime", "winc")],
        };
        for (main, increment) in names {
            if let Some(main) = time(main)? {
                let increment = time(increment)?.unwrap_or_default();
                let clock = Clock::new(TimeControl { main, increment, ..TimeControl::default() });
                return Ok(Pace { level: None, time: Some(clock.budget(empties)), nodes: None });
            }
        }
        let level = number("depth")?.map(|depth| depth.clamp(1, Level::MAX.number().into()));
        let level = level.and_then(|depth| Level::new(depth as u8));
        let move_time = time("movetime")?.map(|time| time.saturating_sub(OVERHEAD).max(OVERHEAD));
        let nodes = number("nodes")?.map(|nodes| nodes.max(1));
        Ok(match (level, move_time) {
            (None, None) if nodes.is_some() || limits.contains(&"infinite") => {
                Pace { level: Some(Level::MAX), time: None, nodes }
            }
            (None, None) => Pace::of(self.level, None),
            (level, time) => Pace { level, time, nodes },
        })
    }
}

fn name(square: Option<Square>) -> String {
    square.map_or_else(|| "0000".to_owned(), |square| square.to_string())
}

fn line(position: Position, moves: &[Square]) -> String {
    with_passes(position, moves).into_iter().map(name).collect::<Vec<_>>().join(" ")
}

/// A board as FEN has it with each empty square by itself, and without strokes.
fn spelled_out(fen: &str) -> String {
    let squares = fen.chars().filter(|character| *character != '/');
    let spelled = squares.map(|character| match character.to_digit(10) {
        Some(empty @ 1..=8) => "-".repeat(empty as usize),
        _ => character.to_string(),
    });
    spelled.collect()
}

/// Obeys lines until one says to quit or no more come.
pub fn serve(mut session: Session, lines: &Receiver<Input>) {
    for input in lines {
        session.running.begin_answer();
        if let Input::Line(line) = input
            && !session.line(&line)
        {
            return;
        }
    }
}
