//! What a file says of a game under names of its own, whatever the format: each fact to its field, and what no
//! name is known of to [`super::Game::extra`].

use super::date::{Date, says_a_day};
use super::draft::{Draft, fact, rating};
use super::refused::{Note, Why};
use super::replay::{Entry, replay};
use super::result_words::read_result;
use super::stated::{Stated, StatedScore, read_winner};
use super::variant::{begins_at_random, check_size, check_variant, says_xot};
use super::vocabulary::{Key, Label, label_key, label_of, words_of};
use crate::othello::board::{
    BoardError, BoardText, Line, Placed, Side, board_in, looks_like_a_board, read_board,
    side_to_move,
};
use crate::othello::one_line::one_line;

/// Characters of what is not understood that are shown.
const MOST_TOLD: usize = 60;

/// A fact as a file has it.
pub(super) struct Fact {
    key: Key,
    pub(super) name: String,
    pub(super) value: String,
}

/// What waits for the rest of a game's facts, or for its moves.
#[derive(Default)]
pub(super) struct Said {
    /// What has been said.
    known: Vec<Fact>,
    year: Option<Date>,
    score: Option<Stated>,
    discs: (Option<u8>, Option<u8>),
    winner: Option<(String, String)>,
    theory: Option<u8>,
    theory_empties: Option<u8>,
    /// The name, and the board as it is written.
    start: Option<(String, String)>,
    turn: Option<(String, String)>,
    is_random: bool,
    xot: Option<bool>,
    /// Players that stand alone on their lines, so that only their order says which of them had Black.
    pub(super) in_order: Vec<String>,
}

/// Words for the usual start.
const USUAL_START: [&str; 8] =
    ["start", "startpos", "standard", "default", "normal", "initial", "usual", "othello"];

/// The empties of the position that a theoretical score is for where a file does not say it: those of WTHOR.
const USUAL_THEORY_EMPTIES: u8 = 24;

impl Said {
    /// All that has been said.
    pub(super) fn facts(self) -> Vec<Fact> {
        self.known
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.known.is_empty() && self.in_order.is_empty()
    }

    /// Whether it is what is said behind a game: who won it, and notes.
    pub(super) fn is_of_the_end(&self) -> bool {
        let is_one = |fact: &Fact| {
            let label = fact.key.label();
            matches!(
                label,
                Some(Label::Notes | Label::Winner | Label::BlackDiscs | Label::WhiteDiscs)
            )
        };
        !self.known.is_empty() && self.in_order.is_empty() && self.known.iter().all(is_one)
    }

    /// Whether both say something of the same name.
    pub(super) fn repeats(&self, other: &Self) -> bool {
        self.known.iter().any(|fact| other.known.iter().any(|known| known.key == fact.key))
    }

    /// Whether a board has been given.
    pub(super) const fn has_start(&self) -> bool {
        self.start.is_some()
    }

    /// Whether the board that has been given is the one that moves from the usual start lead to.
    pub(super) fn shows_the_end_of(&self, entries: &[Entry]) -> bool {
        let Some((_, board)) = &self.start else { return false };
        read_board(board).is_ok_and(|board| is_the_end_of(board.with_side(Side::Black), entries))
    }

    /// Whether nothing is known of the labels of what has been said.
    pub(super) fn is_of_words(&self) -> bool {
        !self.is_empty() && self.known.iter().all(|fact| matches!(fact.key, Key::Named(_)))
    }
}

impl Draft {
    /// Takes what a file says under a name. The first of several values of one meaning counts; the others are
    /// kept beside it.
    pub(super) fn say(&mut self, name: &str, value: &str) {
        self.say_as(&Key::of(name), name, value);
    }

