//! A table at which a user plays against rosebill: turn after turn.

use std::time::{Duration, Instant};

use serde::Serialize;

use crate::app::json::object;
use crate::app::player::{Choice, Clock, GameInPlay, Pace, Player, Ply, Reason};
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::interrupt::ConsoleInterrupt;
use crate::faces::cli::output::Output;
use crate::faces::cli::progress::Progress;
use crate::faces::cli::terminal::stderr_width;
use crate::files::games::Game;
use crate::othello::board::{Side, Square};

use super::command::Command;
use super::page::{self, Seat};
use super::setting::Setting;
use super::told::{move_json, position_json};
use super::typed::{Source, Typed};

/// Where it is not known how wide the output is.
const USUAL_WIDTH: usize = 80;

/// What a line of input leads to.
enum Next {
    /// The game goes on.
    GoOn,
    /// The player leaves.
    Leave,
    /// Ctrl-C.
    Interrupted,
}

/// A table at which a user plays.
pub(super) struct Table<'c> {
    pub(super) setting: Setting,
    pub(super) player: Player,
    pub(super) source: Source,
    pub(super) interrupt: ConsoleInterrupt,
    /// Whether Ctrl-C came since the last line.
    is_interrupted: bool,
    pub(super) context: &'c mut Context,
    pub(super) game: GameInPlay,
    /// Moves and passes that the game began with.
    pub(super) opening: usize,
    /// Moves and passes before the clocks were started.
    pub(super) unclocked: usize,
    /// The game as it was before each time that something was taken back.
    pub(super) undone: Vec<GameInPlay>,
    /// What the file says of the game that was opened.
    pub(super) opened: Option<Game>,
    /// Games that were left for new ones.
    pub(super) earlier: Vec<Game>,
}

impl<'c> Table<'c> {
    pub(super) fn new(
        setting: Setting,
        player: Player,
        source: Source,
        interrupt: ConsoleInterrupt,
        context: &'c mut Context,
    ) -> Self {
        let game = setting.opened();
        let opening = game.plies().len();
        let (undone, earlier) = (Vec::new(), Vec::new());
        let is_interrupted = false;
        Self {
            setting,
            player,
            source,
            interrupt,
            is_interrupted,
            context,
            game,
            opening,
            unclocked: opening,
            undone,
            opened: None,
            earlier,
        }
    }

    /// Plays until the player leaves, the input ends or Ctrl-C is pressed.
    pub(super) fn play(&mut self) -> anyhow::Result<Status> {
        let status = self.session();
        // The games are kept whatever has ended the session; that they are not is the worse news.
        self.keep(matches!(status, Ok(Status::Interrupted)))?;
        status
    }

    /// All turns, to the last.
    fn session(&mut self) -> anyhow::Result<Status> {
        let is_typed = self.source.is_editor();
        if is_typed {
            self.output().line("Type a square to play there, or help.")?;
        }
        let next = loop {
            match self.turn()? {
                Next::GoOn => {}
                next => break next,
            }
        };
        if is_typed && !matches!(next, Next::Leave) {
            self.output().line("")?;
        }
        Ok(if matches!(next, Next::Interrupted) { Status::Interrupted } else { Status::Done })
    }

    /// One turn: a pass, a move of rosebill's, or lines of the player's until the board changes.
    fn turn(&mut self) -> anyhow::Result<Next> {
        if self.game.must_pass() {
            let side = self.game.now().side;
            self.tell(
                &format!("{side} has no move and passes."),
                || object! { kind: "pass", side },
            )?;
            // It was just seen to be forced.
            let _ = self.game.pass();
            return Ok(Next::GoOn);
        }
        if !self.game.is_over() && !self.setting.you.moves_for(self.game.now().side) {
            self.reply()?;
            return Ok(self.unless_left(Next::GoOn));
        }
        self.show()?;
        if let Some(score) = self.game.final_score() {
            self.tell_result(score)?;
        }
        let began = Instant::now();
        loop {
            let line = match self.wait()? {
                Ok(line) => line,
                Err(next) => return Ok(next),
            };
            let is_over = match Command::read(&line) {
                Ok(Command::Quit) => return Ok(Next::Leave),
                Ok(command) => self.obey(command, began.elapsed())?,
                Err(told) => {
                    self.fault(&told)?;
                    false
                }
            };
            if is_over || self.interrupt.leave.is_stopped() {
                return Ok(self.unless_left(Next::GoOn));
            }
        }
    }

