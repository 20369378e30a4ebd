//! A table at which a user plays against rosebill.

use std::io::Write as _;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::app::json::object;
use crate::app::player::{Choice, Clock, GameInPlay, Hint, Pace, Player, Ply, Reason, USUAL_TIME};
use crate::app::{SavedGames, today};
use crate::faces::cli::exit::{Status, told};
use crate::faces::cli::new_file::check_new;
use crate::faces::cli::output::Output;
use crate::faces::protocol::Input;
use crate::files::games::{Date, Game, Player as Name};
use crate::othello::board::{Side, Square};
use crate::othello::search::{MoveScore, Stop};

use super::command::{Command, help};
use super::page::{self, Seat};
use super::setting::Setting;
use super::told::{hint_json, move_json, position_json};

/// While a line is waited for, Ctrl-C is looked at this often.
const LOOK_EVERY: Duration = Duration::from_millis(50);

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
pub(super) struct Table<'o> {
    setting: Setting,
    player: Player,
    output: &'o mut Output,
    stop: Stop,
    game: GameInPlay,
    /// Games that were left for new ones.
    earlier: Vec<Game>,
}

impl<'o> Table<'o> {
    pub(super) fn new(
        setting: Setting,
        player: Player,
        output: &'o mut Output,
        stop: Stop,
    ) -> Self {
        let game = setting.opened();
        Self { setting, player, output, stop, game, earlier: Vec::new() }
    }

    /// Plays until the player leaves, the input ends or Ctrl-C is pressed.
    pub(super) fn play(
        &mut self,
        lines: &Receiver<Input>,
        prompts: bool,
    ) -> anyhow::Result<Status> {
        let status = self.session(lines, prompts);
        // The games are kept whatever has ended the session; that they are not is the worse news.
        self.keep()?;
        status
    }

    /// All turns, to the last.
    fn session(&mut self, lines: &Receiver<Input>, prompts: bool) -> anyhow::Result<Status> {
        if prompts {
            self.output.line("Type a square to play there, or help.")?;
        }
        let next = loop {
            match self.turn(lines, prompts)? {
                Next::GoOn => {}
                next => break next,
            }
        };
        if prompts && !matches!(next, Next::Leave) {
            self.output.line("")?;
        }
        Ok(if matches!(next, Next::Interrupted) { Status::Interrupted } else { Status::Done })
    }

    /// Saves all games with moves, where that was asked for.
    fn keep(&mut self) -> anyhow::Result<()> {
        let Some(path) = self.setting.save.clone() else { return Ok(()) };
        let mut games = std::mem::take(&mut self.earlier);
        games.push(self.named_game());
        games.retain(|game| !game.moves.is_empty());
        match games.is_empty() {
            true => Ok(self.note("no game was played: nothing is kept")?),
            false => self.save(&path, &games),
        }
    }

