//! The squares of a board in a row, from a1 to h1, a2 to h2, and so on.

use super::error::BoardError;
use crate::othello::board::Side;

/// Squares of a board.
const SQUARES: usize = 64;

/// What is read before the side to move.
pub(super) struct Squares<'t> {
    pub black: u64,
    pub white: u64,
    /// What the signs of these squares can mean as a side to move.
    pub signs: Signs,
    pub behind: &'t str,
}

/// Which signs other than letters name a side behind a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Signs {
    /// The squares are letters, and none of them a zero: a zero behind them is a score.
    Letters,
    /// White discs are zeros.
    Noughts,
    /// 0 is empty, 1 black, 2 white.
    Digits,
}

/// Some disc, an empty square, or no sign of a board at all.
pub(super) const fn square(sign: char) -> Option<Option<Side>> {
    match sign {
        'X' | 'x' | '*' | 'B' | 'b' | '@' | '\u{25cf}' | '\u{26ab}' | '\u{2b24}' | '\u{1f535}'
        | '#' | '\u{25c6}' | '黒' | '黑' | 'Ｘ' | 'ｘ' | '＊' | 'Ｂ' | 'ｂ' => {
            Some(Some(Side::Black))
        }
        'O' | 'o' | '0' | 'W' | 'w' | '\u{25c7}' | '\u{25cb}' | '\u{26aa}' | '\u{25ef}'
        | '\u{3007}' | '白' | 'Ｏ' | 'ｏ' | 'Ｗ' | 'ｗ' | '０' => Some(Some(Side::White)),
        '-' | '.' | '_' | '+' | '\u{b7}' | '\u{30fb}' | '\u{ff65}' | '\u{2013}' | '\u{2014}'
        | '~' | '\u{1f7e9}' | '．' | '－' | '＿' | '＋' | '\u{25a1}' | '\u{2b1c}' | '\u{253c}' => {
            Some(None)
        }
        _ => None,
    }
}

/// The same for boards of digits.
pub(super) const fn digit(sign: char) -> Option<Option<Side>> {
    match sign {
        '1' | '１' => Some(Some(Side::Black)),
        '2' | '２' => Some(Some(Side::White)),
        '0' | '０' | '-' | '.' | '_' => Some(None),
        _ => None,
    }
}

/// Whether a character is a square of a board in some way of drawing one.
pub(crate) const fn is_board_sign(sign: char) -> bool {
    square(sign).is_some() || digit(sign).is_some()
}

/// Whether a character only parts squares or rows, or says how the one before it is drawn.
pub(super) const fn is_gap(character: char) -> bool {
    character.is_whitespace()
        || matches!(
            character,
            '|' | '/' | ',' | '\u{2502}' | '\u{2503}' | '\u{ff5c}' | '\u{fe0e}' | '\u{fe0f}'
        )
}

/// The signs of the squares that a text begins with.
pub(super) fn signs_of(text: &str) -> Signs {
    let signs = || text.chars().filter(|&character| !is_gap(character)).take(SQUARES);
    match signs().all(|sign| digit(sign).is_some()) && signs().any(|sign| "12１２".contains(sign))
    {
        true => Signs::Digits,
        false => Signs::Letters,
    }
}

/// Whether the first signs of a text are those of squares. A line of moves has a digit in each of
/// them, and names are other words.
pub(super) fn begins_with_squares(text: &str) -> bool {
    let signs = || text.chars().filter(|&character| !is_gap(character)).take(16);
    let odd = || signs().filter(|&sign| square(sign).is_none()).count();
    signs().count() == 16 && (odd() <= 4 || signs().all(|sign| digit(sign).is_some()))
}

/// Reads 64 squares, and leaves the text that follows.
pub(super) fn read_squares(text: &str) -> Result<Squares<'_>, BoardError> {
    let mut signs = signs_of(text);
    let (mut black, mut white) = (0u64, 0u64);
    let (mut found, mut in_word, mut longest) = (0usize, 0usize, 0usize);
    let mut last = ' ';
    let mut end = text.len();
    for (at, (byte, sign)) in text.char_indices().enumerate() {
        if found == SQUARES && !matches!(sign, '\u{fe0e}' | '\u{fe0f}') {
            end = byte;
            break;
        }
        // How the sign before it is drawn.
        if matches!(sign, '\u{fe0e}' | '\u{fe0f}') {
            continue;
        }
        if is_gap(sign) {
            longest = longest.max(in_word);
            in_word = 0;
            continue;
        }
        let disc = match signs {
            Signs::Digits => digit(sign),
            Signs::Letters | Signs::Noughts => square(sign),
        };
        let Some(disc) = disc else {
            // What follows too few squares is no square of them.
            let is_behind =
                found > 0 && (in_word == 0 || matches!(sign, ';' | '%' | ']' | ')' | '"'));
            return Err(match is_behind {
                true => BoardError::Squares {
                    found: found - usize::from(is_side(last, in_word, longest)),
                },
                false => BoardError::Character { found: sign, at: at + 1 },
            });
        };
        let bit = 1u64 << found;
        match disc {
            Some(Side::Black) => black |= bit,
            Some(Side::White) => white |= bit,
            None => {}
        }
        if sign == '0' && signs == Signs::Letters {
            signs = Signs::Noughts;
        }
        (found, in_word, last) = (found + 1, in_word + 1, sign);
    }
    // The last sign is the side to move, not a square, where it is alone and squares are not, and moves may follow.
    if is_side(last, in_word, longest) {
        found -= 1;
    }
    match found == SQUARES {
        true => Ok(Squares { black, white, signs, behind: text.get(end..).unwrap_or_default() }),
        false => Err(BoardError::Squares { found }),
    }
}

/// Whether a sign is a side to move: it is alone, and others are not.
fn is_side(sign: char, in_word: usize, longest: usize) -> bool {
    let is_disc = square(sign).is_some_and(|disc| disc.is_some()) || matches!(sign, '1' | '2');
    is_disc && in_word <= 1 && longest > 1
}

/// How many more squares follow 64 of them, without the side to move.
pub(super) fn more_squares(behind: &str) -> usize {
    let is_score = |word: &str| {
        let number = word.strip_prefix(['+', '-']);
        word == "0"
            || number.is_some_and(|number| number.starts_with(|sign: char| sign.is_ascii_digit()))
    };
    let are_squares = |word: &&str| word.chars().all(|sign| square(sign).is_some());
    let words = behind.split(is_gap).filter(|word| !word.is_empty());
    let words = words.take_while(|word| *word != "--" && !is_score(word)).take_while(are_squares);
    let lengths: Vec<usize> = words.map(|word| word.chars().count()).collect();
    let has_side = lengths.len() > 1 && lengths.last() == Some(&1);
    lengths.iter().sum::<usize>() - usize::from(has_side)
}