    /// As [`Self::say`], under a name whose key is known.
    pub(super) fn say_as(&mut self, key: &Key, name: &str, value: &str) {
        let value = value.trim();
        if value.is_empty() {
            return;
        }
        let is_day = matches!(key.label(), Some(Label::Date | Label::UtcDate | Label::Year));
        let digits = (is_day && !value.is_ascii()).then(|| with_plain_digits(value));
        let value = digits.as_deref().unwrap_or(value);
        // These are labels of facts, or of something else that has the name: other names are other facts.
        let by_name =
            matches!(key.label(), Some(Label::MaybeStart | Label::Moves | Label::Players));
        let is_same = |fact: &&Fact| fact.key == *key && (!by_name || fact.name == name.trim());
        let same = || self.said.known.iter().filter(is_same);
        let count = same().count();
        let is_known = same().any(|fact| fact.value == value);
        if count == 0 || !is_known {
            let (name, value) = (name.trim().to_owned(), value.to_owned());
            self.said.known.push(Fact { key: key.clone(), name, value });
        }
        if count > 0 {
            if !is_known {
                let again = if count == 1 { String::new() } else { count.to_string() };
                self.game.set_extra(&format!("also{again}_{}", name.trim()), value);
            }
            return;
        }
        let Some(label) = key.label() else { return self.say_unknown(name, value) };
        let is_sound = self.say_known(label, name, value);
        if !is_sound {
            self.leave_out(name, value);
        }
    }

    /// Takes what a name says that nothing is known of: a whole board is a start all the same, unless it is called
    /// the last one.
    fn say_unknown(&mut self, name: &str, value: &str) {
        let said = &mut self.said;
        match value {
            _ if value.eq_ignore_ascii_case("xot") => said.xot = said.xot.or(Some(true)),
            _ if said.start.is_none()
                && looks_like_a_board(value)
                && matches!(board_in(value), Some(Ok(_)))
                && !is_of_the_end(name) =>
            {
                said.start = Some((name.to_owned(), value.to_owned()));
            }
            _ => self.game.set_extra(name, value),
        }
    }

    /// Takes what a label says; returns whether that can be meant.
    fn say_known(&mut self, label: Label, name: &str, value: &str) -> bool {
        let (game, said) = (&mut self.game, &mut self.said);
        let number = |most: u8| value.parse().ok().filter(|&number: &u8| number <= most);
        match label {
            Label::Black => game.black.name = fact(value),
            Label::White => game.white.name = fact(value),
            Label::Event => game.event = fact(value),
            Label::Round => game.round = fact(value),
            Label::TimeControl => game.time_control = fact(value),
            Label::BlackRating => return put(&mut game.black.rating, rating(value)),
            Label::WhiteRating => return put(&mut game.white.rating, rating(value)),
            Label::Date => self.say_a_day(name, value, false),
            Label::UtcDate => self.say_a_day(name, value, true),
            Label::Year => {
                let year = value.parse().ok().and_then(|year| Date::new(year, None, None));
                return put(&mut said.year, year);
            }
            Label::Time => game.set_extra("Time", value),
            Label::Site => game.set_extra("Site", value),
            Label::Notes => game.set_extra("Comment", value),
            Label::Result => self.say_a_result(value),
            // It may be of the game or of a match, by a number as well as in full.
            Label::Score => match read_result(value) {
                Some(stated) => said.score = Some(stated),
                None => game.set_extra(name, value),
            },
            Label::Winner => said.winner = Some((name.to_owned(), value.to_owned())),
            Label::BlackDiscs => return put(&mut said.discs.0, number(64)),
            Label::WhiteDiscs => return put(&mut said.discs.1, number(64)),
            Label::Theory => return put(&mut said.theory, theory(value)),
            Label::TheoryEmpties => return put(&mut said.theory_empties, number(60)),
            Label::Start => said.start = Some((name.to_owned(), value.to_owned())),
            Label::MaybeStart if is_meant_as_a_board(value) => {
                said.start = Some((name.to_owned(), value.to_owned()));
            }
            Label::Turn => said.turn = Some((name.to_owned(), value.to_owned())),
            Label::Xot => return put(&mut said.xot, yes_or_no(value)),
            Label::Kind => {
                self.fault = self.fault.take().or(check_variant(value).err());
                said.is_random |= begins_at_random(value);
                match says_xot(value) {
                    true => said.xot = said.xot.or(Some(true)),
                    false => game.set_extra(name, value),
                }
            }
            Label::BoardSize => {
                self.fault = self.fault.take().or(check_size(value).err());
                game.set_extra(name, value);
            }
            Label::Players | Label::Moves | Label::MaybeStart => game.set_extra(name, value),
        }
        true
    }

