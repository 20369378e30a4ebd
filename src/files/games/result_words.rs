//! How a game ended, in words and nothing else: `40-24 on time`, `Black wins 40-24`, `White resigned`,
//! `Black 40 White 24`.

use super::stated::{Stated, StatedScore, read_pair};
use crate::othello::board::Side;

/// Words that a result has no more of.
const MOST_WORDS: usize = 12;

/// Parts between blanks that a result has no more of: words, and marks between them.
pub(super) const MOST_PARTS: usize = 4 * MOST_WORDS;

/// Words that say nothing of how a game ended.
const FILLERS: [&str; 51] = [
    "result", "score", "final", "game", "over", "by", "on", "the", "for", "with", "of", "in", "at",
    "is", "was", "to", "due", "has", "and", "-", "disc", "discs", "disks", "points", "pieces",
    "stones", "ち", "の", "で", "方", "子", "le", "la", "les", "las", "los", "el", "il", "der",
    "die", "den", "des", "du", "für", "per", "para", "voor", "auf", "mit", "con", "avec",
];

#[derive(Clone, Copy, PartialEq, Debug)]
enum Word {
    Pair(StatedScore),
    /// A number without a sign.
    Number(u8),
    /// A number with one.
    Signed(f64),
    Side(Side),
    Wins,
    Draw,
    /// What the side before it did, which lost it the game.
    Loses(Option<&'static str>),
    /// How a game ended, for either loser.
    How(&'static str),
}

/// Reads a text that is a result, whole; none where there is anything else in it, and where its parts cannot
/// all be true.
pub(super) fn read_result(text: &str) -> Option<Stated> {
    let plain = short(text)?;
    let all = parts(&plain)?;
    if let [word] = all[..]
        && let Some(stated) = Stated::read_lead(word)
    {
        return Some(stated);
    }
    let words = meanings(&all)?;
    // A side or a number alone may be anything.
    let says_something = words.iter().any(|word| !matches!(word, Word::Number(_) | Word::Side(_)));
    match discs_of_sides(&words) {
        Some(score) => Some(Stated::score(score)),
        None if says_something => of_words(&words, text),
        None => None,
    }
}

/// Reads a text that says what one of two players did, whole: `Ann wins 40-24`, `Ann beat Bob`, `Bob resigned`.
/// Of a winner who is named the larger number is meant, whichever comes first.
pub(super) fn read_result_of(text: &str, black: &str, white: &str) -> Option<Stated> {
    let is_side = |name: &str| matches!(meaning(&name.to_lowercase()), Some(Word::Side(_)));
    if text.len() > LONGEST_OF_PLAYERS || is_side(black) || is_side(white) {
        return None;
    }
    // The longer name first: the other one may be a part of it.
    let mut sides = [(black, "black"), (white, "white")];
    sides.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    let told =
        sides.iter().try_fold(text.to_owned(), |told, (name, side)| replaced(&told, name, side))?;
    let plain = short(&told).filter(|_| told != text)?;
    let words = meanings(&parts(&plain)?)?;
    if !words.iter().any(|word| matches!(word, Word::Wins | Word::Loses(_))) {
        return None;
    }
    let stated = of_words(&words, text)?;
    let pair = words.iter().find_map(|word| match *word {
        Word::Pair(StatedScore::Discs { black, white }) => Some((black, white)),
        _ => None,
    });
    Some(match (stated.score, pair) {
        (Some(StatedScore::Winner(Some(_))), Some((black, white))) => {
            Stated::score(StatedScore::Discs { black: white, white: black })
        }
        _ => stated,
    })
}

/// Bytes of such a text.
const LONGEST_OF_PLAYERS: usize = 200;

/// A text with another word for a name that stands in it as one; none where there is no name.
fn replaced(text: &str, name: &str, word: &str) -> Option<String> {
    let is_apart = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    let (before, behind) = match (!name.is_empty()).then(|| text.split_once(name))? {
        Some(parts) => parts,
        None => return Some(text.to_owned()),
    };
    let is_word = is_apart(before.chars().next_back()) && is_apart(behind.chars().next());
    Some(if is_word { format!("{before}{word}{behind}") } else { text.to_owned() })
}

/// A text as [`plain`] makes it, if it is short enough and has no squares in it.
fn short(text: &str) -> Option<String> {
    // Checked before anything is copied: the reader of a long line asks behind each of its words.
    for (index, word) in text.split_whitespace().enumerate() {
        if index == MOST_PARTS || is_square(word) {
            return None;
        }
    }
    Some(plain(text))
}

/// The words of a plain text.
fn parts(plain: &str) -> Option<Vec<&str>> {
    let all: Vec<&str> =
        plain.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect();
    (!all.is_empty() && all.len() <= MOST_WORDS).then_some(all)
}

/// What words mean, but for those that say nothing; none where there is another one.
fn meanings(all: &[&str]) -> Option<Vec<Word>> {
    let mut words = Vec::new();
    for word in all.iter().filter(|word| !FILLERS.contains(word)) {
        // `B30 W34`
        let side = word.strip_prefix(['b', 'w']).filter(|discs| is_number(discs));
        match side {
            Some(discs) => words.extend([meaning(word.get(..1)?)?, meaning(discs)?]),
            None => words.push(meaning(word)?),
        }
    }
    Some(words)
}

/// Whether a word is a square, which nothing of a result is: but `b4` may be discs of Black.
pub(super) fn is_square(word: &str) -> bool {
    matches!(word.as_bytes(), [b'a' | b'c'..=b'h' | b'A' | b'C'..=b'H', b'1'..=b'8'])
}

/// Small letters, one kind of dash, no blanks inside of `40 - 24`, and blanks around what stands for a side.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    for character in text.trim().chars() {
        match character {
            '–' | '—' | '−' | '－' => plain.push('-'),
            '：' => plain.push(':'),
            '●' | '○' | '⚫' | '⚪' | '黒' | '白' | '黑' | '흑' | '백' | '対' | '比' | '石'
            | '勝' | '胜' | '승' | 'ち' | 'の' | 'で' | '方' | '子' => {
                plain.extend([' ', character, ' '])
            }
            '\u{ff10}'..='\u{ff19}' => {
                plain.extend(char::from_u32(u32::from(character) - 0xfee0));
            }
            other => plain.extend(other.to_lowercase()),
        }
    }
    for (from, to, elsewhere) in [
        (" - ", "-", " - "),
        (" : ", ":", " - "),
        (": ", ":", " - "),
        (" 対 ", "-", " - "),
        (" 比 ", "-", " - "),
        (" a ", "-", " a "),
        (" à ", "-", " à "),
        (" to ", "-", " to "),
        (" zu ", "-", " zu "),
        (" tegen ", "-", " tegen "),
    ] {
        // Other numbers have these words between them, too.
        let is_word = matches!(from, " to " | " zu " | " tegen ");
        let is_whole = |before: &str, behind: &str| {
            let black = before.rsplit(|c: char| !c.is_ascii_digit()).next().map(str::parse::<u8>);
            let white = behind.split(|c: char| !c.is_ascii_digit()).next().map(str::parse::<u8>);
            matches!((black, white), (Some(Ok(black)), Some(Ok(white))) if black.checked_add(white) == Some(64))
        };
        let parts: Vec<&str> = plain.split(from).collect();
        let mut joined = String::new();
        for (index, part) in parts.iter().enumerate() {
            let is_between_numbers = index > 0
                && joined.ends_with(|c: char| c.is_ascii_digit())
                && part.starts_with(|c: char| c.is_ascii_digit())
                && (!is_word || is_whole(&joined, part));
            joined.push_str(if index == 0 {
                ""
            } else if is_between_numbers {
                to
            } else {
                elsewhere
            });
            joined.push_str(part);
        }
        plain = joined;
    }
    plain
}

