//! Names that mean one player, as the user says: sources leave out blanks, write initials, or another script.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::Path;

use foldhash::fast::FixedState;

use super::database::GameDatabase;
use super::person::by_games;
use super::row::{NAME_RULES, game_of};
use crate::files::games::{AskedName, Game, folded_name, text_of};
use crate::othello::one_line::one_line;
use crate::store::{Book, GameFacts, GameId, GamePlayer, GameStore, Reader, StoreError};

/// Characters of a line that is not understood that are shown.
const MOST_TOLD: usize = 60;

/// Names, each with the one that it stands for.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Aliases(BTreeMap<String, String>);

impl Aliases {
    pub(crate) fn of(book: &Reader) -> Result<Self, StoreError> {
        let text = book.games().aliases()?;
        Ok(Self::read(&text.unwrap_or_default()))
    }

    /// Reads lines with a name, a tab, and the name that it stands for; other lines say nothing.
    pub(crate) fn read(text: &str) -> Self {
        let mut aliases = Self::default();
        for (alias, name) in text.lines().filter_map(|line| line.split_once('\t')) {
            aliases.add(alias.trim(), name.trim());
        }
        aliases
    }

    /// Reads a file that people and programs write: on each line a name and the one that it stands for, between them
    /// a tab, an arrow, `=`, a semicolon or the only comma. Empty lines and those that begin with `#` say nothing.
    pub(crate) fn of_file(file: &Path) -> io::Result<Self> {
        const BETWEEN: [&str; 6] = ["\t", "=>", "->", "→", "=", ";"];
        const TITLES: [&str; 5] = ["alias", "name", "means", "player", "meaning"];
        let bytes = std::fs::read(file)?;
        let text = text_of(&bytes).ok_or_else(|| io::Error::other("it is no text"))?;
        let mut aliases = Self::default();
        let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim).zip(1..);
        for (line, number) in lines.filter(|(line, _)| !line.is_empty() && !line.starts_with('#')) {
            let with_comma = || line.split_once(',').filter(|(_, name)| !name.contains(','));
            let parted = BETWEEN.iter().find_map(|mark| line.split_once(mark));
            let bare = |name: &str| name.trim().trim_matches('"').trim().to_owned();
            let both = parted.or_else(with_comma).map(|(alias, name)| [bare(alias), bare(name)]);
            match both {
                Some([alias, name]) if !alias.is_empty() && !name.is_empty() => {
                    let is_title = |name: &String| TITLES.contains(&&*name.to_lowercase());
                    if number > 1 || !is_title(&alias) || !is_title(&name) {
                        aliases.add(&alias, &name);
                    }
                }
                _ => {
                    let expected = "expected a name, a tab, and the name that it stands for";
                    let found = one_line(line, MOST_TOLD);
                    return Err(io::Error::other(format!(
                        "line {number}: found \"{found}\", {expected}"
                    )));
                }
            }
        }
        Ok(aliases)
    }

    /// As [`Self::read`] reads it.
    pub(crate) fn text(&self) -> String {
        self.0.iter().map(|(alias, name)| format!("{alias}\t{name}\n")).collect()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(alias, name)| (alias.as_str(), name.as_str()))
    }

    /// Lets a name stand for another one, and with it all that stand for it; false where that says nothing.
    pub(crate) fn add(&mut self, alias: &str, name: &str) -> bool {
        let name = self.name_of(name).to_owned();
        if alias.is_empty() || name.is_empty() || alias == name {
            return false;
        }
        self.0
            .values_mut()
            .filter(|known| **known == alias)
            .for_each(|known| known.clone_from(&name));
        self.0.insert(alias.to_owned(), name.clone()).as_ref() != Some(&name)
    }

    /// Lets a name stand for itself; false where it did.
    pub(crate) fn remove(&mut self, alias: &str) -> bool {
        self.0.remove(alias).is_some()
    }

    /// The name that one stands for.
    pub(crate) fn name_of<'n>(&'n self, name: &'n str) -> &'n str {
        self.0.get(name).map_or(name, String::as_str)
    }

    /// The name that is meant by a text, which may be an alias however it is spelt.
    pub(super) fn meant<'n>(&'n self, text: &'n str) -> &'n str {
        let asked = AskedName::of(text);
        self.iter().find(|(alias, _)| asked.is_whole(alias)).map_or(text, |(_, name)| name)
    }

    /// A game with the names that those in it stand for.
    pub(super) fn plain<'g>(&self, game: &'g Game) -> Cow<'g, Game> {
        if self.is_empty() {
            return Cow::Borrowed(game);
        }
        let mut game = game.clone();
        for player in [&mut game.black, &mut game.white] {
            player.name = player.name.as_deref().map(|name| self.name_of(name).to_owned());
        }
        Cow::Owned(game)
    }

    /// Gives the games of an alias to the player that it stands for.
    pub(super) fn apply(&self, players: &[GamePlayer], facts: &mut [GameFacts]) {
        let numbers: HashMap<&str, u32, FixedState> =
            players.iter().map(|player| (player.name.as_str(), player.id)).collect();
        let stands =
            |(alias, name): (&str, &str)| Some((*numbers.get(alias)?, *numbers.get(name)?));
        let stands: HashMap<u32, u32, FixedState> = self.iter().filter_map(stands).collect();
        for player in facts.iter_mut().flat_map(|facts| [&mut facts.black, &mut facts.white]) {
            *player = player.map(|id| stands.get(&id).copied().unwrap_or(id));
        }
    }

    /// The players without those whose names stand for others; where a book does not have the other, it is called
    /// so.
    pub(super) fn players(&self, mut players: Vec<GamePlayer>) -> Vec<GamePlayer> {
        if self.is_empty() {
            return players;
        }
        let names: Vec<String> = players.iter().map(|player| player.name.clone()).collect();
        players.retain_mut(|player| {
            let name = self.name_of(&player.name).to_owned();
            if name != player.name && names.contains(&name) {
                return false;
            }
            player.folded = folded_name(&name);
            player.name = name;
            true
        });
        players
    }
}

