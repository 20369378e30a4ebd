//! Names as people ask for them.

use super::name_words::{folded_word, plain, words_in, written_out};

/// A name that is asked for: a whole one, or the beginnings of some of its words in any order. Capitals,
/// accents and marks do not count, and umlauts may be written out.
#[derive(Clone, Debug)]
pub(crate) struct AskedName {
    /// The longest first.
    words: Vec<Word>,
}

/// A word as it may be spelt.
#[derive(Clone, Debug)]
struct Word {
    /// Without accents: `muller`.
    plain: String,
    /// With umlauts written out: `mueller`.
    long: String,
}

/// How well a name fits: the best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Fit {
    Whole,
    /// Words of it begin so.
    Begins,
    /// It is the name if an e behind a, o or u is there for an umlaut, which may not be so: a Michael
    /// is no Michal.
    FoldedWhole,
    /// The same of its beginnings.
    FoldedBegins,
}

impl Fit {
    /// The same where a whole name is a beginning as others are.
    const fn beginning(self) -> Self {
        match self {
            Self::Whole | Self::Begins => Self::Begins,
            Self::FoldedWhole | Self::FoldedBegins => Self::FoldedBegins,
        }
    }
}

impl AskedName {
    pub(crate) fn of(text: &str) -> Self {
        let mut words = Word::all(text);
        // A word that fits the longest fits its beginnings, too: so none takes the word of another.
        words.sort_by_key(|word| std::cmp::Reverse(word.plain.len()));
        Self { words }
    }

    /// Those whose names are meant: those of just this name; if there are none, all of whose names each
    /// word that is asked for begins a word of its own. What is an umlaut in one of the two and only
    /// may be one in the other counts where nothing else fits.
    pub(crate) fn meant<T>(
        &self,
        from: impl IntoIterator<Item = T>,
        name: impl Fn(&T) -> &str,
    ) -> Vec<T> {
        self.best(from, |each| self.fit(name(each)))
    }

    /// As [`Self::meant`], but a whole name is a beginning as others are.
    pub(crate) fn begun<T>(
        &self,
        from: impl IntoIterator<Item = T>,
        name: impl Fn(&T) -> &str,
    ) -> Vec<T> {
        self.best(from, |each| self.fit(name(each)).map(Fit::beginning))
    }

    /// Whether this is all of a name.
    pub(crate) fn is_whole(&self, name: &str) -> bool {
        matches!(self.fit(name), Some(Fit::Whole | Fit::FoldedWhole))
    }

    /// Whether this is a part of a name: whole words of it, but not all.
    pub(crate) fn is_part_of(&self, name: &str) -> bool {
        let words = Word::all(name);
        (1..words.len()).contains(&self.words.len()) && self.each_has_its_own(&words, Word::is)
    }

    /// Whether a name may fit, by its words as [`super::folded_name`] has them: quicker than to look at the
    /// name itself.
    pub(crate) fn may_fit(&self, folded: &str) -> bool {
        !self.words.is_empty()
            && self.words.iter().all(|asked| {
                let asked = folded_word(&asked.plain);
                folded.split(' ').any(|word| word.starts_with(&asked))
            })
    }

    fn best<T>(
        &self,
        from: impl IntoIterator<Item = T>,
        fit: impl Fn(&T) -> Option<Fit>,
    ) -> Vec<T> {
        let (mut best, mut found) = (Fit::FoldedBegins, Vec::new());
        for each in from {
            let Some(fit) = fit(&each).filter(|&fit| fit <= best) else { continue };
            if fit < best {
                found.clear();
                best = fit;
            }
            found.push(each);
        }
        found
    }

    fn fit(&self, name: &str) -> Option<Fit> {
        let words = Word::all(name);
        if self.words.is_empty() || self.words.len() > words.len() {
            return None;
        }
        let is_long_enough = self.words.len() == words.len();
        [
            (Fit::Whole, is_long_enough, Word::is as fn(&Word, &Word) -> bool),
            (Fit::Begins, true, Word::begins),
            (Fit::FoldedWhole, is_long_enough, Word::is_folded),
            (Fit::FoldedBegins, true, Word::begins_folded),
        ]
        .into_iter()
        .find(|&(_, may_be, fits)| may_be && self.each_has_its_own(&words, fits))
        .map(|(fit, ..)| fit)
    }

    /// Whether for each word that is asked for there is one that fits and that no other one needs.
    fn each_has_its_own(&self, words: &[Word], fits: fn(&Word, &Word) -> bool) -> bool {
        let mut free: Vec<&Word> = words.iter().collect();
        self.words.iter().all(|asked| {
            let place = free.iter().position(|word| fits(asked, word));
            place.map(|place| free.swap_remove(place)).is_some()
        })
    }
}

impl Word {
    fn all(name: &str) -> Vec<Self> {
        let long = words_in(name, written_out).into_iter();
        words_in(name, plain)
            .into_iter()
            .zip(long)
            .map(|(plain, long)| Self { plain, long })
            .collect()
    }

