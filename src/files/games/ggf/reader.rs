//! Reads GGF.

use super::kind::check_kind;
use crate::files::fault::Place;
use crate::files::games::GameFormat;
use crate::files::games::brackets::Part;
use crate::files::games::draft::{Draft, fact, rating};
use crate::files::games::refused::Why;
use crate::files::games::remarks::{Item, for_black};
use crate::files::games::replay::Entry;
use crate::files::games::start_board::start_board;
use crate::files::games::stated::{Stated, StatedScore};
use crate::files::games::variant::begins_at_random;
use crate::othello::board::Played;
use crate::othello::board::Side;
use crate::othello::board::move_text::whole_move;
use crate::othello::one_line::one_line;

pub(super) fn read(place: Place, parts: Vec<Part>) -> Result<Draft, Why> {
    let mut draft = Draft::new(place);
    let (mut is_random, mut has_board) = (false, false);
    for part in parts {
        let Part::Tag(name, values) = part else { continue };
        let value = values.first().map_or("", String::as_str);
        let game = &mut draft.game;
        match name.as_str() {
            "GM" if is_othello(value) => {}
            "GM" => return Err(Why::OtherGame(one_line(value, 40))),
            "PB" => game.black.name = fact(value),
            "PW" => game.white.name = fact(value),
            "RB" => game.black.rating = rating(value),
            "RW" => game.white.rating = rating(value),
            "TI" => game.time_control = fact(value),
            "DT" => game.set_date(value),
            "EV" => game.event = fact(value),
            "RO" => game.round = fact(value),
            "PC" => game.set_extra("Site", value),
            "RE" => draft.set_result(result(value)),
            "TY" => {
                check_kind(value)?;
                is_random = begins_at_random(value);
                if !matches!(value.trim(), "0" | "8") {
                    game.set_extra("TY", value);
                }
            }
            "BO" => {
                game.start = start_board(value, Some(Side::Black))?;
                has_board = true;
            }
            "B" | "W" => {
                let side = if name == "B" { Side::Black } else { Side::White };
                let entry = Entry { side: Some(side), ..timed_move(value) };
                let is_move = matches!(entry.played, Played::Square(_));
                draft.push(entry);
                if let Some(discs) = value_of(value).filter(|_| is_move) {
                    draft.remark(Item::Evaluation(for_black(discs, side)));
                }
            }
            "C" | "CO" => values.iter().for_each(|value| draft.comment(value)),
            _ => game.set_extra(&name, value),
        }
    }
    if is_random && !has_board {
        return Err(Why::unknown_start());
    }
    // The komi may follow the result.
    let komi = draft.game.komi();
    draft.game.stated = draft.game.stated.take().and_then(|stated| stated.if_possible(komi));
    Ok(draft)
}

fn is_othello(value: &str) -> bool {
    ["othello", "reversi"].iter().any(|name| value.trim().eq_ignore_ascii_case(name))
}

/// `+12`, `-4.000`, `+0.0:r`; words of a game that is not finished.
fn result(value: &str) -> Option<Stated> {
    let value = fact(value)?;
    let (score, how) = value.split_once(':').unwrap_or((&value, ""));
    let how = match how {
        "" => None,
        "r" => Some("resigned"),
        "t" => Some("time"),
        "l" => Some("left"),
        "s" => Some("agreed"),
        other => Some(other),
    };
    match score.trim().parse() {
        Ok(score) if f64::is_finite(score) => {
            let score = Some(StatedScore::Difference(score));
            Some(Stated { score, how: how.map(str::to_owned) }.without_all_discs())
        }
        _ => Stated::read_told(&value),
    }
}