/// Changes the aliases of a book. Commits.
pub(crate) fn change_aliases(
    book: &mut Book,
    change: impl FnOnce(&mut Aliases) -> u64,
) -> Result<u64, StoreError> {
    let mut aliases = Aliases::of(book.reader())?;
    let changed = change(&mut aliases);
    if changed > 0 {
        let mut store = GameStore::open(book, NAME_RULES)?;
        store.set_aliases(&aliases.text())?;
        store.finish()?;
        book.commit()?;
    }
    Ok(changed)
}

/// A name that may be another one's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suggestion {
    pub alias: String,
    pub name: String,
    /// Games that one source has with the one, another with the other; 0 where only the letters are alike.
    pub games: u64,
}

/// Words of a name whose order may be another.
const MOST_WORDS: usize = 3;

/// Letters of a name without blanks, at least.
const LEAST_LETTERS: usize = 6;

/// Names that may be of one player: games are told to have both, or the letters are the same but for blanks, or
/// a word is an initial and no other player fits. The name with more games stands for both.
pub(crate) fn suggest_aliases(database: &GameDatabase<'_>) -> Result<Vec<Suggestion>, StoreError> {
    let players = by_games(database)?;
    let games: HashMap<&str, u64> =
        players.iter().map(|(player, games)| (player.name.as_str(), *games)).collect();
    let mut pairs: BTreeMap<(String, String), u64> = BTreeMap::new();
    let mut add = |one: &str, other: &str, count: u64| {
        let known = |name: &str| games.get(name).copied().unwrap_or_default();
        let (alias, name) = if known(one) > known(other) { (other, one) } else { (one, other) };
        if folded_name(alias) != folded_name(name) {
            *pairs.entry((alias.to_owned(), name.to_owned())).or_default() += count;
        }
    };
    database.book().games().for_each(GameId(0), |_, row| {
        if row.extra.as_ref().is_some_and(|extra| extra.contains("also_")) {
            let game = game_of(row, String::new());
            for (player, also) in [(&game.black, "also_black"), (&game.white, "also_white")] {
                let others = game.extra.get(also).into_iter().flat_map(|names| names.split(" / "));
                let own = player.name.as_deref();
                others.for_each(|other| own.into_iter().for_each(|own| add(own, other, 1)));
            }
        }
        Ok::<_, StoreError>(())
    })?;
    let words =
        |name: &str| -> Vec<String> { folded_name(name).split(' ').map(str::to_owned).collect() };
    let mut glued: HashMap<String, &str> = HashMap::new();
    let mut by_word: HashMap<String, Vec<&str>> = HashMap::new();
    for (player, _) in &players {
        let words = words(&player.name);
        if (2..=MOST_WORDS).contains(&words.len()) {
            orders(&words).into_iter().for_each(|whole| _ = glued.insert(whole, &player.name));
        }
        for word in words.into_iter().filter(|word| word.chars().count() > 1) {
            by_word.entry(word).or_default().push(&player.name);
        }
    }
    for (player, _) in &players {
        let words = words(&player.name);
        let (initials, long): (Vec<&String>, Vec<&String>) =
            words.iter().partition(|word| word.chars().count() == 1);
        match (&initials[..], &long[..]) {
            ([], [word]) if word.chars().count() >= LEAST_LETTERS => {
                glued.get(*word).into_iter().for_each(|name| add(&player.name, name, 0));
            }
            ([initial], [word]) => {
                let fits = |name: &&&str| {
                    let others = folded_name(name);
                    let mut others = others.split(' ').filter(|other| *other != word.as_str());
                    **name != player.name
                        && others
                            .any(|other| other.len() > 1 && other.starts_with(initial.as_str()))
                };
                let alike: Vec<&&str> =
                    by_word.get(*word).into_iter().flatten().filter(fits).collect();
                if let [name] = alike[..] {
                    add(&player.name, name, 0);
                }
            }
            _ => {}
        }
    }
    let known = Aliases::of(database.book())?;
    let is_new = |(alias, name): &(String, String)| known.name_of(alias) != known.name_of(name);
    let mut found: Vec<Suggestion> = pairs
        .into_iter()
        .filter(|(pair, _)| is_new(pair))
        .map(|((alias, name), games)| Suggestion { alias, name, games })
        .collect();
    found.sort_by_key(|suggestion| std::cmp::Reverse(suggestion.games));
    Ok(found)
}

