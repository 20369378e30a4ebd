//! The result that a header states. What the board says is another thing.

use std::fmt;

use crate::othello::board::Side;

/// What a header says of how a game ended.
#[derive(Clone, PartialEq, Debug)]
pub struct Stated {
    /// The winner, and the margin.
    pub score: Option<StatedScore>,
    /// How it ended, where that was not on the board: `resigned`, `time`, `left`, `forfeit`,
    /// `agreed`, or the header's own words.
    pub how: Option<String>,
}

/// A score as headers give it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum StatedScore {
    /// Discs of both sides, with or without the empties.
    Discs { black: u8, white: u8 },
    /// Black's discs less White's; with komi it is no whole number.
    Difference(f64),
    /// Only the winner; none is a draw.
    Winner(Option<Side>),
}

impl Stated {
    /// Only a score.
    pub const fn score(score: StatedScore) -> Self {
        Self { score: Some(score), how: None }
    }

    /// Reads the winner, and the margin or the way: `B+16`, `W+R`, `b+time`, as SGF has it.
    pub(super) fn read_lead(text: &str) -> Option<Self> {
        let (side, rest) = match text.split_at_checked(2)? {
            ("B+" | "b+", rest) => (Side::Black, rest),
            ("W+" | "w+", rest) => (Side::White, rest),
            _ => return None,
        };
        // No format could give such words back.
        if rest.contains(char::is_control) {
            return None;
        }
        let (rest, told) =
            rest.split_once(':').map_or((rest, None), |(rest, how)| (rest, Some(how)));
        let sign = if side == Side::Black { 1.0 } else { -1.0 };
        let how = match rest.to_ascii_lowercase().as_str() {
            "" => None,
            "r" | "resign" => Some("resigned"),
            "t" | "time" => Some("time"),
            "f" | "forfeit" => Some("forfeit"),
            _ => Some(rest),
        };
        let parted = rest.split_once(' ').filter(|(discs, _)| discs.parse::<f64>().is_ok());
        let (rest, told) = match (parted, told) {
            (Some((discs, words)), None) => {
                (discs, Some(words.trim().trim_start_matches("on ").trim_start_matches("by ")))
            }
            _ => (rest, told),
        };
        Some(match rest.parse() {
            Ok(discs) if f64::is_finite(discs) => {
                let score = Some(StatedScore::Difference(sign * discs));
                Self { score, how: told.map(str::to_owned) }
            }
            _ => {
                let how = told.or(how).map(str::to_owned);
                Self { score: Some(StatedScore::Winner(Some(side))), how }
            }
        })
    }

    /// This with what another statement of the same end says more exactly, or else; none where they differ.
    pub(super) fn and(&self, other: &Self) -> Option<Self> {
        let agree = match (self.score, other.score) {
            (None, _) | (_, None) => true,
            (Some(StatedScore::Winner(_)), _) | (_, Some(StatedScore::Winner(_))) => {
                self.winner() == other.winner()
            }
            (Some(one), Some(two)) => {
                let discs = self.black_discs();
                one == two || (discs.is_some() && discs == other.black_discs())
            }
        };
        let exactness = |score: Option<StatedScore>| match score {
            None => 0,
            Some(StatedScore::Winner(_)) => 1,
            Some(StatedScore::Difference(_)) => 2,
            Some(StatedScore::Discs { .. }) => 3,
        };
        let is_more = exactness(other.score) > exactness(self.score);
        agree.then(|| Self {
            score: if is_more { other.score } else { self.score },
            how: self.how.clone().or_else(|| other.how.clone()),
        })
    }

    /// Whether this says all that another result does: perhaps with the margin, where only the winner was
    /// known.
    pub(super) fn holds(&self, other: &Self) -> bool {
        let has_score = match other.score {
            None => true,
            Some(StatedScore::Winner(_)) => self.winner() == other.winner(),
            score => {
                let discs = self.black_discs();
                self.score == score || (discs.is_some() && discs == other.black_discs())
            }
        };
        has_score && (other.how.is_none() || self.how == other.how)
    }

    /// Whether both name the winner alone, or neither.
    pub(super) const fn tells_as_much_as(&self, other: &Self) -> bool {
        matches!(self.score, Some(StatedScore::Winner(_)))
            == matches!(other.score, Some(StatedScore::Winner(_)))
    }

