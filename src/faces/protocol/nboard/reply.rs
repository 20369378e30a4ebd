//! Replies as NBoard's parser takes them. A line of a known kind that it cannot parse gives its user a
//! box to click away.

use std::fmt;

use crate::app::Values;
use crate::app::player::{BookHint, Choice, Surety, with_passes};
use crate::othello::board::{Placed, Position, Square};
use crate::othello::score::Score;
use crate::othello::search::{MoveScore, Outcome};

/// A value in discs for the side to move with two decimals; what has none is `NaN`, spelled so.
pub(super) struct Eval(pub(super) Option<Score>);

impl fmt::Display for Eval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            None => f.write_str("NaN"),
            Some(score) => {
                let sign = if score < Score::ZERO { '-' } else { '+' };
                let size = score.centidiscs().unsigned_abs();
                write!(f, "{sign}{}.{:02}", size / 100, size % 100)
            }
        }
    }
}

/// The values of a book move for the side that makes it: where a draw matters the draw-seeking one
/// first, the draw-avoiding one second. The second is never above the first.
pub(super) struct Pair(pub(super) Values);

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Values { guess, draw_seeking, win_seeking, lower, upper } = self.0;
        // The hundred discs more or less of what is won or lost are no discs.
        let is_won_or_lost = lower > 0 || upper < 0;
        if is_won_or_lost || draw_seeking <= win_seeking {
            return Eval(Some(guess)).fmt(f);
        }
        write!(f, "{},{}", Eval(Some(draw_seeking)), Eval(Some(win_seeking)))
    }
}

/// How a value is known. `%` means a solve, or a probable one: no search that ends before the game does
/// has one.
struct Depth(Surety);

impl fmt::Display for Depth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Surety::Plies(plies) => write!(f, "{plies}"),
            Surety::Probable(percent) => write!(f, "{percent}%"),
            Surety::Winner => f.write_str("100%W"),
            Surety::Exact => f.write_str("100%"),
        }
    }
}

pub(super) struct Move(pub(super) Option<Square>);

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(square) => f.write_str(&square.to_string().to_ascii_uppercase()),
            None => f.write_str("PA"),
        }
    }
}

/// `book F5 +0.34 1729 18`: the number of games is always there.
pub(super) fn book(hint: &BookHint) -> String {
    let BookHint { found, values, surety, games } = hint;
    format!("book {} {} {games} {}", Move(Some(found.square)), Pair(*values), Depth(*surety))
}

/// `search F5-D6-C3 +0.34 0 12`, of a move that was searched on a board.
pub(super) fn search(placed: Placed, found: &MoveScore) -> String {
    let surety = Surety::of_move(found, placed.position.empties());
    searched(placed, &found.line, found.value, surety)
}

/// As [`search`], of what an iteration found while a move is chosen.
pub(super) fn iteration(placed: Placed, found: &Outcome) -> String {
    let surety = Surety::of_outcome(found, placed.position.empties());
    searched(placed, &found.line, found.value, surety)
}

fn searched(placed: Placed, moves: &[Square], value: Score, surety: Surety) -> String {
    let line = line(placed.position, moves);
    format!("search {line} {} 0 {}", Eval(Some(value)), Depth(surety))
}

/// As [`search`], of a side that must pass: the best answer behind its pass.
pub(super) fn search_pass(placed: Placed, found: Option<&MoveScore>) -> String {
    let Some(found) = found else { return format!("search PA {} 0 0", Eval(None)) };
    let surety = Surety::of_move(found, placed.position.empties());
    let line = line(placed.position.passed(), &found.line);
    format!("search PA-{line} {} 0 {}", Eval(Some(-found.value)), Depth(surety))
}

/// The moves of a line with the passes between them.
fn line(position: Position, moves: &[Square]) -> String {
    let plies = with_passes(position, moves);
    plies.into_iter().map(|ply| Move(ply).to_string()).collect::<Vec<_>>().join("-")
}

/// Nodes and seconds since the search began: plain decimals.
pub(super) fn nodestats(nodes: u64, seconds: f64) -> String {
    format!("nodestats {nodes} {seconds:.3}")
}