    fn unless_left(&self, next: Next) -> Next {
        if self.interrupt.leave.is_stopped() { Next::Interrupted } else { next }
    }

    /// The next line. Ctrl-C at the prompt leaves when it comes twice.
    fn wait(&mut self) -> anyhow::Result<Result<String, Next>> {
        loop {
            self.output().flush()?;
            let prompt = format!("{}> ", self.game.now().side);
            match self.source.next(&prompt, &self.interrupt.leave) {
                None => return Ok(Err(Next::Interrupted)),
                Some(Typed::End) => return Ok(Err(Next::Leave)),
                Some(Typed::Line(line)) => {
                    self.is_interrupted = false;
                    return Ok(Ok(line));
                }
                Some(Typed::Interrupt) if self.is_interrupted => {
                    return Ok(Err(Next::Interrupted));
                }
                Some(Typed::Interrupt) => {
                    self.is_interrupted = true;
                    self.note("Ctrl-C again leaves, and keeps the game")?;
                }
            }
        }
    }

    /// Rosebill moves for the side whose turn it is.
    pub(super) fn reply(&mut self) -> anyhow::Result<()> {
        self.look_for_book()?;
        self.output().flush()?;
        let now = self.game.now();
        let clock = self.clock(now.side, self.game.plies());
        let budget = clock.map(|clock| clock.budget(now.position.empties()));
        let time = budget.or(self.setting.time);
        let pace = Pace::of(self.setting.level, time);
        let (empties, width) = (now.position.empties(), stderr_width().saturating_sub(4));
        let (mut progress, mut last) = (self.progress(), None);
        let (draw, game, player) = (self.setting.draw_for_black, &self.game, &mut self.player);
        let is_interrupted = &mut self.is_interrupted;
        let choice = self.interrupt.search(|stop| {
            let choice = player.choose(game, &pace, draw, stop, &mut |thought| {
                if let Some(found) = thought.found {
                    last = Some(found.clone());
                }
                let reached = (thought.nodes, thought.time);
                progress.show(|| page::thinking(last.as_ref(), empties, reached, width));
            });
            *is_interrupted = stop.is_stopped();
            choice
        })?;
        drop(progress);
        if self.interrupt.leave.is_stopped() {
            return Ok(());
        }
        let Some(square) = choice.square else { return Ok(()) };
        let games = self.games(&choice, square)?;
        let reason = page::reason(&choice, now.side, empties, games);
        self.game.play(square)?;
        self.spend(choice.time)?;
        let played = self.last(Some((&choice, games)));
        Ok(self.tell(&format!("rosebill plays {square}: {reason}"), || played)?)
    }

    /// Where a search shows how far it has come: to a user who types.
    pub(super) fn progress(&self) -> Progress {
        Progress::new(self.context.quiet || !self.source.is_editor())
    }

    /// A book that was made meanwhile is used.
    pub(super) fn look_for_book(&mut self) -> std::io::Result<()> {
        match self.player.look_for_book() {
            Ok(()) => Ok(()),
            Err(error) => self.note(&format!("without the book from here on: {error}")),
        }
    }