    /// Black's discs where they follow, with the empties given to the winner: they follow from a
    /// difference, and from discs that add up to 64 or of which one side has none. Other discs may be
    /// those of the board where a game was broken off.
    pub fn black_discs(&self) -> Option<u8> {
        match self.score? {
            StatedScore::Discs { black, white: 0 } if black > 0 => Some(64),
            StatedScore::Discs { black: 0, white } if white > 0 => Some(0),
            StatedScore::Discs { black, white } => {
                (black.checked_add(white) == Some(64)).then_some(black)
            }
            // An odd one, as with komi, is that of no discs.
            StatedScore::Difference(difference)
                if difference.abs() <= 64.0 && difference % 2.0 == 0.0 =>
            {
                Some(((difference + 64.0) / 2.0) as u8)
            }
            StatedScore::Difference(_) | StatedScore::Winner(_) => None,
        }
    }

    /// The same with the discs of both sides where they follow: formats write one result in several ways.
    pub(super) fn with_discs(self) -> Self {
        match self.black_discs() {
            None => self,
            Some(black) => {
                let (black, white) = (black, 64 - black);
                Self { score: Some(StatedScore::Discs { black, white }), ..self }
            }
        }
    }

    /// A game that was given up, without discs: servers count all of them for the winner.
    pub(super) fn without_all_discs(self) -> Self {
        const GIVEN_UP: [&str; 3] = ["resigned", "time", "left"];
        let is_given_up = self.how.as_deref().is_some_and(|how| GIVEN_UP.contains(&how));
        match (self.score, self.winner()) {
            (Some(StatedScore::Difference(difference)), Some(winner))
                if is_given_up && difference.abs() == 64.0 =>
            {
                Self { score: Some(StatedScore::Winner(winner)), ..self }
            }
            _ => self,
        }
    }

    /// The side that won, none of a draw; none at all when the score is not known.
    pub fn winner(&self) -> Option<Option<Side>> {
        let side = |difference: f64| match difference {
            difference if difference > 0.0 => Some(Side::Black),
            difference if difference < 0.0 => Some(Side::White),
            _ => None,
        };
        Some(match self.score? {
            StatedScore::Discs { black, white } => side(f64::from(black) - f64::from(white)),
            StatedScore::Difference(difference) => side(difference),
            StatedScore::Winner(side) => side,
        })
    }
}

/// A result in its short forms, without blanks and with one kind of each mark: the winner, none of a draw.
const SHORT: [(&[&str], Option<Side>); 3] = [
    (&["1-0", "1-0f", "1-0ff", "1f-0f", "+/-", "+:-", "+--", "+-"], Some(Side::Black)),
    (&["0-1", "0-1f", "0-1ff", "0f-1f", "-/+", "-:+", "--+", "-+"], Some(Side::White)),
    (
        &[
            "1/2-1/2",
            "1/21/2",
            "1/2",
            "0.5-0.5",
            "0.5",
            ".5-.5",
            "1-1",
            "=",
            "=-=",
            "=/=",
            "d",
            "draw",
            "drawn",
            "tie",
            "tied",
            "remis",
            "unentschieden",
            "nulle",
            "nul",
            "partienulle",
            "matchnul",
            "egalite",
            "égalité",
            "patta",
            "pareggio",
            "pari",
            "tablas",
            "empate",
            "gelijk",
            "gelijkspel",
            "remise",
            "引き分け",
            "引分",
            "引分け",
            "ひきわけ",
            "和",
            "和棋",
            "平局",
            "平手",
            "平",
            "무승부",
            "비김",
        ],
        None,
    ),
];

/// What stands where a result is not known: the file says so, and no draw without discs.
const UNKNOWN: [&str; 10] = ["*", "?", "-", "--", "0-0", "00-00", "?-?", "??-??", "n/a", "unknown"];

/// A short form as [`SHORT`] has it.
fn short(text: &str) -> String {
    let mut short = String::new();
    for letter in text.chars().filter(|letter| !letter.is_whitespace()) {
        match letter {
            '–' | '—' | '−' | '－' => short.push('-'),
            ':' | '：' if !short.ends_with('+') && !short.ends_with('-') => short.push('-'),
            '：' => short.push(':'),
            ',' => short.push('.'),
            '½' => short.push_str("1/2"),
            other => short.extend(other.to_lowercase()),
        }
    }
    short
}

/// Bytes that no short form has more of.
const LONGEST_SHORT: usize = 40;