    /// Takes a result, which may be in words that nothing is known of.
    pub(super) fn say_a_result(&mut self, value: &str) {
        self.set_result(fact(value).and_then(|value| Stated::read_told(&value)));
    }

    /// Sets a result as it was read, with a note where nothing is known of its words.
    pub(super) fn set_result(&mut self, stated: Option<Stated>) {
        if let Some(Stated { score: None, how: Some(words) }) = &stated
            && read_result(words).is_none()
            && !words.bytes().all(|byte| byte.is_ascii_digit() || b":. ".contains(&byte))
        {
            self.notes.push(Note::Result(one_line(words, MOST_TOLD)));
        }
        self.game.stated = stated;
    }

    /// Of two dates, here and in UTC, the fuller one counts where it is one of the other's days, else the one
    /// here.
    fn say_a_day(&mut self, name: &str, value: &str, is_utc: bool) {
        let shown = |date: Option<Date>| date.map(|date| date.to_string()).unwrap_or_default();
        let known = shown(self.game.date);
        let new = shown(Date::read(value).map(|(date, _)| date));
        let says_no_more = !new.is_empty() && known.starts_with(&new);
        if says_no_more && says_a_day(value) {
            return;
        }
        if is_utc && !known.is_empty() && !new.starts_with(&known) {
            return self.game.set_extra(name, value);
        }
        self.set_date(name, value);
    }

    /// Puts together what has been said, before the moves are played.
    pub(super) fn settle(&mut self) {
        let said = std::mem::take(&mut self.said);
        self.game.date = self.game.date.or(said.year);
        self.settle_result(&said);
        if let (Some(black_discs), given) = (said.theory, said.theory_empties) {
            let empties = given.unwrap_or(USUAL_THEORY_EMPTIES);
            let is_reached = given.is_some() || self.entries.len() + usize::from(empties) >= 60;
            match is_reached {
                true => self.game.theoretical = Some(super::Theoretical { black_discs, empties }),
                // Of an unknown position.
                false => self.leave_out("theoretical", &black_discs.to_string()),
            }
        }
        self.settle_xot(said.xot);
        match &said.start {
            Some((_, board)) if is_usual(board) => {}
            Some((_, board)) => {
                match self.start_of(board, said.turn.as_ref().map(|(_, side)| &side[..])) {
                    // Some draw the last board above the moves.
                    Ok(start) if is_the_end_of(start, &self.entries) => {}
                    Ok(start) => self.game.start = start,
                    Err(why) => self.fault = self.fault.take().or(Some(why)),
                }
            }
            None => {
                if said.is_random && self.game.is_from_the_start() {
                    self.fault = self.fault.take().or_else(|| Some(Why::unknown_start()));
                }
                if let Some((name, side)) = &said.turn {
                    self.game.set_extra(name, side);
                }
            }
        }
    }

    fn settle_result(&mut self, said: &Said) {
        let names = [(&self.game.black.name, Side::Black), (&self.game.white.name, Side::White)];
        let winner = said.winner.as_ref().and_then(|(_, value)| {
            let named = || {
                let of = |(name, side): &(&Option<String>, Side)| {
                    let name = name.as_ref()?;
                    (label_key(name) == label_key(value)).then_some(Some(*side))
                };
                names.iter().find_map(of)
            };
            winner_of(value).or_else(named)
        });
        if let (Some((name, value)), None) = (&said.winner, winner) {
            self.game.set_extra(name, value);
        }
        // Those of one side alone are those on the board, and found there, if the game is over.
        self.discs_of_one = match said.discs {
            (Some(black), None) => Some(("BlackDiscs", black)),
            (None, Some(white)) => Some(("WhiteDiscs", white)),
            _ => None,
        };
        let discs = said.discs.0.zip(said.discs.1);
        let fits = |&(black, white): &(u8, u8)| black + white <= 64;
        if let Some((black, white)) = discs.filter(|discs| !fits(discs)) {
            self.leave_out("discs", &format!("{black}-{white}"));
        }
        let discs = discs.filter(fits).filter(|&discs| discs != (0, 0));
        let discs = discs.map(|(black, white)| StatedScore::Discs { black, white });
        let agrees = |winner| discs.and_then(|discs| Stated::score(discs).winner()) == Some(winner);
        // The winner is all that is known of a game that was not played to its end.
        let score = discs.filter(|_| winner.is_none_or(agrees));
        let score = score.or(winner.map(StatedScore::Winner)).map(Stated::score);
        self.game.stated = self.game.stated.take().or(said.score.clone()).or(score);
    }

