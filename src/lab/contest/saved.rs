//! The games of a match as games, and back.

use super::game::{Forfeit, MoveMade, Played, SideOfGame};
use super::pair::Pair;
use crate::files::games::{Date, Game, Player, Remark, Stated, StatedScore};
use crate::othello::board::{Line, Side};

/// The players, and the date.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct MatchNames<'a> {
    pub first: &'a str,
    pub second: &'a str,
    /// How far those look that say nothing of it themselves, in words, where that was asked for.
    pub pace: Option<&'a str>,
    pub date: Option<Date>,
    /// The openings are those of XOT.
    pub xot: bool,
}

/// The tag for what happened where a game was lost otherwise than on the board.
const FAULT: &str = "Fault";

/// The tags for what Black and White did: processor time in seconds, nodes, moves of the book.
const EFFORT: [[&str; 3]; 2] =
    [["BlackCpu", "BlackNodes", "BlackBookMoves"], ["WhiteCpu", "WhiteNodes", "WhiteBookMoves"]];

impl MatchNames<'_> {
    /// The two games of a pair. Their rounds are the number of the opening and of the game, both from 1: a program
    /// that plays itself has one name on both sides.
    pub(crate) fn games(&self, pair: &Pair, opening: &Line) -> [Game; 2] {
        let as_white = pair.as_white.clone().seen_by_other();
        [
            self.game(&pair.as_black, [self.first, self.second], (pair.opening, 1), opening),
            self.game(&as_white, [self.second, self.first], (pair.opening, 2), opening),
        ]
    }

    /// A game as Black sees it.
    fn game(
        &self,
        played: &Played,
        [black, white]: [&str; 2],
        place: (usize, u8),
        opening: &Line,
    ) -> Game {
        let player = |name: &str| Player { name: Some(name.to_owned()), rating: None };
        let line = opening.then(&played.squares());
        let before = || opening.squares();
        let times = played.moves.iter().map(|made| made.milliseconds);
        let milliseconds: Vec<u32> = before().map(|_| 0).chain(times).collect();
        let is_timed = milliseconds.iter().any(|&time| time > 0);
        let mut game = Game {
            event: Some(self.event()),
            round: Some(round(place)),
            date: self.date,
            black: player(black),
            white: player(white),
            start: line.start(),
            moves: line.squares().collect(),
            // As they are read again.
            milliseconds: if is_timed { milliseconds } else { Vec::new() },
            xot: self.xot,
            ..Game::default()
        };
        match &played.forfeit {
            None => game.black_discs = u8::try_from(32 + played.discs / 2).ok(),
            Some(Forfeit { by_self, how, why }) => {
                let winner = if *by_self { Side::White } else { Side::Black };
                let score = Some(StatedScore::Winner(Some(winner)));
                game.stated = Some(Stated { score, how: Some(how.clone()) });
                game.extra.insert(FAULT.to_owned(), why.clone());
            }
        }
        for (names, side) in EFFORT.iter().zip(played.sides) {
            let SideOfGame { seconds, nodes, book_moves } = side;
            let values = [format!("{seconds:.3}"), nodes.to_string(), book_moves.to_string()];
            let is_known = [true, nodes > 0, book_moves > 0];
            for ((name, value), _) in names.iter().zip(values).zip(is_known).filter(|each| each.1) {
                game.extra.insert((*name).to_owned(), value);
            }
        }
        let steps = line.steps().iter().zip(1..).skip(opening.len());
        for ((step, ply), made) in steps.zip(&played.moves) {
            let value = made.value.map(|value| match step.before.side {
                Side::Black => value.discs(),
                Side::White => -value.discs(),
            });
            let words = made.from_book.then(|| "book".to_owned());
            let remark = Remark {
                evaluation: value,
                comments: words.into_iter().collect(),
                ..Remark::default()
            };
            game.remarks.set(ply, remark);
        }
        game
    }

    fn event(&self) -> String {
        let pace = self.pace.map(|pace| format!(", {pace}")).unwrap_or_default();
        format!("match {} - {}{pace}", self.first, self.second)
    }

    /// The pair of an opening among games that were saved, two by two; none where it has not been played. An opening
    /// of other moves is an error: its number.
    pub(crate) fn pair(
        &self,
        number: usize,
        opening: &Line,
        games: &[Game],
    ) -> Result<Option<Pair>, usize> {
        let event = Some(self.event());
        let of = |game: u8| {
            let round = Some(round((number, game)));
            games.iter().find(|game| game.event == event && game.round == round)
        };
        let (Some(one), Some(other)) = (of(1), of(2)) else { return Ok(None) };
        match (played(one, opening), played(other, opening)) {
            (Some(as_black), Some(as_white)) => {
                let as_white = as_white.seen_by_other();
                Ok(Some(Pair { opening: number, as_black, as_white }))
            }
            _ => Err(number),
        }
    }
}

