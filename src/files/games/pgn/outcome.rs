//! How a game ended, in tags: `Result` and `Termination`, and one of our own for what these two cannot hold.

use crate::files::games::draft::{Draft, fact};
use crate::files::games::game::Game;
use crate::files::games::result_words::read_result;
use crate::files::games::stated::{Stated, StatedScore};
use crate::othello::board::Side;

/// The tag for how a game ended, in words.
const TERMINATION: &str = "Termination";

/// The tag for a result as rosebill shows it: one with komi, one that is not the board's, or other words.
const STATED: &str = "StatedResult";

/// The end of a game as it is written.
pub(super) struct Outcome {
    /// Discs, the winner, or that it is unknown: in the header and behind the moves.
    pub(super) result: String,
    pub(super) tags: Vec<(&'static str, String)>,
}

impl Outcome {
    /// What is written of a game. Where it was played to its end the board says the result, whatever the header
    /// says: other programs read no words there.
    pub(super) fn of(game: &Game) -> Self {
        let stated = game.stated.as_ref();
        let said = stated.and_then(|stated| stated.score);
        let score = match game.black_discs {
            Some(discs) => Some(on_board(game, discs, said)),
            None => said.map(|score| in_a_pair(score, game.komi() == 0.0)),
        };
        let score = score.map(Stated::score);
        let how = stated.and_then(|stated| stated.how.as_ref());
        let termination = game.extra.get(TERMINATION).or(how).cloned();
        let read = match &termination {
            Some(words) => ended(score.clone(), words),
            None => score.clone(),
        };
        // A header that names the winner alone says less than the board.
        let is_held = |stated: &&Stated| {
            read.as_ref().is_some_and(|read| read.holds(stated) && read.tells_as_much_as(stated))
        };
        let shown = stated.filter(|stated| !is_held(stated)).map(ToString::to_string);
        let tags = [(TERMINATION, termination), (STATED, shown)];
        Self {
            result: score.map_or_else(|| "*".to_owned(), |score| score.to_string()),
            tags: tags.into_iter().filter_map(|(name, value)| Some((name, value?))).collect(),
        }
    }
}

/// What the tags besides that of the result say of the end.
#[derive(Default)]
pub(super) struct Told {
    termination: Option<String>,
    stated: Option<String>,
}

impl Told {
    /// Takes a tag; returns whether it is one of these.
    pub(super) fn take(&mut self, name: &str, value: &str) -> bool {
        let field = match name {
            TERMINATION => &mut self.termination,
            STATED => &mut self.stated,
            _ => return false,
        };
        *field = fact(value);
        true
    }