    /// A tag says whether a game is one of XOT, else the name of its event does.
    fn settle_xot(&mut self, told: Option<bool>) {
        let by_event = self.game.event.as_deref().is_some_and(says_xot);
        if told == Some(false) && by_event {
            self.notes.push(Note::NoXot);
        }
        self.game.xot = told.unwrap_or(self.game.xot || by_event);
    }

    /// The board of a text, with the side that it names, or another fact does, or else the only one that could
    /// play these moves.
    fn start_of(&self, text: &str, turn: Option<&str>) -> Result<Placed, Why> {
        let wrong = |error: BoardError| match error {
            BoardError::Size { found } => Why::board_size(&found),
            _ if is_of_chess(text) => Why::OtherGame("chess, by its start position".to_owned()),
            error => Why::start(&error.to_string()),
        };
        let board = read_board(text).map_err(wrong)?;
        if board.said.is_some() || !board.behind.trim().is_empty() {
            board.check_end().map_err(wrong)?;
            return board.placed_as_said().map_err(wrong);
        }
        if let Some(side) = turn.and_then(side_of) {
            return Ok(board.with_side(side));
        }
        self.start_by_moves(&board).map_err(wrong)
    }

    /// A board with the side that its text names, or else the only one that could play these moves, or else Black
    /// where the number of discs is even, as Cassio does whose files name none.
    pub(super) fn start_by_moves(&self, board: &BoardText<'_>) -> Result<Placed, BoardError> {
        if board.said.is_some() || self.entries.is_empty() {
            return board.placed_as_said();
        }
        let sides = [Side::Black, Side::White].map(|side| board.with_side(side));
        let mut playable = sides.iter().filter(|start| replay(**start, &self.entries).is_ok());
        Ok(match (playable.next(), playable.next()) {
            (Some(start), None) => *start,
            _ => sides[board.discs() as usize % 2],
        })
    }
}

/// Whether these discs are those on the board after moves from the usual start.
fn is_the_end_of(board: Placed, entries: &[Entry]) -> bool {
    let discs = |board: Placed| match board.side {
        Side::Black => (board.position.mover, board.position.opponent),
        Side::White => (board.position.opponent, board.position.mover),
    };
    let played = replay(Placed::START, entries).ok().filter(|played| !played.moves.is_empty());
    played.is_some_and(|played| {
        discs(Line::from_board(Placed::START).then(&played.moves).board()) == discs(board)
    })
}

/// Whether the value of a word that may mean something else is a board, complete or not.
pub(super) fn is_meant_as_a_board(value: &str) -> bool {
    looks_like_a_board(value) || matches!(board_in(value), Some(Ok(_)))
}

/// Whether a name is that of the last board, by one of its words, alone or before one for a board: `final_board`,
/// `Endstellung`.
fn is_of_the_end(name: &str) -> bool {
    const WORDS: [&str; 16] = [
        "also",
        "final",
        "finale",
        "end",
        "ending",
        "ended",
        "endgame",
        "result",
        "results",
        "resulting",
        "last",
        "fin",
        "schluss",
        "letzte",
        "ultima",
        "derniere",
    ];
    // They are not parted from other words.
    const SIGNS: [&str; 5] = ["終", "终", "最後", "最后", "결과"];
    let is_board = |word: &str| matches!(label_of(word), Some(Label::Start | Label::MaybeStart));
    let is_one = |word: String| {
        WORDS.iter().any(|end| {
            word.strip_prefix(end).is_some_and(|behind| behind.is_empty() || is_board(behind))
        })
    };
    SIGNS.iter().any(|sign| name.contains(sign)) || words_of(name).map(label_key).any(is_one)
}

