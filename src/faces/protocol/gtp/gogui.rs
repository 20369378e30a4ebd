//! What GoGui asks for beside the rules: positions set up, moves all at once, and what it shows on the board.

use std::time::Instant;

use crate::app::player::{GameInPlay, Hint, KnownMoves, Reason, Surety, USUAL_TIME, with_passes};
use crate::faces::render::how_sure;
use crate::files::games::opening_of_line;
use crate::othello::board::{Placed, Position, Side};
use crate::othello::score::Score;
use crate::othello::search::Level;

use super::command::Command;
use super::session::{Answer, Session, vertex};

/// Kind of display, label and command of what GoGui offers in its list. `gfx` is drawn on the board by lines such as
/// `LABEL D3 +0.5`.
pub(super) const ANALYZE_COMMANDS: &str = "\
gfx/Values of all moves/rosebill-values
gfx/Best line/rosebill-line
gfx/Moves of the book/rosebill-book
string/Name of the opening/rosebill-opening
none/Level/set_level %s";

impl Session {
    /// Plays moves, each with its colour: all or none.
    pub(super) fn play_sequence(&mut self, command: &Command<'_>) -> Answer {
        let (game, undo) = (self.game.clone(), self.undo.len());
        let moves = || (0..command.arguments.len()).step_by(2);
        let played = moves().try_for_each(|index| {
            self.play(command.side(index)?, command.vertex(index + 1)?).map(|_| ())
        });
        if played.is_err() {
            self.game = game;
            self.undo.truncate(undo);
        }
        played.map(|()| String::new())
    }

    /// Puts discs on the board, instead of those of the start; Black is to move.
    pub(super) fn set_up(&mut self, command: &Command<'_>) -> Answer {
        if !self.game.plies().is_empty() {
            return Err("cannot set up: moves have been played".to_owned());
        }
        let mut discs = [0, 0];
        for index in (0..command.arguments.len()).step_by(2) {
            let side = command.side(index)?;
            let square = command.vertex(index + 1)?;
            let bit = square.ok_or("syntax error: expected a square a1 to h8")?.bit();
            if discs.iter().any(|of_side| of_side & bit != 0) {
                return Err("cannot set up: two discs on one square".to_owned());
            }
            if let Some(of_side) = discs.get_mut(side as usize) {
                *of_side |= bit;
            }
        }
        let [mover, opponent] = discs;
        let position = Position { mover, opponent };
        self.start(GameInPlay::from_board(Placed { position, side: Side::Black }));
        Ok(String::new())
    }

    /// Says who moves first in a position that was set up.
    pub(super) fn set_up_player(&mut self, side: Side) -> Answer {
        if !self.game.plies().is_empty() {
            return Err("cannot set up: moves have been played".to_owned());
        }
        let now = self.game.now();
        self.start(GameInPlay::from_board(if now.side == side { now } else { now.passed() }));
        Ok(String::new())
    }

    /// The value of every move on its square, the best in green.
    pub(super) fn values(&mut self) -> Answer {
        let (now, draw, level) = (self.game.now(), self.draw_for_black, self.level);
        let began = Instant::now();
        let known = self.with_book(|player, stop| {
            let last = level.unwrap_or(Level::MAX);
            player.known_moves(now, usize::MAX, last, draw, stop, &mut |hint| {
                // The next level takes about as long as all before it, and twice that.
                let is_over = match hint {
                    Hint::Searched(_) => began.elapsed() * 3 >= USUAL_TIME,
                    _ => began.elapsed() >= USUAL_TIME,
                };
                if level.is_none() && is_over {
                    stop.stop();
                }
            })
        })?;
        Ok(self.labels(&known, "no move is known"))
    }

    /// The moves of the book with their values on their squares.
    pub(super) fn book_moves(&mut self) -> Answer {
        let (now, draw) = (self.game.now(), self.draw_for_black);
        let book = self.with_book(|player, _| player.moves_of_book(now, draw))?;
        Ok(self.labels(&book, "the book has no move here"))
    }

    /// Moves that are known, the best first, as GoGui draws them.
    fn labels(&self, known: &KnownMoves, none: &str) -> String {
        let moves = known.values(self.game.now().position.empties());
        let Some(&(best, value, surety)) = moves.first() else {
            return format!("TEXT {}", self.why_no_move().unwrap_or(none));
        };
        let labels: Vec<String> = moves
            .iter()
            .map(|&(square, value, _)| format!("{} {}", vertex(Some(square)), short(value)))
            .collect();
        let equals = moves.iter().take_while(|&&(_, other, _)| other == value);
        let equals: Vec<String> = equals.map(|&(square, ..)| vertex(Some(square))).collect();
        let (labels, equals, best) = (labels.join(" "), equals.join(" "), vertex(Some(best)));
        let (side, sure) = (self.game.now().side, how_sure(surety));
        format!("LABEL {labels}\nCOLOR green {equals}\nTEXT {best} {value} for {side}, {sure}")
    }

    fn why_no_move(&self) -> Option<&'static str> {
        match (self.game.is_over(), self.game.must_pass()) {
            (true, _) => Some("the game is over"),
            (_, true) => Some("no move but a pass"),
            _ => None,
        }
    }

    /// The best move with the moves expected behind it, as numbered stones.
    pub(super) fn best_line(&mut self) -> Answer {
        if let Some(why) = self.why_no_move() {
            return Ok(format!("TEXT {why}"));
        }
        let (game, draw) = (self.game.clone(), self.draw_for_black);
        let now = game.now();
        let choice = self.choose(&game, None)?;
        let Some(first) = choice.square else { return Ok("TEXT no move is known".to_owned()) };
        let (line, sure) = match &choice.reason {
            Reason::Searched(found) => {
                let surety = Surety::of_outcome(found, now.position.empties());
                (found.line.clone(), how_sure(surety))
            }
            Reason::Book(_) => {
                let line = self.with_book(|player, _| player.line_of_book(now, first, draw))?;
                (line, "book".to_owned())
            }
            Reason::Only | Reason::Pass => (vec![first], "the only move".to_owned()),
        };
        let colours = [now.side, now.side.other()].map(|side| side.name().get(..1));
        let plies = with_passes(now.position, &line);
        let plies: Vec<String> = plies
            .into_iter()
            .zip(colours.into_iter().cycle())
            .map(|(square, colour)| format!("{} {}", colour.unwrap_or_default(), vertex(square)))
            .collect();
        let value = choice.score().map(|value| format!("{value} for {}, ", now.side));
        let (plies, value) = (plies.join(" "), value.unwrap_or_default());
        Ok(format!("VAR {plies}\nTEXT {value}{sure}"))
    }

    pub(super) fn opening(&self) -> String {
        opening_of_line(&self.game.line()).unwrap_or("no opening with a name").to_owned()
    }
}

/// A value that finds room on a square: three or four characters.
fn short(value: Score) -> String {
    let discs = f64::from(value.centidiscs()) / 100.0;
    if discs.abs() < 9.95 { format!("{discs:+.1}") } else { format!("{discs:+.0}") }
}
