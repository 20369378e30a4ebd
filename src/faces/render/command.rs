//! Commands for a user to type: words, quoted once, with the book that they are about.

use std::path::{Path, PathBuf};

use crate::openbook::Hint;

/// The book that commands are about where they name no other.
#[derive(Clone, Default, Debug)]
pub struct OwnBook {
    pub path: PathBuf,
    /// Whether it was named by `--book`: then commands name it, too.
    pub is_named: bool,
    /// Whether there is none yet, and the one that comes with the program is read instead: commands that would make
    /// it begin it with that.
    pub is_to_begin: bool,
}

/// A command as words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command {
    name: String,
    words: Vec<String>,
    about: About,
}

/// Which book `--book` names.
#[derive(Clone, PartialEq, Eq, Debug)]
enum About {
    OwnBook,
    Book(PathBuf),
    NoBook,
}

/// The commands that make a book where there is none.
const BEGINNERS: [&str; 3] = ["grow", "import", "games import"];

/// What stands for a file that the user has to name.
const FILE: &str = "FILE";

impl Command {
    /// A command about the user's own book.
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), words: Vec::new(), about: About::OwnBook }
    }

    /// About a book with this name.
    pub fn of_book(self, book: &Path) -> Self {
        Self { about: About::Book(book.to_owned()), ..self }
    }

    /// About no book at all.
    pub fn of_no_book(self) -> Self {
        Self { about: About::NoBook, ..self }
    }

    pub fn with<W: Into<String>>(mut self, words: impl IntoIterator<Item = W>) -> Self {
        self.words.extend(words.into_iter().map(Into::into));
        self
    }

    /// With a file as an argument: no name is taken for an option.
    pub fn with_file(self, file: &Path) -> Self {
        let name = file.to_string_lossy();
        let is_option = name.starts_with('-') && name != "-";
        self.with([if is_option { format!("./{name}") } else { name.into_owned() }])
    }

    /// As it is typed.
    pub fn typed(&self, own: &OwnBook) -> String {
        let named = match &self.about {
            About::OwnBook => Some(&own.path).filter(|_| own.is_named),
            About::Book(book) => Some(book),
            About::NoBook => None,
        };
        let mut text = format!("rosebill {}", self.name);
        for part in named.map(|book| book_option(book)).into_iter().chain([typed(&self.words)]) {
            if !part.is_empty() {
                text = text + " " + &part;
            }
        }
        let is_own = self.about == About::OwnBook;
        if is_own && own.is_to_begin && BEGINNERS.contains(&self.name.as_str()) {
            text += " --starter";
        }
        text
    }

    /// What a hint means on the command line.
    pub fn of_hint(hint: &Hint, own: &OwnBook) -> Vec<Self> {
        let is_own = |book: &Path| book == own.path;
        let file = |command: &str, file: &Option<PathBuf>| {
            let file = file.as_deref().unwrap_or(Path::new(FILE));
            let command = Self::new(command).with_file(file);
            // What is to be read is no book, whatever was said.
            if is_own(file) { command.of_no_book() } else { command }
        };
        let of = |command: &str, book: &Path| Self::new(command).of_book(book);
        vec![match hint {
            Hint::NewBook { book } if is_own(book) => Self::new("new").with(["--starter"]),
            Hint::NewBook { book } => of("new", book).with(["--starter"]),
            Hint::OtherBook => {
                let other = of("new", Path::new(FILE)).with(["--starter"]);
                return vec![other, Self::new("import").with([FILE])];
            }
            Hint::Salvage { book } => of("verify", book).with(["--salvage", "NEWFILE"]),
            Hint::Restore { snapshot } => {
                of("snapshot restore", Path::new(FILE)).with_file(snapshot)
            }
            Hint::ImportBook { file: book } => file("import", book),
            Hint::ImportGames { file: games } => file("games import", games),
            Hint::AskPositions { file: positions } => {
                let [solve, search] =
                    ["solve", "search"].map(|name| file(name, positions).of_no_book());
                return vec![solve, search, file("show", positions)];
            }
            Hint::GrowPopular { least_games } => Self::new("grow").with([
                "--policy".to_owned(),
                "popular".to_owned(),
                "--least-games".to_owned(),
                least_games.to_string(),
            ]),
            Hint::ListGames => Self::new("games list"),
            Hint::LatestGames => Self::new("games list").with(["--sort", "date"]),
            Hint::ListCollections => Self::new("games sources"),
            Hint::FindPlayers => Self::new("games players").with(["PREFIX"]),
            Hint::RemoveGames => Self::new("games remove").with(["--source", FILE]),
            Hint::ListSources => Self::new("info"),
            Hint::ListChanges => Self::new("undo").with(["--list"]),
            Hint::ServeGrowing => Self::new("serve").with(["--grow"]),
            Hint::AllowOrigin => Self::new("serve").with(["--allow-origin", "URL"]),
        }]
    }
}

