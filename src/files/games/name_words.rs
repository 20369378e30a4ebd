//! Names of people as words that can be compared: sources write them in many ways.

/// The words of a name in lower case and without accents: `Van den Biggelaar, Günther` and
/// `GUNTHER V/D BIGGELAAR` have `biggelaar` and `gunther` in common. Text in parentheses, the author
/// of a program, counts too.
pub(super) fn name_words(name: &str) -> Vec<String> {
    let mut words = words_in(name, plain);
    for word in &mut words {
        *word = folded_word(word);
    }
    words.sort();
    words.dedup();
    words
}

/// The words of a name in small letters, in its order; `letters` says what is written for a letter that
/// has an accent.
pub(super) fn words_in(name: &str, letters: fn(char) -> Option<&'static str>) -> Vec<String> {
    let mut words = vec![String::new()];
    for character in name.to_lowercase().replace("v/d", "van den").chars() {
        match letters(character) {
            Some(plain) => words.last_mut().into_iter().for_each(|word| word.push_str(plain)),
            None if character.is_alphanumeric() => {
                words.last_mut().into_iter().for_each(|word| word.push(character));
            }
            // An accent of its own, as some systems write them, and apostrophes inside a name.
            None if matches!(character, '\u{300}'..='\u{36f}' | '\'' | '’' | '`') => {}
            None => words.push(String::new()),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// A word without the e that follows a letter for its umlaut, as keyboards without umlauts write
/// it.
pub(super) fn folded_word(word: &str) -> String {
    word.replace("ae", "a").replace("oe", "o").replace("ue", "u")
}

/// The words of a name as one text, by which it is searched for: `biggelaar den van`.
pub fn folded_name(name: &str) -> String {
    name_words(name).join(" ")
}

/// Whether the names of two games may be of the same people: they have a word in common. An initial
/// is no word, unless a name has nothing else.
pub(super) fn may_be_the_same(first: &[&str], second: &[&str]) -> bool {
    let (first, second) = (telling_words(first), telling_words(second));
    first.iter().any(|word| second.contains(word))
}

/// How the names of two games compare.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Alike {
    /// All words are the same, or one has more of them, or initials for some.
    Same,
    /// Each has a word that the other does not have.
    Differ,
    /// As [`Alike::Differ`], and a word is a number or another mark that people and programs of one name are told
    /// apart by: `bot 1` and `bot 2`, `4.5` and `4.6`, `Kim Jr` and `Kim Sr`, `ant+` and `ant-`.
    Marked,
}

/// Compares two names of one source, or the marks in those of two.
pub(super) fn compare(one: &str, other: &str) -> Alike {
    let sign = |name: &str| name.trim_end().chars().next_back().filter(|c| matches!(c, '+' | '-'));
    let (words, others) = (name_words(one), name_words(other));
    let only_in = |words: &[String], others: &[String]| -> Vec<String> {
        let is_initial = |word: &str, of: &str| word.chars().count() == 1 && of.starts_with(word);
        let is_known = |word: &String| {
            others
                .iter()
                .any(|other| word == other || is_initial(word, other) || is_initial(other, word))
        };
        words.iter().filter(|word| !is_known(word)).cloned().collect()
    };
    let (first, second) = (only_in(&words, &others), only_in(&others, &words));
    // One digit begins another number.
    let numbers = |words: &[String]| -> Vec<String> {
        words.iter().filter(|word| is_mark(word)).cloned().collect()
    };
    let (marks, other_marks) = (numbers(&words), numbers(&others));
    let are_marked = !marks.is_empty() && !other_marks.is_empty() && marks != other_marks;
    match () {
        () if are_marked || (words == others && sign(one) != sign(other)) => Alike::Marked,
        () if first.is_empty() || second.is_empty() => Alike::Same,
        () => Alike::Differ,
    }
}

/// Whether a word tells those apart that have one name.
fn is_mark(word: &str) -> bool {
    word.contains(|c: char| c.is_ascii_digit())
        || ["jr", "sr", "junior", "senior", "ii", "iii", "iv"].contains(&word)
}

/// The words of which names of the same people have one in common.
pub(super) fn telling_words(names: &[&str]) -> Vec<String> {
    names.iter().flat_map(|name| telling(name)).collect()
}

fn telling(name: &str) -> Vec<String> {
    let words = name_words(name);
    let long: Vec<String> = words.iter().filter(|word| word.chars().count() > 1).cloned().collect();
    if long.is_empty() { words } else { long }
}

/// A small letter without its accent, where it has one.
pub(super) const fn plain(letter: char) -> Option<&'static str> {
    Some(match letter {
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' | 'ā' | 'ą' | 'ă' => "a",
        'æ' => "ae",
        'ç' | 'ć' | 'č' | 'ĉ' => "c",
        'ď' | 'đ' | 'ð' => "d",
        'è' | 'é' | 'ê' | 'ë' | 'ē' | 'ę' | 'ě' | 'ė' => "e",
        'ğ' | 'ģ' => "g",
        'ì' | 'í' | 'î' | 'ï' | 'ī' | 'ı' | 'į' => "i",
        'ł' | 'ľ' | 'ļ' => "l",
        'ñ' | 'ń' | 'ň' | 'ņ' => "n",
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' | 'ō' | 'ő' => "o",
        'œ' => "oe",
        'ř' | 'ŕ' => "r",
        'ś' | 'š' | 'ş' | 'ș' => "s",
        'ß' => "ss",
        'ť' | 'ţ' | 'ț' => "t",
        'þ' => "th",
        'ù' | 'ú' | 'û' | 'ü' | 'ū' | 'ů' | 'ű' | 'ų' => "u",
        'ý' | 'ÿ' => "y",
        'ź' | 'ż' | 'ž' => "z",
        _ => return None,
    })
}

/// As [`plain`], with the umlauts written out as two letters.
pub(super) const fn written_out(letter: char) -> Option<&'static str> {
    match letter {
        'ä' => Some("ae"),
        'ö' | 'ø' => Some("oe"),
        'ü' => Some("ue"),
        _ => plain(letter),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_person_written_in_two_ways() {
        for (first, second) in [
            ("Van den Biggelaar Nicky", "VAN DEN BIGGELAAR, Nicky"),
            ("V/D Berg Jan", "van den berg j."),
            ("Müller Günther", "MULLER G"),
            ("Mu\u{308}ller", "Muller"),
            ("Gärtner", "GAERTNER"),
            ("Nick O'Brien", "OBrien"),
            ("Łukasz", "lukasz"),
            ("Takeshi Murakami", "Murakami"),
            ("村上健", "村上健"),
            ("Logistello (M. Buro)", "Buro"),
            ("K", "k"),
        ] {
            assert!(may_be_the_same(&[first], &[second]), "{first} and {second}");
        }
        for (first, second) in
            [("Murakami Takeshi", "Kashiwabara Takuji"), ("Berg J", "Muller J"), ("", "Berg")]
        {
            assert!(!may_be_the_same(&[first], &[second]), "{first} and {second}");
        }
    }
}