/// `=== F5/+0.34/0.52`; a pass is bare.
pub(super) fn chosen(choice: &Choice) -> String {
    let Some(square) = choice.square else { return "=== PA".to_owned() };
    let eval = choice.score().map(|score| Eval(Some(score)).to_string());
    let seconds = choice.time.as_secs_f64();
    format!("=== {}/{}/{seconds:.2}", Move(Some(square)), eval.unwrap_or_default())
}

/// The value of the position behind so many moves and passes, for Black.
pub(super) fn analysis(plies: usize, value: Option<Score>) -> String {
    format!("analysis {plies} {}", Eval(value))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::app::player::Reason;
    use crate::othello::search::Proof;

    fn pair(centidiscs: i16, proof: Proof) -> String {
        Pair(Values::of_search(Score::from_centidiscs(centidiscs), proof)).to_string()
    }

    #[test]
    fn the_draw_seeking_value_comes_first_and_is_never_below_the_second() {
        assert_eq!(pair(-34, Proof::None), "-0.34");
        assert_eq!(pair(0, Proof::Exact), "+100.00,-100.00");
        assert_eq!(pair(600, Proof::Exact), "+6.00");
        assert_eq!(pair(-600, Proof::Exact), "-6.00");
        assert_eq!(pair(-5, Proof::NotLost), "+100.00,+0.00");
        assert_eq!(pair(150, Proof::NotWon), "+0.00,-100.00");
        // A draw in reach of the side that wants it.
        let values = Values {
            draw_seeking: Score::from_centidiscs(150),
            win_seeking: Score::from_centidiscs(-50),
            ..Values::of_search(Score::from_centidiscs(20), Proof::None)
        };
        assert_eq!(Pair(values).to_string(), "+1.50,-0.50");
    }

    #[test]
    fn evals_are_plain_decimals() {
        let eval = |centidiscs| Eval(Some(Score::from_centidiscs(centidiscs))).to_string();
        assert_eq!(
            [eval(0), eval(5), eval(-5), eval(-6400)],
            ["+0.00", "+0.05", "-0.05", "-64.00"]
        );
        assert_eq!(Eval(None).to_string(), "NaN");
        assert_eq!(nodestats(12_345_678_901, 0.000_001), "nodestats 12345678901 0.000");
        assert_eq!(nodestats(1, 12_345_678.9), "nodestats 1 12345678.900");
        assert_eq!(analysis(61, Some(Score::from_discs(-4))), "analysis 61 -4.00");
        assert_eq!(analysis(0, None), "analysis 0 NaN");
    }

    #[test]
    fn only_solves_have_a_percentage() {
        let depth = |surety| Depth(surety).to_string();
        assert_eq!(depth(Surety::Plies(21)), "21");
        assert_eq!(depth(Surety::Probable(91)), "91%");
        assert_eq!(depth(Surety::Winner), "100%W");
        assert_eq!(depth(Surety::Exact), "100%");
    }

    #[test]
    fn a_pass_is_bare_and_a_move_without_a_value_has_two_strokes() {
        let choice = |square: Option<&str>, reason| {
            let square = square.map(|square| square.parse().unwrap());
            chosen(&Choice { square, reason, time: Duration::from_millis(1030) })
        };
        assert_eq!(choice(None, Reason::Pass), "=== PA");
        assert_eq!(choice(Some("h8"), Reason::Only), "=== H8//1.03");
        let values = Values::of_search(Score::from_centidiscs(34), Proof::None);
        assert_eq!(choice(Some("f5"), Reason::Book(values)), "=== F5/+0.34/1.03");
    }

    #[test]
    fn lines_write_their_passes() {
        let line: crate::othello::board::Line = "c4c3e6b4a4a5b2".parse().unwrap();
        let moves: Vec<Square> = "a3f4"
            .as_bytes()
            .chunks(2)
            .map(|pair| Square::from_ascii(pair[0], pair[1]).unwrap())
            .collect();
        assert_eq!(super::line(line.board().position, &moves), "A3-PA-F4");
        assert_eq!(super::line(line.board().position, &moves[..1]), "A3");
    }
}