    /// In how many games a book move was played.
    fn games(&self, choice: &Choice, square: Square) -> anyhow::Result<Option<u64>> {
        if !matches!(choice.reason, Reason::Book(_)) {
            return Ok(None);
        }
        let here = self.game.line();
        let played = self.player.played_at(&here, &self.interrupt.leave)?;
        Ok(played.map(|played| played.of_move(square).map_or(0, |known| known.tally.games)))
    }

    /// Notes how long the last move took.
    pub(super) fn spend(&mut self, time: Duration) -> std::io::Result<()> {
        self.game.took(time);
        let Some((last, before)) = self.game.plies().split_last() else { return Ok(()) };
        let side = last.before.side;
        let has_lost = |plies| self.clock(side, plies).is_some_and(|clock| clock.has_lost());
        if has_lost(self.game.plies()) && !has_lost(before) {
            self.note(&format!("{side}'s time is up; the game goes on"))?;
        }
        Ok(())
    }

    /// A side's clock after moves and passes of the game, if there are clocks: the moves carry their
    /// times, so what is taken back gives its time back.
    pub(super) fn clock(&self, side: Side, plies: &[Ply]) -> Option<Clock> {
        let mut clock = Clock::new(self.setting.control?);
        // What was played before took no time of it, nor did a pass.
        let played = plies.iter().skip(self.unclocked);
        let own = played.filter(|ply| ply.before.side == side && ply.square.is_some());
        own.for_each(|ply| clock.spend(ply.time));
        Some(clock)
    }

    fn show(&mut self) -> std::io::Result<()> {
        let sides = [Side::Black, Side::White];
        let clocks = sides.map(|side| self.clock(side, self.game.plies()));
        let who = sides.map(|side| self.setting.who(side));
        let output = &mut self.context.output;
        if output.is_json() {
            return output.object(&position_json(&self.game, who, clocks));
        }
        let [black, white] = who;
        let [black_left, white_left] = clocks.map(|clock| clock.map(|clock| clock.left()));
        let black = Seat { who: black, left: black_left };
        let white = Seat { who: white, left: white_left };
        let width = output.width().unwrap_or(USUAL_WIDTH);
        output.line("")?;
        for line in page::board(&self.game, [&black, &white], width) {
            output.painted(&line)?;
        }
        Ok(())
    }

    /// How many characters fit on a line.
    pub(super) fn width(&self) -> usize {
        self.context.output.width().unwrap_or(USUAL_WIDTH)
    }

    /// The last move that was played; `choice` is rosebill's, with the games of a move of the book.
    pub(super) fn last(&self, choice: Option<(&Choice, Option<u64>)>) -> impl Serialize + use<> {
        let side = self.game.plies().last().map_or(Side::Black, |ply| ply.before.side);
        move_json(&self.game.line(), side, choice)
    }

    fn tell_result(&mut self, score: i8) -> std::io::Result<()> {
        let black_discs = (64 + i16::from(score)) / 2;
        let line = self.game.line().whole_text();
        // Black's discs, with the empty squares to the winner.
        let result = format!("{black_discs}-{}", 64 - black_discs);
        self.tell(&page::result(score), || object! { kind: "result", result, black_discs, line })
    }

    pub(super) fn output(&mut self) -> &mut Output {
        &mut self.context.output
    }

    /// Prints something for people, or for a script.
    pub(super) fn tell<T: Serialize>(
        &mut self,
        text: &str,
        told: impl FnOnce() -> T,
    ) -> std::io::Result<()> {
        match self.output().is_json() {
            true => self.output().object(&told()),
            false => self.output().line(text),
        }
    }

    pub(super) fn note(&mut self, text: &str) -> std::io::Result<()> {
        if self.output().is_json() {
            return self.output().object(&object! { kind: "note", message: text });
        }
        self.output().folded(text, " ", 2)
    }

    pub(super) fn fault(&mut self, text: &str) -> std::io::Result<()> {
        match self.output().is_json() {
            true => self.output().object(&object! { kind: "refused", message: text }),
            false => self.output().folded(text, " ", 2),
        }
    }
}
