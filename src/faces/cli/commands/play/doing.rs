//! What is done with each command.

use std::time::Duration;

use crate::app::json::object;
use crate::app::player::{GameInPlay, Hint, KnownMoves};
use crate::faces::cli::commands::analyze::print_game;
use crate::faces::cli::terminal::stderr_width;
use crate::faces::render::json::analysed_json;
use crate::files::games::opening_of_line;
use crate::othello::board::{Side, Square};

use super::command::{Change, Command};
use super::page;
use super::table::Table;
use super::told::hint_json;

impl Table<'_> {
    /// Obeys a command; whether the board, or whose turn it is, may be another then.
    pub(super) fn obey(&mut self, command: Command, took: Duration) -> anyhow::Result<bool> {
        let before = self.game.clone();
        let (mut is_new, is_back) = (false, matches!(command, Command::Undo(_) | Command::Redo(_)));
        match command {
            Command::Play(squares) => self.play_all(&squares, took)?,
            Command::Pass => self.fault("passes are played by themselves")?,
            Command::Undo(times) => self.undo(times)?,
            Command::Redo(times) => self.redo(times)?,
            Command::Go if self.game.is_over() => self.fault("the game is over")?,
            Command::Go => self.reply()?,
            Command::Hint(count) => self.hint(count)?,
            Command::Values => self.values()?,
            Command::Moves => self.moves()?,
            Command::Analyze => self.analyze()?,
            Command::Side(Change::To(you)) => {
                self.setting.you = you;
                is_new = true;
            }
            Command::Side(_) => self.note(&format!("you have {}", self.setting.you.name()))?,
            Command::Level(change) => {
                match change {
                    Change::Asked => {}
                    Change::Off => self.setting.level = None,
                    Change::To(level) => self.setting.level = Some(level),
                }
                let level = self.setting.level.map(|level| format!("level {level}"));
                self.note(&level.unwrap_or_else(|| "as deep as time allows".to_owned()))?;
            }
            Command::Time(change) => {
                match change {
                    Change::Asked => {}
                    Change::Off => self.setting.time = None,
                    Change::To(time) => {
                        (self.setting.time, self.setting.control) = (Some(time), None);
                    }
                }
                self.time()?;
            }
            Command::Clock(change) => {
                match change {
                    Change::Asked => {}
                    Change::Off => self.setting.control = None,
                    Change::To(control) => {
                        self.setting.control = Some(control);
                        self.unclocked = self.game.plies().len();
                    }
                }
                self.time()?;
            }
            Command::Book(change) => self.use_book(&change)?,
            Command::Open(path) => is_new = self.open(&path)?,
            Command::Save(path) => self.save_as(&path)?,
            Command::Set(line) => {
                self.setting.start = *line;
                self.begin(self.setting.opened());
                is_new = true;
            }
            Command::New => {
                self.begin(self.setting.opened());
                self.tell("A new game.", || object! { kind: "new" })?;
                is_new = true;
            }
            Command::Help(text) => self.help(&text)?,
            Command::Quit | Command::Nothing => {}
        }
        let is_changed = self.game != before;
        if is_changed && !is_back {
            self.undone.clear();
        }
        Ok(is_new || is_changed)
    }

    fn help(&mut self, text: &str) -> std::io::Result<()> {
        if self.context.output.is_json() {
            return self.note(text);
        }
        text.lines().try_for_each(|line| self.output().folded(line, " ", 2))
    }

    /// Begins another game; the one before is kept with the others.
    pub(super) fn begin(&mut self, game: GameInPlay) {
        let left = self.named_game();
        self.earlier.push(left);
        (self.opening, self.unclocked) = (game.plies().len(), game.plies().len());
        self.game = game;
        self.opened = None;
        self.undone.clear();
    }

    /// Plays all of these moves, or none. The first takes the time since it is the player's turn.
    fn play_all(&mut self, squares: &[Square], took: Duration) -> anyhow::Result<()> {
        let mut ahead = self.game.clone();
        for &square in squares {
            if let Err(fault) = ahead.play(square) {
                return Ok(self.fault(&format!("{square} cannot be played: {fault}"))?);
            }
        }
        for (index, &square) in squares.iter().enumerate() {
            self.game.play(square)?;
            if self.context.output.is_json() {
                let played = self.last(None);
                self.output().object(&played)?;
            }
            self.spend(if index == 0 { took } else { Duration::ZERO })?;
        }
        Ok(())
    }

    /// Takes back to the last turn of the player's at which there was a choice to make, so many times.
    fn undo(&mut self, times: usize) -> std::io::Result<()> {
        for time in 0..times {
            let you = self.setting.you;
            let own = |index: &usize| {
                let ply = self.game.plies().get(*index);
                ply.is_some_and(|ply| ply.square.is_some() && you.moves_for(ply.before.side))
            };
            match (self.opening..self.game.plies().len()).rev().find(own) {
                Some(index) => {
                    self.undone.push(self.game.clone());
                    self.game.take_back_to(index);
                }
                None if time == 0 => return self.fault("there is no move of yours to take back"),
                None => break,
            }
        }
        Ok(())
    }

    fn redo(&mut self, times: usize) -> std::io::Result<()> {
        for time in 0..times {
            match self.undone.pop() {
                Some(game) => self.game = game,
                None if time == 0 => return self.fault("nothing was taken back"),
                None => break,
            }
        }
        Ok(())
    }

    /// The moves of the position, as many as asked for, searched meanwhile.
    fn known_moves(&mut self, count: usize) -> anyhow::Result<KnownMoves> {
        self.look_for_book()?;
        self.output().flush()?;
        let now = self.game.now();
        let level = self.setting.level.unwrap_or(self.setting.default_level);
        let (mut progress, width) = (self.progress(), stderr_width().saturating_sub(4));
        let (draw, player) = (self.setting.draw_for_black, &mut self.player);
        let mut last = String::new();
        let known = self.interrupt.search(|stop| {
            player.known_moves(now, count, level, draw, stop, &mut |hint| {
                let seconds = match hint {
                    Hint::Searched(step) => {
                        if let Some(best) = step.moves.first() {
                            last = page::searched_hint(best, now.position.empties(), width);
                        }
                        step.seconds
                    }
                    Hint::Nodes(_, seconds) => seconds,
                    Hint::Pass | Hint::Book(_) | Hint::Move(_) => return,
                };
                progress.show(|| match last.trim() {
                    "" => format!("searching  {seconds:.1} s"),
                    last => last.to_owned(),
                });
            })
        })?;
        Ok(known)
    }

    fn hint(&mut self, count: usize) -> anyhow::Result<()> {
        if self.game.is_over() {
            return Ok(self.fault("the game is over")?);
        }
        let (now, width) = (self.game.now(), self.width());
        let draw = self.setting.draw_for_black;
        let known = self.known_moves(count)?;
        for hint in known.book.iter().take(count) {
            let line = self.player.line_of_book(now, hint.found.square, draw)?;
            let text = page::book_hint(hint, &line, width);
            self.tell(&text, || hint_json(hint.found.square, &line, hint.into()))?;
        }
        for found in known.searched.iter().take(count.saturating_sub(known.book.len())) {
            let text = page::searched_hint(found, now.position.empties(), width);
            self.tell(&text, || hint_json(found.square, &found.line, found.into()))?;
        }
        Ok(())
    }

    fn values(&mut self) -> anyhow::Result<()> {
        if self.context.output.is_json() {
            return self.hint(usize::MAX);
        }
        if self.game.is_over() {
            return Ok(self.fault("the game is over")?);
        }
        let known = self.known_moves(usize::MAX)?;
        let now = self.game.now();
        for line in page::values_board(now, &known.values(now.position.empties())) {
            self.output().line(line)?;
        }
        Ok(())
    }

    fn moves(&mut self) -> std::io::Result<()> {
        let line = self.game.line();
        let text = line.whole_text();
        let name = opening_of_line(&line).map(|name| format!("  ({name})")).unwrap_or_default();
        match text.is_empty() {
            true => self.note("no move was played"),
            false => self.note(&format!("{text}{name}")),
        }
    }

    /// What each move of the game cost.
    fn analyze(&mut self) -> anyhow::Result<()> {
        let game = self.named_game();
        if game.moves.is_empty() {
            return Ok(self.fault("no move was played")?);
        }
        self.look_for_book()?;
        self.output().flush()?;
        let level = self.setting.level.unwrap_or(self.setting.default_level);
        let (mut progress, all) = (self.progress(), game.moves.len());
        let player = &self.player;
        let analysed = self.interrupt.search(|stop| {
            player.analyse(game, level, stop, &mut |done| {
                progress.show(|| format!("{done} of {all} moves"));
            })
        })?;
        drop(progress);
        match analysed {
            None => self.note("stopped")?,
            Some(analysed) if self.context.output.is_json() => {
                let game = analysed_json(&analysed);
                self.context.output.object(&object! { kind: "analysis", ..game: game })?;
            }
            Some(analysed) => print_game(&analysed, self.context)?,
        }
        Ok(())
    }

    /// Clocks, or how long a move takes without.
    fn time(&mut self) -> std::io::Result<()> {
        let left = [Side::Black, Side::White].map(|side| {
            let clock = self.clock(side, self.game.plies());
            clock.map(|clock| format!("{side} {}", page::clock(clock.left())))
        });
        match (left, self.setting.level) {
            ([Some(black), Some(white)], _) => self.note(&format!("{black}, {white}")),
            (_, Some(level)) => {
                let most =
                    self.setting.time.map(|_| format!(", at most {}", self.setting.move_time()));
                self.note(&format!("no clock: level {level}{}", most.unwrap_or_default()))
            }
            _ => self.note(&format!("no clock: {}", self.setting.move_time())),
        }
    }

    fn use_book(&mut self, change: &Change<()>) -> anyhow::Result<()> {
        match change {
            Change::Asked => self.look_for_book()?,
            Change::Off => self.player.close_book(),
            Change::To(()) => {
                self.player.take_book()?;
            }
        }
        let told = match self.player.has_book() {
            true => "with the book",
            false if *change == Change::To(()) => "there is no book",
            false => "without a book",
        };
        Ok(self.note(told)?)
    }
}