/// A word without the marks around it.
fn bare(word: &str) -> &str {
    let word = word
        .trim_matches(['(', ')', '[', ']', '{', '}', ',', ';', '.', ':', '!', '"', '\'', '=', '|']);
    if word == "-" { word } else { word.trim_end_matches('-') }
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

fn meaning(word: &str) -> Option<Word> {
    let number = || is_number(word).then(|| word.parse().ok())?;
    let signed = || {
        let number: f64 = word.starts_with(['+', '-']).then(|| word.parse().ok())??;
        (number.abs() <= 64.0).then_some(number)
    };
    // `0:45` is a time, `3/4` a date: only what adds up to a whole board is none.
    let with_mark = || {
        let pair = read_pair(&word.replace([':', '/'], "-"))?;
        let is_whole = matches!(pair, StatedScore::Discs { black, white } if black + white == 64);
        is_whole.then_some(pair)
    };
    if let Some(score) = read_pair(word).or_else(with_mark) {
        return Some(Word::Pair(score));
    }
    if let Some(number) = number() {
        return (number <= 64).then_some(Word::Number(number));
    }
    if let Some(number) = signed() {
        return Some(Word::Signed(number));
    }
    Some(match word {
        "black" | "b" | "●" | "⚫" | "黒" | "黑" | "흑" | "noir" | "noirs" | "schwarz"
        | "negro" | "negras" | "nero" | "zwart" => Word::Side(Side::Black),
        "white" | "w" | "○" | "⚪" | "白" | "백" | "blanc" | "blancs" | "weiß" | "weiss"
        | "blanco" | "blancas" | "bianco" | "wit" => Word::Side(Side::White),
        "win" | "wins" | "won" | "winner" | "勝" | "胜" | "승" | "gewinnt" | "gagne"
        | "gagnent" | "gana" | "ganan" | "vince" | "wint" | "beat" | "beats" | "defeated"
        | "defeats" | "victory" | "victoire" | "victoria" | "vittoria" | "sieg" => Word::Wins,
        "draw" | "drawn" | "tie" | "tied" | "引き分け" => Word::Draw,
        "resigns" | "resigned" | "gibt" | "abandonne" | "abandonnent" => {
            Word::Loses(Some("resigned"))
        }
        "lost" | "loses" => Word::Loses(None),
        "timed" => Word::Loses(Some("time")),
        "forfeits" | "forfeited" => Word::Loses(Some("forfeit")),
        "left" | "disconnected" | "abandoned" => Word::Loses(Some("left")),
        "resign" | "resignation" => Word::How("resigned"),
        "time" | "timeout" | "time-out" | "out" | "clock" | "flag" => Word::How("time"),
        "forfeit" | "default" => Word::How("forfeit"),
        "disconnection" | "disconnect" => Word::How("left"),
        "agreed" | "agreement" => Word::How("agreed"),
        "adjourned" => Word::How("adjourned"),
        "aborted" => Word::How("aborted"),
        "unfinished" => Word::How("unfinished"),
        _ => return None,
    })
}

/// Discs of both sides, each with its side: `Black 40 White 24`, `40 Black, 24 White`.
fn discs_of_sides(words: &[Word]) -> Option<StatedScore> {
    let discs = match *words {
        [Word::Side(one), Word::Number(first), Word::Side(other), Word::Number(second)]
        | [Word::Number(first), Word::Side(one), Word::Number(second), Word::Side(other)]
            if one != other =>
        {
            if one == Side::Black {
                (first, second)
            } else {
                (second, first)
            }
        }
        _ => return None,
    };
    read_pair(&format!("{:02}-{:02}", discs.0, discs.1))
}

/// What all words say together.
fn of_words(words: &[Word], text: &str) -> Option<Stated> {
    let (mut score, mut winner, mut how) = (None, None, None);
    let mut subject = None;
    let (mut is_won, mut by) = (false, None);
    for &word in words {
        match word {
            Word::Pair(pair) if score.is_none() => score = Some(pair),
            Word::Signed(number) if score.is_none() => {
                let is_white = subject == Some(Side::White);
                score = Some(StatedScore::Difference(if is_white { -number } else { number }));
            }
            Word::Number(number) if by.is_none() => by = Some(number),
            Word::Pair(_) | Word::Signed(_) | Word::Number(_) => return None,
            Word::Side(side) => {
                // `Win for Black`
                if is_won && subject.is_none() {
                    agree(&mut winner, Some(side))?;
                }
                subject = Some(side);
            }
            Word::Wins => {
                is_won = true;
                if let Some(side) = subject {
                    agree(&mut winner, Some(side))?;
                }
            }
            Word::Draw => agree(&mut winner, None)?,
            Word::Loses(told) => {
                if let Some(side) = subject {
                    agree(&mut winner, Some(side.other()))?;
                } else if told.is_none() {
                    return None;
                }
                how = how.or(told);
            }
            Word::How(told) => how = how.or(Some(told)),
        }
    }
    // The winner is not named: `Black on time` may be either.
    if winner.is_none() && subject.is_some() && score.is_none() {
        return None;
    }
    let how = how.map(str::to_owned);
    match (score, by, winner) {
        (None, Some(by), Some(Some(side))) if by > 0 => {
            let by = f64::from(by);
            let by = if side == Side::Black { by } else { -by };
            Some(Stated { score: Some(StatedScore::Difference(by)), how })
        }
        (_, Some(_), _) => None,
        (None, None, Some(side)) => Some(Stated { score: Some(StatedScore::Winner(side)), how }),
        (None, None, None) => how.map(|how| Stated { score: None, how: Some(how) }),
        (Some(pair), None, _) => {
            let stated = Stated { score: Some(pair), how };
            let meant = winner.or(subject.map(Some));
            if meant.is_none() || meant == stated.winner() {
                return Some(stated);
            }
            // `White wins 40-24`: the winner's discs may come first, or it is a mistake.
            let side = winner.filter(|side| side.is_some())?;
            let words = Some(text.trim().to_owned());
            Some(Stated { score: Some(StatedScore::Winner(side)), how: words })
        }
    }
}

/// Sets the winner; none where another one was named before.
fn agree(winner: &mut Option<Option<Side>>, more: Option<Side>) -> Option<()> {
    (*winner.get_or_insert(more) == more).then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read_from_words() {
        for (text, shown) in [
            ("40-24 on time", "40-24 (time)"),
            ("Black wins 40-24", "40-24"),
            ("64-0 (resigned)", "64-0 (resigned)"),
            ("33:31 time forfeit", "33-31 (time)"),
            ("40 - 24", "40-24"),
            ("40 : 24", "40-24"),
            ("40/24", "40-24"),
            ("40 a 24", "40-24"),
            ("40–24", "40-24"),
            ("Final score: 40 — 24", "40-24"),
            ("Black won by 16 discs", "+16"),
            ("White wins by 16.", "-16"),
            ("White wins 24-40", "24-40"),
            ("Black 40, White 24", "40-24"),
            ("White: 24 Black: 40", "40-24"),
            ("40 black 24 white", "40-24"),
            ("●40 ○24", "40-24"),
            ("黒40-白24", "40-24"),
            ("４０対２４", "40-24"),
            ("White resigned", "1-0 (resigned)"),
            ("Black resigns", "0-1 (resigned)"),
            ("White lost on time", "1-0 (time)"),
            ("white timed out", "1-0 (time)"),
            ("Black wins, White resigned", "1-0 (resigned)"),
            ("Win for Black", "1-0"),
            ("won by Black", "1-0"),
            ("Black beat White 40-24", "40-24"),
            ("Schwarz gewinnt", "1-0"),
            ("Blancs gagnent", "0-1"),
            ("黒勝ち", "1-0"),
            ("白の勝ち", "0-1"),
            ("黑胜 40比24", "40-24"),
            ("흑승", "1-0"),
            ("Vince il Nero 40-24", "40-24"),
            ("Victoire des Noirs", "1-0"),
            ("Weiß gibt auf", "1-0 (resigned)"),
            ("40 zu 24", "40-24"),
            ("Black wins 40 to 24", "40-24"),
            ("40対24で黒の勝ち", "40-24"),
            ("黑方胜", "1-0"),
            ("黑胜16子", "+16"),
            ("Draw", "1/2-1/2"),
            ("Draw 32-32", "32-32"),
            ("B+16", "+16"),
            ("W+Resign", "0-1 (resigned)"),
            ("white +16", "-16"),
            ("-8 on time", "-8 (time)"),
            ("resigned", "resigned"),
            ("W 24-40", "24-40"),
            // Whose discs come first is not known: only the winner is.
            ("White wins 40-24", "0-1 (White wins 40-24)"),
        ] {
            let stated = read_result(text).map(|stated| stated.to_string());
            assert_eq!(stated.as_deref(), Some(shown), "{text}");
        }
        for text in [
            "",
            "40",
            "Black",
            "Black on time",
            "W 40-24",
            "Draw 40-24",
            "40-24 64-0",
            "Black wins White wins",
            "40-24 Ann",
            "12-10 games today",
            "10 to 12",
            "Black wins 70",
            "Black 50 White 40",
            "lost",
            "f5d6",
            "65-0",
            "by time 3",
            "Black wins by 16 40-24",
            "Black 40 Black 24",
            "won by a mile",
            "0:45",
            "12:33",
            "0:00",
        ] {
            assert_eq!(read_result(text), None, "{text}");
        }
    }

    #[test]
    fn players_win_by_name() {
        for (text, shown) in [
            ("Ann wins 40-24", Some("40-24")),
            ("Bob wins 40-24", Some("24-40")),
            ("Bob wins 24-40.", Some("24-40")),
            ("Ann Lee wins by 16", Some("+16")),
            ("Ann won", Some("1-0")),
            ("Ann beat Bob 40-24", Some("40-24")),
            ("Ann lost to Bob 40-24", Some("24-40")),
            ("Bob resigned", Some("1-0 (resigned)")),
            ("Ann lost on time", Some("0-1 (time)")),
            ("Gewonnen hat Ann", None),
            // The head of a game.
            ("Ann 40-24 Bob", None),
            ("Ann 24-40 Bob", None),
            ("Ann 40 - Bob 24", None),
            ("Annika wins 40-24", None),
            ("Black wins 40-24", None),
            ("Ann wins a cup", None),
        ] {
            let black = if text.contains("Lee") { "Ann Lee" } else { "Ann" };
            let stated = read_result_of(text, black, "Bob").map(|stated| stated.to_string());
            assert_eq!(stated.as_deref(), shown, "{text}");
        }
        assert_eq!(read_result_of("Black wins", "Black", "Bob"), None);
    }
}