    /// Adds it to what is known of the end.
    pub(super) fn put(self, draft: &mut Draft) {
        let komi = draft.game.komi();
        if let Some(words) = &self.termination {
            draft.game.stated = ended(draft.game.stated.take(), words);
        }
        let shown = self.stated.as_deref().and_then(Stated::read_shown);
        if let Some(stated) = shown.and_then(|stated| stated.if_possible(komi)) {
            draft.game.stated = Some(stated);
        }
        let how = draft.game.stated.as_ref().and_then(|stated| stated.how.clone());
        if let Some(words) = self.termination.filter(|words| Some(words) != how.as_ref()) {
            draft.game.set_extra(TERMINATION, &words);
        }
    }
}

/// Whether a tag is written by its own rules, not as another fact.
pub(super) fn is_of_the_end(name: &str) -> bool {
    [TERMINATION, STATED].iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// A result with what words say of how it came about; of other words nothing is known.
fn ended(stated: Option<Stated>, words: &str) -> Option<Stated> {
    let told = read_result(words).filter(|told| told.how.is_some());
    match (stated, told) {
        (Some(stated), Some(told)) => Some(stated.and(&told).unwrap_or(stated)),
        (stated, told) => stated.or(told),
    }
}

/// The discs of a whole game: those of the board, without the empties where the header has them so.
fn on_board(game: &Game, black_discs: u8, said: Option<StatedScore>) -> StatedScore {
    let bare = || {
        let end = game.line().board();
        let discs = [end.position.mover, end.position.opponent].map(|discs| discs.count_ones());
        if end.side == Side::Black { (discs[0], discs[1]) } else { (discs[1], discs[0]) }
    };
    match said {
        Some(score @ StatedScore::Discs { black, white })
            if Stated::score(score).black_discs() == Some(black_discs)
                || (black.into(), white.into()) == bare() =>
        {
            score
        }
        _ => StatedScore::Discs { black: black_discs, white: 64 - black_discs },
    }
}

/// The result of a game that was broken off: discs where they are known, else the winner.
fn in_a_pair(score: StatedScore, is_even: bool) -> StatedScore {
    let stated = Stated::score(score);
    match (score, stated.black_discs().filter(|_| is_even), stated.winner()) {
        (StatedScore::Difference(_), Some(black), _) => {
            StatedScore::Discs { black, white: 64 - black }
        }
        (StatedScore::Difference(_), None, Some(winner)) => StatedScore::Winner(winner),
        _ => score,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::games::commented_pgn;
    use crate::files::games::testing::read_text;
    use crate::othello::board::Line;

    /// A game to its end, 12-52.
    const WHOLE: &str = "f5f4f3f6c4g3f7e3f2d3d2g4h3c6d6e6b6c5b4g6g5e7e8c2c3h4h5c1e2d7c8d8e1d1b1g1f1a1c7\
        b5a5b2b3g2h1a4a3a7a6a2f8g7h2g8h8h7h6b7a8b8";

    fn written(line: &str, stated: &str, extra: &[(&str, &str)]) -> (Game, String) {
        let line: Line = line.parse().unwrap();
        let mut game = Game::of_line(&line);
        game.stated = Stated::read_shown(stated);
        extra.iter().for_each(|(name, value)| game.set_extra(name, value));
        let text = commented_pgn(&game, &[]);
        (game, text)
    }

    #[test]
    fn results_are_written_as_others_read_them() {
        for (line, stated, extra, result, more) in [
            (WHOLE, "", &[][..], "12-52", &[][..]),
            (WHOLE, "12-52", &[], "12-52", &[]),
            (WHOLE, "-40", &[], "12-52", &[]),
            (
                WHOLE,
                "0-1 (resigned)",
                &[],
                "12-52",
                &["[Termination \"resigned\"]", "[StatedResult \"0-1 (resigned)\"]"],
            ),
            (WHOLE, "40-24", &[], "12-52", &["[StatedResult \"40-24\"]"]),
            (WHOLE, "-37.5", &[("KM", "-2.5")], "12-52", &["[StatedResult \"-37.5\"]"]),
            (
                WHOLE,
                "12-52 (20)",
                &[],
                "12-52",
                &["[Termination \"20\"]", "[StatedResult \"12-52 (20)\"]"],
            ),
            ("f5d6", "0-1 (resigned)", &[], "0-1", &["[Termination \"resigned\"]"]),
            ("f5d6", "+64 (resigned)", &[], "64-0", &["[Termination \"resigned\"]"]),
            ("f5d6", "+2", &[], "33-31", &[]),
            ("f5d6", "-9.5", &[], "0-1", &["[StatedResult \"-9.5\"]"]),
            (
                "f5d6",
                "-10 (time)",
                &[("KM", "2")],
                "0-1",
                &["[Termination \"time\"]", "[StatedResult \"-10 (time)\"]"],
            ),
            ("f5d6", "40-20", &[], "40-20", &[]),
            ("f5d6", "1/2-1/2 (agreed)", &[], "1/2-1/2", &["[Termination \"agreed\"]"]),
            ("f5d6", "resigned", &[], "*", &["[Termination \"resigned\"]"]),
            ("f5d6", "1-0", &[("Termination", "Normal")], "1-0", &["[Termination \"Normal\"]"]),
            ("f5d6", "", &[], "*", &[]),
        ] {
            let (game, text) = written(line, stated, extra);
            let tag = format!("[Result \"{result}\"]");
            for told in more.iter().copied().chain([tag.as_str()]) {
                assert!(text.contains(told), "{stated}: {told}\n{text}");
            }
            let tags = ["Termination", "StatedResult"].map(|tag| text.matches(tag).count());
            assert_eq!(tags.iter().sum::<usize>(), more.len(), "{text}");
            assert!(text.trim_end().ends_with(&format!(" {result}")), "{text}");
            let again = read_text(&text).remove(0).game;
            match (&game.stated, &again.stated) {
                (Some(stated), Some(again)) => assert!(again.holds(stated), "{text}"),
                (stated, again) => assert!(stated.is_none() || again == stated, "{text}"),
            }
            assert_eq!((again.extra, again.moves), (game.extra, game.moves), "{text}");
        }
    }

    #[test]
    fn a_termination_says_how_a_game_ended() {
        for (tags, stated, kept) in [
            ("[Result \"1-0\"]\n[Termination \"time forfeit\"]", "1-0 (time)", true),
            ("[Termination \"resigned\"]\n[Result \"1-0\"]", "1-0 (resigned)", false),
            ("[Result \"1-0\"]\n[Termination \"Normal\"]", "1-0", true),
            ("[Result \"*\"]\n[Termination \"White resigned\"]", "1-0 (resigned)", true),
            ("[Result \"0-1\"]\n[Termination \"White resigned\"]", "0-1", true),
        ] {
            let game = read_text(&format!("[Event \"x\"]\n{tags}\n\n1. f5 d6\n")).remove(0).game;
            let found = game.stated.map(|stated| stated.to_string());
            assert_eq!(found.as_deref(), Some(stated), "{tags}");
            assert_eq!(game.extra.contains_key(TERMINATION), kept, "{tags}");
        }
    }
}