/// Reads a result in a short form: `1/2`, `½`, `=`, `D`, `1-0F`, `+/-`.
pub(super) fn read_short(text: &str) -> Option<Stated> {
    if text.len() > LONGEST_SHORT {
        return None;
    }
    let text = short(text);
    let (_, winner) = SHORT.iter().find(|(forms, _)| forms.contains(&text.as_str()))?;
    let is_forfeit = winner.is_some() && text.contains(['f', '+']);
    let how = is_forfeit.then(|| "forfeit".to_owned());
    Some(Stated { score: Some(StatedScore::Winner(*winner)), how })
}

/// Whether a text stands where a result is not known.
pub(super) fn is_unknown(text: &str) -> bool {
    text.len() <= LONGEST_SHORT && UNKNOWN.contains(&short(text).as_str())
}

/// The side that won, none of a draw, in words: `white`, `W`, `White wins`, `draw`.
pub(super) fn read_winner(text: &str) -> Option<Option<Side>> {
    let text = text.to_lowercase();
    let mut words = text.split_whitespace();
    let side = match words.next()? {
        "b" | "black" => Side::Black,
        "w" | "white" => Side::White,
        _ => return read_short(&text)?.winner().filter(|winner| winner.is_none()),
    };
    match words.next() {
        None => Some(Some(side)),
        Some("win" | "wins" | "won") if words.next().is_none() => Some(Some(side)),
        Some(_) => None,
    }
}

/// A result with a hyphen between its sides: books print a colon, and word processors longer dashes.
pub(super) fn with_hyphen(text: &str) -> String {
    text.replace([':', '–', '—', '−'], "-")
}

/// `47-17`, and what chess has made of it.
pub(super) fn read_pair(text: &str) -> Option<StatedScore> {
    if text.contains(['/', '½', '.']) {
        let half = short(text).replace("1/2", "0.5");
        return matches!(half.as_str(), "0.5-0.5" | "0.5" if text != "0.5")
            .then_some(StatedScore::Winner(None));
    }
    let (black, white) = text.split_once('-')?;
    let (black, white) = (black.trim(), white.trim());
    match (black, white) {
        ("1", "0") => return Some(StatedScore::Winner(Some(Side::Black))),
        ("0", "1") => return Some(StatedScore::Winner(Some(Side::White))),
        ("1", "1") => return Some(StatedScore::Winner(None)),
        _ => {}
    }
    let discs = |text: &str| {
        let discs = text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok());
        discs.flatten().filter(|&discs: &u8| discs <= 64)
    };
    let (black, white) = (discs(black)?, discs(white)?);
    (1..=64).contains(&(black + white)).then_some(StatedScore::Discs { black, white })
}