    /// One turn: a pass, a move of rosebill's, or lines of the player's until the board changes.
    fn turn(&mut self, lines: &Receiver<Input>, prompts: bool) -> anyhow::Result<Next> {
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
            self.look_for_book()?;
            return self.reply();
        }
        self.show()?;
        if let Some(score) = self.game.final_score() {
            self.tell_result(score)?;
        }
        let began = Instant::now();
        loop {
            if prompts {
                write!(self.output, "{}> ", self.game.now().side)?;
            }
            self.output.flush()?;
            let line = match self.wait(lines) {
                Ok(line) => line,
                Err(next) => return Ok(next),
            };
            let before = self.game.clone();
            let command = Command::read(&line);
            let is_new = command == Ok(Command::New);
            match command {
                Ok(Command::Quit) => return Ok(Next::Leave),
                Ok(command) => self.obey(command, began.elapsed())?,
                Err(told) => self.fault(&told)?,
            }
            if is_new || self.game != before {
                return Ok(Next::GoOn);
            }
        }
    }

    fn wait(&self, lines: &Receiver<Input>) -> Result<String, Next> {
        loop {
            if self.stop.is_stopped() {
                return Err(Next::Interrupted);
            }
            match lines.recv_timeout(LOOK_EVERY) {
                Ok(Input::Line(line)) => return Ok(line),
                Ok(Input::TooLong) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(Next::Leave),
            }
        }
    }

    fn obey(&mut self, command: Command, took: Duration) -> anyhow::Result<()> {
        match command {
            Command::Play(square) => match self.game.play(square) {
                Ok(()) => {
                    if self.output.is_json() {
                        self.output.object(&self.last(None))?;
                    }
                    self.spend(took)?;
                }
                Err(fault) => self.fault(&format!("{square} cannot be played: {fault}"))?,
            },
            Command::Pass => self.fault("passes are played by themselves")?,
            Command::Undo => self.undo()?,
            Command::Hint(count) => self.hint(count)?,
            Command::Save(path) => {
                if self.game.plies().is_empty() {
                    self.fault("no move was played: nothing to keep")?;
                } else if let Err(error) = self.save(&path, &[self.named_game()]) {
                    // The game goes on: another name may do.
                    self.fault(&format!("not kept: {}", told(error.as_ref())))?;
                }
            }
            Command::New => {
                let left = self.named_game();
                self.earlier.push(left);
                self.game = self.setting.opened();
                self.tell("A new game.", || object! { kind: "new" })?;
            }
            Command::Help => self.tell(&help(), || object! { kind: "note", note: help() })?,
            Command::Quit | Command::Nothing => {}
        }
        Ok(())
    }

    /// Takes back to the last turn of the player's at which there was a choice to make.
    fn undo(&mut self) -> std::io::Result<()> {
        let you = self.setting.you;
        let own = |index: &usize| {
            let ply = self.game.plies().get(*index);
            ply.is_some_and(|ply| ply.square.is_some() && you.moves_for(ply.before.side))
        };
        let opening = self.setting.opened().plies().len();
        match (opening..self.game.plies().len()).rev().find(own) {
            Some(index) => {
                self.game.take_back_to(index);
                Ok(())
            }
            None => self.fault("there is no move of yours to take back"),
        }
    }

    /// A book that was made meanwhile is used.
    fn look_for_book(&mut self) -> std::io::Result<()> {
        match self.player.look_for_book() {
            Ok(()) => Ok(()),
            Err(error) => self.note(&format!("without the book from here on: {error}")),
        }
    }

    fn hint(&mut self, count: usize) -> anyhow::Result<()> {
        self.look_for_book()?;
        let now = self.game.now();
        if self.game.is_over() {
            return Ok(self.fault("the game is over")?);
        }
        let level = self.setting.level.unwrap_or(self.setting.default_level);
        let (mut book, mut searched) = (Vec::new(), Vec::new());
        let draw = self.setting.draw_for_black;
        self.player.hints(now, count, level, draw, &self.stop, &mut |hint| match hint {
            Hint::Pass => {}
            Hint::Book(hint) => {
                book.push((page::book_hint(hint), hint_json(hint.found.square, hint.into())));
            }
            Hint::Searched(step) => {
                let shown = |found: &MoveScore| {
                    let text = page::searched_hint(found, now.position.empties());
                    (text, hint_json(found.square, found.into()))
                };
                searched = step.moves.iter().map(shown).collect();
            }
        })?;
        for (text, hint) in book.into_iter().chain(searched).take(count) {
            self.tell(&text, || hint)?;
        }
        Ok(())
    }

    /// Rosebill moves.
    fn reply(&mut self) -> anyhow::Result<Next> {
        let now = self.game.now();
        let clock = self.clock(now.side, self.game.plies());
        let time = clock.map(|clock| clock.budget(now.position.empties()));
        let pace = Pace::of(self.setting.level, time);
        let choice = self.player.choose(now, &pace, self.setting.draw_for_black, &self.stop)?;
        if self.stop.is_stopped() {
            return Ok(Next::Interrupted);
        }
        let Some(square) = choice.square else { return Ok(Next::GoOn) };
        let games = self.games(&choice, square)?;
        let reason = page::reason(&choice, now.side, now.position.empties(), games);
        self.game.play(square)?;
        self.spend(choice.time)?;
        let played = self.last(Some((&choice, games)));
        self.tell(&format!("rosebill plays {square}: {reason}"), || played)?;
        Ok(Next::GoOn)
    }

    /// In how many games a book move was played.
    fn games(&self, choice: &Choice, square: Square) -> anyhow::Result<Option<u64>> {
        if !matches!(choice.reason, Reason::Book(_)) {
            return Ok(None);
        }
        let here = self.game.line();
        let played = self.player.played_at(&here, &self.stop)?;
        Ok(played.map(|played| played.of_move(square).map_or(0, |known| known.tally.games)))
    }

    /// Notes how long the last move took.
    fn spend(&mut self, time: Duration) -> std::io::Result<()> {
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
    fn clock(&self, side: Side, plies: &[Ply]) -> Option<Clock> {
        let mut clock = Clock::new(self.setting.control?);
        // What the game began with took no player's time, nor did a pass.
        let played = plies.iter().skip(self.setting.opened().plies().len());
        let own = played.filter(|ply| ply.before.side == side && ply.square.is_some());
        own.for_each(|ply| clock.spend(ply.time));
        Some(clock)
    }

    fn show(&mut self) -> std::io::Result<()> {
        if self.output.is_json() {
            let sides = [Side::Black, Side::White];
            let clocks = sides.map(|side| self.clock(side, self.game.plies()));
            let who = sides.map(|side| self.who(side));
            return self.output.object(&position_json(&self.game, who, clocks));
        }
        let [black, white] = [Side::Black, Side::White].map(|side| Seat {
            who: self.who(side),
            left: self.clock(side, self.game.plies()).map(|clock| clock.left()),
        });
        let width = self.output.width().unwrap_or(USUAL_WIDTH);
        self.output.line("")?;
        for line in page::board(&self.game, [&black, &white], width) {
            self.output.painted(&line)?;
        }
        Ok(())
    }

    /// The last move that was played; `choice` is rosebill's, with the games of a move of the book.
    fn last(&self, choice: Option<(&Choice, Option<u64>)>) -> impl Serialize + use<> {
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

    /// Prints something for people, or for a script.
    fn tell<T: Serialize>(&mut self, text: &str, told: impl FnOnce() -> T) -> std::io::Result<()> {
        match self.output.is_json() {
            true => self.output.object(&told()),
            false => self.output.line(text),
        }
    }

    fn note(&mut self, text: &str) -> std::io::Result<()> {
        if self.output.is_json() {
            return self.output.object(&object! { kind: "note", note: text });
        }
        self.output.folded(text, " ", 2)
    }

    fn fault(&mut self, text: &str) -> std::io::Result<()> {
        match self.output.is_json() {
            true => self.output.object(&object! { kind: "refused", what: text }),
            false => self.output.folded(text, " ", 2),
        }
    }

    fn who(&self, side: Side) -> String {
        match (self.setting.you, self.setting.you.moves_for(side)) {
            (_, true) => "you".to_owned(),
            (_, false) => self.rosebill(),
        }
    }

    /// As rosebill is called in games: a name with parentheses is that of a program.
    fn rosebill(&self) -> String {
        match (self.setting.level, self.setting.control) {
            (Some(level), _) => format!("rosebill (level {level})"),
            (None, Some(control)) => format!("rosebill ({control})"),
            (None, None) => format!("rosebill ({} s a move)", USUAL_TIME.as_secs()),
        }
    }

    fn named_game(&self) -> Game {
        let name = |side| Name {
            name: match self.setting.you.moves_for(side) {
                true => self.setting.name.clone(),
                false => Some(self.rosebill()),
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
        games.iter().try_for_each(|game| saved.add(game, &[]))?;
        let written = saved.finish()?;
        let (path, count) = (path.display(), written.games);
        let games =
            if count == 1 { "the game is".to_owned() } else { format!("{count} games are") };
        let saved = || object! { kind: "saved", file: path.to_string(), games: count };
        Ok(self.tell(&format!("{games} kept in {path}"), saved)?)
    }
}
