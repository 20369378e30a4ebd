//! What counts of a name that is compared: its letters and digits, small, without accents and of one width.

use super::name_words::plain;

/// Katakana as the half of its width has it, from U+FF66 on.
const HALF: [char; 56] = [
    'ヲ', 'ァ', 'ィ', 'ゥ', 'ェ', 'ォ', 'ャ', 'ュ', 'ョ', 'ッ', 'ー', 'ア', 'イ', 'ウ', 'エ', 'オ',
    'カ', 'キ', 'ク', 'ケ', 'コ', 'サ', 'シ', 'ス', 'セ', 'ソ', 'タ', 'チ', 'ツ', 'テ', 'ト', 'ナ',
    'ニ', 'ヌ', 'ネ', 'ノ', 'ハ', 'ヒ', 'フ', 'ヘ', 'ホ', 'マ', 'ミ', 'ム', 'メ', 'モ', 'ヤ', 'ユ',
    'ヨ', 'ラ', 'リ', 'ル', 'レ', 'ロ', 'ワ', 'ン',
];

/// The letters and digits of a name: small, without accents, kana of one kind and width.
pub(super) fn letters(name: &str) -> String {
    let mut folded = String::with_capacity(name.len());
    for character in name.chars().flat_map(char::to_lowercase) {
        match character {
            'a'..='z' | '0'..='9' => folded.push(character),
            _ if character.is_ascii() => {}
            // Marks that half-width kana have behind them.
            '\u{ff9e}' => mark(&mut folded, 1),
            '\u{ff9f}' => mark(&mut folded, 2),
            _ => match plain(character) {
                Some(plain) => folded.push_str(plain),
                None => folded.extend(Some(wide(character)).filter(|c| c.is_alphanumeric())),
            },
        }
    }
    folded
}

/// A letter of Japanese text as the lists have it.
fn wide(character: char) -> char {
    let number = u32::from(character);
    let other = match character {
        'ｦ'..='ﾝ' => HALF.get((number - 0xff66) as usize).copied(),
        // Wide ASCII.
        '！'..='～' => char::from_u32(number - 0xfee0),
        // Hiragana.
        'ぁ'..='ゖ' => char::from_u32(number + 0x60),
        _ => None,
    };
    other.unwrap_or(character)
}

/// Puts a mark on the last letter: those with a mark come after those without.
fn mark(folded: &mut String, by: u32) {
    if let Some(last) = folded.pop() {
        let marked = if last == 'ウ' { Some('ヴ') } else { char::from_u32(u32::from(last) + by) };
        let is_kana = matches!(last, 'カ'..='ホ' | 'ウ');
        folded.push(marked.filter(|_| is_kana).unwrap_or(last));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_case_and_width_do_not_count() {
        for (name, folded) in [
            ("F.A.T. Draw", "fatdraw"),
            ("Parallèle", "parallele"),
            ("ne\u{301}o", "neo"),
            ("８－Ｓｈｏｔ", "8shot"),
            ("ローズビル", "ローズビル"),
            ("ﾛｰｽﾞﾋﾞﾙ", "ローズビル"),
            ("ろーずびる", "ローズビル"),
            ("ﾌﾟｰﾄﾞﾙ", "プードル"),
            ("兎外し・逆", "兎外シ逆"),
            ("", ""),
            ("ﾞ", ""),
        ] {
            assert_eq!(letters(name), folded, "{name}");
        }
    }
}