/// A move as GGF writes it: `d3//0.01`, `F5/1.5`, `PA`, perhaps with its value, perhaps with its seconds.
/// The side is not written.
pub(crate) fn timed_move(value: &str) -> Entry {
    let mut parts = value.trim().split('/');
    let text = parts.next().unwrap_or_default().trim();
    // Letters and digits directly behind a square are no part of it.
    let square = text.get(..2).and_then(whole_move).filter(|played| *played != Played::Pass);
    let played = square.or_else(|| whole_move(text).filter(|_| !text.is_empty()));
    let played = played.unwrap_or_else(|| Played::Unreadable(text.to_owned()));
    let seconds: Option<f64> = parts.nth(1).and_then(|seconds| seconds.trim().parse().ok());
    let seconds = seconds.filter(|seconds| (0.0..1e6).contains(seconds));
    let milliseconds = seconds.map(|seconds| (seconds * 1000.0).round() as u32);
    Entry { played, side: None, milliseconds }
}

/// What a move is worth by its text, in discs for the side that made it.
fn value_of(text: &str) -> Option<f64> {
    let value = text.split('/').nth(1)?.trim().parse::<f64>().ok();
    value.filter(|value| value.is_finite())
}

/// Whether a game in parentheses is of this format or of SGF.
pub(in crate::files::games) fn kind_of(game: &str) -> GameFormat {
    let is_name = |name: &[u8]| name.eq_ignore_ascii_case(b"GM[");
    let kind = game.as_bytes().windows(3).position(is_name).and_then(|at| game.get(at + 3..));
    match kind {
        Some(kind) if kind.trim_start().starts_with(|c: char| c.is_ascii_digit()) => {
            GameFormat::Sgf
        }
        Some(_) => GameFormat::Ggf,
        None if game.contains("BO[8") => GameFormat::Ggf,
        None => GameFormat::Sgf,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::charset::Charset;
    use crate::files::games::refused::Note;
    use crate::files::games::sniff::{Sniffed, sniff};
    use crate::files::games::testing::{read_text, refused};

    const BOARD: &str =
        "BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]";

    #[test]
    fn it_is_told_from_sgf_by_its_game() {
        for text in [
            "(;GM[Othello]",
            "1 (;GM[Othello]",
            " ( ; GM[Othello]",
            "/os: look 2\n|1 (;GM[Othello]PC[x]BO[8",
            "the game: (;GM[Othello]PC[x]BO[8",
            &format!("{}(;GM[Othello]", "a log of GGS\n".repeat(100)),
        ] {
            let sniffed = sniff(text.as_bytes(), Charset::Utf8);
            assert_eq!(sniffed, Sniffed::Games(GameFormat::Ggf), "{text}");
        }
    }

    #[test]
    fn reads_a_game_of_ggs() {
        let text = format!(
            "1 (;GM[Othello]PC[GGS/os]DT[2003.12.15_12:33:18.MST]PB[one]PW[two]RB[2196.37]RW[1720]\
             TI[05:00//02:00]TY[8]RE[+0.000]{BOARD}B[d3//0.01]W[c5/-1.5/7.25]B[F6x];)\n\
             2 (;GM[othello]B[F5]W[D6];)(;GM[Othello]B[F5]W[F6];)\n"
        );
        let games = read_text(&text);
        assert_eq!(games.len(), 3);
        let game = &games[0].game;
        assert_eq!(game.line().to_string(), "d3c5f6");
        assert_eq!(game.milliseconds, [10, 7250, 0]);
        assert_eq!((game.black.name.as_deref(), game.black.rating), (Some("one"), Some(2196.37)));
        assert_eq!(game.date.map(|date| date.to_string()).as_deref(), Some("2003-12-15"));
        assert_eq!(game.time_control.as_deref(), Some("05:00//02:00"));
        assert_eq!(game.extra["Site"], "GGS/os");
        assert_eq!(game.extra["Time"], "12:33:18.MST");
        assert_eq!(game.stated, Some(Stated::score(StatedScore::Difference(0.0))));
        assert_eq!(games[2].place, Place::Line(2));
    }

    #[test]
    fn reads_other_starts_and_komi() {
        // The side to move is missing: Black.
        let text = "(;GM[Othello]TY[8r4]KM[-3.133]RE[-60.867]\
            BO[8 -------- -------- -------- ---OX--- ---XO--- -------- -------- --------]\
            B[e6]W[f4]B[e3]W[f6]B[g5]W[d6]B[e7]W[f5]B[c5]W[PA];)";
        let games = read_text(text);
        // Black wins 64 to 0: komi does not explain the header.
        assert!(
            matches!(&games[0].notes[..], [Note::ResultDiffers { .. }]),
            "{:?}",
            games[0].notes
        );
        for parted in [
            text.replace("BO[8 ", "BO[8/").replace("-- -", "--/-"),
            text.replace("-- -", "--/-").replace("--]", "--/*]"),
            text.replace("GM[Othello]", "GM[reversi ]").replace("-- -", "-- / -"),
        ] {
            assert_eq!(read_text(&parted)[0].game, games[0].game, "{parted}");
        }
        let games = read_text(&text.replace("-60.867", "67.13:r"));
        assert_eq!(games[0].notes, []);
        assert_eq!(games[0].game.stated.as_ref().unwrap().how.as_deref(), Some("resigned"));
        assert_eq!(games[0].game.black_discs, Some(64));
    }

    #[test]
    fn comments_stay_with_the_moves() {
        let text = "(;GM[Othello]C[first]B[f5//1.5]C[a]CO[b]W[d6/-2];)";
        let remarks = read_text(text).remove(0).game.remarks;
        let comments = |ply| remarks.of(ply).map(|said| said.comments.clone()).unwrap_or_default();
        assert_eq!([comments(0), comments(1)], [vec!["first"], vec!["a", "b"]]);
        assert_eq!(remarks.of(2).and_then(|said| said.evaluation), Some(2.0));
    }

    #[test]
    fn games_stand_behind_other_text() {
        for before in ["Games of our club (two)\n\n", "/os: look 1\n|1 "] {
            let games = read_text(&format!("{before}( ; GM[Othello]{BOARD}B[d3]W[c5];)\n"));
            assert_eq!(games[0].game.line().to_string(), "d3c5", "{before}");
        }
    }

    #[test]
    fn a_result_that_no_board_gives_is_none() {
        for (tags, how) in [
            ("RE[-127.000]", None),
            ("RE[+64.500]", None),
            ("KM[1.5]RE[-127.000:t]", Some("time")),
            ("RE[66.0]KM[-1.5]", None),
        ] {
            let game = read_text(&format!("(;GM[Othello]{tags}B[f5];)")).remove(0).game;
            let stated = game.stated.as_ref();
            assert_eq!(stated.and_then(Stated::winner), None, "{tags}");
            assert_eq!(stated.and_then(|stated| stated.how.as_deref()), how, "{tags}");
        }
        let game = read_text("(;GM[Othello]RE[-65.5]KM[1.5]B[f5];)").remove(0).game;
        assert_eq!(game.stated, Some(Stated::score(StatedScore::Difference(-65.5))));
    }

    #[test]
    fn says_why_a_game_is_refused() {
        for (tags, part) in [
            ("TY[4]BO[4 ---- -O*- -*O- ---- *]B[a2]", "a board of size 4"),
            ("TY[10]B[a2]", "a board of size 10"),
            ("TY[8a]B[f5]", "fewest discs"),
            ("GM[Go]B[f5]", "not Othello: Go"),
            ("BO[8 --- *]B[a2]", "unreadable start position: 3 squares"),
            ("B[f5]B[d6]", "move 2 \"d6\": a move of black, but white is to move"),
            ("B[f5]W[pass]", "white can move"),
            ("B[f5]W[]", "move 2: no such square"),
            ("B[i9]", "move 1 \"i9\": no such square"),
            ("B[f", "ends inside the game"),
        ] {
            let found = refused(&format!("(;GM[Othello]PB[one]{tags};)\n"));
            assert!(found.contains(part), "{found}");
        }
    }
}