fn round((opening, game): (usize, u8)) -> String {
    format!("{}.{game}", opening + 1)
}

/// A game as Black sees it, without what was said of its moves; none where it does not begin with the opening.
fn played(game: &Game, opening: &Line) -> Option<Played> {
    if game.start != opening.start() {
        return None;
    }
    let behind = game.moves.strip_prefix(&opening.squares().collect::<Vec<_>>()[..])?;
    let moves = behind.iter().map(|&square| MoveMade::searched(square, None)).collect();
    let mut played = Played { moves, ..Played::default() };
    match (game.black_discs, &game.stated) {
        (Some(discs), _) => played.discs = 2 * i32::from(discs) - 64,
        (None, Some(stated)) => {
            let by_self = stated.winner() == Some(Some(Side::White));
            let why = game.extra.get(FAULT).cloned().unwrap_or_default();
            played.lose(Forfeit { by_self, how: stated.how.clone().unwrap_or_default(), why });
        }
        (None, None) => return None,
    }
    fn number<T: std::str::FromStr + Default>(game: &Game, name: &str) -> T {
        game.extra.get(name).and_then(|value| value.parse().ok()).unwrap_or_default()
    }
    for ([cpu, nodes, book], side) in EFFORT.iter().zip(&mut played.sides) {
        *side = SideOfGame {
            seconds: number(game, cpu),
            nodes: number(game, nodes),
            book_moves: number(game, book),
        };
    }
    Some(played)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::games::{GameFormat, ReadOptions, read, write};

    fn move_made(square: &str, milliseconds: u32) -> MoveMade {
        MoveMade { milliseconds, ..MoveMade::searched(square.parse().unwrap(), None) }
    }

    #[test]
    fn a_saved_pair_is_read_again() {
        let opening: Line = "f5d6".parse().unwrap();
        let start: Line = "e6f4".parse().unwrap();
        // White is wiped out.
        let rest = ["e3", "f6", "g5", "d6", "e7", "f5", "c5"].map(|square| move_made(square, 7));
        let effort = SideOfGame { seconds: 1.25, nodes: 17, book_moves: 2 };
        let sides = [effort, SideOfGame { seconds: 0.5, ..SideOfGame::default() }];
        let won = Played { moves: rest.to_vec(), discs: 64, sides, forfeit: None };
        let why = "its time \"ran out\", on X".to_owned();
        let mut lost = Played::default();
        lost.lose(Forfeit { by_self: true, how: "time".to_owned(), why: why.clone() });
        let mut refused = Played { moves: vec![move_made("c3", 0)], ..Played::default() };
        refused.lose(Forfeit { by_self: false, how: "forfeit".to_owned(), why });
        let pairs = [
            (start, Pair { opening: 0, as_black: won.clone(), as_white: won.seen_by_other() }),
            (opening, Pair { opening: 1, as_black: lost, as_white: refused }),
        ];
        let date = Date::read("2026-11-28").map(|(date, _)| date);
        let names =
            MatchNames { first: "one@4", second: "two --level=5", pace: None, date, xot: true };
        let saved = pairs.iter().flat_map(|(line, pair)| names.games(pair, line));
        let games: Vec<Game> = saved.collect();
        let mut text = Vec::new();
        write(GameFormat::Pgn, &games, &mut text).unwrap();
        let read = read(&text[..], "", &ReadOptions::default()).unwrap();
        let mut read: Vec<Game> = read.map(|read| read.unwrap().game).collect();
        // The header repeats what the board says.
        let whole = read.iter_mut().filter(|game| game.black_discs.is_some());
        whole.for_each(|game| game.stated = None);
        assert_eq!(read, games, "{}", String::from_utf8_lossy(&text));
        for (line, mut pair) in pairs {
            for game in [&mut pair.as_black, &mut pair.as_white] {
                game.moves.iter_mut().for_each(|made| made.milliseconds = 0);
            }
            assert_eq!(names.pair(pair.opening, &line, &read), Ok(Some(pair.clone())));
            let other: Line = "f5f4".parse().unwrap();
            assert_eq!(names.pair(pair.opening, &other, &read), Err(pair.opening));
            assert_eq!(names.pair(7, &line, &read), Ok(None));
        }
    }
}