    /// Whether any spelling of one and any of the other are as a question wants.
    fn any(&self, other: &Self, fits: fn(&str, &str) -> bool) -> bool {
        let (own, others) = ([&self.plain, &self.long], [&other.plain, &other.long]);
        own.iter().any(|one| others.iter().any(|other| fits(one, other)))
    }

    fn is(&self, word: &Self) -> bool {
        self.any(word, |one, other| one == other)
    }

    fn begins(&self, word: &Self) -> bool {
        self.any(word, |one, other| other.starts_with(one))
    }

    fn is_folded(&self, word: &Self) -> bool {
        folded_word(&self.plain) == folded_word(&word.plain)
    }

    /// At the end of a beginning an e that is cut would leave what begins other words: `joe` is no
    /// beginning of `john`.
    fn begins_folded(&self, word: &Self) -> bool {
        let (asked, of_name) = (folded_word(&self.plain), folded_word(&word.plain));
        let ends_in_e = ["ae", "oe", "ue"].iter().any(|pair| self.plain.ends_with(pair));
        asked == of_name || (!ends_in_e && of_name.starts_with(&asked))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::games::folded_name;

    fn meant(text: &str, names: &[&'static str]) -> Vec<&'static str> {
        let asked = AskedName::of(text);
        let may_fit = |name: &&&str| asked.may_fit(&folded_name(name));
        asked.meant(names.iter().filter(may_fit).copied(), |name| name)
    }

    #[test]
    fn beginnings_of_words_are_enough() {
        let names = ["Hassan Imre", "Rose Brian", "Van den Biggelaar Nicky", "Rosenberg Ann"];
        assert_eq!(meant("has", &names), ["Hassan Imre"]);
        assert_eq!(meant("IMRE, has", &names), ["Hassan Imre"]);
        assert_eq!(meant("v/d big", &names), ["Van den Biggelaar Nicky"]);
        assert_eq!(meant("ros", &names), ["Rose Brian", "Rosenberg Ann"]);
        assert_eq!(meant("ose", &names), [""; 0]);
        assert_eq!(meant("-", &names), [""; 0]);
    }

    #[test]
    fn an_e_is_part_of_a_name_unless_nothing_else_fits() {
        let names = ["Smith John", "Smith Joe", "Stone Joel", "Buka Michal", "Sun Michael"];
        assert_eq!(meant("joe", &names), ["Smith Joe", "Stone Joel"]);
        assert_eq!(meant("joe", &["Smith John", "Zola Emile"]), [""; 0]);
        assert_eq!(meant("joe", &["Smith John", "Li Jo"]), ["Li Jo"]);
        assert_eq!(meant("michael", &names), ["Sun Michael"]);
        assert_eq!(meant("michael", &names[..4]), ["Buka Michal"]);
        let umlauts = ["Müller Karl", "Mueller Hans", "Muller Jan"];
        assert_eq!(meant("mueller", &umlauts), ["Müller Karl", "Mueller Hans"]);
        assert_eq!(meant("mueller", &umlauts[2..]), ["Muller Jan"]);
        assert_eq!(meant("muell", &umlauts[2..]), ["Muller Jan"]);
        assert_eq!(meant("müller", &umlauts), umlauts);
        assert_eq!(meant("mue", &umlauts[..2]), umlauts[..2]);
        assert_eq!(meant("goe", &["Göhl Ann", "Gomez Ann"]), ["Göhl Ann"]);
    }

    #[test]
    fn a_whole_name_is_that_one() {
        let names = ["Liang Yi", "Goo Liang Yin", "LIANG, Yi", "Chen Xu", "Chen Xun"];
        assert_eq!(meant("liang yi", &names), ["Liang Yi", "LIANG, Yi"]);
        assert_eq!(meant("Yi Liang", &names), ["Liang Yi", "LIANG, Yi"]);
        assert_eq!(meant("Chen Xu", &names), ["Chen Xu"]);
        assert_eq!(meant("chen x", &names), ["Chen Xu", "Chen Xun"]);
        assert_eq!(meant("anna1", &["anna12", "anna1", "anna"]), ["anna1"]);
        let annas = ["Helgesson Anna", "Anna", "ANNA", "Annalisa"];
        for text in ["anna", "Anna", "Änna"] {
            assert_eq!(meant(text, &annas), ["Anna", "ANNA"], "{text}");
            let parts = annas.map(|name| AskedName::of(text).is_part_of(name));
            assert_eq!(parts, [true, false, false, false], "{text}");
        }
        let asked = AskedName::of("chen xu");
        assert_eq!(asked.begun(names, |name| name), ["Chen Xu", "Chen Xun"]);
    }

    #[test]
    fn each_word_takes_one_of_its_own() {
        let names = ["Andersson Anders", "Zebra (andersson)", "Andersson Björn"];
        assert_eq!(meant("anders andersson", &names), ["Andersson Anders"]);
        assert_eq!(meant("anders anders", &names), ["Andersson Anders"]);
        assert_eq!(meant("anders", &names), names);
        assert_eq!(meant("a an", &["Bo Anna", "Anna Ann"]), ["Anna Ann"]);
    }
}
