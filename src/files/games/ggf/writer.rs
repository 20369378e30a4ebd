//! Writes GGF.

use std::fmt::Write as _;

use super::kind::check_kind;
use crate::files::games::game::Game;
use crate::files::games::remarks::for_black;
use crate::files::games::stated::StatedScore;
use crate::othello::board::{Placed, Side};

/// How a game ended, and the letter for it. A player that forfeits is not there any more.
const HOW: [(&str, char); 5] =
    [("resigned", 'r'), ("time", 't'), ("left", 'l'), ("agreed", 's'), ("forfeit", 'l')];

/// A game on one line.
pub(in crate::files::games) fn write_ggf(game: &Game, text: &mut String) {
    text.push_str("(;GM[Othello]");
    let extra = |name: &str| game.extra.get(name).map(String::as_str);
    tag(text, "PC", extra("Site"));
    let date = game.date.map(|date| match extra("Time") {
        Some(time) => format!("{date} {time}"),
        None => date.to_string(),
    });
    tag(text, "DT", date.as_deref());
    tag(text, "EV", game.event.as_deref());
    tag(text, "RO", game.round.as_deref());
    tag(text, "PB", Some(game.black.name.as_deref().unwrap_or("?")));
    tag(text, "PW", Some(game.white.name.as_deref().unwrap_or("?")));
    tag(text, "RE", Some(&result(game)));
    tag(text, "RB", game.black.rating.map(|rating| rating.to_string()).as_deref());
    tag(text, "RW", game.white.rating.map(|rating| rating.to_string()).as_deref());
    tag(text, "TI", game.time_control.as_deref());
    tag(text, "TY", Some(extra("TY").filter(|kind| check_kind(kind).is_ok()).unwrap_or("8")));
    tag(text, "BO", Some(&board(game.start)));
    tag(text, "KM", extra("KM"));
    for (index, (step, has_passed)) in super::super::writing::steps(game).enumerate() {
        let side = step.before.side;
        if has_passed {
            move_tag(text, side.other(), "PA");
        }
        let milliseconds = game.milliseconds.get(index).copied().unwrap_or_default();
        let remark = game.remarks.of(index + 1);
        let worth = remark.and_then(|remark| remark.evaluation);
        let worth = worth.map_or_else(String::new, |discs| for_black(discs, side).to_string());
        let time = match milliseconds {
            0 => String::new(),
            milliseconds => (f64::from(milliseconds) / 1000.0).to_string(),
        };
        let value = format!("{}/{worth}/{time}", step.square);
        move_tag(text, side, value.trim_end_matches('/'));
    }
    text.push_str(";)\n");
}

/// Discs less discs with the empties to the winner, and how the game ended where the format has a letter for
/// it; `?` when unknown. A winner without discs has all of them, as GGS counts it:
/// the reader takes no discs from that.
fn result(game: &Game) -> String {
    let stated = game.stated.as_ref();
    let said = stated.and_then(|stated| stated.how.as_deref());
    let how = said.and_then(|how| HOW.iter().find(|(word, _)| *word == how));
    let how = how.map(|(_, letter)| *letter);
    let difference = game.margin().or(match stated.and_then(|stated| stated.score) {
        // Without a letter it would be a score.
        Some(StatedScore::Winner(winner)) if how.is_some() => Some(match winner {
            Some(Side::Black) => 64.0,
            Some(Side::White) => -64.0,
            None => 0.0,
        }),
        _ => None,
    });
    match (difference, how, said) {
        (Some(difference), Some(how), _) => format!("{difference:+}:{how}"),
        (Some(difference), None, _) => format!("{difference:+}"),
        (None, _, Some(word @ ("adjourned" | "aborted"))) => word.to_owned(),
        (None, ..) => "?".to_owned(),
    }
}

fn board(start: Placed) -> String {
    let squares = start.position.squares_text(start.side).replace('X', "*");
    let rows: Vec<String> =
        squares.chars().collect::<Vec<_>>().chunks(8).map(|row| row.iter().collect()).collect();
    let side = if start.side == Side::Black { '*' } else { 'O' };
    format!("8 {} {side}", rows.join(" "))
}

/// The format has no way to write a bracket inside a value.
fn tag(text: &mut String, name: &str, value: Option<&str>) {
    if let Some(value) = value {
        let value: String = value
            .chars()
            .map(|c| match c {
                '[' => '(',
                ']' => ')',
                c => c,
            })
            .collect();
        // A string takes all that is written.
        let _ = write!(text, "{name}[{value}]");
    }
}

fn move_tag(text: &mut String, side: Side, value: &str) {
    tag(text, if side == Side::Black { "B" } else { "W" }, Some(value));
}

#[cfg(test)]
mod tests {
    use crate::files::games::game::Game;
    use crate::files::games::stated::Stated;
    use crate::files::games::testing::read_text;

    #[test]
    fn results_are_a_number_and_a_letter() {
        for (stated, komi, result, again) in [
            ("1-0 (resigned)", "", "+64:r", "1-0 (resigned)"),
            ("0-1 (time)", "", "-64:t", "0-1 (time)"),
            ("0-1 (forfeit)", "", "-64:l", "0-1 (left)"),
            ("1/2-1/2 (agreed)", "", "+0:s", "+0 (agreed)"),
            ("20-44 (20)", "", "-24", "-24"),
            ("-24 (resigned)", "", "-24:r", "-24 (resigned)"),
            ("-9.5", "-2.5", "-9.5", "-9.5"),
            ("40-24", "", "+16", "+16"),
            ("aborted", "", "aborted", "aborted"),
            // The margin is not known.
            ("0-1", "", "?", ""),
            ("1-0 (Ann came late)", "", "?", ""),
            ("resigned", "", "?", ""),
            ("", "", "?", ""),
        ] {
            let mut game = Game::of_line(&"f5d6c3".parse().unwrap());
            game.stated = Stated::read_shown(stated);
            game.set_extra("KM", komi);
            let mut text = String::new();
            super::write_ggf(&game, &mut text);
            assert!(text.contains(&format!("RE[{result}]")), "{stated}: {text}");
            let found = read_text(&text).remove(0).game.stated;
            assert_eq!(found.map(|found| found.to_string()).unwrap_or_default(), again, "{text}");
        }
    }
}
