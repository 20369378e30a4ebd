//! What was played at a position.

use serde::Serialize;

use crate::app::Shown;
use crate::app::games::{GameStats, GamesAt, MoveStats, PlayerHere};
use crate::app::json::{hundredths, object};
use crate::files::games::{Asked, opening_of_line};
use crate::othello::board::{Square, same_move};
use crate::othello::score::Score;

/// What was played at a position, of which there may be no games; scores are discs from Black's side, a guess is
/// that of the side that makes the move. `shown` is what the book says of the moves.
pub fn played_json(
    asked: &Asked,
    stats: Option<&GameStats>,
    shown: Option<&Shown>,
) -> impl Serialize + use<> {
    with_players(asked, stats, None, shown)
}

/// As [`played_json`], with the players, and the games that are worth a look.
pub fn games_here_json(
    asked: &Asked,
    stats: Option<&GameStats>,
    here: &GamesAt,
    shown: Option<&Shown>,
) -> impl Serialize + use<> {
    object! {
        ..played: with_players(asked, stats, Some(here), shown),
        players: players_json(&here.who.players),
        different_players: here.who.different,
        latest: here.latest.clone(),
        highest_rated: here.highest_rated.clone(),
    }
}

fn with_players(
    asked: &Asked,
    stats: Option<&GameStats>,
    here: Option<&GamesAt>,
    shown: Option<&Shown>,
) -> impl Serialize + use<> {
    let tally = stats.map(|stats| stats.tally).unwrap_or_default();
    let of_move = |&MoveStats { square, tally, years }: &MoveStats| {
        let chose = here.map(|here| here.who.chose(square)).unwrap_or_default();
        object! {
            r#move: square,
            ..tally: tally,
            guess: shown.and_then(|shown| guess_of(shown, square)),
            first_year: years.map(|(first, _)| first),
            last_year: years.map(|(_, last)| last),
            name: opening_of_line(&asked.line.then(&[square])),
            players?: Some(players_json(chose)).filter(|players| !players.is_empty()),
        }
    };
    let moves = stats.map_or(&[][..], |stats| &stats.moves);
    object! {
        games: tally.games,
        this_order: stats.and_then(|stats| stats.this_order),
        black: tally.black,
        draw: tally.draw,
        white: tally.white,
        mean_score: tally.mean_score().map(hundredths),
        mean_theoretical_score: tally.mean_theoretical().map(hundredths),
        moves: moves.iter().map(of_move).collect::<Vec<_>>(),
    }
}

fn players_json(players: &[PlayerHere]) -> Vec<impl Serialize + use<>> {
    let player = |player: &PlayerHere| {
        object! {
            name: player.name.clone(),
            games: player.score.games,
            percent: player.score.percent().map(hundredths),
        }
    };
    players.iter().map(player).collect()
}

/// What the book says of a move that was played, in discs for the side that makes it.
pub fn guess_of(shown: &Shown, square: Square) -> Option<Score> {
    let position = shown.placed.position;
    let found = shown.moves.iter().find(|known| same_move(position, known.found.square, square))?;
    Some(found.found.values?.guess)
}
