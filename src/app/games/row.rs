//! Games as the store keeps them, and back.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::files::games::{
    Date, Entry, Game, Identity, Player, Stated, Theoretical, folded_name, is_named_as_program,
    replay,
};
use crate::othello::board::{Placed, Side, Square};
use crate::store::{GameOutcome, GameRow, GameRowPlayer, NameRules};

/// Facts that have no column.
#[derive(Serialize, Deserialize, Default)]
struct Extra {
    #[serde(skip_serializing_if = "Option::is_none", default)]
    time_control: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    milliseconds: Vec<u32>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    more: BTreeMap<String, String>,
}

/// How names of players are kept.
pub(super) const NAME_RULES: NameRules =
    NameRules { fold: folded_name, is_program: is_named_as_program };

pub(super) fn row_of(game: &Game) -> GameRow {
    let player =
        |player: &Player| GameRowPlayer { name: player.name.clone(), rating: player.rating };
    let extra = Extra {
        time_control: game.time_control.clone(),
        milliseconds: game.milliseconds.clone(),
        more: game.extra.clone(),
    };
    let has_extra =
        extra.time_control.is_some() || !extra.milliseconds.is_empty() || !extra.more.is_empty();
    let stated = game.stated.as_ref();
    GameRow {
        event: game.event.clone(),
        round: game.round.clone(),
        year: game.date.map(Date::year),
        month: game.date.and_then(Date::month),
        day: game.date.and_then(Date::day),
        black: player(&game.black),
        white: player(&game.white),
        black_discs: game.black_discs,
        stated: stated.map(Stated::to_string),
        stated_discs: stated.and_then(Stated::black_discs),
        stated_outcome: stated.and_then(Stated::winner).map(|winner| match winner {
            Some(Side::Black) => GameOutcome::Black,
            Some(Side::White) => GameOutcome::White,
            None => GameOutcome::Draw,
        }),
        theoretical: game.theoretical.map(|known| (known.black_discs, known.empties)),
        xot: game.xot,
        start: (game.start != Placed::START).then_some(game.start),
        moves: game.moves.iter().map(|square| square.number()).collect(),
        // A map of strings always has a text.
        remarks: (!game.remarks.is_empty())
            .then(|| serde_json::to_string(&game.remarks).ok())
            .flatten(),
        extra: has_extra.then(|| serde_json::to_string(&extra).ok()).flatten(),
        fingerprint: Identity::of(game).fingerprint(),
    }
}

/// A row as a game. `source` is the first of its sources.
pub(super) fn game_of(row: GameRow, source: String) -> Game {
    let extra = row.extra.and_then(|text| serde_json::from_str::<Extra>(&text).ok());
    let extra = extra.unwrap_or_default();
    let player = |player: GameRowPlayer| Player { name: player.name, rating: player.rating };
    Game {
        source,
        also_in: Vec::new(),
        event: row.event,
        round: row.round,
        date: row.year.and_then(|year| Date::new(year, row.month, row.day)),
        black: player(row.black),
        white: player(row.white),
        start: row.start.unwrap_or(Placed::START),
        moves: row.moves.iter().filter_map(|&number| Square::try_new(number)).collect(),
        black_discs: row.black_discs,
        stated: row.stated.as_deref().and_then(Stated::read_shown),
        theoretical: row
            .theoretical
            .map(|(black_discs, empties)| Theoretical { black_discs, empties }),
        time_control: extra.time_control,
        milliseconds: extra.milliseconds,
        remarks: row.remarks.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default(),
        xot: row.xot,
        extra: extra.more,
    }
}

/// What a row should be by its moves and its facts: with the result that the board has after these
/// moves, and what follows from all of it.
pub(super) fn made_of(row: &GameRow) -> Result<GameRow, String> {
    let entries: Option<Vec<Entry>> =
        row.moves.iter().map(|&number| Square::try_new(number).map(Entry::from)).collect();
    let entries = entries.ok_or("a move is not a square")?;
    let game = game_of(row.clone(), String::new());
    let played = replay(game.start, &entries).map_err(|error| error.to_string())?;
    Ok(row_of(&Game { black_discs: played.black_discs, ..game }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_come_back() {
        let text = "(;GM[Othello]PC[GGS/os]DT[2003.12.15_18:24:04.MST]PB[ant+]PW[nyanyan]\
            RB[2402.05]RW[2380.5]TI[5:00//2:00]TY[8r]RE[+24.000:r]\
            BO[8 ---------------------------O*------*O--------------------------- *]\
            B[d3/1.2/3]W[c3//2]CO[a good one]B[c4];)";
        let mut reader = crate::files::games::read(
            text.as_bytes(),
            "a",
            &crate::files::games::ReadOptions::default(),
        )
        .unwrap();
        let game = reader.next().unwrap().unwrap().game;
        let row = row_of(&game);
        assert_eq!(row.outcome(), Some(GameOutcome::Black));
        assert_eq!(game_of(row, game.source.clone()), game);
    }
}
