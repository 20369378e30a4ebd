//! The languages in which openings have names, each with its list: a line, a tab, a name. Their sources are in
//! their headers.

use crate::othello::board::Line;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// The one that is printed wherever a position is named.
    English,
    /// Understood wherever a name is typed.
    French,
    Japanese,
}

impl Language {
    /// All of them, the first one first asked for a name.
    pub(crate) const ALL: [Self; 3] = [Self::English, Self::French, Self::Japanese];

    /// Its short name: `en`.
    pub(crate) const fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::French => "fr",
            Self::Japanese => "ja",
        }
    }

    const fn list(self) -> &'static str {
        match self {
            Self::English => include_str!("openings.tsv"),
            Self::French => include_str!("openings-fr.tsv"),
            Self::Japanese => include_str!("openings-ja.tsv"),
        }
    }

    /// Its names, each with a line that leads to its position.
    pub(super) fn entries(self) -> impl Iterator<Item = (Line, &'static str)> {
        self.named().filter_map(|(moves, name)| Some((moves.parse().ok()?, name)))
    }

    fn named(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let lines = self.list().lines().filter(|line| !line.starts_with('#'));
        lines.filter_map(|line| line.split_once('\t'))
    }

    /// How many lines its list has except its head.
    #[cfg(test)]
    pub(super) fn rows(self) -> usize {
        self.list().lines().filter(|line| !line.starts_with('#')).count()
    }
}