/// `47-17`, `+30`, `1-0`; behind it, or alone, how the game ended.
impl fmt::Display for Stated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.score {
            // A disc or none on both sides would be taken for what chess writes.
            Some(StatedScore::Discs { black: black @ 0..=1, white: white @ 0..=1 }) => {
                write!(f, "{black:02}-{white:02}")?;
            }
            Some(StatedScore::Discs { black, white }) => write!(f, "{black}-{white}")?,
            Some(StatedScore::Difference(difference)) => write!(f, "{difference:+}")?,
            Some(StatedScore::Winner(Some(Side::Black))) => f.write_str("1-0")?,
            Some(StatedScore::Winner(Some(Side::White))) => f.write_str("0-1")?,
            Some(StatedScore::Winner(None)) => f.write_str("1/2-1/2")?,
            None => {}
        }
        match (&self.how, self.score) {
            (Some(how), Some(_)) => write!(f, " ({how})"),
            (Some(how), None) => f.write_str(how),
            (None, _) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_results_of_headers() {
        let read = |text: &str| Stated::read(text).map(|stated| stated.to_string());
        for text in ["47-17", "62-0", "1-0", "0-1", "1/2-1/2", "12-0", "resigned"] {
            assert_eq!(read(text).as_deref(), Some(text));
        }
        for text in ["", "*", "?", "0-0", " "] {
            assert_eq!(read(text), None);
        }
        for (text, shown) in [
            ("47:17", "47-17"),
            ("47–17", "47-17"),
            ("47 — 17", "47-17"),
            ("B+16", "+16"),
            ("W+16", "-16"),
            ("w+16.5:time", "-16.5 (time)"),
            ("W+R", "0-1 (resigned)"),
            ("B+", "1-0"),
            ("B+16 on time", "+16 (time)"),
            ("40-24 on time", "40-24 (time)"),
            ("Black wins 40-24", "40-24"),
            ("White wins by 8", "-8"),
            ("White wins 40-24", "0-1 (White wins 40-24)"),
            ("white", "0-1"),
            ("W", "0-1"),
            ("White wins", "0-1"),
            ("black", "1-0"),
            ("B", "1-0"),
            ("Black won", "1-0"),
            ("Draw", "1/2-1/2"),
            ("1/2 1/2", "1/2-1/2"),
            ("½ ½", "1/2-1/2"),
            ("tie", "1/2-1/2"),
            ("White resigned", "1-0 (resigned)"),
            ("black resigned", "0-1 (resigned)"),
            ("White lost on time", "1-0 (time)"),
            // Without a winner, so words.
            ("draw wins", "draw wins"),
            ("B wins it", "B wins it"),
            ("12:30:10", "12:30:10"),
        ] {
            assert_eq!(read(text).as_deref(), Some(shown), "{text}");
        }
        // What is written is read again as it was.
        for (black, white) in (0..=64).flat_map(|black| (0..=64).map(move |white| (black, white))) {
            // None on both sides is no result.
            if (1..=64).contains(&(black + white)) {
                let stated = Stated::score(StatedScore::Discs { black, white });
                assert_eq!(Stated::read_shown(&stated.to_string()), Some(stated));
            }
        }
        // Not discs, so words.
        for text in ["65-0", "40-40", "-3-4", "300-1", "99999999999-1"] {
            let stated = Stated::read(text).unwrap();
            assert_eq!((stated.score, stated.how.as_deref()), (None, Some(text)));
        }
        let discs = |text: &str| Stated::read(text).and_then(|stated| stated.black_discs());
        assert_eq!(["47-17", "62-0", "0-13", "32-32"].map(discs), [47, 64, 0, 32].map(Some));
        assert_eq!(["5-3", "62-1", "31-31"].map(discs), [None; 3]);
        let difference = Stated::score(StatedScore::Difference(-22.87));
        assert_eq!((difference.to_string().as_str(), difference.black_discs()), ("-22.87", None));
        assert_eq!(difference.winner(), Some(Some(Side::White)));
        assert_eq!(Stated::score(StatedScore::Difference(1e9)).black_discs(), None);
    }

    /// Books hold what was read when words said less.
    #[test]
    fn what_is_stored_stays_as_it_is() {
        let stored = Stated::read_shown("White resigned").unwrap();
        assert_eq!((stored.score, stored.to_string().as_str()), (None, "White resigned"));
        let told = Stated::read_told("White resigned").unwrap();
        assert_eq!(told.winner(), Some(Some(Side::Black)));
        assert_eq!(Stated::read_shown(&told.to_string()), Some(told));
    }

    #[test]
    fn no_board_gives_more_discs_than_it_has() {
        let kept = |difference: f64, komi: f64, how: &str| {
            let how = Some(how.to_owned()).filter(|how| !how.is_empty());
            let stated = Stated { score: Some(StatedScore::Difference(difference)), how };
            stated.if_possible(komi).map(|stated| stated.to_string())
        };
        for (difference, komi, how, left) in [
            (64.0, 0.0, "", Some("+64")),
            (-64.0, 0.0, "time", Some("-64 (time)")),
            (-67.13, 3.133, "", Some("-67.13")),
            (67.13, -3.133, "", Some("+67.13")),
            (67.14, -3.133, "", None),
            (-127.0, 0.0, "", None),
            (-127.0, 0.0, "time", Some("time")),
            (-127.0, 0.0, "1-0", None),
            (-127.0, 0.0, "+5", None),
            (-127.0, 0.0, "*", None),
        ] {
            assert_eq!(kept(difference, komi, how).as_deref(), left, "{difference} {komi} {how}");
        }
    }

    #[test]
    fn what_is_shown_can_be_read_again() {
        assert_eq!(Stated::read_lead("B+a\u{e}b"), None);
        let time = Some("time".to_owned());
        let scores = [
            StatedScore::Discs { black: 40, white: 20 },
            StatedScore::Difference(-22.87),
            StatedScore::Difference(0.0),
            StatedScore::Winner(Some(Side::White)),
            StatedScore::Winner(None),
        ];
        for score in scores.map(Some).into_iter().chain([None]) {
            for how in [None, time.clone()] {
                let stated = Stated { score, how };
                let read = Stated::read_shown(&stated.to_string());
                assert_eq!(read, Some(stated).filter(|stated| !stated.to_string().is_empty()));
            }
        }
    }
}