/// A word as a shell takes it.
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-:@%+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Words as they are typed; of an option with its value, the value alone is quoted.
pub fn typed<S: AsRef<str>>(words: impl IntoIterator<Item = S>) -> String {
    let typed = |word: S| {
        let word = word.as_ref();
        match word.split_once('=').filter(|(option, _)| option.starts_with("--")) {
            Some((option, value)) if quoted(option) == option && !value.is_empty() => {
                format!("{option}={}", quoted(value))
            }
            _ => quoted(word),
        }
    };
    words.into_iter().map(typed).collect::<Vec<_>>().join(" ")
}

/// The option that names a book: `--book my.db`, or `--book=-x.db` where the name would be taken for an option.
pub fn book_option(book: &Path) -> String {
    let name = book.to_string_lossy();
    let between = if name.starts_with('-') { '=' } else { ' ' };
    format!("--book{between}{}", quoted(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_stand_as_they_are_typed() {
        let words = ["grow", "--book=my book.db", "--from", "f5 d6", "--time=1s", "-q", "a=b", ""];
        let command = "grow --book='my book.db' --from 'f5 d6' --time=1s -q 'a=b' ''";
        assert_eq!(typed(words), command);
        assert_eq!(typed(["f5d6c3", "it's"]), r"f5d6c3 'it'\''s'");
    }

    #[test]
    fn a_book_that_is_to_begin_does_so_with_the_starter() {
        let own = OwnBook { is_to_begin: true, ..OwnBook::default() };
        let command = |name| Command::new(name).with(["f5"]);
        assert_eq!(command("grow").typed(&own), "rosebill grow f5 --starter");
        assert_eq!(command("show").typed(&own), "rosebill show f5");
        let other = command("import").of_book(Path::new("a.db"));
        assert_eq!(other.typed(&own), "rosebill import --book a.db f5");
    }

    #[test]
    fn each_hint_is_a_command() {
        let some = |name: &str| Some(PathBuf::from(name));
        let [unnamed, named] = [false, true].map(|is_named| OwnBook {
            path: "my.db".into(),
            is_named,
            ..OwnBook::default()
        });
        for (hint, without, with) in [
            (Hint::NewBook { book: "my.db".into() }, "new --starter", "new --book my.db --starter"),
            (
                Hint::NewBook { book: "-x.db".into() },
                "new --book=-x.db --starter",
                "new --book=-x.db --starter",
            ),
            (
                Hint::OtherBook,
                "new --book FILE --starter|import FILE",
                "new --book FILE --starter|import --book my.db FILE",
            ),
            (
                Hint::Salvage { book: "a b.db".into() },
                "verify --book 'a b.db' --salvage NEWFILE",
                "verify --book 'a b.db' --salvage NEWFILE",
            ),
            (
                Hint::Restore { snapshot: "-x y".into() },
                "snapshot restore --book FILE './-x y'",
                "snapshot restore --book FILE './-x y'",
            ),
            (Hint::ImportBook { file: some("my.db") }, "import my.db", "import my.db"),
            (Hint::ImportBook { file: some("a.dat") }, "import a.dat", "import --book my.db a.dat"),
            (
                Hint::ImportGames { file: some("-") },
                "games import -",
                "games import --book my.db -",
            ),
            (
                Hint::ImportGames { file: None },
                "games import FILE",
                "games import --book my.db FILE",
            ),
            (
                Hint::AskPositions { file: some("it's.obf") },
                r"solve 'it'\''s.obf'|search 'it'\''s.obf'|show 'it'\''s.obf'",
                r"solve 'it'\''s.obf'|search 'it'\''s.obf'|show --book my.db 'it'\''s.obf'",
            ),
            (
                Hint::GrowPopular { least_games: 50 },
                "grow --policy popular --least-games 50",
                "grow --book my.db --policy popular --least-games 50",
            ),
            (Hint::ListGames, "games list", "games list --book my.db"),
            (Hint::LatestGames, "games list --sort date", "games list --book my.db --sort date"),
            (Hint::ListCollections, "games sources", "games sources --book my.db"),
            (Hint::FindPlayers, "games players PREFIX", "games players --book my.db PREFIX"),
            (
                Hint::RemoveGames,
                "games remove --source FILE",
                "games remove --book my.db --source FILE",
            ),
            (Hint::ListSources, "info", "info --book my.db"),
            (Hint::ListChanges, "undo --list", "undo --book my.db --list"),
            (Hint::ServeGrowing, "serve --grow", "serve --book my.db --grow"),
            (
                Hint::AllowOrigin,
                "serve --allow-origin URL",
                "serve --book my.db --allow-origin URL",
            ),
        ] {
            for (own, expected) in [(&unnamed, without), (&named, with)] {
                let commands = Command::of_hint(&hint, own);
                let typed: Vec<String> =
                    commands.iter().map(|command| command.typed(own)).collect();
                let expected: Vec<String> =
                    expected.split('|').map(|command| format!("rosebill {command}")).collect();
                assert_eq!(typed, expected, "{hint:?}");
            }
        }
    }
}