/// Whether a board is one of chess in FEN, which has pieces that no program uses for discs.
fn is_of_chess(board: &str) -> bool {
    let squares = board.split_whitespace().next().unwrap_or_default();
    squares.matches('/').count() == 7
        && squares.contains(['k', 'K'])
        && squares.bytes().all(|byte| b"/12345678kqrbnpKQRBNP".contains(&byte))
}

fn is_usual(board: &str) -> bool {
    fact(board).is_none() || USUAL_START.contains(&label_key(board).as_str())
}

/// The side that a word, a letter or a sign names.
pub(super) fn side_of(text: &str) -> Option<Side> {
    side_to_move(text).or_else(|| match label_of(text)? {
        Label::Black => Some(Side::Black),
        Label::White => Some(Side::White),
        _ => None,
    })
}

/// A text with plain digits for those of the width of Japanese letters.
fn with_plain_digits(text: &str) -> String {
    let plain = |c: char| match c {
        '０'..='９' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        _ => c,
    };
    text.chars().map(plain).collect()
}

/// Sets what was read; whether that was anything.
fn put<T>(slot: &mut Option<T>, value: Option<T>) -> bool {
    *slot = value;
    slot.is_some()
}

/// Black's discs of a theoretical score: `36`, `36-28`, `+8`.
fn theory(value: &str) -> Option<u8> {
    let discs = match value.starts_with(['+', '-']) || value.contains('-') {
        true => Stated::read(value)?.black_discs()?,
        false => value.parse().ok()?,
    };
    (discs <= 64).then_some(discs)
}

/// The side that won, none of a draw, in the words and numbers of tables.
fn winner_of(value: &str) -> Option<Option<Side>> {
    match value {
        "1" | "1.0" => Some(Some(Side::Black)),
        "-1" | "-1.0" => Some(Some(Side::White)),
        "0" | "0.0" => Some(None),
        words => read_winner(words).or_else(|| side_of(words).map(Some)),
    }
}

/// What a word for yes or no says.
fn yes_or_no(value: &str) -> Option<bool> {
    match value.to_ascii_lowercase().as_str() {
        "1" | "true" | "t" | "yes" | "y" | "xot" => Some(true),
        "0" | "false" | "f" | "no" | "n" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::files::games::testing::{read_text, refused};

    #[test]
    fn a_board_of_chess_is_told() {
        let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let told = refused(&format!("{{\"fen\":\"{board}\",\"moves\":\"e4\"}}"));
        assert!(told.ends_with("not Othello: chess, by its start position"), "{told}");
    }

    /// The board after f5.
    const BOARD: &str = "---------------------------OX------XXX-------------------------- O";

    #[test]
    fn a_board_under_any_name_is_the_start_unless_it_is_called_the_last() {
        for name in [
            "friendly",
            "calendar_board",
            "blast",
            "trend",
            "lasting",
            "weekendBoard",
            "x",
            "board_1",
            "Endre",
            "sobreFinanzas",
        ] {
            let game =
                &read_text(&format!("[{{\"{name}\":\"{BOARD}\",\"moves\":\"d6c3\"}}]"))[0].game;
            assert_eq!((game.start.position.discs(), game.moves.len()), (5, 2), "{name}");
            let game = &read_text(&format!("[{name} \"{BOARD}\"]\n[Black \"x\"]\n\nd6c3"))[0].game;
            assert_eq!((game.start.position.discs(), game.moves.len()), (5, 2), "{name}");
            let told = refused(&format!("{{\"{name}\":\"{BOARD}\",\"moves\":\"f5d6\"}}"));
            assert!(told.contains("move 1 \"f5\""), "{told}");
        }
        for name in [
            "final_board",
            "finalBoard",
            "FinalFEN",
            "end",
            "end-position",
            "Endstellung",
            "last board",
            "also_board",
            "also2_fen",
            "schlussstellung",
            "終局図",
            "最終局面",
            "plateau final",
            "LAST_POSITION",
            "result",
        ] {
            let game =
                &read_text(&format!("[{{\"{name}\":\"{BOARD}\",\"moves\":\"f5d6\"}}]"))[0].game;
            assert!(game.is_from_the_start() && game.moves.len() == 2, "{name}");
        }
    }
}