/// The words as one, in all orders.
fn orders(words: &[String]) -> Vec<String> {
    if words.len() < 2 {
        return words.to_vec();
    }
    let mut all = Vec::new();
    for (at, first) in words.iter().enumerate() {
        let mut rest = words.to_vec();
        rest.remove(at);
        all.extend(orders(&rest).into_iter().map(|rest| format!("{first}{rest}")));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stands_for_the_last_one() {
        let mut aliases = Aliases::default();
        assert!(aliases.add("a", "b") && aliases.add("b", "c") && !aliases.add("b", "c"));
        assert_eq!((aliases.name_of("a"), aliases.name_of("b")), ("c", "c"));
        assert_eq!(Aliases::read(&aliases.text()), aliases);
        assert!(!aliases.add("c", "a"), "it stands for itself");
        assert!(aliases.remove("a") && !aliases.remove("a"));
        assert_eq!(aliases.text(), "b\tc\n");
    }

    #[test]
    fn files_of_aliases_are_read_as_people_write_them() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let read = |bytes: &[u8]| {
            std::fs::write(file.path(), bytes).unwrap();
            Aliases::of_file(file.path())
                .map(|aliases| aliases.text())
                .map_err(|error| error.to_string())
        };
        let utf16: Vec<u8> =
            "\u{feff}a = b\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        for (bytes, text) in [
            (&b"a\tb\n"[..], "a\tb\n"),
            (b"\xef\xbb\xbfa\tb\r\n\r\n# x\nc => d e\n", "a\tb\nc\td e\n"),
            (b"alias,name\n\"a\",\"b\"\n", "a\tb\n"),
            (b"a -> Lee, Ann\nb;c", "a\tLee, Ann\nb\tc\n"),
            (b"Andr\xe9 = Andr\xe9 Lee\n", "André\tAndré Lee\n"),
            (&utf16, "a\tb\n"),
            (b"", ""),
        ] {
            assert_eq!(read(bytes).as_deref(), Ok(text));
        }
        let expected = "expected a name, a tab, and the name that it stands for";
        for (text, line) in
            [("a\tb\nx y\n", "x y"), ("\na =\n", "a ="), ("\nLee, Ann, x", "Lee, Ann, x")]
        {
            assert_eq!(read(text.as_bytes()), Err(format!("line 2: found \"{line}\", {expected}")));
        }
    }

    #[test]
    fn words_have_all_orders() {
        let words = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(orders(&words), ["abc", "acb", "bac", "bca", "cab", "cba"]);
    }
}
